"""Tests for complete hands, and the waits of a hand, by tables of suit patterns.

Packed counts: `is_win` takes the concealed tiles as one int with three bits a kind, the kinds in the order of
`PLAYING_TILES`. `pack(tiles)` makes it; `UNIT[tile]` is one copy of a tile (a red five as a plain one), so that
`packed + UNIT[new] - UNIT[old]` exchanges two tiles without a new count. Three bits hold up to seven copies of a
kind; a hand with more than four never wins.

Each ruleset names the shapes that win in it, hence the argument `shapes`.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Final

from tilescore.scoring.hand import Hand
from tilescore.scoring.tiles import PLAYING_TILES, RED_FIVES, TERMINALS_AND_HONORS, Tile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


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
_PLAIN_UNIT: Final = {tile: 1 << BITS * place for place, tile in enumerate(PLAYING_TILES)}
UNIT: Final[Mapping[Tile, int]] = _PLAIN_UNIT | {tile: _PLAIN_UNIT[tile.plain] for tile in RED_FIVES}
"""One copy of each kind in packed counts."""
_ONES: Final = sum(_PLAIN_UNIT.values())
ORPHANS: Final = sum(UNIT[tile] for tile in TERMINALS_AND_HONORS)
_HONORS: Final = tuple(tile for tile in PLAYING_TILES if tile.is_honor)
_KNITTED: Final = {
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

# A complete suit weighs `_SET` for each of its sets, plus one for the pair; an incomplete suit weighs `_NEVER`.
_SET: Final = 16
_NEVER: Final = 1000


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
    return tuple([tile for tile, unit in _PLAIN_UNIT.items() for _ in range(packed // unit & 7)])


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
            weights[code] = count * _SET
            for rank in range(ranks):
                if (code >> BITS * rank & 7) <= most - 2:
                    weights[code + (2 << BITS * rank)] = count * _SET + 1
        grown = {code + addition for code in level for addition in sets}
        level = {code for code in grown if all(code >> BITS * rank & 7 <= most for rank in range(ranks))}
    return weights


Tables = tuple["Mapping[int, int]", "Mapping[int, int]"]
"""Weights of the codes of a suit, and of the honours."""


@cache
def _tables(most: int) -> Tables:
    """The tables for hands of up to four sets, built on first use."""
    return _built(most, 4)


@cache
def _tables_of_five(most: int) -> Tables:
    """The tables for hands of up to five sets, built on first use."""
    return _built(most, 5)


def _built(most: int, largest: int) -> Tables:
    pungs = [3 << BITS * rank for rank in range(9)]
    chows = [0o111 << BITS * rank for rank in range(7)]
    return _weights((*pungs, *chows), 9, most, largest), _weights(tuple(pungs[:7]), 7, most, largest)


def _is_standard(packed: int, sets: int, most: int = 4, tables: Callable[[int], Tables] = _tables) -> bool:
    """Whether these tiles are that many sets and a pair, with at most `most` of a kind."""
    suited, honors = tables(most)
    weight = honors.get(packed >> 3 * SUIT_BITS, _NEVER)
    if weight >= _NEVER:
        return False
    weight += suited.get(packed & SUIT_MASK, _NEVER)
    if weight >= _NEVER:
        return False
    weight += suited.get(packed >> SUIT_BITS & SUIT_MASK, _NEVER)
    return weight + suited.get(packed >> 2 * SUIT_BITS & SUIT_MASK, _NEVER) == sets * _SET + 1


def _is_seven_pairs(packed: int, sets: int) -> bool:
    pairs, doubled = packed >> 1 & _ONES, packed >> 2 & _ONES
    return sets == 4 and not packed & _ONES and not pairs & doubled and pairs.bit_count() + 2 * doubled.bit_count() == 7


def _is_different_pairs(packed: int, sets: int) -> bool:
    return sets == 4 and not packed & ~(_ONES << 1) and packed.bit_count() == 7


def _is_thirteen_orphans(packed: int, sets: int) -> bool:
    double = packed - ORPHANS
    return sets == 4 and double > 0 and double & ORPHANS == double and double.bit_count() == 1


def _is_lesser_knitted(packed: int, sets: int) -> bool:
    return sets == 4 and packed in _lesser_knitted()


@cache
def _lesser_knitted() -> frozenset[int]:
    """The packed counts of all hands of honours and knitted tiles."""
    honors = [UNIT[tile] for tile in _HONORS]
    suits = [[UNIT[tile] for part in parts for tile in part] for parts in _KNITTED.values()]
    return frozenset(sum(kinds) for units in suits for kinds in combinations((*units, *honors), Hand.SIZE))


def _is_knitted_straight(packed: int, sets: int) -> bool:
    return bool(knitted_straights(packed, sets))


def knitted_straights(packed: int, sets: int = 4) -> tuple[tuple[tuple[Tile, ...], ...], ...]:
    """Each knitted straight, as three sequences, that completes the tiles; it counts as three of the `sets`."""
    present = (packed | packed >> 1 | packed >> 2) & _ONES
    if sets < 3 or present.bit_count() < 9:
        return ()
    return tuple(
        [
            parts
            for units, parts in _KNITTED.items()
            if present & units == units and _is_standard(packed - units, sets - 3)
        ]
    )


def _is_five_sets(packed: int, sets: int) -> bool:
    return _is_standard(packed, sets + 1, tables=_tables_of_five)


def _is_pairs_and_pung(packed: int, sets: int) -> bool:
    pung = packed & _ONES
    return sets == 4 and pung.bit_count() == 1 and _is_seven_pairs(packed - 3 * pung, sets)


_TESTS: Final[Mapping[Shape, Callable[[int, int], bool]]] = {
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
def _tests(shapes: frozenset[Shape]) -> tuple[Callable[[int, int], bool], ...]:
    return tuple(test for shape, test in _TESTS.items() if shape in shapes)


def shapes_of(packed: int, n_melds: int = 0, shapes: frozenset[Shape] = ALL_SHAPES) -> tuple[Shape, ...]:
    """The shapes that the packed concealed tiles and that many declared sets complete."""
    return tuple([shape for shape, test in _TESTS.items() if shape in shapes and test(packed, 4 - n_melds)])


def is_win(packed: int, n_melds: int = 0, shapes: frozenset[Shape] = ALL_SHAPES) -> bool:
    """Whether these packed concealed tiles and that many declared sets complete a hand of one of these shapes.

    >>> from tilescore.scoring.tiles import parse_tiles
    >>> is_win(pack(parse_tiles("123m456p77z")), 2)
    True
    """
    for test in _tests(shapes):  # noqa: SIM110  # any() over a generator halves the speed
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


def waits(hand: Hand, shapes: frozenset[Shape] = ALL_SHAPES) -> tuple[Tile, ...]:
    """The kinds that complete a hand of 13 tiles, or one of 14 without its winning tile; with five sets 16 and 17.

    A kind whose four tiles the hand holds is left out. A hand of another size, or of 14 without a winning tile, has
    no waits.

    >>> from tilescore.scoring.hand import Hand
    >>> [str(tile) for tile in waits(Hand.parse("2345m (111z) (222z) (333z)"))]
    ['2m', '5m']
    """
    packed, size, complete, won = pack(hand.concealed), hand.size, hand_size(shapes), hand.winning_tile
    if size == complete and won is not None and not won.is_bonus:
        packed, size = packed - UNIT[won], size - 1
    if size != complete - 1:
        return ()
    used = packed + pack(tile for meld in hand.melds for tile in meld.tiles)
    sets = 4 - len(hand.melds)
    tests = _hopeful_tests(packed, shapes)
    return tuple(
        tile
        for tile, unit in _PLAIN_UNIT.items()
        if not used & unit << 2 and any(test(packed + unit, sets) for test in tests)
    )


def has_one_wait(hand: Hand, shapes: frozenset[Shape] = ALL_SHAPES) -> bool:
    """Whether exactly one kind completes a hand of 14 without its winning tile.

    Unlike `waits`, this counts a kind whose four tiles the hand itself holds (S-MCR-11, scoring/sources.md).

    >>> from tilescore.scoring.hand import Hand
    >>> has_one_wait(Hand.parse("24m55z3m (111z) (222z) (333z) +3m"))
    True
    >>> has_one_wait(Hand.parse("44567777s444m444p +4s"))
    False
    """
    if hand.winning_tile is None:
        return False
    won = UNIT[hand.winning_tile]
    packed, sets = pack(hand.concealed) - won, 4 - len(hand.melds)
    for test in _hopeful_tests(packed, shapes):
        for unit in _PLAIN_UNIT.values():
            if unit != won and test(packed + unit, sets):
                return False
    used_up = [unit for unit in _PLAIN_UNIT.values() if packed & unit << 2]
    return not any(_is_standard(packed + unit, sets, 5) for unit in used_up)


def _hopeful_tests(packed: int, shapes: frozenset[Shape]) -> list[Callable[[int, int], bool]]:
    """The tests of the shapes that one more tile may complete."""
    kinds = (packed | packed >> 1 | packed >> 2) & _ONES
    hopes = {
        Shape.STANDARD: True,
        Shape.SEVEN_PAIRS: (packed & _ONES).bit_count() == 1,
        Shape.DIFFERENT_PAIRS: (packed & _ONES).bit_count() == 1,
        Shape.THIRTEEN_ORPHANS: (kinds & ORPHANS).bit_count() >= 12,
        Shape.LESSER_KNITTED: kinds.bit_count() == Hand.SIZE - 1,
        Shape.KNITTED_STRAIGHT: any((kinds & units).bit_count() >= 8 for units in _KNITTED),
        Shape.FIVE_SETS: True,
        Shape.PAIRS_AND_PUNG: True,
    }
    return [_TESTS[shape] for shape in _TESTS if shape in shapes and hopes[shape]]
