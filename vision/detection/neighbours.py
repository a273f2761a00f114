"""What lies around a thing speaks for or against its being a tile: tiles of a set are of one size and lie together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tilescore.vision.image.boxes import Box

_ALIKE: Final = 0.25
"""How far apart, in log size, two tiles near each other are: a standard deviation."""
_REACH: Final = 3.0
"""Over so many tile sizes neighbourhood counts a third."""
_SAME_PLACE: Final = 0.3
"""Boxes that share more (IoU) are two probabilities on one place, not neighbourhood."""
_NOBODY: Final = 0.05
_BESIDE: Final = 1.6
"""Middles no farther apart than this, in sizes of the larger, are beside each other, also end to end,"""
_AS_LARGE: Final = 2.0
"""if neither is more than so many times as large, by its side."""


@dataclass(frozen=True, slots=True, eq=False)
class Neighbourhood:
    """What lies around each of N boxes.

    Attributes:
        alike: log of how many probable tiles of its size are near (N,).
        covered: how much of the smaller of two boxes lies in the other, for the likelier box that covers most, times
            that box's probability (N,), 0-1: the second box on a tile, or half a tile.
    """

    alike: NDArray[np.float64]
    covered: NDArray[np.float64]


def neighbourhood(boxes: Sequence[Box], presence: NDArray[np.float64]) -> Neighbourhood:
    """Who lies around each box, given how probably each is a tile (N,)."""
    if not boxes:
        return Neighbourhood(np.zeros(0), np.zeros(0))
    corners = np.array([(box.x0, box.y0, box.x1, box.y1) for box in boxes])
    low, high = corners[:, :2], corners[:, 2:]
    area = np.maximum(1.0, np.prod(high - low, axis=1))
    size, middle = np.sqrt(area), (low + high) / 2
    meeting = np.minimum(high[:, None], high[None]) - np.maximum(low[:, None], low[None])
    shared = np.prod(np.maximum(0.0, meeting), axis=2)
    distance = np.linalg.norm(middle[:, None] - middle[None], axis=2) / np.sqrt(size[:, None] * size[None])
    likeness = np.exp(-((np.log(size[:, None] / size[None]) / _ALIKE) ** 2) / 2 - distance / _REACH)
    likeness[shared / (area[:, None] + area[None] - shared) > _SAME_PLACE] = 0.0  # itself, too
    likelier = presence[None] > presence[:, None]
    covers = shared / np.minimum(area[:, None], area[None]) * likelier * presence[None]
    return Neighbourhood(np.log(_NOBODY + likeness @ presence), covers.max(axis=1))


def is_beside(box: Box, others: Sequence[Box]) -> bool:
    """Whether one of those boxes lies beside it, not over it, and is about as large.

    >>> from tilescore.vision.image.boxes import Box
    >>> is_beside(Box(0, 0, 30, 40), [Box(31, 0, 61, 40)]), is_beside(Box(0, 0, 30, 40), [Box(0, 0, 30, 40)])
    (True, False)
    """
    return any(_are_neighbours(box, other) for other in others)


def _are_neighbours(box: Box, other: Box) -> bool:
    small, large = sorted(math.sqrt(each.area) for each in (box, other))
    apart = math.dist(box.center, other.center)
    return apart < _BESIDE * large and large < _AS_LARGE * small and box.iou(other) < _SAME_PLACE
