"""Fans 1 to 27: 88, 64, 48, 32 and 24 points (document 002, fan list; see scoring/sources.md)."""

from collections.abc import Callable
from typing import Final

from tilescore.scoring.mcr.registry import NOT, ONCE, About, Matches, chows, fan, pungs, together
from tilescore.scoring.mcr.sequences import in_one_suit, steps
from tilescore.scoring.mcr.view import HONOR, KONG, NO_HONOR, ONE_SUIT, OTHER_SHAPE, PUNG, View
from tilescore.scoring.shapes.kinds import GREEN, HONORS, MIDDLE, NINE_GATES, TERMINALS, kinds, ranks
from tilescore.scoring.shapes.winning import ORPHANS, Shape
from tilescore.scoring.tiles import Tile

_EVEN: Final = kinds("2468m2468p2468s")
_UPPER, _LOWER = ranks(7, 9), ranks(1, 3)


# --- 88 points ---------------------------------------------------------------------------------------------------


@pungs(4)
def big_four_winds(*tiles: Tile) -> bool:
    """Pungs or kongs of all four winds (大四喜)."""
    return all(tile.is_wind for tile in tiles)


@pungs(3)
def big_three_dragons(*tiles: Tile) -> bool:
    """Pungs or kongs of all three dragons (大三元)."""
    return all(tile.is_dragon for tile in tiles)


@fan(About.HAND)
def all_green(view: View) -> Matches:
    """Nothing but 2, 3, 4, 6, 8 bamboo and the green dragon, which may be missing (绿一色)."""
    return NOT if view.kinds & ~GREEN else ONCE


@fan(About.HAND, needs=ONE_SUIT | NO_HONOR)
def nine_gates(view: View) -> Matches:
    """A concealed 1112345678999 of one suit, completed by any tile of it (九莲宝灯)."""
    return ONCE if not view.hand.melds and view.before in NINE_GATES else NOT


@fan(About.GROUPS, needs=KONG)
def four_kongs(view: View) -> Matches:
    """Four kongs, concealed or melded (四杠)."""
    return together(view.kong_at, 4)


@fan(About.SPLIT, needs=OTHER_SHAPE)
def seven_shifted_pairs(view: View) -> Matches:
    """Seven pairs of one suit in a row (连七对)."""
    if view.shape is not Shape.SEVEN_PAIRS:
        return NOT
    tiles = [group.tile for group in view.groups]
    return ONCE if in_one_suit(*tiles) and set(steps(*tiles)) == {1} else NOT


@fan(About.SPLIT, needs=OTHER_SHAPE)
def thirteen_orphans(view: View) -> Matches:
    """One each of the thirteen terminals and honours, and a second of one of them (十三幺)."""
    return ONCE if view.shape is Shape.THIRTEEN_ORPHANS else NOT


# --- 64 points ---------------------------------------------------------------------------------------------------


@fan(About.HAND, needs=NO_HONOR)
def all_terminals(view: View) -> Matches:
    """Sets and pair, or seven pairs, of ones and nines (清幺九)."""
    return NOT if view.kinds & ~TERMINALS else ONCE


@fan(About.GROUPS, needs=PUNG | HONOR)
def little_four_winds(view: View) -> Matches:
    """Pungs or kongs of three winds and a pair of the fourth (小四喜)."""
    return _with_pair(view, 3, lambda tile: tile.is_wind)


@fan(About.GROUPS, needs=PUNG | HONOR)
def little_three_dragons(view: View) -> Matches:
    """Pungs or kongs of two dragons and a pair of the third (小三元)."""
    return _with_pair(view, 2, lambda tile: tile.is_dragon)


@fan(About.HAND, needs=HONOR)
def all_honors(view: View) -> Matches:
    """Sets and pair, or seven pairs, of winds and dragons (字一色)."""
    return ONCE if not view.suits else NOT


@fan(About.SPLIT, needs=PUNG)
def four_concealed_pungs(view: View) -> Matches:
    """Four concealed pungs or concealed kongs (四暗刻)."""
    return ONCE if len(view.concealed_at) == 4 else NOT


@fan(About.SPLIT, needs=ONE_SUIT | NO_HONOR)
def pure_terminal_chows(view: View) -> Matches:
    """Two chows 1-2-3, two chows 7-8-9 and a pair of fives, all of one suit (一色双龙会)."""
    return ONCE if _terminal_chows_and_fives(view) and view.suits == 1 else NOT


