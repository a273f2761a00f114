"""Fans 28 to 54: 16, 12, 8 and 6 points (document 002, fan list; see scoring/sources.md)."""

from typing import Final

from tilescore.scoring.context import Occasion
from tilescore.scoring.mcr.registry import NOT, ONCE, About, Matches, chows, fan, pungs, together
from tilescore.scoring.mcr.sequences import in_different_suits, in_one_suit, steps
from tilescore.scoring.mcr.view import CHOW, HONOR, KONG, NO_HONOR, OCCASION, ONE_SUIT, OTHER_SHAPE, PUNG, View, kongs
from tilescore.scoring.shapes.kinds import DRAGONS, HONORS, WINDS, kinds, ranks
from tilescore.scoring.shapes.winning import Shape
from tilescore.scoring.tiles import Tile

_UPPER, _LOWER, _NEAR_FIVE = ranks(6, 9), ranks(1, 4), ranks(3, 7)
_REVERSIBLE: Final = kinds("1234589p245689s5z")


# --- 16 points ---------------------------------------------------------------------------------------------------


@chows(3)
def pure_straight(*lows: Tile) -> bool:
    """Chows 1-2-3, 4-5-6 and 7-8-9 of one suit (清龙)."""
    return in_one_suit(*lows) and steps(*lows) == (3, 3)


@fan(About.SPLIT, needs=CHOW | NO_HONOR)
def three_suited_terminal_chows(view: View) -> Matches:
    """Chows 1-2-3 and 7-8-9 in each of two suits, and a pair of fives of the third (三色双龙会)."""
    pair = view.pair
    if pair is None or not pair.is_suited or pair.rank != 5:
        return NOT
    suits = {low.suit for low in view.chows}
    wanted = {(suit, rank) for suit in suits for rank in (1, 7)}
    fits = len(view.chows) == 4 and len(suits) == 2 and {(low.suit, low.rank) for low in view.chows} == wanted
    return ONCE if fits and pair.suit not in suits else NOT


@chows(3)
def pure_shifted_chows(*lows: Tile) -> bool:
    """Three chows of one suit, each one number, or each two numbers, above the last (一色三步高)."""
    return in_one_suit(*lows) and steps(*lows) in ((1, 1), (2, 2))


@fan(About.SPLIT, needs=NO_HONOR)
def all_fives(view: View) -> Matches:
    """A five in every set and in the pair (全带五)."""
    if view.pair is None or view.kinds & ~_NEAR_FIVE:
        return NOT
    return ONCE if all(5 in [tile.plain.rank for tile in group.tiles] for group in view.groups) else NOT


@pungs(3)
def triple_pung(*tiles: Tile) -> bool:
    """Three pungs or kongs of one number in the three suits (三同刻)."""
    return in_different_suits(*tiles) and steps(*tiles) == (0, 0)


@fan(About.GROUPS, needs=PUNG)
def three_concealed_pungs(view: View) -> Matches:
    """Three concealed pungs or concealed kongs (三暗刻)."""
    return together(view.concealed_at, 3)


# --- 12 points ---------------------------------------------------------------------------------------------------


@fan(About.SPLIT, needs=OTHER_SHAPE)
def lesser_honors_and_knitted_tiles(view: View) -> Matches:
    """Fourteen different tiles: honours, and tiles of one knitted straight (全不靠)."""
    return ONCE if view.shape is Shape.LESSER_KNITTED else NOT


@fan(About.SPLIT, needs=OTHER_SHAPE)
def knitted_straight(view: View) -> Matches:
    """1-4-7, 2-5-8 and 3-6-9, each of another suit (组合龙)."""
    complete = view.shape is Shape.LESSER_KNITTED and (view.kinds & ~HONORS).bit_count() == 9
    return ONCE if complete or view.shape is Shape.KNITTED_STRAIGHT else NOT


@fan(About.HAND, needs=NO_HONOR)
def upper_four(view: View) -> Matches:
    """Nothing but 6, 7, 8 and 9 (大于五)."""
    return NOT if view.kinds & ~_UPPER else ONCE


@fan(About.HAND, needs=NO_HONOR)
def lower_four(view: View) -> Matches:
    """Nothing but 1, 2, 3 and 4 (小于五)."""
    return NOT if view.kinds & ~_LOWER else ONCE


