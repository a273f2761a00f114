"""A question about a tile with a few answers, each one tap: another tile in its place, or the tile that wins."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tilescore.scoring.tiles import Tile
from tilescore.ui.components.assets import deck, draw
from tilescore.ui.words.text import beside, labelled, tile_name, words


@dataclass(frozen=True, slots=True, kw_only=True)
class TileChoice:
    """An answer."""

    new: Tile | None = None  # the tile that it is about; None for an answer in words alone
    old: Tile | None = None  # the tile in whose place it is put; None if it is added
    worth: str = ""  # what the hand would score; empty if it is not said
    note: str = ""  # a word about that

    @property
    def label(self) -> str:
        """The answer for a screen reader."""
        if self.old is not None and self.new is not None:
            return words("score.instead", new=tile_name(self.new), old=tile_name(self.old))
        worth = beside(self.worth, self.note)
        return worth if self.new is None else labelled(tile_name(self.new), worth) if worth else tile_name(self.new)


def tile_choices(
    label: str,
    choices: Sequence[TileChoice],
    *,
    key: str,
    on_choose: Callable[[int], None],
    sets: Sequence[Sequence[Tile]] = (),
) -> None:
    """Draw the question, with the sets of tiles that it is about; `on_choose` gets the index of the tapped answer."""

    def tapped(event: dict[str, Any]) -> None:
        index = event.get("index")
        if isinstance(index, int) and 0 <= index < len(choices):
            on_choose(index)

    rows = [
        {
            "old": None if choice.old is None else str(choice.old),
            "new": None if choice.new is None else str(choice.new),
            "label": choice.label,
            "worth": choice.worth,
            "note": choice.note,
        }
        for choice in choices
    ]
    data = {
        "faces": deck()["faces"],
        "label": label,
        "choices": rows,
        "sets": [[str(tile) for tile in one] for one in sets],
    }
    draw("tile_choices", key=key, data=data, choose=tapped)
