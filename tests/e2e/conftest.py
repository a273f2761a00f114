"""The app in a process of its own and Debian's Chromium to look at it, at the size of a phone and of a desk."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Error as BrowserError
from playwright.sync_api import expect

from tests.harness.app_process import CHROMIUM, DESK, PATIENCE, PHONE, chromium, reserved_port, running_app
from tilescore.ui.storage.ledger_store import LedgerStore

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from playwright.sync_api import Browser, Locator, Page, ViewportSize

SCREENSHOTS = Path(os.environ["TILESCORE_SCREENSHOTS"]) if os.environ.get("TILESCORE_SCREENSHOTS") else None
"""The folder for pictures of the pages. Without the variable there are none: they take a fiftieth of the time."""
SIZES: dict[str, dict[str, Any]] = {"phone": PHONE, "desk": DESK}
if os.environ.get("TILESCORE_SIZES") == "all":  # every scenario at the sizes, too, at which test_every_page looks
    SIZES |= {
        "narrow": {**PHONE, "viewport": {"width": 360, "height": 740}},
        "tablet": {**PHONE, "viewport": {"width": 768, "height": 1024}},
        "lying": {**PHONE, "viewport": {"width": 844, "height": 390}},
    }

LOG = pytest.StashKey[Path]()
"""The file in which the app of all tests writes about faults."""


@dataclass
class Visitor:
    """Somebody looking at the app."""

    page: Page  # their browser's page
    touch: bool  # whether they use a finger

    def press(self, target: Locator, *, at_once: bool = False) -> None:
        """Tap or click; unless `at_once`, once the app stands still: a button drawn anew can lose a press."""
        if not at_once:
            self.stand_still()
        if self.touch:
            target.tap()
        else:
            target.click()

    def choose(self, name: str) -> None:
        """Choose in a segmented control."""
        self.press(self.page.get_by_role("radio", name=name, exact=True))

    def open_sample(self) -> None:
        """Press the button for the sample and wait for its hand."""
        self.press(self.page.get_by_role("button", name="Sample", exact=True))
        self.page.locator(".strip .tile").nth(13).wait_for()

    def type_hand(self, text: str) -> None:
        """Write another hand into the text field and wait until the app has it.

        Again if the answer to an earlier change brings a new field meanwhile. Who leaves the page before the app has
        the hand loses it: the browser then sends the new page alone.
        """
        box = self.page.get_by_role("textbox", name="The hand as text")
        before = None if self.page.locator(".photo").count() else self.strip()
        for patience_s in (3, 6, 30):
            expect(box).to_have_count(1)
            box.fill(text)
            self.page.keyboard.press("Enter")
            until = monotonic() + patience_s * PATIENCE
            while monotonic() < until:
                if not self.page.locator(".photo").count() and self.strip() not in (before, []):
                    self.stand_still()
                    return
                self.page.wait_for_timeout(20)
        raise AssertionError(f"the app did not take the hand {text}")

    def stand_still(self) -> None:
        """Wait until the answer of the app is drawn to its end: a press or a drag before may meet a tile that goes."""
        self.page.locator(".stApp[data-test-script-state=notRunning]").wait_for()

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
        """Keep a picture of their page, if somebody wants it."""
        keep_picture(self.page, f"{name}_{'phone' if self.touch else 'desk'}")


def keep_picture(page: Page, name: str, *, full_page: bool = False) -> None:
    """Write the page to the folder of screenshots under this name, if there is one."""
    if SCREENSHOTS is not None:
        page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=full_page)


@pytest.fixture(scope="session")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> LedgerStore:
    """The games of the app."""
    return LedgerStore(tmp_path_factory.mktemp("games") / "games.sqlite3")


@pytest.fixture(scope="session")
def address(
    ledger: LedgerStore, tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config
) -> Iterator[str]:
    """Where the app answers."""
    pytestconfig.stash[LOG] = tmp_path_factory.mktemp("app") / "log.txt"
    with running_app(ledger.path.parent, log=pytestconfig.stash[LOG]) as place:
        yield place


@pytest.fixture(scope="session")
def port() -> Iterator[int]:
    """Where the apps of single tests answer, one after the other: the browser knows their scripts by the address."""
    with reserved_port() as port:
        yield port


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Debian's Chromium; where it is missing the test is skipped, in CI it fails."""
    if not CHROMIUM.exists():
        reason = f"{CHROMIUM} is missing: apt-get install {CHROMIUM.name}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    expect.set_options(timeout=15_000 * PATIENCE)
    with chromium() as started:
        yield started


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each test of this folder a second run in CI; pytest names at the end those that needed it.

    A slow machine can lose a press between two drawings of a page, and one such press in 300 tests refuses the work of
    a day. A fault of the app fails twice. At a desk there is no second run: whoever sees a failure there can look.
    """
    if os.environ.get("CI") == "true":
        for item in items:
            if item.path.is_relative_to(Path(__file__).parent):
                item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the text of the pages and the faults of the app to the report of a test that fails: CI shows no screen."""
    report = yield
    if report.failed and report.when == "call":
        if LOG in item.config.stash:
            report.sections.append(("app", item.config.stash[LOG].read_text("utf-8", "replace")[-4000:]))
        values = getattr(item, "funcargs", {}).values()
        visitors = [one for value in values for one in (value if isinstance(value, tuple) else (value,))]
        for page in [one.page for one in visitors if hasattr(one, "page")]:  # pytest imports this module twice
            with suppress(BrowserError):
                report.sections.append(("page", _shown(page)))
    return report


