"""Neighbourhoods of boxes: tiles of one set have one size and lie together, so neighbours are evidence of a tile."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tilescore.vision.arrays import Floats
from tilescore.vision.classification.config import NeighbourConfig
from tilescore.vision.image.boxes import Box

_CONFIG: Final = NeighbourConfig()


@dataclass(frozen=True, slots=True, eq=False)
class Neighbourhood:
    """What lies around each of N boxes."""

    alike: Floats  # log of the number of probable tiles of similar size near the box (N,)
    # Share of the smaller of two boxes that lies in the other, times the presence of the other (N,), 0-1, for the
    # likelier box that covers most. It is high for the second box on a tile, or for half a tile.
    covered: Floats


def neighbourhood(boxes: Sequence[Box], presence: Floats) -> Neighbourhood:
    """The neighbourhood of each box, given the presence of a tile in each (N,)."""
    if not boxes:
        return Neighbourhood(np.zeros(0), np.zeros(0))
    corners = np.array([(box.x0, box.y0, box.x1, box.y1) for box in boxes])
    low, high = corners[:, :2], corners[:, 2:]
    area = np.maximum(1.0, np.prod(high - low, axis=1))
    size, center = np.sqrt(area), (low + high) / 2
    meeting = np.minimum(high[:, None], high[None]) - np.maximum(low[:, None], low[None])
    shared = np.prod(np.maximum(0.0, meeting), axis=2)
    distance = np.linalg.norm(center[:, None] - center[None], axis=2) / np.sqrt(size[:, None] * size[None])
    size_term = ((np.log(size[:, None] / size[None]) / _CONFIG.size_deviation) ** 2) / 2
    likeness = np.exp(-size_term - distance / _CONFIG.reach_tiles)
    likeness[shared / (area[:, None] + area[None] - shared) > _CONFIG.max_iou] = 0.0  # each box itself, too
    likelier = presence[None] > presence[:, None]
    covers = shared / np.minimum(area[:, None], area[None]) * likelier * presence[None]
    return Neighbourhood(np.log(_CONFIG.alike_floor + likeness @ presence), covers.max(axis=1))


def is_beside(box: Box, others: Sequence[Box]) -> bool:
    """Whether one of the other boxes lies beside the box, not over it, and is about as large.

    >>> from tilescore.vision.image.boxes import Box
    >>> is_beside(Box(0, 0, 30, 40), [Box(31, 0, 61, 40)]), is_beside(Box(0, 0, 30, 40), [Box(0, 0, 30, 40)])
    (True, False)
    """
    return any(_are_neighbours(box, other) for other in others)


def _are_neighbours(box: Box, other: Box) -> bool:
    small, large = sorted((math.sqrt(box.area), math.sqrt(other.area)))
    is_near = math.dist(box.center, other.center) < _CONFIG.max_distance_tiles * large
    return is_near and large < _CONFIG.max_size_ratio * small and box.iou(other) < _CONFIG.max_iou
