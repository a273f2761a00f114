"""How the reader of a format goes through the label files of a set, and what it makes of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, Final, Literal, TypeVar
from urllib.parse import unquote, urlsplit

from tilescore.datasets.intake.label_files import json_files, label_text, load_json, records
from tilescore.datasets.intake.raw import LabelError, RawBox, RawPicture, RawSet, shown
from tilescore.datasets.labels import Problem

T = TypeVar("T")
_AREAS: Final = "only boxes and polygons are read, not points, lines and masks"


@dataclass(frozen=True, slots=True)
class LabelFile:
    """A label file of the set in `root` that is being parsed; `problems` is the list of what is not read.

    `where` names the file, or a place in it, for messages.
    """

    path: Path
    root: Path
    where: str
    problems: list[Problem]

    def at(self, place: str) -> LabelFile:
        """The same file, with messages about a place in it."""
        return replace(self, where=f"{self.where}, {place}")

    def lose(self, code: str, detail: str, shapes: int = 0) -> None:
        """Add a problem, with the number of shapes that are lost by it."""
        self.problems.append(Problem(code, self.where, detail, shapes))

    def text(self) -> str:
        """The text; raises LabelError."""
        return label_text(self.path, self.where)

    def json(self, kind: type[T], otherwise: str) -> T:
        """The JSON value of that type; raises LabelError, which says that another value is `otherwise`."""
        value = load_json(self.path, self.where)
        if not isinstance(value, kind):
            raise LabelError("broken_labels", f"'{self.where}' is {otherwise}")
        return value

    def records(self, value: object, name: str) -> list[dict[str, Any]]:
        """The objects in a JSON list, or in None; what else stands in its place, or in it, becomes a problem."""
        entries = records(value)
        if not isinstance(value, list | None):
            self.lose("broken_labels", f"{name} is no list")
        elif lost := len(value or ()) - len(entries):
            self.lose("broken_labels", f"{lost} of {len(entries) + lost} entries of {name} are no objects", lost)
        return entries

    def beside(self, name: str) -> tuple[Path, ...]:
        """The path of that name beside the file; nothing for a name that leads elsewhere."""
        return (self.path.parent / name,) if is_inner(name) else ()

    def picture(
        self,
        name: str,
        shapes: Iterable[RawBox | None],
        unit: Literal["pixels", "shares"] = "pixels",
        *,
        areas: str = _AREAS,
        **fields: Any,
    ) -> RawPicture:
        """A picture that the file names; of an address, the name of the file counts.

        None stands for a shape without an area, which becomes a problem that says `areas`. `fields` is what else is
        known of a `RawPicture`; without `candidates`, it may lie beside the label file.
        """
        every = list(shapes)
        boxes = tuple(box for box in every if box is not None)
        if lost := len(every) - len(boxes):
            self.lose("unsupported_shape", areas, lost)
        if "://" in name:
            name = unquote(PurePosixPath(urlsplit(name).path).name)
        candidates = fields.pop("candidates", None)
        places = self.beside(name) if candidates is None else candidates
        return RawPicture(self.where, name, boxes, unit, self.path.parent, places, **fields)


def is_inner(name: str) -> bool:
    """Whether a name in a label file is a relative path that leads deeper."""
    return bool(name) and not name.startswith("/") and ".." not in name and "\\" not in name


@dataclass(frozen=True, slots=True)
class Reader:
    """The reader of a format."""

    files: Callable[[Path], Iterable[Path]]  # its label files in a set
    # Parses one file; raises LabelError for one that it cannot parse. If it is a generator, the shapes that it loses
    # before it yields a picture belong to that picture.
    pictures_in: Callable[[LabelFile], Iterable[RawPicture]]

    def fits(self, path: Path) -> bool:
        """Whether a folder or file holds labels of this format."""
        return any(True for _ in self.files(path))

    def read_raw(self, path: Path) -> RawSet:
        """Parse the labels without checking them; a file that is named is read, whatever it looks like."""
        named = [path] if path.is_file() else []
        return gather(path if path.is_dir() else path.parent, list(self.files(path)) or named, self.pictures_in)


def json_reader(kind: str, pictures_in: Callable[[LabelFile], Iterable[RawPicture]]) -> Reader:
    """The reader of JSON files of that kind, as `label_files.kind_of` tells it."""
    return Reader(lambda path: json_files(path, kind), pictures_in)


def gather(root: Path, files: Iterable[Path], pictures_in: Callable[[LabelFile], Iterable[RawPicture]]) -> RawSet:
    """Parse all label files below the folder of a set; a file that cannot be parsed becomes a problem."""
    problems: list[Problem] = []
    pictures: list[RawPicture] = []
    read: list[str] = []
    for path in files:
        file = LabelFile(path, root, shown(path, root), problems)
        read.append(file.where)
        try:
            in_file = pictures_in(file)
            before = len(problems)
            for picture in in_file:
                lost = sum(problem.shapes for problem in problems[before:])
                pictures.append(replace(picture, lost=picture.lost + lost) if lost else picture)
                before = len(problems)
        except LabelError as error:
            file.lose(error.code, str(error))
    return RawSet(root, tuple(pictures), tuple(problems), files=frozenset(read))
