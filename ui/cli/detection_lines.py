"""Readings of boxes that another detector found: JSON Lines in, readings out."""

import json
import math
from collections.abc import Iterator
from typing import Any

from tilescore.errors import InputError
from tilescore.files.json_text import parsed
from tilescore.scoring.tiles import Tile
from tilescore.ui.cli.progress import lines_of
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.image.boxes import Box

_FARTHEST = 1e6
"""No photo has so many pixels in a row."""
_QUOTED = 60
"""Characters of a wrong value that a message quotes, at most."""


def read_lines(source: str, *, is_win: bool = False) -> Iterator[tuple[int, Reading | InputError]]:
    """The number of each line, and its reading or what is wrong with it.

    `source` is a file, or - for standard input. Raises InputError if there is no such file.
    """
    with lines_of(source, "reading") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                try:
                    yield number, reading_of(line, is_win=is_win)
                except InputError as error:
                    yield number, error


def reading_of(line: str, *, is_win: bool = False) -> Reading:
    """The reading of one JSON object with `size_wh` and `detections`; raises InputError if it is none."""
    try:
        data = parsed(line)
    except InputError as error:
        raise InputError("bad_detections", str(error)) from None
    except (ValueError, RecursionError):
        raise _wrong(line, "is no JSON object") from None
    if not isinstance(data, dict):
        raise _wrong(line, "is no JSON object")
    size = _numbers(data.get("size_wh"), 2, "size_wh")
    entries = data.get("detections")
    if not isinstance(entries, list):
        raise _wrong(entries, "is no list of detections")
    if not entries:
        raise InputError("no_tiles", "no tiles found: give a detection for each tile in the photo.")
    if min(size) < 1:
        raise _wrong(list(size), "is no size of a photo: size_wh is width and height in pixels")
    return Reading.of(
        [_detection(entry) for entry in entries],
        photo_name=str(data.get("photo") or "photo"),
        size_wh=(round(size[0]), round(size[1])),
        model=str(data.get("model") or ""),
        is_win=is_win,
    )


def _detection(entry: Any) -> Detection:
    if not isinstance(entry, dict):
        raise _wrong(entry, "is no detection: name its tile and box_xyxy")
    left, top, right, bottom = _numbers(entry.get("box_xyxy"), 4, "box_xyxy")
    if right <= left or bottom <= top:
        raise _wrong(entry["box_xyxy"], "is no box: left, top, right, bottom in pixels, right > left and bottom > top")
    confidence, tile = _probability(entry.get("confidence", 1.0)), _tile(entry.get("tile"))
    pairs = entry.get("alternatives", [])
    if not isinstance(pairs, list):
        raise _wrong(pairs, "is no list of alternatives: pairs of a tile and its probability")
    return Detection.of(Box(left, top, right, bottom), tile, confidence, map(_candidate, pairs))


def _candidate(pair: Any) -> Candidate:
    if not isinstance(pair, list) or len(pair) != len(("tile", "probability")):
        raise _wrong(pair, "is no alternative: a tile and its probability")
    return Candidate(_tile(pair[0]), _probability(pair[1]))


def _tile(text: Any) -> Tile:
    if not isinstance(text, str):
        raise _wrong(text, "is no tile: write it such as 5m, 1z or back")
    return Tile.parse(text)


def _probability(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise _wrong(value, "is no probability: a number from 0 to 1")
    return float(value)


def _numbers(values: Any, count: int, key: str) -> tuple[float, ...]:
    numbers = values if isinstance(values, list) and len(values) == count else ()
    if not numbers or any(isinstance(v, bool) or not isinstance(v, int | float) for v in numbers):
        raise _wrong(values, f"is no {key}: {count} numbers in pixels")
    if not all(math.isfinite(value) and abs(value) < _FARTHEST for value in numbers):
        raise _wrong(values, f"is no {key}: each number must be finite and a pixel of a photo")
    return tuple(float(value) for value in numbers)


def _wrong(value: Any, what: str) -> InputError:
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    quoted = text if len(text) <= _QUOTED else text[:_QUOTED] + "..."
    return InputError("bad_detections", f"'{quoted}' {what}.")
