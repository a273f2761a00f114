"""Fans 55 to 81: 4, 2 and 1 point (document 002, fan list; see scoring/sources.md)."""

from typing import Final

from tilescore.scoring.context import Occasion
from tilescore.scoring.mcr.registry import NOT, ONCE, About, Match, Matches, chows, fan, pungs
from tilescore.scoring.mcr.sequences import HONORS, TERMINALS, in_different_suits, in_one_suit, ranks, steps
from tilescore.scoring.mcr.view import KONG, PUNG, WAIT, View, is_concealed_pung, is_kong, is_melded_kong
from tilescore.scoring.plausibility import holds_the_others_open
from tilescore.scoring.shapes.decompose import GroupKind
from tilescore.scoring.shapes.winning import Shape
from tilescore.scoring.tiles import Tile

_MIDDLE: Final = ranks(4, 6)


# --- 4 points ----------------------------------------------------------------------------------------------------


@fan(About.SPLIT)
def outside_hand(view: View) -> Matches:
    """A terminal or an honour in every set and in the pair (全带幺)."""
    if view.whole.kinds & _MIDDLE or view.shape not in (Shape.STANDARD, Shape.SEVEN_PAIRS):
        return NOT
    for group in view.groups:  # a group is sorted
        if not (group.tiles[0].is_terminal_or_honor or group.tiles[-1].is_terminal_or_honor):
            return NOT
    return ONCE


@fan(About.WIN)
def fully_concealed_hand(view: View) -> Matches:
    """Nothing claimed and the last tile self-drawn; a kong that was drawn spoils nothing (不求人)."""
    return ONCE if view.whole.claimed == 0 and not view.whole.by_discard else NOT


@fan(About.GROUPS, needs=KONG)
def two_melded_kongs(view: View) -> Matches:
    """Two melded kongs (双明杠)."""
    return view.groups_where(is_melded_kong) if view.melded_kongs >= 2 else NOT


@fan(About.GROUPS, needs=KONG)
def melded_and_concealed_kong(view: View) -> Matches:
    """A melded kong and a concealed one (明暗杠)."""
    return view.groups_where(is_kong) if view.melded_kongs and view.concealed_kongs else NOT


@fan(About.WIN)
def last_tile(view: View) -> Matches:
    """Won on the last tile of its kind, the other three being open to all (和绝张)."""
    whole = view.whole
    return (
        ONCE
        if whole.context.has(Occasion.LAST_OF_ITS_KIND) or (whole.claimed and holds_the_others_open(whole.hand))
        else NOT
    )


# --- 2 points ----------------------------------------------------------------------------------------------------


@pungs(1)
def dragon_pung(tile: Tile) -> bool:
    """A pung or kong of dragons (箭刻)."""
    return tile.is_dragon


@fan(About.GROUPS, needs=PUNG)
def prevalent_wind(view: View) -> Matches:
    """A pung or kong of the wind of the round (圈风刻)."""
    return _pungs_of(view, view.whole.context.round.wind)


@fan(About.GROUPS, needs=PUNG)
def seat_wind(view: View) -> Matches:
    """A pung or kong of the winner's own wind (门风刻)."""
    return _pungs_of(view, view.whole.context.seat.wind)


@fan(About.WIN)
def concealed_hand(view: View) -> Matches:
    """Nothing claimed, won on a discard (门前清)."""
    return ONCE if view.whole.claimed == 0 and view.whole.by_discard else NOT


@fan(About.SPLIT)
def all_chows(view: View) -> Matches:
    """Chows and a pair, no honours; a knitted straight counts as three chows (平和)."""
    return ONCE if view.pair is not None and not view.pungs and not view.whole.honors else NOT


@fan(About.HAND)
def tile_hog(view: View) -> Matches:
    """All four tiles of a kind that are not declared a kong (四归一)."""
    return ONCE * len(view.whole.fours)


@pungs(2)
def double_pung(*tiles: Tile) -> bool:
    """Two pungs or kongs of one number in two suits (双同刻)."""
    return in_different_suits(*tiles) and steps(*tiles) == (0,)


@fan(About.GROUPS, needs=PUNG)
def two_concealed_pungs(view: View) -> Matches:
    """Two concealed pungs or concealed kongs (双暗刻)."""
    return view.groups_where(is_concealed_pung) if view.concealed_pungs >= 2 else NOT


