"""What is known about every picture of a folder, in SQLite, so that 20,000 of them open and turn over at once.

The index is derived: label files and histories are the truth, and a lost index is made again. `refresh` looks only at
files that changed since; a kill midway keeps what was done.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager
from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING, Final

from datasets.annotation import Annotation, Source
from datasets.annotation_folder import PRIVATE
from datasets.label_checks import check_picture
from datasets.labels import LabelledPicture, Problem
from datasets.opinions import SURE, Opinion
from datasets.picture_files import DAMAGE, upright_size_wh
from scoring.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from datasets.annotation_folder import AnnotationFolder, PictureFile

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS picture (
    key TEXT PRIMARY KEY, stamp TEXT, state TEXT, width INT, height INT, checked INT, boxes INT, open INT, worst REAL,
    problem TEXT
);
CREATE INDEX IF NOT EXISTS picture_worst ON picture (IFNULL(worst, 2), key);
CREATE INDEX IF NOT EXISTS picture_open ON picture (checked, key);
CREATE TABLE IF NOT EXISTS mark (
    key TEXT, number INT, name TEXT, x0 REAL, y0 REAL, x1 REAL, y1 REAL, source TEXT, trust REAL,
    PRIMARY KEY (key, number)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS mark_name ON mark (name, IFNULL(trust, 2), key);
CREATE TABLE IF NOT EXISTS remark (key TEXT, code TEXT, detail TEXT, rank REAL);
CREATE INDEX IF NOT EXISTS remark_key ON remark (key);
CREATE INDEX IF NOT EXISTS remark_rank ON remark (rank);
CREATE TABLE IF NOT EXISTS opinion (key TEXT PRIMARY KEY, stamp TEXT, text TEXT);
CREATE TABLE IF NOT EXISTS small (key TEXT, part TEXT, stamp TEXT, jpeg BLOB, PRIMARY KEY (key, part));
"""
_VERSION: Final = 1
"""Counted up when the schema changes: an older index is thrown away and made again."""
_AT_ONCE: Final = 250
_RANKS: Final = {
    "disagrees": 1.0, "missed": 0.9, "contradictory_boxes": 0.85, "five_of_a_kind": 0.8, "duplicate_box": 0.75,
    "odd_shape": 0.6, "odd_size": 0.5, "box_outside": 0.4,
}  # fmt: skip
"""How much a remark asks for a look."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A picture in a list; `worst` is the least trust in a mark, None when no model was asked."""

    key: str
    size_wh: tuple[int, int]
    checked: bool
    boxes: int
    open: int
    worst: float | None

    @property
    def doubtful(self) -> bool:
        """Whether something in it is worth a look."""
        return not self.checked and self.worst is not None and self.worst < SURE


@dataclass(frozen=True, slots=True)
class Known:
    """A mark in a list of tiles of one class."""

    key: str
    number: int
    name: str
    xyxy: tuple[float, float, float, float]
    trust: float | None


@dataclass(frozen=True, slots=True)
class Suspect:
    """A picture with something odd in it; `rank` says how much it asks for a look (0-2)."""

    key: str
    code: str
    detail: str
    rank: float


@dataclass(frozen=True, slots=True)
class Counts:
    """How far the labelling is."""

    pictures: int
    checked: int
    doubtful: int


@dataclass(frozen=True, slots=True)
class Choice:
    """Which pictures are gone through, and in which order.

    Attributes:
        state: `all`, `unchecked`, `doubtful` or `checked`.
        name: only pictures with a tile of this class, when given.
        by_doubt: the least trusted first, instead of by name.
    """

    state: str = "all"
    name: str = ""
    by_doubt: bool = False

    @property
    def where(self) -> str:
        """The condition in SQL; `:name` is the class."""
        states = {"unchecked": "NOT checked", "checked": "checked", "doubtful": _DOUBTFUL}
        parts = ["problem IS NULL", states.get(self.state, "1")]
        if self.name:
            parts.append("key IN (SELECT key FROM mark WHERE name = :name)")
        return " AND ".join(parts)

    @property
    def order(self) -> tuple[str, str]:
        """What pictures are compared by, in SQL, and the place of `:key` among them."""
        return ("(IFNULL(worst, 2), key)", "(:worst, :key)") if self.by_doubt else ("key", ":key")


