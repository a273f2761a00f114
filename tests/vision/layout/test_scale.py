"""The width of a tile along a row that is seen from one side, and places in tile widths."""

import math

import numpy as np
import pytest

from tilescore.vision.layout.scale import Scale

RIGHT = np.array([1.0, 0.0])


def row(growth: float, slope: float, count: int = 10) -> np.ndarray:
    """Middles of touching tiles; at place 0 they are 40 pixels wide."""
    along = [100.0]
    while len(along) < count:
        middle = along[-1] + 20 * math.exp(growth * along[-1])
        along.append(along[-1] + 40 * math.exp(growth * middle))
    return np.array([(x, 300 + slope * x) for x in along])


CASES = [
    # growth for each pixel, slope of the row
    (0.0, 0.0),
    (0.0006, 0.0),  # larger on the right
    (-0.0005, 0.1),  # larger on the left, and the row rises
]


@pytest.mark.parametrize(("growth", "slope"), CASES)
def test_places_are_counted_in_tiles(growth: float, slope: float) -> None:
    middles = row(growth, slope)
    widths = 40 * np.exp(growth * middles[:, 0])
    scale = Scale.of(middles, np.column_stack([widths, 1.35 * widths]), RIGHT)
    assert scale.growth == pytest.approx(growth, rel=0.03, abs=1e-6)
    assert scale.widths(middles[:, 0]) == pytest.approx(widths, rel=0.03)
    found = scale.places(middles)
    assert np.diff(found[:, 0]) == pytest.approx(np.ones(9), rel=0.03)
    assert found[:, 1] == pytest.approx(np.zeros(10), abs=0.01)
    last, width = middles[-1], widths[-1]
    beyond = scale.places(last + width * np.array([(0, 0), (1, slope), (0, 2)]))
    assert beyond[1] - beyond[0] == pytest.approx([1, 0], abs=0.03)
    assert beyond[2] - beyond[0] == pytest.approx([0, 2], abs=0.06)
    assert (scale.start, scale.end, scale.usual_ratio) == pytest.approx(
        (middles[0, 0], middles[-1, 0], -math.log(1.35))
    )


def test_boxes_wider_than_their_steps_are_narrowed() -> None:
    """Boxes of a slanted row overlap; those of tiles apart do not touch."""
    middles = row(0.0, 0.0)
    for width, factor, shown in ((50, 0.8, 40), (40, 1.0, 40), (30, 1.0, 30)):
        scale = Scale.of(middles, np.tile([width, 54.0], (10, 1)), RIGHT)
        assert scale.box_factor == pytest.approx(factor)
        assert math.exp(scale.log_width) == pytest.approx(shown)


@pytest.mark.parametrize(("angle", "sign"), [(0, 1.0), (10, 0.7), (-20, 0.46), (70, 0.46), (40, 0.4)])
def test_a_slanted_row_hides_how_a_tile_is_turned(angle: float, sign: float) -> None:
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    wide, high = sorted((abs(40 * cos) + abs(54 * sin), abs(40 * sin) + abs(54 * cos)))
    scale = Scale.of(row(0.0, 0.0), np.tile([wide, high], (10, 1)), np.array([cos, sin]))
    assert scale.turned_sign == pytest.approx(sign, abs=0.02)


def test_the_usual_sides_of_boxes_change_along_a_row() -> None:
    """A camera beside a row sees the tiles at its near end wider; one turned tile changes nothing."""
    middles = row(0.0006, 0.0)
    ratios = -0.3 + 0.0004 * middles[:, 0]
    ratios[4] += 0.6
    widths = 40 * np.exp(0.0006 * middles[:, 0])
    scale = Scale.of(middles, np.column_stack([widths, widths / np.exp(ratios)]), RIGHT)
    ends = np.array([0.0, middles[0, 0], middles[-1, 0], 9000.0])
    first, last = -0.3 + 0.0004 * middles[[0, -1], 0]
    assert scale.usual_ratios(ends) == pytest.approx([first, first, last, last], abs=0.01)
