"""A SQLite file with a schema that grows by steps; its errors are sentences for a person.

Every use opens and closes the file, so any thread may use it. A file that cannot be written can be read all the same.
"""

import errno
import hashlib
import json
import logging
import os
import shutil
import sqlite3
import tempfile
import time
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tilescore.errors import InputError
from tilescore.files.locks import sole_thread, sole_writer
from tilescore.files.outputs import aside_of, sync_folder
from tilescore.files.owed import Owed
from tilescore.files.paths import private_file, private_folder

_LOGGER: Final = logging.getLogger(__name__)
_TRIES: Final = 4
_PATIENCE_S: Final = 1.5
_CODES: Final = {
    sqlite3.SQLITE_BUSY: "{}_busy",
    sqlite3.SQLITE_LOCKED: "{}_busy",
    sqlite3.SQLITE_FULL: "disk_full",
    sqlite3.SQLITE_CANTOPEN: "{}_unwritable",
    sqlite3.SQLITE_IOERR: "{}_unwritable",
    sqlite3.SQLITE_PERM: "{}_unwritable",
    sqlite3.SQLITE_READONLY: "{}_unwritable",
}
"""What SQLite says of the disk and of other programs; whatever else it says, the file is damaged."""
_NO_ROOM: Final = sqlite3.SQLITE_IOERR_SHMSIZE
"""What SQLite says where the disk has no room for the index of the log."""
_RESERVE_BYTES: Final = 256_000
"""The room for a deletion: a game of 30 deals and 20 photos takes 115,000 bytes (measured)."""
_MADE: Final = (
    "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type = 'table' DESC, type = 'index' DESC"
)
_HOLDS: Final = "SELECT 1 FROM {0} NOT INDEXED WHERE {1} IN (SELECT value FROM json_each(?)) LIMIT 1"
_COPY: Final = "INSERT INTO main.{0} SELECT * FROM old.{0} WHERE ifnull({1} NOT IN (SELECT value FROM json_each(?)), 1)"
_NO_LINKS: Final = (errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP)
"""What the system says of a second name for a file on a memory stick, or on some drives of the network."""
UNREADABLE: Final = (sqlite3.Error, UnicodeDecodeError)
"""What reading a damaged file raises: SQLite's own messages may quote bytes that are no text."""


class StoreError(InputError):
    """A game or a hand that cannot be kept or found; the keys of `MESSAGES` are its codes, `path` is its parameter."""


MESSAGES: Final = {
    "game_changed": "This game was changed in another window in the meantime: here is how it stands now, "
    "nothing was overwritten and nothing of yours was booked.",
    "game_damaged": "This game is damaged in {path}: export what is left of it, "
    "and bring it back alone from a backup with `tilescore ledger restore --game NAME`.",
    "games_busy": "The games are being written by another program: try again in a moment, nothing was lost.",
    "disk_full": "The disk is full: make room and try again, everything booked so far is safe.",
    "games_damaged": "{path} is damaged: bring back a backup with `tilescore ledger restore`, or move the file away.",
    "games_newer": "{path} was written by a newer version of Tilescore: update Tilescore to open it, "
    "nothing in it was changed.",
    "games_unwritable": "The games cannot be kept in {path}: see that the folder is yours and can be written, "
    "or set TILESCORE_DATA to another one.",
    "hands_busy": "The hands are being written by another program: try again in a moment, nothing was lost.",
    "hands_damaged": "{path}, which holds the hands, is damaged: move the file away, and Tilescore begins a new one; "
    "the games are not in it.",
    "hands_unwritable": "The hands cannot be kept in {path}: see that the folder is yours and can be written, "
    "or set TILESCORE_DATA to another one.",
    "no_such_game": "There is no such game here: choose one from the list.",
    "photo_damaged": "A photo of this game is damaged in {path} and is not shown; the deal is whole.",
}
"""English sentences by code; the catalogues have them in other languages as `error.CODE`."""


def trouble(code: str, path: Path) -> StoreError:
    """The error with that code about this file."""
    return StoreError(code, MESSAGES[code].format(path=path), path=path)


