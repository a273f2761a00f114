"""How the owner of a hand reads it: a direction, and the lines of the hand's tiles in that direction.

A frame has its axes along the lines and away from the owner. All distances in it are in tile widths.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from tilescore.vision.hand_prior.order import order_odds
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.rows import find_rows
from tilescore.vision.layout.scale import Scale

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from tilescore.vision.image.rows import Row
    from tilescore.vision.layout.scene import Scene

    Array = NDArray[np.float64]

TOUCHING: Final = 0.14
"""Tiles of a line with less space between them than this, in tile widths, are one group. Chosen."""
TURNED: Final = 0.35
"""A tile lies sideways if the logarithm of its sides exceeds that of the others by this; the sides give 0.6. Chosen."""
_SHORTEST: Final = 3
"""A line of fewer tiles tells no direction. Chosen."""
_LONG: Final = 9
"""A line of this many tiles tells the direction alone. Chosen."""
_PARALLEL: Final = 0.9
"""Two lines are parallel if the cosine of the angle between them exceeds this. Chosen."""
_SHARE: Final = 0.5
"""Lines across the longest one are tried as lines if they have this share of its tiles. Chosen."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One way in which the owner may read the hand.

    Attributes:
        right: unit vector (2,) of the reading direction, in pixels of the photo, y down.
        lines: the members of each line in reading order; the line farthest from the owner comes first.
        places: (N, 2) middles of all boxes of the scene along `right` and away from the owner, in tile widths.
        extents: (N, 2) sides of all tiles along and away, in tile widths, estimated from their boxes.
        sorted_odds: log-odds that the tiles are sorted in this direction rather than against it.
        scale: the width of a tile along the longest line.
    """

    right: Array
    lines: tuple[tuple[int, ...], ...]
    places: Array
    extents: Array
    sorted_odds: float
    scale: Scale

    @cached_property
    def ratios(self) -> Array:
        """(N,) logarithm of the side along divided by the side away, as in a level row."""
        usual = self.scale.usual_ratio
        return np.asarray(usual + (np.log(self.extents[:, 0] / self.extents[:, 1]) - usual) / self.scale.turned_sign)

    def space(self, one: int, two: int) -> float:
        """Space along the line between a tile and the next one, in tile widths; negative where they overlap."""
        return float(self.places[two, 0] - self.places[one, 0] - (self.extents[one, 0] + self.extents[two, 0]) / 2)

    @cached_property
    def ratio(self) -> list[float]:
        """`ratios` as a list."""
        return [float(value) for value in self.ratios]

    @cached_property
    def gaps(self) -> Array:
        """(N, N) space between two tiles, in tile widths; 0 where they touch or overlap."""
        apart = np.abs(self.places[:, None] - self.places[None])
        sides = (self.extents[:, None] + self.extents[None]) / 2
        return np.asarray(np.linalg.norm(np.maximum(0.0, apart - sides), axis=2))

    def reversed(self) -> Frame:
        """The frame of somebody who sits on the opposite side."""
        lines = tuple(line[::-1] for line in self.lines[::-1])
        return replace(
            self,
            right=-self.right,
            lines=lines,
            places=-self.places,
            sorted_odds=-self.sorted_odds,
        )


def frames_of(scene: Scene, members: Sequence[int]) -> Iterator[Frame]:
    """The frames of a hand: along its longest line, and along lines across that, from both sides.

    Args:
        scene: all tiles.
        members: indices of the tiles of the hand: faces, and backs of kongs.
    """
    boxes = [Box(*scene.xyxy[at].tolist()) for at in members]
    rows = find_rows(boxes)
    longest = rows[0]
    yield from _both(scene, members, rows)
    if _SHORTEST <= len(longest.members) < _LONG:
        across = find_rows(boxes, unlike=longest.direction)
        if len(across[0].members) >= max(_SHORTEST, _SHARE * len(longest.members)):
            yield from _both(scene, members, across)


def _both(scene: Scene, members: Sequence[int], rows: Sequence[Row]) -> Iterator[Frame]:
    main = rows[0]
    right = np.array(main.direction if len(main.members) >= _SHORTEST else (1.0, 0.0))
    level = abs(right[0]) >= abs(right[1])
    away = np.array([right[1], -right[0]])
    middles, sides = scene.centers @ np.column_stack([right, away]), scene.extent[:, :: 1 if level else -1]
    line = [members[at] for at in main.members]
    if len(line) >= _SHORTEST:
        scale = Scale.of(middles[line], sides[line], right)
    else:
        scale = Scale(log_width=float(np.log(np.median(scene.widths[list(members)]))))
    places = scale.places(middles)
    extents = sides / scale.widths(middles[:, 0])[:, None] * scale.box_factor
    parts = [part for row in rows for part in _parallel(row, right)]
    lines = sorted(
        ([members[at] for at in part] for part in parts), key=lambda line: (-len(line), -places[line, 1].mean())
    )
    merged = sorted(_merged(lines, places, extents), key=lambda line: -places[line, 1].mean())
    ordered = tuple(tuple(sorted(line, key=lambda at: places[at, 0])) for line in merged)
    odds = order_odds([scene.names[at] for line in ordered for at in line if not scene.tiles[at].is_back])
    frame = Frame(right, ordered, places, extents, odds, scale)
    yield frame
    yield frame.reversed()


def _parallel(row: Row, right: Array) -> Iterator[Sequence[int]]:
    """The row if it is parallel to a direction, else each of its tiles."""
    if len(row.members) > 1 and abs(float(right @ np.array(row.direction))) > _PARALLEL:
        yield row.members
    else:
        yield from ((at,) for at in row.members)


def _merged(lines: Sequence[Sequence[int]], places: Array, extents: Array) -> list[list[int]]:
    """Lines that continue each other as one: they overlap away from the owner, and lie beside each other."""
    merged: list[list[int]] = []
    for line in lines:
        for other in merged:
            off = abs(places[list(line), 1].mean() - places[other, 1].mean())
            thick = min(extents[list(line), 1].mean(), extents[other, 1].mean())
            if off < thick / 2 and not _overlap(line, other, places, extents):
                other.extend(line)
                break
        else:
            merged.append(list(line))
    return merged


def _overlap(one: Sequence[int], two: Sequence[int], places: Array, extents: Array) -> bool:
    spans = []
    for part in (list(one), list(two)):
        half = extents[part, 0] / 2
        spans.append(((places[part, 0] - half).min(), (places[part, 0] + half).max()))
    overlap = min(spans[0][1], spans[1][1]) - max(spans[0][0], spans[1][0])
    return bool(overlap > extents[list(two), 0].min() / 2)


def level_cosine(frame: Frame) -> float:
    """1 where the owner reads from left to right in the photo, -1 from right to left; 0 for upright lines."""
    along, down = frame.right.tolist()
    return float(along) if abs(along) >= abs(down) else 0.0


def downward(frame: Frame) -> float:
    """1 where the owner reads downwards in the photo, -1 upwards; 0 for level lines."""
    along, down = frame.right.tolist()
    return math.copysign(1.0, down) if abs(down) > abs(along) else 0.0