def _shown(page: Page) -> str:
    """The address of a page and its text."""
    return f"{page.url}\n{page.locator('body').inner_text(timeout=5000)}"


class Tabs:
    """Tabs for people of whom the app knows nothing; who leaves makes room for the next.

    The browser keeps the compiled scripts of the app for a tab, a context and a site: a visit in a used tab costs less
    than half of one in a new context. The app knows a browser by its cookies alone.

    Attributes:
        address: where the app answers.
    """

    def __init__(self, browser: Browser, address: str) -> None:
        self.address = address
        self._browser = browser
        self._nowhere = f"{address}/_stcore/health"  # another site, about:blank too, would begin a new process
        self._free: dict[str, list[Page]] = {}

    @contextmanager
    def visit(self, **options: Any) -> Iterator[Page]:
        """An empty page in a context with these options."""
        free = self._free.setdefault(str(sorted(options.items())), [])
        page = free.pop() if free else self._new(options)
        try:
            yield page
            self._leave(page, options["viewport"])
        except BaseException as error:
            with suppress(BrowserError):
                error.add_note(_shown(page))
            page.context.close()
            raise
        free.append(page)

    def _new(self, options: dict[str, Any]) -> Page:
        context = self._browser.new_context(**{"reduced_motion": "reduce"} | options)
        context.set_default_timeout(30_000 * PATIENCE)
        return context.new_page()

    def _leave(self, page: Page, viewport: ViewportSize) -> None:
        """Forget who looked at the page."""
        for other in page.context.pages:
            if other is not page:
                other.close()
        page.evaluate("localStorage.clear(), sessionStorage.clear()")
        page.goto(self._nowhere)
        page.context.clear_cookies()
        page.context.clear_permissions()
        page.set_viewport_size(viewport)


@pytest.fixture(scope="package")
def tabs(browser: Browser, address: str) -> Tabs:
    """Tabs of one browser."""
    return Tabs(browser, address)


@pytest.fixture(params=SIZES)
def visitor(request: pytest.FixtureRequest, tabs: Tabs, address: str) -> Iterator[Visitor]:
    """Somebody who looks at the sample, of whom the browser knows nothing; at no hand yet, if marked `empty_table`."""
    with tabs.visit(**SIZES[request.param]) as page:
        page.goto(address)
        visitor = Visitor(page, "has_touch" in SIZES[request.param])
        if request.node.get_closest_marker("empty_table"):
            visitor.stand_still()
        else:
            visitor.open_sample()
        yield visitor
