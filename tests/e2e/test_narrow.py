"""At 360 pixels no text stands over its box, in any language, and the tools of the hand stay on one line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.harness.app_process import PHONE
from tilescore.scoring.ruleset import RULESETS
from tilescore.ui.locale import LANGUAGES

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.conftest import Tabs

pytestmark = pytest.mark.browser
OVERFLOW = Path(__file__).with_name("overflow.js").read_text(encoding="utf-8").partition("\n")[2]

BROKEN = """() => [...document.querySelectorAll("*")].flatMap((node) => node.shadowRoot ? [node.shadowRoot] : [])
  .flatMap((root) => [...root.querySelectorAll(".bar .tool .label")]).flatMap((label) => {
    const text = label.firstChild, words = [...(text?.data ?? "").matchAll(/\\S+/g)];
    return words.filter(({ 0: word, index }) => {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return range.getClientRects().length > 1;
    }).map(([word]) => word);
  })"""
"""JavaScript that gives the words of the tools that are broken over two lines."""


def settled(page: Page) -> list[list[object]]:
    """The texts over their boxes, once the page stands still."""
    page.wait_for_timeout(700)
    found: list[list[object]] = page.evaluate(OVERFLOW)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_stands_over_its_box(language: str, tabs: Tabs, address: str) -> None:
    over: dict[str, list[list[object]]] = {}
    with tabs.visit(**{**PHONE, "viewport": {"width": 360, "height": 800}}) as page:
        page.goto(f"{address}/?lang={language}")
        page.locator(".ts-start").wait_for()
        over["start"] = settled(page)
        page.locator(".st-key-source-sample button").tap()
        page.locator(".strip .tile").first.wait_for()
        for number in range(len(RULESETS)):
            page.locator(".st-key-ruleset [role=radio]").nth(number).tap()
            over[f"hand {number}"] = settled(page)
        tops = page.locator(".bar .tool").evaluate_all(
            "all => all.map((tool) => Math.round(tool.getBoundingClientRect().y))"
        )
        assert len(set(tops)) == 1, "the tools stand on one line"
        assert language in ("ja", "zh") or not page.evaluate(BROKEN), "a word of a tool goes on in the next line"
        rows = page.locator(".strip .tile").evaluate_all(
            "all => all.map((tile) => tile.getBoundingClientRect().bottom)"
        )
        assert len(set(map(round, rows))) == 2, "the winning tile stands beside the others"
        page.locator(".bar .select").tap()
        page.locator(".photo .box .edge").nth(1).tap()
        over["selected"] = settled(page)
        for name in ("compare", "table", "history", "fans"):
            page.goto(f"{address}/{name}?lang={language}")
            page.locator(".ts-head").wait_for()
            over[name] = settled(page)
    assert not {name: texts for name, texts in over.items() if texts}
