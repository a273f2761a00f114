"""With a game open, the Hand page and the Compare page know its rules, winds and players, and book into it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.pages.table_app import LIMIT_S, NAMES, RIICHI, A, B, C, D, checked, choose, game, gray, keyed, press, said
from tilescore.scoring.context import Context, Seat, WinBy
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.hand import Hand
from tilescore.scoring.tiles import Tile
from tilescore.ui.state.hand.history import History
from tilescore.ui.state.hand.work import Picture, Work
from tilescore.ui.storage.hand_store import HandStore
from tilescore.ui.storage.ledger_store import LedgerStore
from tilescore.vision.video.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Callable

SCRIPT = Path(__file__).parents[3] / "ui" / "start" / "app.py"
BROWSER = "0123456789abcdef" * 2
SECOND = "234m345678p66s678s +6s"


@pytest.fixture
def visit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    """Gives a function that opens the Hand page with a new game of that ruleset in its address."""
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path))

    def arrive(name: str = "riichi", **options: object) -> AppTest:
        saved = LedgerStore().begin(Game.new(name, NAMES[: 3 if name == "riichi3" else 4], options=options))
        return arrived(saved.id)

    return arrive


def arrived(name: str) -> AppTest:
    """The Hand page of the browser, opened with that game in its address."""
    app = AppTest.from_file(str(SCRIPT), default_timeout=LIMIT_S)
    app.session_state["visitor"] = BROWSER
    app.query_params["game"] = name
    return checked(app.run())


def typed(app: AppTest, text: str) -> AppTest:
    """Type a hand on the Hand page."""
    return checked(next(one for one in app.text_input if one.label == "The hand as text").set_value(text).run())


def go_to(app: AppTest, page: str) -> AppTest:
    app.session_state["go_to"] = (page, {})
    return checked(app.run())


def test_a_hand_of_the_game_asks_only_who_won_and_is_booked(visit: Callable[..., AppTest]) -> None:
    app = typed(visit(kiriage=True), RIICHI)
    asked = {str(one.key).split(".")[0] for one in app.button_group}
    assert not asked & {"ruleset", "seat", "round", "won"}
    assert not app.number_input, "counters and sticks lie on the table of the game"
    assert "Say who won" in said(app)
    choose(app, "deal.winners", B)
    choose(app, "deal.discarder", D)
    choose(app, "deal.riichi", [B])
    assert "Ben" in said(app)
    before = int(said(app).split('class="ts-total"><strong>')[1].split("<")[0].replace("\u202f", ""))
    button = keyed(app.button, "game.book")
    assert button.label == "Book for Ben"
    press(app, "game.book")
    assert game().totals == (25000, 25000 + before, 25000, 25000 - before)
    assert game().records[0].riichi == (Seat.SOUTH,)
    assert "booked as deal 1" in said(app)
    assert '<span dir="auto">Dan</span>' in said(app), "the payments of a booked hand name the players"
    assert not [one for one in app.button if str(one.key).startswith("game.book")], "nobody books a hand twice"
    press(app, "deal.undo")
    assert not game().records
    assert [one for one in app.button_group if str(one.key).startswith("deal.winners")]


def entered(app: AppTest, **deal: object) -> AppTest:
    """The page once the draft of the deal says this."""
    table = app.session_state["table"]
    app.session_state["table"] = replace(table, draft=replace(table.draft, **deal))
    return checked(app.run())


def test_of_two_winners_a_refused_hand_stays_its_players(visit: Callable[..., AppTest]) -> None:
    app = typed(visit(), "234m345678p22567s +7s")
    entered(app, winners=(B, C), discarder=D)
    press(app, "game.book")
    go_to(app, "hand")
    assert keyed(app.button, "game.book").label == "Book for Ben", "the tiles are still Ben's"
    app = arrived(LedgerStore().games()[0].id)
    assert keyed(app.button, "game.book").label == "Book for Ben", "also after a reload"
    typed(app, "111222333m66z78s +9s")
    assert keyed(app.button, "game.book").label == "Book for Cleo"
    press(app, "game.book")
    assert not game().records, "two winners have one winning tile"
    refused = app.session_state["session"].history
    app.session_state["session"].history = refused.undone()
    assert keyed(checked(app.run()).button, "game.book").label == "Book for Ben", "undo brings his tiles back"
    app.session_state["session"].history = refused
    checked(app.run())
    for mended in ("111222333m66z78s +6s", "111222333m66z89s +7s"):
        typed(app, mended)
        assert keyed(app.button, "game.book").label == "Book for Cleo"
    press(app, "game.book")
    hands = game().records[0].deal.hands
    assert [str(hands[seat][0])[:9] for seat in (Seat.SOUTH, Seat.WEST)] == ["234m34567", "111222333"]


def test_what_the_table_knows_already_is_not_asked_again(visit: Callable[..., AppTest]) -> None:
    app = typed(visit(), RIICHI)
    entered(app, winners=(C,), discarder=A, riichi=(D,))
    assert keyed(app.button, "game.book").label == "Book for Cleo"
    context = app.session_state["session"].history.now.context
    assert (context.seat, context.discarder, context.riichi_deposits) == (Seat.WEST, Seat.EAST, 1)


def test_the_winds_and_counters_are_those_of_the_game(visit: Callable[..., AppTest]) -> None:
    app = typed(visit(), RIICHI)
    for hand, winner in ((RIICHI, A), (SECOND, B)):
        typed(app, hand)
        choose(app, "deal.winners", winner)
        press(app, "game.book")
    typed(app, "234m345678p66s678s +2m")
    choose(app, "deal.winners", B)
    context = app.session_state["session"].history.now.context
    assert (context.seat, context.round, context.honba) == (Seat.EAST, Seat.EAST, 0)
    assert [entry.position.honba for entry in game().entries] == [0, 1]


def test_the_payments_are_those_that_the_ledger_books(visit: Callable[..., AppTest]) -> None:
    app = typed(visit(), "234m345678p22567s +7s")
    entered(app, winners=(B, C), discarder=D, riichi=(A, C))
    assert "the others too: Cleo" in said(app), "as long as her hand is unknown"
    press(app, "game.book")
    typed(go_to(app, "hand"), "111222333m66z89s +7s")
    expected = {"Ann": -1000, "Ben": 2000 + 2000, "Cleo": 8000 - 1000, "Dan": -2000 - 8000}
    for _ in ("before", "after"):
        assert shown(app) == expected
        if not game().records:
            press(app, "game.book")
    assert dict(zip(NAMES, game().entries[0].changes, strict=True)) == expected


def test_a_hand_is_booked_as_a_win_whatever_end_the_table_shows(visit: Callable[..., AppTest]) -> None:
    app = entered(typed(visit(), RIICHI), ending="draw", winners=(B,), discarder=D)
    assert shown(app)["Ben"] > 0
    press(app, "game.book")
    assert game().records[0].deal.winner is Seat.SOUTH


def shown(app: AppTest) -> dict[str, int]:
    """The payments on the card of the score, by name."""
    cells = re.findall(r'<span dir="auto">(\w+)</span><b>([^<]+)</b>', said(app))
    return {name: int(points.replace("\u202f", "").replace("\u2212", "-")) for name, points in cells}


def test_a_booked_hand_is_scored_as_its_deal_was_won(visit: Callable[..., AppTest]) -> None:
    app = typed(visit(), RIICHI)
    choose(app, "deal.winners", A)
    choose(app, "deal.discarder", D)
    press(app, "game.book")
    typed(app, SECOND)
    choose(app, "deal.winners", C)
    press(app, "game.book")
    assert [one for one in app.button if str(one.key).startswith("deal.undo")], "the last change can be undone"
    typed(app, "234m345678p66s678s +2m")
    choose(app, "deal.winners", B)
    typed(app, RIICHI)
    context = app.session_state["session"].history.now.context
    assert (context.seat, context.discarder) == (Seat.EAST, Seat.NORTH)
    assert "booked as deal 1" in said(app)
    assert not [one for one in app.button if str(one.key).startswith("deal.undo")], "the last change was about deal 2"


def test_what_is_typed_after_a_booked_hand_is_another_hand(visit: Callable[..., AppTest]) -> None:
    app = photographed(visit())
    photo = app.session_state["session"].history.now
    choose(app, "deal.winners", B)
    press(app, "game.book")
    typed(app, SECOND)
    work = app.session_state["session"].history.now
    assert (work.picture, work.context.dora_indicators) == (None, ()), "both belong to the deal before"
    choose(app, "deal.winners", C)
    press(app, "game.book")
    press(app, "deal.undo")
    typed(app, "234m345678p66s678s +2m")
    assert app.session_state["session"].history.now.id == work.id, "a hand that is not booked is mended"
    hands = HandStore().hands(BROWSER).hands
    assert {hand.id for hand in hands} == {photo.id, work.id}


def photographed(app: AppTest) -> AppTest:
    """The hand of a photo, with a dora indicator beside it."""
    hand = Work.of(Hand.parse(RIICHI))
    context = Context(win_by=WinBy.SELF_DRAW, dora_indicators=(Tile.parse("1p"),))
    work = replace(hand, picture=Picture(gray(9), (4, 3)), context=context, id="photo")
    app.session_state["session"].history = History(work)
    return checked(app.run())


def test_a_winning_tile_that_does_not_matter_is_asked_only_to_book(visit: Callable[..., AppTest]) -> None:
    app = typed(visit(), "123m456p789s11222z")
    choose(app, "deal.winners", B)
    assert 'class="ts-total"' in said(app)
    assert not [one for one in app.button if str(one.key).startswith("game.book")], (
        "a booked hand names its winning tile"
    )
    press(app, "game.aside")
    assert 'class="ts-total"' in said(app), "outside of the game nothing is asked"


def test_a_hand_outside_of_the_game_is_one_tap_away(visit: Callable[..., AppTest]) -> None:
    app = typed(visit(), RIICHI)
    press(app, "game.aside")
    assert [one for one in app.button_group if one.key == "ruleset"]
    assert not [one for one in app.button_group if str(one.key).startswith("deal.winners")]
    press(app, "game.count")
    assert [one for one in app.button_group if str(one.key).startswith("deal.winners")]
    press(app, "game.aside")
    press(app, "source.typed")
    typed(app, SECOND)
    assert [one for one in app.button_group if str(one.key).startswith("deal.winners")], "the next hand counts again"


def test_a_hand_outside_of_the_game_stays_there_after_a_reload(visit: Callable[..., AppTest]) -> None:
    app = typed(visit(), RIICHI)
    press(app, "game.aside")
    again = AppTest.from_file(str(SCRIPT), default_timeout=LIMIT_S)
    again.session_state["visitor"] = BROWSER
    again.query_params["game"] = app.session_state["table"].saved.id
    checked(again.run())
    assert not [one for one in again.button_group if str(one.key).startswith("deal.winners")]
    assert [one for one in again.button if one.key == "game.count"]


def test_a_sample_is_no_hand_of_the_game(visit: Callable[..., AppTest]) -> None:
    app = press(visit("mcr"), "source.sample")
    assert not [one for one in app.button if str(one.key).startswith("game.")]
    assert [one for one in app.button_group if one.key == "ruleset"]


def test_where_the_rules_need_more_the_deal_goes_on_at_the_table(visit: Callable[..., AppTest]) -> None:
    app = typed(visit("classical"), "66s678p (333p) (123m) (456s) +8p")
    choose(app, "deal.winners", B)
    press(app, "game.book")
    assert not game().records
    assert app.session_state["table"].draft.hands == {B: "66s678p (333p) (123m) (456s) +8p"}
    assert [one for one in app.button if str(one.key).startswith("deal.book")], "the Table page is open"


def test_compare_counts_by_the_rules_of_the_game_and_books(visit: Callable[..., AppTest]) -> None:
    app = go_to(typed(visit(), RIICHI), "compare")
    choose(app, "deal.winners", B)
    assert keyed(app.button, "game.book").label == "Book for Ben"
    press(app, "compare.mcr")
    assert app.session_state["ruleset"] == "mcr"
    assert [one for one in app.button if one.key == "game.count"], "other rules than those of the game"
    go_to(app, "compare")
    press(app, "game.count")
    press(app, "game.book")
    assert len(game().records) == 1


def test_a_booking_of_somebody_else_is_not_overwritten(visit: Callable[..., AppTest]) -> None:
    app = typed(visit(), RIICHI)
    choose(app, "deal.winners", B)
    store = LedgerStore()
    saved = store.load(store.games()[0].id)
    store.save(saved, saved.game.play(Deal(hands={}, draw="exhausted")), kind="deal")
    press(app, "game.book")
    assert len(game().records) == 1, "the press meant the deal before"
    checked(app.run())
    press(app, "deal.next")
    press(app, "game.book")
    assert len(game().records) == 2


@pytest.mark.parametrize("asleep", [True, False])
def test_a_hand_whose_winner_nobody_had_named_is_asked_for_its_deal_too(
    *, asleep: bool, visit: Callable[..., AppTest]
) -> None:
    app = typed(visit(), RIICHI)
    store = LedgerStore()
    saved = store.load(store.games()[0].id)
    store.save(saved, saved.game.play(Deal(hands={}, draw="exhausted")), kind="deal")
    app = arrived(saved.id) if asleep else checked(app.run())
    choose(app, "deal.winners", B)
    assert "You began this entry for deal 1" in said(app)
    assert not [one for one in app.button if str(one.key).startswith("game.book")]
    press(app, "deal.next")
    assert keyed(app.button, "game.book").label == "Book for Ben"
    elsewhere = store.load(saved.id)
    store.save(elsewhere, elsewhere.game.play(Deal(hands={}, draw="exhausted")), kind="deal")
    checked(app.run())
    press(app, "deal.drop")
    assert [one for one in app.button if one.key == "game.count"], "the hand is no hand of the game any more"
    assert len(game().records) == 2


def test_a_reload_brings_back_what_was_said_on_the_live_page(visit: Callable[..., AppTest]) -> None:
    app = go_to(typed(visit(), RIICHI), "live")
    app.session_state["live"].watch = Watch(hand=1)
    choose(checked(app.run()), "deal.winners", B)
    assert keyed(app.button, "game.book").label == "Book for Ben"
    later = arrived(LedgerStore().games()[0].id)
    assert later.session_state["table"].draft.winners == (B,)


def test_who_has_booked_a_deal_is_not_asked_for_the_deal_of_the_hand(visit: Callable[..., AppTest]) -> None:
    app = go_to(typed(visit(), RIICHI), "table")
    choose(app, "deal.ending", "draw")
    press(app, "deal.book")
    choose(go_to(app, "hand"), "deal.winners", B)
    press(app, "game.book")
    assert [record.deal.draw for record in game().records] == ["exhausted", None]
