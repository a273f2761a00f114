"""Commands that write on disks that are full, almost full, read-only or not there: the files of the person stay.

A small disk is a tmpfs, which only a superuser can mount; without that right this is said, and nothing is measured.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from tests.harness.damage.commands import Ended, fill, hashes, run
from tests.harness.figures import Figure, at_most
from tilescore.datasets.sample import SAMPLES
from tilescore.vision.image.marked import save_marked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SAMPLE: Final = "hand.jpg"
WRITERS: Final[dict[str, tuple[str, ...]]] = {
    "read --out": ("read", "hand.jpg", "--out", "{}/r.jsonl"),
    "read --out again": ("read", "hand.jpg", "photos", "--out", "{}/earlier.jsonl"),
    "score --save": ("score", "hand.jpg", "-r", "mcr", "--save", "{}/s.png"),
    "score --save again": ("score", "hand.jpg", "-r", "mcr", "--save", "{}/earlier.png"),
    "check --report": ("dataset", "check", "set", "--no-look", "--report", "{}/r.html"),
    "check --report again": ("dataset", "check", "set", "--no-look", "--report", "{}/earlier.html"),
    "convert": ("dataset", "convert", "set", "{}/out", "--to", "coco", "--no-look"),
    "split": ("dataset", "split", "set", "{}/out", "--no-look"),
    "synth": ("dataset", "synth", "{}/scenes", "--count", "3", "--size", "320", "--workers", "1"),
    "frames": ("dataset", "frames", "video.avi", "{}/frames"),
    "frames --all": ("dataset", "frames", "video.avi", "{}/film", "--all"),
    "live --record": ("live", "video.avi", "--record", "{}/r.avi"),
    "prelabel": ("dataset", "prelabel", "{}/set"),
    "check --stamp": ("dataset", "check", "{}/set", "--no-look", "--stamp"),
}
"""The commands; {} is the disk."""
DISKS: Final = ("full", "almost full", "read-only", "missing")


def figures(names: Sequence[str] = tuple(WRITERS), disks: Sequence[str] = DISKS) -> list[Figure]:
    """The figures of every command on every disk."""
    changed = untold = situations = unfinished = 0
    with TemporaryDirectory() as temporary:
        root = Path(temporary)
        if not can_mount(root):
            print("skipped: only a superuser can mount small disks")
            return []
        _prepare(root)
        for name in names:
            for disk in disks:
                with _disk(root, disk) as place:
                    before = hashes(place) if place.is_dir() else {}
                    ended = run([word.format(place) for word in WRITERS[name]], cwd=root)
                    after = hashes(place) if place.is_dir() else {}
                ours = {"earlier.jsonl", "earlier.png", "earlier.html"} if ended.status == 0 else set[str]()
                if name == "read --out again":
                    ours = {"earlier.jsonl"}  # it grows photo by photo
                wrong = [key for key in before.keys() - ours if after.get(key) != before[key]]
                half = [key for key in after if Path(key).name.startswith(".")]
                situations += 1
                changed += bool(wrong)
                unfinished += bool(half)
                if wrong or half or not ended.is_one_sentence or _hides_failure(name, disk, ended):
                    untold += 1
                    print(f"{name}, {disk}: status {ended.status}, changed {wrong}, left {half}")
                    print(ended.err[-300:], flush=True)
    return [
        Figure("situations of full, read-only or missing disks", situations),
        at_most("files of the person changed", changed, 0),
        at_most("half written files left", unfinished, 0),
        at_most("tracebacks, faults, or failures that are not told", untold, 0),
    ]


def can_mount(root: Path) -> bool:
    """Whether small disks can be mounted here."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    place = root / "try"
    place.mkdir()
    try:
        _mount(place, "size=100k")
    except (OSError, subprocess.CalledProcessError):
        return False
    _unmount(place)
    return True


def _hides_failure(name: str, disk: str, ended: Ended) -> bool:
    """Whether a command claims success where nothing could be written; its own cache may be elsewhere."""
    return disk in ("full", "read-only") and ended.status == 0 and not name.startswith("check --stamp")


def _prepare(root: Path) -> None:
    fill(root, photos=2)
    shutil.copy(SAMPLES / "winning_hand.jpg", root / SAMPLE)
    _write_video(root / "video.avi")
    (root / "earlier.jsonl").write_text('{"photo": "of an earlier run"}\n')
    (root / "earlier.html").write_text('<!doctype html><meta name="generator" content="Tilescore">')
    save_marked(np.zeros((60, 80, 3), np.uint8), root / "earlier.png")


def _write_video(path: Path) -> None:
    video = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*"mp4v"), 12.5, (320, 240))
    noise = np.random.default_rng(0)
    for _ in range(20):
        video.write(noise.integers(0, 255, (240, 320, 3)).astype(np.uint8))
    video.release()


@contextmanager
def _disk(root: Path, kind: str) -> Iterator[Path]:
    """A disk of that kind, with the earlier results and a set of the person on it."""
    place = root / "disk"
    if kind == "missing":
        yield place / "nowhere"
        shutil.rmtree(place, ignore_errors=True)  # some commands make the folders above
        return
    place.mkdir()
    _mount(place, "size=24m")
    try:
        for name in ("earlier.jsonl", "earlier.png", "earlier.html"):
            shutil.copy(root / name, place / name)
        shutil.copytree(root / "set", place / "set")
        if kind == "read-only":
            subprocess.run(["/bin/mount", "-o", "remount,ro", str(place)], check=True)  # noqa: S603
        else:
            _stuff(place, leave=0 if kind == "full" else 16_384)
        yield place
    finally:
        _unmount(place)


def _stuff(place: Path, *, leave: int) -> None:
    """Fill the disk but for some bytes."""
    free = shutil.disk_usage(place).free
    with (place / "stuffing").open("wb") as file:
        try:
            file.write(b"x" * (free - leave))
        except OSError:
            return


def _mount(place: Path, size: str) -> None:
    subprocess.run(["/bin/mount", "-t", "tmpfs", "-o", size, "tmpfs", str(place)], check=True, capture_output=True)  # noqa: S603


def _unmount(place: Path) -> None:
    subprocess.run(["/bin/umount", "-l", str(place)], check=True)  # noqa: S603
    place.rmdir()
