"""The folder of the user's own data: games, photos for training, trained models, cached scans."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def data_folder() -> Path:
    """The folder that TILESCORE_DATA names, or the platform's folder for data of a program."""
    named = os.environ.get("TILESCORE_DATA")
    if named:
        return Path(named).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "Tilescore"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Tilescore"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "tilescore"


def private_folder(path: Path) -> Path:
    """Make the folder and those of ours above it, for this user alone; raises OSError.

    An existing folder is closed to others as well, whichever of our files came first.
    """
    path.mkdir(parents=True, exist_ok=True)
    ours = data_folder()
    for folder in (path, *path.parents):
        if folder == ours or ours in folder.parents:
            folder.chmod(0o700)
    return path
