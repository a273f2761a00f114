"""The standings of a game: ranks, sticks left over, uma, oka, penalties (S-RII-24, S-RII-35 in scoring/sources.md)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TypeVar

from tilescore.scoring.progression import PLAYERS, Player
from tilescore.scoring.traits import GameEnd

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One line of the standings."""

    rank: int  # from 1; players who share a rank have the same number
    player: Player
    name: str
    points: float  # points with the deposits left over
    uma: int = 0  # points by rank, oka included; 0 before the end
    penalty: int = 0  # points that false mah-jongs take off the result; 0 before the end
    counted_from: int = 0  # points that the result is counted from; 0 before the end
    rounded: float = 0  # what rounding to thousands adds to the result; 0 before the end

    @property
    def result(self) -> float:
        """Points as they count in the end."""
        return self.points - self.counted_from + self.uma - self.penalty + self.rounded


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A game as far as it decides the standings."""

    # names, totals: names and points of the players, from A on
    names: tuple[str, ...]
    totals: tuple[float, ...]
    start: int  # points with which each player started
    left: int  # points of the sticks left over
    fouls: Mapping[Player, int]  # false mah-jongs of each player who made any
    over: bool  # whether the game has ended, so that sticks, uma and penalties count


def standings_of(end: GameEnd, table: Table) -> tuple[Standing, ...]:
    """First to last; equal points rank by first seat, or share the rank and what belongs to it."""
    if not table.over:
        return tuple(
            Standing(rank=rank, player=player, name=_of(player, table.names), points=_of(player, table.totals))
            for rank, player in enumerate(order_of(table.totals), 1)
        )
    return _rounded(
        end.rounding,
        tuple(
            Standing(
                rank=rank,
                player=player,
                name=_of(player, table.names),
                points=_of(player, table.totals) + sticks,
                uma=uma,
                penalty=end.penalty * table.fouls.get(player, 0),
                counted_from=end.counted_from,
            )
            for rank, player, uma, sticks in _shares(end, table)
        ),
    )


def _rounded(rounding: str, standings: tuple[Standing, ...]) -> tuple[Standing, ...]:
    """The standings with the points of all but the first rounded to thousands; the first gets the rest (S-RII-38).

    Players who share the first rank share the rest.
    """
    if rounding == "none":
        return standings
    first = sum(standing.rank == 1 for standing in standings)
    changes = [_to_thousands(rounding, standing.points) - standing.points for standing in standings[first:]]
    shares = (*_split(-int(sum(changes)), first), *changes)
    return tuple(replace(standing, rounded=change) for standing, change in zip(standings, shares, strict=True))


def _to_thousands(rounding: str, points: float) -> float:
    """The points in whole thousands.

    >>> [_to_thousands(how, 28_500) for how in ("half_up", "half_down", "up")], _to_thousands("half_up", -1500)
    ([29000, 28000, 29000], -1000)
    """
    if rounding == "half_up":
        return (points + 500) // 1000 * 1000
    return -((-points + (500 if rounding == "half_down" else 0)) // 1000) * 1000


def order_of(totals: tuple[float, ...]) -> tuple[Player, ...]:
    """The players from first to last; equal points rank by first seat (S-RII-24)."""
    return tuple(sorted(PLAYERS[: len(totals)], key=lambda player: (-_of(player, totals), player)))


def _shares(end: GameEnd, table: Table) -> Iterator[tuple[int, Player, int, int]]:
    """Rank, player, uma with oka, and points of left sticks, from first to last."""
    number = len(table.totals)
    oka = max(0, number * (end.counted_from - table.start)) if end.counted_from else 0
    by_rank = [points + oka * (place == 0) for place, points in enumerate(end.uma or (0,) * number)]
    best = table.totals.count(max(table.totals))
    takers = {"first": 1, "shared": best, "lost": 0}[end.sticks]
    if end.shared and takers:  # who shares the first rank shares what belongs to it
        takers = best
    sticks = (*(_split(table.left, takers) if takers else ()), *(0,) * (number - takers))
    place = 0
    for players in _ranks(table.totals, shared=end.shared):
        shared = _split(sum(by_rank[place : place + len(players)]), len(players))
        for at, (player, points) in enumerate(zip(players, shared, strict=True), place):
            yield place + 1, player, points, sticks[at]
        place += len(players)


def _ranks(totals: tuple[float, ...], *, shared: bool) -> Iterator[tuple[Player, ...]]:
    """The players of each rank: several where equal points share it."""
    order = order_of(totals)
    if not shared:
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
