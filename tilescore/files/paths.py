"""The folder of the user's own data: games, photos for training, trained models, cached scans."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from tilescore.errors import InputError

_PRIVATE_FOLDER: Final = 0o700
_PRIVATE_FILE: Final = 0o600
_OTHERS: Final = 0o077
"""The permissions of everybody except the owner."""


def data_folder() -> Path:
    """The folder that TILESCORE_DATA names, or the platform's folder for data of a program.

    Raises InputError if the user has no home, or the one that TILESCORE_DATA names does not exist.
    """
    named = os.environ.get("TILESCORE_DATA")
    try:
        return Path(named).expanduser() if named else _usual_folder()
    except RuntimeError:  # neither HOME nor an entry in the list of users
        where = f"TILESCORE_DATA '{named}' names" if named else "the environment names"
        message = f"{where} no home that exists: set TILESCORE_DATA to a folder for your games and settings."
        raise InputError("no_home", message) from None


def _usual_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "Tilescore"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Tilescore"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "tilescore"


def private_folder(path: Path) -> Path:
    """Make the folder, and those of ours above it, for this user alone; raises OSError.

    A folder of ours that is there already is closed to others, too, whichever of our files came first.
    """
    ours = data_folder()
    for folder in reversed((path, *path.parents)):
        if not folder.exists():
            folder.mkdir(mode=_PRIVATE_FOLDER, exist_ok=True)
            hand_over(folder)
        elif (folder == ours or ours in folder.parents) and folder.stat().st_mode & _OTHERS:
            folder.chmod(_PRIVATE_FOLDER)
    return path


def private_file(path: Path) -> Path:
    """Make an empty file for this user alone, or close the one that is there to others; raises OSError."""
    private_folder(path.parent)
    fresh = not path.exists()
    path.touch(_PRIVATE_FILE)
    if fresh:
        hand_over(path)
    if path.stat().st_mode & _OTHERS:
        path.chmod(_PRIVATE_FILE)
    return path


def hand_over(path: Path) -> None:
    """Give what the superuser made in our data folder, with all in it, to the owner of the folder around it.

    So a server still reads its data after the superuser ran a command on it. A disk without owners stays as it is.
    """
    if sys.platform == "win32":
        return
    with suppress(OSError, InputError):
        if os.geteuid() != 0 or not is_private(path):
            return
        owner = path.parent.stat()
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)
        for _, folders, files, place in os.fwalk(path):
            for name in (*folders, *files):  # by the open folder: the owner may put a link in its place meanwhile
                os.chown(name, owner.st_uid, owner.st_gid, dir_fd=place, follow_symlinks=False)


def is_private(path: Path) -> bool:
    """Whether the path lies in our data folder, whatever links lead there, as systemd makes them."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(data_folder()))
