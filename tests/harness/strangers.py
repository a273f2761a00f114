"""What strangers try with a running app: pages of other sites, and guesses of the passphrase that arrive together."""

from __future__ import annotations

import asyncio
import base64
import socket
import ssl
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_PATIENCE_S: Final = 20
OPEN_SETTINGS: Final = """
[server]
enableCORS = false
enableXsrfProtection = false
corsAllowedOrigins = ["http://evil.example"]
enableStaticServing = true
enableAgentApi = true
address = "0.0.0.0"
[client]
showErrorDetails = "full"
"""
"""A user's own Streamlit settings that open everything."""


@dataclass(frozen=True, slots=True)
class ForeignPage:
    """A page or a name that is not ours."""

    name: str  # what it is
    origin: str | None  # the `Origin` of its requests; None sends none
    host: str  # the `Host` of its requests


def foreign_pages(port: int) -> tuple[ForeignPage, ...]:
    """Twenty pages and names that get nothing from an app on that port."""
    own = f"localhost:{port}"
    origins = {
        "a site": "http://evil.example", "a site with our port": f"http://evil.example:{port}",
        "another port of this machine": f"http://localhost:{port + 1}", "no port": "http://localhost",
        "https": f"https://{own}", "the address instead of the name": f"http://127.0.0.1:{port}",
        "another name of loopback": f"http://127.0.0.2:{port}", "every address": f"http://0.0.0.0:{port}",
        "a sandboxed frame": "null", "a file": "file://", "an extension": "chrome-extension://abcdefgh",
        "a name that begins like ours": f"http://{own}.evil.example", "a dot at the end": f"http://localhost.:{port}",
        "our name as a user": f"http://{own}@evil.example", "two origins": f"http://{own}, http://evil.example",
        "an empty origin": "",
    }  # fmt: skip
    names = {
        "a name that points here": f"evil.example:{port}", "that name without port": "evil.example",
        "our name with another port": f"localhost:{port + 1}", "another address of this machine": f"0.0.0.0:{port}",
    }  # fmt: skip
    return (
        *(ForeignPage(name, origin, own) for name, origin in origins.items()),
        *(ForeignPage(name, f"http://{host}", host) for name, host in names.items()),
    )


def open_home(folder: Path) -> Path:
    """Make a home folder whose Streamlit settings open everything."""
    (folder / ".streamlit").mkdir(parents=True)
    (folder / ".streamlit" / "config.toml").write_text(OPEN_SETTINGS)
    return folder


def answer(port: int, page: ForeignPage, *, path: str = "/", upgrade: bool = False) -> tuple[int, float]:
    """The status of the answer to a request of that page, and the seconds until it came; 101 is an open socket."""
    lines = [f"GET {'/_stcore/stream' if upgrade else path} HTTP/1.1", f"Host: {page.host}"]
    lines += [] if page.origin is None else [f"Origin: {page.origin}"]
    if upgrade:
        key = base64.b64encode(bytes(16)).decode()
        lines += ["Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"]
    with socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE_S) as line:
        start = time.perf_counter()
        line.sendall("\r\n".join((*lines, "", "")).encode())
        text = line.recv(200).decode(errors="replace")
        return int(text.split()[1]), time.perf_counter() - start


def guesses(port: int, passphrases: Mapping[str, Sequence[str]]) -> dict[str, list[int]]:
    """Send guesses that all hold their bodies back until every one of them waits.

    Args:
        port: the port of a shared app.
        passphrases: the guesses of each source address.

    Returns:
        The statuses for each address; a guess whose connection was ended has the status 0.
    """
    return asyncio.run(_guesses(port, passphrases))


async def _guesses(port: int, passphrases: Mapping[str, Sequence[str]]) -> dict[str, list[int]]:
    released = asyncio.Event()
    waiting = [
        asyncio.create_task(_guess(port, address, passphrase, released))
        for address, guesses_ in passphrases.items()
        for passphrase in guesses_
    ]
    await asyncio.sleep(3)  # the handshakes of those that get one
    released.set()
    statuses = iter(await asyncio.gather(*waiting))
    return {address: [next(statuses) for _ in guesses_] for address, guesses_ in passphrases.items()}


async def _guess(port: int, address: str, passphrase: str, released: asyncio.Event) -> int:
    body = urlencode({"passphrase": passphrase, "to": "/"})
    lines = (
        "POST /enter HTTP/1.1", f"Host: localhost:{port}", f"Origin: https://localhost:{port}",
        "Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}", "", "",
    )  # fmt: skip
    with suppress(OSError, IndexError, ValueError):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0), ssl=_trusting())
        writer.write("\r\n".join(lines).encode())
        await released.wait()
        writer.write(body.encode())
        status = int((await asyncio.wait_for(reader.readline(), _PATIENCE_S)).split()[1])
        writer.close()
        return status
    return 0


def _trusting() -> ssl.SSLContext:
    return ssl._create_unverified_context()  # noqa: S323  # no authority knows our own certificate


def silent(port: int) -> float:
    """Seconds until the last of three connections without cookie ends.

    All are made to a server with TLS. One is silent from the start, one in the middle of the handshake, one after it.
    A connection that stays counts 90 s.
    """
    with ExitStack() as open_now:
        held = [open_now.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(3)]
        held[1].sendall(b"\x16\x03\x01\x02\x00\x01")  # the begin of a ClientHello of 512 bytes
        held[2] = open_now.enter_context(_trusting().wrap_socket(held[2]))
        start = time.monotonic()
        for connection in held:
            connection.settimeout(max(1.0, start + 90 - time.monotonic()))
            with suppress(OSError):
                while connection.recv(4096):
                    pass
        return time.monotonic() - start
