"""Memory and the time until the first answer, each in a process of its own, and the size of what is installed."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path
from typing import Final

from benchmarks.figures import Figure, at_most, show
from benchmarks.harness.app_process import ROOT, running_app
from benchmarks.reading.cost import phone_photo
from tilescore.datasets.sample import SAMPLES

_SAMPLE: Final = SAMPLES / "winning_hand.jpg"
_PEAK: Final = """
import resource, sys
from tilescore.datasets.sample import SAMPLES
from tilescore.ui.cli.main import main
try:
    main()
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def main() -> None:
    """Print the figures."""
    show(footprint())


def footprint() -> list[Figure]:
    """All of them."""
    return [*first_answers(), import_time(), environment_size()]


def first_answers() -> list[Figure]:
    """Seconds from nothing to a photo read and to the app answering, and the most memory that a reading takes."""
    with tempfile.TemporaryDirectory() as folder:
        photo = Path(folder) / "photo.jpg"
        photo.write_bytes(phone_photo(_SAMPLE))
        command = [sys.executable, "-c", _PEAK, "read", str(photo), "--json"]
        runs = [_timed(command) for _ in range(4)]
        start = time.perf_counter()
        with running_app(Path(folder)):
            answered = time.perf_counter() - start
    seconds, peaks = zip(*runs[1:], strict=True)  # the first fills the file cache
    return [
        Figure("`tilescore read` of one 12 MP photo, from nothing, s", min(seconds)),
        Figure("the same, most memory, MB", max(peaks)),
        Figure("app, from nothing to its first answer, s", answered),
    ]


def _timed(command: list[str]) -> tuple[float, float]:
    """Seconds and megabytes."""
    start = time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)  # noqa: S603
    return time.perf_counter() - start, int(done.stderr.split()[-1]) / 1024


def import_time() -> Figure:
    """Seconds that `import tilescore.scoring` with all its values takes, beyond starting Python."""

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
    """Megabytes of every distribution that the product needs to run, and of what they need."""
    wanted, seen, total = ["tilescore"], set[str](), 0
    while wanted:
        name = re.split(r"[ ;<>=!~\[(]", wanted.pop())[0].lower().replace("_", "-")
        if name in seen:
            continue
        seen.add(name)
        try:
            found = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # needed on another system only
        paths = {Path(str(found.locate_file(file))) for file in found.files or ()}
        total += sum(path.stat().st_size for path in paths if path.is_file())
        wanted += [need for need in found.requires or () if "extra ==" not in need]
    return at_most(f"runtime environment, MB ({len(seen)} distributions)", total / 1e6, 700)


if __name__ == "__main__":
    main()
