"""The course of a game: dealer, round wind, seats and end.

Sources: document 000, sections II and IV; document 001, play; document 003, change of winds and seats; decisions
S-CLA-24 to S-CLA-26, S-RII-19 to S-RII-24, S-RII-34, S-HKG-18, S-TWN-18 and S-SAN-10 (scoring/sources.md).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from tilescore.scoring.context import SEATS, Seat
from tilescore.scoring.mcr.settlement import DEAD_HANDS
from tilescore.scoring.ruleset import EXHAUSTED, chosen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tilescore.scoring.ruleset import Deal, Ruleset

    Seating = tuple["Player", ...]


class Player(StrEnum):
    """The players by their first seats: A began as East, B as South, C as West, D, if there is one, as North."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"


PLAYERS: Final = tuple(Player)


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """The position of a game before a deal.

    Attributes:
        round: the wind of the round.
        number: which deal of the round, from 1; a round has as many as there are players, and a repeated deal keeps its
            number.
        seating: the players in the seats East, South, West and, with four of them, North.
        honba, deposits: counters and sticks of 1000 on the table (riichi).
        repeats: how often the dealer has kept the deal (taiwan).
        dead: players who cannot win this deal, because a foul made their hand dead (mcr).
        over: whether the game has ended by the rules.
    """

    round: Seat = Seat.EAST
    number: int = 1
    seating: Seating = PLAYERS
    honba: int = 0
    deposits: int = 0
    repeats: int = 0
    dead: tuple[Player, ...] = ()
    over: bool = False

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
    """The end of a deal, as far as it decides the next position.

    Attributes:
        deal: the deal.
        winners: the seats that were paid as winners; none after a draw, or if three rons abort the deal.
        deposits: sticks on the table after the deal.
        totals: points of the players after the deal, from A on.
    """

    deal: Deal
    winners: tuple[Seat, ...]
    deposits: int
    totals: tuple[int, ...]


def next_position(rules: Ruleset, position: Position, ending: Ending) -> Position:
    """The position after that deal; after a foul the same deal is played on or again (S-ALL-8)."""
    if ending.deal.foul_by is not None:
        moved = _after_foul(rules, position, ending.deal)
    else:
        moved = _NEXT[rules.name](rules, replace(position, dead=()), ending)
    bankrupt = chosen(rules, "bankruptcy_ends", otherwise=False) and min(ending.totals) < 0
    return replace(moved, over=True) if bankrupt else moved


def _after_foul(rules: Ruleset, position: Position, deal: Deal) -> Position:
    """The same position; a foul of MCR may make a hand dead until the deal has ended (S-MCR-23)."""
    if rules.name != "mcr" or deal.foul_kind not in DEAD_HANDS or deal.foul_by is None:
        return position
    culprit = position.player(deal.foul_by)
    return position if culprit in position.dead else replace(position, dead=(*position.dead, culprit))


def _mcr(_: Ruleset, position: Position, __: Ending) -> Position:
    """The deal passes every time; after each round the players change seats as document 003 says."""
    passed = _passed(position, last=Seat.NORTH)
    if passed.number > 1 or passed.over:
        return passed
    return replace(passed, seating=tuple(passed.seating[place] for place in _MCR_SEATS[position.round]))


_MCR_SEATS: Final = {Seat.EAST: (1, 0, 3, 2), Seat.SOUTH: (3, 2, 0, 1), Seat.WEST: (1, 0, 3, 2)}
"""The old places of the new East, South, West and North after each round."""


def _classical(rules: Ruleset, position: Position, ending: Ending) -> Position:
    """East stays after a win of East and, unless the option says otherwise, after a draw (S-CLA-25, S-HKG-18)."""
    drawn_stays = not chosen(rules, "draw_passes_deal", otherwise=False)
    stays = Seat.EAST in ending.winners if ending.winners else drawn_stays
    return position if stays else _passed(position, last=Seat.NORTH)


def _taiwan(_: Ruleset, position: Position, ending: Ending) -> Position:
    """The dealer stays after a draw and after a win of the dealer, and one more repeat counts (S-TWN-18)."""
    if not ending.winners or Seat.EAST in ending.winners:
        return replace(position, repeats=position.repeats + 1)
    return replace(_passed(position, last=Seat.NORTH), repeats=0)


def _riichi(rules: Ruleset, position: Position, ending: Ending) -> Position:
    """The dealer stays after winning, after an abortive draw, or ready at an exhaustive draw (S-RII-20, S-RII-22)."""
    dealer_won = Seat.EAST in ending.winners
    dealer_ready = ending.deal.draw == EXHAUSTED and Seat.EAST in ending.deal.ready
    stays = dealer_won or dealer_ready or (not ending.winners and ending.deal.draw != EXHAUSTED)
    honba = position.honba + 1 if stays or not ending.winners else 0
    last = Seat.EAST if chosen(rules, "length", "hanchan") == "east" else Seat.SOUTH
    target = chosen(rules, "target_points", 0)
    reached = max(ending.totals) >= target
    extra = position.round is last.after()
    if not stays:
        moved = _riichi_passed(position, last=last, extra=extra, reached=reached)
    elif (extra or (position.round is last and position.number == len(position.seating))) and (
        dealer_won or dealer_ready
    ):
        leads = first_of(ending.totals) is position.player(Seat.EAST)
        moved = replace(position, over=reached and leads and chosen(rules, "agari_yame", otherwise=False))
    else:
        moved = position
    return replace(moved, honba=honba, deposits=ending.deposits)


def _riichi_passed(position: Position, *, last: Seat, extra: bool, reached: bool) -> Position:
    """The deal passes on; an extra round follows the last one until somebody has the target points (S-RII-34)."""
    passed = _passed(position, last=last.after() if extra or not reached else last)
    return replace(passed, over=True) if extra and reached else passed


def first_of(totals: tuple[int, ...]) -> Player:
    """The leader; of equal points the player who sat nearer to the first dealer (S-RII-24)."""
    return PLAYERS[totals.index(max(totals))]


_NEXT: Final[Mapping[str, Callable[[Ruleset, Position, Ending], Position]]] = {
    "mcr": _mcr,
    "riichi": _riichi,
    "riichi3": _riichi,
    "classical": _classical,
    "simplified": _classical,
    "hongkong": _classical,
    "taiwan": _taiwan,
}


def _passed(position: Position, *, last: Seat) -> Position:
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
