"""The page can be installed, and says in plain words when its server is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from benchmarks.harness.app_process import PATIENCE, running_app
from tests.e2e.conftest import SIZES, Visitor

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", SIZES)
def test_a_server_that_is_gone_is_told_in_plain_words(size: str, browser: Browser, tmp_path: Path) -> None:
    context = browser.new_context(**SIZES[size])
    context.set_default_timeout(30_000 * PATIENCE)
    visitor = Visitor(context.new_page(), size == "phone")
    with running_app(tmp_path) as address:
        visitor.page.goto(address)
        visitor.page.locator(".strip").wait_for()
        manifest = visitor.page.locator('link[rel="manifest"]').get_attribute("href")
        answer = visitor.page.request.get(f"{address}{manifest}")
        assert answer.json()["display"] == "standalone"
        assert visitor.page.request.get(f"{address}{answer.json()['icons'][0]['src']}").ok
    dialog = visitor.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Tilescore is not running", timeout=30_000 * PATIENCE)
    expect(dialog).not_to_contain_text("Is Streamlit still running")
    visitor.keep_picture("gone")
    context.close()
