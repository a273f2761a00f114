"""A second look at each tile: its cut-out at full photo resolution, named by a small network of its own.

The network sees far more designs than the detector can, and knows when a box holds no tile at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import cv2
import numpy as np

from tilescore.scoring.tiles import ALL_FACES
from tilescore.vision.image.boxes import resized
from tilescore.vision.inference.batches import SmallNetwork

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from tilescore.vision.image.boxes import Box

SIDE: Final = 64
"""Pixels a side of the cut-outs a network sees that names all tiles."""
MARGIN: Final = 1.16
"""How much larger than the box's long side the square cut-out is."""
SLIM: Final = 0.75
"""A tile's width for its height; what is seen slimmer was seen aslant, and is stretched to this."""
CLASSES: Final = len(ALL_FACES) + 1
"""The 46 faces, then `no tile`."""


class View(NamedTuple):
    """One way to cut out a tile.

    Attributes:
        margin: how much larger than the box's long side the square is.
        turns: by how many quarters it is turned.
    """

    margin: float = MARGIN
    turns: int = 0


VIEWS: Final = (View(), View(turns=2), View(margin=1.0), View(turns=3))
"""Where there is time, a tile is looked at more than once: opinions err less together, most of all turned ones.

Where there is time for some only, it is the first ones.
"""


class Classifier(Protocol):
    """Names tiles from their cut-outs."""

    def classify(
        self, rgb: NDArray[np.uint8], boxes: Sequence[Box], *, views: Sequence[View] = VIEWS
    ) -> NDArray[np.float32]:
        """Probabilities (N, 47) of the 46 faces and of `no tile`, for boxes in pixels of the picture.

        The mean opinion on the cut-outs of each, one for each view.
        """
        ...


def cut_out(
    rgb: NDArray[np.uint8], box: Box, *, side: int = SIDE, margin: float = MARGIN, slim: float = SLIM
) -> NDArray[np.uint8]:
    """The square around a box, (side, side, 3), stretched across a box slimmer than `slim`: any that is none, by 1.

    Beyond the picture's edge its last pixels go on.
    """
    # Shrinking by more than half needs an average over all pixels, which warping does not take.
    x0, y0, x1, y1 = window(box, margin, slim=slim)
    height, width = rgb.shape[:2]
    part = rgb[max(0, y0) : min(height, y1), max(0, x0) : min(width, x1)]
    if part.size == 0:
        return np.zeros((side, side, 3), np.uint8)
    edges = (max(0, -y0), max(0, y1 - height), max(0, -x0), max(0, x1 - width))
    if any(edges):
        part = np.asarray(cv2.copyMakeBorder(part, *edges, cv2.BORDER_REPLICATE), np.uint8)
    return resized(part, (side, side))


def window(box: Box, margin: float, *, slim: float = SLIM) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of what `cut_out` shows, in whole pixels of the picture."""
    longest = max(box.width, box.height)
    reach_x, reach_y = (margin / 2 * min(longest, along / slim) for along in (box.width, box.height))
    x, y = box.center
    x0, y0, x1, y1 = (int(np.floor(v)) for v in (x - reach_x, y - reach_y, x + reach_x + 1, y + reach_y + 1))
    return x0, y0, x1, y1


class Cutter(Protocol):
    """Cuts tiles out of pictures."""

    def __call__(
        self, rgb: NDArray[np.uint8], boxes: Sequence[Box], *, side: int, margins: Sequence[float]
    ) -> tuple[NDArray[np.uint8], ...]:
        """Squares (N, side, side, 3) of what is in boxes, with each margin around it."""
        ...


def cut_boxes(
    rgb: NDArray[np.uint8], boxes: Sequence[Box], *, side: int, margins: Sequence[float]
) -> tuple[NDArray[np.uint8], ...]:
    """Squares (N, side, side, 3) around boxes, as they are, with each margin."""
    return tuple(np.stack([cut_out(rgb, box, side=side, margin=margin) for box in boxes]) for margin in margins)


class OnnxClassifier:
    """A network with input (N, 3, side, side), RGB 0-1, and output (N, 47) logits."""

    def __init__(self, path: Path, cut: Cutter = cut_boxes) -> None:
        self._cut = cut
        self._network = SmallNetwork(path)
        self.side: Final = self._network.side

    def classify(
        self, rgb: NDArray[np.uint8], boxes: Sequence[Box], *, views: Sequence[View] = VIEWS
    ) -> NDArray[np.float32]:
        """Probabilities (N, 47) of the 46 faces and of `no tile`, for boxes in pixels of the picture.

        The mean opinion on the cut-outs of each, one for each view.
        """
        if not boxes:
            return np.zeros((0, CLASSES), np.float32)
        logits = self._network.shared(boxes, lambda some: self._mean_logits(rgb, some, views))
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)

    def _mean_logits(self, rgb: NDArray[np.uint8], boxes: Sequence[Box], views: Sequence[View]) -> NDArray[np.float32]:
        # Colours before rows before they are turned: then turning copies single bytes, twice as fast.
        margins = sorted({view.margin for view in views})
        cut = self._cut(rgb, boxes, side=self.side, margins=margins)
        squares = {margin: each.transpose(0, 3, 1, 2).copy() for margin, each in zip(margins, cut, strict=True)}
        crops = np.concatenate([np.rot90(squares[view.margin], view.turns, axes=(2, 3)) for view in views])
        logits = self._network.run(crops.astype(np.float32) / np.float32(255)).reshape(len(views), len(boxes), CLASSES)
        return np.asarray(logits.mean(axis=0), np.float32)
