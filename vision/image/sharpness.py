"""How sharp each tile of a picture is: people focus on the hand that they photograph."""

from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tilescore.vision.arrays import Pixels
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.config import SharpnessConfig
from tilescore.vision.image.crops import crop

_CONFIG: Final = SharpnessConfig()


def sharpness(rgb: Pixels, boxes: Sequence[Box]) -> tuple[float, ...]:
    """The steepness of the edges on each tile relative to their contrast; 0 for a tile without edges.

    The boxes are in pixels of the picture (H, W, 3).
    """
    crops = (crop(rgb, box, side=_CONFIG.side_px, margin=1.0) for box in boxes)
    return tuple(_steepness(face) for face in crops)


def _steepness(face: Pixels) -> float:
    grey = cv2.cvtColor(face, cv2.COLOR_RGB2GRAY)
    contrast = _spread(grey)
    if contrast < _CONFIG.min_contrast_levels:
        return 0.0
    return _spread(np.asarray(cv2.Laplacian(grey, cv2.CV_32F))) / contrast


def _spread(grey: NDArray[Any]) -> float:
    return float(cv2.meanStdDev(grey)[1][0, 0])
