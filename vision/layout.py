"""Which of the tiles in a picture are the hand, and what part each plays in it, told by where they lie.

The hand is the row that is long, large and near the person who took the picture. Gaps part it into groups. A group
is a meld when something in it says so: a tile lies sideways (claimed: left, middle or right tells from whom), tiles
lie face down (concealed kong), one is stacked on another, or four are equal. Flowers and seasons near the hand are
its bonus tiles. A single tile set apart, or turned and in no meld, is the winning tile.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from scoring.hand import From, MeldKind, kind_of_set
from vision.rows import Row, find_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoring.tiles import Tile
    from vision.boxes import Box
    from vision.detector import Detection

COMPLETE: Final = 14
"""Tiles of a finished hand, a kong counted as three."""
_NEAR: Final = 3.6
"""How far from the hand's rows, in tile sizes, other tiles of it may lie."""
_LEAST_ROW: Final = 4


class Role(StrEnum):
    """What part a tile in the picture plays."""

    CONCEALED = "concealed"
    MELD = "meld"
    WINNING = "winning"
    BONUS = "bonus"
    DORA_INDICATOR = "dora_indicator"
    OTHER = "other"
    """Walls, discards, another player's tiles: seen, but not part of the hand."""


@dataclass(frozen=True, slots=True)
class MeldPlace:
    """A meld as it lies.

    Attributes:
        members: indices of its detections, in reading order.
        concealed: whether it is a concealed kong.
        called: which of the detections is the claimed tile, if one lies sideways.
        source: whose discard it was, told by where the sideways tile lies.
    """

    members: tuple[int, ...]
    concealed: bool = False
    called: int | None = None
    source: From | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """The parts of all detections of one picture.

    Attributes:
        roles: one for each detection.
        groups: indices of the hand's tiles as they lie, one tuple for each group that stands apart.
        melds: the declared sets.
        turned: indices of detections that lie sideways to their row.
    """

    roles: tuple[Role, ...]
    groups: tuple[tuple[int, ...], ...]
    melds: tuple[MeldPlace, ...]
    turned: frozenset[int]

    @property
    def order(self) -> tuple[int, ...]:
        """Indices of the hand's tiles in reading order."""
        return tuple(index for group in self.groups for index in group)


def lay_out(detections: Sequence[Detection], fixed: Mapping[int, Role] | None = None) -> Layout:
    """Find the hand among everything in the picture and the part of each of its tiles.

    Args:
        detections: everything seen.
        fixed: parts that a person has fixed, by index; the rest is found around them.
    """
    boxes = [detection.box for detection in detections]
    tiles = [detection.tile for detection in detections]
    rows = find_rows(boxes)
    turned = frozenset(
        index for row in rows for index, sideways in zip(row.members, row.turned, strict=True) if sideways
    )
    draft = _Draft(tiles, boxes, turned, fixed or {})
    for row in _hand_rows(rows, tiles, boxes):
        draft.take_row(row)
    draft.take_fixed()
    draft.find_melds()
    draft.find_winning_tile()
    return draft.finish()


def _hand_rows(rows: Sequence[Row], tiles: Sequence[Tile], boxes: Sequence[Box]) -> list[Row]:
    """The hand's rows in reading order: the main one, and what lies near it as long as tiles are missing."""
    main = _main_row(rows, tiles, boxes)
    if main is None:
        return []
    chosen = [main]
    missing = COMPLETE - _count(main.members, tiles)
    for row in sorted((row for row in rows if row is not main), key=lambda row: _distance(row, main, boxes)):
        if _distance(row, main, boxes) > _NEAR or not 0.62 < row.size / main.size < 1.5:
            continue
        count = _count(row.members, tiles)
        all_bonus = all(tiles[index].is_bonus for index in row.members)
        # A row that cannot belong to a complete hand is somebody's discards or a wall.
        if _completes_kong(row, chosen, tiles, boxes):
            chosen.append(row)
        elif all_bonus or (0 < count <= missing and not all(tiles[index].is_back for index in row.members)):
            chosen.append(row)
            missing -= count
    across = max(chosen, key=lambda row: len(row.members)).direction
    normal = (-across[1], across[0]) if abs(across[0]) >= abs(across[1]) else (across[1], -across[0])

    def place(row: Row) -> tuple[int, float]:
        """Rows from far to near, and along the reading direction within one line."""
        depth = (row.center[0] - main.center[0]) * normal[0] + (row.center[1] - main.center[1]) * normal[1]
        along = row.center[0] * across[0] + row.center[1] * across[1]
        return round(depth / (main.size * 0.8)), along

    return sorted(chosen, key=place)


