"""A deal at the game table: who won with which hand, draws, fouls, agreed points; in Streamlit's AppTest."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
import streamlit as st

from tests.ui.pages.table_app import (
    CLASSICAL,
    LOSERS,
    MCR,
    NAMES,
    PHOTO,
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
    hand_field,
    keyed,
    markup,
    photograph,
    press,
    said,
    type_hand,
)
from tilescore.scoring.context import Seat
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import RULESETS
from tilescore.ui.state import session
from tilescore.ui.state.hand.work import Picture, Work
from tilescore.ui.state.kept import visit as kept
from tilescore.ui.storage.ledger_store import LedgerStore
from tilescore.ui.words.text import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from streamlit.testing.v1 import AppTest


def test_a_game_begins(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "riichi")
    assert game().players == NAMES
    shown = markup(app, "table_view")
    assert "East 1" in shown
    assert all(f"{name} 25000" in shown for name in NAMES)
    assert keyed(app.button, "deal.book").disabled
    assert "Say who won." in said(app)


def test_who_comes_back_scores_by_the_rules_of_the_last_game(
    visit: Callable[[], AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "visitor", lambda: "a" * 32)
    monkeypatch.setattr(kept, "is_guest", lambda: False)
    begin(visit(), "riichi")
    monkeypatch.setattr("streamlit.session_state", {})
    kept.restore()
    assert session.ruleset_name() == "riichi"


def test_who_taps_fast_plays_what_was_chosen_last(visit: Callable[[], AppTest]) -> None:
    """The page need not have been drawn between the choice and the tap."""
    app = visit()
    app.button_group(key="new.ruleset").set_value("riichi")
    press(app, "new.begin")
    assert (game().ruleset_name, game().totals[0]) == ("riichi", 25000)


def test_names_must_differ(visit: Callable[[], AppTest]) -> None:
    app = visit()
    app.text_input(key="new.name.S").set_value("Player 1")
    press(app, "new.begin")
    assert words("new.names_needed") in said(app)
    assert LedgerStore().games() == ()


def test_options_of_the_ruleset(visit: Callable[[], AppTest]) -> None:
    app = visit()
    choose(app, "new.ruleset", "riichi")
    keyed(app.selectbox, "new.option.riichi.length").set_value("east")
    keyed(app.toggle, "new.option.riichi.nagashi_mangan").set_value(False)
    begin(app, "riichi")
    assert game().options == {"length": "east", "nagashi_mangan": False}
    choose(app, "deal.ending", "draw")
    assert not [one for one in app.button_group if (one.key or "").startswith("deal.nagashi")]


def test_a_profile_leaves_only_what_it_does_not_say(visit: Callable[[], AppTest]) -> None:
    app = visit()
    choose(app, "new.ruleset", "riichi")
    keyed(app.selectbox, "new.option.riichi.profile").set_value("ema").run()
    shown = [
        str(widget.key).rpartition(".")[0]
        for widget in (*app.selectbox, *app.toggle, *app.number_input)
        if "new.option" in str(widget.key)
    ]
    assert shown == ["new.option.riichi.profile", "new.option.riichi.length"]
    begin(app, "riichi")
    assert (game().options, game().totals) == ({"profile": "ema"}, (30_000,) * 4)


def test_riichi_win_shows_payments_before_it_is_booked(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "riichi")
    choose(app, "deal.winners", [B])
    choose(app, "deal.discarder", D)
    type_hand(app, B, RIICHI)
    choose(app, "deal.riichi", [B, C])
    shown = markup(app, "deal_payments")
    assert game().records == ()
    assert "Dan −3900" in shown
    assert "Ben +4900" in shown
    assert "Cleo −1000" in shown
    assert "Dan → Ben 3900 discarded the winning tile" in markup(app, "deal_steps")
    press(app, "deal.book")
    assert game().totals == (25000, 29900, 24000, 21100)
    assert "East 2" in markup(app, "table_view")
    assert "Ben from Dan" in markup(app, "ledger")
    assert "Say who won." in said(app), "the next deal begins empty"


def test_mcr_win_and_undo(visit: Callable[[], AppTest]) -> None:
    app = book_win(begin(visit(), "mcr"), C, None, MCR)
    booked = game()
    assert booked.totals[2] == -sum(booked.totals[:2]) - booked.totals[3] > 0
    press(app, "ledger.undo")
    assert game().records == ()
    press(app, "ledger.redo")
    assert game() == booked


def test_classical_asks_for_all_hands(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "classical")
    choose(app, "deal.winners", B)
    type_hand(app, B, CLASSICAL)
    assert "Give the hands of the others too: Ann, Cleo and Dan." in said(app)
    for player, text in zip((A, C, D), LOSERS, strict=True):
        type_hand(app, player, text)
    assert "value of the hand, doubled for East" in markup(app, "deal_steps")
    press(app, "deal.book")
    assert sum(game().totals) == 0
    assert len(game().records[0].deal.hands) == 4


def test_hands_by_photo_are_kept_with_the_deal(visit: Callable[[], AppTest], monkeypatch: pytest.MonkeyPatch) -> None:
    """The winner's from a real photo; the losers' from what photos of thirteen tiles say, one of them as if it won."""
    app = begin(visit(), "simplified")
    choose(app, "deal.winners", B)
    photograph(app, B, PHOTO.read_bytes())
    assert Hand.parse(hand_field(app, B).value).winning_tile is not None
    for player, text in zip((A, C, D), LOSERS, strict=True):
        hand = Hand.parse(f"{text} +{Hand.parse(text).concealed[-1]}")
        work = replace(Work.of(hand), picture=Picture(gray(ord(player)), (4, 3)))
        monkeypatch.setattr("tilescore.ui.pages.table.hand.read_photo", lambda *_, work=work, **_rules: work)
        photograph(app, player, b"\xff\xd8")
        assert hand_field(app, player).value == str(Hand.parse(text)), "who did not win has no winning tile"
    press(app, "deal.book")
    store = LedgerStore()
    name = store.games()[0].id
    assert len(store.photographed(name)) == 4
    assert store.photo(name, str(Hand.parse(LOSERS[2]))) == gray(ord(D))
    choose(app, "ledger.photos", 1)
    assert len(app.get("image")) == 4


def test_who_taps_while_a_photo_is_read_gets_its_hand(
    visit: Callable[[], AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = begin(visit(), "mcr")
    choose(app, "deal.winners", B)
    with monkeypatch.context() as interrupted:
        interrupted.setattr("tilescore.ui.pages.table.hand.read_photo", lambda *_, **_rules: st.stop())
        photograph(app, B, PHOTO.read_bytes())
    checked(app.run())
    assert Hand.parse(hand_field(app, B).value).winning_tile is not None


def test_who_pays_for_all_needs_no_other_hands(visit: Callable[[], AppTest]) -> None:
    """The rules find the penalty in the winner's own hand: a fourth wind was fed."""
    app = begin(visit(), "classical")
    choose(app, "deal.winners", B)
    choose(app, "deal.discarder", C)
    type_hand(app, B, CLASSICAL)
    assert "Give the hands of the others too" in said(app)
    type_hand(app, B, "444z55m (111z) (222z) (333z) +4z")
    assert "Cleo → Ben" in markup(app, "deal_steps")
    assert "pays for all" in markup(app, "deal_steps")


