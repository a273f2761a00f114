"""The table seen along the hand's longest row: where tiles and groups lie to it, in tile widths."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean, median
from typing import TYPE_CHECKING, Final

from vision.pieces import Lie
from vision.rows import GROUP_GAP, Row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.detector import Detection

_MOST_SIZE_RATIO: Final = 1.6
"""Tiles of one hand differ less in size, lying and standing ones."""
_PARTED: Final = 0.3
"""Space, in tile widths, that parts a row into groups each of which is in the hand or not."""
_MAYBE_TURNED: Final = -2.0
"""Odds, in nats, from which on a tile beyond another may make it a kong."""
_TOUCHING: Final = (1.3, 0.25)
"""Middles of stacked tiles lie no farther apart than these shares of a box's shorter and longer side."""
_OFF_LINE: Final = 0.55
LONE_OFF_LINE: Final = 0.9
"""Groups of one line lie no farther off it than this, of a tile's height; a tile on its own may lie farther off."""
_SHAPES_ALIKE: Final = 0.13
"""Shapes of boxes differ less, as logarithms, among tiles that lie alike."""
_SIZES_ALIKE: Final = 0.35
"""And their areas."""
_OFF_THE_ROW: Final = 0.32
"""A tile so far off the line of its neighbours, of a tile's height, was put there on purpose."""
_NEAR_END: Final = 4
"""So many tiles of the main row tell where it goes on."""
_OFF_THE_MAIN: Final = 0.6
"""A group in line with it lies no farther off, of a tile's height, which is at least so many widths."""
_SLIGHT_GAP: Final = 0.06
"""Space, in tile widths, that a winning tile has at least to what follows it."""


@dataclass(frozen=True, slots=True)
class Group:
    """Tiles side by side that may belong to the hand.

    Attributes:
        members: as they lie, in the rows' reading direction.
        along: midpoint along the main row, tile widths from its first tile.
        away: midpoint across it, tile widths, to the left of the reading direction (up, for a row read rightwards).
        start: along, of its first tile's midpoint.
        end: and of its last.
    """

    members: tuple[int, ...]
    along: float
    away: float
    start: float
    end: float


