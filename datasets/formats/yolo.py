"""YOLO: one text file for each picture, one line for each shape: class, centre x, centre y, width, height.

Coordinates are shares of the picture. A line may also hold a polygon (segment) or the corners of a turned box. The
reader knows the layouts `images/SPLIT` + `labels/SPLIT`, `SPLIT/images` + `SPLIT/labels` at any depth, and text files
beside their pictures. `class_lists` finds the list of class names, and the splits that a data.yaml names. The format
itself has no room for the hand and the checked flag; `history` keeps them.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Final, Literal
from unicodedata import normalize

from tilescore.datasets.formats import history
from tilescore.datasets.intake.class_lists import ClassList, class_list, described_splits, is_class_list
from tilescore.datasets.intake.label_files import below, label_text
from tilescore.datasets.intake.pictures import split_of
from tilescore.datasets.intake.raw import LabelError, RawBox, RawPicture, RawSet, number, polygon, shown, whole
from tilescore.datasets.labels import CLASS_NAMES, LabelledBox, LabelledPicture, Problem, describe, picture_fields
from tilescore.datasets.parts import NO_PART
from tilescore.datasets.pictures.picture_files import pictures_below
from tilescore.errors import InputError

_DESCRIPTIONS: Final = (".yaml", ".yml", ".data")
"""Endings of files that describe a set; such a file stands for its folder."""
_NO_LABELS: Final = frozenset({"train.txt", "val.txt", "valid.txt", "test.txt"})
"""Names of text files that list pictures."""
_FORMS: Final[tuple[Literal["NFC", "NFD"], ...]] = ("NFC", "NFD")
"""The forms of Unicode in which names are composed, or taken apart."""
_MAX_DEPTH: Final = 4
"""A folder `images` lies at most so deep in a set."""
_OUTSIDE: Final = 0.02
"""The box of a pose reaches at most this far out of its picture, as a share: programs round and shift boxes."""


def fits(path: Path) -> bool:
    """Whether there are pictures in `images`, or pictures with text files beside them."""
    folder = _folder(path)
    if not folder.is_dir():
        return False
    if any(_image_folders(folder)):
        return True
    return any(label_file(picture, folder, folder).is_file() for picture in pictures_below(folder))


def read_raw(path: Path) -> RawSet:
    """Parse the label files; raises InputError for a set whose list of class names cannot be right."""
    root = _folder(path)
    problems: list[Problem] = []
    listed, splits = class_list(root), described_splits(root)
    highest: tuple[int, str] = (-1, "")
    pictures: list[RawPicture] = []
    read: list[str] = []
    for images, labels in folders(root):
        owners: dict[Path, list[Path]] = {}
        for picture in pictures_below(images):
            owners.setdefault(label_file(picture, images, labels), []).append(picture)
        for file, group in owners.items():
            where, before = shown(file, root), len(problems)
            read.append(where)
            lines = label_lines_in(file, where, problems) if file.is_file() else ()
            highest = max([highest, *((line.number, f"{where}, line {line.row}") for line in lines)])
            if len(group) > 1:
                same = ", ".join(f"'{shown(picture, root)}'" for picture in group)
                detail = f"{same} share this label file; all are skipped"
                problems.append(Problem("same_name", where, detail, len(lines)))
                continue
            boxes = [box for line in lines if (box := line.box(listed, where, problems)) is not None]
            # A file that cannot be read at all holds an unknown number of shapes.
            lost = sum(problem.shapes or 1 for problem in problems[before:])
            split = _split_of(group[0], root, splits)
            pictures.append(_raw_picture(group[0], root, file, boxes, split=split, lost=lost))
        problems += _orphans(root, images, labels, set(owners))
    if listed is not None and highest[0] >= len(listed.names):
        message = (
            f"'{listed.source}' in '{root}' names {len(listed.names)} classes, but {highest[1]} has class "
            f"{highest[0]}: this list belongs to other labels; put the right one in its place."
        )
        raise InputError("list_too_short", message)
    names, source = ((), "") if listed is None else (listed.names, listed.source)
    return RawSet(
        root, tuple(pictures), tuple(problems), names=names, source=source, numbered=listed is None,
        files=frozenset(read),
    )  # fmt: skip


def write(pictures: Sequence[LabelledPicture], out: Path) -> None:
    """Write `labels/SPLIT/NAME.txt`, our history, `classes.txt` and `data.yaml` beside `images/SPLIT/NAME`."""
    names = (*CLASS_NAMES, *sorted({box.name for picture in pictures for box in picture.boxes} - set(CLASS_NAMES)))
    for picture in pictures:
        target = out / "labels" / picture.split / PurePosixPath(picture.name).with_suffix(".txt")
        target.parent.mkdir(parents=True, exist_ok=True)
        text = label_lines(picture.boxes, picture.size_wh, names)
        target.write_text(text, encoding="utf-8")
        if picture_fields(picture) or any(box.part != NO_PART for box in picture.boxes):
            history.write(out, str(PurePosixPath("images", picture.split, picture.name)), picture, text)
    splits = sorted({picture.split for picture in pictures})
    places = {"train": "train"} if "train" in splits else {}
    places |= {split: split for split in splits if split}
    if splits == [""]:
        places = {"train": ""}
    describe(out, names=names, **{key: str(PurePosixPath("images", split)) for key, split in places.items()})
    (out / "classes.txt").write_text("".join(f"{name}\n" for name in names), encoding="utf-8")


def _folder(path: Path) -> Path:
    return path.parent if path.is_file() and path.suffix.lower() in _DESCRIPTIONS else path


def folders(root: Path) -> tuple[tuple[Path, Path], ...]:
    """Pairs of picture folder and label folder."""
    return tuple(_image_folders(root)) or ((root, root),)


def _image_folders(root: Path) -> Iterator[tuple[Path, Path]]:
    for place, inside, _ in os.walk(root):
        here = Path(place)
        inside[:] = sorted(name for name in inside if not name.startswith("."))
        images = next((name for name in inside if name.lower() == "images"), "")
        if images:
            labels = next((name for name in inside if name.lower() in ("labels", "label")), "labels")
            yield here / images, here / labels
            inside.remove(images)
        if len(here.relative_to(root).parts) >= _MAX_DEPTH:
            inside.clear()


def label_file(picture: Path, images: Path, labels: Path) -> Path:
    """Path of the label file of a picture below `images`: in `labels`, or beside the picture if only that exists.

    A Mac takes letters such as é apart in an archive, so the name may be composed otherwise than that of the picture.
    """
    name = picture.relative_to(images).as_posix()
    forms = () if name.isascii() else (form for kind in _FORMS if (form := normalize(kind, name)) != name)
    names = [name, *(form for form in forms if not (images / form).exists())]
    places = [
        place.with_suffix(suffix)
        for each in names
        for place in dict.fromkeys((labels / each, images / each))
        for suffix in (".txt", ".TXT")
    ]
    return next((place for place in places if place.is_file()), places[0])


def has_labels(root: Path) -> bool:
    """Whether a label file of a picture holds a shape."""
    return any(
        label_lines_in(file, file.name, [])
        for images, labels in folders(root)
        for picture in pictures_below(images)
        if (file := label_file(picture, images, labels)).is_file()
    )


def without_pictures(root: Path) -> tuple[str, ...]:
    """The files in folders `labels` that hold shapes, of a folder without any picture."""
    if any(pictures_below(root)):
        return ()
    files = (file for file in below(root, ".txt") if not is_class_list(file) and label_lines_in(file, file.name, []))
    return tuple(shown(file, root) for file in files)


def _split_of(picture: Path, root: Path, splits: Mapping[Path, str]) -> str:
    """The split that a description tells; empty if none does, or if the name of the folder says it more exactly."""
    split = next((splits[place] for place in (picture, *picture.parents) if place in splits), "")
    return "" if split_of(picture, root).startswith(f"{split}_") else split


def _raw_picture(
    picture: Path, root: Path, file: Path, boxes: Sequence[RawBox], *, split: str, lost: int
) -> RawPicture:
    said = history.read(root, picture, file)
    if len(said.parts) == len(boxes):
        boxes = [replace(box, part=part) for box, part in zip(boxes, said.parts, strict=True)]
    described = file if file.is_file() else picture  # a picture without tiles may have no file of labels
    return RawPicture(
        shown(described, root), shown(picture, root), boxes, "shares", file.parent, (picture,), split=split,
        checked=said.checked, checked_names=said.names, suggestions=said.suggestions, hand=said.hand,
        rejected=said.rejected, lost=lost,
    )  # fmt: skip


@dataclass(slots=True)
class LabelLine:
    """A line of a label file that has the form of a shape: its number in the file, class and coordinates."""

    row: int
    number: int
    values: Sequence[float]

    def box(self, listed: ClassList | None, where: str, problems: list[Problem]) -> RawBox | None:
        """The shape with the name of its class; a number without a name becomes a problem."""
        name = str(self.number)
        if listed is not None:
            name = listed.names[self.number] if self.number < len(listed.names) else ""
            if not name:
                detail = f"line {self.row} has the class {self.number}, which '{listed.source}' does not name"
                problems.append(Problem("class_out_of_range", where, detail, 1))
                return None
        return self.shape(name, has_keypoints=listed is not None and listed.has_keypoints)

    def shape(self, name: str, *, has_keypoints: bool = False) -> RawBox:
        """The shape under a name: a box, or the box around a polygon."""
        cx, cy, w, h = self.values[:4]
        xyxy = (cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2)
        if len(self.values) > 5 and not has_keypoints and not self._is_pose(xyxy):
            return polygon(name, list(zip(self.values[::2], self.values[1::2], strict=True)))
        return RawBox(name, xyxy)

    def _is_pose(self, xyxy: Sequence[float]) -> bool:
        """Whether the values are a box with key points; corners at the edge of a picture may read as key points."""
        x0, y0, x1, y1 = xyxy
        may_be_polygon = len(self.values) % 2 == 0 and 2.0 not in self.values[6::3]
        is_closed = self.values[:2] == self.values[-2:]
        is_box = min(x0, y0) >= -_OUTSIDE and max(x1, y1) <= 1 + _OUTSIDE and x0 < x1 and y0 < y1
        return _are_keypoints(self.values[4:]) and not (may_be_polygon and (is_closed or not is_box))


def _are_keypoints(values: Sequence[float]) -> bool:
    """Whether values after a box are key points, each with its visibility: 0, 1 or 2."""
    return len(values) % 3 == 0 and set(values[2::3]) <= {0.0, 1.0, 2.0}


def label_lines_in(file: Path, where: str, problems: list[Problem]) -> tuple[LabelLine, ...]:
    """The shapes in a label file; broken lines are added to the problems."""
    try:
        text = label_text(file, where)
    except LabelError as error:
        problems.append(Problem(error.code, where, str(error)))
        return ()
    lines: list[LabelLine] = []
    for row, line in enumerate(text.splitlines(), start=1):
        parsed = parse_line(line, row)
        if isinstance(parsed, LabelLine):
            lines.append(parsed)
        elif parsed:
            problems.append(Problem(parsed[0], where, f"line {row} {parsed[1]}", 1))
    return tuple(lines)


def parse_line(line: str, row: int) -> LabelLine | tuple[str, str] | None:
    """The shape in a line, or code and reason why it is none; None for an empty line."""
    words = line.split()
    if not words:
        return None
    # Six words end with a confidence; a polygon has at least three corners; key points of a pose come in threes.
    is_pose = len(words) > 7 and _are_keypoints([number(word) for word in words[5:]])
    if len(words) not in (5, 6) and (len(words) < 7 or len(words) % 2 == 0) and not is_pose:
        return "broken_labels", f"has {len(words)} words instead of class, centre x, centre y, width, height"
    kind = whole(words[0])
    if kind is None or kind < 0:
        return "class_out_of_range", f"has the class '{words[0]}', which is no number of a class"
    values = [number(word) for word in words[1:]]
    return LabelLine(row, kind, values[:4] if len(values) == 5 else values)


def _orphans(root: Path, images: Path, labels: Path, owned: set[Path]) -> Iterable[Problem]:
    """Label files whose picture is missing, perhaps because it lies behind a link to a folder."""
    for path in below(labels, ".txt"):
        if path in owned or path.name.lower() in _NO_LABELS or is_class_list(path):
            continue
        lines = label_lines_in(path, path.name, [])
        if lines or labels != root:
            folders = (images / folder for folder in path.relative_to(labels).parents)
            link = next((folder for folder in folders if folder != images and folder.is_symlink()), None)
            why = "there is no picture of this name"
            if link is not None:
                why = f"'{shown(link, root)}' is a link to a folder, which is not followed: put the pictures there"
            yield Problem("no_such_picture", shown(path, root), why, len(lines))


def label_lines(boxes: Sequence[LabelledBox], size_wh: tuple[int, int], names: Sequence[str] = CLASS_NAMES) -> str:
    """The text of a label file; the class of every box must be among the names."""
    return "".join(f"{names.index(label.name)} {shares(label, size_wh)}\n" for label in boxes)


def shares(labelled: LabelledBox, size_wh: tuple[int, int]) -> str:
    """Centre, width and height of a box as shares of the picture: to a hundredth of a pixel up to 13,000 pixels."""
    width, height = size_wh
    cx, cy = labelled.box.center
    values = (cx / width, cy / height, labelled.box.width / width, labelled.box.height / height)
    return " ".join(f"{value:.6f}" for value in values)