@fan(About.GROUPS, needs=KONG)
def concealed_kong(view: View) -> Matches:
    """A concealed kong (暗杠)."""
    return _kongs(view, concealed=True) if view.concealed_kongs else NOT


@fan(About.HAND)
def all_simples(view: View) -> Matches:
    """No terminals, no honours (断幺)."""
    return NOT if view.whole.kinds & (TERMINALS | HONORS) else ONCE


# --- 1 point -----------------------------------------------------------------------------------------------------


@chows(2)
def pure_double_chow(*lows: Tile) -> bool:
    """Two equal chows (一般高)."""
    return len(set(lows)) == 1


@chows(2)
def mixed_double_chow(*lows: Tile) -> bool:
    """One chow in two suits (喜相逢)."""
    return in_different_suits(*lows) and steps(*lows) == (0,)


@chows(2)
def short_straight(*lows: Tile) -> bool:
    """Two chows of one suit that join to six in a row (连六)."""
    return in_one_suit(*lows) and steps(*lows) == (3,)


@chows(2)
def two_terminal_chows(*lows: Tile) -> bool:
    """Chows 1-2-3 and 7-8-9 of one suit (老少副)."""
    return in_one_suit(*lows) and steps(*lows) == (6,)


@fan(About.GROUPS, needs=PUNG)
def pung_of_terminals_or_honors(view: View) -> Matches:
    """A pung or kong of ones, nines, or of winds that are neither the round's nor the winner's own (幺九刻)."""
    context = view.whole.context
    better = (context.round.wind, context.seat.wind)
    matches = [
        (place,)
        for tile, place in zip(view.pungs, view.pung_at, strict=True)
        if (tile.is_terminal or tile.is_wind) and tile not in better
    ]
    return tuple(matches)


@fan(About.GROUPS, needs=KONG)
def melded_kong(view: View) -> Matches:
    """A claimed kong, or one added to a claimed pung (明杠)."""
    return _kongs(view, concealed=False) if view.melded_kongs else NOT


@fan(About.HAND)
def one_voided_suit(view: View) -> Matches:
    """No tile of one suit, or of two (缺一门)."""
    return ONCE if view.whole.suits in (1, 2) else NOT


@fan(About.HAND)
def no_honors(view: View) -> Matches:
    """No winds, no dragons (无字)."""
    return NOT if view.whole.honors else ONCE


@fan(About.GROUPS, needs=WAIT)
def edge_wait(view: View) -> Matches:
    """Waited for nothing but the 3 of 1-2-3 or the 7 of 7-8-9 (边张)."""
    low = _low_of_last_chow(view)
    won = view.whole.hand.winning_tile
    return _last(view) if low is not None and (low.rank, won and won.plain.rank) in ((1, 3), (7, 7)) else NOT


@fan(About.GROUPS, needs=WAIT)
def closed_wait(view: View) -> Matches:
    """Waited for nothing but the middle tile of a chow (嵌张)."""
    low = _low_of_last_chow(view)
    won = view.whole.hand.winning_tile
    return _last(view) if low is not None and won is not None and won.plain.rank == low.rank + 1 else NOT


@fan(About.GROUPS, needs=WAIT)
def single_wait(view: View) -> Matches:
    """Waited for nothing but the second tile of a pair (单钓将)."""
    group = view.last_group
    return _last(view) if group is not None and group.kind is GroupKind.PAIR else NOT


@fan(About.WIN)
def self_drawn(view: View) -> Matches:
    """The winner drew the last tile (自摸)."""
    return NOT if view.whole.by_discard else ONCE


@fan(About.WIN)
def flower_tiles(view: View) -> Matches:
    """A flower or a season, outside the 8 points that a win needs (花牌)."""
    return ONCE * len(view.whole.hand.bonus)


def _pungs_of(view: View, wind: Tile) -> Matches:
    return tuple([(place,) for tile, place in zip(view.pungs, view.pung_at, strict=True) if tile == wind])


def _kongs(view: View, *, concealed: bool) -> Matches:
    kongs = [place for place in view.pung_at if view.groups[place].kind is GroupKind.KONG]
    return tuple([(place,) for place in kongs if view.groups[place].concealed is concealed])


def _low_of_last_chow(view: View) -> Tile | None:
    group = view.last_group
    return group.tile if group is not None and group.kind is GroupKind.CHOW else None


def _last(view: View) -> Matches:
    place = view.split.winning_group
    match: Match = () if place is None else (place,)
    return (match,)
