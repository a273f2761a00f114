"""A folder of pictures that people label: label files that training reads, and a history of every change beside them.

The labels are YOLO text, where `datasets.formats.yolo` looks for them. `.tilescore/history/PICTURE.jsonl` holds a line
a change with everything that YOLO has no room for: open suggestions, roles, who, when, and whether it is checked.

A change is written in three steps, under a lock of the picture's own: the new label file beside the old one, the line
of the history (the change is made now), and the new label file in place of the old. A kill between any two of them is
found when the picture is next opened, and what was acknowledged is whole. A label file that another program changed is
taken over as a change of its own. Who comes second with a change is told so, and nothing is overwritten.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from tilescore.base.errors import InputError
from tilescore.datasets.annotation.annotation import Annotation, Mark, Source
from tilescore.datasets.annotation.locks import lock, sync_folder
from tilescore.datasets.formats import detect, yolo
from tilescore.datasets.formats.intake import LabelError, RawPicture, RawSet, accept, shown
from tilescore.datasets.labels import CLASS_NAMES, Problem
from tilescore.datasets.picture_files import lies_inside, pictures_below, upright_size_wh

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

PRIVATE: Final = ".tilescore"
"""The folder of ours within a set; no reader of pictures looks into hidden folders."""
MOST_PAST: Final = 200
"""Steps that can be undone after a picture is opened again."""
_OTHER_PROGRAM: Final = "another program"


class ChangedError(InputError):
    """A picture was changed by somebody else in the meantime."""


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A picture that can be labelled.

    Attributes:
        key: its path below the folder, with `/`.
        path: the file.
        labels: where its label file lies or will lie.
        split: `train`, `val`, ..., or nothing.
    """

    key: str
    path: Path
    labels: Path
    split: str = ""


