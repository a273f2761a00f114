"""Putting a hand together from the groups of tiles in a picture.

The longest row of faces that is large and near is the heart of the hand. Every group around it may join, cut in any of
its ways; the choice is made that is likeliest as a whole, a hand counting fourteen tiles.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from statistics import median
from typing import TYPE_CHECKING, Final

from vision.bearing import forward_odds, in_order
from vision.pieces import KONG, Cut, Cutter, Kind, Piece
from vision.plane import on_table
from vision.rows import Row, find_rows
from vision.table import Group, TableView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.tiles import Tile
    from vision.boxes import Box
    from vision.detector import Detection

_SIZE: Final = 14
_MOST_COUNT: Final = 18
"""More tiles than this are never taken for one hand."""
_LEAST_ROW: Final = 4
"""A hand has a row of at least so many faces."""
_MOST_HEARTS: Final = 2
"""So many rows are tried as the heart of the hand."""
_MUCH_LESS_FIT: Final = 0.25
"""A row that is so much less fit than the best is not tried."""
_RIVAL_SIZE: Final = 0.75
"""Tiles of another hand that might be meant are not much smaller."""
_RIVAL_TILES: Final = 10
"""And it has a row of so many faces."""
spots_of: Final = lru_cache(maxsize=32)(on_table)
"""Remembered: a tile that a person gives another name lies where it lay."""
_REACH: Final = 5.5
"""Groups farther from the hand than this, in tile widths, are no part of it."""

# How likely a group is part of the hand rather than anything else on the table, in nats.
_PER_WIDTH: Final = -0.9
"""For each tile width of space between them."""
_IN_LINE: Final = 1.5
"""It continues the main row."""
_MELD: Final = 2.0
"""It shows itself as a meld."""
_MELD_OFF_LINE: Final = 0.5
"""And lies beside the main row."""
_HIDDEN_OFF_LINE: Final = -3.0
"""Face-down tiles off the hand's line are rather a wall than a kong."""
_SECOND_ROW: Final = 1.0
"""Its tiles touch the main row."""
_BESIDE: Final = -0.5
"""It is a row beside the main one."""
_ELSEWHERE: Final = -1.2
"""It is anything else, or a tile on its own."""
_ASKEW_TILE: Final = -1.0
"""It is a tile on its own and lies askew."""
_BONUS: Final = 3.0
_SEVERAL_BONUS: Final = 1.0
_BONUS_PER_WIDTH: Final = -0.7
_ASKEW_BONUS: Final = -6.0
"""Flowers: they lie farther off than anything else of a hand, several in a row, and not askew."""
_NOTHING: Final = -20.0
"""Nothing in it can belong to a hand."""

_FLUSH: Final = 0.15
"""Rows that touch leave less space than this, in tile widths."""
_OVERHANG: Final = 1.5
"""A row beside the main one ends no farther beyond its ends, in tile widths."""


@dataclass(frozen=True, slots=True)
class Assembly:
    """The hand as found.

    Attributes:
        groups: its groups in the owner's reading order, each cut into pieces.
        turned: all detections that lie sideways to their row.
        apart: loose tiles that stand alone at the right end of a line.
        indicators: dora indicators.
        rival: how many tiles another row holds that might as well be the hand; 0 if there is none.
    """

    groups: tuple[tuple[Piece, ...], ...] = ()
    turned: frozenset[int] = frozenset()
    apart: frozenset[int] = frozenset()
    indicators: tuple[int, ...] = ()
    rival: int = 0


def assemble(detections: Sequence[Detection], size_wh: tuple[int, int] = (0, 0)) -> Assembly:
    """Find the hand among everything seen in a picture of that size."""
    boxes = [detection.box for detection in detections]
    tiles = [detection.tile for detection in detections]
    rows = find_rows(boxes)
    found = [_around(heart, detections, rows, size_wh) for heart in _hearts(rows, tiles, boxes)[:_MOST_HEARTS]]
    return max(found, key=lambda entry: entry[0])[1] if found else Assembly()


