"""A house table in the app: what lines are worth, kept, named by results, given away as a file and as a link."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import TimeoutError as NotThere
from playwright.sync_api import expect

from tests.e2e.conftest import SIZES
from tests.harness.app_process import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator

    from tests.e2e.conftest import Tabs, Visitor

pytestmark = pytest.mark.browser
PUNGS = "222m77p555s888m333p +2m"


def opened(visitor: Visitor) -> Locator:
    """The table of Hong Kong, with a hand of pungs that was drawn."""
    page = visitor.page
    visitor.choose("Hong Kong")
    visitor.type_hand(PUNGS)
    expect(visitor.total).to_have_text("10")
    visitor.press(page.get_by_text("House rules", exact=True).first)
    return table_of(visitor)


def table_of(visitor: Visitor) -> Locator:
    """The dialog with the table; a press between two drawings of the page is lost, so it is made again."""
    dialog = visitor.page.get_by_role("dialog")
    for _ in range(5):
        visitor.page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
        visitor.press(visitor.page.get_by_role("button", name="What the lines are worth").first)
        try:
            dialog.get_by_text("as printed", exact=True).wait_for(timeout=5000 * PATIENCE)
        except NotThere:
            continue
        return dialog
    raise AssertionError("the table did not open")


def write(dialog: Locator, line: str, value: str) -> None:
    """Search a line and write what it is worth, key by key, without leaving the field."""
    field = dialog.get_by_role("textbox", name=f"{line}: ours", exact=True)
    dialog.get_by_role("searchbox", name="Search for a line").fill(line)
    expect(dialog.get_by_role("textbox", name=": ours")).to_have_count(1)
    field.fill("")
    field.press_sequentially(value)


def test_a_table_of_ones_own_changes_the_score_and_goes_on_as_file_and_link(
    visitor: Visitor, tabs: Tabs, tmp_path: Path
) -> None:
    page, dialog = visitor.page, opened(visitor)
    search = dialog.get_by_role("searchbox", name="Search for a line")
    (expect(search).not_to_be_focused if visitor.touch else expect(search).to_be_focused)()
    search.fill("bez kwiatow")
    expect(dialog.get_by_role("textbox", name=": ours")).to_have_count(1)
    visitor.keep_picture("house_table")
    write(dialog, "Four Concealed Pungs", "5")
    write(dialog, "No Flowers", "–")
    expect(dialog.locator("code")).to_contain_text("no_flowers")
    write(dialog, "Self-Draw", "many")
    expect(dialog.get_by_text("write a whole number from 0 to 10000")).to_be_visible()
    expect(dialog.get_by_role("textbox", name="Self-Draw: ours")).to_have_attribute("aria-invalid", "true")
    visitor.keep_picture("house_wrong")
    write(dialog, "Self-Draw", "2")
    expect(dialog.get_by_text("write a whole number from 0 to 10000")).to_have_count(0)
    expect(dialog.locator("code")).to_contain_text("self_draw%2C2")
    link = dialog.locator("code").inner_text()
    visitor.keep_picture("house_lines")
    with page.expect_download() as download:
        visitor.press(dialog.get_by_role("button", name="Save as a file"))
    download.value.save_as(tmp_path / "house.csv")
    assert (tmp_path / "house.csv").read_text().split() == [
        "line,value",
        "four_concealed_pungs,5",
        "self_draw,2",
        "no_flowers,",
    ]
    visitor.press(dialog.get_by_role("button", name="Close"))
    expect(visitor.total).to_have_text("7")
    expect(page.get_by_text("house table").first).to_be_visible()
    visitor.keep_picture("house_score")
    with tabs.visit(**SIZES["phone" if visitor.touch else "desk"]) as other:
        other.goto(link)
        expect(other.get_by_text("This link brings a house table for Hong Kong with 3 lines.")).to_be_visible()
        other.get_by_role("button", name="Play with this table").click()
        expect(other.get_by_text("This link brings")).to_have_count(0)
        other.wait_for_timeout(500)
        other.reload()
        other.get_by_role("link", name="Table").first.click()
        start, another = (other.get_by_role("button", name=name) for name in ("Start the game", "New game"))
        start.or_(another).first.wait_for()
        if another.is_visible():
            another.click()
        game = other.get_by_role("radio", name="Hong Kong", exact=True)
        if not game.is_checked():  # another game was the last one
            game.click()
        expect(game).to_be_checked()
        other.locator(".stApp[data-test-script-state=notRunning]").wait_for()
        other.get_by_text(re.compile("^House rules")).first.click()
        expect(other.get_by_role("button", name="What the lines are worth: 3 changes")).to_be_visible()


def test_the_tab_key_goes_through_the_table_and_leaves_it_at_its_ends(visitor: Visitor) -> None:
    page, dialog = visitor.page, opened(visitor)
    search, values = (
        dialog.get_by_role("searchbox", name="Search for a line"),
        dialog.get_by_role("textbox", name=": ours"),
    )
    close = dialog.get_by_role("button", name="Close")
    values.first.fill("7")
    expect(dialog.locator("code")).to_be_visible()  # the page is drawn anew
    values.first.focus()
    for key, reached in (
        ("Tab", values.nth(1)), ("Tab", values.nth(2)), ("Shift+Tab", values.nth(1)), ("Shift+Tab", values.first),
        ("Shift+Tab", search), ("Shift+Tab", close), ("Tab", search),
    ):  # fmt: skip
        page.keyboard.press(key)
        expect(reached).to_be_focused()
    values.last.focus()
    page.keyboard.press("Tab")
    expect(dialog.get_by_role("button", name="Save as a file")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(values.last).to_be_focused()


def test_a_file_brings_a_table_and_a_bad_one_is_refused(visitor: Visitor, tmp_path: Path) -> None:
    page, dialog = visitor.page, opened(visitor)
    bad, good = tmp_path / "bad.csv", tmp_path / "good.csv"
    bad.write_text("line,value\nall_pung,4\n")
    good.write_text("line,value\nfour_concealed_pungs,5\n", encoding="utf-16")
    expect(dialog.get_by_role("button", name="Take a table from a file")).to_be_visible()
    dialog.locator("input[type=file]").set_input_files(bad)
    expect(dialog.get_by_text("'all_pung' is no line of hongkong")).to_be_visible()
    dialog.locator("input[type=file]").set_input_files(good)
    expect(dialog.locator("code")).to_contain_text("four_concealed_pungs%2C5")
    expect(dialog.get_by_text("is no line of hongkong")).to_have_count(0)
    page.reload()
    expect(visitor.total).to_have_text("7")
    expect(page.get_by_text("House rules: 1 change")).to_be_visible()
    visitor.press(page.get_by_text("House rules: 1 change"))
    dialog = table_of(visitor)
    visitor.press(dialog.get_by_role("button", name="All as printed"))
    expect(dialog.locator("code")).to_have_count(0)
    visitor.press(dialog.get_by_role("button", name="Close"))
    expect(visitor.total).to_have_text("10")


def test_a_published_table_sets_the_options_and_names_its_source(visitor: Visitor) -> None:
    page = visitor.page
    visitor.choose("Hong Kong")
    visitor.press(page.get_by_text("House rules", exact=True).first)
    choice = page.get_by_role("combobox", name="A published table")
    visitor.press(choice.first)
    visitor.press(page.get_by_role("option", name="English Wikipedia").first)
    expect(page.get_by_text("House rules: 2 changes").first).to_be_visible()
    expect(page.get_by_text("Source: Hong Kong mahjong scoring rules").first).to_be_visible()
    visitor.keep_picture("house_preset")
