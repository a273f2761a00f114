"""Class folders: pictures of single tiles in folders that bear the names of their classes.

Each picture is one box that fills it. Such a set teaches a model the names of tiles, but not to find them. Nothing is
written in this format. Label files that hold a shape say more than the folders; empty ones say nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tilescore.datasets.formats import yolo
from tilescore.datasets.intake.pictures import split_named
from tilescore.datasets.intake.raw import RawBox, RawPicture, RawSet, shown
from tilescore.datasets.labels import Problem
from tilescore.datasets.names.resolve import propose
from tilescore.datasets.picture_files import pictures_below

if TYPE_CHECKING:
    from pathlib import Path

_FEWEST: Final = 2
"""So many folders have to bear names of tiles."""


def fits(path: Path) -> bool:
    """Whether folders of pictures bear names of tiles, and no label file of YOLO holds a shape."""
    if not path.is_dir():
        return False
    folders = sorted({picture.parent.name for picture in pictures_below(path) if picture.parent != path})
    named = sum(each.sure and each.tile is not None for each in propose(folders[:200]))
    return named >= _FEWEST and not yolo.has_labels(path)


def read_raw(path: Path) -> RawSet:
    """List the pictures; those outside the folders of classes become problems."""
    problems: list[Problem] = []
    pictures: list[RawPicture] = []
    for picture in pictures_below(path):
        name = picture.parent.name
        if picture.parent == path or split_named(name):
            problems.append(Problem("no_class", shown(picture, path), "the picture lies in no folder of a class"))
            continue
        box = RawBox(name, (0.0, 0.0, 1.0, 1.0))
        pictures.append(RawPicture(shown(picture, path), picture.name, (box,), "shares", picture.parent, (picture,)))
    detail = "each picture is one tile: the set teaches names, not how to find tiles in a photo"
    return RawSet(path, tuple(pictures), tuple(problems), (Problem("class_folders", path.name, detail),))
