"""The lines of Hong Kong: those of `lines` and its own. Decisions: S-HKG (scoring/sources.md)."""

from typing import Final

from tilescore.scoring.context import Occasion, Seat
from tilescore.scoring.faan import lines
from tilescore.scoring.faan.table import lines_of
from tilescore.scoring.faan.view import NOT, ONCE, Found, View, once, whole
from tilescore.scoring.shapes.kinds import GATES, TERMINALS
from tilescore.scoring.shapes.winning import ORPHANS, Shape

_SETS: Final = 4


def chicken(_: View) -> Found:
    """A hand with no other line."""
    return NOT  # a hand in which nothing else counts gets it


def common_hand(view: View) -> Found:
    """Four chows and any pair."""
    return whole(view, len(view.chows) == _SETS)


def mixed_terminals(view: View) -> Found:
    """Pungs or kongs and a pair of ones, nines and honours, with both a suit and honours."""
    return lines.all_pungs(view) if view.suits and view.honors and not view.kinds & ~ORPHANS else NOT


def four_concealed_pungs(view: View) -> Found:
    """Four pungs or kongs of drawn tiles, none completed by a discard; by self-draw alone where the table wants it."""
    return whole(view, len(view.concealed_at) == _SETS)


def four_concealed_pungs_drawn(view: View) -> Found:
    """Four pungs or kongs of drawn tiles, the last tile drawn, too."""
    return four_concealed_pungs(view) if view.context.self_drawn else NOT


def concealed_hand(view: View) -> Found:
    """No declared set, a concealed kong only where the table allows it; the last tile may be a discard."""
    return once(not view.hand.melds)


def concealed_but_for_kongs(view: View) -> Found:
    """No claimed set; concealed kongs are allowed, and the last tile may be a discard."""
    return once(view.claimed == 0)


def kong_replacement(view: View) -> Found:
    """The winning tile was drawn for a kong."""
    return once(view.context.has(Occasion.KONG_REPLACEMENT) or view.context.has(Occasion.KONG_ON_KONG))


def kong_on_kong(view: View) -> Found:
    """The winning tile was drawn for a kong that was made with the tile drawn for another kong."""
    return once(view.context.has(Occasion.KONG_ON_KONG))


def last_tile(view: View) -> Found:
    """The winning tile was the last of the wall, or the discard after it."""
    return once(view.context.has(Occasion.LAST_TILE))


def no_flowers(view: View) -> Found:
    """No flower and no season."""
    return once(not view.hand.bonus)


def seven_flowers(view: View) -> Found:
    """A win by seven flowers and seasons, whatever the other tiles are."""
    return NOT if len(view.hand.bonus) == lines.ALL_FLOWERS else (view.hand.bonus,)


def eight_flowers(view: View) -> Found:
    """A win by all eight flowers and seasons, whatever the other tiles are."""
    return (view.hand.bonus,) if len(view.hand.bonus) == lines.ALL_FLOWERS else NOT


def seven_pairs(view: View) -> Found:
    """Seven pairs, where the table plays them; four alike are two pairs."""
    return whole(view, view.shape is Shape.SEVEN_PAIRS)


def all_terminals(view: View) -> Found:
    """Pungs or kongs and a pair of ones and nines alone."""
    return NOT if view.kinds & ~TERMINALS else lines.all_pungs(view)


def nine_gates(view: View) -> Found:
    """Three ones, 2 to 8, three nines and one more tile of the same suit, without a declared set."""
    return whole(view, not view.hand.melds and view.packed in GATES)


def thirteen_orphans(view: View) -> Found:
    """Each one, nine, wind and dragon, and a second of one of them."""
    return whole(view, view.shape is Shape.THIRTEEN_ORPHANS)


def four_kongs(view: View) -> Found:
    """Four kongs, claimed or concealed."""
    if len(view.kong_at) != _SETS:
        return NOT
    return (tuple(tile for place in view.kong_at for tile in view.groups[place].tiles),)


def heavenly(view: View) -> Found:
    """The dealer wins with the dealt hand."""
    drawn = view.context.self_drawn and not view.hand.melds
    return once(lines.first_turn(view, dealer=True) and drawn)


def earthly(view: View) -> Found:
    """Another player wins on the dealer's first discard, without a declared set."""
    context = view.context
    thrown = not context.self_drawn and context.discarder in (None, Seat.EAST) and not view.hand.melds
    return once(lines.first_turn(view, dealer=False) and thrown)


def human(view: View) -> Found:
    """A player other than the dealer wins in the first turn in any other way."""
    return ONCE if lines.first_turn(view, dealer=False) and not earthly(view) else NOT


LINES: Final = lines_of("hongkong", globals(), vars(lines))
"""The lines by key without prefix: each key names a function here or in `lines`."""
