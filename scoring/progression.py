"""The course of a game: dealer, round wind, seats and end. Each ruleset chooses one of the ways to go on.

Sources: document 000, sections II and IV; document 001, play; document 003, change of winds and seats; decisions
S-CLA-24 to S-CLA-26, S-HKG-18, S-TWN-18 and S-SAN-10 (scoring/sources.md). `han.course` has that of riichi.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from tilescore.errors import ContextError
from tilescore.scoring.context import SEATS, Seat
from tilescore.scoring.deal import Deal


class Player(StrEnum):
    """The players by their first seats: A began as East, B as South, C as West, D, if there is one, as North."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"


Seating = tuple[Player, ...]
PLAYERS: Final = tuple(Player)


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """The position of a game before a deal."""

    round: Seat = Seat.EAST  # the wind of the round
    # which deal of the round, from 1; a round has as many as there are players, and a repeated deal keeps its number
    number: int = 1
    seating: Seating = PLAYERS  # the players in the seats East, South, West and, with four of them, North
    # honba, deposits: counters and sticks of 1000 on the table (riichi)
    honba: int = 0
    deposits: int = 0
    repeats: int = 0  # how often the dealer has kept the deal (taiwan)
    dead: tuple[Player, ...] = ()  # players who cannot win this deal, because a foul made their hand dead (mcr)
    over: bool = False  # whether the game has ended by the rules

    @property
    def players(self) -> tuple[Player, ...]:
        """A, B, C and, with four players, D."""
        return PLAYERS[: len(self.seating)]

    def player(self, seat: Seat) -> Player:
        """The player in this seat."""
        return self.seating[seat.number - 1]

    def seat(self, player: Player) -> Seat:
        """The seat of this player."""
        return SEATS[self.seating.index(player)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """The end of a deal, as far as it decides the next position."""

    deal: Deal
    winners: tuple[Seat, ...]  # the seats that were paid as winners; none after a draw, or if three rons abort the deal
    deposits: int  # sticks on the table after the deal
    totals: tuple[float, ...]  # points of the players after the deal, from A on


def check_end(before: Iterable[Position]) -> None:
    """Raise ContextError if one of the deals, of which these are the positions before them, follows the end."""
    over = [position.over for position in before]
    if any(over):
        message = (
            f"the game is over after {over.index(True)} deals, but {len(over)} are recorded: take back the last ones."
        )
        raise ContextError("game_over", message)


def east_stays(position: Position, ending: Ending, *, after_draw: bool = True) -> Position:
    """East stays after a win of East and, unless told otherwise, after a draw (S-CLA-25, S-HKG-18).

    After a foul the same deal is played on or again (S-ALL-8).
    """
    if ending.deal.foul_by is not None:
        return position
    stays = Seat.EAST in ending.winners if ending.winners else after_draw
    return position if stays else passed(position, last=Seat.NORTH)


def with_repeats(position: Position, ending: Ending) -> Position:
    """East stays after a draw and after a win of East, and one more repeat counts (S-TWN-18)."""
    moved = east_stays(position, ending)
    if ending.deal.foul_by is not None:
        return moved
    return replace(moved, repeats=position.repeats + 1 if moved is position else 0)


def passed(position: Position, *, last: Seat) -> Position:
    """The position after the deal passes to the player on East's right: S becomes E, W S, N W, E N (S-CLA-24).

    With three players S becomes E, W S, E W (S-SAN-10).
    """
    east, *others = position.seating
    moved = replace(position, seating=(*others, east))
    if position.number < len(position.seating):
        return replace(moved, number=position.number + 1)
    if position.round is last:
        return replace(moved, number=1, over=True)
    return replace(moved, number=1, round=position.round.after())
