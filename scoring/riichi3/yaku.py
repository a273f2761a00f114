"""The yaku that three-player riichi has and riichi for four players has not (S-SAN-3, scoring/sources.md)."""

from typing import Final

from tilescore.scoring.riichi.table import row_of
from tilescore.scoring.riichi.view import View, set_of
from tilescore.scoring.riichi.yaku import Places
from tilescore.scoring.tiles import NORTH


def north(view: View) -> Places:
    """A triplet or quad of norths in the hand, where the option north makes them tiles of value."""
    return set_of(view, NORTH)


NORTH_YAKU: Final = row_of(north, 1, opened=1)
