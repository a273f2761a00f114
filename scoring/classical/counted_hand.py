"""The views of a hand that the classical and the simplified rules count.

A won hand has a view for each split and each group that the winning tile may have ended; a losing hand has exactly one.
Red fives are plain fives (S-ALL-7). Decisions: scoring/sources.md.
"""

from collections import Counter
from dataclasses import replace
from typing import Final

from tilescore.errors import HandError
from tilescore.scoring.context import Context
from tilescore.scoring.hand import Hand, Meld
from tilescore.scoring.shapes import view as shapes_view
from tilescore.scoring.shapes.decompose import GroupKind, declared, group_of
from tilescore.scoring.shapes.waiting import waits as waits_for
from tilescore.scoring.shapes.winning import Shape
from tilescore.scoring.tiles import Tile

Tiles = tuple[Tile, ...]
View = shapes_view.View[Context]

WONDERS: Final = Shape.THIRTEEN_ORPHANS
"""The shape of Thirteen Wonders."""
_PAIRS: Final = frozenset({Shape.SEVEN_PAIRS})
SHAPES: Final = frozenset({Shape.STANDARD, WONDERS}) | _PAIRS
"""The forms of a complete hand; of seven pairs, only those of twins win."""
_LAST: Final = {GroupKind.PAIR: 1, GroupKind.SINGLES: 2}
"""The order of what follows the sets."""


def pairs(view: View) -> tuple[Tiles, ...]:
    """The tiles of one pair, of seven pairs, or of every pair of a losing hand."""
    return tuple(group.tiles for group in view.groups if group.kind is GroupKind.PAIR)


def all_pungs(view: View) -> bool:
    """Whether the hand won with four pungs or kongs and a pair."""
    return view.shape is Shape.STANDARD and not view.chows


def shown_groups(view: View) -> tuple[Tiles, ...]:
    """The tiles of sets, of pairs, and last the loose ones."""
    return tuple(group.tiles for group in sorted(view.groups, key=lambda group: _LAST.get(group.kind, 0)))


def losing(hand: Hand, context: Context) -> View:
    """The view of a losing hand: declared sets, concealed pungs, pairs; four alike are a pung (S-CLA-5)."""
    plain = _plain(hand)
    counts = Counter(plain.concealed)
    melds = map(declared, plain.melds)
    pungs = [group_of(GroupKind.PUNG, (tile,) * 3) for tile in sorted(counts) if counts[tile] >= 3]
    twos = [group_of(GroupKind.PAIR, (tile,) * 2) for tile in sorted(counts) if counts[tile] == 2]
    loose = counts - Counter(tile for group in (*pungs, *twos) for tile in group.tiles)
    rest = [group_of(GroupKind.SINGLES, tuple(sorted(loose.elements())))] if loose else ()
    return shapes_view.view_of(plain, context, (*melds, *pungs, *twos, *rest))


def winning(hand: Hand, context: Context, shapes: frozenset[Shape]) -> list[View]:
    """All views of a won hand of these forms; none if its tiles make no win.

    Raises HandError if the tiles make a win, but the hand does not name the winning tile.
    """
    plain = _plain(hand)
    ways = shapes_view.views(
        plain, context, by_discard=not context.self_drawn, one_wait=lambda hand: len(waits(hand, shapes)) == 1,
        shapes=shapes if _are_twins(hand.concealed) else shapes - _PAIRS,
    )  # fmt: skip
    if ways and hand.winning_tile is None:
        raise HandError("winning_tile_unknown", f"the hand '{hand}' is complete: say which tile it was won with.")
    return ways


def waits(hand: Hand, shapes: frozenset[Shape]) -> Tiles:
    """The kinds that complete a hand of 13 tiles, or one of 14 without its winning tile, to one of these forms."""
    rest = list(hand.concealed)
    if hand.winning_tile is not None:
        rest.remove(hand.winning_tile)
    twins = (tile for tile in waits_for(hand, shapes & _PAIRS) if _are_twins((*rest, tile)))
    return tuple(sorted({*waits_for(hand, shapes - _PAIRS), *twins}))


def _are_twins(tiles: Tiles) -> bool:
    """Whether seven pairs of these tiles win: one suit, or all seven honours (Heavenly Twins, S-CLA-17)."""
    kinds = {tile.plain for tile in tiles}
    suits = {tile.suit for tile in kinds}
    return len(suits) == 1 and ("z" not in suits or len(kinds) == 7)


def _plain(hand: Hand) -> Hand:
    """The hand with plain fives for red ones."""
    won = hand.winning_tile
    return replace(
        hand,
        concealed=tuple(tile.plain for tile in hand.concealed),
        melds=tuple(Meld.of(tuple(tile.plain for tile in meld.tiles), concealed=meld.concealed) for meld in hand.melds),
        winning_tile=None if won is None else won.plain,
    )
