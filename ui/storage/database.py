"""A SQLite file with a schema that grows by steps; its errors are sentences for a person.

Every use opens and closes the file, so any thread may use it.
"""

from __future__ import annotations

import errno
import sqlite3
import time
from contextlib import closing, contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Final

from tilescore.base.errors import InputError
from tilescore.base.paths import private_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_TRIES: Final = 4
_PATIENCE_S: Final = 1.5
_CODES: Final = {
    sqlite3.SQLITE_BUSY: "games_busy",
    sqlite3.SQLITE_LOCKED: "games_busy",
    sqlite3.SQLITE_FULL: "disk_full",
    sqlite3.SQLITE_NOTADB: "games_damaged",
    sqlite3.SQLITE_CORRUPT: "games_damaged",
}
_WRITER: Final = Lock()
"""One writer at a time in this process; writers of other processes wait for the file."""


class StoreError(InputError):
    """A game that cannot be kept or found; the keys of `MESSAGES` are its codes, `path` is its parameter."""


MESSAGES: Final = {
    "game_changed": "This game was changed in another window in the meantime: here is how it stands now, "
    "nothing was overwritten and nothing of yours was booked.",
    "games_busy": "The games are being written by another program: try again in a moment, nothing was lost.",
    "disk_full": "The disk is full: make room and try again, everything booked so far is safe.",
    "games_damaged": "{path} is no file of games that can be read: move it away or bring back a copy of it.",
    "games_newer": "{path} was written by a newer version of Tilescore: update Tilescore to open it, "
    "nothing in it was changed.",
    "games_unwritable": "The games cannot be kept in {path}: see that the folder can be written, "
    "or set TILESCORE_DATA to another one.",
    "no_such_game": "There is no such game here: choose one of the list.",
}
"""English sentences by code; the catalogues have them in other languages as `error.CODE`."""


def trouble(code: str, path: Path) -> StoreError:
    """The error with that code about this file."""
    return StoreError(code, MESSAGES[code].format(path=path), path=path)


@dataclass(frozen=True, slots=True)
class Database:
    """The file.

    Attributes:
        path: its place.
        migrations: the steps of the schema: a file of version n has been through the first n.
        durable: whether what was written survives a loss of power, too, and not only the end of the program.
    """

    path: Path
    migrations: tuple[str, ...]
    durable: bool = True

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The file for reading."""
        with _worded(self.path), closing(self._open()) as file:
            yield file

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: on the disk when the block ends, undone if the block raises."""
        with _WRITER, _worded(self.path), closing(self._open()) as file:
            _patiently(file, "BEGIN IMMEDIATE")
            yield file
            file.execute("COMMIT")

    def trim(self) -> None:
        """Write the file anew and empty its log of writes, so that nothing deleted is left in either."""
        with _WRITER, _worded(self.path), closing(self._open()) as file:
            file.execute("PRAGMA temp_store = MEMORY")  # the copy that VACUUM makes would lie in the system's folder
            _patiently(file, "VACUUM")
            for attempt in range(_TRIES):
                busy, _, _ = file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                if not busy:
                    return
                time.sleep(0.05 * 2**attempt)
            raise trouble("games_busy", self.path)

    def _open(self) -> sqlite3.Connection:
        """A connection to the file, with the present schema."""
        private_file(self.path)
        file = sqlite3.connect(self.path, timeout=_PATIENCE_S, isolation_level=None)
        try:
            file.execute(f"PRAGMA synchronous = {'FULL' if self.durable else 'NORMAL'}")
            file.execute("PRAGMA secure_delete = ON")
            if _version(file) != len(self.migrations):
                _migrate(file, self)
        except BaseException:
            file.close()
            raise
        return file


def _version(file: sqlite3.Connection) -> int:
    return int(file.execute("PRAGMA user_version").fetchone()[0])


def _migrate(file: sqlite3.Connection, database: Database) -> None:
    """Bring the schema to the present version in one transaction, unless another process already did."""
    if _version(file) > len(database.migrations):
        raise trouble("games_newer", database.path)
    if _version(file) == 0:
        _patiently(file, "PRAGMA journal_mode = WAL")
    _patiently(file, "BEGIN IMMEDIATE")
    for number, script in enumerate(database.migrations, start=1):
        if _version(file) < number:
            for statement in _statements(script):
                file.execute(statement)
            file.execute(f"PRAGMA user_version = {number:d}")
    file.execute("COMMIT")


def _statements(script: str) -> Iterator[str]:
    """The statements of a script one by one: `executescript` would end the transaction."""
    statement = ""
    for part in script.split(";"):
        statement += part + ";"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _patiently(file: sqlite3.Connection, statement: str) -> None:
    """Run a statement that locks the file; try again a few times while others hold it."""
    for attempt in range(_TRIES):
        try:
            file.execute(statement)
        except sqlite3.OperationalError:
            if attempt == _TRIES - 1:
                raise
            time.sleep(0.05 * 2**attempt)
        else:
            return


@contextmanager
def _worded(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and of the system into StoreError."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        raise trouble(_CODES.get(code, "games_unwritable"), path) from error
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        raise trouble("disk_full" if full else "games_unwritable", path) from error
