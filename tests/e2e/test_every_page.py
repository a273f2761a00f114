"""Every page at every size and in every language: no text over its box, no row that breaks, nothing beside the screen.

In four of the languages, axe looks at every page too: on a phone and on a desk, in light and in dark.

One visit a language goes through all pages, and the browser changes its size on each of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect

from tests.e2e.conftest import Tabs, keep_picture
from tests.harness.app_process import PATIENCE, PHONE, running_app
from tilescore.scoring.context import Seat
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.ruleset import RULESETS
from tilescore.scoring.traits import KnownValue
from tilescore.ui.locale import ENGLISH, LANGUAGES
from tilescore.ui.storage.ledger_store import LedgerStore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page, ViewportSize

pytestmark = pytest.mark.browser
SIZES: Final[tuple[ViewportSize, ...]] = (
    {"width": 360, "height": 740},
    {"width": 390, "height": 844},
    {"width": 768, "height": 1024},
    {"width": 844, "height": 390},
    {"width": 1280, "height": 800},
)
NARROWEST: Final = SIZES[0]
WIDTHS: Final = (641, 700, 768, 821, 844, 901, 960, 1024, 1100, 1180, 1181, 1280)
"""Widths of windows at which the head stands in one line, those beside each change of its form among them."""
AXE: Final = {"en": (390, "light"), "ru": (1280, "dark"), "zh": (390, "dark"), "ja": (1280, "light")}
"""The width and the colours in which axe looks at the pages, by language."""
VIOLATIONS: Final = """async (scheme) => {
  const colours = { runOnly: { type: "rule", values: ["color-contrast"] } };
  const { violations } = await axe.run({ resultTypes: ["violations"], ...(scheme === "dark" ? colours : {}) });
  return violations.map(({ id, nodes }) => [id, nodes[0].html.slice(0, 200), nodes[0].failureSummary]);
}"""
"""JavaScript that gives the rules of axe that a page breaks, each with one place. In the dark, only colours differ."""
NAMES: Final = ("Ann", "Ben", "Cleo", "שרה")
PAGES: Final = ("hand", "compare", "table", "live", "fans", "history")
"""The links of the navigation in their order."""


def script(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8").partition("\n")[2]


OVERFLOW: Final = script("overflow.js")
WITHOUT_ROOM: Final = script("without_room.js")
BESIDE: Final = (
    "Math.max(document.documentElement.scrollWidth, document.querySelector('.stMain').scrollWidth) - innerWidth"
)
BROKEN: Final = """(labels) => [...document.querySelectorAll("*")].flatMap((node) => node.shadowRoot ?? [])
  .concat(document).flatMap((root) => [...root.querySelectorAll(labels)]).flatMap((label) => {
    const text = label.firstChild, words = [...(text?.data ?? "").matchAll(/[^\\s-]+/g)];
    return words.filter(({ 0: word, index }) => {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return range.getClientRects().length > 1;
    }).map(([word]) => word);
  })"""
"""JavaScript that gives the words of these labels that are broken over two lines."""


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Tabs]:
    """Tabs for an app with one game that goes on and one that is over."""
    data = tmp_path_factory.mktemp("club")
    deal = Deal(winner=Seat.SOUTH, discarder=Seat.NORTH, hands={})
    game = Game.new("riichi", NAMES).play(deal, riichi=(Seat.SOUTH,), values={Seat.SOUTH: KnownValue(han=3, fu=40)})
    store = LedgerStore(data / "games.sqlite3")
    store.begin(game.close())
    store.begin(game)
    with running_app(data) as address:
        yield Tabs(browser, address)


class Look:
    """Somebody who looks at all pages in one language.

    Attributes:
        page: their page.
        faults: what stands wrong, by page and size.
        language: the code of their language.
    """

    def __init__(self, page: Page, language: str) -> None:
        self.page = page
        self.faults: dict[str, list[Any]] = {}
        self.language = language
        self._axe_width, self._scheme = AXE.get(language, (0, ""))
        if self._axe_width:
            page.evaluate(AXE_SCRIPT)

    def go(self, name: str, drawn: str) -> None:
        """Press the link of a page and wait for what it shows."""
        self.page.locator(".st-key-ts_pages a").nth(PAGES.index(name)).tap()
        self.page.locator(drawn).first.wait_for()

    def at_every_size(self, name: str, sizes: tuple[ViewportSize, ...] = SIZES) -> None:
        """Look at the page at these sizes, the narrowest last."""
        self.page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
        for size in reversed(sizes):
            self.page.set_viewport_size(size)
            found = self._settled(size)
            if found:
                self.faults[f"{name} {size['width']}"] = found
            if self.language == ENGLISH:
                keep_picture(self.page, f"every_{name}_{size['width']}")

    def dialog(self, name: str, opener: str) -> None:
        """Look at the dialog that this button opens, and close it with the back button of the browser."""
        address = self.page.url
        self.page.locator(opener).first.tap()
        dialog = self.page.get_by_role("dialog")
        dialog.first.wait_for()
        self.at_every_size(name, SIZES if self._axe_width else (NARROWEST,))
        self.page.go_back()
        expect(dialog).to_have_count(0)
        expect(self.page).to_have_url(address)

    def _settled(self, size: ViewportSize) -> list[Any]:
        """What stands wrong once the page stands still; what is only on its way has time to arrive."""
        found: list[Any] = []
        for _ in range(round(8 * PATIENCE)):
            self.page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
            found = self.page.evaluate(OVERFLOW)
            if self.language == ENGLISH and size["width"] in (768, 844):
                found += self.page.evaluate(WITHOUT_ROOM)
            beside = self.page.evaluate(BESIDE)
            found += [["beside the screen", beside]] if beside > 0 else []
            if not found and size["width"] == self._axe_width:
                found = self.page.evaluate(VIOLATIONS, self._scheme)
            if not found:
                break
            self.page.wait_for_timeout(120)
        return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_stands_over_its_box(language: str, club: Tabs) -> None:
    _, scheme = AXE.get(language, (0, "light"))
    with club.visit(**PHONE | {"viewport": NARROWEST, "color_scheme": scheme}) as page:
        page.goto(f"{club.address}/?lang={language}")
        page.locator(".ts-start").wait_for()
        look = Look(page, language)
        look.at_every_size("start")
        look_at_the_head(look)
        page.locator(".st-key-source-sample button").tap()
        page.locator(".strip .tile").first.wait_for()
        look_at_the_hand(look, language)
        look_at_the_other_pages(look)
        look_at_the_table(look)
    assert not look.faults


def look_at_the_head(look: Look) -> None:
    """Look at the links and the language in windows of many widths: they end where the window ends."""
    for width in WIDTHS:
        look.page.set_viewport_size({"width": width, "height": 800})
        look.page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        box = look.page.locator(".st-key-ts_language").bounding_box()
        if box is None or box["x"] + box["width"] > width:
            look.faults[f"head {width}"] = [["beside the window", box]]
    look.page.set_viewport_size(NARROWEST)


def look_at_the_other_pages(look: Look) -> None:
    """Look at the pages that follow from the hand, and at those of all hands."""
    page = look.page
    for name, drawn in (("compare", ".ts-side"), ("live", ".tap button"), ("fans", ".fan >> nth=20")):
        look.go(name, drawn)
        look.at_every_size(name)
        if name == "compare" and look.language not in ("ja", "zh"):
            assert not page.evaluate(BROKEN, ".ts-side li span"), "a word of a line goes on in the next line"
    look.go("history", "[role=tab]")
    for number, name in enumerate(("hands", "players", "copies")):
        page.locator("[role=tab]").nth(number).tap()
        look.at_every_size(name)
    page.locator(".st-key-ts_help a").tap()
    page.locator(".ts-help").wait_for()
    look.at_every_size("help")


def look_at_the_hand(look: Look, language: str) -> None:
    """Look at a hand by each ruleset, with tiles selected, and as it is shared."""
    page = look.page
    look.dialog("share", ".st-key-share_open button")
    page.set_viewport_size({"width": 320, "height": 640})
    heights = page.locator(".ts-payments span").evaluate_all("all => all.map((one) => one.offsetHeight)")
    assert max(heights) < 30, "the name of a wind is broken"
    for number, name in enumerate(RULESETS):
        page.locator(".st-key-ruleset [role=radio]").nth(number).tap()
        look.at_every_size(f"hand {name}", SIZES if name == "riichi" else (NARROWEST,))
    look.at_every_size("hand at four times the size", ({"width": 320, "height": 640},))
    page.set_viewport_size(NARROWEST)
    assert edges(page, ".bar .tool", "y", rows=1) == 1, "the tools stand on one line"
    if language not in ("ja", "zh"):
        assert not page.evaluate(BROKEN, ".bar .tool .label"), "a word of a tool goes on in the next line"
    assert edges(page, ".strip .tile", "bottom", rows=2) == 2, "the winning tile stands beside the others"
    page.locator(".bar .select").tap()
    page.locator(".photo .box .edge").nth(1).tap()
    page.locator(".bar.picks").wait_for()
    look.at_every_size("selected", (NARROWEST,))


def edges(page: Page, selector: str, edge: str, *, rows: int) -> int:
    """In how many rows these elements stand, by that edge; a page that is drawn anew has time to stand as wanted."""
    found: set[int] = set()
    for _ in range(round(20 * PATIENCE)):
        places = page.locator(selector).evaluate_all(f"all => all.map((one) => one.getBoundingClientRect().{edge})")
        found = set(map(round, places))
        if len(found) == rows and 0 not in found:
            break
        page.wait_for_timeout(100)
    return len(found)


def look_at_the_table(look: Look) -> None:
    """Look at the list of games, the form of a new one, a game, a deal by its value, and the hand of the game."""
    page = look.page
    look.go("table", "[class*=st-key-games-open]")
    look.at_every_size("games")
    look.dialog("delete", ".st-key-games-delete_all-ask button")
    page.locator(".st-key-games-new button").tap()
    page.locator(".st-key-new-shuffle").wait_for()
    look.at_every_size("new game")
    page.locator(".st-key-new-cancel button").tap()
    page.locator("[class*=st-key-games-open] button").first.tap()
    page.locator(".table .seat").first.wait_for()
    look.at_every_size("game")
    for seat in ("drew", "paid"):
        page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
        page.locator(".table .seat button").nth(0 if seat == "drew" else 2).tap()
        page.locator(f".table .seat.{seat}").first.wait_for()
    page.locator("[class*=st-key-deal-grid] button").first.wait_for()
    look.at_every_size("deal")
    look.go("hand", ".strip .tile")
    look.at_every_size("hand in game")
