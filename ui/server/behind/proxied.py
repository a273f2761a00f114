"""Requests that a reverse proxy passes on become those that the browser sent.

The app listens on this machine alone, so that nobody but the proxy and the users of this machine reach it. The door and
the gate behind see the public name, port and scheme, the browser's address and the path below the base path.
"""

import ipaddress
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Final

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tilescore.ui.server.behind.address import PublicAddress
from tilescore.ui.server.config import LIMITS, ServerLimits
from tilescore.ui.server.connections import LimitedConnection
from tilescore.ui.server.door import LOG, refuse

SENDER: Final = b"x-forwarded-for"
"""The header in which the proxy says whose request it passes on."""
_COOKIE: Final = b"cookie"
_SECURE: Final = {"http": "https", "ws": "wss"}
_PERSON_BITS: Final = 64
"""The bits of an IPv6 address that a person cannot choose: each connection to the internet has at least the others."""


class ProxyConnection(LimitedConnection):
    """The limited connection for a proxy: every stranger comes from its address."""

    limits: ClassVar[ServerLimits] = replace(LIMITS, strangers_an_address=LIMITS.strangers)


class Proxied:
    """ASGI middleware before the door: gives each request the public place and its sender's address."""

    def __init__(self, app: ASGIApp, address: PublicAddress) -> None:
        self._app = app
        self._address = address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request as the browser sent it; refuse one without a sender, or outside of the base path."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        sender, base = sender_of(scope), self._address.base
        path = scope["path"].removeprefix(base)
        if sender is None:
            LOG.warning("refused a request: the proxy does not say in X-Forwarded-For from which address it comes.")
            await refuse(scope, receive, send, status=403)
        elif scope["type"] == "http" and scope["path"] == base:
            query = scope["query_string"].decode("latin-1")
            await RedirectResponse(f"{base}/{query and '?'}{query}", 308)(scope, receive, send)
        elif not scope["path"].startswith(f"{base}/"):
            LOG.warning("refused a request outside of %s/: the proxy has to pass on the path as it is.", base)
            await refuse(scope, receive, send, status=404)
        else:
            public = {
                "path": path, "raw_path": None, "headers": _own_cookies(scope["headers"]),
                "scheme": _SECURE.get(scope["scheme"], scope["scheme"]),
                "server": (self._address.host, self._address.port), "client": (sender, 0),
            }  # fmt: skip
            await self._app({**scope, **public}, receive, self._outwards(send))

    def _outwards(self, send: Send) -> Send:
        """A `send` that puts the base path into redirections and cookies, and keeps cookies to https."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [(name, self._outward(name, value)) for name, value in message["headers"]]
                message = {**message, "headers": headers}
            await send(message)

        return sending

    def _outward(self, name: bytes, value: bytes) -> bytes:
        base = self._address.base.encode()
        if name.lower() == b"location" and value.startswith(b"/"):
            return base + value
        if name.lower() == b"set-cookie":
            first, *rest = (part.strip() for part in value.split(b";"))
            others = [part for part in rest if part.lower() != b"secure" and not part.lower().startswith(b"path=")]
            return b"; ".join((first, *others, b"Path=" + base + b"/", b"Secure"))
        return value


def _own_cookies(headers: Sequence[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The headers with the first cookie of each name alone.

    A program above the base path may have cookies of the same names, which the browser sends, too, after ours; readers
    of the header take the last.
    """
    others = [(name, value) for name, value in headers if name != _COOKIE]
    said = [part.strip() for name, value in headers if name == _COOKIE for part in value.split(b";")]
    first = {part.partition(b"=")[0]: part for part in reversed(said)}
    return [*others, (_COOKIE, b"; ".join(first.values()))] if said else others


def sender_of(scope: Scope) -> str | None:
    """The address whose request the proxy passes on; None if the proxy does not say it.

    A browser can send the header, too, and most proxies append to it: only the last address is the proxy's own word.
    One person has 2^64 addresses of IPv6 and more, which count as one.
    """
    said = b",".join(value for name, value in scope["headers"] if name == SENDER).rpartition(b",")[2]
    try:
        address = ipaddress.ip_address(said.strip().decode("latin-1"))
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is None:
            return str(ipaddress.IPv6Network((int(address) >> _PERSON_BITS << _PERSON_BITS, _PERSON_BITS)))
        address = address.ipv4_mapped
    return str(address)
