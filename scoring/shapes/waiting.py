"""The waits of a hand: which kinds complete it, suit by suit from the tables of suit patterns.

Packed counts are those of `winning`. A set of kinds is an int with one bit for each, the lowest bit of its count.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from tilescore.scoring.hand import Hand
from tilescore.scoring.shapes.winning import (
    ALL_SHAPES,
    BITS,
    KNITTED,
    NEVER,
    ONES,
    ORPHANS,
    PLAIN_UNIT,
    SET_WEIGHT,
    SUIT_BITS,
    SUIT_MASK,
    TESTS,
    UNIT,
    Shape,
    Tables,
    hand_size,
    pack,
    tables_of_five,
    tables_of_four,
    unpack,
)
from tilescore.scoring.tiles import Tile

_SUIT_PLACES: Final = (0, SUIT_BITS, 2 * SUIT_BITS, 3 * SUIT_BITS)
_RANKS: Final = tuple(1 << BITS * rank for rank in range(9))
"""One copy of each kind in the code of a suit."""


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
    used = packed + pack([tile for meld in hand.melds for tile in meld.tiles]) if hand.melds else packed
    kinds = _completing(packed, 4 - len(hand.melds), shapes) & ~(used >> 2)
    return unpack(kinds) if kinds else ()


def has_one_wait(hand: Hand) -> bool:
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
    if _completing(packed, sets, ALL_SHAPES) & ~won:
        return False
    used_up = packed >> 2 & ONES
    return not used_up or not _completing_sets(packed, sets, tables_of_four(5)) & used_up


def _completing(packed: int, sets: int, shapes: frozenset[Shape]) -> int:
    """The kinds, one bit each, of which one more completes a hand of one of these shapes."""
    kinds = 0
    for kinds_of in _completions(shapes):
        kinds |= kinds_of(packed, sets)
    return kinds


@cache
def _completions(shapes: frozenset[Shape]) -> tuple[Callable[[int, int], int], ...]:
    return tuple(kinds_of for shape, kinds_of in _COMPLETIONS.items() if shape in shapes)


def _completing_standard(packed: int, sets: int) -> int:
    return _completing_sets(packed, sets, tables_of_four(4))


def _completing_five(packed: int, sets: int) -> int:
    return _completing_sets(packed, sets + 1, tables_of_five(4))


def _completing_sets(packed: int, sets: int, tables: Tables) -> int:
    """The kinds, one bit each, of which one more makes that many sets and a pair; it belongs to the one unfit suit."""
    suited, honors = tables
    codes = [packed >> place & SUIT_MASK for place in _SUIT_PLACES]
    weights = [suited.get(code, NEVER) for code in codes[:3]]
    weights.append(honors.get(codes[3], NEVER))
    total, kinds = sum(weights), 0
    for place, code, weight in zip(_SUIT_PLACES, codes, weights, strict=True):
        wanted = sets * SET_WEIGHT + 1 - total + weight
        if wanted >= 0:
            table, ranks = (suited, _RANKS) if place < _SUIT_PLACES[3] else (honors, _RANKS[:7])
            for unit in ranks:
                if table.get(code + unit) == wanted:
                    kinds |= unit << place
    return kinds


def _completing_pairs(packed: int, sets: int) -> int:
    odd = packed & ONES
    return odd if odd.bit_count() == 1 and TESTS[Shape.SEVEN_PAIRS](packed + odd, sets) else 0


def _completing_different(packed: int, sets: int) -> int:
    odd = packed & ONES
    return odd if odd.bit_count() == 1 and TESTS[Shape.DIFFERENT_PAIRS](packed + odd, sets) else 0


def _completing_orphans(packed: int, sets: int) -> int:
    missing = ORPHANS & ~(packed | packed >> 1) or ORPHANS
    return missing if TESTS[Shape.THIRTEEN_ORPHANS](packed + (missing & -missing), sets) else 0


def _completing_lesser(packed: int, sets: int) -> int:
    thirteen = not packed & ~ONES and packed.bit_count() == Hand.SIZE - 1
    return _tried(packed, sets, TESTS[Shape.LESSER_KNITTED]) if thirteen else 0


def _completing_knitted(packed: int, sets: int) -> int:
    present, kinds = (packed | packed >> 1 | packed >> 2) & ONES, 0
    if sets < 3 or present.bit_count() < 8:
        return 0
    for units in KNITTED:
        missing = units & ~present
        if not missing:
            kinds |= _completing_sets(packed - units, sets - 3, tables_of_four(4))
        elif missing.bit_count() == 1 and TESTS[Shape.STANDARD](packed + missing - units, sets - 3):
            kinds |= missing
    return kinds


def _completing_pairs_and_pung(packed: int, sets: int) -> int:
    return _tried(packed, sets, TESTS[Shape.PAIRS_AND_PUNG])


def _tried(packed: int, sets: int, test: Callable[[int, int], bool]) -> int:
    """The kinds, one bit each, of which one more passes that test."""
    return sum([unit for unit in PLAIN_UNIT.values() if test(packed + unit, sets)])


_COMPLETIONS: Final[Mapping[Shape, Callable[[int, int], int]]] = {
    Shape.STANDARD: _completing_standard,
    Shape.SEVEN_PAIRS: _completing_pairs,
    Shape.DIFFERENT_PAIRS: _completing_different,
    Shape.THIRTEEN_ORPHANS: _completing_orphans,
    Shape.LESSER_KNITTED: _completing_lesser,
    Shape.KNITTED_STRAIGHT: _completing_knitted,
    Shape.FIVE_SETS: _completing_five,
    Shape.PAIRS_AND_PUNG: _completing_pairs_and_pung,
}
"""For each shape, the kinds that complete packed tiles beside which that many sets are missing, as in `TESTS`."""
