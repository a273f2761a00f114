"""The photos of the deals at the game table, in Streamlit's AppTest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ui.pages.table_app import MCR, B, D, begin, book_win, checked, choose, game, gray, press
from tilescore.scoring.hand import Hand
from tilescore.ui.storage.ledger_store import LedgerStore

if TYPE_CHECKING:
    from collections.abc import Callable

    from streamlit.testing.v1 import AppTest


@pytest.mark.parametrize("jpeg", [b"\xff\xd8 no picture", gray(7)[:-60]], ids=["no picture", "cut short"])
def test_a_photo_that_cannot_be_drawn_can_be_deleted(visit: Callable[[], AppTest], jpeg: bytes) -> None:
    app = book_win(begin(visit(), "mcr"), B, D, MCR)
    (summary,) = LedgerStore().games()
    LedgerStore().attach(summary.id, str(Hand.parse(MCR)), jpeg)
    choose(checked(app.run()), "ledger.photos", 1)
    assert any("photo of" in warning.value.lower() for warning in app.warning), "what is wrong with it"
    seat = str(game().entries[0].position.seat(B))
    press(app, f"ledger.delete_photo.{seat}")
    assert not LedgerStore().photographed(summary.id)
