"""Payments of a win of which only the value is known, for the tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilescore.scoring.deal import Deal
from tilescore.scoring.game.by_value import settled_by_value
from tilescore.scoring.progression import Position
from tilescore.scoring.traits import KnownValue

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from tilescore.scoring.context import Seat
    from tilescore.scoring.payments import Payments
    from tilescore.scoring.ruleset import Ruleset


def payments_of_values(
    rules: Ruleset,
    winners: Mapping[Seat, KnownValue],
    discarder: Seat | None,
    *,
    losers: Mapping[Seat, int] | None = None,
    pays_for_all: bool = False,
    ready: Collection[Seat] = (),
    **counters: Any,
) -> Payments:
    """The payments to winners of these values."""
    first, *others = winners
    deal = Deal(winner=first, also_won=tuple(others), discarder=discarder, hands={}, pays_for_all=pays_for_all or None)
    known = {**winners, **{seat: KnownValue(points=points) for seat, points in (losers or {}).items()}}
    return settled_by_value(rules, deal, known, Position(**counters), ready=ready).payments
