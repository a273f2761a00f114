"""The document around all pages."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from tilescore.ui.server.installed import LOADED_AHEAD, Document, modules_ahead


def test_the_document_loads_every_module_of_our_pages() -> None:
    """Streamlit names its files anew in every version; without a module its elements push others away as they come."""
    script = modules_ahead().decode()
    assert tuple(re.findall(r'import "\./static/js/(\w+)\.[\w-]+\.js";', script)) == LOADED_AHEAD


@pytest.mark.parametrize(
    ("kind", "starts_after", "is_changed"), [("application/json", 1, False), ("text/html", 3, True)]
)
def test_only_a_document_is_held_back_and_changed(kind: str, starts_after: int, *, is_changed: bool) -> None:
    """A copy of everything is larger than the memory, and a player may be called </body>."""
    sent: list[dict[str, Any]] = []
    counts: list[int] = []
    parts = (b'{"players": ["</body>"', b", 1]", b"}")

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"Content-Type", kind.encode())]})
        for number, part in enumerate(parts, start=1):
            await send({"type": "http.response.body", "body": part, "more_body": number < len(parts)})
            counts.append(len(sent))

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/copies", "headers": []}
    asyncio.run(Document(app)(scope, None, send))  # type: ignore[arg-type]  # nothing is received
    assert next(number for number, count in enumerate(counts, start=1) if count) == starts_after
    body = b"".join(message.get("body", b"") for message in sent)
    assert (body != b"".join(parts)) == is_changed
