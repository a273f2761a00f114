"""Exclusive file locks between processes. The system releases a lock when its process ends."""

import errno
import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from tilescore.errors import InputError
from tilescore.files.outputs import cannot_write

_TAKEN: Final = frozenset({errno.EAGAIN, errno.EACCES, errno.EDEADLK})
"""What the system answers when another process holds a lock."""


def lock(file: BinaryIO) -> None:
    """Wait until no other process holds the lock on the file, then hold it until the file is closed."""
    if sys.platform == "win32":
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)


@contextmanager
def sole_writer(path: Path) -> Iterator[None]:
    """Be the only run that writes to a place, which need not exist; a hidden file beside it holds the lock.

    Raises InputError if another run writes there now, or the folder cannot be written.
    """
    place = hidden_beside(path, "lock")
    while True:
        try:
            file = place.open("a+b")
        except OSError as error:
            raise cannot_write(path, error) from None
        if not _take(file):
            file.close()
            message = f"another run writes to '{path}' now: wait until it ends, or name another place."
            raise InputError("busy", message, path=str(path))
        # The run before may have removed the file between our opening and our locking.
        with suppress(OSError):
            if os.path.samestat(place.stat(), os.fstat(file.fileno())):
                break
        file.close()
    with file:
        try:
            yield
        finally:
            with suppress(OSError):  # Windows keeps a file that is open
                place.unlink()


def hidden_beside(path: Path, purpose: str) -> Path:
    """A hidden name beside a place, the same in every run, of a length that every system takes."""
    real = Path(os.path.realpath(path))
    return real.with_name(f".tilescore-{hashlib.sha256(os.fsencode(real.name)).hexdigest()[:16]}.{purpose}")


def _take(file: BinaryIO) -> bool:
    """Lock the file unless another process holds it; a disk without locks has none to respect."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in _TAKEN
    return True
