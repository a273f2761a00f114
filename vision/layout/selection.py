"""Which groups of a table are the hand: all choices, the likeliest first.

Every group may join, cut in any of its ways. A table over the groups holds what the best choice among the first ones is
worth for each count of tiles, so a search from the last group back walks straight to the likeliest choices.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from itertools import count
from statistics import fmean
from typing import TYPE_CHECKING, Final

from tilescore.scoring.hand import Hand
from tilescore.vision.hand_prior.melds import KONG
from tilescore.vision.layout.segments import Cut, Cutter, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tilescore.vision.image.rows import Row
    from tilescore.vision.layout.table import Group, TableView

    _Key = tuple[int, bool]
    """How many tiles of a finished hand, and whether a sideways one is the winning tile."""
    _Options = Mapping[_Key, Sequence[tuple[float, Cut]]]
    _Taken = tuple[tuple[Group, Cut], ...]

_MOST_COUNT: Final = 18
"""More tiles than this are never taken for one hand."""
_REACH: Final = 5.5
"""Groups farther from the hand than this, in tile widths, are no part of it."""

# How likely a group is part of the hand rather than anything else on the table, in nats.
_PER_WIDTH: Final = -0.9
"""For each tile width of space between them."""
_IN_LINE: Final = 1.5
"""It continues the main row."""
_MELD: Final = 3.0
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
_BEYOND_WALL: Final = -15.0
"""And lies behind a wall: discards are thrown there; only flowers may be put there."""
_BONUS: Final = 1.2
_SEVERAL_BONUS: Final = 2.0
_PER_SCATTERED: Final = 0.5
_IN_A_ROW: Final = 0.5
_BONUS_PER_WIDTH: Final = -0.5
"""Flowers: they lie farther off than anything else of a hand, several in a row, never sideways;
one alone may be a loose tile, the likelier the more of these lie about."""
_BONUS_IN_LINE: Final = 1.5
_BONUS_FLUSH: Final = 0.8
_BONUS_ANYWHERE: Final = -1.8
"""One alone mostly continues the hand's row, or lies flush with an end of it."""
_BESIDE_NOTHING_ELSE: Final = 2.0
_ANYHOW: Final = -1.0
"""And whose should it be where there is nothing but a hand, however it lies?"""
_CLEAR: Final = math.log(0.99 / 0.01)
"""Flowers of sets never seen mostly are this likely tiles, in nats; what is taken for one hardly ever is."""
_MOST_DOUBT: Final = -7.5
_MOST_OF_A_HAND: Final = Hand.SIZE + 4
"""A hand with four kongs has so many tiles."""
_LAID: Final = (-8.0, 3.0)
"""That flowers lie alongside the main row, or askew, says no more than this."""
_NOTHING: Final = -20.0
"""Nothing in it can belong to a hand."""

_FLUSH: Final = 0.15
"""Rows that touch leave less space than this, in tile widths."""
_FLUSH_WITH: Final = 0.35
"""A tile no farther off, in tile widths, along the row is flush with another."""
_WIDE: Final = 1.2
"""Wider spaces within a row, in tile widths, show that it is none."""
_OVERHANG: Final = 1.5
"""A row beside the main one ends no farther beyond its ends, in tile widths."""
_MOST_STEPS: Final = 20_000
"""Steps of the search for choices, at most. Where many scores tie, the search would take all memory. Chosen."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Groups that make up a hand, each cut into pieces, and how likely that is, in nats."""

    score: float
    groups: _Taken

    @property
    def count(self) -> int:
        """Tiles of a finished hand's fourteen."""
        return sum(piece.count for _, cut in self.groups for piece in cut.pieces)


