"""Unchecked pictures and shapes as label files hold them, and the small conversions that all formats need."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tilescore.datasets.intake.packed import Packed
from tilescore.datasets.labels import Problem
from tilescore.datasets.parts import NO_PART, Part
from tilescore.errors import InputError
from tilescore.files.names import text_of
from tilescore.vision.image.boxes import Box

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class RawBox:
    """An unchecked shape out of a label file; only a polygon or turned box has corners."""

    name: str
    xyxy: tuple[float, float, float, float]
    part: Part = NO_PART
    corners: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class RawPicture:
    """An unchecked picture out of a label file.

    Attributes:
        where: the label file, for messages.
        name: the picture's file as the labels name it; may be a path of another machine.
        unit: pixels, or shares of width and height.
        near: the folder of the label file; pictures nearer to it come first.
        candidates: paths where the picture may lie; the first that exists counts before any search.
        other_names: further names to search for, such as that of the label file.
        split: `train`, `val`, ..., or nothing if the picture's folder tells.
        size_wh: width and height according to the label file, or None.
        checked_names: what its shapes were when a person checked it; empty if nobody kept that.
        suggestions: number of tiles that a model suggests and nobody has accepted.
        lost: number of its shapes that the reader could not parse; each is in a problem.
        held: gives the picture in base64 where the label file itself holds it.

    `checked`, `rejected` and `hand` are those of a `LabelledPicture`.
    """

    where: str
    name: str
    boxes: Sequence[RawBox]
    unit: Literal["pixels", "shares"]
    near: Path
    candidates: tuple[Path, ...] = ()
    other_names: tuple[str, ...] = ()
    split: str = ""
    size_wh: tuple[int, int] | None = None
    checked: bool = False
    checked_names: tuple[str, ...] = ()
    suggestions: int = 0
    rejected: str = ""
    hand: str = ""
    lost: int = 0
    held: Callable[[], str] | None = None

    def __post_init__(self) -> None:
        """Pack the shapes: a set may have hundreds of thousands."""
        rows = ((box.name, box.xyxy, box.part, box.corners) for box in self.boxes)
        object.__setattr__(self, "boxes", Packed(RawBox, rows))


@dataclass(frozen=True, slots=True)
class RawSet:
    """What a format's reader found: pictures, what it could not parse, and how it understood what is unusual."""

    root: Path
    pictures: tuple[RawPicture, ...]
    problems: tuple[Problem, ...]
    notes: tuple[Problem, ...] = ()
    # the list of class names in the order of their numbers; empty if the labels name their classes
    names: tuple[str, ...] = ()
    source: str = ""  # the file with that list
    numbered: bool = False  # whether the boxes have numbers for names, because there is no list
    files: frozenset[str] = frozenset()  # the label files that were read, as messages name them


class LabelError(InputError):
    """A label file that cannot be parsed."""


def shown(path: Path, root: Path) -> str:
    """The path for messages: relative to the data set's folder."""
    return text_of(path.relative_to(root).as_posix() if path.is_relative_to(root) else path)


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
    parsed = number(value)
    return int(parsed) if math.isfinite(parsed) and parsed == int(parsed) else None


def size_of(width: object, height: object) -> tuple[int, int] | None:
    """Width and height of a picture out of a label file; None if they are missing."""
    pair = (whole(width), whole(height))
    return (pair[0], pair[1]) if pair[0] and pair[1] else None


def ordered(x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of a box that was drawn from any corner; NaN stays NaN.

    >>> ordered(30, 10, 20, 40)
    (20, 10, 30, 40)
    """
    if any(math.isnan(value) for value in (x0, y0, x1, y1)):
        return (x0, y0, x1, y1)
    return (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def corner_box(name: str, x: object, y: object, width: object, height: object) -> RawBox:
    """A box by its upper left corner, width and height."""
    left, top = number(x), number(y)
    return RawBox(name, (left, top, left + number(width), top + number(height)))


def wh(value: object) -> tuple[int, int] | None:
    """Width and height of a picture out of an object of JSON; None if they are missing."""
    return size_of(value.get("width"), value.get("height")) if isinstance(value, dict) else None


def around(points: Sequence[Point]) -> tuple[float, float, float, float]:
    """The upright box around points; NaN if there is no point, or if a coordinate is no number."""
    if not points or any(math.isnan(value) for point in points for value in point):
        return (math.nan, math.nan, math.nan, math.nan)
    xs, ys = zip(*points, strict=True)
    return (min(xs), min(ys), max(xs), max(ys))


def polygon(name: str, points: Sequence[Point], *, part: Part = NO_PART) -> RawBox:
    """A polygon and the box around it."""
    return RawBox(name, around(points), part, tuple(points))


def turned_box(name: str, box: Box, angle_deg: float, *, pivot: Point, part: Part = NO_PART) -> RawBox:
    """A rectangle that is turned clockwise about a point; an upright one has no corners of its own."""
    if not angle_deg:
        return RawBox(name, box.xyxy, part)
    angle = math.radians(angle_deg)
    cos, sin = math.cos(angle), math.sin(angle)
    corners = [(box.x0, box.y0), (box.x1, box.y0), (box.x1, box.y1), (box.x0, box.y1)]
    return polygon(
        name,
        [
            (pivot[0] + (a - pivot[0]) * cos - (b - pivot[1]) * sin,
             pivot[1] + (a - pivot[0]) * sin + (b - pivot[1]) * cos)
            for a, b in corners
        ],
        part=part,
    )  # fmt: skip


def ellipse(name: str, middle: Point, radii: Point, angle_deg: float, *, part: Part = NO_PART) -> RawBox:
    """The upright box around an ellipse that is turned about its middle.

    >>> ellipse("5m", (50, 50), (20, 10), 90).xyxy
    (40.0, 30.0, 60.0, 70.0)
    """
    cos, sin = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    across, down = math.hypot(radii[0] * cos, radii[1] * sin), math.hypot(radii[0] * sin, radii[1] * cos)
    return RawBox(name, (middle[0] - across, middle[1] - down, middle[0] + across, middle[1] + down), part)


def exported_box(
    name: str, xyxy: tuple[float, float, float, float], attributes: Mapping[str, object], *, part: Part = NO_PART
) -> RawBox:
    """A box as CVAT exports it to other formats: the attribute `rotation` turns it about its middle, in degrees."""
    box, angle = Box(*xyxy), number(attributes.get("rotation", 0))
    return turned_box(name, box, angle if math.isfinite(angle) else 0, pivot=box.center, part=part)


def points_in(value: object) -> list[Point]:
    """Points out of a label file: a list of pairs, or a flat list of coordinates; NaN for what is no number."""
    if not isinstance(value, list):
        return []
    if value and not isinstance(value[0], (list, tuple)):
        flat = [number(entry) for entry in value]
        return list(zip(flat[::2], flat[1::2], strict=False))
    return [
        (number(pair[0]), number(pair[1])) if isinstance(pair, (list, tuple)) and len(pair) >= 2 else (math.nan,) * 2
        for pair in value
    ]
