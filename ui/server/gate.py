"""The passphrase of an app that others in the network may use: without it nothing answers.

The gate stands before the whole server: pages, uploads, media and the socket. A browser that gave the passphrase gets a
cookie of its own, which the host can end. The host comes in by a link with a key that the terminal shows and that works
once. Only a POST lets anybody in: an address that is opened has no effect. The gate counts each guess before the
comparison.
"""

import asyncio
from contextlib import suppress
from html import escape
from typing import Final

from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from tilescore.ui.server.config import LIMITS, ServerLimits
from tilescore.ui.server.door import LOG, POLICY_VIOLATION, admit, refuse
from tilescore.ui.server.guest_list import PATH, guest_list
from tilescore.ui.server.guests import ENTRY, Entrance, Guesses, Guest, Guests
from tilescore.ui.server.plain_page import beside, form_of, language_of, plain_page, said
from tilescore.ui.words.audience import GUEST_HEADER

_MARK: Final = GUEST_HEADER.lower().encode()
_GIVE_KEY: Final = (
    "<script>function give(){const key=location.hash.slice(1);if(!key)return;const form=document.forms[0];"
    'form.key.value=key;history.replaceState(null,"",location.pathname);form.submit()}'
    'addEventListener("hashchange",give);give()</script>'
)
"""Sends the key of the host's link, also of one that is opened on the page itself, and takes it out of the address."""


class Gate:
    """ASGI middleware that serves only browsers that gave the passphrase, and the host."""

    def __init__(
        self, app: ASGIApp, entrance: Entrance, *, guesses: Guesses | None = None, limits: ServerLimits = LIMITS
    ) -> None:
        self._app = app
        self._entrance = entrance
        self._limits = limits
        self._guests = Guests(limits)
        self._guesses = guesses or Guesses(limits)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on requests with a cookie; answer all others with the page that asks for the passphrase."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        guest = self._guests.find(HTTPConnection(scope).cookies.get(_cookie(scope), ""))
        if guest is not None:
            admit(scope)
        if scope["type"] == "http" and scope["path"] == ENTRY:
            request = Request(scope, receive)
            if guest is not None and guest.is_host:
                response: Response = RedirectResponse("/#", 303)  # without `#`, the address would keep the unused key
            else:
                response = await self._enter(request) if request.method == "POST" else _asking(request)
            await response(scope, receive, send)
        elif guest is not None:
            await self._serve(guest, scope, receive, send)
        elif scope["type"] == "websocket":
            await refuse(scope, receive, send, status=401)
        else:
            await _asking(Request(scope, receive))(scope, receive, send)

    async def _serve(self, guest: Guest, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(name, value) for name, value in scope["headers"] if name != _MARK]
        scope["headers"] = headers if guest.is_host else [*headers, (_MARK, str(guest.number).encode())]
        if scope["type"] == "http":
            if guest.is_host and scope["path"] == PATH:
                response = await guest_list(Request(scope, receive), self._guests, self._entrance)
                await response(scope, receive, send)
            else:
                await self._app(scope, receive, send)
        elif not self._guests.may_open(guest):
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
        form = await form_of(request, self._limits)
        if form is None:
            return PlainTextResponse("", 413)
        if "key" in form:
            if not self._entrance.takes_key(form["key"]):
                LOG.warning("refused a key from %s.", address)
                return _asking(request, "gate.used")
            return self._admitted(request, to="/", is_host=True)
        # Between the count and the comparison nothing waits, so that guesses which arrive together are all counted.
        if not self._guesses.take(address):
            LOG.warning("refused a guess of the passphrase from %s: there were too many.", address)
            return _asking(request, "gate.wait", status=429)
        if not self._entrance.opens(form.get("passphrase", "")):
            LOG.warning("refused a wrong passphrase from %s.", address)
            return _asking(request, "gate.wrong")
        self._guesses.give_back(address)
        return self._admitted(request, to=form.get("to", ""), is_host=False)

    def _admitted(self, request: Request, *, to: str, is_host: bool) -> Response:
        ticket = self._guests.admit(_address(request), request.headers.get("user-agent", ""), is_host=is_host)
        response = RedirectResponse(_inside(to), 303)
        secure = request.url.scheme == "https"
        response.set_cookie(_cookie(request.scope), ticket, httponly=True, samesite="lax", secure=secure)
        return response


def _cookie(scope: Scope) -> str:
    """The name of the cookie, a different one on each port, because browsers send cookies to all ports of a host."""
    return f"tilescore_guest_{(scope.get('server') or ('', 0))[1]}"


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


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
        f'<form method="post" action="{beside(request, ENTRY)}"><h1>Tilescore</h1>'
        f"<p>{said(language, 'gate.title')}</p>{alert}"
        f'<label for="p">{said(language, "gate.passphrase")}</label>'
        '<input id="p" name="passphrase" type="password" autocomplete="current-password" autofocus required>'
        f'<input type="hidden" name="to" value="{to}"><input type="hidden" name="key">'
        f"<button>{said(language, 'gate.go')}</button></form>{_GIVE_KEY if request.url.path == ENTRY else ''}"
    )
    return plain_page(language, body, status=status)
