"""An East round of riichi at every size, and four deals of each game that adds up lines: taps and time counted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import monotonic
from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visitor
from tests.e2e.test_first import SIZES
from tests.e2e.test_table import begin
from tests.e2e.test_taps import Taps
from tests.harness.app_process import ROOT, patience

if TYPE_CHECKING:
    from tests.e2e.conftest import Tabs

pytestmark = pytest.mark.browser
PHOTO: Final = ROOT / "datasets" / "sample" / "discard_pond.jpg"
PHOTO_OF_17: Final = Path("data", "tables", "photos", "k2_567.jpg")
"""A win of 17 tiles with two declared sets and flowers, in ../shared."""
BOOK_MS: Final = 300
READ_S: Final = 2.0
BOOKED: Final = """(button, count) => new Promise((done) => {
  const drawings = () => [...document.querySelectorAll("*")].map((node) => node.shadowRoot).filter(Boolean);
  const rows = () => Math.max(...drawings().map((drawing) => drawing.querySelectorAll("tr.sums").length));
  const began = performance.now();
  const look = () => (rows() >= count ? done(performance.now() - began) : requestAnimationFrame(look));
  button.click();
  look();
})"""
"""JavaScript that presses the button and gives the milliseconds until the ledger has so many deals."""


@dataclass(frozen=True)
class Won:
    """A deal: who won, on whose tile, and the cell of the grid with the value; a photo without one."""

    winner: str
    discarder: str = ""
    value: str = ""

    @property
    def taps(self) -> int:
        """So many taps book it: the seats, the value or button and shutter of the camera, Book."""
        return 1 + bool(self.discarder) + (1 if self.value else 2) + 1


def by_points(*values: str) -> tuple[Won, ...]:
    return tuple(
        Won(*who, value) for who, value in zip((("Cleo", "Ann"), ("Dan", ""), ("Ann", "Ben")), values, strict=True)
    )


EVENINGS: Final = {
    "Riichi": (Won("Ben", "Dan"), *by_points("3 han 40 fu", "2 han 30 fu", "Mangan")),
    "MCR": (Won("Ben", "Dan"), *by_points("8", "24", "16")),
    "Hong Kong": (Won("Ben", "Dan"), *by_points("3", "5", "8")),
    "Taiwan": (Won("Ben", "Dan"), *by_points("1", "5", "4")),
}
"""The deals by game. The dealer never wins, so four deals are a round."""
PLACES: Final = [*((game, "phone") for game in EVENINGS), *(("Riichi", size) for size in SIZES if size != "phone")]


@pytest.mark.parametrize(("game", "size"), PLACES)
def test_a_round_is_booked_from_a_photo_and_values(
    game: str, size: str, tabs: Tabs, address: str, shared: Path
) -> None:
    photo = shared / PHOTO_OF_17 if game == "Taiwan" else PHOTO
    with tabs.visit(**SIZES[size]) as page:
        page.goto(f"{address}/table")
        visitor = Visitor(page, touch="has_touch" in SIZES[size])
        begin(visitor, game)
        taps, booked_ms, began = Taps(visitor), [], monotonic()
        for number, deal in enumerate(EVENINGS[game], start=1):
            booked_ms.append(play(taps, deal, number, photo))
        took = f"{monotonic() - began:.1f} s for four deals, {taps.count} taps, booking {median(booked_ms):.0f} ms"
        print(f"{game}, {size}: {took}")  # noqa: T201  # the promise of the page
        assert taps.count == sum(deal.taps for deal in EVENINGS[game])
        assert median(booked_ms) <= BOOK_MS * patience()
        expect(page.locator(".table .middle").first).to_contain_text("South 1")


def play(taps: Taps, deal: Won, number: int, photo: Path) -> float:
    """Book the deal; gives the milliseconds from the press until the ledger has it."""
    page = taps.page
    taps.seat(f"{deal.winner} won")
    if deal.discarder:
        taps.seat(f"On {deal.discarder}’s tile")
    expect(page.locator(".table .seat.paid")).to_have_count(int(bool(deal.discarder)))
    book = page.get_by_role("button", name="Book this deal", exact=True)
    began = monotonic()
    if deal.value:
        taps.seat(deal.value)
    else:
        page.locator(".st-key-ts_deal_photo input[type=file]").set_input_files(photo)
        taps.count += 2  # the button of the camera, and its shutter
    expect(book).to_be_enabled()
    expect(book).to_be_in_viewport(ratio=1)
    page.locator(".table.pays").first.wait_for()
    assert monotonic() - began <= READ_S * patience()
    page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
    taps.count += 1
    return float(book.evaluate(BOOKED, number))
