"""Who pays for a big hand that they fed: asked for each winner of a deal, by tiles and by value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.ui.pages.table_app import A, B, C, D, begin, checked, choose, game, keyed, press, type_hand
from tilescore.scoring.context import Seat
from tilescore.scoring.ruleset import RULESETS, ruleset

if TYPE_CHECKING:
    from collections.abc import Callable

    from streamlit.testing.v1 import AppTest

    from tilescore.scoring.progression import Player

FED, OTHER = "22s678p (555z) (666z) (777z) +6p", "234567s99s345678p +6p"


def asked(app: AppTest) -> dict[Player, Any]:
    """The questions about who is liable, by winner."""
    return {player: one for one in app.button_group for player in (A, B, C, D) if f"liable.{player}." in str(one.key)}


def test_who_is_liable_for_the_second_winner(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "riichi")
    choose(app, "deal.winners", [A, B])
    choose(app, "deal.discarder", C)
    type_hand(app, A, OTHER)
    assert not asked(app)
    type_hand(app, B, FED)
    assert [*asked(app)] == [B]
    assert "Ben" in asked(app)[B].label
    choose(app, "deal.liable.B", D)
    press(app, "deal.book")
    assert game().records[0].deal.liable == {Seat.SOUTH: Seat.NORTH}
    assert game().totals == (26500, 57000, 7500, 9000)
    before = game().totals
    press(app, "ledger.correct.1")
    press(app, "deal.book")
    assert game().totals == before, "nothing was corrected"
    press(app, "ledger.correct.1")
    choose(app, "deal.liable.B", "self_draw")
    press(app, "deal.book")
    assert game().totals == (26500, 57000, -8500, 25000)


@pytest.mark.parametrize("name", RULESETS)
def test_who_is_liable_for_a_value(name: str, visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), name)
    traits = ruleset(name).traits
    field, small, large = ("han", 3, 13) if traits.with_fu else ("points", traits.least, 100)
    choose(app, "deal.winners", [B] if traits.most_winners > 1 else B)
    choose(app, "deal.by_value", True)
    checked(keyed(app.number_input, f"deal.{field}.B").set_value(small).run())
    knows = "liable" in traits.at_win
    assert bool(asked(app)) is (knows and not traits.with_fu)
    checked(keyed(app.number_input, f"deal.{field}.B").set_value(large).run())
    assert bool(asked(app)) is knows
    if knows:
        assert "yakuman" not in asked(app)[B].label
        choose(app, "deal.liable.B", C)
        press(app, "deal.book")
        assert game().records[0].deal.liable == {Seat.SOUTH: Seat.WEST}
        changes = [change for change in game().entries[0].changes if change]
        assert len(changes) == 2, "nobody else pays"
