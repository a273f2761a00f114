"""Several tiles in one gesture: rectangle, held finger, all that is seen, a row; guesses for a new tile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import pytest
from playwright.sync_api import expect

from tests.e2e.test_dragging import Finger, Mouse, box_of, middle, show
from tests.e2e.test_return import show_photo
from tests.harness.app_process import PATIENCE, ROOT, TAPPED, patience

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator

    from tests.e2e.conftest import Visitor

pytestmark = pytest.mark.browser
SAMPLES = ROOT / "datasets" / "sample"
TAKE_MS = 300


def draw_rectangle(visitor: Visitor, first: Locator, last: Locator) -> None:
    """Draw a rectangle over both tiles and those between them."""
    (x0, y0), (x1, y1) = middle(first), middle(last)
    low, high = min(y0, y1) - 50, max(y0, y1) + 50
    if visitor.touch:
        visitor.press(visitor.page.get_by_role("button", name="Select"))
    hand = Finger(visitor) if visitor.touch else Mouse(visitor)
    hand.down(x0 - 6, low)
    hand.move((x0 + x1) / 2, (low + high) / 2)
    hand.move(x1 + 6, high)
    hand.up()


def settle(visitor: Visitor) -> None:
    """Wait until the photo stands still in view: it is drawn anew while the answer arrives."""
    photo, before = visitor.page.locator(".photo").first, None
    for _ in range(round(40 * PATIENCE)):
        visitor.stand_still()
        show(photo)
        now = (box_of(photo), concealed(visitor))
        if now == before:
            return
        before = now
        visitor.page.wait_for_timeout(500)
    raise AssertionError("the photo does not stand still")


def concealed(visitor: Visitor) -> list[str]:
    """Where the concealed tiles are, in the order of the hand."""
    tiles = visitor.page.locator(".strip .group.concealed .tile")
    return [str(place) for place in tiles.evaluate_all("all => all.map((tile) => tile.dataset.at)")]


def boxes(visitor: Visitor) -> list[Locator]:
    """The boxes of the concealed tiles in the order of the hand."""
    places = concealed(visitor)
    return [visitor.page.locator(f'.photo .box[data-at="{at}"] .edge') for at in places]


def test_eight_tiles_leave_the_hand_and_come_back_in_one_gesture(visitor: Visitor) -> None:
    page = visitor.page
    show_photo(visitor, SAMPLES / "riichi_closed.jpg")
    expect(visitor.tiles).to_have_count(14)
    settle(visitor)
    if page.locator(".photo .line").count() > 2:  # a rectangle selects parts of lines, and the whole row on the photo
        visitor.press(page.locator(".zoom"))
        settle(visitor)
    row = boxes(visitor)
    draw_rectangle(visitor, row[0], row[7])
    expect(page.locator(".photo .box.picked")).to_have_count(8)
    visitor.keep_picture("selected")
    visitor.press(page.get_by_role("button", name="Not mine"))
    expect(visitor.tiles).to_have_count(6)
    expect(page.locator(".hint .offer")).to_have_text("8 more tiles seen: take all")
    visitor.keep_picture("take_all")
    taken = page.locator(".offer").evaluate(TAPPED, 14)
    print(f"taking eight tiles: {taken:.0f} ms")  # noqa: T201  # the promise of the page
    assert taken < TAKE_MS * patience()
    visitor.press(page.get_by_role("button", name="Undo"))
    expect(visitor.tiles).to_have_count(6)


def test_a_held_finger_selects_and_taps_add(visitor: Visitor) -> None:
    page = visitor.page
    settle(visitor)
    row = boxes(visitor)
    if visitor.touch:
        finger = Finger(visitor)
        finger.down(*middle(row[0]))
        finger.up()
    else:
        visitor.press(page.get_by_role("button", name="Select"))
        row[0].click()
    expect(page.locator(".photo .box.picked")).to_have_count(1)
    for place in (1, 2):
        visitor.press(boxes(visitor)[place])
    expect(page.locator(".photo .box.picked")).to_have_count(3)
    expect(page.locator(".hint.doing")).to_have_text("3 tiles selected: what are they?")
    visitor.press(page.get_by_role("button", name="Meld", exact=True))
    expect(page.locator(".strip .group.meld .tile")).to_have_count(3)


def test_the_other_row_is_the_hand(visitor: Visitor, tmp_path: Path) -> None:
    """Two photos one above the other: the row that was not taken is two taps away."""
    page = visitor.page
    pictures = [cv2.imread(str(SAMPLES / f"{name}.jpg")) for name in ("riichi_closed", "discard_pond")]
    width = min(picture.shape[1] for picture in pictures if picture is not None)
    cv2.imwrite(
        str(tmp_path / "two.jpg"), cv2.vconcat([picture[:, :width] for picture in pictures if picture is not None])
    )
    show_photo(visitor, tmp_path / "two.jpg")
    expect(page.locator(".photo .box.other").nth(12)).to_be_attached()
    settle(visitor)
    before = visitor.strip() or [""]  # nothing is claimed where both rows are as likely: then both are offered
    offers = page.locator(".hint .offer")
    aside = page.locator('.photo .box.other[aria-label*="characters"]')
    visitor.keep_picture("two_hands")
    if offers.count() > 1:  # both hands are offered: one tap
        visitor.press(offers.last)
    else:  # the other one lies aside: its tile, then its row
        x, y = middle(aside.nth(1).locator(".edge"))
        if visitor.touch:
            page.touchscreen.tap(x, y)
        else:
            page.mouse.click(x, y)
        row = page.locator("dialog .chip", has_text="This row is the hand")
        expect(row).to_be_visible()
        visitor.press(row)
        expect(page.locator("dialog")).to_have_count(0)
    expect(visitor.tiles.first).not_to_have_attribute("aria-label", before[0])
    assert 10 <= len(visitor.strip()) <= 18


def test_a_drawn_box_offers_what_the_networks_see(visitor: Visitor) -> None:
    page = visitor.page
    settle(visitor)
    first = boxes(visitor)[3]
    name = str(first.locator("xpath=..").get_attribute("aria-label")).partition(",")[0]
    count = visitor.tiles.count()
    visitor.press(page.get_by_role("button", name="Add tile"))
    expect(page.locator(".photo.add")).to_be_visible()
    x, y = middle(first)
    if visitor.touch:
        page.touchscreen.tap(x, y)
    else:
        page.mouse.click(x, y)
    guess = page.locator("dialog .guesses .tile").first
    expect(guess).to_have_attribute("aria-label", name)
    visitor.keep_picture("guesses")
    visitor.press(guess)
    expect(page.locator(".photo .box")).to_have_count(count + 1)


def test_the_photo_is_in_sight_when_a_tile_is_to_be_drawn_on_it(visitor: Visitor) -> None:
    """The lines of a phone give way to a smaller photo, and Safari keeps the page scrolled as far as before."""
    page = visitor.page
    settle(visitor)
    add = page.get_by_role("button", name="Add tile")
    add.evaluate("node => node.scrollIntoView({ block: 'start' })")
    expect(page.locator(".photo")).not_to_be_in_viewport(ratio=0.5)
    add.evaluate("node => node.dispatchEvent(new MouseEvent('click', { detail: 1 }))")  # a press would scroll the page
    expect(page.locator(".photo.add")).to_be_in_viewport(ratio=0.95)


@pytest.mark.empty_table
def test_a_tile_changes_its_place_in_the_hand(visitor: Visitor) -> None:
    visitor.type_hand("123m456p789s11z345s")
    names = visitor.strip()
    first, third = visitor.tiles.nth(0), visitor.tiles.nth(2)
    show(first)
    hand = Finger(visitor) if visitor.touch else Mouse(visitor)
    hand.down(*middle(first))
    x, y = middle(third)
    hand.move(x + 9, y)
    visitor.keep_picture("reorder")
    hand.up()
    visitor.expect_strip([names[1], names[2], names[0], *names[3:]])


@pytest.mark.empty_table
def test_the_added_tiles_are_counted_and_sorted_in(visitor: Visitor) -> None:
    page = visitor.page
    visitor.type_hand("13m5z")
    page.get_by_role("button", name="Add tile").click()
    expect(page.locator("dialog h2")).to_have_text("Add tiles (3 so far)")
    visitor.press(page.locator('dialog .suit .tile[aria-label="2 of characters"]'))
    expect(page.locator("dialog h2")).to_have_text("Add tiles (4 so far)")
    page.keyboard.press("Escape")
    expect(visitor.tiles.nth(1)).to_have_attribute("aria-label", "2 of characters, In the hand")


OUTSIDE = """(svg, kind) => {
  const now = svg.getRootNode().querySelector(".frame .photo") ?? svg;
  const cut = (edge) => {
    const tile = edge.getBoundingClientRect(), view = (edge.closest("svg.line") ?? now).getBoundingClientRect();
    return tile.left < view.left - 1 || tile.top < view.top - 1
      || tile.right > view.right + 1 || tile.bottom > view.bottom + 1;
  };
  return [...now.querySelectorAll(`${kind} .edge`)].filter(cut).length;
}"""
"""JavaScript that counts the tiles of a kind that a view of the photo cuts or leaves out."""
SEEN, HAND = "Show all tiles", "Show the hand"


@pytest.mark.parametrize("photo", ["discard_pond.jpg", "flowers_kong.jpg"])
def test_the_zoom_never_crops_a_tile(visitor: Visitor, photo: str) -> None:
    show_photo(visitor, SAMPLES / photo)
    svg, zoom = visitor.page.locator(".frame .photo"), visitor.page.locator(".frame .zoom")
    expect(visitor.page.locator(".photo .box").nth(9)).to_be_visible()
    settle(visitor)
    view, views = HAND if "lines" in (svg.get_attribute("class") or "") else SEEN, set[str]()
    while view not in views:
        assert svg.evaluate(OUTSIDE, ".box:not(.other)" if view == HAND else ".box") == 0, view
        views.add(view)
        view = zoom.get_attribute("aria-label") or ""
        visitor.press(zoom)
    assert {SEEN, "Show the whole photo"} <= views


def lay_apart(photo: Path) -> None:
    """Lay the declared set of a sample above its row, and the winning tile above the sideways tile of the set."""
    picture = cv2.imread(str(SAMPLES / "winning_hand.jpg"))
    assert picture is not None
    moved = [(580, 830, 1265, 1445, 40, 290), (570, 820, 1515, 1995, 290, 300)]
    pieces = [picture[top:bottom, left:right].copy() for top, bottom, left, right, _, _ in moved]
    picture[570:830, 1265:1995] = picture[870:1130, 1265:1995]  # bare cloth
    for piece, (*_, top, left) in zip(pieces, moved, strict=True):
        picture[top : top + len(piece), left : left + len(piece[0])] = piece
    cv2.imwrite(str(photo), picture)


@pytest.mark.parametrize("visitor", ["phone"], indirect=True)
def test_a_lone_tile_turns_no_line(visitor: Visitor, tmp_path: Path) -> None:
    lay_apart(tmp_path / "apart.jpg")
    show_photo(visitor, tmp_path / "apart.jpg")
    expect(visitor.tiles).to_have_count(14)
    settle(visitor)
    lines = visitor.page.locator(".photo .line")
    visitor.keep_picture("lone_tile")
    assert lines.locator(".box").count() == 14
    turns = lines.evaluate_all("all => all.map((line) => line.firstChild.transform.baseVal[0].angle)")
    assert turns == pytest.approx([2] * len(turns), abs=1.5), "degrees"
