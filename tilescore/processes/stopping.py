"""Signals that stop a command: the command unwinds as for any exception, and ends in time even if it cannot."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer, current_thread, main_thread
from typing import Final

_SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)  # Windows has no SIGHUP
_PATIENCE_S: Final = 1.5
"""A command that has not unwound after this many seconds is ended without."""


class Stopped(SystemExit):
    """A signal asks this process to end; `code` is its exit status, 128 and the number of the signal."""


@contextmanager
def stoppable() -> Iterator[None]:
    """Raise Stopped in the main thread for Ctrl-C, SIGTERM and SIGHUP, unless the caller ignores the signal."""
    if current_thread() is not main_thread():
        yield
        return
    heard = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, _stop) for number in heard}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(number: int, _frame: object) -> None:
    # A library may swallow the exception, or clean-up may take long. What is unfinished is cleaned by the next run.
    timer = Timer(_PATIENCE_S, os._exit, (128 + number,))
    timer.daemon = True
    timer.start()
    raise Stopped(128 + number)
