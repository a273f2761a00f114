"""Detections as a table would give them, written as text: one line a row of tiles.

Tiles stand side by side; a blank is a gap of a tile's width; `'` after a tile turns it sideways; `.` is a face-down
tile. `^` before a tile puts it on top of (just beyond) the previous one.
"""

import math
import re

from tilescore.scoring.tiles import BACK, Tile
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.image.boxes import Box

WIDTH, HEIGHT = 40.0, 54.0
_TOKEN = re.compile(r"(\s+)|(\^?)(?:(\.)|([0-9][mpszfq]))('?)")


def detection(tile: Tile | str, box: Box, *others: tuple[str, float], confidence: float = 0.95) -> Detection:
    first = Tile.parse(tile) if isinstance(tile, str) else tile
    rest = tuple(Candidate(Tile.parse(name), probability) for name, probability in others)
    return Detection(box, 1.0, (Candidate(first, confidence), *rest))


def lay(text: str, *, x: float = 60.0, y: float = 400.0, angle_deg: float = 0.0, size: float = 1.0) -> list[Detection]:
    """One row starting at (x, y), its midpoints along a line at that angle; boxes stay upright, as detectors see."""
    found: list[Detection] = []
    position = 0.0
    cos, sin = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    for blank, stacked, back, name, turned in _TOKEN.findall(text):
        if blank:
            position += WIDTH * size * len(blank)
            continue
        along, across = (HEIGHT, WIDTH) if turned else (WIDTH, HEIGHT)
        along, across = along * size, across * size
        down = 0.0
        if stacked:
            position -= along
            down = -WIDTH * size
        middle = position + along / 2
        center = (x + middle * cos - down * sin, y + middle * sin + down * cos)
        w = along * abs(cos) + across * abs(sin)
        h = along * abs(sin) + across * abs(cos)
        box = Box(center[0] - w / 2, center[1] - h / 2, center[0] + w / 2, center[1] + h / 2)
        found.append(detection(BACK if back else name, box))
        position += along
    return found


def tiles(text: str) -> str:
    """`123m` as the single tiles this module's rows are written in: `1m2m3m`."""
    return "".join(f"{rank}{suit}" for ranks, suit in re.findall(r"([0-9]+)([mpszfq])", text) for rank in ranks)


def candidates(word: str) -> tuple[Candidate, ...]:
    """The names of one tile: `5p` is clear, `5p=.6|6p=.4` is not."""
    parts = [part.partition("=") for part in word.split("|")]
    return tuple(Candidate(Tile.parse(name), float(chance or 1)) for name, _, chance in parts)
