"""The app without a browser: every widget, driven through Streamlit's AppTest."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import ButtonGroup, TextInput

from tilescore.scoring.context import Context, Occasion, Seat, WinBy
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import ruleset
from tilescore.ui.components.tiles import tile_canvas
from tilescore.ui.server.server import settings
from tilescore.ui.state import session
from tilescore.ui.state.hand.history import History
from tilescore.ui.state.hand.work import Work

ROOT = Path(__file__).parents[3]
SAMPLE = ROOT / "datasets" / "sample" / "winning_hand.jpg"
# Three chows, a pung of white dragons, a pair: worth something in every ruleset.
HAND = "123m456m789m55p (555z?5z) +9m"
RULESETS = ("mcr", "riichi", "classical", "simplified")


KINDS = ("button_group", "toggle", "number_input", "selectbox", "text_input")


@pytest.fixture
def app() -> AppTest:
    """The app with the first sample on the table."""
    started = AppTest.from_file(str(ROOT / "ui" / "start" / "app.py"), default_timeout=60).run()
    return take(started, "sample")


def test_a_browser_keeps_earlier_answers_for_more_runs_than_a_person_taps() -> None:
    assert settings()["global.maxCachedMessageAge"] >= 100
    assert st.get_option("global.maxCachedMessageAge") is not None, "Streamlit knows the setting no more"


def html(app: AppTest) -> str:
    """Everything drawn by st.html."""
    return "\n".join(element.proto.body for element in app.get("html"))


def total(app: AppTest) -> int | None:
    """The large number; None if the hand has none."""
    found = re.search(r'class="ts-total"><strong>([^<]+)<', html(app))
    return int(re.sub(r"\D", "", found[1])) if found else None


def canvas(app: AppTest) -> dict[str, Any]:
    """What the tile canvas was given to draw."""
    return component(app, "tilescore_tile_canvas")


def component(app: AppTest, name: str) -> dict[str, Any]:
    found = next(element.proto for element in app.get("bidi_component") if element.proto.component_name == name)
    data: list[dict[str, Any]] = json.loads(found.json)
    return data[0]


def buttons(app: AppTest, name: str) -> ButtonGroup[Any]:
    """The segmented control or the pills of that name; the key of a field about a hand has the hand behind it."""
    return next(group for group in app.button_group if str(group.key).split(".")[0] == name)


def choose(app: AppTest, name: str, value: object) -> AppTest:
    """Choose in a segmented control or among pills."""
    buttons(app, name).set_value(value).run()
    assert not app.exception
    return app


def take(app: AppTest, source: str) -> AppTest:
    """Press the button of a source other than a photo of one's own."""
    app.button(key=f"source.{source}").click().run()
    assert not app.exception
    return app


def notation(app: AppTest) -> TextInput:
    """The text field of the hand."""
    return next(field for field in app.text_input if str(field.key).startswith("notation."))


def type_hand(app: AppTest, text: str) -> AppTest:
    notation(app).set_value(text).run()
    assert not app.exception
    return app


def upload(app: AppTest, name: str, data: bytes) -> AppTest:
    app.file_uploader(key="upload").set_value((name, data, "image/jpeg")).run()
    assert not app.exception
    return app


def test_the_sample_has_a_score(app: AppTest) -> None:
    shown = canvas(app)
    assert shown["photo"] is not None
    assert len(shown["groups"]) >= 1
    assert total(app) is not None
    assert notation(app).value
    assert html(app).count("Nothing leaves this machine") == 1


