"""The tables of yaku: what a row of them states, and the decorator that enters a function as a row.

Document 004, first and second table of yaku; see scoring/sources.md.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from tilescore.scoring.riichi.points import YAKUMAN_HAN
from tilescore.scoring.ruleset import text_of


class Table(IntEnum):
    """The tables of yaku, which follow each other."""

    TILES = 0
    WIN = 1
    DORA = 2


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Yaku:
    """One row of the tables."""

    key: str  # its name, without the prefix of its score lines
    # closed, open: han in a closed and in an open hand; 0 where it does not count
    closed: int
    open: int
    text: str  # what it is, in one English sentence
    place: tuple[int, int]  # its place in the order of the tables
    find: Callable[..., Any]
    replaces: tuple[str, ...] = ()  # keys of the yaku in whose place it counts
    doubled: Callable[[Any], bool] | None = None  # whether a view makes it two yakuman (option `double_yakuman`)

    @property
    def value(self) -> str:
        """Han as document 004 prints them: `2/1` closed and open, `1/0` closed only, `2` for both."""
        return str(self.closed) if self.closed == self.open else f"{self.closed}/{self.open}"

    @property
    def table(self) -> int:
        """The table that lists it."""
        return self.place[0]

    @property
    def is_yakuman(self) -> bool:
        """Whether it takes the place of everything that is no yakuman."""
        return self.closed == YAKUMAN_HAN


_ENTERED: Final[dict[str, Yaku]] = {}


def entered() -> dict[str, Yaku]:
    """The yaku registered so far by key, in the order of the tables."""
    return {row.key: row for row in sorted(_ENTERED.values(), key=lambda row: row.place)}


def row_of(find: Callable[..., Any], closed: int, *, opened: int = 0, table: Table = Table.TILES, **more: Any) -> Yaku:
    """The row of a function with the name of its key; `more` is `replaces` and `doubled`."""
    place = (table, len(_ENTERED))
    return Yaku(key=find.__name__, closed=closed, open=opened, text=text_of(find), place=place, find=find, **more)


def yaku(closed: int, opened: int = 0, **more: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function as the yaku of its name, with its han in closed and open hands and what `row_of` takes."""

    def enter(find: Callable[..., Any]) -> Callable[..., Any]:
        _ENTERED[find.__name__] = row_of(find, closed, opened=opened, **more)
        return find

    return enter
