"""Putting a hand together from the groups of tiles in a picture, and telling which way its owner sees it.

The longest row of faces that is large and near is the heart of the hand. Every group around it may join, cut in any of
its ways; the choice is made that is likeliest as a whole, a hand counting fourteen tiles.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import fmean
from typing import TYPE_CHECKING, Final

from scoring.hand import kind_of_set
from vision.pieces import KONG, Cut, Cutter, Kind, Lie, Piece
from vision.rows import GROUP_GAP, Row, find_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.tiles import Tile
    from vision.boxes import Box
    from vision.detector import Detection

_SIZE: Final = 14
_LEAST_ROW: Final = 4
_MOST_HEARTS: Final = 2
"""So many rows are tried as the heart of the hand."""
_MUCH_LESS_FIT: Final = 0.25
"""A row that is so much less fit than the best is not tried."""
_MOST_SIZE_RATIO: Final = 1.6
_REACH: Final = 5.5
"""Groups farther from the hand than this, in tile widths, are no part of it."""
_BONUS_NEAR: Final = 3.0
_SEVERAL_BONUS: Final = 1.0
_BONUS_PER_WIDTH: Final = 0.7
"""Flowers lie farther off than anything else of a hand."""
_HIDDEN_ALONE: Final = -3.0
"""Face-down tiles off the hand's line are rather a wall than a kong."""
_PARTED: Final = 0.3
"""Space, in tile widths, that parts a row into groups each of which is in the hand or not."""
_MAYBE_TURNED: Final = -2.0
"""Odds, in nats, from which on a tile beyond another may make it a kong."""
_OFF_LINE: Final = 0.55
_LONE_OFF_LINE: Final = 0.9
"""Groups of one line lie no farther off it than this, of a tile's height."""
_BONUS_SIDE: Final = 0.6
_WINNING_SIDE: Final = 2.5
"""How much it tells that flowers, or the winning tile, lie to the right of the others, in nats."""
_WITHIN_ROW: Final = 0.3
"""A tile no farther off a row's line, in tile widths, lies in it."""
_TELLING_ROW: Final = 5
"""A row of so many loose tiles is the concealed part of a hand, beside which the melds lie."""
_ASKEW: Final = 3.0
"""What a flower that lies askew costs, in nats: it is a loose tile on the table."""
_ALIKE: Final = 0.09
"""Shapes of boxes differ less, as logarithms, among tiles that lie alike."""
_LIKE_SIZE: Final = 0.26
"""And of their areas."""
_OFF_THE_ROW: Final = 0.32
"""A tile so far off the line of its neighbours, of a tile's height, was put there on purpose."""
_NEAR_END: Final = 4
"""So many tiles of the main row tell where it goes on."""
_OFF_THE_MAIN: Final = 0.6
"""A group in line with it lies no farther off, of a tile's height."""
_SECOND_ROW: Final = 1.0
_BESIDE: Final = -0.5
_OFF_LINE_TILE: Final = -1.2
"""How likely rows that touch the main one, rows beside it, and single tiles off it belong to the hand, in nats."""
_FLUSH: Final = 0.15
"""Rows that touch leave less space than this, in tile widths."""
_SLIGHT_GAP: Final = 0.06
"""Space, in tile widths, that a winning tile has at least to what follows it."""
_PER_WIDTH: Final = 0.9
"""What each tile width between a group and the hand costs, in nats."""


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

    groups: tuple[tuple[Piece, ...], ...]
    turned: frozenset[int]
    apart: frozenset[int]
    indicators: tuple[int, ...]
    rival: int


def assemble(detections: Sequence[Detection]) -> Assembly:
    """Find the hand among everything seen."""
    boxes = [detection.box for detection in detections]
    tiles = [detection.tile for detection in detections]
    rows = find_rows(boxes)
    found = [
        _around(main, detections, rows)
        for main in _main_rows(rows, tiles, boxes)[:_MOST_HEARTS]
    ]
    return max(found, key=lambda entry: entry[0])[1] if found else Assembly((), frozenset(), frozenset(), (), 0)


def _around(main: Row, detections: Sequence[Detection], rows: Sequence[Row]) -> tuple[float, Assembly]:
    """The hand around one row, and how likely it is, in nats."""
    boxes = [detection.box for detection in detections]
    tiles = [detection.tile for detection in detections]
    beside = find_rows(boxes, main, _walls(rows, tiles))
    heart = max(beside, key=lambda row: len(set(row.members) & set(main.members)))
    table = _TableFrame(detections, boxes, beside, heart)
    forwards, backwards = table.choose(left_first=True), table.choose(left_first=False)
    upright = forwards.score + table.upright_odds(forwards.groups) / 2
    turned = backwards.score - table.upright_odds(backwards.groups) / 2
    chosen = forwards if upright >= turned else backwards
    groups, apart = table.in_order(chosen.groups, upright=chosen is forwards)
    found = Assembly(
        groups, table.turned, apart, _indicators(beside, tiles, groups), _rival(beside, tiles, heart, groups)
    )
    return max(upright, turned), found


