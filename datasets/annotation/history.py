"""The history of a picture that people label: one JSON line for each change."""

import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, BinaryIO

from tilescore.datasets.marks import Annotation


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """A line of a history: the state after a change, and the hash of its label file."""

    state: Annotation
    labels_hash: str


def last_entries(file: BinaryIO, size_wh: tuple[int, int], *, most: int) -> list[HistoryEntry]:
    """The last changes in order, at most so many; skips broken lines and cuts off an incomplete last line."""
    data = file.read()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):  # a kill interrupted this line, and nobody got an acknowledgement
        file.truncate(whole)
    entries: list[HistoryEntry] = []
    for line in reversed(data[:whole].splitlines()):
        if len(entries) == most:
            break
        try:
            entry: dict[str, Any] = json.loads(line)
            entries.append(HistoryEntry(Annotation.from_json(entry, size_wh=size_wh), str(entry["labels"])))
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
    return entries[::-1]


def append(file: BinaryIO, state: Annotation, labels_hash: str, *, by: str) -> None:
    """Add a change, and wait until it is on the disk."""
    line = state.to_json() | {"labels": labels_hash, "by": by, "at": datetime.now(UTC).isoformat(timespec="seconds")}
    file.write((json.dumps(line) + "\n").encode())
    file.flush()
    os.fsync(file.fileno())
