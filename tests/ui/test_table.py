"""The game table without a browser: start, book, undo, correct, another window, through Streamlit's AppTest."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.app_process import PATIENCE
from scoring.context import Seat
from scoring.hand import Hand
from scoring.ledger import Game
from scoring.progression import Player
from scoring.ruleset import RULESET_NAMES, Deal
from ui.game_chart import chart_markup
from ui.game_export import ledger_markup, to_csv, to_html, to_json
from ui.ledger_store import LedgerStore
from ui.text import words
from ui.work import Picture, Work

if TYPE_CHECKING:
    from collections.abc import Callable

A, B, C, D = Player
NAMES = ("Ann", "Ben", "Cleo", "Dan")
RIICHI = "234m345678p66s678s +8s"
MCR = "123456789m234s55p +4s"
CLASSICAL = "66s678p (333p) (123m) (456s) +8p"
LOSERS = ("2358m258p258s147z", "369m3689p368s111z", "147m1479p1479s12z")
LIMIT_S = 60 * PATIENCE
ROOT = Path(__file__).parents[2]


def table() -> None:
    """What AppTest runs: the page by itself."""
    from ui.pages import table as place  # AppTest takes the body of this function only

    place.page()


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path))


@pytest.fixture
def visit() -> Callable[[], AppTest]:
    def arrive() -> AppTest:
        return checked(AppTest.from_function(table, default_timeout=LIMIT_S).run())

    return arrive


def checked(app: AppTest) -> AppTest:
    assert not app.exception, app.exception
    return app


def press(app: AppTest, key: str) -> AppTest:
    return checked(app.button(key=key).click().run())


def choose(app: AppTest, key: str, value: object) -> AppTest:
    return checked(app.button_group(key=key).set_value(value).run())


def gray(shade: int) -> bytes:
    """A very small photo."""
    return bytes(cv2.imencode(".jpg", np.full((3, 4), shade, np.uint8))[1])


def hand_field(app: AppTest, player: Player) -> Any:
    return next(field for field in app.text_input if str(field.key).startswith(f"deal.hand.{player}."))


def photograph(app: AppTest, player: Player, data: bytes) -> AppTest:
    place = next(one for one in app.file_uploader if str(one.key).startswith(f"deal.photo.{player}."))
    return checked(place.set_value(("hand.jpg", data, "image/jpeg")).run())


def type_hand(app: AppTest, player: Player, text: str) -> AppTest:
    field = next(one for one in app.text_input if (one.key or "").startswith(f"deal.hand.{player}."))
    return checked(field.set_value(text).run())


def begin(app: AppTest, ruleset: str) -> AppTest:
    if not [one for one in app.text_input if one.key == "new.name.E"]:
        press(app, "games.new")
    choose(app, "new.ruleset", ruleset)
    for seat, name in zip("ESWN", NAMES, strict=True):
        app.text_input(key=f"new.name.{seat}").set_value(name)
    return press(checked(app.run()), "new.begin")


def markup(app: AppTest, key: str) -> str:
    """What the drawing under that key shows, tags taken out."""
    for element in app.get("bidi_component"):
        if element.proto.id.endswith(key):
            data: dict[str, Any] = json.loads(element.proto.json or element.proto.mixed.json)
            return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", data["markup"].replace("\u202f", "")))
    return ""


def said(app: AppTest) -> str:
    """Every text outside of the drawings."""
    return "\n".join(
        [
            *(one.proto.body for one in app.get("html")),
            *(one.value for one in app.warning),
            *(one.value for one in app.caption),
        ]
    )


def game() -> Game:
    """The game that was changed last, as it lies on the disk."""
    store = LedgerStore()
    return store.load(store.games()[0].id).game


def book_win(app: AppTest, winner: Player, discarder: Player | None, text: str) -> AppTest:
    several = game().ruleset_name == "riichi"
    choose(app, "deal.winners", [winner] if several else winner)
    choose(app, "deal.discarder", discarder or "self_draw")
    type_hand(app, winner, text)
    return press(app, "deal.book")


def test_a_game_begins(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "riichi")
    assert game().players == NAMES
    shown = markup(app, "table_view")
    assert "East 1" in shown
    assert all(f"{name} 25000" in shown for name in NAMES)
    assert app.button(key="deal.book").disabled
    assert "Say who won." in said(app)


def test_names_must_differ(visit: Callable[[], AppTest]) -> None:
    app = visit()
    app.text_input(key="new.name.S").set_value("Player 1")
    press(app, "new.begin")
    assert words("new.names_needed") in said(app)
    assert LedgerStore().games() == ()


def test_options_of_the_ruleset(visit: Callable[[], AppTest]) -> None:
    app = visit()
    choose(app, "new.ruleset", "riichi")
    app.selectbox(key="new.option.riichi.length").set_value("east")
    app.toggle(key="new.option.riichi.nagashi_mangan").set_value(False)
    begin(app, "riichi")
    assert game().options == {"length": "east", "nagashi_mangan": False}
    choose(app, "deal.ending", "draw")
    assert "deal.nagashi" not in [one.key for one in app.button_group]


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
    photograph(app, B, (ROOT / "datasets" / "sample" / "winning_hand.jpg").read_bytes())
    assert Hand.parse(hand_field(app, B).value).winning_tile is not None
    for player, text in zip((A, C, D), LOSERS, strict=True):
        hand = Hand.parse(f"{text} +{Hand.parse(text).concealed[-1]}")
        work = Work(typed=hand, picture=Picture(gray(ord(player)), (4, 3)))
        monkeypatch.setattr("ui.table_state.read_photo", lambda *_, work=work: work)
        photograph(app, player, b"\xff\xd8")
        assert hand_field(app, player).value == str(Hand.parse(text)), "who did not win has no winning tile"
    press(app, "deal.book")
    store = LedgerStore()
    name = store.games()[0].id
    assert len(store.photographed(name)) == 4
    assert store.photo(name, str(Hand.parse(LOSERS[2]))) == gray(ord(D))
    choose(app, "ledger.photos", 1)
    assert len(app.get("image")) == 4


def test_a_bad_photo_of_a_hand_is_one_sentence(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "classical")
    choose(app, "deal.winners", B)
    type_hand(app, B, CLASSICAL)
    photograph(app, B, b"PK\x03\x04 no photo at all")
    assert len(app.warning) == 1
    assert "hand.jpg" in app.warning[0].value.replace("\\", "")
    assert hand_field(app, B).value == CLASSICAL, "what was there stays"


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


FOULS = [
    # ruleset, kind, its details, totals
    ("riichi", "", {}, (29000, 27000, 17000, 27000)),
    ("classical", "", {}, (2000, 1000, -4000, 1000)),
    ("mcr", "false_mahjong", {}, (20, 20, -60, 20)),
    ("mcr", "late_claim", {"deal.foul_time": 3}, (10, 10, -30, 10)),
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
        checked(app.selectbox(key="deal.foul").set_value(kind).run())
    if kind == "tile_exposed":
        assert "Say whose tile was exposed." in said(app)
        choose(app, "deal.foul_victim", A)
    for key, value in details.items():
        checked(app.number_input(key=key).set_value(value).run())
    press(app, "deal.book")
    assert game().totals == totals


def test_agreed_points(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "simplified")
    choose(app, "deal.ending", "agreed")
    checked(app.number_input(key="deal.points.A").set_value(60).run())
    assert "The points add up to +60" in said(app)
    checked(app.number_input(key="deal.points.D").set_value(-60).run())
    choose(app, "deal.winners", A)
    assert "Dan → Ann 60 agreed at the table" in markup(app, "deal_steps")
    press(app, "deal.book")
    assert game().totals == (60, 0, 0, -60)
    assert game().position.player(Seat.EAST) is A, "East won and stays"


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


def test_a_deal_is_removed_and_brought_back(visit: Callable[[], AppTest]) -> None:
    app = book_win(begin(visit(), "mcr"), B, D, MCR)
    press(app, "ledger.correct.1")
    press(app, "deal.remove")
    assert game().records == ()
    press(app, "ledger.undo")
    assert len(game().records) == 1


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("123x", "is no run of tiles"),
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
    assert app.button(key="deal.book").disabled
    assert part in said(app)


def test_resume_after_closing_the_browser(visit: Callable[[], AppTest]) -> None:
    book_win(begin(visit(), "mcr"), B, D, MCR)
    app = visit()
    name = LedgerStore().games()[0].id
    press(app, f"games.open.{name}")
    assert "East 2" in markup(app, "table_view")
    assert not app.button(key="ledger.undo").disabled
    later = AppTest.from_function(table, default_timeout=LIMIT_S)
    later.query_params["game"] = name
    assert "East 2" in markup(checked(later.run()), "table_view"), "the address opens the same game"


def test_two_windows_on_one_game(visit: Callable[[], AppTest]) -> None:
    first = begin(visit(), "mcr")
    second = visit()
    press(second, f"games.open.{LedgerStore().games()[0].id}")
    choose(first, "deal.ending", "draw")
    book_win(second, B, D, MCR)
    press(first, "deal.book")
    assert words("store.changed").rstrip(".") in said(first).replace("\\", "")
    assert len(game().records) == 1, "what the second window booked, and nothing twice"
    assert "East 2" in markup(first, "table_view")
    press(first, "deal.book")
    assert len(game().records) == 2, "the deal that was being entered is still there"


def test_a_newer_file_of_games_is_one_sentence(visit: Callable[[], AppTest], monkeypatch: pytest.MonkeyPatch) -> None:
    begin(visit(), "mcr")
    monkeypatch.setattr("ui.ledger_store.MIGRATIONS", ())
    app = visit()
    assert len(app.error) == 1
    assert "newer version" in app.error[0].value


def test_hide_and_bring_back(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "mcr")
    press(app, "games.all")
    press(app, f"games.hide.{LedgerStore().games()[0].id}")
    assert LedgerStore().games() == ()
    press(app, "games.back")
    assert len(LedgerStore().games()) == 1


def test_game_over(visit: Callable[[], AppTest]) -> None:
    app = book_win(begin(visit(), "mcr"), B, D, MCR)
    press(app, "table.close")
    assert "1 Ben 44" in markup(app, "standings")
    press(app, "table.reopen")
    assert not game().over


# --- copies and words -----------------------------------------------------------------------------------------------


def test_copies() -> None:
    names = ("<b>Ann</b>", "=SUM(A1)", "Cleo", "Dan")
    shown = Game.new("riichi", names).play(Deal(hands={}, draw="exhausted", ready=(Seat.SOUTH,)), riichi=(Seat.SOUTH,))
    rows = list(csv.reader(io.StringIO(to_csv(shown))))
    assert [len(row) for row in rows] == [13, 13]
    assert rows[1][:4] == ["1", "East 1", "0", "0"]
    assert rows[1][5:] == ["-1000", "2000", "-1000", "-1000", "24000", "27000", "24000", "24000"]
    assert not [cell for row in rows for cell in row if cell.startswith("=")]
    assert Game.parse(to_json(shown)) == shown
    for text in (to_html(shown), ledger_markup(shown), chart_markup(shown)):
        assert "<b>Ann</b>" not in text
    assert not re.findall(r"(?:src|href)=|url\(", to_html(shown)), "the page needs nothing else"


@pytest.mark.parametrize("ruleset", RULESET_NAMES)
def test_options_have_a_widget_each(ruleset: str, visit: Callable[[], AppTest]) -> None:
    app = visit()
    choose(app, "new.ruleset", ruleset)
    press(app, "new.begin")
    assert game().options == {}
