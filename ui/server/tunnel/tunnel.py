"""Sockets through ordinary requests, for browsers that refuse a socket.

A browser of Apple's phones and tablets refuses sockets to a server whose certificate no authority knows, although its
user trusts the page (WebKit bug 145819). Then `tunnel.js` opens a line: the answer to one POST goes on as long as the
page is open and carries each message of the server after its length (4 bytes, the highest first); one PUT carries each
message of the page. For all that stands behind, the line is a socket.
"""

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import ClassVar, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tilescore.ui.server.config import LIMITS, ServerLimits
from tilescore.ui.server.door import LOG, admit, refuse

Line = asyncio.Queue[bytes | None]
"""What a page says, and None when it is gone."""
_PATH: Final = "/_stcore/tunnel"
_SOCKET: Final = "/_stcore/stream"
_NAME: Final = re.compile(rb"line=([0-9a-f]{32})")
_PROTOCOLS: Final = b"x-tilescore-protocols"
_WAITING: Final = 16
"""Messages of a line that may wait; our own pages send one after the other."""
_ABOUT_THE_BODY: Final = frozenset({b"content-length", b"content-type", _PROTOCOLS})


class Tunnel:
    """ASGI middleware that makes sockets of the lines that pages open."""

    lines: ClassVar[dict[bytes, Line]] = {}

    def __init__(self, app: ASGIApp, limits: ServerLimits = LIMITS) -> None:
        self._app = app
        self._limits = limits

    @classmethod
    def close(cls) -> None:
        """End all lines, as a server that stops ends its sockets: an answer that goes on would hold it up."""
        for line in cls.lines.values():
            line.put_nowait(None)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve what belongs to a line; pass everything else on."""
        if scope["type"] != "http" or not scope["path"].endswith(_PATH):
            await self._app(scope, receive, send)
            return
        match = _NAME.fullmatch(scope["query_string"])
        name = match[1] if match else b""
        if name and scope["method"] == "POST" and name not in self.lines:
            await self._open(name, scope, receive, send)
        elif name in self.lines and scope["method"] == "PUT":
            admit(scope)  # the gate let the line in, and nobody else knows its name
            await (await self._heard(self.lines[name], Request(scope, receive)))(scope, receive, send)
        else:
            await refuse(scope, receive, send, status=404)

    async def _open(self, name: bytes, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a line until one of its ends closes it."""
        line: Line = asyncio.Queue()
        leaving = asyncio.ensure_future(_left(receive, line))
        answer = _Answer(send, lambda: self.lines.update({name: line}))
        try:
            await self._app(_socket(scope), self._hearing(line), answer.say)
            await answer.end()
        finally:
            leaving.cancel()
            self.lines.pop(name, None)

    def _hearing(self, line: Line) -> Receive:
        """The `receive` of a socket; a page that says nothing for long is gone."""
        opened = False

        async def receiving() -> Message:
            nonlocal opened
            if not opened:
                opened = True
                return {"type": "websocket.connect"}
            with suppress(TimeoutError):
                while (said := await asyncio.wait_for(line.get(), self._limits.silence_s)) is not None:
                    if said:  # an empty message says that the page is still there
                        return {"type": "websocket.receive", "bytes": said}
            return {"type": "websocket.disconnect", "code": 1001}

        return receiving

    async def _heard(self, line: Line, request: Request) -> Response:
        """Put the message of a request on its line."""
        said = bytearray()
        async for part in request.stream():
            said += part
            if len(said) > self._limits.message_bytes:
                LOG.warning("refused a message of more than %s MB.", self._limits.message_bytes // 1_000_000)
                return Response(status_code=413, headers={"Connection": "close"})
        if line.qsize() >= _WAITING:
            LOG.warning("refused a message: %s others of the same page wait.", _WAITING)
            return Response(status_code=429, headers={"Connection": "close"})
        line.put_nowait(bytes(said))
        return Response(status_code=204)


class _Answer:
    """The answer to the request that opened a line: what a socket says, each message after its length.

    `opened` is called once the gate has let the socket in; before, nobody can speak on the line.
    """

    def __init__(self, send: Send, opened: Callable[[], None]) -> None:
        self._send, self._opened = send, opened
        self._begun = self._ended = False

    async def say(self, message: Message) -> None:
        """Send a message of the socket."""
        if message["type"] == "websocket.accept":
            self._begun = True
            self._opened()
            headers = [
                (b"content-type", b"application/octet-stream"), (b"cache-control", b"no-store"),
                (b"x-accel-buffering", b"no"), (_PROTOCOLS, (message.get("subprotocol") or "").encode()),
            ]  # fmt: skip
            await self._send({"type": "http.response.start", "status": 200, "headers": headers})
            await self._body(b"")
        elif message["type"] == "websocket.send":
            said = message.get("bytes") or (message.get("text") or "").encode()
            await self._body(len(said).to_bytes(4, "big") + said)
        else:
            await self.end()

    async def end(self) -> None:
        """End the answer, once; a socket that never opened is a refusal."""
        if self._ended:
            return
        self._ended = True
        if not self._begun:
            await self._send({"type": "http.response.start", "status": 403, "headers": [(b"connection", b"close")]})
        await self._send({"type": "http.response.body", "body": b""})

    async def _body(self, part: bytes) -> None:
        await self._send({"type": "http.response.body", "body": part, "more_body": True})


async def _left(receive: Receive, line: Line) -> None:
    """Put None on the line when its page is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
    line.put_nowait(None)


def _socket(scope: Scope) -> Scope:
    """The scope of the socket that a line stands for."""
    protocols = dict(scope["headers"]).get(_PROTOCOLS, b"")
    headers = [(name, value) for name, value in scope["headers"] if name not in _ABOUT_THE_BODY]
    path = scope["path"].removesuffix(_PATH) + _SOCKET
    return {
        **scope, "type": "websocket", "scheme": {"http": "ws", "https": "wss"}[scope["scheme"]], "path": path,
        "raw_path": path.encode(), "query_string": b"", "headers": [*headers, (b"sec-websocket-protocol", protocols)],
        "subprotocols": [protocol.strip() for protocol in protocols.decode("latin-1").split(",")],
    }  # fmt: skip


@cache
def script() -> bytes:
    """The script that opens lines, for the head of the document: it must run before Streamlit's own."""
    return b"<script>" + Path(__file__).with_name("tunnel.js").read_bytes() + b"</script>"
