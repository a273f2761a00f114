"""Recordings: a watched table kept as a video, which `VideoSource` plays again at the same pace."""

from contextlib import suppress
from pathlib import Path
from shutil import disk_usage
from threading import Lock
from typing import Final, Self

import cv2
import numpy as np

from tilescore.errors import InputError
from tilescore.vision.video.config import RecorderConfig
from tilescore.vision.video.film import opencv_name
from tilescore.vision.video.watch import WatchedFrame

_USUAL: Final = RecorderConfig()
SUFFIX: Final = ".avi"
"""Suffix of recordings: an AVI file can be read even if the program or the machine was switched off meanwhile."""


class Recording:
    """A video being written; use it in a `with`, or close it.

    Two threads may use it: a page that is drawn anew may close it while its last drawing still adds a frame. A lock
    keeps both apart, because the codec supports one thread only, and nothing is added after the end.
    """

    def __init__(self, path: Path, config: RecorderConfig = _USUAL) -> None:
        """Check the path; the file is made with the first frame.

        Raises InputError if the file exists already, has another suffix, or cannot be written.
        """
        if path.suffix.lower() != SUFFIX:
            message = f"'{path.name}' does not end in {SUFFIX}: give e.g. '{path.stem or 'game'}{SUFFIX}'."
            raise InputError("not_a_recording", message, name=path.name)
        if path.exists():
            message = f"'{path}' is there already: give another name, or move it away."
            raise InputError("recording_exists", message, path=str(path))
        self._name = opencv_name(path)
        if not self._name:
            message = f"'{path}' cannot be written: a name in its path is not UTF-8; give another file or folder."
            raise InputError("cannot_write", message, path=str(path))
        self.path = path
        self._config = config
        self._lock = Lock()
        self._closed = False
        self._video: cv2.VideoWriter | None = None
        self._size_wh = (0, 0)
        self._start_s = 0.0
        self._written = 0

    def add(self, frame: WatchedFrame) -> None:
        """Add a frame at its time; a closed recording stays as it is.

        Raises InputError if the file cannot be written.
        """
        with self._lock:
            if not self._closed:
                self._add(frame)

    def _add(self, frame: WatchedFrame) -> None:
        if self._video is None:
            self._begin(frame)
        rate = self._config.frames_per_s
        slot = round((frame.at_s - self._start_s) * rate)
        late = slot - self._written - self._config.max_gap_frames
        if late > 0 or slot < 0:  # after a long pause, or with another clock, the time between is left out
            self._start_s = frame.at_s - self._written / rate
            slot = self._written
        bgr = cv2.cvtColor(frame.rgb, cv2.COLOR_RGB2BGR)
        if (bgr.shape[1], bgr.shape[0]) != self._size_wh:
            bgr = cv2.resize(bgr, self._size_wh, interpolation=cv2.INTER_AREA)
        while self._written <= slot:
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

    def _begin(self, frame: WatchedFrame) -> None:
        self._size_wh = (frame.rgb.shape[1], frame.rgb.shape[0])
        self._start_s = frame.at_s
        codec = cv2.VideoWriter.fourcc(*"mp4v")
        with suppress(OSError):  # the check below reports it
            self.path.touch(0o600)
        self._video = cv2.VideoWriter(self._name, cv2.CAP_FFMPEG, codec, self._config.frames_per_s, self._size_wh)
        if not self._video.isOpened():
            with suppress(OSError):
                self.path.unlink()
            message = f"'{self.path}' cannot be written: see that the folder is there and can be written."
            raise InputError("cannot_write", message, path=str(self.path))

    def _check_room(self) -> None:
        """Finish the file and raise InputError if its disk is almost full."""
        if disk_usage(self.path.parent).free >= self._config.min_free_bytes:
            return
        if self._video is not None:
            self._video.release()
        self._video, self._closed = None, True
        seconds = self._written / self._config.frames_per_s
        message = f"the disk of '{self.path}' is almost full: the recording ends after {seconds:.0f} s; make room."
        raise InputError("disk_full", message, path=str(self.path))

    def _write(self, bgr: object) -> None:
        if self._written % round(self._config.frames_per_s) == 0:
            self._check_room()
        if self._video is not None:
            self._video.write(np.asarray(bgr, np.uint8))
        self._written += 1
