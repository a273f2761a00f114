"""The tables of lines: `hongkong.csv` and `taiwan.csv`, one row for each line, in the order of their numbers.

A row has the number, the key, the value, the `win` in which the line counts, and the numbers of the lines that it
stands `in_place_of`. Sources: scoring/sources.md.
"""

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from tilescore.scoring.faan.view import Found, View


class WonBy(StrEnum):
    """The wins in which a line counts."""

    TILES = "tiles"
    """A win with a complete hand."""
    FLOWERS = "flowers"
    """A win by flowers and seasons, whatever the other tiles are."""
    BOTH = "both"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of a table.

    Attributes:
        number: its number, from 1.
        key: the key without prefix.
        value: its faan or tai.
        won_by: the wins in which it counts.
        in_place_of: numbers of the lines that do not count beside it.
    """

    number: int
    key: str
    value: int
    won_by: WonBy
    in_place_of: frozenset[int]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Line:
    """A line under the options of a game."""

    row: Row
    find: Callable[[View], Found]

    @property
    def text(self) -> str:
        """What it is, in one English sentence."""
        return (self.find.__doc__ or "").partition("\n")[0]


@cache
def rows_of(ruleset: str) -> Mapping[str, Row]:
    """The rows of the table of this ruleset by their keys without prefix.

    >>> rows_of("hongkong")["big_dragons"].in_place_of
    frozenset({7})
    """
    with Path(__file__).with_name(f"{ruleset}.csv").open(encoding="utf-8", newline="") as file:
        return {
            entry["key"]: Row(
                number=int(entry["number"]),
                key=entry["key"],
                value=int(entry["value"]),
                won_by=WonBy(entry["win"]),
                in_place_of=_numbers(entry["in_place_of"]),
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
