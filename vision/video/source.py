"""Frames from a video file, a USB camera or a network camera, by OpenCV."""

from __future__ import annotations

import math
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from tilescore.base.errors import InputError
from tilescore.vision.video.watch import Frame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Say = Callable[[str], None]

_ANSWER_S: Final = 8.0
"""A camera that says nothing for so long does not answer."""
_RETRY_S: Final = 2.0
_PATIENCE_S: Final = 120.0
"""For so long a camera that was lost is looked for,"""
_AT_FIRST_S: Final = 6.0
"""and a network camera that does not answer from the start: it may be switched on just now."""
_EVERY_S: Final = 0.08
"""A camera's frames are taken so far apart: reading one takes longer anyway."""
CALM_S: Final = 0.2
"""And so far while nothing is going on."""
_BUFFERED_S: Final = 0.004
"""A frame that comes sooner than this had been waiting: a newer one is behind it."""
_MOST_BUFFERED: Final = 30
_SLOW: Final = 6.0
"""Frames a second below which a hand takes long to be told."""
_USUAL_RATE: Final = 25.0


@dataclass(frozen=True, slots=True)
class Source:
    """Where frames come from: a file, the number of a USB camera, or an address such as rtsp://...

    >>> Source("0").is_camera, Source("rtsp://door/stream").is_address, Source("game.mp4").is_file
    (True, True, True)
    """

    name: str

    @property
    def is_camera(self) -> bool:
        """Whether it is a camera of this machine."""
        return self.name.isdecimal()

    @property
    def is_address(self) -> bool:
        """Whether it is a camera in the network."""
        return "://" in self.name

    @property
    def is_file(self) -> bool:
        """Whether it is a video on the disk."""
        return not self.is_camera and not self.is_address

    def frames(
        self,
        *,
        realtime: bool = False,
        patience_s: float | None = None,
        calm: Callable[[], bool] = lambda: False,
        say: Say = lambda _: None,
    ) -> Iterator[Frame]:
        """The frames, in RGB; of a file every one, of a camera the newest, until it is lost for good.

        Args:
            realtime: take a file at the pace at which it was filmed, as a camera would show it.
            patience_s: for so long a camera is asked for again, at first and when lost; some seconds and two minutes
                unless given.
            calm: tells whether nothing is going on: then a camera's frames are taken less often.
            say: takes sentences about what goes wrong but can be lived with.

        Raises:
            InputError: there is no such file or camera, or it does not answer.
        """
        os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # what is wrong is said in a sentence of ours
        silence: Any = getattr(cv2, "setLogLevel", None) or cv2.utils.logging.setLogLevel
        silence(0)
        return self._filmed(realtime=realtime, say=say) if self.is_file else self._live(patience_s, calm, say)

    def _filmed(self, *, realtime: bool, say: Say) -> Iterator[Frame]:
        if not Path(self.name).is_file():
            raise InputError(
                "no_such_video",
                f"'{self.name}' is no file: give a video, the number of a camera (0 is the first), or an address "
                "such as rtsp://user:password@host/stream.",
                name=self.name,
            )
        video = cv2.VideoCapture(self.name, cv2.CAP_FFMPEG)
        rate = video.get(cv2.CAP_PROP_FPS)
        rate = rate if math.isfinite(rate) and 0.5 <= rate <= 1000 else _USUAL_RATE
        if video.isOpened() and rate < _SLOW:
            say(_slow(rate))
        number, start = -1, time.monotonic()
        try:
            while video.grab():
                number += 1
                late_s = time.monotonic() - start - number / rate
                if realtime and late_s > 1 / rate:
                    continue
                if realtime and late_s < 0:
                    time.sleep(-late_s)
                found, bgr = video.retrieve()
                if found and bgr is not None:
                    yield Frame(_rgb(bgr), number / rate)
        finally:
            video.release()
        if number < 0:
            raise InputError(
                "not_a_video",
                f"'{self.name}' is no video that can be read: give e.g. an .mp4, .mov or .webm file.",
                name=self.name,
            )

    def _live(self, patience_s: float | None, calm: Callable[[], bool], say: Say) -> Iterator[Frame]:
        start = time.monotonic()
        at_first_s = _AT_FIRST_S if self.is_address else 0.0
        video = self._asked(start, at_first_s if patience_s is None else patience_s, say)
        lost_s: float | None = None
        while True:
            try:
                for frame in _newest(video, start, calm, say):
                    lost_s = None
                    yield frame
            finally:
                video.release()
            lost_s = time.monotonic() if lost_s is None else lost_s
            say(f"camera {self.name} sends nothing any more: is it unplugged? Trying again.")
            time.sleep(_RETRY_S)
            video = self._asked(lost_s, _PATIENCE_S if patience_s is None else patience_s)

    def _asked(self, since_s: float, patience_s: float, say: Say = lambda _: None) -> cv2.VideoCapture:
        """The camera, asked for again and again until it answers."""
        said = False
        while True:
            try:
                return self._opened()
            except InputError:
                if time.monotonic() - since_s >= patience_s:
                    raise
            if not said:
                say(f"'{self.name}' does not answer: trying again.")
                said = True
            time.sleep(_RETRY_S)

    def _opened(self) -> cv2.VideoCapture:
        if self.is_camera:
            video = cv2.VideoCapture(int(self.name))
            video.set(cv2.CAP_PROP_FRAME_WIDTH, 1280)
            video.set(cv2.CAP_PROP_FRAME_HEIGHT, 720)
        else:
            limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, cv2.CAP_PROP_READ_TIMEOUT_MSEC]
            settings = [value for limit in limits for value in (limit, int(1000 * _ANSWER_S))]
            video = cv2.VideoCapture(self.name, cv2.CAP_FFMPEG, settings)
        if not video.isOpened():
            raise self._silent()
        return video

    def _silent(self) -> InputError:
        if self.is_camera:
            return InputError(
                "no_camera",
                f"there is no camera number {self.name}, or another program uses it: plug it in or close that program; "
                "0 is the first camera.",
                name=self.name,
            )
        return InputError(
            "no_answer",
            f"'{self.name}' does not answer: check the address, the password and that the camera is on.",
            name=self.name,
        )


def _newest(video: cv2.VideoCapture, start: float, calm: Callable[[], bool], say: Say) -> Iterator[Frame]:
    """Frames of a camera as they come, without those that had been waiting; ends when there is none."""
    waits: list[float] = []
    while True:
        began = time.monotonic()
        for _ in range(_MOST_BUFFERED):
            asked = time.monotonic()
            if not video.grab():
                return
            waits.append(time.monotonic() - asked)
            if waits[-1] > _BUFFERED_S:
                break
        if len(waits) >= 20:
            if sum(waits) / len(waits) > 1 / _SLOW:
                say(_slow(len(waits) / sum(waits)))
            waits.clear()
        found, bgr = video.retrieve()
        if found and bgr is not None:
            yield Frame(_rgb(bgr), time.monotonic() - start)
        every_s = CALM_S if calm() else _EVERY_S
        time.sleep(max(0.0, every_s - (time.monotonic() - began)))


def _slow(rate: float) -> str:
    return f"only {rate:.0f} frames a second: a hand is told later; more light or a smaller picture makes it faster."


def _rgb(bgr: object) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.asarray(cv2.cvtColor(np.asarray(bgr, np.uint8), cv2.COLOR_BGR2RGB), np.uint8)
