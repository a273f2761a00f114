"""A folder of pictures that people label: label files for training, and a history of every change.

The labels are YOLO text in the place where `datasets.formats.yolo` reads them. `.tilescore/history/PICTURE.jsonl` has
one line for each change. It holds what YOLO cannot: open suggestions, parts in the hand, author, time, checked flag.

A mark that stays as it is keeps its line in the label file, letter for letter, and so does a line that cannot be read.
A name that nobody has explained shows as a mark of unknown name. So no file loses labels that this program does not
understand.

A change takes three steps under a lock for the picture: write the new label file beside the old one, append the line
of the history, replace the old label file. The change counts from the second step on. If a kill interrupts the steps,
the next opening of the picture completes them, so that no acknowledged change is lost. If another program has changed
the label file, the folder records that as a change. If two people change one version, the second gets an error and
nothing is overwritten.

`inside` opens every file, so that no link leads out of the folder.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Final

from tilescore.datasets.annotation.set_classes import SetClasses
from tilescore.datasets.formats import NAMES_FILE, detect, history, names_of, yolo
from tilescore.datasets.formats.history import PRIVATE, HistoryEntry, append, hash_of, last_entries
from tilescore.datasets.inside import Inside
from tilescore.datasets.intake.accept import upright_box
from tilescore.datasets.intake.label_files import decoded
from tilescore.datasets.intake.pictures import split_of
from tilescore.datasets.intake.raw import LabelError, RawBox, shown
from tilescore.datasets.labels import CLASS_NAMES, LabelledBox, Problem
from tilescore.datasets.marks import Annotation, LabelSource, Mark
from tilescore.datasets.names.class_names import names_text
from tilescore.datasets.pictures.picture_files import PictureFrame, frame_of, lies_inside, listed_below
from tilescore.errors import InputError
from tilescore.files.locks import lock
from tilescore.files.outputs import cannot_write
from tilescore.printable import as_argument
from tilescore.vision.image.photo import Photo, check_size, decode_photo

IN_PLACE: Final = "yolo"
"""The one format whose labels are changed where they lie; a set in any other is labelled as a copy."""
NO_ACCESS: Final = "unreadable_file"
"""Code of the error for a picture whose file, labels or history cannot be opened now, whatever they hold."""
_ROUNDING_PX: Final = 0.011
"""The history and the browser round boxes to a hundredth of a pixel."""
MAX_UNDO: Final = 200
"""Number of changes that can be undone after a picture is opened again."""
_OTHER_PROGRAM: Final = "another program"
"""Author of a change that another program made to a label file."""


class ChangedError(InputError):
    """Somebody else has changed the picture since it was opened."""


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A picture that can be labelled.

    Its key is its path below the folder, with `/`. The label file may not exist yet, and the split may be empty.
    """

    key: str
    path: Path
    labels: Path
    split: str = ""


@dataclass(frozen=True, slots=True)
class Opened:
    """The annotation of an opened picture: now, and before, the oldest first.

    The problems are those of its label file. It is new if it has neither labels nor a history yet. `by` is who made the
    last change of its history.
    """

    now: Annotation
    past: tuple[Annotation, ...] = ()
    problems: tuple[Problem, ...] = ()
    is_new: bool = False
    by: str = ""


def format_of(root: Path) -> str:
    """The format of the labels in a folder; IN_PLACE where it holds none yet."""
    try:
        return detect(root)
    except InputError:
        return IN_PLACE


