"""Limit hands (лимитированные комбинации): worth exactly the limit (S-CLA-13).

Source: document 000, section VII (all fourteen); document 001, limit hands (eleven of them, Found Treasure in a wider
form, S-SIM-7); see scoring/sources.md.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from tilescore.scoring.classical.counted_hand import WONDERS, Showing
from tilescore.scoring.context import Occasion, Seat
from tilescore.scoring.shapes.decompose import Shape
from tilescore.scoring.tiles import Tile, parse_tiles

_GREEN: Final = frozenset(parse_tiles("23468s6z"))
_ONE_DOTS: Final = Tile.parse("1p")
_FIVE_DOTS: Final = Tile.parse("5p")


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitHand:
    """One limit hand.

    Attributes:
        key: its name without the ruleset.
        text: one English sentence.
        fits: whether a won hand is this limit hand.
        thrown: whether a hand that won on a discard would be one by self-draw; None if a discard counts too.
    """

    key: str
    text: str
    fits: Callable[[Showing], bool]
    thrown: Callable[[Showing], bool] | None = None


def _dealt(showing: Showing) -> bool:
    return showing.context.has(Occasion.FIRST_TURN) and not showing.hand.melds


def heavenly_bliss(showing: Showing) -> bool:
    """East wins with the dealt hand (Небесное блаженство)."""
    return _dealt(showing) and showing.context.seat is Seat.EAST and showing.context.self_drawn


def earthly_bliss(showing: Showing) -> bool:
    """Another player, ready at once, wins on East's first discard (Земное блаженство, S-CLA-14)."""
    context = showing.context
    return (
        _dealt(showing)
        and context.has(Occasion.READY_FROM_START)
        and context.seat is not Seat.EAST
        and not context.self_drawn
        and context.discarder in (None, Seat.EAST)
    )


def concealed_treasure(showing: Showing) -> bool:
    """No chows, one suit without honours, nothing claimed (Найденное сокровище, document 001, S-SIM-7)."""
    return showing.all_pungs and _pure(showing) and not showing.hand.exposed_melds


def found_treasure(showing: Showing) -> bool:
    """No chows, one suit without honours, every tile from the wall (Найденное сокровище, document 000, S-CLA-15)."""
    return concealed_treasure(showing) and showing.context.self_drawn


def emperors_suite(showing: Showing) -> bool:
    """Four sets and a pair of honours (Свита Императора)."""
    return showing.all_pungs and not showing.suits


def heads_and_tails(showing: Showing) -> bool:
    """Four sets and a pair of ones and nines (Головы и хвосты)."""
    return showing.all_pungs and all(tile.is_terminal for tile in showing.tiles)


def imperial_jade(showing: Showing) -> bool:
    """Four sets and a pair of 2 3 4 6 8 bamboo and green dragons (Императорский нефрит, S-CLA-16)."""
    return showing.all_pungs and _GREEN.issuperset(showing.tiles)


def heavenly_twins(showing: Showing) -> bool:
    """Seven pairs: all seven honours, or any seven of one suit; no others win (Небесные близнецы, S-CLA-17)."""
    return showing.shape is Shape.SEVEN_PAIRS


def three_great_scholars(showing: Showing) -> bool:
    """Three dragon sets, and a pung or kong and the pair of one suit (Трое великих учёных)."""
    rest = {tile.suit for tile in showing.tiles if not tile.is_dragon}
    return showing.all_pungs and _sets_of(showing, "is_dragon") == 3 and len(rest) == 1 and rest == showing.suits


def four_blessings(showing: Showing) -> bool:
    """Four wind sets and any pair (Четыре наслаждения вошли в твою дверь)."""
    return showing.shape is Shape.STANDARD and _sets_of(showing, "is_wind") == 4


def four_by_four(showing: Showing) -> bool:
    """Four kongs and a pair (Четыре по четыре)."""
    return len(showing.kongs) == 4


def hidden_snake(showing: Showing) -> bool:
    """One suit: sets of ones and nines, a pair of 2, 5 or 8, two chows of other numbers (Скрывающаяся змея)."""
    if showing.shape is not Shape.STANDARD or not _pure(showing):
        return False
    pungs = sorted(group.tile.rank for group in showing.pungs)
    rest = [tile.rank for group in showing.chows for tile in group.tiles]
    # Two chows that leave out one number of 2 to 8 leave out 2, 5 or 8.
    return pungs == [1, 9] and sorted([*rest, showing.pairs[0][0].rank]) == list(range(2, 9))


