"""Where the corners of a tile's face are inside its box: what is seen aslant is laid straight before it is named.

A box of a tile that lies aslant, or was turned a little, holds much besides the face: its sides and its neighbours. A
small network finds the four corners; the face between them, pulled to a square, always looks alike, however it lies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from tilescore.vision.image.crops import crop, crop_window
from tilescore.vision.inference.batches import SmallNetwork

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from tilescore.vision.image.boxes import Box

    Array = NDArray[np.float64]

SIDE: Final = 64
"""Pixels a side of the cut-outs in which corners are looked for."""
MARGIN: Final = 1.3
"""How much larger than the box's long side they are."""
_LEAST_SHARE: Final = 0.25
_MOST_SHARE: Final = 1.6
"""A face fills so much of its box at least, and at most: more if it is partly covered."""
_FINER: Final = 1.3
"""What is seen so much finer than needed is shrunk first: warping would pick single pixels."""
_SQUARE: Final = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])


class OnnxCorners:
    """A network with input (N, 3, 64, 64), RGB 0-1, and output (N, 8): x, y of four corners, -1 to 1 in the cut-out."""

    def __init__(self, path: Path) -> None:
        self._network = SmallNetwork(path)

    def find(self, rgb: NDArray[np.uint8], boxes: Sequence[Box]) -> Array:
        """Corners (N, 4, 2) of the faces in boxes, all in pixels of the picture, clockwise, the highest edge first.

        Those of the box itself where no face could have these.
        """
        if not boxes:
            return np.zeros((0, 4, 2))
        found = self._network.see(np.stack([crop(rgb, box, side=SIDE, margin=MARGIN) for box in boxes]))
        return np.stack([_placed(quad, box) for quad, box in zip(found.reshape(-1, 4, 2), boxes, strict=True)])

    def cut(
        self, rgb: NDArray[np.uint8], boxes: Sequence[Box], *, side: int, margins: Sequence[float]
    ) -> tuple[NDArray[np.uint8], ...]:
        """The faces in boxes laid straight, (N, side, side, 3) with each margin around them."""
        quads = self.find(rgb, boxes)
        return tuple(
            np.stack([straightened(rgb, quad, side=side, margin=margin) for quad in quads]) for margin in margins
        )


def straightened(rgb: NDArray[np.uint8], quad: Array, *, side: int, margin: float) -> NDArray[np.uint8]:
    """The face between four corners as the middle of a square, (side, side, 3), which is `margin` times as large.

    Beyond the picture's edge its last pixels go on.
    """
    wanted = (_SQUARE / margin + 1) / 2 * side - 0.5
    part, corners = _shrunk(*_around(rgb, quad - 0.5, wanted, side), side / margin)
    if part.size == 0:
        return np.zeros((side, side, 3), np.uint8)
    matrix = _seen_from(wanted, corners)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpPerspective(part, matrix, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _placed(quad: NDArray[np.float32], box: Box) -> Array:
    """Corners in a cut-out (4, 2) as corners in the picture."""
    x0, y0, x1, y1 = crop_window(box, MARGIN)
    corners = (quad.astype(np.float64) + 1) / 2 * [x1 - x0, y1 - y0] + [x0, y0]
    if not _may_be_face(corners, box):
        corners = np.array([(box.x0, box.y0), (box.x1, box.y0), (box.x1, box.y1), (box.x0, box.y1)])
    return _highest_first(corners)


def _may_be_face(corners: Array, box: Box) -> bool:
    """Whether they run clockwise around a convex face of a size that fits the box."""
    edges = np.roll(corners, -1, axis=0) - corners
    following = np.roll(edges, -1, axis=0)
    convex = bool((edges[:, 0] * following[:, 1] > edges[:, 1] * following[:, 0]).all())
    area = cv2.contourArea(corners.astype(np.float32))
    return convex and _LEAST_SHARE * box.area < area < _MOST_SHARE * box.area


def _highest_first(corners: Array) -> Array:
    """The same corners, those of the edge that is highest in the picture first."""
    return np.roll(corners, -int(np.argmin(corners[:, 1] + np.roll(corners[:, 1], -1))), axis=0)


def _around(rgb: NDArray[np.uint8], quad: Array, wanted: Array, side: int) -> tuple[NDArray[np.uint8], Array]:
    """The part of the picture that the square shows, and the corners in it."""
    height, width = rgb.shape[:2]
    ends = np.array([[(-0.5, -0.5), (side - 0.5, -0.5), (side - 0.5, side - 0.5), (-0.5, side - 0.5)]], np.float32)
    seen = np.nan_to_num(cv2.perspectiveTransform(ends, _seen_from(wanted, quad))[0])
    x0, y0 = np.clip(np.floor(seen.min(axis=0)) - 2, 0, [width, height]).astype(int)
    x1, y1 = np.clip(np.ceil(seen.max(axis=0)) + 3, 0, [width, height]).astype(int)
    return rgb[y0:y1, x0:x1], quad - [x0, y0]


def _shrunk(part: NDArray[np.uint8], quad: Array, size: float) -> tuple[NDArray[np.uint8], Array]:
    """Both, so small that the face is not much larger than `size` pixels a side."""
    finer = float(np.sqrt(cv2.contourArea(quad.astype(np.float32)))) / size
    if finer <= _FINER or part.size == 0:
        return part, quad
    width, height = (max(1, round(length / finer)) for length in part.shape[1::-1])
    factor = np.array([width / part.shape[1], height / part.shape[0]])
    small = np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    return small, (quad + 0.5) * factor - 0.5


def _seen_from(square: Array, quad: Array) -> Array:
    """The map of a square onto four corners (3, 3)."""
    return np.asarray(cv2.getPerspectiveTransform(square.astype(np.float32), quad.astype(np.float32)), np.float64)
