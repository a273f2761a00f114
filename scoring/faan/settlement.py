"""Payments of a deal in Hong Kong and Taiwan: wins, liability, draws, fouls (scoring/sources.md).

A `Win` is what the payments of one winner depend on; the ruleset turns it into steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from tilescore.errors import ContextError
from tilescore.scoring.context import SEATS, Occasion
from tilescore.scoring.deal import FALSE_MAHJONG, Settlement
from tilescore.scoring.deal.completion import completed
from tilescore.scoring.payments import NOTHING, Payments, Step
from tilescore.scoring.score import Score
from tilescore.scoring.shapes.winning import hand_size

if TYPE_CHECKING:
    from tilescore.scoring.context import Context, Seat
    from tilescore.scoring.deal import Deal
    from tilescore.scoring.hand import Hand
    from tilescore.scoring.score import NotAWin
    from tilescore.scoring.shapes.winning import Shape

DISCARD: Final = "discard"
SELF_DRAW: Final = "self_draw"
BYSTANDER: Final = "bystander"
DEALER: Final = "dealer"
LIABLE: Final = "liable"
"""The reasons of the steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Win:
    """What the payments of a winner depend on.

    Attributes:
        winner: who won.
        total: the faan or tai of the hand, cut to the limit.
        discarder: who threw the winning tile; None for a self-draw.
        dealer, repeats: the seat of the dealer, and how often the deal was kept (taiwan).
        liable: who pays alone what the others would have paid; None if nobody does.
        robbed: whether the tile was taken from the discarder's kong.
    """

    winner: Seat
    total: int
    discarder: Seat | None
    dealer: Seat
    repeats: int = 0
    liable: Seat | None = None
    robbed: bool = False

    @staticmethod
    def of(context: Context, total: int, liable: Seat | None = None) -> Win | None:
        """The win of a hand; None for a discard of an unknown player."""
        if not context.self_drawn and context.discarder is None:
            return None
        return Win(
            winner=context.seat,
            total=total,
            discarder=context.discarder,
            dealer=context.dealer,
            repeats=context.dealer_repeats,
            liable=liable,
            robbed=context.has(Occasion.ROBBING_KONG) or context.has(Occasion.ROBBING_CONCEALED_KONG),
        )

    @property
    def losers(self) -> tuple[Seat, ...]:
        """The three others in the order of the seats."""
        return tuple(seat for seat in SEATS if seat is not self.winner)

    def step(self, payer: Seat, points: float, why: str) -> Step:
        """The payment of this player, or of the liable one in that player's place."""
        if self.liable is None:
            return Step(payer, self.winner, points, why)
        return Step(self.liable, self.winner, points, LIABLE)


class Rules(Protocol):
    """The part of a ruleset that a settlement needs."""

    @property
    def name(self) -> str:
        """The ruleset's name."""

    @property
    def false_mahjong(self) -> float:
        """What a false mah-jong pays each other player."""

    @property
    def shapes(self) -> frozenset[Shape]:
        """The forms of a complete hand."""

    def score(self, hand: Hand, context: Context) -> Score | NotAWin:
        """The score of a hand; raises InputError."""

    def steps(self, win: Win) -> tuple[Step, ...]:
        """The payments to a winner."""


def settle(rules: Rules, deal: Deal) -> Settlement:
    """Values of the winning hands and payments of the four seats; raises InputError if something needed is missing."""
    if deal.foul_by is not None:
        deal.check_foul(rules.name)
        others = [seat for seat in SEATS if seat is not deal.foul_by]
        steps = [Step(deal.foul_by, seat, rules.false_mahjong, FALSE_MAHJONG) for seat in others]
        return Settlement(values={}, payments=Payments.of(steps))
    if deal.winner is None:
        deal.check_draw(rules.name)
        return Settlement(values={}, payments=NOTHING)
    deal = completed(deal, size=hand_size(rules.shapes))
    wins = [_win(rules, deal, seat) for seat in deal.winners_in_turn]
    steps = [step for win in wins for step in rules.steps(win)]
    return Settlement(values={win.winner: win.total for win in wins}, payments=Payments.of(steps))


def _win(rules: Rules, deal: Deal, seat: Seat) -> Win:
    if seat not in deal.hands:
        raise ContextError("winner_hand_missing", f"the hand of the winner {seat} is missing.")
    score = rules.score(*deal.hands[seat])
    if not isinstance(score, Score):
        raise ContextError(score.code, f"the hand of {seat} does not win: {score.message}")
    liable = deal.liable.get(seat)
    if liable is seat:
        raise ContextError("nobody_liable", f"{seat} cannot be liable for the own hand: name another player.")
    win = Win.of(deal.hands[seat][1], score.total, liable)
    if win is None:
        raise ContextError("discarder_needed", f"{seat} won on a discard: say who threw it.")
    return win
