"""The lines of Hong Kong: those of `lines` and its own. Decisions: S-HKG (scoring/sources.md)."""

from typing import Final

from tilescore.scoring.context import Occasion, Seat
from tilescore.scoring.faan import lines
from tilescore.scoring.faan.table import lines_of
from tilescore.scoring.faan.view import NOT, ONCE, Found, View, once
from tilescore.scoring.hand import MeldKind
from tilescore.scoring.shapes.winning import Shape

_GATES: Final = (3, 1, 1, 1, 1, 1, 1, 1, 3)
"""Tiles of each rank before the last tile of Nine Gates."""
_SETS: Final = 4


def chicken(_: View) -> Found:
    """A hand with no other line."""
    return NOT  # a hand in which nothing else counts gets it


def common_hand(view: View) -> Found:
    """Four chows and any pair."""
    return view.every_tile if len(view.chows) == _SETS else NOT


def mixed_terminals(view: View) -> Found:
    """Pungs or kongs and a pair of ones, nines and honours, with both a suit and honours."""
    fits = view.suits and view.has_honors and all(tile.is_terminal_or_honor for tile in view.kinds)
    return lines.all_pungs(view) if fits else NOT


def four_concealed_pungs(view: View) -> Found:
    """Four pungs or kongs of drawn tiles, none completed by a discard; by self-draw alone where the table wants it."""
    return view.every_tile if view.concealed_pungs == _SETS else NOT


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
    return view.every_tile if view.shape is Shape.SEVEN_PAIRS else NOT


def all_terminals(view: View) -> Found:
    """Pungs or kongs and a pair of ones and nines alone."""
    return lines.all_pungs(view) if all(tile.is_terminal for tile in view.kinds) else NOT


def nine_gates(view: View) -> Found:
    """Three ones, 2 to 8, three nines and one more tile of the same suit, without a declared set."""
    if view.hand.melds or len(view.suits) != 1 or view.has_honors:
        return NOT
    ranks = [tile.plain.rank for tile in view.hand.tiles]
    fits = all(ranks.count(rank) >= least for rank, least in enumerate(_GATES, 1))
    return view.every_tile if fits else NOT


def thirteen_orphans(view: View) -> Found:
    """Each one, nine, wind and dragon, and a second of one of them."""
    return view.every_tile if view.shape is Shape.THIRTEEN_ORPHANS else NOT


def four_kongs(view: View) -> Found:
    """Four kongs, claimed or concealed."""
    kongs = [meld for meld in view.hand.melds if meld.kind is MeldKind.KONG]
    return (tuple(tile for meld in kongs for tile in meld.tiles),) if len(kongs) == _SETS else NOT


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