class Chooser:
    """Chooses the groups of one table that are the hand."""

    def __init__(self, view: TableView) -> None:
        self._view = view
        self._tiles = [detection.tile for detection in view.detections]
        self._cutter = Cutter(view.detections, view.lies, view.stacked)
        self._core = max(view.groups, key=lambda group: len(set(group.members) & set(view.main.members)))
        alone = [view.lies[group.members[0]] for group in view.groups if len(group.members) == 1]
        self._scattered = sum(lie.laid < 0 for lie in alone)
        self._hand_alone = sum(not tile.is_bonus for tile in self._tiles) <= _MOST_OF_A_HAND
        spaces = self._spaces()
        self._near = [(group, spaces[group.members]) for group in view.groups if spaces[group.members] <= _REACH]

    def choices(self, *, left_first: bool) -> Iterator[Choice]:
        """All choices of groups, the likeliest first, for an owner whose left is where rows begin, or end."""
        layers: list[Mapping[_Key, float]] = [{(0, False): 0.0}]
        ways: list[_Options] = []
        for group, space in self._near:
            ways.append(self._options(group, space, left_first=left_first))
            layers.append(self._layer(layers[-1], ways[-1], must=group is self._core))
        ticket = count()
        heap: list[tuple[float, int, int, float, _Key, _Taken]] = [
            (-score - _count_score(key[0]), next(ticket), len(ways), _count_score(key[0]), key, ())
            for key, score in layers[-1].items()
        ]
        heapq.heapify(heap)
        for _ in range(_MOST_STEPS):
            if not heap:
                return
            worth, _, at, score, key, taken = heapq.heappop(heap)
            if not at:
                yield Choice(-worth, self._without_stray_bonus(taken))
                continue
            (group, _), before = self._near[at - 1], layers[at - 1]
            must = group is self._core and layers[at] is not before
            if key in before and not must:
                heapq.heappush(heap, (-score - before[key], next(ticket), at - 1, score, key, taken))
            for (more, wins), cuts in ways[at - 1].items():
                came = key[0] - more, key[1] and not wins
                if came in before and (key[1] or not wins):
                    for gain, cut in cuts:
                        total = score + gain
                        entry = (-total - before[came], next(ticket), at - 1, total, came, ((group, cut), *taken))
                        heapq.heappush(heap, entry)

    @staticmethod
    def _layer(before: Mapping[_Key, float], options: _Options, *, must: bool) -> Mapping[_Key, float]:
        """What the best choice is worth for each count with one group more, which must join or may."""
        grown = {} if must else dict(before)
        for (so_far, won), score in before.items():
            for (more, wins), ((gain, _), *_) in options.items():
                key = so_far + more, won or wins
                if key[0] <= _MOST_COUNT and not (won and wins):
                    grown[key] = max(grown.get(key, score + gain), score + gain)
        return grown or before

    def _options(self, group: Group, space: float, *, left_first: bool) -> _Options:
        """Ways to cut a group, by what they count, with what speaks for them if the group belongs to the hand."""
        cuts = self._cutter.cuts(group.members, left_first=left_first)
        if group is self._core:
            return {key: [(cut.score, cut) for cut in best] for key, best in cuts.items()}
        options = {}
        for key, best in cuts.items():
            worth = [(cut.score + self._joining(group, cut, space) - self._sideways(group, cut), cut) for cut in best]
            options[key] = sorted(worth, key=lambda entry: -entry[0])
        return options

    def _sideways(self, group: Group, cut: Cut) -> float:
        """The odds of its tiles that lie sideways: they need no reason where they are no part of the hand."""
        out = {index for piece in cut.pieces if piece.kind is Kind.NOTHING for index in piece.members}
        odds = [max(0.0, self._view.lies[index].turn_odds) for index in group.members if index not in out]
        if odds and all(self._tiles[index].is_bonus for index in group.members):
            return min(odds)  # they lie all alike: what is off is the view
        return sum(odds)

    def _doubt(self, index: int) -> float:
        """How much less sure it is that there is a tile at all than where that is clear, in nats."""
        return min(0.0, max(_MOST_DOUBT, self._view.detections[index].presence_odds - _CLEAR))

    def _joining(self, group: Group, cut: Cut, space: float) -> float:
        """How likely a group that lies there is part of the hand rather than anything else on the table."""
        kinds = {piece.kind for piece in cut.pieces}
        if kinds <= {Kind.NOTHING}:
            return _NOTHING
        if kinds <= {Kind.BONUS, Kind.NOTHING}:
            flowers = [piece.members[0] for piece in cut.pieces if piece.kind is Kind.BONUS]
            laid = fmean(self._view.lies[index].spot.laid for index in flowers)
            others = self._scattered - (len(group.members) == 1 and self._view.lies[group.members[0]].laid < 0)
            several = self._bonus_place(group) - math.log1p(_PER_SCATTERED * others)
            if len(flowers) > 1:
                laid, several = max(_IN_A_ROW, laid), _SEVERAL_BONUS * (len(flowers) - 1)
            doubt = min(self._doubt(index) for index in flowers)
            if self._hand_alone:
                laid, several = max(_ANYHOW + doubt, laid), several + _BESIDE_NOTHING_ELSE
            return _BONUS + _BONUS_PER_WIDTH * space + _clipped(laid) + several + doubt
        score = _PER_WIDTH * space
        in_line = self._view.in_line(group)
        if Kind.MELD in kinds:
            hidden = all(self._tiles[index].is_back for index in group.members)
            score += _HIDDEN_OFF_LINE if hidden and not in_line else _MELD
        if in_line:
            return score + _IN_LINE
        if Kind.MELD in kinds:
            return score + _MELD_OFF_LINE
        row = self._view.row(group)
        if len(row.members) >= 3 and self._beside(row):
            share = len(group.members) / len(row.members)  # the row joins with all its parts, or not at all
            return share * (score + (_SECOND_ROW if space < _FLUSH else _BESIDE))
        return score + _ELSEWHERE + _BEYOND_WALL * self._view.beyond_wall(group)

    def _beside(self, row: Row) -> bool:
        """Whether a row has no wide spaces and ends no farther than the main one."""
        (start, end), (left, right) = ((it.centers[0][0], it.centers[-1][0]) for it in (row, self._view.main))
        return max(row.gaps[1:]) < _WIDE and start > left - _OVERHANG and end < right + _OVERHANG

    def _bonus_place(self, group: Group) -> float:
        """Whether a flower on its own was put beside the hand, flush with an end of it, or lies anywhere."""
        if self._view.in_line(group):
            return _BONUS_IN_LINE
        ends = self._view.main.centers[0][0] - group.start, self._view.main.centers[-1][0] - group.end
        return _BONUS_FLUSH if min(map(abs, ends)) < _FLUSH_WITH else _BONUS_ANYWHERE

    def _without_stray_bonus(self, groups: _Taken) -> _Taken:
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


def _clipped(odds: float) -> float:
    return max(_LAID[0], min(_LAID[1], odds))


def _count_score(count: int) -> float:
    """How likely a hand of so many tiles is in a photo of a hand, in nats."""
    if count == Hand.SIZE:
        return 0.0
    if count == Hand.SIZE - 1:
        return -3.0
    return -4.0 - 0.4 * (Hand.SIZE - count) if count < Hand.SIZE else -6.0 - 2.0 * (count - Hand.SIZE)
