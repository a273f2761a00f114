"""Fans 55 to 81: 4, 2 and 1 point (document 002, fan list; see scoring/sources.md)."""

from tilescore.scoring.context import Occasion
from tilescore.scoring.mcr.registry import NOT, ONCE, About, Matches, chows, fan, pungs, together
from tilescore.scoring.mcr.sequences import in_different_suits, in_one_suit, steps
from tilescore.scoring.mcr.view import FOUR, HONOR, KONG, NO_HONOR, PUNG, WAIT, View, fours, kongs
from tilescore.scoring.plausibility import holds_the_others_open
from tilescore.scoring.shapes.kinds import MIDDLE, SIMPLES
from tilescore.scoring.shapes.view import CLOSED_WAIT, EDGE_WAIT, PAIR_WAIT
from tilescore.scoring.shapes.winning import Shape
from tilescore.scoring.tiles import Tile

# --- 4 points ----------------------------------------------------------------------------------------------------


@fan(About.SPLIT)
def outside_hand(view: View) -> Matches:
    """A terminal or an honour in every set and in the pair (全带幺)."""
    if view.kinds & MIDDLE or view.shape not in (Shape.STANDARD, Shape.SEVEN_PAIRS):
        return NOT
    return ONCE if all(group.is_outside for group in view.groups) else NOT


@fan(About.WIN)
def fully_concealed_hand(view: View) -> Matches:
    """Nothing claimed and the last tile self-drawn; a kong that was drawn spoils nothing (不求人)."""
    return ONCE if view.claimed == 0 and view.context.self_drawn else NOT


@fan(About.GROUPS, needs=KONG)
def two_melded_kongs(view: View) -> Matches:
    """Two melded kongs (双明杠)."""
    return together(kongs(view, concealed=False), 2)


@fan(About.GROUPS, needs=KONG)
def melded_and_concealed_kong(view: View) -> Matches:
    """A melded kong and a concealed one (明暗杠)."""
    return (view.kong_at,) if 0 < len(kongs(view, concealed=True)) < len(view.kong_at) else NOT


@fan(About.WIN)
def last_tile(view: View) -> Matches:
    """Won on the last tile of its kind, the other three being open to all (和绝张)."""
    said = view.context.has(Occasion.LAST_OF_ITS_KIND)
    return ONCE if said or (view.claimed and holds_the_others_open(view.hand)) else NOT


# --- 2 points ----------------------------------------------------------------------------------------------------


@pungs(1)
def dragon_pung(tile: Tile) -> bool:
    """A pung or kong of dragons (箭刻)."""
    return tile.is_dragon


@fan(About.GROUPS, needs=PUNG | HONOR)
def prevalent_wind(view: View) -> Matches:
    """A pung or kong of the wind of the round (圈风刻)."""
    return _pungs_of(view, view.context.round.wind)


@fan(About.GROUPS, needs=PUNG | HONOR)
def seat_wind(view: View) -> Matches:
    """A pung or kong of the winner's own wind (门风刻)."""
    return _pungs_of(view, view.context.seat.wind)


@fan(About.WIN)
def concealed_hand(view: View) -> Matches:
    """Nothing claimed, won on a discard (门前清)."""
    return ONCE if view.claimed == 0 and not view.context.self_drawn else NOT


@fan(About.SPLIT, needs=NO_HONOR)
def all_chows(view: View) -> Matches:
    """Chows and a pair, no honours; a knitted straight counts as three chows (平和)."""
    return ONCE if view.pair is not None and not view.pungs and not view.honors else NOT


@fan(About.HAND, needs=FOUR)
def tile_hog(view: View) -> Matches:
    """All four tiles of a kind that are not declared a kong (四归一)."""
    return ONCE * len(fours(view))


@pungs(2)
def double_pung(*tiles: Tile) -> bool:
    """Two pungs or kongs of one number in two suits (双同刻)."""
    return in_different_suits(*tiles) and steps(*tiles) == (0,)


@fan(About.GROUPS, needs=PUNG)
def two_concealed_pungs(view: View) -> Matches:
    """Two concealed pungs or concealed kongs (双暗刻)."""
    return together(view.concealed_at, 2)


@fan(About.GROUPS, needs=KONG)
def concealed_kong(view: View) -> Matches:
    """A concealed kong (暗杠)."""
    return tuple([(place,) for place in kongs(view, concealed=True)])


@fan(About.HAND, needs=NO_HONOR)
def all_simples(view: View) -> Matches:
    """No terminals, no honours (断幺)."""
    return NOT if view.kinds & ~SIMPLES else ONCE


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
    context = view.context
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
    return tuple([(place,) for place in kongs(view, concealed=False)])


@fan(About.HAND)
def one_voided_suit(view: View) -> Matches:
    """No tile of one suit, or of two (缺一门)."""
    return ONCE if view.suits in (1, 2) else NOT


@fan(About.HAND, needs=NO_HONOR)
def no_honors(view: View) -> Matches:
    """No winds, no dragons (无字)."""
    return NOT if view.honors else ONCE


@fan(About.GROUPS, needs=WAIT)
def edge_wait(view: View) -> Matches:
    """Waited for nothing but the 3 of 1-2-3 or the 7 of 7-8-9 (边张)."""
    return _waited(view, EDGE_WAIT)


@fan(About.GROUPS, needs=WAIT)
def closed_wait(view: View) -> Matches:
    """Waited for nothing but the middle tile of a chow (嵌张)."""
    return _waited(view, CLOSED_WAIT)


@fan(About.GROUPS, needs=WAIT)
def single_wait(view: View) -> Matches:
    """Waited for nothing but the second tile of a pair (单钓将)."""
    return _waited(view, PAIR_WAIT)


@fan(About.WIN)
def self_drawn(view: View) -> Matches:
    """The winner drew the last tile (自摸)."""
    return ONCE if view.context.self_drawn else NOT


@fan(About.WIN)
def flower_tiles(view: View) -> Matches:
    """A flower or a season, outside the 8 points that a win needs (花牌)."""
    return ONCE * len(view.hand.bonus)


def _pungs_of(view: View, wind: Tile) -> Matches:
    return tuple([(place,) for tile, place in zip(view.pungs, view.pung_at, strict=True) if tile == wind])


def _waited(view: View, wait: str) -> Matches:
    """The group that the winning tile ended, if no other kind could have completed the hand."""
    return ((view.ended,),) if view.ended is not None and view.wait == wait else NOT
