"""Putting a hand together from the groups of tiles in a picture.

The longest row of faces that is large and near is the heart of the hand. Of all choices of groups around it, read from
either side, the likeliest is taken: by where they lie, and by their names, since most photos are of complete hands and
most people sort theirs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, islice
from statistics import median
from typing import TYPE_CHECKING, Final

from tilescore.scoring.hand import Hand
from tilescore.vision.hand_prior.melds import KONG
from tilescore.vision.image.rows import Row, find_rows
from tilescore.vision.layout.hand_evidence import Names
from tilescore.vision.layout.pose import OnTable, on_table
from tilescore.vision.layout.selection import Chooser
from tilescore.vision.layout.table import TableView
from tilescore.vision.layout.viewpoint import bearing_score, in_order
from tilescore.vision.layout.winning_tile import laid_apart

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tilescore.scoring.tiles import Tile
    from tilescore.vision.detections import Detection
    from tilescore.vision.layout.segments import Line, Piece

    Groups = tuple[tuple[Piece, ...], ...]
    """A hand's groups in reading order, each cut into pieces."""

_LEAST_ROW: Final = 4
"""A hand has a row of at least so many faces."""
_LEAST_SET: Final = 3
"""A hand of few concealed tiles, whose melds lie one below the other, has a row of at least so many faces."""
_BETWEEN_KONGS: Final = 0.08
"""Concealed kongs side by side have so much more space between them than within, in tile widths."""
_SEVERAL: Final = 11
"""A hand of few concealed tiles, whose melds lie one below the other, shows at least so many tiles."""
_CLEAR: Final = -5.0
"""Below this score of the best hand around a row, rows across it are tried as the anchor row too, in nats."""
_PARTED: Final = 0.3
"""A space, in tile widths, that may part one row from another that lies in its line, but otherwise."""
_CLEAR_ROW: Final = 8
"""Beside a shorter row others may be the heart of the hand that lie across it: melds below each other seem columns."""
_MOST_HEARTS: Final = 2
"""So many rows are tried as the heart of the hand."""
_MOST_CHOICES: Final = 40
"""So many choices of groups are weighed by their names, read from either side."""
_MUCH_LESS_FIT: Final = 0.25
"""A row that is so much less fit than the best is not tried."""
_EVEN: Final = 0.85
_BLURRED: Final = 0.8
"""A row less sharp than this share of the sharpest one is so much less fit: people focus on the hand they show."""
_ASKEW: Final = 1.5
"""Tiles seldom lie anyhow, in nats."""
_TELLING: Final = 0.5
"""What boxes say of the camera counts for so much: where it is off, all of them are."""
_RIVAL_SIZE: Final = 0.75
"""Tiles of another hand that might be meant are not much smaller."""
_RIVAL_TILES: Final = 10
"""And it has a row of so many faces."""
sights_of: Final = lru_cache(maxsize=32)(on_table)
"""Remembered: a tile that a person gives another name lies where it lay."""


@dataclass(frozen=True, slots=True)
class Assembly:
    """The hand as found.

    Attributes:
        groups: its groups in the owner's reading order, each cut into pieces.
        turned: all detections that lie sideways to their row.
        apart: loose tiles that lie apart at the right end of a line, likeliest to have won first.
        indicators: dora indicators.
        rival: how many tiles another row holds that might as well be the hand; 0 if there is none.
    """

    groups: tuple[tuple[Piece, ...], ...] = ()
    turned: frozenset[int] = frozenset()
    apart: tuple[int, ...] = ()
    indicators: tuple[int, ...] = ()
    rival: int = 0

    @property
    def count(self) -> int:
        """Tiles of a finished hand's fourteen."""
        return sum(piece.count for group in self.groups for piece in group)

    @property
    def members(self) -> frozenset[int]:
        """Its detections, what lies among them and is no part of it too."""
        return frozenset(index for group in self.groups for piece in group for index in piece.members)


def assemble(detections: Sequence[Detection], size_wh: tuple[int, int] = (0, 0)) -> Assembly:
    """Find the hand among everything seen in a picture of that size."""
    boxes = [detection.box for detection in detections]
    rows = find_rows(boxes)
    hearts = _hearts(rows, detections)[:_MOST_HEARTS]
    found = [one for heart in hearts for one in _around(heart, detections, rows, size_wh)]
    best = max(found, key=lambda one: one.score, default=None)
    if best is None:
        return Assembly()
    if len(hearts[0].members) < _CLEAR_ROW or best.assembly.count != Hand.SIZE or best.whole < _CLEAR:
        across = _hearts(find_rows(boxes, unlike=hearts[0].direction), detections)[:_MOST_HEARTS]
        parts = [part for heart in (*hearts, *across) for part in heart.parts(_PARTED, _LEAST_SET)]
        found += [one for heart in (*across, *parts) for one in _around(heart, detections, rows, size_wh)]
    inside = {index for one in found for index in one.assembly.members}
    return max(found, key=lambda one: one.score + one.seen_so(inside)).assembly


