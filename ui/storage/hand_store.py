"""The hands of each browser in one SQLite file: the one on its table, and those that it scored before.

A browser sees its own hands only. What is forgotten is gone from the file, too.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     store = HandStore(Path(folder) / "hands.sqlite3")
...     store.put_visit("ann", {"ruleset": "mcr"}, photo=None)
...     store.visit("ann"), store.visit("ben")
(({'ruleset': 'mcr'}, None), None)
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path  # noqa: TC003  # the example above makes one
from typing import TYPE_CHECKING, Any, Final

from tilescore.base.paths import data_folder
from tilescore.ui.storage.database import Database

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

MIGRATIONS: Final = (
    """
    CREATE TABLE photos (digest TEXT PRIMARY KEY, jpeg BLOB NOT NULL);
    CREATE TABLE visits (
        visitor TEXT PRIMARY KEY, state TEXT NOT NULL, photo TEXT REFERENCES photos (digest), at TEXT NOT NULL
    );
    CREATE TABLE hands (
        id TEXT PRIMARY KEY, visitor TEXT NOT NULL, at TEXT NOT NULL, ruleset TEXT NOT NULL, notation TEXT NOT NULL,
        total INTEGER NOT NULL, unit TEXT NOT NULL, lines TEXT NOT NULL, state TEXT NOT NULL,
        photo TEXT REFERENCES photos (digest)
    );
    CREATE INDEX hands_of ON hands (visitor, at);
    """,
)
"""The steps of the schema: a file of version n has been through the first n. Steps are added, never changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepConfig:
    """How much is kept.

    Attributes:
        most_visits: The hands on the tables of this many browsers, the latest ones (chosen).
        most_hands: This many past hands of a browser, the latest ones (chosen).
    """

    most_visits: int = 200
    most_hands: int = 2000


KEEP: Final = KeepConfig()
"""The defaults."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastHand:
    """A hand that a browser scored.

    Attributes:
        id: what distinguishes it.
        at: when it was scored first.
        ruleset: by which rules.
        notation: its tiles.
        total: its score.
        unit: points or han.
        lines: the keys of the lines of its score.
        state: the hand as `tilescore.ui.state.hand.stored` writes it.
        has_photo: whether a photo shows it.
    """

    id: str
    at: datetime
    ruleset: str
    notation: str
    total: int
    unit: str
    lines: tuple[str, ...]
    state: Mapping[str, Any]
    has_photo: bool = False


@dataclass(frozen=True, slots=True)
class HandStore:
    """The file of the hands; all methods raise StoreError."""

    path: Path = field(default_factory=lambda: data_folder() / "hands.sqlite3")
    config: KeepConfig = KEEP

    @property
    def _file(self) -> Database:
        return Database(self.path, MIGRATIONS, durable=False)

    def put_visit(self, visitor: str, state: Mapping[str, Any], *, photo: bytes | None) -> None:
        """Keep the table of that browser instead of the one before."""
        with self._file.writing() as file:
            row = (visitor, json.dumps(state, ensure_ascii=False), _put_photo(file, photo), _now())
            file.execute("INSERT OR REPLACE INTO visits (visitor, state, photo, at) VALUES (?, ?, ?, ?)", row)
            file.execute(
                "DELETE FROM visits WHERE visitor NOT IN (SELECT visitor FROM visits ORDER BY at DESC LIMIT ?)",
                (self.config.most_visits,),
            )
            _drop_photos(file)

    def visit(self, visitor: str) -> tuple[Mapping[str, Any], bytes | None] | None:
        """The table of that browser and its photo; None for an unknown browser."""
        with self._file.reading() as file:
            question = "SELECT state, jpeg FROM visits LEFT JOIN photos ON photo = digest WHERE visitor = ?"
            row = file.execute(question, (visitor,)).fetchone()
        return None if row is None else (json.loads(row[0]), row[1])

    def put_hand(self, visitor: str, hand: PastHand, *, photo: bytes | None) -> None:
        """Keep a hand, or its new state; the time of the first stays."""
        lines, state = (json.dumps(value, ensure_ascii=False) for value in (hand.lines, hand.state))
        with self._file.writing() as file:
            row = (hand.id, visitor, hand.at.isoformat(), hand.ruleset, hand.notation, hand.total, hand.unit)
            file.execute(
                "INSERT INTO hands (id, visitor, at, ruleset, notation, total, unit, lines, state, photo) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET ruleset = excluded.ruleset, "
                "notation = excluded.notation, total = excluded.total, unit = excluded.unit, lines = excluded.lines, "
                "state = excluded.state, photo = excluded.photo WHERE visitor = excluded.visitor",
                (*row, lines, state, _put_photo(file, photo)),
            )
            file.execute(
                "DELETE FROM hands WHERE visitor = ? AND id NOT IN "
                "(SELECT id FROM hands WHERE visitor = ? ORDER BY at DESC LIMIT ?)",
                (visitor, visitor, self.config.most_hands),
            )
            _drop_photos(file)

    def hands(self, visitor: str) -> tuple[PastHand, ...]:
        """The past hands of that browser, the latest first."""
        with self._file.reading() as file:
            return tuple(_past_hand(row) for row in file.execute(f"{_QUESTION} ORDER BY at DESC", (visitor,)))

    def photo(self, visitor: str, name: str) -> bytes | None:
        """The photo of that hand; None if there is none."""
        with self._file.reading() as file:
            question = "SELECT jpeg FROM hands JOIN photos ON photo = digest WHERE visitor = ? AND id = ?"
            row = file.execute(question, (visitor, name)).fetchone()
        return None if row is None else bytes(row[0])

    def forget(self, visitor: str, names: Iterable[str]) -> None:
        """Delete these hands of that browser with their photos, from its table, too."""
        rows = [(visitor, name) for name in names]
        with self._file.writing() as file:
            file.executemany("DELETE FROM hands WHERE visitor = ? AND id = ?", rows)
            file.executemany(
                "DELETE FROM visits WHERE visitor = ? AND json_valid(state) AND json_extract(state, '$.work.id') = ?",
                rows,
            )
            _drop_photos(file)
        self._file.trim()


_QUESTION: Final = (
    "SELECT id, at, ruleset, notation, total, unit, lines, state, photo IS NOT NULL FROM hands WHERE visitor = ?"
)


def _past_hand(row: tuple[Any, ...]) -> PastHand:
    name, at, ruleset, notation, total, unit, lines, state, has_photo = row
    return PastHand(
        id=name, at=datetime.fromisoformat(at), ruleset=ruleset, notation=notation, total=total, unit=unit,
        lines=tuple(json.loads(lines)), state=json.loads(state), has_photo=bool(has_photo),
    )  # fmt: skip


def _put_photo(file: sqlite3.Connection, jpeg: bytes | None) -> str | None:
    """Keep a photo once, however many hands it shows; its digest."""
    if jpeg is None:
        return None
    digest = hashlib.sha256(jpeg).hexdigest()
    file.execute("INSERT OR IGNORE INTO photos (digest, jpeg) VALUES (?, ?)", (digest, jpeg))
    return digest


def _drop_photos(file: sqlite3.Connection) -> None:
    """Delete photos that no hand shows any more."""
    file.execute(
        "DELETE FROM photos WHERE digest NOT IN (SELECT photo FROM visits WHERE photo IS NOT NULL "
        "UNION SELECT photo FROM hands WHERE photo IS NOT NULL)"
    )


def _now() -> str:
    return datetime.now(UTC).isoformat()
