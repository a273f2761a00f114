"""The games of this machine in one SQLite file: each as its document, with a log of its changes.

What `begin` and `save` return is on the disk: a process killed at any moment loses nothing that was acknowledged.
Each game has a version: of two windows that change it, the second one gets an error, and nothing is overwritten.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     store = LedgerStore(Path(folder) / "games.sqlite3")
...     saved = store.begin(Game.new("mcr", ("Ann", "Ben", "Cleo", "Dan")))
...     store.load(saved.id) == saved, store.games()[0].players[0]
(True, 'Ann')
"""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path  # noqa: TC003  # the example above makes one
from typing import TYPE_CHECKING, Any, Final

from tilescore.base.paths import data_folder
from tilescore.scoring.game.ledger import Game
from tilescore.ui.storage.database import Database, trouble
from tilescore.ui.storage.game_log import GameChange, change_between, with_history

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

BEGIN: Final = "begin"
MIGRATIONS: Final = (
    """
    CREATE TABLE games (
        id TEXT PRIMARY KEY, version INTEGER NOT NULL, document TEXT NOT NULL, summary TEXT NOT NULL,
        begun_at TEXT NOT NULL, changed_at TEXT NOT NULL
    );
    CREATE TABLE events (
        number INTEGER PRIMARY KEY, game TEXT NOT NULL REFERENCES games (id), version INTEGER NOT NULL,
        change TEXT NOT NULL, at TEXT NOT NULL, UNIQUE (game, version)
    );
    CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are only added'); END;
    CREATE TRIGGER events_last BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are only added'); END;
    """,
    """
    ALTER TABLE games ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE photos (
        game TEXT NOT NULL REFERENCES games (id), hand TEXT NOT NULL, jpeg BLOB NOT NULL, PRIMARY KEY (game, hand)
    );
    """,
    """
    DROP TRIGGER events_last;
    CREATE TRIGGER events_last BEFORE DELETE ON events WHEN EXISTS (SELECT 1 FROM games WHERE id = OLD.game)
    BEGIN SELECT RAISE(ABORT, 'events are only added'); END;
    """,
)
"""The steps of the schema: a file of version n has been through the first n. Steps are added, never changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """A game as it is on the disk.

    Attributes:
        id: its name on the disk and in the address of the page.
        version: the number of changes since it began.
        game: the game with its undo and redo.
    """

    id: str
    version: int
    game: Game


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A game in the list of games."""

    id: str
    ruleset: str
    players: tuple[str, ...]
    totals: tuple[int, ...]
    deals: int
    round: str
    number: int
    over: bool
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class LedgerStore:
    """The file of the games: every operation opens and closes it, so any thread may use it; all raise StoreError."""

    path: Path = field(default_factory=lambda: data_folder() / "games.sqlite3")

    @property
    def _file(self) -> Database:
        return Database(self.path, MIGRATIONS)

    def games(self, *, hidden: bool = False) -> tuple[Summary, ...]:
        """The games of the list, or those removed from it; the last changed comes first, whatever the clock says."""
        question = (
            "SELECT id, summary, changed_at FROM games WHERE hidden = ? ORDER BY "
            "(SELECT number FROM events WHERE game = games.id ORDER BY version DESC LIMIT 1) DESC"
        )
        with self._file.reading() as file:
            return tuple(_summary_of(*row) for row in file.execute(question, (int(hidden),)))

    def begin(self, game: Game) -> Saved:
        """Keep a new game."""
        saved, now = Saved(id=uuid.uuid4().hex[:12], version=1, game=game), _now()
        with self._file.writing() as file:
            file.execute(
                "INSERT INTO games (id, version, document, summary, begun_at, changed_at) VALUES (?, ?, ?, ?, ?, ?)",
                (saved.id, saved.version, str(game), _summary(game), now, now),
            )
            _log(file, saved, GameChange(kind=BEGIN, put=game.records), now)
        return saved

    def load(self, name: str) -> Saved:
        """The game as it is now."""
        with self._file.reading() as file:
            file.execute("BEGIN")
            row = file.execute("SELECT version, document FROM games WHERE id = ?", (name,)).fetchone()
            if row is None:
                raise trouble("no_such_game", self.path)
            log = file.execute("SELECT change FROM events WHERE game = ? ORDER BY version", (name,)).fetchall()
        changes = tuple(GameChange.from_json(json.loads(text)) for (text,) in log)
        return Saved(id=name, version=row[0], game=with_history(Game.parse(row[1]), changes))

    def version(self, name: str) -> int:
        """The version of that game: a cheap way to see whether another window changed it."""
        with self._file.reading() as file:
            row = file.execute("SELECT version FROM games WHERE id = ?", (name,)).fetchone()
        if row is None:
            raise trouble("no_such_game", self.path)
        return int(row[0])

    def save(self, before: Saved, game: Game, *, kind: str) -> Saved:
        """Keep the game that follows `before`; raises StoreError `game_changed` if the disk no longer holds `before`.

        `kind` names the change: deal, correct, remove, undo, redo, close, open.
        """
        after, now = Saved(id=before.id, version=before.version + 1, game=game), _now()
        with self._file.writing() as file:
            done = file.execute(
                "UPDATE games SET version = ?, document = ?, summary = ?, changed_at = ? WHERE id = ? AND version = ?",
                (after.version, str(game), _summary(game), now, before.id, before.version),
            )
            if done.rowcount != 1:
                raise trouble("game_changed", self.path)
            _log(file, after, change_between(before.game.records, game.records, kind=kind), now)
        return after

    def hide(self, name: str, *, hidden: bool = True) -> None:
        """Remove a game from the list, or put it back; nothing is deleted."""
        with self._file.writing() as file:
            file.execute("UPDATE games SET hidden = ? WHERE id = ?", (int(hidden), name))

    def delete(self, name: str) -> None:
        """Delete a game with its deals, its photos and its log; afterwards the file holds nothing of it."""
        with self._file.writing() as file:
            _delete(file, name)
        self._file.trim()

    def delete_all(self) -> None:
        """Delete all games, those removed from the list too."""
        with self._file.writing() as file:
            for (name,) in file.execute("SELECT id FROM games").fetchall():
                _delete(file, name)
        self._file.trim()

    def delete_deal(self, before: Saved, number: int) -> Saved:
        """Delete deal `number` (from 1) with its photos; nothing that came before can be undone any more.

        Raises:
            StoreError: `game_changed` if the disk no longer holds `before`.
            ContextError: there is no such deal.
        """
        without = before.game.without(number)
        game = replace(without, past=(), future=())
        after, now = Saved(id=before.id, version=before.version + 1, game=game), _now()
        hands = {str(hand) for record in game.records for hand, _ in record.deal.hands.values()}
        with self._file.writing() as file:
            question = "SELECT begun_at, hidden FROM games WHERE id = ? AND version = ?"
            row = file.execute(question, (before.id, before.version)).fetchone()
            if row is None:
                raise trouble("game_changed", self.path)
            photos = file.execute("SELECT hand, jpeg FROM photos WHERE game = ?", (before.id,)).fetchall()
            _delete(file, before.id)
            file.execute(
                "INSERT INTO games (id, version, document, summary, begun_at, changed_at, hidden) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (after.id, after.version, str(game), _summary(game), row[0], now, row[1]),
            )
            kept = [(after.id, hand, jpeg) for hand, jpeg in photos if hand in hands]
            file.executemany("INSERT INTO photos (game, hand, jpeg) VALUES (?, ?, ?)", kept)
            _log(file, after, GameChange(kind=BEGIN, put=game.records), now)
        self._file.trim()
        return after

    def delete_photo(self, name: str, hand: str) -> None:
        """Delete the photo of that hand; the deal stays."""
        with self._file.writing() as file:
            file.execute("DELETE FROM photos WHERE game = ? AND hand = ?", (name, hand))
        self._file.trim()

    def attach(self, name: str, hand: str, jpeg: bytes) -> None:
        """Keep the photo of a hand that is booked in this game; the notation of the hand is its key."""
        with self._file.writing() as file:
            file.execute("INSERT OR REPLACE INTO photos (game, hand, jpeg) VALUES (?, ?, ?)", (name, hand, jpeg))

    def photographed(self, name: str) -> frozenset[str]:
        """The notations of the hands of that game that have a photo."""
        with self._file.reading() as file:
            return frozenset(hand for (hand,) in file.execute("SELECT hand FROM photos WHERE game = ?", (name,)))

    def photo(self, name: str, hand: str) -> bytes | None:
        """The photo of that hand; None if there is none."""
        with self._file.reading() as file:
            row = file.execute("SELECT jpeg FROM photos WHERE game = ? AND hand = ?", (name, hand)).fetchone()
        return None if row is None else bytes(row[0])


