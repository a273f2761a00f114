"""Scans of picture files: the hash of the bytes and the fingerprint of the pixels.

Scans are cached in the user's own data folder, by path, size and time of the picture. A check that was interrupted
goes on from there, and the data set itself stays unchanged.
"""

import hashlib
import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tilescore.datasets.pictures.near_duplicates import fingerprint
from tilescore.datasets.pictures.picture_files import DAMAGE
from tilescore.files.paths import data_folder, private_file
from tilescore.files.plain import read_plain
from tilescore.processes.parallel import THIS_PROCESS, Pool, work_through
from tilescore.processes.progress import Progress, unseen
from tilescore.vision.image.config import PHOTO_LIMITS

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


def scan_all(paths: Sequence[Path], *, pool: Pool = THIS_PROCESS, progress: Progress = unseen) -> list[Scan]:
    """The scan of every picture, in the order of the paths; one in the cache is read again only if it has changed."""
    files = [Path(os.path.abspath(path)) for path in paths]  # noqa: PTH100  # links stay as they are named
    with closing(_cache()) as cache:
        scan_of = _cached(cache, files)
        todo = [path for path in files if path not in scan_of]
        done = len(files) - len(todo)
        if done:
            progress(done, len(files))
        scans = work_through(scan, todo, pool.for_items(len(todo), _SERIAL_LIMIT), batch_size=_BATCH_SIZE)
        for count, (path, scanned) in enumerate(scans, start=done + 1):
            scan_of[path] = scanned
            stamp = _stamp(path)
            if stamp and scanned.digest:
                row = (os.fsencode(path), stamp, scanned.digest, scanned.fingerprint)
                cache.execute("INSERT OR REPLACE INTO scan VALUES (?, ?, ?, ?)", row)
            progress(count, len(files))
    return [scan_of[path] for path in files]


def _cache() -> sqlite3.Connection:
    """Earlier scans in SQLite, in memory where no file can be written."""
    try:
        return _opened(private_file(data_folder() / "scans.sqlite3"))
    except (OSError, sqlite3.Error):
        return _opened(":memory:")


def _opened(place: Path | str) -> sqlite3.Connection:
    # Each scan is written at once: a kill loses only the scans in progress.
    cache = sqlite3.connect(place, timeout=20, isolation_level=None)
    cache.execute("PRAGMA journal_mode = WAL")
    cache.execute("PRAGMA synchronous = OFF")  # a power cut costs no more than a second scan
    cache.execute(_SCHEMA)
    return cache


def _cached(cache: sqlite3.Connection, paths: Sequence[Path]) -> dict[Path, Scan]:
    """The cached scans of those paths whose files have not changed."""
    if cache.execute("SELECT COUNT(*) FROM scan").fetchone()[0] > _MAX_CACHED:
        cache.execute("DELETE FROM scan")
    scans: dict[Path, Scan] = {}
    for path in paths:
        row = cache.execute("SELECT stamp, digest, look FROM scan WHERE path = ?", (os.fsencode(path),)).fetchone()
        if row is not None and row[0] == _stamp(path):
            scans[path] = Scan(row[1], row[2])
    return scans


def _stamp(path: Path) -> str:
    try:
        status = path.stat()
    except OSError:
        return ""
    return f"{status.st_size}.{status.st_mtime_ns}.{status.st_ctime_ns}"
