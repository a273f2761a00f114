"""Nothing is lost and nothing leaks: a reload, a restarted server, a photo that cannot be read."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import SIZES, Tabs, Visitor
from tests.harness.app_process import PHONE, ROOT, patience, running_app

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
PHOTO = ROOT / "datasets" / "sample" / "winning_hand.jpg"
RELOAD_S = 2.0
HELD = """globalThis.sockets = [];
globalThis.WebSocket = class extends WebSocket { constructor(...given) { super(...given); sockets.push(this); } };"""
"""JavaScript that keeps the sockets of a page, for a test to close."""


def upload(visitor: Visitor, file: Any) -> None:
    """Choose a photo of one's own."""
    visitor.page.locator("input[type=file]").set_input_files(file)


def show_photo(visitor: Visitor, file: Any) -> None:
    """Choose a photo of one's own and wait until the page is about its hand: its fields and its tiles are."""
    field = visitor.page.locator(".st-key-won > [class*=st-key-won]").first  # one that has gone stays behind it a while
    canvas = visitor.page.locator(".canvas")
    before, hand = field.get_attribute("class") or "", canvas.get_attribute("data-hand") or ""
    upload(visitor, file)
    expect(field).not_to_have_class(before)
    expect(canvas).not_to_have_attribute("data-hand", hand)


def own_hand(visitor: Visitor) -> list[str]:
    """A photo of one's own, with one tile changed, by a player who is North, in riichi."""
    page = visitor.page
    show_photo(visitor, PHOTO)
    expect(page.locator(".strip .group.meld .tile")).to_have_count(3)
    visitor.choose("Riichi")
    visitor.press(page.locator(".st-key-seat").get_by_role("radio").nth(3))
    visitor.press(visitor.tiles.first)
    visitor.press(page.locator('dialog .suit .tile[aria-label="9 of bamboo"]'))
    expect(
        visitor.tiles.filter(has=page.locator("xpath=self::*[starts-with(@aria-label, '9 of bamboo')]"))
    ).to_have_count(1)
    page.wait_for_timeout(500)
    return visitor.strip()


def expect_own_hand(visitor: Visitor, names: list[str]) -> None:
    page = visitor.page
    visitor.expect_strip(names)
    expect(page.locator(".photo image").first).to_be_visible()
    expect(page.get_by_role("radio", name="Riichi", exact=True)).to_be_checked()
    expect(page.locator(".st-key-seat").get_by_role("radio").nth(3)).to_be_checked()


def test_a_reload_brings_everything_back(visitor: Visitor) -> None:
    names = own_hand(visitor)
    begun = time.monotonic()
    visitor.page.reload()
    expect_own_hand(visitor, names)
    seconds = time.monotonic() - begun
    print(f"reload to the same state: {seconds:.2f} s")  # noqa: T201  # the promise of the page
    assert seconds < RELOAD_S * patience()
    visitor.keep_picture("reload")


def test_a_restarted_server_brings_everything_back(tabs: Tabs, port: int, tmp_path: Path) -> None:
    with tabs.visit(**SIZES["phone"]) as page:
        visitor = Visitor(page, touch=True)
        with running_app(tmp_path, port=port) as address:
            page.goto(address)
            visitor.open_sample()
            names = own_hand(visitor)
        with running_app(tmp_path, port=port):
            expect_own_hand(visitor, names)
            visitor.press(visitor.tiles.first)
            visitor.press(page.locator('dialog .suit .tile[aria-label="1 of bamboo"]'))
            expect(visitor.tiles.first).to_have_attribute("aria-label", re.compile("1 of bamboo"))


def test_a_photo_that_cannot_be_read_leaves_no_score(visitor: Visitor) -> None:
    expect(visitor.total).to_be_visible()
    upload(visitor, {"name": "note.jpg", "mimeType": "image/jpeg", "buffer": b"this is no picture"})
    expect(visitor.page.get_by_test_id("stAlert").filter(has_text="note.jpg").first).to_be_visible()  # not its chip
    expect(visitor.total).to_have_count(0)
    expect(visitor.tiles).to_have_count(0)
    visitor.keep_picture("unreadable")
    visitor.open_sample()
    expect(visitor.total).to_be_visible()


def test_the_sample_leaves_nothing_on_an_own_photo(visitor: Visitor) -> None:
    visitor.choose("Riichi")
    expect(visitor.page.locator('.st-key-occasions button[aria-pressed="true"]')).not_to_have_count(0)
    upload(visitor, PHOTO)
    expect(visitor.page.locator(".strip .group.meld .tile")).to_have_count(3)
    expect(visitor.page.locator(".st-key-seat").get_by_role("radio").nth(0)).to_be_checked()
    expect(visitor.page.locator('.st-key-occasions button[aria-pressed="true"]')).to_have_count(0)


@pytest.mark.parametrize("ms", [0, 200])
def test_a_photo_chosen_while_the_connection_breaks_is_read(ms: int, browser: Browser, address: str) -> None:
    """Phones cut the connection while their camera is open, and give the photo before the page is connected again."""
    with browser.new_context(**PHONE, reduced_motion="reduce") as context:
        context.add_init_script(HELD)
        page = context.new_page()
        page.goto(address)
        page.locator(".ts-start").wait_for()
        page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
        page.evaluate("sockets.at(-1).close()")
        page.wait_for_timeout(ms)
        page.locator("input[type=file]").set_input_files(PHOTO)
        page.locator(".strip .tile").nth(13).wait_for()
        assert page.evaluate("sockets.length") == 2