def _main_rows(rows: Sequence[Row], tiles: Sequence[Tile], boxes: Sequence[Box]) -> list[Row]:
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
class _Group:
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


@dataclass(frozen=True, slots=True)
class _Choice:
    """Groups that make up a hand, each cut into pieces, and how likely that is, in nats."""

    score: float
    groups: tuple[tuple[_Group, Cut], ...]


class _TableFrame:
    """The table seen along the main row: where groups lie, which may join, which way the owner sits."""

    def __init__(self, detections: Sequence[Detection], boxes: Sequence[Box], rows: Sequence[Row], main: Row) -> None:
        self._detections = detections
        self._tiles = [detection.tile for detection in detections]
        self._boxes = boxes
        self._main = main
        self._rows = rows
        self._lies = [Lie()] * len(boxes)
        for row in rows:
            for at, index in enumerate(row.members):
                self._lies[index] = Lie(
                    row.turn_odds[at], row.strides[at], row.gaps[at], row.blurred, row.sides[at], row.depths[at]
                )
        self._stacked = self._find_stacked(rows)
        on_top = set(self._stacked.values())
        self.turned = frozenset(index for index, lie in enumerate(self._lies) if lie.turn_odds > 0) | on_top
        self._groups = [
            self._group(members)
            for row in rows
            if 1 / _MOST_SIZE_RATIO < row.size / main.size < _MOST_SIZE_RATIO
            for part in row.parted(_PARTED)
            if (members := tuple(index for index in part if index not in on_top))
        ]

        self._core = max(self._groups, key=lambda group: len(set(group.members) & set(main.members)))
        self._near = self._find_near()

    # Where things lie

    def _place(self, index: int) -> tuple[float, float]:
        """Along the main row and away from it, in tile widths from its first tile."""
        x, y = self._boxes[index].center
        dx, dy = x - self._main.centers[0][0], y - self._main.centers[0][1]
        ux, uy = self._main.direction
        return (dx * ux + dy * uy) / self._main.pitch, (dx * uy - dy * ux) / self._main.pitch

    def _group(self, members: tuple[int, ...]) -> _Group:
        places = [self._place(index) for index in members]
        along = [place[0] for place in places]
        return _Group(members, fmean(along), fmean(place[1] for place in places), along[0], along[-1])

    def _space(self, first: _Group, second: _Group) -> float:
        """Smallest space between boxes of two groups, in tile widths."""
        best = math.inf
        for a in first.members:
            for b in second.members:
                one, two = self._boxes[a], self._boxes[b]
                dx = max(0.0, one.x0 - two.x1, two.x0 - one.x1)
                dy = max(0.0, one.y0 - two.y1, two.y0 - one.y1)
                best = min(best, dx * dx + dy * dy)
        return math.sqrt(best) / self._main.pitch

    def _find_stacked(self, rows: Sequence[Row]) -> dict[int, int]:
        """Tiles right beyond a sideways one that can be equal to it: the fourth of an added kong."""
        stacked: dict[int, int] = {}
        lone = [row.members[0] for row in rows if len(row.members) <= 2] + [
            row.members[1] for row in rows if len(row.members) == 2
        ]
        for below, lie in enumerate(self._lies):
            if lie.turn_odds <= _MAYBE_TURNED:
                continue
            names = {name.tile.plain for name in self._detections[below].candidates}
            near = [
                index
                for index in lone
                if index != below
                and not self._tiles[index].is_back
                and self._beyond(below, index)
                and any(name.tile.plain in names for name in self._detections[index].candidates)
            ]
            if near:
                stacked[below] = min(
                    near, key=lambda index: math.dist(*(self._boxes[i].center for i in (below, index)))
                )
        return stacked

    def _beyond(self, below: int, index: int) -> bool:
        """Whether a tile touches a sideways one across the row."""
        one, two = self._boxes[below], self._boxes[index]
        (along, away), (other_along, other_away) = self._place(below), self._place(index)
        touches = math.dist(one.center, two.center) < 1.3 * max(min(one.width, one.height), 1e-6) + 0.25 * max(
            one.width, one.height
        )
        return touches and abs(other_along - along) < 0.5 * abs(other_away - away) + 0.25

    # Which groups are the hand

    def choose(self, *, left_first: bool) -> _Choice:
        """The likeliest choice of groups, each cut into pieces, for an owner who reads rows so."""
        cutter = Cutter(self._detections, self._lies, self._stacked, left_first=left_first)
        best: dict[tuple[int, bool], _Choice] = {(0, False): _Choice(0.0, ())}
        for group, space in self._near:
            grown = {} if group is self._core else dict(best)
            # A sideways tile needs no reason where it is no part of the hand.
            sideways = sum(max(0.0, self._lies[index].turn_odds) for index in group.members)
            for (count, won), choice in best.items():
                for (more, wins), cut in cutter.cuts(group.members).items():
                    if (won and wins) or count + more > _SIZE + 4:
                        continue
                    score = choice.score + cut.score
                    if group is not self._core:
                        score += self._joining(group, cut, space) - sideways
                    key = count + more, won or wins
                    if key not in grown or grown[key].score < score:
                        grown[key] = _Choice(score, (*choice.groups, (group, cut)))
            best = grown
        likeliest = max(
            (_Choice(choice.score + _count_score(count), choice.groups) for (count, _), choice in best.items()),
            key=lambda choice: choice.score,
        )
        return replace(likeliest, groups=self._without_stray_bonus(likeliest.groups))

    def _without_stray_bonus(self, groups: Sequence[tuple[_Group, Cut]]) -> tuple[tuple[_Group, Cut], ...]:
        """Flowers lie side by side: beside several of them in a row, one on its own elsewhere is a loose tile."""
        flowers = [group for group, cut in groups if all(piece.kind is Kind.BONUS for piece in cut.pieces)]
        rows = [group for group in flowers if len(group.members) > 1]
        stray = [
            group
            for group in flowers
            if rows and len(group.members) == 1 and not any(self._same_line(group, row) for row in rows)
        ]
        return tuple((group, cut) for group, cut in groups if group not in stray)

    def _find_near(self) -> list[tuple[_Group, float]]:
        """Groups that may belong, and the space to each."""
        spaces = self._spaces_from(self._core)
        return [(group, spaces[group.members]) for group in self._groups if spaces[group.members] <= _REACH]

    def _spaces_from(self, core: _Group) -> dict[tuple[int, ...], float]:
        """The widest space on the best way from the core to each group, over other groups that may belong."""
        reached = {core.members: 0.0}
        left = [group for group in self._groups if group is not core]
        widest = {group.members: self._space(core, group) for group in left}
        while left:
            nearest = min(left, key=lambda group: widest[group.members])
            left.remove(nearest)
            reached[nearest.members] = widest[nearest.members]
            if widest[nearest.members] > _REACH:
                continue
            if not self._leads_on(nearest):
                continue
            for group in left:
                way = max(widest[nearest.members], self._space(nearest, group))
                widest[group.members] = min(widest[group.members], way)
        for group in left:
            reached[group.members] = math.inf
        return reached

    def _leads_on(self, group: _Group) -> bool:
        """Whether what lies beside this group may belong to the hand because the group does."""
        if self._in_line(group):
            return True
        tiles = [self._tiles[index] for index in group.members]
        backs = sum(tile.is_back for tile in tiles)
        if len(tiles) == KONG and backs in (2, KONG):
            return True
        return all(tile.is_bonus for tile in tiles) or (not backs and len(tiles) in (3, KONG))

    def _joining(self, group: _Group, cut: Cut, space: float) -> float:
        """How likely a group that lies there is part of the hand rather than anything else on the table."""
        kinds = {piece.kind for piece in cut.pieces}
        score = -_PER_WIDTH * space
        if kinds <= {Kind.BONUS}:
            askew = len(group.members) == 1 and not self._lies_alike(group.members[0])
            several = len(group.members) > 1
            return _BONUS_NEAR - _BONUS_PER_WIDTH * space - _ASKEW * askew + _SEVERAL_BONUS * several
        if kinds <= {Kind.NOTHING}:
            return -20.0
        if Kind.MELD in kinds:
            hidden = all(self._tiles[index].is_back for index in group.members)
            score += _HIDDEN_ALONE if hidden and not self._in_line(group) else 2.0
        if self._in_line(group):
            return score + 1.5
        if Kind.MELD in kinds:
            return score + 0.5
        beside = group.start > -1.5 and group.end < len(self._main.members) + 1.5
        if len(group.members) >= 3 and beside:
            return score + (_SECOND_ROW if space < _FLUSH else _BESIDE)
        askew = len(group.members) == 1 and not self._lies_alike(group.members[0])
        return score + _OFF_LINE_TILE - askew

    def _lies_alike(self, index: int) -> bool:
        """Whether a tile's box has the form of those of the main row, as that of a tile laid askew has not."""
        boxes = [self._boxes[member] for member in self._main.members]
        box = self._boxes[index]
        shapes = [math.log(max(other.width, 1e-6) / max(other.height, 1e-6)) for other in boxes]
        shape = math.log(max(box.width, 1e-6) / max(box.height, 1e-6))
        size = min(abs(math.log(max(box.area, 1e-9) / max(other.area, 1e-9))) for other in boxes)
        return min(shapes) - _ALIKE < shape < max(shapes) + _ALIKE and size < _LIKE_SIZE

    def _in_line(self, group: _Group) -> bool:
        """Whether it continues the main row, or lies in it."""
        places = sorted((self._place(index) for index in self._main.members), key=lambda p: abs(p[0] - group.along))
        near = places[:_NEAR_END]
        middle, level = fmean(along for along, _ in near), fmean(away for _, away in near)
        spread = sum((along - middle) ** 2 for along, _ in near)
        slope = sum((along - middle) * (away - level) for along, away in near) / spread if spread else 0.0
        expected = level + slope * (group.along - middle)
        box = self._boxes[self._main.members[0]]
        height = min(box.width, box.height) / self._main.pitch
        return abs(group.away - expected) < _OFF_THE_MAIN * max(height, _OFF_THE_MAIN)

    def in_order(
        self, chosen: Sequence[tuple[_Group, Cut]], *, upright: bool
    ) -> tuple[tuple[tuple[Piece, ...], ...], frozenset[int]]:
        """The groups in the owner's reading order, and the tiles that stand alone at the right end of it."""
        sign = 1 if upright else -1
        lines: list[list[tuple[_Group, Cut]]] = []
        for group, cut in sorted(chosen, key=lambda entry: -sign * entry[0].away):
            line = next((line for line in lines if any(self._same_line(group, other) for other, _ in line)), None)
            if line is None:
                lines.append([(group, cut)])
            else:
                line.append((group, cut))
        ordered = [entry for line in lines for entry in sorted(line, key=lambda entry: sign * entry[0].along)]
        groups = tuple(cut.pieces if upright else _reversed(cut.pieces) for _, cut in ordered)
        ends = [
            self._lone_end([cut for _, cut in sorted(line, key=lambda entry: sign * entry[0].along)], upright=upright)
            for line in lines
        ]
        return groups, frozenset(end for end in ends if end is not None)

    def _lone_end(self, cuts: Sequence[Cut], *, upright: bool) -> int | None:
        """The last loose tile of a line that stands alone, if only whole sets follow: claimed, nobody knows from whom."""
        loose = [
            piece.members[0]
            for cut in cuts
            for piece in (cut.pieces if upright else _reversed(cut.pieces))
            if piece.kind is Kind.TILE
        ]
        whole = len(loose)
        while loose:
            if self._stands_alone(loose[-1]):
                return loose[-1] if len(loose) > 1 or whole == 1 else None
            if kind_of_set(tuple(self._tiles[index] for index in loose[-3:])) is None:
                return None
            del loose[-3:]
        return None

    def _stands_alone(self, index: int) -> bool:
        """Whether there is space on both sides of a tile in its row, or it lies clearly off its line."""
        row = next(row for row in self._rows if index in row.members)
        at = row.members.index(index)
        before, *after = row.gaps[at : at + 2]
        beside = [other for other in (at - 1, at + 1) if 0 <= other < len(row.members)]
        off = [abs(row.sides[at] - row.sides[other]) for other in beside]
        if off and min(off) > _OFF_THE_ROW * row.depths[at]:
            return True
        if len(after) == 1 and (before == math.inf or after[0] == math.inf):
            return max(0.0, min(before, after[0])) > GROUP_GAP
        return before > GROUP_GAP and all(gap > _SLIGHT_GAP for gap in after)

    def _same_line(self, first: _Group, second: _Group) -> bool:
        """Whether two groups lie one after the other; a tile on its own need not lie so exactly."""
        beyond = first.start > second.end or second.start > first.end
        lone = beyond and 1 in (len(first.members), len(second.members))
        box = self._boxes[second.members[0]]
        height = min(1.0, min(box.width, box.height) / self._main.pitch)
        nearer = min(abs(self._place(a)[1] - self._place(b)[1]) for a in first.members for b in second.members)
        return beyond and nearer < (_LONE_OFF_LINE if lone else _OFF_LINE) * height

    def upright_odds(self, chosen: Sequence[tuple[_Group, Cut]]) -> float:
        """Log-odds that the owner reads the main row in its reading direction."""
        ux, uy = self._main.direction
        odds = 1.5 * ux if abs(ux) > abs(uy) else 0.2
        loose = (Kind.TILE, Kind.WINNING)
        tiles = [piece.members[0] for _, cut in chosen for piece in cut.pieces if piece.kind in loose]
        pure = [group for group, cut in chosen if all(piece.kind in loose for piece in cut.pieces)]
        longest = max(pure or [group for group, _ in chosen], key=lambda group: len(group.members))
        for group, cut in chosen:
            for piece in cut.pieces:
                if piece.kind is Kind.MELD:
                    odds += self._meld_odds(piece, longest)
                elif piece.kind is Kind.BONUS:
                    odds += _BONUS_SIDE * self._side(self._place(piece.members[0]), longest)
                elif piece.kind is Kind.WINNING or self._stands_alone(piece.members[0]):
                    odds += _WINNING_SIDE * self._end_of_line(piece.members[0], tiles)
        return odds

    def _end_of_line(self, index: int, loose: Sequence[int]) -> float:
        """1 if a tile is the last loose one of its line, -1 if it is the first, else 0."""
        along, away = self._place(index)
        places = [self._place(other) for other in loose if other != index]
        line = [place[0] for place in places if abs(place[1] - away) < _LONE_OFF_LINE]
        if not line:
            return 0.0
        return 1.0 if along > max(line) else -1.0 if along < min(line) else 0.0

    def _side(self, place: tuple[float, float], row: _Group) -> float:
        """1 right of a row or beyond it, -1 left of it or before it, for an owner who reads it forwards."""
        if abs(place[1] - row.away) < _WITHIN_ROW:
            return 1.0 if place[0] > row.along else -1.0
        if place[0] > row.end + 0.6:
            return 1.0
        if place[0] < row.start - 0.6:
            return -1.0
        return 0.8 if place[1] > row.away else -0.8

    def _meld_odds(self, piece: Piece, longest: _Group) -> float:
        members = [index for index in piece.members if index != piece.on_top]
        places = [self._place(index) for index in members]
        middle = fmean(place[0] for place in places), fmean(place[1] for place in places)
        weight = 2.0 * min(1.0, len(longest.members) / _TELLING_ROW)
        odds = 0.0 if piece.members[0] in longest.members else weight * self._side(middle, longest)
        if piece.called is not None:
            called = self._place(piece.called)
            if piece.on_top is not None:
                odds += 3.0 if self._place(piece.on_top)[1] > called[1] else -3.0
            others = [place for index, place in zip(members, places, strict=True) if index != piece.called]
            # The sideways tile keeps the line of the others' lower edges.
            lowered = fmean(place[1] for place in others) - called[1]
            odds += max(-1.0, min(1.0, lowered / 0.1))
        return odds


