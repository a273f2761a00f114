"""The hand that a visitor works on: the reading of a photo or of an empty table, and its edits.

Each state is a frozen value, and an edit makes a new one. `at` addresses a tile by the index of its detection.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final

from tilescore.errors import HandError
from tilescore.scoring.context import Context, WinBy
from tilescore.scoring.hand import Hand, MeldKind, kind_of_set
from tilescore.scoring.ruleset import Ruleset
from tilescore.scoring.shapes.winning import OF_ANY_SIZE
from tilescore.scoring.tiles import NORTH, Tile, format_tiles
from tilescore.ui.state.hand.laid import EMPTY_TABLE, hand_on, is_photo, laid
from tilescore.ui.state.hand.order import beside, in_reading_order
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.image.boxes import Box
from tilescore.vision.layout.layout import MeldPlace, Role

_MOST_SETS: Final = 4
_SELF_DRAW: Final = Context(win_by=WinBy.SELF_DRAW)
_SAME: Final = MappingProxyType[int, Any]({})
_DECLARED: Final = frozenset({Role.WINNING, Role.MELD})


@dataclass(frozen=True, slots=True)
class TileGroup:
    """Tiles of the hand shown side by side, by `at`; of a meld one may lie sideways, and a concealed kong is hidden."""

    role: Role
    members: tuple[int, ...]
    turned: int | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """A photo for the page: a JPEG of moderate size, and the upright size of the original."""

    jpeg: bytes = field(repr=False)
    size_wh: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """By which ruleset a link, or the example of a line, scores its hand, with the options that are no defaults."""

    ruleset: str
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """The hand being scored, and the picture it came from."""

    # the reading of the photo, with the person's edits; that of an empty table for a typed hand
    reading: Reading = EMPTY_TABLE
    picture: Picture | None = None
    # faces of kongs that lie face up but that the person marked as concealed
    concealed_kongs: frozenset[Tile] = frozenset()
    unseen: frozenset[int] = frozenset()  # tiles of the reading that the person added without a place on the photo
    arranged: tuple[int, ...] = ()  # concealed tiles in the order in which the person put them
    context: Context = _SELF_DRAW  # how the hand was won
    # what distinguishes this hand from other hands; empty for a sample or a link's hand, which nobody keeps
    id: str = ""
    # the link that brought this hand; None for one of the person's own, or once it is taken over
    linked: Link | None = None

    @staticmethod
    def of(hand: Hand) -> Work:
        """The work on a hand that no photo shows."""
        return Work().with_laid(hand)

    @property
    def on_photo(self) -> bool:
        """Whether the tiles lie on a photo, not on an empty table."""
        return is_photo(self.reading)

    @property
    def hand(self) -> Hand:
        """The hand for scoring; raises HandError if no such hand can exist."""
        hand = hand_on(self.reading, self.reading.layout.order)
        melds = tuple(
            replace(meld, concealed=True, called=None, source=None)
            if meld.kind is MeldKind.KONG and meld.tiles[-1].plain in self.concealed_kongs
            else meld
            for meld in hand.melds
        )
        return replace(hand, melds=melds)

    def lacks_winning_tile(self, whole: int) -> bool:
        """Whether all tiles of a complete hand, so many, are there and only the winning one is not named."""
        try:
            hand = self.hand
        except ValueError:
            return False
        return hand.size == whole and hand.winning_tile is None

    @property
    def size(self) -> int:
        """Tiles of the hand, a kong counted as three."""
        return self.reading.size - sum(self.tile(at).is_bonus for at in self.reading.indices(Role.WINNING))

    @property
    def notation(self) -> str:
        """The hand in one line, as far as it can be written."""
        try:
            return str(self.hand)
        except ValueError:
            return format_tiles(self.tile(at) for at in self.order)

    @property
    def order(self) -> tuple[int, ...]:
        """Every tile of the hand in reading order."""
        return tuple(at for group in self.groups for at in group.members)

    @property
    def groups(self) -> tuple[TileGroup, ...]:
        """The hand as it is shown: concealed tiles as they lie, the winning tile, melds, bonus tiles."""
        rank = (Role.WINNING, Role.MELD, Role.BONUS)
        melds = {place.members: place for place in self.reading.layout.melds}
        groups: list[TileGroup] = []
        loose: list[tuple[int, ...]] = []
        for members in self.reading.layout.groups:
            place = melds.get(members)
            if place is None:
                parts = [(role, tuple(part)) for role, part in groupby(members, key=self.reading.role)]
                loose += [part for role, part in parts if role is Role.CONCEALED]
                groups += [TileGroup(role, part) for role, part in parts if role in rank]
            else:
                marked = len(members) == 4 and self.tile(members[-1]).plain in self.concealed_kongs
                turned = place.called if self.on_photo else None
                groups.append(TileGroup(Role.MELD, members, turned, hidden=place.concealed or marked))
        row = in_reading_order(self.reading, loose, arranged=self.arranged)
        return (*([TileGroup(Role.CONCEALED, row)] if row else []), *sorted(groups, key=lambda g: rank.index(g.role)))

    def tile(self, at: int) -> Tile:
        """The tile at that place; raises HandError if there is none."""
        if not 0 <= at < len(self.reading.detections):
            raise HandError("no_such_tile", f"there is no tile number {at}: choose one that is shown.")
        return self.reading.detections[at].tile

    def role(self, at: int) -> Role:
        """The role of the tile at that place."""
        return self.reading.role(at)

    def box(self, at: int) -> Box | None:
        """The place of that tile on the photo, if it has one."""
        return self.reading.detections[at].box if self.on_photo and at not in self.unseen else None

    def indicators(self, role: Role) -> tuple[Tile, ...]:
        """The tiles of the photo that a person marked as indicators of that role."""
        return tuple(self.tile(at) for at, held in self.reading.fixed_roles if held is role)

    def sets_with(self, at: int) -> tuple[tuple[int, ...], ...]:
        """The melds that this concealed tile can form with others of the hand; the closest tiles come first."""
        free = [index for index in self.order if self.role(index) is Role.CONCEALED]
        if at not in free:
            return ()
        place = {index: position for position, index in enumerate(free)}
        near = sorted((index for index in free if index != at), key=lambda index: abs(place[index] - place[at]))
        sets = {tuple(sorted(members, key=place.__getitem__)) for members in self._sets(at, near)}
        ranked = sorted(sets, key=lambda members: (place[members[-1]] - place[members[0]] - len(members), members))
        return tuple(ranked[:_MOST_SETS])

    def _sets(self, at: int, near: list[int]) -> Iterable[tuple[int, ...]]:
        tile = self.tile(at).plain
        alike = [index for index in near if self.tile(index).plain == tile]
        for number in (2, 3):
            if len(alike) >= number:
                yield (at, *alike[:number])
        if not tile.is_suited:
            return
        for steps in ((-2, -1), (-1, 1), (1, 2)):
            wanted = [(tile.suit, tile.rank + step) for step in steps]
            others = [
                next((i for i in near if (self.tile(i).plain.suit, self.tile(i).plain.rank) == face), None)
                for face in wanted
            ]
            if None not in others:
                yield (at, *(index for index in others if index is not None))

    # Edits: each gives a new value, or raises InputError

    def with_laid(self, hand: Hand) -> Work:
        """The work with that hand on an empty table."""
        kongs = frozenset(meld.tiles[-1].plain for meld in hand.melds if meld.concealed)
        return replace(self, reading=laid(hand), concealed_kongs=kongs, unseen=frozenset(), arranged=())

    def edited(
        self,
        *,
        tiles: Mapping[int, Tile] = _SAME,
        roles: Mapping[int, Role] = _SAME,
        added: Sequence[tuple[Tile, Role | None, Box | None]] = (),
    ) -> Work:
        """The work after several edits.

        Tiles are given by `at`. Without a role, an added tile with a place on the photo gets the role that its place
        gives it, any other one is concealed.
        """
        if not self.on_photo:
            parts = [(tile, Role.BONUS if tile.is_bonus else role or Role.CONCEALED) for tile, role, _ in added]
            hand = hand_on(self.reading, self.order, tiles=tiles, roles=roles, added=parts)
            return replace(self, reading=laid(hand), arranged=())
        number = len(self.reading.detections)
        fresh = {
            at: Role.BONUS if tile.is_bonus else role or Role.CONCEALED
            for at, (tile, role, box) in enumerate(added, start=number)
            if role is not None or box is None
        }
        places = [(box or beside(self.reading), tile) for tile, _, box in added]
        unseen = self.unseen.union(at for at, (_, _, box) in enumerate(added, start=number) if box is None)
        changed = fresh | dict(roles)
        reading = self._settled(
            lambda held: self.reading.edited(tiles=tiles, roles={**held, **changed}, added=places),
            self._rest(changed, tiles),
            stay=_DECLARED if tiles or added else frozenset(Role),
            may_grow=bool(tiles or added) and not self.reading.is_complete,
        )
        return replace(self, reading=reading, unseen=unseen)

    def with_tile(self, at: int, tile: Tile) -> Work:
        """The work with that tile replaced; a kong that lies face down altogether gets its name by two of its tiles."""
        self.tile(at)
        group = next((group.members for group in self.groups if at in group.members and group.role is Role.MELD), ())
        is_hidden = len(group) == 4 and all(self.tile(member).is_back for member in group)
        return self.edited(tiles=dict.fromkeys(group[1:3] if is_hidden else (at,), tile))

    def with_role(self, at: int, role: Role) -> Work:
        """The work with another role for that tile; the tiles of a meld change together."""
        self.tile(at)
        members = next((g.members for g in self.groups if at in g.members and g.role is Role.MELD), (at,))
        if role not in (Role.CONCEALED, Role.MELD):
            members = (at,)
        return self.edited(roles=dict.fromkeys(members, role))

    def with_meld(self, members: tuple[int, ...]) -> Work:
        """The work with those tiles as one declared set, on a photo as several; raises HandError if they form none."""
        faces, work = [self.tile(member) for member in members], self
        if not self.on_photo:
            melds = (*self.reading.layout.melds, MeldPlace(members))
            work = replace(self, reading=replace(self.reading, layout=replace(self.reading.layout, melds=melds)))
        work = work.edited(roles=dict.fromkeys(members, Role.MELD))
        melded = {at for place in work.reading.layout.melds for at in place.members}
        if self.on_photo and not melded >= {*members}:
            text = format_tiles(faces)
            raise HandError("no_such_meld", f"'{text}' is no chow, pung or kong: choose tiles that form one.")
        return work

    def with_roles(self, members: tuple[int, ...], role: Role) -> Work:
        """The work with that role for several tiles at once; only flowers and norths can be bonus tiles."""
        faces = {member: self.tile(member) for member in members}
        if role is Role.MELD:
            return self.with_meld(members)
        wrong = [face for face in faces.values() if role is Role.BONUS and not (face.is_bonus or face is NORTH)]
        if wrong:
            text = format_tiles(wrong)
            raise HandError("no_flower", f"'{text}' is no flower or season: select flowers and seasons alone.")
        roles = {at: Role.BONUS if face.is_bonus and role is not Role.OTHER else role for at, face in faces.items()}
        return self.edited(roles=roles)

    def with_hand(self, members: tuple[int, ...]) -> Work:
        """The work in which these tiles are the hand, and no others; melds among them stay melds."""
        inside = {member: self.tile(member) for member in members}
        kept = {i for place in self.reading.layout.melds if {*place.members} <= {*members} for i in place.members}
        roles = {at: Role.OTHER for at in range(len(self.reading.detections)) if at not in inside}
        for at, face in inside.items():
            stays = at in kept or self.role(at) is Role.WINNING
            roles[at] = Role.BONUS if face.is_bonus else self.role(at) if stays else Role.CONCEALED
        return self.edited(roles=roles)

    def with_moved(self, at: int, before: int | None) -> Work:
        """The work with that concealed tile before another one, at the end for None."""
        row = [index for index in self.order if self.role(index) is Role.CONCEALED]
        if at not in row or (before is not None and before not in row):
            raise HandError("no_such_tile", "only tiles in the hand change places: drag one beside another.")
        if at == before:
            return self
        row.remove(at)
        row.insert(len(row) if before is None else row.index(before), at)
        moved = replace(self, arranged=tuple(row))
        return moved if self.on_photo else moved.edited()

    def with_kong(self, at: int, *, concealed: bool) -> Work:
        """The work with the kong of that tile concealed, or claimed."""
        face = self.tile(at).plain
        kongs = self.concealed_kongs | {face} if concealed else self.concealed_kongs - {face}
        return replace(self, concealed_kongs=kongs)

    def with_added(self, tile: Tile, box: Box | None, role: Role | None = None) -> Work:
        """The work with one more tile; without a box it has no place on the photo."""
        return self.edited(added=((tile, role, box),))

    def without(self, at: int) -> Work:
        """The work without that tile."""
        self.tile(at)
        if not self.on_photo:
            return self.edited(roles={at: Role.OTHER})
        reading = self._settled(
            lambda held: (self.reading.edited(roles=held) if held else self.reading).without(at),
            self._rest({at: Role.OTHER}),
            gone=at,
        )
        return replace(
            self,
            reading=reading,
            unseen=frozenset(index - (index > at) for index in self.unseen if index != at),
            arranged=tuple(index - (index > at) for index in self.arranged if index != at),
        )

    def in_game(self, rules: Ruleset) -> Work:
        """The work under these rules: what they set aside, or those before, has its part anew; the rest stays."""
        aside, before = rules.traits.aside, self.reading
        if not self.on_photo or aside == before.aside:
            return self
        fresh = replace(before, aside=aside, shapes=rules.shapes if aside else OF_ANY_SIZE)
        anew = {at: Role.OTHER for at, one in enumerate(before.detections) if one.tile in aside | before.aside}
        settled = self._settled(lambda held: fresh.edited(roles=held), self._rest(anew), stay=frozenset(Role))
        return replace(self, reading=settled)

    def _rest(self, changed: Mapping[int, Role], renamed: Mapping[int, Tile] = _SAME) -> dict[int, Role]:
        """What all tiles that keep their role are after an edit; of a set, the rest stays one if it is one."""
        order = {*self.order}
        free = {at for at, tile in renamed.items() if tile.is_bonus or at not in order}
        now = {at: self.role(at) for at in range(len(self.reading.detections)) if at not in free}
        roles = {at: role for at, role in now.items() if at not in changed or (at in order and changed[at] is role)}
        if Role.WINNING in changed.values():
            roles = {at: Role.CONCEALED if role is Role.WINNING else role for at, role in roles.items()}
        for place in self.reading.layout.melds:
            members = [at for at in place.members if at in roles]
            faces = tuple(renamed.get(at, self.tile(at)) for at in members)
            is_set = kind_of_set(faces) is not None or (len(faces) == len(place.members) and place.concealed)
            roles |= dict.fromkeys(members, Role.MELD if is_set else Role.CONCEALED)
        return roles

    def _settled(
        self,
        edit: Callable[[Mapping[int, Role]], Reading],
        rest: Mapping[int, Role],
        *,
        gone: int = sys.maxsize,
        stay: frozenset[Role] = _DECLARED,
        may_grow: bool = False,
    ) -> Reading:
        """The reading after that edit, with the rest fixed where the edit has an effect on tiles that it does not name.

        Such a tile leaves the hand, or loses a role that should `stay`, or it joins a hand that may not grow. The edit
        takes the roles to fix; afterwards the tiles behind `gone` have a number one lower.
        """
        after, order = edit(_SAME), {*self.order}
        inside, sets = {*after.layout.order}, {frozenset(place.members) for place in after.layout.melds}
        for place in self.reading.layout.melds:
            is_whole = all(rest.get(at) is Role.MELD for at in place.members)
            if is_whole and frozenset(at - (at > gone) for at in place.members) not in sets:
                return edit(rest)
        for at, role in rest.items() if order else ():
            here = at - (at > gone)
            parted = role in stay and after.role(here) is not role
            if (here not in inside or parted) if at in order else (here in inside and not may_grow):
                return edit(rest)
        return after
