"""Dora from the photo: what lies like an indicator is offered, counts after one tap, and can be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import SIZES, Visitor
from tilescore.datasets.sample import SAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.e2e.conftest import Tabs

pytestmark = pytest.mark.browser
_BACK: Final = (slice(668, 842), slice(1458, 1588))
"""Where a face-down tile lies in the sample `flowers_kong`: rows and columns of pixels."""
_SIX_OF_DOTS: Final = (slice(636, 826), slice(832, 962))
"""Where that tile lies in the sample `riichi_closed`."""


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The hand of a sample below a wall in which the 6 of dots is turned up."""
    table, other = (cv2.imread(str(SAMPLES / f"{name}.jpg")) for name in ("riichi_closed", "flowers_kong"))
    assert table is not None
    assert other is not None
    back, face = cv2.resize(other[_BACK], (134, 170)), cv2.resize(table[_SIX_OF_DOTS], (134, 190))
    for place, tile in enumerate((back, back, face, back, back, back)):
        left = 500 + 136 * place
        table[160 : 160 + tile.shape[0], left : left + tile.shape[1]] = tile
    path = tmp_path_factory.mktemp("photos") / "wall.jpg"
    cv2.imwrite(str(path), table)
    return path


@pytest.fixture(params=SIZES)
def scorer(request: pytest.FixtureRequest, tabs: Tabs, address: str, photo: Path) -> Iterator[Visitor]:
    """Somebody who scores that photo by the rules of riichi."""
    with tabs.visit(**SIZES[request.param]) as page:
        page.goto(address)
        page.locator(".ts-start").wait_for()
        visitor = Visitor(page, "has_touch" in SIZES[request.param])
        page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(photo)
        visitor.tiles.nth(13).wait_for()
        visitor.choose("Riichi")
        page.get_by_text("Dora indicators", exact=True).wait_for()
        yield visitor


def test_one_tap_counts_an_indicator_and_the_sheet_changes_it(scorer: Visitor) -> None:
    page = scorer.page
    offer = page.get_by_role("button", name="6 of dots: +1 han", exact=True)
    before = scorer.total.inner_text()
    page.keyboard.press("Home")
    expect(offer).to_be_in_viewport()
    scorer.keep_picture("indicator_offered")
    scorer.press(offer)
    dora = page.get_by_role("button", name="Remove 6 of dots", exact=True)
    expect(dora).to_have_count(1)
    expect(offer).to_have_count(0)
    expect(scorer.total).not_to_have_text(before)
    scorer.press(page.locator(".box.dora_indicator"))
    expect(page.get_by_role("dialog").get_by_role("button", name="Dora indicator", exact=True)).to_be_visible()
    scorer.keep_picture("indicator_roles")
    scorer.press(page.get_by_role("button", name="Ura-dora indicator", exact=True))
    expect(dora).to_have_count(0)
    expect(scorer.total).to_have_text(before)
    scorer.press(page.get_by_role("button", name="Undo", exact=True))
    expect(dora).to_have_count(1)


def test_what_is_no_indicator_is_not_asked_about_again(scorer: Visitor) -> None:
    page = scorer.page
    scorer.press(page.get_by_role("button", name="No indicator", exact=True))
    expect(page.get_by_text("Dora indicator? Tap it to count it.")).to_have_count(0)
    expect(scorer.tiles).to_have_count(14)


def test_a_kong_without_its_indicator_is_a_doubt(visitor: Visitor) -> None:
    page = visitor.page
    visitor.choose("Riichi")
    page.get_by_text("Dora indicators", exact=True).wait_for()
    visitor.type_hand("234m345p678p77s (5555z) +7s")
    expect(page.locator(".ts-doubt")).to_have_text("Each kong opens one more dora indicator: 0 of 2 named.")
    expect(page.get_by_role("status")).to_contain_text("Each kong opens one more dora indicator: 0 of 2 named.")
    visitor.keep_picture("indicator_kong")
