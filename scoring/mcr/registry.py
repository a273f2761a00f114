"""What a fan is, and the table of their numbers, values and exclusions.

A fan is a small function with the name of its key; a decorator registers it and states what it is about. `fans.csv`
has one row for each fan, in rule-book order (document 002, fan list and cross-table; see scoring/sources.md): its
number, its value, how often it counts at `most`, the junior fans that it `absorbs`, those that it `bars` for another
reason, and those that are `never_with` it. Two fans combine if neither is in a list of the other. Numbers are those
of document 002; 57 has two forms, 57A and 57B (S-MCR-9).
"""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache, lru_cache
from itertools import combinations
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, TypeVar

from tilescore.scoring.ruleset import text_of
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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Fan:
    """One fan of the rule book: a row of `fans.csv` and its function."""

    place: int  # its place in rule-book order, from 0
    number: str  # its number in the rule book: 1-81, 57A or 57B
    line_number: int  # the number that its score lines carry, 57 for both forms
    key: str  # the key that its score lines carry
    # value, most: its points, and how often it counts at most
    value: int
    most: int
    # absorbs, bars, never_with: numbers of the fans with which it does not combine
    absorbs: tuple[str, ...]
    bars: tuple[str, ...]
    never_with: tuple[str, ...]
    text: str  # what it is, in one English sentence
    about: About  # what it is about
    needs: int  # what a hand must have so that `find` is asked, as bits; 0 for nothing
    # Finds its matches in a view. For a fan of chows or pungs it says whether these make the fan, and takes their
    # lowest tiles in any order.
    find: Callable[..., Any]
    size: int  # how many chows or pungs `find` takes; 0 for other fans

    @property
    def combines_groups(self) -> bool:
        """Whether it joins several groups, so that the non-repeat principle applies to it."""
        return self.size >= 2


def _rows() -> dict[str, dict[str, Any]]:
    with Path(__file__).with_name("fans.csv").open(encoding="utf-8", newline="") as file:
        return {
            entry["key"]: {
                "place": place,
                "number": entry["number"],
                "line_number": int(entry["number"].rstrip("AB")),
                "key": f"mcr.{entry['key']}",
                "value": int(entry["value"]),
                "most": int(entry["most"]),
                "absorbs": tuple(entry["absorbs"].split()),
                "bars": tuple(entry["bars"].split()),
                "never_with": tuple(entry["never_with"].split()),
            }
            for place, entry in enumerate(csv.DictReader(file))
        }


_ROWS: Final = _rows()
"""The rows of `fans.csv` by key without prefix, in rule-book order."""
_FOUND: Final[list[Fan]] = []
Find = TypeVar("Find", bound=Callable[..., Any])


def fan(about: About, *, needs: int = 0, size: int = 0) -> Callable[[Find], Find]:
    """Register a function of the view as the fan of its name, which only hands with these `needs` can have."""

    def enter(find: Find) -> Find:
        row = _ROWS[find.__name__]
        _FOUND.append(Fan(**row, text=text_of(find), about=about, needs=needs, find=find, size=size))
        return find

    return enter


def chows(size: int) -> Callable[[Find], Find]:
    """Register a test of `size` chows as the fan of its name."""
    return fan(About.CHOWS, size=size)


def pungs(size: int) -> Callable[[Find], Find]:
    """Register a test of `size` pungs or kongs as the fan of its name."""
    return fan(About.PUNGS, size=size)


def together(places: Match, least: int) -> Matches:
    """One match of all these groups, if they are so many."""
    return (places,) if len(places) >= least else NOT


def entered() -> tuple[Fan, ...]:
    """The fans registered so far, in rule-book order."""
    return tuple(sorted(_FOUND, key=attrgetter("place")))


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
    """A function from chows or pungs to the places of the fans that exactly these make; all fans must be registered."""
    tests = [(entry.place, entry.size, entry.find) for entry in entered() if entry.about is about]

    @lru_cache(maxsize=_MOST_PATTERNS)
    def made(tiles: tuple[Tile, ...]) -> tuple[int, ...]:
        return tuple([place for place, size, test in tests if size == len(tiles) and test(*tiles)])

    return made
