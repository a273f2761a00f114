"""A browser that refuses every socket of a shared app, as Apple's phones do, uses it all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.harness.app_process import PHONE, ROOT, running_app

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
PASSPHRASE = "three odd wooden spoons"  # noqa: S105  # opens nothing but this test
REFUSED = """globalThis.asked = 0;
globalThis.WebSocket = class { constructor() { asked++; setTimeout(() => this.onclose({ code: 1006 }), 20); } };"""
"""JavaScript that makes a browser refuse sockets."""


def test_a_phone_that_refuses_sockets_scores_a_photo(browser: Browser, tmp_path: Path) -> None:
    with (
        running_app(tmp_path / "games", "--share-lan", TILESCORE_PASSPHRASE=PASSPHRASE) as address,
        browser.new_context(**PHONE, ignore_https_errors=True, reduced_motion="reduce") as context,
    ):
        context.add_init_script(REFUSED)
        page = context.new_page()
        page.goto(address)
        page.get_by_label("Passphrase").fill(PASSPHRASE)
        page.get_by_role("button", name="Come in").tap()
        page.locator(".ts-start").wait_for()
        assert page.evaluate("asked") == 1, "one refusal is enough"
        page.locator("input[type=file]").set_input_files(ROOT / "datasets" / "sample" / "flowers_kong.jpg")
        page.locator(".strip .tile").nth(16).wait_for()
        for name, drawn in (("Compare", ".ts-side"), ("Fans", ".fan >> nth=20"), ("Hand", ".strip .tile >> nth=16")):
            page.get_by_role("link", name=name, exact=True).tap()
            page.locator(drawn).first.wait_for()
        page.reload()
        page.locator(".strip .tile").nth(16).wait_for()
        expect(page.locator(".stApp[data-test-script-state=notRunning]")).to_be_visible()
