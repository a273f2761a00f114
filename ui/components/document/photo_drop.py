"""Photos that are dropped on the page or pasted."""

from __future__ import annotations

from tilescore.ui.components.assets import renderer


def photo_drop() -> None:
    """Give pictures that are dropped anywhere on the page, or pasted, to the last of its fields for photos."""
    renderer("photo_drop")(key="photo_drop", data={})
