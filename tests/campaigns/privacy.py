"""Measure what leaves this machine, seen from outside: `python -m tests.campaigns.privacy --minutes 10`.

Each part of the product runs for the given minutes in a network namespace with a logging name server
(`tests.harness.closed_network`), as for a new user: in an empty home folder, without our environment variables and
without those of CI. The promise: no look-up, no connection beyond loopback, no file outside the data folder except the
requested ones.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2

from tests.harness.app_process import DESK, PATIENCE, ROOT, START, chromium, running_app
from tests.harness.audit import TRAIN, AuditedPart, traffic
from tests.harness.closed_network import missing, watched
from tests.harness.figures import Figure, at_most, show
from tilescore.datasets.sample import SAMPLES
from tilescore.telemetry import VARIABLES
from tilescore.vision.image.photo import load_photo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page, Request

_RATE: Final = 5
"""Frames a second of the video."""
_REST_S: Final = 3
"""How long the app and a worker have nothing to do between two visits: what they do by themselves, they do then."""
_OWN: Final = re.compile(r"(http|ws)://localhost:|data:|blob:")
_TELEMETRY_ON: Final = ("-c", "import onnxruntime; from tilescore.ui.cli.main import main; main()")
"""A command line that loads onnxruntime first, so that our environment variables come too late."""


def read(part: AuditedPart) -> None:
    """Read a folder of photos with a worker pool, again and again."""
    photos = part.photos()
    while True:
        part.run("read", photos, "--workers", 2, "--out", part.asked / f"{time.monotonic_ns()}.jsonl")
        if time.monotonic() > part.until:
            return


def live(part: AuditedPart, *, start: tuple[str, ...] = START) -> None:
    """Read a video of a hand in real time."""
    path = part.asked / "table.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), _RATE, (1280, 720))
    rgb = load_photo(SAMPLES / "riichi_closed.jpg").rgb
    picture = cv2.cvtColor(cv2.resize(rgb[200:1325], (1280, 720)), cv2.COLOR_RGB2BGR)
    for _ in range(int(60 * part.minutes * _RATE)):
        writer.write(picture)
    writer.release()
    out = part.asked / "seen.avi"
    part.run("live", path, "--realtime", "--ruleset", "riichi", "--record", out, start=start)


def live_with_telemetry(part: AuditedPart) -> None:
    """Read a video with onnxruntime's telemetry on. The audit must report it, or its silence proves nothing."""
    live(part, start=_TELEMETRY_ON)


def app(part: AuditedPart) -> None:
    """Start a game, then visit the app again and again: every ruleset, a photo, all pages."""
    with _page(part, "app") as (address, page):
        page.goto(f"{address}/table")
        page.get_by_role("button", name="Start the game").click()
        page.get_by_role("button", name="Spreadsheet").wait_for()
        for photo in cycle(sorted(SAMPLES.glob("*.jpg"))):
            page.goto(address)
            page.locator("input[type=file]").set_input_files(photo)
            page.locator(".photo").wait_for()
            for name in ("MCR", "Riichi", "Classical", "Simplified"):
                page.get_by_role("radio", name=name, exact=True).click()
            for name in ("table", "live", "fans"):
                page.goto(f"{address}/{name}")
                page.wait_for_timeout(_REST_S * 1000)
            if time.monotonic() > part.until:
                return


def annotate(part: AuditedPart) -> None:
    """Check picture after picture in the annotator."""
    folder = part.photos()
    photos = sorted(folder.iterdir())
    with _page(part, "annotate", str(folder)) as (address, page):
        while time.monotonic() < part.until:
            page.goto(address)
            page.locator(".cell").first.click()
            for _ in photos[1:]:
                page.locator(".stage .mark").first.wait_for()
                page.keyboard.press("Space")
                page.wait_for_timeout(500)
                if time.monotonic() > part.until:
                    return


