"""Labels by hand for tiles that a photo set shows and does not label, or labels wrongly: backs, edges of heaps.

They lie in corrections.csv, keyed by the photo's own bytes, so that they hold wherever the photo lies and can never
land on another. Each was looked at, one by one, on enlarged cut-outs.
"""

from __future__ import annotations

import csv
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tilescore.datasets.labels import CLASS_NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

_FILE: Final = Path(__file__).parent / "corrections.csv"
_KEY_LENGTH: Final = 16


@dataclass(frozen=True, slots=True)
class Correction:
    """One tile that is missing from a photo's labels, or the one of a picture that shows no other.

    Attributes:
        name: its class.
        shares: left, top, right, bottom as shares of the picture (0-1).
    """

    name: str
    shares: tuple[float, float, float, float]


def corrections_of(photo: Path) -> tuple[Correction, ...]:
    """The labels by hand for that very file; none when nobody looked at it."""
    return _by_key().get(key_of(photo), ())


def single_of(picture: Path, given: str) -> str:
    """The class of a picture that shows a single tile: as given, unless somebody saw that it shows another."""
    return next((correction.name for correction in corrections_of(picture)), given)


def key_of(photo: Path) -> str:
    """First half of the sha256 of the file, in hex: what corrections.csv knows a photo by."""
    with photo.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:_KEY_LENGTH]


@cache
def _by_key() -> Mapping[str, tuple[Correction, ...]]:
    found: dict[str, list[Correction]] = {}
    with _FILE.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["tile"] not in CLASS_NAMES:
                raise ValueError(f"{_FILE.name}: '{row['tile']}' is no class of ours.")
            left, top, right, bottom = (float(row[side]) for side in ("left", "top", "right", "bottom"))
            found.setdefault(row["photo"], []).append(Correction(row["tile"], (left, top, right, bottom)))
    return {key: tuple(rows) for key, rows in found.items()}