# --- 48 and 32 points --------------------------------------------------------------------------------------------


@chows(4)
def quadruple_chow(*lows: Tile) -> bool:
    """Four equal chows (一色四同顺)."""
    return len(set(lows)) == 1


@pungs(4)
def four_pure_shifted_pungs(*tiles: Tile) -> bool:
    """Four pungs or kongs of one suit in a row (一色四节高)."""
    return in_one_suit(*tiles) and steps(*tiles) == (1, 1, 1)


@chows(4)
def four_pure_shifted_chows(*lows: Tile) -> bool:
    """Four chows of one suit, each one number, or each two numbers, above the last (一色四步高)."""
    return in_one_suit(*lows) and steps(*lows) in ((1, 1, 1), (2, 2, 2))


@fan(About.GROUPS, needs=KONG)
def three_kongs(view: View) -> Matches:
    """Three kongs, concealed or melded (三杠)."""
    return together(view.kong_at, 3)


@fan(About.HAND, needs=HONOR)
def all_terminals_and_honors(view: View) -> Matches:
    """Ones and nines together with winds or dragons, and nothing else (混幺九)."""
    return ONCE if view.honors and view.suits and not view.kinds & ~ORPHANS else NOT


# --- 24 points ---------------------------------------------------------------------------------------------------


@fan(About.SPLIT, needs=OTHER_SHAPE)
def seven_pairs(view: View) -> Matches:
    """Seven pairs; four equal tiles make two of them (七对)."""
    return ONCE if view.shape is Shape.SEVEN_PAIRS else NOT


@fan(About.SPLIT, needs=OTHER_SHAPE)
def greater_honors_and_knitted_tiles(view: View) -> Matches:
    """All seven honours and seven different tiles of a knitted straight (七星不靠)."""
    return ONCE if view.shape is Shape.LESSER_KNITTED and (view.kinds & HONORS).bit_count() == 7 else NOT


@fan(About.SPLIT, needs=PUNG | NO_HONOR)
def all_even_pungs(view: View) -> Matches:
    """Four pungs or kongs and a pair of 2, 4, 6 and 8 (全双刻)."""
    return ONCE if len(view.pungs) == 4 and not view.kinds & ~_EVEN else NOT


@fan(About.HAND, needs=ONE_SUIT | NO_HONOR)
def full_flush(view: View) -> Matches:
    """Tiles of one suit only (清一色)."""
    return ONCE if view.suits == 1 and not view.honors else NOT


@chows(3)
def pure_triple_chow(*lows: Tile) -> bool:
    """Three equal chows (一色三同顺)."""
    return len(set(lows)) == 1


@pungs(3)
def pure_shifted_pungs(*tiles: Tile) -> bool:
    """Three pungs or kongs of one suit in a row (一色三节高)."""
    return in_one_suit(*tiles) and steps(*tiles) == (1, 1)


@fan(About.HAND, needs=NO_HONOR)
def upper_tiles(view: View) -> Matches:
    """Nothing but 7, 8 and 9 (全大)."""
    return NOT if view.kinds & ~_UPPER else ONCE


@fan(About.HAND, needs=NO_HONOR)
def middle_tiles(view: View) -> Matches:
    """Nothing but 4, 5 and 6 (全中)."""
    return NOT if view.kinds & ~MIDDLE else ONCE


@fan(About.HAND, needs=NO_HONOR)
def lower_tiles(view: View) -> Matches:
    """Nothing but 1, 2 and 3 (全小)."""
    return NOT if view.kinds & ~_LOWER else ONCE


def _with_pair(view: View, pungs: int, fits: Callable[[Tile], bool]) -> Matches:
    """So many pungs or kongs and a pair that fit."""
    if len(view.pungs) < pungs or view.pair is None or not fits(view.pair) or sum(map(fits, view.pungs)) != pungs:
        return NOT
    return (tuple([place for place, group in enumerate(view.groups) if fits(group.tile)]),)


def _terminal_chows_and_fives(view: View) -> bool:
    """Whether the hand is two chows 1-2-3, two chows 7-8-9 and a pair of fives, of any suits."""
    fives = view.pair is not None and view.pair.is_suited and view.pair.rank == 5
    return fives and sorted(low.rank for low in view.chows) == [1, 1, 7, 7]
