"""From the photo to the score with a finger on a phone and with a mouse at a desk."""

from __future__ import annotations

import re
from math import ceil
from statistics import median
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.test_dragging import box_of
from tests.harness.app_process import patience

if TYPE_CHECKING:
    from tests.e2e.conftest import Visitor

pytestmark = pytest.mark.browser
LEAST_WIDE = 40
"""CSS pixels of a tile."""
ROW = 17
"""So many times as long as its narrowest tile is wide is the row of the sample."""
CHANGE_MS = 150
CHANGED = """(button) => new Promise((done) => {
  const shown = () => document.querySelector(".ts-total strong")?.textContent;
  const before = shown(), began = performance.now();
  const look = () => (shown() === before ? requestAnimationFrame(look) : done(performance.now() - began));
  button.click();
  look();
})"""
"""JavaScript that presses the button and gives the milliseconds until the page shows another total, or none."""
HAND = "123456m11m789m (222m<2m) +9m"


def test_sample_is_read_corrected_and_undone(visitor: Visitor) -> None:
    page = visitor.page
    expect(page.locator(".photo .box").first).to_be_visible()
    expect(page.locator(".ts-card")).to_be_visible()
    widths = page.locator(".photo .box .edge").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().width)"
    )
    assert min(widths) >= LEAST_WIDE, "a finger meets each tile, and an eye reads it"
    lines = ceil(LEAST_WIDE * ROW / box_of(page.locator(".photo"))["width"])
    expect(page.locator(".photo .line")).to_have_count(lines if lines > 1 else 0)
    visitor.keep_picture("start")
    before = visitor.strip()
    box = page.locator(".photo .box.concealed").first
    place = box.get_attribute("data-at")
    visitor.press(box)
    sheet = page.locator("dialog.sheet")
    expect(sheet).to_be_visible()
    visitor.keep_picture("sheet")
    page.go_back()
    expect(sheet).to_have_count(0)
    expect(page).to_have_url(re.compile(r"/$"))
    visitor.press(box)
    visitor.press(sheet.locator('.suit .tile[aria-label="9 of bamboo"]'))
    expect(sheet).to_have_count(0)
    changed = page.locator(f'.strip .tile[data-at="{place}"]')
    expect(changed).to_have_attribute("aria-label", re.compile("^9 of bamboo"))
    visitor.press(page.get_by_role("button", name="Undo"))
    expect(changed).not_to_have_attribute("aria-label", re.compile("^9 of bamboo"))
    visitor.expect_strip(before)


def test_the_sheet_of_tiles_is_used_by_keys(visitor: Visitor) -> None:
    page = visitor.page
    box = page.locator(".photo .box.concealed").first
    changed = page.locator(f'.strip .tile[data-at="{box.get_attribute("data-at")}"]')
    sheet = page.locator("dialog.sheet")
    visitor.press(box)
    expect(sheet).to_be_visible()
    page.keyboard.press("s")
    page.keyboard.press("9")
    expect(sheet).to_have_count(0)
    expect(changed).to_have_attribute("aria-label", re.compile("^9 of bamboo"))
    visitor.press(changed)
    expect(sheet).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(sheet.locator(".tile:focus")).to_have_attribute("data-tile", "9s")
    page.keyboard.press("ArrowLeft")
    expect(sheet.locator(".tile:focus")).to_have_attribute("data-tile", "8s")
    page.keyboard.press("ArrowDown")
    expect(sheet.locator(".tile:focus")).not_to_have_attribute("data-tile", re.compile("s$"))
    page.keyboard.press("ArrowUp")
    expect(sheet.locator(".tile:focus")).to_have_attribute("data-tile", "8s")
    page.keyboard.press("Enter")
    expect(changed).to_have_attribute("aria-label", re.compile("^8 of bamboo"))


def test_score_follows_every_change(visitor: Visitor) -> None:
    page = visitor.page
    visitor.choose("Classical")
    visitor.type_hand(HAND)
    expect(visitor.total).to_be_visible()
    first = visitor.total.inner_text()
    visitor.press(visitor.tiles.nth(9))
    visitor.press(page.locator("dialog .chip", has_text="Remove"))
    expect(page.locator(".ts-none")).to_be_visible()
    times = []
    for name in ("Undo", "Redo") * 3:
        button = page.get_by_role("button", name=name, exact=True)
        expect(button).to_be_enabled()
        times.append(float(button.evaluate(CHANGED)))
    print(f"a change of the hand: {median(times):.0f} ms")  # noqa: T201  # the promise of the page
    assert median(times) <= CHANGE_MS * patience()
    visitor.press(page.get_by_role("button", name="Undo"))
    expect(visitor.total).to_have_text(first)
    visitor.press(page.locator("button.line").first)
    expect(page.locator(".strip .tile.lit").first).to_be_visible()
    visitor.keep_picture("line")
    visitor.choose("Simplified")
    expect(visitor.total).not_to_have_text(first)


@pytest.mark.empty_table
def test_unknown_winning_tile_takes_one_tap(visitor: Visitor) -> None:
    visitor.type_hand("123456789m55p555z")
    visitor.press(visitor.page.locator('.row .tile[aria-label="9 of characters"]'))
    expect(visitor.total).to_be_visible()
    expect(visitor.page.locator(".strip .group.winning .tile")).to_have_count(1)


def test_missed_tile_is_drawn(visitor: Visitor) -> None:
    page = visitor.page
    count = len(visitor.strip())
    visitor.press(page.get_by_role("button", name="Add tile"))
    photo = box_of(page.locator("svg.photo"))
    x, y = photo["x"] + photo["width"] * 0.5, photo["y"] + photo["height"] * 0.86
    if visitor.touch:
        page.touchscreen.tap(x, y)
    else:
        page.mouse.move(x - 15, y - 20)
        page.mouse.down()
        page.mouse.move(x + 15, y + 20, steps=4)
        page.mouse.up()
    visitor.press(page.locator('dialog .suit .tile[aria-label="east wind"]'))
    expect(page.locator(".photo .box")).to_have_count(count + 1)


@pytest.mark.empty_table
def test_everything_works_from_the_keyboard(visitor: Visitor) -> None:
    page = visitor.page
    visitor.type_hand("123m456m789m55p55z")
    expect(visitor.tiles).to_have_count(13)
    page.get_by_role("button", name="Add tile").focus()
    page.keyboard.press("Enter")
    page.locator('dialog .suit .tile[aria-label="white dragon"]').focus()
    page.keyboard.press("Enter")
    expect(visitor.tiles).to_have_count(14)
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    visitor.tiles.first.focus()
    page.keyboard.press("Control+z")
    expect(visitor.tiles).to_have_count(13)


def test_page_never_scrolls_sideways_and_targets_are_large(visitor: Visitor) -> None:
    page = visitor.page
    page.locator("button.line").first.wait_for()
    sides = "all => all.map((one) => one.getBoundingClientRect()).map((box) => Math.min(box.width, box.height))"
    for width in (360, 390, 768, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= width
        assert min(page.locator(".canvas button, .lines button").evaluate_all(sides)) >= 43.9, width
