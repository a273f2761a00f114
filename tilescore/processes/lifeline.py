"""Worker processes that end with the process that started them, however it ends.

The parent holds the writing end of a pipe and never writes. A worker waits at the reading end in a thread. The system
closes the writing end when the parent ends, even by SIGKILL, and the parent closes it to stop its workers at once.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from threading import Thread
from typing import Final

_FROM_TERMINAL: Final = frozenset(getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name))
"""Signals that a terminal sends to all processes of a command; the parent alone answers them."""


class Lifeline:
    """The pipe between a parent and its workers.

    Attributes:
        end: the reading end, the argument of `hold`.
    """

    def __init__(self) -> None:
        self.end, self._kept = Pipe(duplex=False)

    def cut(self) -> None:
        """End all workers at once."""
        self._kept.close()

    def close(self) -> None:
        """Close both ends."""
        self._kept.close()
        self.end.close()


def hold(end: Connection) -> None:
    """End this process once its parent is gone or cuts the lifeline; the first call of a worker."""
    for number in _FROM_TERMINAL:
        signal.signal(number, signal.SIG_IGN)
    Thread(target=_wait, args=(end,), daemon=True, name="lifeline").start()


@contextmanager
def deaf_children() -> Iterator[None]:
    """Processes that start meanwhile never see the signals of the terminal, not even before their first call."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _FROM_TERMINAL)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _wait(end: Connection) -> None:
    with suppress(EOFError, OSError):
        end.recv_bytes()
    os._exit(1)
