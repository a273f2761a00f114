"""Opening a network with onnxruntime, the same way for every network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


def open_session(path: Path) -> Any:
    """The onnxruntime session of that file, on all cores; raises what onnxruntime raises if it is no network.

    Its threads do not spin while they wait: on a machine that has other work, a browser or a second reader, spinning
    took the cores from everybody, and a photo took twice as long.
    """
    import onnxruntime  # noqa: PLC0415  # a second of loading, needed only here

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
