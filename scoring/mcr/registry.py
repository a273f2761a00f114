"""What a fan is, and the table of their numbers, values and exclusions.

A fan is a small function with the name of its key; a decorator registers it and states what it is about. `fans.csv`
has one row for each fan, in rule-book order (document 002, fan list and cross-table; see scoring/sources.md): its
number, its value, how often it counts at `most`, the junior fans that it `absorbs`, those that it `bars` for another
reason, and those that are `never_with` it. Two fans combine if neither is in a list of the other. Numbers are those
of document 002; 57 has two forms, 57A and 57B (S-MCR-9).
"""

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache, cached_property, lru_cache
from itertools import combinations
from pathlib import Path
from typing import Final

from tilescore.scoring.mcr.view import View
from tilescore.scoring.tiles import Tile

Match = tuple[int, ...]
"""Indexes of the groups that make a fan; none for a fan of the whole hand or of the win."""
Matches = tuple[Match, ...]
NOT: Final[Matches] = ()
ONCE: Final[Matches] = ((),)
_MOST_PATTERNS: Final = 16384
"""Number of choices of chows or pungs whose fans are cached: all pairs, most triples, bounded for long streams."""


class About(Enum):
    """What a fan is about, which decides the tiles that a photo highlights."""

    HAND = auto()
    """All tiles, in any split."""
    WIN = auto()
    """How the winner got the last tile; no tile is highlighted."""
    SPLIT = auto()
    """The whole hand in one split."""
    GROUPS = auto()
    """Some groups."""
    CHOWS = auto()
    """Some chows, given by their lowest tiles."""
    PUNGS = auto()
    """Some pungs and kongs, given by their tiles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FanRow:
    """One row of `fans.csv`."""

    place: int
    number: str
    key: str
    value: int
    most: int
    absorbs: tuple[str, ...]
    bars: tuple[str, ...]
    never_with: tuple[str, ...]


@dataclass(frozen=True, eq=False, kw_only=True)  # no slots: it caches its number
class Fan:
    """One fan of the rule book.

    Attributes:
        row: its row of `fans.csv`.
        text: what it is, in one English sentence.
        about: what it is about.
        needs: what a hand must have so that `find` is asked, as bits; 0 for nothing.
        find: finds its matches in a view; None for a fan of chows or pungs, which has a `test`.
        test: whether these chows or pungs make it; takes their lowest tiles in any order.
        size: how many groups `test` takes.
    """

    row: FanRow
    text: str
    about: About
    needs: int = 0
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

    @cached_property
    def line_number(self) -> int:
        """The number that its score lines carry, 57 for both forms."""
        return int(self.number.rstrip("AB"))

    @property
    def combines_groups(self) -> bool:
        """Whether it joins several groups, so that the non-repeat principle applies to it."""
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
"""The rows of `fans.csv` by key without prefix, in rule-book order."""
_FOUND: Final[dict[str, Fan]] = {}


def fan(about: About, *, needs: int = 0) -> Callable[[Callable[[View], Matches]], Callable[[View], Matches]]:
    """Register a function of the view as the fan of its name, which only hands with these `needs` can have."""

    def enter(find: Callable[[View], Matches]) -> Callable[[View], Matches]:
        row = ROWS[find.__name__]
        _FOUND[row.number] = Fan(row=row, text=_first_line(find), about=about, needs=needs, find=find)
        return find

    return enter


def chows(size: int) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
    """Register a test of `size` chows as the fan of its name."""
    return _of_groups(About.CHOWS, size)


def pungs(size: int) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
    """Register a test of `size` pungs or kongs as the fan of its name."""
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
    """The fans registered so far, in rule-book order."""
    return tuple(sorted(_FOUND.values(), key=lambda entry: entry.row.place))


@lru_cache(maxsize=_MOST_PATTERNS)
def patterns(about: About, tiles: tuple[Tile, ...]) -> tuple[tuple[int, Matches], ...]:
    """The fans that these chows or pungs make: the place of each fan, and the positions of the groups of each match."""
    made = _made_by(about)
    matches_of: dict[int, list[Match]] = {}
    for match in _CHOICES[len(tiles)]:
        for place in made(tuple([tiles[at] for at in match])):
            matches_of.setdefault(place, []).append(match)
    return tuple((place, tuple(matches)) for place, matches in matches_of.items())


_CHOICES: Final = tuple(
    tuple(choice for size in range(1, count + 1) for choice in combinations(range(count), size)) for count in range(5)
)
"""For each number of chows or pungs the positions of one of them, of two, and so on."""


@cache
def _made_by(about: About) -> Callable[[tuple[Tile, ...]], tuple[int, ...]]:
    """A function from chows or pungs to the places of the fans that exactly these make."""
    tests = _tests(about)

    @lru_cache(maxsize=_MOST_PATTERNS)
    def made(tiles: tuple[Tile, ...]) -> tuple[int, ...]:
        return tuple([place for place, size, test in tests if size == len(tiles) and test(*tiles)])

    return made


def _tests(about: About) -> tuple[tuple[int, int, Callable[..., bool]], ...]:
    """Place, number of groups and test of each fan about chows or pungs; all fans must be registered before."""
    return tuple(
        (entry.row.place, entry.size, entry.test)
        for entry in entered()
        if entry.about is about and entry.test is not None
    )
