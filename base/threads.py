"""How many threads a process computes with."""

from __future__ import annotations

import os
from typing import Final

_THREADS: Final = "TILESCORE_THREADS"
"""The environment variable that says how many threads a network may use; as many as there are cores without it."""


def compute_with_one_thread() -> None:
    """Let this process, one of several that share the cores, use one thread; call it before anything is computed."""
    os.environ |= dict.fromkeys((_THREADS, "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    import cv2  # noqa: PLC0415  # numpy reads its variables when it is loaded

    cv2.setNumThreads(1)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def thread_count() -> int:
    """How many threads networks may use together."""
    return thread_limit() or cores()


def thread_limit() -> int:
    """How many threads a network may use at most; 0 for as many as there are cores."""
    return int(os.environ.get(_THREADS, "0"))
