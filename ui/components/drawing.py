"""A picture that this program drew: markup in the page's colours, out of reach of the page's own styles."""

from __future__ import annotations

from tilescore.ui.components.assets import renderer


def drawing(markup: str, *, key: str, reveal: str = "") -> None:
    """Draw it; whatever people typed must have been escaped in `markup`. A new word in `reveal` scrolls to it."""
    renderer("drawing")(key=key, data={"markup": markup, "reveal": reveal})
