"""The page of what was before: no hand, however odd, takes it down."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.pages.table_app import LIMIT_S, checked, press
from tests.ui.storage.test_hand_store import JPEG, ODD_ROWS, past
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.ui.pages.history.page import _is_found
from tilescore.ui.storage import ledger_store
from tilescore.ui.storage.copies.fields import FileField
from tilescore.ui.storage.database import Database
from tilescore.ui.storage.hand_owners import owners
from tilescore.ui.storage.hand_store import MIGRATIONS, HandStore, PastHand, PastHands
from tilescore.ui.storage.ledger_store import LedgerStore
from tilescore.ui.words.text import words

if TYPE_CHECKING:
    from pathlib import Path


def history() -> None:
    """The page alone, for a browser that is known as ann."""
    import streamlit as st

    from tilescore.ui.pages.history.page import page

    st.session_state["visitor"] = "ann"
    page()


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path))


def test_damaged_hands_are_counted_saved_and_deleted() -> None:
    """Each has a right checksum: an earlier version took them in."""
    HandStore().put_hand("ann", past("whole"), photo=None)
    for _, column, value in ODD_ROWS:
        HandStore().put_hand("ann", past(f"{column}{value}"), photo=JPEG)
        with Database(HandStore().path, MIGRATIONS).writing() as file:
            question = f"UPDATE hands SET {column} = ? WHERE id = ?"  # noqa: S608  # of the table
            file.execute(question, (value, f"{column}{value}"))
            file.execute(
                "UPDATE hands SET checksum = "
                "row_sum(id, visitor, at, ruleset, notation, total, unit, lines, state, photo)"
            )
    app = checked(AppTest.from_function(history, default_timeout=LIMIT_S).run())
    assert [warning.value for warning in app.warning] == [words("history.odd", n=len(ODD_ROWS))]
    assert [tab.label for tab in app.tabs] == [words(f"history.{name}") for name in ("hands", "players", "copies")]
    rows = json.loads(HandStore().remains("ann"))["rows"]
    assert {base64.b64decode(row["photo"]) for row in rows} == {JPEG}
    press(app, "history.forget_odd")
    assert not app.warning
    kept = HandStore().hands("ann")
    assert kept == PastHands(kept.hands)
    assert [hand.id for hand in kept.hands] == ["whole"]


@pytest.mark.parametrize(("lost", "shown"), [("games", "hands"), ("hands", "players")])
def test_what_lies_in_another_file_is_shown_beside_a_file_that_cannot_be_opened(
    lost: str, shown: str, tmp_path: Path
) -> None:
    HandStore().put_hand("ann", past("whole"), photo=None)
    saved = LedgerStore().begin(Game.new("riichi", ("Ann", "Ben", "Cleo", "Dan")))
    LedgerStore().save(saved, saved.game.play(Deal(hands={}, draw="exhausted")), kind="deal")
    (tmp_path / f"{lost}.sqlite3").write_bytes(b"no database " * 1000)
    app = checked(AppTest.from_function(history, default_timeout=LIMIT_S).run())
    names = ("hands", "players", "copies")
    errors = {name: [error.value for error in tab.error] for name, tab in zip(names, app.tabs, strict=True)}
    assert {name for name in names if not errors[name]} == {shown}
    assert all(f"{lost}.sqlite3" in error for tab in errors.values() for error in tab)


@pytest.mark.parametrize(
    "state", [{}, {"id": 7}, {"typed": 10**30}, {"reading": []}, {"typed": "11m", "reading": {"seen": [None]}}]
)
def test_a_hand_that_cannot_be_opened_says_so(state: dict[str, object]) -> None:
    whole = past("odd").to_json() | {"state": state}
    HandStore().put_hand("ann", PastHand.of(FileField(whole, "hand")), photo=None)
    app = checked(AppTest.from_function(history, default_timeout=LIMIT_S).run())
    press(app, "history.open.odd")


def test_hands_of_a_lost_cookie_come_back() -> None:
    HandStore().put_hand("ann before her cookies went", past("lost"), photo=JPEG)
    app = checked(AppTest.from_function(history, default_timeout=LIMIT_S).run())
    (owner,) = owners(HandStore())
    press(app, f"history.mine.{owner.name}")
    assert [hand.id for hand in HandStore().hands("ann").hands] == ["lost"]
    assert HandStore().photo("ann", "lost") == JPEG
    assert not app.expander


def test_the_address_may_name_the_tab_to_begin_with() -> None:
    for wanted, first in ((None, 0), ("players", 1), ("copies", 2), ("nothing", 0)):
        app = AppTest.from_function(history, default_timeout=LIMIT_S)
        if wanted is not None:
            app.query_params["tab"] = wanted
        checked(app.run())
        (tabs,) = (block for block in app.main.children.values() if block.type == "tab_container")
        assert tabs.proto.tab_container.default_tab_index == first


def test_a_hand_says_its_unit_and_its_house_table() -> None:
    for name, unit, state in (("ours", "faan", {"house": True}), ("printed", "tai", {}), ("odd", "cows {n.x}", {})):
        whole = past(name).to_json() | {"state": state, "unit": unit, "ruleset": "hongkong", "total": 9}
        HandStore().put_hand("ann", PastHand.of(FileField(whole, "hand")), photo=None)
    app = checked(AppTest.from_function(history, default_timeout=LIMIT_S).run())
    cards = [html.proto.body for html in app.get("html") if "ts-past" in html.proto.body]
    assert ["faan" in card and "house table" in card for card in cards].count(True) == 1
    assert ["tai" in card and "house table" not in card for card in cards].count(True) == 1


def test_a_tag_that_comes_later_leaves_a_game_on_its_day(monkeypatch: pytest.MonkeyPatch) -> None:
    store, draw = LedgerStore(), Deal(hands={}, draw="exhausted")
    days = ("2026-05-01", "2026-06-01", "2026-07-01")
    for day, name in zip(days, ("May", "June", "July"), strict=True):
        with monkeypatch.context() as then:
            then.setattr(ledger_store, "_now", lambda day=day: f"{day}T12:00:00+00:00")
            store.begin(Game.new("mcr", (name, "Ben", "Cleo", "Dan")).play(draw))
    old = store.load(store.games()[-1].id)
    store.save(old, replace(old.game, tag="club"), kind="tag")
    app = checked(AppTest.from_function(history, default_timeout=LIMIT_S).run())
    assert app.select_slider[0].options == [*days]
    checked(app.select_slider[0].set_range(*days[:2]).run())
    (cards,) = [one.proto.body for one in app.get("html") if "ts-players" in one.proto.body]
    assert [name in cards for name in ("May", "June", "July")] == [True, True, False]


def test_past_hands_are_found_by_the_names_of_their_lines_in_every_language() -> None:
    hand = replace(past("a"), lines=("riichi.riichi", "mcr.pure_straight"))
    assert all(_is_found(hand, [wanted]) for wanted in ("立直", "strit", "straight", "чистыи"))
    assert not _is_found(hand, ["drabina"])
