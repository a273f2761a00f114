"""The number of threads with which a process computes."""

import os
from typing import Final

from tilescore.errors import InputError

_THREADS: Final = "TILESCORE_THREADS"
"""Environment variable with the number of threads of a network; without it, a network uses one for each core."""

_MOST_DIGITS: Final = 4
"""No machine has a number of cores with more digits."""


def compute_with_one_thread() -> None:
    """Restrict this process to one thread, since others share the cores; call it before any computation."""
    os.environ |= dict.fromkeys((_THREADS, "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    import cv2  # numpy reads its variables when it is loaded

    cv2.setNumThreads(1)


def cores() -> int:
    """Number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def thread_count() -> int:
    """Number of threads that the networks of this process may use together."""
    return thread_limit() or cores()


def thread_limit() -> int:
    """Largest number of threads of a network; 0 means one for each core; raises InputError for no such number."""
    text = os.environ.get(_THREADS) or "0"
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
        message = f"{_THREADS} '{text}' is no number of threads: set it to 1, 2, ... or 0 for all cores."
        raise InputError("bad_threads", message, value=text)
    return int(text)
