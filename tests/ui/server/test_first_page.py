"""The first page by its name, which Streamlit serves at the empty address alone."""

import asyncio
from typing import Any

import pytest
from starlette.routing import Router

from tilescore.ui.pages import frame
from tilescore.ui.pages.annotate import FOLDER
from tilescore.ui.server.routes import routes


def asked(path: str, query: str = "") -> tuple[int, str]:
    """Status of the answer, and where it leads."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "headers": [], "root_path": "", "scheme": "http",
             "query_string": query.encode(), "server": ("127.0.0.1", 8501)}  # fmt: skip
    asyncio.run(Router(routes())(scope, receive, send))
    return sent[0]["status"], dict(sent[0]["headers"]).get(b"location", b"").decode()


@pytest.mark.parametrize("folder", ["", "photos"])
def test_its_name_leads_to_the_first_page(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    places = [frame._ANNOTATE, *frame._PLACES] if folder else frame._PLACES
    if folder:
        monkeypatch.setenv(FOLDER, folder)
    first, second = (f"/{place.name}" for place in places[:2])
    assert asked(first) == (307, "/")
    assert asked(first, "hand=123m&rules=mcr") == (307, "/?hand=123m&rules=mcr")
    assert asked(second)[0] == 404  # Streamlit answers
