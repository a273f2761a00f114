"""Frames from a video file, a USB camera or a network camera, by OpenCV."""

import math
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from tilescore.errors import InputError
from tilescore.vision.video.config import SourceConfig
from tilescore.vision.video.film import Film, Warn, opencv_name, silence_opencv
from tilescore.vision.video.watch import WatchedFrame

_USUAL: Final = SourceConfig()
_PASSWORD: Final = re.compile(r"(://[^/?#]*?:).*@")
_LAST_CAMERA: Final = 2**31 - 1  # OpenCV takes no larger number
"""The part of an address before its host, from the first colon on: a password may hold any character."""


@dataclass(frozen=True, slots=True)
class VideoSource:
    """A source of frames: a file, the number of a USB camera, or an address such as rtsp://...

    >>> VideoSource("0").is_camera, VideoSource("rtsp://door/stream").is_address, VideoSource("game.mp4").is_file
    (True, True, True)
    """

    name: str
    config: SourceConfig = _USUAL

    @property
    def shown(self) -> str:
        """The name for messages, without the password in an address.

        >>> VideoSource("rtsp://ann:secret@door/stream").shown
        'rtsp://ann:***@door/stream'
        """
        return _PASSWORD.sub(r"\1***@", self.name)

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
        warn: Warn = lambda _: None,
    ) -> Iterator[WatchedFrame]:
        """The frames in RGB: at most 60 a second of a file, or the newest ones of a camera until it is lost for good.

        Args:
            realtime: whether a file is played at the pace of its recording, like a camera.
            patience_s: time in which a camera is asked again, at first and when lost; by default that of the settings.
            calm: whether nothing happens, so that the frames of a camera are taken less often.
            warn: takes sentences about problems that do not end the stream.

        Raises InputError if there is no such file or camera, or it does not answer.
        """
        return self._filmed(realtime=realtime, warn=warn) if self.is_file else self._live(patience_s, calm, warn)

    def _filmed(self, *, realtime: bool, warn: Warn) -> Iterator[WatchedFrame]:
        if not Path(self.name).is_file():
            message = (
                f"'{self.name}' is no file: give a video, the number of a camera (0 is the first), or an address "
                "such as rtsp://user:password@host/stream."
            )
            raise InputError("no_such_video", message, name=self.name)
        start, before_s = time.monotonic(), -math.inf
        with Film.opened(Path(self.name), self.config) as film:
            if film.rate < self.config.slow_frames_per_s:
                warn(_slow(film.rate))
            for _, at_s in film.frames(1 / self.config.most_frames_per_s, warn):
                late_s, gap_s, before_s = time.monotonic() - start - at_s, at_s - before_s, at_s
                if realtime and late_s > gap_s:
                    continue
                if realtime and late_s < 0:
                    pause_s = min(-late_s, self.config.answer_s)  # the times of joined clips may jump by hours
                    start += late_s + pause_s
                    time.sleep(pause_s)
                bgr = film.picture()
                if bgr is not None:
                    yield WatchedFrame(_rgb(bgr), at_s)

    def _live(self, patience_s: float | None, calm: Callable[[], bool], warn: Warn) -> Iterator[WatchedFrame]:
        start = time.monotonic()
        first_patience_s = self.config.first_patience_s if self.is_address else 0.0
        video = self._connected(start, first_patience_s if patience_s is None else patience_s, warn)
        lost_s: float | None = None
        while True:
            try:
                for frame in _newest(video, start, calm, warn, self.config):
                    lost_s = None
                    yield frame
            finally:
                video.release()
            lost_s = time.monotonic() if lost_s is None else lost_s
            warn(f"camera {self.shown} sends nothing any more: is it unplugged? Trying again.")
            time.sleep(self.config.retry_s)
            video = self._connected(lost_s, self.config.lost_patience_s if patience_s is None else patience_s)

    def _connected(self, since_s: float, patience_s: float, warn: Warn = lambda _: None) -> cv2.VideoCapture:
        """The open camera; it is asked again until it answers or patience ends."""
        has_said = False
        while True:
            try:
                return self._opened()
            except InputError:
                if time.monotonic() - since_s >= patience_s:
                    raise
            if not has_said:
                warn(f"'{self.shown}' does not answer: trying again.")
                has_said = True
            time.sleep(self.config.retry_s)

    def _opened(self) -> cv2.VideoCapture:
        silence_opencv()
        if self.is_camera:
            video = cv2.VideoCapture(min(int(self.name), _LAST_CAMERA))
            width, height = self.config.camera_size_wh
            video.set(cv2.CAP_PROP_FRAME_WIDTH, width)
            video.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        else:
            limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, cv2.CAP_PROP_READ_TIMEOUT_MSEC]
            settings = [value for limit in limits for value in (limit, int(1000 * self.config.answer_s))]
            video = cv2.VideoCapture(opencv_name(self.name), cv2.CAP_FFMPEG, settings)
        if not video.isOpened():
            raise self._no_answer()
        return video

    def _no_answer(self) -> InputError:
        if self.is_camera:
            message = f"there is no camera number {self.name}, or another program uses it"
            remedy = "plug it in or close that program; 0 is the first camera"
            return InputError("no_camera", f"{message}: {remedy}.", name=self.name)
        message = f"'{self.shown}' does not answer: check the address, the password and that the camera is on."
        return InputError("no_answer", message, name=self.shown)


def _newest(
    video: cv2.VideoCapture, start: float, calm: Callable[[], bool], warn: Warn, config: SourceConfig
) -> Iterator[WatchedFrame]:
    """The frames of a camera as they arrive, without those that were waiting; ends when there is none.

    A slow camera gets one warning, however long it is watched.
    """
    waits: list[float] = []
    has_said = False
    while True:
        began = time.monotonic()
        for _ in range(config.max_buffered_frames):
            before = time.monotonic()
            if not video.grab():
                return
            waits.append(time.monotonic() - before)
            if waits[-1] > config.buffered_s:
                break
        if len(waits) >= config.rate_frames:
            if not has_said and sum(waits) / len(waits) > 1 / config.slow_frames_per_s:
                warn(_slow(len(waits) / sum(waits)))
                has_said = True
            waits.clear()
        is_there, bgr = video.retrieve()
        if is_there and bgr is not None:
            yield WatchedFrame(_rgb(bgr), time.monotonic() - start)
        interval_s = config.calm_interval_s if calm() else config.interval_s
        time.sleep(max(0.0, interval_s - (time.monotonic() - began)))


def _slow(rate: float) -> str:
    return f"only {rate:.0f} frames a second: a hand is told later; more light or a smaller picture makes it faster."


def _rgb(bgr: object) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.asarray(cv2.cvtColor(np.asarray(bgr, np.uint8), cv2.COLOR_BGR2RGB), np.uint8)
