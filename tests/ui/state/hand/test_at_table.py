"""The hands of a deal at the table."""

import time

import pytest

from tests.ui.state.hand.test_work import CLOSED, seen
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.hand import Hand
from tilescore.scoring.progression import Player
from tilescore.ui.state import table_state
from tilescore.ui.state.hand import at_table
from tilescore.ui.state.hand.work import Work
from tilescore.ui.state.table_state import TableState
from tilescore.ui.storage.ledger_store import Saved

B = Player("B")
OTHER = "111222333m44z55s"


@pytest.fixture(autouse=True)
def _table(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of four is open."""
    saved = Saved(id="game", version=0, game=Game.new("mcr", ("Ann", "Ben", "Cleo", "Dan")))
    monkeypatch.setattr("streamlit.session_state", {"table": TableState(saved=saved)})


def hand() -> str:
    return table_state.state().draft.hands[B]


def test_a_hand_without_a_photo_takes_the_place_of_one_with_a_photo_and_undo_brings_it_back() -> None:
    at_table.put_hand(B, seen(CLOSED).now)
    at_table.put_hand(B, Work.of(Hand.parse(OTHER)))
    assert table_state.state().on_photo[B].now.notation == hand() == OTHER
    at_table.edit_on_photo(B, {"do": "remove", "at": 12})
    assert hand() == "111222333m44z5s"
    for _ in range(2):
        at_table.edit_on_photo(B, {"do": "undo"})
    assert hand() == CLOSED
    assert table_state.state().on_photo[B].now.picture is not None


@pytest.mark.parametrize("early", [True, False])
def test_a_text_that_is_typed_while_a_photo_is_read_counts_and_undo_leads_to_the_photo(*, early: bool) -> None:
    chosen_s = time.monotonic()
    at_table.type_hand(B, OTHER)
    at_table.take_photo(B, seen(CLOSED).now, chosen_s=time.monotonic() if early else chosen_s)
    assert hand() == (CLOSED if early else OTHER)
    if not early:
        at_table.edit_on_photo(B, {"do": "undo"})
        assert hand() == CLOSED
