"""The detections that a reader reports: those that are likely tiles, and backs beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tilescore.scoring.tiles import ALL_FACES, Tile
from tilescore.vision.classification.classifier import VIEWS
from tilescore.vision.detections import Candidate, Proposal
from tilescore.vision.image.boxes import Box
from tilescore.vision.reader import TileReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tilescore.vision.classification.classifier import CropView

PICTURE = np.zeros((400, 640, 3), np.uint8)
WALL = Box(100, 100, 130, 140)
NEXT, ABOVE = WALL.moved(31, 0), WALL.moved(0, -41)


class Named:
    """Networks that name every place but one with one tile; the classifier gives each a presence of one half."""

    name = "named"

    def __init__(self, tile: str, seen: Sequence[tuple[Box, float]] = (), face: Box | None = None) -> None:
        self.tile, self.seen, self.face = Tile.parse(tile), seen, face

    def at(self, box: Box) -> Tile:
        """The name of a place."""
        return Tile.parse("5p") if box == self.face else self.tile

    def detect(self, _rgb: np.ndarray, *, long_side: int) -> tuple[Proposal, ...]:
        """A proposal for each box, with its given score."""
        assert long_side
        return tuple(Proposal(box, (Candidate(self.at(box), p),)) for box, p in self.seen)

    def classify(self, _rgb: np.ndarray, boxes: Sequence[Box], *, views: Sequence[CropView] = VIEWS) -> np.ndarray:
        """A probability of one half for the name, and for `no tile`."""
        assert views
        probabilities = np.zeros((len(boxes), len(ALL_FACES) + 1), np.float32)
        for face_probabilities, box in zip(probabilities, boxes, strict=True):
            face_probabilities[[ALL_FACES.index(self.at(box)), -1]] = 0.5
        return probabilities


@pytest.mark.parametrize(
    ("tile", "beside", "is_reported"),
    [
        pytest.param("back", [(NEXT, 0.9)], True, id="a back beside another"),
        pytest.param("back", [(ABOVE, 0.9)], True, id="in the next row"),
        pytest.param("back", [], False, id="alone: it may be a notebook"),
        pytest.param("back", [(WALL.moved(200, 0), 0.9)], False, id="far from the others"),
        pytest.param("back", [(NEXT, 0.6)], False, id="beside what is as unlikely"),
        pytest.param("back", [(Box(131, 100, 200, 190), 0.9)], False, id="beside what is far larger"),
        pytest.param("back", [(WALL.moved(8, 0), 0.9)], False, id="on another, not beside it"),
        pytest.param("5p", [(NEXT, 0.9)], False, id="a face must be likelier"),
    ],
)
def test_a_back_of_a_wall_needs_less_to_be_reported(
    tile: str, beside: list[tuple[Box, float]], *, is_reported: bool
) -> None:
    reader = TileReader(Named(tile, [(WALL, 0.6), *beside]), Named(tile))
    reported = reader.classify(PICTURE, reader.detector.detect(PICTURE, long_side=640))
    assert (WALL in [found.box for found in reported]) is is_reported


@pytest.mark.parametrize(
    ("presence", "beside", "is_reported"),
    [
        pytest.param(0.9, None, False, id="alone"),
        pytest.param(0.95, None, True, id="alone and nearly certain"),
        pytest.param(0.9, NEXT, True, id="beside a face"),
        pytest.param(0.6, NEXT, False, id="beside a face, but hardly seen"),
    ],
)
def test_a_back_alone_must_be_nearly_certain(presence: float, beside: Box | None, *, is_reported: bool) -> None:
    seen = [(WALL, presence), *([(beside, 0.9)] if beside else [])]
    reader = TileReader(Named("back", seen, face=beside), Named("back", face=beside))
    reported = reader.classify(PICTURE, reader.detector.detect(PICTURE, long_side=640))
    assert (WALL in [found.box for found in reported]) is is_reported