def _completes_kong(row: Row, chosen: Sequence[Row], tiles: Sequence[Tile], boxes: Sequence[Box]) -> bool:
    """Whether the row is one tile lying on, or right beside, an equal sideways one: the fourth of an added kong."""
    if len(row.members) != 1:
        return False
    single = row.members[0]
    return any(
        sideways and tiles[index].plain == tiles[single].plain and _touch(boxes[index], boxes[single])
        for other in chosen
        for index, sideways in zip(other.members, other.turned, strict=True)
    )


def _touch(first: Box, second: Box) -> bool:
    return math.dist(first.center, second.center) < 1.4 * max(first.height, first.width)


def _main_row(rows: Sequence[Row], tiles: Sequence[Tile], boxes: Sequence[Box]) -> Row | None:
    """The row that is the hand: long, large, near; never one of backs."""
    faces = [row for row in rows if sum(not tiles[index].is_back for index in row.members) >= _LEAST_ROW]
    if not faces:
        return None
    largest = max(row.size for row in faces)
    bottom = max(box.y1 for box in boxes)

    def fitness(row: Row) -> float:
        length = _count(row.members, tiles)
        fit = min(length, COMPLETE) / COMPLETE - max(0, length - 18) / COMPLETE
        backs = sum(tiles[index].is_back for index in row.members) / len(row.members)
        return fit + 0.6 * row.size / largest + 0.3 * row.center[1] / bottom - backs

    return max(faces, key=fitness)


def _count(members: Sequence[int], tiles: Sequence[Tile]) -> int:
    """How many tiles of a hand these are: bonus tiles not counted, four equal ones or a face-down kong as three."""
    plain = Counter(tiles[index].plain for index in members if not tiles[index].is_bonus)
    backs = sum(number for tile, number in plain.items() if tile.is_back)
    faces = sum(number for tile, number in plain.items() if not tile.is_back)
    return faces + backs - (1 if backs in (2, 4) else 0)


def _distance(row: Row, main: Row, boxes: Sequence[Box]) -> float:
    """Smallest distance between midpoints of the two rows' tiles, in tile sizes."""
    nearest = min(math.dist(boxes[a].center, boxes[b].center) for a in row.members for b in main.members)
    return nearest / max(row.size, main.size)


