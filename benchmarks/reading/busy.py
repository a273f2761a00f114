"""Whether a reading depends on how busy the machine is: `python -m benchmarks.reading.busy`.

The command `tilescore read` reads photos of ../shared on the machine as it is, then beside busy processes, with other
numbers of threads and worker processes, and in reverse order. Every object must be the same, timings aside.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, Final

from benchmarks.reading.accuracy import PHOTOS
from tests.harness.figures import Figure, at_most, command

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

_FOLDERS: Final = {PHOTOS.parent / "tables" / "photos": 2 / 3, PHOTOS / "images" / "test_unseen": 1 / 3}
"""Where the photos lie, and the share of each folder."""
_READ: Final = ("-m", "tilescore.ui.cli.main", "read", "--json")
_LOOP: Final = "import os; parent = os.getppid()\nwhile os.getppid() == parent: pass"
"""A process that computes until its parent ends."""


def busy_figures(photos: int = 60, busy: int = 8) -> Iterator[Figure]:
    """How many of the photos are read in another way than at first, as soon as it is known; nothing without the photos.

    Args:
        photos: number of photos.
        busy: number of processes that compute without end.
    """
    paths = [path for folder, share in _FOLDERS.items() for path in _spread(folder, round(share * photos))]
    if not paths:
        print("../shared holds no photos: readings are not compared", file=sys.stderr)
        return
    first = _readings(paths, "--workers", "1")

    def compared(how: str, found: Mapping[str, Any]) -> Figure:
        others = sum(found.get(photo) != reading for photo, reading in first.items())
        return at_most(f"{len(first)} paths, {how}: other readings", others, 0)

    with _busy(busy):
        yield compared(f"{busy} busy processes", _readings(paths, "--workers", "1"))
        yield compared(f"{busy} busy processes, two workers", _readings(paths, "--workers", "2"))
    for threads in (1, 2, 16):
        yield compared(f"threads: {threads}", _readings(paths, "--workers", "1", threads=threads))
    yield compared("in reverse order", _readings(paths[::-1], "--workers", "1"))


def _spread(folder: Path, count: int) -> list[Path]:
    """So many of the pictures of a folder, evenly spread."""
    found = sorted(path for path in folder.glob("*") if path.suffix in (".jpg", ".png"))
    return [found[at * len(found) // count] for at in range(count)] if len(found) >= count else found


def _readings(paths: Sequence[Path], *options: str, threads: int = 0) -> dict[str, Any]:
    """The object of each photo, without its timings."""
    settings = os.environ | ({"TILESCORE_THREADS": str(threads)} if threads else {})
    command = [sys.executable, *_READ, *map(str, paths), *options]
    done = subprocess.run(command, env=settings, stdout=subprocess.PIPE, check=False)  # noqa: S603
    objects = [json.loads(line) for line in done.stdout.splitlines()]
    for each in objects:
        each.pop("timings_ms", None)
    return {each["photo"]: each for each in objects}


@contextmanager
def _busy(count: int) -> Iterator[None]:
    """So many processes that compute without end."""
    with ExitStack() as stack:
        for _ in range(count):
            process = stack.enter_context(subprocess.Popen([sys.executable, "-c", _LOOP]))  # noqa: S603
            stack.callback(process.kill)
        yield


if __name__ == "__main__":
    command(busy_figures)
