"""A visit to the game table, with its games in a folder of their own."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from tests.ui.pages.table_app import LIMIT_S, checked
from tilescore.ui.state.kept import table_draft

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture(scope="session", autouse=True)
def _one_scan() -> Iterator[None]:
    """Search the installed packages for components once, and not for each AppTest."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


def table() -> None:
    """What AppTest runs: the page without the frame around it."""
    from tilescore.ui.pages.table import page as place  # AppTest takes the body of this function only
    from tilescore.ui.state.fields import drawing

    with drawing():
        place.page()


@pytest.fixture
def visit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    """Gives a function that opens the page, or the game that it names."""
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path))

    def arrive(name: str = "") -> AppTest:
        app = AppTest.from_function(table, default_timeout=LIMIT_S)
        if name:
            app.query_params["game"] = name
        return checked(app.run())

    return arrive


@pytest.fixture
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host's browser is known, so that its entries come back."""
    monkeypatch.setattr(table_draft, "visitor", lambda: "a" * 32)
    monkeypatch.setattr(table_draft, "is_guest", lambda: False)
