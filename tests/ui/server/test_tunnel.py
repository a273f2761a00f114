"""Sockets through ordinary requests: what the page and the server say arrives whole and in order, and a line ends."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tilescore.ui.server.config import LIMITS
from tilescore.ui.server.tunnel.tunnel import Tunnel

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

NAME = "0f4f2c9e3f7f4b529f666d3a5d1f2a11"
LIMITS_HERE = replace(LIMITS, message_bytes=10, silence_s=0.3)


class Server:
    """A server behind a tunnel that says back what it hears, and `bye` to a page that leaves.

    Attributes:
        scopes: what arrived.
        heard: what the page said.
        app: the tunnel.
    """

    def __init__(self, *, opens: bool = True) -> None:
        self.scopes: list[Any] = []
        self.heard: list[bytes] = []
        self.app = Tunnel(self._echo, LIMITS_HERE)
        self._opens = opens

    async def _echo(self, scope: Any, receive: Any, send: Any) -> None:
        self.scopes.append(scope)
        if scope["type"] != "websocket":
            await send({"type": "http.response.start", "status": 299, "headers": []})
            return
        assert (await receive())["type"] == "websocket.connect"
        if not self._opens:
            assert (await self.ask("PUT", b"x"))[0] == 404, "nobody speaks on a line that the gate does not let in"
            await send({"type": "websocket.close", "code": 1008})
            return
        await send({"type": "websocket.accept", "subprotocol": "streamlit"})
        while (message := await receive())["type"] == "websocket.receive":
            self.heard.append(message["bytes"])
            if message["bytes"] == b"close":
                await send({"type": "websocket.close", "code": 1000})
                return
            await send({"type": "websocket.send", "bytes": b"<" + message["bytes"] + b">"})
        self.heard.append(b"bye")

    async def ask(self, method: str, body: bytes = b"", *, line: str = NAME, stays: asyncio.Event | None = None) -> Any:
        """The status of the answer, its headers and its body."""
        parts = [{"type": "http.request", "body": body, "more_body": False}]
        sent: list[Any] = []

        async def receive() -> Any:
            if parts:
                return parts.pop()
            await (stays or asyncio.Event()).wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        headers = [(b"cookie", b"a=b"), (b"content-length", b"0"), (b"x-tilescore-protocols", b"streamlit, token")]
        scope = {
            "type": "http", "method": method, "scheme": "https", "path": "/club/_stcore/tunnel",
            "query_string": b"line=" + line.encode(), "headers": headers, "state": {},
        }  # fmt: skip
        await self.app(scope, receive, send)
        return sent[0]["status"], dict(sent[0]["headers"]), b"".join(part["body"] for part in sent[1:])


def run(course: Callable[[Server], Awaitable[Any]], *, opens: bool = True) -> Server:
    server = Server(opens=opens)
    asyncio.run(course(server))  # type: ignore[arg-type]
    return server


def test_messages_arrive_in_order_and_come_back_after_their_length() -> None:
    async def course(server: Server) -> None:
        page = asyncio.ensure_future(server.ask("POST"))
        await asyncio.sleep(0.01)
        assert [(await server.ask("PUT", said))[0] for said in (b"one", b"", b"two", b"close")] == [204] * 4
        status, headers, body = await page
        assert (status, headers[b"x-tilescore-protocols"], headers[b"x-accel-buffering"]) == (200, b"streamlit", b"no")
        assert body == b"\0\0\0\5<one>\0\0\0\5<two>"
        assert (await server.ask("PUT", b"late"))[0] == 404, "the line is closed"

    server = run(course)
    assert server.heard == [b"one", b"two", b"close"]
    (socket,) = server.scopes
    assert (socket["path"], socket["scheme"], socket["subprotocols"]) == (
        "/club/_stcore/stream", "wss", ["streamlit", "token"],
    )  # fmt: skip
    assert socket["headers"] == [(b"cookie", b"a=b"), (b"sec-websocket-protocol", b"streamlit, token")]


def test_a_page_that_leaves_or_falls_silent_is_gone() -> None:
    async def leaves(server: Server) -> None:
        left = asyncio.Event()
        page = asyncio.ensure_future(server.ask("POST", stays=left))
        await asyncio.sleep(0.01)
        left.set()
        await page

    async def is_silent(server: Server) -> None:
        page = asyncio.ensure_future(server.ask("POST"))
        for _ in range(3):  # an empty message says that the page is still there
            await asyncio.sleep(0.2)
            assert (await server.ask("PUT"))[0] == 204
        await asyncio.wait_for(page, 2)

    assert run(leaves).heard == [b"bye"]
    assert run(is_silent).heard == [b"bye"]


def test_what_belongs_to_no_line_is_refused() -> None:
    async def course(server: Server) -> None:
        page = asyncio.ensure_future(server.ask("POST"))
        await asyncio.sleep(0.01)
        assert (await server.ask("POST"))[0] == 404, "the name is taken"
        assert (await server.ask("GET"))[0] == 404
        assert (await server.ask("POST", line="one"))[0] == 404
        assert (await server.ask("PUT", line=NAME.replace("0", "1")))[0] == 404
        assert (await server.ask("PUT", b"x" * 11))[0] == 413
        await server.ask("PUT", b"close")
        await page

    assert run(course).heard == [b"close"]


def test_a_socket_that_does_not_open_is_a_refusal() -> None:
    async def course(server: Server) -> None:
        assert await server.ask("POST") == (403, {b"connection": b"close"}, b"")

    run(course, opens=False)


def test_messages_that_nobody_takes_do_not_pile_up() -> None:
    async def course(server: Server) -> None:
        page = asyncio.ensure_future(server.ask("POST"))
        await asyncio.sleep(0.01)
        answers = await asyncio.gather(*(server.ask("PUT", b"x") for _ in range(20)))
        assert [status for status, _, _ in answers].count(429) == 4
        await server.ask("PUT", b"close")
        await page

    run(course)
