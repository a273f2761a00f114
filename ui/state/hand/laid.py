"""A hand that no photo shows: the reading of an empty table on which its tiles lie, each with its part."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from tilescore.scoring.hand import Hand, Meld, kind_of_set
from tilescore.scoring.tiles import Tile
from tilescore.vision.decoding.doubts import Doubt
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.image.boxes import Box
from tilescore.vision.layout.layout import Layout, MeldPlace, Role

EMPTY_TABLE: Final = replace(
    Reading.of((), photo_name=""), doubts=(Doubt("empty", "no tiles yet: type the hand or photograph it."),)
)


def is_photo(reading: Reading) -> bool:
    """Whether the reading shows a photo, not an empty table."""
    return reading.size_wh != EMPTY_TABLE.size_wh


def laid(hand: Hand) -> Reading:
    """The reading of an empty table on which the tiles of a hand lie in the order of its notation.

    >>> laid(Hand.parse("1123m (789s<9s) +3m &1f")).hand
    Hand.parse('1123m (789s<9s) +3m &1f')
    """
    tiles = [*hand.concealed]
    roles = [Role.CONCEALED] * len(tiles)
    melds: list[MeldPlace] = []
    for meld in hand.melds:
        members = tuple(range(len(tiles), len(tiles) + len(meld.tiles)))
        called = None if meld.called is None else members[meld.tiles.index(meld.called)]
        melds.append(MeldPlace(members, called=called, source=meld.source))
        tiles += meld.tiles
    roles += [Role.MELD] * (len(tiles) - len(roles)) + [Role.BONUS] * len(hand.bonus)
    tiles += hand.bonus
    won = hand.winning_tile
    if won is not None:
        inside = hand.concealed if won in hand.concealed else tiles
        roles[len(inside) - 1 - [*reversed(inside)].index(won)] = Role.WINNING
    seen = tuple(Detection(Box(at, 0, at + 1, 1), 1.0, (Candidate(tile, 1.0),)) for at, tile in enumerate(tiles))
    loose = tuple(at for at, role in enumerate(roles) if role is not Role.MELD)
    groups = tuple(members for members in (loose, *(place.members for place in melds)) if members)
    doubts = () if hand.size else EMPTY_TABLE.doubts
    layout = Layout(tuple(roles), groups, tuple(melds))
    return replace(EMPTY_TABLE, seen=seen, detections=seen, layout=layout, doubts=doubts)


def hand_on(
    reading: Reading,
    order: Sequence[int],
    *,
    tiles: Mapping[int, Tile] = MappingProxyType({}),
    roles: Mapping[int, Role] = MappingProxyType({}),
    added: Iterable[tuple[Tile, Role]] = (),
) -> Hand:
    """The hand that a reading shows, after an edit; tiles of a meld that an edit breaks become concealed.

    `order` has the tiles of its hand in the order of the notation. A tile with the role `OTHER` leaves the hand; an
    added concealed one goes to its place among sorted ones. Raises HandError if no such hand can exist.
    """
    faces = {at: tiles.get(at, detection.tile) for at, detection in enumerate(reading.detections)}
    parts = dict(enumerate(reading.layout.roles))
    if Role.WINNING in roles.values():
        parts = {at: Role.CONCEALED if part is Role.WINNING else part for at, part in parts.items()}
    flowers = {at: Role.BONUS for at, tile in tiles.items() if tile.is_bonus}
    parts |= {at: Role.CONCEALED for at in tiles if parts[at] is Role.BONUS} | flowers | dict(roles)
    melds: list[Meld] = []
    declared: set[int] = set()
    for place in reading.layout.melds:
        left = tuple(at for at in place.members if parts[at] is Role.MELD)
        members = tuple(faces[at] for at in left)
        same = left == place.members and tiles.keys().isdisjoint(left)
        if same or kind_of_set(members) is not None:
            melds.append(_meld(reading, place) if same else Meld.of(members))
            declared.update(left)
    broken = {*roles, *(at for place in reading.layout.melds for at in place.members)} - declared
    parts |= {at: Role.CONCEALED for at in broken if parts[at] is Role.MELD}
    loose = [(faces[at], parts[at]) for at in order]
    for tile, role in added:
        row = [face for face, part in loose if part is Role.CONCEALED]
        later = (at for at, (face, part) in enumerate(loose) if part is Role.CONCEALED and face > tile)
        at = next(later, len(row)) if role is Role.CONCEALED and row == sorted(row) else len(loose)
        loose.insert(at, (tile, role))
    return Hand(
        tuple(face for face, part in loose if part is Role.CONCEALED or (part is Role.WINNING and not face.is_bonus)),
        tuple(melds),
        next((face for face, part in loose if part is Role.WINNING), None),
        tuple(face for face, part in loose if part is Role.BONUS or (part is Role.WINNING and face.is_bonus)),
    )


def _meld(reading: Reading, place: MeldPlace) -> Meld:
    """A declared set, on a table from the player whom the person wrote, be it impossible."""
    meld = reading.meld(place)
    return meld if is_photo(reading) else replace(meld, source=place.source)