@dataclass(frozen=True, slots=True)
class _Found:
    """The hand around one row, how likely it is, in nats, and how everything lies as seen from there."""

    score: float
    spots: Sequence[OnTable]
    assembly: Assembly

    @property
    def whole(self) -> float:
        """How likely it is, boxes and all, in nats."""
        return self.score + self.seen_so(self.assembly.members)

    def seen_so(self, among: Collection[int]) -> float:
        """How well boxes agree with where the camera stands, in nats."""
        spots = [self.spots[index] for index in among]
        return _TELLING * sum(max(spot.upright.score, spot.sideways.score, spot.anyhow - _ASKEW) for spot in spots)


def _around(
    heart: Row, detections: Sequence[Detection], rows: Sequence[Row], size_wh: tuple[int, int]
) -> Iterator[_Found]:
    """The hand around one row, for each way in which that may be seen."""
    tiles = [detection.tile for detection in detections]
    boxes, backs = [detection.box for detection in detections], [tile.is_back for tile in tiles]
    walls = _walls(rows, tiles)
    for hypothesis in sights_of(tuple(boxes), tuple(backs), heart.members, size_wh):
        view = TableView(detections, hypothesis.spots, heart, walls)
        score, groups, apart = _likeliest(view)
        inside = {index for group in groups for piece in group for index in piece.members}
        others = [row for row in view.rows if not inside.intersection(row.members)]
        rival = _rival(others, detections, view)
        assembly = Assembly(groups, view.turned, apart, _indicators(others, tiles), rival)
        yield _Found(score - hypothesis.unlikely, hypothesis.spots, assembly)


def _likeliest(view: TableView) -> tuple[float, Groups, tuple[int, ...]]:
    """The likeliest choice of all, in its owner's order, with the tiles that may have won, and how likely it is."""
    chooser, names = Chooser(view), Names(view.detections)
    best = -math.inf
    lines: tuple[Line, ...] = ()
    for forwards in (True, False):
        for choice in islice(chooser.choices(left_first=forwards), _MOST_CHOICES):
            if choice.score + names.most < best:
                break
            score = choice.score + bearing_score(view, choice.groups, forwards=forwards)
            if score + (names.most if choice.count == Hand.SIZE else 0.0) < best:
                continue
            read = in_order(view, choice.groups, forwards=forwards)
            score += names.weigh(_groups(read), best - score)
            if score > best:
                best, lines = score, read
    return best, _groups(lines), laid_apart(view, lines)


def _groups(lines: Sequence[Line]) -> Groups:
    return tuple(pieces for line in lines for pieces in line)


def _hearts(rows: Sequence[Row], detections: Sequence[Detection]) -> list[Row]:
    """The rows that may be the heart of the hand, best first: long, large, near, sharp; never one of backs."""
    tiles = [detection.tile for detection in detections]
    least = _LEAST_ROW if len(tiles) < _SEVERAL else _LEAST_SET
    faces = [row for row in rows if sum(not tiles[index].is_back for index in row.members) >= least]
    if not faces:
        return []
    largest = max(row.size for row in faces)
    bottom = max(detection.box.y1 for detection in detections)
    sharpest = max(_sharpness(row, detections) for row in faces)

    def fitness(row: Row) -> float:
        length = sum(not tiles[index].is_bonus for index in row.members)
        fit = min(length, Hand.SIZE) / Hand.SIZE - max(0, length - 18) / Hand.SIZE
        backs = sum(tiles[index].is_back for index in row.members) / len(row.members)
        blurred = max(0.0, _EVEN - _sharpness(row, detections) / sharpest) if sharpest else 0.0
        return fit + 0.6 * row.size / largest + 0.3 * row.center[1] / bottom - backs - _BLURRED * blurred

    ranked = sorted(faces, key=fitness, reverse=True)
    return [row for row in ranked if fitness(row) > fitness(ranked[0]) - _MUCH_LESS_FIT]


def _sharpness(row: Row, detections: Sequence[Detection]) -> float:
    """How sharp the tiles of a row are seen, 0 if that is not known."""
    known = [sharp for index in row.members if (sharp := detections[index].sharpness)]
    return median(known) if known else 0.0


def _walls(rows: Sequence[Row], tiles: Sequence[Tile]) -> set[int]:
    """Face-down tiles side by side that are too many for kongs."""
    found: set[int] = set()
    for row in rows:
        faces = sum(not tiles[index].is_back for index in row.members)
        for group in row.groups:
            for back, run in groupby(group, key=lambda index: tiles[index].is_back):
                members = list(run)
                if back and len(members) > (KONG if faces <= 1 else 2 * KONG) and not _in_fours(row, members):
                    found.update(members)
    return found


def _in_fours(row: Row, members: Sequence[int]) -> bool:
    """Whether tiles of a row lie in fours, two to four of them, with more space between than within."""
    at = row.members.index(members[0])
    gaps = row.gaps[at + 1 : at + len(members)]
    between, within = gaps[KONG - 1 :: KONG], [gap for number, gap in enumerate(gaps, 1) if number % KONG]
    return len(members) in range(2 * KONG, 4 * KONG + 1, KONG) and min(between) > max(within) + _BETWEEN_KONGS


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

    sharp = _EVEN * _sharpness(view.main, detections)
    rows = [
        row
        for row in others
        if size(row) > _RIVAL_SIZE * size(view.main) and (_sharpness(row, detections) or sharp) >= sharp
    ]
    longest = max((sum(not detections[index].tile.is_back for index in row.members) for row in rows), default=0)
    return longest if longest >= _RIVAL_TILES else 0
