"""Who deals, under which round wind, and when a game is over: SPEC A to D, 'Progression of a game'."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from tilescore.scoring.context import SEATS, Seat
from tilescore.scoring.ruleset import chosen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tilescore.scoring.ruleset import Deal, Ruleset

    Seating = tuple["Player", "Player", "Player", "Player"]


class Player(StrEnum):
    """The four players by their first seats: A began as East, B as South, C as West, D as North."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"


PLAYERS: Final = tuple(Player)


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Where a game stands before a deal.

    Attributes:
        round: the wind of the round.
        number: which deal of the round, 1-4; a repeated deal keeps its number.
        seating: who sits East, South, West, North.
        honba, deposits: counters and sticks of 1000 on the table (riichi).
        over: the last round has been played.
    """

    round: Seat = Seat.EAST
    number: int = 1
    seating: Seating = (Player.A, Player.B, Player.C, Player.D)
    honba: int = 0
    deposits: int = 0
    over: bool = False

    def player(self, seat: Seat) -> Player:
        """Who sits there."""
        return self.seating[seat.number - 1]

    def seat(self, player: Player) -> Seat:
        """Where that player sits."""
        return SEATS[self.seating.index(player)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """What of a deal's end decides who deals next.

    Attributes:
        deal: as it ended.
        winners: the seats that were paid as winners: none in a draw, or when three rons abort the deal.
        deposits: sticks on the table afterwards.
    """

    deal: Deal
    winners: tuple[Seat, ...]
    deposits: int


def next_position(rules: Ruleset, position: Position, ending: Ending) -> Position:
    """Where the game stands after that deal; a foul is paid and the deal replayed, or goes on."""
    if ending.deal.foul_by is not None:
        return position
    return _NEXT[rules.name](rules, position, ending)


def _mcr(_: Ruleset, position: Position, __: Ending) -> Position:
    """Every deal passes; after each round the players change seats (document 003)."""
    passed = _passed(position, last=Seat.NORTH)
    if passed.number > 1 or passed.over:
        return passed
    return replace(passed, seating=tuple(passed.seating[place] for place in _MCR_SEATS[position.round]))  # type: ignore[arg-type]  # four places


_MCR_SEATS: Final = {Seat.EAST: (1, 0, 3, 2), Seat.SOUTH: (3, 2, 0, 1), Seat.WEST: (1, 0, 3, 2)}
"""After each round: the place from which the new East, South, West and North come."""


def _classical(rules: Ruleset, position: Position, ending: Ending) -> Position:
    """East stays after a win of his own and, unless the option says otherwise, after a draw."""
    drawn_stays = not chosen(rules, "draw_passes_deal", otherwise=False)
    stays = Seat.EAST in ending.winners if ending.winners else drawn_stays
    return position if stays else _passed(position, last=Seat.NORTH)


def _riichi(rules: Ruleset, position: Position, ending: Ending) -> Position:
    """The dealer stays after a win of his own, an abortive draw, or ready at an exhaustive one."""
    if ending.winners:
        stays = Seat.EAST in ending.winners
        honba = position.honba + 1 if stays else 0
    else:
        stays = ending.deal.draw != "exhausted" or Seat.EAST in ending.deal.ready
        honba = position.honba + 1
    last = Seat.EAST if chosen(rules, "length", "hanchan") == "east" else Seat.SOUTH
    moved = position if stays else _passed(position, last=last)
    return replace(moved, honba=honba, deposits=ending.deposits)


_NEXT: Final[Mapping[str, Callable[[Ruleset, Position, Ending], Position]]] = {
    "mcr": _mcr,
    "riichi": _riichi,
    "classical": _classical,
    "simplified": _classical,
}


def _passed(position: Position, *, last: Seat) -> Position:
    """The deal passes to the player on East's right: S becomes E, W S, N W, E N; four of them make a round."""
    east, south, west, north = position.seating
    moved = replace(position, seating=(south, west, north, east))
    if position.number < 4:
        return replace(moved, number=position.number + 1)
    if position.round is last:
        return replace(moved, number=1, over=True)
    return replace(moved, number=1, round=position.round.after())
