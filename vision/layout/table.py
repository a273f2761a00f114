"""The table seen along the hand's longest row: where tiles and groups lie to it, in tile widths."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, median
from typing import TYPE_CHECKING, Final

from tilescore.vision.image.boxes import Box
from tilescore.vision.image.config import IMAGE
from tilescore.vision.image.rows import Row, find_rows
from tilescore.vision.layout.pose import ASPECT, TOUCH, OnTable
from tilescore.vision.layout.segments import Lie

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tilescore.vision.detections import Detection

_MOST_SIZE_RATIO: Final = math.log(1.6)
"""Tiles of one hand differ less in size, standing and lying ones; as a logarithm."""
_PARTED: Final = 0.3
"""Space, in tile widths, that parts a row into groups each of which is in the hand or not."""
_MAYBE_TURNED: Final = -2.0
"""Odds, in nats, from which on a tile beyond another may make it a kong."""
_TOUCHING: Final = (1.35, 0.5, 0.1)
_TOUCHING_ALIKE: Final = (1.75, 0.6, 0.2)
"""Middles of stacked tiles lie no farther apart than this, in tile widths, and aside than a share of that and a bit."""
_OFF_LINE: Final = 0.55
LONE_OFF_LINE: Final = 0.9
"""Groups of one line lie no farther off it than this, in tile widths; a tile on its own may lie farther off."""
_OFF_THE_ROW: Final = 0.32
"""A tile so far off the line of its neighbours, in tile widths, was put there on purpose."""
_NEAR_END: Final = 4
"""So many tiles of the main row tell where it goes on."""
_OFF_THE_MAIN: Final = 0.6
"""A group in line with it lies no farther off, in tile widths."""
_COVERED: Final = 0.6
"""A wall's tile no farther along than this, in tile widths, lies between a tile and the row."""
_SLIGHT_GAP: Final = 0.06
"""Space, in tile widths, that a winning tile has at least to what follows it."""

# How likely tiles lie so in a row, in nats.
_STEP_SPREAD: Final = 0.07
"""Spread of the step between tiles that touch, in tile widths."""
_SIDE_SPREAD: Final = 0.08
"""Spread of midpoints about the row's line, likewise."""
_BESIDE: Final = 3
"""So many tiles to each side tell that line."""
_MOST_TOLD: Final = 2.0
"""A midpoint says no more than this."""
_SPACED: Final = 3.5
"""What a space between neighbours costs."""
_OVERLAP: Final = 20.0
"""And what each tile width costs that they seem to share."""
_SELDOM_TURNED: Final = 0.7
"""Few tiles lie sideways, beyond what their boxes say."""