def _around(
    heart: Row, detections: Sequence[Detection], rows: Sequence[Row], size_wh: tuple[int, int]
) -> tuple[float, Assembly]:
    """The hand around one row, and how likely it is, in nats."""
    tiles = [detection.tile for detection in detections]
    boxes, backs = [detection.box for detection in detections], [tile.is_back for tile in tiles]
    spots = spots_of(tuple(boxes), tuple(backs), heart.members, size_wh)
    view = TableView(detections, spots, heart, _walls(rows, tiles))
    choosing = _Choosing(view)
    forwards, backwards = choosing.choose(left_first=True), choosing.choose(left_first=False)
    onwards = forwards.score + forward_odds(view, forwards.groups) / 2
    back = backwards.score - forward_odds(view, backwards.groups) / 2
    chosen = forwards if onwards >= back else backwards
    groups, apart = in_order(view, chosen.groups, forwards=chosen is forwards)
    inside = {index for group in groups for piece in group for index in piece.members}
    others = [row for row in view.rows if not inside.intersection(row.members)]
    found = Assembly(groups, view.turned, apart, _indicators(others, tiles), _rival(others, detections, view))
    return max(onwards, back), found


def _hearts(rows: Sequence[Row], tiles: Sequence[Tile], boxes: Sequence[Box]) -> list[Row]:
    """The rows that may be the heart of the hand, best first: long, large, near; never one of backs."""
    faces = [row for row in rows if sum(not tiles[index].is_back for index in row.members) >= _LEAST_ROW]
    if not faces:
        return []
    largest = max(row.size for row in faces)
    bottom = max(box.y1 for box in boxes)

    def fitness(row: Row) -> float:
        length = sum(not tiles[index].is_bonus for index in row.members)
        fit = min(length, _SIZE) / _SIZE - max(0, length - 18) / _SIZE
        backs = sum(tiles[index].is_back for index in row.members) / len(row.members)
        return fit + 0.6 * row.size / largest + 0.3 * row.center[1] / bottom - backs

    ranked = sorted(faces, key=fitness, reverse=True)
    return [row for row in ranked if fitness(row) > fitness(ranked[0]) - _MUCH_LESS_FIT]


def _walls(rows: Sequence[Row], tiles: Sequence[Tile]) -> set[int]:
    """Face-down tiles side by side that are too many for kongs."""
    found: set[int] = set()
    for row in rows:
        faces = sum(not tiles[index].is_back for index in row.members)
        for group in row.groups:
            for back, run in groupby(group, key=lambda index: tiles[index].is_back):
                members = list(run)
                if back and len(members) > (KONG if faces <= 1 else 2 * KONG):
                    found.update(members)
    return found


@dataclass(frozen=True, slots=True)
class _Choice:
    """Groups that make up a hand, each cut into pieces, and how likely that is, in nats."""

    score: float
    groups: tuple[tuple[Group, Cut], ...]


