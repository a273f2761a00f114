"""Table mode: the standing on the whole screen of a propped phone or tablet, awake, and heard where wished."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visitor, keep_picture
from tests.e2e.test_table import GAP, NAMES, win_by_value
from tests.harness.app_process import DESK, PHONE
from tilescore.scoring.context import Seat
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.traits import KnownValue

if TYPE_CHECKING:
    from tests.e2e.conftest import Tabs
    from tilescore.ui.storage.ledger_store import LedgerStore

pytestmark = pytest.mark.browser
SIZES: Final[dict[str, dict[str, Any]]] = {
    "phone": PHONE,
    "lying": {**PHONE, "viewport": {"width": 844, "height": 390}},
    "tablet": {**PHONE, "viewport": {"width": 768, "height": 1024}},
    "desk": DESK,
}
LEAST_PX: Final = 60
"""Height of the letters of the points: ten millimetres on a phone, which people read at two metres."""
LOCK: Final = """
  window.locks = 0;
  Object.defineProperty(navigator, "wakeLock", { value: {
    request: async () => { window.locks += 1; return { release: async () => { window.locks -= 1; } }; } } });
"""
LONG: Final = ("Maria Aparecida Silva", "Bartholomew", "Aleksandra Nowak", "Jean-Christophe")
ZOOMED: Final = {**PHONE, "viewport": {"width": 195, "height": 422}}
"""A phone at 200 %."""
TOO_HIGH: Final = (
    "(all) => all.filter((one) => one.scrollHeight > 1.3 * one.clientHeight).map((one) => one.textContent)"
)
LETTERS: Final = "(all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
CUT_OFF: Final = """(root) => [...root.querySelectorAll("*")]
  .filter((node) => node.clientWidth && getComputedStyle(node).display !== "inline")
  .filter((node) => node.scrollWidth > node.clientWidth + 1)
  .map((node) => `${node.className}: ${node.textContent}`)"""


@pytest.mark.parametrize("size", SIZES)
def test_the_standing_fills_the_screen_and_follows_the_game(
    size: str, tabs: Tabs, address: str, ledger: LedgerStore
) -> None:
    begun = f"{address}/table?game={ledger.begin(Game.new('riichi', NAMES)).id}"
    with tabs.visit(**DESK) as page, tabs.visit(**SIZES[size]) as propped:
        page.goto(begun)
        propped.add_init_script(LOCK)
        propped.goto(begun)
        propped.get_by_role("button", name="Table mode", exact=True).click()
        board = propped.get_by_role("dialog", name="Table mode")
        expect(board.locator(".points")).to_have_text([f"25{GAP}000"] * 4)
        propped.wait_for_function("window.locks === 1")
        expect(board).not_to_have_attribute("data-rang", "1")
        board.get_by_role("button", name="Sound", exact=True).click()
        expect(board).to_have_attribute("data-rang", "1")
        win_by_value(Visitor(page, touch=False))
        expect(board.locator(".points")).to_have_text([f"25{GAP}000", f"30{GAP}200", f"25{GAP}000", f"19{GAP}800"])
        expect(board.locator(".last")).to_contain_text("Ben from Dan")
        expect(board).to_have_attribute("data-rang", "2")
        assert board.evaluate(CUT_OFF) == []
        sizes = board.locator(".points").evaluate_all(LETTERS)
        assert min(sizes) >= LEAST_PX
        for part in (board.locator(".last"), board.locator(".points").last):
            expect(part).to_be_in_viewport(ratio=1)
        keep_picture(propped, f"board_{size}")
        board.get_by_role("button", name="Leave table mode", exact=True).click()
        expect(board).to_be_hidden()
        propped.wait_for_function("window.locks === 0")


@pytest.mark.parametrize("size", [*SIZES, "zoomed"])
def test_a_name_of_several_words_is_read_as_a_whole(size: str, tabs: Tabs, address: str, ledger: LedgerStore) -> None:
    deal = Deal(winner=Seat.SOUTH, discarder=Seat.NORTH, hands={})
    game = Game.new("riichi", LONG).play(deal, values={Seat.SOUTH: KnownValue(han=11)})
    with tabs.visit(**(SIZES | {"zoomed": ZOOMED})[size]) as propped:
        propped.goto(f"{address}/table?game={ledger.begin(game).id}")
        propped.get_by_role("button", name="Table mode", exact=True).click()
        board = propped.get_by_role("dialog", name="Table mode")
        expect(board.locator(".name")).to_have_text([*LONG])
        keep_picture(propped, f"board_names_{size}")
        assert board.evaluate(CUT_OFF) == []
        assert board.locator(".name, .inside").evaluate_all(TOO_HIGH) == []


@pytest.mark.parametrize("language", ["ru", "pl"])
def test_the_buttons_stand_beside_each_other(language: str, tabs: Tabs, address: str, ledger: LedgerStore) -> None:
    """The words of the position leave less room for them than in English."""
    with tabs.visit(**PHONE) as page:
        page.goto(f"{address}/table?game={ledger.begin(Game.new('riichi', NAMES)).id}&lang={language}")
        page.locator("button.open").tap()
        boxes = "all => all.map((one) => one.getBoundingClientRect())"
        places = page.locator(".board header .tool").evaluate_all(boxes)
        assert len({round(place["y"]) for place in places}) == 1
        assert places[-1]["right"] > PHONE["viewport"]["width"] - 20, "they end where the screen ends"
