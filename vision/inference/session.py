"""Opening a network with onnxruntime, the same way for every network."""

from pathlib import Path
from typing import Any, Final

from tilescore.processes.threads import thread_count

MOST_THREADS: Final = 2
"""Most threads of one network. onnxruntime gives the heads of an attention to threads, and a detector has two heads or
more. With more threads than heads it splits a head, and the last digits of the outputs depend on the number of threads
(measured: from three threads on)."""
SPIN_US: Final = 100
"""Microseconds for which a thread stays awake for the next layer. Measured: see `open_session`."""


def load_onnxruntime() -> Any:
    """The module `onnxruntime`, without its telemetry; every part of the product gets it here.

    `tilescore.telemetry` sets the variables that Linux and macOS obey; the Windows build obeys the call alone.
    """
    import onnxruntime  # a second of loading, needed only here

    onnxruntime.disable_telemetry_events()
    return onnxruntime


def open_session(path: Path, *, threads: int = 0) -> Any:
    """The onnxruntime session of that file; raises OSError, or what onnxruntime raises if the file is no network.

    The session has as many threads as there are cores, at most `MOST_THREADS`, unless `threads` is given. Its threads
    spin only briefly while they wait. Without spinning each layer waits for a thread to wake, a quarter of the time of
    the detector. Long spinning takes the cores from other programs, such as a browser or a second reader, and doubles
    the time of a photo on a busy machine.
    """
    onnxruntime = load_onnxruntime()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4  # errors are raised as well
    options.intra_op_num_threads = threads or min(thread_count(), MOST_THREADS)
    options.add_session_config_entry("session.intra_op.spin_duration_us", str(SPIN_US))
    network = path.read_bytes()  # onnxruntime finds no path whose letters the locale does not write as UTF-8
    # without a second try, which would print words of its own on stdout
    session = onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"], enable_fallback=0)
    session._model_bytes = None  # noqa: SLF001  # the file's bytes, which it keeps for that try: 35 MB of six networks
    return session
