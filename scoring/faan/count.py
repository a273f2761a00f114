"""The count of a won hand: which lines it has, which of them count, and their sum (scoring/sources.md)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import TopologicalSorter

from tilescore.scoring.context import ELSEWHERE, Occasion
from tilescore.scoring.faan.table import Line, WonBy
from tilescore.scoring.faan.view import Found, View
from tilescore.scoring.hand import Hand
from tilescore.scoring.plausibility import Play
from tilescore.scoring.score import Excluded, ScoreLine
from tilescore.scoring.shapes.winning import Shape


@dataclass(frozen=True, eq=False, kw_only=True)
class Book:
    """The lines of a game under its options, and what else its count needs."""

    ruleset: str  # its name, the prefix of its keys
    unit: str  # `faan` or `tai`
    lines: tuple[Line, ...]  # the lines in play, in the order of their numbers
    empty: Line | None = None  # the line of a hand in which no other counts; None where such a hand has no line
    minimum: int = 0  # what a win needs; a win by flowers needs nothing
    idle: frozenset[int] = frozenset()  # numbers of the lines that do not help to reach it
    limit: int | None = None  # the most that a hand is worth; None without a limit
    play: Play  # how the game is played, as far as it decides which circumstances a hand can have
    shapes: frozenset[Shape]  # the forms of a complete hand
    robs_concealed: frozenset[Shape] = frozenset()  # the forms that may rob a concealed kong
    flowers: bool  # whether flowers and seasons are in play
    one_wait: Callable[[Hand], bool] | None = None  # whether one kind alone completes a hand; None if no line asks
    # for an occasion that can count for nothing, the numbers of the lines of which it makes one
    passes: Mapping[Occasion, frozenset[int]]
    ignored: tuple[str, ...] = ELSEWHERE  # names of counters and tiles without meaning in it
    short_is_no_win: bool = False  # whether a hand of too few tiles is no win; if not, it is an error

    @cached_property
    def by_number(self) -> Mapping[int, Line]:
        """The lines by number."""
        return {line.number: line for line in self.lines}

    @cached_property
    def by_tiles(self) -> tuple[tuple[int, Callable[[View], Found]], ...]:
        """Number and function of the lines that a win with a complete hand can have."""
        return tuple((line.number, line.find) for line in self.lines if line.won_by is not WonBy.FLOWERS)

    @cached_property
    def by_flowers(self) -> tuple[tuple[int, Callable[[View], Found]], ...]:
        """Number and function of the lines that a win by flowers can have."""
        return tuple((line.number, line.find) for line in self.lines if line.won_by is not WonBy.TILES)

    @cached_property
    def seniors_first(self) -> tuple[int, ...]:
        """The numbers, each after those of the lines that can take its place."""
        graph = {number: set[int]() for number in self.by_number}
        for number, line in self.by_number.items():
            for junior in line.in_place_of & graph.keys():
                graph[junior].add(number)
        return tuple(TopologicalSorter(graph).static_order())


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """The count of one view."""

    view: View
    found: Mapping[int, Found]  # all lines that it has, by number
    kept: Mapping[int, int]  # the numbers of those that count, each with its value times how often it counts, ascending
    because: Mapping[int, int]  # for each that does not count, the number of the line in its place

    @property
    def total(self) -> int:
        """The sum of the lines that count."""
        return sum(self.kept.values())

    def wins_by_flowers(self, book: Book) -> bool:
        """Whether a line counts that makes flowers and seasons win."""
        return any(book.by_number[number].won_by is WonBy.FLOWERS for number in self.kept)


def count(book: Book, view: View) -> Counted:
    """The lines of a view; one that another takes the place of takes no other's place itself."""
    lines = book.by_flowers if view.shape is None else book.by_tiles
    found = {number: instances for number, find in lines if (instances := find(view))}
    kept: dict[int, int] = {}
    because: dict[int, int] = {}
    for number in book.seniors_first:
        if number in found and number not in because:
            line = book.by_number[number]
            kept[number] = line.value * len(found[number])
            for junior in line.in_place_of & found.keys():
                because.setdefault(junior, number)
    if not kept and book.empty is not None:
        found[book.empty.number] = ((),)
        kept[book.empty.number] = book.empty.value
    return Counted(view=view, found=found, kept=dict(sorted(kept.items())), because=because)


def dearest(book: Book, views: Sequence[View]) -> Counted:
    """The most valuable count before the cut, and of equal ones that with the fewest lines (S-ALL-1)."""
    if len(views) == 1:
        return count(book, views[0])
    return max([count(book, view) for view in views], key=lambda counted: (counted.total, -len(counted.kept)))


def cut(book: Book, total: int) -> int:
    """The sum, cut to the limit."""
    return total if book.limit is None else min(total, book.limit)


def lacking_to_minimum(book: Book, counted: Counted) -> int:
    """How much a hand lacks for a win; 0 or less for one that wins."""
    if counted.view.shape is None:
        return 0
    return book.minimum - sum(value for number, value in counted.kept.items() if number not in book.idle)


def score_lines(book: Book, counted: Counted) -> tuple[ScoreLine, ...]:
    """What counts, in the order of the numbers."""
    return tuple(
        [
            ScoreLine(
                key=_key(book, number),
                value=book.by_number[number].value,
                count=len(counted.found[number]),
                tiles=tuple([tile for instance in counted.found[number] for tile in instance]),
                number=number,
            )
            for number in counted.kept
        ]
    )


def exclusions(book: Book, counted: Counted) -> tuple[Excluded, ...]:
    """What does not count, each with the line in its place."""
    return tuple(
        Excluded(key=_key(book, number), because=_key(book, senior), number=number)
        for number, senior in sorted(counted.because.items())
    )


def _key(book: Book, number: int) -> str:
    return f"{book.ruleset}.{book.by_number[number].key}"
