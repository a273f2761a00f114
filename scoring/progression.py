"""The course of a game: dealer, round wind, seats and end. Each ruleset chooses one of the ways to go on.

Sources: document 000, sections II and IV; document 001, play; document 003, change of winds and seats; decisions
S-CLA-24 to S-CLA-26, S-RII-19 to S-RII-24, S-RII-34, S-HKG-18, S-TWN-18 and S-SAN-10 (scoring/sources.md).
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Protocol

from tilescore.scoring.context import SEATS, Seat
from tilescore.scoring.deal import EXHAUSTED, Deal


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


class Match(Protocol):
    """The options that decide how long a game with counters lasts."""

    @property
    def length(self) -> str:
        """`hanchan`, or `east` for the East round alone."""

    @property
    def target_points(self) -> int:
        """Points that somebody must have at the end; 0 for none."""

    @property
    def agari_yame(self) -> bool:
        """Whether the last dealer may end the game by winning or being ready in the lead."""

    @property
    def bankruptcy_ends(self) -> bool:
        """Whether the game ends when somebody is below 0."""

    @property
    def foul_ends(self) -> bool:
        """Whether a false mah-jong ends the game."""


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


def with_counters(match: Match, position: Position, ending: Ending) -> Position:
    """East stays after winning, after an abortive draw, or ready at an exhaustive draw (S-RII-20, S-RII-22)."""
    if ending.deal.foul_by is not None:
        moved = replace(position, over=match.foul_ends)
    else:
        moved = _counted(match, position, ending)
    return replace(moved, over=True) if match.bankruptcy_ends and min(ending.totals) < 0 else moved


def _counted(match: Match, position: Position, ending: Ending) -> Position:
    dealer_won = Seat.EAST in ending.winners
    dealer_ready = ending.deal.draw == EXHAUSTED and Seat.EAST in ending.deal.ready
    stays = dealer_won or dealer_ready or (not ending.winners and ending.deal.draw != EXHAUSTED)
    honba = position.honba + 1 if stays or not ending.winners else 0
    last = Seat.EAST if match.length == "east" else Seat.SOUTH
    reached = max(ending.totals) >= match.target_points
    extra = position.round is last.after()
    if not stays:
        moved = _passed_to_target(position, last=last, extra=extra, reached=reached)
    elif (extra or (position.round is last and position.number == len(position.seating))) and (
        dealer_won or dealer_ready
    ):
        leads = first_of(ending.totals) is position.player(Seat.EAST)
        moved = replace(position, over=reached and leads and match.agari_yame)
    else:
        moved = position
    return replace(moved, honba=honba, deposits=ending.deposits)


def _passed_to_target(position: Position, *, last: Seat, extra: bool, reached: bool) -> Position:
    """The deal passes on; an extra round follows the last one until somebody has the target points (S-RII-34)."""
    moved = passed(position, last=last.after() if extra or not reached else last)
    return replace(moved, over=True) if extra and reached else moved


def first_of(totals: tuple[float, ...]) -> Player:
    """The leader; of equal points the player who sat nearer to the first dealer (S-RII-24)."""
    return PLAYERS[totals.index(max(totals))]


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