@dataclass(frozen=True, slots=True)
class Group:
    """Tiles side by side that may belong to the hand.

    Attributes:
        members: as they lie, in the rows' reading direction.
        along: midpoint along the main row, tile widths from its middle.
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
        spots: how each lies on the table, seen from the heart of the hand.
        heart: the row that may be the heart.
        without: detections to leave out.

    Attributes:
        detections: likewise.
        direction: of the heart in the picture, a unit vector.
        rows: all rows that lie alongside it.
        main: the heart, with all that continues it.
        lies: how each detection lies in its row.
        stacked: tiles that lie on, or just beyond, a sideways one, by that one.
        turned: detections that lie sideways.
        alone: those with space on both sides in their row, or clearly off its line.
        groups: tiles of like size that lie side by side.
    """

    def __init__(
        self, detections: Sequence[Detection], spots: Sequence[OnTable], heart: Row, without: Collection[int]
    ) -> None:
        self.detections = detections
        self.direction = heart.direction
        self._walls = without
        self._spots = spots
        sideways = [spot.turn_odds > 0 for spot in spots]
        rows = find_rows([_flat(spot, side) for spot, side in zip(spots, sideways, strict=True)], (1.0, 0.0), without)
        for row in rows:
            for index, side in zip(row.members, _likeliest_turns([spots[i] for i in row.members]), strict=True):
                sideways[index] = side
        self._boxes = [_flat(spot, side) for spot, side in zip(spots, sideways, strict=True)]
        self._places = [(box.center[0], -box.center[1]) for box in self._boxes]
        self.rows = [self._measured(row) for row in rows]
        self.main = max(self.rows, key=lambda row: len(set(row.members) & set(heart.members)))
        self._row = {index: row for row in self.rows for index in row.members}
        self.lies = [self._lie(index, side) for index, side in enumerate(sideways)]
        self.stacked = self._find_stacked()
        on_top = set(self.stacked.values())
        self.turned = frozenset(index for index, lie in enumerate(self.lies) if lie.turned) | on_top
        self.alone = frozenset(index for index in self._row if self._stands_alone(index))
        self.groups = [
            self._group(members)
            for row in self.rows
            if row is self.main or abs(median(spots[index].size for index in row.members)) < _MOST_SIZE_RATIO
            for part in row.parted(_PARTED)
            if (members := tuple(index for index in part if index not in on_top))
        ]

    def _measured(self, row: Row) -> Row:
        """A row with the spaces between its tiles as these lie."""
        members = sorted(row.members, key=lambda index: self._boxes[index].center[0])
        boxes = [self._boxes[index] for index in members]
        gaps = (math.inf, *(b.x0 - a.x1 for a, b in pairwise(boxes)))
        return Row(tuple(members), tuple(box.center for box in boxes), (1.0, 0.0), row.size, gaps)

    def place(self, index: int) -> tuple[float, float]:
        """Along the main row and away from it, in tile widths from its middle."""
        return self._places[index]

    def _lie(self, index: int, side: bool) -> Lie:  # noqa: FBT001  # how one tile lies
        row = self._row.get(index)
        gap = math.inf if row is None else row.gaps[row.members.index(index)]
        return Lie(self._spots[index], side, gap)

    def _group(self, members: tuple[int, ...]) -> Group:
        places = [self.place(index) for index in members]
        along = [place[0] for place in places]
        return Group(members, fmean(along), fmean(place[1] for place in places), along[0], along[-1])

    def row(self, group: Group) -> Row:
        """The row that a group lies in."""
        return self._row[group.members[0]]

    def space(self, first: Group, second: Group) -> float:
        """Smallest space between tiles of two groups, in tile widths."""
        best = math.inf
        for a in first.members:
            for b in second.members:
                one, two = self._boxes[a], self._boxes[b]
                dx = max(0.0, one.x0 - two.x1, two.x0 - one.x1)
                dy = max(0.0, one.y0 - two.y1, two.y0 - one.y1)
                best = min(best, dx * dx + dy * dy)
        return math.sqrt(best)

    def _find_stacked(self) -> dict[int, int]:
        """Tiles right beyond a sideways one that can be equal to it: the fourth of an added kong."""
        stacked: dict[int, int] = {}
        faces = [[i for i in row.members if not self.detections[i].tile.is_back] for row in self.rows]
        lone = [index for members in faces if len(members) <= 2 for index in members]
        for below, lie in enumerate(self.lies):
            if below not in self._row or lie.spot.turn_odds <= _MAYBE_TURNED:
                continue
            near = [index for index in lone if self._can_be_equal(below, index) and self._beyond(below, index)]
            if near:
                middle = self._boxes[below].center
                stacked[below] = min(near, key=lambda index: math.dist(self._boxes[index].center, middle))
        return stacked

    def _can_be_equal(self, first: int, second: int) -> bool:
        kinds = {name.tile.plain for name in self.detections[first].names if not name.tile.is_back}
        return first != second and any(name.tile.plain in kinds for name in self.detections[second].names)

    def _beyond(self, below: int, index: int) -> bool:
        """Whether a tile touches a sideways one across the row; one named alike may lie less exactly."""
        (along, away), (other_along, other_away) = self.place(below), self.place(index)
        aside, beyond = abs(other_along - along), abs(other_away - away)
        alike = self.detections[below].tile.plain is self.detections[index].tile.plain
        reach, slant, slack = _TOUCHING_ALIKE if alike else _TOUCHING
        return math.hypot(aside, beyond) < reach and aside < slant * beyond + slack

    def in_line(self, group: Group) -> bool:
        """Whether it continues the main row, or lies in it."""
        places = sorted((self.place(index) for index in self.main.members), key=lambda p: abs(p[0] - group.along))
        near = places[:_NEAR_END]
        middle, level = fmean(along for along, _ in near), fmean(away for _, away in near)
        spread = sum((along - middle) ** 2 for along, _ in near)
        slope = sum((along - middle) * (away - level) for along, away in near) / spread if spread else 0.0
        expected = level + slope * (group.along - middle)
        return abs(group.away - expected) < _OFF_THE_MAIN

    def beyond_wall(self, group: Group) -> bool:
        """Whether face-down tiles of a wall lie between it and the main row, all along it."""
        level = min(self.main.members, key=lambda index: abs(self.place(index)[0] - group.along))
        low, high = sorted((self.place(level)[1], group.away))
        return all(
            any(abs(x - along) < _COVERED and low < y < high for x, y in map(self.place, self._walls))
            for along in (self.place(index)[0] for index in group.members)
        )

    def apartness(self, index: int) -> float:
        """How much wider the spaces beside a tile are than half the widest other one of its row, tile widths, 0-1."""
        row = self._row[index]
        at = row.members.index(index)
        beside = min(row.gaps[at : at + 2])
        others = (*row.gaps[1:at], *row.gaps[at + 2 :])
        return max(0.0, min(1.0, beside - max((0.0, *others)) / 2))

    def same_line(self, first: Group, second: Group) -> bool:
        """Whether two groups lie one after the other; a tile on its own need not lie so exactly."""
        beyond = first.start > second.end or second.start > first.end
        lone = beyond and 1 in (len(first.members), len(second.members))
        nearer = min(abs(self.place(a)[1] - self.place(b)[1]) for a in first.members for b in second.members)
        return beyond and nearer < (LONE_OFF_LINE if lone else _OFF_LINE)

    def _stands_alone(self, index: int) -> bool:
        """Whether there is space on both sides of a tile in its row, or it lies clearly off its line."""
        row = self._row[index]
        at = row.members.index(index)
        wider = (ASPECT - 1) / 2 * self.lies[index].turned  # alone at the end, it matters little how it lies
        before, *after = (gap + wider for gap in row.gaps[at : at + 2])
        beside = [row.centers[other][1] for other in (at - 1, at + 1) if 0 <= other < len(row.members)]
        if beside and min(abs(row.centers[at][1] - other) for other in beside) > _OFF_THE_ROW:
            return True
        if len(after) == 1 and (before == math.inf or after[0] == math.inf):
            return max(0.0, min(before, after[0])) > IMAGE.rows.visible_gap_tiles
        return before > IMAGE.rows.visible_gap_tiles and all(gap > _SLIGHT_GAP for gap in after)


