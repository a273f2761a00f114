"""The views of a riichi hand: each way to split it, and each group that the winning tile may end."""

from typing import Final

from tilescore.scoring.hand import Hand
from tilescore.scoring.riichi.situation import Situation
from tilescore.scoring.shapes import view as shapes_view
from tilescore.scoring.shapes.winning import Shape
from tilescore.scoring.tiles import Tile

View = shapes_view.View[Situation]
SHAPES: Final = frozenset((Shape.STANDARD, Shape.DIFFERENT_PAIRS, Shape.THIRTEEN_ORPHANS))
"""The forms of a complete riichi hand."""


def views_of(hand: Hand, situation: Situation, *, pair_last: bool = False) -> list[View]:
    """Every view of a hand; none for an incomplete hand. Of equal groups the first counts.

    Seven different pairs come last; thirteen orphans have one view.
    """
    return shapes_view.views(hand, situation, by_discard=not situation.self_drawn, shapes=SHAPES, pair_last=pair_last)


def set_of(view: View, tile: Tile) -> tuple[int, ...] | None:
    """The place of the triplet or quad of this tile; None without one."""
    for place in view.pung_at:
        if view.groups[place].tile is tile:
            return (place,)
    return None
