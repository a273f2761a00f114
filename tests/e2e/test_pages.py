"""Every page for everybody: read in any light, on the narrowest phone, from the keyboard; fans and comparison."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visitor, keep_picture
from tests.harness.app_process import PATIENCE, PHONE
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import RULESETS, ruleset

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

    from tests.e2e.conftest import Tabs

pytestmark = pytest.mark.browser
CONTRAST: Final = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")
LEAST: Final = 4.5
NARROW: Final = 360
HAND: Final = "123456789m234s55p +4s"
PAGES: Final = (
    # link, what is there once the page is drawn, what can be done there from the keyboard
    ("Hand", ".ts-start", ("Photograph the hand", "Sample", "Tiles", "Camera", "The hand as text")),
    (
        "Hand",
        "button.line >> nth=0",
        ("Photograph the next hand", "Sample", "Add tile", "The hand as text", "MCR", "Last tile of the wall", "Share"),
    ),
    ("Compare", ".ts-side >> nth=3", ("Change the hand", "Use these rules")),
    ("Table", "[data-testid=stExpander]", ("MCR", "East", "House rules", "Start the game", "Draw seats")),
    ("Live", ".tap button", ("Start the camera", "MCR")),
    ("Fans", ".fan >> nth=80", ("MCR", "Search by name or number", "88")),
)
NAMELESS: Final = """() => {
  const named = (node) => node.ariaLabel || node.innerText?.trim() || node.title || node.labels?.length
    || node.getAttribute("aria-labelledby") || node.querySelector("img[alt]:not([alt=''])");
  const found = [];
  const walk = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) walk(node.shadowRoot);
      const used = node.matches("button, a[href], input:not([type=hidden]), select, textarea, [role=button]");
      if (used && node.checkVisibility() && !named(node)) found.push(node.outerHTML.slice(0, 120));
    }
  };
  walk(document);
  return found;
}"""
FOCUSED: Final = """() => {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node?.ariaLabel || node?.labels?.[0]?.innerText || node?.innerText || "";
}"""


@pytest.fixture(scope="module")
def nobody(tabs: Tabs, address: str) -> Iterator[Page]:
    """A narrow telephone on the first page; the tests walk on from there."""
    with tabs.visit(**{**PHONE, "viewport": {"width": NARROW, "height": 740}}) as page:
        page.goto(address)
        yield page
        page.emulate_media(color_scheme="null")


@pytest.mark.parametrize(("name", "drawn", "uses"), PAGES)
def test_page_is_for_everybody(name: str, drawn: str, uses: tuple[str, ...], nobody: Page) -> None:
    nobody.get_by_role("link", name=name, exact=True).tap()
    if name == "Table":  # whatever games the other tests left
        start = nobody.get_by_role("button", name="Start the game")
        another = nobody.get_by_role("button", name="New game")
        start.or_(another).wait_for()
        if another.is_visible():
            another.tap()
    if name == "Hand" and drawn != ".ts-start":
        Visitor(nobody, touch=True).open_sample()
    nobody.locator(drawn).wait_for()
    nobody.mouse.move(1, 1)
    for scheme in ("light", "dark"):
        nobody.emulate_media(color_scheme=scheme)
        expect(nobody.locator(".stApp")).to_have_css("color-scheme", scheme)
        seen = contrast(nobody)
        assert seen["weak"] == {}, scheme
        assert seen["count"] > 10
        keep_picture(nobody, f"narrow_{name.lower()}{'_start' * (drawn == '.ts-start')}_{scheme}")
    assert nobody.evaluate("document.documentElement.scrollWidth") <= NARROW
    assert nobody.evaluate("document.querySelector('.stMain').scrollWidth") <= NARROW
    assert nobody.evaluate(NAMELESS) == []
    assert not set(uses) - reached(nobody)


def contrast(page: Page) -> dict[str, Any]:
    """What stands out too little; what is pale only while the page is drawn again has time to be drawn."""
    for _ in range(round(50 * PATIENCE)):
        seen: dict[str, Any] = page.evaluate(CONTRAST, LEAST)
        if not seen["weak"]:
            break
        page.wait_for_timeout(100)
    return seen


def reached(page: Page) -> set[str]:
    """The names of what the tabulator key comes by, from the top of the page to its end."""
    page.evaluate("document.activeElement?.blur()")
    names: list[str] = []
    for _ in range(90):
        page.keyboard.press("Tab")
        names.append(str(page.evaluate(FOCUSED)).strip())
        if len(names) > 8 and names[-4:] == names[:4]:
            break
    return set(names) | {line for name in names for line in name.splitlines()}


@pytest.mark.empty_table
def test_the_focus_is_seen_on_the_way_between_the_pages(visitor: Visitor) -> None:
    page = visitor.page
    page.get_by_role("link", name="Hand", exact=True).focus()
    for name in ("Compare", "Table", "Live", "Fans", "History", "Help"):
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name=name, exact=True)).to_be_focused()
        expect(page.get_by_role("link", name=name, exact=True)).to_have_css("outline-style", "solid")


@pytest.mark.empty_table
def test_a_concealed_kong_is_read_out_as_one(visitor: Visitor) -> None:
    visitor.type_hand("123p55z234s678m [7777s] +5z")
    expect(visitor.page.get_by_role("button", name="7 of bamboo, Concealed kong")).to_have_count(4)


@pytest.mark.empty_table
def test_a_fan_is_found_and_its_example_scored(visitor: Visitor) -> None:
    page = visitor.page
    visitor.press(page.get_by_role("link", name="Fans", exact=True))
    fan = page.locator(".fan", has_text="Pure Straight").first
    for wanted in ("ｃｚｙｓｔｙ strít", "いっきつうかん", "pure straight"):
        page.get_by_role("searchbox").fill(wanted)
        expect(page.locator(".fan:visible")).to_have_count(1)
        expect(fan).to_be_visible()
    visitor.press(fan.locator("summary"))
    expect(fan.locator("img")).to_have_count(14)
    expect(fan).to_contain_text("1-2-3, 4-5-6 and 7-8-9")
    visitor.keep_picture("fan")
    whole = "".join(filter(str.isdigit, fan.get_by_text("The whole hand").inner_text()))
    visitor.press(fan.get_by_role("button", name="Score this hand"))
    expect(visitor.total).to_have_text(whole)
    expect(page.locator('button.line[aria-pressed="true"]')).to_contain_text("Pure Straight")
    visitor.press(page.get_by_role("button", name="More about it"))
    expect(page.locator(".fan[open]")).to_contain_text("Pure Straight")
    expect(page).to_have_url(re.compile(r"fans\?fan=mcr\.pure_straight$"))
    page.go_back()
    expect(visitor.total).to_have_text(whole)
    expect(page).to_have_url(re.compile(r"^http://[^/]+/$"))


@pytest.mark.empty_table
def test_one_hand_under_every_ruleset_of_which_it_can_be(visitor: Visitor) -> None:
    page, fitting = visitor.page, [name for name in RULESETS if ruleset(name).traits.fits(Hand.parse(HAND))]
    visitor.type_hand(HAND)
    visitor.press(page.get_by_role("link", name="Compare", exact=True))
    cards = page.locator(".ts-side")
    expect(cards).to_have_count(len(fitting))
    totals = page.locator(".ts-side .ts-total strong")
    expect(totals).to_have_count(len(fitting))
    shown = totals.all_inner_texts()
    assert shown[0] == "22"
    assert len(set(shown)) > 2
    visitor.keep_picture("compare")
    visitor.press(page.get_by_role("button", name="Use these rules").nth(1))
    expect(page.locator("#score .ts-total strong")).to_have_text(shown[1])
    expect(page.get_by_role("radio", name="Riichi", exact=True)).to_be_checked()
    page.get_by_role("textbox", name="The hand as text").fill("123456789m23s55p")
    visitor.press(page.get_by_role("link", name="Compare", exact=True))  # at once: the hand goes first
    expect(page.locator(".ts-waits-table tbody tr")).to_have_count(2)
    visitor.keep_picture("compare_waits")
    visitor.press(page.get_by_role("button", name="Change the hand"))
    expect(page.get_by_role("textbox", name="The hand as text")).to_have_value("123456789m23s55p")


@pytest.mark.parametrize(("width", "wanted"), [(1280, "20px"), (320, "16px")])
def test_letters_have_the_size_that_the_reader_chose(tabs: Tabs, address: str, width: int, wanted: str) -> None:
    with tabs.visit(viewport={"width": width, "height": 800}) as page:
        page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 24}})
        page.goto(address)
        page.locator(".ts-start").wait_for()
        expect(page.locator("html")).to_have_css("font-size", wanted)


OVER_ITS_BOX = """() => [...document.querySelectorAll(".ts-payments li")].filter((box) =>
  box.lastElementChild.getBoundingClientRect().right > box.getBoundingClientRect().right).map((box) => box.innerText)"""
"""JavaScript that gives the payments that are wider than their boxes."""


def test_what_players_pay_has_room(tabs: Tabs, address: str) -> None:
    """Three yakuman of the dealer on a narrow phone, and letters of twice the size."""
    with tabs.visit(**PHONE | {"viewport": {"width": 360, "height": 740}}) as page:
        page.goto(f"{address}/?hand=11122233344455z+%2B5z&rules=riichi&by=self_draw")
        expect(page.locator(".ts-payments")).to_contain_text("+144")
        assert not page.evaluate(OVER_ITS_BOX)
        page.add_style_tag(content="html { font-size: 200% !important }")
        assert not page.evaluate(OVER_ITS_BOX)
        label = page.locator(".st-key-upload button p").first
        assert label.evaluate("node => node.scrollWidth <= node.closest('button').clientWidth")
