"""Several people at one table: bookings appear on every page; a deal without tiles; a photo with its canvas."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import SIZES, Tabs, Visitor
from tests.e2e.test_dragging import show
from tests.e2e.test_table import NAMES, PHOTO, among, press, seated  # noqa: F401  # a fixture
from tests.harness.app_process import PATIENCE, patience
from tilescore.scoring.game.ledger import Game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tilescore.ui.storage.ledger_store import LedgerStore

pytestmark = pytest.mark.browser
FOLLOW_S = 2.0
AT_ONCE = """(button, at) => {
  const name = button.innerText;
  const drawn = () => [...document.querySelectorAll("button")].find((one) => one.innerText === name); // maybe anew
  setTimeout(() => drawn().click(), at - Date.now());
}"""


def book_value(visitor: Visitor, winner: str, points: str) -> None:
    """Book a win of which only the value is known."""
    among(visitor, "Who won", winner)
    press(visitor, "Value only", role="radio")
    field = visitor.page.get_by_role("spinbutton", name=re.compile(winner))
    field.fill(points)
    field.press("Enter")
    press(visitor, "Book this deal")


@pytest.fixture(params=SIZES)
def pair(
    request: pytest.FixtureRequest, tabs: Tabs, address: str, ledger: LedgerStore
) -> Iterator[tuple[Visitor, Visitor]]:
    """Two people who look at one new game."""
    size = SIZES[request.param]
    with tabs.visit(**size) as one, tabs.visit(**size) as other:
        begun = ledger.begin(Game.new("mcr", NAMES))
        for page in (one, other):
            page.goto(f"{address}/table?game={begun.id}")
            page.locator(".table .seat.south").wait_for()
        first, second = (Visitor(page, "has_touch" in SIZES[request.param]) for page in (one, other))
        first.stand_still()
        yield first, second


def test_two_pages_of_one_game_agree(pair: tuple[Visitor, Visitor]) -> None:
    first, second = pair
    expect(second.page.locator(".table .seat.south")).to_contain_text("0")
    book_value(first, "Ben", "20")
    expect(first.page.locator(".table").first.locator(".seat.east b")).to_have_text("84")
    begun = time.monotonic()
    # The message comes before anybody touches the page, and goes after ten seconds.
    expect(second.page.get_by_text("Somebody else changed this game")).to_be_visible()
    expect(second.page.locator(".table").first.locator(".seat.east b")).to_have_text("84")
    seconds = time.monotonic() - begun
    print(f"two pages agree after {seconds:.2f} s")  # noqa: T201  # the promise of the page
    assert seconds < FOLLOW_S * patience()
    second.keep_picture("followed")
    among(second, "Who won", "Cleo")


def test_one_deal_booked_on_two_phones_at_once_is_booked_once(pair: tuple[Visitor, Visitor]) -> None:
    for visitor in pair:
        among(visitor, "Who won", "Ben")
        press(visitor, "Value only", role="radio")
        field = visitor.page.get_by_role("spinbutton", name=re.compile("Ben"))
        field.fill("20")
        field.press("Enter")
        expect(visitor.page.get_by_role("button", name="Book this deal")).to_be_enabled()
        visitor.stand_still()
    at = 1000 * (time.time() + PATIENCE)
    for visitor in pair:  # at the same moment, however long it takes to say so
        visitor.page.get_by_role("button", name="Book this deal").evaluate(AT_ONCE, at)
    for visitor in pair:
        expect(visitor.page.locator(".table").first.locator(".seat.east b")).to_have_text("84")
        expect(visitor.page.locator("tbody tr.sums")).to_have_count(1)


def test_riichi_is_booked_by_han_and_fu(seated: Visitor) -> None:  # noqa: F811
    among(seated, "Who won (several may on one discard)", "Ben")
    press(seated, "Value only", role="radio")
    field = seated.page.get_by_role("spinbutton", name="Ben: han")
    field.fill("3")
    field.press("Enter")
    expect(seated.page.get_by_role("combobox", name=re.compile("Fu"))).to_be_visible()
    seated.keep_picture("by_value")
    press(seated, "Book this deal")
    expect(seated.page.locator(".table").first.locator(".seat.east b")).to_have_text(re.compile("29.000|28.900"))


def test_a_photo_at_the_table_opens_the_canvas(seated: Visitor) -> None:  # noqa: F811
    page = seated.page
    among(seated, "Who won (several may on one discard)", "Ben")
    page.locator("input[type=file]").set_input_files(PHOTO)
    expect(page.locator(".photo .box").first).to_be_attached()
    expect(seated.tiles).to_have_count(14)
    field = page.get_by_role("textbox", name="Ben's hand as text")
    expect(field).to_have_value(re.compile("^234m"))  # the page is drawn to its end
    show(page.locator(".photo"))
    seated.keep_picture("table_canvas")
    seated.press(seated.tiles.first)
    seated.press(page.locator('dialog .suit .tile[aria-label="1 of characters"]'))
    expect(seated.tiles.first).to_have_attribute("aria-label", re.compile("1 of characters"))
    expect(field).to_have_value(re.compile("^134m"))
