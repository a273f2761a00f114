"""Formats with one text for each picture and one line for each box, in pixels: DOTA (`labelTxt`) and KITTI."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tilescore.datasets.intake.class_lists import is_class_list
from tilescore.datasets.intake.label_files import below, head_of
from tilescore.datasets.intake.raw import RawBox, RawPicture, RawSet, number, ordered, polygon
from tilescore.datasets.intake.reader import LabelFile, gather

_HEAD_BYTES: Final = 2000
_LOOKED_AT: Final = 50
"""So many texts of a set are looked at to tell its format."""
_NUMBER: Final = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"


@dataclass(frozen=True, slots=True)
class Lines:
    """A format of lines: their form, what makes a shape of the words of one, and the form of headers."""

    line: re.Pattern[str]
    box: Callable[[list[str]], RawBox]
    header: re.Pattern[str] = re.compile(r"(?!)")

    def fits(self, path: Path) -> bool:
        """Whether the texts of the path have lines of this form."""
        return any(map(self._is_mine, _texts(path)[:_LOOKED_AT]))

    def read_raw(self, path: Path) -> RawSet:
        """Parse the texts, and the empty ones in the same folders."""
        texts = _texts(path)
        mine = {file.parent for file in texts if self._is_mine(file)}
        files = (file for file in texts if file.parent in mine)
        return gather(path if path.is_dir() else path.parent, files, self._pictures_in)

    def _pictures_in(self, file: LabelFile) -> Iterator[RawPicture]:
        boxes: list[RawBox] = []
        for row, line in enumerate(file.text().splitlines(), start=1):
            if self.line.fullmatch(line.strip()):
                boxes.append(self.box(line.split()))
            elif line.strip() and not self.header.match(line):
                file.lose("broken_labels", f"line {row} is no box: {line.strip()[:60]}", 1)
        yield file.picture(file.path.stem, boxes)

    def _is_mine(self, file: Path) -> bool:
        head = head_of(file, most=_HEAD_BYTES)
        lines = [line.strip() for line in head.splitlines() if line.strip() and not self.header.match(line)]
        return bool(lines) and self.line.fullmatch(lines[0]) is not None


def _texts(path: Path) -> list[Path]:
    return [file for file in below(path, ".txt") if not is_class_list(file)]


def _dota(words: list[str]) -> RawBox:
    """The four corners, the class, and how difficult it is."""
    values = [number(word) for word in words[:8]]
    shape = polygon(words[8], list(zip(values[::2], values[1::2], strict=True)))
    x0, y0, x1, y1 = shape.xyxy
    upright = sorted(shape.corners) == sorted([(x0, y0), (x0, y1), (x1, y0), (x1, y1)])
    return RawBox(shape.name, shape.xyxy) if upright else shape


def _kitti(words: list[str]) -> RawBox:
    """The class, how much is cut off and hidden, an angle, then left, top, right, bottom."""
    x0, y0, x1, y1 = (number(word) for word in words[4:8])
    return RawBox(words[0], ordered(x0, y0, x1, y1))


_CLASS: Final = r"(?=\S*[^\d\s.])\S+"
"""A class is no number: lines of numbers alone are those of YOLO."""
LINE_FORMATS: Final = {
    "dota": Lines(
        re.compile(rf"(?:{_NUMBER}\s+){{8}}{_CLASS}(?:\s+\d)?"),
        _dota,
        re.compile(r"\s*(?:imagesource|gsd)\s*:", re.IGNORECASE),
    ),
    "kitti": Lines(re.compile(rf"{_CLASS}(?:\s+{_NUMBER}){{14,15}}"), _kitti),
}
