"""The first minute: where to start, the score without scrolling, and nothing that jumps."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING, Final

import cv2
import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visitor
from tests.e2e.test_table import NAMES
from tests.harness.app_process import DESK, PHONE, ROOT
from tilescore.scoring.context import Seat
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.traits import KnownValue

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.e2e.conftest import Tabs
    from tilescore.ui.storage.ledger_store import LedgerStore

pytestmark = pytest.mark.browser
PHOTO: Final = ROOT / "datasets" / "sample" / "riichi_closed.jpg"
NEXT: Final = ROOT / "datasets" / "sample" / "discard_pond.jpg"
MOST_SHIFT: Final = 0.1
OPENING_SHIFT: Final = 0.06
"""What a page may do that opens: it is shown once its parts have their sizes. 0.00 to 0.05 on a busy machine."""
LEAST_SHIFT: Final = 0.02
"""What a page may do that shows another picture in the same place."""
LEAST_WIDE: Final = 40
"""CSS pixels of a tile of the hand."""
DEALS: Final = 8
GAMES: Final = 4
SHIFT: Final = """
  if (window.shift === undefined) {
    window.shift = 0;
    new PerformanceObserver((list) => {
      for (const one of list.getEntries()) if (!one.hadRecentInput) window.shift += one.value;
    }).observe({ type: "layout-shift", buffered: true });
  }
