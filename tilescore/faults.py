"""Faults of ours: the traceback goes to a file of the user, and a sentence names the file."""

import os
import tempfile
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tilescore.errors import InputError
from tilescore.files.paths import data_folder, private_file

_FOLDER: Final = "faults"
"""The folder of the files, in our data folder."""
_NO_MEMORY: Final = (
    *("bad_alloc", "bad allocation", "Insufficient memory", "Failed to allocate memory"),
    *("can't start new thread", "failed to map segment", "Cannot allocate memory"),
)
"""What C++, Windows, OpenCV and onnxruntime say, and Python, the loader of libraries and the system."""
_MAX_FILES: Final = 50
"""The oldest files beyond this many are deleted."""


def out_of_memory(error: BaseException) -> bool:
    """Whether the error says, in the way of any library, that memory could not be had."""
    return isinstance(error, MemoryError) or any(sign in str(error) for sign in _NO_MEMORY)


def fault_sentence(error: BaseException) -> str:
    """Keep the traceback of an unexpected error in a file, and say so in one sentence."""
    kind = traceback.format_exception_only(error)[-1].strip().splitlines()[0]
    kept = _keep("".join(traceback.format_exception(error)))
    where = f"please report it with the file '{kept}'" if kept else "its details could not be written anywhere"
    return f"this is a fault of ours ({kind}): {where}."


def _keep(text: str) -> Path | None:
    name = f"{datetime.now(UTC):%Y-%m-%dT%H%M%S.%f}-{os.getpid()}.log"
    for folder in (_data_faults, _temporary_faults):
        try:
            path = private_file(folder() / name)
            path.write_text(text, encoding="utf-8", errors="backslashreplace")
            others = {*path.parent.glob("*.log")} - {path}  # a clock that was set back makes the new one the first
            for old in sorted(others)[: 1 - _MAX_FILES]:
                old.unlink(missing_ok=True)
        except (OSError, InputError):
            continue
        return path
    return None


def _data_faults() -> Path:
    return data_folder() / _FOLDER


def _temporary_faults() -> Path:
    return Path(tempfile.gettempdir()) / f"tilescore-{_FOLDER}-{os.getuid() if hasattr(os, 'getuid') else 'here'}"
