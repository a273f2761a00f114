"""Eight people at one app: `python -m benchmarks.crowd --minutes 10` lets them choose 12-megapixel photos, all at once.

Each has a browser of their own and two hands of their own in turn, and waits until that very hand and what it is worth
are there. Promised: nobody waits too long or ever sees the hand of another, and the app's memory stays flat.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2

from benchmarks.figures import Figure, at_most, show
from benchmarks.harness.app_process import PHONE, ROOT, chromium, running_app
from tilescore.models.registry import load_reader
from tilescore.ui.state.work import Work
from tilescore.vision.image.photo import load_photo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Browser, Page

PEOPLE: Final = 8
_HANDS: Final = ("riichi_closed", "discard_pond", "flowers_kong", "winning_hand")
_SIZE_WH: Final = (4032, 3024)
_SETTLED_S: Final = 60.0
"""So long the app's memory may still grow: sessions begin, caches fill."""
_WATCHED: Final = """() => {
  const score = () => document.querySelector("#score")?.textContent ?? "";
  const field = () => document.querySelector("input[aria-label='The hand as text']")?.value ?? "";
  document.addEventListener("change", async (event) => {
    if (event.target.type !== "file") return;
    const [start, before] = [performance.now(), score()];
    while (field() !== window.wanted || ["", before].includes(score())) {
      window.handsSeen.push(field());
      await new Promise((next) => setTimeout(next, 10));
    }
    window.waitedS = (performance.now() - start) / 1000;
  }, { capture: true });
}"""
_WANT: Final = "(wanted) => Object.assign(window, { wanted, waitedS: 0, handsSeen: [] })"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a browser of their own.

    Attributes:
        page: what they look at.
        number: which of the people.
    """

    page: Page
    number: int

    @staticmethod
    def arrived(browser: Browser, address: str, number: int) -> Person:
        """Before an empty table, ready to choose a photo."""
        page = browser.new_context(**PHONE).new_page()
        page.goto(address)
        page.get_by_role("radio", name="Tiles", exact=True).tap()
        page.locator("#score.ts-none").wait_for()
        page.get_by_role("radio", name="Photo", exact=True).tap()
        page.locator("input[type=file]").wait_for(state="attached")
        page.evaluate(_WATCHED)
        return Person(page, number)

    def choose(self, photo: Path, notation: str) -> None:
        """Send a photo that shows this hand."""
        self.page.evaluate(_WANT, notation)
        self.page.locator("input[type=file]").set_input_files(photo, no_wait_after=True)

    def waited(self, had: str) -> float:
        """Seconds until the hand and its score were there; raises RuntimeError if another than `had` was seen."""
        self.page.wait_for_function("window.waitedS")  # raises if that takes half a minute
        seen = set(self.page.evaluate("window.handsSeen")) - {"", had}
        if seen:
            raise RuntimeError(f"person {self.number} saw the hand of somebody else: {seen}")
        return float(self.page.evaluate("window.waitedS"))


def large_photo(name: str, folder: Path, number: int) -> Path:
    """The sample at 12 megapixels, as a phone writes it; no two alike, or what was read before would be remembered."""
    rgb = load_photo(ROOT / "datasets" / "sample" / f"{name}.jpg").rgb
    large = cv2.resize(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), _SIZE_WH, interpolation=cv2.INTER_CUBIC)
    large[0, 0] = number
    path = folder / f"{name}-{number}.jpg"
    cv2.imwrite(str(path), large, [cv2.IMWRITE_JPEG_QUALITY, 92 - number % 3])
    return path


def one_round(browser: Browser, address: str, folder: Path) -> list[float]:
    """Seconds that each of them waits when all choose a photo at once for the first time."""
    photos = [large_photo(_HANDS[number % len(_HANDS)], folder, 100 + number) for number in range(PEOPLE)]
    notations = [_notation(photo) for photo in photos]  # before anybody waits: reading takes the cores of the app
    people = [Person.arrived(browser, address, number) for number in range(PEOPLE)]
    for person, photo, notation in zip(people, photos, notations, strict=True):
        person.choose(photo, notation)
    times = [person.waited("") for person in people]
    for person in people:
        person.page.context.close()
    return times


def many_rounds(seconds: float) -> list[Figure]:
    """What is promised of so long a crowd."""
    with tempfile.TemporaryDirectory() as name, running_app(Path(name)) as address, chromium() as browser:
        folder = Path(name)
        photos = [large_photo(hand, folder, 200) for hand in _HANDS]
        notations = [_notation(photo) for photo in photos]
        people = [Person.arrived(browser, address, number) for number in range(PEOPLE)]
        times: list[float] = []
        memory: list[tuple[float, float]] = []
        began = time.monotonic()
        for turn in count():
            if time.monotonic() - began > seconds:
                break
            for person in people:
                which = (person.number + turn) % len(_HANDS)
                person.choose(_another(photos[which], folder, f"{turn}-{person.number}"), notations[which])
            for person in people:
                had = notations[(person.number + turn - 1) % len(_HANDS)] if turn else ""
                times.append(person.waited(had))
                (folder / "sent" / f"{turn}-{person.number}.jpg").unlink()
            memory.append((time.monotonic() - began, _megabytes(address)))
            print(f"{memory[-1][0]:.0f} s: {len(times)} photos, {memory[-1][1]:.0f} MB", file=sys.stderr)
    settled = [megabytes for at, megabytes in memory if at > min(_SETTLED_S, seconds / 3)]
    return [
        Figure(f"photos of {PEOPLE} people in {seconds / 60:.0f} minutes", len(times)),
        Figure("from photo to score, median, s", statistics.median(times)),
        at_most("from photo to score, longest, s", max(times), 5.0),
        Figure("hands of somebody else that were seen", 0),  # the first one ends it all
        Figure("the app's memory at the end, MB", settled[-1]),
        at_most("growth after the first minute, MB", settled[-1] - settled[0], 50),
    ]


def _notation(photo: Path) -> str:
    return Work(reading=load_reader().read(load_photo(photo))).notation


def _another(photo: Path, folder: Path, name: str) -> Path:
    """The same picture in another file: what stands behind its end is not part of it."""
    path = folder / "sent" / f"{name}.jpg"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(photo.read_bytes() + name.encode())
    return path


def _megabytes(address: str) -> float:
    """Resident memory of the app that listens there."""
    port = address.rpartition(":")[2]
    for entry in Path("/proc").iterdir():
        try:
            if f"--port\0{port}\0" in (entry / "cmdline").read_text(encoding="utf-8"):
                pages = int((entry / "statm").read_text(encoding="utf-8").split()[1])
                return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
        except OSError:
            continue  # no process, or gone
    raise RuntimeError("the app has gone")


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line; exit status 1 if a promise is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.crowd", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1)
    figures = many_rounds(60 * parser.parse_args(arguments).minutes)
    show(figures)
    sys.exit(not all(figure.good for figure in figures))


if __name__ == "__main__":
    main()
