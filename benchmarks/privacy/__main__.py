"""What leaves this machine, seen from outside: `python -m benchmarks.privacy --minutes 10`.

Each part of the product runs for so many minutes in a network namespace with a logging name server
(`benchmarks.harness.closed_network`), as a newcomer would run it: a new home folder, no variable of ours or of CI.
Promised: no look-up, no connection beyond loopback, no file outside the data folder but those that were asked for.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2

from benchmarks.figures import Figure, at_most, show
from benchmarks.harness.app_process import DESK, PATIENCE, ROOT, START, chromium, running_app
from benchmarks.harness.closed_network import Traffic, in_closed_network, missing, watched
from tilescore.base.telemetry import VARIABLES
from tilescore.datasets.sample import SAMPLES
from tilescore.vision.image.photo import load_photo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page, Request

_KEPT: Final = ("PATH", "LANG", "TILESCORE_PATIENCE", "LD_LIBRARY_PATH")
"""Variables that a newcomer has, too. One like CI would keep onnxruntime's telemetry silent without us."""
_PHOTOS_A_MINUTE: Final = 60
_RATE: Final = 5
_OWN: Final = re.compile(r"(http|ws)://localhost:|data:|blob:")
_TELEMETRY_ON: Final = ("-c", "import onnxruntime; from tilescore.ui.cli.main import main; main()")
"""The command line with onnxruntime loaded first: our variables come too late for it."""


