"""A link shows a hand: nothing of it is kept, and nothing is lost, before the person takes it over."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.pages.table_app import LIMIT_S
from tilescore.scoring.context import Seat
from tilescore.ui.storage.hand_store import HandStore

if TYPE_CHECKING:
    from collections.abc import Callable

SCRIPT: Final = Path(__file__).parents[3] / "ui" / "start" / "app.py"
OWN: Final = "123456789m234s55p +4s"
LINK: Final = "hand=11122233344455m+%2B5m&rules=riichi&by=S&seat=W&round=S"
LINKED: Final = "11122233344455m +5m"
BROWSER: Final = "0123456789abcdef" * 2


@pytest.fixture
def visit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], AppTest]:
    """Gives a function that opens the start page with that query in one and the same browser."""
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path))

    def arrive(query: str = "") -> AppTest:
        app = AppTest.from_file(str(SCRIPT), default_timeout=LIMIT_S)
        app.session_state["visitor"] = BROWSER
        for name, value in parse_qsl(query):
            app.query_params[name] = value
        app.run()
        assert not app.exception
        return app

    return arrive


def typed(app: AppTest, text: str) -> AppTest:
    """Type a hand."""
    next(field for field in app.text_input if field.label == "The hand as text").set_value(text).run()
    assert not app.exception
    return app


def hand(app: AppTest) -> str:
    """The hand on the table, as text."""
    return str(next(field for field in app.text_input if field.label == "The hand as text").value)


def press(app: AppTest, key: str) -> AppTest:
    """Press a button."""
    app.button(key=key).click().run()
    assert not app.exception
    return app


def buttons(app: AppTest) -> set[str]:
    """The buttons about a link that are there."""
    return {str(button.key) for button in app.button} & {"link_take", "link_back"}


def past() -> list[str]:
    """The hands in History, the latest first."""
    return [one.notation for one in HandStore().hands(BROWSER).hands]


def kept() -> tuple[str, str]:
    """The hand and the ruleset that a reload brings back."""
    found = HandStore().visit(BROWSER)
    assert found is not None
    return found[0]["work"]["typed"], found[0]["ruleset"]


def test_a_link_replaces_nothing_and_writes_nothing(visit: Callable[[str], AppTest]) -> None:
    typed(visit(""), OWN)
    before = kept(), past()
    assert before == ((OWN, "mcr"), [OWN])
    for query in (LINK, "hand=1m", "hand=&rules=mcr", "hand=123x"):
        visit(query)
        assert (kept(), past()) == before, query
    app = visit("")
    assert hand(app) == OWN
    assert not buttons(app)


def test_another_hand_in_the_text_field_leaves_the_one_before_in_history(visit: Callable[[str], AppTest]) -> None:
    app = typed(visit(""), OWN)
    corrected = OWN.replace("55p +4s", "66p +4s")
    assert (hand(typed(app, corrected)), past()) == (corrected, [corrected])
    typed(app, LINKED)
    assert past() == [LINKED, corrected]


def test_a_link_is_shown_with_its_ruleset_and_says_so(visit: Callable[[str], AppTest]) -> None:
    app = visit(LINK)
    assert hand(app) == LINKED
    assert app.session_state["ruleset"] == "riichi"
    assert any("is not one of yours" in box.value for box in app.info)
    assert buttons(app) == {"link_take"}, "there is no own hand to go back to"
    assert app.query_params, "a reload shows the link again"
    assert not past()


def test_who_takes_the_hand_over_keeps_it(visit: Callable[[str], AppTest]) -> None:
    typed(visit(""), OWN)
    app = press(visit(LINK), "link_take")
    assert not buttons(app)
    assert not app.query_params, "a reload brings back what has become of the hand"
    assert hand(app) == LINKED
    assert kept() == (LINKED, "riichi")
    assert past() == [LINKED, OWN]
    again = visit("")
    assert (hand(again), again.session_state["ruleset"]) == (LINKED, "riichi")


def test_who_goes_back_finds_the_own_hand_and_ruleset(visit: Callable[[str], AppTest]) -> None:
    typed(visit(""), OWN)
    app = press(visit(LINK), "link_back")
    assert (hand(app), app.session_state["ruleset"]) == (OWN, "mcr")
    assert not buttons(app)
    assert not app.query_params
    assert (kept(), past()) == ((OWN, "mcr"), [OWN])


def test_an_edit_of_a_linked_hand_is_kept_with_it(visit: Callable[[str], AppTest]) -> None:
    typed(visit(""), OWN)
    app = typed(visit(LINK), "11122233344466m +6m")
    assert buttons(app) == {"link_take", "link_back"}
    assert app.session_state["session"].history.now.context.seat == "W", "the circumstances of the link stay"
    assert (kept(), past()) == ((OWN, "mcr"), [OWN])
    press(app, "link_take")
    assert kept() == ("11122233344466m +6m", "riichi")
    assert past() == ["11122233344466m +6m", OWN]


def test_an_own_hand_after_a_link_has_the_own_ruleset(visit: Callable[[str], AppTest]) -> None:
    typed(visit(""), OWN)
    app = visit(LINK)
    app.button(key="source.sample").click().run()
    assert not app.exception
    assert app.session_state["ruleset"] == "mcr"
    assert not buttons(app)
    assert OWN in [work.notation for work in app.session_state["session"].history.past]


PUNGS: Final = "hand=222m77p555s888m333p+%2B2m&rules=hongkong&by=self_draw&house=four_concealed_pungs%2C5"


def total(app: AppTest) -> str:
    """The card with the total, as markup."""
    return next(str(body) for body in (element.proto.body for element in app.get("html")) if 'id="score"' in body)


def test_a_linked_hand_has_the_points_of_its_sender(visit: Callable[[str], AppTest]) -> None:
    typed(visit(""), OWN)
    assert "<strong>10</strong>" in total(visit(PUNGS.partition("&house")[0]))
    app = visit(PUNGS)
    assert "<strong>7</strong>" in total(app)
    assert "house table" in total(app)
    assert any("rules of its own: 1" in box.value for box in app.info)
    assert not app.session_state["house_rules"], "nothing of a link holds for other hands"
    app.session_state["go_to"] = ("compare", {})
    app.run()
    assert "<strong>7</strong> faan" in "".join(element.proto.body for element in app.get("html"))


def test_another_ruleset_scores_the_hand_of_a_link_as_the_house_plays_it(visit: Callable[[str], AppTest]) -> None:
    """As the Compare page does."""
    app = visit("hand=234m23488p234567s+%2B7s&rules=hongkong&by=S")
    app.session_state["house_rules"] = {"riichi": {"kiriage": True}}
    app.session_state["ruleset"] = "riichi"
    app.run()
    assert "<strong>12\u202f000</strong>" in total(app)


def test_who_takes_a_hand_over_may_take_its_rules(visit: Callable[[str], AppTest]) -> None:
    typed(visit(""), OWN)
    app = press(visit(PUNGS), "link_take")
    assert "<strong>10</strong>" in total(app), "the own rules hold for an own hand"
    app = press(visit(PUNGS), "link_take_rules")
    assert "<strong>7</strong>" in total(app)
    assert app.session_state["house_rules"] == {"hongkong": {"house": "four_concealed_pungs,5"}}


def test_the_discarder_of_a_link_may_become_the_winner(visit: Callable[[str], AppTest]) -> None:
    app = visit(LINK)
    for name, value in (("won", "self_draw"), ("seat", Seat.SOUTH)):
        next(group for group in app.button_group if str(group.key).split(".")[0] == name).set_value(value).run()
        assert not app.exception


def there_and_back() -> None:
    """What AppTest runs: undo and redo over the hand of a link."""
    import streamlit as st

    from tilescore.scoring.context import Context, Seat
    from tilescore.scoring.hand import Hand
    from tilescore.ui.state import session
    from tilescore.ui.state.hand.work import Work

    session.choose_ruleset("mcr")
    session.take(Work.of(Hand.parse("123456789m234s55p +4s")))
    shown = []
    for name, seat in (("riichi", Seat.SOUTH), ("hongkong", Seat.WEST)):
        session.show_link(Hand.parse("11122233344455m +5m"), ruleset=name, context=Context(seat=seat), options={})
        shown.append((session.ruleset_name(), session.history().now.context.seat))
    for step in ("undo", "undo", "redo", "redo", "undo", "undo"):
        session.edit({"do": step})
        shown.append((session.ruleset_name(), session.history().now.context.seat))
    st.session_state["shown"] = shown


def test_undo_and_redo_keep_each_hand_with_its_ruleset_and_circumstances() -> None:
    app = AppTest.from_function(there_and_back, default_timeout=LIMIT_S).run()
    assert not app.exception
    own, links = ("mcr", Seat.EAST), [("riichi", Seat.SOUTH), ("hongkong", Seat.WEST)]
    assert app.session_state["shown"] == [*links, links[0], own, *links, links[0], own]
