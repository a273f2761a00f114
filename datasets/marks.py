"""The labels of one picture while people work on them.

A mark is one tile. It comes from a model, a label file or a person.

>>> mark = Mark("5m", Box(10, 20, 40, 60), source=LabelSource.MODEL, score=0.7)
>>> start = Annotation((mark,))
>>> Annotation.from_json(start.to_json(), size_wh=(100, 100)) == start, start.labels, start.accepted().labels[0].name
(True, (), '5m')
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from tilescore.datasets.labels import CLASS_NAMES, UNKNOWN, LabelledBox
from tilescore.datasets.parts import HANDS, NO_PART, Part
from tilescore.errors import InputError, in_brief
from tilescore.vision.image.boxes import Box

_MAX_NAME: Final = 200
"""A name of a mark, and the reason why a picture is rejected, have at most this many letters."""
MAX_MARKS: Final = 1000


class LabelSource(StrEnum):
    """Where a mark comes from."""

    MODEL = "model"
    """A model suggested it; it becomes a label when a person accepts it."""
    FILE = "file"
    """The label file contains it."""
    PERSON = "person"
    """A person drew, changed or accepted it."""
    FILM = "film"
    """It has followed its tile from a frame of a film that a person corrected."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One tile in a picture, in pixels of the upright picture."""

    # Its class, e.g. `5m`; UNKNOWN and the name in the label file where nobody has said what that means.
    name: str
    box: Box
    part: Part = NO_PART
    source: LabelSource = LabelSource.PERSON
    score: float = 1.0  # the model's probability (0-1) for its own suggestion; 1 for every other source

    @property
    def is_unknown(self) -> bool:
        """Whether nobody has said what its name means."""
        return self.name.startswith(UNKNOWN)

    def to_json(self) -> list[Any]:
        """A list of name, left, top, right, bottom, part, source and score."""
        corners = [round(value, 2) for value in self.box.xyxy]
        return [self.name, *corners, str(self.part), str(self.source), round(self.score, 4)]


@dataclass(frozen=True, slots=True)
class Annotation:
    """All marks of a picture."""

    marks: tuple[Mark, ...] = ()
    checked: bool = False  # whether a person has confirmed that they are complete and right
    version: int = 0  # number of changes so far
    # what the picture shows, one of `tilescore.datasets.parts.HANDS`; empty until a person has judged it
    hand: str = ""
    rejected: str = ""  # why nobody shall learn from the picture, in the words of a person; empty if it is not rejected

    @property
    def labels(self) -> tuple[LabelledBox, ...]:
        """The labels of known classes: all marks except open suggestions and unknown names."""
        return tuple(LabelledBox(mark.name, mark.box, mark.part) for mark in self.kept if not mark.is_unknown)

    @property
    def kept(self) -> tuple[Mark, ...]:
        """The marks for the label file: all except open suggestions."""
        return tuple(mark for mark in self.marks if mark.source is not LabelSource.MODEL)

    def accepted(self) -> Annotation:
        """A copy in which every mark comes from a person."""
        return replace(self, marks=tuple(replace(mark, source=LabelSource.PERSON, score=1.0) for mark in self.marks))

    def to_json(self) -> dict[str, Any]:
        """The annotation as a JSON object for the history and the browser."""
        marks = [mark.to_json() for mark in self.marks]
        rejected = {"rejected": self.rejected} if self.rejected else {}
        return {"version": self.version, "checked": self.checked, "hand": self.hand, **rejected, "marks": marks}

    @staticmethod
    def from_json(data: object, *, size_wh: tuple[int, int]) -> Annotation:
        """The annotation in a JSON object, with boxes clipped to the picture; raises InputError."""
        if not isinstance(data, dict) or not isinstance(data.get("marks"), list):
            raise _refused("it is no object with marks")
        if len(data["marks"]) > MAX_MARKS:
            raise _refused(f"it has {len(data['marks'])} marks, at most {MAX_MARKS} are possible")
        version = data.get("version", 0)
        if not isinstance(version, int) or isinstance(version, bool):
            raise _refused(f"its version is {version!r}")
        hand = data.get("hand", "")
        if hand not in HANDS:
            raise _refused(f"it shows {hand!r}")
        rejected = data.get("rejected", "")
        if not isinstance(rejected, str) or len(rejected) > _MAX_NAME or not rejected.isprintable():
            raise _refused(f"it is rejected for {in_brief(repr(rejected))}")
        marks = tuple(_mark(entry, size_wh) for entry in data["marks"])
        return Annotation(marks, data.get("checked") is True and not rejected, version, hand, rejected)


def _mark(entry: object, size_wh: tuple[int, int]) -> Mark:
    if not isinstance(entry, (list, tuple)) or len(entry) != 8:
        raise _refused(f"a mark is {entry!r}")
    name, x0, y0, x1, y1, words, source, score = entry
    is_unknown = isinstance(name, str) and name.startswith(UNKNOWN) and 1 < len(name) <= _MAX_NAME
    if name not in CLASS_NAMES and not is_unknown:
        raise _refused(f"'{name}' is no tile")
    if source not in tuple(LabelSource):
        raise _refused(f"a mark of {name} has the source '{source}'")
    try:
        part = Part.parse(str(words))
    except ValueError as error:
        raise _refused(f"of a mark of {name} {error}") from None
    box = _box((x0, y0, x1, y1), size_wh)
    if box is None or not _finite([score]):
        raise _refused(f"a box of {name} is {x0} {y0} {x1} {y1}, which is no place in the picture")
    return Mark(name, box, part, LabelSource(source), float(score))


def _box(corners: Sequence[object], size_wh: tuple[int, int]) -> Box | None:
    """The part of the box inside the picture; None when the box lies outside."""
    if not _finite(corners):
        return None
    values = [float(value) for value in corners if isinstance(value, (int, float))]
    x0, x1 = (min(max(value, 0.0), float(size_wh[0])) for value in values[::2])
    y0, y1 = (min(max(value, 0.0), float(size_wh[1])) for value in values[1::2])
    return Box(x0, y0, x1, y1) if x1 - x0 > 0 and y1 - y0 > 0 else None


def _finite(values: Sequence[object]) -> bool:
    return all(
        isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) for value in values
    )


def _refused(reason: str) -> InputError:
    return InputError("bad_annotation", f"this change cannot be kept: {reason}; load the page again.", reason=reason)
