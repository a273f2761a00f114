"""Rows of tiles in a picture: straight or gently curved, in any direction, under perspective."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.boxes import Box

# All in units of a tile's size, the square root of its box's area.
_OFF_LINE: Final = 0.36
_LONGEST_GAP: Final = 3.0
_SIZE_RATIO: Final = 1.5
_NEIGHBOURS: Final = 6
# A gap this much wider than usual in its row, in tile widths, parts two groups.
_GROUP_GAP: Final = 0.28
# A tile this much wider for its height than its row's others lies sideways.
_TURNED_RATIO: Final = 1.38


@dataclass(frozen=True, slots=True)
class Row:
    """Tiles side by side.

    Attributes:
        members: indices into the boxes, in reading order (left to right, or top to bottom).
        direction: unit vector of the reading direction (x, y), y down.
        size: median tile size, pixels: the square root of the box's area.
        center: mean of the boxes' midpoints.
        turned: for each member, whether it lies sideways to the row.
        groups: members parted at gaps, in reading order.
    """

    members: tuple[int, ...]
    direction: tuple[float, float]
    size: float
    center: tuple[float, float]
    turned: tuple[bool, ...]
    groups: tuple[tuple[int, ...], ...]


def find_rows(boxes: Sequence[Box]) -> tuple[Row, ...]:
    """Part all boxes into rows, longest first; a tile on its own is a row of one."""
    if not boxes:
        return ()
    field = _Field.of(boxes)
    free = np.ones(len(boxes), bool)
    rows: list[Row] = []
    while free.any():
        members, direction = _longest_line(field, free)
        free[members] = False
        rows.append(_row(field, members, direction))
    return tuple(rows)


@dataclass(frozen=True, slots=True, eq=False)
class _Field:
    """Midpoints (N, 2), extents (N, 2) and sizes (N,) of all boxes."""

    centers: NDArray[np.float64]
    extents: NDArray[np.float64]
    sizes: NDArray[np.float64]

    @staticmethod
    def of(boxes: Sequence[Box]) -> _Field:
        centers = np.array([box.center for box in boxes])
        extents = np.array([(box.width, box.height) for box in boxes])
        return _Field(centers, extents, np.sqrt(np.maximum(extents.prod(axis=1), 1e-9)))


def _longest_line(field: _Field, free: NDArray[np.bool_]) -> tuple[list[int], NDArray[np.float64]]:
    """The free tiles of the longest row, in order, and its direction; at equal length the straighter row."""
    indices = np.flatnonzero(free)
    best, best_score, best_direction = [int(indices[0])], -1.0, np.array([1.0, 0.0])
    for first in indices:
        offsets = field.centers[indices] - field.centers[first]
        distances = np.hypot(offsets[:, 0], offsets[:, 1])
        for nearby in np.argsort(distances)[1 : _NEIGHBOURS + 1]:
            if distances[nearby] > _LONGEST_GAP * field.sizes[first] or distances[nearby] == 0:
                continue
            direction = offsets[nearby] / distances[nearby]
            members, residual = _run_through(field, indices, int(first), direction)
            score = len(members) - residual
            if score > best_score:
                best, best_score, best_direction = members, score, direction
    return best, _reading_direction(field.centers[best], best_direction)


def _run_through(
    field: _Field, indices: NDArray[np.intp], seed: int, direction: NDArray[np.float64]
) -> tuple[list[int], float]:
    """Tiles on the line through `seed`, without wide gaps, and their mean distance from it in tile sizes (< 1)."""
    kept: list[int] = []
    for curved in (False, True):
        offsets = field.centers[indices] - field.centers[seed]
        along = offsets @ direction
        across = offsets @ np.array([-direction[1], direction[0]])
        if curved:
            across = across - _bend(along, across, kept)
        ratio = field.sizes[indices] / field.sizes[seed]
        near = np.abs(across) < _OFF_LINE * field.sizes[indices]
        near &= (ratio < _SIZE_RATIO**2) & (ratio > _SIZE_RATIO**-2)
        kept = _unbroken(along, field.sizes[indices], near, int(np.flatnonzero(indices == seed)[0]))
        if len(kept) < 5:
            break
    residual = float(np.mean(np.abs(across[kept]) / field.sizes[indices][kept]))
    return [int(indices[position]) for position in kept], residual


def _bend(along: NDArray[np.float64], across: NDArray[np.float64], kept: list[int]) -> NDArray[np.float64]:
    """How far a gently curved row through the kept tiles lies off the straight line, at each tile."""
    degree = 2 if len(kept) >= 7 else 1
    curve = np.polyfit(along[kept], across[kept], degree)
    # Beyond its ends the curve is not to be trusted: follow it by half a row at most.
    low, high = along[kept].min(), along[kept].max()
    reach = (high - low) / 2
    return np.asarray(np.polyval(curve, np.clip(along, low - reach, high + reach)))


def _unbroken(along: NDArray[np.float64], sizes: NDArray[np.float64], near: NDArray[np.bool_], seed: int) -> list[int]:
    """Positions of the near tiles in order, from the seed outwards until a wide gap, a jump in size or an overlap."""
    order = [int(position) for position in np.argsort(along) if near[position]]
    if seed not in order:
        return [seed]
    start = order.index(seed)
    kept = [seed]
    for steps in (order[start + 1 :], order[:start][::-1]):
        previous = seed
        for position in steps:
            gap = abs(along[position] - along[previous])
            size = (sizes[position] + sizes[previous]) / 2
            change = sizes[position] / sizes[previous]
            if gap > _LONGEST_GAP * size or not 1 / _SIZE_RATIO < change < _SIZE_RATIO:
                break
            if gap < 0.3 * size:
                continue
            kept.append(position)
            previous = position
    return sorted(kept, key=lambda position: along[position])


def _reading_direction(centers: NDArray[np.float64], fallback: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unit vector of the row: to the right, or downwards if it stands upright in the picture."""
    direction = fallback
    if len(centers) > 2:
        _, _, axes = np.linalg.svd(centers - centers.mean(axis=0))
        direction = axes[0]
    along_x = abs(direction[0]) >= abs(direction[1])
    forward = direction[0] > 0 if along_x else direction[1] > 0
    return np.asarray(direction if forward else -direction)


