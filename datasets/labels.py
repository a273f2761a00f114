"""Labelled pictures independent of the file format, and the problems found while reading them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tilescore.scoring.tiles import ALL_FACES

if TYPE_CHECKING:
    from pathlib import Path

    from tilescore.vision.image.boxes import Box

CLASS_NAMES: Final = tuple(str(tile) for tile in ALL_FACES)
"""The 46 classes of the detector, in order."""


def describe(folder: Path, **splits: str) -> Path:
    """Write a data.yaml with the place of each split and the names of the classes; returns its path."""
    listed = "".join(f"{split}: {where}\n" for split, where in splits.items())
    names = json.dumps(CLASS_NAMES)
    described = folder / "data.yaml"
    described.write_text(f"{listed}nc: {len(CLASS_NAMES)}\nnames: {names}\n", encoding="utf-8")
    return described


@dataclass(frozen=True, slots=True)
class LabelledBox:
    """One tile in a picture.

    Attributes:
        name: its class, e.g. `5m` or `back`.
        box: its place in pixels of the upright picture; some tools draw boxes that reach beyond the picture.
        role: its part in the hand as in `tilescore.vision.layout.layout.Role`, or nothing.
    """

    name: str
    box: Box
    role: str = ""


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """A picture and its labels.

    Attributes:
        path: the picture file.
        size_wh: width and height in pixels, upright.
        boxes: the labelled tiles.
        name: the file's name below its split, with `/` between folders.
        split: `train`, `val`, ..., or nothing.
        checked: whether a person has confirmed the labels.
    """

    path: Path
    size_wh: tuple[int, int]
    boxes: tuple[LabelledBox, ...]
    name: str
    split: str = ""
    checked: bool = False

    @property
    def key(self) -> str:
        """Split and name, which identify the picture within its set."""
        return f"{self.split}/{self.name}" if self.split else self.name


@dataclass(frozen=True, slots=True)
class Problem:
    """A picture, box or file that a reader of labels skipped.

    Attributes:
        code: stable name, e.g. `unknown_class`.
        where: the file, below the data set's folder.
        detail: what is wrong there, with the value in question.
    """

    code: str
    where: str
    detail: str

    def __str__(self) -> str:
        return f"{self.where}: {self.detail}"


@dataclass(frozen=True, slots=True)
class LabelSet:
    """The content of a data set.

    Attributes:
        root: its folder.
        format_name: `yolo`, `coco`, `voc`, `labelstudio` or `cvat`.
        pictures: the readable pictures, ordered by split and name.
        problems: everything that was skipped.
    """

    root: Path
    format_name: str
    pictures: tuple[LabelledPicture, ...]
    problems: tuple[Problem, ...]
