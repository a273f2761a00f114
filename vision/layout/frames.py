"""How the owner of a hand reads it: a direction, and the lines of the hand's tiles in that direction.

A frame has its axes along the lines and away from the owner. All distances in it are in tile widths.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from tilescore.vision.arrays import Floats
from tilescore.vision.hand_prior.order import order_odds
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.rows import RowFinder, TileRow
from tilescore.vision.layout.scale import Scale
from tilescore.vision.layout.scene import Scene

TOUCHING: Final = 0.14
"""Tiles of a line with less space between them than this, in tile widths, are one group. Chosen."""
TURNED: Final = 0.35
"""A tile lies sideways if the logarithm of its sides exceeds that of the others by this; the sides give 0.6. Chosen."""
_SHORTEST: Final = 3
"""Two tiles are always in a line: one of fewer than three tells no direction."""
_LONG: Final = 9
"""A line of this many tiles tells the direction alone. Chosen."""
_PARALLEL: Final = 0.9
"""Two lines are parallel if the cosine of the angle between them exceeds this. Chosen."""
_SHARE: Final = 0.5
"""Lines across the longest one are tried as lines if they have this share of its tiles. Chosen."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One way in which the owner may read the hand."""

    right: Floats  # unit vector (2,) of the reading direction, in pixels of the photo, y down
    # the members of each line in reading order; the line farthest from the owner comes first
    lines: tuple[tuple[int, ...], ...]
    along: list[float]  # (N) middles of all boxes of the scene along `right`, in tile widths
    away: list[float]  # (N) the same away from the owner
    widths: list[float]  # (N) sides of all tiles along, in tile widths, estimated from their boxes
    depths: list[float]  # (N) the same away
    ratios: list[float]  # (N) logarithm of the side along divided by the side away, as in a level row
    # for each tile of the hand the space (N) to all others, in tile widths; 0 where they touch or overlap
    gaps: Mapping[int, list[float]]
    # for each tile of the hand the others and the distances of their middles, near ones first
    nearest: Mapping[int, tuple[tuple[int, float], ...]]
    sorted_odds: float  # log-odds that the tiles are sorted in this direction rather than against it

    def space(self, one: int, two: int) -> float:
        """Space along the line between a tile and the next one, in tile widths; negative where they overlap."""
        return self.along[two] - self.along[one] - (self.widths[one] + self.widths[two]) / 2

    def runs(self, *, without: Collection[int] = ()) -> list[list[int]]:
        """The runs of tiles that touch each other in their lines, without some tiles."""
        runs: list[list[int]] = []
        for line in self.lines:
            last: int | None = None
            for at in line:
                if at in without:
                    last = None
                    continue
                if last is None or self.space(last, at) > TOUCHING:
                    runs.append([])
                runs[-1].append(at)
                last = at
        return runs

    def gap(self, some: Iterable[int], others: Sequence[int]) -> float:
        """The smallest space between tiles of the hand and others, in tile widths; infinite without others."""
        return min([min(map(self.gaps[one].__getitem__, others)) for one in some]) if others else math.inf

    def space_around(self, at: int, others: Collection[int]) -> float:
        """Distance of the middle of a tile of the hand from the nearest of others, less 1; 2 without others."""
        return next((apart for other, apart in self.nearest[at] if other in others), 3.0) - 1

    def mean_away(self, members: Sequence[int]) -> float:
        """The mean distance of tiles away from the owner, in tile widths."""
        return _mean(self.away, members)

    def is_among(self, at: int, line: Sequence[int]) -> bool:
        """Whether a tile lies in a line, between its first and its last one."""
        is_between = self.along[line[0]] < self.along[at] < self.along[line[-1]]
        return is_between and abs(self.away[at] - self.mean_away(line)) < _mean(self.depths, line) / 2

    def reversed(self) -> Frame:
        """The frame of somebody who sits on the opposite side."""
        return replace(
            self,
            right=-self.right,
            lines=tuple(line[::-1] for line in self.lines[::-1]),
            along=[-place for place in self.along],
            away=[-place for place in self.away],
            sorted_odds=-self.sorted_odds,
        )


