"""CSV tables with one row for each box, as TensorFlow, AutoML, RetinaNet, makesense and Roboflow write them.

A header tells the columns; without one, the number of columns and the kind of their values do. Nothing is written in
this format.
"""

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from tilescore.datasets.intake.label_files import below, head_of
from tilescore.datasets.intake.pictures import split_named
from tilescore.datasets.intake.raw import LabelError, RawBox, RawPicture, number, ordered, size_of
from tilescore.datasets.intake.reader import LabelFile, Reader

_COLUMNS: Final = {
    "picture": ("filename", "image", "image_name", "imagename", "image-name", "image_path", "path", "img", "file",
                "file_name", "filepath", "imageid", "image_id", "photo"),
    "name": ("class", "label", "class_name", "label_name", "labelname", "name", "category", "tile", "label-name"),
    "x0": ("xmin", "x_min", "x1", "left", "xtl", "bbox_xmin"),
    "y0": ("ymin", "y_min", "y1", "top", "ytl", "bbox_ymin"),
    "x1": ("xmax", "x_max", "x2", "right", "xbr", "bbox_xmax"),
    "y1": ("ymax", "y_max", "y2", "bottom", "ybr", "bbox_ymax"),
    "left": ("x", "bbox_x"), "up": ("y", "bbox_y"), "across": ("w", "bbox_width", "box_width"),
    "down": ("h", "bbox_height", "box_height"),
    "width": ("width", "image_width", "img_width"), "height": ("height", "image_height", "img_height"),
    "split": ("split", "set", "subset", "usage"),
}  # fmt: skip
"""Names of columns in lower case, by what they hold."""
_NEEDED: Final = ({"picture", "name", "x0", "y0", "x1", "y1"}, {"picture", "name", "left", "up", "across", "down"})
"""A table needs the columns of one of these sets."""
_BARE: Final = {
    6: ("picture", "x0", "y0", "x1", "y1", "name"),
    8: ("name", "left", "up", "across", "down", "picture", "width", "height"),
    11: ("split", "picture", "name", "x0", "y0", "", "", "x1", "y1", "", ""),
    10: ("picture", "name", "x0", "y0", "", "", "x1", "y1", "", ""),
}
"""Columns of tables without a header: RetinaNet, makesense, AutoML with and without a split."""
_MOST_SHARE: Final = 1.0
"""A table whose coordinates are all at most this holds shares of the picture."""


@dataclass(frozen=True, slots=True)
class _Table:
    """A table: the place of each column, and the rows below the header."""

    columns: Mapping[str, int]
    rows: Sequence[Sequence[str]]

    def text(self, row: Sequence[str], column: str) -> str:
        """The text in a column of a row; empty where the row has none."""
        place = self.columns.get(column, len(row))
        return row[place].strip() if place < len(row) else ""


def _files(path: Path) -> list[Path]:
    tables = below(path, ".csv", ".tsv")
    return [file for file in tables if _table(head_of(file, most=20_000).rsplit("\n", 1)[0]) is not None]


def _table(content: str) -> _Table | None:
    """The table in a text; None if it holds no boxes."""
    first = content.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    try:
        rows = [row for row in csv.reader(content.splitlines(), delimiter=delimiter) if any(map(str.strip, row))]
    except csv.Error:
        return None
    if not rows:
        return None
    header = [cell.strip().lower() for cell in rows[0]]
    columns = {key: at for key, names in _COLUMNS.items() for name in names[::-1] for at in _at(header, name)}
    if any(needed <= columns.keys() for needed in _NEEDED):
        return _Table(columns, rows[1:])
    bare = _BARE.get(len(rows[0]), ())
    numbers = [at for at, name in enumerate(bare) if name in ("x0", "y0", "x1", "y1", "left", "up", "across", "down")]
    texts = [rows[0][at] for at, name in enumerate(bare) if name in ("picture", "name")]
    if bare and all(math.isfinite(number(rows[0][at])) for at in numbers) and "." in "".join(texts):
        return _Table({name: at for at, name in enumerate(bare) if name}, rows)
    return None


def _at(header: Sequence[str], name: str) -> list[int]:
    return [header.index(name)] if name in header else []


def _pictures_in(file: LabelFile) -> list[RawPicture]:
    table = _table(file.text())
    if table is None:
        raise LabelError("broken_labels", f"'{file.where}' is no table of boxes")
    boxes: dict[str, list[RawBox]] = {}
    sizes: dict[str, tuple[int, int] | None] = {}
    splits: dict[str, str] = {}
    largest = 0.0
    for at, row in enumerate(table.rows, start=2):
        picture = table.text(row, "picture")
        if not picture:
            file.lose("broken_labels", f"row {at} names no picture", 1)
            continue
        mine = boxes.setdefault(picture, [])
        sizes[picture] = size_of(table.text(row, "width"), table.text(row, "height"))
        splits[picture] = split_named(table.text(row, "split"))
        if not table.text(row, "name") and not table.text(row, "x0") and not table.text(row, "left"):
            continue  # a picture without boxes
        xyxy = _xyxy(table, row)
        largest = max(largest, *(abs(value) for value in xyxy if math.isfinite(value)), 0.0)
        mine.append(RawBox(table.text(row, "name"), xyxy))
    unit: Literal["pixels", "shares"] = "shares" if 0 < largest <= _MOST_SHARE else "pixels"
    return [
        file.picture(picture, mine, unit, candidates=(), split=splits[picture], size_wh=sizes[picture])
        for picture, mine in boxes.items()
    ]


LABEL_READER: Final = Reader(_files, _pictures_in)


def _xyxy(table: _Table, row: Sequence[str]) -> tuple[float, float, float, float]:
    if "x0" in table.columns:
        x0, y0, x1, y1 = (number(table.text(row, column)) for column in ("x0", "y0", "x1", "y1"))
    else:
        x0, y0, width, height = (number(table.text(row, column)) for column in ("left", "up", "across", "down"))
        x1, y1 = x0 + width, y0 + height
    return ordered(x0, y0, x1, y1)
