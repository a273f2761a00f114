"""What is not clear in a photo, as questions worth asking: about one tile, or about the hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tilescore.scoring.shapes.winning import UNIT, is_win, pack
from tilescore.scoring.tiles import PLAYING_TILES
from tilescore.vision.layout.layout import COMPLETE, Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tilescore.scoring.shapes.winning import Shape
    from tilescore.scoring.tiles import Tile
    from tilescore.vision.decoding.decode import Naming
    from tilescore.vision.detections import Detection

_SURE: Final = 0.86
"""A tile whose name is less probable than this, all rules considered, is asked about."""
_EYE: Final = 0.3
"""So much of that probability is what the reader alone says: rules and order may agree on a wrong name by chance."""
_RIVAL: Final = 0.03
"""Alternatives less probable than this are not offered."""
_MOST: Final = 18
"""More tiles than this are no single hand."""
_MANY: Final = 60
"""So many tiles are a tray or a whole table, not a hand."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A question worth asking a person.

    Attributes:
        code: about a tile `low_confidence`, `too_many_copies`, `completes_hand`, `face_down_kong`; about the hand
            `winning_tile_unknown`, `tile_count`, `no_tiles`, `two_hands`, `not_a_win`.
        detection: index of the tile it is about; None when it is about the hand.
        alternatives: what else the tile may be, likeliest first.
        message: one English sentence.
    """

    code: str
    message: str
    detection: int | None = None
    alternatives: tuple[Tile, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The contract's JSON object."""
        return {
            "detection": self.detection,
            "code": self.code,
            "alternatives": [str(tile) for tile in self.alternatives],
            "message": self.message,
        }


def doubts_about(
    seen: Sequence[Detection], naming: Naming, *, is_win: bool, shapes: frozenset[Shape]
) -> tuple[Doubt, ...]:
    """All questions, those about tiles first."""
    asked = [*_tile_doubts(seen, naming), *_hand_doubts(naming)]
    if is_win and not naming.completed:
        asked += _win_doubts(naming, shapes)
    return tuple(asked)


# About single tiles


def _tile_doubts(seen: Sequence[Detection], naming: Naming) -> Iterator[Doubt]:
    counts = Counter(detection.tile.plain for detection in naming.detections)
    for index in naming.layout.order:
        read, first = naming.detections[index].tile, seen[index]
        shares = {name.tile: name.probability for name in naming.legal.chances[index]}
        there = first.presence
        overruled = read != first.tile
        sure = _EYE * first.names[0].probability + (1 - _EYE) * shares.get(read, 0.0)
        if sure * there >= _SURE and not overruled:
            continue
        rivals = tuple(
            name.tile
            for name in first.names
            if name.tile != read and max(name.probability, shares.get(name.tile, 0.0)) >= _RIVAL
        )
        if overruled and counts[first.tile.plain] >= first.tile.copies and read.plain != first.tile.plain:
            message = f"read as {read}, because {first.tile.copies} other tiles already are {first.tile}."
            yield Doubt("too_many_copies", message, index, rivals)
        elif overruled:
            yield Doubt("completes_hand", _why(read, first.tile, naming, index), index, rivals)
        else:
            others = " or ".join(str(tile) for tile in rivals)
            why = " With it the hand is complete." if naming.completed else " It is not seen clearly."
            yield Doubt("low_confidence", f"{read}{f' or {others}' if others else ''}?{why}", index, rivals)


def _why(read: Tile, first: Tile, naming: Naming, index: int) -> str:
    if naming.layout.roles[index] is Role.MELD:
        return f"{read} or {first}? With {read} the meld is a set."
    if not naming.completed:
        return f"{read} or {first}? With {read} the row is in order."
    return f"{read} or {first}? With {read} the hand is complete."


# About the hand


def _hand_doubts(naming: Naming) -> Iterator[Doubt]:
    layout, detections = naming.layout, naming.detections
    if not layout.order:
        yield Doubt("no_tiles", _nothing(detections))
        return
    for place in layout.melds:
        if all(detections[index].tile.is_back for index in place.members):
            message = "a kong lies face down altogether: say which tile it is."
            yield Doubt("face_down_kong", message, place.members[0])
    if layout.rival and len(detections) > _MANY:
        yield Doubt("two_hands", f"{len(detections)} tiles in many rows: which is the hand? Photograph it alone.")
    elif layout.rival:
        yield Doubt("two_hands", "two hands in the picture: which one? Photograph it alone, or remove the other.")
    count = sum(layout.roles[index] in (Role.CONCEALED, Role.WINNING) for index in layout.order)
    count += 3 * len(layout.melds)
    if count == COMPLETE - 1:
        yield Doubt("tile_count", "13 tiles: one is missing or hidden, or the hand is not finished.")
    elif count != COMPLETE:
        message = f"{count} tiles (a kong counts three) instead of {COMPLETE}: add what is missing, remove what is not."
        yield Doubt("tile_count", message)
    elif Role.WINNING not in layout.roles:
        yield Doubt("winning_tile_unknown", "no tile is set apart: say which one completed the hand.")


def _nothing(detections: Sequence[Detection]) -> str:
    backs = sum(detection.tile.is_back for detection in detections)
    if backs and backs == len(detections):
        return f"{backs} tiles, all face down: turn the hand over and photograph it again."
    if detections:
        faces = len(detections) - backs
        if faces > _MOST:
            return f"{faces} tiles in no clear row: photograph one hand alone."
        seen = "one tile is" if faces == 1 else f"{faces} tiles are"
        return f"{seen} too few for a hand: photograph the whole row from above."
    return "no hand was found: photograph the row of tiles from closer and in better light."


def _win_doubts(naming: Naming, shapes: frozenset[Shape]) -> Iterator[Doubt]:
    """How far the hand is from the win that it was said to be."""
    layout, detections = naming.layout, naming.detections
    concealed = [index for index in layout.order if layout.roles[index] in (Role.CONCEALED, Role.WINNING)]
    tiles = [detections[index].tile for index in concealed]
    if len(tiles) + 3 * len(layout.melds) != COMPLETE or any(tile.suit not in "mpsz" for tile in tiles):
        return
    packed, sets = pack(tiles), len(layout.melds)
    if is_win(packed, sets, shapes):
        return
    near = [
        (_chance(detections[index], other), index, other)
        for index, tile in zip(concealed, tiles, strict=True)
        for other in PLAYING_TILES
        if other != tile.plain and is_win(packed - UNIT[tile] + UNIT[other], sets, shapes)
    ]
    if not near:
        yield Doubt("not_a_win", "not a win: more than one tile away.")
        return
    _, index, other = max(near, key=lambda entry: (entry[0], -entry[1]))
    message = f"not a win: one tile away. With {other} instead of {detections[index].tile} it would be complete."
    yield Doubt("not_a_win", message, index, (other,))


def _chance(detection: Detection, tile: Tile) -> float:
    return max((name.probability for name in detection.names if name.tile.plain == tile), default=0.0)
