"""Training crops for the classifier."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tilescore.datasets.crops import STORED_SIDE, hard_negatives, harvest
from tilescore.scoring.tiles import Tile
from tilescore.vision.classes import NO_TILE
from tilescore.vision.detections import Candidate, Proposal
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.crops import crop_boxes


class FixedDetector:
    """A detector that always returns the same boxes."""

    name = "same"

    def __init__(self, *boxes: Box) -> None:
        self._boxes = boxes

    def detect(self, rgb: NDArray[np.uint8], *, long_side: int) -> tuple[Proposal, ...]:
        """The boxes, each as the one of characters."""
        assert rgb.ndim == 3
        assert long_side
        return tuple(Proposal(box, (Candidate(Tile.parse("1m"), 0.3),)) for box in self._boxes)


def picture(folder: Path) -> Path:
    """100 x 100 pixels with one labelled tile, 20 x 28, in the middle."""
    (folder / "images").mkdir()
    (folder / "labels").mkdir()
    cv2.imwrite(str(folder / "images" / "a.jpg"), np.full((100, 100, 3), 90, np.uint8))
    (folder / "labels" / "a.txt").write_text("0 0.5 0.5 0.2 0.28\n")
    return folder / "images" / "a.jpg"


def test_a_box_beside_every_tile_is_a_hard_negative(tmp_path: Path) -> None:
    on, half, beside, tiny = Box(40, 36, 60, 64), Box(50, 36, 70, 64), Box(2, 2, 22, 30), Box(80, 80, 84, 84)
    pixels, classes = hard_negatives([picture(tmp_path)], FixedDetector(on, half, beside, tiny))
    assert pixels.shape == (1, STORED_SIDE, STORED_SIDE, 3)
    assert classes.tolist() == [NO_TILE]
    assert len(hard_negatives([tmp_path / "none.jpg"], FixedDetector())[1]) == 0


def test_a_box_in_an_ignore_region_is_no_negative(tmp_path: Path) -> None:
    shown = picture(tmp_path)
    (shown.parent.parent / ".records").mkdir()
    (shown.parent.parent / ".records" / "a.json").write_text('{"ignore_regions": [[70, 2, 90, 30]]}')
    region, beside = Box(70, 2, 90, 30), Box(2, 2, 22, 30)
    assert len(hard_negatives([shown], FixedDetector(region, beside))[1]) == 1


def test_harvest_takes_each_tile_and_negatives(tmp_path: Path) -> None:
    _, classes = harvest([picture(tmp_path)], negatives=2)
    assert classes.tolist() == [0, NO_TILE, NO_TILE]


def test_jitter_moves_boxes_a_little_and_repeatably(tmp_path: Path) -> None:
    path, asked = picture(tmp_path), []

    def cut(
        rgb: NDArray[np.uint8], boxes: Sequence[Box], *, side: int, margins: Sequence[float]
    ) -> tuple[NDArray[np.uint8], ...]:
        asked.append(list(boxes))
        return crop_boxes(rgb, boxes, side=side, margins=margins)

    for jitter in (0.0, 0.04, 0.04):
        pixels, classes = harvest([path], negatives=1, side=32, cut=cut, jitter=jitter)
        assert pixels.shape == (2, 32, 32, 3)
        assert classes.tolist() == [0, NO_TILE]
    still, moved, again = (boxes[0].xyxy for boxes in asked)
    assert still == (40, 36, 60, 64)
    assert moved == again != still
    assert np.abs(np.subtract(moved, still)).max() <= 0.1 * 28