def frames_of(scene: Scene, members: Sequence[int]) -> Iterator[Frame]:
    """The frames of a hand: along its longest line, and along lines across that, from both sides.

    The tiles of a hand are its faces, and the backs of its kongs.
    """
    boxes = [Box(*sides) for sides in scene.xyxy[list(members)].tolist()]
    finder = RowFinder(boxes)
    rows = finder.rows()
    longest = rows[0]
    yield from _both(scene, members, rows)
    if _SHORTEST <= len(longest.members) < _LONG:
        across = finder.rows(unlike=longest.direction)
        if len(across[0].members) >= max(_SHORTEST, _SHARE * len(longest.members)):
            yield from _both(scene, members, across)


def _both(scene: Scene, members: Sequence[int], rows: Sequence[TileRow]) -> Iterator[Frame]:
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
    sizes = _Sizes(*places.T.tolist(), *extents.T.tolist())
    parts = [part for row in rows for part in _parallel(row, right)]
    lines = sorted(
        ([members[at] for at in part] for part in parts), key=lambda line: (-len(line), -_mean(sizes.away, line))
    )
    merged = sorted(_merged(lines, sizes), key=lambda line: -_mean(sizes.away, line))
    ordered = tuple(tuple(sorted(line, key=sizes.along.__getitem__)) for line in merged)
    odds = order_odds([scene.names[at] for line in ordered for at in line if not scene.tiles[at].is_back])
    ratios, gaps = _ratios(middles[:, 0], extents, scale), _gaps(members, places, extents)
    frame = Frame(right, ordered, *sizes, ratios, gaps, _nearest(members, places), odds)
    yield frame
    yield frame.reversed()


class _Sizes(NamedTuple):
    """The middles and the sides (N) of all tiles along the lines and away, in tile widths, as in a frame."""

    along: list[float]
    away: list[float]
    widths: list[float]
    depths: list[float]


def _mean(values: Sequence[float], members: Sequence[int]) -> float:
    return sum([values[at] for at in members]) / len(members)


def _ratios(along: Floats, extents: Floats, scale: Scale) -> list[float]:
    off = np.log(extents[:, 0] / extents[:, 1]) - scale.usual_ratios(along)
    ratios: list[float] = (scale.usual_ratio + off / scale.turned_sign).tolist()
    return ratios


def _gaps(members: Sequence[int], places: Floats, extents: Floats) -> dict[int, list[float]]:
    some = list(members)
    space = np.abs(places[some, None] - places[None]) - (extents[some, None] + extents[None]) / 2
    along, away = np.maximum(0.0, space).transpose(2, 0, 1)
    return dict(zip(some, np.hypot(along, away).tolist(), strict=True))


def _nearest(members: Sequence[int], places: Floats) -> dict[int, tuple[tuple[int, float], ...]]:
    some = list(members)
    apart = np.hypot(*(places[some, None] - places[None, some]).transpose(2, 0, 1))
    order = np.argsort(apart, axis=1, kind="stable")
    ranked = np.take_along_axis(apart, order, axis=1).tolist()
    return {
        at: tuple(
            [(some[other], distance) for other, distance in zip(row, distances, strict=True) if some[other] != at]
        )
        for at, row, distances in zip(some, order.tolist(), ranked, strict=True)
    }


def _parallel(row: TileRow, right: Floats) -> Iterator[Sequence[int]]:
    """The row if it is parallel to a direction, else each of its tiles."""
    if len(row.members) > 1 and abs(float(right @ np.array(row.direction))) > _PARALLEL:
        yield row.members
    else:
        yield from ((at,) for at in row.members)


def _merged(lines: Sequence[Sequence[int]], sizes: _Sizes) -> list[list[int]]:
    """Lines that continue each other as one: they overlap away from the owner, and lie beside each other."""
    merged: list[list[int]] = []
    for line in lines:
        for other in merged:
            off = abs(_mean(sizes.away, line) - _mean(sizes.away, other))
            thick = min(_mean(sizes.depths, line), _mean(sizes.depths, other))
            if off < thick / 2 and not _overlap(line, other, sizes):
                other.extend(line)
                break
        else:
            merged.append(list(line))
    return merged


def _overlap(one: Sequence[int], two: Sequence[int], sizes: _Sizes) -> bool:
    along, widths = sizes.along, sizes.widths
    starts, ends = (
        [fit(along[at] + sign * widths[at] / 2 for at in part) for part in (one, two)]
        for fit, sign in ((min, -1), (max, 1))
    )
    return min(ends) - max(starts) > min(widths[at] for at in two) / 2
