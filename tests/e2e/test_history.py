"""Past hands are found, opened and deleted; players have statistics; everything goes out and comes in again."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import SIZES, Tabs, Visitor
from tests.e2e.test_return import PHOTO, upload
from tests.e2e.test_table import begin, press
from tests.e2e.test_table_together import book_value
from tests.harness.app_process import running_app

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.browser


@pytest.fixture(params=SIZES)
def guest(request: pytest.FixtureRequest, tabs: Tabs, port: int, tmp_path: Path) -> Iterator[Visitor]:
    """Somebody with an app of their own, where nothing was before."""
    with running_app(tmp_path, port=port) as address, tabs.visit(**SIZES[request.param]) as page:
        page.goto(address)
        yield Visitor(page, "has_touch" in SIZES[request.param])


def score_two_hands(visitor: Visitor) -> None:
    """A photo in riichi, a typed hand in the classical rules."""
    upload(visitor, PHOTO)
    expect(visitor.page.locator(".strip .group.meld .tile")).to_have_count(3)
    visitor.choose("Riichi")
    expect(visitor.total).to_be_visible()
    press(visitor, "Tiles")
    expect(visitor.tiles).to_have_count(0)
    visitor.choose("Classical")
    visitor.type_hand("123m456m789m55p (555z<5z) +9m")
    expect(visitor.total).to_be_visible()


def open_history(visitor: Visitor) -> None:
    visitor.press(visitor.page.get_by_role("link", name="History", exact=True))
    visitor.page.get_by_role("tab", name="Players").wait_for()


def test_past_hands_are_found_opened_and_deleted(guest: Visitor) -> None:
    page = guest.page
    score_two_hands(guest)
    open_history(guest)
    cards = page.locator('[class*="st-key-ts_past_"]')
    expect(cards).to_have_count(2)
    for name in ("Open", "Delete for good"):
        of_a_hand = re.compile(f"^{name}: (Riichi|Classical) · ")
        expect(page.get_by_role("button", name=of_a_hand)).to_have_count(2)
    guest.keep_picture("history")
    search = page.get_by_role("textbox", name="Search")
    search.fill("riichi")
    search.press("Enter")
    expect(cards).to_have_count(1)
    expect(cards.locator("img.photo")).to_be_visible()
    guest.press(cards.get_by_role("button", name="Open"))
    expect(page.locator(".photo image").first).to_be_visible()
    expect(page.get_by_role("radio", name="Riichi", exact=True)).to_be_checked()
    open_history(guest)
    expect(cards).to_have_count(2)
    guest.press(cards.first.get_by_role("button", name="Delete for good"))
    expect(page.get_by_text("1 hand and its photo are deleted for good")).to_be_visible()
    guest.press(page.get_by_role("button", name="Yes, delete for good"))
    expect(cards).to_have_count(1)
    guest.press(page.get_by_text("Delete all hands for good"))
    expect(page.get_by_text("deleted for good")).to_be_visible()
    guest.press(page.get_by_role("button", name="Yes, delete for good"))
    expect(cards).to_have_count(0)


def test_players_and_copies(guest: Visitor, tmp_path: Path) -> None:
    page = guest.page
    guest.type_hand("123456789m234s55p +4s")
    expect(guest.total).to_be_visible()
    guest.press(page.get_by_role("link", name="Table"))
    begin(guest, "MCR")
    book_value(guest, "Ben", "20")
    expect(page.locator("tbody tr.sums")).to_have_count(1)
    guest.press(page.get_by_role("button", name="All games"))
    guest.press(page.get_by_role("button", name="Players"))
    guest.press(page.get_by_role("tab", name="Players"))
    expect(page.locator(".ts-player").first).to_contain_text("Ben")
    expect(page.locator(".ts-player").first).to_contain_text("100%")
    expect(page.get_by_role("img", name=re.compile("^Points over the deals"))).to_be_visible()
    guest.keep_picture("players")
    guest.press(page.get_by_role("tab", name="Copies"))
    with page.expect_download() as download:
        guest.press(page.get_by_role("button", name="Export everything"))
    copy = tmp_path / "copy.json"
    download.value.save_as(copy)
    assert len(json.loads(copy.read_text())["games"]) == 1
    field = page.locator("input[type=file]")
    field.set_input_files(copy)
    expect(page.get_by_text("already here: 2")).to_be_visible()
    field.set_input_files({"name": "pear.json", "mimeType": "application/json", "buffer": b'{"fruit": "pear"}'})
    expect(page.get_by_text("This file is not from Tilescore")).to_be_visible()
    guest.keep_picture("copies")