def test_who_taps_while_a_photo_is_read_gets_it_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page begins anew then, and what it was doing is given up: here at the start, a chosen sample, an upload."""
    app = AppTest.from_file(str(ROOT / "ui" / "start" / "app.py"), default_timeout=60).run()
    acts: tuple[tuple[Callable[[], object], int], ...] = (
        (lambda: take(app, "sample"), 14),
        (lambda: choose(app, "sample", "flowers_kong"), 17),
        (lambda: upload(app, "hand.jpg", SAMPLE.read_bytes()), 14),
    )
    for act, tiles in acts:
        with monkeypatch.context() as interrupted:
            interrupted.setattr("tilescore.ui.pages.score.source.read_photo", lambda *_, **_rules: st.stop())
            act()
        app.run()
        assert sum(len(group["members"]) for group in canvas(app)["groups"]) == tiles
        assert canvas(app)["photo"] is not None


def test_a_drawing_overwrites_nothing_that_is_pressed_meanwhile(app: AppTest) -> None:
    """A value that travels to the browser replaces the press that the server does not know yet."""
    app.run()
    assert not [field.key for kind in KINDS for field in app.get(kind) if field.proto.set_value]


def test_a_browser_that_does_not_know_the_value_of_a_field_yet_shows_it_all_the_same(app: AppTest) -> None:
    """A browser answers for every field; one that it draws anew has its default until the value arrives."""
    app.session_state["house_rules"] = {"riichi": {"red_fives": False, "kiriage": True}}
    app.session_state["ruleset"] = "riichi"
    app.run()
    rules = [field for field in app.toggle if (field.key or "").startswith("house.")]
    assert {field.proto.default for field in rules} == {True, False}
    for field in rules:
        assert field.proto.default == field.value, field.key


@pytest.mark.parametrize(
    ("event", "arrives"),
    [
        ({"do": "remove", "at": 0, "hand": "this"}, True),
        ({"do": "remove", "at": 0, "hand": "the one before"}, False),
        ({"do": "undo", "hand": "the one before"}, True),  # leads to another hand itself
    ],
)
def test_an_edit_of_a_hand_that_has_gone_is_dropped(
    event: dict[str, Any], *, arrives: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[object] = []
    monkeypatch.setattr(tile_canvas, "draw", lambda *_, **call: call["edit"](event))
    tile_canvas.tile_canvas(History(Work(id="this")), rules=ruleset("riichi"), on_edit=heard.append)
    assert bool(heard) == arrives


@pytest.mark.parametrize("name", RULESETS)
def test_every_ruleset_scores_a_typed_hand(app: AppTest, name: str) -> None:
    type_hand(choose(app, "ruleset", name), HAND)
    assert total(app)
    lines = component(app, "tilescore_score_lines")["lines"]
    assert lines
    assert all(line["name"] and line["value"] for line in lines)


def test_switching_rulesets_changes_the_total(app: AppTest) -> None:
    type_hand(app, HAND)
    totals = {name: total(choose(app, "ruleset", name)) for name in RULESETS}
    assert len(set(totals.values())) >= 3, totals


def test_circumstances_change_the_score(app: AppTest) -> None:
    type_hand(choose(app, "ruleset", "riichi"), "234m345p678p22567s +7s")
    before = total(choose(choose(app, "seat", Seat.SOUTH), "occasions", []))
    choose(app, "occasions", [Occasion.RIICHI])
    declared = total(app)
    assert before
    assert declared
    assert declared > before
    choose(app, "seat", Seat.EAST)
    assert (total(app) or 0) > declared


def test_only_what_can_be_true_is_asked(app: AppTest) -> None:
    type_hand(choose(app, "ruleset", "riichi"), "123m456m789m55p (5555z?5z) +9m")
    asked = buttons(app, "occasions").options
    assert "After a kong" in asked
    assert "Riichi" not in asked, "the hand is open"
    choose(app, "won", Seat.WEST)
    asked = buttons(app, "occasions").options
    assert "Robbing a kong" in asked
    assert "After a kong" not in asked, "the tile was thrown"
    type_hand(choose(app, "won", "self_draw"), HAND)
    assert "After a kong" not in buttons(app, "occasions").options, "there is no kong"
    choose(app, "won", Seat.WEST)
    choose(app, "seat", Seat.WEST)
    assert buttons(app, "won").value == "self_draw"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("123x", "is no tile"),
        ("11111m", "a set holds 4"),
        ("123m (124m)", "is no chow, pung or kong"),
        ("123m +9m", "is not among the concealed tiles"),
    ],
)
def test_a_text_that_is_no_hand_says_why_and_keeps_the_hand(app: AppTest, text: str, part: str) -> None:
    before = canvas(app)["groups"]
    type_hand(app, text)
    assert part in re.sub(r"\\", "", app.error[0].value)
    assert notation(app).value == text
    assert canvas(app)["groups"] == before


def test_every_hand_has_a_text_field_of_its_own(app: AppTest) -> None:
    before = notation(app).key
    assert notation(type_hand(app, HAND)).key != before, "a late message of the old field would undo the edit"


@pytest.mark.parametrize("name", RULESETS)
def test_thirteen_tiles_say_so(app: AppTest, name: str) -> None:
    type_hand(choose(app, "ruleset", name), "123m456m789m55p55z")
    assert total(app) is None
    assert "13 tiles" in canvas(app)["hint"]
    waits = component(app, "tilescore_tile_choices")["choices"]
    assert [choice["new"] for choice in waits] == ["5p", "5z"]
    assert all(choice["worth"] for choice in waits), "both waits, with what they would score"


def test_no_winning_tile_is_asked_for_where_none_can_win(app: AppTest) -> None:
    type_hand(app, "123456789m55p557z")
    asked = [element.proto.component_name for element in app.get("bidi_component")]
    assert "tilescore_tile_row" not in asked
    assert "Not a win" in html(app)
    assert component(app, "tilescore_tile_choices")["choices"], "one tile off"


@pytest.mark.parametrize("name", ["classical", "simplified"])
def test_payments_to_the_winner_are_shown_before_the_losers_hands_are_known(app: AppTest, name: str) -> None:
    type_hand(choose(app, "ruleset", name), HAND)
    assert "ts-payments" in html(app)
    assert "enter them on the Table page" in html(app)


def test_fu_are_itemised(app: AppTest) -> None:
    type_hand(choose(app, "ruleset", "riichi"), HAND)
    assert "ts-items" in html(app)
    assert "Rounded up" in html(app)


def test_an_unknown_winning_tile_is_asked_for(app: AppTest) -> None:
    type_hand(app, "123456789m55p555z")
    asked = component(app, "tilescore_tile_row")
    assert asked["ask"]
    assert asked["tiles"] == [*(f"{rank}m" for rank in range(1, 10)), "5p", "5z"]
    assert total(app) is None
    type_hand(app, "123456789m55p555z +9m")
    assert total(app)


BAD_FILES = [
    # name, bytes, part of the message
    ("note.jpg", b"this is no picture", "note.jpg"),
    ("empty.jpg", b"", "is empty"),
    ("cut.jpg", SAMPLE.read_bytes()[:20_000] if SAMPLE.is_file() else b"\xff\xd8\xff", "cut.jpg"),
    ("![x](http://evil).jpg", b"GIF89a", "evil"),
]


@pytest.mark.parametrize(("name", "data", "part"), BAD_FILES)
def test_a_bad_file_says_so_and_leaves_no_other_score(app: AppTest, name: str, data: bytes, part: str) -> None:
    upload(app, name, data)
    assert len(app.error) == 1
    assert part in app.error[0].value
    assert "](" not in app.error[0].value
    assert canvas(app)["groups"] == []
    assert total(app) is None
    assert len(choose(app, "ruleset", "riichi").error) == 1, "the error stays until there is another hand"
    bad = app.session_state["session"].history
    assert not type_hand(app, HAND).error, "a typed one"
    app.session_state["session"].history = bad
    assert len(app.run().error) == 1
    app.session_state["session"].history = bad.begun(Work.of(Hand.parse(HAND)))
    assert not app.run().error, "one of History"
    app.session_state["session"].history = bad
    upload(app, "hand.jpg", SAMPLE.read_bytes())
    assert not app.error
    assert canvas(app)["groups"]


def test_the_circumstances_of_a_sample_stay_with_it(app: AppTest) -> None:
    choose(app, "ruleset", "riichi")
    sample = app.session_state["session"].history.now.context
    assert Occasion.RIICHI in sample.occasions
    upload(app, "hand.jpg", SAMPLE.read_bytes())
    own = app.session_state["session"].history.now.context
    assert own == Context(win_by=WinBy.SELF_DRAW)
    choose(choose(app, "seat", Seat.WEST), "won", Seat.SOUTH)
    type_hand(take(app, "typed"), HAND)
    assert app.session_state["session"].history.now.context == Context(win_by=WinBy.SELF_DRAW, seat=Seat.WEST)
    take(app, "sample")
    assert app.session_state["session"].history.now.context == sample


def test_text_keeps_the_photo_and_a_winning_tile_completes_thirteen(app: AppTest) -> None:
    upload(app, "hand.jpg", SAMPLE.read_bytes())
    type_hand(app, "234m33456p67s (555z<5z)")
    assert canvas(app)["photo"] is not None
    assert "13 tiles" in canvas(app)["hint"]
    type_hand(app, "234m33456p67s (555z<5z) +8s")
    assert canvas(app)["photo"] is not None
    assert canvas(app)["hint"] is None
    assert any(group["role"] == "winning" for group in canvas(app)["groups"])


def test_a_photo_is_read_once_and_edits_do_not_read_it_again(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    upload(app, "hand.jpg", SAMPLE.read_bytes())
    monkeypatch.setattr("tilescore.ui.services.photo_reading.decode_photo", lambda *_, **__: pytest.fail("read again"))
    assert canvas(choose(app, "ruleset", "riichi"))["photo"] is not None
    assert total(choose(app, "seat", Seat.WEST)) is not None or "ts-none" in html(app)


def test_photo_without_tiles_says_what_to_do(app: AppTest) -> None:
    import cv2
    import numpy as np

    blank = cv2.imencode(".jpg", np.full((600, 800, 3), 120, np.uint8))[1].tobytes()
    upload(app, "table.jpg", blank)
    assert "No hand was found" in canvas(app)["hint"]


def test_a_hand_taken_on_another_page_is_not_replaced_by_the_sample() -> None:
    app = AppTest.from_file(str(ROOT / "ui" / "start" / "app.py"), default_timeout=60)
    app.session_state["session"] = session.Session(history=History(Work.of(Hand.parse(HAND))))
    app.run()
    assert not app.exception
    assert canvas(app)["photo"] is None
    assert total(app)


def test_the_language_can_be_changed_and_stays(app: AppTest) -> None:
    assert "Photograph a finished hand" in html(app)
    app.selectbox(key="language_choice").set_value("ja").run()
    assert not app.exception
    assert "この端末の外に出ません" in html(app)
    assert buttons(app, "won").options[0] == "ツモ"
    assert component(app, "tilescore_language")["keep"], "the browser is told to remember it"
    choose(app, "ruleset", "riichi")
    assert app.selectbox(key="language_choice").value == "ja"


def test_a_link_names_the_language() -> None:
    app = AppTest.from_file(str(ROOT / "ui" / "start" / "app.py"), default_timeout=60)
    app.query_params["lang"] = "sw"
    app.run()
    assert "Hakuna kinachotoka" in html(app)
    assert component(app, "tilescore_language")["lang"] == "sw"
    assert not component(app, "tilescore_language")["keep"], "a link of somebody else's is no choice"


def test_typing_starts_with_an_empty_table(app: AppTest) -> None:
    take(app, "typed")
    assert canvas(app)["groups"] == []
    assert total(app) is None


def test_undo_leads_to_the_hands_of_the_visitor_and_to_no_sample(app: AppTest) -> None:
    choose(app, "sample", "flowers_kong")
    upload(app, "hand.jpg", SAMPLE.read_bytes())
    assert not canvas(app)["can"]["undo"], "nothing was done to this hand, and there was none before"
    take(app, "sample")
    take(app, "typed")
    assert canvas(app)["can"]["undo"]
    assert [one.picture is not None for one in app.session_state["session"].history.past] == [True]


def test_a_hand_of_seventeen_tiles_is_one_tap_from_taiwan(app: AppTest) -> None:
    type_hand(app, "234p678p345s99s (123m) (777s) +5s &1f")
    offer = next(one for one in app.button if one.key == "ruleset_offer")
    assert offer.label == "Score by the rules of Taiwan"
    assert html(app).count("17 tiles") == 1, "one message about the number of tiles"
    assert "Choose Taiwan" in html(app)
    assert "17 tiles" not in str(canvas(app)["hint"])
    offer.click().run()
    assert not app.exception
    assert total(app) == 3
    assert not [one for one in app.button if one.key == "ruleset_offer"]
