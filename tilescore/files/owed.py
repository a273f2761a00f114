"""Notes about deletions that are not complete: an empty file for each, beside the file that still holds something.

A note needs no room on a full disk. It outlives the process that wrote it, and it stays when the file is replaced.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     owed = Owed(Path(folder) / "games.sqlite3")
...     notes = owed.add("ann/1")
...     before = owed.names
...     owed.remove(notes)
...     before, owed.names
(('ann/1',), ())
"""

import glob
import secrets
from dataclasses import dataclass
from pathlib import Path  # the example above makes one
from urllib.parse import quote, unquote

from tilescore.files.outputs import sync_folder
from tilescore.files.paths import private_file


@dataclass(frozen=True, slots=True)
class Owed:
    """The notes about the file at `path`; a new one for each deletion, so that no process removes that of another."""

    path: Path

    @property
    def notes(self) -> tuple[Path, ...]:
        """The files."""
        return tuple(sorted(self.path.parent.glob(f"{glob.escape(self._start)}*")))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of what is not gone yet, each once."""
        found = (unquote(note.name[len(self._start) :].rpartition("-")[0]) for note in self.notes)
        return tuple(dict.fromkeys(found))

    def add(self, *names: str) -> tuple[Path, ...]:
        """Write a note for each name, on the disk when this returns; raises OSError."""
        notes = [self.path.with_name(f"{self._start}{quote(name, safe='')}-{secrets.token_hex(4)}") for name in names]
        for note in notes:
            private_file(note)
        sync_folder(self.path.parent)
        return tuple(notes)

    def remove(self, notes: tuple[Path, ...]) -> None:
        """Remove these notes; raises OSError."""
        for note in notes:
            note.unlink(missing_ok=True)

    @property
    def _start(self) -> str:
        return f"{self.path.name}.owed-"
