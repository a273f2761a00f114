"""The ledger at the game table: corrections, other windows, old and full disks, copies; in Streamlit's AppTest."""

from __future__ import annotations

import codecs
import csv
import errno
import io
import json
import re
import sqlite3
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tests.ui.pages.table_app import (
    CLASSICAL,
    LOSERS,
    MCR,
    NAMES,
    RIICHI,
    A,
    B,
    C,
    D,
    begin,
    book_win,
    checked,
    choose,
    game,
    gray,
    keyed,
    markup,
    photograph,
    press,
    said,
    type_hand,
)
from tests.ui.storage.traces import READS, another_program
from tilescore.scoring.context import Seat
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.hand import Hand
from tilescore.ui.components.game.chart import chart_markup
from tilescore.ui.pages.table.export import ledger_markup, to_csv, to_html, to_json
from tilescore.ui.state.hand.work import Picture, Work
from tilescore.ui.storage.copies.backup import imported
from tilescore.ui.storage.database import Database
from tilescore.ui.storage.ledger_store import LedgerStore
from tilescore.ui.words.text import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from streamlit.testing.v1 import AppTest

PLAIN_OPEN = Database._open


def test_a_correction_works_everything_after_it_out_again(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "riichi")
    book_win(app, B, D, RIICHI)
    choose(app, "deal.ending", "draw")
    choose(app, "deal.ready", [A, B])
    press(app, "deal.book")
    assert game().entries[1].position.player(Seat.EAST) is B
    press(app, "ledger.correct.1")
    assert "Correct deal 1" in markup(app, "deal_title")
    assert str(Hand.parse(RIICHI)) in [one.value for one in app.text_input]
    choose(app, "deal.winners", [A])
    type_hand(app, A, RIICHI)
    assert "Ann +2900" in markup(app, "deal_payments"), "as deal 1, before there was a honba"
    press(app, "deal.book")
    corrected = game()
    assert corrected.entries[1].position.player(Seat.EAST) is A
    assert corrected.entries[1].position.honba == 1
    assert corrected.totals == (25000 + 2900 + 1500, 26500, 23500, 25000 - 2900 - 1500)
    press(app, "ledger.undo")
    assert game().entries[0].deal.winner is Seat.SOUTH


def test_a_corrected_deal_is_drawn_as_its_table_stood(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "riichi")
    choose(app, "deal.winners", [B])
    choose(app, "deal.riichi", [B])
    book_win(app, B, D, RIICHI)
    choose(app, "deal.ending", "draw")
    press(app, "deal.book")
    press(app, "ledger.correct.1")
    shown = markup(app, "table_view")
    assert "East 1 Deal 1" in shown
    assert "Dealer Ann 25000" in shown
    assert "Ben 24000" in shown, "without the stick, which he lays in this deal"


@pytest.mark.parametrize(("ruleset", "count"), [("hongkong", 4), ("taiwan", 4), ("riichi3", 3)])
def test_a_game_of_any_ruleset_opens(ruleset: str, count: int, visit: Callable[..., AppTest]) -> None:
    imported(io.BytesIO(str(Game.new(ruleset, NAMES[:count])).encode()), None)
    (kept,) = LedgerStore().games()
    press(visit(), f"games.open.{kept.id}")
    shown = markup(visit(kept.id), "table_view")
    assert "East 1" in shown
    assert [name in shown for name in NAMES] == [place < count for place in range(len(NAMES))]


def test_a_deal_is_removed_and_brought_back(visit: Callable[[], AppTest]) -> None:
    app = book_win(begin(visit(), "mcr"), B, D, MCR)
    press(app, "ledger.correct.1")
    press(app, "deal.remove")
    assert game().records == ()
    press(app, "ledger.undo")
    assert len(game().records) == 1


def test_resume_after_closing_the_browser(visit: Callable[..., AppTest]) -> None:
    book_win(begin(visit(), "mcr"), B, D, MCR)
    app = visit()
    name = LedgerStore().games()[0].id
    press(app, f"games.open.{name}")
    assert "East 2" in markup(app, "table_view")
    assert not keyed(app.button, "ledger.undo").disabled
    assert "East 2" in markup(visit(name), "table_view"), "the address opens the same game"


