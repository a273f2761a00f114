"""What a labelled picture is, whatever the file format: pixels, class names, and what was wrong with the rest."""

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
    """Write a data.yaml that names where each split lies and our classes; returns its path."""
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
        box: where, in pixels of the upright picture; may reach beyond it when a tool drew it so.
        role: its part in the hand as in `tilescore.vision.layout.layout.Role`, or nothing when nobody said.
    """

    name: str
    box: Box
    role: str = ""


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """A picture and every tile that was labelled in it.

    Attributes:
        path: the picture file.
        size_wh: width and height in pixels, upright.
        boxes: the tiles.
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
        """Split and name: what tells it from every other picture of the set."""
        return f"{self.split}/{self.name}" if self.split else self.name


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that was skipped.

    Attributes:
        code: stable name, e.g. `unknown_class`.
        where: the file, below the data set's folder.
        detail: what is wrong there, quoting it.
    """

    code: str
    where: str
    detail: str

    def __str__(self) -> str:
        return f"{self.where}: {self.detail}"


@dataclass(frozen=True, slots=True)
class LabelSet:
    """A data set as it was read.

    Attributes:
        root: its folder.
        format_name: `yolo`, `coco`, `voc`, `labelstudio` or `cvat`.
        pictures: what could be read, ordered by split and name.
        problems: what could not, by name.
    """

    root: Path
    format_name: str
    pictures: tuple[LabelledPicture, ...]
    problems: tuple[Problem, ...]
