"""A video into pictures worth labelling: of frames that show nearly the same, the sharpest one."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from tilescore.base.errors import InputError
from tilescore.datasets.checks.near_duplicates import NEAR_BITS, hash_of, near_pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]

EVERY_S: Final = 0.2
"""So many seconds apart frames are looked at: a hand held still and one moved slowly both give a sharp one."""
QUALITY: Final = 92
_SMALL: Final = 256
"""Long side at which frames are compared and their sharpness is measured."""


@dataclass(frozen=True, slots=True)
class VideoFrame:
    """A frame that was looked at.

    Attributes:
        number: counted from the start of the video, from 0.
        pixels: BGR (H, W, 3), upright.
        fingerprint: its perceptual hash.
        sharpness: spread of the second derivative of the grey picture; more is sharper.
    """

    number: int
    pixels: Pixels
    fingerprint: bytes
    sharpness: float


@dataclass(frozen=True, slots=True)
class Extracted:
    """What came of a video: how many frames were looked at, and the pictures."""

    looked_at: int
    pictures: tuple[Path, ...]


def extract(
    video: Path, out: Path, *, every_s: float = EVERY_S, progress: Callable[[int, int | None], None] | None = None
) -> Extracted:
    """Write the frames of a video that differ, as `VIDEO_NUMBER.jpg`; pictures that are there already stay as they are.

    Args:
        video: whatever OpenCV can decode.
        out: the folder, made if need be.
        every_s: how far apart in seconds frames are looked at.
        progress: called with how many frames have gone by, and of how many where the video says so.

    Raises:
        InputError: it is no video, or the folder cannot be written.
    """
    if not (math.isfinite(every_s) and every_s > 0):
        raise InputError("bad_interval", f"--every {every_s}: give the seconds between two frames, e.g. 0.2.")
    looked_at = 0

    def counted() -> Iterator[VideoFrame]:
        nonlocal looked_at
        for frame in _frames(video, every_s, progress):
            looked_at += 1
            yield frame

    pictures = [_write(frame, out / f"{video.stem}_{frame.number:06d}.jpg") for frame in different(counted())]
    return Extracted(looked_at, tuple(pictures))


def different(frames: Iterable[VideoFrame]) -> Iterator[VideoFrame]:
    """The sharpest of each run of frames that fingerprint alike; a view that comes back later is not given again."""
    kept: list[bytes] = []
    for run in _runs(frames):
        if not any(_alike(run.fingerprint, fingerprint) for fingerprint in kept):
            kept.append(run.fingerprint)
            yield run


def _runs(frames: Iterable[VideoFrame]) -> Iterator[VideoFrame]:
    """The sharpest frame of each run that looks like its first."""
    best: VideoFrame | None = None
    start = b""
    for frame in frames:
        if best is not None and _alike(start, frame.fingerprint):
            best = max(best, frame, key=lambda one: one.sharpness)
            continue
        if best is not None:
            yield best
        best, start = frame, frame.fingerprint
    if best is not None:
        yield best


def _alike(one: bytes, other: bytes) -> bool:
    return bool(near_pairs([one, other], at_most_bits=NEAR_BITS))


def _frames(video: Path, every_s: float, progress: Callable[[int, int | None], None] | None) -> Iterator[VideoFrame]:
    if not video.is_file():
        raise InputError("no_such_file", f"'{video}' is no file: give a video.", path=str(video))
    source = cv2.VideoCapture(str(video))
    try:
        rate = source.get(cv2.CAP_PROP_FPS)
        step = max(1, round(every_s * rate)) if math.isfinite(rate) and 1 <= rate <= 1000 else 6
        total = int(source.get(cv2.CAP_PROP_FRAME_COUNT))
        number = -1
        while source.grab():
            number += 1
            if number % step:
                continue
            found, pixels = source.retrieve()
            if not found or pixels is None:
                continue
            yield _measured(number, np.asarray(pixels, np.uint8))
            if progress is not None:
                progress(number + 1, total if total > number else None)
    finally:
        source.release()
    if number < 0:
        message = f"'{video}' is no video that can be read: give e.g. an .mp4, .mov or .webm file."
        raise InputError("not_a_video", message, path=str(video))


def _measured(number: int, pixels: Pixels) -> VideoFrame:
    factor = min(1.0, _SMALL / max(pixels.shape[:2]))
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    small = np.asarray(cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    sharp = grey if max(grey.shape) <= 4 * _SMALL else cv2.resize(grey, None, fx=4 * factor, fy=4 * factor)
    return VideoFrame(number, pixels, hash_of(small), float(cv2.Laplacian(sharp, cv2.CV_32F).var()))


def _write(frame: VideoFrame, path: Path) -> Path:
    if path.exists():
        return path
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(cv2.imencode(".jpg", frame.pixels, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes())
        partial.replace(path)
    except OSError as error:
        message = f"'{path}' cannot be written ({error.strerror})."
        raise InputError("cannot_write", message, path=str(path)) from None
    return path
