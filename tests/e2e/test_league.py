"""A league: games of chosen days with places and rates; what overtakes; the standing as a picture; a dated print."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import SIZES, Tabs, Visitor
from tests.e2e.test_table import press, win_by_value
from tests.harness.app_process import running_app
from tilescore.scoring.context import Seat
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.traits import KnownValue
from tilescore.ui.storage.ledger_store import LedgerStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.browser
NAMES = ("Ann", "Ben", "Cleo", "Dan")
DAYS = ("2026-11-07", "2026-11-14", "2026-11-21")
LEFT = "node => Math.round(node.getBoundingClientRect().left)"
SHEET = """
  window.sent = [];
  navigator.canShare = () => true;
  navigator.share = async ({ files }) => { window.sent.push(files[0].name); };
"""


def finished(winner: Seat, discarder: Seat, tag: str) -> Game:
    """A game that ends after one win of 3 han 40 fu."""
    deal = Deal(winner=winner, discarder=discarder, hands={})
    game = Game.new("riichi", NAMES).play(deal, riichi=(winner,), values={winner: KnownValue(han=3, fu=40)})
    return replace(game.close(closed=True), tag=tag)


@pytest.fixture(params=SIZES)
def member(request: pytest.FixtureRequest, tabs: Tabs, port: int, tmp_path: Path) -> Iterator[Visitor]:
    """Somebody whose club played on three days: Ben won twice, then Dan."""
    store = LedgerStore(tmp_path / "games.sqlite3")
    wins = ((Seat.SOUTH, Seat.NORTH), (Seat.SOUTH, Seat.EAST), (Seat.NORTH, Seat.SOUTH))
    for day, (winner, discarder), tag in zip(DAYS, wins, ("", "", "Cup"), strict=True):
        saved = store.begin(finished(winner, discarder, tag))
        with store.file.writing() as file:
            file.execute("UPDATE games SET begun_at = ? WHERE id = ?", (f"{day}T12:00:00+00:00", saved.id))
            columns = "id, version, document, summary, begun_at, changed_at, hidden, photos"
            file.execute(f"UPDATE games SET checksum = row_sum({columns})")  # noqa: S608  # our own columns
    with running_app(tmp_path, port=port) as address, tabs.visit(**SIZES[request.param]) as page:
        page.goto(f"{address}/history")
        yield Visitor(page, "has_touch" in SIZES[request.param])


def test_the_games_of_chosen_days_rank_the_players(member: Visitor) -> None:
    page = member.page
    member.press(page.get_by_role("tab", name="Players"))
    first, card = page.locator(".ts-player").first, page.locator(".ts-player", has_text="Ben")
    expect(first).to_contain_text("Ben")
    expect(card.locator(".places b")).to_have_text(["2", "0", "0", "1"])
    expect(card).to_contain_text("2.00")
    expect(card).to_contain_text("67%")
    expect(page.get_by_role("img", name=re.compile("Points over the deals"))).to_be_visible()
    for parts in ((".ts-player h2", ".ts-player dt"), (".stSlider label", ".ts-player")):
        assert len({page.locator(part).first.evaluate(LEFT) for part in parts}) == 1, parts
    member.keep_picture("league")
    page.get_by_role("img", name=re.compile("Points over the deals")).scroll_into_view_if_needed()
    member.keep_picture("league_chart")
    page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
    cup = page.get_by_role("radiogroup", name="Games with the tag").get_by_role("radio", name="Cup")
    for places in (["0", "0", "0", "1"], ["2", "0", "0", "1"]):  # a second press chooses all games again
        member.press(cup)
        expect(card.locator(".places b")).to_have_text(places)
        page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
    start = page.get_by_role("slider").first
    for places in (["1", "0", "0", "1"], ["0", "0", "0", "1"]):  # an answer in between would take the second key
        start.focus()
        page.keyboard.press("ArrowRight")
        expect(card.locator(".places b")).to_have_text(places)
        page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
    expect(card.locator(".places b")).to_have_text(["0", "0", "0", "1"])
    expect(first).to_contain_text("Dan")


def test_what_overtakes_is_told_and_the_standing_goes_out_as_a_picture(member: Visitor, tmp_path: Path) -> None:
    page = member.page
    page.add_init_script(SHEET if member.touch else "navigator.canShare = undefined;")
    begun = LedgerStore(tmp_path / "games.sqlite3").begin(Game.new("riichi", NAMES))
    page.goto(page.url.replace("/history", f"/table?game={begun.id}"))
    win_by_value(member)
    expect(page.locator(".ts-said")).to_contain_text("Deal 1 is booked.")
    expect(page.get_by_role("heading", name="Tilescore")).to_be_focused()  # the seats of the next deal come next
    expect(page.locator("tfoot td").first).to_be_visible()
    page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
    member.press(page.get_by_text("What it takes to overtake"))
    told = page.locator(".steps li", has_text="Ann → Ben")
    expect(told).to_contain_text("on the tile of Ben: 2 han 40 fu")  # equal, and Ann sat first
    member.keep_picture("overtake")
    member.stand_still()
    if member.touch:
        press(member, "Picture of the standings")
        page.wait_for_function("window.sent.length === 1")
    else:
        with page.expect_download() as download:
            press(member, "Picture of the standings")
        picture = tmp_path / "standing.png"
        download.value.save_as(picture)
        shown = cv2.imread(str(picture))
        assert shown is not None
        assert shown.shape[:2] == (330 + 4 * 132, 1080)
        (tmp_path / "standing.png").replace(tmp_path.parent / "standing.png")
    with page.expect_download() as download:
        press(member, "Page to print")
    sheet = tmp_path / "sheet.html"
    download.value.save_as(sheet)
    assert re.search(r"<p>\d{4}-\d\d-\d\d · Riichi, 1 deal</p>", sheet.read_text(encoding="utf-8"))
