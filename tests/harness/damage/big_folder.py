"""One `tilescore read --out` of a folder of thousands of files: the time to the first line, and the memory."""

import os
import shutil
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import psutil

from tests.harness.damage.commands import kill, start
from tests.harness.figures import Figure, at_most
from tilescore.datasets.sample import SAMPLES

_FIRST_LINE_S: Final = 3.0
_GROWTH: Final = 1.1


def figures(files: int = 30_000, *, seconds: float = 60) -> list[Figure]:
    """The figures of a run that is stopped after some seconds of reading."""
    with TemporaryDirectory() as temporary:
        root = Path(temporary)
        (root / "photos").mkdir()
        shutil.copy(SAMPLES / "riichi_closed.jpg", root / "a.jpg")
        for number in range(files):
            os.link(root / "a.jpg", root / "photos" / f"{number:05}.jpg")
        out = root / "out.jsonl"
        began = time.monotonic()
        process = start(("read", "photos", "--out", out.name), cwd=root)
        megabytes: list[float] = []
        while not (out.exists() and out.stat().st_size) and process.poll() is None:
            time.sleep(0.02)
        first_s = time.monotonic() - began
        spent_s = sum(psutil.Process(process.pid).cpu_times()[:2])
        while time.monotonic() - began < first_s + seconds and process.poll() is None:
            time.sleep(0.5)
            megabytes.append(_megabytes(process.pid))
        lines = out.read_bytes().count(b"\n")
        left = kill(process)
    third = max(1, len(megabytes) // 3)
    return [
        at_most(f"{files} files: seconds to the first line", first_s, _FIRST_LINE_S),
        Figure("of them seconds of computing", spent_s),
        Figure("photos a second after that", lines / max(seconds, 0.1)),
        Figure("peak memory of all processes, MB", max(megabytes, default=0.0)),
        at_most(
            "peak memory, last third / second third",
            max(megabytes[-third:], default=1.0) / max(megabytes[third : 2 * third], default=1.0),
            _GROWTH,
        ),
        at_most("processes left running after the kill", left, 0),
    ]


def _megabytes(process: int) -> float:
    try:
        family = [psutil.Process(process), *psutil.Process(process).children(recursive=True)]
        return sum(one.memory_info().rss for one in family) / 1e6
    except psutil.NoSuchProcess:
        return 0.0