class _Choosing:
    """Chooses the groups of one table that are the hand."""

    def __init__(self, view: TableView) -> None:
        self._view = view
        self._tiles = [detection.tile for detection in view.detections]
        self._cutter = Cutter(view.detections, view.lies, view.stacked)
        self._core = max(view.groups, key=lambda group: len(set(group.members) & set(view.main.members)))
        spaces = self._spaces()
        self._near = [(group, spaces[group.members]) for group in view.groups if spaces[group.members] <= _REACH]

    def choose(self, *, left_first: bool) -> _Choice:
        """The likeliest choice of groups, for an owner whose left is where rows begin, or end."""
        best: dict[tuple[int, bool], _Choice] = {(0, False): _Choice(0.0, ())}
        for group, space in self._near:
            options = self._options(group, space, left_first=left_first)
            grown = {} if group is self._core else dict(best)
            for (count, won), choice in best.items():
                for (more, wins), (score, cut) in options.items():
                    key, total = (count + more, won or wins), choice.score + score
                    if count + more > _MOST_COUNT or (won and wins):
                        continue
                    if key not in grown or grown[key].score < total:
                        grown[key] = _Choice(total, (*choice.groups, (group, cut)))
            best = grown or best
        scored = [_Choice(choice.score + _count_score(count), choice.groups) for (count, _), choice in best.items()]
        likeliest = max(scored, key=lambda choice: choice.score)
        return replace(likeliest, groups=self._without_stray_bonus(likeliest.groups))

    def _options(self, group: Group, space: float, *, left_first: bool) -> dict[tuple[int, bool], tuple[float, Cut]]:
        """Ways to cut a group, by what they count, with what speaks for them if the group belongs to the hand."""
        cuts = self._cutter.cuts(group.members, left_first=left_first)
        if group is self._core:
            return {key: (cut.score, cut) for key, cut in cuts.items()}
        # A sideways tile needs no reason where it is no part of the hand.
        sideways = sum(max(0.0, self._view.lies[index].turn_odds) for index in group.members)
        return {key: (cut.score + self._joining(group, cut, space) - sideways, cut) for key, cut in cuts.items()}

    def _joining(self, group: Group, cut: Cut, space: float) -> float:
        """How likely a group that lies there is part of the hand rather than anything else on the table."""
        kinds = {piece.kind for piece in cut.pieces}
        alone = len(group.members) == 1
        if kinds <= {Kind.NOTHING}:
            return _NOTHING
        askew = alone and not self._view.lies_alike(group.members[0])
        if kinds <= {Kind.BONUS}:
            return _BONUS + _BONUS_PER_WIDTH * space + _ASKEW_BONUS * askew + _SEVERAL_BONUS * (not alone)
        score = _PER_WIDTH * space + _ASKEW_TILE * askew
        in_line = self._view.in_line(group)
        if Kind.MELD in kinds:
            hidden = all(self._tiles[index].is_back for index in group.members)
            score += _HIDDEN_OFF_LINE if hidden and not in_line else _MELD
        if in_line:
            return score + _IN_LINE
        if Kind.MELD in kinds:
            return score + _MELD_OFF_LINE
        if (
            len(group.members) >= 3
            and group.start > self._view.main.centers[0][0] - _OVERHANG
            and group.end < self._view.main.centers[-1][0] + _OVERHANG
        ):
            return score + (_SECOND_ROW if space < _FLUSH else _BESIDE)
        return score + _ELSEWHERE

    def _without_stray_bonus(self, groups: Sequence[tuple[Group, Cut]]) -> tuple[tuple[Group, Cut], ...]:
        """Flowers lie side by side: beside several of them in a row, one on its own elsewhere is a loose tile."""
        flowers = [group for group, cut in groups if all(piece.kind is Kind.BONUS for piece in cut.pieces)]
        rows = [group for group in flowers if len(group.members) > 1]
        stray = [
            group
            for group in flowers
            if rows and len(group.members) == 1 and not any(self._view.same_line(group, row) for row in rows)
        ]
        return tuple((group, cut) for group, cut in groups if group not in stray)

    def _spaces(self) -> dict[tuple[int, ...], float]:
        """The widest space on the best way from the core to each group, over groups that lead on."""
        left = [group for group in self._view.groups if group is not self._core]
        widest = {group.members: self._view.space(self._core, group) for group in left}
        reached = {self._core.members: 0.0}
        while left:
            nearest = min(left, key=lambda group: widest[group.members])
            left.remove(nearest)
            reached[nearest.members] = widest[nearest.members]
            if widest[nearest.members] > _REACH or not self._leads_on(nearest):
                continue
            for group in left:
                way = max(widest[nearest.members], self._view.space(nearest, group))
                widest[group.members] = min(widest[group.members], way)
        return reached

    def _leads_on(self, group: Group) -> bool:
        """Whether what lies beside this group may belong to the hand because the group does."""
        if self._view.in_line(group):
            return True
        tiles = [self._tiles[index] for index in group.members]
        backs = sum(tile.is_back for tile in tiles)
        if len(tiles) == KONG and backs in (2, KONG):
            return True
        return all(tile.is_bonus for tile in tiles) or (not backs and len(tiles) in (3, KONG))


def _count_score(count: int) -> float:
    """How likely a hand of so many tiles is in a photo of a hand, in nats."""
    if count == _SIZE:
        return 0.0
    if count == _SIZE - 1:
        return -3.0
    return -4.0 - 0.4 * (_SIZE - count) if count < _SIZE else -6.0 - 2.0 * (count - _SIZE)


def _indicators(others: Sequence[Row], tiles: Sequence[Tile]) -> tuple[int, ...]:
    """Faces among face-down tiles, outside the hand: dora indicators on the dead wall."""
    found: list[int] = []
    for row in others:
        faces = [index for index in row.members if not tiles[index].is_back]
        backs = len(row.members) - len(faces)
        found += faces if backs and len(faces) <= backs + 1 else []
    return tuple(found)


def _rival(others: Sequence[Row], detections: Sequence[Detection], view: TableView) -> int:
    """Faces in the longest other row that might as well be a hand."""

    def size(row: Row) -> float:
        return median(math.sqrt(detections[index].box.area) for index in row.members)

    rows = [row for row in others if size(row) > _RIVAL_SIZE * size(view.main)]
    longest = max((sum(not detections[index].tile.is_back for index in row.members) for row in rows), default=0)
    return longest if longest >= _RIVAL_TILES else 0