def test_a_deal_that_two_people_enter_is_entered_no_more_once_one_has_booked_it(visit: Callable[..., AppTest]) -> None:
    first = begin(visit(), "mcr")
    second, idle = (visit(LedgerStore().games()[0].id) for _ in range(2))
    for app in (first, second):
        choose(app, "deal.ending", "draw")
    press(second, "deal.book")
    for app in (first, idle):
        assert "East 2" in markup(checked(app.run()), "table_view")
    assert keyed(first.button_group, "deal.ending").value == "win", "the next deal is begun anew"
    assert keyed(first.button, "deal.book").disabled


def test_a_page_that_follows_another_one_has_a_new_button(visit: Callable[[], AppTest]) -> None:
    """A press that was meant for the button before books nothing, because Streamlit knows that button no more."""
    first = begin(visit(), "mcr")
    second = visit()
    press(second, f"games.open.{LedgerStore().games()[0].id}")
    choose(first, "deal.ending", "draw")
    before = keyed(first.button, "deal.book").key
    choose(second, "deal.ending", "draw")
    press(second, "deal.book")
    checked(first.run())
    assert keyed(first.button, "deal.book").key != before
    assert len(game().records) == 1


@pytest.mark.parametrize("key", ["deal.book", "ledger.undo", "table.close"])
def test_a_press_that_interrupts_a_drawing_changes_no_other_version(key: str, visit: Callable[..., AppTest]) -> None:
    """The interrupted drawing has loaded the game of another page, and the press was meant for the game before."""
    first = begin(visit(), "mcr")
    choose(first, "deal.ending", "draw")
    press(first, "deal.book")
    choose(first, "deal.ending", "draw")
    name, shown = LedgerStore().games()[0].id, game()
    second = visit(name)
    choose(second, "deal.ending", "draw")
    press(second, "deal.book")
    first.session_state["table"] = replace(first.session_state["table"], saved=LedgerStore().load(name))
    press(first, key)
    assert len(shown.records) == 1
    assert game().records[:1] == shown.records
    assert len(game().records) == 2
    assert not game().over


def test_a_second_press_begins_no_second_game(visit: Callable[..., AppTest]) -> None:
    app = visit()  # shows the form of a new game
    begin(visit(), "mcr")
    app.session_state["table"] = replace(
        app.session_state["table"], saved=LedgerStore().load(LedgerStore().games()[0].id)
    )
    press(app, "new.begin")
    assert len(LedgerStore().games()) == 1


def test_a_newer_file_of_games_is_one_sentence(visit: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch) -> None:
    begin(visit(), "mcr")
    named = LedgerStore().games()[0].id
    monkeypatch.setattr("tilescore.ui.storage.ledger_store.MIGRATIONS", ())
    for name in ("", named):
        app = visit(name)
        (said,) = [one.value for shown in (app.error, app.warning) for one in shown]
        assert "newer version" in said


def no_room(self: Database) -> sqlite3.Connection:
    """The file on a disk without a free page."""
    file = PLAIN_OPEN(self)
    file.execute("PRAGMA max_page_count = 1")  # as many as there are
    return file


