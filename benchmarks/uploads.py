"""Uploads in the app: kills while one runs, and the memory that many take.

`python -m benchmarks.uploads --kills 30 --uploads 100` prints how many kept hands a kill lost or doubled, how many
processes it left running, and by how much the memory of the app grew over the uploads.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2
import psutil

from tests.harness.app_process import DESK, PATIENCE, ROOT, START, chromium, reserved_port, wait_for
from tests.harness.figures import Figure, at_most, command
from tilescore.ui.storage.database import Database
from tilescore.ui.storage.hand_store import MIGRATIONS
from tilescore.vision.image.photo import load_photo

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

_SAMPLES: Final = tuple(sorted((ROOT / "datasets" / "sample").glob("*.jpg")))
_LONGEST_S: Final = 2.0
"""A kill comes at most so long after the photo was chosen."""
_WARM: Final = 20
"""Uploads before the memory counts: caches of readings fill first."""
_MOST_GROWTH_MB: Final = 50
_ENDS_S: Final = 5


def killed(count: int, *, seed: int) -> list[Figure]:
    """Kill the app during uploads; each start works on what the one before left."""
    draw, lost, doubled, left, known = random.Random(seed), 0, 0, 0, set[str]()
    with tempfile.TemporaryDirectory() as folder, chromium() as browser, reserved_port() as port:
        data = Path(folder) / "data"
        context = browser.new_context(**DESK)
        for number in range(count):
            with _app(data, port) as app:
                page = context.new_page()
                _open(page, port)
                page.locator("input[type=file]").set_input_files(_fresh(Path(folder), number))
                page.wait_for_timeout(1000 * PATIENCE * draw.uniform(0, _LONGEST_S))
                known |= set(_hands(data))
                family = psutil.Process(app.pid).children(recursive=True)
                app.kill()
                app.wait()
                left += len(psutil.wait_procs(family, timeout=_ENDS_S)[1])
                page.close()
            hands = _hands(data)
            lost += len(known - set(hands))
            doubled += len(hands) - len(set(hands.values()))
    return [
        at_most(f"{count} kills during uploads: kept hands lost", lost, 0),
        at_most(f"{count} kills during uploads: hands doubled", doubled, 0),
        at_most(f"{count} kills during uploads: processes left running", left, 0),
        Figure(f"{count} kills during uploads: hands kept", len(known)),
    ]


def growth(count: int) -> list[Figure]:
    """Upload that many different photos, one after the other, in one browser."""
    with (
        tempfile.TemporaryDirectory() as folder,
        chromium() as browser,
        reserved_port() as port,
        _app(Path(folder) / "data", port) as app,
    ):
        page = _opened(browser, port)
        process, before = psutil.Process(app.pid), 0
        photo = page.locator(".photo image").first
        for number in range(_WARM + count):
            if number == _WARM:
                before = process.memory_info().rss
            shown = photo.get_attribute("href") if number else None
            page.locator("input[type=file]").set_input_files(_fresh(Path(folder), number))
            while photo.get_attribute("href") == shown:
                page.wait_for_timeout(20)
        page.wait_for_timeout(2000)
        grown = (process.memory_info().rss - before) / 1e6
        page.close()
    return [at_most(f"memory of the app after {count} uploads, growth, MB", grown, _MOST_GROWTH_MB)]


@contextmanager
def _app(data: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    app = subprocess.Popen(  # noqa: S603  # our own interpreter
        [sys.executable, *START, "app", "--no-browser", "--port", str(port)],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | {"TILESCORE_DATA": str(data)},
    )  # fmt: skip
    try:
        wait_for(f"http://localhost:{port}/_stcore/health", app)
        yield app
    finally:
        app.kill()
        app.wait()


def _opened(browser: Browser, port: int) -> Page:
    page = browser.new_context(**DESK).new_page()
    _open(page, port)
    return page


def _open(page: Page, port: int) -> None:
    page.goto(f"http://localhost:{port}")
    page.locator("input[type=file]").wait_for(state="attached")


def _fresh(folder: Path, number: int) -> Path:
    """A sample photo with other bytes than any before."""
    picture = cv2.cvtColor(load_photo(_SAMPLES[number % len(_SAMPLES)]).rgb, cv2.COLOR_RGB2BGR)
    picture[:8, :8] = number % 256
    picture[8:16, :8] = number // 256
    place = folder / f"{number}.png"
    cv2.imwrite(str(place), picture)
    return place


def _hands(data: Path) -> dict[str, str]:
    """The kept hands, each with its photo."""
    path = data / "hands.sqlite3"
    if not path.exists():
        return {}
    with Database(path, MIGRATIONS, durable=False).reading() as file:
        return dict(file.execute("SELECT id, photo FROM hands"))


def uploads(kills: int = 30, uploads: int = 100, seed: int = 0) -> list[Figure]:
    """The figures of so many kills and so many uploads; each start without a seed takes another one."""
    seed = seed or int(time.time())
    print(f"seed {seed}")
    return [*(killed(kills, seed=seed) if kills else []), *(growth(uploads) if uploads else [])]


if __name__ == "__main__":
    command(uploads)
