"""A file of JSON Lines with the reading of each photo, which a later run takes up where one stopped."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

from tilescore.files.locks import sole_writer
from tilescore.files.names import text_of
from tilescore.files.outputs import cannot_write, check_output, write_whole

_SYNC_S: Final = 1.0
"""Seconds between two moments at which the lines are forced to the disk; a kill of the process loses none anyway."""
_OURS: Final = b'{"photo": '
"""Every line begins so."""

ReadingSource = dict[str, Any]


def source_of(path: Path, *, model: str, is_win: bool, budget_ms: float | None) -> ReadingSource:
    """What a reading depends on: the place, size and time of its photo, the hash of the model, and the options.

    A photo without a file, such as that of standard input, has neither size nor time: no line answers it.
    """
    place = text_of(os.path.abspath(path))  # noqa: PTH100  # the last link stays as it is named
    try:
        status = path.stat()
    except (OSError, ValueError):
        return {"path": place}
    return {
        "path": place,
        "bytes": status.st_size,
        "modified_ns": status.st_mtime_ns,
        "model": model,
        "win": is_win,
        "budget_ms": budget_ms,
    }


def check_results(out: Path, inputs: Iterable[Path]) -> None:
    """Refuse, before any work, a file that is not ours or a place that cannot be written; raises InputError."""
    check_output(out, option="--out", is_ours=_is_ours, inputs=inputs)


@contextmanager
def results_file(out: Path) -> Iterator[ResultsFile]:
    """The file, opened for this run alone; in the end it holds one line for each photo.

    Raises InputError if another run writes it, the disk is full, or the file cannot be written.
    """
    with sole_writer(out):
        try:
            with open(out, "a+b", buffering=0) as file:  # noqa: PTH123  # unbuffered: what is written is there
                results = ResultsFile(file)
                try:
                    yield results
                finally:
                    os.fsync(file.fileno())
                    outdated = results.outdated
            if outdated:
                with out.open("rb") as before:
                    write_whole(out, _others(before, outdated))  # a failure leaves the file as it is
        except OSError as error:
            raise cannot_write(out, error) from None


class ResultsFile:
    """The open file.

    Attributes:
        outdated: the offsets of lines whose photo has a later line.
    """

    def __init__(self, file: BinaryIO) -> None:
        """Take over a file opened with `a+b` without a buffer; an incomplete last line is cut off."""
        self._file = file
        self._synced_s = time.monotonic()
        self._whole = 0
        self._lines: dict[str, tuple[int, bytes]] = {}  # offset and hash of the source, by place
        self.outdated: set[int] = set()
        file.seek(0)
        with open(file.fileno(), "rb", closefd=False) as buffered:
            for line in buffered:
                if not line.endswith(b"\n"):
                    break
                self._take(line)
        file.truncate(self._whole)

    def missing(self, sources: Sequence[ReadingSource]) -> list[int]:
        """The indices of the sources that no line answers, each place once; failed photos are tried again."""
        seen: set[str] = set()
        indices = []
        for index, source in enumerate(sources):
            place = source["path"]
            line = self._lines.get(place)
            if place not in seen and (line is None or "bytes" not in source or line[1] != _hash(source)):
                indices.append(index)
            seen.add(place)
        return indices

    def add(self, data: dict[str, Any], source: ReadingSource) -> None:
        """Write the line of one photo; it survives a kill of this process once this returns.

        Raises OSError if the disk is full; the file then ends with the line before.
        """
        line = (json.dumps(data | {"source": source}, ensure_ascii=False) + "\n").encode()
        try:
            written = 0
            while written < len(line):
                written += self._file.write(line[written:])
            if time.monotonic() - self._synced_s > _SYNC_S:
                os.fsync(self._file.fileno())
                self._synced_s = time.monotonic()
        except OSError:
            self._file.truncate(self._whole)
            raise
        self._take(line)

    def _take(self, line: bytes) -> None:
        at, self._whole = self._whole, self._whole + len(line)
        try:
            data = json.loads(line)
            source = data.get("source") or {"path": os.path.abspath(data["photo"])}  # noqa: PTH100
            place = source["path"]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return  # a damaged line stays; its photo is read again
        before = self._lines.get(place)
        if before is not None:
            self.outdated.add(before[0])
        self._lines[place] = at, b"" if "error" in data else _hash(source)


def _others(lines: Iterable[bytes], outdated: set[int]) -> Iterator[bytes]:
    """The lines that do not begin at these offsets."""
    at = 0
    for line in lines:
        if at not in outdated:
            yield line
        at += len(line)


def _is_ours(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(len(_OURS))
    return _OURS.startswith(head)  # a kill may have left less than a line


def _hash(source: ReadingSource) -> bytes:
    return hashlib.sha256(json.dumps(source, sort_keys=True).encode()).digest()[:16]
