"""What makes the page installable: the manifest and the icon, named in the document."""

from __future__ import annotations

from tilescore.ui.components.assets import renderer


def page_mark() -> None:
    """Put both into the document."""
    data = {"manifest": "/tilescore.webmanifest", "icon": "/tilescore-icon.svg"}
    renderer("page_mark")(key="page_mark", data=data)
