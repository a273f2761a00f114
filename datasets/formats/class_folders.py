"""Pictures of single tiles: the class is the name of the folder, the name of the file, or a row of a table.

A folder may also have the number of its class in a list. Each picture is one box that fills it. Such a set teaches a
model the names of tiles, but not to find them. Nothing is written in this format. Label files that hold a shape say
more than folders and names; empty ones say nothing.
"""

import csv
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tilescore.datasets.formats import yolo
from tilescore.datasets.intake.class_lists import class_list, with_names
from tilescore.datasets.intake.label_files import below, head_of, label_text
from tilescore.datasets.intake.pictures import split_named
from tilescore.datasets.intake.raw import LabelError, RawBox, RawPicture, RawSet, shown
from tilescore.datasets.labels import Problem
from tilescore.datasets.names.resolve import propose
from tilescore.datasets.pictures.picture_files import pictures_below
from tilescore.errors import InputError

_FEWEST: Final = 2
"""So many folders or names of files have to name tiles."""
_SHARE: Final = 0.8
"""So many of all files have to bear a name of a tile."""
_MOST_NAMES: Final = 200
_COUNTER: Final = re.compile(r"[-_. (]*\d*[)]?$|[-_. ][0-9a-f]{6,}$")
"""What tells the files of a class apart: a number at the end."""
_PICTURE_COLUMNS: Final = ("filename", "file", "file_name", "image", "path", "image_path", "img", "id")
_CLASS_COLUMNS: Final = ("class", "label", "tile", "category", "class_name", "name")


def fits(path: Path) -> bool:
    """Whether pictures are named after tiles, and no label file of YOLO holds a shape."""
    return path.is_dir() and bool(_classes(path)[0]) and not yolo.has_labels(path)


def read_raw(path: Path) -> RawSet:
    """List the pictures; those without a class become problems."""
    problems: list[Problem] = []
    pictures: list[RawPicture] = []
    classes, sources = _classes(path)
    for picture in pictures_below(path):
        where = shown(picture, path)
        name = classes.get(picture, "")
        if not name:
            problems.append(Problem("no_class", where, "nothing says which tile the picture shows"))
            continue
        box = RawBox(name, (0.0, 0.0, 1.0, 1.0))
        pictures.append(RawPicture(where, where, (box,), "shares", picture.parent, (picture,)))
    detail = "each picture is one tile: the set teaches names, not how to find tiles in a photo"
    notes = (Problem("class_folders", path.name, detail),)
    return with_names(RawSet(path, tuple(pictures), tuple(problems), notes, files=frozenset(sources)))


def _classes(root: Path) -> tuple[Mapping[Path, str], Sequence[str]]:
    """The class of each picture that has one, and the tables that say so; nothing for another kind of set.

    Names of files tell only if some name a tile of a suit: photos are also named after the seats of a table.
    """
    pictures = pictures_below(root)
    by_folder = {p: p.parent.name for p in pictures if p.parent != root and not split_named(p.parent.name)}
    folders = sorted(set(by_folder.values()))
    if _named(folders) >= _FEWEST:
        return by_folder, ()
    for table in below(root, ".csv", ".tsv"):
        if classes := _in_table(table, pictures, root):
            return classes, [shown(table, root)]
    numbers = {picture: name for picture, name in by_folder.items() if name.isdigit()}
    if len(set(numbers.values())) >= _FEWEST and _has_list(root):
        return numbers, ()
    by_name = {p: name for p in pictures if (name := _COUNTER.sub("", p.stem))}
    names = sorted(set(by_name.values()))[:_MOST_NAMES]
    tiles = [meaning.tile for meaning in propose(names) if meaning.sure and meaning.tile]
    few = len(tiles) < max(_FEWEST, _SHARE * len(names)) or not any(tile[-1] in "mps" for tile in tiles)
    return ({}, ()) if few or len(by_name) < _SHARE * len(pictures) else (by_name, ())


def _named(names: Sequence[str]) -> int:
    """How many names are surely those of tiles."""
    return sum(meaning.sure and meaning.tile is not None for meaning in propose(names[:_MOST_NAMES]))


def _has_list(root: Path) -> bool:
    try:
        return class_list(root) is not None
    except InputError:
        return False


def _in_table(table: Path, pictures: Sequence[Path], root: Path) -> dict[Path, str]:
    """The class of each picture in a table of files and classes; nothing for another table."""
    header = head_of(table, most=2000).partition("\n")[0].lower()
    delimiter = max(",;\t", key=header.count)
    columns = [name.strip().strip('"') for name in header.split(delimiter)]
    picture, kind = (next((n for n in titles if n in columns), "") for titles in (_PICTURE_COLUMNS, _CLASS_COLUMNS))
    if not picture or not kind:
        return {}
    by_name = {shown(path, root): path for path in pictures} | {path.name: path for path in pictures}
    by_name |= {path.stem: path for path in pictures}
    classes: dict[Path, str] = {}
    try:
        for row in csv.reader(label_text(table, table.name).splitlines()[1:], delimiter=delimiter):
            said = dict(zip(columns, (cell.strip() for cell in row), strict=False))
            name = said.get(picture, "").replace("\\", "/")
            path = by_name.get(name) or by_name.get(name.rpartition("/")[2])
            if path is not None and said.get(kind):
                classes[path] = said[kind]
    except (csv.Error, LabelError):
        return {}
    return classes if _named(sorted(set(classes.values()))) or all(name.isdigit() for name in classes.values()) else {}
