"""A hand in the form that the classical and the simplified rules count.

A `Showing` is one split of a hand: its sets, its pairs, and the group that the winning tile ended. A won hand has a
showing for each split and each group that the winning tile may have ended; a losing hand has exactly one. Decisions:
scoring/sources.md.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from tilescore.errors import HandError
from tilescore.scoring.context import Context, WinBy
from tilescore.scoring.hand import Hand
from tilescore.scoring.shapes.decompose import Decomposition, Group, GroupKind, declared, decompositions
from tilescore.scoring.shapes.waiting import waits as waits_for
from tilescore.scoring.shapes.winning import Shape
from tilescore.scoring.tiles import Tile

Tiles = tuple[Tile, ...]

_SETS: Final = (GroupKind.CHOW, GroupKind.PUNG, GroupKind.KONG)
WONDERS: Final = Shape.THIRTEEN_ORPHANS
"""The shape of Thirteen Wonders."""
_ANY_TILES: Final = frozenset({Shape.STANDARD, WONDERS})
_PAIRS: Final = frozenset({Shape.SEVEN_PAIRS})
SHAPES: Final = _ANY_TILES | _PAIRS
"""The forms of a complete hand; of seven pairs, only those of twins win."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """One split of a hand. Red fives are plain fives (S-ALL-7)."""

    hand: Hand
    context: Context
    shape: Shape | None  # four sets and a pair, seven pairs or Thirteen Wonders; None for a hand that did not win
    sets: tuple[Group, ...]  # chows, pungs and kongs
    pairs: tuple[Tiles, ...] = ()  # one pair, seven pairs, or every pair of a losing hand
    ended: Tiles = ()  # the group that the winning tile ended; empty for a losing hand
    only_wait: bool = False  # whether no other kind of tile could have completed the hand

    @property
    def won(self) -> bool:
        """Whether this is a winning hand."""
        return self.shape is not None

    @property
    def tiles(self) -> Tiles:
        """Every tile of the hand but the bonus ones."""
        return tuple(tile.plain for tile in self.hand.tiles)

    @property
    def chows(self) -> tuple[Group, ...]:
        """The sets in sequence."""
        return tuple(group for group in self.sets if group.kind is GroupKind.CHOW)

    @property
    def pungs(self) -> tuple[Group, ...]:
        """The sets of equal tiles, pungs and kongs."""
        return tuple(group for group in self.sets if group.kind is not GroupKind.CHOW)

    @property
    def kongs(self) -> tuple[Group, ...]:
        """The declared sets of four."""
        return tuple(group for group in self.sets if group.kind is GroupKind.KONG)

    @property
    def all_pungs(self) -> bool:
        """Whether the hand won with four pungs or kongs and a pair."""
        return self.shape is Shape.STANDARD and not self.chows

    @property
    def suits(self) -> frozenset[str]:
        """Letters of the suits present, honours left out."""
        return frozenset(tile.suit for tile in self.tiles if tile.is_suited)

    @property
    def has_honors(self) -> bool:
        """Whether a wind or dragon is present."""
        return any(tile.is_honor for tile in self.tiles)

    @property
    def winning_tile(self) -> Tile | None:
        """The winning tile, a red five as a plain one."""
        return None if self.hand.winning_tile is None else self.hand.winning_tile.plain

    @property
    def groups(self) -> tuple[Tiles, ...]:
        """Sets, pairs, and last the loose tiles."""
        grouped = (*(group.tiles for group in self.sets), *self.pairs)
        rest = Counter(self.tiles) - Counter(tile for group in grouped for tile in group)
        loose = tuple(sorted(rest.elements()))
        return (*grouped, loose) if loose else grouped


def losing(hand: Hand, context: Context) -> Showing:
    """The showing of a losing hand: declared sets, concealed pungs, pairs; four alike are a pung (S-CLA-5)."""
    counts = Counter(tile.plain for tile in hand.concealed)
    melds = tuple(_plain_group(declared(meld)) for meld in hand.melds)
    pungs = tuple(Group(GroupKind.PUNG, (tile,) * 3, concealed=True) for tile in sorted(counts) if counts[tile] >= 3)
    pairs = tuple((tile, tile) for tile in sorted(counts) if counts[tile] == 2)
    return Showing(hand=hand, context=context, shape=None, sets=(*melds, *pungs), pairs=pairs)


def showings(hand: Hand, context: Context) -> tuple[Showing, ...]:
    """All showings of a won hand; none if its tiles make no win.

    Raises HandError if the tiles make a win, but the hand does not name the winning tile.
    """
    shapes = _ANY_TILES | (_PAIRS if _are_twins(hand.concealed) else frozenset())
    splits = decompositions(hand, by_discard=context.win_by is WinBy.DISCARD, shapes=shapes)
    if splits and hand.winning_tile is None:
        raise HandError("winning_tile_unknown", f"the hand '{hand}' is complete: say which tile it was won with.")
    only_wait = len(splits) > 0 and len(waits(hand)) == 1
    return tuple(_showing(hand, context, split, only_wait=only_wait) for split in splits)


def _showing(hand: Hand, context: Context, split: Decomposition, *, only_wait: bool) -> Showing:
    ended = () if split.winning_group is None else split.groups[split.winning_group].tiles
    plain = [_plain_group(group) for group in split.groups]
    return Showing(
        hand=hand,
        context=context,
        shape=split.shape,
        sets=tuple(group for group in plain if group.kind in _SETS),
        pairs=tuple(group.tiles for group in plain if group.kind is GroupKind.PAIR),
        ended=_plain(ended),
        only_wait=only_wait,
    )


def waits(hand: Hand) -> Tiles:
    """The kinds that complete a hand of 13 tiles, or one of 14 without its winning tile."""
    rest = list(hand.concealed)
    if hand.winning_tile is not None:
        rest.remove(hand.winning_tile)
    twins = (tile for tile in waits_for(hand, _PAIRS) if _are_twins((*rest, tile)))
    return tuple(sorted({*waits_for(hand, _ANY_TILES), *twins}))


def _are_twins(tiles: Tiles) -> bool:
    """Whether seven pairs of these tiles win: one suit, or all seven honours (Heavenly Twins, S-CLA-17)."""
    kinds = {tile.plain for tile in tiles}
    suits = {tile.suit for tile in kinds}
    return len(suits) == 1 and ("z" not in suits or len(kinds) == 7)


def _plain_group(group: Group) -> Group:
    return group._replace(tiles=_plain(group.tiles))


def _plain(tiles: Tiles) -> Tiles:
    return tuple(tile.plain for tile in tiles)
