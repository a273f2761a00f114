"""Square crops of boxes, the inputs of the networks for single tiles."""

from collections.abc import Sequence
from typing import Final, Protocol

import cv2
import numpy as np

from tilescore.vision.arrays import Pixels
from tilescore.vision.image.boxes import Box, resized

SIDE: Final = 64
"""Side of the crops that the networks of single tiles take, in pixels; that of the second classifier is larger."""
MARGIN: Final = 1.16
"""Side of the square crop, in long sides of the box."""
SLIM: Final = 0.75
"""Width of a tile, in heights; a slimmer box is that of a tile seen at an angle, and its crop is stretched to this."""


def crop(rgb: Pixels, box: Box, *, side: int = SIDE, margin: float = MARGIN, slim: float = SLIM) -> Pixels:
    """The square around a box, (side, side, 3); the short side of a box slimmer than `slim` is stretched.

    With `slim` 1 every box is stretched to a square. Beyond the edge of the picture its last pixels are repeated.
    """
    # Shrinking by more than half needs an average over all pixels, which warping does not take.
    x0, y0, x1, y1 = crop_window(box, margin, slim=slim)
    height, width = rgb.shape[:2]
    part = rgb[max(0, y0) : min(height, y1), max(0, x0) : min(width, x1)]
    if part.size == 0:
        return np.zeros((side, side, 3), np.uint8)
    edges = (max(0, -y0), max(0, y1 - height), max(0, -x0), max(0, x1 - width))
    if any(edges):
        part = np.asarray(cv2.copyMakeBorder(part, *edges, cv2.BORDER_REPLICATE), np.uint8)
    return resized(part, (side, side))


def crop_window(box: Box, margin: float, *, slim: float = SLIM) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the crop, in whole pixels of the picture."""
    longest = max(box.width, box.height)
    reach_x, reach_y = (margin / 2 * min(longest, along / slim) for along in (box.width, box.height))
    x, y = box.center
    x0, y0, x1, y1 = (int(np.floor(v)) for v in (x - reach_x, y - reach_y, x + reach_x + 1, y + reach_y + 1))
    return x0, y0, x1, y1


class Cropper(Protocol):
    """Crops tiles out of pictures."""

    def __call__(self, rgb: Pixels, boxes: Sequence[Box], *, side: int, margins: Sequence[float]) -> tuple[Pixels, ...]:
        """Square crops (N, side, side, 3) of the boxes, one array for each margin."""


def crop_boxes(rgb: Pixels, boxes: Sequence[Box], *, side: int, margins: Sequence[float]) -> tuple[Pixels, ...]:
    """Square crops (N, side, side, 3) around the boxes, not rectified, one array for each margin."""
    return tuple(np.stack([crop(rgb, box, side=side, margin=margin) for box in boxes]) for margin in margins)
