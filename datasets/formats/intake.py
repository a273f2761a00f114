"""Turns the parsed labels of any format into labelled pictures and checks them for bad input.

A bad box or a bad picture becomes a problem and is skipped.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal

from tilescore.base.errors import InputError
from tilescore.datasets.labels import CLASS_NAMES, LabelledBox, LabelledPicture, LabelSet, Problem
from tilescore.datasets.picture_files import lies_inside, upright_size_wh
from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


@dataclass(frozen=True, slots=True)
class RawBox:
    """An unchecked box out of a label file: class, then left, top, right, bottom."""

    name: str
    xyxy: tuple[float, float, float, float]
    role: str = ""


@dataclass(frozen=True, slots=True)
class RawPicture:
    """An unchecked picture out of a label file.

    Attributes:
        where: the label file, for messages.
        candidates: paths where the picture may lie; the first that exists counts.
        name: the file's name below its split.
        split: `train`, `val`, ..., or nothing.
        boxes: the boxes in `unit`.
        unit: pixels, or shares of width and height.
        size_wh: width and height according to the label file, or None.
        checked: whether a person has confirmed the labels.
    """

    where: str
    candidates: tuple[Path, ...]
    name: str
    split: str
    boxes: tuple[RawBox, ...]
    unit: Literal["pixels", "shares"]
    size_wh: tuple[int, int] | None = None
    checked: bool = False


@dataclass(frozen=True, slots=True)
class RawSet:
    """The pictures that a format's reader found below `root`, and its problems."""

    root: Path
    pictures: tuple[RawPicture, ...]
    problems: tuple[Problem, ...]


def gather(
    root: Path, files: Iterable[Path], pictures_in: Callable[[Path, str, list[Problem]], Iterable[RawPicture]]
) -> RawSet:
    """Parse all label files below `root`; a file that cannot be parsed becomes a problem.

    Args:
        root: the data set's folder.
        files: its label files.
        pictures_in: parses one file; it gets the path, the path for messages, and a list to which it adds problems.
            It raises LabelError for a file that it cannot parse.
    """
    problems: list[Problem] = []
    pictures: list[RawPicture] = []
    for file in files:
        where = shown(file, root)
        try:
            pictures += pictures_in(file, where, problems)
        except LabelError as error:
            problems.append(Problem(error.code, where, str(error)))
    return RawSet(root, tuple(pictures), tuple(problems))


def accept(raw: RawSet, *, format_name: str) -> LabelSet:
    """Check the raw pictures and boxes: keep the sound ones and list the others as problems."""
    problems = list(raw.problems)
    pictures: list[LabelledPicture] = []
    described = Counter(place for entry in raw.pictures if (place := _place(entry)) is not None)
    for entry in raw.pictures:
        try:
            path = _safe_place(entry, raw.root)
            _check_alone(entry, described[path])
            size = _true_size(entry, path)
        except _SkipError as skip:
            problems.append(Problem(skip.code, entry.where, str(skip)))
            continue
        boxes: list[LabelledBox] = []
        for box in entry.boxes:
            try:
                boxes.append(_box(box, entry, size))
            except _SkipError as skip:
                problems.append(Problem(skip.code, entry.where, str(skip)))
        pictures.append(LabelledPicture(path, size, tuple(boxes), entry.name, entry.split, entry.checked))
    pictures.sort(key=lambda picture: (picture.split, picture.name))
    return LabelSet(raw.root, format_name, tuple(pictures), tuple(problems))


class _SkipError(InputError):
    """The reason to skip a picture or box."""


def _place(entry: RawPicture) -> Path | None:
    return next((path for path in entry.candidates if _is_file(path)), None)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long, or with a zero byte
        return False


def _safe_place(entry: RawPicture, root: Path) -> Path:
    pure = PurePosixPath(entry.name.replace("\\", "/"))
    if pure.is_absolute() or ".." in pure.parts or ".." in PurePosixPath(entry.split).parts or not entry.name.strip():
        raise _SkipError("leaves_folder", f"the picture name '{entry.name}' leads out of the folder")
    path = _place(entry)
    if path is None:
        raise _SkipError("no_such_picture", f"the picture '{entry.name}' is not there")
    if not lies_inside(path, root):
        raise _SkipError("leaves_folder", f"the picture '{entry.name}' is a link that leads out of the folder")
    return path


