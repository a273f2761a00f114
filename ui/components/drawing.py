"""A picture as markup in the colours of the page, isolated from the styles of the page; its buttons can be pressed."""

from collections.abc import Callable

from tilescore.ui.components.assets import fresh_event, last_event, renderer


def drawing(markup: str, *, key: str, reveal: str = "", on_press: Callable[[str], None] | None = None) -> None:
    """Draw the markup, in which all typed text must be escaped. A new word in `reveal` scrolls to it.

    A button of the markup has two attributes. `data-at` names it, and stays. `data-press` says what a press means now;
    `on_press` gets that. A press that comes before the answer to the press before means what its button says then.
    The browser repeats a press that is not answered, so a press must mean the same if it comes twice.
    """
    data = {"markup": markup, "reveal": reveal}
    if on_press is None:
        renderer("drawing")(key=key, data=data)
        return

    def pressed() -> None:
        what = fresh_event(key, "press").get("what")
        if isinstance(what, str):
            on_press(what)

    renderer("drawing")(key=key, data={**data, "ack": last_event(key)}, on_press_change=pressed)
