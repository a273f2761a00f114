"""A damaged game on the page Table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.ui.pages.table_app import begin, press, said
from tilescore.ui.storage.ledger_store import LedgerStore
from tilescore.ui.words.text import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from streamlit.testing.v1 import AppTest


def test_a_damaged_game_is_deleted_and_the_others_stay(visit: Callable[[], AppTest]) -> None:
    for _ in range(2):
        press(begin(visit(), "mcr"), "games.all")
    whole, hurt = LedgerStore().games()
    with LedgerStore().file.writing() as file:
        file.execute("UPDATE games SET checksum = '' WHERE id = ?", (hurt.id,))
    app = visit()
    assert f"`tilescore ledger restore --game {hurt.id}`" in said(app)
    assert words("games.delete_damaged", name=hurt.id) in [one.value for one in app.markdown]
    press(app, f"games.delete.{hurt.id}")
    listing = LedgerStore().listing()
    assert ([one.id for one in listing.games], listing.damaged) == ([whole.id], ())
