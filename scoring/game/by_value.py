"""Payments of a win whose value the players know, without its tiles.

>>> from tilescore.scoring.context import Seat
>>> from tilescore.scoring.ruleset import ruleset
>>> from tilescore.scoring.traits import KnownValue
>>> payments_of_values(ruleset("riichi"), {Seat.SOUTH: KnownValue(han=3, fu=40)}, Seat.WEST).by_seat
(0, 5200, -5200, 0)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilescore.scoring.context import Seat
from tilescore.scoring.payments import Payments
from tilescore.scoring.traits import KnownValue, KnownWin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tilescore.scoring.ruleset import Ruleset


def payments_of_values(
    rules: Ruleset,
    winners: Mapping[Seat, KnownValue],
    discarder: Seat | None,
    *,
    losers: Mapping[Seat, int] | None = None,
    honba: int = 0,
    repeats: int = 0,
    pays_for_all: bool = False,
) -> Payments:
    """The payments, deposits left out; the first winner after the discarder takes the honba.

    Args:
        rules: the ruleset of the game.
        winners: the winners with their values.
        discarder: who discarded the winning tile; None for a self-draw.
        losers: points of the other hands, where they count; hands that are left out have none.
        honba: the counter of the deal.
        repeats: how often the dealer has kept the deal.
        pays_for_all: whether the discarder pays for all.

    Raises:
        ContextError: a value that no winning hand has.
    """
    in_turn = sorted(winners, key=(discarder or Seat.EAST).steps_to)
    wins = (
        KnownWin(
            winner=seat,
            value=winners[seat],
            discarder=discarder,
            losers=losers or {},
            honba=0 if place else honba,
            repeats=repeats,
            pays_for_all=pays_for_all,
        )
        for place, seat in enumerate(in_turn)
    )
    return Payments.of(step for win in wins for step in rules.payments_of(win))
