"""Games of Hong Kong, of Taiwan and of three players at the game table, in Streamlit's AppTest."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from typing import TYPE_CHECKING

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.pages.table_app import (
    CLASSICAL,
    LIMIT_S,
    LOSERS,
    NAMES,
    PHOTO,
    ROOT,
    A,
    B,
    C,
    D,
    begin,
    book_win,
    checked,
    choose,
    game,
    keyed,
    markup,
    photograph,
    press,
    said,
    type_hand,
)
from tests.ui.pages.test_app import html
from tilescore.scoring.context import Seat
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.ruleset import RULESETS, ruleset
from tilescore.scoring.traits import KnownValue
from tilescore.ui.components import invitation
from tilescore.ui.pages.table.export import standings_markup, to_html
from tilescore.ui.state import sharing
from tilescore.ui.state.table_state import KEEP_PHOTOS
from tilescore.ui.storage.database import StoreError
from tilescore.ui.storage.hand_store import HandStore
from tilescore.ui.storage.ledger_store import LedgerStore
from tilescore.ui.words.game import ended

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FLUSH = "12355m (456m) (789m) (222m) +3m &1f"
SIXTEEN = "234p678p345s99s (123m) (777s) +5s &1f"
SANMA = "345p678p345s789s22p +9s &4z"


def test_the_host_alone_sees_the_passphrase_beside_the_code(
    visit: Callable[[], AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(sharing.SHARED, "https://10.0.0.2:8501")
    monkeypatch.setattr(sharing, "_PASSPHRASE", [lambda: "k7mf-2xqp-9dhw"])
    app = begin(visit(), "riichi")
    assert "Passphrase: k7mf-2xqp-9dhw" in html(app)
    monkeypatch.setattr(invitation, "is_guest", lambda: True)
    assert "k7mf-2xqp-9dhw" not in html(checked(app.run()))


def test_two_win_on_one_discard_in_hongkong(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "hongkong")
    choose(app, "deal.winners", [B, D])
    choose(app, "deal.discarder", C)
    type_hand(app, B, FLUSH)
    type_hand(app, D, FLUSH.replace("12355m", "12366m").replace("&1f", "&2f"))
    assert keyed(app.button, "deal.book").disabled, "five of a kind are seen"
    type_hand(app, D, "33m (777z) (888p) (111s) (999p) +3m &2f")
    press(app, "deal.book")
    assert game().totals[1] == 192
    assert game().totals[3] > 0 > game().totals[2]


def test_the_dealer_of_taiwan_keeps_the_deal(visit: Callable[[], AppTest]) -> None:
    app = book_win(begin(visit(), "taiwan"), A, None, SIXTEEN)
    assert game().position.repeats == 1
    assert "Repeats 1" in markup(app, "table_view")
    choose(app, "deal.winners", [A])
    choose(app, "deal.discarder", B)
    type_hand(app, A, SIXTEEN.replace("+5s", "").strip())
    assert keyed(app.button, "deal.book").disabled
    type_hand(app, A, SIXTEEN)
    before = game().totals
    press(app, "deal.book")
    assert game().totals[0] - before[0] == 30 + 10 * (1 + 2 + 1)  # dealer, a repeat, and the flower of East


def test_the_value_of_a_hand_in_taiwan_counts_the_repeats(visit: Callable[[], AppTest]) -> None:
    app = book_win(begin(visit(), "taiwan"), A, None, SIXTEEN)
    before = game().totals
    choose(app, "deal.winners", [C])
    choose(app, "deal.by_value", value=True)
    checked(keyed(app.number_input, "deal.points.C").set_value(1).run())
    press(app, "deal.book")
    assert [after - old for after, old in zip(game().totals, before, strict=True)] == [-70, -40, 150, -40]


def test_points_in_quarters_where_the_stakes_have_quarters(visit: Callable[..., AppTest]) -> None:
    app = visit(LedgerStore().begin(Game.new("hongkong", NAMES, options={"unit": 0.25})).id)
    choose(app, "deal.ending", "agreed")
    for player, points in ((A, 2.25), (B, -2.25)):
        checked(keyed(app.number_input, f"deal.points.{player}").set_value(points).run())
    press(app, "deal.book")
    assert game().totals == (2.25, -2.25, 0, 0)
    press(app, "ledger.correct.1")
    assert keyed(app.number_input, "deal.points.A").value == 2.25


def test_a_value_is_there_again_when_its_deal_is_corrected(visit: Callable[..., AppTest]) -> None:
    app = begin(visit(), "riichi")
    choose(app, "deal.winners", [C])
    choose(app, "deal.discarder", A)
    choose(app, "deal.by_value", value=True)
    checked(keyed(app.number_input, "deal.han.C").set_value(3).run())
    checked(keyed(app.selectbox, "deal.fu.C").set_value(40).run())
    assert "3 han 40 fu" in said(app)
    press(app, "deal.book")
    assert "3 han 40 fu" in markup(app, "ledger")
    assert "agreed" not in markup(app, "ledger")
    assert game().totals == (25000 - 5200, 25000, 25000 + 5200, 25000)
    later = visit(LedgerStore().games()[0].id)
    assert keyed(later.button_group, "deal.ending").value == "win"
    press(later, "ledger.correct.1")
    assert keyed(later.button_group, "deal.by_value").value is True
    assert keyed(later.number_input, "deal.han.C").value == 3
    assert keyed(later.selectbox, "deal.fu.C").value == 40
    choose(later, "deal.discarder", "self_draw")
    press(later, "deal.book")
    assert game().totals == (25000 - 2600, 25000 - 1300, 25000 + 5200, 25000 - 1300)
    assert game().records[0].values == {Seat.WEST: KnownValue(han=3, fu=40)}
    fresh = visit(LedgerStore().games()[0].id)
    choose(fresh, "deal.winners", [C])
    assert keyed(fresh.button_group, "deal.by_value").value is True, "the table books by value"


@pytest.mark.parametrize("name", ["classical", "simplified"])
def test_a_value_is_that_of_a_winner_or_of_a_loser_and_goes_when_this_changes(
    name: str, visit: Callable[..., AppTest]
) -> None:
    app = begin(visit(), name)
    choose(app, "deal.winners", B)
    choose(app, "deal.by_value", True)
    for player, points in ((A, 8), (B, 40), (C, 4)):
        checked(keyed(app.number_input, f"deal.points.{player}").set_value(points).run())
    choose(app, "deal.winners", C)
    assert [keyed(app.number_input, f"deal.points.{player}").value for player in (A, B, C)] == [8, None, None]
    assert next(one for one in app.button if str(one.key).startswith("deal.book")).disabled, "the winner has no value"
    checked(keyed(app.number_input, "deal.points.C").set_value(24).run())
    press(app, "deal.book")
    assert game().records[0].values == {Seat.EAST: KnownValue(points=8), Seat.WEST: KnownValue(points=24)}


def test_the_photo_of_a_hand_that_was_corrected_as_text_is_kept_with_its_deal(visit: Callable[..., AppTest]) -> None:
    app = begin(visit(), "hongkong")
    choose(app, "deal.winners", [B])
    photograph(app, B, PHOTO.read_bytes())
    type_hand(app, B, "12345678m44666z9m +9m".replace("666z", "555z"))
    assert [one for one in app.checkbox if one.key == KEEP_PHOTOS]
    press(app, "deal.book")
    assert len(LedgerStore().photographed(LedgerStore().games()[0].id)) == 1
    choose(app, "deal.winners", [C])
    photograph(app, C, PHOTO.read_bytes())
    type_hand(app, C, FLUSH.replace("m", "p"))
    assert not [one for one in app.checkbox if one.key == KEEP_PHOTOS], "this hand lies on no photo"


def test_what_cannot_be_kept_is_said_at_the_table_too(
    visit: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise StoreError("cannot_keep", "the disk is full.")

    app = begin(visit(), "riichi")
    monkeypatch.setattr(HandStore, "put_visit", refused)
    app.session_state["ruleset"] = "mcr"
    checked(app.run())
    assert "The disk is full." in said(checked(app.run()))


def test_three_players_with_norths(visit: Callable[[], AppTest]) -> None:
    app = book_win(begin(visit(), "riichi3"), B, None, SANMA)
    assert game().players == NAMES[:3]
    assert game().totals == (35000 - 1300, 35000 + 2000, 35000 - 700)
    assert [str(one.key).split(".")[1] for one in app.text_input if str(one.key).startswith("deal.hand")] == []
    choose(app, "deal.ending", "draw")
    choose(app, "deal.ready", [A])
    press(app, "deal.book")
    assert game().totals[0] == 35000 - 1300 + 2000
    choose(app, "deal.ending", "agreed")
    assert len([one for one in app.number_input if str(one.key).startswith("deal.points")]) == 3


def test_a_deal_of_three_players_is_corrected(visit: Callable[[], AppTest]) -> None:
    app = book_win(begin(visit(), "riichi3"), B, None, SANMA)
    press(app, "ledger.correct.1")
    choose(app, "deal.discarder", C)
    press(app, "deal.book")
    assert game().totals == (35000, 37000, 33000)


def test_a_foul_that_only_the_result_knows_is_named_before_and_after(visit: Callable[..., AppTest]) -> None:
    options = {"chombo": "after_uma", "uma": "15,5,-5,-15"}
    app = visit(LedgerStore().begin(Game.new("riichi", NAMES, options=options)).id)
    choose(app, "deal.ending", "foul")
    choose(app, "deal.foul_by", C)
    assert "Nobody pays anything." in said(app)
    assert f"{NAMES[2]}: result −20 000 (false mah-jong)" in said(app).replace("\u202f", " ")
    press(app, "deal.book")
    rows = standings_markup(game().close()).replace("\u202f", " ").split("</li>")
    assert ["false mah-jong −20 000" in row for row in rows[:4]] == [False, False, True, False], "places stay"
    assert "plus points for the place (uma; the first player also gets the oka)" in rows[4]


@pytest.mark.parametrize("name", RULESETS)
def test_every_game_knows_its_fouls_and_draws(name: str, visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), name)
    choose(app, "deal.ending", "foul")
    choose(app, "deal.foul_by", C)
    press(app, "deal.book")
    assert game().entries[0].deal.foul_kind == "false_mahjong"
    choose(app, "deal.ending", "draw")
    kinds = ruleset(name).traits.draws
    offered = [one for one in app.button_group if str(one.key).startswith("deal.draw")]
    assert bool(offered) is (len(kinds) > 1)
    press(app, "deal.book")
    assert len(game().records) == 2
    assert game().entries[1].deal.draw == "exhausted", said(app)


def test_a_rematch_moves_everybody_one_seat_on(visit: Callable[[], AppTest]) -> None:
    app = book_win(begin(visit(), "mcr"), A, None, "123456789m234s55p +4s")
    press(app, "table.close")
    press(app, "games.rematch")
    assert game().players == ("Ben", "Cleo", "Dan", "Ann")
    assert (game().ruleset_name, game().records, game().over) == ("mcr", (), False)
    assert game().totals == (0, 0, 0, 0)
    assert len(LedgerStore().games()) == 2


def test_a_tag_stays_with_the_game_and_goes_on_to_the_next(visit: Callable[[], AppTest]) -> None:
    app = book_win(begin(visit(), "mcr"), A, None, "123456789m234s55p +4s")
    field = next(one for one in app.text_input if one.label == "Tag (optional)")
    checked(field.set_value(" Club evening ").run())
    assert game().tag == "Club evening"
    press(app, "table.close")
    press(app, "games.rematch")
    assert (game().tag, len(LedgerStore().games())) == ("Club evening", 2)
    press(app, "games.all")
    assert "Club evening · MCR" in said(app), "the list names the tag"
    press(app, "games.new")
    assert app.text_input(key="new.tag").value == "Club evening"
    app.text_input(key="new.tag").set_value("League")
    press(checked(app.run()), "new.begin")
    assert [one.tag for one in LedgerStore().games()] == ["League", "Club evening", "Club evening"]


def test_names_and_a_tag_are_corrected_in_a_game_and_undone(visit: Callable[[], AppTest]) -> None:
    app = book_win(begin(visit(), "mcr"), A, None, "123456789m234s55p +4s")

    def rename(*names: str) -> None:
        fields = [one for one in app.text_input if str(one.key).startswith("name.")]
        for field, name in zip(fields, names, strict=True):
            field.set_value(name)
        press(app, "players.save")

    rename("Ben", " Anna ", "", "Dan")
    assert game().players == ("Ben", "Anna", "Cleo", "Dan"), "two names can change places"
    rename("Dan", "Anna", "Cleo", "Dan")
    assert game().players == ("Ben", "Anna", "Cleo", "Dan")
    assert "Give every player a name of their own" in said(app)
    checked(next(one for one in app.text_input if one.label == "Tag (optional)").set_value("Club").run())
    renamed = replace(game(), tag="")
    for kind, left in (("undo", renamed), ("undo", replace(renamed, players=NAMES)), ("redo", renamed)):
        press(app, f"ledger.{kind}")
        assert game() == left


def test_the_players_of_earlier_games_are_offered_for_empty_seats(visit: Callable[[], AppTest]) -> None:
    app = press(begin(visit(), "mcr"), "games.all")
    assert re.search(r"\d{4}-\d\d-\d\d · MCR", said(app)), "a game has a date"
    press(app, "games.new")
    assert not [one for one in app.button if str(one.key).startswith("new.known")], "all seats are taken"
    app.text_input(key="new.name.S").set_value("Eve")
    app.text_input(key="new.name.N").set_value("")
    checked(app.run())
    offered = [one.label for one in app.button if str(one.key).startswith("new.known")]
    assert offered == ["Ben", "Dan"]
    press(app, "new.known.1.Dan")
    assert app.text_input(key="new.name.N").value == "Dan"
    app.text_input(key="new.name.W").set_value("")
    press(checked(app.run()), "new.begin")
    assert game().players == ("Ann", "Eve", "Player 3", "Dan")


def test_the_form_of_a_new_game_keeps_ruleset_and_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path))

    def opened(app: AppTest, page: str) -> AppTest:
        app.session_state["go_to"] = (page, {})
        return checked(app.run())

    def arrived() -> AppTest:
        app = AppTest.from_file(str(ROOT / "ui" / "start" / "app.py"), default_timeout=LIMIT_S)
        app.session_state["visitor"] = "0123456789abcdef" * 2
        return opened(checked(app.run()), "table")

    app = choose(arrived(), "new.ruleset", "riichi")
    for seat, name in zip("ESWN", NAMES, strict=True):
        app.text_input(key=f"new.name.{seat}").set_value(name)
    choose(choose(checked(app.run()), "new.ruleset", "riichi3"), "new.ruleset", "riichi")
    opened(opened(app, "fans"), "table")
    assert keyed(app.button_group, "new.ruleset").value == "riichi", "after a look at another page"
    app = arrived()
    assert keyed(app.button_group, "new.ruleset").value == "riichi", "after a reload"
    press(app, "new.begin")
    assert (game().ruleset_name, game().players) == ("riichi", NAMES), "three seats do not take the fourth name away"


def test_two_phones_that_ask_for_a_rematch_play_one_game(visit: Callable[..., AppTest]) -> None:
    app = press(begin(visit(), "riichi"), "table.close")
    other = visit(LedgerStore().games()[0].id)
    press(app, "games.rematch")
    press(other, "games.rematch")
    assert len(LedgerStore().games()) == 2
    assert other.query_params["game"] == app.query_params["game"]
    press(press(other, "table.close"), "games.rematch")
    assert len(LedgerStore().games()) == 3, "a rematch of the rematch is another game"


def test_a_stick_that_is_taken_back_leaves_nobody_ready(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "riichi")
    choose(app, "deal.ending", "draw")
    choose(app, "deal.ready", [A])
    choose(app, "deal.riichi", [B])
    choose(app, "deal.riichi", [])
    assert keyed(app.button_group, "deal.ready").value == [A]
    press(app, "deal.book")
    assert game().totals == (28000, 24000, 24000, 24000)


def test_of_several_hands_the_wrong_one_is_named_in_plain_words(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "classical")
    choose(app, "deal.winners", B)
    for player, text in ((B, CLASSICAL), (A, LOSERS[0]), (C, "11122z345m678m99p1s")):
        type_hand(app, player, text)
    assert "Cleo: '11122z345678m99p1s' has 14 tiles (a kong counts three), but a hand that did" in unescape(said(app))
    type_hand(app, C, "11x")
    assert "Cleo: '11x' is no tile" in unescape(said(app))


def test_the_table_of_a_finished_game_has_the_points_that_are_booked(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "riichi")
    choose(app, "deal.ending", "draw")
    choose(app, "deal.riichi", [C])
    press(app, "table.close")
    assert markup(app, "table_view").count("25000") == 4
    press(app, "table.reopen")
    assert "24000" in markup(app, "table_view"), "the stick lies there still"


@pytest.mark.parametrize(("name", "players"), [("riichi", 4), ("riichi3", 3)])
def test_the_printed_ledger_has_a_column_for_each_player(name: str, players: int) -> None:
    page = to_html(Game.new(name, NAMES[:players]).play(Deal(hands={}, draw="exhausted")))
    assert re.findall(r'colspan="(\d)"', page) == [str(players + 1)]


def test_three_rons_that_abort_a_deal_are_a_draw_in_the_ledger() -> None:
    three = Deal(winner=Seat.EAST, also_won=(Seat.SOUTH, Seat.WEST), discarder=Seat.NORTH, hands={})
    values = dict.fromkeys((Seat.EAST, Seat.SOUTH, Seat.WEST), KnownValue(han=1, fu=30))
    played = Game.new("riichi", NAMES, options={"multiple_ron": "three_abort"}).play(three, values=values)
    assert ended(played, 1) == "Draw: Three rons · Ann, Ben and Cleo from Dan"


@pytest.mark.parametrize(("name", "unit"), [("hongkong", "faan"), ("taiwan", "tai"), ("mcr", "points")])
def test_a_value_has_the_unit_of_its_game(name: str, unit: str, visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), name)
    choose(app, "deal.winners", B if name == "mcr" else [B])
    choose(app, "deal.by_value", True)
    field = keyed(app.number_input, "deal.points.B")
    assert unit in field.label
    checked(field.set_value(8).run())
    press(app, "deal.book")
    assert f"Ben, self-draw · 8 {unit}" in markup(app, "ledger")
