"""What makes the app installable: its manifest and its icon, under addresses of their own."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Final

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tilescore.datasets.artwork import FACES

if TYPE_CHECKING:
    from starlette.requests import Request

MANIFEST: Final = "/tilescore.webmanifest"
ICON: Final = "/tilescore-icon.svg"
_GROUND, _JADE = "#faf7f0", "#0b6b4b"


def routes() -> list[Route]:
    """The addresses for the server."""
    return [Route(MANIFEST, _manifest), Route(ICON, _icon)]


async def _manifest(_request: Request) -> Response:
    icon = {"src": ICON, "sizes": "any", "type": "image/svg+xml", "purpose": "any"}
    data = {
        "name": "Tilescore", "short_name": "Tilescore", "start_url": "/", "scope": "/", "display": "standalone",
        "background_color": _GROUND, "theme_color": _JADE, "icons": [icon],
    }  # fmt: skip
    return JSONResponse(data, media_type="application/manifest+json")


async def _icon(_request: Request) -> Response:
    """The red dragon on jade."""
    face = base64.b64encode((FACES / "7z.svg").read_bytes()).decode()
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">'
        f'<rect width="512" height="512" rx="96" fill="{_JADE}"/>'
        f'<image href="data:image/svg+xml;base64,{face}" x="121" y="76" width="270" height="360"/></svg>'
    )
    return Response(svg, media_type="image/svg+xml")
