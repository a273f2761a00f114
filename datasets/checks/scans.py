"""Scans of picture files: the hash of the bytes and the fingerprint of the pixels.

Scans are cached in the user's own data folder, by path, size and time of the picture. A check that was interrupted
goes on from there, and the data set itself stays unchanged.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tilescore.datasets.pictures.near_duplicates import fingerprint
from tilescore.datasets.pictures.picture_files import DAMAGE
from tilescore.files.paths import data_folder, private_file
from tilescore.files.plain import read_plain
from tilescore.processes.parallel import THIS_PROCESS, Pool, work_through
from tilescore.vision.image.config import PHOTO_LIMITS

Progress = Callable[[int, int], None]


_SERIAL_LIMIT: Final = 64
"""Up to this many pictures are scanned without worker processes."""
_BATCH_SIZE: Final = 16
"""A worker gets this many pictures at a time."""
_SCHEMA: Final = "CREATE TABLE IF NOT EXISTS scan (path TEXT PRIMARY KEY, stamp TEXT, digest TEXT, look BLOB)"
"""Table of the cache; `look` holds the fingerprint."""
_MAX_CACHED: Final = 500_000
"""The cache is emptied when it holds more scans than this."""


@dataclass(frozen=True, slots=True)
class Scan:
    """SHA-256 of a picture's bytes, and its perceptual hash, which is None when the pixels are damaged."""

    digest: str
    fingerprint: bytes | None


def scan(path: Path) -> Scan:
    """The scan of one picture."""
    try:
        digest = hashlib.sha256(read_plain(path, at_most=PHOTO_LIMITS.max_bytes)).hexdigest()
    except OSError:
        return Scan("", None)
    try:
        return Scan(digest, fingerprint(path))
    except DAMAGE:
        return Scan(digest, None)


def scan_all(paths: Sequence[Path], *, pool: Pool = THIS_PROCESS, progress: Progress | None = None) -> list[Scan]:
    """The scan of every picture, in the order of the paths; one in the cache is read again only if it has changed."""
    files = [Path(os.path.abspath(path)) for path in paths]  # noqa: PTH100  # links stay as they are named
    cache = _ScanCache.opened()
    scan_of = cache.lookup(files)
    todo = [path for path in files if path not in scan_of]
    done = len(files) - len(todo)
    if progress is not None and done:
        progress(done, len(files))
    with closing(cache):
        scans = work_through(scan, todo, pool.for_items(len(todo), _SERIAL_LIMIT), batch_size=_BATCH_SIZE)
        for count, (path, scanned) in enumerate(scans, start=done + 1):
            scan_of[path] = scanned
            cache.keep(path, scanned)
            if progress is not None:
                progress(count, len(files))
    return [scan_of[path] for path in files]


class _ScanCache:
    """Earlier scans in SQLite; the cache lives in memory where no file can be written."""

    def __init__(self, place: Path | str) -> None:
        # Each scan is written at once: a kill loses only the scans in progress.
        self._database = sqlite3.connect(place, timeout=20, isolation_level=None)
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = OFF")  # a power cut costs no more than a second scan
        self._database.execute(_SCHEMA)

    @classmethod
    def opened(cls) -> _ScanCache:
        place = data_folder() / "scans.sqlite3"
        try:
            return cls(private_file(place))
        except (OSError, sqlite3.Error):
            return cls(":memory:")

    def lookup(self, paths: Sequence[Path]) -> dict[Path, Scan]:
        """The cached scans of those paths whose files have not changed."""
        if self._database.execute("SELECT COUNT(*) FROM scan").fetchone()[0] > _MAX_CACHED:
            self._database.execute("DELETE FROM scan")
        scans: dict[Path, Scan] = {}
        for path in paths:
            query = "SELECT stamp, digest, look FROM scan WHERE path = ?"
            row = self._database.execute(query, (os.fsencode(path),)).fetchone()
            if row is not None and row[0] == _stamp(path):
                scans[path] = Scan(row[1], row[2])
        return scans

    def keep(self, path: Path, scanned: Scan) -> None:
        """Cache a scan, unless the file could not be read."""
        stamp = _stamp(path)
        if stamp and scanned.digest:
            row = (os.fsencode(path), stamp, scanned.digest, scanned.fingerprint)
            self._database.execute("INSERT OR REPLACE INTO scan VALUES (?, ?, ?, ?)", row)

    def close(self) -> None:
        self._database.close()


def _stamp(path: Path) -> str:
    try:
        status = path.stat()
    except OSError:
        return ""
    return f"{status.st_size}.{status.st_mtime_ns}.{status.st_ctime_ns}"
