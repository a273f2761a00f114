"""The classifier of single tiles: a small network names a crop of each tile at full photo resolution.

The network is trained on far more designs than the detector, and knows when a box holds no tile at all.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tilescore.scoring.tiles import ALL_FACES
from tilescore.vision.arrays import Pixels
from tilescore.vision.budget import NO_LIMIT, Budget
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.crops import MARGIN, Cropper, crop_boxes
from tilescore.vision.inference.batches import SmallNetwork

CLASS_COUNT: Final = len(ALL_FACES) + 1
"""Number of outputs: the 46 faces, then `no tile`."""


class CropView(NamedTuple):
    """One way to crop a tile."""

    margin: float = MARGIN  # side of the square crop, in long sides of the box
    turns: int = 0  # quarter turns of the crop


VIEWS: Final = (CropView(), CropView(turns=2), CropView(margin=1.0), CropView(turns=3))
"""Views of a tile; successive frames of a video show one each, so that they do not err alike."""
ONE_VIEW: Final = VIEWS[:1]
"""The view of a tile in a photo."""


class TileLook(NamedTuple):
    """How tiles are looked at."""

    views: tuple[CropView, ...] = ONE_VIEW  # there is a crop of each tile for each of them
    budget: Budget = NO_LIMIT  # optional stages ask it before they start


ONE_LOOK: Final = TileLook()
"""One view, and all the time that it takes."""


class Classifier(Protocol):
    """Names tiles from their crops."""

    def classify(self, rgb: Pixels, boxes: Sequence[Box], look: TileLook = ONE_LOOK) -> NDArray[np.float32]:
        """Probabilities (N, 47) of the 46 faces and of `no tile`, for boxes in pixels of the picture.

        They are those of the mean logits over the crops of each box.
        """


class OnnxClassifier:
    """A network with input (N, 3, side, side), RGB 0-1, and output (N, 47) logits."""

    def __init__(self, path: Path, cropper: Cropper = crop_boxes) -> None:
        self._cropper = cropper
        self._network = SmallNetwork(path)
        self.side: Final = self._network.side

    def classify(self, rgb: Pixels, boxes: Sequence[Box], look: TileLook = ONE_LOOK) -> NDArray[np.float32]:
        """See `Classifier.classify`; there is no optional stage."""
        if not boxes:
            return np.zeros((0, CLASS_COUNT), np.float32)
        logits = self._network.in_threads(boxes, lambda some: self._mean_logits(rgb, some, look.views))
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)

    def _mean_logits(self, rgb: Pixels, boxes: Sequence[Box], views: Sequence[CropView]) -> NDArray[np.float32]:
        # The colour axis comes before the rows when crops are turned: turning then copies single bytes, twice as fast.
        margins = sorted({view.margin for view in views})
        cropped = self._cropper(rgb, boxes, side=self.side, margins=margins)
        squares = {margin: batch.transpose(0, 3, 1, 2).copy() for margin, batch in zip(margins, cropped, strict=True)}
        crops = np.concatenate([np.rot90(squares[view.margin], view.turns, axes=(2, 3)) for view in views])
        logits = self._network.run(crops.astype(np.float32) / np.float32(255)).reshape(
            len(views), len(boxes), CLASS_COUNT
        )
        return np.asarray(logits.mean(axis=0), np.float32)
