"""The page can be installed, and says in plain words when its server is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import SIZES, Tabs, Visitor
from tests.harness.app_process import PATIENCE, running_app

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])  # Streamlit's words differ
def test_a_server_that_is_gone_is_told_in_plain_words(host: str, tabs: Tabs, port: int, tmp_path: Path) -> None:
    with tabs.visit(**SIZES["phone"]) as page:
        with running_app(tmp_path, port=port) as address:
            page.goto(address.replace("localhost", host))
            page.locator("input[type=file]").wait_for(state="attached")
            manifest = page.locator('link[rel="manifest"]').get_attribute("href")
            answer = page.request.get(f"{address}/{manifest}")
            assert answer.json()["display"] == "standalone"
            for icon in answer.json()["icons"]:
                assert page.request.get(f"{address}/{icon['src']}").headers["content-type"] == icon["type"]
            expect(page).to_have_title("Hand · Tilescore")
            page.get_by_role("link", name="Fans").tap()
            expect(page).to_have_title("Fans · Tilescore")
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("Tilescore is not running", timeout=30_000 * PATIENCE)
        expect(dialog).not_to_contain_text("Streamlit")
        Visitor(page, touch=True).keep_picture("gone")