class AnnotationFolder:
    """Pictures and their labels in one folder."""

    def __init__(self, root: Path) -> None:
        """Open the folder; raises InputError if it does not exist, or holds labels in a format other than YOLO."""
        self.root = root
        self.inside = Inside(root)
        self.refresh()
        format_name = format_of(root)
        if format_name != IN_PLACE:
            message = (
                f"'{root}' holds labels in the format {format_name}: write a copy that can be labelled with "
                f"tilescore dataset convert {as_argument(root)} NEW_FOLDER --to yolo."
            )
            raise InputError("not_yolo", message)

    def refresh(self) -> None:
        """Read the names of the classes anew; raises InputError if the folder is gone, or its lists differ."""
        if not self.root.is_dir():
            raise InputError("no_such_folder", f"'{self.root}' is no folder: give the folder of your pictures.")
        self.inside.refuse_links()
        self.classes = SetClasses.of(self.root)

    def explain(self, names: Mapping[str, str | None]) -> None:
        """Keep what a person says about class names, for every command that reads the set; raises InputError."""
        explained = self.classes.explained(names)
        text = names_text(names_of(self.root) | dict(names))  # a word that stands for a suit is no name of the set
        try:
            self.inside.write(self.root / NAMES_FILE, text.encode())
        except OSError as error:
            raise cannot_write(self.root / NAMES_FILE, error) from None
        self.classes = explained

    def pictures(self) -> tuple[tuple[PictureFile, ...], tuple[Problem, ...]]:
        """All pictures that can be labelled, ordered by key, and a problem for every other."""
        self.inside.refuse_links()
        files: list[PictureFile] = []
        problems: list[Problem] = []
        for images, labels in yolo.folders(self.root):
            owners: dict[Path, list[Path]] = {}
            below = listed_below(images)
            problems += [Problem("no_plain_file", shown(odd, self.root), f"it is {kind}") for odd, kind in below.odd]
            for path in below.pictures:
                owners.setdefault(yolo.label_file(path, images, labels), []).append(path)
            for file, group in owners.items():
                keys = [shown(path, self.root) for path in group]
                if len(group) > 1:
                    detail = ", ".join(f"'{key}'" for key in keys) + " would share one label file: rename one"
                    problems += [Problem("same_name", key, detail) for key in keys]
                elif group[0].is_symlink() and not lies_inside(group[0], self.root):
                    problems.append(Problem("leaves_folder", keys[0], "a link that leads out of the folder"))
                else:
                    files.append(PictureFile(keys[0], group[0], file, split_of(group[0], self.root)))
        files.sort(key=lambda picture: picture.key)
        return tuple(files), tuple(problems)

    def named_shapes(self) -> Iterator[tuple[PictureFile, str, tuple[float, float, float, float]]]:
        """Every shape of the label files: its picture, the name of its class as written, and its box in shares."""
        for picture in self.pictures()[0]:
            for line in yolo.label_lines_in(picture.labels, picture.key, []) if picture.labels.is_file() else ():
                name = self.classes.raw_name(line.number)
                yield picture, name, self._shape(line, name).xyxy

    def history_file(self, picture: PictureFile) -> Path:
        """Path of the picture's history, perhaps in a folder that was labelled on its own."""
        return history.present_history(self.root, picture.path)

    def size_wh(self, picture: PictureFile) -> tuple[int, int]:
        """Width and height of the upright picture; raises InputError if its header says that it is no photo."""
        with self._opened(picture) as file:
            frame = frame_of(picture.path, file)
        check_size(frame.upright_wh, frame.kind, name=picture.key)
        return frame.upright_wh

    def photo(self, picture: PictureFile) -> Photo:
        """The decoded picture; raises InputError."""
        with self._opened(picture) as file:
            data = file.read()
        return decode_photo(data, name=picture.key)

    @contextmanager
    def _opened(self, picture: PictureFile) -> Iterator[BinaryIO]:
        """The open file of a picture; raises InputError."""
        try:
            with self.inside.open_picture(picture.path) as file:
                yield file
        except OSError as error:
            raise _no_access(picture.key, error) from None

    def open(self, picture: PictureFile) -> Opened:
        """The annotation from the history and the label file.

        Raises InputError if the file is no picture, or something of it cannot be read now.
        """
        size_wh = self.size_wh(picture)
        if self._read(self.history_file(picture)) is None:
            now, problems = self._from_file(picture, size_wh)
            return Opened(now, problems=problems, is_new=not self.inside.exists(picture.labels))
        try:
            with self._locked(picture) as file:
                entries = last_entries(file, size_wh, most=MAX_UNDO + 1)
                now, problems = self._now(picture, size_wh, file, entries)
        except OSError as error:
            raise _no_access(shown(self.history_file(picture), self.root), error) from None
        past = [self.classes.named(entry.state) for entry in entries if entry.state.version < now.version]
        is_new = not entries and not self.inside.exists(picture.labels)
        return Opened(now, tuple(past[-MAX_UNDO:]), problems, is_new, entries[-1].by if entries else "")

    def save(self, picture: PictureFile, changed: Annotation, *, by: str = "", lines: Sequence[str] = ()) -> Annotation:
        """Save a change, which started from its version, to the disk.

        `lines` are lines of an earlier label file: a mark that one of them describes gets it, letter for letter.

        Raises ChangedError if somebody else has changed the picture since, and InputError if the set has no class for a
        tile, the present labels cannot be read, or the folder cannot be written.
        """
        self.classes.require(mark.name for mark in changed.kept)
        size_wh = self.size_wh(picture)
        try:
            with self._locked(picture) as file:
                entries = last_entries(file, size_wh, most=1)
                before, problems = self._now(picture, size_wh, file, entries)
                if before.version != changed.version:
                    message = (
                        f"'{picture.key}' was changed in another window in the meantime: here is how it stands now, "
                        "nothing was overwritten."
                    )
                    raise ChangedError("changed", message, key=picture.key)
                if not entries and self.inside.exists(picture.labels):
                    append(file, before, hash_of(self._text_of(picture.labels)), by="")
                if problems:
                    self._keep_original(picture)
                text = self._label_text(picture, changed.kept, size_wh, lines)
                return self._write(picture, replace(changed, version=before.version + 1), file, text, by=by)
        except OSError as error:
            message = f"'{picture.key}' cannot be saved ({error.strerror}): the last change is not kept, try again."
            raise InputError("cannot_write", message, key=picture.key) from None

    def delete(self, picture: PictureFile) -> None:
        """Delete a picture with its labels and its history; raises OSError."""
        kept = self.root / PRIVATE / "originals" / f"{picture.key}.txt"
        for path in (_next(picture), picture.labels, *history.histories(self.root, picture.path), kept, picture.path):
            self.inside.remove(path)

    def _write(self, picture: PictureFile, state: Annotation, file: BinaryIO, text: str, *, by: str) -> Annotation:
        needed = bool(text) or state.checked or self.inside.exists(picture.labels)
        if needed:
            self._name_classes()
            self.inside.write(_next(picture), text.encode())
        append(file, state, hash_of(text if needed else None), by=by)
        if needed:
            self.inside.replace(_next(picture), picture.labels)
        return state

    def _now(
        self, picture: PictureFile, size_wh: tuple[int, int], file: BinaryIO, entries: list[HistoryEntry]
    ) -> tuple[Annotation, tuple[Problem, ...]]:
        """The present annotation; completes an interrupted change and records changes of other programs."""
        if not entries:
            return self._from_file(picture, size_wh)
        last = entries[-1]
        found = hash_of(self._text_of(picture.labels))
        if found != last.labels_hash == hash_of(self._text_of(_next(picture))) != hash_of(None):
            self.inside.replace(_next(picture), picture.labels)
            found = last.labels_hash
        annotation, problems = self._from_file(picture, size_wh)
        if found == last.labels_hash:
            return self.classes.named(last.state, [mark.name for mark in annotation.marks]), ()
        annotation = replace(annotation, version=last.state.version + 1)
        append(file, annotation, hash_of(self._text_of(picture.labels)), by=_OTHER_PROGRAM)
        entries.append(HistoryEntry(annotation, "", _OTHER_PROGRAM))
        return annotation, problems

    def _from_file(self, picture: PictureFile, size_wh: tuple[int, int]) -> tuple[Annotation, tuple[Problem, ...]]:
        problems: list[Problem] = []
        marks = [mark for _, mark in self._lines(picture, size_wh, problems) if mark is not None]
        return Annotation(tuple(marks)), tuple(problems)

    def lines_of_others(self, picture: PictureFile, size_wh: tuple[int, int]) -> tuple[str, ...]:
        """The lines of the label file that say more than their mark, such as polygons; raises InputError."""
        lines = self._lines(picture, size_wh, [])
        return tuple(line for line, mark in lines if mark is not None and line != self._line(mark, size_wh))

    def _lines(
        self, picture: PictureFile, size_wh: tuple[int, int], problems: list[Problem]
    ) -> list[tuple[str, Mark | None]]:
        """The lines of the label file, each with its mark; None for a line that cannot be read."""
        where = shown(picture.labels, self.root)
        try:
            lines = decoded(self._read(picture.labels) or b"", where).splitlines()
        except LabelError as error:
            problems.append(Problem(error.code, where, str(error)))
            return []
        return self._marked(lines, where, size_wh, problems)

    def _marked(
        self, lines: Sequence[str], where: str, size_wh: tuple[int, int], problems: list[Problem]
    ) -> list[tuple[str, Mark | None]]:
        marked: list[tuple[str, Mark | None]] = []
        for row, line in enumerate(lines, start=1):
            parsed = yolo.parse_line(line, row)
            if parsed is None:
                continue
            mark = None
            if isinstance(parsed, yolo.LabelLine):
                name = self.classes.name_of(parsed.number)
                try:
                    box, _ = upright_box(self._shape(parsed, name), name, PictureFrame(size_wh), unit="shares")
                    mark = Mark(name, box.box, source=LabelSource.FILE)
                except LabelError as error:
                    problems.append(Problem(error.code, where, f"line {row}: {error}", 1))
            else:
                problems.append(Problem(parsed[0], where, f"line {row} {parsed[1]}", 1))
            marked.append((line, mark))
        return marked

    def _line(self, mark: Mark, size_wh: tuple[int, int]) -> str:
        number = self.classes.number_of(mark.name)
        return f"{number} {yolo.shares(LabelledBox(mark.name, mark.box), size_wh)}"

    def _shape(self, line: yolo.LabelLine, name: str) -> RawBox:
        return line.shape(name, has_keypoints=self.classes.has_keypoints)

    def _label_text(
        self, picture: PictureFile, marks: Sequence[Mark], size_wh: tuple[int, int], earlier: Sequence[str]
    ) -> str:
        """The new text of the label file: unchanged marks and unreadable lines keep their lines."""
        before = self._lines(picture, size_wh, [])
        known = [*self._marked(earlier, "", size_wh, []), *before]
        usable = [(line, mark) for line, mark in known if mark is not None]
        lines: list[str] = []
        for mark in marks:
            same = next((pair for pair in usable if _is_same(pair[1], mark)), None)
            if same is not None:
                usable.remove(same)
                lines.append(same[0])
            else:
                lines.append(self._line(mark, size_wh))
        lines += [line for line, mark in before if mark is None]
        return "".join(f"{line}\n" for line in lines)

    def _text_of(self, path: Path) -> str | None:
        data = self._read(path)
        return None if data is None else data.decode("utf-8", "replace")

    def _read(self, path: Path) -> bytes | None:
        """The bytes of a file; None for a missing one alone, because whoever writes takes that for empty.

        Raises InputError if the file cannot be read.
        """
        try:
            return self.inside.read(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise _no_access(shown(path, self.root), error) from None

    def _keep_original(self, picture: PictureFile) -> None:
        """Copy a label file with problems before its first replacement."""
        kept = self.root / PRIVATE / "originals" / f"{picture.key}.txt"
        if not self.inside.exists(kept):
            self.inside.write(kept, self.inside.read(picture.labels))

    def _name_classes(self) -> None:
        """Write `classes.txt` if the set does not name its classes yet."""
        place = self.root / "classes.txt"
        if self.classes.are_ours and not self.inside.exists(place):
            self.inside.write(place, "".join(f"{name}\n" for name in CLASS_NAMES).encode())

    @contextmanager
    def _locked(self, picture: PictureFile) -> Iterator[BinaryIO]:
        """The picture's history, locked for this process; the first change creates it."""
        path = self.history_file(picture)
        fresh = not self.inside.exists(path)
        self.inside.make_folder(path.parent)
        with self.inside.open(path, "a+b") as file:
            lock(file)
            if fresh:
                self.inside.sync(path.parent)
            file.seek(0)
            yield file


def is_closed(reason: Exception) -> bool:
    """Whether an error says that a file cannot be opened now, whatever it holds."""
    # An error of the disk has a number; Pillow's about damaged bytes has none.
    return getattr(reason, "errno", None) is not None or getattr(reason, "code", "") == NO_ACCESS


def _no_access(where: str, error: OSError) -> InputError:
    message = f"'{where}' cannot be read ({error.strerror}): see that it is there and yours."
    return InputError(NO_ACCESS, message, path=where)


def _next(picture: PictureFile) -> Path:
    """Path of the new label file until its change is in the history."""
    return picture.labels.with_name(f".{picture.labels.name}.next")


def _is_same(before: Mark, now: Mark) -> bool:
    """Whether a mark is what the line in the file says, but for the rounding of the history."""
    near = all(abs(a - b) <= _ROUNDING_PX for a, b in zip(before.box.xyxy, now.box.xyxy, strict=True))
    return near and before.name == now.name
