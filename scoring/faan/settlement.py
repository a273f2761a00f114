"""What the payments of one winner depend on in Hong Kong and Taiwan; the ruleset turns it into steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tilescore.errors import ContextError
from tilescore.scoring.context import SEATS, Context, Occasion, Seat
from tilescore.scoring.payments import Step

DISCARD: Final = "discard"
SELF_DRAW: Final = "self_draw"
BYSTANDER: Final = "bystander"
DEALER: Final = "dealer"
LIABLE: Final = "liable"
"""The reasons of the steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Win:
    """What the payments of a winner depend on."""

    winner: Seat
    total: int  # the faan or tai of the hand, cut to the limit
    discarder: Seat | None  # who threw the winning tile; None for a self-draw
    # dealer, repeats: the seat of the dealer, and how often the deal was kept (taiwan)
    dealer: Seat
    repeats: int = 0
    liable: Seat | None = None  # who pays alone what the others would have paid; None if nobody does
    robbed: bool = False  # whether the tile was taken from the discarder's kong

    def __post_init__(self) -> None:
        if self.liable is self.winner:
            raise ContextError(
                "nobody_liable", f"{self.winner} cannot be liable for the own hand: name another player."
            )

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
