"""Silence of C libraries that print what they think of a damaged file, although they return an error as well."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tilescore.files.locks import lock_before_forks

_STDERR: Final = 2
_LOCK: Final = lock_before_forks()
"""Two threads at once would take each other's silence for the stream, and a fork would keep it."""


@contextmanager
def quiet_stderr() -> Iterator[None]:
    """Send what this process writes to its standard error to nowhere, for the time of one short call."""
    with _LOCK:
        try:
            kept = os.dup(_STDERR)
        except OSError:  # a process without a standard error
            yield
            return
        nowhere = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nowhere, _STDERR)
            yield
        finally:
            os.dup2(kept, _STDERR)
            os.close(nowhere)
            os.close(kept)
