"""Copies of a file of games, one a day, the last ones kept."""

import logging
import sqlite3
import uuid
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path  # the dataclass names it
from typing import Final

from tilescore.files.locks import sole_writer
from tilescore.files.outputs import aside_of, sync_folder
from tilescore.files.paths import private_file, private_folder
from tilescore.ui.storage.database import Database, StoreError, wording
from tilescore.ui.storage.ledger_schema import MIGRATIONS, TABLES

_LOGGER: Final = logging.getLogger(__name__)
_IN_USE: Final = ("games_busy", "games_unwritable")
"""Why a backup cannot be written anew just now."""
_DAYS: Final = 7
"""The backups of so many days are kept, the ones nearest to today (chosen)."""


@dataclass(frozen=True, slots=True)
class Backups:
    """The backups of the file at `path`, in the folder `backups` beside it; its methods raise StoreError or OSError."""

    path: Path

    @property
    def folder(self) -> Path:
        """Where they lie."""
        return self.path.parent / "backups"

    def paths(self) -> tuple[Path, ...]:
        """The backups, the latest first; behind them those dated after today, which a clock that was wrong made."""
        dated = sorted(self.folder.glob(f"{self.path.stem}-????-??-??{self.path.suffix}"), reverse=True)
        return tuple(sorted(dated, key=self.is_ahead))

    def is_ahead(self, path: Path) -> bool:
        """Whether a backup is dated after today."""
        return path.name > self._today().name

    def has_today(self) -> bool:
        """Whether there is one of today."""
        return self._today().exists()

    def is_of_earlier_schema(self) -> bool:
        """Whether the one of today was made before an update: only the program until then opens it, to go back."""
        place = f"{self._today().absolute().as_uri()}?mode=ro"
        with suppress(sqlite3.Error, OSError), closing(sqlite3.connect(place, uri=True)) as file:
            return int(file.execute("PRAGMA user_version").fetchone()[0]) < len(MIGRATIONS)
        return False

    def make(self, file: Database, *, spare: Path | None = None) -> Path:
        """Make the one of today, or make it anew; those farthest from today go, but `spare`. Raises InputError, too.

        A clock that was wrong for a while may have dated some after today: by their order alone, they would stay for
        ever, and the one of today would go.
        """
        place = self._today()
        with self.alone():
            file.copy_to(place)
            for old in sorted(self.paths(), key=self._days_apart)[_DAYS:]:
                if old != spare:
                    old.unlink(missing_ok=True)
        return place

    def forget(self, names: Collection[str] | None) -> None:
        """Delete these games from all of them, or all of them; a backup that cannot be written anew goes as a whole.

        Raises InputError if another program uses one of them, which still holds these games.
        """
        if not self.folder.exists():
            return
        with self.alone(), wording(self.folder):
            for path in self.folder.glob(f"{self.path.stem}-????-??-??{self.path.suffix}?*"):  # of a killed process
                path.unlink(missing_ok=True)
            trouble: StoreError | None = None
            for path in reversed(self.paths()):  # the oldest goes first, which makes room for the others
                try:
                    self._forget(path, names)
                except StoreError as error:
                    trouble = error
            sync_folder(self.folder)
            if trouble is not None:
                raise trouble

    @contextmanager
    def alone(self) -> Iterator[None]:
        """While nobody else writes backups; raises InputError if somebody does."""
        with wording(self.folder):
            private_folder(self.folder)
        with sole_writer(self.folder / self.path.name):
            yield

    def unfinished(self) -> Path:
        """A name for a file that becomes a backup or the file itself; `forget` removes what was left under such one."""
        return self._today().with_suffix(f"{self.path.suffix}.{uuid.uuid4().hex[:8]}")

    def put_in_place(self, copy: Path) -> Path | None:
        """Put a copy in place of the file; where the file before it lies now, or None. Raises StoreError.

        Programs that use the file go on: what they write next, they write to the games of the copy.
        """
        if not self.path.exists():
            copy.replace(self.path)
            return None
        aside = aside_of(self.path)
        with wording(self.path):
            try:
                _overwrite(self.path, copy, aside)
            except sqlite3.Error as error:  # damage, or no room for a second copy: the file itself goes aside
                aside.unlink(missing_ok=True)
                if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                    raise
                for ending in ("-wal", "-shm", ""):
                    with suppress(FileNotFoundError):  # whoever closes the file last removes its log
                        self.path.with_name(self.path.name + ending).replace(f"{aside}{ending}")
                copy.replace(self.path)
        return aside

    def _forget(self, path: Path, names: Collection[str] | None) -> None:
        try:
            if names is not None:
                Database(path, MIGRATIONS).leave_out(names, TABLES)
                return
        except StoreError as error:
            if error.code in _IN_USE:
                raise
            _LOGGER.warning("the backup %s goes, because a deleted game cannot be taken out of it: %s", path, error)
        with wording(path):
            path.unlink(missing_ok=True)

    def _days_apart(self, path: Path) -> int:
        """Days between the date in the name of a backup and today."""
        try:
            return abs((date.fromisoformat(path.stem[-len("2026-11-27") :]) - _now().date()).days)
        except ValueError:  # no date
            return date.max.toordinal()

    def _today(self) -> Path:
        return self.folder / f"{self.path.stem}-{_now():%Y-%m-%d}{self.path.suffix}"


def _overwrite(path: Path, copy: Path, aside: Path) -> None:
    """Write a copy over a file in one transaction, and what the file held until then to a file aside."""

    def keep(status: int, *_: int) -> None:
        if status == sqlite3.SQLITE_BUSY:  # Python would try again for ever
            raise busy
        if not aside.exists():  # nobody else writes to the file from here on
            with closing(sqlite3.connect(private_file(aside))) as kept, closing(sqlite3.connect(path)) as before:
                before.backup(kept)

    busy = sqlite3.OperationalError("another program writes to the file")
    busy.sqlite_errorcode = sqlite3.SQLITE_BUSY
    with closing(sqlite3.connect(copy)) as source, closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA journal_mode = WAL")  # whoever only reads waits for nobody
        source.backup(file, pages=1, progress=keep)
        with suppress(sqlite3.Error):  # the copy is in place: a fault from here on must not cost the file aside
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _now() -> datetime:
    return datetime.now(UTC).astimezone()
