"""Tiles dragged from one part of the hand to another, with the mouse and with a finger."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Locator

    from tests.e2e.conftest import Visitor

pytestmark = pytest.mark.browser
HOLD_MS = 400
# One step each: the app may draw an element anew between two steps, and one that has gone has no size.
INTO_VIEW = "node => node.scrollIntoView({ block: 'center' })"
BOX = """(node) => {
  const { x, y, width, height } = node.getBoundingClientRect();
  return node.isConnected && width > 0 && { x, y, width, height };
}"""


def show(target: Locator) -> None:
    """Scroll the element to the middle of the window."""
    target.evaluate(INTO_VIEW)


def box_of(target: Locator) -> dict[str, float]:
    """Where the element is in the window, in pixels: x, y, width, height."""
    for _ in range(50):
        found: dict[str, float] | bool = target.evaluate(BOX)
        if isinstance(found, dict):
            return found
        target.page.wait_for_timeout(100)
    raise AssertionError(f"{target} has no size")


def middle(target: Locator) -> tuple[float, float]:
    box = box_of(target)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Finger:
    """A finger on the screen, as Chromium reports one."""

    def __init__(self, visitor: Visitor) -> None:
        self._page = visitor.page
        self._wire: CDPSession = visitor.page.context.new_cdp_session(visitor.page)

    def down(self, x: float, y: float) -> None:
        """Put it there and hold it."""
        self._touch("touchStart", x, y)
        self._page.wait_for_timeout(HOLD_MS)

    def move(self, x: float, y: float) -> None:
        """Move it there."""
        self._touch("touchMove", x, y)

    def up(self) -> None:
        """Lift it."""
        self._wire.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def _touch(self, kind: str, x: float, y: float) -> None:
        self._wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})


class Mouse:
    """A mouse with the same three movements."""

    def __init__(self, visitor: Visitor) -> None:
        self._mouse = visitor.page.mouse

    def down(self, x: float, y: float) -> None:
        """Press the button there, and pull a little."""
        self._mouse.move(x, y)
        self._mouse.down()
        self._mouse.move(x + 12, y + 2, steps=3)

    def move(self, x: float, y: float) -> None:
        """Move there."""
        self._mouse.move(x, y, steps=3)

    def up(self) -> None:
        """Let go."""
        self._mouse.up()


def drag(visitor: Visitor, tile: Locator, part: str, *, picture: str = "") -> None:
    """Drag a tile of the strip onto one of the places that appear."""
    show(tile)
    hand = Finger(visitor) if visitor.touch else Mouse(visitor)
    hand.down(*middle(tile))
    place = visitor.page.locator(f".drop.{part}")
    expect(place).to_be_visible()
    hand.move(*middle(place))
    if picture:
        visitor.keep_picture(picture)
    hand.up()
    expect(visitor.page.locator(".ghost, .drops")).to_have_count(0)


def test_a_tile_is_dragged_between_parts_and_back(visitor: Visitor) -> None:
    page, strip = visitor.page, visitor.page.locator(".strip")
    winning = strip.locator(".group.winning .tile")
    before, count = winning.get_attribute("data-at"), visitor.tiles.count()
    first = visitor.tiles.first
    place = first.get_attribute("data-at")
    drag(visitor, first, "winning", picture="drag")
    expect(winning).to_have_attribute("data-at", place or "")
    expect(page.locator("dialog")).to_have_count(0)
    visitor.press(page.get_by_role("button", name="Undo"))
    expect(winning).to_have_attribute("data-at", before or "")
    drag(visitor, visitor.tiles.first, "other")
    expect(visitor.tiles).to_have_count(count - 1)
    visitor.press(page.get_by_role("button", name="Undo"))
    expect(visitor.tiles).to_have_count(count)
    visitor.press(page.get_by_role("button", name="Redo"))
    expect(visitor.tiles).to_have_count(count - 1)


@pytest.mark.empty_table
def test_a_set_is_made_and_a_tile_thrown_out_of_a_typed_hand(visitor: Visitor) -> None:
    visitor.type_hand("123456789m11p555z +5z")
    tiles = visitor.page.locator('.strip .tile[aria-label^="1 of characters"]')
    drag(visitor, tiles, "meld")
    expect(visitor.page.locator(".strip .group.meld .tile")).to_have_count(3)
    drag(visitor, visitor.tiles.first, "gone")
    expect(visitor.tiles).to_have_count(13)
    visitor.press(visitor.tiles.first)
    expect(visitor.page.locator("dialog.sheet")).to_be_visible()


@pytest.mark.parametrize("visitor", ["phone"], indirect=True)
def test_a_finger_that_moves_at_once_scrolls(visitor: Visitor) -> None:
    show(visitor.tiles.first)
    x, y = middle(visitor.tiles.first)
    finger = Finger(visitor)
    finger._touch("touchStart", x, y)
    for step in range(1, 8):
        finger.move(x, y - 20 * step)
    expect(visitor.page.locator(".drops")).to_have_count(0)
    finger.up()
    assert visitor.page.evaluate("document.querySelector('.stMain').scrollTop") > 0
