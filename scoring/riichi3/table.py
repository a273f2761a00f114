"""The yaku and dora of three-player riichi, from `yaku.csv`, and their names inside `scoring.riichi` (S-SAN-1).

Decisions: scoring/sources.md.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tilescore.scoring.riichi.situation import PREFIX as RIICHI_PREFIX
from tilescore.scoring.riichi.table import Yaku

if TYPE_CHECKING:
    from collections.abc import Mapping

RIICHI3: Final = "riichi3"
PREFIX: Final = "riichi3."


@dataclass(frozen=True, slots=True)
class Row:
    """One row of `yaku.csv`.

    Attributes:
        yaku: key without prefix, han, one sentence, place.
        number: its number; None for nagashi mangan, which is a draw.
        riichi: its key in riichi for four players, without prefix.
    """

    yaku: Yaku
    number: int | None
    riichi: str


@cache
def rows() -> Mapping[str, Row]:
    """The rows by their keys in riichi for four players, in the order of their numbers."""
    with Path(__file__).with_name("yaku.csv").open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    found = [
        Row(
            Yaku(row["key"], int(row["closed"]), int(row["open"]), row["text"], place),
            int(row["number"]) if row["number"] else None,
            row["riichi"] or row["key"],
        )
        for place, row in enumerate(read)
    ]
    return {row.riichi: row for row in found}


def renamed(key: str) -> str:
    """The key of a line, an exclusion or a reason of `scoring.riichi` in three-player riichi.

    >>> renamed("riichi.akadora"), renamed("riichi.because.wait")
    ('riichi3.red_five', 'riichi3.because.wait')
    """
    bare = key.removeprefix(RIICHI_PREFIX)
    row = rows().get(bare)
    return PREFIX + (bare if row is None else row.yaku.key)
