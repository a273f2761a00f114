"""Memory and time until the first answer, each in a fresh process, and the size of the runtime environment."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.reading_cost.stages import phone_photo
from tests.harness.app_process import ROOT, running_app
from tests.harness.figures import Figure, at_most, command
from tilescore.datasets.sample import SAMPLES

if TYPE_CHECKING:
    from collections.abc import Sequence

_SAMPLE: Final = SAMPLES / "winning_hand.jpg"
_PEAK: Final = """
import re, sys
from pathlib import Path
from tilescore.ui.cli.main import main
try:
    main()
finally:  # the peak of getrusage would hold that of the parent process
    print(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1], file=sys.stderr)
"""


def footprint() -> list[Figure]:
    """All figures of this module."""
    return [*first_answers(), import_time(), environment_size()]


def first_answers() -> list[Figure]:
    """Seconds from a process start to a reading and to the app's first answer, and the peak memory of a reading."""
    runs = _reading_runs(4)[1:]  # the first run fills the file cache
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        with running_app(Path(folder)):
            answered = time.perf_counter() - start
    return [
        Figure("`tilescore read` of one 12 MP photo, start included, s", min(seconds for seconds, _ in runs)),
        _peak(runs),
        Figure("app, start to first answer, s", answered),
    ]


def peak_memory() -> Figure:
    """The peak memory of a process that reads one photo."""
    return _peak(_reading_runs(1))


def _peak(runs: Sequence[tuple[float, float]]) -> Figure:
    return at_most("`tilescore read` of one 12 MP photo, peak memory, MB", max(peak for _, peak in runs), 300)


def _reading_runs(count: int) -> list[tuple[float, float]]:
    """Seconds and peak megabytes of processes that read one 12-megapixel photo each."""
    with tempfile.TemporaryDirectory() as folder:
        photo = Path(folder) / "photo.jpg"
        photo.write_bytes(phone_photo(_SAMPLE))
        return [_timed([sys.executable, "-c", _PEAK, "read", str(photo), "--json"]) for _ in range(count)]


def _timed(command: list[str]) -> tuple[float, float]:
    """Seconds and peak megabytes of a command."""
    start = time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)  # noqa: S603
    return time.perf_counter() - start, int(done.stderr.split()[-1]) / 1024


def import_time() -> Figure:
    """Seconds of importing the values of `tilescore.scoring`, without the start of Python."""

    def best(code: str) -> float:
        times = []
        for _ in range(7):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)  # noqa: S603
            times.append(time.perf_counter() - start)
        return min(times)

    spent = best("import tilescore.scoring.hand, tilescore.scoring.ruleset, tilescore.scoring.score") - best("pass")
    return at_most("import tilescore.scoring, s", max(0.0, spent), 0.1)


def environment_size() -> Figure:
    """Megabytes of all distributions that the product needs at run time, directly or indirectly."""
    wanted, seen, total = ["tilescore"], set[str](), 0
    while wanted:
        name = re.split(r"[ ;<>=!~\[(]", wanted.pop())[0].lower().replace("_", "-")
        if name in seen:
            continue
        seen.add(name)
        try:
            found = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # only another system needs it
        paths = {Path(str(found.locate_file(file))) for file in found.files or ()}
        total += sum(path.stat().st_size for path in paths if path.is_file())
        wanted += [need for need in found.requires or () if "extra ==" not in need]
    return at_most(f"runtime environment, MB ({len(seen)} distributions)", total / 1e6, 700)


if __name__ == "__main__":
    command(footprint)
