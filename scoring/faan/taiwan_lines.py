"""The lines of Taiwan: those of `lines` and its own. Decisions: S-TWN (scoring/sources.md)."""

from typing import Final

from tilescore.scoring.context import Occasion
from tilescore.scoring.faan import lines
from tilescore.scoring.faan.table import lines_of
from tilescore.scoring.faan.view import NOT, Found, View, once, whole
from tilescore.scoring.shapes.winning import Shape

_SETS: Final = 5


# --- the win ------------------------------------------------------------------------------------------------------


def dealer(view: View) -> Found:
    """The winner, or the known discarder, is the dealer."""
    context = view.context
    return once(context.dealer in (context.seat, context.discarder))


def dealer_repeats(view: View) -> Found:
    """The dealer wins or discards; counts for each time that the deal was kept."""
    return dealer(view) * view.context.dealer_repeats


def concealed_hand(view: View) -> Found:
    """A discard wins, and no set was claimed; concealed kongs are allowed."""
    return once(view.claimed == 0 and not view.context.self_drawn)


def concealed_self_draw(view: View) -> Found:
    """The winning tile was drawn, and no set was claimed; concealed kongs are allowed."""
    return once(view.claimed == 0 and view.context.self_drawn)


def single_wait(view: View) -> Found:
    """One kind of tile alone could complete the hand; a kind of which the hand holds all four could not."""
    return once(view.one_wait)


def half_beg(view: View) -> Found:
    """All five sets were claimed, and the pair was completed by a drawn tile."""
    return once(view.claimed == _SETS and view.context.self_drawn)


def full_beg(view: View) -> Found:
    """All five sets were claimed, and the pair was completed by a discard."""
    return once(view.claimed == _SETS and not view.context.self_drawn)


def kong_replacement(view: View) -> Found:
    """The winning tile was drawn for a kong, a flower or a season."""
    return once(view.context.has(Occasion.KONG_REPLACEMENT))


def last_tile_drawn(view: View) -> Found:
    """The winning tile was the last that may be drawn."""
    return once(view.context.has(Occasion.LAST_TILE) and view.context.self_drawn)


def last_discard(view: View) -> Found:
    """The winning tile was discarded after the last that may be drawn."""
    return once(view.context.has(Occasion.LAST_TILE) and not view.context.self_drawn)


# --- sets ---------------------------------------------------------------------------------------------------------


def ping_hu(view: View) -> Found:
    """Chows and a pair, no honour, flower or season; a discard completes a chow that either end could complete."""
    plain = len(view.chows) == _SETS and not view.honors and not view.hand.bonus
    return whole(view, plain and not view.context.self_drawn and not view.one_wait and not view.wait)


def three_concealed_pungs(view: View) -> Found:
    """Three pungs or kongs of drawn tiles, none of them completed by a discard."""
    return _concealed_pungs(view, 3)


def four_concealed_pungs(view: View) -> Found:
    """Four pungs or kongs of drawn tiles, none of them completed by a discard."""
    return _concealed_pungs(view, 4)


def five_concealed_pungs(view: View) -> Found:
    """Five pungs or kongs of drawn tiles, none of them completed by a discard."""
    return _concealed_pungs(view, 5)


def _concealed_pungs(view: View, count: int) -> Found:
    if len(view.concealed_at) < count:
        return NOT
    groups = view.tiles
    return (tuple(tile for place in view.concealed_at for tile in groups[place]),)


def li_gu(view: View) -> Found:
    """Seven pairs and a pung, where the table plays them; four alike are two pairs."""
    return whole(view, view.shape is Shape.PAIRS_AND_PUNG)


def every_wind(view: View) -> Found:
    """A pung or kong of a wind, where the table counts every one."""
    return lines.wind_pungs(view)


# --- readiness and first turn -------------------------------------------------------------------------------------


def earthly_ready(view: View) -> Found:
    """Readiness was declared with the first discard, and no set was claimed."""
    return once(view.context.has(Occasion.READY_FROM_START) and view.claimed == 0)


def heavenly_ready(view: View) -> Found:
    """Readiness was declared with the dealt hand, and no set was claimed."""
    return once(view.context.has(Occasion.READY_AS_DEALT) and view.claimed == 0)


def human(view: View) -> Found:
    """A player other than the dealer wins on a discard of the first turn."""
    return once(lines.first_turn(view, dealer=False) and not view.context.self_drawn)


def earthly(view: View) -> Found:
    """A player other than the dealer wins with the first drawn tile, and claimed no set."""
    return once(lines.first_turn(view, dealer=False) and view.context.self_drawn and view.claimed == 0)


def heavenly(view: View) -> Found:
    """The dealer wins with the dealt hand."""
    return once(lines.first_turn(view, dealer=True) and view.context.self_drawn and view.claimed == 0)


# --- flowers and seasons ------------------------------------------------------------------------------------------


def own_flower(view: View) -> Found:
    """The flower or the season of the own seat; one of a complete set only where the table counts both."""
    return lines.own_flower(view)


def seven_rob_one(view: View) -> Found:
    """A win with seven flowers and seasons when another player draws the eighth."""
    return NOT if view.context.self_drawn else (view.hand.bonus,)


def eight_flowers(view: View) -> Found:
    """A win with all eight flowers and seasons, the last of them drawn."""
    return (view.hand.bonus,) if view.context.self_drawn else NOT


def every_flower(view: View) -> Found:
    """A flower or season outside complete sets, where the table counts every one."""
    return tuple((tile,) for tile in lines.loose_flowers(view))


LINES: Final = lines_of("taiwan", globals(), vars(lines))
"""The lines by key without prefix: each key names a function here or in `lines`."""
