"""Which hands can have laid a riichi stick (S-RII-36 in scoring/sources.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilescore.errors import ContextError
from tilescore.scoring.context import SEATS
from tilescore.scoring.deal import EXHAUSTED
from tilescore.scoring.riichi.not_won import waits_of
from tilescore.scoring.riichi.options import FOUR_RIICHI
from tilescore.scoring.riichi.situation import READY

if TYPE_CHECKING:
    from tilescore.scoring.context import Seat
    from tilescore.scoring.deal import Deal


def checked_sticks(deal: Deal, laid: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """The seats that laid a stick: those named, winners whose hand says riichi, all four at a draw of four riichi.

    Raises ContextError for a seat that cannot have laid one.
    """
    laid = SEATS if deal.draw == FOUR_RIICHI else laid
    declared = [seat for seat in deal.winners if deal.hands[seat][1].occasions & READY and seat not in laid]
    for seat in laid:
        _check_hand(deal, seat)
    return (*laid, *declared)


def _check_hand(deal: Deal, seat: Seat) -> None:
    if deal.draw == EXHAUSTED and seat not in deal.ready:
        raise ContextError(
            "riichi_not_ready",
            f"{seat} laid a stick and is not ready: name {seat} among 'ready', or leave the stick out; riichi without "
            "a ready hand is a false mah-jong.",
        )
    if seat not in deal.hands:
        return
    hand, context = deal.hands[seat]
    if hand.exposed_melds:
        raise ContextError(
            "riichi_open_hand",
            f"{seat} laid a stick and claimed {hand.exposed_melds[0]}: riichi needs a closed hand; correct one of the "
            "two.",
        )
    if seat in deal.winners:
        if not context.occasions & READY:
            raise ContextError(
                "riichi_untold",
                f"{seat} laid a stick, but the hand of {seat} has no riichi: add the occasion, or leave the stick out.",
            )
    elif hand.tiles and not waits_of(hand):
        raise ContextError(
            "riichi_not_ready",
            f"{seat} laid a stick, but '{hand}' waits for no tile: correct the hand, or leave the stick out.",
        )
