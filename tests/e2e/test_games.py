"""Every game in the browser, on a phone and on a desk: a hand, its lines, a table, a deal booked there.

The toy ruleset of `tests/ui/toy` goes the same way: a ruleset is one folder and one line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import SIZES, Tabs, Visitor
from tests.e2e.test_table import set_up
from tests.harness.app_process import running_app
from tests.ui.toy.rules import Toy
from tilescore.scoring.context import Seat
from tilescore.scoring.payments import Payments
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.traits import KnownValue, KnownWin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from tilescore.scoring.ruleset import Ruleset

pytestmark = pytest.mark.browser
GAP = "\N{NARROW NO-BREAK SPACE}"


@dataclass(frozen=True)
class Played:
    """A game, a hand of it won by self-draw in the east with its total and a line, and a value to book."""

    rules: Ruleset
    name: str
    hand: str
    total: str
    line: str
    value: KnownValue


PLAIN = "111m456p789s234s55z +4s"
GAMES = [
    Played(ruleset("mcr"), "MCR", "123456789m234s55p +4s", "22 points", "Pure Straight", KnownValue(points=24)),
    Played(ruleset("riichi"), "Riichi", "234m345678p22567s +7s", "3 900 points", "Tanyao", KnownValue(han=5)),
    Played(ruleset("classical"), "Classical", PLAIN, "32 points", "Mah-jong", KnownValue(points=36)),
    Played(ruleset("simplified"), "Simplified", PLAIN, "64 points", "Mah-jong", KnownValue(points=40)),
    Played(
        ruleset("hongkong"), "Hong Kong", "12355m (456m) (789m) (222m) +3m &1f", "9 faan", "Full Flush",
        KnownValue(points=5),
    ),
    Played(
        ruleset("taiwan"), "Taiwan", "234p678p345s99s (123m) (777s) +5s &1f", "3 tai", "Self-Draw",
        KnownValue(points=4),
    ),
    Played(
        ruleset("riichi3"), "Riichi with three players", "345p678p345s789s22p +9s &4z", "2 600 points",
        "Nuki Dora (North)", KnownValue(han=3, fu=40),
    ),
]  # fmt: skip


@pytest.mark.empty_table
@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_a_game_from_the_hand_to_a_booked_deal(game: Played, visitor: Visitor) -> None:
    score(visitor, game)
    look_up(visitor, game)
    book(visitor, game)


@pytest.mark.empty_table
def test_a_reload_on_another_page_keeps_the_open_game(visitor: Visitor) -> None:
    page = visitor.page
    book(visitor, GAMES[0])
    for elsewhere in ("History", "Fans"):
        visitor.press(page.get_by_role("link", name=elsewhere, exact=True))
        expect(page).to_have_title(f"{elsewhere} · Tilescore")
        page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
        page.reload()
        page.locator(".ts-head").first.wait_for()
        page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
        visitor.press(page.get_by_role("link", name="Table", exact=True))
        expect(page.locator(".table .seat")).to_have_count(len(GAMES[0].rules.traits.seats))


@pytest.mark.empty_table
def test_the_names_of_a_new_game_stay_until_it_begins(visitor: Visitor) -> None:
    page = visitor.page
    visitor.press(page.get_by_role("link", name="Table", exact=True))
    start = set_up(visitor)
    east = page.get_by_role("textbox", name="East", exact=True)
    east.fill("Zoe")
    east.press("Enter")
    visitor.stand_still()
    for elsewhere in (True, False):
        if elsewhere:
            visitor.press(page.get_by_role("link", name="Fans", exact=True))
            expect(page).to_have_title("Fans · Tilescore")
            visitor.press(page.get_by_role("link", name="Table", exact=True))
        else:
            page.reload()
        expect(east).to_have_value("Zoe")
    visitor.press(start)
    expect(page.locator(".table .seat")).to_have_count(4)
    visitor.press(page.get_by_role("button", name="All games"))
    expect(page.get_by_role("button", name="New game")).to_be_visible()
    visitor.stand_still()
    page.reload()
    expect(page.get_by_role("button", name="New game")).to_be_visible()


def score(visitor: Visitor, game: Played) -> None:
    """The hand on the page Hand."""
    page = visitor.page
    visitor.type_hand(game.hand)
    visitor.choose(game.name)
    expect(page.get_by_role("radio", name=game.name, exact=True).first).to_be_checked()
    number, unit = game.total.rsplit(" ", 1)
    expect(page.locator(".ts-total").first).to_have_text(f"{number.replace(' ', GAP)} {unit}")
    expect(page.locator("button.line").filter(has_text=game.line).first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page does not scroll sideways"
    visitor.keep_picture(f"game_{game.rules.name}")


def look_up(visitor: Visitor, game: Played) -> None:
    """The line in the list of lines."""
    page = visitor.page
    visitor.press(page.locator("button.line").filter(has_text=game.line).first)
    visitor.press(page.get_by_role("button", name="More about it").first)
    expect(page.locator(".fan[open]").first).to_contain_text(game.line)
    visitor.keep_picture(f"fans_{game.rules.name}")


def book(visitor: Visitor, game: Played) -> None:
    """A new game, in which the player in the south draws the winning tile of a hand of that value."""
    page, traits = visitor.page, game.rules.traits
    visitor.press(page.get_by_role("link", name="Table", exact=True))
    start = page.get_by_role("button", name="Start the game")
    another = page.get_by_role("button", name="New game")
    start.or_(another).first.wait_for()
    if another.is_visible():
        visitor.press(another)
    visitor.choose(game.name)
    expect(page.get_by_role("textbox", name="North", exact=True)).to_have_count(len(traits.seats) - 3)
    visitor.press(start)
    expect(page.locator(".table .middle").first).to_contain_text("East 1")
    expect(page.locator(".table .seat")).to_have_count(len(traits.seats))
    visitor.press(page.locator('.table [data-at="B"]').first)
    what = f"{game.value.han}:{game.value.fu}" if game.value.han else str(game.value.points)
    cell = page.locator(f'.cells [data-at="{what}"]').first
    cell.wait_for()
    cell.evaluate("node => node.scrollIntoView({ block: 'center' })")
    visitor.keep_picture(f"table_{game.rules.name}")
    visitor.press(cell)
    expect(cell).to_have_attribute("aria-pressed", "true")
    visitor.press(page.get_by_role("button", name="Book this deal", exact=True).first)
    won = Payments.of(game.rules.payments_of(KnownWin(winner=Seat.SOUTH, value=game.value)))
    totals = [(traits.start or 0) + won[seat] for seat in traits.seats]
    expect(page.locator("tfoot td")).to_have_text(
        [f"{total:,}".replace(",", GAP).replace("-", "−") for total in totals]
    )
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page does not scroll sideways"


@pytest.fixture(scope="module")
def toy_tabs(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tabs]:
    """Tabs for an app that has one more ruleset."""
    with running_app(tmp_path_factory.mktemp("toy"), start=("-m", "tests.ui.toy")) as address:
        yield Tabs(browser, address)


@pytest.fixture(params=SIZES)
def player_of_a_toy(request: pytest.FixtureRequest, toy_tabs: Tabs) -> Iterator[Visitor]:
    """Somebody who looks at that app."""
    with toy_tabs.visit(**SIZES[request.param]) as page:
        page.goto(toy_tabs.address)
        yield Visitor(page, "has_touch" in SIZES[request.param])


def test_a_toy_is_played_on_every_page(player_of_a_toy: Visitor) -> None:
    visitor, page = player_of_a_toy, player_of_a_toy.page
    game = Played(Toy(), "Toy", PLAIN, "2 points", "Any Pung", KnownValue(points=5))
    visitor.open_sample()
    score(visitor, game)
    visitor.press(page.get_by_role("link", name="Compare", exact=True))
    card = page.locator("section.ts-card").filter(has=page.get_by_role("heading", name="Toy", exact=True))
    expect(card.first).to_contain_text("2")
    visitor.keep_picture("compare_toy")
    visitor.press(page.get_by_role("link", name="Live", exact=True))
    expect(page.get_by_role("button", name="Start the camera")).to_be_visible()
    expect(page.get_by_role("radio", name="Toy", exact=True).first).to_be_checked()
    visitor.press(page.get_by_role("link", name="Fans", exact=True))
    expect(page.locator(".fan").filter(has_text="Any Pung").first).to_be_visible()
    visitor.press(page.get_by_role("link", name="Hand", exact=True))
    page.locator(".ts-total").first.wait_for()
    look_up(visitor, game)
    book(visitor, game)
