"""Rectification: the corners of a face inside its box, and the face between them as a square.

The box of a tile seen at an angle holds much besides the face: the sides of the tile, and its neighbours. A small
network finds the four corners of the face. Warped to a square, a face always looks the same, however its tile lies.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tilescore.vision.arrays import Floats, Pixels
from tilescore.vision.classification.config import RectifyConfig
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.crops import SIDE, crop, crop_window
from tilescore.vision.inference.batches import SmallNetwork

FACE_MARGIN: Final = 1.3
"""Side of the input crops, in long sides of the box."""
_CONFIG: Final = RectifyConfig()
_SQUARE: Final = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])


class OnnxCorners:
    """A network with input (N, 3, 64, 64), RGB 0-1, and output (N, 8): x, y of four corners, -1 to 1 in the crop."""

    def __init__(self, path: Path) -> None:
        self._network = SmallNetwork(path)

    def find(self, rgb: Pixels, boxes: Sequence[Box]) -> Floats:
        """Corners (N, 4, 2) of the faces in boxes, all in pixels of the picture, clockwise, the highest edge first.

        The corners of the box itself replace those that no face can have.
        """
        if not boxes:
            return np.zeros((0, 4, 2))
        outputs = self._network.predict(np.stack([crop(rgb, box, side=SIDE, margin=FACE_MARGIN) for box in boxes]))
        quads = zip(outputs.reshape(-1, 4, 2), boxes, strict=True)
        return np.stack([_in_picture(quad, box) for quad, box in quads])

    def crop(self, rgb: Pixels, boxes: Sequence[Box], *, side: int, margins: Sequence[float]) -> tuple[Pixels, ...]:
        """Rectified crops (N, side, side, 3) of the faces in boxes, one array for each margin."""
        quads = self.find(rgb, boxes)
        return tuple(np.stack([rectified(rgb, quad, side=side, margin=margin) for quad in quads]) for margin in margins)


def rectified(rgb: Pixels, quad: Floats, *, side: int, margin: float) -> Pixels:
    """The face between four corners in the middle of a square, (side, side, 3), that is `margin` times as large.

    Beyond the edge of the picture its last pixels are repeated.
    """
    wanted = (_SQUARE / margin + 1) / 2 * side - 0.5
    part, corners = _reduced(*_around(rgb, quad - 0.5, wanted, side), side / margin)
    if part.size == 0:
        return np.zeros((side, side, 3), np.uint8)
    matrix = _homography(wanted, corners)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpPerspective(part, matrix, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _in_picture(quad: NDArray[np.float32], box: Box) -> Floats:
    """Corners in a crop (4, 2) as corners in the picture."""
    x0, y0, x1, y1 = crop_window(box, FACE_MARGIN)
    corners = (quad.astype(np.float64) + 1) / 2 * [x1 - x0, y1 - y0] + [x0, y0]
    if not _may_be_face(corners, box):
        corners = np.array([(box.x0, box.y0), (box.x1, box.y0), (box.x1, box.y1), (box.x0, box.y1)])
    return _highest_first(corners)


def _may_be_face(corners: Floats, box: Box) -> bool:
    """Whether the corners run clockwise around a convex face of a size that fits the box."""
    edges = np.roll(corners, -1, axis=0) - corners
    following = np.roll(edges, -1, axis=0)
    convex = bool((edges[:, 0] * following[:, 1] > edges[:, 1] * following[:, 0]).all())
    area = cv2.contourArea(corners.astype(np.float32))
    return convex and _CONFIG.min_face_share * box.area < area < _CONFIG.max_face_share * box.area


def _highest_first(corners: Floats) -> Floats:
    """The corners in the same order, starting with the edge that is highest in the picture."""
    return np.roll(corners, -int(np.argmin(corners[:, 1] + np.roll(corners[:, 1], -1))), axis=0)


def _around(rgb: Pixels, quad: Floats, wanted: Floats, side: int) -> tuple[Pixels, Floats]:
    """The part of the picture that the square shows, and the corners in it."""
    height, width = rgb.shape[:2]
    ends = np.array([[(-0.5, -0.5), (side - 0.5, -0.5), (side - 0.5, side - 0.5), (-0.5, side - 0.5)]], np.float32)
    shown = np.nan_to_num(cv2.perspectiveTransform(ends, _homography(wanted, quad))[0])
    x0, y0 = np.clip(np.floor(shown.min(axis=0)) - 2, 0, [width, height]).astype(int)
    x1, y1 = np.clip(np.ceil(shown.max(axis=0)) + 3, 0, [width, height]).astype(int)
    return rgb[y0:y1, x0:x1], quad - [x0, y0]


def _reduced(part: Pixels, quad: Floats, size: float) -> tuple[Pixels, Floats]:
    """The part and the corners, reduced so that the face has about `size` pixels a side if it has many more."""
    oversampling = float(np.sqrt(cv2.contourArea(quad.astype(np.float32)))) / size
    if oversampling <= _CONFIG.max_oversampling or part.size == 0:
        return part, quad
    width, height = (max(1, round(length / oversampling)) for length in part.shape[1::-1])
    factor = np.array([width / part.shape[1], height / part.shape[0]])
    small = np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    return small, (quad + 0.5) * factor - 0.5


def _homography(square: Floats, quad: Floats) -> Floats:
    """The map of a square onto four corners (3, 3)."""
    return np.asarray(cv2.getPerspectiveTransform(square.astype(np.float32), quad.astype(np.float32)), np.float64)
