"""A watched table kept as a video, which `Source` shows again at the same pace: for the curious, and as a test."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Final, Self

import cv2
import numpy as np

from tilescore.base.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from tilescore.vision.video.watch import Frame

_RATE: Final = 12.5
"""Frames a second of the video: no camera is watched faster."""
_LONGEST_GAP: Final = 25
"""So often a frame is shown again at most while none comes; a longer pause is cut."""
SUFFIX: Final = ".avi"
"""Of videos that can be read though the program or the machine was switched off meanwhile."""


class Recording:
    """A video being written; use it in a `with`, or close it.

    A page that is drawn anew may close it while its last drawing still adds a frame: the codec, which knows no threads,
    sees one of both at a time, and nothing after the end.

    Attributes:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        """Begin nothing yet: the file is made with the first frame.

        Raises:
            InputError: it is there already, has another ending, or cannot be written.
        """
        if path.suffix.lower() != SUFFIX:
            message = f"'{path.name}' does not end in {SUFFIX}: give e.g. '{path.stem or 'game'}{SUFFIX}'."
            raise InputError("not_a_recording", message, name=path.name)
        if path.exists():
            message = f"'{path}' is there already: give another name, or move it away."
            raise InputError("recording_exists", message, path=str(path))
        self.path = path
        self._lock = Lock()
        self._closed = False
        self._video: cv2.VideoWriter | None = None
        self._size_wh = (0, 0)
        self._start_s = 0.0
        self._shown = 0

    def add(self, frame: Frame) -> None:
        """One more frame, at its time; none once it is closed.

        Raises:
            InputError: the file cannot be written.
        """
        with self._lock:
            if not self._closed:
                self._add(frame)

    def _add(self, frame: Frame) -> None:
        if self._video is None:
            self._begin(frame)
        slot = round((frame.at_s - self._start_s) * _RATE)
        late = slot - self._shown - _LONGEST_GAP
        if late > 0 or slot < 0:  # a long pause, or another clock: the time between is left out
            self._start_s = frame.at_s - self._shown / _RATE
            slot = self._shown
        bgr = cv2.cvtColor(frame.rgb, cv2.COLOR_RGB2BGR)
        if (bgr.shape[1], bgr.shape[0]) != self._size_wh:
            bgr = cv2.resize(bgr, self._size_wh, interpolation=cv2.INTER_AREA)
        while self._shown <= slot:
            self._write(bgr)

    def close(self) -> None:
        """Finish the file."""
        with self._lock:
            self._closed = True
            if self._video is not None:
                self._video.release()
                self._video = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begin(self, frame: Frame) -> None:
        self._size_wh = (frame.rgb.shape[1], frame.rgb.shape[0])
        self._start_s = frame.at_s
        self._video = cv2.VideoWriter(
            str(self.path), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*"mp4v"), _RATE, self._size_wh
        )
        if not self._video.isOpened():
            message = f"'{self.path}' cannot be written: see that the folder is there and can be written."
            raise InputError("cannot_write", message, path=str(self.path))

    def _write(self, bgr: object) -> None:
        if self._video is not None:
            self._video.write(np.asarray(bgr, np.uint8))
        self._shown += 1
