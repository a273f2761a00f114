"""The passphrase of an app that others in the network may use: without it nothing answers.

The gate stands before the whole server: pages, uploads, media and the socket. A browser that gave the passphrase has a
cookie that only this run of the program knows. The gate counts wrong passphrases: after a few of them there is a pause.
"""

from __future__ import annotations

import hmac
import secrets
import time
import unicodedata
from collections import deque
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from tilescore.ui.locale import ENGLISH, closest
from tilescore.ui.words.text import words_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Receive, Scope, Send

LEAST_LETTERS: Final = 8
"""Least letters of a passphrase."""
ENTRY: Final = "/enter"
_COOKIE: Final = "tilescore_guest"
_STYLE: Final = Path(__file__).with_name("gate.css")
_MOST_BYTES: Final = 4096
"""Most bytes of the form with the passphrase."""
_REFUSED: Final = 1008
"""The code with which a socket is closed for a breach of policy."""


@dataclass(slots=True)
class Guesses:
    """The wrong passphrases of the last minute; both limits hold.

    Attributes:
        from_one: most wrong passphrases of one address.
        from_all: most wrong passphrases of all addresses together, against somebody with many addresses.
        pause_s: how long a wrong passphrase counts, seconds.
        clock: the present time, in seconds from any start.
    """

    from_one: int = 5
    from_all: int = 30
    pause_s: float = 60
    clock: Callable[[], float] = time.monotonic
    _wrong: deque[tuple[float, str]] = field(default_factory=deque)

    def allowed(self, address: str) -> bool:
        """Whether this address may try another passphrase."""
        while self._wrong and self._wrong[0][0] <= self.clock() - self.pause_s:
            self._wrong.popleft()
        return len(self._wrong) < self.from_all and sum(who == address for _, who in self._wrong) < self.from_one

    def wrong(self, address: str) -> None:
        """Count a wrong passphrase of this address."""
        self._wrong.append((self.clock(), address))


class Gate:
    """Starlette middleware that serves only browsers that gave the passphrase."""

    def __init__(self, app: ASGIApp, passphrase: str, guesses: Guesses | None = None) -> None:
        self._app = app
        self._passphrase = _digest(passphrase)
        self._ticket = secrets.token_urlsafe(32)
        self._guesses = guesses or Guesses()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on requests with the cookie; answer all others with the page that asks for the passphrase."""
        if scope["type"] == "lifespan" or self._known(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": _REFUSED})
        else:
            request = Request(scope, receive)
            entering = request.method == "POST" and request.url.path == ENTRY
            response = await self._enter(request) if entering else _door(request)
            await response(scope, receive, send)

    def _known(self, scope: Scope) -> bool:
        given = Request({**scope, "type": "http"}).cookies.get(_COOKIE, "")
        return hmac.compare_digest(given.encode(), self._ticket.encode())

    async def _enter(self, request: Request) -> Response:
        address = request.client.host if request.client else ""
        if not self._guesses.allowed(address):
            return _door(request, "gate.wait", status=429)
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > _MOST_BYTES:
                return PlainTextResponse("", 413)
        form = parse_qs(body.decode(errors="replace"))
        if not hmac.compare_digest(_digest(form.get("passphrase", [""])[0]), self._passphrase):
            self._guesses.wrong(address)
            return _door(request, "gate.wrong")
        response = RedirectResponse(_inside(form.get("to", [""])[0]), 303)
        response.set_cookie(_COOKIE, self._ticket, httponly=True, samesite="lax")
        return response


def _digest(passphrase: str) -> bytes:
    """A digest of one length, the same however the keyboard composes the letters."""
    return sha256(unicodedata.normalize("NFKC", passphrase).encode(errors="surrogatepass")).digest()


def _inside(target: str) -> str:
    """The target if it is an address of this app; the start page if it is another host."""
    return target if target.startswith("/") and not target.startswith(("//", "/\\")) else "/"


def _door(request: Request, trouble: str = "", *, status: int = 401) -> Response:
    """The page that asks for the passphrase; a plain refusal for a client that wants no page."""
    if "text/html" not in request.headers.get("accept", ""):
        return PlainTextResponse("", status)
    wishes = [request.cookies.get("tilescore_language"), *request.headers.get("accept-language", "").split(",")]
    language = next((code for code in map(closest, wishes) if code is not None), ENGLISH)
    asked = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    to = escape("/" if request.url.path == ENTRY else asked)
    title, label, go = (escape(words_in(language, key)) for key in ("gate.title", "gate.passphrase", "gate.go"))
    alert = f'<p role="alert">{escape(words_in(language, trouble))}</p>' if trouble else ""
    page = (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>Tilescore</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE.read_text(encoding="utf-8")}</style></head>'
        f'<body><form method="post" action="{ENTRY}"><h1>Tilescore</h1><p>{title}</p>{alert}'
        f'<label for="p">{label}</label>'
        '<input id="p" name="passphrase" type="password" autocomplete="current-password" autofocus required>'
        f'<input type="hidden" name="to" value="{to}"><button>{go}</button></form></body></html>'
    )
    return HTMLResponse(page, status, {"Cache-Control": "no-store"})
