"""A picture with a line of dots, and networks that see a tile in each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import cv2
import numpy as np

from tilescore.scoring.tiles import ALL_FACES, Tile
from tilescore.vision.classification.classifier import ONE_LOOK, TileLook
from tilescore.vision.detection.config import AlongRowConfig
from tilescore.vision.detections import Candidate, Proposal
from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Sequence

ROW = AlongRowConfig()
LEVELS = 14
"""Levels of green between the dots of two kinds of tile."""
COMPLETE = (*range(12), 12, 12)
"""1m to 9m, 1p to 3p and a pair of 4p."""
WAITING = COMPLETE[:-1]
STRIP_PX = math.ceil((1 + 2 * ROW.margin_heights) * ROW.tile_wh[1])
"""The height of a strip along a row."""


class Dots:
    """Networks that see a tile around each dot of a picture, and faces as aslant as the line of all dots."""

    name = "dots"

    def __init__(self) -> None:
        self.looks = 0

    def detect(self, rgb: np.ndarray, *, long_side: int) -> tuple[Proposal, ...]:
        """An upright box around each dot."""
        assert long_side
        self.looks += rgb.shape[0] != STRIP_PX
        _, _, _, centers = cv2.connectedComponentsWithStats(np.asarray(rgb[..., 0] > 180, np.uint8))
        boxes = [Box(x - 15, y - 20, x + 15, y + 20) for x, y in centers[1:].tolist()]
        return tuple(Proposal(box, (Candidate(Tile.parse("5p"), 0.99),), 4.0) for box in boxes)

    def classify(self, rgb: np.ndarray, boxes: Sequence[Box], look: TileLook = ONE_LOOK) -> np.ndarray:
        """Surely the tile that the colour of the dot names."""
        assert look.views
        rows = np.full((len(boxes), len(ALL_FACES) + 1), 1e-4, np.float32)
        for row, box in zip(rows, boxes, strict=True):
            x, y = (round(middle) for middle in box.center)
            row[round((255 - float(rgb[y, x, 1])) / LEVELS) if rgb[y, x, 0] > 180 else -1] = 1.0
        return rows

    def find(self, _rgb: np.ndarray, boxes: Sequence[Box]) -> np.ndarray:
        """The corners of faces along the line through the dots."""
        centers = np.array([box.center for box in boxes]) @ np.array([1, 1j])
        along = (centers[-1] - centers[0]) / abs(centers[-1] - centers[0])
        corners = np.array([-15 - 20j, 15 - 20j, 15 + 20j, -15 + 20j]) * along + centers[:, None]
        return np.stack([corners.real, corners.imag], axis=-1)


def dots(degrees: float, kinds: Sequence[int] = COMPLETE) -> tuple[np.ndarray, list[tuple[float, float]]]:
    """A picture with dots of those kinds of tiles in a line aslant by so many degrees, and their places."""
    rgb = np.zeros((900, 900, 3), np.uint8)
    turn = math.radians(degrees)
    places = [(450 + 34 * at * math.cos(turn), 450 + 34 * at * math.sin(turn)) for at in range(-6, len(kinds) - 6)]
    for kind, (x, y) in zip(kinds, places, strict=True):
        cv2.circle(rgb, (round(x), round(y)), 14, (255, 255 - LEVELS * kind, 255), -1)
    return rgb, places
