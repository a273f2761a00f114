"""The games on the page Table: damaged ones, and many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.ui.pages.table_app import NAMES, begin, press, said
from tests.ui.storage.traces import by_other_rules
from tilescore.scoring.game.ledger import Game
from tilescore.ui.storage.ledger_store import LedgerStore
from tilescore.ui.words.text import grouped, words

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


def test_a_game_that_was_booked_by_other_rules_says_so(visit: Callable[..., AppTest]) -> None:
    other, plain = by_other_rules(LedgerStore()), LedgerStore().begin(Game.new("mcr", NAMES))
    notices = [one.value for one in visit(other.id).caption if "other rules" in one.value]
    assert len(notices) == 1
    assert f"Ann {grouped(26000)}, Ben {grouped(25000)}" in notices[0]
    assert not any("other rules" in one.value for one in visit(plain.id).caption)


def test_twenty_games_are_drawn_before_one_asks_for_more(visit: Callable[[], AppTest]) -> None:
    for _ in range(23):
        LedgerStore().begin(Game.new("mcr", NAMES))
    app = visit()
    assert len(opened(app)) == 20
    assert len(opened(press(app, "games.more"))) == 23
    assert "games.more" not in [button.key for button in app.button]


def opened(app: AppTest) -> list[str]:
    """The buttons that open a game."""
    return [str(button.key) for button in app.button if str(button.key).startswith("games.open.")]
