"""Which tiles of a row lie sideways, told by the form of their boxes beside those of upright tiles."""

from __future__ import annotations

import math
from statistics import fmean, median
from typing import TYPE_CHECKING, Final

from vision.spacing import ASPECT, Place

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHAPE_SPREAD: Final = 0.09
"""Spread of the logarithm of a box's width for its height, among tiles that lie alike."""
_TELLING_CHANGE: Final = 0.4
"""A change of shape so large tells sideways tiles well."""
_SELDOM_TURNED: Final = 0.7
"""Fewer tiles lie sideways than upright, in nats."""
_LONGER: Final = 0.35
"""A sideways tile's box grows along the row by at least this share of what it should."""
_PARTED: Final = 1.45
"""A step so much wider than usual parts what lies alike: standing tiles from lying ones."""
_ENOUGH_FOR_TREND: Final = 6
"""So many tiles tell how shapes change along a row under perspective."""
_CLEAR: Final = 6.0
"""Odds are not taken for clearer than this, in nats."""
_WINDOW: Final = 4
"""Tiles to each side that tell what is usual at a place of a row."""


def turn_odds(
    here: Sequence[Place], direction: tuple[float, float], units: Sequence[float], strides: Sequence[float]
) -> tuple[float, ...]:
    """How much likelier each tile's box is that of a sideways tile; nothing is said of fewer than three tiles."""
    if len(here) < 3:
        return (0.0,) * len(here)
    level = abs(direction[0]) >= abs(direction[1])
    usual = [_usual_shape(here, _alike(strides, place), place, level=level) for place in range(len(here))]
    for _ in range(2):  # then once more, from the tiles that lie upright
        odds = tuple(_odds(box, shape, direction, unit) for box, shape, unit in zip(here, usual, units, strict=True))
        upright = [chance < 0 for chance in odds]
        usual = [
            _fitted_shape(here, upright, _alike(strides, place), place, otherwise=usual[place])
            for place in range(len(here))
        ]
    longer = _longer([box.along(*direction) for box in here], upright, units, max(abs(direction[0]), abs(direction[1])))
    return tuple(chance if long else min(chance, 0.0) for chance, long in zip(odds, longer, strict=True))


def _longer(extents: Sequence[float], upright: Sequence[bool], units: Sequence[float], share: float) -> list[bool]:
    """Whether tiles are longer along the row than the upright ones near them: partly covered ones are not."""
    found = []
    for place, extent in enumerate(extents):
        near = [
            extents[at]
            for at in range(max(0, place - _WINDOW), min(len(extents), place + _WINDOW + 1))
            if upright[at] and at != place
        ]
        usual = median(near) if near else extent / 2
        along = min(units[place] * share, usual)
        growth = along * (ASPECT - 1) - (usual - along) * (1 - 1 / ASPECT)
        found.append(extent > usual + _LONGER * max(growth, 0.0))
    return found


def _odds(box: Place, upright: float, direction: tuple[float, float], unit: float) -> float:
    """Log-odds that a box is that of a sideways tile, where that of an upright one has this shape."""
    change = _turned_shape(box.size, upright, direction, unit) - upright
    seen = box.shape - upright
    clear = (seen - change / 2) * change / _SHAPE_SPREAD**2 - _SELDOM_TURNED
    return max(-_CLEAR, min(_CLEAR, clear))


def _usual_shape(here: Sequence[Place], part: tuple[int, int], place: int, *, level: bool) -> float:
    """The middle shape of a stretch of tiles, less its trend: mostly that of an upright one."""
    shapes = [box.shape for box in here[part[0] : part[1]]]
    trend = _trend(shapes)
    even = sorted(shape - trend * (at - place) for at, shape in enumerate(shapes, part[0]))
    # Sideways tiles are longer along the row: of an even number the shorter middle one is upright.
    return even[(len(even) - 1) // 2 if level else len(even) // 2]


def _fitted_shape(
    here: Sequence[Place], upright: Sequence[bool], part: tuple[int, int], place: int, *, otherwise: float
) -> float:
    """The shape of an upright tile at a place, by a line through those of the stretch, itself left out."""
    points = [(at - place, here[at].shape) for at in range(*part) if upright[at] and at != place]
    if len(points) < 2:
        return otherwise
    middle, mean = fmean(x for x, _ in points), fmean(y for _, y in points)
    spread = sum((x - middle) ** 2 for x, _ in points)
    slope = sum((x - middle) * (y - mean) for x, y in points) / spread
    return mean - slope * middle if len(points) >= _ENOUGH_FOR_TREND - 2 else mean


def blur_of(here: Sequence[Place], direction: tuple[float, float], units: Sequence[float]) -> float:
    """How little the box of a sideways tile would differ from that of an upright one, 0 to 1."""
    changes = [
        abs(_turned_shape(box.size, box.shape, direction, unit) - box.shape)
        for box, unit in zip(here, units, strict=True)
    ]
    return max(0.0, 1 - median(changes) / _TELLING_CHANGE)


def _alike(strides: Sequence[float], place: int) -> tuple[int, int]:
    """The stretch of tiles around a place that lie close together, if there are three: these lie alike."""
    low = high = place
    while low > max(0, place - _WINDOW) and strides[low - 1] < _PARTED:
        low -= 1
    while high < min(len(strides), place + _WINDOW) and strides[high] < _PARTED:
        high += 1
    if high - low >= 2:
        return low, high + 1
    return max(0, place - _WINDOW), min(len(strides) + 1, place + _WINDOW + 1)


def _trend(shapes: Sequence[float]) -> float:
    """How the shapes change from tile to tile under perspective: the median of all slopes, where there are enough."""
    if len(shapes) < _ENOUGH_FOR_TREND:
        return 0.0
    return median((shapes[b] - shapes[a]) / (b - a) for a in range(len(shapes)) for b in range(a + 1, len(shapes)))


def _turned_shape(size: float, upright: float, direction: tuple[float, float], pitch: float) -> float:
    """The shape of the box of a sideways tile where an upright one has this size and shape."""
    stretch = math.exp(upright / 2)
    extents = []
    for extent, share in ((size * stretch, abs(direction[0])), (size / stretch, abs(direction[1]))):
        along = min(pitch * share, extent)
        extents.append(along * ASPECT + (extent - along) / ASPECT)
    return math.log(max(extents[0], 1e-6) / max(extents[1], 1e-6))
