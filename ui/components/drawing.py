"""A picture as markup in the colours of the page, isolated from the styles of the page."""

from __future__ import annotations

from tilescore.ui.components.assets import renderer


def drawing(markup: str, *, key: str, reveal: str = "") -> None:
    """Draw the markup, in which all typed text must be escaped. A new word in `reveal` scrolls to it."""
    renderer("drawing")(key=key, data={"markup": markup, "reveal": reveal})
