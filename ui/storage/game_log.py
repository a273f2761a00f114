"""The log of the changes of a game, which keeps undo and redo when the browser is closed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from tilescore.errors import InputError
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.game.record import MOST_LETTERS, Moment, Record
from tilescore.scoring.progression import PLAYERS
from tilescore.ui.storage.copies.fields import HALVES, FileField
from tilescore.ui.storage.database import UNREADABLE, row_sum
from tilescore.ui.storage.salvage import GameRow

UNDO: Final = "undo"
REDO: Final = "redo"
BEGIN: Final = "begin"
COPY: Final = "copy"
_CLOSE, _OPEN = "close", "open"
_NO_DEAL: Final = (_CLOSE, _OPEN, "tag", "names")
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
    # what else changed, from what to what; an earlier version did not log it
    head: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)

    @property
    def is_step(self) -> bool:
        """Whether undo can take the change back: the log says what it changed."""
        return self.kind not in _NO_DEAL or bool(self.head)

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
        put = [record.to_json() for record in self.put]
        head = {"head": self.head} if self.head else {}
        return {"kind": self.kind, "at": self.at, "cut": self.cut, "put": put, **head}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> GameChange:
        """The inverse of `to_json`; raises InputError."""
        change = FileField(data, "change")
        return GameChange(
            kind=change.member("kind").text(most=20),
            at=change.member("at").whole(0, MOST_DEALS),
            cut=change.member("cut").whole(0, MOST_DEALS),
            put=tuple(_logged_record(record.value) for record in change.member("put").items(most=MOST_DEALS)),
            head=_logged_head(change.member("head")) if "head" in data else {},
        )


def _name(name: FileField) -> str:
    return name.text(most=MOST_LETTERS, barred=HALVES)


_READ: Final[Mapping[str, Callable[[FileField], Any]]] = {
    "players": lambda names: tuple(map(_name, names.items(most=len(PLAYERS)))),
    "closed": FileField.flag,
    "tag": _name,
}
"""How each part of a game that can change beside its deals is read from the log."""


def _logged_head(changed: FileField) -> dict[str, tuple[Any, Any]]:
    head = {}
    for name, read in _READ.items():
        if name in changed.value:
            before, after = changed.member(name).items(most=2)
            head[name] = (read(before), read(after))
    return head


def _logged_record(data: Any) -> Record:
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


def change_to_log(before: Game, after: Game, *, kind: str) -> GameChange:
    """The change from one game to the next as the log keeps it."""
    if kind in (UNDO, REDO):
        return GameChange(kind=kind)
    pairs = {name: (getattr(before, name), getattr(after, name)) for name in _READ}
    head = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
    return replace(change_between(before.records, after.records, kind=kind), head=head)


def change_between(before: tuple[Record, ...], after: tuple[Record, ...], *, kind: str) -> GameChange:
    """The smallest change of the deals from `before` to `after`."""
    shorter = min(len(before), len(after))
    head = next((place for place in range(shorter) if before[place] != after[place]), shorter)
    rest = shorter - head
    tail = next((step for step in range(rest) if before[-1 - step] != after[-1 - step]), rest)
    return GameChange(kind=kind, at=head, cut=len(before) - head - tail, put=after[head : len(after) - tail])


def with_history(game: Game, changes: Sequence[GameChange]) -> Game:
    """The game with its undo and redo; unchanged if the log says otherwise than the game."""
    changes = _with_early_end(changes)
    first = {name: pair[0] for change in reversed(changes) for name, pair in change.head.items()}
    now = replace(game.moment, **first)
    past: list[Moment] = []
    future: list[Moment] = []
    for change in changes:
        if change.kind == BEGIN:
            now = replace(now, records=change.put)
        elif change.kind in (UNDO, REDO):
            source, target = (past, future) if change.kind == UNDO else (future, past)
            if not source:
                return game
            target.append(now)
            now = source.pop()
        elif change.is_step:
            past.append(now)
            after = {name: pair[1] for name, pair in change.head.items()}
            now, future = replace(now, records=change.applied(now.records), **after), []
    if now != game.moment:
        return game
    return replace(game, past=_as_booked(game, past), future=_as_booked(game, future))


def _with_early_end(changes: Sequence[GameChange]) -> tuple[GameChange, ...]:
    """The changes with what one of an earlier version did that ended the game early, unless a later one opened it.

    That version opened a game before it took a change back. So a game that was opened has no step of its end.
    """
    opened = max((at for at, change in enumerate(changes) if change.kind == _OPEN and not change.is_step), default=-1)
    return tuple(
        replace(change, head={"closed": (False, True)})
        if at > opened and change.kind == _CLOSE and not change.is_step
        else change
        for at, change in enumerate(changes)
    )


def _as_booked(game: Game, moments: Iterable[Moment]) -> tuple[Moment, ...]:
    """The moments with the records of the game where they are equal: these know whether they count as booked."""
    return tuple(
        replace(moment, records=tuple(next((own for own in game.records if own == one), one) for one in moment.records))
        for moment in moments
    )
