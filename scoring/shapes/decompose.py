"""Decompositions: a complete hand split into groups, with the group that its winning tile may have completed."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache, lru_cache
from itertools import product
from typing import Final, NamedTuple

from tilescore.scoring.hand import Hand, Meld
from tilescore.scoring.shapes.winning import (
    ALL_SHAPES,
    BITS,
    ORPHANS,
    SUIT_BITS,
    SUIT_MASK,
    UNIT,
    Shape,
    knitted_straights,
    pack,
    shapes_of,
    unpack,
)
from tilescore.scoring.tiles import Tile


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


class Group(NamedTuple):
    """A part of a complete hand."""

    kind: GroupKind  # what its tiles have in common
    tiles: tuple[Tile, ...]  # sorted; red fives keep their identity
    # whether all its tiles came from the wall; a winning discard opens it (S-ALL-2, scoring/sources.md)
    concealed: bool
    meld: Meld | None = None  # the declared set, concealed kongs included; None for a group of concealed tiles

    @property
    def tile(self) -> Tile:
        """Its lowest tile, a red five as a plain one."""
        return self.tiles[0].plain


class Decomposition(NamedTuple):
    """One way to split a complete hand."""

    shape: Shape
    groups: tuple[Group, ...]  # concealed ones first, then the declared sets in the order of the hand
    # index of the group that the winning tile completed; None if the hand names no winning tile
    winning_group: int | None


_Split = tuple[Group, ...]
MOST_SUITS: Final = 4096
"""Number of suits whose splits are cached: enough for nearly all, and bounded for long streams."""


def decompositions(hand: Hand, *, by_discard: bool, shapes: frozenset[Shape] = ALL_SHAPES) -> tuple[Decomposition, ...]:
    """Every distinct way to split a complete hand, and every group that its winning tile may have completed.

    Equal groups count as one. Without a winning tile each split is listed once. An incomplete hand has no split.
    """
    packed = pack(hand.concealed)
    won = hand.winning_tile
    ways = [
        (shape, groups, place)
        for shape in shapes_of(packed, len(hand.melds), shapes)
        for groups in _SPLITTERS[shape](packed)
        for place in _places(groups, won)
    ]
    return tuple(readings(ways, hand, by_discard=by_discard))


def _places(groups: _Split, winning_tile: Tile | None) -> list[int] | list[None]:
    """Indexes of the groups that hold the winning tile; of equal groups only the first."""
    if winning_tile is None:
        return [None]
    plain = winning_tile.plain
    return [place for place, group in enumerate(groups) if plain in group.tiles and groups.index(group) == place]


def readings(ways: Iterable[tuple[Shape, _Split, int | None]], hand: Hand, *, by_discard: bool) -> list[Decomposition]:
    """The decompositions of a hand for these splits of its concealed tiles, each with the place of the winning tile.

    Red fives return to their groups, a group that a discard completed is open, and the declared sets come last.
    """
    melds = tuple([declared(meld) for meld in hand.melds])
    reds = [tile for tile in hand.concealed if not tile.rank]
    several = []
    for shape, groups, place in ways:
        chosen = _with_reds(groups, place, reds, hand.winning_tile) if reds else groups
        if by_discard and place is not None:
            chosen = (*chosen[:place], _opened(chosen[place]), *chosen[place + 1 :])
        several.append(Decomposition(shape, chosen + melds, place))
    return several


def _opened(group: Group) -> Group:
    return Group(group.kind, group.tiles, concealed=False)


@lru_cache(maxsize=1024)
def declared(meld: Meld) -> Group:
    """The declared set as a group."""
    return Group(GroupKind(meld.kind), meld.tiles, meld.concealed, meld)


def _loose(kind: GroupKind, tiles: tuple[Tile, ...]) -> Group:
    return Group(kind, tiles, concealed=True)


def _with_reds(groups: _Split, place: int | None, reds: list[Tile], won: Tile | None) -> _Split:
    """The groups with red fives: a red winning tile goes to its group, any other to the first group with room."""
    chosen = list(groups)
    others = reds
    if place is not None and won in reds:
        chosen[place] = _reddened(chosen[place], won)
        others = reds.copy()
        others.remove(won)
    for red in others:
        five = red.plain
        at = next(at for at, group in enumerate(chosen) if group.tiles.count(five) > (at == place and won is five))
        chosen[at] = _reddened(chosen[at], red)
    return tuple(chosen)


def _reddened(group: Group, red: Tile) -> Group:
    """The group with the first of its fives turned red."""
    place = group.tiles.index(red.plain)
    return Group(group.kind, (*group.tiles[:place], red, *group.tiles[place + 1 :]), group.concealed)


@lru_cache(maxsize=MOST_SUITS)
def suit_splits(code: int, suit: str) -> tuple[_Split, ...]:
    """Every way to split the tiles of one suit into sets, or sets and a pair."""
    distinct: dict[frozenset[tuple[Group, int]], _Split] = {}

    def split(rest: int, groups: _Split) -> None:
        if not rest:
            distinct.setdefault(frozenset((group, groups.count(group)) for group in groups), groups)
            return
        place = ((rest & -rest).bit_length() - 1) // BITS
        for group, units in _groups_from(suit, place + 1):
            second_pair = group.kind is GroupKind.PAIR and any(held.kind is GroupKind.PAIR for held in groups)
            fits = all((rest >> BITS * rank & 7) >= (units >> BITS * rank & 7) for rank in range(place, 9))
            if fits and not second_pair:
                split(rest - units, (*groups, group))

    split(code, ())
    return tuple(distinct.values())


@cache
def _groups_from(suit: str, rank: int) -> tuple[tuple[Group, int], ...]:
    """The sets and the pair whose lowest tile is this one, each with its suit code."""
    tile, place = Tile.parse(f"{rank}{suit}"), BITS * (rank - 1)
    groups = [
        (_loose(GroupKind.PUNG, (tile,) * 3), 3 << place),
        (_loose(GroupKind.PAIR, (tile,) * 2), 2 << place),
    ]
    if suit != "z" and rank <= 7:
        chow = tuple(Tile.parse(f"{rank + step}{suit}") for step in range(3))
        groups.append((_loose(GroupKind.CHOW, chow), 0o111 << place))
    return tuple(groups)


def _split_standard(packed: int) -> Iterator[_Split]:
    suits = [_sets_and_pairs(packed >> number * SUIT_BITS & SUIT_MASK, suit) for number, suit in enumerate("mpsz")]
    for (m, m_pair), (p, p_pair), (s, s_pair), (z, z_pair) in product(*suits):
        yield m + p + s + z + m_pair + p_pair + s_pair + z_pair


@lru_cache(maxsize=MOST_SUITS)
def _sets_and_pairs(code: int, suit: str) -> tuple[tuple[_Split, _Split], ...]:
    """The same as `suit_splits`, the pair apart from the sets."""
    return tuple(
        (
            tuple(group for group in split if group.kind is not GroupKind.PAIR),
            tuple(group for group in split if group.kind is GroupKind.PAIR),
        )
        for split in suit_splits(code, suit)
    )


def _split_pairs(packed: int) -> Iterator[_Split]:
    tiles = unpack(packed)
    yield tuple([_loose(GroupKind.PAIR, tiles[start : start + 2]) for start in range(0, len(tiles), 2)])


def _split_pairs_and_pung(packed: int) -> Iterator[_Split]:
    tiles = unpack(packed)
    pung = next(tile for tile in tiles if tiles.count(tile) == 3)
    for pairs in _split_pairs(packed - 3 * UNIT[pung]):
        yield (_loose(GroupKind.PUNG, (pung,) * 3), *pairs)


def _split_orphans(packed: int) -> Iterator[_Split]:
    double = packed - ORPHANS
    yield _loose(GroupKind.SINGLES, unpack(ORPHANS - double)), _loose(GroupKind.PAIR, unpack(2 * double))


def _split_singles(packed: int) -> Iterator[_Split]:
    yield (_loose(GroupKind.SINGLES, unpack(packed)),)


def _split_knitted_straight(packed: int) -> Iterator[_Split]:
    for parts in knitted_straights(packed, (len(unpack(packed)) - 2) // 3):
        knitted = [_loose(GroupKind.KNITTED, part) for part in parts]
        for split in _split_standard(packed - pack(tile for part in parts for tile in part)):
            yield (*knitted, *split)


_SPLITTERS: Final[Mapping[Shape, Callable[[int], Iterator[_Split]]]] = {
    Shape.STANDARD: _split_standard,
    Shape.SEVEN_PAIRS: _split_pairs,
    Shape.DIFFERENT_PAIRS: _split_pairs,
    Shape.THIRTEEN_ORPHANS: _split_orphans,
    Shape.LESSER_KNITTED: _split_singles,
    Shape.KNITTED_STRAIGHT: _split_knitted_straight,
    Shape.FIVE_SETS: _split_standard,
    Shape.PAIRS_AND_PUNG: _split_pairs_and_pung,
}