def _delete(file: sqlite3.Connection, name: str) -> None:
    for table, column in (("games", "id"), ("events", "game"), ("photos", "game")):
        file.execute(f"DELETE FROM {table} WHERE {column} = ?", (name,))  # noqa: S608  # names of our own


def _log(file: sqlite3.Connection, saved: Saved, change: GameChange, now: str) -> None:
    text = json.dumps(change.to_json(), ensure_ascii=False)
    row = (saved.id, saved.version, text, now)
    file.execute("INSERT INTO events (game, version, change, at) VALUES (?, ?, ?, ?)", row)


def _summary(game: Game) -> str:
    data = {
        "ruleset": game.ruleset_name,
        "players": game.players,
        "totals": game.totals,
        "deals": len(game.records),
        "round": game.position.round,
        "number": game.position.number,
        "over": game.over,
    }
    return json.dumps(data, ensure_ascii=False)


def _summary_of(name: str, text: str, changed_at: str) -> Summary:
    data: Mapping[str, Any] = json.loads(text)
    lists = {"players": tuple(data["players"]), "totals": tuple(data["totals"])}
    return Summary(**{**data, **lists}, id=name, changed_at=datetime.fromisoformat(changed_at))


def _now() -> str:
    return datetime.now(UTC).isoformat()
