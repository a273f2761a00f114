"""The app restarted under open pages, with presses at every moment: what each page shows must be true afterwards.

A page here is a control and a content that follows from it. Before the first restart, each choice of the control is
pressed once to learn its content. A page is stale if it lights up one choice and shows the content of another.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar

from tests.harness.app_process import DESK, PATIENCE, PHONE, ROOT, START, open_sample, wait_for

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Generator, Sequence
    from pathlib import Path

    from playwright.sync_api import Browser, Locator, Page

_Result = TypeVar("_Result")
MOMENTS: Final = ("down", "first", "soon", "later", "often")
"""When presses come: while nothing answers, with the first answer, within a second or two after, or all the time."""
_SAMPLE: Final = ROOT / "datasets" / "sample" / "riichi_closed.jpg"
_HAND: Final = "123456789m234s55p +4s"
_CALM_S: Final = 1.0
"""A page that shows the same for so long is settled."""
_MOST_S: Final = 20 * PATIENCE
_NAMED: Final = "(one) => one.ariaLabel || one.innerText.trim()"
_LIT: Final = (
    f"""(choices) => choices.filter((one) => one.matches("[aria-checked=true], .current")).map({_NAMED}).join()"""
)
_SPOTS: Final = f"""(buttons) => buttons.map((one) => {{
  const {{ left, top, width, height }} = one.getBoundingClientRect();
  return [({_NAMED})(one), left + width / 2, top + height / 2];
}})"""
_CONNECTED: Final = ".stApp[data-test-connection-state=CONNECTED]"
_READY: Final = f"body:not(:has([data-testid=stToast])) {_CONNECTED}:not([inert])"


@dataclass(frozen=True, slots=True)
class Place:
    """A page of the app."""

    name: str  # what it is called in a report
    path: str  # its address
    size: dict[str, Any]  # the screen
    control: str  # where its choices are: radio buttons, or a key of the keyboard
    content: str  # what depends on the choice
    prepare: Callable[[Page], None] = lambda _page: None  # what is done once the page is open


@dataclass(slots=True)
class OpenPage:
    """A page in a browser, and the content that belongs to each of its choices."""

    place: Place
    page: Page
    learned: dict[str, str] = field(default_factory=dict)
    wanted: str = ""

    def choices(self) -> Locator:
        """The buttons of the control."""
        return self.page.locator(self.place.control)

    def seen(self) -> tuple[str, str]:
        """The choice that is lit, and the content."""
        lit = self.choices().evaluate_all(_LIT)
        content = "|".join(self.page.locator(self.place.content).all_text_contents())
        return lit, content

    def press(self, number: int) -> None:
        """Press at the place of that choice as a hand does: whether the page is ready or not."""
        spots = self.choices().evaluate_all(_SPOTS)
        if number >= len(spots):  # the page is being drawn anew
            return
        self.wanted, *spot = spots[number]
        if self.place.size is PHONE:
            self.page.touchscreen.tap(*spot)
        else:
            self.page.mouse.click(*spot)

    def settled(self, *, fine: Callable[[tuple[str, str]], bool]) -> Generator[None, None, bool]:
        """Look until the page stays the same and is fine; False if that does not come once the page is ready."""
        since, before = time.monotonic(), None
        end = yield from self._ready()
        while time.monotonic() < end:
            now = self.seen()
            if now != before or not fine(now) or self.page.locator(_READY).count() == 0:
                before, since = now, time.monotonic()
            elif time.monotonic() - since > _CALM_S:
                return True
            yield
        return False

    def _ready(self) -> Generator[None, None, float]:
        """Look until the page takes presses; gives the time at which it has had time enough to become fine."""
        end = time.monotonic() + 3 * _MOST_S
        while not self.page.locator(_READY).count() and time.monotonic() < end:
            yield
        return time.monotonic() + _MOST_S

    def learn(self) -> Generator[None]:
        """Prepare the page and press every choice once."""
        self.place.prepare(self.page)
        self.choices().first.wait_for()
        self.choices().last.evaluate("node => node.scrollIntoView({ block: 'center' })")  # none under the pages' bar
        for number in range(self.choices().count()):
            yield from self._learn(number)
        if len(set(self.learned.values())) < 2:
            raise RuntimeError(f"nothing depends on the choices of {self.place.name}: {self.learned}")

    def _learn(self, number: int) -> Generator[None]:
        lit_before, content_before = self.seen()
        self.press(number)

        def pressed(now: tuple[str, str]) -> bool:
            return now[0] == self.wanted and (now[0] == lit_before or now[1] != content_before)

        yield from self.settled(fine=pressed)
        lit, content = self.seen()
        self.learned[lit] = content

    def disturb(self, draw: random.Random) -> None:
        """Press one of the choices."""
        self.press(draw.randrange(len(self.learned)))

    def outcome(self, draw: random.Random) -> Generator[None, None, str]:
        """What became of the page: stale, dead, or true, and then whether the last press counted."""
        if not (yield from self.settled(fine=self.is_true)):
            lit, content = self.seen()
            true_of = [choice for choice, known in self.learned.items() if known == content] or [content[:80]]
            print(f"stale: {self.place.name}: {lit!r} is lit over {true_of}", flush=True)
            self.page.reload()
            yield from self.settled(fine=self.is_true)
            return "stale"
        lit, wanted, self.wanted = self.seen()[0], self.wanted, ""
        self.press(draw.choice([at for at, choice in enumerate(self.learned) if choice != lit]))
        if not (yield from self.settled(fine=lambda now: now[0] == self.wanted and self.is_true(now))):
            print(f"dead: {self.place.name}: {self.seen()[0]!r} stays lit after {self.wanted!r}", flush=True)
            return "dead"
        self.wanted = ""
        return "true, without a press" if not wanted else f"true, press {'counted' if wanted == lit else 'not taken'}"

    def is_true(self, now: tuple[str, str]) -> bool:
        """Whether the content is that of the choice."""
        return self.learned.get(now[0]) == now[1]


@dataclass(frozen=True, slots=True)
class Way:
    """A button that leads somewhere."""

    # name, path, size, prepare: as of a place
    name: str
    path: str
    size: dict[str, Any]
    button: str  # what is pressed
    there: str  # what is seen then
    prepare: Callable[[Page], None] = lambda _page: None


@dataclass(slots=True)
class OpenWay:
    """A page with that button in a browser."""

    way: Way
    page: Page
    home: str

    def disturb(self, _draw: random.Random) -> None:
        """Press the button as a hand does: whether the page is ready or not."""
        for _, *spot in self.page.locator(self.way.button).evaluate_all(_SPOTS)[:1]:
            self.page.mouse.click(*spot)

    def outcome(self, draw: random.Random) -> Generator[None, None, str]:
        """Press once more, unless a press has led on, and go back: dead, or true and counted."""
        there, calm_s, end = self.page.locator(self.way.there), time.monotonic() + _CALM_S, time.monotonic() + _MOST_S
        while not there.count() and (time.monotonic() < calm_s or not self.page.locator(_READY).count()):
            yield
        if not there.count():
            self.disturb(draw)
        while not there.count() and time.monotonic() < end:
            yield
        counted = there.count() > 0
        yield from self.learn()
        return "true, press counted" if counted else "dead"

    def learn(self) -> Generator[None]:
        """Open the page and prepare it."""
        self.page.goto(self.home)
        self.page.locator(f"{_READY}[data-test-script-state=notRunning]").wait_for()
        yield
        self.way.prepare(self.page)
        self.page.locator(self.way.button).first.wait_for()


def _typed(page: Page) -> None:
    page.get_by_role("textbox", name="The hand as text").fill(_HAND)
    page.keyboard.press("Enter")
    page.locator(".photo").wait_for(state="detached")
    page.locator("#score").wait_for()


def _past(page: Page) -> None:
    _typed(page)
    page.get_by_role("link", name="History", exact=True).click()


def _compared(page: Page) -> None:
    _typed(page)
    page.get_by_role("link", name="Compare").click()


def _game(page: Page) -> None:
    start, another = (page.get_by_role("button", name=name) for name in ("Start the game", "New game"))
    start.or_(another).first.wait_for()
    if another.is_visible():
        another.click()
    start.click()
    page.locator(".table .middle").wait_for()


def _rules(page: Page) -> None:
    page.locator("[data-testid=stExpander] summary").click()


RULES: Final = '[data-testid=stButtonGroup]:has-text("MCR") [role=radio]'
PLACES: Final = (
    Place("hand, sample", "/hand", DESK, RULES, "#score", open_sample),
    Place("hand, typed", "/hand", PHONE, RULES, "#score", _typed),
    Place("hand, who won", "/hand", PHONE, ".st-key-won [role=radio]", "#score", _typed),
    Place("hand, seat", "/hand", DESK, ".st-key-seat [role=radio]", "#score", _typed),
    Place("table", "/table", DESK, '[data-testid=stButtonGroup]:has-text("Foul") [role=radio]', "label", _game),
    Place("live", "/live", PHONE, '[data-testid=stButtonGroup]:has-text("Riichi") [role=radio]', "label"),
    Place("annotate", "/", DESK, ".cell", ".where b"),
    Place("fans", "/fans", PHONE, RULES, ".fan summary"),
)


WAYS: Final = (
    Way("compare", "/hand", DESK, ".st-key-ts_compare button >> nth=2", "#score", _compared),
    Way("history", "/hand", DESK, "[class*=st-key-history-open] button", "#score", _past),
)


def opened(browser: Browser, address: str, places: Sequence[Place | Way]) -> list[OpenPage | OpenWay]:
    """These pages, each open in a browser of its own, their choices learned."""
    pages = [_opened(browser, address, place) for place in places]
    _together([one.learn() for one in pages])
    return pages


def _opened(browser: Browser, address: str, place: Place | Way) -> OpenPage | OpenWay:
    context = browser.new_context(**place.size)
    context.set_default_timeout(30_000 * PATIENCE)
    page = context.new_page()
    if isinstance(place, Way):
        return OpenWay(place, page, address + place.path)
    page.goto(address + place.path)
    page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
    return OpenPage(place, page)


def _together(works: Sequence[Generator[None, None, _Result]]) -> list[_Result]:
    """The results of the works, each of which gives way to the others while it waits."""
    waiting, results = dict(enumerate(works)), dict[int, _Result]()
    while waiting:
        for place, work in [*waiting.items()]:
            try:
                next(work)
            except StopIteration as done:
                results[place] = done.value
                del waiting[place]
        time.sleep(0.2)
    return [results[place] for place in range(len(works))]


class Server:
    """The app on one port, with some photos to label, started and ended again and again."""

    def __init__(self, folder: Path, port: int) -> None:
        photos = folder / "photos"
        photos.mkdir()
        for name in "abc":
            shutil.copy(_SAMPLE, photos / f"{name}.jpg")
        self.address = f"http://localhost:{port}"
        self._command = [sys.executable, *START, "annotate", str(photos), "--no-browser", "--port", str(port)]
        self._environment = os.environ | {"TILESCORE_DATA": str(folder / "data")}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._process = subprocess.Popen(  # noqa: S603  # our own interpreter
            self._command, cwd=ROOT, env=self._environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wait_for(f"{self.address}/_stcore/health", self._process)

    def end(self, *, kill: bool = False) -> None:
        """End it, at once or as Ctrl+C does."""
        if self._process is None:
            return
        (self._process.kill if kill else self._process.terminate)()
        self._process.wait(20)
        self._process = None


def restart(server: Server, pages: Sequence[OpenPage | OpenWay], *, moment: str, draw: random.Random) -> Counter[str]:
    """Restart under these pages with presses at that moment; the outcome of each page, counted."""
    server.end(kill=draw.random() < 0.5)
    if moment in ("down", "often"):
        _press_all(pages, draw)
    server.start()
    if moment in ("first", "often"):
        _press_all(pages, draw)
    if moment in ("soon", "later", "often"):
        for one in pages:
            one.page.locator(_CONNECTED).wait_for()
            if moment == "later":
                one.page.wait_for_timeout(draw.uniform(0, 2000))
            one.disturb(draw)
    if moment == "often":
        _press_all(pages, draw)
    return Counter(_together([one.outcome(draw) for one in pages]))


def _press_all(pages: Sequence[OpenPage | OpenWay], draw: random.Random) -> None:
    for one in pages:
        one.disturb(draw)
