"""The door of the server, in front of everything: foreign pages and foreign names for this machine get nothing.

A page that the browser got from elsewhere can send requests to this machine, and a name that its owner points to this
machine makes that page look like ours. So the `Host` of every request must be a name that the program has shown, with
the port of the server, and its `Origin` must be that same place. The door decides from the headers alone: it looks no
name up and asks nobody.
"""

import logging
import time
from collections.abc import Callable, Collection
from typing import Final

from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tilescore.printable import printable
from tilescore.ui.server.config import LIMITS, ServerLimits

LOG: Final = logging.getLogger("tilescore.server")
THIS_MACHINE: Final = ("localhost", "127.0.0.1", "[::1]")
"""The names under which a browser on this machine reaches the server."""
ADMIT: Final = "admit"
"""Key of `scope["state"]`: a function that tells the connection that its sender was let in."""
POLICY_VIOLATION: Final = 1008
"""The code with which a socket is closed (RFC 6455)."""
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing; browsers may send them without an origin."""
_ELSEWHERE: Final = frozenset({b"cross-site", b"same-site"})
_HEADERS: Final = {
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-resource-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"permissions-policy": b"camera=(self), clipboard-write=(self), geolocation=(), microphone=()",
}
"""Headers of every answer that does not set them itself."""
_POLICY: Final = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; media-src 'self' data: blob:; font-src 'self' data:; worker-src 'self' blob:; "
    "connect-src 'self' {sockets} data: blob:; object-src 'none'; frame-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
"""The Content-Security-Policy: nobody frames our pages, and they load from this server alone.

Streamlit's pages need inline scripts and evaluation. `{sockets}` is our own address for sockets, which `'self'` leaves
out in older browsers.
"""


class Door:
    """ASGI middleware that answers only requests under our own names from our own pages."""

    def __init__(self, app: ASGIApp, names: Collection[str] = THIS_MACHINE) -> None:
        """Wrap the app; `names` are the host names and addresses of this server, without port."""
        self._app = app
        self._names = frozenset(name.lower() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what may come in; refuse the rest with a status and nothing else."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        reason = self._refusal(scope)
        if reason:
            LOG.warning("refused a request: %s.", printable(reason))
            await refuse(scope, receive, send, status=403)
            return
        try:
            await self._app(scope, _bytes_only(receive), _with_headers(scope, send))
        except ClientDisconnect:
            LOG.warning("a request to %s was broken off by its sender.", printable(scope["path"][:100]))

    def _refusal(self, scope: Scope) -> str:
        """The reason not to answer; empty if there is none."""
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        host = hosts[0].decode("latin-1").lower() if len(hosts) == 1 else ""
        if host not in self._own_hosts(scope):
            return f"its host is '{host[:100]}', which is no name of this server"
        origins = [value.decode("latin-1") for name, value in scope["headers"] if name == b"origin"]
        if any(origin.lower() != f"{_scheme(scope)}://{host}" for origin in origins) or len(origins) > 1:
            return f"it comes from the page '{origins[0][:100]}'"
        if not origins and (scope["type"] == "websocket" or scope["method"] not in _READING):
            return "it does not say from which page it comes"
        headers = dict(scope["headers"])
        opened = (headers.get(b"sec-fetch-mode"), headers.get(b"sec-fetch-dest")) == (b"navigate", b"document")
        if headers.get(b"sec-fetch-site") in _ELSEWHERE and not opened:
            return "the page of another site uses it"
        return ""

    def _own_hosts(self, scope: Scope) -> frozenset[str]:
        port = (scope.get("server") or ("", 0))[1]
        named = {f"{name}:{port}" for name in self._names}
        return frozenset(named | self._names if port == _DEFAULT_PORTS[_scheme(scope)] else named)


class FewLines(logging.Filter):
    """Lets few lines of one kind into the log at once: whoever is refused again and again does not fill the disk.

    A kind is a place of the code. The next line that passes says how many like it were left out.
    """

    def __init__(self, limits: ServerLimits = LIMITS, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._limits = limits
        self._clock = clock
        self._kinds: dict[tuple[str, int], tuple[float, float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether this line is written."""
        most, now, kind = self._limits.log_lines, self._clock(), (record.pathname, record.lineno)
        free, at, left_out = self._kinds.get(kind, (most, now, 0))
        free = min(most, free + (now - at) / self._limits.log_line_s)
        if free < 1:
            self._kinds[kind] = (free, now, left_out + 1)
            return False
        self._kinds[kind] = (free - 1, now, 0)
        if left_out:
            record.msg, record.args = f"{record.getMessage()} ({left_out} lines like this were left out.)", ()
        return True


class Admission:
    """ASGI middleware of a server without passphrase: whoever came through the door is let in."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on."""
        admit(scope)
        await self._app(scope, receive, send)


async def refuse(scope: Scope, receive: Receive, send: Send, *, status: int) -> None:
    """Answer with that status and no text, or close the socket before it opens."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": POLICY_VIOLATION})
    else:
        await PlainTextResponse("", status, {"Connection": "close"})(scope, receive, send)


def admit(scope: Scope) -> None:
    """Tell the connection that its sender was let in, so that it may stay open."""
    tell = scope.get("state", {}).get(ADMIT)
    if tell is not None:
        tell()


def _scheme(scope: Scope) -> str:
    """The scheme of the page that sends the request: `http` or `https`."""
    scheme: str = scope["scheme"]
    return {"ws": "http", "wss": "https"}.get(scheme, scheme)


def _bytes_only(receive: Receive) -> Receive:
    """A `receive` that ends a socket when a message has no bytes: our pages send none, and Streamlit fails on it."""

    async def receiving() -> Message:
        message = await receive()
        if message["type"] == "websocket.receive" and message.get("bytes") is None:
            LOG.warning("refused a message of text on a socket.")
            return {"type": "websocket.disconnect", "code": POLICY_VIOLATION}
        return message

    return receiving


def _with_headers(scope: Scope, send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            host = dict(scope["headers"])[b"host"].decode("latin-1")
            policy = _POLICY.format(sockets=f"ws://{host} wss://{host}").encode("latin-1")
            own = {name.lower() for name, _ in message["headers"]}
            ours = _HEADERS | {b"content-security-policy": policy}
            added = [(name, value) for name, value in ours.items() if name not in own]
            message = {**message, "headers": [*message["headers"], *added]}
        await send(message)

    return sending
