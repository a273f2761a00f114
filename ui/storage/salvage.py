"""Reading the games of a file of which a part is damaged: what is whole is found, what is not is named."""

import json
import sqlite3
from collections.abc import Collection
from contextlib import suppress
from dataclasses import astuple, dataclass, fields
from typing import Any, Final

from tilescore.ui.storage.database import UNREADABLE, row_sum
from tilescore.ui.storage.hand_store import digest_of


@dataclass(frozen=True, slots=True)
class GameRow:
    """A row of the table of games, in the order of its columns."""

    id: str
    version: int
    document: str
    summary: str
    begun_at: str
    changed_at: str
    hidden: int
    photos: int
    checksum: str

    @property
    def intact(self) -> bool:
        """Whether the row is as it was written."""
        return self.checksum == row_sum(*astuple(self)[:-1])


_COLUMNS: Final = ", ".join(column.name for column in fields(GameRow))
_SELECT: Final = f"SELECT {_COLUMNS} FROM games"  # noqa: S608  # names of our own
_SCAN: Final = f"SELECT rowid, {_COLUMNS} FROM games NOT INDEXED"  # noqa: S608


def game_rows(file: sqlite3.Connection) -> tuple[list[GameRow], bool]:
    """All rows that can be read, and whether these are all: from the first on, and from the last on backwards."""
    rows: dict[int, GameRow] = {}
    complete = True
    for direction in ("ASC", "DESC"):
        try:
            for number, *values in file.execute(f"{_SCAN} ORDER BY rowid {direction}"):
                rows[number] = GameRow(*values)
        except UNREADABLE:
            complete = False
        if complete:
            break
    return list(rows.values()), complete


def row_of(file: sqlite3.Connection, name: str) -> GameRow | None:
    """The row of that game, found without the index if that is damaged."""
    with suppress(*UNREADABLE):
        values = file.execute(f"{_SELECT} WHERE id = ?", (name,)).fetchone()
        if values is not None:
            return GameRow(*values)
    return next((row for row in game_rows(file)[0] if row.id == name), None)


def lost_games(file: sqlite3.Connection, known: Collection[str]) -> tuple[str, ...]:
    """Games beside the known ones of which a whole entry of the log is left, but perhaps no row."""
    names: dict[str, None] = {}
    with suppress(*UNREADABLE):
        for *values, checksum in file.execute("SELECT game, version, change, at, checksum FROM events NOT INDEXED"):
            if values[0] not in known and values[0] not in names and row_sum(*values) == checksum:
                names[values[0]] = None
    return tuple(names)


def is_whole(file: sqlite3.Connection, table: str) -> bool:
    """Whether the pages and the indexes of that table are in order."""
    try:
        return file.execute("SELECT * FROM pragma_integrity_check(?)", (table,)).fetchall() == [("ok",)]
    except UNREADABLE:
        return False


def remains(file: sqlite3.Connection, name: str) -> str:
    """What can be read of a game, as a JSON text: its document, if only in part, and the whole entries of its log."""
    row = row_of(file, name)
    left: dict[str, Any] = {"tilescore_remains": name}
    if row is not None:
        left |= {"intact": row.intact, "document": row.document, "summary": row.summary, "changed_at": row.changed_at}
    log = []
    with suppress(*UNREADABLE):
        question = "SELECT game, version, change, at, checksum FROM events NOT INDEXED"
        for *values, checksum in file.execute(question):
            if values[0] == name:
                log.append(
                    {"version": values[1], "at": values[3], "change": values[2], "intact": row_sum(*values) == checksum}
                )
    return json.dumps({**left, "log": log}, ensure_ascii=False, indent=1, default=repr)


def photo_digests(file: sqlite3.Connection, name: str | None) -> set[str]:
    """The digests of the photos of that game, or of all games, that can be read."""
    digests = set()
    with suppress(*UNREADABLE):
        for (jpeg,) in file.execute("SELECT jpeg FROM photos WHERE game = coalesce(?, game)", (name,)):
            digests.add(digest_of(jpeg))
    return digests
