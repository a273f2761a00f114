"""Han that are no yaku: dora, red fives, dora under the indicators, and norths set aside (S-RII-13, S-SAN-3).

Document 004 has nothing on dora; the decisions are in scoring/sources.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from tilescore.base.errors import ContextError
from tilescore.scoring.riichi.situation import PREFIX
from tilescore.scoring.riichi.view import KIND
from tilescore.scoring.riichi.yaku import Table, entered, row_of, yaku
from tilescore.scoring.score import ScoreLine
from tilescore.scoring.shapes.winning import UNIT
from tilescore.scoring.tiles import NORTH, PLAYING_TILES, RED_FIVES, Tile, check_copies

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tilescore.scoring.context import Context
    from tilescore.scoring.hand import Hand
    from tilescore.scoring.riichi.options import Counting
    from tilescore.scoring.riichi.situation import Situation

    Tiles = tuple[Tile, ...]


class Shown(NamedTuple):
    """A hand whose dora are counted."""

    hand: Hand
    context: Context
    situation: Situation


@yaku(1, 1, table=Table.DORA)
def dora(shown: Shown) -> Tiles:
    """Each tile that follows a dora indicator; no yaku."""
    return dora_of(shown.hand, shown.context.dora_indicators, shown.situation.counting)


@yaku(1, 1, table=Table.DORA)
def akadora(shown: Shown) -> Tiles:
    """Each red five; no yaku."""
    return red_fives(shown.hand) if shown.situation.counting.red_fives else ()


@yaku(1, table=Table.DORA)
def uradora(shown: Shown) -> Tiles:
    """Each tile that follows an indicator under the dora indicators; with riichi only; no yaku."""
    indicators = shown.context.ura_dora_indicators if shown.situation.riichi else ()
    return dora_of(shown.hand, indicators, shown.situation.counting)


def nuki_dora(shown: Shown) -> Tiles:
    """Each north set aside; no yaku."""
    return shown.hand.bonus if shown.situation.norths else ()


NUKI_DORA: Final = row_of(nuki_dora, 1, opened=1, table=Table.DORA)
"""A further row of three players."""
DORA: Final = (*(row for row in entered().values() if row.table is Table.DORA), NUKI_DORA)
"""The rows that are no yaku, in their order."""


def dora_lines(hand: Hand, context: Context, situation: Situation) -> tuple[ScoreLine, ...]:
    """The lines of the dora of a hand, each worth as many han as it has tiles."""
    shown = Shown(hand, context, situation)
    found = [(row, row.find(shown)) for row in DORA]
    return tuple([ScoreLine(key=PREFIX + row.key, value=len(tiles), tiles=tiles) for row, tiles in found if tiles])


def red_fives(hand: Hand) -> Tiles:
    """The red fives of a hand."""
    return tuple([tile for tile in hand.tiles if not tile.rank])


def dora_of(hand: Hand, indicators: Tiles, counting: Counting) -> Tiles:
    """The tiles of the hand, norths set aside included, that these indicators make dora, each as often as it counts.

    >>> from tilescore.scoring.hand import Hand
    >>> from tilescore.scoring.riichi.options import Counting
    >>> from tilescore.scoring.tiles import parse_tiles
    >>> [str(tile) for tile in dora_of(Hand.parse("1m50p4z"), parse_tiles("9m4p4p3z"), Counting())]
    ['1m', '5p', '0p', '5p', '0p', '4z']
    """
    tiles, order = hand.tiles + hand.bonus, _DORA_OF_THREE if counting.three_players else _DORA
    found: list[Tile] = []
    for shown in indicators:
        following = order[shown]
        found += [tile for tile in tiles if tile in following]
    return tuple(found)


def check_indicators(hand: Hand, context: Context, situation: Situation, packed: int) -> None:
    """Raise InputError if an indicator is impossible beside a hand of these packed tiles."""
    packed += situation.norths * UNIT[NORTH]
    for tile in context.dora_indicators + context.ura_dora_indicators:
        unit = UNIT.get(tile, 0)
        if not unit or packed & unit << 2:
            check_set(hand, context)
        packed += unit


def check_set(hand: Hand, context: Context) -> None:
    """Raise InputError if a tile cannot be an indicator, or if a set does not hold as many copies as are shown."""
    indicators = (*context.dora_indicators, *context.ura_dora_indicators)
    wrong = next((tile for tile in indicators if tile not in KIND), None)
    if wrong is not None:
        raise ContextError("no_indicator", f"{wrong} is no dora indicator: it must be a suited tile or an honour.")
    seen = (*hand.tiles, *hand.bonus, *indicators, *context.discards)
    check_copies(seen, " in the hand, the indicators and the discards")


def _dora() -> Iterator[tuple[Tile, frozenset[Tile]]]:
    cycles = [[tile for tile in PLAYING_TILES if tile.suit == suit] for suit in "mps"]
    cycles += [[tile for tile in PLAYING_TILES if tile.is_wind], [tile for tile in PLAYING_TILES if tile.is_dragon]]
    reds = {red.plain: (red,) for red in RED_FIVES}
    for cycle in cycles:
        for place, shown in enumerate(cycle):
            following = cycle[(place + 1) % len(cycle)]
            for tile in (shown, *reds.get(shown, ())):
                yield tile, frozenset((following, *reds.get(following, ())))


_DORA: Final = dict(_dora())
"""Dora by indicator: 9 to 1, East South West North East, white green red white."""
_DORA_OF_THREE: Final = {**_DORA, Tile("m", 1): frozenset((Tile("m", 9),))}
"""The same with three players: between 1m and 9m there is nothing."""
