"""The document around all pages: its style, and what makes the app installable, its manifest and its icon."""

import base64
from functools import cache
from pathlib import Path
from typing import Final

import streamlit
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tilescore.datasets.artwork import FACES_FOLDER
from tilescore.ui.server.tunnel.tunnel import script

MANIFEST: Final = "/tilescore.webmanifest"
ICON: Final = "/tilescore-icon.svg"
PICTURE: Final = "/tilescore-icon.png"
"""The icon without round corners, for systems that cut it out themselves and know no SVG."""
_UI: Final = Path(__file__).parents[1]
_PICTURE: Final = Path(__file__).with_name("icon.png")
_SHEETS: Final = (
    "components/style.css", "pages/frame.css", "pages/score/hand.css", "pages/table/table.css", "pages/compare.css",
    "pages/history/history.css",
)  # fmt: skip
_CHANGED_IF: Final = (b"accept-encoding", b"if-none-match", b"if-modified-since")
"""Headers of a request for a document that we leave out: we have to read the answer."""
_ABOUT_THE_FILE: Final = (b"content-length", b"etag", b"last-modified")
LOADED_AHEAD: Final = (
    "BidiComponent", "Button", "ButtonGroup", "Checkbox", "DownloadButton", "FileUploader", "Html", "NumberInput",
    "PageLink", "Selectbox", "Spinner", "TextInput",
)  # fmt: skip
"""Streamlit's modules for the elements of our pages. It fetches each of them only when the first one is drawn."""
_GROUND, _JADE = "#faf7f0", "#0b6b4b"


def routes() -> list[Route]:
    """The addresses for the server."""
    return [Route(MANIFEST, _manifest), Route(ICON, _icon), Route(PICTURE, _picture)]


async def _manifest(_request: Request) -> Response:
    icons = [
        {"src": ICON[1:], "sizes": "any", "type": "image/svg+xml", "purpose": "any"},
        {"src": PICTURE[1:], "sizes": "512x512", "type": "image/png", "purpose": "any maskable"},
    ]
    data = {
        "name": "Tilescore", "short_name": "Tilescore", "start_url": "./", "scope": "./", "display": "standalone",
        "background_color": _GROUND, "theme_color": _JADE, "icons": icons,
    }  # fmt: skip
    return JSONResponse(data, media_type="application/manifest+json")


async def _icon(_request: Request) -> Response:
    face = base64.b64encode((FACES_FOLDER / "7z.svg").read_bytes()).decode()
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">'
        f'<rect width="512" height="512" rx="96" fill="{_JADE}"/>'
        f'<image href="data:image/svg+xml;base64,{face}" x="121" y="76" width="270" height="360"/></svg>'
    )
    return Response(svg, media_type="image/svg+xml")


async def _picture(_request: Request) -> Response:
    return Response(_PICTURE.read_bytes(), media_type="image/png")


class Document:
    """ASGI middleware that puts our style, the manifest and the icon into Streamlit's document.

    A style that a page draws comes after the first parts of that page, which then jump to other places.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, documents with our parts in them."""
        if scope["type"] != "http" or scope["method"] != "GET" or "." in scope["path"] or "/_" in scope["path"]:
            await self._app(scope, receive, send)
            return
        asked = [(name, value) for name, value in scope["headers"] if name not in _CHANGED_IF]
        start: Message | None = None
        body = bytearray()

        async def sending(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _is_document(message):
                start = message
                return
            if start is None:  # a copy or a table of ours, of any size
                await send(message)
                return
            body.extend(message.get("body", b""))
            if message.get("more_body"):
                return
            whole = body.replace(b"</head>", _head() + b"</head>").replace(b"</body>", _style() + b"</body>")
            kept = [(name, value) for name, value in start["headers"] if name.lower() not in _ABOUT_THE_FILE]
            length = (b"content-length", str(len(whole)).encode())
            await send({**start, "headers": [*kept, length]})
            await send({"type": "http.response.body", "body": bytes(whole)})

        await self._app({**scope, "headers": asked}, receive, sending)


def _is_document(start: Message) -> bool:
    return any(name.lower() == b"content-type" and value.startswith(b"text/html") for name, value in start["headers"])


def _head() -> bytes:
    # The addresses are relative, as Streamlit's own are: a proxy may serve the app below a base path.
    return (
        (
            f'<link rel="manifest" href="{MANIFEST[1:]}" crossorigin="use-credentials">'
            f'<link rel="apple-touch-icon" href="{PICTURE[1:]}" crossorigin="use-credentials">'
        ).encode()
        + script()
        + modules_ahead()
    )


@cache
def modules_ahead() -> bytes:
    """A script that loads the modules of our pages at once; else the parts of a page come late and push others away."""
    folder = Path(streamlit.__file__).parent / "static" / "static" / "js"
    modules = [path.name for part in LOADED_AHEAD for path in folder.glob(f"{part}.*.js")]
    imports = "".join(f'import "./static/js/{name}";' for name in modules)
    return f'<script type="module">{imports}</script>'.encode()


@cache
def _style() -> bytes:
    """The style of all pages; at the end of the document, because Streamlit's own must not overrule it."""
    return ("<style>" + "\n".join((_UI / sheet).read_text(encoding="utf-8") for sheet in _SHEETS) + "</style>").encode()
