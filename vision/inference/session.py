"""Opening a network with onnxruntime, the same way for every network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tilescore.base.threads import thread_limit

if TYPE_CHECKING:
    from pathlib import Path

_SPIN_US: Final = "100"
"""So many microseconds a thread stays awake for the next layer."""


def load_onnxruntime() -> Any:
    """The module `onnxruntime`, without its telemetry; every part of the product gets it here.

    `tilescore.base.telemetry` has set the variables that Linux and macOS obey; the Windows build obeys the call alone.
    """
    import onnxruntime  # noqa: PLC0415  # a second of loading, needed only here

    onnxruntime.disable_telemetry_events()
    return onnxruntime


def open_session(path: Path, *, threads: int = 0) -> Any:
    """The onnxruntime session of that file; raises what onnxruntime raises if it is no network.

    Its threads, as many as there are cores if none are asked for, spin only briefly while they wait. Without that each
    layer waits for a thread to wake, a quarter of the time of the detector; spinning for long took the cores from
    everybody on a machine that has other work, a browser or a second reader, and a photo took twice as long.
    """
    onnxruntime = load_onnxruntime()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = threads or thread_limit()
    options.add_session_config_entry("session.intra_op.spin_duration_us", _SPIN_US)
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
