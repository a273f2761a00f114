"""A picture as a small reader finds it, and what all small readers share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote, urlsplit

from tilescore.datasets.intake.class_lists import class_list
from tilescore.datasets.intake.raw import RawBox, RawPicture, RawSet, number, size_of
from tilescore.datasets.labels import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture in a record.

    Attributes:
        picture: its file as the labels name it: a path, an address, or a name without an ending.
        boxes: its shapes in `unit`; None stands for a shape that is no area.
        unit: pixels, or shares of width and height.
        size_wh: width and height, or None.
        split: `train`, `val`, ..., or nothing.
        others: further names under which the picture may lie there.
    """

    picture: str
    boxes: Iterable[RawBox | None]
    unit: Literal["pixels", "shares"] = "pixels"
    size_wh: tuple[int, int] | None = None
    split: str = ""
    others: tuple[str, ...] = ()

    def raw(self, file: Path, where: str, problems: list[Problem]) -> RawPicture:
        """The picture for `accept`; of an address, the name of the file counts. Shapes without an area are problems."""
        shapes = list(self.boxes)
        boxes = tuple(box for box in shapes if box is not None)
        if lost := len(shapes) - len(boxes):
            detail = "only boxes and polygons are read, not points, lines and masks"
            problems.append(Problem("unsupported_shape", where, detail, lost))
        name = self.picture
        if "://" in name:
            name = unquote(PurePosixPath(urlsplit(name).path).name)
        plain = bool(name) and not name.startswith("/") and ".." not in name and "\\" not in name
        return RawPicture(
            where, name, boxes, self.unit, file.parent, (file.parent / name,) if plain else (), self.others,
            split=self.split, size_wh=self.size_wh,
        )  # fmt: skip


def corner_box(name: str, x: object, y: object, width: object, height: object) -> RawBox:
    """A box by its upper left corner, width and height."""
    left, top = number(x), number(y)
    return RawBox(name, (left, top, left + number(width), top + number(height)))


def wh(value: object, *, width: str = "width", height: str = "height") -> tuple[int, int] | None:
    """Width and height of a picture out of an object of JSON; None if they are missing."""
    return size_of(value.get(width), value.get(height)) if isinstance(value, dict) else None


def with_names(found: RawSet) -> RawSet:
    """The set with the names of its classes where its labels hold numbers alone."""
    used = {box.name for picture in found.pictures for box in picture.boxes}
    if not used or not all(name.isdigit() for name in used):
        return found
    listed = class_list(found.root)
    if listed is None:
        return replace(found, numbered=True)
    names = dict(enumerate(listed.names))
    pictures = tuple(
        replace(p, boxes=[replace(box, name=names.get(int(box.name), box.name)) for box in p.boxes])
        for p in found.pictures
    )
    return replace(found, pictures=pictures, names=listed.names, source=listed.source)