def cluster(part: AuditedPart) -> None:
    """Read a folder of photos on a Dask worker, started as docs/annotate.md describes."""
    photos, contact = part.photos(), part.asked / "scheduler.json"
    dask = ("-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    with _beside([sys.executable, *dask, "--scheduler-file", str(contact)], part.asked):
        while not contact.exists() or not contact.read_text().strip():
            time.sleep(0.1)
        worker = ("-m", "distributed.cli.dask_worker", "--scheduler-file", str(contact), "--no-dashboard")
        scratch = ("--local-directory", str(part.asked), "--nthreads", "1", "--no-nanny")
        with _beside([*watched(part.folder, "worker"), sys.executable, *worker, *scratch], part.asked):
            address = json.loads(contact.read_text())["address"]
            while time.monotonic() < part.until:
                out = part.asked / f"{time.monotonic_ns()}.jsonl"
                part.run("read", photos, "--cluster", address, "--out", out)
                time.sleep(_REST_S)


def commands(part: AuditedPart) -> None:
    """Run each of the other commands that load a network or write files once."""
    photos, scenes = part.photos(), part.asked / "scenes"
    part.run("score", photos / "000.jpg", "--ruleset", "mcr", "--save", part.asked / "read.jpg")
    part.run("dataset", "prelabel", photos)
    part.run("dataset", "synth", scenes, "--count", 4)
    part.run("dataset", "check", scenes, "--report", part.asked / "report.html", "--stamp")
    part.run("dataset", "split", scenes, part.asked / "split")
    part.run("dataset", "convert", scenes, part.asked / "coco", "--to", "coco")


def train(part: AuditedPart) -> None:
    """Train and export a detector once, as small as in the tests (extra `train`)."""
    test = "tests/models/training/test_training.py::test_the_detector_goes_on_from_its_shipped_file"
    folder = part.asked / "training"
    part.run(test, f"--basetemp={folder}", "-p", "no:cacheprovider", start=("-m", "pytest"))


PARTS: Final[dict[str, Callable[[AuditedPart], None]]] = {
    part.__name__: part for part in (read, live, app, annotate, cluster, commands, train, live_with_telemetry)
}


def main() -> None:
    """Print the figures of each part; the exit status is 1 if a part breaks a promise."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--minutes", type=float, default=10, help="how long each part runs")
    asked.add_argument("--part", choices=PARTS, action="append", help="run only this part; may be repeated")
    asked.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    given = asked.parse_args()
    if given.inside:
        for (
            name
        ) in VARIABLES:  # this process has loaded `vision`; the processes that it starts must set them themselves
            os.environ.pop(name, None)
        PARTS[given.part[0]](AuditedPart(given.inside, given.minutes, time.monotonic() + 60 * given.minutes))
        return
    if reason := missing():
        sys.exit(reason)
    parts = given.part or [name for name in PARTS if name != live_with_telemetry.__name__]
    if TRAIN in parts and find_spec("ultralytics") is None:
        print("train: skipped, because the extra `train` is not installed", file=sys.stderr)
        parts.remove(TRAIN)
    with ThreadPoolExecutor(2) as pool:
        good = True
        for done in as_completed([pool.submit(_figures, part, given.minutes) for part in parts]):
            if error := done.exception():
                print(error, file=sys.stderr)
            else:
                show(done.result())
            good = good and not error and all(figure.good for figure in done.result())
    sys.exit(not good)


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
def _page(part: AuditedPart, *words: str) -> Iterator[tuple[str, Page]]:
    """The address of the app that this command starts, and a browser page whose foreign requests are recorded."""
    before = watched(part.folder, words[0])
    with (
        running_app(part.data, words=words, before=before) as address,
        chromium() as browser,
        part.pages.open("a", buffering=1) as elsewhere,
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
    """Run a process in that folder for the duration of the block."""
    process = subprocess.Popen(command, cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT)})  # noqa: S603
    try:
        yield
    finally:
        process.terminate()
        process.wait(60)


if __name__ == "__main__":
    main()
