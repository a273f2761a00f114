"""YOLO: one text file for each picture, one line for each box: class, centre x, centre y, width, height.

Coordinates are shares of the picture. The reader knows the layouts `images/SPLIT` + `labels/SPLIT`, `SPLIT/images` +
`SPLIT/labels`, and text files beside pictures in one folder. `data.yaml` or `classes.txt` names the classes; without
them the numbers are those of CLASS_NAMES. The format has no room for roles and the checked flag.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from tilescore.datasets.formats.intake import LabelError, RawBox, RawPicture, RawSet, decoded, number, shown, whole
from tilescore.datasets.labels import CLASS_NAMES, Problem, describe
from tilescore.datasets.picture_files import pictures_below

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tilescore.datasets.labels import LabelledBox, LabelledPicture

_DESCRIPTIONS: Final = ("data.yaml", "dataset.yaml", "data.yml")
"""Names of files that describe a data set."""
_NAME_FILES: Final = ("classes.txt", "obj.names")
"""Names of files with one class name in each line."""
_NO_LABELS: Final = frozenset({*_NAME_FILES, "train.txt", "val.txt", "test.txt"})
"""Names of text files that hold no labels."""


def fits(path: Path) -> bool:
    """Whether there are pictures in `images`, or pictures with text files beside them."""
    folder = _folder(path)
    if any(_split_folders(folder)):
        return True
    return folder.is_dir() and any(picture.with_suffix(".txt").is_file() for picture in pictures_below(folder))


def read_raw(path: Path) -> RawSet:
    """Parse the label files."""
    root = _folder(path)
    problems: list[Problem] = []
    try:
        names = class_names(root)
    except LabelError as error:
        problems.append(Problem(error.code, shown(root, root), str(error)))
        names = CLASS_NAMES
    pictures: list[RawPicture] = []
    for images, labels, split in folders(root):
        files = pictures_below(images)
        owners: dict[Path, list[Path]] = {}
        for picture in files:
            owners.setdefault(label_file(picture, images, labels), []).append(picture)
        for file, group in owners.items():
            where = shown(file, root)
            if len(group) > 1:
                listed = ", ".join(f"'{shown(picture, root)}'" for picture in group)
                problems.append(Problem("same_name", where, f"{listed} share this label file; all are skipped"))
                continue
            boxes = raw_boxes(file, where, names, problems) if file.is_file() else ()
            pictures.append(_raw_picture(group[0], images, split, where, boxes))
        problems += _orphans(root, labels, set(owners))
    return RawSet(root, tuple(pictures), tuple(problems))


def write(pictures: Sequence[LabelledPicture], out: Path) -> None:
    """Write `labels/SPLIT/NAME.txt`, `classes.txt` and `data.yaml` beside `images/SPLIT/NAME`."""
    for picture in pictures:
        target = out / "labels" / picture.split / PurePosixPath(picture.name).with_suffix(".txt")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(label_lines(picture.boxes, picture.size_wh), encoding="utf-8")
    splits = sorted({picture.split for picture in pictures})
    train = "train" if "train" in splits else splits[0] if splits else ""
    places = {"train": train, "val": "val" if "val" in splits else train}
    places |= {split: split for split in splits if split not in ("", "train", "val")}
    describe(out, **{key: str(PurePosixPath("images", split)) for key, split in places.items()})
    (out / "classes.txt").write_text("".join(f"{name}\n" for name in CLASS_NAMES), encoding="utf-8")


def _folder(path: Path) -> Path:
    return path.parent if path.is_file() and path.name in _DESCRIPTIONS else path


def folders(root: Path) -> tuple[tuple[Path, Path, str], ...]:
    """Triples of picture folder, label folder and split; the split `*` means the name of the first subfolder."""
    return tuple(_split_folders(root)) or ((root, root, ""),)


def _split_folders(root: Path) -> Iterator[tuple[Path, Path, str]]:
    if (root / "images").is_dir():
        yield root / "images", root / "labels", "*"
    elif root.is_dir():
        for folder in sorted(root.iterdir()):
            if (folder / "images").is_dir():
                yield folder / "images", folder / "labels", folder.name


def label_file(picture: Path, images: Path, labels: Path) -> Path:
    """Path of the label file of a picture below `images`."""
    return (labels / picture.relative_to(images)).with_suffix(".txt")


def _raw_picture(picture: Path, images: Path, split: str, where: str, boxes: tuple[RawBox, ...]) -> RawPicture:
    name = picture.relative_to(images).as_posix()
    if split == "*":
        split, slash, rest = name.partition("/")
        split, name = (split, rest) if slash else ("", name)
    return RawPicture(where, (picture,), name, split, boxes, "shares")


def raw_boxes(file: Path, where: str, names: Sequence[str], problems: list[Problem]) -> tuple[RawBox, ...]:
    """The boxes in a label file; broken lines are added to the problems."""
    try:
        data = file.read_bytes()
    except OSError as error:
        problems.append(Problem("broken_labels", where, f"'{where}' cannot be read ({error.strerror})"))
        return ()
    return boxes_in(data, where, names, problems)


def boxes_in(data: bytes, where: str, names: Sequence[str], problems: list[Problem]) -> tuple[RawBox, ...]:
    """The boxes in the bytes of a label file; broken lines are added to the problems."""
    try:
        text = decoded(data, where)
    except LabelError as error:
        problems.append(Problem(error.code, where, str(error)))
        return ()
    boxes: list[RawBox] = []
    for row, line in enumerate(text.splitlines(), start=1):
        words = line.split()
        if not words:
            continue
        if len(words) not in (5, 6):  # the sixth word is a confidence
            detail = f"line {row} has {len(words)} words instead of class, centre x, centre y, width, height"
            problems.append(Problem("broken_labels", where, detail))
            continue
        kind = whole(words[0])
        if kind is None or not 0 <= kind < len(names):
            detail = f"line {row} has the class '{words[0]}': expected 0 to {len(names) - 1}"
            problems.append(Problem("class_out_of_range", where, detail))
            continue
        cx, cy, w, h = (number(word) for word in words[1:5])
        boxes.append(RawBox(names[kind], (cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2)))
    return tuple(boxes)


def _orphans(root: Path, labels: Path, owned: set[Path]) -> list[Problem]:
    """Label files whose picture is missing."""
    return [
        Problem("no_such_picture", shown(path, root), "there is no picture of this name")
        for path in sorted(labels.rglob("*.txt"))
        if path not in owned and path.name not in _NO_LABELS and labels != root
    ]


def class_names(root: Path, read: Callable[[Path], bytes] = Path.read_bytes) -> tuple[str, ...]:
    """The class names of the set in the order of their numbers; raises LabelError when their file cannot be read.

    Args:
        root: the folder of the set.
        read: reads the bytes of a file.
    """
    for name in (*_DESCRIPTIONS, *_NAME_FILES):
        if not (root / name).is_file():
            continue
        try:
            text = decoded(read(root / name), name)
        except OSError as error:
            raise LabelError("broken_labels", f"'{name}' cannot be read ({error.strerror})") from None
        found = names_in_yaml(text) if name in _DESCRIPTIONS else tuple(filter(None, map(str.strip, text.splitlines())))
        if found or name in _NAME_FILES:
            return found
    return CLASS_NAMES


def names_in_yaml(text: str) -> tuple[str, ...]:
    r"""The class names in a `data.yaml`, in the few forms that tools write; empty if it names none.

    >>> names_in_yaml("nc: 2\nnames: ['1m', 2m]")
    ('1m', '2m')
    >>> names_in_yaml("names:\n  0: 1m\n  1: 2m  # two\nnc: 2"), names_in_yaml("names:\n- 1m\n- '2m'\n")
    (('1m', '2m'), ('1m', '2m'))
    """
    head = re.search(r"^names:[ \t]*(.*)$", text, re.MULTILINE)
    if head is None:
        return ()
    rest = text[head.start(1) :]
    if rest[:1] in ("[", "{"):
        closing = rest.find("]" if rest[0] == "[" else "}")
        return _in_order(rest[1:closing].split(","))
    block = re.match(r"(?:[ \t]*(?:-|\d+[ \t]*:)[^\n]*(?:\n|$)|[ \t]*(?:#[^\n]*)?\n)*", rest.lstrip("\n"))
    lines = block.group().splitlines() if block else []
    return _in_order([line.strip().removeprefix("-") for line in lines if line.strip() and line.strip()[0] != "#"])


def _in_order(entries: Sequence[str]) -> tuple[str, ...]:
    """Names out of entries `NAME` or `NUMBER: NAME`, without quotes and comments."""
    numbered: dict[int, str] = {}
    for place, entry in enumerate(entries):
        found = re.fullmatch(r"\s*(?:(\d+)\s*:)?\s*(['\"]?)(.*?)\2\s*(?:#.*)?", entry, re.DOTALL)
        if found and found[3]:
            numbered[int(found[1]) if found[1] else place] = found[3]
    return tuple(numbered.get(place, "?") for place in range(max(numbered, default=-1) + 1))


def label_lines(boxes: Sequence[LabelledBox], size_wh: tuple[int, int], names: Sequence[str] = CLASS_NAMES) -> str:
    """The text of a label file; the class of every box must be among the names."""
    width, height = size_wh
    lines: list[str] = []
    for labelled in boxes:
        cx, cy = labelled.box.center
        shares = (cx / width, cy / height, labelled.box.width / width, labelled.box.height / height)
        lines.append(f"{names.index(labelled.name)} " + " ".join(f"{share:.6f}" for share in shares) + "\n")
    return "".join(lines)
