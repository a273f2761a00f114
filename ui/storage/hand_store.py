"""The hands of each browser in one SQLite file: the one on its table, and those that it scored before.

A browser sees its own hands only. What is forgotten is gone from the file, too. Every row has a checksum, and every
photo is named by its digest: what is damaged is not shown, and hides nothing else.

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
from tilescore.ui.storage.database import DAMAGE, Database, row_sum

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

    from tilescore.base.files.owed import Owed

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
    """
    ALTER TABLE hands ADD COLUMN checksum TEXT NOT NULL DEFAULT '';
    ALTER TABLE visits ADD COLUMN checksum TEXT NOT NULL DEFAULT '';
    UPDATE hands SET checksum = row_sum(id, visitor, at, ruleset, notation, total, unit, lines, state, photo);
    UPDATE visits SET checksum = row_sum(visitor, state, photo, at);
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
class PastHands:
    """The past hands of a browser.

    Attributes:
        hands: those that are whole, the latest first.
        is_whole: whether these are all that were kept.
    """

    hands: tuple[PastHand, ...]
    is_whole: bool = True


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
            file.execute(
                "INSERT OR REPLACE INTO visits (visitor, state, photo, at, checksum) VALUES (?, ?, ?, ?, ?)",
                (*row, row_sum(*row)),
            )
            file.execute(
                "DELETE FROM visits WHERE visitor NOT IN (SELECT visitor FROM visits ORDER BY at DESC LIMIT ?)",
                (self.config.most_visits,),
            )
            _drop_photos(file)

    def visit(self, visitor: str) -> tuple[Mapping[str, Any], bytes | None] | None:
        """The table of that browser and its photo; None for an unknown browser and for a damaged table."""
        with self._file.reading() as file:
            question = "SELECT visitor, state, photo, at, checksum FROM visits WHERE visitor = ?"
            row = file.execute(question, (visitor,)).fetchone()
            if row is None or row_sum(*row[:-1]) != row[-1]:
                return None
            photo = _whole_photo(file, row[2])
        return None if row[2] is not None and photo is None else (json.loads(row[1]), photo)

    def put_hand(self, visitor: str, hand: PastHand, *, photo: bytes | None) -> None:
        """Keep a hand, or its new state; the time of the first stays."""
        lines, state = (json.dumps(value, ensure_ascii=False) for value in (hand.lines, hand.state))
        with self._file.writing() as file:
            question = "SELECT at FROM hands WHERE id = ? AND visitor = ?"
            (at,) = file.execute(question, (hand.id, visitor)).fetchone() or (hand.at.isoformat(),)
            what = (hand.ruleset, hand.notation, hand.total, hand.unit, lines, state, _put_photo(file, photo))
            row = (hand.id, visitor, at, *what)
            file.execute(
                "INSERT INTO hands (id, visitor, at, ruleset, notation, total, unit, lines, state, photo, checksum) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET ruleset = excluded.ruleset, "
                "notation = excluded.notation, total = excluded.total, unit = excluded.unit, lines = excluded.lines, "
                "state = excluded.state, photo = excluded.photo, checksum = excluded.checksum "
                "WHERE visitor = excluded.visitor",
                (*row, row_sum(*row)),
            )
            file.execute(
                "DELETE FROM hands WHERE visitor = ? AND id NOT IN "
                "(SELECT id FROM hands WHERE visitor = ? ORDER BY at DESC LIMIT ?)",
                (visitor, visitor, self.config.most_hands),
            )
            _drop_photos(file)

    def hands(self, visitor: str) -> PastHands:
        """The past hands of that browser."""
        found, is_whole = [], True
        with self._file.reading() as file:
            try:
                for row in file.execute(_ROWS):
                    if row_sum(*row[:-1]) != row[-1]:
                        is_whole = False
                    elif row[1] == visitor:
                        found.append(_past_hand(row))
            except DAMAGE:  # a page of the file: the rows before it are whole
                is_whole = False
        return PastHands(tuple(sorted(found, key=lambda hand: hand.at, reverse=True)), is_whole)

    def photo(self, visitor: str, name: str) -> bytes | None:
        """The photo of that hand; None if there is none or if it is damaged."""
        with self._file.reading() as file:
            question = "SELECT photo FROM hands WHERE visitor = ? AND id = ?"
            row = file.execute(question, (visitor, name)).fetchone()
            return None if row is None else _whole_photo(file, row[0])

    @property
    def owed(self) -> Owed:
        """The notes about hands that are not gone from the file yet."""
        return self._file.owed

    def settle(self) -> bool:
        """Delete what the file still holds of deleted hands; whether nothing is left."""
        return self._file.settle()

    def forget(self, visitor: str, names: Iterable[str]) -> None:
        """Delete these hands of that browser with their photos, from its table, too."""
        rows = [(visitor, name) for name in names]
        with self._file.erasing(_HANDS) as file:
            file.executemany("DELETE FROM hands WHERE visitor = ? AND id = ?", rows)
            file.executemany(
                "DELETE FROM visits WHERE visitor = ? AND json_valid(state) AND json_extract(state, '$.work.id') = ?",
                rows,
            )
            _drop_photos(file)
        self.settle()

    def forget_all(self, visitor: str) -> None:
        """Delete all hands of that browser with their photos, from its table, too, and damaged ones of no browser."""
        with self._file.erasing(_HANDS) as file:
            file.execute(
                "DELETE FROM visits WHERE visitor = ? AND (NOT json_valid(state) "
                "OR json_extract(state, '$.work.id') IN (SELECT id FROM hands NOT INDEXED WHERE visitor = ?))",
                (visitor, visitor),
            )
            file.execute(
                "DELETE FROM hands NOT INDEXED WHERE visitor = ? OR (visitor NOT IN (SELECT visitor FROM visits) "
                "AND checksum <> row_sum(id, visitor, at, ruleset, notation, total, unit, lines, state, photo))",
                (visitor,),
            )
            _drop_photos(file)
        self.settle()


_HANDS: Final = "hands"
"""What the file owes once hands were deleted."""
_ROWS: Final = (
    "SELECT id, visitor, at, ruleset, notation, total, unit, lines, state, photo, checksum FROM hands NOT INDEXED"
)
"""All rows, because a damaged one may name another browser, and a damaged index none."""


def _past_hand(row: tuple[Any, ...]) -> PastHand:
    name, _, at, ruleset, notation, total, unit, lines, state, photo, _ = row
    return PastHand(
        id=name, at=datetime.fromisoformat(at), ruleset=ruleset, notation=notation, total=total, unit=unit,
        lines=tuple(json.loads(lines)), state=json.loads(state), has_photo=photo is not None,
    )  # fmt: skip


def _whole_photo(file: sqlite3.Connection, digest: str | None) -> bytes | None:
    """The photo with that digest, if it is there and whole."""
    row = file.execute("SELECT jpeg FROM photos WHERE digest = ?", (digest,)).fetchone()
    return bytes(row[0]) if row is not None and hashlib.sha256(row[0]).hexdigest() == digest else None


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
