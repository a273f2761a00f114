"""Streamlit's own words are those of the page's language, and names of fields are read out as they are written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import SIZES
from tests.e2e.test_table import begin, player, set_up  # noqa: F401  # a fixture

if TYPE_CHECKING:
    from tests.e2e.conftest import Tabs, Visitor

pytestmark = pytest.mark.browser

SAID = """() => [...document.querySelectorAll(".stMain *, [data-testid=stSkipToContent]")].flatMap((one) => [
  one.ariaLabel ?? "", one.placeholder ?? "",
  ...[...one.childNodes].filter((text) => text.nodeType === 3).map((text) => text.nodeValue.trim()),
])"""
ENGLISH = re.compile(
    "Skip to main|Take Photo|Clear photo|would like to use|Increment|Decrement|Help for|file upload|^Upload$|per file"
    "|Choose an option|No results"
)


def test_no_word_of_streamlit_stays_english(tabs: Tabs, address: str) -> None:
    with tabs.visit(**SIZES["desk"]) as page:
        page.goto(f"{address}/nowhere?lang=ru")
        lost = page.get_by_role("dialog", name="Страница не найдена")
        expect(lost).to_contain_text("Это первая страница приложения.")
        lost.get_by_role("button", name="Закрыть", exact=True).click()
        page.locator(".st-key-source-camera button").click()
        expect(page.get_by_role("button", name="Сделать снимок")).to_have_count(1)
        expect(page.get_by_text("Браузер ещё не может пользоваться камерой")).to_be_visible()
        expect(page.get_by_text("Learn how")).to_be_hidden()
        assert not [text for text in page.evaluate(SAID) if ENGLISH.search(text)]
        page.goto(f"{address}/table?lang=ru")
        begin, fresh = page.locator(".st-key-new-begin button"), page.locator(".st-key-games-new button")
        begin.or_(fresh).first.wait_for()
        if fresh.is_visible():  # there are games already
            fresh.click()
        page.locator("[data-testid=stExpander] summary").first.click()
        expect(page.get_by_role("button", name="На один больше").first).to_be_visible()
        assert not [text for text in page.evaluate(SAID) if ENGLISH.search(text)]


LINES = """(paragraph) => {
  const phrase = "表示されます", text = paragraph.firstChild, at = text.data.indexOf(phrase);
  const range = document.createRange();
  range.setStart(text, at);
  range.setEnd(text, at + phrase.length);
  return at < 0 ? 0 : range.getClientRects().length;
}"""
"""JavaScript that says on how many lines the last phrase of a paragraph stands; 0 if the paragraph lacks it."""


def test_a_line_of_japanese_ends_between_phrases(tabs: Tabs, address: str) -> None:
    """Japanese has no spaces: a browser that knows no phrases would end a line in the middle of a word."""
    with tabs.visit(**SIZES["phone"]) as page:
        page.goto(f"{address}/history?lang=ja")
        paragraph = page.locator(".ts-none p").first
        paragraph.wait_for()
        page.locator("html[lang=ja]").wait_for(state="attached")
        for width in range(330, 400, 10):
            page.set_viewport_size({"width": width, "height": 800})
            assert paragraph.evaluate(LINES) == 1


def test_a_name_is_read_out_as_it_is_written(player: Visitor) -> None:  # noqa: F811
    page = player.page
    start = set_up(player)
    if not player.touch:
        expect(page.get_by_role("textbox", name="East", exact=True)).to_be_focused()
    player.choose("MCR")
    expect(page.get_by_role("radio", name="MCR", exact=True)).to_be_checked()
    page.get_by_role("textbox", name="East", exact=True).fill("A-n*n_[1]")
    page.keyboard.press("Enter")
    page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
    expect(start).to_be_visible()  # the first Enter only enters the name
    page.get_by_role("textbox", name="East", exact=True).press("Enter")
    player.press(page.get_by_role("button", name="A-n*n_[1] won", exact=True))
    expect(page.get_by_role("radio", name="A-n*n_[1]", exact=True).first).to_have_count(1)
    expect(page.locator('[aria-label*="A-n*n_[1]"]').first).to_be_attached()
    expect(page.get_by_role("textbox", name="A-n*n_[1]'s hand as text", exact=True).first).to_be_attached()
    expect(page.locator('[aria-label*="\\\\"]')).to_have_count(0)


def test_going_back_goes_back(player: Visitor) -> None:  # noqa: F811
    page = player.page
    begin(player, "Riichi")
    for link, field in (("Hand", "The hand as text"), ("Fans", "")):
        player.press(page.get_by_role("link", name=link, exact=True))
        page.get_by_label(field).first.wait_for() if field else expect(page).to_have_url(re.compile("/fans"))
    page.go_back()
    page.get_by_label("The hand as text").first.wait_for()
    page.go_back()
    expect(page.locator(".table .middle")).to_contain_text("East 1")
    page.go_back()
    expect(page.get_by_role("button", name="New game").first).to_be_visible()
    expect(page).to_have_url(re.compile("/table$"))
    page.go_forward()
    expect(page.locator(".table .middle")).to_contain_text("East 1")
