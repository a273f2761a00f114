"""Every way to split a complete hand into groups, and every group that its winning tile may have completed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Final

from scoring.hand import MeldKind
from scoring.tiles import Tile
from scoring.winning import (
    ALL_SHAPES,
    BITS,
    ORPHANS,
    SUIT_BITS,
    SUIT_MASK,
    Shape,
    completes,
    is_win,
    knitted_straights,
    pack,
    shapes_of,
    unpack,
    waits,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from scoring.hand import Hand, Meld

__all__ = [
    "ALL_SHAPES",
    "Decomposition",
    "Group",
    "GroupKind",
    "Shape",
    "completes",
    "decompositions",
    "is_win",
    "waits",
]


class GroupKind(StrEnum):
    """What the tiles of a group have in common."""

    CHOW = "chow"
    """Three in sequence."""
    PUNG = "pung"
    """Three alike."""
    KONG = "kong"
    """Four alike, declared."""
    PAIR = "pair"
    """Two alike."""
    KNITTED = "knitted"
    """1-4-7, 2-5-8 or 3-6-9 of one suit, a third of a knitted straight."""
    SINGLES = "singles"
    """Loose tiles, each of another kind."""


@dataclass(frozen=True, slots=True)
class Group:
    """A part of a complete hand.

    Attributes:
        kind: what its tiles have in common.
        tiles: sorted; red fives keep their identity.
        concealed: no tile of it was claimed, the winning discard included.
        melded: claimed and laid down before the win; False for a concealed kong.
        meld: the declared set that it is, concealed kongs too, else None.
    """

    kind: GroupKind
    tiles: tuple[Tile, ...]
    concealed: bool
    melded: bool = False
    meld: Meld | None = None

    @property
    def tile(self) -> Tile:
        """Its lowest tile, a red five as a plain one."""
        return self.tiles[0].plain


@dataclass(frozen=True, slots=True)
class Decomposition:
    """One way to see a complete hand.

    Attributes:
        shape: its form.
        groups: concealed ones first, then the declared sets in the order of the hand.
        winning_group: index of the group that the winning tile completed; None if the hand names no winning tile.
    """

    shape: Shape
    groups: tuple[Group, ...]
    winning_group: int | None


_Part = tuple[GroupKind, tuple[Tile, ...]]
_Split = tuple[_Part, ...]


def decompositions(hand: Hand, *, by_discard: bool, shapes: frozenset[Shape] = ALL_SHAPES) -> tuple[Decomposition, ...]:
    """Every distinct way to split a complete hand, and every group that its winning tile may have completed.

    Equal groups count as one. Without a winning tile each split stands once. A hand that is not complete has none.
    """
    packed = pack(hand.concealed)
    declared = tuple(map(_declared, hand.melds))
    red = any(tile.is_red for tile in hand.concealed)
    found: list[Decomposition] = []
    for shape in shapes_of(packed, len(hand.melds), shapes):
        for split in _SPLITTERS[shape](packed):
            groups = tuple([_concealed(part) for part in split])
            for place in _places(split, hand.winning_tile):
                chosen = _with_reds(groups, place, hand) if red else groups
                if by_discard and place is not None:
                    chosen = (*chosen[:place], _opened(chosen[place]), *chosen[place + 1 :])
                found.append(Decomposition(shape, chosen + declared, place))
    return tuple(found)


def _places(split: _Split, winning_tile: Tile | None) -> tuple[int | None, ...]:
    """Index of every group that holds the winning tile, of equal ones the first."""
    if winning_tile is None:
        return (None,)
    plain = winning_tile.plain
    return tuple([place for place, part in enumerate(split) if plain in part[1] and split.index(part) == place])


@cache
def _concealed(part: _Part) -> Group:
    return Group(*part, concealed=True)


@cache
def _opened(group: Group) -> Group:
    return replace(group, concealed=False)


@cache
def _declared(meld: Meld) -> Group:
    kind = {MeldKind.CHOW: GroupKind.CHOW, MeldKind.PUNG: GroupKind.PUNG, MeldKind.KONG: GroupKind.KONG}[meld.kind]
    return Group(kind, meld.tiles, concealed=meld.concealed, melded=not meld.concealed, meld=meld)


def _with_reds(groups: tuple[Group, ...], place: int | None, hand: Hand) -> tuple[Group, ...]:
    """The groups with red fives put back: the winning tile into its group, each other into the first that has room."""
    contents = [list(group.tiles) for group in groups]
    reds = [tile for tile in hand.concealed if tile.is_red]
    won = hand.winning_tile
    if place is not None and won is not None:
        contents[place].remove(won.plain)
        if won.is_red:
            reds.remove(won)
    for red in reds:
        held = next(held for held in contents if red.plain in held)
        held[held.index(red.plain)] = red
    if place is not None and won is not None:
        contents[place].append(won)
    return tuple([replace(group, tiles=tuple(sorted(held))) for group, held in zip(groups, contents, strict=True)])


@cache
def _suit_splits(code: int, suit: str) -> tuple[_Split, ...]:
    """Every way to split the tiles of one suit into sets, or sets and a pair, the pair last."""
    found: set[frozenset[tuple[_Part, int]]] = set()
    splits: list[_Split] = []

    def split(rest: int, parts: _Split) -> None:
        if not rest:
            different = frozenset((part, parts.count(part)) for part in parts)
            if different not in found:
                found.add(different)
                splits.append(parts)
            return
        place = ((rest & -rest).bit_length() - 1) // BITS
        for part, units in _parts_from(suit, place + 1):
            is_pair = part[0] is GroupKind.PAIR
            fits = all((rest >> BITS * rank & 7) >= (units >> BITS * rank & 7) for rank in range(place, 9))
            if fits and not (is_pair and any(held[0] is GroupKind.PAIR for held in parts)):
                split(rest - units, (*parts, part))

    split(code, ())
    return tuple(tuple(sorted(parts, key=lambda part: part[0] is GroupKind.PAIR)) for parts in splits)


@cache
def _parts_from(suit: str, rank: int) -> tuple[tuple[_Part, int], ...]:
    """The sets and the pair whose lowest tile is this one, each with its suit code."""
    tile, place = Tile.parse(f"{rank}{suit}"), BITS * (rank - 1)
    parts: list[tuple[_Part, int]] = [
        ((GroupKind.PUNG, (tile,) * 3), 3 << place),
        ((GroupKind.PAIR, (tile,) * 2), 2 << place),
    ]
    if suit != "z" and rank <= 7:
        chow = tuple(Tile.parse(f"{rank + step}{suit}") for step in range(3))
        parts.append(((GroupKind.CHOW, chow), 0o111 << place))
    return tuple(parts)


def _split_standard(packed: int) -> Iterator[_Split]:
    suits = [_suit_splits(packed >> number * SUIT_BITS & SUIT_MASK, suit) for number, suit in enumerate("mpsz")]
    for characters, dots, bamboo, honors in product(*suits):
        parts = characters + dots + bamboo + honors
        pair = next(part for part in parts if part[0] is GroupKind.PAIR)
        yield (*[part for part in parts if part is not pair], pair)


def _split_pairs(packed: int) -> Iterator[_Split]:
    tiles = unpack(packed)
    yield tuple([(GroupKind.PAIR, tiles[start : start + 2]) for start in range(0, len(tiles), 2)])


def _split_orphans(packed: int) -> Iterator[_Split]:
    double = packed - ORPHANS
    yield (GroupKind.SINGLES, unpack(ORPHANS - double)), (GroupKind.PAIR, unpack(2 * double))


def _split_singles(packed: int) -> Iterator[_Split]:
    yield ((GroupKind.SINGLES, unpack(packed)),)


def _split_knitted_straight(packed: int) -> Iterator[_Split]:
    for parts in knitted_straights(packed, (len(unpack(packed)) - 2) // 3):
        for split in _split_standard(packed - pack(tile for part in parts for tile in part)):
            yield (*[(GroupKind.KNITTED, part) for part in parts], *split)


_SPLITTERS: Final[Mapping[Shape, Callable[[int], Iterator[_Split]]]] = {
    Shape.STANDARD: _split_standard,
    Shape.SEVEN_PAIRS: _split_pairs,
    Shape.DIFFERENT_PAIRS: _split_pairs,
    Shape.THIRTEEN_ORPHANS: _split_orphans,
    Shape.LESSER_KNITTED: _split_singles,
    Shape.KNITTED_STRAIGHT: _split_knitted_straight,
}
