"""Read thousands of photos with one `tilescore read`: `python -m benchmarks.load --photos 10000`.

Some photos are damaged. The measurement kills the command half way, starts it again, and records the memory of all its
processes. The promise: memory stays flat, every photo has one line, every damaged photo has an error, and the rate is
at least 90 % of the rate of one core times the number of cores.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2

from tests.harness.app_process import ROOT
from tests.harness.figures import Figure, at_least, at_most, command
from tilescore.datasets.sample import SAMPLES
from tilescore.processes.threads import cores

_VARIANTS: Final = 40
"""The number of slightly different crops of each sample: more than the layout caches."""
_DAMAGED: Final = 97
"""One photo in this many is damaged."""
_READ: Final = (sys.executable, "-m", "tilescore.ui.cli.main", "read")


@dataclass(frozen=True, slots=True)
class Run:
    """One start of the command."""

    seconds: float  # the time from the first new line to the end
    lines: int  # the number of lines written in this time
    megabytes: tuple[float, ...]  # the memory of all its processes, once a second

    @property
    def growth(self) -> float:
        """The peak memory of the last third divided by the peak of the second third; 1 if memory is flat."""
        third = max(1, len(self.megabytes) // 3)
        return max(self.megabytes[-third:]) / max(self.megabytes[third : 2 * third] or self.megabytes[-third:])


def load(photos: int = 400, alone: int = 60) -> list[Figure]:
    """The figures of reading `photos` photos; one core reads `alone` of them for comparison."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        damaged = _fill(folder / "photos", photos)
        _fill(folder / "few", alone)
        one = _run(folder / "few", folder / "few.jsonl", "--workers", "1", one_core=True)
        out = folder / "out.jsonl"
        first = _run(folder / "photos", out, stop_at=photos // 2)
        rest = _run(folder / "photos", out)
        lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    rate = (first.lines + rest.lines) / (first.seconds + rest.seconds)
    seen = Counter(line["photo"] for line in lines)
    faulty = {Path(line["photo"]).name for line in lines if "error" in line}
    wrong = abs(photos - len(seen)) + sum(count - 1 for count in seen.values()) + len(faulty ^ damaged)
    return [
        Figure("photos read a second, all cores", rate),
        Figure("photos read a second, one core alone", one.lines / one.seconds),
        at_least("rate / (one core's rate x cores)", rate / (one.lines / one.seconds * cores()), 0.9),
        at_most(f"{photos} photos, {len(damaged)} damaged, killed once: surplus, missing or wrong lines", wrong, 0),
        Figure("peak memory of all processes, MB", max(first.megabytes + rest.megabytes)),
        at_most("peak memory, last third / second third", rest.growth, 1.1),
    ]


def _fill(folder: Path, count: int) -> set[str]:
    """Make `count` photos, most of them links to a few files; gives the names of the damaged photos."""
    folder.mkdir()
    store = folder.with_name(f"{folder.name}-store")
    store.mkdir()
    files: list[Path] = []
    for path in sorted(SAMPLES.glob("*.jpg")):
        picture = cv2.imread(str(path))
        for number in range(_VARIANTS):
            made = store / f"{path.stem}-{number}.jpg"
            if picture is not None and len(files) < count:
                cv2.imwrite(str(made), picture[number:, 2 * number :], [cv2.IMWRITE_JPEG_QUALITY, 90])
                files.append(made)
    damaged = set()
    for number in range(count):
        photo = folder / f"{number:05}.jpg"
        if number % _DAMAGED == _DAMAGED - 1:
            photo.write_bytes(files[0].read_bytes()[:5000])
            damaged.add(photo.name)
        else:
            os.link(files[number % len(files)], photo)
    return damaged


def _run(photos: Path, out: Path, *options: str, stop_at: int = 0, one_core: bool = False) -> Run:
    """Run the command until it ends, or kill it at `stop_at` lines; the clock starts at the first new line."""
    pinned = ("taskset", "-c", str(min(os.sched_getaffinity(0)))) if one_core else ()
    process = subprocess.Popen(  # noqa: S603  # our own interpreter
        [*pinned, *_READ, str(photos), "--out", str(out), *options],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0,
    )  # fmt: skip
    before, begun, megabytes, ended = _lines(out), 0.0, list[float](), False
    begun_lines = before
    while not ended:
        time.sleep(0.2 if not begun else 1)
        ended = process.poll() is not None
        lines = _lines(out)
        if not begun and lines > before:
            begun, begun_lines = time.monotonic(), lines
        if begun and not ended:
            megabytes.append(_megabytes(process.pid))
        if stop_at and lines >= stop_at:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            ended = True
    return Run(time.monotonic() - begun, _lines(out) - begun_lines, tuple(megabytes) or (0.0,))


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _megabytes(group: int) -> float:
    """The resident memory of all processes of that group; shared memory counts once for each process."""
    pages = 0
    for entry in Path("/proc").iterdir():
        try:
            stat = (entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue  # no process, or an ended one
        if int(stat[2]) == group:
            pages += int(stat[21])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    command(load)
