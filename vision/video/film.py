"""A film on the disk, by OpenCV: its frames at the times at which they were filmed."""

import math
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from tilescore.errors import InputError
from tilescore.files.names import without_bytes
from tilescore.vision.arrays import Pixels
from tilescore.vision.video.config import SourceConfig

Warn = Callable[[str], None]
_USUAL: Final = SourceConfig()
_WHOLE_SHARE: Final = 0.95
"""A film with at least this share of its declared frames counts as whole: the count is often an estimate (chosen)."""


@dataclass(frozen=True, slots=True)
class Film:
    """An open film. Its rate is the declared number of frames a second, which may be far from the true one."""

    path: Path
    rate: float
    declared: int  # the number of frames; zero or less if the film does not say
    _video: cv2.VideoCapture

    @classmethod
    @contextmanager
    def opened(cls, path: Path, config: SourceConfig = _USUAL) -> Iterator["Film"]:
        """The film in a `with`; raises InputError if it is no video."""
        silence_opencv()
        with ExitStack() as stack:
            name = opencv_name(path) or f"/proc/self/fd/{stack.enter_context(path.open('rb')).fileno()}"
            video = cv2.VideoCapture(name, cv2.CAP_FFMPEG)
            stack.callback(video.release)
            if not video.isOpened():
                raise _no_video(path)
            rate, declared = video.get(cv2.CAP_PROP_FPS), int(video.get(cv2.CAP_PROP_FRAME_COUNT))
            if not (math.isfinite(rate) and 0.5 <= rate <= 1000):
                rate, declared = config.usual_frames_per_s, 0
            yield cls(path, rate, declared, video)

    def frames(self, every_s: float, warn: Warn) -> Iterator[tuple[int, float]]:
        """The number, from 0 on, and the time in seconds of the frames that are this far apart; all if that is short.

        `picture` gives the one that came last. `warn` takes a sentence about a film that ends before its declared end.
        Raises InputError if there is no frame.
        """
        step = max(1, round(every_s * self.rate))
        number, at_s, last = -1, -1 / self.rate, -1
        while self._video.grab():
            number += 1
            own_s = self._video.get(cv2.CAP_PROP_POS_MSEC) / 1000
            at_s = own_s if own_s > at_s else at_s + 1 / self.rate  # some formats keep no times
            # Times that fall on the declared rate choose every `step`-th frame, however they were rounded.
            place = number if step == 1 else round(at_s * self.rate) // step
            if place > last:
                last = place
                yield number, at_s
        if number < 0:
            raise _no_video(self.path)
        end_s, declared_s = at_s + 1 / self.rate, self.declared / self.rate
        # Some films declare the count by a wrong rate, others a last frame that stays for long: both must be short.
        if number + 1 < _WHOLE_SHARE * self.declared and end_s < _WHOLE_SHARE * declared_s:
            warn(f"the film ends after {end_s:.1f} of {declared_s:.1f} s: copy it again, unless somebody cut it.")

    def picture(self) -> Pixels | None:
        """The frame as BGR (H, W, 3), or None if it is damaged."""
        is_there, bgr = self._video.retrieve()
        return np.asarray(bgr, np.uint8) if is_there and bgr is not None else None


def silence_opencv() -> None:
    """Keep the messages of OpenCV and FFmpeg from stderr: our own sentences say what is wrong."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    silence: Any = getattr(cv2, "setLogLevel", None) or cv2.utils.logging.setLogLevel
    silence(0)


def opencv_name(source: Path | str) -> str:
    """The name by which OpenCV opens a file or an address; empty if it is not UTF-8, with which OpenCV crashes.

    The name of a file begins with a slash, because FFmpeg takes what is before a colon for a protocol.
    """
    name = str(source.absolute() if isinstance(source, Path) else source)
    return name if without_bytes(name) == name else ""


def _no_video(path: Path) -> InputError:
    message = f"'{path}' is no video that can be read: give e.g. an .mp4, .mov or .webm file."
    return InputError("not_a_video", message, path=str(path))
