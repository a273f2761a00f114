"""The addresses of our own beside those of Streamlit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilescore.ui.server.routes import copies, games

if TYPE_CHECKING:
    from starlette.routing import Route


def routes() -> list[Route]:
    """The addresses that the pages need."""
    return [*copies.routes(), *games.routes()]
