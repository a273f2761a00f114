"""What a photo says: the hand, the part of every tile, and where there is doubt.

A Reading is computed from detections and from what a person has fixed; each edit makes a new Reading, in which the
rest is found anew around what was fixed. `Reading.hand` leads on to scoring.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from scoring.hand import Hand, Meld, MeldKind, kind_of_set
from scoring.tiles import Tile, format_tiles
from vision.detector import Candidate, Detection
from vision.layout import COMPLETE, Layout, MeldPlace, Role, lay_out

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vision.boxes import Box

_SURE: Final = 0.6
"""A tile read with less than this probability is asked about."""
_RIVAL: Final = 0.03
"""Alternatives less probable than this are not offered."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A question worth asking a person.

    Attributes:
        code: `low_confidence`, `too_many_copies`, `face_down_kong`, `winning_tile_unknown`, `tile_count`, `no_tiles`.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Everything read from one photo.

    Attributes:
        photo_name: where the photo came from.
        size_wh: upright size of the photo, pixels.
        model: the network's name and hash.
        seen: tiles in the photo as the network, or a person, named them.
        detections: the same, named so that no tile occurs too often; indices name detections everywhere else.
        layout: the part each plays.
        fixed_roles: parts that a person has fixed, by detection.
        doubts: what to ask.
        timings_ms: how long each stage took, by name.
    """

    photo_name: str
    size_wh: tuple[int, int]
    model: str
    seen: tuple[Detection, ...]
    detections: tuple[Detection, ...]
    layout: Layout
    fixed_roles: tuple[tuple[int, Role], ...] = ()
    doubts: tuple[Doubt, ...] = ()
    timings_ms: tuple[tuple[str, float], ...] = ()

    @staticmethod
    def of(
        detections: Sequence[Detection],
        *,
        photo_name: str = "photo",
        size_wh: tuple[int, int] = (0, 0),
        model: str = "",
        fixed_roles: Mapping[int, Role] | None = None,
    ) -> Reading:
        """The reading of these detections, around what a person has fixed."""
        fixed = dict(fixed_roles or {})
        seen = tuple(detections)
        legal, swapped = _within_set(seen)
        layout = lay_out(legal, fixed)
        doubts = (*_tile_doubts(legal, layout, swapped), *_hand_doubts(legal, layout))
        return Reading(
            photo_name=photo_name,
            size_wh=size_wh,
            model=model,
            seen=seen,
            detections=legal,
            layout=layout,
            fixed_roles=tuple(sorted(fixed.items())),
            doubts=doubts,
        )

    # What it says

    def role(self, index: int) -> Role:
        """The part that detection plays."""
        return self.layout.roles[index]

    def indices(self, role: Role) -> tuple[int, ...]:
        """Detections of one role, in reading order."""
        return tuple(index for index in self.layout.order if self.layout.roles[index] is role)

    @property
    def winning(self) -> int | None:
        """The detection that is the winning tile."""
        found = self.indices(Role.WINNING)
        return found[0] if found else None

    @property
    def concealed(self) -> tuple[int, ...]:
        """Concealed tiles with the winning one, in reading order."""
        return tuple(i for i in self.layout.order if self.layout.roles[i] in (Role.CONCEALED, Role.WINNING))

    @property
    def hand(self) -> Hand:
        """The hand as a value for scoring; raises HandError if no such hand can be."""
        winning = self.winning
        return Hand(
            self._tiles(self.concealed),
            tuple(self.meld(place) for place in self.layout.melds),
            None if winning is None else self.detections[winning].tile,
            self._tiles(self.indices(Role.BONUS)),
        )

    def meld(self, place: MeldPlace) -> Meld:
        """One declared set as a value; raises HandError if its tiles form none."""
        faces = [tile for tile in self._tiles(place.members) if not tile.is_back]
        if place.concealed and faces:
            faces = faces + [faces[0].plain] * (len(place.members) - len(faces))
        kind = kind_of_set(tuple(faces)) or (MeldKind.KONG if len(place.members) == 4 else MeldKind.PUNG)
        called = None if place.called is None else self.detections[place.called].tile
        return Meld(kind, tuple(faces), place.concealed, called, place.source)

    def to_json(self) -> dict[str, Any]:
        """The contract's JSON object of `tilescore read`."""
        winning = self.winning
        return {
            "photo": self.photo_name,
            "size_wh": list(self.size_wh),
            "model": self.model,
            "detections": [self._detection_json(index) for index in range(len(self.detections))],
            "hand": {
                "concealed": format_tiles(self._tiles(self.concealed)),
                "melds": [self._meld_json(place) for place in self.layout.melds],
                "winning_tile": None if winning is None else str(self.detections[winning].tile),
                "bonus": format_tiles(self._tiles(self.indices(Role.BONUS))),
                "groups": [format_tiles(self._tiles(group)) for group in self.layout.groups],
            },
            "tiles_in_order": [str(tile) for tile in self._tiles(self.layout.order)],
            "doubts": [doubt.to_json() for doubt in self.doubts],
            "timings_ms": {name: round(value, 1) for name, value in self.timings_ms},
        }

    # Edits: each gives a new reading

    def with_tile(self, index: int, tile: Tile) -> Reading:
        """That detection is this tile."""
        changed = [*self.seen]
        changed[index] = changed[index].named(tile)
        return self._again(changed, dict(self.fixed_roles))

    def with_role(self, index: int, role: Role) -> Reading:
        """That detection plays this part; a hand has one winning tile."""
        fixed = dict(self.fixed_roles)
        if role is Role.WINNING:
            fixed = {key: (Role.CONCEALED if value is role else value) for key, value in fixed.items()}
        fixed[index] = role
        return self._again(self.seen, fixed)

    def with_added(self, box: Box, tile: Tile) -> Reading:
        """There is one more tile, there."""
        added = Detection(box, (Candidate(tile, 1.0),), 1.0)
        return self._again([*self.seen, added], dict(self.fixed_roles))

    def without(self, index: int) -> Reading:
        """There is no tile there."""
        kept = [detection for position, detection in enumerate(self.seen) if position != index]
        fixed = {key - (key > index): role for key, role in self.fixed_roles if key != index}
        return self._again(kept, fixed)

    def _again(self, detections: Sequence[Detection], fixed: Mapping[int, Role]) -> Reading:
        fresh = Reading.of(
            detections, photo_name=self.photo_name, size_wh=self.size_wh, model=self.model, fixed_roles=fixed
        )
        return replace(fresh, timings_ms=self.timings_ms)

    def _tiles(self, indices: Sequence[int]) -> tuple[Tile, ...]:
        return tuple(self.detections[index].tile for index in indices)

    def _meld_json(self, place: MeldPlace) -> dict[str, Any]:
        try:
            return self.meld(place).to_json()
        except ValueError:  # face down altogether: nobody can know yet
            tiles = format_tiles(self._tiles(place.members))
            return {"kind": "kong", "tiles": tiles, "concealed": True, "called": None, "from": None}

    def _detection_json(self, index: int) -> dict[str, Any]:
        detection = self.detections[index]
        return {
            "tile": str(detection.tile),
            "box_xyxy": [round(value, 1) for value in detection.box.xyxy],
            "confidence": round(detection.confidence, 4),
            "turned": index in self.layout.turned,
            "role": str(self.layout.roles[index]),
            "alternatives": [[str(c.tile), round(c.probability, 4)] for c in detection.candidates[1:]],
        }