def row_sum(*values: object) -> str:
    """The checksum of a row: any other value of any column has another one."""
    digest = hashlib.sha256()
    for value in values:
        data = value if isinstance(value, bytes) else repr(value).encode("utf-8", "backslashreplace")
        digest.update(b"%d:" % len(data) + data)
    return digest.hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Database:
    """The file."""

    path: Path
    # The steps of the schema: a file of version n has been through the first n. They may use `row_sum`.
    migrations: tuple[str, ...]
    holds: str = "games"  # what its errors are about: games or hands
    durable: bool = True  # whether what was written survives a loss of power, too, and not only the end of the program

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The file for reading, on a disk that is full or cannot be written, too."""
        with self._wording(), closing(self._open_for_reading()) as file:
            yield file

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: on the disk when the block ends, undone if the block raises.

        Whoever writes to the games and to the hands begins with the games, so that no two wait for each other.
        """
        with sole_thread(self.path), self._wording(), closing(self._open()) as file:
            _patiently(file, "BEGIN IMMEDIATE")
            yield file
            file.execute("COMMIT")
        self._keep_reserve()

    @contextmanager
    def erasing(self, *names: str, make_room: Callable[[], object] | None = None) -> Iterator[sqlite3.Connection]:
        """One transaction that deletes for good; call `settle` afterwards.

        A note about each of `names` stays until `settle` has found that nothing of it is left. `make_room` is called on
        a disk that is nearly full, where the reserve is spent as well.
        """
        short = self.path.exists() and _free(self.path.parent) < max(_RESERVE_BYTES, self.path.stat().st_size)
        with self._wording():
            if short:
                self._reserve.unlink(missing_ok=True)
            notes = self.owed.add(*names)
        try:
            if short and make_room is not None:
                with suppress(InputError):
                    make_room()
            with self.writing() as file:
                if short:  # blank no pages: that takes as much room as they have, and `settle` writes the file anew
                    file.execute("PRAGMA secure_delete = FAST")
                yield file
        except InputError:  # nothing was deleted
            with self._wording():
                self.owed.remove(notes)
            raise

    @property
    def owed(self) -> Owed:
        """The notes about deletions that are not complete."""
        return Owed(self.path)

    def settle(self, *steps: Callable[[], object]) -> bool:
        """Take these steps, write the file anew, remove files set aside and the notes; whether nothing deleted is left.

        A step raises InputError or OSError where something is left; the log then says what, and the notes stay.
        """
        notes, done = self.owed.notes, True
        for step in (self._drop_replaced, *steps, self.trim) if notes else ():
            try:
                step()
            except (InputError, OSError):
                _LOGGER.warning("something deleted is left on the disk: it goes later", exc_info=True)
                done = False
        if done:
            with self._wording():
                self.owed.remove(notes)
        return done

    def _drop_replaced(self) -> None:
        """Delete the files that were set aside: nothing can be deleted from a damaged one, or from a log alone."""
        for path in self.path.parent.glob(f"{self.path.name}.before-*"):
            path.unlink(missing_ok=True)

    def trim(self) -> None:
        """Write the file anew and empty its log of writes, so that nothing deleted is left in either."""
        with sole_thread(self.path), self._wording(), closing(self._open()) as file:
            if _free(self.path.parent) > 2 * self.path.stat().st_size:  # for the copy that VACUUM makes
                os.environ["SQLITE_TMPDIR"] = str(self.path.parent)  # nothing lies in the system's folder
            else:
                file.execute("PRAGMA temp_store = MEMORY")
            _patiently(file, "VACUUM")
            self._fold(file)

    def fold(self) -> None:
        """Give the file a log of writes, which a backup has not, and empty the log: the file is whole without it."""
        with sole_thread(self.path), self._wording(), closing(self._open()) as file:
            _patiently(file, "PRAGMA journal_mode = WAL")
            self._fold(file)

    def copy_to(self, place: Path) -> None:
        """Write a copy of the whole file to that place, which appears at once or not at all."""
        with self._wording(), closing(self._open()) as file, self._replacing(place) as fresh:
            file.execute("VACUUM INTO ?", (str(fresh),))

    def leave_out(self, names: Collection[str], columns: Mapping[str, str]) -> None:
        """Replace the file, to which nobody writes, by one that never held rows of these names.

        `columns` has for each table the column with the name.
        """
        parameter = (json.dumps([*names]),)
        with self._wording(), self._replacing(self.path) as fresh, closing(self._connected(str(self.path))) as file:
            file.execute("BEGIN")  # whoever writes to the file after all waits
            made = file.execute(_MADE).fetchall()
            tables = {name: columns[name] for kind, name, _ in made if kind == "table" and name in columns}
            if not any(file.execute(_HOLDS.format(*pair), parameter).fetchone() for pair in tables.items()):
                return
            with closing(self._connected(str(fresh))) as copy:
                copy.execute("PRAGMA journal_mode = OFF")
                copy.execute("ATTACH ? AS old", (str(self.path),))
                copy.execute("BEGIN")
                for kind, name, sql in made:
                    copy.execute(sql)
                    if kind == "table":
                        copy.execute(_COPY.format(name, tables.get(name, "NULL")), parameter)
                copy.execute(f"PRAGMA main.user_version = {_version(file):d}")
                copy.execute("COMMIT")

    @contextmanager
    def _replacing(self, place: Path) -> Iterator[Path]:
        """An empty file; when the block has written it, it takes that place, whole and at once."""
        fresh = private_file(private_folder(place.parent) / f"{place.name}.{uuid.uuid4().hex[:8]}")
        try:
            yield fresh
            if fresh.stat().st_size:
                fresh.replace(place)
                sync_folder(place.parent)
        finally:
            fresh.unlink(missing_ok=True)

    def _wording(self) -> AbstractContextManager[None]:
        return wording(self.path, self.holds)

    @property
    def _reserve(self) -> Path:
        return self.path.with_name("room-to-delete")

    def _keep_reserve(self) -> None:
        """Keep a file that makes room for a deletion on a disk that is full; where there is little room, none."""
        with suppress(OSError):
            if not self._reserve.exists() and _free(self.path.parent) > 2 * _RESERVE_BYTES:
                private_file(self._reserve).write_bytes(os.urandom(_RESERVE_BYTES))  # no disk stores that in less

    def _open(self) -> sqlite3.Connection:
        if not self.path.exists():
            self._create()
        private_file(self.path)
        if not self.path.stat().st_size:  # never ours: a new file appears with its schema
            raise trouble(f"{self.holds}_damaged", self.path)
        file = self._connected(str(self.path))
        try:
            if _version(file) != len(self.migrations):
                _migrate(file, self)
        except BaseException:
            file.close()
            raise
        return file

    def _create(self) -> None:
        """Make the file beside its place, then put it there, unless another process was faster."""
        self._set_log_aside()
        fresh = private_file(self.path.with_name(f"{self.path.name}.{uuid.uuid4().hex[:8]}"))
        try:
            with closing(self._connected(str(fresh))) as file:
                _migrate(file, self)
                self._fold(file)  # to close the file does so, too, but says nothing about a full disk
            try:
                os.link(fresh, self.path)
            except FileExistsError:
                pass
            except OSError as error:
                if error.errno not in _NO_LINKS:
                    raise
                with sole_writer(self.path, wait=True):  # a new name alone would take the place of another file
                    if not self.path.exists():
                        fresh.rename(self.path)
        finally:
            for ending in ("", "-wal", "-shm"):
                fresh.with_name(fresh.name + ending).unlink(missing_ok=True)

    def _set_log_aside(self) -> None:
        """Give the log of a file that is gone another name: SQLite writes its pages into the file that comes next."""
        log = self.path.with_name(f"{self.path.name}-wal")
        if log.exists() and not self.path.exists():  # a log that is seen first is none of a file that comes next
            with suppress(FileNotFoundError):
                log.rename(f"{aside_of(self.path)}-wal")

    def _fold(self, file: sqlite3.Connection) -> None:
        busy, _, _ = file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:  # another program has read the file for a while
            raise trouble(f"{self.holds}_busy", self.path)

    def _open_for_reading(self) -> sqlite3.Connection:
        try:
            return self._open()
        except (sqlite3.Error, OSError) as error:
            if _code(error, self.holds) not in ("disk_full", f"{self.holds}_unwritable") or not self.path.exists():
                raise
        return self._open_unwritable()

    def _open_unwritable(self) -> sqlite3.Connection:
        """The file without a log beside it; else a copy in memory of file and log, with the present schema."""
        log = self.path.with_name(f"{self.path.name}-wal")
        if not log.exists() or not log.stat().st_size:
            file = self._connected(f"{self.path.absolute().as_uri()}?mode=ro&immutable=1")
            if _version(file) == len(self.migrations):
                return file
            return self._in_memory(file)
        with tempfile.TemporaryDirectory() as folder:
            for name in (self.path, log):
                shutil.copyfile(name, Path(folder) / name.name)
            return self._in_memory(self._connected(str(Path(folder) / self.path.name)))

    def _in_memory(self, file: sqlite3.Connection) -> sqlite3.Connection:
        copy = self._connected(":memory:")
        with closing(file):
            file.backup(copy)
        if _version(copy) != len(self.migrations):
            _migrate(copy, self)
        return copy

    def _connected(self, place: str) -> sqlite3.Connection:
        file = sqlite3.connect(place, timeout=_PATIENCE_S, isolation_level=None, uri=place.startswith("file:"))
        file.text_factory = lambda data: data.decode("utf-8", "replace")  # a damaged text differs from its checksum
        file.create_function("row_sum", -1, row_sum, deterministic=True)
        try:
            file.execute("PRAGMA synchronous = FULL" if self.durable else "PRAGMA synchronous = NORMAL")
            file.execute("PRAGMA secure_delete = ON")
        except BaseException:
            file.close()
            raise
        return file


def _free(folder: Path) -> int:
    return shutil.disk_usage(folder).free


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


def _code(error: BaseException, holds: str) -> str:
    if isinstance(error, OSError):
        code = "disk_full" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "{}_unwritable"
    else:
        number = getattr(error, "sqlite_errorcode", 0)
        code = "disk_full" if number == _NO_ROOM else _CODES.get(number & 0xFF, "{}_damaged")
    return code.format(holds)


@contextmanager
def wording(path: Path, holds: str = "games") -> Iterator[None]:
    """Turn errors of SQLite and of the system into StoreError about that place, which holds games or hands."""
    try:
        yield
    except (*UNREADABLE, OSError) as error:
        raise trouble(_code(error, holds), path) from error
