"""The log of the changes of a game, which keeps undo and redo when the browser is closed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from tilescore.errors import InputError
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.game.record import Record
from tilescore.ui.storage.copies.fields import FileField
from tilescore.ui.storage.database import UNREADABLE, row_sum
from tilescore.ui.storage.salvage import GameRow

UNDO: Final = "undo"
REDO: Final = "redo"
BEGIN: Final = "begin"
COPY: Final = "copy"
_NO_DEAL: Final = ("close", "open", "tag", "names")
MOST_DEALS: Final = 10_000
"""More than any game has (chosen)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameChange:
    """One change: from deal `at` on, the deals in `put` replace `cut` deals."""

    kind: str  # begin, deal, correct, remove, undo, redo, close, open, tag, names, copy
    # at, cut, put: the change of the deals; unused for undo and redo, which repeat earlier changes
    at: int = 0
    cut: int = 0
    put: tuple[Record, ...] = ()

    def applied(self, records: tuple[Record, ...]) -> tuple[Record, ...]:
        """The deals after the change."""
        return (*records[: self.at], *self.put, *records[self.at + self.cut :])

    def place_of(self, number: int) -> int | None:
        """The number (from 1) of deal `number` after the change; None if the deal is gone.

        >>> [GameChange(kind="remove", at=1, cut=1).place_of(number) for number in (1, 2, 3)]
        [1, None, 2]
        """
        if number <= self.at or len(self.put) == self.cut:
            return number
        return number + len(self.put) - self.cut if number > self.at + self.cut else None

    def to_json(self) -> dict[str, Any]:
        """The JSON object of the log."""
        return {"kind": self.kind, "at": self.at, "cut": self.cut, "put": [record.to_json() for record in self.put]}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> GameChange:
        """The inverse of `to_json`; raises InputError."""
        change = FileField(data, "change")
        return GameChange(
            kind=change.member("kind").text(most=20),
            at=change.member("at").whole(0, MOST_DEALS),
            cut=change.member("cut").whole(0, MOST_DEALS),
            put=tuple(_logged_record(record.value) for record in change.member("put").items(most=MOST_DEALS)),
        )


def _logged_record(data: object) -> Record:
    """The record of a JSON object; one that stricter rules refuse counts as an earlier version booked it."""
    try:
        return Record.from_json(data)
    except InputError:
        if not isinstance(data, dict):
            raise
        return Record.from_json({**data, "as_booked": True})


def logged(file: sqlite3.Connection, row: GameRow) -> tuple[GameChange, ...] | None:
    """The log of that game; None if it is damaged."""
    try:
        changes = tuple(GameChange.from_json(json.loads(text)) for text in log_of(file, row))
    except (ValueError, TypeError):  # an InputError is a ValueError
        return None
    return changes if changes and changes[0].kind == BEGIN else None


def log_of(file: sqlite3.Connection, row: GameRow) -> tuple[str, ...]:
    """The changes of that game as they were written; none if one is missing or damaged."""
    question = "SELECT game, version, change, at, checksum FROM events WHERE game = ? ORDER BY version"
    try:
        log = file.execute(question, (row.id,)).fetchall()
    except UNREADABLE:
        return ()
    whole = [entry[1] for entry in log] == list(range(row.version - len(log) + 1, row.version + 1))
    return tuple(entry[2] for entry in log) if whole and all(row_sum(*entry[:-1]) == entry[-1] for entry in log) else ()


def change_between(before: tuple[Record, ...], after: tuple[Record, ...], *, kind: str) -> GameChange:
    """The smallest change from `before` to `after`."""
    if kind in (UNDO, REDO):
        return GameChange(kind=kind)
    shorter = min(len(before), len(after))
    head = next((place for place in range(shorter) if before[place] != after[place]), shorter)
    rest = shorter - head
    tail = next((step for step in range(rest) if before[-1 - step] != after[-1 - step]), rest)
    return GameChange(kind=kind, at=head, cut=len(before) - head - tail, put=after[head : len(after) - tail])


def with_history(game: Game, changes: Iterable[GameChange]) -> Game:
    """The game with its undo and redo; unchanged if the log has other deals than the game."""
    records: tuple[Record, ...] = ()
    past: list[tuple[Record, ...]] = []
    future: list[tuple[Record, ...]] = []
    for change in changes:
        if change.kind == BEGIN:
            records = change.put
        elif change.kind in (UNDO, REDO):
            source, target = (past, future) if change.kind == UNDO else (future, past)
            if not source:
                return game
            target.append(records)
            records = source.pop()
        elif change.kind not in _NO_DEAL:
            past.append(records)
            records, future = change.applied(records), []
    if records != game.records:
        return game
    return replace(game, past=_as_booked(game, past), future=_as_booked(game, future))


def _as_booked(game: Game, states: list[tuple[Record, ...]]) -> tuple[tuple[Record, ...], ...]:
    """The states with the records of the game where they are equal: these know whether they count as booked."""
    return tuple(
        tuple(next((own for own in game.records if own == record), record) for record in state) for state in states
    )
