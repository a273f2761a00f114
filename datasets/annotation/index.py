"""An SQLite index of a folder that is being labelled: it opens and pages through 20,000 pictures without delay.

Label files and histories hold the data; the index repeats it and can be rebuilt. `refresh` reads only files that have
changed. A kill during `refresh` keeps the pictures done so far.

The index lies in our data folder, because a database opens its files by name and would follow a link in the labelled
folder. `share_predictions` writes the predictions into the labelled folder, where another machine finds them.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import RLock
from typing import Any, Final

from tilescore.datasets.annotation.annotation_checks import check_annotation
from tilescore.datasets.annotation.folder import AnnotationFolder, PictureFile, is_closed
from tilescore.datasets.annotation.index_file import INDEX_TABLES, index_file, opened
from tilescore.datasets.annotation.listing import (
    DOUBTFUL,
    EVERYTHING,
    ClassTally,
    Counts,
    ListedMark,
    ListFilter,
    PictureEntry,
)
from tilescore.datasets.annotation.predictions import Prediction
from tilescore.datasets.checks.finding import Finding, Place, Remark
from tilescore.datasets.formats.history import PRIVATE
from tilescore.datasets.labels import Problem
from tilescore.datasets.marks import Annotation, LabelSource
from tilescore.datasets.pictures.picture_files import DAMAGE
from tilescore.errors import InputError
from tilescore.files.outputs import cannot_write
from tilescore.files.owed import Owed
from tilescore.files.paths import private_file
from tilescore.files.plain import stamp_of
from tilescore.processes.progress import Progress, unseen

_DELETED: Final = "pictures"
"""What is owed once pictures were deleted."""
_PATIENCE_MS: Final = 1500
"""How long a deletion waits for another program that reads the index."""
_COMMIT_EVERY: Final = 250
"""`refresh` commits after this many pictures."""
_REPORT_EVERY: Final = 20
"""`refresh` reports its progress after this many pictures."""


class Index:
    """The index of one folder. Threads of a process share one object, processes share the file."""

    def __init__(self, folder: AnnotationFolder) -> None:
        """Open the index or create an empty one; raises InputError when the folder or the index cannot be written."""
        self.folder = folder
        self._lock = RLock()
        self._files: dict[str, PictureFile] = {}
        self._odd: tuple[Problem, ...] = ()
        self.problems: tuple[Problem, ...] = ()
        self._shared = folder.root / PRIVATE / "predictions.jsonl"
        place = index_file(folder.root)
        try:
            folder.inside.make_folder(self._shared.parent)
        except OSError as error:
            remedy = "labels need a place; copy the pictures elsewhere"
            message = f"'{folder.root}' cannot be written ({error.strerror}): {remedy}."
            raise InputError("cannot_write", message, path=str(folder.root)) from None
        try:
            private_file(place)
            self._database = opened(place)
        except (OSError, sqlite3.Error) as error:
            raise cannot_write(place, error) from None

    # Updates

    def refresh(self, progress: Progress = unseen) -> None:
        """Add new pictures, update changed ones, drop deleted ones.

        `progress` gets the number of changed pictures done and of all changed pictures.
        """
        self.folder.refresh()
        files, odd = self.folder.pictures()
        with self._writing():
            self._take_shared({picture.key for picture in files})
            rows = self._database.execute("SELECT key, stamp, state FROM picture")
            stamps = {key: (stamp, state) for key, stamp, state in rows}
            gone = stamps.keys() - {picture.key for picture in files}
            for table in INDEX_TABLES if gone else ():
                self._database.executemany(f"DELETE FROM {table} WHERE key = ?", [(key,) for key in gone])  # noqa: S608
            changed = [picture for picture in files if stamps.get(picture.key) != self._stamps(picture)]
            for done, picture in enumerate(changed):
                if done % _REPORT_EVERY == 0:
                    progress(done, len(changed))
                self._update(picture)
                if done % _COMMIT_EVERY == 0:
                    self._database.commit()
            self._files = {picture.key: picture for picture in files}
            self._odd = odd
            self._list_problems()

    def note(self, picture: PictureFile, now: Annotation) -> None:
        """Update a picture after its annotation was saved."""
        with self._writing():
            query = "SELECT width, height FROM picture WHERE key = ? AND problem IS NULL"
            for size_wh in self._all(query, (picture.key,)):
                self._put(picture, size_wh, now)

    def set_aside(self, picture: PictureFile, reason: Exception) -> None:
        """Leave a picture that turned out to be unusable out of every list, and name it among the problems."""
        with self._writing():
            self._refuse(picture, reason)
            self._list_problems()

    def keep_prediction(self, picture: PictureFile, prediction: Prediction) -> None:
        """Store the prediction of a model for a picture."""
        with self._writing():
            row = (picture.key, stamp_of(picture.path), prediction.to_text())
            self._database.execute("INSERT OR REPLACE INTO prediction VALUES (?, ?, ?)", row)
            self._update(picture)

    def delete(self, *pictures: PictureFile) -> None:
        """Delete pictures with their labels, their history and all that the index holds of them.

        `owed` names what another program or a full disk keeps in the index; `settle` deletes it later. Raises OSError
        or sqlite3.Error if some of the pictures could not be deleted.
        """
        self.owed.add(_DELETED)
        try:
            for picture in pictures:
                self.folder.delete(picture)
                self._files.pop(picture.key, None)
        finally:
            self.settle()
        if self.has_shared:
            self.share_predictions()

    @property
    def has_shared(self) -> bool:
        """Whether predictions lie in the labelled folder."""
        return self.folder.inside.exists(self._shared)

    @property
    def owed(self) -> Owed:
        """The notes about pictures that are not gone from the index yet."""
        return Owed(index_file(self.folder.root))

    def settle(self) -> bool:
        """Delete what the index still holds of deleted pictures; whether nothing is left."""
        notes = self.owed.notes
        if not notes:
            return True
        try:
            self.refresh()
            self.owed.path.with_suffix(".damaged").unlink(missing_ok=True)
            with self._lock:
                self._database.execute("PRAGMA temp_store = MEMORY")
                self._database.execute("VACUUM")
                self._database.execute(f"PRAGMA busy_timeout = {_PATIENCE_MS:d}")
                busy, _, _ = self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if not busy:
                self.owed.remove(notes)
        except (InputError, OSError, sqlite3.Error):
            return False
        return not busy

    def share_predictions(self) -> None:
        """Write all predictions into the labelled folder; raises InputError when it cannot be written."""
        rows = self._all("SELECT key, stamp, text FROM prediction ORDER BY key")
        try:
            self.folder.inside.write(self._shared, "".join(f"{json.dumps(row)}\n" for row in rows).encode())
        except OSError as error:
            message = f"'{self.folder.root}' cannot be written ({error.strerror}): see that there is room."
            raise InputError("cannot_write", message, path=str(self.folder.root)) from None

    def _take_shared(self, keys: set[str]) -> None:
        """Add the predictions that another machine has shared, where there is none of ours."""
        try:
            lines = self.folder.inside.read(self._shared).splitlines()
        except OSError:
            return
        for line in lines:
            try:
                key, stamp, text = map(str, json.loads(line))
                Prediction.parse(text)
            except (ValueError, TypeError, IndexError, RecursionError):
                continue
            if key in keys and stamp.isascii():
                self._database.execute("INSERT OR IGNORE INTO prediction VALUES (?, ?, ?)", (key, stamp, text))

    def keep_small(self, picture: PictureFile, part: str, jpeg: bytes) -> None:
        """Store a thumbnail of a picture or of a part of it."""
        with self._writing():
            row = (picture.key, part, stamp_of(picture.path), jpeg)
            self._database.execute("INSERT OR REPLACE INTO small VALUES (?, ?, ?, ?)", row)

    # Queries

    def file(self, key: str) -> PictureFile:
        """The picture with that key; raises InputError."""
        if key not in self._files and self.entry(key) is not None:  # another process has taken it in
            self.refresh()
        try:
            return self._files[key]
        except KeyError:
            raise InputError("no_such_picture", f"'{key}' is not in this folder: choose another.", key=key) from None

    def prediction(self, picture: PictureFile) -> Prediction | None:
        """The stored prediction, or None if there is none or the picture has changed since."""
        query = "SELECT text FROM prediction WHERE key = ? AND stamp = ?"
        rows = self._all(query, (picture.key, stamp_of(picture.path)))
        return Prediction.parse(rows[0][0]) if rows else None

    def without_prediction(self, model: str) -> tuple[PictureFile, ...]:
        """Pictures without a prediction of that model, and pictures that have changed since theirs."""
        rows = self._all("SELECT key, stamp, text FROM prediction")
        stamps = {key: stamp for key, stamp, text in rows if text.startswith(f'["{model}"')}
        sound = self._all("SELECT key FROM picture WHERE problem IS NULL")
        files = [self._files[key] for (key,) in sorted(sound) if key in self._files]
        return tuple(picture for picture in files if stamps.get(picture.key) != stamp_of(picture.path))

    def small(self, picture: PictureFile, part: str) -> bytes | None:
        """The stored thumbnail, or None."""
        query = "SELECT jpeg FROM small WHERE key = ? AND part = ? AND stamp = ?"
        rows = self._all(query, (picture.key, part, stamp_of(picture.path)))
        return bytes(rows[0][0]) if rows else None

    def entry(self, key: str) -> PictureEntry | None:
        """The entry of one picture, or None."""
        entries = self._entries("key = :key AND problem IS NULL", "key", 1, key=key)
        return entries[0] if entries else None

    def beside(self, key: str, list_filter: ListFilter, count: int) -> tuple[PictureEntry, ...]:
        """At most `count` pictures after this one in the order of the filter, or before it if `count` is negative.

        An empty key lies before the first picture and after the last one.
        """
        expression, value = list_filter.order
        compare, direction = (">", "") if count > 0 else ("<", " DESC")
        order = ", ".join(f"{part}{direction}" for part in list_filter.columns)
        beyond = f"{expression} {compare} {value}" if key else "1"
        return self._entries(
            f"{list_filter.where} AND {beyond}", order, abs(count), key=key, name=list_filter.name,
            worst=self._least_confidence(key),
        )  # fmt: skip

    def first(self, list_filter: ListFilter = EVERYTHING) -> PictureEntry | None:
        """The first picture of the filter, or None."""
        return next(iter(self.beside("", list_filter, 1)), None)

    def holds(self, key: str, list_filter: ListFilter) -> bool:
        """Whether the filter selects the picture."""
        return bool(self._entries(f"{list_filter.where} AND key = :key", "key", 1, key=key, name=list_filter.name))

    def place(self, key: str, list_filter: ListFilter) -> tuple[int, int]:
        """Position of the picture in the filtered list, counted from 1, and the length of that list."""
        expression, value = list_filter.order
        values = {"worst": self._least_confidence(key), "key": key, "name": list_filter.name}
        query = f"SELECT SUM({expression} <= {value}), COUNT(*) FROM picture WHERE {list_filter.where}"  # noqa: S608
        [(before, total)] = self._all(query, values)
        return before or 0, total

    def counts(self) -> Counts:
        """The progress of the labelling."""
        query = f"SELECT COUNT(*), SUM(checked), SUM({DOUBTFUL}) FROM picture WHERE problem IS NULL"  # noqa: S608
        [(pictures, checked, doubtful)] = self._all(query)
        return Counts(pictures, checked or 0, doubtful or 0)

    def names(self) -> tuple[tuple[str, int], ...]:
        """Every class in the folder with its number of marks."""
        return tuple(self._all("SELECT name, COUNT(*) FROM mark GROUP BY name"))

    def tally(self) -> tuple[ClassTally, ...]:
        """Every class that has labels, by name."""
        query = (
            "SELECT name, COUNT(*), SUM(checked), SUM(checked AND trust IS NOT NULL AND name NOT LIKE '?%'), "
            "SUM(checked AND trust >= 0.5) FROM mark JOIN picture USING (key) WHERE source != ? GROUP BY name"
        )
        rows = self._all(query, (str(LabelSource.MODEL),))
        return tuple(ClassTally(row[0], row[1], row[2], row[3], row[4] or 0) for row in rows)

    def of_class(self, name: str, *, start: int, count: int) -> tuple[ListedMark, ...]:
        """Marks of a class, ordered from the lowest confidence of the model to the highest."""
        query = (
            "SELECT key, number, name, x0, y0, x1, y1, trust FROM mark WHERE name = ? "
            "ORDER BY IFNULL(trust, 2), key, number LIMIT ? OFFSET ?"
        )
        rows = self._all(query, (name, count, start))
        return tuple(ListedMark(row[0], row[1], row[2], row[3:7], row[7]) for row in rows)

    def findings(self, *, start: int, count: int) -> tuple[tuple[Finding, ...], int]:
        """Some of the findings about unchecked pictures, the most urgent first, and the number of all."""
        query = "SELECT key, code, detail, rank, remarks FROM remark ORDER BY rank DESC, key, code LIMIT ? OFFSET ?"
        rows = self._all(query, (count, start))
        [(total,)] = self._all("SELECT COUNT(*) FROM remark")
        found = (
            Finding(code, detail, (Place(key),), rank, tuple(Remark(*remark) for remark in json.loads(remarks)))
            for key, code, detail, rank, remarks in rows
        )
        return tuple(found), total

    def _all(self, query: str, values: Sequence[object] | Mapping[str, object] = ()) -> list[Any]:
        with self._lock:
            return self._database.execute(query, values).fetchall()

    def _least_confidence(self, key: str) -> float:
        entry = self.entry(key)
        if entry is None:
            return -1.0
        return 2.0 if entry.least_confidence is None else entry.least_confidence

    def _entries(self, where: str, order: str, limit: int, **values: object) -> tuple[PictureEntry, ...]:
        query = (
            f"SELECT key, width, height, checked, boxes, open, worst, rejected, {DOUBTFUL} FROM picture WHERE {where} "  # noqa: S608
            f"ORDER BY {order} LIMIT {limit}"
        )
        return tuple(
            PictureEntry(key, (width, height), bool(checked), boxes, suggested, worst, rejected, bool(doubtful))
            for key, width, height, checked, boxes, suggested, worst, rejected, doubtful in self._all(query, values)
        )

    def _update(self, picture: PictureFile) -> None:
        """Read the size and marks of a picture into the index."""
        try:
            size_wh = self.folder.size_wh(picture)
            opened = self.folder.open(picture)
        except (InputError, *DAMAGE) as error:
            self._refuse(picture, error)
            return
        now = opened.now
        prediction = self.prediction(picture)
        if opened.is_new and prediction is not None:
            now = Annotation(prediction.suggestions())
        self._put(picture, size_wh, now, prediction)

    def _refuse(self, picture: PictureFile, reason: Exception) -> None:
        """Leave a picture out of every list; `refresh` looks again when it has changed, or at once at a closed file."""
        self._forget(picture.key)
        stamps = ("", "") if is_closed(reason) else self._stamps(picture)
        row = (picture.key, *stamps, 0, 0, 0, 0, 0, None, f"it cannot be used: {reason}", "", "")
        self._database.execute("INSERT OR REPLACE INTO picture VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def _list_problems(self) -> None:
        unusable = self._database.execute("SELECT key, problem FROM picture WHERE problem IS NOT NULL ORDER BY key")
        refused = (Problem("unreadable_picture", key, detail) for key, detail in unusable)
        self.problems = (*self._odd, *refused)

    def _put(
        self, picture: PictureFile, size_wh: tuple[int, int], now: Annotation, prediction: Prediction | None = None
    ) -> None:
        prediction = self.prediction(picture) if prediction is None else prediction
        confidences = [None if prediction is None else prediction.confidence(mark) for mark in now.marks]
        self._forget(picture.key)
        judged = list(zip(now.marks, confidences, strict=True))
        marks = [
            (picture.key, number, mark.name, *mark.box.xyxy, str(mark.source), confidence)
            for number, (mark, confidence) in enumerate(judged)
        ]
        self._database.executemany("INSERT INTO mark VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", marks)
        findings = check_annotation(picture, size_wh, now, prediction)
        remarks = [
            (picture.key, finding.code, finding.detail, finding.priority, json.dumps(finding.remarks))
            for finding in findings
        ]
        self._database.executemany("INSERT INTO remark VALUES (?, ?, ?, ?, ?)", remarks)
        open_count = sum(mark.source is LabelSource.MODEL for mark in now.marks)
        # A mark that a person has named no longer counts as doubtful.
        unconfirmed = [trust for mark, trust in judged if trust is not None and mark.source is not LabelSource.PERSON]
        row = (picture.key, *self._stamps(picture), *size_wh, now.checked, len(now.marks), open_count)
        self._database.execute(
            "INSERT OR REPLACE INTO picture VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?)",
            (*row, min(unconfirmed, default=None), now.hand, now.rejected),
        )

    def _forget(self, key: str) -> None:
        for table in ("mark", "remark"):
            self._database.execute(f"DELETE FROM {table} WHERE key = ?", (key,))  # noqa: S608

    def _stamps(self, picture: PictureFile) -> tuple[str, str]:
        """Two stamps: one changes with the picture file, the other with its labels, its history or the class names."""
        history = self.folder.history_file(picture)
        return stamp_of(picture.path), f"{stamp_of(picture.labels)} {stamp_of(history)} {self.folder.classes.stamp}"

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
                self._database.commit()
            except BaseException as error:
                self._database.rollback()
                if isinstance(error, sqlite3.Error):
                    raise cannot_write(index_file(self.folder.root), error) from None
                raise
