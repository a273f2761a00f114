"""A complete hand in the form that the yaku test: each way to split it, and each group that the winning tile may end.

Kinds of tiles are numbers here, 0 to 33 in the order of `PLAYING_TILES`. A group is a number too, its lowest kind and
its form, so that a split is a tuple of numbers. `suit_blocks` caches the splits of each suit; `View.groups` turns the
numbers of the one view that counts into groups with their tiles.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from tilescore.scoring.hand import Hand, MeldKind
from tilescore.scoring.riichi.situation import WINDS, Situation
from tilescore.scoring.shapes.decompose import (
    MOST_SUITS,
    Decomposition,
    Group,
    GroupKind,
    decompositions,
    readings,
    suit_splits,
)
from tilescore.scoring.shapes.winning import BITS, SUIT_BITS, SUIT_MASK, UNIT, Shape, pack, shapes_of
from tilescore.scoring.tiles import PLAYING_TILES, RED_FIVES, Tile

Block = int
"""A group: four times its lowest kind, and its form."""
PAIR, PUNG, KONG, CHOW = range(4)
BLOCKS: Final = range(4 * len(PLAYING_TILES))
KIND: Final = {tile: kind for kind, tile in enumerate(PLAYING_TILES)} | {
    red: PLAYING_TILES.index(red.plain) for red in RED_FIVES
}
"""The number of each tile; a red five has that of the plain one."""
NO_PAIR: Final = -1
PLACES: Final = (0, 1, 2, 3, 4, 5, 6)
SHAPES: Final = frozenset((Shape.STANDARD, Shape.DIFFERENT_PAIRS, Shape.THIRTEEN_ORPHANS))
"""The forms of a complete riichi hand."""


def _bits(tiles: Iterable[Tile]) -> int:
    return sum(UNIT[tile] for tile in tiles)


_ONES: Final = _bits(PLAYING_TILES)
_FOURS: Final = _ONES << 2
HONORS: Final = _bits(tile for tile in PLAYING_TILES if tile.is_honor)
OUTSIDE: Final = _bits(tile for tile in PLAYING_TILES if tile.is_terminal_or_honor)
SIMPLES: Final = _ONES - OUTSIDE
GREEN: Final = _bits(tile for tile in PLAYING_TILES if str(tile) in ("2s", "3s", "4s", "6s", "8s", "6z"))
"""Kinds as bits, to compare with `View.kinds`."""
_SUITS: Final = tuple(_bits(tile for tile in PLAYING_TILES if tile.suit == suit) for suit in "mps")
_NINE_GATES: Final = frozenset(ones + 2 * (ones & OUTSIDE) for ones in _SUITS)
_GATES: Final = frozenset(nine + UNIT[tile] for nine in _NINE_GATES for tile in PLAYING_TILES if nine & UNIT[tile])
_FORMS: Final = {GroupKind.PAIR: PAIR, GroupKind.PUNG: PUNG, GroupKind.KONG: KONG, GroupKind.CHOW: CHOW}


def gates(packed: int) -> bool:
    """Whether these packed tiles are 1112345678999 of a suit and one more tile of it."""
    return packed in _GATES


def nine_gates(packed: int) -> bool:
    """Whether these packed tiles are 1112345678999 of a suit."""
    return packed in _NINE_GATES


class View(NamedTuple):
    """One way to read a complete hand."""

    # hand, situation: what is read
    hand: Hand
    situation: Situation
    packed: int  # counts of all its tiles (`pack`)
    kinds: int  # the kinds that it holds, as bits
    suits: int  # how many suits it holds, honours left out
    shape: Shape  # its form
    # its groups: concealed ones in the order of their tiles, then the melds; none for thirteen orphans
    blocks: tuple[Block, ...]
    ended: int  # the place of the group that the winning tile ended
    runs: tuple[int, ...]  # lowest kind of each sequence; `run_at` the place of its group
    run_at: tuple[int, ...]
    alike: tuple[int, ...]  # kind of each triplet and quad; `alike_at` the place of its group
    alike_at: tuple[int, ...]
    hidden_at: tuple[int, ...]  # places of the triplets and quads without a claimed tile, the winning discard included
    quad_at: tuple[int, ...]  # places of the quads
    pair: int  # kind of the pair; `NO_PAIR` without exactly one

    @property
    def won(self) -> Tile:
        """The winning tile."""
        return self.hand.winning_tile  # type: ignore[return-value]  # a hand without one has no view

    @property
    def form_ended(self) -> int:
        """The form of the group that the winning tile ended."""
        return self.blocks[self.ended] & 3

    @property
    def held(self) -> int:
        """How often the hand holds the winning tile."""
        return self.packed // UNIT[self.won] & 7

    @property
    def before(self) -> int:
        """Packed tiles before the winning one."""
        return self.packed - UNIT[self.won]

    @property
    def wait(self) -> str:
        """The key of the fu for a wait on one kind: of a pair, the middle or the edge of a sequence; else empty."""
        block = self.blocks[self.ended]
        if block & 3 == PAIR:
            return "pair_wait"
        if block & 3 != CHOW:
            return ""
        low, step = (block >> 2) % 9, KIND[self.won] - (block >> 2)
        return "closed_wait" if step == 1 else "edge_wait" if (low, step) in _EDGES else ""

    def set_of(self, kind: int) -> tuple[int, ...] | None:
        """The place of the triplet or quad of this kind; None without one."""
        return (self.alike_at[self.alike.index(kind)],) if kind in self.alike else None

    def groups(self) -> tuple[tuple[Tile, ...], ...]:
        """The tiles of the groups, red fives in their places."""
        hand = self.hand
        reds = 0 in [tile.rank for tile in hand.concealed]
        if reds or not self.blocks:
            return tuple([group.tiles for group in self._reading().groups])
        concealed = self.blocks[: len(self.blocks) - len(hand.melds)]
        return tuple([_GROUPS[block].tiles for block in concealed] + [meld.tiles for meld in hand.melds])

    def _reading(self) -> Decomposition:
        hand, by_discard = self.hand, not self.situation.self_drawn
        if not self.blocks:
            return decompositions(hand, by_discard=by_discard, shapes=SHAPES)[0]
        concealed = self.blocks[: len(self.blocks) - len(hand.melds)]
        ways = [(self.shape, tuple([_GROUPS[block] for block in concealed]), self.ended)]
        return readings(ways, hand, by_discard=by_discard)[0]


_EDGES: Final = ((0, 2), (6, 0))
"""The 3 of 123 and the 7 of 789: number of the lowest tile, steps from it to the winning one."""


def is_outside(block: Block) -> bool:
    """Whether a group contains a terminal or an honour."""
    return _IS_OUTSIDE[block]


def _outside(block: Block) -> bool:
    kind, form = block >> 2, block & 3
    return kind >= WINDS[0] or kind % 9 in (0, 8) or (form == CHOW and kind % 9 == 6)


_IS_OUTSIDE: Final = tuple(map(_outside, BLOCKS))


def views_of(hand: Hand, situation: Situation) -> list[View]:
    """Every view of a hand whose winning tile is known; none for an incomplete hand. Of equal groups the first counts.

    Seven different pairs come last; thirteen orphans have one view.
    """
    concealed, melds = pack(hand.concealed), hand.melds
    need = 5 - len(melds)
    splits = [
        blocks
        for m in suit_blocks(concealed & SUIT_MASK, "m")
        for p in suit_blocks(concealed >> SUIT_BITS & SUIT_MASK, "p")
        for s in suit_blocks(concealed >> 2 * SUIT_BITS & SUIT_MASK, "s")
        for z in suit_blocks(concealed >> 3 * SUIT_BITS, "z")
        if len(blocks := m + p + s + z) == need
    ]
    whole = _whole(hand, situation, concealed)
    won = KIND[hand.winning_tile]  # type: ignore[index]  # known
    declared_blocks = tuple([4 * KIND[meld.tiles[0]] + _MELD_FORMS[meld.kind] for meld in melds])
    views = [
        _view(whole, Shape.STANDARD, blocks + declared_blocks, place)
        for blocks in splits
        for place, block in enumerate(blocks)
        if won in _KINDS_OF[block] and blocks.index(block) == place
    ]
    if not melds and not concealed & (_ONES | _FOURS):
        pairs = tuple([4 * kind + PAIR for kind in range(len(PLAYING_TILES)) if concealed >> BITS * kind & 2])
        views.append(_view(whole, Shape.DIFFERENT_PAIRS, pairs, pairs.index(4 * won + PAIR)))
    elif not views and shapes_of(concealed, len(melds), _ORPHANS):
        views.append(_view(whole, Shape.THIRTEEN_ORPHANS, (), 0))
    return views


def view_of(hand: Hand, situation: Situation, split: Decomposition) -> View:
    """The view of a decomposition whose winning tile is known; its groups keep their order."""
    blocks = () if split.shape is Shape.THIRTEEN_ORPHANS else tuple(map(_block, split.groups))
    return _view(_whole(hand, situation, pack(hand.concealed)), split.shape, blocks, split.winning_group or 0)


_Whole = tuple["Hand", "Situation", int, int, int]
"""What all views of a hand share: the first five attributes."""


def _whole(hand: Hand, situation: Situation, concealed: int) -> _Whole:
    packed = pack(hand.tiles) if hand.melds else concealed
    kinds = (packed | packed >> 1 | packed >> 2) & _ONES
    return hand, situation, packed, kinds, sum([kinds & suit > 0 for suit in _SUITS])


def _view(whole: _Whole, shape: Shape, blocks: tuple[Block, ...], ended: int) -> View:
    hand, situation = whole[0], whole[1]
    melds = hand.melds
    declared_from = len(blocks) - len(melds)
    opened = -1 if situation.self_drawn else ended
    runs, run_at, alike, alike_at, hidden_at, quad_at, pairs = [], [], [], [], [], [], []
    for at, block in enumerate(blocks):
        form = block & 3
        if form == CHOW:
            runs.append(block >> 2)
            run_at.append(at)
        elif form == PAIR:
            pairs.append(block >> 2)
        else:
            alike.append(block >> 2)
            alike_at.append(at)
            if at != opened if at < declared_from else melds[at - declared_from].concealed:
                hidden_at.append(at)
            if form == KONG:
                quad_at.append(at)
    return View(
        *whole,
        shape,
        blocks,
        ended,
        tuple(runs),
        tuple(run_at),
        tuple(alike),
        tuple(alike_at),
        tuple(hidden_at),
        tuple(quad_at),
        pairs[0] if len(pairs) == 1 else NO_PAIR,
    )


@lru_cache(maxsize=MOST_SUITS)
def suit_blocks(code: int, suit: str) -> tuple[tuple[Block, ...], ...]:
    """Every way to split the tiles of one suit (a suit code of `winning`) into sets, or sets and a pair."""
    return tuple(tuple(sorted(map(_block, split))) for split in suit_splits(code, suit))


def _block(group: Group) -> Block:
    return 4 * KIND[group.tiles[0]] + _FORMS[group.kind]


_MELD_FORMS: Final = {MeldKind.PUNG: PUNG, MeldKind.KONG: KONG, MeldKind.CHOW: CHOW}
_ORPHANS: Final = frozenset((Shape.THIRTEEN_ORPHANS,))
_KINDS_OF: Final = tuple(
    (block >> 2, (block >> 2) + 1, (block >> 2) + 2) if block & 3 == CHOW else (block >> 2,) for block in BLOCKS
)
"""The kinds of the tiles of each group."""
_GROUPS: Final = {
    4 * KIND[group.tile] + form: group
    for tile in PLAYING_TILES
    for form, group in (
        (PAIR, Group(GroupKind.PAIR, (tile,) * 2, concealed=True)),
        (PUNG, Group(GroupKind.PUNG, (tile,) * 3, concealed=True)),
    )
} | {
    4 * kind + CHOW: Group(GroupKind.CHOW, PLAYING_TILES[kind : kind + 3], concealed=True)
    for kind in range(WINDS[0])
    if kind % 9 < 7
}
"""Each group that concealed tiles can make."""
