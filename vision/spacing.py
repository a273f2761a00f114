"""Where tiles stand along a row, under perspective: what an upright one takes there, and the space between them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, median
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

ASPECT: Final = 1.34
"""Height of a tile for its width: sets measure 1.26 to 1.43."""
_STEEP: Final = 2.0
"""A row that falls more or less steeply than this is upright or level; between, boxes tell little about tiles."""
_SLANTED: Final = 0.35
"""From this slope on, boxes no longer tell the space between tiles."""
_SHEARED: Final = 1.0
"""Nor from this share on by which boxes are longer than what a tile takes: their tiles are seen sheared."""
TELLING: Final = 6
"""Rows of fewer tiles do not tell what is usual: the row beside them does."""
_LIKE_STEP: Final = 0.07
"""Steps whose logarithms differ less than this are alike."""
_DEPTH: Final = 1.2
"""Tiles of a hand are nearer or farther than its longest row by no more than this factor."""
_BESIDE: Final = 3
"""Steps to each side that tell what space is usual at a place."""
_ENOUGH_FOR_USUAL: Final = 3
"""So many steps tell it at all."""
_MOST_USUAL: Final = 0.05
"""Wider spaces are never usual, in tile widths."""
_USUAL_STEP: Final = 0.3
"""Quantile of the steps along a row that is a step between two upright tiles side by side."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a box lies."""

    x: float
    y: float
    width: float
    height: float

    @property
    def size(self) -> float:
        """The square root of its area."""
        return math.sqrt(max(self.width * self.height, 1e-9))

    @property
    def shape(self) -> float:
        """Logarithm of the width for the height."""
        return math.log(max(self.width, 1e-6) / max(self.height, 1e-6))

    def along(self, ux: float, uy: float) -> float:
        """Extent along a direction, as far as a box tells it."""
        return max(self.width if abs(ux) >= abs(uy) else self.height, 1e-6)

    def across(self, ux: float, uy: float) -> float:
        """Extent across a direction, as far as a box tells it."""
        if abs(ux) > _STEEP * abs(uy):
            return self.height
        return self.width if abs(uy) > _STEEP * abs(ux) else self.small

    @property
    def small(self) -> float:
        """Its smaller side."""
        return max(min(self.width, self.height), 1e-6)


@dataclass(frozen=True, slots=True)
class Scale:
    """What an upright tile takes along a row: its logarithm changes evenly along the row.

    Attributes:
        base: logarithm of the pixels at place 0.
        slope: its change for each pixel along the row.
        extents: for places along the row, what boxes measure there.
    """

    base: float
    slope: float
    extents: tuple[tuple[float, float], ...]

    def at(self, place: float) -> float:
        """Pixels at that place; beyond the ends of the row it changes no more than as far again."""
        low, high = self.extents[0][0], self.extents[-1][0]
        reach = high - low
        return math.exp(self.base + self.slope * min(max(place, low - reach), high + reach))


def scale_of(along: Sequence[float], steps: Sequence[float], extents: Sequence[float]) -> Scale:
    """The scale of a row, told by the steps between upright tiles side by side; sideways tiles and gaps are longer."""
    measured = tuple(zip(along, extents, strict=True))
    if not steps:
        return Scale(math.log(extents[0]), 0.0, measured)
    logs = [math.log(max(step, 1e-6)) for step in steps]
    middles = [(a + b) / 2 for a, b in pairwise(along)]
    slope = 0.0
    if len(steps) >= TELLING - 1:
        pairs = [(i, j) for i in range(len(logs)) for j in range(i + 2, len(logs))]
        slope = median((logs[j] - logs[i]) / (middles[j] - middles[i]) for i, j in pairs)
    level = sorted(value - slope * middle for value, middle in zip(logs, middles, strict=True))
    base = level[int(_USUAL_STEP * len(level))]
    flush = [value for value in level if abs(value - base) < _LIKE_STEP]
    return Scale(fmean(flush), slope, measured)


def units_beside(here: Sequence[Place], direction: tuple[float, float], scale: Scale) -> list[float]:
    """What an upright tile takes in a short row: as in the long one beside it, nearer or farther by the boxes' size."""
    along = [place.x * direction[0] + place.y * direction[1] for place in here]
    extents = sorted(place.along(*direction) for place in here)
    shorter = extents[(len(extents) - 1) // 2]
    middle = fmean(along)
    place, extent = min(scale.extents, key=lambda entry: abs(entry[0] - middle))
    nearer = shorter / extent / (scale.at(middle) / scale.at(place))
    nearer = max(1 / _DEPTH, min(_DEPTH, nearer))
    return [scale.at(place) * nearer for place in along]


def gaps_between(
    here: Sequence[Place],
    direction: tuple[float, float],
    units: Sequence[float],
    strides: Sequence[float],
    odds: Sequence[float],
) -> list[float]:
    """Space before each tile but the first beyond what is usual in the row, in tile widths."""
    ux, uy = abs(direction[0]), abs(direction[1])
    extents = [place.along(*direction) for place in here]
    slant = min(ux, uy) / max(ux, uy) / _SLANTED
    sheared = (median(extents) / median(units) - 1) / _SHEARED
    blurred = min(1.0, max(slant, sheared)) if len(here) >= TELLING else 0.0
    lengths = [ASPECT if chance > 0 else 1.0 for chance in odds]
    boxed = [
        stride - (extents[at] + extents[at + 1]) / (units[at] + units[at + 1]) for at, stride in enumerate(strides)
    ]
    stepped = [stride - (a + b) / 2 for stride, (a, b) in zip(strides, pairwise(lengths), strict=True)]
    flush = [min(median(boxed[max(0, at - _BESIDE) : at + _BESIDE + 1]), _MOST_USUAL) for at in range(len(boxed))]
    if len(boxed) < _ENOUGH_FOR_USUAL:
        flush = [0.0] * len(boxed)
    return [
        (1 - blurred) * (one - usual) + blurred * other for one, usual, other in zip(boxed, flush, stepped, strict=True)
    ]


def sides_of(here: Sequence[Place], direction: tuple[float, float], units: Sequence[float]) -> tuple[float, ...]:
    """How far each midpoint lies to the right of the line along the row through the first, in tile widths."""
    ux, uy = direction
    first = here[0]
    return tuple(
        ((place.y - first.y) * ux - (place.x - first.x) * uy) / unit for place, unit in zip(here, units, strict=True)
    )


def depths_of(here: Sequence[Place], direction: tuple[float, float], units: Sequence[float]) -> tuple[float, ...]:
    """What boxes leave for a tile's height, seen across the row, when its width along the row is taken off."""
    ux, uy = abs(direction[0]), abs(direction[1])
    return tuple(
        (max(0.0, place.width - unit * ux) * uy + max(0.0, place.height - unit * uy) * ux) / unit
        for place, unit in zip(here, units, strict=True)
    )
