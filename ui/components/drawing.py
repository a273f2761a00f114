"""A picture as markup in the colours of the page, isolated from the styles of the page; its buttons can be pressed."""

from collections.abc import Callable
from typing import Any

from tilescore.ui.components.assets import draw, last_event


def drawing(markup: str, *, key: str, reveal: str = "", on_press: Callable[[str], None] | None = None) -> None:
    """Draw the markup, in which all typed text must be escaped. A new word in `reveal` scrolls to it.

    A button of the markup has two attributes. `data-at` names it, and stays. `data-press` says what a press means now;
    `on_press` gets that. A press that comes before the answer to the press before means what its button says then.
    The browser repeats a press that is not answered, so a press must mean the same if it comes twice.
    """
    data = {"markup": markup, "reveal": reveal}
    if on_press is None:
        draw("drawing", key=key, data=data)
        return

    def pressed(event: dict[str, Any]) -> None:
        what = event.get("what")
        if isinstance(what, str):
            on_press(what)

    draw("drawing", key=key, data={**data, "ack": last_event(key)}, press=pressed)
