"""Kill commands that write at a random moment, start them again, and compare with a run that nobody killed."""

from __future__ import annotations

import json
import random
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from tests.harness.damage.commands import fill, hashes, kill, run, start
from tests.harness.figures import Figure, at_most

if TYPE_CHECKING:
    from collections.abc import Sequence

_SIGNALS: Final = ((signal.SIGKILL, False), (signal.SIGTERM, False), (signal.SIGINT, True), (signal.SIGHUP, True))
"""Signals, and whether the whole group gets them, as from a terminal."""


@dataclass(frozen=True, slots=True)
class Job:
    """A command that writes `out`, and how its result is compared."""

    words: tuple[str, ...]  # the command
    out: str  # the file or folder that it writes
    whole: bool  # whether `out` must be missing or complete at every moment


JOBS: Final = {
    "folder": Job(  # without a limit of time, which a busy machine exceeds: then a reading has fewer stages
        ("read", "photos", "--out", "out.jsonl", "--workers", "2", "--budget-ms", "60000"), "out.jsonl", whole=False
    ),
    "split": Job(("dataset", "split", "set", "out", "--no-look"), "out", whole=True),
    "convert": Job(("dataset", "convert", "set", "out", "--to", "coco", "--no-look"), "out", whole=True),
    "import": Job(("dataset", "convert", "coco", "out", "--to", "yolo", "--no-look"), "out", whole=True),
    "synth": Job(("dataset", "synth", "out", "--count", "6", "--size", "200", "--workers", "2"), "out", whole=False),
}


def figures(count: int, *, names: Sequence[str] = tuple(JOBS), seed: int = 0) -> list[Figure]:
    """The figures of that many kills, spread over the jobs."""
    lost: list[str] = []
    doubled = left = unsaid = killed = 0
    drawn = random.Random(seed)  # no secret
    with TemporaryDirectory() as temporary:
        for name in names:
            job, root = JOBS[name], Path(temporary, name)
            fill(root)
            if name == "import":
                run(("dataset", "convert", "set", "coco", "--to", "coco", "--no-look"), cwd=root)
            began = time.monotonic()
            run(job.words, cwd=root)
            duration, expected = time.monotonic() - began, _content(root, job)
            _clear(root / job.out)
            hit = 0
            for _ in range(2 * count // len(names)):  # a command that has ended before its kill does not count
                if hit == count // len(names):
                    break
                number, group = drawn.choice(_SIGNALS)
                process = start(job.words, cwd=root)
                time.sleep(drawn.uniform(0.3, 0.95) * duration)
                is_over = process.poll() is not None
                left += kill(process, number, group=group)
                hit += not is_over
                found = _content(root, job)
                if job.whole and found and found != expected:
                    lost.append(f"{name}: incomplete after {number.name}")
                again = run(job.words, cwd=root) if not (job.whole and found) else None
                unsaid += again is not None and not again.is_one_sentence
                now = _content(root, job)
                lost += [f"{name}: {key} after {number.name}" for key in expected if now.get(key) != expected[key]]
                doubled += len(now.keys() - expected.keys()) + _doubles(root / job.out)
                beside = (path.name for path in root.iterdir() if path.name.startswith(".tilescore-"))
                lost += [f"{name}: {path} stays after {number.name}" for path in beside]
                _clear(root / job.out)
            killed += hit
    for what in lost:
        print(what, file=sys.stderr)  # the figures say only how many
    return [
        Figure(f"commands killed while they ran: {', '.join(names)}", killed),
        at_most("lost or half written", len(lost), 0),
        at_most("doubled", doubled, 0),
        at_most("processes left running after 5 s", left, 0),
        at_most("second runs with a traceback or a fault", unsaid, 0),
    ]


def _content(root: Path, job: Job) -> dict[str, str]:
    """What the command has written: a text for each thing; times are left out."""
    out = root / job.out
    if out.is_dir():
        return {name: text for name, text in hashes(out).items() if ".tilescore-" not in name}
    if not out.is_file():
        return {}
    found = {}
    for line in out.read_bytes().splitlines(keepends=True):
        if line.endswith(b"\n"):
            data = json.loads(line)
            found[data["photo"]] = json.dumps([data["detections"], data["hand"]])
    return found


def _doubles(out: Path) -> int:
    lines = [json.loads(line)["photo"] for line in out.read_bytes().splitlines()] if out.is_file() else []
    return len(lines) - len(set(lines))


def _clear(out: Path) -> None:
    for path in sorted(out.rglob("*"), reverse=True) if out.is_dir() else ():
        path.rmdir() if path.is_dir() else path.unlink()
    if out.is_dir():
        out.rmdir()
    out.unlink(missing_ok=True)
