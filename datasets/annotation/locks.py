"""A file that one process has for itself: the others wait; a process that ends lets go."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO


def lock(file: BinaryIO) -> None:
    """Wait until nobody else has the file locked, then lock it until it is closed."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
    else:
        import fcntl  # noqa: PLC0415

        fcntl.flock(file, fcntl.LOCK_EX)


def sync_folder(folder: Path) -> None:
    """Make sure that a new file's name outlives a power cut too, where the system can do that."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
