"""Connections of strangers end in time, one address holds few of them, and a person who is let in keeps theirs."""

from __future__ import annotations

import asyncio
import ssl
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import pytest
import uvicorn

from tilescore.ui.server.certificate import certificate_for
from tilescore.ui.server.config import ServerLimits
from tilescore.ui.server.connections import LimitedConnection, secure_connection
from tilescore.ui.server.door import ADMIT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    Read = tuple[asyncio.StreamReader, asyncio.StreamWriter]

LIMITS: Final = ServerLimits(stranger_s=0.4, strangers_an_address=3)
SOON: Final = 20.0
"""The time in seconds for what ends after `stranger_s`, on a busy machine; asyncio's own limit is 60."""
LET_IN, LEFT_OUT = (f"GET /{path} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode() for path in ("in", "out"))


async def answer(scope: Any, _receive: Any, send: Any) -> None:
    """Let the senders of `/in` in."""
    if scope["path"] == "/in":
        scope["state"][ADMIT]()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


async def serving(connection: type[LimitedConnection]) -> AsyncIterator[int]:
    """The port of a server with such connections."""
    server = uvicorn.Server(uvicorn.Config(answer, port=0, http=connection, lifespan="off", log_level="critical"))
    running = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110  # uvicorn has no event for it
        await asyncio.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await running


def visit(*, secure: bool, limits: ServerLimits, act: Callable[[int], Awaitable[None]]) -> None:
    """Serve with these limits while `act` visits the port; afterwards no stranger may be left."""
    made = certificate_for(()) if secure else None
    base = secure_connection(str(made.path), str(made.key_path)) if made else LimitedConnection
    connection = type("Connection", (base,), {"limits": limits})

    async def run() -> None:
        async for port in serving(connection):
            await act(port)
        for _ in range(200):
            if not LimitedConnection.strangers:
                return
            await asyncio.sleep(0.02)
        assert not LimitedConnection.strangers

    asyncio.run(run())


async def connected(port: int, *, secure: bool) -> Read:
    """A connection; over TLS once the handshake is done."""
    tls = ssl._create_unverified_context() if secure else None  # noqa: S323  # our own certificate
    return await asyncio.open_connection("127.0.0.1", port, ssl=tls)


async def ended(reader: asyncio.StreamReader) -> bytes:
    """What comes until the other side ends the connection."""
    try:
        return await asyncio.wait_for(reader.read(), SOON)
    except ConnectionError:
        return b""


SILENT = [
    ("without a byte", False, b"", False),
    ("half a request", False, LET_IN[:10], False),
    ("a request that is not let in", False, LEFT_OUT, False),
    ("no handshake", True, b"", False),
    ("half a handshake", True, b"\x16\x03\x01\x02\x00\x01", False),
    ("no TLS at all", True, LET_IN, False),
    ("a handshake, then nothing", True, b"", True),
    ("a handshake, then a request that is not let in", True, LEFT_OUT, True),
]


@pytest.mark.parametrize(("server", "sent", "shaken"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT])
def test_a_stranger_is_cut_off_in_time(server: bool, sent: bytes, shaken: bool) -> None:  # noqa: FBT001
    async def act(port: int) -> None:
        reader, writer = await connected(port, secure=shaken)
        writer.write(sent)
        await ended(reader)
        writer.close()

    visit(secure=server, limits=LIMITS, act=act)


def test_the_server_cuts_off_after_fifteen_seconds() -> None:
    assert ServerLimits().stranger_s == 15
    assert LimitedConnection.limits == ServerLimits()


@pytest.mark.parametrize("secure", [False, True])
def test_a_person_who_is_let_in_stays(secure: bool) -> None:  # noqa: FBT001
    async def act(port: int) -> None:
        reader, writer = await connected(port, secure=secure)
        for _ in range(2):
            writer.write(LET_IN)
            assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
            await asyncio.sleep(2 * LIMITS.stranger_s)
        writer.close()

    visit(secure=secure, limits=LIMITS, act=act)


@pytest.mark.parametrize("secure", [False, True])
def test_one_address_holds_few_connections(secure: bool) -> None:  # noqa: FBT001
    """Over TLS a connection counts from its first moment, so that handshakes that never end count, too."""

    async def act(port: int) -> None:
        held = [await connected(port, secure=False) for _ in range(LIMITS.strangers_an_address)]
        await asyncio.sleep(0.1)
        reader, one_more = await connected(port, secure=False)
        assert await ended(reader) == b""
        assert not any(reader.at_eof() for reader, _ in held), "those before it stay"
        for writer in (one_more, *(writer for _, writer in held)):
            writer.close()

    visit(secure=secure, limits=ServerLimits(stranger_s=300, strangers_an_address=3), act=act)


def test_a_request_in_the_packet_that_ends_the_handshake_is_answered() -> None:
    async def act(port: int) -> None:
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        client = ssl._create_unverified_context().wrap_bio(incoming, outgoing)  # noqa: S323
        reader, writer = await connected(port, secure=False)
        while True:
            try:
                client.do_handshake()
                break
            except ssl.SSLWantReadError:
                writer.write(outgoing.read())
                incoming.write(await reader.read(65536))
        client.write(LET_IN)
        writer.write(outgoing.read())  # the end of the handshake and the request
        answered = b""
        while b"ok" not in answered and not reader.at_eof():
            incoming.write(await asyncio.wait_for(reader.read(65536), SOON))
            with suppress(ssl.SSLWantReadError):
                while True:
                    answered += client.read(65536)
        assert b"ok" in answered
        writer.transport.abort()

    visit(secure=True, limits=LIMITS, act=act)
