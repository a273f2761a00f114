"""Lines that Hong Kong and Taiwan share; the function of a line has the name of its key (scoring/sources.md)."""

from collections.abc import Callable
from typing import Final

from tilescore.scoring.context import Occasion
from tilescore.scoring.faan.view import NOT, Found, View, once, whole
from tilescore.scoring.tiles import Tile

_FAMILY: Final = 4
"""Flowers, or seasons, of a complete set."""
ALL_FLOWERS: Final = 2 * _FAMILY
"""All flowers and seasons."""


# --- sets ---------------------------------------------------------------------------------------------------------


def all_pungs(view: View) -> Found:
    """Every set is a pung or a kong."""
    return whole(view, view.pungs and not view.chows and view.pair)


def dragon_pung(view: View) -> Found:
    """A pung or kong of a dragon; each counts."""
    return _pungs(view, lambda tile: tile.is_dragon)


def seat_wind(view: View) -> Found:
    """A pung or kong of the own wind."""
    return _pungs(view, lambda tile: tile is view.context.seat.wind)


def round_wind(view: View) -> Found:
    """A pung or kong of the wind of the round."""
    return _pungs(view, lambda tile: tile is view.context.round.wind)


def small_dragons(view: View) -> Found:
    """Pungs or kongs of two dragons, and a pair of the third."""
    return _together(view, 2, lambda tile: tile.is_dragon, with_pair=True)


def big_dragons(view: View) -> Found:
    """Pungs or kongs of all three dragons."""
    return _together(view, 3, lambda tile: tile.is_dragon)


def small_winds(view: View) -> Found:
    """Pungs or kongs of three winds, and a pair of the fourth."""
    return _together(view, 3, lambda tile: tile.is_wind, with_pair=True)


def big_winds(view: View) -> Found:
    """Pungs or kongs of all four winds."""
    return _together(view, 4, lambda tile: tile.is_wind)


def wind_pungs(view: View) -> Found:
    """A pung or kong of any wind; each counts."""
    return _pungs(view, lambda tile: tile.is_wind)


def _pungs(view: View, fits: Callable[[Tile], bool]) -> Found:
    if not view.honors:
        return NOT
    return tuple([view.groups[at].tiles for tile, at in zip(view.pungs, view.pung_at, strict=True) if fits(tile)])


def _together(view: View, count: int, fits: Callable[[Tile], bool], *, with_pair: bool = False) -> Found:
    """One instance of that many pungs, and of the pair if it is to fit, too."""
    pungs = _pungs(view, fits)
    if len(pungs) != count or (with_pair and (view.pair is None or not fits(view.pair))):
        return NOT
    pair = [tile for tile in view.hand.tiles if tile == view.pair] if with_pair else ()
    return (tuple(tile for pung in pungs for tile in pung) + tuple(pair),)


# --- all tiles ----------------------------------------------------------------------------------------------------


def half_flush(view: View) -> Found:
    """One suit, and winds or dragons."""
    return whole(view, view.suits == 1 and view.honors)


def full_flush(view: View) -> Found:
    """One suit, and no winds or dragons."""
    return whole(view, view.suits == 1 and not view.honors)


def all_honors(view: View) -> Found:
    """Winds and dragons alone."""
    return whole(view, not view.suits)


# --- flowers and seasons ------------------------------------------------------------------------------------------


def own_flower(view: View) -> Found:
    """The flower or the season of the own seat; not one of a complete set."""
    own = view.context.seat.number
    return tuple([(tile,) for tile in loose_flowers(view) if tile.rank == own])


def own_flower_of_any_set(view: View) -> Found:
    """The flower or the season of the own seat, also of a complete set."""
    return tuple((tile,) for tile in view.hand.bonus if tile.rank == view.context.seat.number)


def own_flower_of_set(view: View) -> Found:
    """The flower or the season of the own seat if it is one of a complete set."""
    loose = own_flower(view)
    return tuple(found for found in own_flower_of_any_set(view) if found not in loose)


def any_flower(view: View) -> Found:
    """Every flower and season, also those of a complete set."""
    return tuple((tile,) for tile in view.hand.bonus)


def flower_set(view: View) -> Found:
    """All four flowers, or all four seasons; each set counts."""
    return tuple(tuple(sorted(tile for tile in view.hand.bonus if tile.suit == suit)) for suit in _complete(view))


def loose_flowers(view: View) -> tuple[Tile, ...]:
    """The flowers and seasons outside complete sets."""
    if not view.hand.bonus:
        return ()
    complete = _complete(view)
    return tuple([tile for tile in view.hand.bonus if tile.suit not in complete])


def _complete(view: View) -> list[str]:
    if len(view.hand.bonus) < _FAMILY:
        return []
    held = [tile.suit for tile in view.hand.bonus]
    return [suit for suit in "fq" if held.count(suit) == _FAMILY]


WITHOUT_SETS: Final = {"own_flower": own_flower_of_any_set, "every_flower": any_flower}
"""What finds the lines of single flowers, by their keys, at a table where complete sets have no line."""


# --- the win ------------------------------------------------------------------------------------------------------


def self_draw(view: View) -> Found:
    """The winning tile was drawn."""
    return once(view.context.self_drawn)


def first_turn(view: View, *, dealer: bool) -> bool:
    """Whether the dealer, or else another player, won in the first turn; no line of its own."""
    context = view.context
    return context.has(Occasion.FIRST_TURN) and (context.seat is context.dealer) is dealer


def robbing_kong(view: View) -> Found:
    """The winning tile was taken from another player's kong."""
    robbed = view.context.has(Occasion.ROBBING_KONG) or view.context.has(Occasion.ROBBING_CONCEALED_KONG)
    return once(robbed)
