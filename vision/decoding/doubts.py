"""Doubts: questions worth asking a person, about one tile or about the hand."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tilescore.scoring.shapes.winning import Shape, completes, exchanges, lacking
from tilescore.scoring.tiles import Tile
from tilescore.vision.decoding.config import DoubtConfig
from tilescore.vision.decoding.decode import Naming
from tilescore.vision.detections import Detection
from tilescore.vision.layout.layout import Layout, Role


@dataclass(frozen=True, slots=True)
class Doubt:
    """A question worth asking a person.

    Attributes:
        code: about a tile `low_confidence`, `too_many_copies`, `completes_hand`, `face_down_kong`; about the hand
            `winning_tile_unknown`, `tile_count`, `no_tiles`, `no_hand`, `which_hand`, `declared`, `not_a_win`,
            `left_out`.
        detection: index of the tile in doubt; None for a doubt about the hand.
        alternatives: other names of the tile, likeliest first.
        message: one English sentence.
        candidates: for `which_hand` the sets of tiles that may be the hand, the most probable first; for `declared` the
            sets that may be declared.
    """

    code: str
    message: str
    detection: int | None = None
    alternatives: tuple[Tile, ...] = ()
    candidates: tuple[tuple[int, ...], ...] = ()

    @property
    def is_about_sight(self) -> bool:
        """Whether a better view of the tiles may answer it."""
        return self.code not in ("winning_tile_unknown", "face_down_kong")

    def to_json(self) -> dict[str, Any]:
        """The JSON object of a doubt, as docs/json.md describes it."""
        return {
            "detection": self.detection,
            "code": self.code,
            "alternatives": [str(tile) for tile in self.alternatives],
            "message": self.message,
            **({"candidates": [list(some) for some in self.candidates]} if self.candidates else {}),
        }


_CONFIG: Final = DoubtConfig()
_MOST_VERSIONS: Final = 2
LEFT_OUT: Final = Doubt(
    "left_out", "not everything was looked at again, to stay within the budget: read it without a budget."
)
"""The doubt about a hand whose reading a budget cut short."""


def doubts_about(
    seen: Sequence[Detection], naming: Naming, *, size: int, is_win: bool, shapes: frozenset[Shape]
) -> tuple[Doubt, ...]:
    """All doubts, those about tiles first.

    `size` is the number of tiles of the hand, a kong counted as three.
    """
    doubts = [*_tile_doubts(seen, naming), *_hand_doubts(naming, size, shapes)]
    if is_win and not naming.completed:
        doubts += _win_doubts(naming, size, shapes)
    return tuple(doubts)


# Single tiles


def _tile_doubts(seen: Sequence[Detection], naming: Naming) -> Iterator[Doubt]:
    counts = Counter(detection.tile.plain for detection in naming.detections)
    for index in naming.layout.order:
        read, first = naming.detections[index].tile, seen[index]
        marginals = {name.tile: name.probability for name in naming.legal.marginals[index]}
        overruled = read != first.tile
        by_reader, by_rules = first.names[0].probability, marginals.get(read, 0.0)
        probability = _CONFIG.reader_weight * by_reader + (1 - _CONFIG.reader_weight) * by_rules
        if probability * first.presence >= _CONFIG.min_probability and not overruled:
            continue
        alternatives = tuple(
            name.tile
            for name in first.names
            if name.tile != read
            and max(name.probability, marginals.get(name.tile, 0.0)) >= _CONFIG.min_alternative_probability
        )
        if overruled and counts[first.tile.plain] >= first.tile.copies and read.plain != first.tile.plain:
            message = f"read as {read}, because {first.tile.copies} other tiles already are {first.tile}."
            yield Doubt("too_many_copies", message, index, alternatives)
        elif overruled:
            yield Doubt("completes_hand", _why(read, first.tile, naming, index), index, alternatives)
        else:
            others = " or ".join(str(tile) for tile in alternatives)
            why = " With it the hand is complete." if naming.completed else " It is not seen clearly."
            yield Doubt("low_confidence", f"{read}{f' or {others}' if others else ''}?{why}", index, alternatives)


def _why(read: Tile, first: Tile, naming: Naming, index: int) -> str:
    if naming.layout.roles[index] is Role.MELD:
        return f"{read} or {first}? With {read} the meld is a set."
    if not naming.completed:
        return f"{read} or {first}? With {read} the row is in order."
    return f"{read} or {first}? With {read} the hand is complete."


# The hand


def _hand_doubts(naming: Naming, size: int, shapes: frozenset[Shape]) -> Iterator[Doubt]:
    layout, detections = naming.layout, naming.detections
    if not detections:
        yield Doubt("no_tiles", "no tiles found: photograph the row of tiles from closer and in better light.")
        return
    lacks = lacking(size, shapes)
    yield from _which_hand(layout, fits=lacks in (0, 1))
    if not layout.order:
        yield Doubt("no_hand", _why_no_hand(detections))
        return
    for place in layout.melds:
        if all(detections[index].tile.is_back for index in place.members):
            message = "a kong lies face down altogether: say which tile it is."
            yield Doubt("face_down_kong", message, place.members[0])
    if layout.open_sets:
        yield Doubt("declared", "declared or concealed? Say which sets were declared.", candidates=layout.open_sets)
    if lacks == 1:
        yield Doubt("tile_count", f"{size} tiles: one is missing or hidden, or the hand is not finished.")
    elif lacks:
        instead = f"{size} tiles (a kong counts three) instead of {size + lacks}"
        yield Doubt("tile_count", f"{instead}: add what is missing, remove what is not.")
    elif Role.WINNING not in layout.roles:
        yield Doubt("winning_tile_unknown", "no tile is set apart: say which one completed the hand.")


def _which_hand(layout: Layout, *, fits: bool) -> Iterator[Doubt]:
    """Whether the tiles of the hand are in doubt, with the sets of tiles that may be meant.

    Beside the first set, others are offered that are not much less probable, and complete hands that share no tile with
    it or, where it fits no hand, any. At most two versions of a row are offered.
    """
    if not layout.claims:
        return
    first = layout.claims[0]
    offered: list[frozenset[int]] = []
    for claim in layout.claims:
        least = _CONFIG.min_rival_share * first.probability
        if claim.complete and first.members and (claim.members.isdisjoint(first.members) or not fits):
            least = _CONFIG.min_complete_probability
        versions = sum(_are_versions(claim.members, other) for other in offered)
        if claim.members and claim.probability >= least and versions < _MOST_VERSIONS:
            offered.append(claim.members)
    if len(offered) > bool(first.members):
        candidates = tuple(tuple(sorted(members)) for members in offered)
        yield Doubt("which_hand", "which tiles are the hand? Photograph it alone, or say which.", candidates=candidates)


def _are_versions(members: frozenset[int], other: frozenset[int]) -> bool:
    """Whether two sets of tiles are versions of one row: most of their tiles are the same."""
    return 2 * len(members & other) > min(len(members), len(other))


def _why_no_hand(detections: Sequence[Detection]) -> str:
    backs = sum(detection.tile.is_back for detection in detections)
    faces = len(detections) - backs
    if not faces:
        return f"no hand: all {backs} tiles lie face down. Turn the hand over and photograph it again."
    seen = "1 tile" if faces == 1 else f"{faces} tiles"
    if faces < _CONFIG.min_hand_tiles:
        return f"no hand: {seen} in view are too few. Photograph the whole hand from above."
    return f"no hand: none of the {seen} stand out as one. Photograph one hand alone, or say which tiles are yours."


def _win_doubts(naming: Naming, size: int, shapes: frozenset[Shape]) -> Iterator[Doubt]:
    """Why the hand is not the win that a person declares."""
    layout, detections = naming.layout, naming.detections
    concealed = [index for index in layout.order if layout.roles[index] in (Role.CONCEALED, Role.WINNING)]
    tiles = [detections[index].tile for index in concealed]
    if lacking(size, shapes) or any(tile.suit not in "mpsz" for tile in tiles):
        return
    sets = len(layout.melds)
    if completes(tiles, sets, shapes):
        return
    near = [
        (detections[concealed[place]].probability_of(other), concealed[place], other)
        for place, other in exchanges(tiles, sets, shapes)
    ]
    if not near:
        yield Doubt("not_a_win", "not a win: more than one tile away.")
        return
    _, index, other = max(near, key=lambda entry: (entry[0], -entry[1]))
    message = f"not a win: one tile away. With {other} instead of {detections[index].tile} it would be complete."
    yield Doubt("not_a_win", message, index, (other,))
