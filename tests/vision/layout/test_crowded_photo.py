"""A photo of a whole table: every tile in sight is named, however many there are."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from tilescore.scoring.tiles import Tile
from tilescore.vision.classification.classifier import CLASS_COUNT, ONE_LOOK, TileLook
from tilescore.vision.detections import Candidate, Proposal
from tilescore.vision.image.boxes import Box
from tilescore.vision.reader import TileReader


@dataclass
class Named:
    """A classifier that takes everything for one tile and remembers how many it was shown, and how often each."""

    asked: list[tuple[int, int]] = field(default_factory=list)

    def classify(self, _rgb: NDArray[np.uint8], boxes: Sequence[Box], look: TileLook = ONE_LOOK) -> NDArray[np.float32]:
        """All of them 1m."""
        self.asked.append((len(boxes), len(look.views)))
        return np.repeat(np.eye(CLASS_COUNT, dtype=np.float32)[:1], len(boxes), axis=0)


@dataclass
class Unsure:
    """A detector that finds tiles and hardly believes in them."""

    count: int
    name: str = "unsure"

    def detect(self, _rgb: NDArray[np.uint8], *, long_side: int) -> tuple[Proposal, ...]:
        """So many tiles beside and below each other."""
        assert long_side
        faint = (Candidate(Tile.parse("9s"), 0.2),)
        corners = ((20 * (index % 30), 30 * (index // 30)) for index in range(self.count))
        places = [Box(x, y, x + 19, y + 28) for x, y in corners]
        return tuple(Proposal(box, faint) for box in places)


@pytest.mark.parametrize("tiles", [14, 64, 256])
def test_every_tile_is_looked_at_once(tiles: int) -> None:
    classifier = Named()
    reader = TileReader(Unsure(tiles), classifier)
    rgb = np.zeros((400, 640, 3), np.uint8)
    found = reader.classify(rgb, reader.detector.detect(rgb, long_side=640))
    assert classifier.asked == [(tiles, 1)]
    assert [str(detection.tile) for detection in found] == ["1m"] * tiles
