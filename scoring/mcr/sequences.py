"""Relations between chows or pungs, each given by its lowest tile."""

import itertools

from tilescore.scoring.tiles import Tile


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
