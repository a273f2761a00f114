"""Several people at once (eight in `make bench`): each sees their own hand only, whoever changes theirs meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import expect

from tests.harness.app_process import PATIENCE, PHONE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
_PEOPLE: Final = 4
_WATCH: Final = """() => {
  window.seen = new Set();
  const field = () => document.querySelector("input[aria-label='The hand as text']")?.value;
  setInterval(() => window.seen.add(field() ?? ""), 20);
}"""


def hands(person: int) -> tuple[str, str]:
    """A hand that nobody else has, and what becomes of it when its first tile is thrown out."""
    return f"{person}{person}m234567p234s555z", f"{person}m234567p234s555z"


def test_nobody_sees_the_hand_of_another(browser: Browser, address: str) -> None:
    context = browser.new_context(**PHONE)  # one, so that not even the cookies tell them apart
    context.set_default_timeout(30_000 * PATIENCE)
    context.add_init_script(f"({_WATCH})()")
    everybody = [(hands(person), context.new_page()) for person in range(1, _PEOPLE + 1)]
    for (hand, _), page in everybody:
        page.goto(f"{address}/?hand={hand}&rules=mcr", wait_until="commit")
    for _, page in everybody:
        page.locator(".strip .tile").nth(13).wait_for()
    for _, page in everybody:  # all at once: nobody waits for what another does
        page.locator(".strip .tile").first.tap()
        page.locator("dialog .chip.danger").evaluate("button => button.click()")
    for (hand, fewer), page in everybody:
        # The field is drawn anew, and for a moment there may be two.
        field = page.get_by_role("textbox", name="The hand as text").first
        expect(field).to_have_value(fewer, timeout=30_000 * PATIENCE)
        assert set(page.evaluate("[...window.seen]")) <= {"", hand, fewer}
    for _, page in everybody:
        page.get_by_role("button", name="Undo").tap()
    for (hand, fewer), page in everybody:
        expect(page.get_by_role("textbox", name="The hand as text").first).to_have_value(
            hand, timeout=30_000 * PATIENCE
        )
        assert set(page.evaluate("[...window.seen]")) <= {"", hand, fewer}
    context.close()
