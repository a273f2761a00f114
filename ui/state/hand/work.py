"""The hand that a visitor works on: the reading of a photo or a typed hand, and its edits.

Each state is a frozen value, and an edit makes a new one. `at` addresses a tile: in a reading the index of the
detection, in a typed hand the place.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import groupby
from typing import TYPE_CHECKING, Final

from tilescore.errors import HandError
from tilescore.scoring.context import Context, WinBy
from tilescore.scoring.hand import Hand, MeldKind, kind_of_set
from tilescore.scoring.tiles import Tile, format_tiles
from tilescore.ui.state.hand.order import beside, in_reading_order
from tilescore.ui.state.hand.typed_hand import TypedTile, hand_of_tiles, sorted_in, tiles_of_hand
from tilescore.vision.layout.layout import Role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tilescore.vision.decoding.reading import Reading
    from tilescore.vision.image.boxes import Box

_MOST_SETS: Final = 4
_NO_HAND: Final = Hand(())
_SELF_DRAW: Final = Context(win_by=WinBy.SELF_DRAW)


@dataclass(frozen=True, slots=True)
class TileGroup:
    """Tiles of the hand shown side by side.

    Attributes:
        role: concealed, winning, meld or bonus.
        members: `at` of each tile.
        turned: `at` of the tile that lies sideways.
        hidden: whether it is a concealed kong.
    """

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
class Work:
    """The hand being scored, and the picture it came from.

    Attributes:
        typed: the typed hand, if there is no photo.
        reading: the reading of the photo, with the person's edits.
        picture: the photo.
        concealed_kongs: faces of kongs that lie face up but that the person marked as concealed.
        unseen: tiles of the reading that the person added without a place on the photo.
        arranged: concealed tiles in the order in which the person put them.
        context: how the hand was won.
        id: what distinguishes this hand from other hands; empty for a sample or a link's hand, which nobody keeps.
        linked: whether a link brought this hand and the person has not taken it over.
    """

    typed: Hand = _NO_HAND
    reading: Reading | None = None
    picture: Picture | None = None
    concealed_kongs: frozenset[Tile] = frozenset()
    unseen: frozenset[int] = frozenset()
    arranged: tuple[int, ...] = ()
    context: Context = _SELF_DRAW
    id: str = ""
    linked: bool = False

    @property
    def hand(self) -> Hand:
        """The hand for scoring; raises HandError if no such hand can exist."""
        if self.reading is None:
            return self.typed
        hand = self.reading.hand
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
        return self.typed.size if self.reading is None else self.reading.size

    @property
    def notation(self) -> str:
        """The hand in one line, as far as it can be written."""
        try:
            return str(self.hand)
        except ValueError:
            return format_tiles(self.tile(at) for at in self.order)

    @property
    def typed_tiles(self) -> tuple[TypedTile, ...]:
        """The typed hand, tile by tile."""
        return tiles_of_hand(self.typed)

    @property
    def order(self) -> tuple[int, ...]:
        """Every tile of the hand in reading order."""
        return tuple(at for group in self.groups for at in group.members)

    @property
    def groups(self) -> tuple[TileGroup, ...]:
        """The hand as it is shown: concealed tiles as they lie, melds, the winning tile, bonus tiles."""
        groups = self._typed_groups() if self.reading is None else self._read_groups(self.reading)
        rank = (Role.CONCEALED, Role.WINNING, Role.MELD, Role.BONUS)
        return tuple(
            sorted((group for group in groups if group.role in rank), key=lambda group: rank.index(group.role))
        )

    def tile(self, at: int) -> Tile:
        """The tile at that place; raises HandError if there is none."""
        faces = [typed.tile for typed in self.typed_tiles] if self.reading is None else self.reading.detections
        if not 0 <= at < len(faces):
            raise HandError("no_such_tile", f"there is no tile number {at}: choose one that is shown.")
        face = faces[at]
        return face if isinstance(face, Tile) else face.tile

    def role(self, at: int) -> Role:
        """The role of the tile at that place."""
        return self.typed_tiles[at].role if self.reading is None else self.reading.role(at)

    def indicators(self, role: Role) -> tuple[Tile, ...]:
        """The tiles of the photo that a person marked as indicators of that role."""
        fixed = () if self.reading is None else self.reading.fixed_roles
        return tuple(self.tile(at) for at, held in fixed if held is role)

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

    def with_tile(self, at: int, tile: Tile) -> Work:
        """The work with that tile replaced."""
        self.tile(at)
        if self.reading is not None:
            return replace(self, reading=self.reading.with_tile(at, tile))
        role = Role.BONUS if tile.is_bonus else Role.CONCEALED
        keep = self.role(at) is not Role.BONUS and not tile.is_bonus
        return self._typed({at: replace(self.typed_tiles[at], tile=tile, role=self.role(at) if keep else role)})

    def with_role(self, at: int, role: Role) -> Work:
        """The work with another role for that tile; the tiles of a meld change together."""
        self.tile(at)
        members = next((g.members for g in self.groups if at in g.members and g.role is Role.MELD), (at,))
        if role not in (Role.CONCEALED, Role.MELD):
            members = (at,)
        if self.reading is not None:
            return replace(self, reading=self.reading.edited(roles=self._held(role) | dict.fromkeys(members, role)))
        changed = {member: replace(self.typed_tiles[member], role=role, meld=None, hidden=False) for member in members}
        if role is Role.WINNING:
            lost = [i for i, typed in enumerate(self.typed_tiles) if typed.role is Role.WINNING and i != at]
            changed |= {index: replace(self.typed_tiles[index], role=Role.CONCEALED) for index in lost}
        return self._typed(changed)

    def with_meld(self, members: tuple[int, ...]) -> Work:
        """The work with those tiles as one declared set, or as several; raises HandError if they form none."""
        faces = tuple(self.tile(member) for member in members)
        if self.reading is not None:
            reading = self.reading.edited(roles=self._held(Role.MELD) | dict.fromkeys(members, Role.MELD))
            melded = {index for place in reading.layout.melds for index in place.members}
            if melded >= {*members}:
                return replace(self, reading=reading)
        elif kind_of_set(faces) is not None:
            number = 1 + max((typed.meld or 0 for typed in self.typed_tiles), default=0)
            return self._typed({m: replace(self.typed_tiles[m], role=Role.MELD, meld=number) for m in members})
        text = format_tiles(faces)
        raise HandError("no_such_meld", f"'{text}' is no chow, pung or kong: choose tiles that form one.")

    def with_roles(self, members: tuple[int, ...], role: Role) -> Work:
        """The work with that role for several tiles of a photo at once; flowers can only be bonus tiles or others."""
        faces = {member: self.tile(member) for member in members}
        if role is Role.MELD:
            return self.with_meld(members)
        if self.reading is None:
            return reduce(lambda work, member: work.with_role(member, role), sorted(members, reverse=True), self)
        wrong = [face for face in faces.values() if role is Role.BONUS and not face.is_bonus]
        if wrong:
            text = format_tiles(wrong)
            raise HandError("no_flower", f"'{text}' is no flower or season: select flowers and seasons alone.")
        roles = {at: Role.BONUS if face.is_bonus and role is not Role.OTHER else role for at, face in faces.items()}
        return replace(self, reading=self.reading.edited(roles=self._held(role) | roles))

    def with_hand(self, members: tuple[int, ...]) -> Work:
        """The work in which these tiles of the photo are the hand, and no others; melds among them stay melds."""
        if self.reading is None:
            raise HandError("no_photo", "there is no photo to choose tiles from: choose a photo.")
        inside = {member: self.tile(member) for member in members}
        kept = {i for place in self.reading.layout.melds if {*place.members} <= {*members} for i in place.members}
        roles = {at: Role.OTHER for at in range(len(self.reading.detections)) if at not in inside}
        fresh = {
            at: Role.BONUS if face.is_bonus else Role.CONCEALED
            for at, face in inside.items()
            if at not in kept and self.role(at) is not Role.WINNING
        }
        return replace(self, reading=self.reading.edited(roles=roles | fresh))

    def with_moved(self, at: int, before: int | None) -> Work:
        """The work with that concealed tile before another one, at the end for None."""
        row = [index for index in self.order if self.role(index) is Role.CONCEALED]
        if at not in row or (before is not None and before not in row):
            raise HandError("no_such_tile", "only tiles in the hand change places: drag one beside another.")
        if at == before:
            return self
        row.remove(at)
        row.insert(len(row) if before is None else row.index(before), at)
        if self.reading is not None:
            return replace(self, arranged=tuple(row))
        tiles = self.typed_tiles
        rest = [typed for typed in tiles if typed.role is not Role.CONCEALED]
        return replace(self, typed=hand_of_tiles([*(tiles[index] for index in row), *rest], self.typed))

    def with_kong(self, at: int, *, concealed: bool) -> Work:
        """The work with the kong of that tile concealed, or claimed."""
        face = self.tile(at).plain
        if self.reading is None:
            melds = tuple(
                replace(meld, concealed=concealed, called=None, source=None)
                if meld.kind is MeldKind.KONG and meld.tiles[-1].plain == face
                else meld
                for meld in self.typed.melds
            )
            return replace(self, typed=replace(self.typed, melds=melds))
        kongs = self.concealed_kongs | {face} if concealed else self.concealed_kongs - {face}
        return replace(self, concealed_kongs=kongs)

    def with_added(self, tile: Tile, box: Box | None, role: Role | None = None) -> Work:
        """The work with one more tile; without a box it has no place on the photo.

        Without a role, a tile with a place gets the role that its place gives it, any other one is concealed.
        """
        if self.reading is None:
            role = Role.BONUS if tile.is_bonus else role or Role.CONCEALED
            tiles = sorted_in(self.typed_tiles, TypedTile(tile, role))
            return replace(self, typed=hand_of_tiles(tiles, self.typed))
        number = len(self.reading.detections)
        if role is None and box is not None:
            return replace(self, reading=self.reading.with_added(box, tile))
        role = Role.BONUS if tile.is_bonus else role or Role.CONCEALED
        place = box or beside(self.reading)
        reading = self.reading.edited(added=((place, tile),), roles={number: role})
        return replace(self, reading=reading, unseen=self.unseen if box else self.unseen | {number})

    def without(self, at: int) -> Work:
        """The work without that tile."""
        self.tile(at)
        if self.reading is not None:
            return replace(
                self,
                reading=self.reading.without(at),
                unseen=frozenset(index - (index > at) for index in self.unseen if index != at),
                arranged=tuple(index - (index > at) for index in self.arranged if index != at),
            )
        kept = [typed for index, typed in enumerate(self.typed_tiles) if index != at]
        return replace(self, typed=hand_of_tiles(kept, self.typed))

    def _held(self, changed: Role) -> dict[int, Role]:
        """The concealed tiles and the winning tile of the photo, which stay so while a person changes others."""
        kept = {Role.CONCEALED, Role.WINNING} - ({changed} & {Role.WINNING})
        return {at: self.role(at) for at in self.order if self.role(at) in kept}

    def _typed(self, changed: dict[int, TypedTile]) -> Work:
        tiles = [changed.get(index, typed) for index, typed in enumerate(self.typed_tiles)]
        kept = [typed for typed in tiles if typed.role is not Role.OTHER]
        return replace(self, typed=hand_of_tiles(kept, self.typed))

    def _typed_groups(self) -> list[TileGroup]:
        parts = groupby(enumerate(self.typed_tiles), key=lambda entry: (entry[1].role, entry[1].meld, entry[1].hidden))
        return [TileGroup(role, tuple(at for at, _ in part), None, hidden) for (role, _, hidden), part in parts]

    def _read_groups(self, reading: Reading) -> list[TileGroup]:
        melds = {place.members: place for place in reading.layout.melds}
        groups: list[TileGroup] = []
        loose: list[tuple[int, ...]] = []
        for members in reading.layout.groups:
            place = melds.get(members)
            if place is not None:
                hidden = place.concealed or self._is_marked_concealed(members)
                groups.append(TileGroup(Role.MELD, members, place.called, hidden))
                continue
            for role, part in groupby(members, key=reading.role):
                if role is Role.CONCEALED:
                    loose.append(tuple(part))
                else:
                    groups.append(TileGroup(role, tuple(part)))
        row = in_reading_order(reading, loose, arranged=self.arranged)
        return [*([TileGroup(Role.CONCEALED, row)] if row else []), *groups]

    def _is_marked_concealed(self, members: tuple[int, ...]) -> bool:
        return len(members) == 4 and self.tile(members[-1]).plain in self.concealed_kongs
