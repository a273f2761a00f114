"""A browser that is still loading a component draws the data of two pages in any order; the newer data stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tilescore.ui.components.assets import sources

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
DRAW = """async ([script, turns]) => {
  const place = document.createElement("div");
  const { default: draw } = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  for (const [session, number] of turns)
    draw({ data: [{ markup: `page ${number}`, reveal: "", turn: { session, number } }], parentElement: place });
  return place.textContent;
}"""


@pytest.mark.parametrize(
    ("turns", "shown"),
    [
        pytest.param([(1, 7), (1, 8)], "page 8", id="in order"),
        pytest.param([(1, 8), (1, 7)], "page 8", id="the older page comes last"),
        pytest.param([(1, 8), (2, 1)], "page 1", id="a restarted server counts from one"),
    ],
)
def test_the_newer_data_stay(browser: Browser, turns: list[tuple[int, int]], shown: str) -> None:
    page = browser.new_page()
    assert page.evaluate(DRAW, [sources("drawing")[1], turns]) == shown
    page.close()
