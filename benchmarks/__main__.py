"""Measure what README and the model card promise; prints one table and leaves nothing behind.

Photos come from ../shared and were never trained on. Without that folder only speed and size are measured.
"""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path

import cv2

from benchmarks.accuracy import accuracy
from benchmarks.browser import waiting
from benchmarks.figures import Figure, at_most, show
from benchmarks.layout import layout_figures
from benchmarks.scoring_speed import scoring_speed

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "datasets" / "sample" / "winning_hand.jpg"


def main() -> None:
    """Measure everything and print it."""
    show(
        [
            *accuracy(),
            *layout_figures(),
            *photo_to_score(),
            *waiting(),
            *scoring_speed(),
            import_time(),
            environment_size(),
        ]
    )


def photo_to_score() -> list[Figure]:
    """Seconds from the bytes of a 12-megapixel JPEG to the score, network loaded."""
    from models.registry import load_eye
    from scoring.context import Context, WinBy
    from scoring.ruleset import ruleset
    from vision.assembly import spots_of
    from vision.photo import load_photo

    sample = cv2.cvtColor(load_photo(SAMPLE).rgb, cv2.COLOR_RGB2BGR)
    picture = cv2.resize(sample, (4032, 3024), interpolation=cv2.INTER_CUBIC)
    eye, rules, context = load_eye(), ruleset("mcr"), Context(win_by=WinBy.SELF_DRAW)
    times = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "photo.jpg"
        cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
        for _ in range(12):
            spots_of.cache_clear()  # each is a new photo
            start = time.perf_counter()
            reading = eye.read(load_photo(path))
            rules.score(reading.hand, context)
            times.append(time.perf_counter() - start)
    kept = sorted(times[2:])
    return [
        at_most("photo to score, 12 MP JPEG, median, s", statistics.median(kept), 0.6),
        at_most("photo to score, 12 MP JPEG, slowest of ten, s", kept[-1], 1.2),
    ]


def import_time() -> Figure:
    """Seconds that `import scoring` with all its values takes, beyond starting Python."""

    def best(code: str) -> float:
        times = []
        for _ in range(7):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)  # noqa: S603
            times.append(time.perf_counter() - start)
        return min(times)

    spent = best("import scoring, scoring.hand, scoring.ruleset, scoring.score") - best("pass")
    return at_most("import scoring, s", max(0.0, spent), 0.1)


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
