"""The Hand page before there is a hand, and while something of the hand is unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.pages.test_app import ROOT, SAMPLE, buttons, html, take, total, type_hand, upload

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def opened() -> Callable[..., AppTest]:
    """Gives a function that opens the app in that language."""

    def open_app(language: str = "en") -> AppTest:
        app = AppTest.from_file(str(ROOT / "ui" / "start" / "app.py"), default_timeout=60)
        app.query_params["lang"] = language
        return app.run()

    return open_app


def test_the_page_starts_with_one_button_and_where_to_start(opened: Callable[..., AppTest]) -> None:
    app = opened()
    assert "Photograph them from above" in html(app)
    assert '--ts-photograph: "Photograph the hand"' in html(app)
    assert not app.get("segmented_control"), "nothing is asked before there is a hand"
    assert total(app) is None
    upload(app, "hand.jpg", SAMPLE.read_bytes())
    assert "Photograph them from above" not in html(app)
    assert '--ts-photograph: "Photograph the next hand"' in html(app)
    assert "ts-card" in html(app)


@pytest.mark.parametrize(("language", "name"), [("en", "mcr"), ("ja", "riichi"), ("pl", "mcr"), ("zh", "mcr")])
def test_the_first_ruleset_is_that_of_the_language(language: str, name: str, opened: Callable[..., AppTest]) -> None:
    assert buttons(take(opened(language), "sample"), "ruleset").value == name


def test_what_a_hand_may_be_worth_stands_beside_the_question(opened: Callable[..., AppTest]) -> None:
    app = opened()
    type_hand(app, "123456789m234s55p")
    assert '<p class="ts-range"><b>22 to 23</b> points</p>' in html(app)
    type_hand(app, "123m456m789p22p345s")
    assert '<p class="ts-range"><b>up to 8</b> points</p>' in html(app), "with most tiles it is worth too little"
    type_hand(app, "123456789m23s55p")
    assert "13 tiles: any of these completes the hand" in html(app)
    assert '<p class="ts-range"><b>22 to 23</b> points</p>' in html(app)
