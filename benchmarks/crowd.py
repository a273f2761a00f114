"""Measure one app with eight users: `python -m benchmarks.crowd --minutes 10`.

All users choose 12-megapixel photos at the same time. Each user has a separate browser, sends photos of several hands
in turn, and waits for exactly that hand and its score. The promise: no user waits too long or ever sees the hand of
another user, and the memory of the app stays flat.
"""

from __future__ import annotations

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

from tests.harness.app_process import PHONE, ROOT, chromium, running_app
from tests.harness.figures import Figure, at_most, command
from tilescore.models.registry import load_reader
from tilescore.ui.state.hand.work import Work
from tilescore.vision.image.photo import load_photo

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

USERS: Final = 8
_HANDS: Final = ("riichi_closed", "discard_pond", "flowers_kong", "winning_hand")
_SIZE_WH: Final = (4032, 3024)
_SETTLED_S: Final = 60.0
"""Seconds in which the memory of the app may still grow, because sessions begin and caches fill."""
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
class User:
    """A user with a separate browser."""

    page: Page  # the page of the app in this browser
    number: int  # the number of the user, from 0

    @staticmethod
    def arrived(browser: Browser, address: str, number: int) -> User:
        """A new user with an empty hand, ready to choose a photo."""
        page = browser.new_context(**PHONE).new_page()
        page.goto(address)
        page.get_by_role("button", name="Tiles", exact=True).tap()
        page.locator("#score.ts-none").wait_for()
        page.locator("input[type=file]").wait_for(state="attached")
        page.evaluate(_WATCHED)
        return User(page, number)

    def choose(self, photo: Path, notation: str) -> None:
        """Send a photo that shows this hand."""
        self.page.evaluate(_WANT, notation)
        self.page.locator("input[type=file]").set_input_files(photo, no_wait_after=True)

    def waited(self, had: str) -> float:
        """Seconds until the hand and its score appeared; raises RuntimeError if a hand other than `had` came before."""
        self.page.wait_for_function("window.waitedS")  # raises after half a minute
        seen = set(self.page.evaluate("window.handsSeen")) - {"", had}
        if seen:
            raise RuntimeError(f"user {self.number} saw the hand of another user: {seen}")
        return float(self.page.evaluate("window.waitedS"))


def large_photo(name: str, folder: Path, number: int) -> Path:
    """The sample as a 12-megapixel photo of a phone; no two files are equal, so that no cache knows the photo."""
    rgb = load_photo(ROOT / "datasets" / "sample" / f"{name}.jpg").rgb
    large = cv2.resize(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), _SIZE_WH, interpolation=cv2.INTER_CUBIC)
    large[0, 0] = number
    path = folder / f"{name}-{number}.jpg"
    cv2.imwrite(str(path), large, [cv2.IMWRITE_JPEG_QUALITY, 92 - number % 3])
    return path


def one_round(browser: Browser, address: str, folder: Path) -> list[float]:
    """Seconds that each user waits when all of them choose their first photo at once."""
    photos = [large_photo(_HANDS[number % len(_HANDS)], folder, 100 + number) for number in range(USERS)]
    notations = [_notation(photo) for photo in photos]  # before the clock starts: reading takes the cores of the app
    users = [User.arrived(browser, address, number) for number in range(USERS)]
    for user, photo, notation in zip(users, photos, notations, strict=True):
        user.choose(photo, notation)
    times = [user.waited("") for user in users]
    for user in users:
        user.page.context.close()
    return times


def many_rounds(minutes: float = 1.0) -> list[Figure]:
    """The figures of a crowd that chooses photos for that long."""
    seconds = 60 * minutes
    with tempfile.TemporaryDirectory() as name, running_app(Path(name)) as address, chromium() as browser:
        folder = Path(name)
        photos = [large_photo(hand, folder, 200) for hand in _HANDS]
        notations = [_notation(photo) for photo in photos]
        users = [User.arrived(browser, address, number) for number in range(USERS)]
        times: list[float] = []
        memory: list[tuple[float, float]] = []
        began = time.monotonic()
        for turn in count():
            if time.monotonic() - began > seconds:
                break
            for user in users:
                which = (user.number + turn) % len(_HANDS)
                user.choose(_another(photos[which], folder, f"{turn}-{user.number}"), notations[which])
            for user in users:
                had = notations[(user.number + turn - 1) % len(_HANDS)] if turn else ""
                times.append(user.waited(had))
                (folder / "sent" / f"{turn}-{user.number}.jpg").unlink()
            memory.append((time.monotonic() - began, _megabytes(address)))
            print(f"{memory[-1][0]:.0f} s: {len(times)} photos, {memory[-1][1]:.0f} MB", file=sys.stderr)
    settled = [megabytes for at, megabytes in memory if at > min(_SETTLED_S, seconds / 3)]
    return [
        Figure(f"photos of {USERS} users in {seconds / 60:.0f} minutes", len(times)),
        Figure("photo to score, median, s", statistics.median(times)),
        at_most("photo to score, longest, s", max(times), 5.0),
        Figure("hands of another user that appeared", 0),  # the first such hand ends the run
        Figure("memory of the app at the end, MB", settled[-1]),
        at_most("growth of the memory after the first minute, MB", settled[-1] - settled[0], 50),
    ]


def _notation(photo: Path) -> str:
    return Work(reading=load_reader().read(load_photo(photo))).notation


def _another(photo: Path, folder: Path, name: str) -> Path:
    """A copy of the photo in another file; the bytes behind the end of the picture differ."""
    path = folder / "sent" / f"{name}.jpg"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(photo.read_bytes() + name.encode())
    return path


def _megabytes(address: str) -> float:
    """Resident memory of the app at that address."""
    port = address.rpartition(":")[2]
    for entry in Path("/proc").iterdir():
        try:
            if f"--port\0{port}\0" in (entry / "cmdline").read_text(encoding="utf-8"):
                pages = int((entry / "statm").read_text(encoding="utf-8").split()[1])
                return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
        except OSError:
            continue  # no process, or an ended one
    raise RuntimeError("the app has ended")


if __name__ == "__main__":
    command(many_rounds)
