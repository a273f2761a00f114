"""Rows of tiles and their gaps."""

import math

import pytest

from tests.vision.table import lay, tiles
from tilescore.vision.detections import Detection
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.rows import RowFinder, TileRow, find_rows

LONG = tiles("123456789m12345p")


def rows(*parts: list[Detection]) -> tuple[TileRow, ...]:
    return find_rows([detection.box for part in parts for detection in part])


def warped(boxes: list[Box], *, shrink: float) -> list[Box]:
    """The boxes under perspective: towards the upper edge they are smaller and closer together."""
    seen = []
    for box in boxes:
        x, y = box.center
        scale = 1 - shrink * (800 - y) / 800
        middle = 400 + (x - 400) * scale, 800 - (800 - y) * scale
        half = box.width * scale / 2, box.height * scale / 2
        seen.append(Box(middle[0] - half[0], middle[1] - half[1], middle[0] + half[0], middle[1] + half[1]))
    return seen


@pytest.mark.parametrize("angle", [*range(0, 360, 15), 7, -11])
def test_one_row_in_any_direction(angle: int) -> None:
    (row,) = rows(lay(LONG, x=500, y=500, angle_deg=angle))
    assert len(row.members) == 14
    assert list(row.members) in (list(range(14)), list(range(13, -1, -1)))
    assert abs(math.cos(math.radians(angle))) == pytest.approx(abs(row.direction[0]), abs=0.01)


def test_a_curved_row_stays_whole() -> None:
    boxes = [detection.box for detection in lay(LONG)]
    bent = [box.moved(0, 0.9 * (index - 6.5) ** 2) for index, box in enumerate(boxes)]
    assert len(find_rows(bent)[0].members) == 14


@pytest.mark.parametrize("shrink", [0.2, 0.5])
def test_a_grid_under_perspective_is_read_by_rows(shrink: float) -> None:
    grid = [detection.box for row in range(4) for detection in lay(LONG, x=120, y=300 + 56 * row)]
    found = find_rows(warped(grid, shrink=shrink))
    assert sorted(sorted(row.members) for row in found) == [list(range(14 * row, 14 * row + 14)) for row in range(4)]


def test_a_grid_is_read_across_its_rows() -> None:
    boxes = [detection.box for row in range(6) for detection in lay(tiles("123m"), y=300 + 56 * row)]
    across = RowFinder(boxes).rows(unlike=(1.0, 0.0))
    assert sorted(sorted(row.members) for row in across) == [list(range(column, 18, 3)) for column in range(3)]
    assert all(abs(row.direction[1]) == pytest.approx(1, abs=0.01) for row in across)


def test_no_boxes_no_rows() -> None:
    assert find_rows([]) == ()
