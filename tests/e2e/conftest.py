"""The app in a process of its own and Debian's Chromium to look at it, at the size of a phone and of a desk."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from benchmarks.harness.app_process import CHROMIUM, DESK, PATIENCE, PHONE, ROOT, chromium, running_app

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Locator, Page

SCREENSHOTS = ROOT / ".work" / "screenshots"
SIZES: dict[str, dict[str, Any]] = {"phone": PHONE, "desk": DESK}


@dataclass
class Visitor:
    """Somebody looking at the app.

    Attributes:
        page: their browser's page.
        touch: whether they use a finger.
    """

    page: Page
    touch: bool

    def press(self, target: Locator) -> None:
        """Tap or click."""
        if self.touch:
            target.tap()
        else:
            target.click()

    def choose(self, name: str) -> None:
        """Choose in a segmented control."""
        self.press(self.page.get_by_role("radio", name=name, exact=True))

    def type_hand(self, text: str) -> None:
        """Write the hand into the text field."""
        box = self.page.get_by_role("textbox", name="The hand as text")
        box.fill(text)
        box.press("Enter")
        self.page.locator(".photo").wait_for(state="detached")

    def strip(self) -> list[str]:
        """What the tiles of the hand are called."""
        return [str(label) for label in self.tiles.evaluate_all("tiles => tiles.map((tile) => tile.ariaLabel)")]

    def expect_strip(self, names: list[str]) -> None:
        """Wait until the tiles of the hand are called so: they are drawn anew while the app answers."""
        expect(self.tiles).to_have_count(len(names))
        for place, name in enumerate(names):
            expect(self.tiles.nth(place)).to_have_attribute("aria-label", name)

    @property
    def tiles(self) -> Locator:
        """The tiles of the hand below the photo."""
        return self.page.locator(".strip .tile")

    @property
    def total(self) -> Locator:
        """The large number."""
        return self.page.locator(".ts-total strong")

    def keep_picture(self, name: str) -> None:
        """A screenshot for people to look at."""
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"{name}_{'phone' if self.touch else 'desk'}.png")


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the app answers."""
    with running_app(tmp_path_factory.mktemp("games")) as place:
        yield place


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Debian's Chromium; where it is missing the test is skipped, in CI it fails."""
    if not CHROMIUM.exists():
        reason = f"{CHROMIUM} is missing: apt-get install chromium"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    expect.set_options(timeout=15_000 * PATIENCE)
    with chromium() as started:
        yield started


@pytest.fixture(scope="package")
def contexts(browser: Browser) -> dict[str, BrowserContext]:
    """A context of each size for all visitors: it keeps the compiled scripts of the app, half the time of a page."""
    made = {name: browser.new_context(**size) for name, size in SIZES.items()}
    for context in made.values():
        context.set_default_timeout(20_000 * PATIENCE)
    return made


@pytest.fixture(params=SIZES)
def visitor(request: pytest.FixtureRequest, contexts: dict[str, BrowserContext], address: str) -> Iterator[Visitor]:
    """Somebody who has just opened the app, of whom the browser knows nothing."""
    context = contexts[request.param]
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Storage.clearDataForOrigin", {"origin": address, "storageTypes": "cookies,local_storage,indexeddb"})
    wire.detach()
    visitor = Visitor(page, request.param == "phone")
    page.goto(address)
    page.locator(".strip").wait_for()
    yield visitor
    context.clear_permissions()
    for left in context.pages:
        left.close()