@pungs(3)
def big_three_winds(*tiles: Tile) -> bool:
    """Pungs or kongs of three winds (三风刻)."""
    return all(tile.is_wind for tile in tiles)


# --- 8 points ----------------------------------------------------------------------------------------------------


@chows(3)
def mixed_straight(*lows: Tile) -> bool:
    """Chows 1-2-3, 4-5-6 and 7-8-9, each of another suit (花龙)."""
    return in_different_suits(*lows) and steps(*lows) == (3, 3)


@fan(About.HAND)
def reversible_tiles(view: View) -> Matches:
    """Nothing but tiles that look the same upside down: 1234589 dots, 245689 bamboo, white dragon (推不倒)."""
    return NOT if view.kinds & ~_REVERSIBLE else ONCE


@chows(3)
def mixed_triple_chow(*lows: Tile) -> bool:
    """One chow in all three suits (三色三同顺)."""
    return in_different_suits(*lows) and steps(*lows) == (0, 0)


@pungs(3)
def mixed_shifted_pungs(*tiles: Tile) -> bool:
    """Three pungs or kongs of three suits, each one number above the last (三色三节高)."""
    return in_different_suits(*tiles) and steps(*tiles) == (1, 1)


@fan(About.WIN)
def chicken_hand(_view: View) -> Matches:
    """A hand that would be worth nothing, flowers left out (无番和)."""
    return NOT  # combine.py adds it when all other fans are counted


@fan(About.WIN, needs=OCCASION)
def last_tile_draw(view: View) -> Matches:
    """Won on the last tile of the wall, self-drawn (妙手回春)."""
    context = view.context
    return ONCE if context.self_drawn and context.has(Occasion.LAST_TILE) else NOT


@fan(About.WIN, needs=OCCASION)
def last_tile_claim(view: View) -> Matches:
    """Won on the last discard of the deal (海底捞月)."""
    context = view.context
    return ONCE if not context.self_drawn and context.has(Occasion.LAST_TILE) else NOT


@fan(About.WIN, needs=OCCASION)
def out_with_replacement_tile(view: View) -> Matches:
    """Won on the tile drawn for a kong, not for a flower (杠上开花)."""
    return ONCE if view.context.has(Occasion.KONG_REPLACEMENT) else NOT


@fan(About.WIN, needs=OCCASION)
def robbing_the_kong(view: View) -> Matches:
    """Won on a tile that another player added to a melded pung (抢杠和)."""
    return ONCE if view.context.has(Occasion.ROBBING_KONG) else NOT


@fan(About.GROUPS, needs=KONG)
def two_concealed_kongs(view: View) -> Matches:
    """Two concealed kongs (双暗杠)."""
    return together(kongs(view, concealed=True), 2)


# --- 6 points ----------------------------------------------------------------------------------------------------


@fan(About.SPLIT, needs=PUNG)
def all_pungs(view: View) -> Matches:
    """Four pungs or kongs and a pair (碰碰和)."""
    return ONCE if len(view.pungs) == 4 else NOT


@fan(About.HAND, needs=ONE_SUIT | HONOR)
def half_flush(view: View) -> Matches:
    """Tiles of one suit together with honours (混一色)."""
    return ONCE if view.suits == 1 and view.honors else NOT


@chows(3)
def mixed_shifted_chows(*lows: Tile) -> bool:
    """Three chows of three suits, each one number above the last (三色三步高)."""
    return in_different_suits(*lows) and steps(*lows) == (1, 1)


@fan(About.HAND, needs=HONOR)
def all_types(view: View) -> Matches:
    """Characters, dots, bamboo, winds and dragons (五门齐)."""
    return ONCE if view.suits == 3 and view.kinds & WINDS and view.kinds & DRAGONS else NOT


@fan(About.WIN)
def melded_hand(view: View) -> Matches:
    """Four claimed sets, and the pair completed by a discard (全求人)."""
    return ONCE if view.claimed == 4 and not view.context.self_drawn else NOT


@pungs(2)
def two_dragon_pungs(*tiles: Tile) -> bool:
    """Pungs or kongs of two dragons (双箭刻)."""
    return all(tile.is_dragon for tile in tiles)
