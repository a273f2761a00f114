"""A ruleset is one folder and one line: the toy of `toy/rules.py` is scored, listed and played everywhere."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

from tests.ui.pages.table_app import A, B, C, begin, choose, game, keyed, markup, press, type_hand
from tests.ui.pages.test_app import ROOT, buttons, component, html, take
from tests.ui.pages.test_app import type_hand as typed
from tests.ui.words.test_fans import fans_page
from tilescore.errors import OptionError
from tilescore.scoring.ruleset import RULESETS, Entry, ruleset
from tilescore.ui.cli.main import app as commands
from tilescore.ui.words.text import words

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HAND = "111m456p789s234s55z +4s"


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULESETS, "toy", Entry("tests.ui.toy.rules:Toy", also="plaything"))


def test_on_the_command_line(tmp_path: Path) -> None:
    hands = tmp_path / "hands.jsonl"
    hands.write_text(
        json.dumps({"concealed": "111m456p789s234s55z", "winning_tile": "4s", "win_by": "self_draw", "honba": 1})
    )
    said = CliRunner().invoke(commands, ["score-hands", "--ruleset", "Toy", str(hands)])
    assert (json.loads(said.stdout)["total"], json.loads(said.stdout)["warnings"]) == (2, ["honba"])
    deals = tmp_path / "deals.jsonl"
    deals.write_text(json.dumps({"foul": {"by": "W", "kind": "false_mahjong"}}))
    said = CliRunner().invoke(commands, ["settle", "--ruleset", "toy", str(deals)])
    assert json.loads(said.stdout)["payments"] == {"E": 1, "S": 1, "W": -3, "N": 1}
    won = {seat: {"concealed": "123m456p789s234s77p", "winning_tile": "7p"} for seat in "SW"}
    deals.write_text(json.dumps({"winners": ["S", "W"], "discarder": "E", "hands": won}))
    said = CliRunner().invoke(commands, ["settle", "--ruleset", "toy", str(deals)])
    assert json.loads(said.stdout)["error"]["code"] == "one_winner"
    assert "Any Pung" in CliRunner().invoke(commands, ["rules", "--ruleset", "toy"]).stdout
    with pytest.raises(OptionError, match="write toy"):
        ruleset("plaything")


def test_on_the_pages_of_the_hand_of_comparison_and_of_the_camera() -> None:
    app = take(AppTest.from_file(str(ROOT / "ui" / "start" / "app.py"), default_timeout=60).run(), "sample")
    buttons(app, "ruleset").set_value("toy").run()
    typed(app, HAND)
    assert not app.exception
    assert "<strong>2</strong> points" in html(app)
    for page, shown in (("compare", ">Toy</h2>"), ("live", "camera")):
        app.session_state["go_to"] = (page, {})
        app.run()
        assert not app.exception
        assert shown in html(app)
    assert "Toy" in [option.content for option in buttons(app, "ruleset").proto.options]


def test_in_the_list_of_lines() -> None:
    app = AppTest.from_function(fans_page, default_timeout=60)
    app.query_params["fan"] = "toy.pung"
    app.run()
    assert not app.exception
    rows = component(app, "tilescore_fan_list")["fans"]
    assert [(row["name"], row["worth"], row["over"]) for row in rows] == [
        ("Complete", "1", []), ("Any Pung", "2", ["toy.complete"]),
    ]  # fmt: skip


def test_at_the_table(visit: Callable[[], AppTest]) -> None:
    app = begin(visit(), "toy")
    choose(app, "deal.winners", B)
    choose(app, "deal.discarder", C)
    type_hand(app, B, HAND)
    press(app, "deal.book")
    assert game().totals == (-2, 6, -2, -2)
    assert "East 2" in markup(app, "table_view")
    choose(app, "deal.winners", A)
    choose(app, "deal.by_value", value=True)
    keyed(app.number_input, "deal.points.A").set_value(5).run()
    press(app, "deal.book")
    assert game().totals == (13, 1, -7, -7)
    assert words("ruleset.toy") == "Toy"
