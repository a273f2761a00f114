"""A whole game at the table in a browser: from four names to copies of the ledger, with a finger and with a mouse."""

from __future__ import annotations

import csv
import json
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import SIZES, Tabs, Visitor, keep_picture
from tests.harness.app_process import ROOT
from tilescore.scoring.context import Seat
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Locator

    from tilescore.ui.storage.ledger_store import LedgerStore

pytestmark = pytest.mark.browser
NAMES = ("Ann", "Ben", "Cleo", "Dan")
PHOTO = ROOT / "datasets" / "sample" / "riichi_closed.jpg"
HAND = "234m340678p22567s +7s"
GAP = "\N{NARROW NO-BREAK SPACE}"


@pytest.fixture(params=SIZES)
def player(request: pytest.FixtureRequest, tabs: Tabs, address: str) -> Iterator[Visitor]:
    """Somebody who opens the table, where no game of theirs is yet."""
    with tabs.visit(**SIZES[request.param]) as page:
        page.goto(f"{address}/table")
        yield Visitor(page, "has_touch" in SIZES[request.param])


@pytest.fixture(params=SIZES)
def seated(request: pytest.FixtureRequest, tabs: Tabs, address: str, ledger: LedgerStore) -> Iterator[Visitor]:
    """Somebody at the table of a new game of riichi of the four."""
    begun = ledger.begin(Game.new("riichi", NAMES))
    with tabs.visit(**SIZES[request.param]) as page:
        page.goto(f"{address}/table?game={begun.id}")
        expect(page.locator(".table .middle")).to_contain_text("East 1")
        visitor = Visitor(page, "has_touch" in SIZES[request.param])
        visitor.stand_still()
        yield visitor


def press(visitor: Visitor, name: str, *, role: str = "button") -> None:
    """Press what is called that."""
    visitor.press(visitor.page.get_by_role(role, name=name, exact=True))  # type: ignore[arg-type]


def among(visitor: Visitor, label: str, name: str) -> None:
    """Choose that one under the label."""
    group = visitor.page.get_by_label(label, exact=True)
    visitor.press(group.get_by_role("button", name=name).or_(group.get_by_role("radio", name=name)))


def set_up(visitor: Visitor) -> Locator:
    """Open the form of a new game, which the page shows at once where there is no game; gives its last button."""
    start = visitor.page.get_by_role("button", name="Start the game")
    another = visitor.page.get_by_role("button", name="New game")
    start.or_(another).wait_for()
    if another.is_visible():
        visitor.press(another)
    return start


def begin(visitor: Visitor, ruleset: str) -> None:
    """Start a game of the four."""
    page, start = visitor.page, set_up(visitor)
    visitor.choose(ruleset)
    for wind, name in zip(("East", "South", "West", "North"), NAMES, strict=True):
        page.get_by_role("textbox", name=wind, exact=True).fill(name)
    visitor.press(start)
    expect(page.locator(".table .middle")).to_contain_text("East 1")


def totals(visitor: Visitor) -> list[str]:
    """The sums at the foot of the ledger, thousands not set apart."""
    return [text.replace(GAP, "") for text in visitor.page.locator("tfoot td").all_inner_texts()]


def expect_totals(visitor: Visitor, *wanted: float) -> None:
    """Wait until the ledger says so."""
    cells = [f"{points:,}".replace(",", GAP) for points in wanted]
    expect(visitor.page.locator("tfoot td")).to_have_text(cells)


def win_by_value(visitor: Visitor) -> None:
    """Book 3 han 40 fu of Ben on Dan's tile, each press once the one before shows."""
    page = visitor.page
    for name, brings in (("Ben won", ".seat.drew"), ("On Dan’s tile", ".seat.paid"), ("3 han 40 fu", ".table.pays")):
        press(visitor, name)
        page.locator(brings).first.wait_for()
    press(visitor, "Book this deal")


def book_by_photo(visitor: Visitor) -> None:
    """Ben wins on Dan's tile; his hand is photographed."""
    page = visitor.page
    among(visitor, "Who won (several may on one discard)", "Ben")
    among(visitor, "On whose tile", "Dan")
    expect(page.get_by_role("status")).to_contain_text("Give the hand of Ben")
    page.locator("input[type=file]").set_input_files(PHOTO)
    page.locator(".strip .tile").nth(13).wait_for()
    expect(page.get_by_role("textbox", name="Ben's hand as text")).to_have_value(HAND)
    page.keyboard.press("Escape")
    among(visitor, "Who declared riichi", "Ben")
    arrows = page.locator(".table.pays .arrows")
    expect(arrows).to_have_attribute("aria-label", f"Dan pays Ben 7{GAP}700")
    expect(visitor.page.locator("body > .ts-said")).to_have_text(f"Dan pays Ben 7{GAP}700")
    arrows.evaluate("node => node.scrollIntoView({ block: 'center' })")
    visitor.keep_picture("table_win")
    press(visitor, "Book this deal")
    expect_totals(visitor, 25000, 32700, 25000, 17300)


