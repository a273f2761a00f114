"""How players did over many games: how often they won and dealt in, and what their hands were worth."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tilescore.scoring.context import SEATS
from tilescore.scoring.game.progression import PLAYERS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tilescore.scoring.game.ledger import Entry, Game
    from tilescore.scoring.game.record import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerStatistics:
    """One player over games of one ruleset.

    Attributes:
        name: the name, which is the same person wherever it appears.
        games, deals: played.
        wins: deals won.
        deal_ins: deals in which this player discarded a winning tile.
        average: average value of the won hands whose value is known; None without one.
        best: the most valuable won hand and its value; None without one. The hand is empty if its tiles are unknown.
        points: sum of all changes.
        course: the sum of the changes after each deal, over all games in their order.
    """

    name: str
    games: int
    deals: int
    wins: int
    deal_ins: int
    average: float | None
    best: tuple[int, str] | None
    points: int
    course: tuple[int, ...] = ()

    @property
    def win_rate(self) -> float:
        """Part of the deals that were won (0-1)."""
        return self.wins / self.deals if self.deals else 0.0

    @property
    def deal_in_rate(self) -> float:
        """Part of the deals in which the player dealt in (0-1)."""
        return self.deal_ins / self.deals if self.deals else 0.0


@dataclass(slots=True)
class _Tally:
    games: int = 0
    deals: int = 0
    wins: int = 0
    deal_ins: int = 0
    course: list[int] = field(default_factory=list)
    hands: list[tuple[int, str]] = field(default_factory=list)


def player_statistics(games: Iterable[Game]) -> tuple[PlayerStatistics, ...]:
    """The players of these games, the one who won most often first; games of several rulesets do not compare.

    >>> from tilescore.scoring.game.ledger import Game
    >>> [player.name for player in player_statistics([Game.new("mcr", ("Ann", "Ben", "Cleo", "Dan"))])]
    ['Ann', 'Ben', 'Cleo', 'Dan']
    """
    tallies: defaultdict[str, _Tally] = defaultdict(_Tally)
    for game in games:
        for player, name in zip(PLAYERS, game.players, strict=False):
            tallies[name].games += 1
            for record, entry in zip(game.records, game.entries, strict=True):
                _count(tallies[name], record, entry, place=PLAYERS.index(player))
    found = [
        PlayerStatistics(
            name=name, games=tally.games, deals=tally.deals, wins=tally.wins, deal_ins=tally.deal_ins,
            average=sum(value for value, _ in tally.hands) / len(tally.hands) if tally.hands else None,
            best=max(tally.hands, default=None), points=tally.course[-1] if tally.course else 0,
            course=tuple(tally.course),
        )
        for name, tally in tallies.items()
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda one: (-one.win_rate, one.name)))


def _count(tally: _Tally, record: Record, entry: Entry, *, place: int) -> None:
    """Add one deal for the player who sits there."""
    seat = SEATS[record.seating.index(PLAYERS[place])]
    deal = record.deal
    tally.deals += 1
    tally.course.append((tally.course[-1] if tally.course else 0) + entry.changes[place])
    tally.deal_ins += deal.winner is not None and deal.discarder is seat
    if seat in (deal.winner, *deal.also_won):
        tally.wins += 1
        if seat in entry.values:
            hand = str(deal.hands[seat][0]) if seat in deal.hands else ""
            tally.hands.append((entry.values[seat], hand))
