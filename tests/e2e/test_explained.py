"""Waits are buttons; every point is explained where one looks; house rules stay."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.test_dragging import show
from tests.e2e.test_return import show_photo
from tests.e2e.test_table import set_up
from tests.harness.app_process import ROOT

if TYPE_CHECKING:
    from tests.e2e.conftest import Visitor

pytestmark = pytest.mark.browser
SAMPLES = ROOT / "datasets" / "sample"


@pytest.mark.empty_table
def test_thirteen_tiles_finish_with_one_tap(visitor: Visitor) -> None:
    page = visitor.page
    visitor.type_hand("123m456m789m55p55z")
    waits = page.locator(".choices .choice")
    expect(waits).to_have_count(2)
    expect(waits.nth(1)).to_contain_text(re.compile(r"\d"))
    visitor.keep_picture("waits")
    visitor.press(waits.nth(1))
    expect(page.locator(".strip .group.winning .tile")).to_have_attribute("aria-label", re.compile("white dragon"))
    expect(visitor.total).to_be_visible()


def test_thirteen_tiles_of_a_photo_finish_with_one_tap_and_keep_the_photo(visitor: Visitor) -> None:
    page = visitor.page
    show_photo(visitor, SAMPLES / "riichi_closed.jpg")
    expect(visitor.tiles).to_have_count(14)
    visitor.choose("Riichi")
    visitor.press(visitor.tiles.last)
    visitor.press(page.locator("dialog .chip", has_text="Not this hand"))
    expect(visitor.tiles).to_have_count(13)
    visitor.press(page.locator(".choices .choice").last)
    expect(visitor.tiles).to_have_count(14)
    expect(page.locator(".photo image").first).to_be_visible()
    expect(page.locator(".strip .tile.unseen")).to_have_count(1)
    expect(visitor.total).to_be_visible()
    visitor.keep_picture("finished")


@pytest.mark.empty_table
def test_nobody_is_asked_for_a_winning_tile_of_no_win(visitor: Visitor) -> None:
    visitor.type_hand("123456789m55p557z")
    expect(visitor.page.locator(".ts-none h2")).to_have_text("Not a win")
    expect(visitor.page.locator(".st-key-which_won")).to_have_count(0)
    expect(visitor.page.locator(".choices .choice").first).to_be_visible()


def test_fu_and_payments_are_explained(visitor: Visitor) -> None:
    page = visitor.page
    visitor.choose("Riichi")
    fu = page.get_by_text("Fu, item by item")
    show(fu)
    visitor.press(fu)
    expect(page.get_by_text("Rounded up")).to_be_visible()
    visitor.keep_picture("fu")
    visitor.type_hand("123m456m789m55p (555z<5z) +9m")
    for name in ("Classical", "Simplified", "MCR", "Riichi"):
        visitor.choose(name)
        expect(page.locator(".ts-payments")).to_have_count(1)  # the page may show the earlier ones for a moment


@pytest.mark.empty_table
@pytest.mark.parametrize("visitor", ["phone"], indirect=True)
@pytest.mark.parametrize("width", [360, 320])
def test_the_fourteen_tiles_of_a_line_stand_in_one_row(visitor: Visitor, width: int) -> None:
    visitor.page.set_viewport_size({"width": width, "height": 800})
    visitor.type_hand("234m345678p22567s +7s")
    line = visitor.page.locator("button.line", has_text="All Simples")
    expect(line.locator("img")).to_have_count(14)
    boxes = line.locator("img").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().toJSON())")
    assert len({box["top"] for box in boxes}) == 1
    assert min(box["width"] for box in boxes) >= 15
    assert boxes[-1]["right"] <= width


@pytest.mark.parametrize("visitor", ["phone"], indirect=True)
def test_a_tapped_line_shows_its_tiles_while_the_photo_is_out_of_view(visitor: Visitor) -> None:
    page = visitor.page
    show(page.locator("button.line").last)
    visitor.press(page.locator("button.line").first)
    expect(page.locator("button.line[aria-pressed=true]")).to_be_visible()
    show(page.locator("button.line").last)
    expect(page.locator(".peek.shown")).to_be_visible()
    visitor.keep_picture("peek")
    show(page.locator(".photo"))
    expect(page.locator(".peek.shown")).to_have_count(0)


def test_house_rules_are_remembered_with_the_ruleset(visitor: Visitor) -> None:
    page = visitor.page
    visitor.choose("Riichi")
    visitor.press(page.get_by_text("House rules", exact=True))
    visitor.press(page.get_by_text("Red fives are worth 1 han each"))
    expect(page.get_by_text("House rules: 1 change")).to_be_visible()
    visitor.keep_picture("house")
    page.wait_for_timeout(500)
    page.reload()
    expect(page.get_by_text("House rules: 1 change")).to_be_visible()
    visitor.press(page.get_by_role("link", name="Table"))
    set_up(visitor)
    expect(page.get_by_role("radio", name="Riichi", exact=True)).to_be_checked()
