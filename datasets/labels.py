"""Labelled pictures independent of the file format, and the problems found while reading them."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tilescore.datasets.parts import NO_PART, Part
from tilescore.errors import in_brief
from tilescore.files.outputs import write_whole
from tilescore.scoring.tiles import ALL_FACES
from tilescore.vision.image.boxes import Box

CLASS_NAMES: Final = tuple(str(tile) for tile in ALL_FACES)
"""The 46 classes of the detector, in order."""

REJECTED: Final = "rejected"
"""The code of a picture that a person has rejected."""
UNKNOWN: Final = "?"
"""Begins the name of a label of which nobody has said what tile it is; the rest is the name in its set."""


def describe(folder: Path, *, names: Sequence[str] = CLASS_NAMES, **splits: str) -> Path:
    """Write a data.yaml with the place of each split and the names of the classes; returns its path."""
    listed = "".join(f"{split}: {where}\n" for split, where in splits.items())
    described = folder / "data.yaml"
    text = f"{listed}nc: {len(names)}\nnames: {json.dumps(names, ensure_ascii=False)}\n"
    write_whole(described, text.encode())
    return described


@dataclass(frozen=True, slots=True)
class ClassName:
    """A name in the list of a set as the set writes it, or the number where there is no list."""

    name: str
    # The class that it means, e.g. `5m`; None for what is no tile, and where a person must say.
    tile: str | None
    sure: bool  # whether that is known; otherwise a person must say
    count: int = 0  # number of labels
    candidates: tuple[str, ...] = ()  # what an unsure name may mean, the likeliest first

    @property
    def is_open(self) -> bool:
        """Whether a person must say what its labels are."""
        return not self.sure and self.count > 0

    def to_json(self) -> dict[str, Any]:
        """The name as the command line prints it."""
        fields = {"name": self.name, "tile": self.tile, "sure": self.sure, "count": self.count}
        return fields | ({"candidates": list(self.candidates)} if self.candidates else {})


@dataclass(frozen=True, slots=True)
class LabelledBox:
    """One tile in a picture."""

    # Its class, e.g. `5m` or `back`; UNKNOWN and its name in the set where open names are kept.
    name: str
    box: Box  # its place in pixels of the upright picture; some tools draw boxes that reach beyond the picture
    part: Part = NO_PART
    # the corners (x, y) of the polygon or turned box whose upright box this is; empty for an upright box
    corners: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """A picture and its labels."""

    path: Path
    size_wh: tuple[int, int]  # width and height in pixels, upright
    boxes: Sequence[LabelledBox]
    name: str  # the file's name below its split, with `/` between folders
    split: str = ""  # `train`, `val`, ..., or nothing
    checked: bool = False  # whether a person has confirmed the labels
    hand: str = ""  # one of `tilescore.datasets.parts.HANDS`
    hidden: int = 0  # number of tiles that may be in the picture without a box, because their labels cannot be used
    rejected: str = ""  # why a person says that nobody shall learn from it; empty if nobody says so

    @property
    def key(self) -> str:
        """Split and name, which identify the picture within its set."""
        return f"{self.split}/{self.name}" if self.split else self.name


def picture_fields(picture: LabelledPicture) -> dict[str, Any]:
    """What a person has said about a whole picture, by name, for the files of other programs."""
    fields: dict[str, str | bool] = {"checked": picture.checked, "hand": picture.hand}
    return {name: value for name, value in fields.items() if value}


@dataclass(frozen=True, slots=True)
class Problem:
    """A picture, shape or file that a reader of labels skipped, or a note about how it was read.

    The code is a stable name, e.g. `unknown_class`, and `where` the file, below the data set's folder. So many `shapes`
    are lost by it.
    """

    code: str
    where: str
    detail: str
    shapes: int = 0
    picture: Path | None = None  # the file of a picture that a writer left out

    def __post_init__(self) -> None:
        """Quote little of a very long name or value."""
        for name in ("where", "detail"):
            object.__setattr__(self, name, in_brief(getattr(self, name)))

    def __str__(self) -> str:
        return f"{self.where}: {self.detail}"


def complete(pictures: Iterable[LabelledPicture]) -> tuple[list[LabelledPicture], list[Problem]]:
    """The pictures without hidden tiles that nobody has rejected, and a problem for each of the others.

    A hidden tile would teach a model that there is none, and no written format has room for such a place.
    """
    kept: list[LabelledPicture] = []
    problems: list[Problem] = []
    for picture in pictures:
        if picture.rejected:
            problems.append(Problem(REJECTED, picture.key, f"rejected: {picture.rejected}", len(picture.boxes)))
            continue
        if not picture.hidden:
            kept.append(picture)
            continue
        labels = "a label" if picture.hidden == 1 else f"{picture.hidden} labels"
        detail = f"left out whole: {labels} in it cannot be used, and the tiles there would count as background"
        problems.append(Problem("left_out", picture.key, detail, len(picture.boxes)))
    return kept, problems


@dataclass(frozen=True, slots=True)
class LabelSet:
    """The content of a data set, in one of `tilescore.datasets.formats.FORMATS`."""

    root: Path
    format_name: str
    pictures: tuple[LabelledPicture, ...]  # the readable pictures, ordered by split and name
    # everything that was skipped; every shape of the label files is in a picture or counted here
    problems: tuple[Problem, ...]
    notes: tuple[Problem, ...] = ()  # what was changed while reading, such as a polygon that became its box
    classes: tuple[ClassName, ...] = ()
    source: str = ""  # the file with the list of class names; empty if the labels themselves name them, or nothing does
    numbered: bool = False  # whether the class names are numbers, because there is no list

    @property
    def boxes(self) -> int:
        """Number of usable boxes."""
        return sum(len(picture.boxes) for picture in self.pictures)

    @property
    def lost(self) -> int:
        """Number of shapes that are not among the boxes."""
        return sum(problem.shapes for problem in self.problems)
