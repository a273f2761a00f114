"""A folder of a person with photos and sets, and the commands that run on it as processes."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import psutil

from tests.harness.app_process import ROOT
from tilescore.datasets.sample import SAMPLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

PATIENCE_S: Final = 120
"""A command that takes longer hangs."""
ENDS_S: Final = 5
"""No worker may outlive its command for longer."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    status: int
    out: bytes
    err: str
    seconds: float

    @property
    def is_one_sentence(self) -> bool:
        """Whether it did its work, or said in a sentence why not, without a traceback and without blaming itself."""
        failed = self.status != 0
        last = self.err.strip().splitlines()[-1:] or [""]
        return "Traceback" not in self.err and self.status in (0, 2) and (not failed or len(last[0]) > 0)


def start(arguments: Sequence[object], *, cwd: Path, env: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
    """A command in its own process group."""
    paths = os.pathsep.join((str(ROOT), os.environ.get("PYTHONPATH", "")))
    return subprocess.Popen(  # noqa: S603  # our own interpreter
        [sys.executable, "-m", "tilescore.ui.cli.main", *map(str, arguments)],
        cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, process_group=0,
        env=os.environ | {"PYTHONPATH": paths} | dict(env or {}),
    )  # fmt: skip


def run(arguments: Sequence[object], *, cwd: Path, env: Mapping[str, str] | None = None) -> Ended:
    """A command from start to end; one that hangs is killed and has the status 124."""
    began = time.monotonic()
    process = start(arguments, cwd=cwd, env=env)
    try:
        out, err = process.communicate(timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        kill(process)
        return Ended(124, b"", "it hangs", time.monotonic() - began)
    return Ended(process.returncode, out, err.decode("utf-8", "replace"), time.monotonic() - began)


def kill(process: subprocess.Popen[bytes], number: int = 9, *, group: bool = False) -> int:
    """Send a signal; the number of its processes that still run some seconds later, which are then killed."""
    try:
        family = psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        family = []
    if process.poll() is None:
        (os.killpg if group else os.kill)(process.pid, number)
    process.communicate()
    left = psutil.wait_procs(family, timeout=ENDS_S)[1]
    for one in left:
        one.kill()
    return len(left)


def fill(folder: Path, *, photos: int = 6) -> None:
    """Make `photos/` and, in `set/`, the same pictures with labels in YOLO form; a person's file beside them."""
    (folder / "photos").mkdir(parents=True)
    for part in ("images", "labels"):
        (folder / "set" / part / "train").mkdir(parents=True)
    sample = cv2.imread(str(SAMPLES / "riichi_closed.jpg"))
    if sample is None:
        raise FileNotFoundError(SAMPLES)
    for number in range(photos):
        small = cv2.resize(sample[number:, 3 * number :], (640, 480), interpolation=cv2.INTER_AREA)
        photo = folder / "photos" / f"{number}.jpg"
        cv2.imwrite(str(photo), small)
        shutil.copy(photo, folder / "set" / "images" / "train" / f"{number}.jpg")
        (folder / "set" / "labels" / "train" / f"{number}.txt").write_text(f"0 0.5 0.5 0.1 0.{number + 1}\n")
    (folder / "set" / "data.yaml").write_text("train: images/train\nnames: [1m]\n")
    (folder / "diary.txt").write_text("mine")
    hand = {"id": "a", "concealed": "11122233344455m", "winning_tile": "5m", "win_by": "self_draw"}
    (folder / "hands.jsonl").write_text(json.dumps(hand) + "\n")


def hashes(folder: Path) -> dict[str, str]:
    """The hash of every plain file below a folder."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }
