"""Options that a person sets: no value of theirs, and none of an earlier version, takes a page away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.pages.table_app import LIMIT_S, ROOT, checked, keyed
from tilescore.ui.state import house_rules

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = ROOT / "ui" / "start" / "app.py"
HAND = "123456789m234s55p +4s"


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path))
    started = AppTest.from_file(str(SCRIPT), default_timeout=LIMIT_S)
    started.session_state["ruleset"] = "riichi"
    checked(started.run())
    return checked(next(one for one in started.text_input if one.label == "The hand as text").set_value(HAND).run())


def test_a_number_is_asked_for_within_the_bounds_of_its_option(app: AppTest) -> None:
    app.session_state["ruleset"] = "simplified"
    checked(app.run())
    field = keyed(app.number_input, "house.simplified.false_mahjong_points")
    assert (field.min, field.max) == (-1, 1_000_000_000)


def test_a_value_that_an_option_cannot_have_is_said_once_and_changes_nothing(app: AppTest) -> None:
    checked(keyed(app.text_input, "house.riichi.uma").set_value("much").run())
    assert any("uma" in error.value for error in app.error)
    assert "house_rules" not in app.session_state
    assert keyed(app.text_input, "house.riichi.uma").value == ""
    checked(app.run())
    assert not app.error


def test_options_of_an_earlier_version_are_dropped_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    state: dict[str, object] = {}
    monkeypatch.setattr("streamlit.session_state", state)
    kept: dict[str, dict[str, Any]] = {
        "simplified": {"false_mahjong_points": -2, "limit": 300},
        "riichi": {"uma": "Options of your own", "gone": 1, "kiriage": True},
        "hongkong": {"minimum": "three"},
        "bridge": {"trumps": True},
    }
    house_rules.restore(kept)
    assert house_rules.chosen() == {"simplified": {"limit": 300}, "riichi": {"kiriage": True}}