@dataclass(frozen=True, slots=True)
class Opened:
    """A picture as it is opened.

    Attributes:
        now: its marks.
        past: how they were before, oldest first.
        problems: what in its label file cannot be used.
        is_new: whether there are neither labels nor a history yet.
    """

    now: Annotation
    past: tuple[Annotation, ...] = ()
    problems: tuple[Problem, ...] = ()
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line of a history: the state after a change, and the hash of the label file that belongs to it."""

    state: Annotation
    labels_hash: str


class AnnotationFolder:
    """Pictures and their labels in one folder."""

    def __init__(self, root: Path) -> None:
        """Open the folder.

        Raises:
            InputError: it does not exist, or holds labels in a format other than YOLO.
        """
        if not root.is_dir():
            raise InputError("no_such_folder", f"'{root}' is no folder: give the folder of your pictures.")
        self.root = root
        try:
            known = detect(root)
        except InputError:
            known = "yolo"
        if known != "yolo":
            message = (
                f"'{root}' holds labels in the format {known}: write a copy that can be labelled with "
                f"tilescore dataset convert {root} NEW_FOLDER --to yolo."
            )
            raise InputError("not_yolo", message)
        try:
            self.names = yolo.class_names(root)
        except LabelError as error:
            raise InputError(error.code, f"the class names of '{root}' cannot be used: {error}.") from None

    def pictures(self) -> tuple[tuple[PictureFile, ...], tuple[Problem, ...]]:
        """Every picture that can be labelled, ordered by key, and why others cannot."""
        found: list[PictureFile] = []
        problems: list[Problem] = []
        for images, labels, split in yolo.folders(self.root):
            owners: dict[Path, list[Path]] = {}
            for path in pictures_below(images):
                owners.setdefault(yolo.label_file(path, images, labels), []).append(path)
            for file, group in owners.items():
                keys = [shown(path, self.root) for path in group]
                if len(group) > 1:
                    named = ", ".join(f"'{key}'" for key in keys)
                    problems += [
                        Problem("same_name", key, f"{named} would share one label file: rename one") for key in keys
                    ]
                elif group[0].is_symlink() and not lies_inside(group[0], self.root):
                    problems.append(Problem("leaves_folder", keys[0], "a link that leads out of the folder"))
                else:
                    below, slash, _ = group[0].relative_to(images).as_posix().partition("/")
                    mine = split if split != "*" else below if slash else ""
                    found.append(PictureFile(keys[0], group[0], file, mine))
        found.sort(key=lambda picture: picture.key)
        return tuple(found), tuple(problems)

    def history_file(self, picture: PictureFile) -> Path:
        """Where the picture's history lies."""
        return self.root / PRIVATE / "history" / f"{picture.key}.jsonl"

    def open(self, picture: PictureFile) -> Opened:
        """The picture's marks, from its history and its label file; raises InputError if it is no picture."""
        size_wh = upright_size_wh(picture.path)
        if not self.history_file(picture).exists():
            now, problems = self._from_file(picture, size_wh)
            return Opened(now, problems=problems, is_new=not picture.labels.exists())
        with self._locked(picture) as file:
            entries = self._entries(file, size_wh)
            now, problems = self._now(picture, size_wh, file, entries)
        past = [entry.state for entry in entries if entry.state.version < now.version]
        return Opened(now, tuple(past[-MOST_PAST:]), problems, not entries and not picture.labels.exists())

    def save(self, picture: PictureFile, changed: Annotation, *, by: str = "") -> Annotation:
        """Keep a change; it is on the disk when this returns.

        Args:
            picture: which.
            changed: the new marks; its version is the one that the change was made to.
            by: who.

        Raises:
            ChangedError: somebody else changed the picture since that version.
            InputError: the set has no class for a tile, or nothing can be written.
        """
        unknown = sorted({labelled.name for labelled in changed.labels} - set(self.names))
        if unknown:
            message = f"this set has no class for {' '.join(unknown)}: add it to the names in data.yaml or classes.txt."
            raise InputError("class_not_in_set", message)
        size_wh = upright_size_wh(picture.path)
        try:
            with self._locked(picture) as file:
                entries = self._entries(file, size_wh)
                before, problems = self._now(picture, size_wh, file, entries)
                if before.version != changed.version:
                    message = (
                        f"'{picture.key}' was changed in another window in the meantime: here is how it stands now, "
                        "nothing was overwritten."
                    )
                    raise ChangedError("changed", message, key=picture.key)
                if not entries and before.marks:
                    _append(file, before, _hash(_text_of(picture.labels)), by="")
                if problems:
                    self._keep_original(picture)
                return self._write(picture, replace(changed, version=before.version + 1), file, size_wh, by=by)
        except OSError as error:
            message = f"'{picture.key}' cannot be saved ({error.strerror}): the last change is not kept, try again."
            raise InputError("cannot_write", message, key=picture.key) from None

    def _write(
        self, picture: PictureFile, state: Annotation, file: BinaryIO, size_wh: tuple[int, int], *, by: str
    ) -> Annotation:
        text = yolo.label_lines(state.labels, size_wh, self.names)
        needed = bool(text) or state.checked or picture.labels.exists()
        if needed:
            self._name_classes()
            picture.labels.parent.mkdir(parents=True, exist_ok=True)
            _write_through(_next(picture), text)
        _append(file, state, _hash(text if needed else None), by=by)
        if needed:
            _next(picture).replace(picture.labels)
        return state

    def _now(
        self, picture: PictureFile, size_wh: tuple[int, int], file: BinaryIO, entries: list[_Entry]
    ) -> tuple[Annotation, tuple[Problem, ...]]:
        """How the picture stands; finishes what a kill left half done, and takes over what others wrote."""
        if not entries:
            return self._from_file(picture, size_wh)
        last = entries[-1]
        if _hash(_text_of(picture.labels)) == last.labels_hash:
            return last.state, ()
        if _next(picture).exists() and _hash(_text_of(_next(picture))) == last.labels_hash:
            _next(picture).replace(picture.labels)
            return last.state, ()
        found, problems = self._from_file(picture, size_wh)
        found = replace(found, version=last.state.version + 1)
        _append(file, found, _hash(_text_of(picture.labels)), by=_OTHER_PROGRAM)
        entries.append(_Entry(found, ""))
        return found, problems

    def _from_file(self, picture: PictureFile, size_wh: tuple[int, int]) -> tuple[Annotation, tuple[Problem, ...]]:
        """What the label file alone says."""
        if not picture.labels.exists():
            return Annotation(), ()
        where = shown(picture.labels, self.root)
        problems: list[Problem] = []
        boxes = yolo.raw_boxes(picture.labels, where, self.names, problems)
        raw = RawPicture(where, (picture.path,), picture.key, picture.split, boxes, "shares", size_wh)
        found = accept(RawSet(self.root, (raw,), tuple(problems)), format_name="yolo")
        labelled = [box for sound in found.pictures for box in sound.boxes]
        return Annotation(tuple(Mark(b.name, b.box, b.role, Source.FILE) for b in labelled)), found.problems

    def _keep_original(self, picture: PictureFile) -> None:
        """A label file that could not be read whole is put aside before it is replaced for the first time."""
        kept = self.root / PRIVATE / "originals" / f"{picture.key}.txt"
        if not kept.exists():
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(picture.labels.read_bytes())

    def _name_classes(self) -> None:
        """Say what the class numbers mean, where the set does not say so yet."""
        if self.names is CLASS_NAMES and not (self.root / "classes.txt").exists():
            (self.root / "classes.txt").write_text("".join(f"{name}\n" for name in CLASS_NAMES), encoding="utf-8")

    def _entries(self, file: BinaryIO, size_wh: tuple[int, int]) -> list[_Entry]:
        """The changes in order; lines that make no sense are passed over, a torn last one is cut off."""
        data = file.read()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):  # a kill while it was written: nobody was told that it is kept
            file.truncate(whole)
        entries: list[_Entry] = []
        for line in data[:whole].splitlines():
            try:
                entry: dict[str, Any] = json.loads(line)
                entries.append(_Entry(Annotation.from_json(entry, size_wh=size_wh), str(entry["labels"])))
            except (ValueError, KeyError, TypeError, RecursionError):
                continue
        return entries

    @contextmanager
    def _locked(self, picture: PictureFile) -> Iterator[BinaryIO]:
        """The picture's history, for this process alone; it appears with the first change."""
        path = self.history_file(picture)
        fresh = not path.exists()
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a+b") as file:
            lock(file)
            if fresh:
                sync_folder(path.parent)
            file.seek(0)
            yield file


def _next(picture: PictureFile) -> Path:
    """Where a new label file waits until its change is in the history."""
    return picture.labels.with_name(f".{picture.labels.name}.next")


def _append(file: BinaryIO, state: Annotation, labels_hash: str, *, by: str) -> None:
    line = state.to_json() | {"labels": labels_hash, "by": by, "at": datetime.now(UTC).isoformat(timespec="seconds")}
    file.write((json.dumps(line) + "\n").encode())
    file.flush()
    os.fsync(file.fileno())


def _write_through(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _text_of(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return None


def _hash(text: str | None) -> str:
    return "" if text is None else hashlib.sha256(text.encode()).hexdigest()[:16]
