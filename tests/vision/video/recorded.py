"""Films as browsers and phones make them: each frame has a time of its own, and the rate is the unit of the times."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np


class UnevenFilm:
    """A film that OpenCV has written, with times as in a recording of a browser: 25 a second, then 10 a second."""

    # ruff: noqa: D102

    times_s = (*(at / 25 for at in range(50)), *(2 + at / 10 for at in range(20)))
    open_film = cv2.VideoCapture

    def __init__(self, *source: Any) -> None:
        self.video = self.open_film(*source)
        self.number = -1

    def __getattr__(self, name: str) -> Any:
        return getattr(self.video, name)

    def grab(self) -> bool:
        self.number += 1
        return self.video.grab()

    def get(self, what: int) -> float:
        known = {cv2.CAP_PROP_FPS: 1000.0, cv2.CAP_PROP_FRAME_COUNT: -(2.0**63)}
        return 1000 * self.times_s[self.number] if what == cv2.CAP_PROP_POS_MSEC else known[what]


def write_film(path: Path, *, rate: float, frames: int) -> Path:
    """Write a film whose frames are ever brighter."""
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), rate, (64, 48))
    for grey in range(frames):
        video.write(np.full((48, 64, 3), grey, np.uint8))
    video.release()
    return path
