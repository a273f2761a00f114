"""Exclusive file locks between processes. The system releases a lock when its process ends."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import BinaryIO


def lock(file: BinaryIO) -> None:
    """Wait until no other process holds the lock on the file, then hold it until the file is closed."""
    if sys.platform == "win32":
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)