@dataclass(slots=True)
class _Draft:
    """The layout while it is being found."""

    tiles: Sequence[Tile]
    boxes: Sequence[Box]
    turned: frozenset[int]
    fixed: Mapping[int, Role]
    groups: list[tuple[int, ...]] = field(default_factory=list)
    melds: list[MeldPlace] = field(default_factory=list)
    winning: int | None = None

    def take_row(self, row: Row) -> None:
        """Add a row's groups; bonus tiles at their edges become groups of their own."""
        for group in row.groups:
            self.groups += self._without_bonus_edges(group)

    def _without_bonus_edges(self, group: tuple[int, ...]) -> list[tuple[int, ...]]:
        first, last = 0, len(group)
        while first < last and self.tiles[group[first]].is_bonus:
            first += 1
        while last > first and self.tiles[group[last - 1]].is_bonus:
            last -= 1
        return [part for part in (group[:first], group[first:last], group[last:]) if part]

    def take_fixed(self) -> None:
        """Bring what a person fixed into the hand or out of it, and make melds of what they called melded."""
        out = {index for index, role in self.fixed.items() if role is Role.OTHER}
        inside = {index for group in self.groups for index in group}
        missing = [index for index in self.fixed if index not in out | inside]
        parts = [tuple(index for index in group if index not in out) for group in self.groups]
        self.groups = [part for part in parts if part] + [(index,) for index in missing]
        melded = [index for group in self.groups for index in group if self.fixed.get(index) is Role.MELD]
        for members in _sets_in(melded, self.tiles):
            rest = [tuple(index for index in group if index not in members) for group in self.groups]
            self.groups = [*(group for group in rest if group), members]
            sideways = [index for index in members if index in self.turned]
            called, source = (sideways[0], _source(members, sideways[0])) if sideways else (None, None)
            self.melds.append(MeldPlace(members, any(self.tiles[i].is_back for i in members), called, source))

    def find_melds(self) -> None:
        """Turn groups, or the ends of groups, into melds where something about them says so."""
        self._join_stacked()
        declared = {index for meld in self.melds for index in meld.members}
        for group in tuple(self.groups):
            if declared.intersection(group) or any(self.fixed.get(index) is Role.CONCEALED for index in group):
                continue
            meld = self._meld_of(group)
            if meld is not None:
                self.melds.append(meld)
            else:
                self._split_off_melds(group)

    def _join_stacked(self) -> None:
        """A single tile on or beside a turned one, equal to it, is the fourth of an added kong."""
        for single in [group for group in self.groups if len(group) == 1]:
            for position, group in enumerate(self.groups):
                near = [i for i in group if i in self.turned and _touch(self.boxes[i], self.boxes[single[0]])]
                if len(group) == 3 and near and self.tiles[near[0]].plain == self.tiles[single[0]].plain:
                    at = group.index(near[0]) + 1
                    self.groups[position] = (*group[:at], single[0], *group[at:])
                    self.groups.remove(single)
                    break

    def _meld_of(self, group: tuple[int, ...]) -> MeldPlace | None:
        """The meld that a whole group is, if it shows itself as one."""
        if len(group) not in (3, 4):
            return None
        backs = sum(self.tiles[index].is_back for index in group)
        faces = [self.tiles[index].plain for index in group if not self.tiles[index].is_back]
        if len(group) == 4 and backs in (2, 4) and len(set(faces)) <= 1:
            return MeldPlace(group, concealed=True)
        if backs:
            return None
        kind = kind_of_set(tuple(faces))
        if kind is None:
            return None
        sideways = [index for index in group if index in self.turned]
        if sideways:
            return MeldPlace(group, called=sideways[0], source=_source(group, sideways[0]))
        return MeldPlace(group) if kind is MeldKind.KONG else None

    def _split_off_melds(self, group: tuple[int, ...]) -> None:
        """Melds pushed against the concealed tiles without a gap: those with a sideways or face-down tile."""
        position = 0
        parts: list[tuple[int, ...]] = []
        start = 0
        while position < len(group):
            window = next(
                (
                    group[position : position + length]
                    for length in (4, 3)
                    if len(group) - position >= length
                    and len(group) > length
                    and self._shows_itself(group[position : position + length])
                ),
                None,
            )
            if window is None:
                position += 1
                continue
            meld = self._meld_of(window)
            if meld is not None:
                parts += [part for part in (group[start:position], window) if part]
                self.melds.append(meld)
                position += len(window)
                start = position
        if parts:
            rest = [group[start:]] if start < len(group) else []
            at = self.groups.index(group)
            self.groups[at : at + 1] = parts + rest

    def _shows_itself(self, window: tuple[int, ...]) -> bool:
        marked = any(index in self.turned or self.tiles[index].is_back for index in window)
        return marked and self._meld_of(window) is not None

    def find_winning_tile(self) -> None:
        """A single tile set apart at the end of the concealed ones, or a turned one among them."""
        chosen = [index for index, role in self.fixed.items() if role is Role.WINNING]
        if chosen:
            self.winning = chosen[0]
            return
        melded = {index for meld in self.melds for index in meld.members}
        concealed = [
            index
            for group in self.groups
            for index in group
            if index not in melded and not self.tiles[index].is_bonus and not self.tiles[index].is_back
        ]
        if len(concealed) % 3 != 2:
            return
        singles = [group[0] for group in self.groups if len(group) == 1 and group[0] in concealed]
        turned = [index for index in concealed if index in self.turned]
        for candidates in (turned, singles):
            if len(candidates) == 1:
                self.winning = candidates[0]
                return

    def finish(self) -> Layout:
        """The finished value."""
        melded = {index for meld in self.melds for index in meld.members}
        roles = [Role.OTHER] * len(self.tiles)
        kept: list[tuple[int, ...]] = []
        for group in self.groups:
            inside: list[int] = []
            for index in group:
                roles[index] = self._role(index, melded)
                if roles[index] is not Role.OTHER:
                    inside.append(index)
            if inside:
                kept.append(tuple(inside))
        return Layout(tuple(roles), tuple(kept), tuple(self.melds), self.turned)

    def _role(self, index: int, melded: set[int]) -> Role:
        if self.fixed.get(index, Role.MELD) is not Role.MELD and index not in melded:
            return self.fixed[index]
        if index in melded:
            return Role.MELD
        if index == self.winning:
            return Role.WINNING
        if self.tiles[index].is_bonus:
            return Role.BONUS
        return Role.OTHER if self.tiles[index].is_back else Role.CONCEALED


def _sets_in(members: Sequence[int], tiles: Sequence[Tile]) -> list[tuple[int, ...]]:
    """Cut tiles that a person called melded, in reading order, into kongs, pungs and chows; what is left is dropped."""
    sets: list[tuple[int, ...]] = []
    rest = list(members)
    while len(rest) >= 3:
        for length in (4, 3):
            faces = [tiles[index] for index in rest[:length] if not tiles[index].is_back]
            hidden = length == 4 and len(faces) < 4 and len({tile.plain for tile in faces}) <= 1
            if len(rest) >= length and (hidden or kind_of_set(tuple(faces)) is not None):
                sets.append(tuple(rest[:length]))
                del rest[:length]
                break
        else:
            del rest[0]
    return sets


def _source(group: tuple[int, ...], turned: int) -> From:
    """Left, middle or right: the claimed tile points at the player who threw it."""
    if turned == group[0]:
        return From.LEFT
    return From.RIGHT if turned == group[-1] else From.ACROSS
