"""The address that gives and takes copies: for the page that knows its key, as a stream, never for a guest."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, Final

import pytest
from starlette.routing import Router

from tests.ui.storage.test_hand_store import JPEG, past
from tilescore.ui.server.routes.copies import routes
from tilescore.ui.state import exchange
from tilescore.ui.storage.copies.backup import Imported
from tilescore.ui.storage.copies.fields import BackupError
from tilescore.ui.storage.database import StoreError
from tilescore.ui.storage.hand_store import HandStore
from tilescore.ui.words.audience import GUEST_HEADER

if TYPE_CHECKING:
    from pathlib import Path

GUEST: Final = ((GUEST_HEADER.lower().encode(), b"1"),)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page of Ann and one of Ben; Ann has a hand."""
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path))
    monkeypatch.setattr(exchange, "_VISITORS", {"a": "ann", "b": "ben"})
    HandStore().put_hand("ann", past("hand1"), photo=JPEG)
    return tmp_path


def asked(
    key: str, *parts: bytes, method: str = "GET", headers: tuple[tuple[bytes, bytes], ...] = ()
) -> tuple[int, bytes]:
    """Status and body of the answer."""
    sent: list[dict[str, Any]] = []
    bodies = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    waiting = iter([*bodies, {"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> dict[str, Any]:
        found = next(waiting, None)
        if found is None:  # the browser stays until the answer has come
            await asyncio.sleep(60)
        return found or {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": method, "path": "/copies", "headers": list(headers), "root_path": "",
        "query_string": f"key={key}".encode(), "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8501),
        "scheme": "http",
    }  # fmt: skip
    asyncio.run(Router(routes())(scope, receive, send))
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:])


def test_what_one_page_exports_another_imports_in_parts() -> None:
    status, data = asked("a")
    assert status == 200
    assert [hand["id"] for hand in json.loads(data)["hands"]] == ["hand1"]
    parts = [data[at : at + 1000] for at in range(0, len(data), 1000)]
    assert asked("b", *parts, method="PUT") == (200, b"")
    assert exchange._OUTCOMES.pop("b") == Imported(games=0, hands=1, known=0)
    assert HandStore().photo("ben", "hand1") == JPEG


@pytest.mark.parametrize("method", ["GET", "PUT"])
def test_strangers_and_guests_get_and_change_nothing(method: str) -> None:
    data = asked("a")[1]
    assert asked("nobody's", data, method=method) == (403, b"")
    assert asked("", data, method=method) == (403, b"")
    assert asked("b", data, method=method, headers=GUEST) == (403, b"")
    assert HandStore().hands("ben").hands == ()


def test_a_bad_file_is_told_to_its_page_and_leaves_no_file(folder: Path) -> None:
    assert asked("b", b'{"fruit": ', b'"pear"}', method="PUT")[0] == 200
    error = exchange._OUTCOMES.pop("b")
    assert isinstance(error, BackupError)
    assert error.code == "backup_foreign"
    kept = {path.name for path in folder.iterdir() if ".sqlite3" not in path.name}
    assert kept <= {"room-to-delete"}


def test_a_full_disk_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryFile", full)
    assert asked("b", b"{}", method="PUT")[0] == 200
    error = exchange._OUTCOMES.pop("b")
    assert isinstance(error, StoreError)
    assert error.code == "disk_full"
