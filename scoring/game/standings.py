"""The standings of a game: ranks, sticks left over, uma, oka, penalties (S-RII-24, S-RII-35 in scoring/sources.md)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, TypeVar

from tilescore.scoring.game.progression import PLAYERS, Player
from tilescore.scoring.riichi.options import uma_points
from tilescore.scoring.riichi.points import CHOMBO, STICK
from tilescore.scoring.ruleset import chosen

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tilescore.scoring.ruleset import Ruleset

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One line of the standings.

    Attributes:
        rank: from 1; players who share a rank have the same number.
        player: who.
        name: the player's name.
        points: points with the deposits left over.
        uma: points by rank, oka included; 0 before the end.
        penalty: points that false mah-jongs take off the result; 0 before the end.
        counted_from: points that the result is counted from; 0 before the end.
    """

    rank: int
    player: Player
    name: str
    points: float
    uma: int = 0
    penalty: int = 0
    counted_from: int = 0

    @property
    def result(self) -> float:
        """Points as they count in the end."""
        return self.points - self.counted_from + self.uma - self.penalty


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A game as far as it decides the standings.

    Attributes:
        names, totals: names and points of the players, from A on.
        start: points with which each player started.
        deposits: sticks left over.
        fouls: false mah-jongs of each player who made any.
        over: whether the game has ended, so that sticks, uma and penalties count.
    """

    names: tuple[str, ...]
    totals: tuple[float, ...]
    start: int
    deposits: int
    fouls: Mapping[Player, int]
    over: bool


def standings_of(rules: Ruleset, table: Table) -> tuple[Standing, ...]:
    """First to last; equal points rank by first seat, or share the rank and what belongs to it (option `ties`)."""
    if not table.over:
        return tuple(
            Standing(rank=rank, player=player, name=_of(player, table.names), points=_of(player, table.totals))
            for rank, player in enumerate(order_of(table.totals), 1)
        )
    back = chosen(rules, "return_points", 0)
    penalized = chosen(rules, "chombo", "") == "after_uma"
    return tuple(
        Standing(
            rank=rank,
            player=player,
            name=_of(player, table.names),
            points=_of(player, table.totals) + sticks,
            uma=uma,
            penalty=CHOMBO * table.fouls.get(player, 0) if penalized else 0,
            counted_from=back,
        )
        for rank, player, uma, sticks in _shares(rules, table, oka=_oka(table, back))
    )


def _oka(table: Table, back: int) -> int:
    """What the first player gets, where results are counted from more points than the start."""
    return max(0, len(table.totals) * (back - table.start)) if back else 0


def order_of(totals: tuple[float, ...]) -> tuple[Player, ...]:
    """The players from first to last; equal points rank by first seat (S-RII-24)."""
    return tuple(sorted(PLAYERS[: len(totals)], key=lambda player: (-_of(player, totals), player)))


def _shares(rules: Ruleset, table: Table, *, oka: int) -> Iterator[tuple[int, Player, int, int]]:
    """Rank, player, uma with oka, and points of left sticks, from first to last."""
    uma = uma_points(chosen(rules, "uma", ""), len(table.totals))
    by_rank = [points + oka * (place == 0) for place, points in enumerate(uma)]
    kept = chosen(rules, "leftover_sticks", "first") == "first"
    left = STICK * table.deposits if kept else 0
    place = 0
    for players in _ranks(rules, table.totals):
        shared = _split(sum(by_rank[place : place + len(players)]), len(players))
        sticks = _split(left if place == 0 else 0, len(players))
        for player, points, more in zip(players, shared, sticks, strict=True):
            yield place + 1, player, points, more
        place += len(players)


def _ranks(rules: Ruleset, totals: tuple[float, ...]) -> Iterator[tuple[Player, ...]]:
    """The players of each rank: several where equal points share it."""
    order = order_of(totals)
    if chosen(rules, "ties", "first_seat") != "shared":
        yield from ((player,) for player in order)
        return
    for _, players in groupby(order, key=lambda player: _of(player, totals)):
        yield tuple(players)


def _split(points: int, number: int) -> tuple[int, ...]:
    """Equal parts; what does not divide goes to the first ones.

    >>> _split(20_000, 3)
    (6667, 6667, 6666)
    """
    part, rest = divmod(points, number)
    return tuple(part + (place < rest) for place in range(number))


def _of(player: Player, values: tuple[T, ...]) -> T:
    return values[PLAYERS.index(player)]
