"""What the document around the page needs: the manifest that makes it installable, words for a lost connection."""

from __future__ import annotations

from tilescore.ui.components.assets import renderer
from tilescore.ui.words.text import words


def page_mark() -> None:
    """Put both into the document."""
    data = {
        "manifest": "/tilescore.webmanifest",
        "icon": "/tilescore-icon.svg",
        "title": words("gone.title"),
        "text": words("gone.text"),
    }
    renderer("page_mark")(key="page_mark", data=data)
