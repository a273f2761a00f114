"""A short row of tiles that a person chooses, such as dora indicators."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from tilescore.scoring.tiles import PLAYING_TILES, RED_FIVES, Tile
from tilescore.ui.components.assets import deck, draw
from tilescore.ui.words.text import words

_MOST: Final = 5
_TEXTS: Final = ("add", "remove", "remove_tile", "close", "how_choose", "part", "guesses")
_ALLOWED: Final = tuple(str(tile) for tile in (*PLAYING_TILES, *RED_FIVES))


def tile_row(
    label: str,
    tiles: Sequence[Tile],
    *,
    key: str,
    on_change: Callable[[tuple[Tile, ...]], None],
    ask: bool = False,
) -> None:
    """Draw the row; `on_change` gets all its tiles after a tile is added or removed.

    With `ask` the tiles are a choice, and `on_change` gets the tile that was tapped.
    """

    def changed(event: dict[str, Any]) -> None:
        texts = event.get("tiles")
        if isinstance(texts, list):
            on_change(tuple(Tile.parse(text) for text in texts if text in _ALLOWED)[:_MOST])

    data = {
        **deck(),
        "label": label,
        "tiles": [str(tile) for tile in tiles],
        "ask": ask,
        "most": _MOST,
        "allowed": _ALLOWED,
        "words": {name: words(f"canvas.{name}") for name in _TEXTS},
    }
    draw("tile_row", key=key, data=data, change=changed)
