"""The splits of a hand as the `mahjong` package wants them: `decompose`'s, told in its numbers.

The package splits every hand anew, which is a third of its time, and does not say which split it took. `decompose`
remembers each suit it has seen; giving the package those splits saves that time and tells us what it looks at.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from scoring.decompose import MOST_SUITS, Decomposition, Group, GroupKind, suit_splits
from scoring.tiles import PLAYING_TILES, Tile
from scoring.winning import BITS, SUIT_BITS, SUIT_MASK, Shape

if TYPE_CHECKING:
    from collections.abc import Sequence

Block = list[int]
"""The package's word for a group: the kinds of its tiles, 0-33."""
Loose = tuple[tuple[Block, Group], ...]
"""The concealed blocks of a split, each with the group it is."""
_UNITS: Final = tuple(1 << BITS * kind for kind in range(34))
_KINDS: Final = {tile: kind for kind, tile in enumerate(PLAYING_TILES)}


def splits_of(kinds: Sequence[int], melds: int) -> list[Loose]:
    """Every split of these concealed kinds beside that many melds, seven different pairs included."""
    units = _UNITS
    code = sum([units[kind] for kind in kinds])
    need = 5 - melds
    found = [
        split
        for parts in product(*[_suit(code >> place * SUIT_BITS & SUIT_MASK, suit) for place, suit in enumerate("mpsz")])
        if len(split := (*parts[0], *parts[1], *parts[2], *parts[3])) == need
        and sum([len(block) == 2 for block, _ in split]) == 1
    ]
    pairs = set(kinds)
    if len(pairs) == 7 and all(kinds.count(kind) == 2 for kind in pairs):
        found.append(tuple([([kind, kind], group_of((kind, kind))) for kind in sorted(pairs)]))
    return found


@lru_cache(maxsize=MOST_SUITS)
def _suit(code: int, suit: str) -> tuple[Loose, ...]:
    return tuple(
        tuple(([_KINDS[tile] for tile in group.tiles], group) for group in split) for split in suit_splits(code, suit)
    )


def readings_of(
    splits: list[Loose], win_kind: int, reds: list[int], groups: tuple[Group, ...], *, won_red: bool, opened: bool
) -> tuple[Decomposition, ...]:
    """Those splits with every group that the winning tile may have ended.

    Args:
        splits: of the concealed tiles.
        win_kind: kind of the winning tile.
        reds: kinds of the red fives among the other concealed tiles.
        groups: the declared ones.
        won_red: the winning tile is a red five.
        opened: it was a discard.
    """
    found = []
    for split in splits:
        blocks = [block for block, _ in split]
        shape = Shape.DIFFERENT_PAIRS if len(split) == 7 else Shape.STANDARD
        for place, block in enumerate(blocks):
            if win_kind in block and blocks.index(block) == place:
                concealed = [group for _, group in split]
                held = _red_counts(blocks, reds, win_kind, place) if reds else None
                if held:
                    for at, count in enumerate(held):
                        if count:
                            concealed[at] = group_of(tuple(blocks[at]), count)
                if won_red or opened:
                    count = (held[place] if held else 0) + won_red
                    concealed[place] = group_of(tuple(block), count, opened)
                found.append(Decomposition(shape, (*concealed, *groups), place))
    return tuple(found)


def _red_counts(blocks: list[Block], reds: list[int], win_kind: int, place: int) -> list[int]:
    """How many red fives each block holds: each goes into the first that has room beside the winning tile."""
    held = [0] * len(blocks)
    for kind in reds:
        taken = place if kind == win_kind else -1
        held[
            next(
                at for at, block in enumerate(blocks) if kind in block and block.count(kind) > held[at] + (at == taken)
            )
        ] += 1
    return held


@lru_cache(maxsize=4096)
def group_of(kinds: tuple[int, ...], reds: int = 0, opened: bool = False) -> Group:  # noqa: FBT001, FBT002  # cache keys
    """The concealed set or pair of these kinds, with that many red fives; `opened` when a discard ended it."""
    tiles = [PLAYING_TILES[kind] for kind in kinds]
    for _ in range(reds):
        five = next(tile for tile in tiles if tile.rank == 5)
        tiles[tiles.index(five)] = Tile(five.suit, 0)
    alike = GroupKind.PAIR if len(kinds) == 2 else GroupKind.PUNG
    kind = alike if kinds[0] == kinds[1] else GroupKind.CHOW
    return Group(kind, tuple(sorted(tiles)), concealed=not opened)


def package_splits(splits: list[Loose], melds: list[Any]) -> list[list[Block]]:
    """The same for the package: declared blocks included, in its order."""
    declared = [meld.tiles_34 for meld in melds]
    return [sorted([*[block for block, _ in split], *declared]) for split in splits]
