"""What the lines of Hong Kong and Taiwan find in the view of a hand."""

from typing import Final

from tilescore.scoring.context import Context
from tilescore.scoring.shapes import view as shapes_view
from tilescore.scoring.tiles import ORDER, Tile

View = shapes_view.View[Context]
Found = tuple[tuple[Tile, ...], ...]
"""The tiles of each instance of a line; an instance about the win has none."""
ONCE: Final[Found] = ((),)
NOT: Final[Found] = ()


def once(holds: bool) -> Found:  # noqa: FBT001  (reads well: `once(view.claimed == 0)`)
    """One instance without tiles if that holds."""
    return ONCE if holds else NOT


def whole(view: View, holds: object) -> Found:
    """One instance of the whole hand if that holds."""
    return (tuple(sorted(view.hand.tiles, key=ORDER.__getitem__)),) if holds else NOT