@dataclass(frozen=True, slots=True)
class Room:
    """Where a part runs.

    Attributes:
        folder: its home folder is below this one, and so is all that it is to read.
        minutes: how long it shall run at least.
        until: when it may end, by `time.monotonic`.
    """

    folder: Path
    minutes: float
    until: float

    @property
    def home(self) -> Path:
        """The home folder."""
        return self.folder / "home"

    @property
    def data(self) -> Path:
        """The product's data folder below it."""
        return self.home / ".local" / "share" / "tilescore"

    @property
    def pages(self) -> Path:
        """A line for each address elsewhere that the app's pages asked for."""
        return self.folder / "pages"

    @property
    def asked(self) -> Path:
        """What the commands were asked to read and to write."""
        return self.folder / "asked"

    def photos(self) -> Path:
        """A folder with copies of the sample photos."""
        folder = self.asked / "photos"
        folder.mkdir()
        samples = sorted(SAMPLES.glob("*.jpg"))
        for number in range(max(8, round(_PHOTOS_A_MINUTE * self.minutes))):
            shutil.copy(samples[number % len(samples)], folder / f"{number:03}.jpg")
        return folder

    def run(self, *words: object, start: tuple[str, ...] = START) -> None:
        """Run the command line, watched, until it ends; raises RuntimeError with what it said if it fails."""
        command = [*watched(self.folder, str(time.monotonic_ns())), sys.executable, *start, *map(str, words)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603
        if done.returncode:
            raise RuntimeError((done.stdout + done.stderr)[-4000:])


def read(room: Room) -> None:
    """A folder of photos, by a pool of processes, again and again."""
    photos = room.photos()
    while time.monotonic() < room.until:
        room.run("read", photos, "--workers", 2, "--out", room.asked / f"{time.monotonic_ns()}.jsonl")


def live(room: Room, *, start: tuple[str, ...] = START) -> None:
    """A video of a hand, at the pace at which it was filmed."""
    path = room.asked / "table.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), _RATE, (1280, 720))
    rgb = load_photo(SAMPLES / "riichi_closed.jpg").rgb
    picture = cv2.cvtColor(cv2.resize(rgb[200:1325], (1280, 720)), cv2.COLOR_RGB2BGR)
    for _ in range(int(60 * room.minutes * _RATE)):
        writer.write(picture)
    writer.release()
    out = room.asked / "seen.avi"
    room.run("live", path, "--realtime", "--ruleset", "riichi", "--record", out, start=start)


def live_with_telemetry(room: Room) -> None:
    """The same with onnxruntime's telemetry on, which must be seen: else nothing that is not seen proves anything."""
    live(room, start=_TELEMETRY_ON)


def app(room: Room) -> None:
    """A game with its copies, then visits again and again: every ruleset, a photo, all pages."""
    with _page(room, "app") as (address, page):
        page.goto(f"{address}/table")
        page.get_by_role("button", name="Start the game").click()
        page.get_by_role("button", name="Spreadsheet").wait_for()
        for photo in cycle(sorted(SAMPLES.glob("*.jpg"))):
            page.goto(address)
            page.locator(".strip").wait_for()
            for name in ("MCR", "Riichi", "Classical", "Simplified"):
                page.get_by_role("radio", name=name, exact=True).click()
            page.get_by_role("radio", name="Photo", exact=True).click()
            page.locator("input[type=file]").set_input_files(photo)
            page.locator(".photo").wait_for()
            for name in ("table", "live", "fans"):
                page.goto(f"{address}/{name}")
                page.wait_for_timeout(1000)
            if time.monotonic() > room.until:
                return


def annotate(room: Room) -> None:
    """Somebody who checks picture after picture."""
    folder = room.photos()
    photos = sorted(folder.iterdir())
    with _page(room, "annotate", str(folder)) as (address, page):
        while time.monotonic() < room.until:
            page.goto(address)
            page.locator(".cell").first.click()
            for _ in photos[1:]:
                page.locator(".stage .mark").first.wait_for()
                page.keyboard.press("Space")
                page.wait_for_timeout(500)
                if time.monotonic() > room.until:
                    return


def cluster(room: Room) -> None:
    """A folder of photos, by a worker of a Dask cluster that starts as docs/annotate.md says."""
    photos, contact = room.photos(), room.asked / "scheduler.json"
    dask = ("-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    with _beside([sys.executable, *dask, "--scheduler-file", str(contact)], room.asked):
        while not contact.exists() or not contact.read_text().strip():
            time.sleep(0.1)
        worker = ("-m", "distributed.cli.dask_worker", "--scheduler-file", str(contact), "--no-dashboard")
        scratch = ("--local-directory", str(room.asked), "--nthreads", "1", "--no-nanny")
        with _beside([*watched(room.folder, "worker"), sys.executable, *worker, *scratch], room.asked):
            address = json.loads(contact.read_text())["address"]
            while time.monotonic() < room.until:
                out = room.asked / f"{time.monotonic_ns()}.jsonl"
                room.run("read", photos, "--cluster", address, "--out", out)


def commands(room: Room) -> None:
    """The other commands that load a network or write files, once each."""
    photos, scenes = room.photos(), room.asked / "scenes"
    room.run("score", photos / "000.jpg", "--ruleset", "mcr", "--save", room.asked / "read.jpg")
    room.run("dataset", "prelabel", photos)
    room.run("dataset", "synth", scenes, "--count", 4)
    room.run("dataset", "check", scenes, "--report", room.asked / "report.html", "--stamp")
    room.run("dataset", "split", scenes, room.asked / "split")
    room.run("dataset", "convert", scenes, room.asked / "coco", "--to", "coco")


def train(room: Room) -> None:
    """A detector and its export, as small as the tests make them, once (extra `train`)."""
    test = "tests/models/training/test_training.py::test_the_detector_goes_on_from_its_shipped_file"
    folder = room.asked / "training"
    room.run(test, f"--basetemp={folder}", "-p", "no:cacheprovider", start=("-m", "pytest"))


PARTS: Final[dict[str, Callable[[Room], None]]] = {
    part.__name__: part for part in (read, live, app, annotate, cluster, commands, train, live_with_telemetry)
}


def main() -> None:
    """Print what each part tried; ends with 1 if a promise is broken."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--minutes", type=float, default=10)
    asked.add_argument("--part", choices=PARTS, action="append", help="that one; may be repeated")
    asked.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    given = asked.parse_args()
    if given.inside:
        for name in VARIABLES:  # this process has loaded `vision`; those that it starts must set them themselves
            os.environ.pop(name, None)
        PARTS[given.part[0]](Room(given.inside, given.minutes, time.monotonic() + 60 * given.minutes))
        return
    if reason := missing():
        sys.exit(reason)
    parts = given.part or [name for name in PARTS if name != live_with_telemetry.__name__]
    if "train" in parts and find_spec("ultralytics") is None:
        print("train: left out, the extra `train` is not installed", file=sys.stderr)
        parts.remove("train")
    with ThreadPoolExecutor(2) as pool:
        good = True
        for done in as_completed([pool.submit(_figures, part, given.minutes) for part in parts]):
            if error := done.exception():
                print(error, file=sys.stderr)
            else:
                show(done.result())
            good = good and not error and all(figure.good for figure in done.result())
    sys.exit(not good)


def traffic(part: str, folder: Path, minutes: float) -> tuple[Traffic, tuple[Path, ...]]:
    """What that part tried, and the files that it wrote without being asked, in rooms below an empty folder."""
    room = Room(folder, minutes, 0)
    temporary = folder / "temporary"
    for made in (room.home, room.asked, temporary):
        made.mkdir()
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment |= {"HOME": str(room.home), "TMPDIR": str(temporary), "PYTHONDONTWRITEBYTECODE": "1"}
    words = ("-m", "benchmarks.privacy.__main__", "--part", part, "--minutes", str(minutes), "--inside", str(folder))
    tried = in_closed_network(words, folder, environment)
    if room.pages.exists():
        tried = replace(tried, contacts=(*tried.contacts, *room.pages.read_text().split()))
    asked = (room.asked, ROOT / "runs", temporary) if part == train.__name__ else (room.asked,)
    return tried, tried.written_outside(room.data, *asked)


def _figures(part: str, minutes: float) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        tried, outside = traffic(part, Path(folder), minutes)
    for line in (*tried.lookups, *tried.contacts, *outside):
        print(f"{part}: {line}", file=sys.stderr)
    return [
        at_most(f"{part}, {minutes:g} minutes: names looked up", len(tried.lookups), 0),
        at_most(f"{part}, {minutes:g} minutes: contacts beyond loopback", len(tried.contacts), 0),
        at_most(f"{part}, {minutes:g} minutes: files written outside the data folder", len(outside), 0),
    ]


@contextmanager
def _page(room: Room, *words: str) -> Iterator[tuple[str, Page]]:
    """The address of the app that this command starts, and a page of a browser whose own requests are noted."""
    before = watched(room.folder, words[0])
    with (
        running_app(room.data, words=words, before=before) as address,
        chromium() as browser,
        room.pages.open("a", buffering=1) as elsewhere,
    ):
        page = browser.new_page(**DESK)
        page.set_default_timeout(30_000 * PATIENCE)

        def note(asked: Request) -> None:
            if not _OWN.match(asked.url):
                elsewhere.write(f"{asked.url}\n")

        page.on("request", note)
        yield address, page


@contextmanager
def _beside(command: list[str], folder: Path) -> Iterator[None]:
    """A process in that folder that runs meanwhile."""
    process = subprocess.Popen(command, cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT)})  # noqa: S603
    try:
        yield
    finally:
        process.terminate()
        process.wait(60)


if __name__ == "__main__":
    main()
