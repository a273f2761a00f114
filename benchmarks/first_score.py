"""Measure what the first start costs: `python -m benchmarks.first_score --runs 3`.

A process starts, a browser that is open already opens the page, a photo is chosen, and its score appears. Each series
states what the machine had at hand before:

- warm: everything, as on the second start of a day.
- cold disk: compiled files, but none of ours in the memory, as after a start of the machine.
- not compiled: no compiled files either, as after an installation that makes none. `make app` makes them.

Linux drops the files of the environment and of this repository from its memory, except those that a program uses. The
seconds of the processor are those of the app alone; on a busy machine they vary less than the others.
"""

from __future__ import annotations

import os
import statistics
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psutil

from tests.harness.app_process import DESK, ROOT, chromium, running_app
from tests.harness.figures import Figure, at_most, command

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_PHOTO: Final = ROOT / "datasets" / "sample" / "riichi_closed.jpg"
_SCORE: Final = ".ts-total strong"
_MOST_S: Final = 3.0
_PLACES: Final = ("datasets", "models", "scoring", "tilescore", "ui", "vision")


def first_scores(runs: int = 3) -> list[Figure]:
    """The medians of the three series, in seconds from the start of the process."""
    figures = []
    with chromium() as browser, tempfile.TemporaryDirectory() as compiled:
        _run(browser, compiled)  # fills the folder of compiled files; Chromium loads its own parts
        for name in ("warm", "cold disk", "not compiled"):
            times = [_series(browser, name, compiled) for _ in range(runs)]
            answered, drawn, shown, computed = (statistics.median(one) for one in zip(*times, strict=True))
            figures.append(Figure(f"{name}: start to first answer, s", answered))
            figures.append(Figure(f"{name}: start to the page, s", drawn))
            score = Figure(f"{name}: start to the score of a photo, s", shown)
            figures.append(score if name == "not compiled" else at_most(score.name, shown, _MOST_S))
            figures.append(Figure(f"{name}: start to the score, seconds of the processor", computed))
    return figures


def _series(browser: Browser, name: str, compiled: str) -> tuple[float, ...]:
    if name != "warm":
        _forget(compiled)
    if name != "not compiled":
        return _run(browser, compiled)
    with tempfile.TemporaryDirectory() as empty:
        return _run(browser, empty)


def _run(browser: Browser, compiled: str) -> tuple[float, ...]:
    """Seconds until the first answer, the page and the score of a photo; and the seconds of the processor."""
    page = browser.new_page(**DESK)
    page.set_default_timeout(60_000)
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        with running_app(Path(folder), PYTHONPYCACHEPREFIX=compiled, PYTHONDONTWRITEBYTECODE="") as address:
            answered = time.perf_counter()
            page.goto(address)
            field = page.locator("input[type=file]")
            field.wait_for(state="attached")
            drawn = time.perf_counter()
            field.set_input_files(_PHOTO)
            page.locator(_SCORE).wait_for()
            shown = time.perf_counter()
            (app,) = (one for one in psutil.Process().children() if "app" in one.cmdline())
            spent = app.cpu_times()
            page.close()
    return answered - begun, drawn - begun, shown - begun, spent.user + spent.system


def _forget(compiled: str) -> None:
    """Drop what the memory holds of the files of our environment and of ours."""
    os.sync()
    python = (sysconfig.get_path("purelib"), sysconfig.get_path("stdlib"))
    for folder in (*map(Path, (*python, compiled)), *(ROOT / name for name in _PLACES)):
        for path in folder.rglob("*"):
            if path.is_file():
                with path.open("rb") as file:
                    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


if __name__ == "__main__":
    if not hasattr(os, "posix_fadvise"):
        sys.exit("this machine cannot drop files from its memory: use Linux.")
    command(first_scores)
