"""Which of the tiles in a picture are the hand, and what part each plays in it, told by where they lie.

The hand is found from its longest row outwards: groups near it join as long as they make up a hand of fourteen (a kong
counts three), the likeliest choice of all. A group is a meld when something in it says so: a tile lies sideways
(claimed: left, middle or right tells from whom), tiles lie face down (concealed kong), one is stacked on another, or
four are equal. Flowers and seasons near the hand are its bonus tiles. A single tile set apart at the right, or turned
and in no meld, is the winning tile. Melds lie to the right of their owner or in front, which tells a hand upside down.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from tilescore.scoring.hand import From, Hand, kind_of_set
from tilescore.vision.layout.assembly import Assembly, assemble
from tilescore.vision.layout.segments import Kind, Piece

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tilescore.scoring.tiles import Tile
    from tilescore.vision.detections import Detection


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
        rival: how many tiles another row holds that might as well be the hand; 0 if there is none.
    """

    roles: tuple[Role, ...]
    groups: tuple[tuple[int, ...], ...]
    melds: tuple[MeldPlace, ...]
    turned: frozenset[int]
    rival: int = 0

    @property
    def order(self) -> tuple[int, ...]:
        """Indices of the hand's tiles in reading order."""
        return tuple(index for group in self.groups for index in group)


_ROLE: Final = {
    Kind.TILE: Role.CONCEALED,
    Kind.WINNING: Role.WINNING,
    Kind.BONUS: Role.BONUS,
    Kind.MELD: Role.MELD,
    Kind.NOTHING: Role.OTHER,
}


def lay_out(
    detections: Sequence[Detection],
    fixed: Mapping[int, Role] | None = None,
    *,
    size_wh: tuple[int, int] = (0, 0),
) -> Layout:
    """Find the hand among everything in the picture and the part of each of its tiles.

    Args:
        detections: everything seen.
        fixed: parts that a person has fixed, by index; the rest is found around them.
        size_wh: upright size of the photo, pixels, if known.
    """
    fixed = fixed or {}
    found = assemble(detections, size_wh)
    pieces = _with_fixed(found.groups, fixed, detections)
    winning = _winning(pieces, fixed, found)
    roles = [Role.OTHER] * len(detections)
    for index in found.indicators:
        roles[index] = Role.DORA_INDICATOR
    melds: list[MeldPlace] = []
    for piece in (piece for group in pieces for piece in group):
        if piece.kind is Kind.MELD:
            melds.append(_place(piece))
        for index in piece.members:
            role = _ROLE[piece.kind]
            roles[index] = Role.CONCEALED if role is Role.WINNING else role
    if winning is not None:
        roles[winning] = Role.WINNING
    for index, role in fixed.items():
        if role is not Role.MELD and roles[index] is not Role.MELD:
            roles[index] = role
    groups = _shown(pieces, roles)
    return Layout(tuple(roles), groups, tuple(melds), found.turned, found.rival)


def _shown(pieces: Sequence[Sequence[Piece]], roles: Sequence[Role]) -> tuple[tuple[int, ...], ...]:
    """The hand's tiles as they lie: melds and bonus tiles are groups of their own."""
    shown: list[tuple[int, ...]] = []
    for group in pieces:
        run: list[int] = []
        last: Kind | None = None
        for piece in group:
            kind = Kind.TILE if piece.kind is Kind.WINNING else piece.kind
            if kind is Kind.MELD or kind is not last:
                shown.append(tuple(run))
                run = []
            run += [index for index in piece.members if roles[index] not in (Role.OTHER, Role.DORA_INDICATOR)]
            last = kind
        shown.append(tuple(run))
    return tuple(group for group in shown if group)


def _place(piece: Piece) -> MeldPlace:
    if piece.called is None:
        return MeldPlace(piece.members, piece.concealed)
    below = tuple(index for index in piece.members if index != piece.on_top)
    return MeldPlace(piece.members, piece.concealed, piece.called, _source(below, piece.called))


def _source(members: tuple[int, ...], called: int) -> From:
    """Left, middle or right: the claimed tile points at the player who threw it."""
    if called == members[0]:
        return From.LEFT
    return From.RIGHT if called == members[-1] else From.ACROSS


def _winning(pieces: Sequence[Sequence[Piece]], fixed: Mapping[int, Role], found: Assembly) -> int | None:
    """The tile that a person named, or a sideways one, or the likeliest of those that lie apart."""
    chosen = [index for index, role in fixed.items() if role is Role.WINNING]
    if chosen:
        return chosen[0]
    flat = [piece for group in pieces for piece in group]
    loose = [piece for piece in flat if piece.kind in (Kind.TILE, Kind.WINNING)]
    if sum(len(piece.members) for piece in loose) % 3 != Hand.SIZE % 3:
        return None
    sideways = [piece.members[0] for piece in loose if piece.kind is Kind.WINNING]
    if sideways:
        return sideways[0]
    return next((index for index in found.apart if any(index in piece.members for piece in loose)), None)


def _with_fixed(
    groups: Sequence[Sequence[Piece]], fixed: Mapping[int, Role], detections: Sequence[Detection]
) -> list[list[Piece]]:
    """The groups with what a person fixed: tiles brought in or taken out, and melds made or undone."""
    if not fixed:
        return [list(group) for group in groups]
    out = {index for index, role in fixed.items() if role is Role.OTHER}
    changed = [[part for piece in group for part in _refixed(piece, fixed, out, detections)] for group in groups]
    inside = {index for group in changed for piece in group for index in piece.members}
    missing = [index for index in fixed if index not in out | inside]
    changed += [[Piece(_kind(index, fixed, detections), (index,))] for index in missing]
    loose = [
        index
        for group in changed
        for piece in group
        for index in piece.members
        if fixed.get(index) is Role.MELD and piece.kind is not Kind.MELD
    ]
    for members in _sets_in(loose, [detection.tile for detection in detections]):
        changed = [[piece for piece in group if piece.members[0] not in members] for group in changed]
        hidden = any(detections[index].tile.is_back for index in members)
        changed.append([Piece(Kind.MELD, members, concealed=hidden)])
    return [group for group in changed if group]


def _kind(index: int, fixed: Mapping[int, Role], detections: Sequence[Detection]) -> Kind:
    if fixed.get(index) is Role.BONUS or detections[index].tile.is_bonus:
        return Kind.BONUS
    return Kind.TILE


def _refixed(
    piece: Piece, fixed: Mapping[int, Role], out: set[int], detections: Sequence[Detection]
) -> Iterable[Piece]:
    """A piece, or its loose tiles if a person took part of it away."""
    roles = {fixed.get(index, Role.MELD) for index in piece.members}
    if piece.kind is Kind.MELD and roles == {Role.MELD}:
        return [piece]
    kept = [index for index in piece.members if index not in out]
    if piece.kind is not Kind.MELD:
        return [
            Piece(piece.kind, (index,)) if index not in fixed else Piece(_kind(index, fixed, detections), (index,))
            for index in kept
        ]
    return [Piece(_kind(index, fixed, detections), (index,)) for index in kept if not detections[index].tile.is_back]


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
