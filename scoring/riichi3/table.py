"""The yaku and dora of three-player riichi: what differs from `scoring.riichi` stands in `yaku.csv` (S-SAN-1).

`yaku.csv` has the keys and numbers in their order, the key of four players where it is another one, and han and text
where they differ.

Decisions: scoring/sources.md.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from tilescore.scoring.riichi.count import NUKI_DORA, YAKU
from tilescore.scoring.riichi.situation import PREFIX as RIICHI_PREFIX
from tilescore.scoring.riichi.table import Yaku
from tilescore.scoring.riichi3.yaku import NORTH_YAKU

RIICHI3: Final = "riichi3"
PREFIX: Final = "riichi3."


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of `yaku.csv`."""

    key: str  # its key, without prefix
    number: int | None  # its number; None for nagashi mangan, which is a draw
    value: str  # its han as text, where they are others than those of four players; else empty
    text: str  # one sentence
    yaku: Yaku  # the yaku or dora of `scoring.riichi`, where its key may be another one
    place: int  # its place in the order


@cache
def rows() -> Mapping[str, Row]:
    """The rows by their keys in riichi for four players, in the order of their numbers."""
    yaku_of = {**YAKU, **{row.key: row for row in (NORTH_YAKU, NUKI_DORA)}}
    with Path(__file__).with_name("yaku.csv").open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    by_key = {}
    for place, row in enumerate(read):
        yaku = yaku_of[row["riichi"] or row["key"]]
        number = int(row["number"]) if row["number"] else None
        by_key[yaku.key] = Row(
            key=row["key"], number=number, value=row["value"], text=row["text"] or yaku.text, yaku=yaku, place=place
        )
    return by_key


def renamed(key: str) -> str:
    """The key of a line, an exclusion or a reason of `scoring.riichi` in three-player riichi.

    >>> renamed("riichi.akadora"), renamed("riichi.because.wait")
    ('riichi3.red_five', 'riichi3.because.wait')
    """
    bare = key.removeprefix(RIICHI_PREFIX)
    row = rows().get(bare)
    return PREFIX + (bare if row is None else row.key)
