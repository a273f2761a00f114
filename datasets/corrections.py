"""Hand-made labels for tiles that a photo set does not label or labels wrongly: backs, edges of heaps.

corrections.csv holds them under a hash of the photo's bytes. They apply to the photo wherever it lies, and to no other
file. A person has checked each of them on an enlarged crop.
"""

import csv
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from tilescore.datasets.labels import CLASS_NAMES

_FILE: Final = Path(__file__).parent / "corrections.csv"
_KEY_LENGTH: Final = 16
"""Number of hex digits of a key."""


@dataclass(frozen=True, slots=True)
class Correction:
    """One tile that a photo's labels lack, or the true class of a picture that shows one tile.

    `shares` are left, top, right, bottom as shares of the picture (0-1).
    """

    name: str
    shares: tuple[float, float, float, float]


def corrections_of(photo: Path) -> tuple[Correction, ...]:
    """The corrections for the photo; empty for a file that corrections.csv does not know."""
    return _by_key().get(key_of(photo), ())


def corrected_class(picture: Path, given: str) -> str:
    """The class of a picture that shows a single tile: the corrected class, or else the given one."""
    return next((correction.name for correction in corrections_of(picture)), given)


def key_of(photo: Path) -> str:
    """The key of a photo in corrections.csv: the first digits of its SHA-256 in hex."""
    with photo.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:_KEY_LENGTH]


@cache
def _by_key() -> Mapping[str, tuple[Correction, ...]]:
    corrections: dict[str, list[Correction]] = {}
    with _FILE.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["tile"] not in CLASS_NAMES:
                raise ValueError(f"{_FILE.name}: '{row['tile']}' is not one of the 46 classes.")
            left, top, right, bottom = (float(row[side]) for side in ("left", "top", "right", "bottom"))
            corrections.setdefault(row["photo"], []).append(Correction(row["tile"], (left, top, right, bottom)))
    return {key: tuple(rows) for key, rows in corrections.items()}