def _columns(choice: Choice) -> tuple[str, ...]:
    return ("IFNULL(worst, 2)", "key") if choice.by_doubt else ("key",)


_DOUBTFUL: Final = f"NOT checked AND IFNULL(worst, 1) < {SURE}"
EVERYTHING: Final = Choice()


class Index:
    """The index of one folder; one for all visitors of a process, several processes share the file."""

    def __init__(self, folder: AnnotationFolder) -> None:
        """Open the index, or make an empty one; raises InputError when the folder cannot be written."""
        self.folder = folder
        self._lock = RLock()
        self._files: dict[str, PictureFile] = {}
        self.problems: tuple[Problem, ...] = ()
        place = folder.root / PRIVATE / "index.sqlite3"
        try:
            place.parent.mkdir(exist_ok=True)
            self._database = _opened(place)
        except (OSError, sqlite3.Error) as error:
            message = f"'{folder.root}' cannot be written ({error}): labels need a place; copy the pictures elsewhere."
            raise InputError("cannot_write", message, path=str(folder.root)) from None

    # Taking in

    def refresh(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Take in what was added, changed or taken away; `progress` hears how many of the changed ones are done."""
        files, problems = self.folder.pictures()
        with self._lock:
            rows = self._database.execute("SELECT key, stamp, state FROM picture")
            known = {key: (stamp, state) for key, stamp, state in rows}
            gone = known.keys() - {picture.key for picture in files}
            for table in ("picture", "mark", "remark", "opinion", "small") if gone else ():
                self._database.executemany(f"DELETE FROM {table} WHERE key = ?", [(key,) for key in gone])  # noqa: S608
            changed = [picture for picture in files if known.get(picture.key) != self._stamps(picture)]
            for done, picture in enumerate(changed):
                if progress is not None and done % 20 == 0:
                    progress(done, len(changed))
                self._take_in(picture)
                if done % _AT_ONCE == 0:
                    self._database.commit()
            self._database.commit()
            self._files = {picture.key: picture for picture in files}
            unusable = self._database.execute("SELECT key, problem FROM picture WHERE problem IS NOT NULL ORDER BY key")
            self.problems = (*problems, *(Problem("unreadable_picture", key, detail) for key, detail in unusable))

    def note(self, picture: PictureFile, now: Annotation) -> None:
        """Take in a change that was just saved."""
        with self._writing():
            row = self._database.execute("SELECT width, height FROM picture WHERE key = ?", (picture.key,)).fetchone()
            if row is not None:
                self._put(picture, (row[0], row[1]), now)

    def keep_opinion(self, picture: PictureFile, opinion: Opinion) -> None:
        """Remember what a model says about a picture."""
        with self._writing():
            row = (picture.key, _stamp(picture.path), opinion.to_text())
            self._database.execute("INSERT OR REPLACE INTO opinion VALUES (?, ?, ?)", row)
            self._take_in(picture)

    def keep_small(self, picture: PictureFile, part: str, jpeg: bytes) -> None:
        """Remember a small version of a picture or of a part of it."""
        with self._writing():
            row = (picture.key, part, _stamp(picture.path), jpeg)
            self._database.execute("INSERT OR REPLACE INTO small VALUES (?, ?, ?, ?)", row)

    # Looking up

    def file(self, key: str) -> PictureFile:
        """The picture of that key; raises InputError."""
        try:
            return self._files[key]
        except KeyError:
            raise InputError("no_such_picture", f"'{key}' is not in this folder.", key=key) from None

    def opinion(self, picture: PictureFile) -> Opinion | None:
        """What a model said about the picture as it is now."""
        with self._lock:
            query = "SELECT text FROM opinion WHERE key = ? AND stamp = ?"
            row = self._database.execute(query, (picture.key, _stamp(picture.path))).fetchone()
        return None if row is None else Opinion.parse(row[0])

    def without_opinion(self, model: str) -> tuple[PictureFile, ...]:
        """Pictures that the model has not been asked about; one that was changed since counts too."""
        with self._lock:
            rows = self._database.execute("SELECT key, stamp, text FROM opinion")
            known = {key: stamp for key, stamp, text in rows if text.startswith(f'["{model}"')}
            sound = [key for (key,) in self._database.execute("SELECT key FROM picture WHERE problem IS NULL")]
        files = [self._files[key] for key in sorted(sound) if key in self._files]
        return tuple(picture for picture in files if known.get(picture.key) != _stamp(picture.path))

    def small(self, picture: PictureFile, part: str) -> bytes | None:
        """A small version that was kept."""
        with self._lock:
            query = "SELECT jpeg FROM small WHERE key = ? AND part = ? AND stamp = ?"
            row = self._database.execute(query, (picture.key, part, _stamp(picture.path))).fetchone()
        return None if row is None else bytes(row[0])

    def entry(self, key: str) -> Entry | None:
        """What is known of one picture."""
        found = self._entries("key = :key AND problem IS NULL", "key", 1, key=key)
        return found[0] if found else None

    def beside(self, key: str, choice: Choice, count: int) -> tuple[Entry, ...]:
        """At most so many pictures after this one, in the order of the choice; those before it for a negative count.

        An empty key stands before the first.
        """
        what, place = choice.order
        compare, direction = (">", "") if count > 0 else ("<", " DESC")
        order = ", ".join(f"{part}{direction}" for part in _columns(choice))
        return self._entries(
            f"{choice.where} AND {what} {compare} {place}", order, abs(count), key=key, name=choice.name,
            worst=self._worst(key),
        )  # fmt: skip

    def first(self, choice: Choice = EVERYTHING) -> Entry | None:
        """The first picture of the choice."""
        return next(iter(self.beside("", choice, 1)), None)

    def holds(self, key: str, choice: Choice) -> bool:
        """Whether the picture is one of the choice."""
        return bool(self._entries(f"{choice.where} AND key = :key", "key", 1, key=key, name=choice.name))

    def place(self, key: str, choice: Choice) -> tuple[int, int]:
        """Which of how many the picture is in the choice, from 1."""
        what, place = choice.order
        values = {"worst": self._worst(key), "key": key, "name": choice.name}
        query = f"SELECT SUM({what} <= {place}), COUNT(*) FROM picture WHERE {choice.where}"  # noqa: S608
        with self._lock:
            before, total = self._database.execute(query, values).fetchone()
        return before or 0, total

    def counts(self) -> Counts:
        """How far the labelling is."""
        query = f"SELECT COUNT(*), SUM(checked), SUM({_DOUBTFUL}) FROM picture WHERE problem IS NULL"  # noqa: S608
        with self._lock:
            pictures, checked, doubtful = self._database.execute(query).fetchone()
        return Counts(pictures, checked or 0, doubtful or 0)

    def names(self) -> tuple[tuple[str, int], ...]:
        """Every class that occurs, and how often."""
        with self._lock:
            return tuple(self._database.execute("SELECT name, COUNT(*) FROM mark GROUP BY name"))

    def of_class(self, name: str, *, start: int, count: int) -> tuple[Known, ...]:
        """Tiles called that, those that the model believes least first."""
        query = (
            "SELECT key, number, name, x0, y0, x1, y1, trust FROM mark WHERE name = ? "
            "ORDER BY IFNULL(trust, 2), key, number LIMIT ? OFFSET ?"
        )
        with self._lock:
            rows = self._database.execute(query, (name, count, start)).fetchall()
        return tuple(Known(row[0], row[1], row[2], (row[3], row[4], row[5], row[6]), row[7]) for row in rows)

    def suspects(self, *, start: int, count: int) -> tuple[tuple[Suspect, ...], int]:
        """What asks for a look, the most suspicious first, and how many there are."""
        query = "SELECT key, code, detail, rank FROM remark ORDER BY rank DESC, key, code LIMIT ? OFFSET ?"
        with self._lock:
            rows = self._database.execute(query, (count, start)).fetchall()
            total = self._database.execute("SELECT COUNT(*) FROM remark").fetchone()[0]
        return tuple(Suspect(*row) for row in rows), total

    def _worst(self, key: str) -> float:
        here = self.entry(key)
        return -1.0 if here is None else 2.0 if here.worst is None else here.worst

    def _entries(self, where: str, order: str, limit: int, **values: object) -> tuple[Entry, ...]:
        query = (
            f"SELECT key, width, height, checked, boxes, open, worst FROM picture WHERE {where} "  # noqa: S608
            f"ORDER BY {order} LIMIT {limit}"
        )
        with self._lock:
            rows = self._database.execute(query, values).fetchall()
        return tuple(Entry(row[0], (row[1], row[2]), bool(row[3]), *row[4:]) for row in rows)

    def _take_in(self, picture: PictureFile) -> None:
        """Read a picture's size and marks anew."""
        try:
            size_wh = upright_size_wh(picture.path)
            opened = self.folder.open(picture)
        except (InputError, *DAMAGE) as error:
            self._forget(picture.key)
            row = (picture.key, *self._stamps(picture), 0, 0, 0, 0, 0, None, f"it cannot be used: {error}")
            self._database.execute("INSERT OR REPLACE INTO picture VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            return
        now = opened.now
        opinion = self.opinion(picture)
        if opened.is_new and opinion is not None:
            now = Annotation(opinion.suggestions())
        self._put(picture, size_wh, now, opinion)

    def _put(
        self, picture: PictureFile, size_wh: tuple[int, int], now: Annotation, opinion: Opinion | None = None
    ) -> None:
        opinion = self.opinion(picture) if opinion is None else opinion
        trusts = [None if opinion is None else opinion.trust(mark) for mark in now.marks]
        self._forget(picture.key)
        self._database.executemany(
            "INSERT INTO mark VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (picture.key, number, mark.name, *mark.box.xyxy, str(mark.source), trust)
                for number, (mark, trust) in enumerate(zip(now.marks, trusts, strict=True))
            ],
        )
        self._database.executemany(
            "INSERT INTO remark VALUES (?, ?, ?, ?)",
            [(picture.key, code, detail, rank) for code, detail, rank in _remarks(picture, size_wh, now, opinion)],
        )
        open_count = sum(mark.source is Source.MODEL for mark in now.marks)
        # What a person has named is no longer asked about.
        asked = [
            trust
            for mark, trust in zip(now.marks, trusts, strict=True)
            if trust is not None and mark.source is not Source.PERSON
        ]
        row = (picture.key, *self._stamps(picture), *size_wh, now.checked, len(now.marks), open_count)
        self._database.execute(
            "INSERT OR REPLACE INTO picture VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)", (*row, min(asked, default=None))
        )

    def _forget(self, key: str) -> None:
        for table in ("mark", "remark"):
            self._database.execute(f"DELETE FROM {table} WHERE key = ?", (key,))  # noqa: S608

    def _stamps(self, picture: PictureFile) -> tuple[str, str]:
        """What changes when the picture changes, and when its marks do."""
        history = self.folder.history_file(picture)
        return _stamp(picture.path), f"{_stamp(picture.labels)} {_stamp(history)}"

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
                self._database.commit()
            except BaseException:
                self._database.rollback()
                raise


def _opened(place: Path) -> sqlite3.Connection:
    database = sqlite3.connect(place, timeout=20, check_same_thread=False)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = NORMAL")
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if version not in (0, _VERSION):
        for table in ("picture", "mark", "remark", "opinion", "small"):
            database.execute(f"DROP TABLE IF EXISTS {table}")
    database.executescript(_SCHEMA)
    database.execute(f"PRAGMA user_version = {_VERSION}")
    database.commit()
    return database


def _stamp(path: Path) -> str:
    """Size and time of a file, or nothing when it is not there."""
    try:
        found = os.stat(path)  # noqa: PTH116  # 20,000 files, three times
    except OSError:
        return ""
    return f"{found.st_size}.{found.st_mtime_ns}"


def _remarks(
    picture: PictureFile, size_wh: tuple[int, int], now: Annotation, opinion: Opinion | None
) -> Iterator[tuple[str, str, float]]:
    """What is odd about the marks: code, words, rank."""
    if now.checked:
        return
    labelled = LabelledPicture(picture.path, size_wh, now.labels, picture.key)
    for remark in check_picture(labelled):
        yield remark.code, remark.detail, _RANKS.get(remark.code, 0.5)
    if opinion is None:
        return
    for mark in now.marks:
        trust = opinion.trust(mark)
        if mark.source is Source.FILE and trust < 0.5:
            guesses = opinion.guesses(mark.box)
            other = f"rather {guesses[0][0]} ({guesses[0][1]:.0%})" if guesses else "no tile there"
            yield "disagrees", f"labelled {mark.name}, the model sees {other}", _RANKS["disagrees"] + 0.5 - trust
    for seen in opinion.missed(now.marks):
        name, share = seen.guesses[0]
        if share >= SURE:
            yield "missed", f"no box where the model sees {name} ({share:.0%})", _RANKS["missed"] * share
