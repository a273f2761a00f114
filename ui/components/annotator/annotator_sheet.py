"""A contact sheet of tiles or pictures, on which a person fixes or opens the odd ones."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tilescore.ui.components.assets import deck, draw, last_event
from tilescore.ui.words.text import words

KEY: Final = "annotator_sheet"
_TEXTS: Final = ("rank", "undo", "before", "more", "open")


def contact_sheet(data: Mapping[str, Any], *, on_edit: Callable[[Mapping[str, Any]], None]) -> None:
    """Draw the sheet; `on_edit` gets each event before the page is drawn again."""
    shared = {name: words(f"canvas.{name}") for name in ("close", "guesses", "part", "remove")}
    texts = shared | {name: words(f"annotate.{name}") for name in _TEXTS}
    draw("annotator_sheet", key=KEY, data={**deck(), **data, "ack": last_event(KEY), "words": texts}, edit=on_edit)