def _within_set(detections: tuple[Detection, ...]) -> tuple[tuple[Detection, ...], frozenset[int]]:
    """The likeliest naming in which no tile occurs more often than a set holds it, and which detections it changed.

    A fifth copy takes its likeliest alternative that still has a place; what a person named stays.
    """
    read = list(detections)
    swapped: set[int] = set()
    while True:
        counts = Counter(detection.tile.plain for detection in read)
        swaps = [
            (candidate.probability / detection.candidates[0].probability, index, candidate.tile)
            for index, detection in enumerate(read)
            if counts[detection.tile.plain] > _copies(detection.tile)
            for candidate in detection.candidates[1:]
            if candidate.tile.plain != detection.tile.plain
            and counts[candidate.tile.plain] < _copies(candidate.tile)
            and candidate.probability >= _RIVAL / 3
        ]
        if not swaps:
            return tuple(read), frozenset(swapped)
        _, index, tile = max(swaps, key=lambda swap: (swap[0], -swap[1]))
        read[index] = read[index].read_as(tile)
        swapped.add(index)


def _copies(tile: Tile) -> int:
    """How many a set holds."""
    if tile.is_back:
        return 999
    return 1 if tile.is_bonus else 4


def _tile_doubts(detections: Sequence[Detection], layout: Layout, swapped: frozenset[int]) -> list[Doubt]:
    doubts: list[Doubt] = []
    for index in layout.order:
        detection = detections[index]
        rivals = tuple(c.tile for c in detection.candidates[1:] if c.probability >= _RIVAL)
        if index in swapped:
            message = f"read as {detection.tile}, because four other tiles already are {rivals[0] if rivals else '?'}."
            doubts.append(Doubt("too_many_copies", message, index, rivals))
        elif detection.confidence < _SURE:
            others = " or ".join(str(tile) for tile in rivals)
            message = f"{detection.tile}{f' or {others}' if others else ''}? It is not seen clearly."
            doubts.append(Doubt("low_confidence", message, index, rivals))
    return doubts


def _hand_doubts(detections: Sequence[Detection], layout: Layout) -> list[Doubt]:
    doubts = [
        Doubt("face_down_kong", "a kong lies face down altogether: say which tile it is.", place.members[0])
        for place in layout.melds
        if all(detections[index].tile.is_back for index in place.members)
    ]
    concealed = sum(layout.roles[index] in (Role.CONCEALED, Role.WINNING) for index in layout.order)
    count = concealed + 3 * len(layout.melds)
    if not layout.order:
        return [Doubt("no_tiles", "no hand was found: photograph the row of tiles from closer and in better light.")]
    if count == COMPLETE - 1:
        doubts.append(Doubt("tile_count", "13 tiles: one is missing or hidden, or the hand is not finished."))
    elif count != COMPLETE:
        message = f"{count} tiles (a kong counts three) instead of {COMPLETE}: add what is missing, remove what is not."
        doubts.append(Doubt("tile_count", message))
    elif Role.WINNING not in layout.roles:
        doubts.append(Doubt("winning_tile_unknown", "no tile is set apart: say which one completed the hand."))
    return doubts
