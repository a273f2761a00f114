"""The picture of a reading: a box around each tile in the colour of its role, its name above, doubts with two boxes."""

import numpy as np
import pytest

from tests.vision.table import lay, tiles
from tilescore.vision.decoding.draw import annotated
from tilescore.vision.decoding.notebook import ROLE_COLORS_RGB
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.image.photo import Photo
from tilescore.vision.layout.layout import Role

ROW = f"{tiles('123m456p789s1z222z')} 1z"


@pytest.mark.parametrize(("scale", "unit"), [(1, 2), (2, 1)])
def test_each_tile_has_a_box_in_its_colour_with_its_name_above(scale: int, unit: int) -> None:
    photo = Photo("table", np.full((900 // scale, 1200 // scale, 3), 5, np.uint8), (1200, 900))
    reading = Reading.of(lay(ROW))
    drawn = annotated(photo, reading)
    assert (photo.rgb == 5).all(), "the photo stays as it is"
    for at, one in enumerate(reading.detections):
        color = ROLE_COLORS_RGB[reading.role(at)]
        x0, y0, x1, y1 = (round(value / scale) for value in one.box.xyxy)
        for x, y in ((x0, (y0 + y1) // 2), (x1, (y0 + y1) // 2), ((x0 + x1) // 2, y1)):
            assert tuple(drawn[y, x]) == color
        assert tuple(drawn[(y0 + y1) // 2, (x0 + x1) // 2]) == (5, 5, 5), "nothing covers the tile"
        above = drawn[y0 - 8 * unit : y0 - 2 * unit, x0 : x0 + 8 * unit]
        assert (above == color).all(axis=2).any(), "the ground of its name"
        assert (above.min(axis=2) > 200).any(), "its name in white"
    assert {reading.role(at) for at in range(14)} == {Role.CONCEALED, Role.WINNING}


def test_a_doubtful_tile_has_two_boxes_and_a_tile_of_nobody_no_name() -> None:
    photo = Photo("table", np.full((900, 1200, 3), 5, np.uint8), (1200, 900))
    reading = Reading.of(lay(f"{tiles('123m456p789s11z')} ...."))
    (doubt,) = (one for one in reading.doubts if one.detection is not None)
    drawn = annotated(photo, reading)
    for at, one in enumerate(reading.detections):
        x0, y0, x1, y1 = map(round, one.box.xyxy)
        around = [(y1 + 6, (x0 + x1) // 2), (y0 - 6, x1 - 2), ((y0 + y1) // 2, x0 - 6), ((y0 + y1) // 2, x1 + 6)]
        drawn_there = [tuple(drawn[y, x]) != (5, 5, 5) for y, x in around]
        if at == doubt.detection:
            assert all(drawn_there), "a second box on all sides"
        else:
            assert not drawn_there[0]
    alone = annotated(photo, Reading.of(lay("5z")))
    assert tuple(alone[400, 60]) == ROLE_COLORS_RGB[Role.OTHER]
    assert (alone[:370] == 5).all()


def test_the_colours_of_the_roles() -> None:
    """People compare pictures of several versions: a role keeps its colour."""
    found = {str(role): "#" + bytes(color).hex() for role, color in ROLE_COLORS_RGB.items()}
    assert found == {
        "concealed": "#2ea043",
        "meld": "#1f6feb",
        "winning": "#db611a",
        "bonus": "#a34dd6",
        "dora_indicator": "#bf8700",
        "ura_indicator": "#bf8700",
        "other": "#8c8c8c",
    }


@pytest.mark.parametrize(("side", "width"), [(640, 1), (959, 1), (960, 3)])
def test_lines_grow_with_the_picture(side: int, width: int) -> None:
    photo = Photo("table", np.full((side, 200, 3), 5, np.uint8), (200, side))
    drawn = annotated(photo, Reading.of(lay("5z")))
    outline = drawn[400, :80]  # from the left to the middle of the tile
    assert int((outline == ROLE_COLORS_RGB[Role.OTHER]).all(axis=1).sum()) == width


def test_the_ground_of_a_name_is_as_high_as_the_name() -> None:
    photo = Photo("table", np.full((640, 640, 3), 5, np.uint8), (640, 640))
    reading = Reading.of([*lay(tiles("123m456p7s"), y=346), *lay(tiles("89s11222z"), y=400)])
    x0, y0 = (round(value) for value in reading.detections[0].box.xyxy[:2])
    painted = [y for y in range(y0 - 30, y0) if tuple(annotated(photo, reading)[y, x0 + 1]) != (5, 5, 5)]
    assert painted == list(range(y0 - 10, y0))
