"""Fields for photos: their names in the language of the page, and photos that are dropped on the page or pasted."""

from __future__ import annotations

from tilescore.ui.components.assets import renderer


def photo_drop() -> None:
    """Name the fields, and give pictures that are dropped anywhere on the page, or pasted, to the last of them."""
    renderer("photo_drop")(key="photo_drop", data={})
