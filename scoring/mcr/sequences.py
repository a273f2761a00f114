"""Sets of kinds of tiles as bits, and relations between chows or pungs, each given by its lowest tile."""

import itertools
from typing import Final

from tilescore.scoring.shapes.winning import UNIT
from tilescore.scoring.tiles import PLAYING_TILES, Tile, parse_tiles


def kinds(tiles: str) -> int:
    """These kinds, one bit each, to compare with `Whole.kinds`."""
    return sum(UNIT[tile] for tile in parse_tiles(tiles))


def ranks(low: int, high: int) -> int:
    """The kinds of the suits with these ranks, one bit each."""
    return sum(UNIT[tile] for tile in PLAYING_TILES if tile.is_suited and low <= tile.rank <= high)


WINDS: Final = kinds("1234z")
DRAGONS: Final = kinds("567z")
HONORS: Final = WINDS | DRAGONS
TERMINALS: Final = ranks(1, 1) | ranks(9, 9)


def in_one_suit(*tiles: Tile) -> bool:
    """Whether all are of one suit; honours are no suit."""
    return tiles[0].is_suited and len({tile.suit for tile in tiles}) == 1


def in_different_suits(*tiles: Tile) -> bool:
    """Whether all are suited, no two of them alike."""
    return all(tile.is_suited for tile in tiles) and len({tile.suit for tile in tiles}) == len(tiles)


def steps(*tiles: Tile) -> tuple[int, ...]:
    """The differences between neighbouring ranks, in ascending order of rank.

    >>> from tilescore.scoring.tiles import parse_tiles
    >>> steps(*parse_tiles("7m1p4s"))
    (3, 3)
    """
    ranks = sorted(tile.rank for tile in tiles)
    return tuple([high - low for low, high in itertools.pairwise(ranks)])