def book_draw_and_foul(visitor: Visitor) -> None:
    """A draw with one player ready, then a foul of the dealer, which undo takes back and redo brings again."""
    visitor.choose("Draw")
    among(visitor, "Who was tenpai", "Cleo")
    press(visitor, "Book this deal")
    expect_totals(visitor, 24000, 31700, 28000, 16300)
    visitor.choose("Foul")
    among(visitor, "Whose foul", "Ann")
    expect(visitor.page.locator(".table.pays .pays")).to_have_count(1)
    press(visitor, "Book this deal")
    expect(visitor.page.locator("tr.what")).to_have_count(3)
    after = totals(visitor)
    undo, redo = (visitor.page.get_by_role("button", name=name, exact=True) for name in ("Undo", "Redo"))
    undo.press("Enter")
    expect_totals(visitor, 24000, 31700, 28000, 16300)
    expect(visitor.page.locator("tr.what")).to_have_count(2)  # the shorter list moves the buttons below it
    visitor.stand_still()
    expect(undo).to_be_focused()
    expect(visitor.page.locator("body > .ts-said")).not_to_contain_text("booked")  # deal 3 is booked no more
    redo.press("Enter")
    expect(visitor.page.locator("tr.what")).to_have_count(3)
    expect(visitor.page.get_by_role("heading", name="Tilescore")).to_be_focused()  # nothing is left to do again
    assert totals(visitor) == after


def correct_first(visitor: Visitor) -> None:
    """It was Ann who won the first deal: then she stayed dealer, and everything after it was played elsewhere."""
    page = visitor.page
    expect(page.locator("tr.sums th").nth(1)).to_have_text("2. East 2")
    press(visitor, "Correct a deal")
    visitor.press(page.get_by_role("button", name=re.compile(r"^1\. East 1: ")))
    expect(page.get_by_role("heading", name="Correct deal 1")).to_be_visible()
    among(visitor, "Who won (several may on one discard)", "Ben")
    among(visitor, "Who won (several may on one discard)", "Ann")
    field = page.get_by_role("textbox", name="Ann's hand as text")
    field.fill(HAND)
    field.press("Enter")
    among(visitor, "Who declared riichi", "Ben")
    among(visitor, "Who declared riichi", "Ann")
    expect(page.locator(".table.pays .seat.gets")).to_contain_text("Ann")
    visitor.keep_picture("table_correct")
    press(visitor, "Save the correction")
    expect(page.locator("tr.sums th").nth(1)).to_have_text("2. East 1")
    expect(page.locator("tr.what").first).to_contain_text("Ann from Dan")
    expect(page.locator(".table .middle")).to_contain_text("East 2")


def copies(visitor: Visitor, folder: Path) -> Game:
    """Spreadsheet, whole game and page to print tell the same."""
    page, found = visitor.page, {}
    for name in ("Spreadsheet (CSV)", "Whole game (JSON)", "Page to print"):
        with page.expect_download() as download:
            press(visitor, name)
        path = folder / download.value.suggested_filename
        download.value.save_as(path)
        found[path.suffix] = path
    game = Game.from_json(json.loads(found[".json"].read_text(encoding="utf-8")))
    rows = list(csv.reader(found[".csv"].read_text(encoding="utf-8-sig").splitlines()))
    assert [int(cell) for cell in rows[-1][-4:]] == list(game.totals)
    assert len(rows) == 1 + len(game.records)
    sheet = page.context.new_page()
    sheet.goto(found[".html"].as_uri())
    shown = [text.replace(GAP, "") for text in sheet.locator("tfoot td").all_inner_texts()]
    assert shown == [str(total) for total in game.totals]
    keep_picture(sheet, "print", full_page=True)
    sheet.close()
    return game


