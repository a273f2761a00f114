"""Who may have laid a riichi stick in a deal (S-RII-36 in scoring/sources.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilescore.base.errors import ContextError
from tilescore.scoring.deal import EXHAUSTED
from tilescore.scoring.riichi.not_won import waits_of
from tilescore.scoring.riichi.points import STICK
from tilescore.scoring.riichi.situation import READY
from tilescore.scoring.ruleset import chosen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tilescore.scoring.context import Seat
    from tilescore.scoring.deal import Deal
    from tilescore.scoring.ruleset import Ruleset


def checked_sticks(rules: Ruleset, deal: Deal, riichi: tuple[Seat, ...], *, judged: bool) -> tuple[Seat, ...]:
    """The seats that laid a stick: those named, and winners whose hand says riichi.

    Raises:
        ContextError: a seat is named twice, or laid a stick without a ready or closed hand. Where the table has
            `judged` the hands, by agreed points or by values, only the seats are checked.
    """
    if len(set(riichi)) != len(riichi):
        raise ContextError("seat_twice", f"'riichi' names a seat twice: {', '.join(riichi)}; name each seat once.")
    if not rules.traits.stick or judged or deal.foul_by is not None:
        return riichi
    declared = [seat for seat in deal.winners if deal.hands[seat][1].occasions & READY and seat not in riichi]
    for seat in riichi:
        _check_hand(deal, seat)
    return (*riichi, *declared)


def check_points(rules: Ruleset, points: Mapping[Seat, float]) -> None:
    """Raise ContextError if one of these players had too few points for a stick; the option `riichi_below_1000`."""
    if chosen(rules, "riichi_below_1000", otherwise=True):  # also without sticks among the rules
        return
    for seat, held in points.items():
        if held < STICK:
            raise ContextError(
                "riichi_without_points",
                f"{seat} has {held} points: riichi needs {STICK}; leave the stick out, or agree on riichi_below_1000.",
                points=held,
            )


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
