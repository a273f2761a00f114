"""The deals that people have begun to enter: one of each browser for a game, with the photos of its hands.

They lie in the file of the games, so that deleting a game deletes them as well.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tilescore.ui.storage.database import UNREADABLE, Database
from tilescore.ui.storage.ledger_store import LedgerStore


@dataclass(frozen=True, slots=True)
class DraftStore:
    """The drafts in the file of the games; all methods raise StoreError."""

    ledger: LedgerStore = field(default_factory=LedgerStore)

    @property
    def _file(self) -> Database:
        return replace(self.ledger.file, durable=False)  # a tap is no booking: it need not wait for the disk

    def put(self, game: str, visitor: str, state: Mapping[str, Any], photos: Mapping[str, bytes]) -> None:
        """Keep the draft of that browser instead of the one before; `photos` are by player."""
        with self._file.writing() as file:
            row = (game, visitor, json.dumps(state, ensure_ascii=False))
            file.execute("INSERT OR REPLACE INTO drafts (game, visitor, state) VALUES (?, ?, ?)", row)
            file.execute("DELETE FROM draft_photos WHERE game = ? AND visitor = ?", (game, visitor))
            file.executemany(
                "INSERT INTO draft_photos (game, visitor, player, jpeg) VALUES (?, ?, ?, ?)",
                [(game, visitor, player, jpeg) for player, jpeg in photos.items()],
            )

    def get(self, game: str, visitor: str) -> tuple[Mapping[str, Any], Mapping[str, bytes]] | None:
        """The draft of that browser and its photos; None if there is none that can be read."""
        with self._file.reading() as file:
            try:
                row = file.execute(
                    "SELECT state FROM drafts WHERE game = ? AND visitor = ?", (game, visitor)
                ).fetchone()
                question = "SELECT player, jpeg FROM draft_photos WHERE game = ? AND visitor = ?"
                photos = dict(file.execute(question, (game, visitor)))
                return None if row is None else (json.loads(row[0]), photos)
            except (*UNREADABLE, ValueError):
                return None

    def drop(self, game: str, visitor: str) -> None:
        """Forget the draft of that browser."""
        with self._file.writing() as file:
            for table in ("drafts", "draft_photos"):
                file.execute(f"DELETE FROM {table} WHERE game = ? AND visitor = ?", (game, visitor))  # noqa: S608
