"""Names of sixty characters, also from right to left: no page gets wider, their beginning is seen, nothing is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visitor
from tests.e2e.test_board import SIZES
from tests.e2e.test_table import set_up
from tests.harness.app_process import PHONE, running_app
from tilescore.scoring.context import Seat
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.traits import KnownValue
from tilescore.ui.storage.ledger_store import LedgerStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.e2e.conftest import Tabs

pytestmark = pytest.mark.browser
NAMES = (
    "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewis",
    "אברהם בן־יהודה הכהן מירושלים של זהב ושל נחושת ושל אור שבעים",
    "محمد بن عبد الله بن عبد المطلب بن هاشم القرشي من مدينة بعيدة",
    "Maria do Carmo Aparecida dos Santos e Silva de Souza Pereira",
)
WIDER = """() => [document.documentElement, document.querySelector('[data-testid="stMain"]')]
  .some((one) => one.scrollWidth > one.clientWidth + 1)"""
"""JavaScript that says whether the page scrolls sideways."""
BEYOND = """(all) => all.map((one) => {
  const text = document.createRange(), style = getComputedStyle(one);
  text.selectNodeContents(one);
  const room = one.getBoundingClientRect().width - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return text.getBoundingClientRect().width - room;
})"""
"""JavaScript that says by how many pixels the text of each is wider than its box; `scrollWidth` is a whole number."""
DIRECTIONS = "(all) => all.map((one) => getComputedStyle(one).direction)"
FROM_NAMES = ["ltr", "rtl", "rtl", "ltr"]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[str]]]:
    """Where the app answers that has a game of the four that goes on and one that is over, and their names."""
    folder = tmp_path_factory.mktemp("games")
    store = LedgerStore(folder / "games.sqlite3")
    deal = Deal(winner=Seat.SOUTH, discarder=Seat.NORTH, hands={})
    game = Game.new("riichi", NAMES).play(deal, values={Seat.SOUTH: KnownValue(han=3, fu=40)})
    saved = [store.begin(one).id for one in (game, game.close(closed=True))]
    with running_app(folder) as address:
        yield address, saved


def drawn(page: Page, place: str) -> None:
    """Open the page and wait until it stands still."""
    page.goto(place)
    page.locator("header.ts-head").wait_for()
    page.locator(".stApp[data-test-script-state=notRunning]").wait_for()


@pytest.mark.parametrize("size", [*SIZES, "narrow"])
def test_long_names_widen_no_page(size: str, games: tuple[str, list[str]], tabs: Tabs) -> None:
    address, (going, over) = games
    sizes: dict[str, dict[str, Any]] = {**SIZES, "narrow": {**PHONE, "viewport": {"width": 360, "height": 800}}}
    with tabs.visit(**sizes[size]) as page:
        drawn(page, f"{address}/table?game={going}")
        seats = page.locator(".table").first.locator(".seat .name")
        expect(seats).to_have_text([NAMES[0], NAMES[1], NAMES[2], NAMES[3]])
        assert seats.evaluate_all(DIRECTIONS) == FROM_NAMES, "what is cut off is the end of a name"
        assert not page.evaluate(WIDER)
        drawn(page, f"{address}/table?game={over}")
        expect(page.locator(".ranks .name")).to_have_count(4)
        assert page.locator("thead th").evaluate_all(DIRECTIONS)[1:] == FROM_NAMES
        assert not page.evaluate(WIDER)
        drawn(page, f"{address}/table")
        expect(page.locator(".ts-payments").first.locator("span")).to_have_text([*NAMES])
        assert page.locator(".ts-payments").first.locator("span").evaluate_all(DIRECTIONS) == FROM_NAMES
        assert not page.evaluate(WIDER)
        drawn(page, f"{address}/history")
        page.get_by_role("tab", name="Players").click()
        expect(page.locator(".ts-player h2 bdi")).to_have_count(4)  # else a number behind the name moves into it
        assert not page.evaluate(WIDER)


def test_a_long_name_is_typed_and_kept_whole(tabs: Tabs, tmp_path: Path, port: int) -> None:
    with running_app(tmp_path, port=port) as address, tabs.visit(**PHONE) as page:
        drawn(page, f"{address}/table")
        start = set_up(Visitor(page, touch=True))
        for wind, name in zip(("East", "South", "West", "North"), NAMES, strict=True):
            page.get_by_role("textbox", name=wind, exact=True).fill(name)
        start.tap()
        expect(page.locator(".table").first.locator(".seat .name")).to_have_count(4)
        (summary,) = LedgerStore(tmp_path / "games.sqlite3").games()
        assert summary.players == NAMES


@pytest.mark.parametrize("width", [390, 360])
def test_a_phone_shows_names_of_nine_letters_whole(width: int, tabs: Tabs, tmp_path: Path) -> None:
    game = LedgerStore(tmp_path / "games.sqlite3").begin(
        Game.new("riichi", ("Christian", "Alexandra", "Elisabeth", "Guillaume")).play(
            Deal(winner=Seat.SOUTH, discarder=Seat.NORTH, hands={}), values={Seat.SOUTH: KnownValue(han=3, fu=40)}
        )
    )
    phone: dict[str, Any] = {**PHONE, "viewport": {"width": width, "height": 800}}
    with running_app(tmp_path) as address, tabs.visit(**phone) as page:
        drawn(page, f"{address}/table?game={game.id}")
        for names in (".table .seat .name", "thead th"):
            expect(page.locator(names).last).to_have_text("Guillaume")
            cut = page.locator(names).evaluate_all(BEYOND)
            assert max(cut) <= 0, f"{names}: letters beyond the edge, in pixels {cut}"
