"""Exclusive file locks between processes, and between threads. The system releases a lock when its process ends."""

import errno
import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock, RLock
from typing import BinaryIO, Final

from tilescore.errors import InputError
from tilescore.files.outputs import cannot_write
from tilescore.files.paths import hand_over

_TAKEN: Final = frozenset({errno.EAGAIN, errno.EACCES, errno.EDEADLK})
"""What the system answers when another process holds a lock."""

_THREADS: Final[dict[str, RLock]] = {}


def sole_thread(path: Path) -> RLock:
    """The lock of a place among the threads of this process; whoever takes it twice has it twice."""
    return _THREADS.setdefault(str(path), RLock())


def lock_before_forks() -> Lock:
    """A lock among threads which a fork takes as well, so that its child finds it free and nothing half done."""
    made = Lock()
    if hasattr(os, "register_at_fork"):  # Windows has no fork
        os.register_at_fork(before=made.acquire, after_in_parent=made.release, after_in_child=made.release)
    return made


def lock(file: BinaryIO, *, wait: bool = True) -> None:
    """Hold the lock on the file until it is closed, once no other process does; a disk without locks has none to hold.

    Raises OSError if another process holds it and we do not wait, or wait too long on Windows.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _TAKEN:
            raise


@contextmanager
def sole_writer(path: Path, *, wait: bool = False, busy: str = "") -> Iterator[None]:
    """Be the only run that writes to a place, which need not exist; a hidden file beside it holds the lock.

    Raises InputError, with the message `busy` if it is given, if another run writes there now and we do not wait; or if
    the folder cannot be written.
    """
    place = hidden_beside(path, "lock")
    while True:
        try:
            file = place.open("a+b")
        except OSError as error:
            raise cannot_write(path, error) from None
        hand_over(place)
        try:
            lock(file, wait=wait)
        except OSError:
            file.close()
            message = busy or f"another run writes to '{path}' now: wait until it ends, or name another place."
            raise InputError("busy", message, path=str(path)) from None
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
