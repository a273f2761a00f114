"""Giving a hand away: the picture, the text, the link that opens it in another browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import cv2
import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import SIZES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.conftest import Tabs, Visitor

pytestmark = pytest.mark.browser


def opened(visitor: Visitor) -> None:
    """Open the sheet; the picture is ready when it can be saved."""
    visitor.press(visitor.page.get_by_role("button", name="Share"))
    expect(visitor.page.locator(".share .save:enabled")).to_be_visible()
    visitor.stand_still()


def test_picture_of_the_photo_with_its_score(visitor: Visitor, tmp_path: Path) -> None:
    opened(visitor)
    visitor.keep_picture("share")
    with visitor.page.expect_download() as download:
        visitor.press(visitor.page.locator(".share .save"))
    assert download.value.suggested_filename == "tilescore.png"
    download.value.save_as(tmp_path / "tilescore.png")
    picture = cv2.imread(str(tmp_path / "tilescore.png"))
    assert picture is not None
    height, width = picture.shape[:2]
    assert width == 1080
    assert height > 700
    assert picture[:300].std() > 20, "the photo is at the top"
    assert len({tuple(pixel) for pixel in picture[-400::7, ::7].reshape(-1, 3)}) > 40, "and writing at the bottom"


def test_a_picture_that_is_still_being_drawn_stands_there_as_none_that_is_broken(visitor: Visitor) -> None:
    page = visitor.page
    page.evaluate("""() => {
      const made = HTMLCanvasElement.prototype, { toBlob } = made;
      window.drawn = new Promise((asked) => {
        made.toBlob = function (...given) {
          made.toBlob = toBlob;
          asked({ finish: () => toBlob.apply(this, given) });
        };
      });
    }""")
    visitor.press(page.get_by_role("button", name="Share"))
    page.evaluate("drawn.then(() => null)")
    preview = page.locator(".share .preview")
    assert preview.evaluate("image => image.naturalWidth") > 0
    page.evaluate("drawn.then(({ finish }) => finish())")
    expect(preview).to_have_attribute("src", re.compile("^blob:"))


def test_the_tab_key_reaches_everything_in_the_sheet(visitor: Visitor) -> None:
    opened(visitor)
    dialog = visitor.page.get_by_role("dialog", name="Share")
    close, save = (dialog.get_by_role("button", name=name) for name in ("Close", "Save the picture"))
    fields, copies = dialog.get_by_role("textbox"), dialog.get_by_role("button", name="Copy: ")
    for reached in (close, save, fields.first, copies.first, fields.last, copies.last, close):
        visitor.page.keyboard.press("Tab")
        expect(reached).to_be_focused()
    save.focus()
    with visitor.page.expect_download():
        visitor.page.keyboard.press("Space")  # as in every button


def test_link_opens_the_same_hand_with_the_same_score(visitor: Visitor, tabs: Tabs) -> None:
    visitor.choose("Riichi")
    visitor.type_hand("234m345678p22567s +7s")
    visitor.press(visitor.page.get_by_role("radio", name="West", exact=True))
    visitor.press(visitor.page.get_by_role("button", name="Last tile of the wall"))
    visitor.page.wait_for_timeout(500)  # the answer may draw the button anew
    opened(visitor)  # which follows what was pressed before
    total = visitor.total.inner_text()
    text, link = (field.input_value() for field in visitor.page.locator(".share input").all())
    assert text == "234m345678p22567s +7s"
    visitor.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.press(visitor.page.get_by_role("button", name="Copy: Link that opens this hand"))
    expect(visitor.page.get_by_role("button", name="Copy: Link that opens this hand")).to_have_text("Copied")
    assert visitor.page.evaluate("navigator.clipboard.readText()") == link
    with tabs.visit(**SIZES["phone" if visitor.touch else "desk"]) as other:
        other.goto(link)
        expect(other.locator(".ts-total strong")).to_have_text(total)
        expect(other.get_by_role("textbox", name="The hand as text")).to_have_value(text)
        expect(other.get_by_role("radio", name="West", exact=True)).to_be_checked()


@pytest.mark.empty_table
def test_a_link_replaces_nothing_before_it_is_taken_over(visitor: Visitor, address: str) -> None:
    """Any page on the web can lead to a link: an opened address has no effect."""
    own, theirs = "123456789m234s55p +4s", "11122233344455m +5m"
    page, field = visitor.page, visitor.page.get_by_role("textbox", name="The hand as text")
    notice = page.get_by_text("This hand is not one of yours")
    visitor.type_hand(own)
    expect(field.first).to_have_value(own)  # the old field stays behind the new one for a moment
    expect(visitor.total).to_be_visible()
    link = f"{address}/?hand=11122233344455m%20%2B5m&rules=riichi"
    for _ in range(2):  # the second time, it is a reload
        page.goto(link)
        expect(notice).to_be_visible()
        expect(field.first).to_have_value(theirs)
    visitor.keep_picture("link")
    visitor.press(page.get_by_role("button", name="Back to my hand"))
    expect(notice).to_have_count(0)
    expect(field.first).to_have_value(own)  # while the page is drawn anew, the old field stays behind the new one
    expect(notice).to_have_count(0)
    expect(page.get_by_role("radio", name="MCR", exact=True)).to_be_checked()
    expect(page).to_have_url(re.compile("^[^?]*$"))
    page.goto(link)
    visitor.press(page.get_by_role("button", name="Take it over"))
    expect(notice).to_have_count(0)
    expect(page).to_have_url(re.compile("^[^?]*$"))
    page.reload()
    expect(field.first).to_have_value(theirs)
    expect(page.get_by_role("radio", name="Riichi", exact=True)).to_be_checked()


def test_a_link_that_makes_no_sense_is_one_sentence(tabs: Tabs, address: str) -> None:
    with tabs.visit(**SIZES["phone"]) as page:
        page.goto(f"{address}?hand=123x&rules=mcr")
        expect(page.get_by_role("alert")).to_have_text(re.compile("is no tile"))
        expect(page.locator(".ts-start")).to_be_visible()


WRITING = """() => {
  const write = CanvasRenderingContext2D.prototype.fillText;
  window.written = [];
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y, most) {
    if (this.textAlign === "left") window.written.push([text, x, y, Math.min(most, this.measureText(text).width)]);
    return write.call(this, text, x, y, most);
  };
}"""
"""JavaScript that notes what is written into pictures: each text, its place and its width."""
ASIDE = "?hand=345678p345789s22p+%2B9s+%2644z&rules=riichi3&by=self_draw&lang=ru"
"""A hand with norths aside, in a language with long words."""


def test_captions_in_the_picture_stand_apart(tabs: Tabs, address: str) -> None:
    with tabs.visit(**SIZES["desk"]) as page:
        page.goto(f"{address}/{ASIDE}")
        page.evaluate(WRITING)
        page.get_by_role("button", name="Поделиться").click()
        expect(page.locator(".share .save:enabled")).to_be_visible()
        written = {text: (x, y, wide) for text, x, y, wide in page.evaluate("written")}
        (won, won_y, wide), (aside, aside_y, _) = written["Выигрышная кость"], written["Отложена"]
        assert won_y == aside_y
        assert won + wide < aside
