"""The reading of a photo: the hand, the role of every tile, and the doubts.

A Reading is computed from detections and from what a person has fixed. Each edit makes a new Reading, in which the
layout and the likeliest legal names are found anew around what is fixed. `Reading.hand` is the hand to score.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tilescore.errors import HandError
from tilescore.scoring.hand import From, Hand, Meld, MeldKind, kind_of_set
from tilescore.scoring.shapes.winning import OF_ANY_SIZE, Shape, lacking
from tilescore.scoring.tiles import Tile, format_tiles
from tilescore.vision.decoding.config import DECODING, DecodingConfig
from tilescore.vision.decoding.decode import name_tiles
from tilescore.vision.decoding.doubts import LEFT_OUT, Doubt, doubts_about
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.image.boxes import Box
from tilescore.vision.layout.layout import Layout, MeldPlace, Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Everything read from one photo.

    Attributes:
        size_wh: upright size of the photo, pixels.
        model: name and hash of the network.
        seen: detections with the names of the networks, or of a person.
        detections: these detections with legal names; indices everywhere else are indices of this tuple.
        fixed_roles: roles that a person has fixed, by detection.
        is_win: whether a person declares a win.
        shapes: the forms of a complete hand under the rules of the game.
        aside: faces that the game sets aside like flowers.
        timings_ms: duration of each stage, by name.
        left_out: stages that were left out, because the reading would have taken longer than it may; then there is a
            doubt.
        picture: the photo as a small JPEG, for a notebook; empty if nobody keeps it.
    """

    photo_name: str
    size_wh: tuple[int, int]
    model: str
    seen: tuple[Detection, ...]
    detections: tuple[Detection, ...]
    layout: Layout
    fixed_roles: tuple[tuple[int, Role], ...]
    is_win: bool
    shapes: frozenset[Shape]
    aside: frozenset[Tile]
    config: DecodingConfig
    doubts: tuple[Doubt, ...] = ()
    timings_ms: tuple[tuple[str, float], ...] = field(default=(), compare=False)
    left_out: tuple[str, ...] = ()
    picture: bytes = field(default=b"", repr=False, compare=False)

    @staticmethod
    def of(
        detections: Sequence[Detection],
        *,
        photo_name: str = "photo",
        size_wh: tuple[int, int] = (0, 0),
        model: str = "",
        fixed_roles: Mapping[int, Role] | None = None,
        is_win: bool = False,
        shapes: frozenset[Shape] = OF_ANY_SIZE,
        aside: frozenset[Tile] = frozenset(),
        config: DecodingConfig = DECODING,
    ) -> Reading:
        """The reading of these detections, around what a person has fixed.

        The arguments are those of `Reading`. With a declared win, a complete hand is preferred.
        """
        fixed = dict(fixed_roles or {})
        seen = tuple(detections)
        named = name_tiles(seen, fixed, is_win=is_win, shapes=shapes, aside=aside, size_wh=size_wh, config=config)
        reading = Reading(
            photo_name=photo_name,
            size_wh=size_wh,
            model=model,
            seen=seen,
            detections=named.detections,
            layout=named.layout,
            fixed_roles=tuple(sorted(fixed.items())),
            is_win=is_win,
            shapes=shapes,
            aside=aside,
            config=config,
        )
        doubts = doubts_about(seen, named, size=reading.size, is_win=is_win, shapes=shapes)
        return replace(reading, doubts=doubts)

    # Properties

    def role(self, index: int) -> Role:
        """The role of a detection."""
        return self.layout.roles[index]

    def indices(self, role: Role) -> tuple[int, ...]:
        """The detections of one role, in reading order."""
        return tuple(index for index in self.layout.order if self.layout.roles[index] is role)

    @property
    def winning(self) -> int | None:
        """The detection of the winning tile; None if there is none."""
        found = self.indices(Role.WINNING)
        return found[0] if found else None

    @property
    def concealed(self) -> tuple[int, ...]:
        """The concealed tiles and the winning tile, in reading order."""
        return tuple(i for i in self.layout.order if self.layout.roles[i] in (Role.CONCEALED, Role.WINNING))

    @property
    def size(self) -> int:
        """Tiles of its hand, a kong counted as three."""
        return len(self.concealed) + 3 * len(self.layout.melds)

    @property
    def is_complete(self) -> bool:
        """Whether the hand has as many tiles as a complete one, a kong counted as three."""
        return not lacking(self.size, self.shapes)

    @property
    def hand(self) -> Hand:
        """The hand as a value for scoring; raises HandError if the hand is impossible."""
        winning = self.winning
        return Hand(
            self._tiles(self.concealed),
            tuple(self.meld(place) for place in self.layout.melds),
            None if winning is None else self.detections[winning].tile,
            self._tiles(self.indices(Role.BONUS)),
        )

    def meld(self, place: MeldPlace) -> Meld:
        """A declared set as a value; raises HandError if its tiles form no set."""
        faces = [tile for tile in self._tiles(place.members) if not tile.is_back]
        if not faces:
            message = "all tiles of a kong lie face down: name its tiles, or turn two of them up for another photo."
            raise HandError("face_down_kong", message)
        if place.concealed:
            faces = faces + [faces[0].plain] * (len(place.members) - len(faces))
        kind = kind_of_set(tuple(faces)) or (MeldKind.KONG if len(place.members) == 4 else MeldKind.PUNG)
        called = None if place.called is None else self.detections[place.called].tile
        legal = kind is not MeldKind.CHOW or place.source is From.LEFT
        source = place.source if legal else None  # not every table turns the claimed tile to its player
        return Meld(kind, tuple(faces), place.concealed, called, source)

    def to_json(self) -> dict[str, Any]:
        """The JSON object of `tilescore read`."""
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
            "timings_ms": {name: round(value, 1) for name, value in self.timings_ms} | {"left_out": [*self.left_out]},
        }

    def done(self, timings_ms: Sequence[tuple[str, float]], *, left_out: Iterable[str] = ()) -> Reading:
        """The reading with what it took, and with a doubt if a budget left stages out."""
        stages = tuple(left_out)
        doubts = (*self.doubts, LEFT_OUT) if stages else self.doubts
        return replace(self, timings_ms=tuple(timings_ms), left_out=stages, doubts=doubts)

    # Edits, each of which makes a new reading

    def with_role(self, index: int, role: Role) -> Reading:
        """The reading in which that detection has this role; a hand has one winning tile."""
        return self.edited(roles={index: role})

    def edited(
        self,
        *,
        tiles: Mapping[int, Tile] | None = None,
        roles: Mapping[int, Role] | None = None,
        added: Sequence[tuple[Box, Tile]] = (),
    ) -> Reading:
        """The reading after several edits, for which layout and names are found once.

        Detections are given by index; added tiles, which nobody detected, follow the present ones.
        """
        tiles, roles = tiles or {}, roles or {}
        changed = [one.named(tiles[index]) if index in tiles else one for index, one in enumerate(self.seen)]
        changed += [Detection(box, 1.0, (Candidate(tile, 1.0),)) for box, tile in added]
        fixed = dict(self.fixed_roles)
        if Role.WINNING in roles.values():
            fixed = {index: Role.CONCEALED if role is Role.WINNING else role for index, role in fixed.items()}
        return self._again(changed, fixed | dict(roles))

    def without(self, index: int) -> Reading:
        """The reading without that detection."""
        kept = [detection for position, detection in enumerate(self.seen) if position != index]
        fixed = {key - (key > index): role for key, role in self.fixed_roles if key != index}
        return self._again(kept, fixed)

    def with_win(self, is_win: bool = True) -> Reading:  # noqa: FBT001, FBT002
        """The reading in which the person declares a win, or takes the declaration back."""
        return self.in_game(self.shapes, aside=self.aside, is_win=is_win)

    def in_game(self, shapes: frozenset[Shape], *, aside: frozenset[Tile], is_win: bool) -> Reading:
        """The reading under the rules of a game: forms of a complete hand, faces that are set aside, win or not."""
        return replace(self, shapes=shapes, aside=aside, is_win=is_win).edited()

    def without_indicators(self) -> Reading:
        """The reading for a game without dora: what looks like an indicator is a tile outside the hand."""
        shown = (Role.DORA_INDICATOR, Role.URA_INDICATOR)
        roles = tuple(Role.OTHER if role in shown else role for role in self.layout.roles)
        return replace(self, layout=replace(self.layout, roles=roles))

    def _again(self, detections: Sequence[Detection], fixed: Mapping[int, Role]) -> Reading:
        fresh = Reading.of(
            detections,
            photo_name=self.photo_name,
            size_wh=self.size_wh,
            model=self.model,
            fixed_roles=fixed,
            is_win=self.is_win,
            shapes=self.shapes,
            aside=self.aside,
            config=self.config,
        )
        return replace(fresh.done(self.timings_ms, left_out=self.left_out), picture=self.picture)

    def _repr_html_(self) -> str:
        from tilescore.vision.decoding.notebook import html_of  # OpenCV

        return html_of(self.detections, self.layout, self.doubts, picture=self.picture, size_wh=self.size_wh)

    def _tiles(self, indices: Sequence[int]) -> tuple[Tile, ...]:
        return tuple(self.detections[index].tile for index in indices)

    def _meld_json(self, place: MeldPlace) -> dict[str, Any]:
        try:
            return self.meld(place).to_json()
        except ValueError:  # a kong of backs alone has no tile yet
            tiles = format_tiles(self._tiles(place.members))
            return {"kind": "kong", "tiles": tiles, "concealed": True, "called": None, "from": None}

    def _detection_json(self, index: int) -> dict[str, Any]:
        entry = self.detections[index].to_json()
        turned, role, others = index in self.layout.turned, str(self.layout.roles[index]), entry.pop("alternatives")
        return {**entry, "turned": turned, "role": role, "alternatives": others}
