"""Tests for complete hands by tables of suit patterns.

Packed counts: `is_win` takes the concealed tiles as one int with three bits a kind, the kinds in the order of
`PLAYING_TILES`. `pack(tiles)` makes it; `UNIT[tile]` is one copy of a tile (a red five as a plain one), so that
`packed + UNIT[new] - UNIT[old]` exchanges two tiles without a new count. Three bits hold up to seven copies of a
kind; a hand with more than four never wins.

Each ruleset names the shapes that win in it, hence the argument `shapes`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import combinations, permutations
from typing import Final

from tilescore.scoring.hand import Hand
from tilescore.scoring.tiles import PLAYING_TILES, RED_FIVES, TERMINALS_AND_HONORS, Tile


class Shape(StrEnum):
    """The forms of a complete hand."""

    STANDARD = "standard"
    """Four sets and a pair."""
    SEVEN_PAIRS = "seven_pairs"
    """Seven pairs; four equal tiles make two of them."""
    DIFFERENT_PAIRS = "different_pairs"
    """Seven pairs, no two alike (riichi)."""
    THIRTEEN_ORPHANS = "thirteen_orphans"
    """One each of the thirteen terminals and honours, and a second of one of them."""
    LESSER_KNITTED = "lesser_knitted"
    """Fourteen different tiles: honours, and tiles of three knitted sequences in three suits."""
    KNITTED_STRAIGHT = "knitted_straight"
    """Three knitted sequences in three suits, a set and a pair."""
    FIVE_SETS = "five_sets"
    """Five sets and a pair, 17 tiles (taiwan)."""
    PAIRS_AND_PUNG = "pairs_and_pung"
    """Seven pairs and three alike, 17 tiles; four equal tiles make two of the pairs (taiwan)."""


OF_FIVE_SETS: Final = frozenset((Shape.FIVE_SETS, Shape.PAIRS_AND_PUNG))
"""The shapes of a game whose hands have 17 tiles."""
ALL_SHAPES: Final = frozenset(Shape) - OF_FIVE_SETS - {Shape.DIFFERENT_PAIRS}
"""The shapes that win in MCR."""
OF_ANY_SIZE: Final = ALL_SHAPES | OF_FIVE_SETS
"""The shapes of a hand whose game is not known."""

BITS: Final = 3
"""Bits of one kind."""
SUIT_BITS: Final = 9 * BITS
SUIT_MASK: Final = (1 << SUIT_BITS) - 1
"""The bits of one suit; the honours follow the three suits."""
PLAIN_UNIT: Final = {tile: 1 << BITS * place for place, tile in enumerate(PLAYING_TILES)}
UNIT: Final[Mapping[Tile, int]] = PLAIN_UNIT | {tile: PLAIN_UNIT[tile.plain] for tile in RED_FIVES}
"""One copy of each kind in packed counts."""
ONES: Final = sum(PLAIN_UNIT.values())
ORPHANS: Final = sum(UNIT[tile] for tile in TERMINALS_AND_HONORS)
_HONORS: Final = tuple(tile for tile in PLAYING_TILES if tile.is_honor)
KNITTED: Final = {
    sum(UNIT[tile] for part in parts for tile in part): parts
    for order in permutations((1, 2, 3))
    for parts in [
        tuple(
            tuple(Tile.parse(f"{start + step}{suit}") for step in (0, 3, 6))
            for suit, start in zip("mps", order, strict=True)
        )
    ]
}
"""The six knitted straights, each as three sequences."""

# A complete suit weighs `SET_WEIGHT` for each of its sets, plus one for the pair; an incomplete suit weighs `NEVER`.
SET_WEIGHT: Final = 16
NEVER: Final = 1000


def pack(tiles: Iterable[Tile]) -> int:
    """Packed counts of these tiles.

    >>> pack(()) == 0 and pack([Tile("m", 0)]) == UNIT[Tile("m", 5)]
    True
    """
    unit = UNIT
    return sum([unit[tile] for tile in tiles])


def unpack(packed: int) -> tuple[Tile, ...]:
    """The tiles in reading order, red fives as plain ones.

    >>> unpack(pack([Tile("z", 1), Tile("m", 0)]))
    (Tile.parse('5m'), Tile.parse('1z'))
    """
    return tuple([tile for tile, unit in PLAIN_UNIT.items() for _ in range(packed // unit & 7)])


def four_times(packed: int) -> tuple[Tile, ...]:
    """The kinds of which packed counts have four.

    >>> four_times(pack([Tile("m", 1)] * 4))
    (Tile.parse('1m'),)
    """
    fours = packed >> 2 & ONES
    return unpack(fours) if fours else ()


def hand_size(shapes: frozenset[Shape]) -> int:
    """Tiles of a complete hand in a game with these shapes, a kong counted as three: `Hand.SIZE`, or 17.

    >>> hand_size(ALL_SHAPES), hand_size(OF_FIVE_SETS)
    (14, 17)
    """
    return Hand.SIZE if shapes.isdisjoint(OF_FIVE_SETS) else Hand.SIZE + 3


def hand_sizes(shapes: frozenset[Shape]) -> tuple[int, ...]:
    """All sizes that complete hands of these shapes may have.

    >>> hand_sizes(ALL_SHAPES), hand_sizes(OF_ANY_SIZE)
    ((14,), (14, 17))
    """
    return tuple([hand_size(some) for some in (shapes - OF_FIVE_SETS, shapes & OF_FIVE_SETS) if some])


def lacking(count: int, shapes: frozenset[Shape]) -> int:
    """How many tiles a hand of so many lacks to the nearest size of a complete one; negative for too many.

    >>> [lacking(count, OF_ANY_SIZE) for count in (13, 14, 15, 16, 17)]
    [1, 0, -1, 1, 0]
    """
    return min([size - count for size in hand_sizes(shapes)], key=abs)


def _weights(sets: tuple[int, ...], ranks: int, most: int, largest: int) -> Mapping[int, int]:
    """The weight of every suit code of up to `largest` sets, with or without a pair, at most `most` tiles of a kind."""
    level, weights = {0}, {}
    for count in range(largest + 1):
        for code in level:
            weights[code] = count * SET_WEIGHT
            for rank in range(ranks):
                if (code >> BITS * rank & 7) <= most - 2:
                    weights[code + (2 << BITS * rank)] = count * SET_WEIGHT + 1
        grown = {code + addition for code in level for addition in sets}
        level = {code for code in grown if all(code >> BITS * rank & 7 <= most for rank in range(ranks))}
    return weights


Tables = tuple["Mapping[int, int]", "Mapping[int, int]"]
"""Weights of the codes of a suit, and of the honours."""


@cache
def tables_of_four(most: int) -> Tables:
    """The tables for hands of up to four sets, built on first use."""
    return _built(most, 4)


@cache
def tables_of_five(most: int) -> Tables:
    """The tables for hands of up to five sets, built on first use."""
    return _built(most, 5)


def _built(most: int, largest: int) -> Tables:
    pungs = [3 << BITS * rank for rank in range(9)]
    chows = [0o111 << BITS * rank for rank in range(7)]
    return _weights((*pungs, *chows), 9, most, largest), _weights(tuple(pungs[:7]), 7, most, largest)


def _is_standard(packed: int, sets: int, tables: Callable[[int], Tables] = tables_of_four) -> bool:
    """Whether these tiles are that many sets and a pair, with at most four of a kind."""
    suited, honors = tables(4)
    weight = honors.get(packed >> 3 * SUIT_BITS, NEVER)
    if weight >= NEVER:
        return False
    weight += suited.get(packed & SUIT_MASK, NEVER)
    if weight >= NEVER:
        return False
    weight += suited.get(packed >> SUIT_BITS & SUIT_MASK, NEVER)
    return weight + suited.get(packed >> 2 * SUIT_BITS & SUIT_MASK, NEVER) == sets * SET_WEIGHT + 1


def _is_seven_pairs(packed: int, sets: int) -> bool:
    pairs, doubled = packed >> 1 & ONES, packed >> 2 & ONES
    return sets == 4 and not packed & ONES and not pairs & doubled and pairs.bit_count() + 2 * doubled.bit_count() == 7


def _is_different_pairs(packed: int, sets: int) -> bool:
    return sets == 4 and not packed & ~(ONES << 1) and packed.bit_count() == 7


def _is_thirteen_orphans(packed: int, sets: int) -> bool:
    double = packed - ORPHANS
    return sets == 4 and double > 0 and double & ORPHANS == double and double.bit_count() == 1


def _is_lesser_knitted(packed: int, sets: int) -> bool:
    return sets == 4 and packed in _lesser_knitted()


@cache
def _lesser_knitted() -> frozenset[int]:
    """The packed counts of all hands of honours and knitted tiles."""
    honors = [UNIT[tile] for tile in _HONORS]
    suits = [[UNIT[tile] for part in parts for tile in part] for parts in KNITTED.values()]
    return frozenset(sum(kinds) for units in suits for kinds in combinations((*units, *honors), Hand.SIZE))


def _is_knitted_straight(packed: int, sets: int) -> bool:
    return bool(knitted_straights(packed, sets))


def knitted_straights(packed: int, sets: int = 4) -> tuple[tuple[tuple[Tile, ...], ...], ...]:
    """Each knitted straight, as three sequences, that completes the tiles; it counts as three of the `sets`."""
    present = (packed | packed >> 1 | packed >> 2) & ONES
    if sets < 3 or present.bit_count() < 9:
        return ()
    return tuple(
        [
            parts
            for units, parts in KNITTED.items()
            if present & units == units and _is_standard(packed - units, sets - 3)
        ]
    )


def _is_five_sets(packed: int, sets: int) -> bool:
    return _is_standard(packed, sets + 1, tables=tables_of_five)


def _is_pairs_and_pung(packed: int, sets: int) -> bool:
    pung = packed & ONES
    return sets == 4 and pung.bit_count() == 1 and _is_seven_pairs(packed - 3 * pung, sets)


TESTS: Final[Mapping[Shape, Callable[[int, int], bool]]] = {
    Shape.STANDARD: _is_standard,
    Shape.SEVEN_PAIRS: _is_seven_pairs,
    Shape.DIFFERENT_PAIRS: _is_different_pairs,
    Shape.THIRTEEN_ORPHANS: _is_thirteen_orphans,
    Shape.LESSER_KNITTED: _is_lesser_knitted,
    Shape.KNITTED_STRAIGHT: _is_knitted_straight,
    Shape.FIVE_SETS: _is_five_sets,
    Shape.PAIRS_AND_PUNG: _is_pairs_and_pung,
}
"""For each shape, the test of packed tiles beside which that many sets of four are missing, of five one more."""


@cache
def _tests(shapes: frozenset[Shape]) -> tuple[tuple[Shape, Callable[[int, int], bool]], ...]:
    return tuple((shape, test) for shape, test in TESTS.items() if shape in shapes)


def is_win(packed: int, n_melds: int = 0, shapes: frozenset[Shape] = ALL_SHAPES) -> bool:
    """Whether these packed concealed tiles and that many declared sets complete a hand of one of these shapes.

    >>> from tilescore.scoring.tiles import parse_tiles
    >>> is_win(pack(parse_tiles("123m456p77z")), 2)
    True
    """
    for _, test in _tests(shapes):  # noqa: SIM110  # any() over a generator halves the speed
        if test(packed, 4 - n_melds):
            return True
    return False


def completes(tiles: Iterable[Tile], n_melds: int = 0, shapes: frozenset[Shape] = ALL_SHAPES) -> bool:
    """`is_win` for concealed tiles that are not packed.

    >>> from tilescore.scoring.tiles import parse_tiles
    >>> completes(parse_tiles("1133557799m1133z")), completes(parse_tiles("1133557799m1133p"), 1)
    (True, False)
    """
    return is_win(pack(tiles), n_melds, shapes)


def exchanges(tiles: Sequence[Tile], n_melds: int, shapes: frozenset[Shape]) -> Iterator[tuple[int, Tile]]:
    """The exchanges of one concealed tile that complete the hand: its index, and the plain tile in its place.

    >>> from tilescore.scoring.tiles import parse_tiles
    >>> [(index, str(tile)) for index, tile in exchanges(parse_tiles("123m456p67z"), 2, ALL_SHAPES)]
    [(6, '7z'), (7, '6z')]
    """
    packed = pack(tiles)
    for index, tile in enumerate(tiles):
        for other in PLAYING_TILES:
            if other != tile.plain and is_win(packed - UNIT[tile] + UNIT[other], n_melds, shapes):
                yield index, other
