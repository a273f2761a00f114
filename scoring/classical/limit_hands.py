"""Limit hands (лимитированные комбинации): worth exactly the limit (S-CLA-13).

A limit hand is a function with the name of its key. The first paragraph of the docstring is the text of the rule, a
second one names the decisions that it rests on.

Source: document 000, section VII (all fourteen); document 001, limit hands (eleven of them, Found Treasure in a wider
form, S-SIM-7); see scoring/sources.md.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from tilescore.scoring.classical.counted_hand import WONDERS, View, all_pungs, pairs
from tilescore.scoring.context import Occasion, Seat
from tilescore.scoring.ruleset import text_of
from tilescore.scoring.shapes.kinds import GREEN, TERMINALS, WINDS
from tilescore.scoring.shapes.winning import Shape
from tilescore.scoring.tiles import Tile

_ONE_DOTS: Final = Tile.parse("1p")
_FIVE_DOTS: Final = Tile.parse("5p")


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitHand:
    """One limit hand."""

    key: str  # its name without the ruleset
    text: str  # one English sentence
    fits: Callable[[View], bool]  # whether a won hand is this limit hand
    # whether a hand that won on a discard would be one by self-draw; None if a discard counts too
    thrown: Callable[[View], bool] | None = None


def _dealt(view: View) -> bool:
    return view.context.has(Occasion.FIRST_TURN) and not view.hand.melds


def heavenly_bliss(view: View) -> bool:
    """East wins with the dealt hand."""
    return _dealt(view) and view.context.seat is Seat.EAST and view.context.self_drawn


def earthly_bliss(view: View) -> bool:
    """A player other than East, ready at once, wins on East's first discard.

    S-CLA-14.
    """
    context = view.context
    return (
        _dealt(view)
        and context.has(Occasion.READY_FROM_START)
        and context.seat is not Seat.EAST
        and not context.self_drawn
        and context.discarder in (None, Seat.EAST)
    )


def concealed_treasure(view: View) -> bool:
    """No chows, one suit without honours, all groups concealed; a win on a discard counts.

    Found Treasure in document 001, S-SIM-7.
    """
    return all_pungs(view) and _pure(view) and not view.hand.exposed_melds


def found_treasure(view: View) -> bool:
    """No chows, one suit without honours, every tile from the wall: self-drawn, no claimed group.

    S-CLA-15.
    """
    return concealed_treasure(view) and view.context.self_drawn


def emperors_suite(view: View) -> bool:
    """Four sets and a pair, all winds and dragons."""
    return all_pungs(view) and not view.suits


def heads_and_tails(view: View) -> bool:
    """Four sets and a pair, all ones and nines."""
    return all_pungs(view) and not view.kinds & ~TERMINALS


def imperial_jade(view: View) -> bool:
    """Pungs or kongs and a pair of 2 3 4 6 8 bamboo and green dragons; the dragon is not required.

    S-CLA-16.
    """
    return all_pungs(view) and not view.kinds & ~GREEN


def heavenly_twins(view: View) -> bool:
    """Seven pairs: all seven honours, or any seven of one suit, equal pairs allowed.

    S-CLA-17.
    """
    return view.shape is Shape.SEVEN_PAIRS


def three_great_scholars(view: View) -> bool:
    """Sets of all three dragons, a pung or kong and the pair of one suit."""
    return all_pungs(view) and _sets_of(view, "is_dragon") == 3 and view.suits == 1 and not view.kinds & WINDS


def four_blessings(view: View) -> bool:
    """Sets of all four winds and any pair."""
    return view.shape is Shape.STANDARD and _sets_of(view, "is_wind") == 4


def four_by_four(view: View) -> bool:
    """Four kongs and a pair."""
    return len(view.kong_at) == 4


def hidden_snake(view: View) -> bool:
    """One suit: a set of ones, a set of nines, a pair of 2, 5 or 8 and two chows of the numbers that remain."""
    if view.shape is not Shape.STANDARD or not _pure(view):
        return False
    pungs = sorted(tile.rank for tile in view.pungs)
    rest = [tile.rank for place in view.chow_at for tile in view.groups[place].tiles]
    # Two chows that leave out one number of 2 to 8 leave out 2, 5 or 8.
    return pungs == [1, 9] and sorted([*rest, pairs(view)[0][0].rank]) == list(range(2, 9))


def thirteen_wonders(view: View) -> bool:
    """One each of the ones, nines, winds and dragons, and one of them twice; may rob a concealed kong."""
    return view.shape is WONDERS


def moon_thrown(view: View) -> bool:
    """The last permitted tile is 1 dots, drawn or thrown."""
    return view.context.has(Occasion.LAST_TILE) and view.hand.winning_tile == _ONE_DOTS


def moon(view: View) -> bool:
    """The last permitted tile is 1 dots, drawn from the wall.

    S-CLA-18.
    """
    return moon_thrown(view) and view.context.self_drawn


def vine(view: View) -> bool:
    """The loose tile, after a kong or a flower, is 5 dots.

    S-CLA-19.
    """
    return view.context.has(Occasion.KONG_REPLACEMENT) and view.hand.winning_tile == _FIVE_DOTS


def _pure(view: View) -> bool:
    return view.suits == 1 and not view.honors


def _sets_of(view: View, trait: str) -> int:
    return sum(getattr(tile, trait) for tile in view.pungs)


def _limit_hand(fits: Callable[[View], bool], thrown: Callable[[View], bool] | None = None) -> LimitHand:
    return LimitHand(key=fits.__name__, text=text_of(fits), fits=fits, thrown=thrown)


CLASSICAL_LIMIT_HANDS: Final = (
    _limit_hand(heavenly_bliss),
    _limit_hand(earthly_bliss),
    _limit_hand(found_treasure, thrown=concealed_treasure),
    _limit_hand(emperors_suite),
    _limit_hand(heads_and_tails),
    _limit_hand(imperial_jade),
    _limit_hand(heavenly_twins),
    _limit_hand(three_great_scholars),
    _limit_hand(four_blessings),
    _limit_hand(four_by_four),
    _limit_hand(hidden_snake),
    _limit_hand(thirteen_wonders),
    _limit_hand(moon, thrown=moon_thrown),
    _limit_hand(vine),
)
_NOT_SIMPLIFIED: Final = ("heavenly_bliss", "earthly_bliss", "hidden_snake")
_WIDER: Final = {"found_treasure": replace(_limit_hand(concealed_treasure), key="found_treasure")}
SIMPLIFIED_LIMIT_HANDS: Final = tuple(
    _WIDER.get(hand.key, hand) for hand in CLASSICAL_LIMIT_HANDS if hand.key not in _NOT_SIMPLIFIED
)
