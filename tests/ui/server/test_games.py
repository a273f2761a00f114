"""The address of the version of a game, which pages ask once a second."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from starlette.requests import Request

from tests.harness.app_process import ROOT
from tilescore.scoring.game.ledger import Game
from tilescore.ui.server.routes.games import _version
from tilescore.ui.storage.ledger_store import LedgerStore

if TYPE_CHECKING:
    from pathlib import Path


def asked(name: str) -> tuple[int, bytes]:
    """Status and body of the answer."""
    scope = {"type": "http", "method": "GET", "path": "/game", "headers": [], "query_string": f"id={name}".encode()}
    answer = _version(Request(scope))
    return answer.status_code, bytes(answer.body)


def test_the_version_rises_with_every_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path))
    store = LedgerStore()
    begun = store.begin(Game.new("riichi", ("Ann", "Ben", "Cleo", "Dan")))
    assert asked(begun.id) == (200, str(begun.version).encode())
    store.save(begun, begun.game.close(), kind="close")
    assert asked(begun.id) == (200, str(begun.version + 1).encode())
    store.delete(begun.id)
    assert asked(begun.id) == (404, b""), "a page that shows it is drawn again"
    store.path.write_bytes(b"no database")
    assert asked(begun.id) == (503, b"")


@pytest.mark.parametrize("name", ["", "none", "%00", "a" * 9000])
def test_there_is_no_version_of_no_game(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path))
    assert asked(name) == (404, b"")


def test_no_part_of_a_page_with_a_hand_draws_itself_again_and_again() -> None:
    """Streamlit 1.67 leaves what has gone on the page if another fragment is drawn right after a press."""
    clocks = {path.stem for path in (ROOT / "ui").rglob("*.py") if "run_every" in path.read_text("utf-8")}
    assert clocks == {"connection", "following"}, "once a day; while a film is followed"