def _check_alone(entry: RawPicture, times: int) -> None:
    if times > 1:
        raise _SkipError("same_name", f"the picture '{entry.name}' is described {times} times; all are skipped")


def _true_size(entry: RawPicture, path: Path) -> tuple[int, int]:
    try:
        size = upright_size_wh(path)
    except InputError:
        raise _SkipError("unreadable_picture", f"the picture '{entry.name}' cannot be read") from None
    if entry.size_wh is not None and entry.size_wh != size:
        labelled, true = ("x".join(map(str, pair)) for pair in (entry.size_wh, size))
        raise _SkipError("size_differs", f"the labels are for {labelled} pixels, the picture '{entry.name}' has {true}")
    return size


def _box(raw: RawBox, entry: RawPicture, size_wh: tuple[int, int]) -> LabelledBox:
    if raw.name not in CLASS_NAMES:
        raise _SkipError(
            "unknown_class", f"'{raw.name}' is no tile (1m ... 9s, 1z ... 7z, 0m 0p 0s, 1f-4f, 1q-4q, back)"
        )
    width, height = size_wh if entry.unit == "shares" else (1, 1)
    x0, y0, x1, y1 = raw.xyxy
    box = Box(x0 * width, y0 * height, x1 * width, y1 * height)
    if not all(math.isfinite(value) for value in box.xyxy):
        raise _SkipError("not_a_number", f"a box of '{raw.name}' has {_quoted(raw.xyxy)}: not all are numbers")
    if not (box.width > 0 and box.height > 0):
        raise _SkipError("empty_box", f"a box of '{raw.name}' has no area: {_quoted(box.xyxy)}")
    return LabelledBox(raw.name, box, raw.role)


def _quoted(values: tuple[float, ...]) -> str:
    return " ".join(f"{value:g}" for value in values)


def label_text(path: Path, where: str) -> str:
    """The text of a label file; raises LabelError when it cannot be read."""
    try:
        return decoded(path.read_bytes(), where)
    except OSError as error:
        raise LabelError("broken_labels", f"'{where}' cannot be read ({error.strerror})") from None


def decoded(data: bytes, where: str) -> str:
    """The text in the bytes of a label file; raises LabelError when they are no text."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise LabelError("broken_labels", f"'{where}' is no text in UTF-8") from None


class LabelError(InputError):
    """A label file that cannot be parsed."""


def number(value: object) -> float:
    """A number out of a label file; NaN, which every check refuses, for any other value.

    >>> number("1.5"), number("nan"), number(None), number(True)
    (1.5, nan, nan, nan)
    """
    if isinstance(value, (int, float, str)) and not isinstance(value, bool):
        try:
            return float(value)
        except (ValueError, OverflowError):
            return math.nan
    return math.nan


def whole(value: object) -> int | None:
    """A whole number out of a label file; None for any other value.

    >>> whole("640"), whole(640.0), whole("nan"), whole(None)
    (640, 640, None, None)
    """
    found = number(value)
    return int(found) if math.isfinite(found) and found == int(found) else None


def size_of(width: object, height: object) -> tuple[int, int] | None:
    """Width and height of a picture out of a label file; None if they are missing."""
    pair = (whole(width), whole(height))
    return (pair[0], pair[1]) if pair[0] and pair[1] else None


def below(folder: Path, suffix: str) -> Iterator[Path]:
    """All files with that ending below a folder, ordered; if the path is a file with that ending, the file itself."""
    if folder.is_file():
        if folder.suffix.lower() == suffix:
            yield folder
        return
    yield from sorted(path for path in folder.rglob(f"*{suffix}") if path.is_file())


def shown(path: Path, root: Path) -> str:
    """The path for messages: relative to the data set's folder."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def envelope(box: Box, angle_deg: float, *, pivot: tuple[float, float]) -> Box:
    """The upright box around a rectangle that is turned clockwise about a point."""
    angle = math.radians(angle_deg)
    corners = [(box.x0, box.y0), (box.x1, box.y0), (box.x1, box.y1), (box.x0, box.y1)]
    cos, sin = math.cos(angle), math.sin(angle)
    turned = [
        (pivot[0] + (a - pivot[0]) * cos - (b - pivot[1]) * sin, pivot[1] + (a - pivot[0]) * sin + (b - pivot[1]) * cos)
        for a, b in corners
    ]
    xs, ys = zip(*turned, strict=True)
    return Box(min(xs), min(ys), max(xs), max(ys))