def _flat(spot: OnTable, sideways: bool) -> Box:  # noqa: FBT001  # which of two ways
    """The tile itself on the table, y down as in pictures."""
    x, y = (spot.sideways.x, spot.sideways.y) if sideways else (spot.upright.x, spot.upright.y)
    across, deep = (ASPECT / 2, 0.5) if sideways else (0.5, ASPECT / 2)
    return Box(x - across, -y - deep, x + across, -y + deep)


def _likeliest_turns(row: Sequence[OnTable]) -> list[bool]:
    """Which tiles of a row most likely lie sideways, by their boxes and by the steps between them."""
    ways = [(spot.upright.x, spot.sideways.x) for spot in row]
    says = [(0.0, spot.turn_odds - _SELDOM_TURNED + _off_line(row, at)) for at, spot in enumerate(row)]
    score, came = list(says[0]), []
    for at in range(1, len(row)):
        links = [[score[a] + _step_score(ways[at][b] - ways[at - 1][a], a + b) for a in (0, 1)] for b in (0, 1)]
        came.append([int(link[1] > link[0]) for link in links])
        score = [max(link) + says[at][b] for b, link in enumerate(links)]
    chosen = [int(score[1] > score[0])]
    for back in reversed(came):
        chosen.append(back[chosen[-1]])
    return [side == 1 for side in reversed(chosen)]


def _off_line(row: Sequence[OnTable], at: int) -> float:
    """Log-odds of lying sideways by the midpoint: lower edges keep one line, so it lies off that of the others."""
    beside = [row[other].upright.y for other in range(max(0, at - _BESIDE), at + _BESIDE + 1) if other < len(row)]
    if len(beside) <= _BESIDE:
        return 0.0
    off, expected = abs(row[at].sideways.y - median(beside)), (ASPECT - 1) / 2
    odds = (off**2 - (off - expected) ** 2) / (2 * _SIDE_SPREAD**2)
    return max(-_MOST_TOLD, min(_MOST_TOLD, odds))


def _step_score(step: float, sideways: int) -> float:
    """Log-likelihood of a step between neighbours of which so many lie sideways: they touch, or there is space."""
    gap = step - 1 - sideways * (ASPECT - 1) / 2 - TOUCH
    return max(-(gap**2) / (2 * _STEP_SPREAD**2), -_SPACED - _OVERLAP * max(0.0, -gap))
