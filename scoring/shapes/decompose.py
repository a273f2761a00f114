"""Groups of tiles, and every way to split the concealed tiles of a complete hand into groups."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache, lru_cache
from typing import Final, NamedTuple

from tilescore.scoring.hand import Meld
from tilescore.scoring.shapes.winning import (
    BITS,
    ORPHANS,
    SUIT_BITS,
    SUIT_MASK,
    TESTS,
    UNIT,
    Shape,
    knitted_straights,
    pack,
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
    tiles: tuple[Tile, ...]  # sorted; only a declared set has red fives
    tile: Tile  # its lowest tile, a red five as a plain one
    packed: int  # counts of its tiles
    concealed: bool = True  # false for a claimed set

    @property
    def is_outside(self) -> bool:
        """Whether it holds a one, a nine or an honour."""
        return self.tile.is_terminal_or_honor or self.tiles[-1].is_terminal_or_honor


def group_of(kind: GroupKind, tiles: tuple[Tile, ...]) -> Group:
    """The group of these concealed tiles."""
    return Group(kind, tiles, tiles[0], pack(tiles))


_Split = tuple[Group, ...]
_MOST_SUITS: Final = 4096
"""Number of suits whose splits are cached: enough for nearly all, and bounded for long streams."""


def splits(packed: int, n_melds: int, shapes: frozenset[Shape], *, pair_last: bool) -> list[tuple[Shape, _Split]]:
    """Every distinct way to split packed concealed tiles that complete a hand with that many declared sets.

    The pair of a hand of sets follows the sets or, without `pair_last`, lies among those of its suit.
    """
    return [
        (shape, split)
        for shape, test, splitter in _splitters(shapes, pair_last=pair_last)
        if test(packed, 4 - n_melds)
        for split in splitter(packed)
    ]


@cache
def _splitters(
    shapes: frozenset[Shape], *, pair_last: bool
) -> tuple[tuple[Shape, Callable[[int, int], bool], Callable[[int], Iterable[_Split]]], ...]:
    """The test and the splitter of each shape."""
    splitters = _SPLITTERS if pair_last else {**_SPLITTERS, Shape.STANDARD: _split_in_order}
    return tuple((shape, test, splitters[shape]) for shape, test in TESTS.items() if shape in shapes)


@lru_cache(maxsize=1024)
def declared(meld: Meld) -> Group:
    """The declared set as a group."""
    return Group(GroupKind(meld.kind), meld.tiles, meld.tiles[0].plain, pack(meld.tiles), meld.concealed)


@lru_cache(maxsize=_MOST_SUITS)
def _suit_splits(code: int, suit: str) -> tuple[_Split, ...]:
    """Every way to split the tiles of one suit into sets, or sets and a pair."""
    distinct: dict[frozenset[tuple[Group, int]], _Split] = {}
    shift = SUIT_BITS * "mpsz".index(suit)

    def split(rest: int, groups: _Split) -> None:
        if not rest:
            distinct.setdefault(frozenset((group, groups.count(group)) for group in groups), groups)
            return
        place = ((rest & -rest).bit_length() - 1) // BITS
        for group in _groups_from(suit, place + 1):
            units = group.packed >> shift
            second_pair = group.kind is GroupKind.PAIR and any(held.kind is GroupKind.PAIR for held in groups)
            fits = all((rest >> BITS * rank & 7) >= (units >> BITS * rank & 7) for rank in range(place, 9))
            if fits and not second_pair:
                split(rest - units, (*groups, group))

    split(code, ())
    return tuple(distinct.values())


@cache
def _groups_from(suit: str, rank: int) -> tuple[Group, ...]:
    """The sets and the pair whose lowest tile is this one."""
    tile = Tile(suit, rank)
    alike = group_of(GroupKind.PUNG, (tile,) * 3), group_of(GroupKind.PAIR, (tile,) * 2)
    if suit == "z" or rank > 7:
        return alike
    return (*alike, group_of(GroupKind.CHOW, tuple(Tile(suit, rank + step) for step in range(3))))


def _split_standard(packed: int) -> list[_Split]:
    return [
        m + p + s + z + m_pair + p_pair + s_pair + z_pair
        for m, m_pair in _sets_and_pairs(packed & SUIT_MASK, "m")
        for p, p_pair in _sets_and_pairs(packed >> SUIT_BITS & SUIT_MASK, "p")
        for s, s_pair in _sets_and_pairs(packed >> 2 * SUIT_BITS & SUIT_MASK, "s")
        for z, z_pair in _sets_and_pairs(packed >> 3 * SUIT_BITS, "z")
    ]


def _split_in_order(packed: int) -> list[_Split]:
    return [
        m + p + s + z
        for m in _suit_splits(packed & SUIT_MASK, "m")
        for p in _suit_splits(packed >> SUIT_BITS & SUIT_MASK, "p")
        for s in _suit_splits(packed >> 2 * SUIT_BITS & SUIT_MASK, "s")
        for z in _suit_splits(packed >> 3 * SUIT_BITS, "z")
    ]


@lru_cache(maxsize=_MOST_SUITS)
def _sets_and_pairs(code: int, suit: str) -> tuple[tuple[_Split, _Split], ...]:
    """The same as `_suit_splits`, the pair apart from the sets."""
    return tuple(
        (
            tuple(group for group in split if group.kind is not GroupKind.PAIR),
            tuple(group for group in split if group.kind is GroupKind.PAIR),
        )
        for split in _suit_splits(code, suit)
    )


def _split_pairs(packed: int) -> Iterator[_Split]:
    tiles = unpack(packed)
    yield tuple([group_of(GroupKind.PAIR, tiles[start : start + 2]) for start in range(0, len(tiles), 2)])


def _split_pairs_and_pung(packed: int) -> Iterator[_Split]:
    tiles = unpack(packed)
    pung = next(tile for tile in tiles if tiles.count(tile) == 3)
    for pairs in _split_pairs(packed - 3 * UNIT[pung]):
        yield (group_of(GroupKind.PUNG, (pung,) * 3), *pairs)


def _split_orphans(packed: int) -> Iterator[_Split]:
    double = packed - ORPHANS
    yield group_of(GroupKind.SINGLES, unpack(ORPHANS - double)), group_of(GroupKind.PAIR, unpack(2 * double))


def _split_singles(packed: int) -> Iterator[_Split]:
    yield (group_of(GroupKind.SINGLES, unpack(packed)),)


def _split_knitted_straight(packed: int) -> Iterator[_Split]:
    for parts in knitted_straights(packed, (len(unpack(packed)) - 2) // 3):
        knitted = [group_of(GroupKind.KNITTED, part) for part in parts]
        for split in _split_standard(packed - pack(tile for part in parts for tile in part)):
            yield (*knitted, *split)


_SPLITTERS: Final[Mapping[Shape, Callable[[int], Iterable[_Split]]]] = {
    Shape.STANDARD: _split_standard,
    Shape.SEVEN_PAIRS: _split_pairs,
    Shape.DIFFERENT_PAIRS: _split_pairs,
    Shape.THIRTEEN_ORPHANS: _split_orphans,
    Shape.LESSER_KNITTED: _split_singles,
    Shape.KNITTED_STRAIGHT: _split_knitted_straight,
    Shape.FIVE_SETS: _split_standard,
    Shape.PAIRS_AND_PUNG: _split_pairs_and_pung,
}