def test_a_declared_ready_hand_excuses_who_fed_nine_of_a_suit(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "classical")
    choose(app, "deal.winners", B)
    choose(app, "deal.discarder", C)
    type_hand(app, B, CLASSICAL)
    assert not [one for one in app.button_group if (one.key or "").startswith("deal.ready")], "no penalty is at stake"
    type_hand(app, B, "23455p (111p) (666p) (789p) +4p")
    for player, text in zip((A, C, D), (LOSERS[0], "12399m45678m789s", LOSERS[2]), strict=True):
        type_hand(app, player, text)
    assert "pays for all" in markup(app, "deal_steps")
    choose(app, "deal.ready", [C])
    assert "pays for all" not in markup(app, "deal_steps")
    press(app, "deal.book")
    assert game().records[0].deal.ready == (Seat.WEST,)


def test_who_laid_a_stick_is_ready_at_a_draw(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "riichi")
    choose(app, "deal.ending", "draw")
    choose(app, "deal.riichi", [B])
    press(app, "deal.book")
    assert game().records[0].deal.ready == (Seat.SOUTH,)
    assert game().totals == (24000, 27000, 24000, 24000)


def test_draws(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "riichi")
    choose(app, "deal.ending", "draw")
    choose(app, "deal.ready", [A])
    choose(app, "deal.riichi", [A])
    press(app, "deal.book")
    assert game().totals == (27000, 24000, 24000, 24000)
    assert (game().position.honba, game().position.deposits) == (1, 1)
    choose(app, "deal.ending", "draw")
    choose(app, "deal.draw", "four_winds")
    press(app, "deal.book")
    assert game().position.honba == 2
    shown = markup(app, "table_view")
    assert "Honba 2" in shown
    assert "Sticks 1" in shown