def test_a_game_from_names_to_copies(player: Visitor, tabs: Tabs, tmp_path: Path) -> None:
    page = player.page
    begin(player, "Riichi")
    player.keep_picture("table_start")
    book_by_photo(player)
    book_draw_and_foul(player)
    correct_first(player)
    lines = page.locator(".chart polyline")
    expect(lines).to_have_count(4)
    assert lines.evaluate_all("all => all.map((one) => one.points.numberOfItems)") == [4] * 4, (
        "the start and three deals"
    )
    game = copies(player, tmp_path)
    assert totals(player) == [str(total) for total in game.totals]
    among(player, "Photos of the hands", "1. East 1")
    expect(page.locator("[data-testid=stImage] img")).to_have_count(1)
    player.keep_picture("table_game")
    link = page.url
    with tabs.visit(**SIZES["phone" if player.touch else "desk"]) as other:
        later = Visitor(other, player.touch)
        other.goto(link.partition("?")[0])
        first = other.locator("[class*=st-key-ts_card_]").first
        expect(first.locator("li")).to_have_text(
            [f"{name}{points:,}".replace(",", GAP) for name, points in zip(NAMES, game.totals, strict=True)]
        )
        later.press(first.get_by_role("button", name="Go on"))
        expect_totals(later, *game.totals)
        expect(other.get_by_role("button", name="Undo")).to_be_enabled()
        expect(other).to_have_url(link)


IN_SIGHT = """(list) => {
  const edge = (part, side) => list.querySelector(part).getBoundingClientRect()[side];
  const row = [...list.querySelectorAll("tbody tr")].at(-1).getBoundingClientRect();
  return row.top >= edge("thead th", "bottom") - 1 && row.bottom <= edge("tfoot th", "top") + 1;
}"""
"""JavaScript that says whether the last deal shows between the head and the foot of the list."""
REACHED = """() => {
  let part = document.activeElement;
  while (part.shadowRoot?.activeElement) part = part.shadowRoot.activeElement;
  const { x, y, width, height } = part.getBoundingClientRect();
  const over = part.getRootNode().elementFromPoint(x + width / 2, y + height / 2);
  return part.contains(over) ? "" : part.ariaLabel || part.innerText || part.outerHTML;
}"""
"""JavaScript that names what has the focus, if something covers its middle."""


@pytest.mark.parametrize("size", SIZES)
def test_the_newest_deal_is_in_sight(size: str, tabs: Tabs, address: str, ledger: LedgerStore) -> None:
    game = Game.new("riichi", NAMES)
    for _ in range(12):
        game = game.play(Deal(hands={}, draw="exhausted", ready=(Seat.EAST,)))
    with tabs.visit(**SIZES[size]) as page:
        page.goto(f"{address}/table?game={ledger.begin(game).id}")
        player, listed = Visitor(page, "has_touch" in SIZES[size]), page.locator(".scroll")
        deals = listed.locator("tr.sums")
        expect(deals).to_have_count(12)
        assert listed.evaluate(IN_SIGHT)
        player.stand_still()
        player.keep_picture("newest_deal")
        listed.evaluate("list => { list.scrollTop = 40; }")
        press(player, "Correct a deal")
        player.press(page.get_by_role("button", name=re.compile(r"^1\. East 1: ")))
        expect(page.locator("tr.marked")).to_have_count(2)
        assert listed.evaluate("list => list.scrollTop") == 40, "where the person looked"
        press(player, "Cancel")
        expect(page.locator("tr.marked")).to_have_count(0)
        player.choose("Draw")
        press(player, "Book this deal")
        expect(deals).to_have_count(13)
        assert listed.evaluate(IN_SIGHT)


def test_a_reload_brings_a_deal_back_that_is_being_entered(seated: Visitor) -> None:
    page, player = seated.page, seated
    among(player, "Who won (several may on one discard)", "Ben")
    among(player, "On whose tile", "Dan")
    dan = page.get_by_label("On whose tile", exact=True).get_by_role("radio", name="Dan")
    expect(dan).to_be_checked()
    player.stand_still()
    page.locator(".sit").last.focus()
    for _ in range(40):  # through the grid of the values
        page.keyboard.press("Tab")
        assert not page.evaluate(REACHED)
    page.locator("input[type=file]").set_input_files(PHOTO)
    field = page.get_by_role("textbox", name="Ben's hand as text")
    expect(field).to_have_value(HAND)
    page.wait_for_timeout(500)  # the page draws on
    player.stand_still()  # the entry is kept at the end of a drawing
    page.reload()
    expect(field).to_have_value(HAND)
    expect(page.locator(".photo image").first).to_be_visible()
    expect(dan).to_be_checked()
    player.keep_picture("draft")
    press(player, "All games")
    player.press(page.get_by_role("button", name=re.compile("^Go on: ")).first)
    expect(field).to_have_value(HAND)
