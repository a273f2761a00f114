"""A second look at each tile: its cut-out at full photo resolution, named by a small network of its own.

The network sees far more designs than the detector can, and knows when a box holds no tile at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import numpy as np

from tilescore.scoring.tiles import ALL_FACES
from tilescore.vision.image.crops import MARGIN, crop_boxes
from tilescore.vision.inference.batches import SmallNetwork

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from tilescore.vision.image.boxes import Box
    from tilescore.vision.image.crops import Cropper

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
"""Where there is time, a tile is looked at more than once: probabilities err less together, most of all turned ones.

Where there is time for some only, it is the first ones.
"""


class Classifier(Protocol):
    """Names tiles from their cut-outs."""

    def classify(
        self, rgb: NDArray[np.uint8], boxes: Sequence[Box], *, views: Sequence[View] = VIEWS
    ) -> NDArray[np.float32]:
        """Probabilities (N, 47) of the 46 faces and of `no tile`, for boxes in pixels of the picture.

        The mean over the crops of each box, one crop for each view.
        """
        ...


class OnnxClassifier:
    """A network with input (N, 3, side, side), RGB 0-1, and output (N, 47) logits."""

    def __init__(self, path: Path, cut: Cropper = crop_boxes) -> None:
        self._cut = cut
        self._network = SmallNetwork(path)
        self.side: Final = self._network.side

    def classify(
        self, rgb: NDArray[np.uint8], boxes: Sequence[Box], *, views: Sequence[View] = VIEWS
    ) -> NDArray[np.float32]:
        """Probabilities (N, 47) of the 46 faces and of `no tile`, for boxes in pixels of the picture.

        The mean over the crops of each box, one crop for each view.
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