def sent_once_more(app: AppTest, *before: Any) -> AppTest:
    """A tap that reaches the app while the browser still shows what is no longer asked: its fields' states come too."""
    states = app._tree.get_widget_states()
    states.widgets.extend(state for state in before if state.id not in {one.id for one in states.widgets})
    return checked(app._run(states))


def test_who_taps_fast_takes_nothing_over_from_the_deal_before(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "riichi")
    choose(app, "deal.winners", [B])
    choose(app, "deal.discarder", D)
    type_hand(app, B, RIICHI)
    choose(app, "deal.riichi", [B])
    fields = [keyed(app.button_group, f"deal.{field}") for field in ("winners", "discarder", "riichi", "occasions.B")]
    kept = [field._widget_state for field in (*fields, hand_field(app, B))]
    press(app, "deal.book")
    before = game().totals
    keyed(app.button_group, "deal.ending").set_value("draw")
    sent_once_more(app, *kept)
    keyed(app.button_group, "deal.ready").set_value([C])
    sent_once_more(app, *kept)
    press(app, "deal.book")
    assert [now - then for now, then in zip(game().totals, before, strict=True)] == [-1000, -1000, 3000, -1000]


def test_a_field_that_comes_back_shows_what_it_showed(visit: Callable[[], AppTest]) -> None:
    """The browser drops a field that a drawing leaves out; when the field comes back, it shows only what it is sent."""
    app = begin(visit(), "riichi")
    choose(app, "deal.winners", [B])
    choose(app, "deal.discarder", D)
    choose(app, "deal.riichi", [B])
    names = ("deal.discarder", "deal.riichi")
    kept = [keyed(app.button_group, name)._widget_state for name in names]
    choose(app, "deal.winners", [])
    keyed(app.button_group, "deal.winners").set_value([A])
    sent_once_more(app, *kept)
    fields = [keyed(app.button_group, name) for name in names]
    assert [field.value for field in fields] == [D, [B]]
    shown = [[field.proto.options[place].content for place in field.proto.default] for field in fields]
    assert shown == [["Dan"], ["Ben"]]
    assert not {field.proto.id for field in fields} & {old.id for old in kept}


def test_a_hand_read_from_a_photo_is_not_overwritten_by_the_text_before(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "riichi")
    choose(app, "deal.winners", [B])
    type_hand(app, B, RIICHI)
    before = hand_field(app, B)._widget_state
    photograph(app, B, PHOTO.read_bytes())
    read = hand_field(app, B).value
    assert read != RIICHI
    app.run()  # Streamlit forgets the old field with the second drawing
    sent_once_more(app, before)
    assert hand_field(app, B).value == read


