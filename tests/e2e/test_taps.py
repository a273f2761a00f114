"""A deal is booked in as few taps as paper takes: four by its value, five with a photo."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.test_table import GAP, PHOTO, expect_totals, seated  # noqa: F401  # a fixture

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.e2e.conftest import Visitor

pytestmark = pytest.mark.browser


class Taps:
    """Presses of one visitor, counted."""

    def __init__(self, visitor: Visitor) -> None:
        self.count = 0
        self.page = visitor.page
        self._visitor = visitor

    def tap(self, target: Locator) -> None:
        """Press, and count the press."""
        self.count += 1
        self._visitor.press(target)

    def seat(self, name: str) -> None:
        """Press the button that is called that."""
        self.tap(self.page.get_by_role("button", name=name, exact=True))


@pytest.fixture
def taps(seated: Visitor) -> Taps:  # noqa: F811
    """Somebody at the table of a new game of riichi, who wants to book deals."""
    return Taps(seated)


def test_four_taps_book_a_value_and_one_takes_it_back(taps: Taps, seated: Visitor) -> None:  # noqa: F811
    page = seated.page
    taps.seat("Ben won")
    value = page.get_by_role("button", name="3 han 40 fu", exact=True)
    value.wait_for()
    seated.stand_still()
    place = value.bounding_box()
    taps.seat("On Dan’s tile")
    expect(page.locator(".seat.paid")).to_have_count(1)
    seated.stand_still()
    assert value.bounding_box() == place, "what is tapped next stays where it is"
    taps.tap(value)
    expect(page.locator(".table.pays .arrows")).to_have_attribute("aria-label", f"Dan pays Ben 5{GAP}200")
    seated.keep_picture("taps_value")
    taps.seat("Book this deal")
    expect_totals(seated, 25000, 30200, 25000, 19800)
    assert taps.count == 4
    seated.keep_picture("taps_booked")
    taps.seat("Undo it")
    expect(page.locator("tfoot td")).to_have_count(0)


def test_the_winner_again_says_self_draw_and_a_stick_lies_at_once(taps: Taps, seated: Visitor) -> None:  # noqa: F811
    page = seated.page
    taps.seat("Riichi: Cleo")
    expect(page.locator(".table .seat", has_text="Cleo").first).to_contain_text(f"24{GAP}000")
    taps.seat("Ben won")
    taps.seat("On Dan’s tile")
    taps.seat("Ben drew the tile")
    taps.tap(page.get_by_role("button", name="Mangan", exact=True))
    expect(page.locator(".table.pays .seat.gets")).to_contain_text(f"+9{GAP}000")
    taps.seat("Book this deal")
    expect_totals(seated, 21000, 34000, 22000, 23000)
    expect(page.get_by_role("button", name="Mangan", exact=True)).to_have_count(0)
    taps.seat("Ben won")
    expect(page.get_by_role("radio", name="Value only", exact=True)).to_be_checked()


def test_five_taps_book_a_photo(taps: Taps, seated: Visitor) -> None:  # noqa: F811
    page = seated.page
    taps.seat("Ben won")
    taps.seat("On Dan’s tile")
    expect(page.locator(".seat.paid")).to_have_count(1)
    with page.expect_file_chooser() as chooser:
        taps.seat("Photograph the hand")
    taps.count += 1  # the shutter of the camera
    chooser.value.set_files(PHOTO)
    page.locator(".strip .tile").nth(13).wait_for()
    taps.seat("Book this deal")
    expect(page.locator("tr.what")).to_have_count(1)
    assert taps.count == 5


def test_enter_enters_a_value_and_books_it(taps: Taps, seated: Visitor) -> None:  # noqa: F811
    page = seated.page
    taps.seat("Ben won")
    taps.seat("On Dan’s tile")
    seated.choose("Value only")
    han = page.get_by_label("Ben: han", exact=True)
    if seated.touch:  # a keyboard on the screen would hide the page
        han.wait_for()
        expect(han).not_to_be_focused()
        han.fill("3")
    else:
        expect(han).to_be_focused()
        page.keyboard.type("3")
    page.keyboard.press("Enter")
    expect(page.locator(".table.pays .arrows")).to_have_attribute("aria-label", f"Dan pays Ben 3{GAP}900")
    expect(page.get_by_role("button", name="Book this deal", exact=True)).to_be_enabled()
    expect(page.locator("tfoot td")).to_have_count(0)  # nothing is booked before the value can be seen
    seated.stand_still()
    page.get_by_label("Ben: han", exact=True).press("Enter")
    expect_totals(seated, 25000, 28900, 25000, 21100)
    seated.choose("Points")
    points = page.get_by_role("spinbutton", name="Ann", exact=True)
    points.wait_for()
    (expect(points).not_to_be_focused if seated.touch else expect(points).to_be_focused)()


def test_two_quick_taps_are_two(taps: Taps, seated: Visitor) -> None:  # noqa: F811
    """The second one means what its seat says after the answer to the first."""
    page = seated.page
    page.locator(".sit").first.wait_for()
    page.evaluate(
        """() => {
          const roots = [...document.querySelectorAll("*")].map((node) => node.shadowRoot ?? node);
          const seat = (at) => roots.map((root) => root.querySelector?.(`.sit[data-at="${at}"]`)).find(Boolean);
          seat("B").click();
          seat("D").click();
        }"""
    )
    expect(page.locator(".seat.won")).to_contain_text("Ben")
    expect(page.locator(".seat.paid")).to_contain_text("Dan")
    assert taps.count == 0


def test_the_hand_page_books_into_the_game(taps: Taps, seated: Visitor) -> None:  # noqa: F811
    """Tap Hand, the photo, the shutter, the winner, the discarder, Book: the score stands there before the booking."""
    page = seated.page
    taps.tap(page.get_by_role("link", name="Hand"))
    page.get_by_role("button", name="Photograph the hand").first.wait_for()
    page.locator("[data-testid=stFileUploaderDropzoneInput]").first.set_input_files(PHOTO)
    page.locator(".strip .tile").nth(13).wait_for()
    page.locator(".ts-range").wait_for()
    seated.keep_picture("taps_hand_range")
    taps.tap(page.get_by_label("Who won", exact=True).get_by_text("Ben"))
    page.locator(".ts-total strong").wait_for()
    taps.tap(page.get_by_label("On whose tile", exact=True).get_by_text("Dan"))
    expect(page.locator(".ts-payments .ts-gets")).to_contain_text("Ben")
    expect(page.locator(".ts-payments .ts-pays")).to_have_count(1)
    expect(page.locator(".ts-payments .ts-pays")).to_contain_text("Dan")
    seated.stand_still()
    seated.keep_picture("taps_hand_named")
    taps.tap(page.get_by_role("button", name="Book for Ben", exact=True))
    page.locator(".ts-quietly", has_text="This hand is booked as deal 1.").wait_for()
    seated.keep_picture("taps_hand_booked")
    expect(page.get_by_role("button", name="Undo it", exact=True)).to_be_visible()
    taps.tap(page.get_by_role("link", name="Table"))
    expect(page.locator("tr.what")).to_have_count(1)
    assert taps.count == 5
