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

import base64
import hashlib
import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path  # the example above makes one
from typing import Any, Final

from tilescore.files.paths import data_folder
from tilescore.scoring.ruleset import RULESETS
from tilescore.ui.storage.copies.fields import FileField
from tilescore.ui.storage.database import UNREADABLE, Database, row_sum

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
    """
    CREATE TABLE hands_of_browsers (
        id TEXT NOT NULL, visitor TEXT NOT NULL, at TEXT NOT NULL, ruleset TEXT NOT NULL, notation TEXT NOT NULL,
        total INTEGER NOT NULL, unit TEXT NOT NULL, lines TEXT NOT NULL, state TEXT NOT NULL,
        photo TEXT REFERENCES photos (digest), checksum TEXT NOT NULL, PRIMARY KEY (visitor, id)
    );
    INSERT INTO hands_of_browsers SELECT * FROM hands NOT INDEXED;
    DROP TABLE hands;
    ALTER TABLE hands_of_browsers RENAME TO hands;
    CREATE INDEX hands_of ON hands (visitor, at);
    """,
)
"""The steps of the schema: a file of version n has been through the first n. Steps are added, never changed."""
_MOST_POINTS: Final = 10**12
"""More than any hand is worth (chosen)."""
_STATE_BYTES: Final = 2_000_000
"""Most bytes of the state of a hand; 60 tiles with all their names have 40,000 (chosen)."""
_AT_ONCE: Final = 10
"""So many hands with their photos are in memory (chosen)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastHand:
    """A hand that a browser scored."""

    id: str  # what distinguishes it
    at: datetime  # when it was scored first
    ruleset: str
    notation: str  # its tiles
    total: int
    unit: str  # points or han
    lines: tuple[str, ...]  # the keys of the lines of its score
    state: str  # the hand as `tilescore.ui.state.hand.stored` writes it, a JSON text: a list of hands needs none of it
    has_photo: bool = False  # whether a photo shows it

    def to_json(self) -> dict[str, Any]:
        """The JSON object that `of` reads."""
        return {
            "id": self.id, "at": self.at.isoformat(), "ruleset": self.ruleset, "notation": self.notation,
            "total": self.total, "unit": self.unit, "lines": list(self.lines), "state": json.loads(self.state),
        }  # fmt: skip

    @classmethod
    def of(cls, field: FileField) -> PastHand:
        """The hand of a JSON object, every field checked by its type and range; raises BackupError."""
        state = field.member("state").json_object(most=_STATE_BYTES)
        return cls.listed(field, state=json.dumps(state, ensure_ascii=False))

    @staticmethod
    def listed(field: FileField, *, state: str) -> PastHand:
        """The hand of a JSON object and its state, which is not checked; raises BackupError."""
        return PastHand(
            id=field.member("id").text(least=1, most=64),
            at=field.member("at").time(),
            ruleset=field.member("ruleset").one_of(RULESETS),
            notation=field.member("notation").text(most=400),
            total=field.member("total").whole(-_MOST_POINTS, _MOST_POINTS),
            unit=field.member("unit").text(most=40),
            lines=tuple(line.text(least=1, most=100) for line in field.member("lines").items(most=200)),
            state=state,
        )


@dataclass(frozen=True, slots=True)
class PastHands:
    """The past hands of a browser."""

    hands: tuple[PastHand, ...]  # those that are whole, the latest first
    damaged: int = 0  # how many others of this browser, or of none, are damaged
    is_whole: bool = True  # whether these are all that were kept


@dataclass(frozen=True, slots=True)
class HandStore:
    """The file of the hands; all methods raise StoreError."""

    path: Path = field(default_factory=lambda: data_folder() / "hands.sqlite3")
    most_visits: int = 200  # the hands on the tables of so many browsers are kept, the latest ones (chosen)

    @property
    def file(self) -> Database:
        """The database."""
        return Database(self.path, MIGRATIONS, holds="hands", durable=False)

    def put_visit(self, visitor: str, state: Mapping[str, Any], *, photo: bytes | None) -> None:
        """Keep the table of that browser instead of the one before."""
        with self.file.writing() as file:
            row = (visitor, json.dumps(state, ensure_ascii=False), _put_photo(file, photo), _written(datetime.now(UTC)))
            file.execute(
                "INSERT OR REPLACE INTO visits (visitor, state, photo, at, checksum) VALUES (?, ?, ?, ?, ?)",
                (*row, row_sum(*row)),
            )
            file.execute(
                "DELETE FROM visits WHERE visitor NOT IN (SELECT visitor FROM visits ORDER BY at DESC LIMIT ?)",
                (self.most_visits,),
            )
            _drop_photos(file)

    def visit(self, visitor: str) -> tuple[Mapping[str, Any], bytes | None] | None:
        """The table of that browser and its photo; None for an unknown browser and for a damaged table."""
        with self.file.reading() as file:
            question = "SELECT visitor, state, photo, at, checksum FROM visits WHERE visitor = ?"
            row = file.execute(question, (visitor,)).fetchone()
            if row is None or row_sum(*row[:-1]) != row[-1]:
                return None
            photo = _whole_photo(file, row[2])
        return None if row[2] is not None and photo is None else (json.loads(row[1]), photo)

    def put_hand(self, visitor: str, hand: PastHand, *, photo: bytes | None) -> None:
        """Keep a hand, or its new state; the time of the first stays."""
        with self.file.writing() as file:
            question = "SELECT at FROM hands WHERE id = ? AND visitor = ?"
            (at,) = file.execute(question, (hand.id, visitor)).fetchone() or (_written(hand.at),)
            _put(file, visitor, hand, at=at, photo=photo)
            _drop_photos(file)

    @contextmanager
    def taking(self, visitor: str) -> Iterator[Callable[[PastHand, bytes | None], bool]]:
        """One transaction for hands that come in: the function keeps a hand with its photo, unless it is here already.

        The function gives whether the hand is new.
        """
        with self.file.writing() as file:

            def take(hand: PastHand, photo: bytes | None) -> bool:
                question = "SELECT 1 FROM hands WHERE id = ? AND visitor = ?"
                is_new = file.execute(question, (hand.id, visitor)).fetchone() is None
                if is_new:
                    _put(file, visitor, hand, at=_written(hand.at), photo=photo)
                return is_new

            yield take

    def hands(self, visitor: str) -> PastHands:
        """The past hands of that browser."""
        with self.file.reading() as file:
            rows = list(_rows(file, visitor))
        hands = [hand for _, hand, _ in rows if hand is not None]
        is_whole = len(hands) == len(rows)
        damaged = sum(mine for _, hand, mine in rows if hand is None)
        return PastHands(tuple(sorted(hands, key=lambda hand: hand.at, reverse=True)), damaged, is_whole)

    def each(self, visitor: str) -> Iterator[tuple[PastHand, bytes | None]]:
        """The whole past hands of that browser with their photos, a few at a time in memory, the latest first."""
        with self.file.reading() as file:
            dated = [(hand.at, number) for number, hand, _ in _rows(file, visitor) if hand is not None]
        numbers = [number for _, number in sorted(dated, key=itemgetter(0), reverse=True)]
        for start in range(0, len(numbers), _AT_ONCE):
            with self.file.reading() as file:
                some = [_whole_hand(file, number) for number in numbers[start : start + _AT_ONCE]]
            yield from (hand for hand in some if hand is not None)

    def remains(self, visitor: str) -> str:
        """What can be read of the damaged hands of that browser, or of none, as a JSON text."""
        with self.file.reading() as file:
            rows = [_remains(file, number) for number, hand, mine in _rows(file, visitor) if hand is None and mine]
        return json.dumps({"tilescore_remains": "hands", "rows": rows}, ensure_ascii=False, indent=1, default=repr)

    def forget_damaged(self, visitor: str) -> None:
        """Delete the damaged hands of that browser, or of none, with their photos; call `file.settle` afterwards."""
        with self.file.erasing(_HANDS) as file:
            numbers = [(number,) for number, hand, mine in _rows(file, visitor) if hand is None and mine]
            file.executemany("DELETE FROM hands NOT INDEXED WHERE rowid = ?", numbers)
            _drop_photos(file)

    def photo(self, visitor: str, name: str) -> bytes | None:
        """The photo of that hand; None if there is none or if it is damaged."""
        with self.file.reading() as file:
            question = "SELECT photo FROM hands WHERE visitor = ? AND id = ?"
            row = file.execute(question, (visitor, name)).fetchone()
            return None if row is None else _whole_photo(file, row[0])

    def forget(self, visitor: str, names: Iterable[str]) -> None:
        """Delete these hands of that browser with their photos, from its table, too; call `file.settle` afterwards."""
        rows = [(visitor, name) for name in names]
        with self.file.erasing(_HANDS) as file:
            file.executemany("DELETE FROM hands WHERE visitor = ? AND id = ?", rows)
            file.executemany(
                "DELETE FROM visits WHERE visitor = ? AND json_valid(state) AND json_extract(state, '$.work.id') = ?",
                rows,
            )
            _drop_photos(file)

    def forget_photos(self, digests: Collection[str]) -> None:
        """Delete the photos with these digests, of any browser; the hands stay. Call `file.settle` afterwards."""
        with self.file.erasing(_HANDS) as file:
            for statement in _WITHOUT_PHOTO:
                file.executemany(statement, [(digest,) for digest in digests])
            _drop_photos(file)

    def forget_all(self, visitor: str) -> None:
        """Delete all hands of that browser with their photos, from its table, too, and damaged ones of no browser.

        Call `file.settle` afterwards.
        """
        with self.file.erasing(_HANDS) as file:
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


_HANDS: Final = "hands"
"""What the file owes once hands were deleted."""
_COLUMNS: Final = "id, visitor, at, ruleset, notation, total, unit, lines, state, photo"
_WITHOUT_PHOTO: Final = (
    """
    UPDATE hands SET photo = NULL, checksum =
    CASE checksum WHEN row_sum(id, visitor, at, ruleset, notation, total, unit, lines, state, photo)
    THEN row_sum(id, visitor, at, ruleset, notation, total, unit, lines, state, NULL) ELSE '' END WHERE photo = ?
    """,
    """
    UPDATE visits SET photo = NULL, checksum = CASE checksum WHEN row_sum(visitor, state, photo, at)
    THEN row_sum(visitor, state, NULL, at) ELSE '' END WHERE photo = ?
    """,
)
"""Take a photo from its rows; a damaged row stays damaged."""
_IS_OBJECT: Final = "CASE WHEN json_valid(state) THEN json_type(state) = 'object' END"
_SELECT: Final = f"SELECT rowid, {_COLUMNS}, checksum, {_IS_OBJECT} FROM hands NOT INDEXED"  # noqa: S608  # our names
"""All rows, because a damaged one may name another browser, and a damaged index none."""


def _rows(file: sqlite3.Connection, visitor: str) -> Iterator[tuple[int, PastHand | None, bool]]:
    """Number, hand and whether that browser may delete it, of each row of that browser and each damaged one.

    The hand is None if the row is damaged, or holds what no hand can have.
    """
    visitors = {name for (name,) in file.execute("SELECT visitor FROM visits")}
    try:
        for number, *row, checksum, is_object in file.execute(_SELECT):
            if row_sum(*row) != checksum:
                yield number, None, row[1] == visitor or row[1] not in visitors
            elif row[1] == visitor:
                yield number, _past_hand(row) if is_object else None, True
    except UNREADABLE:  # a page of the file: the rows before it are whole
        yield 0, None, False


def _past_hand(row: Sequence[Any]) -> PastHand | None:
    data = dict(zip(_COLUMNS.split(", "), row, strict=True))
    try:
        hand = PastHand.listed(FileField({**data, "lines": json.loads(data["lines"])}, "hand"), state=data["state"])
    except (TypeError, ValueError, RecursionError):  # a BackupError is a ValueError
        return None
    return replace(hand, has_photo=data["photo"] is not None)


def _whole_hand(file: sqlite3.Connection, number: int) -> tuple[PastHand, bytes | None] | None:
    row = file.execute(f"{_SELECT} WHERE rowid = ?", (number,)).fetchone()
    hand = _past_hand(row[1:-2]) if row is not None and row[-1] else None
    return None if hand is None else (hand, _whole_photo(file, row[-3]))


def _remains(file: sqlite3.Connection, number: int) -> dict[str, Any]:
    row = file.execute(f"{_SELECT} WHERE rowid = ?", (number,)).fetchone()
    photo = _whole_photo(file, row[-3])
    data = dict(zip(_COLUMNS.split(", "), row[1:-2], strict=True))
    return {**data, "photo": None if photo is None else base64.b64encode(photo).decode()}


def _put(file: sqlite3.Connection, visitor: str, hand: PastHand, *, at: str, photo: bytes | None) -> None:
    """Write the row of that hand, in place of the one before."""
    lines = json.dumps(hand.lines, ensure_ascii=False)
    what = (hand.ruleset, hand.notation, hand.total, hand.unit, lines, hand.state, _put_photo(file, photo))
    row = (hand.id, visitor, at, *what)
    file.execute(
        f"INSERT OR REPLACE INTO hands ({_COLUMNS}, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
        (*row, row_sum(*row)),
    )


def _whole_photo(file: sqlite3.Connection, digest: str | None) -> bytes | None:
    row = file.execute("SELECT jpeg FROM photos WHERE digest = ?", (digest,)).fetchone()
    return bytes(row[0]) if row is not None and digest_of(row[0]) == digest else None


def digest_of(jpeg: bytes) -> str:
    """The name of a photo here."""
    return hashlib.sha256(jpeg).hexdigest()


def _put_photo(file: sqlite3.Connection, jpeg: bytes | None) -> str | None:
    """Keep a photo once, however many hands it shows; its digest."""
    if jpeg is None:
        return None
    digest = digest_of(jpeg)
    file.execute("INSERT OR IGNORE INTO photos (digest, jpeg) VALUES (?, ?)", (digest, jpeg))
    return digest


def _drop_photos(file: sqlite3.Connection) -> None:
    file.execute(
        "DELETE FROM photos WHERE digest NOT IN (SELECT photo FROM visits WHERE photo IS NOT NULL "
        "UNION SELECT photo FROM hands WHERE photo IS NOT NULL)"
    )


def _written(at: datetime) -> str:
    """The time so that later ones sort later."""
    return at.astimezone(UTC).isoformat()
