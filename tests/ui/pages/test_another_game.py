"""What a person said of a hand holds while they try it in another game, and what they press there counts."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.pages.table_app import LIMIT_S, ROOT
from tests.ui.pages.test_app import buttons, choose, take, type_hand
from tilescore.scoring.context import Occasion, Seat


@pytest.fixture
def app() -> AppTest:
    """The app with an empty table."""
    return take(AppTest.from_file(str(ROOT / "ui" / "start" / "app.py"), default_timeout=LIMIT_S).run(), "typed")


def test_a_hand_that_did_not_win_stays_one_after_a_game_that_asks_for_a_winner(app: AppTest) -> None:
    type_hand(choose(app, "ruleset", "classical"), "123m456m789m5p (555z)")
    choose(app, "won", "no_win")
    assert buttons(choose(app, "ruleset", "mcr"), "won").value == "self_draw"
    assert buttons(choose(app, "ruleset", "classical"), "won").value == "no_win"


def test_a_press_counts_in_a_game_that_lacks_the_seat_of_the_discarder(app: AppTest) -> None:
    type_hand(choose(app, "ruleset", "riichi"), "123456p789p11s234s +4s")
    choose(choose(app, "won", Seat.NORTH), "ruleset", "riichi3")
    assert buttons(choose(app, "occasions", [Occasion.RIICHI]), "occasions").value == [Occasion.RIICHI]
    assert buttons(app, "won").value == "self_draw"
