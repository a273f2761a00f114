"""Limit hands (лимитированные комбинации): worth exactly the limit (S-CLA-13).

A limit hand is a function with the name of its key. The first paragraph of the docstring is the text of the rule, a
second one names the decisions that it rests on.

Source: document 000, section VII (all fourteen); document 001, limit hands (eleven of them, Found Treasure in a wider
form, S-SIM-7); see scoring/sources.md.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from tilescore.scoring.classical.counted_hand import WONDERS, Showing
from tilescore.scoring.context import Occasion, Seat
from tilescore.scoring.ruleset import text_of
from tilescore.scoring.shapes.winning import Shape
from tilescore.scoring.tiles import Tile, parse_tiles

_GREEN: Final = frozenset(parse_tiles("23468s6z"))
_ONE_DOTS: Final = Tile.parse("1p")
_FIVE_DOTS: Final = Tile.parse("5p")


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitHand:
    """One limit hand."""

    key: str  # its name without the ruleset
    text: str  # one English sentence
    fits: Callable[[Showing], bool]  # whether a won hand is this limit hand
    # whether a hand that won on a discard would be one by self-draw; None if a discard counts too
    thrown: Callable[[Showing], bool] | None = None


def _dealt(showing: Showing) -> bool:
    return showing.context.has(Occasion.FIRST_TURN) and not showing.hand.melds


def heavenly_bliss(showing: Showing) -> bool:
    """East wins with the dealt hand."""
    return _dealt(showing) and showing.context.seat is Seat.EAST and showing.context.self_drawn


def earthly_bliss(showing: Showing) -> bool:
    """A player other than East, ready at once, wins on East's first discard.

    S-CLA-14.
    """
    context = showing.context
    return (
        _dealt(showing)
        and context.has(Occasion.READY_FROM_START)
        and context.seat is not Seat.EAST
        and not context.self_drawn
        and context.discarder in (None, Seat.EAST)
    )


def concealed_treasure(showing: Showing) -> bool:
    """No chows, one suit without honours, all groups concealed; a win on a discard counts.

    Found Treasure in document 001, S-SIM-7.
    """
    return showing.all_pungs and _pure(showing) and not showing.hand.exposed_melds


def found_treasure(showing: Showing) -> bool:
    """No chows, one suit without honours, every tile from the wall: self-drawn, no claimed group.

    S-CLA-15.
    """
    return concealed_treasure(showing) and showing.context.self_drawn


def emperors_suite(showing: Showing) -> bool:
    """Four sets and a pair, all winds and dragons."""
    return showing.all_pungs and not showing.suits


def heads_and_tails(showing: Showing) -> bool:
    """Four sets and a pair, all ones and nines."""
    return showing.all_pungs and all(tile.is_terminal for tile in showing.tiles)


def imperial_jade(showing: Showing) -> bool:
    """Pungs or kongs and a pair of 2 3 4 6 8 bamboo and green dragons; the dragon is not required.

    S-CLA-16.
    """
    return showing.all_pungs and _GREEN.issuperset(showing.tiles)


def heavenly_twins(showing: Showing) -> bool:
    """Seven pairs: all seven honours, or any seven of one suit, equal pairs allowed.

    S-CLA-17.
    """
    return showing.shape is Shape.SEVEN_PAIRS


def three_great_scholars(showing: Showing) -> bool:
    """Sets of all three dragons, a pung or kong and the pair of one suit."""
    rest = {tile.suit for tile in showing.tiles if not tile.is_dragon}
    return showing.all_pungs and _sets_of(showing, "is_dragon") == 3 and len(rest) == 1 and rest == showing.suits


def four_blessings(showing: Showing) -> bool:
    """Sets of all four winds and any pair."""
    return showing.shape is Shape.STANDARD and _sets_of(showing, "is_wind") == 4


def four_by_four(showing: Showing) -> bool:
    """Four kongs and a pair."""
    return len(showing.kongs) == 4


def hidden_snake(showing: Showing) -> bool:
    """One suit: a set of ones, a set of nines, a pair of 2, 5 or 8 and two chows of the numbers that remain."""
    if showing.shape is not Shape.STANDARD or not _pure(showing):
        return False
    pungs = sorted(group.tile.rank for group in showing.pungs)
    rest = [tile.rank for group in showing.chows for tile in group.tiles]
    # Two chows that leave out one number of 2 to 8 leave out 2, 5 or 8.
    return pungs == [1, 9] and sorted([*rest, showing.pairs[0][0].rank]) == list(range(2, 9))


def thirteen_wonders(showing: Showing) -> bool:
    """One each of the ones, nines, winds and dragons, and one of them twice; may rob a concealed kong."""
    return showing.shape is WONDERS


def moon_thrown(showing: Showing) -> bool:
    """The last permitted tile is 1 dots, drawn or thrown."""
    return showing.context.has(Occasion.LAST_TILE) and showing.winning_tile == _ONE_DOTS


def moon(showing: Showing) -> bool:
    """The last permitted tile is 1 dots, drawn from the wall.

    S-CLA-18.
    """
    return moon_thrown(showing) and showing.context.self_drawn


def vine(showing: Showing) -> bool:
    """The loose tile, after a kong or a flower, is 5 dots.

    S-CLA-19.
    """
    return showing.context.has(Occasion.KONG_REPLACEMENT) and showing.winning_tile == _FIVE_DOTS


def _pure(showing: Showing) -> bool:
    return len(showing.suits) == 1 and not showing.has_honors


def _sets_of(showing: Showing, trait: str) -> int:
    return sum(getattr(group.tile, trait) for group in showing.pungs)


def _limit_hand(fits: Callable[[Showing], bool], thrown: Callable[[Showing], bool] | None = None) -> LimitHand:
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
