"""The answers to "did you mean": each replaces one tile by another with one tap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilescore.ui.components.assets import deck, fresh_event, renderer
from tilescore.ui.words.text import tile_name, words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tilescore.ui.state.hand.one_tile_off import TileChange


def tile_choices(
    label: str, choices: Sequence[TileChange], *, key: str, on_choose: Callable[[TileChange], None]
) -> None:
    """Draw the choices; `on_choose` gets the one that was tapped."""

    def tapped() -> None:
        index = fresh_event(key, "choose").get("index")
        if isinstance(index, int) and 0 <= index < len(choices):
            on_choose(choices[index])

    rows = [
        (str(change.old), str(change.new), words("score.instead", new=tile_name(change.new), old=tile_name(change.old)))
        for change in choices
    ]
    data = {"faces": deck()["faces"], "label": label, "choices": rows}
    renderer("tile_choices")(key=key, data=data, on_choose_change=tapped)
