"""What the bytes of pictures say: a hash, and how each looks. What was found is kept, so that a look begun goes on.

Kept outside the data set, which stays as it is: in this person's own folder, by path, size and time of the picture.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tilescore.base.parallel import THIS_PROCESS, Pool, work_through
from tilescore.base.paths import data_folder
from tilescore.datasets.checks.near_duplicates import fingerprint
from tilescore.datasets.picture_files import DAMAGE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Progress = Callable[[int, int], None]

_FEW: Final = 64
_AT_ONCE: Final = 16
_SCHEMA: Final = "CREATE TABLE IF NOT EXISTS scan (path TEXT PRIMARY KEY, stamp TEXT, digest TEXT, look BLOB)"
_MOST_KEPT: Final = 500_000


@dataclass(frozen=True, slots=True)
class Scan:
    """What a picture's bytes say: their hash, and how it looks; `look` is None when the pixels are damaged."""

    digest: str
    look: bytes | None


def scan(path: Path) -> Scan:
    """Hash and look of one picture."""
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return Scan("", None)
    try:
        return Scan(digest, fingerprint(path))
    except DAMAGE:
        return Scan(digest, None)


def scan_all(paths: Sequence[Path], *, pool: Pool = THIS_PROCESS, progress: Progress | None = None) -> list[Scan]:
    """Hash and look of every picture, in their order.

    Args:
        paths: the pictures; those looked at before and unchanged since are not looked at again.
        pool: who looks.
        progress: called with how many pictures are done, and of how many.
    """
    files = [Path(os.path.abspath(path)) for path in paths]  # noqa: PTH100  # links stay as they are named
    known = _Known.opened()
    found = known.lookup(files)
    todo = [path for path in files if path not in found]
    done = len(files) - len(todo)
    if progress is not None and done:
        progress(done, len(files))
    with closing(known):
        looking = work_through(scan, todo, pool.for_few(len(todo), _FEW), at_once=_AT_ONCE)
        for count, (path, seen) in enumerate(looking, start=done + 1):
            found[path] = seen
            known.keep(path, seen)
            if progress is not None:
                progress(count, len(files))
    return [found[path] for path in files]


class _Known:
    """Scans of other times, in SQLite; where it cannot be written, nothing is kept."""

    def __init__(self, place: Path | str) -> None:
        # Each scan is written through at once: a kill loses only what was under way.
        self._database = sqlite3.connect(place, timeout=20, isolation_level=None)
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = OFF")  # a power cut costs a second look, no more
        self._database.execute(_SCHEMA)

    @classmethod
    def opened(cls) -> _Known:
        place = data_folder() / "scans.sqlite3"
        try:
            place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            return cls(place)
        except (OSError, sqlite3.Error):
            return cls(":memory:")

    def lookup(self, paths: Sequence[Path]) -> dict[Path, Scan]:
        """The scans of those that have not changed."""
        if self._database.execute("SELECT COUNT(*) FROM scan").fetchone()[0] > _MOST_KEPT:
            self._database.execute("DELETE FROM scan")
        found: dict[Path, Scan] = {}
        for path in paths:
            query = "SELECT stamp, digest, look FROM scan WHERE path = ?"
            row = self._database.execute(query, (os.fsencode(path),)).fetchone()
            if row is not None and row[0] == _stamp(path):
                found[path] = Scan(row[1], row[2])
        return found

    def keep(self, path: Path, seen: Scan) -> None:
        """Remember a scan; one of a picture that could not even be read is not worth it."""
        stamp = _stamp(path)
        if stamp and seen.digest:
            row = (os.fsencode(path), stamp, seen.digest, seen.look)
            self._database.execute("INSERT OR REPLACE INTO scan VALUES (?, ?, ?, ?)", row)

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()


def _stamp(path: Path) -> str:
    try:
        found = path.stat()
    except OSError:
        return ""
    return f"{found.st_size}.{found.st_mtime_ns}.{found.st_ctime_ns}"
