"""Copies of a file of games, one a day, the last ones kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path  # noqa: TC003  # the dataclass names it
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tilescore.ui.storage.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupConfig:
    """How much is kept.

    Attributes:
        days: The backups of this many days, the latest ones (chosen).
    """

    days: int = 7


BACKUP: Final = BackupConfig()
"""The defaults."""


@dataclass(frozen=True, slots=True)
class Backups:
    """The backups of the file at `path`, in the folder `backups` beside it; its methods raise StoreError or OSError."""

    path: Path
    config: BackupConfig = BACKUP

    @property
    def folder(self) -> Path:
        """Where they lie."""
        return self.path.parent / "backups"

    def paths(self) -> tuple[Path, ...]:
        """The backups, the latest first."""
        return tuple(sorted(self.folder.glob(f"{self.path.stem}-????-??-??{self.path.suffix}"), reverse=True))

    def has_today(self) -> bool:
        """Whether there is one of today."""
        return self._today().exists()

    def make(self, file: Database) -> Path:
        """Make the one of today, or make it anew; the oldest ones go."""
        place = self._today()
        file.copy_to(place)
        for old in self.paths()[self.config.days :]:
            old.unlink(missing_ok=True)
        return place

    def delete(self) -> None:
        """Delete all of them, and what a restored backup replaced."""
        for path in self.paths():
            path.unlink(missing_ok=True)
        self.delete_replaced()

    def move_aside(self) -> Path | None:
        """Give the file another name, with its log of writes, to put a backup in its place; None if there is none."""
        if not self.path.exists():
            return None
        aside = self.path.with_name(f"{self.path.name}.before-{_now():%Y%m%d-%H%M%S}")
        for ending in ("-wal", "-shm", ""):
            part = self.path.with_name(self.path.name + ending)
            if part.exists():
                part.replace(aside.with_name(aside.name + ending))
        return aside

    def delete_replaced(self) -> None:
        """Delete the files that were moved aside: a game cannot be deleted from a damaged one."""
        for path in self.path.parent.glob(f"{self.path.name}.before-*"):
            path.unlink(missing_ok=True)

    def _today(self) -> Path:
        return self.folder / f"{self.path.stem}-{_now():%Y-%m-%d}{self.path.suffix}"


def _now() -> datetime:
    return datetime.now(UTC).astimezone()
