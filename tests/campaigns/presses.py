"""Press anything on two pages of one game, again and again: `python -m tests.campaigns.presses --presses 1000`.

Nothing that a person presses, types, draws or drops, however fast, may end in an apology of the app or an error of a
script. With `--annotate` two people label one folder; afterwards each file of labels can be read.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from playwright.sync_api import Error as BrowserError

from tests.e2e.test_first import SIZES
from tests.e2e.test_table import NAMES
from tests.harness.app_process import ROOT, chromium, running_app
from tests.harness.figures import Figure, at_most, show
from tilescore.datasets.annotation.folder import AnnotationFolder
from tilescore.datasets.sample import SAMPLES
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.ruleset import RULESETS
from tilescore.ui.pages.annotate import FOLDER
from tilescore.ui.storage.ledger_store import LedgerStore

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_PHOTOS: Final = [ROOT / "datasets" / "sample" / f"{name}.jpg" for name in ("discard_pond", "flowers_kong")]
_TEXTS: Final = ("123m456p789s11z +1z", "123m456p77z (789s) +3m", "123m 123p 11s (111z) (456s) +1s", "x", "-5", "")
_PLACES: Final = ("", "table", "live", "compare", "fans", "history", "table?game=none", "?hand=1m")
_KEYS: Final = (
    *("m", "p", "s", "z", "r", "1", "5", "9", "0", "a", "d", "n", "?", "Enter", "Escape", "Delete", "Backspace", "Tab"),
    *("ArrowLeft", "ArrowRight", "ArrowUp", "Control+z", "Control+Shift+z", "Control+a", "Shift+ArrowDown", "Space"),
)
_SHORT_MS: Final = (0, 20, 80, 250)
_APOLOGY: Final = "which is our fault"
_THING: Final = """(share) => {
  const roots = [document], things = [];
  const pressed = "button, a[href], summary, label, .line, .tile, input:is([type=text], [type=number])";
  for (const root of roots) for (const node of root.querySelectorAll("*")) {
    if (node.shadowRoot) roots.push(node.shadowRoot);
    if (!node.matches(pressed) || node.disabled || node.hasAttribute("download")) continue;
    const { width, height } = node.getBoundingClientRect();
    if (width > 1 && height > 1 && (node.origin ?? location.origin) === location.origin) things.push(node);
  }
  return things[Math.floor(share * things.length)];
}"""
"""JavaScript that chooses something that can be pressed or filled, also in the components, by a number below 1."""


class Player:
    """Somebody who presses anything.

    Attributes:
        faults: what went wrong, with the presses before it.
    """

    def __init__(self, browser: Browser, address: str, home: str, size: dict[str, Any], dice: Random) -> None:
        self.faults: list[str] = []
        self._address, self._home, self._dice = address, home, dice
        self._done: list[str] = []
        context = browser.new_context(**size, reduced_motion="reduce")
        context.set_default_timeout(2000)
        self._page = context.new_page()
        self._page.on("pageerror", lambda error: self._fault(f"{error.stack or error}"))
        self._page.on("dialog", lambda dialog: dialog.dismiss())
        self._page.on("filechooser", lambda _: None)
        self._open(home)

    def press(self) -> None:
        """Do one thing, and look whether the page apologises."""
        page, dice = self._page, self._dice
        try:
            match dice.randrange(30):
                case 0:
                    self._open(dice.choice((*_PLACES, self._home)))
                case 1:
                    self._done.append("back")
                    page.go_back()
                    if not page.url.startswith(self._address):  # before the first page
                        self._open(self._home)
                case 2:
                    self._done.append("a photo")
                    page.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(dice.choice(_PHOTOS))
                case 3 | 4:
                    keys = dice.choices(_KEYS, k=3)
                    self._done.append(f"keys {keys}")
                    for key in keys:
                        page.keyboard.press(key)
                case 5:
                    self._drag(page)
                case _:
                    self._press_something(page)
            page.wait_for_timeout(dice.choice(_SHORT_MS))
            text = page.locator("body").inner_text()
        except BrowserError:  # what was to be pressed has gone
            return
        if _APOLOGY in text:
            self._fault("the page apologises")
            self._open(self._home)

    def _press_something(self, page: Page) -> None:
        thing = page.evaluate_handle(_THING, self._dice.random()).as_element()
        if thing is None:
            return
        name = thing.evaluate("node => `${node.tagName} ${node.ariaLabel ?? node.innerText ?? ''}`")
        self._done.append(str(name)[:60])
        if thing.evaluate("node => node.tagName === 'INPUT'"):
            thing.fill(self._dice.choice(_TEXTS))
            page.keyboard.press("Enter")
            return
        try:
            thing.click(timeout=500)
        except BrowserError:  # something lies over it
            thing.evaluate("node => node.isConnected && node.click()")

    def _drag(self, page: Page) -> None:
        """Draw from one point of the window to another."""
        points = [(page.evaluate("innerWidth") * self._dice.random(), 800 * self._dice.random()) for _ in range(2)]
        self._done.append(f"drag {points}")
        page.mouse.move(*points[0])
        page.mouse.down()
        page.mouse.move(*points[1], steps=4)
        page.mouse.up()

    def _open(self, place: str) -> None:
        self._done.append(f"open /{place}")
        with suppress(BrowserError):
            self._page.goto(f"{self._address}/{place}")

    def _fault(self, what: str) -> None:
        self.faults.append(f"{what} after {self._done[-8:]}")


def played(presses: int, seed: int, size: str, *, annotate: bool) -> list[Figure]:
    """Two people at one table or folder, each on a page of that size, press anything so many times together."""
    dice = Random(seed)  # no secret
    with ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
        store, log = LedgerStore(folder / "games.sqlite3"), folder / "log.txt"
        game = store.begin(Game.new(dice.choice([name for name in RULESETS if name != "riichi3"]), NAMES))
        pictures = folder / "pictures"
        shutil.copytree(SAMPLES, pictures)
        environment: dict[str, Any] = {FOLDER: str(pictures)}
        address = held.enter_context(running_app(folder, log=log, **environment))
        browser = held.enter_context(chromium())
        home = "annotate" if annotate else f"table?game={game.id}"
        players = [Player(browser, address, home, SIZES[size], dice) for _ in range(2)]
        for number in range(presses):
            dice.choice(players).press()
            if sys.stderr.isatty():
                sys.stderr.write(f"\r{size}: {number + 1} of {presses} ")
        faults = [fault for player in players for fault in player.faults]
        text = log.read_text("utf-8", "replace")
        labels = AnnotationFolder(pictures)
        problems = [problem for picture in labels.pictures()[0] for problem in labels.open(picture).problems]
    for fault in faults:
        print(f"{size}: {fault}")
    if faults:
        print(text[-4000:])
    return [
        at_most(f"{size}, {presses} presses: apologies, errors of scripts", len(faults), 0),
        at_most(f"{size}: tracebacks of the app", text.count("Traceback"), 0),
        at_most(f"{size}: problems of the label files", len(problems), 0),
    ]


def main() -> None:
    """Press, and print what went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.presses", description=__doc__)
    parser.add_argument("--presses", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sizes", nargs="+", choices=tuple(SIZES), default=["phone", "desk"])
    parser.add_argument("--annotate", action="store_true", help="begin in the annotator instead of at the table")
    options = parser.parse_args()
    works = [played(options.presses, options.seed, size, annotate=options.annotate) for size in options.sizes]
    show([figure for work in works for figure in work])


if __name__ == "__main__":
    main()
