"""Extracts pictures for labelling from a video: the sharpest of several frames that look alike, or every frame."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from tilescore.datasets.pictures.near_duplicates import NEAR_BITS, hash_of, near_pairs
from tilescore.errors import InputError
from tilescore.files.outputs import cannot_write, write_whole
from tilescore.processes.progress import Progress, unseen
from tilescore.vision.arrays import Pixels
from tilescore.vision.image.photo import load_photo
from tilescore.vision.video.film import Film, Warn

EVERY_S: Final = 0.2
"""Seconds between two frames that are compared; short enough to find a sharp frame while the camera moves slowly."""
JPEG_QUALITY: Final = 92
_HASH_PX: Final = 256
"""Long side in pixels at which frames are hashed; sharpness is measured at four times that."""


@dataclass(frozen=True, slots=True)
class VideoFrame:
    """A frame of a video, with its number counted from 0."""

    number: int
    pixels: Pixels  # BGR (H, W, 3), upright
    fingerprint: bytes  # its perceptual hash, as in `near_duplicates`
    sharpness: float  # variance of the Laplacian of the grey picture; higher is sharper


@dataclass(frozen=True, slots=True)
class Extracted:
    """The number of compared frames, of pictures that were written now, and the pictures of the chosen ones.

    `others` are those of them that were there already and show something else, perhaps a frame of another video.
    """

    compared: int
    written: int
    pictures: tuple[Path, ...]
    others: tuple[Path, ...]


def extract(
    video: Path, out: Path, *, every_s: float = EVERY_S, every_frame: bool = False,
    progress: Callable[[int, int | None], None] | None = None, warn: Warn = lambda _: None,
) -> Extracted:  # fmt: skip
    """Write the distinct frames of a video as `VIDEO_NUMBER.jpg`; existing pictures stay unchanged.

    With `every_frame` all compared frames are written, distinct or not: a film through which tiles are followed.
    `progress` gets the number of frames passed and of all frames, if the video gives it. `warn` takes a sentence about
    a video that was cut short. Raises InputError if the file is no video, or the folder cannot be written.
    """
    if not (math.isfinite(every_s) and every_s > 0):
        raise InputError("bad_interval", f"--every {every_s}: give the seconds between two frames, e.g. 0.2.")
    compared = 0

    def counted() -> Iterator[VideoFrame]:
        nonlocal compared
        for frame in _frames(video, every_s, progress, warn):
            compared += 1
            yield frame

    chosen = counted() if every_frame else different(counted())
    pictures: list[Path] = []
    others: list[Path] = []
    written = 0
    for frame in chosen:
        path = out / f"{video.stem}_{frame.number:06d}.jpg"
        data = cv2.imencode(".jpg", frame.pixels, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()
        pictures.append(path)
        if not path.exists():
            _write(data, path)
            written += 1
        elif path.read_bytes() != data:
            others.append(path)
    return Extracted(compared, written, tuple(pictures), tuple(others))


def frames_in(pictures: Sequence[Path], *, progress: Progress = unseen) -> Iterator[VideoFrame]:
    """Pictures of a film as frames, numbered from 0; raises InputError for one that cannot be decoded."""
    for number, path in enumerate(pictures):
        bgr = cv2.cvtColor(load_photo(path).rgb, cv2.COLOR_RGB2BGR)
        yield _measured(number, np.asarray(bgr, np.uint8))
        progress(number + 1, len(pictures))


def different(frames: Iterable[VideoFrame]) -> Iterator[VideoFrame]:
    """The sharpest frame of each run of similar frames; a view that comes back later is not repeated."""
    kept: list[bytes] = []
    for frame in _runs(frames):
        if not any(_alike(frame.fingerprint, fingerprint) for fingerprint in kept):
            kept.append(frame.fingerprint)
            yield frame


def _runs(frames: Iterable[VideoFrame]) -> Iterator[VideoFrame]:
    """The sharpest frame of each run; a run ends with the first frame that differs from its start."""
    best: VideoFrame | None = None
    start = b""
    for frame in frames:
        if best is not None and _alike(start, frame.fingerprint):
            best = max(best, frame, key=lambda shot: shot.sharpness)
            continue
        if best is not None:
            yield best
        best, start = frame, frame.fingerprint
    if best is not None:
        yield best


def _alike(first: bytes, second: bytes) -> bool:
    return bool(near_pairs([first, second], at_most_bits=NEAR_BITS))


def _frames(
    video: Path, every_s: float, progress: Callable[[int, int | None], None] | None, warn: Warn
) -> Iterator[VideoFrame]:
    if not video.is_file():
        raise InputError("no_such_file", f"'{video}' is no file: give a video.", path=str(video))
    with Film.opened(video) as film:
        for number, at_s in film.frames(every_s, warn):
            pixels = film.picture()
            if pixels is None:
                continue
            yield _measured(number, pixels)
            if progress is not None:
                passed = round(at_s * film.rate) + 1
                progress(passed, film.declared if film.declared >= passed else None)


def _measured(number: int, pixels: Pixels) -> VideoFrame:
    factor = min(1.0, _HASH_PX / max(pixels.shape[:2]))
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    small = np.asarray(cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    sharp = grey if max(grey.shape) <= 4 * _HASH_PX else cv2.resize(grey, None, fx=4 * factor, fy=4 * factor)
    return VideoFrame(number, pixels, hash_of(small), float(cv2.Laplacian(sharp, cv2.CV_32F).var()))


def _write(data: bytes, path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from None
    write_whole(path, data)
