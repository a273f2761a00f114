"""The width of a tile along a row: it grows or shrinks evenly under perspective.

The boxes of a slanted row are wider than its tiles and overlap, so the steps from tile to tile tell the width.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tilescore.vision.arrays import Floats

_LONG: Final = 6
"""A row of fewer tiles does not tell whether their width changes. Chosen."""
_LEAST_SIGN: Final = 0.4
"""The share of the usual sign of a turned tile that counts as visible, at least. Chosen."""
LENGTH: Final = 4 / 3
"""Length of a tile divided by its width. Measured."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The width of a tile as a function of the place along a row."""

    # start, end: the first and the last middle along the row, pixels
    start: float = 0.0
    end: float = 0.0
    log_width: float = 0.0  # logarithm of the width at place 0, pixels
    growth: float = 0.0  # change of that logarithm for each pixel along the row, between `start` and `end`
    # level, slope: the row's distance away from the owner at place 0, pixels, and its change along the row
    level: float = 0.0
    slope: float = 0.0
    box_factor: float = 1.0  # width of a tile along the row divided by that of its box, at most 1
    usual_ratio: float = 0.0  # logarithm of the side of a box along the row divided by the other side, at place 0
    ratio_growth: float = 0.0  # change of that logarithm for each pixel along the row, between `start` and `end`
    turned_sign: float = 1.0  # how much a turned tile adds to `usual_ratio`, as a share of what it adds in a level row

    @staticmethod
    def of(middles: Floats, sides: Floats, right: Floats) -> Scale:
        """The scale of a row of at least three tiles.

        Middles and sides of the boxes (N, 2) are along the row and away from the owner, in pixels; `right` (2,) is the
        unit vector of the row in the photo.
        """
        order = np.argsort(middles[:, 0])
        along, away = middles[order].T
        steps = np.log(np.maximum(1.0, np.diff(along)))
        between = (along[1:] + along[:-1]) / 2
        growth = _median_slope(between, steps) if len(along) >= _LONG else 0.0
        log_width = float(_median(steps - growth * between))
        wide, high = _median(sides[order] / np.exp(log_width + growth * along)[:, None]).tolist()
        ratios = np.log(sides[order, 0] / sides[order, 1])
        ratio_growth = _median_slope(along, ratios) if len(along) >= _LONG else 0.0
        centred = along - along.mean()
        slope = float(centred @ away / max(1e-9, centred @ centred))
        level = float(away.mean() - slope * along.mean())
        return Scale(
            float(along[0]),
            float(along[-1]),
            # The steps of tiles that do not touch exceed their width.
            log_width + min(0.0, math.log(wide)),
            growth,
            level,
            slope,
            min(1.0, 1 / wide),
            float(_median(ratios - ratio_growth * along)),
            ratio_growth,
            _turned_sign(min(1.0, wide), high, right),
        )

    def widths(self, along: Floats) -> Floats:
        """The width of a tile at places (N,) along the row, pixels."""
        return np.asarray(np.exp(self.log_width + self.growth * np.clip(along, self.start, self.end)))

    def usual_ratios(self, along: Floats) -> Floats:
        """`usual_ratio` at places (N,) along the row."""
        return np.asarray(self.usual_ratio + self.ratio_growth * np.clip(along, self.start, self.end))

    def places(self, middles: Floats) -> Floats:
        """Middles (N, 2) along the row and away from it, in tile widths."""
        along = middles[:, 0]
        inside = np.clip(along, self.start, self.end)
        widths = self.widths(along)
        even = abs(self.growth) * (self.end - self.start) < 1e-6
        place = inside / widths if even else -1 / (self.growth * widths)
        off = middles[:, 1] - self.level - self.slope * along
        return np.column_stack([place + (along - inside) / widths, off / widths])


def _median_slope(x: Floats, y: Floats) -> float:
    """The median of the slopes of all pairs of points (Theil and Sen)."""
    one, two = _pairs(len(x))
    apart = np.maximum(1e-9, x[two] - x[one])
    return float(_median((y[two] - y[one]) / apart))


def _median(values: Floats) -> Floats:
    """The median along the first axis, without the fixed costs of `np.median`."""
    ranked = np.sort(values, axis=0)
    return np.asarray((ranked[(len(ranked) - 1) // 2] + ranked[len(ranked) // 2]) / 2)


@cache
def _pairs(count: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    return np.triu_indices(count, 1)


def _turned_sign(width: float, box_height: float, right: Floats) -> float:
    """How much a turned tile in a slanted row changes the sides of its box, as a share of the change in a level row.

    Args:
        width: width of a tile along the row, in steps.
        box_height: the side of its box away from the owner, in steps.
        right: unit vector (2,) of the row in the photo.
    """
    sine, cosine = np.sort(np.abs(right)).tolist()
    height = max(width / LENGTH, (box_height - width * sine) / cosine)

    def ratio(along: float, away: float) -> float:
        return math.log((along * cosine + away * sine) / (along * sine + away * cosine))

    change = ratio(width * LENGTH, height / LENGTH) - ratio(width, height)
    return float(np.clip(change / (2 * math.log(LENGTH)), _LEAST_SIGN, 1.0))
