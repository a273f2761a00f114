"""Each game that came last, in the browser: a hand, its lines, a table, on a phone and on a desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.e2e.conftest import Visitor

pytestmark = pytest.mark.browser

GAMES = [
    # its name, a hand won by self-draw in the east, the total, a line, its players
    ("Hong Kong", "12355m (456m) (789m) (222m) +3m &1f", "9 faan", "Full Flush", 4),
    ("Taiwan", "234p678p345s99s (123m) (777s) +5s &1f", "3 tai", "Self-Draw", 4),
    ("Riichi with three players", "345p678p345s789s22p +9s &4z", "2 600 points", "Nuki Dora (North)", 3),
]


@pytest.mark.parametrize("game", GAMES, ids=[game[0] for game in GAMES])
def test_a_game_from_the_hand_to_the_table(game: tuple[str, str, str, str, int], visitor: Visitor) -> None:
    page, (name, hand, total, line, players) = visitor.page, game
    picture = f"{name.rpartition(' ')[2].lower()}_{players}"
    visitor.type_hand(hand)
    visitor.choose(name)
    expect(page.get_by_role("radio", name=name, exact=True).first).to_be_checked()
    expect(page.locator(".ts-total").first).to_have_text(total.replace(" 600", "\u202f600"))
    expect(page.locator(".line").filter(has_text=line).first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page does not scroll sideways"
    visitor.keep_picture(f"game_{picture}")
    visitor.press(page.locator(".line").filter(has_text=line).first)
    visitor.press(page.get_by_role("button", name="More about it").first)
    expect(page.locator(".fan[open]").first).to_contain_text(line)
    visitor.keep_picture(f"fans_{picture}")
    visitor.press(page.get_by_role("link", name="Table", exact=True))
    start = page.get_by_role("button", name="Start the game")
    another = page.get_by_role("button", name="New game")
    start.or_(another).first.wait_for()
    if another.is_visible():
        visitor.press(another)
    visitor.choose(name)
    expect(page.get_by_role("textbox", name="North", exact=True)).to_have_count(players - 3)
    visitor.press(start)
    expect(page.locator(".table .middle").first).to_contain_text("East 1")
    expect(page.locator(".table .seat")).to_have_count(players)
    visitor.keep_picture(f"table_{picture}")
    for elsewhere in ("History", "Fans"):
        visitor.press(page.get_by_role("link", name=elsewhere, exact=True))
        expect(page).to_have_title(f"{elsewhere} · Tilescore")
        page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
        page.reload()
        page.locator(".ts-head").first.wait_for()
        page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
        visitor.press(page.get_by_role("link", name="Table", exact=True))
        expect(page.locator(".table .seat")).to_have_count(players)