"""
"""JavaScript that adds up what jumps, once for a page: a tab that is used again keeps its earlier scripts."""
SIZES: Final = {
    "narrow": {**PHONE, "viewport": {"width": 360, "height": 740}},
    "phone": PHONE,
    "lying": {**PHONE, "viewport": {"width": 844, "height": 390}},
    "tablet": {**PHONE, "viewport": {"width": 768, "height": 1024}},
    "desk": DESK,
}


def shift(page: Page) -> float:
    """How much has jumped since the last question, as the browser counts it, once the page stands still."""
    page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
    page.wait_for_timeout(600)
    return float(page.evaluate("() => { const sum = window.shift; window.shift = 0; return sum; }"))


def slow(photo: Path, folder: Path) -> Path:
    """The photo so large that the page says meanwhile that it is read: Streamlit does after half a second."""
    small = cv2.imread(str(photo))
    assert small is not None
    large = cv2.resize(small, None, fx=4, fy=4, interpolation=cv2.INTER_NEAREST)
    cv2.imwrite(str(folder / "slow.png"), large, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    return folder / "slow.png"


@pytest.mark.parametrize("size", SIZES)
def test_nothing_jumps_and_the_score_is_in_sight(size: str, tabs: Tabs, address: str, tmp_path: Path) -> None:
    with tabs.visit(**SIZES[size]) as page:
        page.add_init_script(SHIFT)
        page.goto(address)
        page.locator(".ts-start").wait_for()
        assert shift(page) <= MOST_SHIFT, "on load"
        field = page.get_by_test_id("stFileUploaderDropzoneInput")
        assert "image/*" in str(field.get_attribute("accept")), "a phone offers its camera"
        field.set_input_files(PHOTO)
        page.locator(".ts-total strong").wait_for()
        assert shift(page) <= MOST_SHIFT, "on upload"
        box = page.locator(".ts-total").first.bounding_box()
        height = page.evaluate("innerHeight - (innerWidth <= 640 ? 70 : 0)")
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height, "the total, above the pages' bar"
        expect(page.get_by_test_id("stFileChip")).to_be_hidden()
        if size == "phone":
            hand = page.locator(".canvas").get_attribute("data-hand") or ""
            field.set_input_files(slow(NEXT, tmp_path))
            expect(page.locator(".canvas")).not_to_have_attribute("data-hand", hand)
            assert shift(page) <= LEAST_SHIFT, "the score keeps its place while the next photo is read"
            sides = page.locator(".photo .box .edge").evaluate_all(
                "all => all.map((one) => one.getBoundingClientRect().width)"
            )
            assert min(sides) >= LEAST_WIDE, "the hand is shown in lines where other tiles would make it small"
        page.reload()
        page.locator(".ts-total strong").wait_for()
        expect(page.locator(".photo image").first).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_no_page_jumps_while_it_opens(size: str, tabs: Tabs, address: str, ledger: LedgerStore) -> None:
    game = Game.new("riichi", NAMES)
    for _ in range(DEALS):
        won = Deal(winner=Seat.SOUTH, discarder=Seat.NORTH, hands={})
        game = game.play(won, values={Seat.SOUTH: KnownValue(han=1, fu=30)})
    begun = [ledger.begin(game) for _ in range(GAMES)][-1]
    places = {
        "?hand=234m340678p22567s+%2B7s": ".strip .tile",
        "table": "[class*=st-key-games-open]",
        f"table?game={begun.id}": ".table .seat",
        "live": ".tap button",
    }
    with tabs.visit(**SIZES[size]) as page:
        page.add_init_script(SHIFT)
        jumps = {}
        for place, drawn in places.items():
            page.goto(f"{address}/{place}")
            page.locator(drawn).first.wait_for()
            jumps[place] = shift(page)
        assert max(jumps.values()) <= OPENING_SHIFT, jumps


def test_a_photo_is_pasted_and_another_dropped_anywhere(visitor: Visitor) -> None:
    page = visitor.page
    for event, name, tiles in (("paste", "flowers_kong", 17), ("drop", "winning_hand", 14)):
        data = base64.b64encode((ROOT / "datasets" / "sample" / f"{name}.jpg").read_bytes()).decode()
        page.evaluate(
            """([event, data, name]) => {
              const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0)), given = new DataTransfer();
              given.items.add(new File([bytes], `${name}.jpg`, { type: "image/jpeg" }));
              const many = { bubbles: true, cancelable: true };
              document.querySelector(".ts-head").dispatchEvent(event === "paste"
                ? new ClipboardEvent(event, { ...many, clipboardData: given })
                : new DragEvent(event, { ...many, dataTransfer: given }));
            }""",
            [event, data, name],
        )
        expect(visitor.tiles).to_have_count(tiles)


def test_the_pill_shows_the_total_only_where_the_total_is_out_of_sight(visitor: Visitor) -> None:
    page = visitor.page
    if not visitor.touch:
        return
    pill = page.locator(".ts-bar")
    expect(pill).to_be_hidden()
    page.get_by_role("button", name="Share", exact=True).scroll_into_view_if_needed()
    expect(pill).to_be_visible()
    visitor.keep_picture("pill")


COUNTING: Final = """
  const now = performance.now.bind(performance), frame = window.requestAnimationFrame.bind(window);
  performance.now = () => now() / 4; // the page's clock is slow, so that a busy machine shows the steps, too
  window.requestAnimationFrame = (next) => frame((at) => next(at / 4));
  window.shown = [];
  new MutationObserver(() => {
    const total = document.querySelector(".ts-total strong[data-shown]");
    if (total) window.shown.push([total.dataset.shown, total.textContent]);
  }).observe(document, { attributes: true, subtree: true, attributeFilter: ["data-shown"] });
"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_total_counts_up_once_unless_motion_is_unwanted(motion: str, tabs: Tabs, address: str) -> None:
    with tabs.visit(**PHONE, reduced_motion=motion) as page:
        page.add_init_script(SHIFT + COUNTING)
        page.goto(address)
        page.locator(".ts-start").wait_for()
        shift(page)
        page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(PHOTO)
        page.locator("button.line").first.wait_for()
        expect(page.locator(".ts-total strong[data-shown]")).to_have_count(0)
        assert shift(page) <= MOST_SHIFT
        numbers = [int(re.sub(r"\D", "", shown)) for shown, _ in page.evaluate("window.shown")]
        assert numbers == sorted(numbers)
        assert (len({*numbers}) > 3) == (motion == "no-preference")
        total = page.locator(".ts-total strong").first.inner_text()
        assert {true for _, true in page.evaluate("window.shown")} <= {total}, "the page says the true number meanwhile"
        page.evaluate("window.shown = []")
        page.get_by_role("radio", name="Riichi", exact=True).tap()
        expect(page.locator(".ts-total strong")).not_to_have_text(total)
        assert page.evaluate("window.shown") == [], "once for each hand"
        page.reload()
        page.locator("button.line").first.wait_for()
        page.wait_for_timeout(300)
        assert page.evaluate("window.shown") == [], "not again"
