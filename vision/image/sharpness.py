"""How sharp each tile of a picture is: people focus on the hand that they photograph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from tilescore.vision.image.crops import crop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tilescore.vision.image.boxes import Box

_SIDE: Final = 32
"""Tiles near and far are compared at this size, pixels."""
_LEAST_CONTRAST: Final = 8.0
"""A face with less than this, grey levels, shows nothing that could be sharp: a blank dragon, a back."""


def sharpness(rgb: NDArray[np.uint8], boxes: Sequence[Box]) -> tuple[float, ...]:
    """How steep the edges on each tile are for their contrast, 0 where there are none.

    Args:
        rgb: the picture (H, W, 3).
        boxes: of the tiles, in its pixels.
    """
    return tuple(_steepness(crop(rgb, box, side=_SIDE, margin=1.0)) for box in boxes)


def _steepness(face: NDArray[np.uint8]) -> float:
    grey = cv2.cvtColor(face, cv2.COLOR_RGB2GRAY)
    contrast = _spread(grey)
    if contrast < _LEAST_CONTRAST:
        return 0.0
    return _spread(np.asarray(cv2.Laplacian(grey, cv2.CV_32F))) / contrast


def _spread(grey: NDArray[Any]) -> float:
    """Standard deviation."""
    return float(cv2.meanStdDev(grey)[1][0, 0])
