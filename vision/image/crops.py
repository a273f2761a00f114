"""Square crops of boxes, as the networks for single tiles take them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import cv2
import numpy as np

from tilescore.vision.image.boxes import resized

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tilescore.vision.image.boxes import Box

SIDE: Final = 64
"""Pixels a side of the cut-outs a network sees that names all tiles."""
MARGIN: Final = 1.16
"""How much larger than the box's long side the square cut-out is."""
SLIM: Final = 0.75
"""A tile's width for its height; what is seen slimmer was seen aslant, and is stretched to this."""


def crop(
    rgb: NDArray[np.uint8], box: Box, *, side: int = SIDE, margin: float = MARGIN, slim: float = SLIM
) -> NDArray[np.uint8]:
    """The square around a box, (side, side, 3), stretched across a box slimmer than `slim`: any that is none, by 1.

    Beyond the picture's edge its last pixels go on.
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
    """Left, top, right, bottom of what `crop` shows, in whole pixels of the picture."""
    longest = max(box.width, box.height)
    reach_x, reach_y = (margin / 2 * min(longest, along / slim) for along in (box.width, box.height))
    x, y = box.center
    x0, y0, x1, y1 = (int(np.floor(v)) for v in (x - reach_x, y - reach_y, x + reach_x + 1, y + reach_y + 1))
    return x0, y0, x1, y1


class Cropper(Protocol):
    """Cuts tiles out of pictures."""

    def __call__(
        self, rgb: NDArray[np.uint8], boxes: Sequence[Box], *, side: int, margins: Sequence[float]
    ) -> tuple[NDArray[np.uint8], ...]:
        """Squares (N, side, side, 3) of what is in boxes, with each margin around it."""
        ...


def crop_boxes(
    rgb: NDArray[np.uint8], boxes: Sequence[Box], *, side: int, margins: Sequence[float]
) -> tuple[NDArray[np.uint8], ...]:
    """Squares (N, side, side, 3) around boxes, as they are, with each margin."""
    return tuple(np.stack([crop(rgb, box, side=side, margin=margin) for box in boxes]) for margin in margins)
