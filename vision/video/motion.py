"""Motion: how much of the picture has changed, measured on a small grey copy in a millisecond."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tilescore.vision.arrays import Pixels
from tilescore.vision.video.config import MotionConfig

_CONFIG: Final = MotionConfig()


@dataclass(frozen=True, slots=True, eq=False)
class Thumbnail:
    """A small grey copy of a frame."""

    grey: NDArray[np.float32]  # float32 (H, W), blurred a little
    dark: bool  # whether it shows nothing at all

    @staticmethod
    def of(rgb: Pixels) -> Thumbnail:
        """The thumbnail of a picture (H, W, 3)."""
        factor = _CONFIG.long_side_px / max(rgb.shape[:2])
        small = cv2.resize(rgb, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), (3, 3), 0).astype(np.float32)
        dark = bool(grey.mean() < _CONFIG.dark_level and grey.std() < _CONFIG.dark_deviation_levels)
        return Thumbnail(grey, dark)

    def since(self, before: Thumbnail) -> FrameChange:
        """The change from that thumbnail to this one, beyond a common shift and another brightness."""
        if before.grey.shape != self.grey.shape:
            return FrameChange(1.0, (1.0, 1.0))
        # OpenCV 5 multiplies its inputs by the window in place, hence the copies.
        (dx, dy), response = cv2.phaseCorrelate(before.grey.copy(), self.grey.copy(), _window(self.grey.shape))
        height, width = self.grey.shape
        if response < _CONFIG.min_response or max(abs(dx), abs(dy)) > _CONFIG.max_shift_share * width:
            dx = dy = 0.0
        moved = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
        aligned = cv2.warpAffine(before.grey, moved, (width, height), borderMode=cv2.BORDER_REPLICATE)
        difference = self.grey - aligned
        changed = (np.abs(difference - np.median(difference)) > _CONFIG.min_change_levels).astype(np.uint8)
        solid = cv2.erode(changed, np.ones((2, 2), np.uint8))  # removes the thin lines that edges leave
        return FrameChange(float(solid.mean()), (dx / max(width, height), dy / max(width, height)))


@dataclass(frozen=True, slots=True)
class FrameChange:
    """The difference between two thumbnails."""

    share: float  # share of the picture that changed, 0-1
    shift_xy: tuple[float, float]  # common shift to the right and down, in long sides of the picture

    @property
    def shift(self) -> float:
        """The length of the common shift, in long sides of the picture."""
        return math.hypot(*self.shift_xy)

    @property
    def is_still(self) -> bool:
        """Whether nothing but a shake of the camera happened."""
        return self.share < _CONFIG.still_share and self.shift < _CONFIG.still_shift

    @property
    def is_everything(self) -> bool:
        """Whether nearly everything moves, so that a pass is useless."""
        return self.share > _CONFIG.everything_share or self.shift > _CONFIG.everything_shift


def _window(shape: tuple[int, ...]) -> NDArray[np.float32]:
    return np.asarray(cv2.createHanningWindow((shape[1], shape[0]), cv2.CV_32F), np.float32)
