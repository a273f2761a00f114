"""A second look shows the part with tiles, at the size that the detector knows best."""

import numpy as np
import pytest

from tilescore.scoring.tiles import Tile
from tilescore.vision.detection.second_look import SecondLook, second_look
from tilescore.vision.detections import Candidate, Proposal
from tilescore.vision.image.boxes import Box

PHOTO_WH = (2560, 1920)
LONG_SIDE = 640


def row_of(size: float, count: int = 6) -> list[Box]:
    """A row of square tiles of that size, edge to edge."""
    return [Box(600 + size * at, 800, 600 + size * (at + 1), 800 + size) for at in range(count)]


@pytest.mark.parametrize(
    ("boxes", "part_of_photo", "side"),
    [
        pytest.param(row_of(170), None, None, id="large tiles were seen well"),
        pytest.param(row_of(80), "row", 386, id="tiles of 20 pixels: the row, at 42 pixels a tile"),
        pytest.param(row_of(30), "row", 387, id="tiles of 8 pixels: the row, at 42 pixels a tile"),
        pytest.param(row_of(20), "row", 370, id="tiny tiles: the row, twice as large as the photo holds it"),
        pytest.param(row_of(114), None, None, id="tiles of 28.5 pixels: 42 is less than 1.5 times as large"),
        pytest.param(row_of(20, 81), None, None, id="81 tiles: too many"),
        pytest.param(row_of(80, 2), "photo", 1280, id="too few tiles: the whole photo"),
        pytest.param([], "photo", 1280, id="no tile: the whole photo"),
    ],
)
def test_what_is_looked_at_again(boxes: list[Box], part_of_photo: str | None, side: int | None) -> None:
    look = second_look(boxes, PHOTO_WH, long_side=LONG_SIDE)
    if look is None:
        assert part_of_photo is None
        return
    assert look.long_side == side
    if part_of_photo == "photo":
        assert look.part == Box(0, 0, *PHOTO_WH)
    else:
        assert all(box.covered_by(look.part) == 1 for box in boxes)
        assert look.part.area < 0.2 * Box(0, 0, *PHOTO_WH).area


@pytest.mark.parametrize(("size_wh", "long_side"), [((640, 480), 640), ((812, 609), 640), ((1200, 900), 1000)])
def test_a_photo_without_more_pixels_gets_no_second_look_as_a_whole(size_wh: tuple[int, int], long_side: int) -> None:
    assert second_look([Box(12, 200, 24, 216)], size_wh, long_side=long_side) is None


def test_proposals_of_the_part_lie_in_the_photo() -> None:
    asked: list[tuple[tuple[int, int], int]] = []

    class Finds:
        name = "finds"

        def detect(self, rgb: np.ndarray, *, long_side: int) -> tuple[Proposal, ...]:
            asked.append((rgb.shape[:2], long_side))
            return (Proposal(Box(1, 2, 31, 42), (Candidate(Tile.parse("5m"), 0.5),)),)

    look = SecondLook(Box(100, 50, 300, 150), 400)
    (found,) = look.proposals(Finds(), np.zeros((400, 500, 3), np.uint8))
    assert asked == [((100, 200), 400)]
    assert found.box == Box(101, 52, 131, 92)
    assert look.input_px == 400 * 200
