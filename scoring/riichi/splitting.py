"""The splits of a hand in the numbers of the `mahjong` package.

The package by itself spends a third of its time on splitting, and does not name the split that it chose. `decompose`
caches the splits of each suit; the package takes these instead.
"""

from __future__ import annotations

from functools import cache, lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tilescore.scoring.shapes.decompose import MOST_SUITS, Group, GroupKind, suit_splits
from tilescore.scoring.shapes.winning import SUIT_BITS, SUIT_MASK, Shape, pack
from tilescore.scoring.tiles import PLAYING_TILES

if TYPE_CHECKING:
    from tilescore.scoring.tiles import Tile

Block = list[int]
"""A group in the package: the kinds of its tiles, 0-33."""
_KINDS: Final = {tile: kind for kind, tile in enumerate(PLAYING_TILES)}
_ODD: Final = pack(PLAYING_TILES)
"""The lowest bit of the count of every kind, which is set where the count is odd."""
_FOUR: Final = _ODD << 2


class Split(NamedTuple):
    """A split of the concealed tiles of a hand or of one suit: its groups, and the same groups for the package."""

    blocks: tuple[Block, ...]
    groups: tuple[Group, ...]


def splits_of(concealed: tuple[Tile, ...], melds: int) -> list[Split]:
    """Every split of these concealed tiles for a hand with that many melds, seven different pairs included."""
    code = pack(concealed)
    need = 5 - melds
    found = [
        Split(blocks, m.groups + p.groups + s.groups + z.groups)
        for m in _suit(code & SUIT_MASK, "m")
        for p in _suit(code >> SUIT_BITS & SUIT_MASK, "p")
        for s in _suit(code >> 2 * SUIT_BITS & SUIT_MASK, "s")
        for z in _suit(code >> 3 * SUIT_BITS, "z")
        if len(blocks := m.blocks + p.blocks + s.blocks + z.blocks) == need
    ]
    if not melds and not code & (_ODD | _FOUR):
        found.append(_joined([_pair(kind) for kind in sorted({_KINDS[tile.plain] for tile in concealed})]))
    return found


@lru_cache(maxsize=MOST_SUITS)
def _suit(code: int, suit: str) -> tuple[Split, ...]:
    return tuple(
        _joined(sorted((([_KINDS[tile] for tile in group.tiles], group) for group in split), key=itemgetter(0)))
        for split in suit_splits(code, suit)
    )


def _joined(pairs: list[tuple[Block, Group]]) -> Split:
    return Split(tuple([block for block, _ in pairs]), tuple([group for _, group in pairs]))


@cache
def _pair(kind: int) -> tuple[Block, Group]:
    return [kind, kind], Group(GroupKind.PAIR, (PLAYING_TILES[kind],) * 2, concealed=True)


def package_splits(splits: list[Split], melds: list[Any]) -> list[list[Block]]:
    """The splits for the package: with the declared melds, in the order that it expects."""
    if not melds:
        return [list(split.blocks) for split in splits]
    declared = [meld.tiles_34 for meld in melds]
    return [sorted([*split.blocks, *declared]) for split in splits]


def ways_of(splits: list[Split], win_kind: int) -> list[tuple[Shape, tuple[Group, ...], int]]:
    """Each split with the place of each group that the winning tile may have ended; of equal groups only the first."""
    return [
        (Shape.DIFFERENT_PAIRS if len(groups) == 7 else Shape.STANDARD, groups, place)
        for blocks, groups in splits
        for place, block in enumerate(blocks)
        if win_kind in block and blocks.index(block) == place
    ]
