"""How much of the picture changed since another one, told on a small grey copy in a millisecond."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LONG_SIDE: Final = 160
_LEVELS: Final = 20
"""Grey levels by which a point differs that changed; noise and a lamp's flicker stay below."""
_LEAST_RESPONSE: Final = 0.08
"""Below this peak the two pictures have no shift in common."""
_STILL_SHARE: Final = 0.0006
"""A tile laid down is larger, what an edge leaves behind after a shaking camera is smaller."""
_STILL_SHIFT: Final = 0.01
"""Shake that a picture may have and count as still, of its long side."""
_ALL_SHARE: Final = 0.4
"""From here on nearly everything moves: the camera, or somebody before it."""
_DARK: Final = 14.0
"""Mean grey level of a lens cap or a camera that sends nothing."""
_FLAT: Final = 6.0


@dataclass(frozen=True, slots=True, eq=False)
class Thumbnail:
    """A small grey copy of a frame.

    Attributes:
        grey: float32 (H, W), long side 160, blurred a little.
        dark: whether it shows nothing at all.
    """

    grey: NDArray[np.float32]
    dark: bool

    @staticmethod
    def of(rgb: NDArray[np.uint8]) -> Thumbnail:
        """The thumbnail at a picture (H, W, 3)."""
        factor = _LONG_SIDE / max(rgb.shape[:2])
        small = cv2.resize(rgb, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), (3, 3), 0).astype(np.float32)
        return Thumbnail(grey, bool(grey.mean() < _DARK and grey.std() < _FLAT))

    def since(self, before: Thumbnail) -> Change:
        """What changed from that thumbnail to this one, beyond a shift of everything and another brightness."""
        if before.grey.shape != self.grey.shape:
            return Change(1.0, (1.0, 1.0))
        # Copies, because OpenCV 5 lays the window over its inputs for good.
        (dx, dy), response = cv2.phaseCorrelate(before.grey.copy(), self.grey.copy(), _window(self.grey.shape))
        height, width = self.grey.shape
        if response < _LEAST_RESPONSE or max(abs(dx), abs(dy)) > 0.1 * width:
            dx = dy = 0.0
        moved = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
        aligned = cv2.warpAffine(before.grey, moved, (width, height), borderMode=cv2.BORDER_REPLICATE)
        difference = self.grey - aligned
        changed = (np.abs(difference - np.median(difference)) > _LEVELS).astype(np.uint8)
        solid = cv2.erode(changed, np.ones((2, 2), np.uint8))  # edges leave thin lines behind
        return Change(float(solid.mean()), (dx / max(width, height), dy / max(width, height)))


@dataclass(frozen=True, slots=True)
class Change:
    """How one thumbnail differs from another.

    Attributes:
        share: of the picture that changed, 0-1.
        shift_xy: of everything to the right and down, as shares of the picture's long side.
    """

    share: float
    shift_xy: tuple[float, float]

    @property
    def shift(self) -> float:
        """How far everything moved, as a share of the picture's long side."""
        return math.hypot(*self.shift_xy)

    @property
    def is_still(self) -> bool:
        """Whether nothing but a shaking camera was at work."""
        return self.share < _STILL_SHARE and self.shift < _STILL_SHIFT

    @property
    def is_everything(self) -> bool:
        """Whether there is no use in looking: nearly everything moves."""
        return self.share > _ALL_SHARE or self.shift > 4 * _STILL_SHIFT


def _window(shape: tuple[int, ...]) -> NDArray[np.float32]:
    return np.asarray(cv2.createHanningWindow((shape[1], shape[0]), cv2.CV_32F), np.float32)
