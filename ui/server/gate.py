"""The passphrase of an app that others in the network may use: without it nothing answers.

The gate stands before the whole server: pages, uploads, media and the socket. A browser that gave the passphrase gets a
cookie of its own, which the host can end. The host comes in by a link with a key that the terminal shows. The gate
counts each guess before it compares it.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
import unicodedata
from contextlib import suppress
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs

from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from tilescore.ui.server.config import LIMITS, ServerLimits
from tilescore.ui.server.door import LOG, POLICY_VIOLATION, admit, refuse
from tilescore.ui.server.guest_list import PATH, guest_list
from tilescore.ui.server.guests import Guesses, Guest, Guests
from tilescore.ui.server.plain_page import language_of, plain_page, said
from tilescore.ui.words.audience import GUEST_HEADER

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

ENTRY: Final = "/enter"
_MARK: Final = GUEST_HEADER.lower().encode()


class Gate:
    """ASGI middleware that serves only browsers that gave the passphrase, and the host."""

    def __init__(
        self, app: ASGIApp, passphrase: str, host_key: str, *, guests: Guests | None = None,
        guesses: Guesses | None = None, limits: ServerLimits = LIMITS,
    ) -> None:  # fmt: skip
        self._app = app
        self._passphrase = _digest(passphrase)
        self._host_key = _digest(host_key)
        self._limits = limits
        self._guests = guests or Guests()
        self._guesses = guesses or Guesses(limits)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on requests with a cookie; answer all others with the page that asks for the passphrase."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        guest = self._guests.find(HTTPConnection(scope).cookies.get(_cookie(scope), ""))
        if guest is not None:
            admit(scope)
            await self._serve(guest, scope, receive, send)
        elif scope["type"] == "websocket":
            await refuse(scope, receive, send, status=401)
        else:
            request = Request(scope, receive)
            if request.url.path != ENTRY:
                response = _asking(request)
            elif request.method == "POST":
                response = await self._enter(request)
            else:
                response = self._host_enters(request)
            await response(scope, receive, send)

    async def _serve(self, guest: Guest, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(name, value) for name, value in scope["headers"] if name != _MARK]
        scope["headers"] = headers if guest.is_host else [*headers, (_MARK, str(guest.number).encode())]
        if scope["type"] == "http":
            if guest.is_host and scope["path"] == PATH:
                response = await guest_list(Request(scope, receive), self._guests)
                await response(scope, receive, send)
            else:
                await self._app(scope, receive, send)
        elif len(guest.pages) >= self._limits.sockets_a_guest:
            LOG.warning("refused a page: guest %s has %s pages open.", guest.number, len(guest.pages))
            await refuse(scope, receive, send, status=429)
        else:
            await self._hold(guest, scope, receive, send)

    async def _hold(self, guest: Guest, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a socket until it closes or the host ends the guest's access."""
        page = asyncio.ensure_future(self._app(scope, receive, send))
        guest.pages.add(page)
        try:
            await asyncio.wait((page,))
        except asyncio.CancelledError:
            page.cancel()
            raise
        finally:
            guest.pages.discard(page)
        if page.cancelled():
            with suppress(RuntimeError):  # the browser was faster
                await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        else:
            page.result()

    async def _enter(self, request: Request) -> Response:
        address = _address(request)
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > self._limits.form_bytes:
                return PlainTextResponse("", 413)
        form = parse_qs(body.decode(errors="replace"))
        # Between the count and the comparison nothing waits, so that guesses which arrive together are all counted.
        if not self._guesses.take(address):
            LOG.warning("refused a guess of the passphrase from %s: there were too many.", address)
            return _asking(request, "gate.wait", status=429)
        if not hmac.compare_digest(_digest(form.get("passphrase", [""])[0]), self._passphrase):
            LOG.warning("refused a wrong passphrase from %s.", address)
            return _asking(request, "gate.wrong")
        self._guesses.give_back(address)
        return self._admitted(request, to=form.get("to", [""])[0], is_host=False)

    def _host_enters(self, request: Request) -> Response:
        if not hmac.compare_digest(_digest(request.query_params.get("key", "")), self._host_key):
            return _asking(request)
        return self._admitted(request, to="/", is_host=True)

    def _admitted(self, request: Request, *, to: str, is_host: bool) -> Response:
        ticket = self._guests.admit(_address(request), request.headers.get("user-agent", ""), is_host=is_host)
        response = RedirectResponse(_inside(to), 303)
        secure = request.url.scheme == "https"
        response.set_cookie(_cookie(request.scope), ticket, httponly=True, samesite="lax", secure=secure)
        return response


def fresh_key() -> str:
    """A random key for the host's link."""
    return secrets.token_urlsafe(24)


def _cookie(scope: Scope) -> str:
    """The name of the cookie, a different one on each port, because browsers send cookies to all ports of a host."""
    return f"tilescore_guest_{(scope.get('server') or ('', 0))[1]}"


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _digest(passphrase: str) -> bytes:
    """A digest of one length, the same however the keyboard composes the letters."""
    return sha256(unicodedata.normalize("NFKC", passphrase).encode(errors="surrogatepass")).digest()


def _inside(target: str) -> str:
    """The target if it is an address of this app; the start page if it is another host."""
    return target if target.startswith("/") and not target.startswith(("//", "/\\")) else "/"


def _asking(request: Request, trouble: str = "", *, status: int = 401) -> Response:
    """The page that asks for the passphrase; a plain refusal for a client that wants no page."""
    if "text/html" not in request.headers.get("accept", ""):
        return PlainTextResponse("", status)
    language = language_of(request)
    asked = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    to = escape("/" if request.url.path == ENTRY else asked)
    alert = f'<p role="alert">{said(language, trouble)}</p>' if trouble else ""
    body = (
        f'<form method="post" action="{ENTRY}"><h1>Tilescore</h1><p>{said(language, "gate.title")}</p>{alert}'
        f'<label for="p">{said(language, "gate.passphrase")}</label>'
        '<input id="p" name="passphrase" type="password" autocomplete="current-password" autofocus required>'
        f'<input type="hidden" name="to" value="{to}"><button>{said(language, "gate.go")}</button></form>'
    )
    return plain_page(language, body, status=status)
