"""What is pressed after a photo was chosen, while it travels and is read, holds for that photo."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import SIZES, Tabs, Visitor
from tests.e2e.test_return import upload
from tests.harness.app_process import ROOT, running_app

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.browser
PHOTO: Final = (ROOT / "datasets" / "sample" / "discard_pond.jpg").read_bytes()
SLOW: Final = """
import time
from tilescore.ui.cli.main import main
from tilescore.ui.services import photo_reading
read = photo_reading._read
def slowly(*photo):
    time.sleep(1)
    return read(*photo)
photo_reading._read = slowly
main()
"""
"""The app on a machine that takes a second to read a photo."""
FOURTH: Final = {"won": 3, "seat": 3, "occasions": 1}
"""By field the place of the button to press."""


@pytest.fixture(scope="module")
def slow_tabs(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Tabs]:
    with running_app(tmp_path_factory.mktemp("games"), start=("-c", SLOW)) as address:
        yield Tabs(browser, address)


def pressed(visitor: Visitor, field: str) -> Locator:
    """The buttons of that field that are on."""
    return visitor.page.locator(f'.st-key-{field} :is([aria-checked="true"], [aria-pressed="true"])')


def at(visitor: Visitor, field: str) -> Locator:
    return visitor.page.locator(f".st-key-{field} :is([role=radio], [aria-pressed])").nth(FOURTH[field])


@contextmanager
def uploads(page: Page, *, slowly: bool) -> Iterator[None]:
    """Files that this page sends travel for a second, if `slowly`."""
    wire = page.context.new_cdp_session(page)
    usual = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    wire.send("Network.enable")
    if slowly:
        wire.send("Network.emulateNetworkConditions", usual | {"latency": 5, "uploadThroughput": len(PHOTO)})
    yield
    wire.send("Network.emulateNetworkConditions", usual)
    wire.detach()


@pytest.mark.parametrize(
    ("field", "travels", "size"),
    [  # each size meets each field and each way of travelling
        pytest.param(
            field, travels, tuple(SIZES)[(number + travels) % 2], id=f"{field}-{'on its way' if travels else 'read'}"
        )
        for number, field in enumerate(FOURTH)
        for travels in (False, True)
    ],
)
def test_a_press_is_about_the_photo_that_was_chosen(size: str, *, travels: bool, field: str, slow_tabs: Tabs) -> None:
    with slow_tabs.visit(**SIZES[size]) as page:
        visitor = Visitor(page, "has_touch" in SIZES[size])
        page.goto(slow_tabs.address)
        visitor.open_sample()
        visitor.choose("Riichi")
        expect(pressed(visitor, "occasions")).to_have_count(1)  # the sample was won with riichi
        with uploads(page, slowly=travels):
            upload(visitor, {"name": f"{size}{travels}{field}.jpg", "mimeType": "image/jpeg", "buffer": PHOTO})
            page.wait_for_timeout(300)
            own = page.locator('.strip .tile[aria-label^="9 of characters"]')
            expect(own).to_have_count(0)  # the sample is still shown
            visitor.press(at(visitor, field), at_once=True)
            expect(own).to_have_count(1)
        button = at(visitor, field)
        expect(button).to_have_attribute("aria-checked" if field != "occasions" else "aria-pressed", "true")
        page.wait_for_timeout(500)
        expect(pressed(visitor, field)).to_have_count(1)
        expect(pressed(visitor, "occasions")).to_have_count(int(field == "occasions"))


def test_a_sheet_about_a_tile_closes_when_another_hand_comes(slow_tabs: Tabs) -> None:
    with slow_tabs.visit(**SIZES["desk"]) as page:
        visitor = Visitor(page, touch=False)
        page.goto(slow_tabs.address)
        visitor.open_sample()
        upload(visitor, {"name": "sheet.jpg", "mimeType": "image/jpeg", "buffer": PHOTO})
        visitor.press(visitor.tiles.last, at_once=True)
        expect(page.locator("dialog")).to_have_count(1)
        expect(page.locator('.strip .tile[aria-label^="9 of characters"]')).to_have_count(1)
        expect(page.locator("dialog")).to_have_count(0)