def _reversed(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    return tuple(replace(piece, members=piece.members[::-1]) for piece in pieces[::-1])


def _count_score(count: int) -> float:
    """How likely a hand of so many tiles is in a photo of a hand."""
    if count == _SIZE:
        return 0.0
    if count == _SIZE - 1:
        return -3.0
    return -4.0 - 0.4 * (_SIZE - count) if count < _SIZE else -6.0 - 2.0 * (count - _SIZE)


def _indicators(rows: Sequence[Row], tiles: Sequence[Tile], groups: Sequence[Sequence[Piece]]) -> tuple[int, ...]:
    """Faces among face-down tiles, outside the hand: dora indicators on the dead wall."""
    inside = {index for group in groups for piece in group for index in piece.members}
    found: list[int] = []
    for row in rows:
        backs = [place for place, index in enumerate(row.members) if tiles[index].is_back]
        if backs and not inside.intersection(row.members):
            faces = [index for index in row.members if not tiles[index].is_back]
            found += faces if len(faces) <= len(backs) + 1 else []
    return tuple(found)


def _rival(rows: Sequence[Row], tiles: Sequence[Tile], main: Row, groups: Sequence[Sequence[Piece]]) -> int:
    """Faces in the longest other row that might as well be a hand."""
    inside = {index for group in groups for piece in group for index in piece.members}
    others = [
        sum(not tiles[index].is_back for index in row.members)
        for row in rows
        if not inside.intersection(row.members) and 0.75 < row.size / main.size
    ]
    longest = max(others, default=0)
    return longest if longest >= _SIZE - 4 else 0
