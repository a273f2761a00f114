"""Sets of kinds of tiles as bits: the lowest bit of each kind in the packed counts of `winning`."""

from typing import Final

from tilescore.scoring.shapes.winning import ONES, ORPHANS, UNIT, pack
from tilescore.scoring.tiles import PLAYING_TILES, SUITS, parse_tiles


def kinds(tiles: str) -> int:
    """These kinds."""
    return pack(parse_tiles(tiles))


def ranks(low: int, high: int) -> int:
    """The kinds of the suits with these ranks."""
    return sum(UNIT[tile] for tile in PLAYING_TILES if tile.is_suited and low <= tile.rank <= high)


WINDS: Final = kinds("1234z")
DRAGONS: Final = kinds("567z")
HONORS: Final = WINDS | DRAGONS
TERMINALS: Final = ORPHANS - HONORS
SIMPLES: Final = ONES - ORPHANS
MIDDLE: Final = ranks(4, 6)
GREEN: Final = kinds("23468s6z")
"""The kinds of bamboo without red, and the green dragon."""
OF_SUIT: Final = tuple(kinds(f"123456789{suit}") for suit in SUITS)
NINE_GATES: Final = frozenset(suit + 2 * (suit & TERMINALS) for suit in OF_SUIT)
"""1112345678999 of each suit, packed."""
GATES: Final = frozenset(nine + UNIT[tile] for nine in NINE_GATES for tile in PLAYING_TILES if nine & UNIT[tile])
"""The same with one more tile of the suit."""
