"""People who hear the page, use keys alone, have forced their own colours on it, or need large letters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.e2e.conftest import Visitor

pytestmark = pytest.mark.browser
TOP = (".st-key-ts_pages", ".st-key-ts_help", ".st-key-ts_language")
GROUND = "node => getComputedStyle(node).backgroundColor"


def test_a_screen_reader_hears_what_an_answer_has_drawn_anew(visitor: Visitor) -> None:
    """It speaks of changes in a place that stays; the card of the score comes anew each time."""
    heard = visitor.page.locator("body > .ts-said")
    expect(heard).to_have_role("status")
    visitor.choose("Riichi")
    expect(heard).to_have_text(re.compile("points, 5 han"))
    place = heard.element_handle()
    visitor.press(visitor.page.get_by_role("button", name="Select", exact=True))
    expect(heard).to_have_text("Draw a box around tiles, or tap them one by one.")
    visitor.choose("MCR")
    expect(heard).to_have_text(re.compile("points"))
    visitor.press(visitor.page.get_by_role("link", name="Fans", exact=True))
    expect(heard).to_have_text("")
    assert place.evaluate("node => node.isConnected")


def test_the_focus_goes_on_where_a_tool_has_done_its_last(visitor: Visitor) -> None:
    page = visitor.page
    tools = page.get_by_role("toolbar", name="Correct the hand")
    undo, redo, add = (tools.get_by_role("button", name=name) for name in ("Undo", "Redo", "Add tile"))
    visitor.choose("Riichi")  # without it nothing can be undone
    visitor.press(visitor.tiles.nth(2))
    visitor.press(page.get_by_role("dialog").get_by_role("button", name="5 of characters", exact=True))
    expect(undo).to_be_enabled()
    undo.press("Enter")
    expect(redo).to_be_focused()
    add.press("Enter")
    expect(page.get_by_role("dialog", name="Add tile")).to_be_visible()
    page.wait_for_timeout(1000)  # the answer draws the tools anew behind the sheet
    page.keyboard.press("Escape")
    expect(add).to_be_focused()
    visitor.type_hand("123m456p789s1122z +2z")
    expect(page.get_by_role("textbox", name="The hand as text")).to_be_focused()


def test_keys_go_on_at_the_beginning_of_another_view_and_into_a_popover(visitor: Visitor) -> None:
    page = visitor.page
    visitor.press(page.get_by_role("link", name="Table", exact=True))
    start, another = (page.get_by_role("button", name=name) for name in ("Start the game", "New game"))
    start.or_(another).wait_for()
    if another.is_visible():  # other tests left games
        another.press("Enter")
    start.press("Enter")
    page.locator(".table .seat").first.wait_for()
    expect(page.get_by_role("heading", name="Tilescore")).to_be_focused()
    page.get_by_role("button", name="All games").press("Enter")
    another.wait_for()
    expect(page.get_by_role("heading", name="Tilescore")).to_be_focused()
    opener = page.get_by_role("button", name="Delete for good").first
    opener.press("Enter")
    expect(page.get_by_role("dialog", name="Delete for good")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Yes, delete for good")).to_be_focused()
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()
    page.set_viewport_size({"width": 640, "height": 320})
    visitor.press(page.get_by_role("button", name="Go on").first)
    page.locator(".table .seat").first.wait_for()
    expect(page.get_by_role("heading", name="Tilescore")).to_be_in_viewport()


def test_what_is_chosen_stands_out_in_forced_colours(visitor: Visitor) -> None:
    page = visitor.page
    page.emulate_media(forced_colors="active")
    try:
        for chosen, other in (("MCR", "Riichi"), ("Self-draw", "South")):
            grounds = [page.get_by_role("radio", name=name, exact=True).evaluate(GROUND) for name in (chosen, other)]
            assert grounds[0] != grounds[1], chosen
        camera = page.get_by_role("button", name="Photograph the next hand")
        assert camera.evaluate("node => parseFloat(getComputedStyle(node).borderTopWidth)"), "a button has an edge"
    finally:
        page.emulate_media(forced_colors="none")


def test_what_the_keys_are_at_has_a_full_ring_in_forced_colours_too(visitor: Visitor) -> None:
    page = visitor.page
    places = (
        page.get_by_role("button", name="Sample", exact=True),
        page.get_by_role("radio", name="MCR", exact=True),
        page.locator("summary").first,
    )
    for colours in ("none", "active"):
        page.emulate_media(forced_colors=colours)
        try:
            page.keyboard.press("Tab")  # from here on the browser shows where the keys are
            for place in places:
                place.focus()
                ring = place.evaluate("node => getComputedStyle(node).outline")
                assert "solid" in ring, f"{ring} in forced colours: {colours}"
                assert "3px" in ring, f"{ring} in forced colours: {colours}"
        finally:
            page.emulate_media(forced_colors="none")


def test_where_letters_are_large_no_field_stands_beside_the_screen(visitor: Visitor) -> None:
    page = visitor.page
    page.add_style_tag(content="html { font-size: 200% !important; }")
    width = page.evaluate("innerWidth")
    for name in ("Seat wind", "Round wind"):
        box = page.get_by_role("radiogroup", name=name).bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= width, name


def test_where_letters_are_large_the_language_is_on_the_screen(visitor: Visitor) -> None:
    page = visitor.page
    page.add_style_tag(content="html { font-size: 200% !important; }")
    name, pages, guide, language = (page.locator(place).bounding_box() for place in (".ts-head h1", *TOP))
    assert name is not None
    assert pages is not None
    assert guide is not None
    assert language is not None
    assert name["x"] + name["width"] <= guide["x"]
    assert pages["y"] > language["y"] + language["height"] or pages["x"] + pages["width"] <= guide["x"]
    assert guide["x"] + guide["width"] <= language["x"]
    assert language["x"] + language["width"] <= page.evaluate("innerWidth")
    field = page.locator(".st-key-ts_language input").last
    assert field.input_value() == "English"
    assert field.evaluate("field => field.scrollWidth <= field.clientWidth")
