"""The app starts anew under open pages: what they show is true, and no press is lost without a word."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visitor
from tests.harness.app_process import PHONE, running_app
from tests.harness.restarts import PLACES, WAYS, Server, opened, restart

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.e2e.conftest import Tabs

pytestmark = pytest.mark.browser
TRIED = ("hand, typed", "fans", "annotate", "history")
"""`python -m benchmarks.restarts` tries every page, and more often."""
AGAIN = "Connected again"


@pytest.fixture
def server(tmp_path: Path, port: int) -> Iterator[Server]:
    """The app, which a test restarts."""
    server = Server(tmp_path, port)
    server.start()
    yield server
    server.end()


def test_no_page_is_stale_after_a_restart(browser: Browser, server: Server) -> None:
    draw, found = random.Random(3), Counter[str]()
    pages = opened(browser, server.address, [place for place in (*PLACES, *WAYS) if place.name in TRIED])
    for moment in ("soon", "often"):
        found += restart(server, pages, moment=moment, draw=draw)
    for one in pages:
        one.page.context.close()
    assert found.total() == 2 * len(pages) >= 2 * len(TRIED)
    assert all(fate.startswith("true") for fate in found), found


def test_a_page_without_its_server_takes_no_press_and_says_afterwards_that_it_does(
    tabs: Tabs, port: int, tmp_path: Path
) -> None:
    with tabs.visit(**PHONE) as page:
        with running_app(tmp_path, port=port) as address:
            page.goto(address)
            Visitor(page, touch=True).open_sample()
            page.locator("#score").wait_for()
            page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
            page.wait_for_load_state("networkidle")
            expect(page.get_by_text(AGAIN)).to_have_count(0)
        expect(page.locator(".stApp")).to_have_js_property("inert", True)
        expect(page.get_by_text("Tilescore is not running")).to_be_visible()
        with running_app(tmp_path, port=port):
            expect(page.get_by_text(AGAIN)).to_be_visible()
            expect(page.locator(".stApp")).to_have_js_property("inert", False)
            expect(page.locator("#score")).to_be_visible()
            place = page.get_by_text(AGAIN).bounding_box()
            assert place is not None
            page.touchscreen.tap(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
            expect(page.get_by_text(AGAIN)).to_have_count(0)  # a tap on a message does not keep it
