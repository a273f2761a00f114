"""An edit that the canvas sends again after the app started anew is applied once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilescore.scoring.hand import Hand
from tilescore.ui.state import session
from tilescore.ui.state.hand.work import Work
from tilescore.ui.state.kept import visit

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

EDIT = {"do": "add", "tile": "1m", "role": "concealed", "id": 7}


def test_an_edit_is_applied_once_over_a_restart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path))
    monkeypatch.setattr(visit, "visitor", lambda: "a" * 32)
    monkeypatch.setattr(visit, "is_guest", lambda: False)

    def begin() -> None:
        state: dict[str, Any] = {}
        monkeypatch.setattr("streamlit.session_state", state)
        visit.restore()

    begin()
    session.take(Work.of(Hand.parse("2m3m")))
    session.edit(EDIT)
    visit.keep()
    begin()
    assert len(session.history().now.order) == 3
    session.edit(EDIT)
    assert len(session.history().now.order) == 3
    session.edit({**EDIT, "id": 8})
    assert len(session.history().now.order) == 4
