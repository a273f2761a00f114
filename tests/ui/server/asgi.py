"""One request to a part of the server, without a server."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


def asked(
    app: Any, path: str = "/", *, method: str = "GET", headers: tuple[tuple[bytes, bytes], ...] = (),
    scheme: str = "http", kind: str = "http", messages: Iterable[dict[str, Any]] = (),
) -> dict[str, Any]:  # fmt: skip
    """The start of the answer; empty if there is none."""
    sent: list[dict[str, Any]] = []

    waiting = iter(messages)

    async def receive() -> dict[str, Any]:
        return next(waiting)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": kind, "method": method, "path": path, "headers": list(headers), "query_string": b"",
        "client": ("192.168.1.7", 1), "server": ("127.0.0.1", 8501), "scheme": scheme, "root_path": "",
    }  # fmt: skip
    asyncio.run(app(scope, receive, send))
    return sent[0] if sent else {}
