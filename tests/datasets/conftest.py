"""Gives each test its own folder for the user's data."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("own")
    monkeypatch.setenv("TILESCORE_DATA", str(folder))
    return folder
