"""What MCR asks of the view of a hand besides what all rulesets ask."""

from tilescore.scoring.context import NO_OCCASION, Context
from tilescore.scoring.shapes import view as shapes_view
from tilescore.scoring.shapes.winning import ONES, Shape, four_times, pack
from tilescore.scoring.tiles import Tile

View = shapes_view.View[Context]
ONE_SUIT, HONOR, NO_HONOR, FOUR, OTHER_SHAPE, CHOW, PUNG, KONG, WAIT, OCCASION = (1 << bit for bit in range(10))
"""What a hand must have so that a fan is looked for, as bits: tiles of one suit beside honours, an honour, none, four
tiles of a kind, another form than four sets and a pair, a chow, a pung or kong, a kong, a wait for a single kind, an
occasion."""


def offers(view: View) -> int:
    """What a view has of what a fan may need, as bits; but for the wait, which all views share."""
    return (
        ONE_SUIT * (view.suits == 1)
        | (HONOR if view.honors else NO_HONOR)
        | FOUR * bool(view.packed >> 2 & ONES)
        | OTHER_SHAPE * (view.shape is not Shape.STANDARD)
        | CHOW * bool(view.chows)
        | PUNG * bool(view.pungs)
        | KONG * bool(view.kong_at)
        | OCCASION * (view.context.occasions is not NO_OCCASION)
    )


def fours(view: View) -> tuple[Tile, ...]:
    """The kinds held four times without being declared a kong."""
    return four_times(view.packed - pack([tile for place in view.kong_at for tile in view.groups[place].tiles]))


def kongs(view: View, *, concealed: bool) -> tuple[int, ...]:
    """The indexes of the concealed kongs, or of the melded ones."""
    return tuple([place for place in view.kong_at if view.groups[place].concealed is concealed])