def no_inode(_: Database) -> sqlite3.Connection:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("failing", [no_room, no_inode])
def test_a_full_disk_is_one_sentence_and_the_deal_stays(
    failing: Callable[[Database], sqlite3.Connection], visit: Callable[[], AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = begin(visit(), "mcr")
    for _ in range(40):  # until the file has to grow
        before = len(game().records)
        with monkeypatch.context() as full:
            full.setattr(Database, "_open", failing)  # for the draft, too
            choose(app, "deal.ending", "foul")
            choose(app, "deal.foul_by", C)
            press(app, "deal.book")
            told = [one.value.replace("\\", "") for one in app.warning]
        if told:
            break
    assert told == [words("error.disk_full")]
    assert len(game().records) == before, "what was booked is there, and nothing by halves"
    press(app, "deal.book")
    assert len(game().records) == before + 1, "the deal that was entered is booked once there is room"


def test_a_removed_game_is_put_back_at_once(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "mcr")
    press(app, "games.all")
    press(app, f"games.hide.{LedgerStore().games()[0].id}")
    assert LedgerStore().games() == ()
    press(app, "games.back")
    assert len(LedgerStore().games()) == 1


def removed(app: AppTest) -> list[Any]:
    """The place of the games that are hidden, if there is one."""
    return [one for one in app.expander if "hidden game" in one.label]


@pytest.mark.parametrize("others", [0, 1], ids=["the only game", "one of two"])
def test_a_removed_game_is_found_put_back_and_deleted_by_later_visits(
    others: int, visit: Callable[[], AppTest]
) -> None:
    for _ in range(1 + others):
        press(begin(visit(), "mcr"), "games.all")
    name = LedgerStore().games()[0].id
    press(visit(), f"games.hide.{name}")
    app = visit()
    (place,) = removed(app)
    assert place.label == "1 hidden game"
    press(app, f"games.back.{name}")
    assert len(LedgerStore().games()) == 1 + others
    assert not removed(app)
    press(visit(), f"games.hide.{name}")
    app = visit()
    told = [one.value for one in removed(app)[0].markdown]
    assert any("The game of Ann, Ben, Cleo and Dan goes from this machine" in text for text in told)
    press(app, f"games.delete.{name}")
    assert LedgerStore().games(hidden=True) == ()
    assert len(LedgerStore().games()) == others


def test_a_game_that_was_hidden_last_is_offered_no_more_once_it_is_deleted(visit: Callable[[], AppTest]) -> None:
    app = press(begin(visit(), "mcr"), "games.all")
    name = LedgerStore().games()[0].id
    press(app, f"games.hide.{name}")
    assert words("games.hidden") in said(app)
    press(app, f"games.delete.{name}")
    assert words("games.hidden") not in said(app)


def test_all_games_can_be_deleted_where_all_are_removed_from_the_list(visit: Callable[[], AppTest]) -> None:
    press(begin(visit(), "mcr"), "games.all")
    LedgerStore().hide(LedgerStore().games()[0].id)
    press(visit(), "games.delete_all")
    assert LedgerStore().games(hidden=True) == ()


def test_a_guest_puts_a_game_back_and_deletes_none(
    visit: Callable[[], AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    press(begin(visit(), "mcr"), "games.all")
    name = LedgerStore().games()[0].id
    LedgerStore().hide(name)
    monkeypatch.setattr("tilescore.ui.components.deletion.is_guest", lambda: True)
    app = visit()
    assert not [one for one in app.button if (one.key or "").startswith("games.delete")]
    press(app, f"games.back.{name}")
    assert len(LedgerStore().games()) == 1


def test_a_game_is_deleted_for_good(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "mcr")
    press(app, "games.all")
    assert any("The game of Ann, Ben, Cleo and Dan goes from this machine" in one.value for one in app.markdown)
    press(app, f"games.delete.{LedgerStore().games()[0].id}")
    assert LedgerStore().games() == LedgerStore().games(hidden=True) == ()
    assert [toast.value for toast in app.toast] == ["Deleted."]


def test_what_is_left_of_a_deletion_is_said_until_it_is_gone(
    visit: Callable[[], AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tilescore.ui.storage.database._PATIENCE_S", 0.1)
    app, store = begin(visit(), "mcr"), LedgerStore()
    press(app, "games.all")
    with another_program(store.path, *READS):
        press(app, f"games.delete.{store.games()[0].id}")
        assert not app.toast
        assert words("delete.owed") in said(app)
        assert words("delete.owed") in said(press(visit(), "delete.now")), "it is still in use"
    app = press(visit(), "delete.now")
    assert words("delete.owed") not in said(app)
    assert not store.file.owed.names


def test_all_games_are_deleted_for_good(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "mcr")
    press(app, "games.all")
    press(app, "games.delete_all")
    assert LedgerStore().games() == ()


def test_a_deal_is_deleted_for_good(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "riichi")
    for _ in range(2):
        book_win(app, B, D, RIICHI)
    press(app, "ledger.correct.1")
    press(app, "deal.delete")
    assert len(game().records) == 1
    assert keyed(app.button, "ledger.undo").disabled


@pytest.mark.parametrize("keep", [True, False])
def test_booking_says_that_it_keeps_the_photo(
    visit: Callable[[], AppTest],
    monkeypatch: pytest.MonkeyPatch,
    keep: bool,  # noqa: FBT001
) -> None:
    read = replace(Work.of(Hand.parse(CLASSICAL)), picture=Picture(gray(7), (4, 3)))
    monkeypatch.setattr("tilescore.ui.pages.table.hand.read_photo", lambda *_, **_rules: read)
    app = begin(visit(), "simplified")
    assert not app.checkbox
    choose(app, "deal.winners", A)
    photograph(app, A, b"\xff\xd8")
    (box,) = app.checkbox
    assert "until somebody deletes them" in box.help
    checked(box.set_value(keep).run())
    for player, text in zip((B, C, D), LOSERS, strict=True):
        type_hand(app, player, text)
    press(app, "deal.book")
    name = LedgerStore().games()[0].id
    assert len(LedgerStore().photographed(name)) == keep


def test_game_over(visit: Callable[[], AppTest]) -> None:
    app = book_win(begin(visit(), "mcr"), B, D, MCR)
    press(app, "table.close")
    assert "1 Ben 44" in markup(app, "standings")
    press(app, "table.reopen")
    assert not game().over


def test_undo_takes_a_change_after_an_early_end_back_before_the_end(visit: Callable[[], AppTest]) -> None:
    app = book_win(begin(visit(), "mcr"), B, D, MCR)
    press(app, "table.close")
    press(press(app, "ledger.correct.1"), "deal.remove")
    press(app, "deal.undo")
    assert (len(game().records), game().over) == (1, True)
    press(app, "ledger.undo")
    assert (len(game().records), game().over) == (1, False)
    press(app, "ledger.undo")
    assert (len(game().records), game().over) == (0, False)


# --- copies and words -----------------------------------------------------------------------------------------------


def test_copies() -> None:
    names = ("<b>Ann</b>", "=SUM(A1)", "Cleo", "Dan")
    shown = Game.new("riichi", names).play(Deal(hands={}, draw="exhausted", ready=(Seat.SOUTH,)), riichi=(Seat.SOUTH,))
    assert to_csv(shown).startswith(codecs.BOM_UTF8), "Excel reads a file without the mark in another encoding"
    rows = list(csv.reader(io.StringIO(to_csv(shown).decode("utf-8-sig"))))
    assert [len(row) for row in rows] == [13, 13]
    assert rows[1][:4] == ["1", "East 1", "0", "0"]
    assert rows[1][5:] == ["-1000", "2000", "-1000", "-1000", "24000", "27000", "24000", "24000"]
    assert not [cell for row in rows for cell in row if cell.startswith("=")]
    assert Game.parse(to_json(shown)) == shown
    for text in (to_html(shown), ledger_markup(shown), chart_markup(shown)):
        assert "<b>Ann</b>" not in text
    assert not re.findall(r"(?:src|href)=|url\(", to_html(shown)), "the page needs nothing else"


def test_the_standings_say_which_sticks_they_add_to_the_ledger(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "riichi")
    choose(app, "deal.ending", "draw")
    choose(app, "deal.ready", [A, B])
    choose(app, "deal.riichi", [A])
    press(app, "deal.book")
    shown = markup(press(app, "table.close"), "standings")
    assert "1 Ben 27500 riichi sticks on the table +1000 2 Ann 25500 3" in shown
    (board,) = [json.loads(one.proto.json)[0] for one in app.get("bidi_component") if one.proto.id.endswith("board")]
    assert [re.sub(r"\D", "", seat["points"]) for seat in board["seats"]] == ["25500", "27500", "23500", "23500"]