def thirteen_wonders(showing: Showing) -> bool:
    """One each of the thirteen terminals and honours, one of them twice (Тринадцать чудес света)."""
    return showing.shape is WONDERS


def moon_thrown(showing: Showing) -> bool:
    """The last permitted tile is 1 dots, drawn or thrown."""
    return showing.context.has(Occasion.LAST_TILE) and showing.winning_tile == _ONE_DOTS


def moon(showing: Showing) -> bool:
    """The last permitted tile, self-drawn, is 1 dots (Достать Луну со дна моря, S-CLA-18)."""
    return moon_thrown(showing) and showing.context.self_drawn


def vine(showing: Showing) -> bool:
    """The loose tile is 5 dots (Вырастить виноград на плоской крыше, S-CLA-19)."""
    return showing.context.has(Occasion.KONG_REPLACEMENT) and showing.winning_tile == _FIVE_DOTS


def _pure(showing: Showing) -> bool:
    return len(showing.suits) == 1 and not showing.has_honors


def _sets_of(showing: Showing, trait: str) -> int:
    return sum(getattr(group.tile, trait) for group in showing.pungs)


_FOUND_TREASURE: Final = LimitHand(
    key="found_treasure",
    text="No chows, one suit without honours, every tile from the wall: self-drawn, no claimed group.",
    fits=found_treasure,
    thrown=concealed_treasure,
)

CLASSICAL_LIMIT_HANDS: Final = (
    LimitHand(key="heavenly_bliss", text="East wins with the dealt hand.", fits=heavenly_bliss),
    LimitHand(
        key="earthly_bliss",
        text="A player other than East, ready at once, wins on East's first discard.",
        fits=earthly_bliss,
    ),
    _FOUND_TREASURE,
    LimitHand(key="emperors_suite", text="Four sets and a pair, all winds and dragons.", fits=emperors_suite),
    LimitHand(key="heads_and_tails", text="Four sets and a pair, all ones and nines.", fits=heads_and_tails),
    LimitHand(
        key="imperial_jade",
        text="Pungs or kongs and a pair of 2 3 4 6 8 bamboo and green dragons; the dragon is not required.",
        fits=imperial_jade,
    ),
    LimitHand(
        key="heavenly_twins",
        text="Seven pairs: all seven honours, or any seven of one suit, equal pairs allowed.",
        fits=heavenly_twins,
    ),
    LimitHand(
        key="three_great_scholars",
        text="Sets of all three dragons, a pung or kong and the pair of one suit.",
        fits=three_great_scholars,
    ),
    LimitHand(key="four_blessings", text="Sets of all four winds and any pair.", fits=four_blessings),
    LimitHand(key="four_by_four", text="Four kongs and a pair.", fits=four_by_four),
    LimitHand(
        key="hidden_snake",
        text="One suit: a set of ones, a set of nines, a pair of 2, 5 or 8 and two chows of the numbers that remain.",
        fits=hidden_snake,
    ),
    LimitHand(
        key="thirteen_wonders",
        text="One each of the ones, nines, winds and dragons, and one of them twice; may rob a concealed kong.",
        fits=thirteen_wonders,
    ),
    LimitHand(
        key="moon",
        text="The last permitted tile is 1 dots, drawn from the wall.",
        fits=moon,
        thrown=moon_thrown,
    ),
    LimitHand(key="vine", text="The loose tile, after a kong or a flower, is 5 dots.", fits=vine),
)

_CONCEALED_TREASURE: Final = replace(
    _FOUND_TREASURE,
    text="No chows, one suit without honours, all groups concealed; a win on a discard counts.",
    fits=concealed_treasure,
    thrown=None,
)
_NOT_SIMPLIFIED: Final = ("heavenly_bliss", "earthly_bliss", "hidden_snake")

SIMPLIFIED_LIMIT_HANDS: Final = tuple(
    _CONCEALED_TREASURE if hand is _FOUND_TREASURE else hand
    for hand in CLASSICAL_LIMIT_HANDS
    if hand.key not in _NOT_SIMPLIFIED
)
