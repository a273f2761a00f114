"""What a fan is, and the table of their numbers, values and exclusions.

A fan is a small function named like its key; a decorator says what it looks at and enters it here. `fans.csv` holds
the rest, one row a fan in rule-book order (document 002, fan list and cross-table): its number, its value, how often
it counts at `most`, the junior fans that it `absorbs`, those that it `bars` for another reason, and those that are
`never_with` it. Fans that stand in none of the three lists of one another combine. Numbers are those of the rule
book; 57 stands in its two forms, 57A and 57B.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache, lru_cache
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tilescore.scoring.mcr.view import View
    from tilescore.scoring.tiles import Tile

Match = tuple[int, ...]
"""Indexes of the groups that make a fan; none for a fan of the whole hand or of the win."""
Matches = tuple[Match, ...]
NOT: Final[Matches] = ()
ONCE: Final[Matches] = ((),)
_MOST_PATTERNS: Final = 4096
"""Chows or pungs whose fans are remembered: a bound to the memory of a long stream."""


class About(Enum):
    """What a fan looks at, and so what lights up for it."""

    HAND = auto()
    """All tiles, however they are split."""
    WIN = auto()
    """How the last tile came; nothing lights up."""
    SPLIT = auto()
    """The whole hand as it is split."""
    GROUPS = auto()
    """Some groups."""
    CHOWS = auto()
    """Some chows, seen by their lowest tiles."""
    PUNGS = auto()
    """Some pungs and kongs, seen by their tiles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FanRow:
    """A row of the table."""

    place: int
    number: str
    key: str
    value: int
    most: int
    absorbs: tuple[str, ...]
    bars: tuple[str, ...]
    never_with: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Fan:
    """A fan of the rule book.

    Attributes:
        row: its row of the table.
        text: what it is, in one English sentence.
        about: what it looks at.
        find: every way it is in a hand; None for chows and pungs, which `test` finds.
        test: whether these chows or pungs make it, by their lowest tiles, in any order.
        size: how many groups `test` takes.
    """

    row: FanRow
    text: str
    about: About
    find: Callable[[View], Matches] | None = None
    test: Callable[..., bool] | None = None
    size: int = 0

    @property
    def number(self) -> str:
        """Its number in the rule book: 1-81, 57A or 57B."""
        return self.row.number

    @property
    def key(self) -> str:
        """The key its score lines carry."""
        return self.row.key

    @property
    def combines_groups(self) -> bool:
        """Whether it joins several groups, so that the non-repeat principle is about it."""
        return self.size >= 2


def _rows() -> dict[str, FanRow]:
    with Path(__file__).with_name("fans.csv").open(encoding="utf-8", newline="") as file:
        return {
            entry["key"]: FanRow(
                place=place,
                number=entry["number"],
                key=f"mcr.{entry['key']}",
                value=int(entry["value"]),
                most=int(entry["most"]),
                absorbs=tuple(entry["absorbs"].split()),
                bars=tuple(entry["bars"].split()),
                never_with=tuple(entry["never_with"].split()),
            )
            for place, entry in enumerate(csv.DictReader(file))
        }


ROWS: Final[Mapping[str, FanRow]] = _rows()
"""Key without its prefix to the row of the table, in rule-book order."""
_FOUND: Final[dict[str, Fan]] = {}


def fan(about: About) -> Callable[[Callable[[View], Matches]], Callable[[View], Matches]]:
    """Enter a function of the view as the fan of its name."""

    def enter(find: Callable[[View], Matches]) -> Callable[[View], Matches]:
        row = ROWS[find.__name__]
        _FOUND[row.number] = Fan(row=row, text=_first_line(find), about=about, find=find)
        return find

    return enter


def chows(size: int) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
    """Enter a test of so many chows as the fan of its name."""
    return _of_groups(About.CHOWS, size)


def pungs(size: int) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
    """Enter a test of so many pungs or kongs as the fan of its name."""
    return _of_groups(About.PUNGS, size)


def _of_groups(about: About, size: int) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
    def enter(test: Callable[..., bool]) -> Callable[..., bool]:
        row = ROWS[test.__name__]
        _FOUND[row.number] = Fan(row=row, text=_first_line(test), about=about, test=test, size=size)
        return test

    return enter


def _first_line(function: Callable[..., object]) -> str:
    return (function.__doc__ or "").partition("\n")[0]


def entered() -> tuple[Fan, ...]:
    """The fans entered so far, in rule-book order."""
    return tuple(sorted(_FOUND.values(), key=lambda entry: entry.row.place))


@lru_cache(maxsize=_MOST_PATTERNS)
def patterns(about: About, tiles: tuple[Tile, ...]) -> tuple[tuple[int, Matches], ...]:
    """Places of the chow or pung fans among these groups, each with the groups that make it, by position."""
    found = []
    for place, size, test in _tests(about):
        matches = tuple(
            [match for match in combinations(range(len(tiles)), size) if test(*[tiles[at] for at in match])]
        )
        if matches:
            found.append((place, matches))
    return tuple(found)


@cache
def _tests(about: About) -> tuple[tuple[int, int, Callable[..., bool]], ...]:
    """Place, number of groups and test of each fan about these; called when all have been entered."""
    return tuple(
        (entry.row.place, entry.size, entry.test)
        for entry in entered()
        if entry.about is about and entry.test is not None
    )
