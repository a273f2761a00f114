"""Small pages that the server draws itself, without Streamlit, in the language of the browser."""

from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tilescore.ui.locale import ENGLISH, closest
from tilescore.ui.server.config import LIMITS, ServerLimits
from tilescore.ui.words.text import words_in

_STYLE: Final = Path(__file__).with_name("plain_page.css")


def language_of(request: Request) -> str:
    """The language that was chosen in the app, else the first of the browser's that we speak, else English."""
    wishes = [request.cookies.get("tilescore_language"), *request.headers.get("accept-language", "").split(",")]
    return next((code for code in map(closest, wishes) if code is not None), ENGLISH)


def said(language: str, key: str) -> str:
    """The words for a key in that language, as HTML."""
    return escape(words_in(language, key))


def beside(request: Request, path: str) -> str:
    """The relative address of a path of ours on the page that is asked for: both may lie below the path of a proxy."""
    return "../" * (request.url.path.count("/") - 1) + path[1:]


async def form_of(request: Request, limits: ServerLimits = LIMITS) -> dict[str, str] | None:
    """The fields of the form that a request sends; None if it is longer than any form of ours."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > limits.form_bytes:
            return None
    return dict(parse_qsl(body.decode(errors="replace")))


def plain_page(language: str, body: str, *, status: int = 200) -> Response:
    """A page with this HTML as its body."""
    text = (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>Tilescore</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE.read_text(encoding="utf-8")}</style></head>'
        f"<body>{body}</body></html>"
    )
    # With `no-referrer`, browsers send forms without their origin, and the door would refuse them.
    return HTMLResponse(text, status, {"Cache-Control": "no-store", "Referrer-Policy": "same-origin"})
