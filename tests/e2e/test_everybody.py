"""People who hear the page, use keys alone, have forced their own colours on it, or need large letters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.test_table import seated  # noqa: F401  # a fixture
from tests.harness.app_process import PHONE

if TYPE_CHECKING:
    from playwright.sync_api import ViewportSize

    from tests.e2e.conftest import Tabs, Visitor

pytestmark = pytest.mark.browser
TWICE: ViewportSize = {"width": 640, "height": 400}
FOUR_TIMES: ViewportSize = {"width": 320, "height": 256}
"""What a window of 1280 x 1024 holds at four times the size."""
TOP = (".st-key-ts_pages", ".st-key-ts_help", ".st-key-ts_language")
COVERED = """(one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return !one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""
"""JavaScript that says whether something stands over the middle of a link."""
CROSSED = """(ones, others) => {
  const boxes = (nodes) => nodes.map((node) => node.getBoundingClientRect());
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const root = ones[0].getRootNode();
  return boxes(ones).some((one) => boxes([...root.querySelectorAll(others)]).some((other) => meet(one, other)));
}"""
"""JavaScript that says whether one of these elements stands over one of the others."""
SIZE = "node => parseFloat(getComputedStyle(node).fontSize)"
GROWTH = """node => {  // at once, for an answer draws the node anew
    const { style } = document.documentElement, size = () => parseFloat(getComputedStyle(node).fontSize);
    const before = size();
    style.setProperty("font-size", "200%", "important");
    const grown = size() / before;
    style.removeProperty("font-size");
    return grown;
}"""
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


def test_what_a_score_and_a_deal_say_grows_with_the_letters(visitor: Visitor, seated: Visitor) -> None:  # noqa: F811
    for page, place in ((visitor.page, "button.line .name"), (seated.page, ".st-key-deal_title h2")):
        text = page.locator(place).first
        before = text.evaluate(SIZE)
        page.add_style_tag(content="html { font-size: 200% !important; }")
        assert text.evaluate(SIZE) == 2 * before, place


def test_what_is_tapped_on_hand_and_table_grows_with_the_letters(visitor: Visitor, seated: Visitor) -> None:  # noqa: F811
    visitor.stand_still()
    seated.press(seated.page.get_by_role("button", name="Ben won"))
    for page, place, most in (
        (visitor.page, ".bar .tool", 2), (seated.page, ".cells button", 2), (seated.page, "button.open", 2),
        (seated.page, ".table .seat b", None), (seated.page, ".table .middle span", None),
    ):  # fmt: skip
        grown = page.locator(place).first.evaluate(GROWTH)
        assert grown == most or (most is None and grown > 1.05), (place, grown)


def test_headings_and_landmarks_lead_through_the_pages(visitor: Visitor) -> None:
    page = visitor.page
    for landmark in ("main", "navigation"):
        expect(page.get_by_role(landmark)).to_have_count(1)
    expect(page.get_by_role("navigation").get_by_role("link")).to_have_count(6)
    expect(page.get_by_role("heading", level=1)).to_have_text("Tilescore")
    parts = page.get_by_role("heading", level=2)
    expect(parts).to_have_text([re.compile("points$"), "What counted", "The hand"])
    visitor.press(page.get_by_role("link", name="Live", exact=True))
    expect(parts.first).to_have_text("Camera")


def test_buttons_of_several_things_say_which_one_they_are_for(seated: Visitor) -> None:  # noqa: F811
    page = seated.page
    seated.press(page.get_by_role("button", name="All games"))
    page.get_by_role("button", name="New game").wait_for()
    for name in ("Go on", "Hide", "Delete for good"):
        game = page.get_by_role("button", name=re.compile(f"^{name}: Ann, Ben, Cleo and Dan · .*Riichi"))
        expect(game.first).to_be_visible()
    seated.press(page.get_by_role("link", name="Hand", exact=True))
    seated.open_sample()
    seated.press(page.get_by_role("link", name="Compare", exact=True))
    expect(page.get_by_role("button", name="Use these rules: Hong Kong", exact=True)).to_have_count(1)


def test_keys_go_on_at_the_deal_that_is_chosen_to_be_corrected(seated: Visitor) -> None:  # noqa: F811
    page = seated.page
    seated.choose("Draw")
    seated.press(page.get_by_role("button", name="Book this deal"))
    opener = page.get_by_role("button", name="Correct a deal")
    opener.wait_for()
    seated.stand_still()
    opener.press("Enter")
    page.get_by_role("button", name=re.compile(r"^1\. East 1: ")).press("Enter")
    expect(page.get_by_role("heading", name="Correct deal 1")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("[role=radio]:focus")).to_have_count(1)


def test_the_name_of_a_line_holds_all_that_is_seen_of_it(visitor: Visitor) -> None:
    """Who speaks to the browser says what they see; Chinese is among it."""
    lines = visitor.page.locator("button.line")
    expect(lines.first).to_have_text(re.compile("不求人"))
    for line in lines.all():
        seen = line.evaluate("line => line.innerText.trim().split(/\\s+/)")
        said = line.get_attribute("aria-label")
        assert said
        assert said.replace(":", "").split() == seen


def test_at_four_times_the_size_the_whole_sheet_of_a_tile_scrolls_past(visitor: Visitor) -> None:
    page = visitor.page
    page.set_viewport_size(FOUR_TIMES)
    visitor.press(visitor.tiles.nth(2))
    sheet = page.get_by_role("dialog")
    box = sheet.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 100)
    page.mouse.wheel(0, 5000)
    last = sheet.locator(".faces .tile").last
    expect(last).to_be_in_viewport(ratio=1)
    visitor.press(last)
    expect(sheet).to_have_count(0)


def test_an_enlarged_table_shows_where_the_game_is_and_the_way_to_the_pages(seated: Visitor) -> None:  # noqa: F811
    page = seated.page
    for size in (TWICE, FOUR_TIMES):
        page.set_viewport_size(size)
        assert not page.locator(".table .middle > *").evaluate_all(CROSSED, ".table .seat"), "a seat covers the round"
        book = page.locator(".st-key-ts_book")
        book.scroll_into_view_if_needed()
        page.mouse.move(100, 100)
        for link in page.locator(".st-key-ts_pages a").all():
            assert not link.evaluate(COVERED), "the button that books covers a link"


@pytest.mark.parametrize("language", ["en", "pl", "sw"])
def test_no_stick_lies_on_the_sign_of_the_dealer(language: str, seated: Visitor) -> None:  # noqa: F811
    page = seated.page
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(f"{page.url}&lang={language}")
    tag = page.locator(".table .seat .tag")
    tag.wait_for()
    assert not tag.evaluate_all(CROSSED, ".table .stick i")


@pytest.mark.parametrize("language", ["en", "pl", "sw"])
def test_the_names_of_the_pages_are_whole(language: str, tabs: Tabs, address: str) -> None:
    """A letter may be wider than its place, so a box as wide as the places of its letters would cut the last one."""
    with tabs.visit(**PHONE | {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 2}) as page:
        page.goto(f"{address}/fans?lang={language}")
        page.locator(f"html[lang={language}]").wait_for(state="attached")
        page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
        pages = page.locator(".st-key-ts_pages")
        shown = pages.screenshot()
        page.add_style_tag(content=".st-key-ts_pages a * { overflow: visible !important }")
        assert pages.screenshot() == shown