class TableView:
    """Everything seen, in the frame of one row.

    Args:
        detections: everything seen.
        rows: all rows that lie alongside the main one.
        main: the longest row of the hand.

    Attributes:
        detections: likewise.
        main: likewise.
        lies: how each detection lies in its row.
        stacked: tiles that lie on, or just beyond, a sideways one, by that one.
        turned: detections that lie sideways.
        groups: tiles of like size that lie side by side.
    """

    def __init__(self, detections: Sequence[Detection], rows: Sequence[Row], main: Row) -> None:
        self.detections = detections
        self.main = main
        self._boxes = [detection.box for detection in detections]
        self._row = {index: row for row in rows for index in row.members}
        self._places = [self._placed(*box.center) for box in self._boxes]
        self.lies = [self._lie(index) for index in range(len(detections))]
        self.stacked = self._find_stacked(rows)
        on_top = set(self.stacked.values())
        self.turned = frozenset(index for index, lie in enumerate(self.lies) if lie.turn_odds > 0) | on_top
        self.groups = [
            self._group(members)
            for row in rows
            if 1 / _MOST_SIZE_RATIO < self._length(row) / self._length(main) < _MOST_SIZE_RATIO
            for part in row.parted(_PARTED)
            if (members := tuple(index for index in part if index not in on_top))
        ]

    def _length(self, row: Row) -> float:
        """What boxes of a row measure along the main one: standing and lying tiles differ only across it."""
        level = abs(self.main.direction[0]) >= abs(self.main.direction[1])
        boxes = [self._boxes[index] for index in row.members]
        return max(median(box.width if level else box.height for box in boxes), 1e-6)

    def place(self, index: int) -> tuple[float, float]:
        """Along the main row and away from it, in tile widths from its first tile."""
        return self._places[index]

    def _placed(self, x: float, y: float) -> tuple[float, float]:
        dx, dy = x - self.main.centers[0][0], y - self.main.centers[0][1]
        ux, uy = self.main.direction
        return (dx * ux + dy * uy) / self.main.pitch, (dx * uy - dy * ux) / self.main.pitch

    def _lie(self, index: int) -> Lie:
        row = self._row.get(index)
        if row is None:
            return Lie()
        at = row.members.index(index)
        return Lie(row.turn_odds[at], row.strides[at], row.gaps[at], row.blurred, row.sides[at], row.depths[at])

    def _group(self, members: tuple[int, ...]) -> Group:
        places = [self.place(index) for index in members]
        along = [place[0] for place in places]
        return Group(members, fmean(along), fmean(place[1] for place in places), along[0], along[-1])

    def space(self, first: Group, second: Group) -> float:
        """Smallest space between boxes of two groups, in tile widths."""
        best = math.inf
        for a in first.members:
            for b in second.members:
                one, two = self._boxes[a], self._boxes[b]
                dx = max(0.0, one.x0 - two.x1, two.x0 - one.x1)
                dy = max(0.0, one.y0 - two.y1, two.y0 - one.y1)
                best = min(best, dx * dx + dy * dy)
        return math.sqrt(best) / self.main.pitch

    def _find_stacked(self, rows: Sequence[Row]) -> dict[int, int]:
        """Tiles right beyond a sideways one that can be equal to it: the fourth of an added kong."""
        stacked: dict[int, int] = {}
        lone = [index for row in rows if len(row.members) <= 2 for index in row.members]
        for below, lie in enumerate(self.lies):
            if below not in self._row or lie.turn_odds <= _MAYBE_TURNED:
                continue
            near = [index for index in lone if self._can_be_equal(below, index) and self._beyond(below, index)]
            if near:
                middle = self._boxes[below].center
                stacked[below] = min(near, key=lambda index: math.dist(self._boxes[index].center, middle))
        return stacked

    def _can_be_equal(self, first: int, second: int) -> bool:
        kinds = {name.tile.plain for name in self.detections[first].candidates if not name.tile.is_back}
        return first != second and any(name.tile.plain in kinds for name in self.detections[second].candidates)

    def _beyond(self, below: int, index: int) -> bool:
        """Whether a tile touches a sideways one across the row."""
        one, two = self._boxes[below], self._boxes[index]
        (along, away), (other_along, other_away) = self.place(below), self.place(index)
        shorter, longer = sorted((one.width, one.height))
        touches = math.dist(one.center, two.center) < _TOUCHING[0] * shorter + _TOUCHING[1] * longer
        return touches and abs(other_along - along) < 0.5 * abs(other_away - away) + 0.25

    def lies_alike(self, index: int) -> bool:
        """Whether a tile's box has the form of those of the main row, as that of a tile laid askew has not."""
        boxes = [self._boxes[member] for member in (*self.main.members, index)]
        *shapes, shape = [math.log(max(box.width, 1e-6) / max(box.height, 1e-6)) for box in boxes]
        *areas, area = [math.log(max(box.area, 1e-9)) for box in boxes]
        size = min(abs(area - other) for other in areas)
        return min(shapes) - _SHAPES_ALIKE < shape < max(shapes) + _SHAPES_ALIKE and size < _SIZES_ALIKE

    def in_line(self, group: Group) -> bool:
        """Whether it continues the main row, or lies in it."""
        places = sorted((self.place(index) for index in self.main.members), key=lambda p: abs(p[0] - group.along))
        near = places[:_NEAR_END]
        middle, level = fmean(along for along, _ in near), fmean(away for _, away in near)
        spread = sum((along - middle) ** 2 for along, _ in near)
        slope = sum((along - middle) * (away - level) for along, away in near) / spread if spread else 0.0
        expected = level + slope * (group.along - middle)
        box = self._boxes[self.main.members[0]]
        height = min(box.width, box.height) / self.main.pitch
        return abs(group.away - expected) < _OFF_THE_MAIN * max(height, _OFF_THE_MAIN)

    def apartness(self, index: int) -> float:
        """The space, in tile widths, between a tile and the nearest one of its row; at most 1."""
        row = self._row[index]
        at = row.members.index(index)
        return float(min(max(0.0, gap) for gap in (*row.gaps[at : at + 2], 1.0)))

    def same_line(self, first: Group, second: Group) -> bool:
        """Whether two groups lie one after the other; a tile on its own need not lie so exactly."""
        beyond = first.start > second.end or second.start > first.end
        lone = beyond and 1 in (len(first.members), len(second.members))
        box = self._boxes[second.members[0]]
        height = min(1.0, min(box.width, box.height) / self.main.pitch)
        nearer = min(abs(self.place(a)[1] - self.place(b)[1]) for a in first.members for b in second.members)
        return beyond and nearer < (LONE_OFF_LINE if lone else _OFF_LINE) * height

    def stands_alone(self, index: int) -> bool:
        """Whether there is space on both sides of a tile in its row, or it lies clearly off its line."""
        row = self._row[index]
        at = row.members.index(index)
        before, *after = row.gaps[at : at + 2]
        beside = [other for other in (at - 1, at + 1) if 0 <= other < len(row.members)]
        off = [abs(row.sides[at] - row.sides[other]) for other in beside]
        if off and min(off) > _OFF_THE_ROW * row.depths[at]:
            return True
        if len(after) == 1 and (before == math.inf or after[0] == math.inf):
            return max(0.0, min(before, after[0])) > GROUP_GAP
        return before > GROUP_GAP and all(gap > _SLIGHT_GAP for gap in after)
