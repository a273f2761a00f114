"""Boxes in pictures: overlap, suppression of doubles, and fitting a picture into a network's input."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tilescore.vision.arrays import Pixels

GREY: Final = 114
"""The grey of the padding that ultralytics trains with."""
STRIDE: Final = 32
"""The sides of an input of a YOLO network are multiples of this, pixels."""


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle in pixels, origin at the top left.

    >>> Box(0, 0, 10, 20).center, Box(0, 0, 10, 20).area
    ((5.0, 10.0), 200)
    """

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def xyxy(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        return (self.x0, self.y0, self.x1, self.y1)

    @property
    def width(self) -> float:
        """Extent along x."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """Extent along y."""
        return self.y1 - self.y0

    @property
    def area(self) -> float:
        """Square pixels."""
        return self.width * self.height

    @property
    def center(self) -> tuple[float, float]:
        """Midpoint."""
        return ((self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2)

    @property
    def short_side(self) -> float:
        """The smaller extent: the width of an upright tile."""
        return min(self.width, self.height)

    def squared(self) -> Box:
        """The square around its center with its long side."""
        (x, y), reach = self.center, max(self.width, self.height) / 2
        return Box(x - reach, y - reach, x + reach, y + reach)

    def scaled(self, factor: float) -> Box:
        """The box in a picture magnified by `factor`."""
        return Box(self.x0 * factor, self.y0 * factor, self.x1 * factor, self.y1 * factor)

    def towards(self, other: Box, share: float) -> Box:
        """The box at that share of the way to another: 0 is this box, 1 the other."""
        return Box(*(own + share * (its - own) for own, its in zip(self.xyxy, other.xyxy, strict=True)))

    def moved(self, dx: float, dy: float) -> Box:
        """The box shifted."""
        return Box(self.x0 + dx, self.y0 + dy, self.x1 + dx, self.y1 + dy)

    def iou(self, other: Box) -> float:
        """Intersection over union, 0-1.

        >>> Box(0, 0, 2, 2).iou(Box(1, 0, 3, 2))
        0.3333333333333333
        """
        overlap = self._overlap(other)
        union = self.area + other.area - overlap
        return overlap / union if union > 0 else 0.0

    def covered_by(self, other: Box) -> float:
        """Share of this box that lies in the other, 0-1."""
        return self._overlap(other) / self.area if self.area > 0 else 0.0

    def holds(self, point: tuple[float, float]) -> bool:
        """Whether the point lies in the box, its edges included."""
        return self.x0 <= point[0] <= self.x1 and self.y0 <= point[1] <= self.y1

    def _overlap(self, other: Box) -> float:
        across = min(self.x1, other.x1) - max(self.x0, other.x0)
        down = min(self.y1, other.y1) - max(self.y0, other.y0)
        return max(0.0, across) * max(0.0, down)


def suppress(xyxy: NDArray[np.float32], scores: NDArray[np.float32], *, iou: float, inside: float = 0.8) -> list[int]:
    """Indices of the boxes (N, 4) to keep, best first: one a place, whatever their classes.

    A box is dropped when it overlaps a better one by more than `iou`, when more than `inside` of it lies in a better
    one, or when more than `inside` of two better ones lies in it: two tiles never share a place, a part of a face is no
    tile, and neither is a box around two tiles.
    """
    order = np.argsort(-scores)
    x0, y0, x1, y1 = xyxy[order].T
    areas = np.maximum((x1 - x0) * (y1 - y0), 1e-6)
    free = np.ones(len(order), bool)
    held = np.zeros(len(order), int)
    kept: list[int] = []
    for at, index in enumerate(order.tolist()):
        if not free[at]:
            continue
        kept.append(index)
        rest = slice(at + 1, None)
        across = np.minimum(x1[at], x1[rest]) - np.maximum(x0[at], x0[rest])
        down = np.minimum(y1[at], y1[rest]) - np.maximum(y0[at], y0[rest])
        overlap = np.maximum(across, 0) * np.maximum(down, 0)
        ious = overlap / (areas[at] + areas[rest] - overlap)
        held[rest] += overlap / areas[at] > inside
        free[rest] &= (ious <= iou) & (overlap / areas[rest] <= inside) & (held[rest] < 2)
    return kept


@dataclass(frozen=True, slots=True, eq=False)
class Letterbox:
    """A picture fitted into a network's input."""

    tensor: NDArray[np.float32]  # float32 (1, 3, H, W), RGB 0-1, padded grey, H and W multiples of 32
    scale: float  # input pixels per picture pixel
    pad_xy: tuple[int, int]  # where the picture starts in the input

    def to_picture(self, xyxy: NDArray[np.float32]) -> NDArray[np.float32]:
        """Boxes (N, 4) of the input as boxes of the picture."""
        return ((xyxy - np.array(self.pad_xy * 2, np.float32)) / self.scale).astype(np.float32)


def inner_part(rgb: Pixels, box: Box, width_share: float, height_share: float) -> Pixels:
    """The pixels (H, W, 3) around the middle of a box, as far as they are in the picture."""
    x, y = box.center
    half_w, half_h = box.width * width_share / 2, box.height * height_share / 2
    x0, y0, x1, y1 = (max(0, int(v)) for v in (x - half_w, y - half_h, x + half_w + 1, y + half_h + 1))
    return rgb[y0:y1, x0:x1]


def resized(rgb: Pixels, size_wh: tuple[int, int]) -> Pixels:
    """A picture (H, W, 3) at another size.

    Halving first and one small step after it take a quarter of the time of one large step; the result differs by at
    most half a grey level. An odd row or column is left out before halving, which keeps it that fast.
    """
    width, height = size_wh
    method = cv2.INTER_AREA if rgb.shape[0] > height or rgb.shape[1] > width else cv2.INTER_LINEAR
    while rgb.shape[0] >= 2 * height and rgb.shape[1] >= 2 * width:
        half = (rgb.shape[1] // 2, rgb.shape[0] // 2)
        even = rgb[: 2 * half[1], : 2 * half[0]]
        rgb = np.asarray(cv2.resize(even, half, interpolation=cv2.INTER_AREA), np.uint8)
        method = cv2.INTER_LINEAR
    if (width, height) != (rgb.shape[1], rgb.shape[0]):
        rgb = np.asarray(cv2.resize(rgb, size_wh, interpolation=method), np.uint8)
    return rgb


def letterbox(rgb: Pixels, *, long_side: int) -> Letterbox:
    """Fit a picture (H, W, 3) into an input whose long side is `long_side`, without stretching it."""
    height, width = rgb.shape[:2]
    scale = long_side / max(height, width)
    inner_w, inner_h = max(1, round(width * scale)), max(1, round(height * scale))
    rgb = resized(rgb, (inner_w, inner_h))
    outer_w, outer_h = -(-inner_w // STRIDE) * STRIDE, -(-inner_h // STRIDE) * STRIDE
    left, top = (outer_w - inner_w) // 2, (outer_h - inner_h) // 2
    canvas = np.full((outer_h, outer_w, 3), GREY, np.uint8)
    canvas[top : top + inner_h, left : left + inner_w] = rgb
    tensor = np.empty((1, 3, outer_h, outer_w), np.float32)
    for colour, values in zip(cv2.split(canvas), tensor[0], strict=True):
        np.divide(colour, np.float32(255), out=values)
    return Letterbox(tensor, scale, (left, top))