FOULS = [
    # ruleset, kind, its details, totals
    ("riichi", "", {}, (29000, 27000, 17000, 27000)),
    ("classical", "", {}, (2000, 1000, -4000, 1000)),
    ("mcr", "false_mahjong", {}, (20, 20, -60, 20)),
    ("mcr", "change_of_mind", {"deal.foul_time": 3}, (10, 10, -30, 10)),
    ("mcr", "tile_exposed", {"deal.foul_points": 45}, (45, 0, -45, 0)),
]


@pytest.mark.parametrize(("ruleset", "kind", "details", "totals"), FOULS)
def test_fouls(
    ruleset: str, kind: str, details: dict[str, int], totals: tuple[int, ...], visit: Callable[[], AppTest]
) -> None:
    app = begin(visit(), ruleset)
    choose(app, "deal.ending", "foul")
    assert "Say whose foul it was." in said(app)
    choose(app, "deal.foul_by", C)
    if kind:
        checked(keyed(app.selectbox, "deal.foul").set_value(kind).run())
    if kind == "tile_exposed":
        assert "Say whose tile was exposed." in said(app)
        choose(app, "deal.foul_victim", A)
    for key, value in details.items():
        checked(keyed(app.number_input, key).set_value(value).run())
    press(app, "deal.book")
    assert game().totals == totals


def test_agreed_points(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "simplified")
    choose(app, "deal.ending", "agreed")
    checked(keyed(app.number_input, "deal.points.A").set_value(60).run())
    assert "The points add up to +60" in said(app)
    checked(keyed(app.number_input, "deal.points.D").set_value(-60).run())
    choose(app, "deal.winners", A)
    assert "Dan → Ann 60 agreed at the table" in markup(app, "deal_steps")
    press(app, "deal.book")
    assert game().totals == (60, 0, 0, -60)
    assert game().position.player(Seat.EAST) is A, "East won and stays"
    assert "Ann · agreed" in markup(app, "ledger"), "nobody said how she won"


def test_two_winners_wait_for_a_discarder(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "riichi")
    choose(app, "deal.winners", [A, B])
    assert "self-draw" not in markup(app, "table_view")
    assert "Tap who discarded the tile." in said(app)


def test_a_stick_of_this_deal_lies_on_the_table(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "riichi")
    choose(app, "deal.winners", [B])
    choose(app, "deal.riichi", [B, C])
    assert "Sticks 2" in markup(app, "table_view")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("123x", "is no tile"),
        ("1m", "1 tiles"),
        ("123456789m234s55p", "Tap the tile that completed the hand of Ben"),
        ("123456789m12p556z +5z", "Ben: These tiles make no winning hand"),
        ("", "Give the hand of Ben"),
    ],
)
def test_a_hand_that_cannot_be_booked_says_why(text: str, part: str, visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "riichi")
    choose(app, "deal.winners", [B])
    choose(app, "deal.discarder", D)
    type_hand(app, B, text)
    assert keyed(app.button, "deal.book").disabled
    assert part in said(app)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_options_have_a_widget_each(ruleset: str, visit: Callable[[], AppTest]) -> None:
    app = visit()
    choose(app, "new.ruleset", ruleset)
    press(app, "new.begin")
    assert game().options == {}


def test_another_foul_and_a_detail_of_the_one_before_in_one_message(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "mcr")
    choose(app, "deal.ending", "foul")
    choose(app, "deal.foul_by", C)
    checked(keyed(app.selectbox, "deal.foul").set_value("tile_exposed").run())
    keyed(app.selectbox, "deal.foul").set_value("false_mahjong")
    keyed(app.button_group, "deal.foul_victim").set_value(A)
    checked(app.run())
    assert keyed(app.selectbox, "deal.foul").value == "false_mahjong"
