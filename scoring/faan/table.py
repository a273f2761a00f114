"""The tables of lines: `hongkong.csv` and `taiwan.csv`, one row for each line, in the order of their numbers.

A row has the number, the key, the value, the `win` in which the line counts, and the numbers of the lines that it
stands `in_place_of`. Sources: scoring/sources.md.
"""

import csv
from collections import ChainMap
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from tilescore.scoring.faan.view import Found, View


class WonBy(StrEnum):
    """The wins in which a line counts."""

    TILES = "tiles"
    """A win with a complete hand."""
    FLOWERS = "flowers"
    """A win by flowers and seasons, whatever the other tiles are."""
    BOTH = "both"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Line:
    """One row of a table, and what finds the line in a hand."""

    number: int  # its number, from 1
    key: str  # the key without prefix
    value: int  # its faan or tai
    won_by: WonBy  # the wins in which it counts
    in_place_of: frozenset[int]  # numbers of the lines that do not count beside it
    find: Callable[[View], Found]  # finds its instances in a view


def lines_of(ruleset: str, *homes: dict[str, Any]) -> dict[str, Line]:
    """The lines of the table of this ruleset by their keys without prefix, as the default options have them.

    Each key names a function in one of the `homes`.
    """
    finders = ChainMap(*homes)
    with Path(__file__).with_name(f"{ruleset}.csv").open(encoding="utf-8", newline="") as file:
        return {
            entry["key"]: Line(
                number=int(entry["number"]),
                key=entry["key"],
                value=int(entry["value"]),
                won_by=WonBy(entry["win"]),
                in_place_of=_numbers(entry["in_place_of"]),
                find=finders[entry["key"]],
            )
            for entry in csv.DictReader(file)
        }


def _numbers(text: str) -> frozenset[int]:
    """The numbers written like `1-13 25`."""
    numbers: set[int] = set()
    for part in text.split():
        first, _, last = part.partition("-")
        numbers.update(range(int(first), int(last or first) + 1))
    return frozenset(numbers)
