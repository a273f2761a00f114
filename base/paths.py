"""Where this person's own things lie: games, photos to learn from, learned models, what is known of pictures."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def data_folder() -> Path:
    """TILESCORE_DATA, or the platform's place for a program's own data."""
    named = os.environ.get("TILESCORE_DATA")
    if named:
        return Path(named).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "Tilescore"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Tilescore"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "tilescore"
