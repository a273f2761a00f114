"""The tables of the file of games."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from tilescore.ui.storage.database import row_sum

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
    """
    ALTER TABLE games ADD COLUMN checksum TEXT NOT NULL DEFAULT '';
    ALTER TABLE events ADD COLUMN checksum TEXT NOT NULL DEFAULT '';
    ALTER TABLE photos ADD COLUMN checksum TEXT NOT NULL DEFAULT '';
    ALTER TABLE games ADD COLUMN photos INTEGER NOT NULL DEFAULT 0;
    UPDATE games SET photos = (SELECT count(*) FROM photos WHERE game = games.id);
    UPDATE games SET checksum = row_sum(id, version, document, summary, begun_at, changed_at, hidden, photos);
    UPDATE photos SET checksum = row_sum(game, hand, jpeg);
    DROP TRIGGER events_stay;
    UPDATE events SET checksum = row_sum(game, version, change, at);
    CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are only added'); END;
    CREATE TABLE drafts (
        game TEXT NOT NULL REFERENCES games (id), visitor TEXT NOT NULL, state TEXT NOT NULL,
        PRIMARY KEY (game, visitor)
    );
    CREATE TABLE draft_photos (
        game TEXT NOT NULL, visitor TEXT NOT NULL, player TEXT NOT NULL, jpeg BLOB NOT NULL,
        PRIMARY KEY (game, visitor, player)
    );
    """,
    "",  # the tallies of a summary became objects
)
"""The steps of the schema: a file of version n has been through the first n. Steps are added, never changed.

Whatever an earlier program cannot read needs a step, and be it an empty one: that program then says "newer version",
and does not call the games damaged.
"""
TABLES: Final = {"games": "id", "events": "game", "photos": "game", "drafts": "game", "draft_photos": "game"}
"""The tables, with the column that names the game."""

_SCHEMA: Final = "SELECT type, name, sql FROM sqlite_master"


def is_ours(path: Path) -> bool:
    """Whether a file has the tables and triggers of its version and no others; raises sqlite3.Error.

    A foreign trigger would delete games later, and a foreign view may never end.
    """
    with closing(sqlite3.connect(path)) as file, closing(sqlite3.connect(":memory:")) as ours:
        (version,) = file.execute("PRAGMA user_version").fetchone()
        if version > len(MIGRATIONS):  # refused when it is opened
            return True
        ours.create_function("row_sum", -1, row_sum)
        ours.executescript("".join(MIGRATIONS[:version]))
        return version > 0 and {*file.execute(_SCHEMA)} == {*ours.execute(_SCHEMA)}


def delete_game(file: sqlite3.Connection, name: str) -> None:
    """Delete the rows of that game from every table."""
    for table, column in TABLES.items():
        file.execute(f"DELETE FROM {table} WHERE {column} = ?", (name,))  # noqa: S608  # names of our own


def seal(file: sqlite3.Connection, name: str) -> None:
    """Write the count of its photos and the checksum of that game."""
    file.execute("UPDATE games SET photos = (SELECT count(*) FROM photos WHERE game = games.id) WHERE id = ?", (name,))
    file.execute(
        "UPDATE games SET checksum = row_sum(id, version, document, summary, begun_at, changed_at, hidden, photos) "
        "WHERE id = ?",
        (name,),
    )


def attach_photo(file: sqlite3.Connection, name: str, hand: str, jpeg: bytes) -> None:
    """Write the photo of a hand of that game; call `seal` afterwards."""
    row = (name, hand, jpeg, row_sum(name, hand, jpeg))
    file.execute("INSERT OR REPLACE INTO photos (game, hand, jpeg, checksum) VALUES (?, ?, ?, ?)", row)