def _row(field: _Field, members: list[int], direction: NDArray[np.float64]) -> Row:
    along = field.centers[members] @ direction
    order = np.argsort(along)
    members, along = [members[position] for position in order], along[order]
    reach = np.abs(field.extents[members] @ np.abs(direction))
    depth = np.abs(field.extents[members] @ np.abs(direction[::-1]))
    shape = reach / np.maximum(depth, 1e-9)
    usual = float(np.median(shape))
    # A row mostly of sideways tiles does not occur; a row of one or two has no usual shape.
    turned = (
        tuple(bool(ratio > _TURNED_RATIO * usual) for ratio in shape) if len(members) > 2 else (False,) * len(shape)
    )
    middle = field.centers[members].mean(axis=0)
    return Row(
        members=tuple(members),
        direction=(float(direction[0]), float(direction[1])),
        size=float(np.median(field.sizes[members])),
        center=(float(middle[0]), float(middle[1])),
        turned=turned,
        groups=_groups(members, along, reach),
    )


def _groups(members: list[int], along: NDArray[np.float64], reach: NDArray[np.float64]) -> tuple[tuple[int, ...], ...]:
    """Part a row where the space between two tiles is clearly wider than usual in it."""
    spaces = np.diff(along) - (reach[1:] + reach[:-1]) / 2
    usual = float(np.median(spaces)) if len(spaces) > 2 else 0.0
    widths = np.minimum(reach[1:], reach[:-1])
    groups: list[list[int]] = [[members[0]]]
    for member, space, width in zip(members[1:], spaces, widths, strict=True):
        if space - min(usual, 0.3 * width) > _GROUP_GAP * width:
            groups.append([])
        groups[-1].append(member)
    return tuple(tuple(group) for group in groups)
