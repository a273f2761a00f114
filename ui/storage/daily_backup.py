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
        """Delete all of them."""
        for path in self.paths():
            path.unlink(missing_ok=True)

    def _today(self) -> Path:
        return self.folder / f"{self.path.stem}-{_now():%Y-%m-%d}{self.path.suffix}"


def _now() -> datetime:
    return datetime.now(UTC).astimezone()
