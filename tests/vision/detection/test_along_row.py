"""A look along a row: where something speaks for it, and what it adds."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from tests.vision.table import detection, lay
from tilescore.scoring.tiles import ALL_FACES, Tile
from tilescore.vision.classification.blank_faces import WHITE
from tilescore.vision.detection.along_row import Strip, joined, of_the_row, rows_worth_a_look, strip_along
from tilescore.vision.detection.config import AlongRowConfig
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.image.boxes import Box

TABLE = (40, 90, 60)
PAPER = (235, 230, 220)


def picture(row: list[Detection], *blank: Box) -> np.ndarray:
    """A green table with a white tile with a dark mark at each detection, and blank tiles."""
    rgb = np.full((600, 1000, 3), TABLE, np.uint8)
    for box in (*(one.box for one in row), *blank):
        x0, y0, x1, y1 = (round(side) for side in box.xyxy)
        cv2.rectangle(rgb, (x0 + 1, y0 + 1), (x1 - 1, y1 - 1), PAPER, -1)
    for one in row:
        x, y = (round(middle) for middle in one.box.center)
        cv2.circle(rgb, (x, y), 8, (20, 20, 60), -1)
    return rgb


class Upright:
    """Corners of faces that are as upright as their boxes."""

    def find(self, _rgb: np.ndarray, boxes: Sequence[Box]) -> np.ndarray:
        """The corners of the boxes."""
        return np.array([[(b.x0, b.y0), (b.x1, b.y0), (b.x1, b.y1), (b.x0, b.y1)] for b in boxes])


@pytest.mark.parametrize(
    ("text", "is_worth_it"),
    [
        pytest.param("1m2m3m4m5m6m7m8m9m1p2p3p4p", False, id="thirteen tiles and nothing beside them"),
        pytest.param("1m2m3m4m5m6m7m 8m9m1p2p3p4p", True, id="a gap as wide as a tile"),
        pytest.param("1m2m3m4m5m6m7m8m9m1p2p3p", True, id="twelve: one is missing"),
        pytest.param("1m2m3m4m5m6m7m8m9m1p2p3p.", True, id="a back at the end may be a face at a slant"),
        pytest.param("....1m2m3m.........", False, id="three faces in a wall"),
    ],
)
def test_which_rows_are_looked_at(text: str, *, is_worth_it: bool) -> None:
    row = lay(text)
    assert bool(rows_worth_a_look(picture(row), row)) is is_worth_it


@pytest.mark.parametrize(
    ("off", "is_worth_it"),
    [
        pytest.param((40.0, 0.0), True, id="beyond the end"),
        pytest.param((-200.0, -49.0), True, id="above the row"),
        pytest.param((300.0, 0.0), False, id="far away"),
    ],
)
def test_something_white_beside_a_whole_row_is_looked_at(off: tuple[float, float], *, is_worth_it: bool) -> None:
    row = lay("1m2m3m4m5m6m7m8m9m1p2p3p4p")
    blank = row[-1].box.moved(*off)
    assert bool(rows_worth_a_look(picture(row, blank), row)) is is_worth_it


def test_white_above_every_tile_is_their_side_and_not_looked_at() -> None:
    row = lay("1m2m3m4m5m6m7m8m9m1p2p3p4p")
    sides = [one.box.moved(0.0, -49.0) for one in row]
    assert not rows_worth_a_look(picture(row, *sides), row)


def test_what_the_strip_shows_is_laid_back_into_the_picture_and_joined() -> None:
    row = lay("1m2m3m4m5m6m7m 8m9m")
    strip = strip_along(picture(row), [one.box for one in row], Upright())
    assert strip is not None
    width, height = strip.tile_wh
    left, top = strip.start

    def seen(tile: str, at: float, sure: float = 0.95) -> Detection:
        x, y = (at - left) * width, -top * height
        return Detection(Box(x, y, x + width, y + height), 1.0, (Candidate(Tile.parse(tile), sure),))

    wide = Box((4.6 - left) * width, -(top + 0.5) * height, (6.4 - left) * width, (1.5 - top) * height)
    closer = [
        Detection(wide, 1.0, (Candidate(Tile.parse("8s"), 0.99),)),
        seen("5z", 7),
        seen("2p", 1, sure=0.91),
        seen("7s", 2, sure=0.89),
    ]
    both = joined(row, closer, strip)
    names = {str(one.tile): one.box for one in both}
    assert len(both) == len(row) + 1, "the new one in the gap, and not the one around another"
    assert "8s" not in names, "no tile is as large"
    gap = Box(row[6].box.x1, row[6].box.y0, row[7].box.x0, row[6].box.y1)
    assert names["5z"].iou(gap) > 0.9
    assert "2p" in names, "a name that is sure replaces the first one"
    assert "2m" not in names
    assert "3m" in names, "a name that is unsure does not"


def test_a_box_across_two_tiles_gives_way_to_both() -> None:
    row = lay("1m2m3m4m5m6m7m8m9m")
    strip = strip_along(picture(row), [one.box for one in row], Upright())
    assert strip is not None
    closer = [seen_in(strip, str(one.tile), Box(at, 0, at + 1, 1), 1.0) for at, one in enumerate(row)]
    across = detection("8s", row[3].box.moved(0.45 * row[3].box.width, 0.0), confidence=0.6)
    both = joined([*row[:3], across, *row[5:]], closer, strip)
    assert sorted(str(one.tile) for one in both) == [str(one.tile) for one in row]


@pytest.mark.parametrize(
    ("place", "sure", "is_tile"),
    [
        pytest.param(Box(3, -1.05, 4, -0.05), 0.95, True, id="in the row above"),
        pytest.param(Box(3, -1.05, 4, -0.05), 0.8, False, id="unsure"),
        pytest.param(Box(3, -1.2, 4, -0.2), 0.95, False, id="not whole in the strip"),
        pytest.param(Box(3, -1.1, 3.5, -0.6), 0.95, False, id="far smaller"),
    ],
)
def test_a_tile_of_another_row_is_seen_where_it_is_sure(place: Box, sure: float, *, is_tile: bool) -> None:
    row = lay("1m2m3m4m5m6m7m8m9m")
    strip = strip_along(picture(row), [one.box for one in row], Upright())
    assert strip is not None
    above = seen_in(strip, "7z", place, sure)
    shown = of_the_row(strip, [above], np.full((1, len(ALL_FACES) + 1), 0.01, np.float32), [above])
    assert shown == [above] * is_tile


def test_the_strip_ends_where_the_picture_ends() -> None:
    row = lay("1m2m3m4m5m6m", x=2.0)
    strip = strip_along(picture(row), [one.box for one in row], Upright())
    assert strip is not None
    assert strip.start[0] == pytest.approx(0.0, abs=0.3)
    assert strip.in_picture(Box(-50, -500, 90, 5000)).x0 == 0.0
    assert strip.in_picture(Box(-50, -500, 90, 5000)).y1 == 600.0
    config = AlongRowConfig()
    assert strip.rgb.shape[0] == pytest.approx((1 + 2 * config.margin_heights) * config.tile_wh[1], abs=1)


def seen_in(strip: Strip, tile: str, place: Box, presence: float) -> Detection:
    """A detection in a strip, at a place of the straight row."""
    (width, height), (left, top) = strip.tile_wh, strip.start
    box = Box(
        (place.x0 - left) * width, (place.y0 - top) * height, (place.x1 - left) * width, (place.y1 - top) * height
    )
    return Detection(box, presence, (Candidate(Tile.parse(tile), 1.0),))


@pytest.mark.parametrize(
    ("off", "place", "presence", "is_white"),
    [
        pytest.param((40.0, 0.0), Box(13, 0, 14, 1), 0.4, True, id="faint, but of the faces' colour, at the end"),
        pytest.param((-200.0, -47.0), Box(7, -0.87, 8, 0.13), 0.9, True, id="above the row"),
        pytest.param((-200.0, -47.0), Box(7, -0.87, 8, 0.13), 0.1, False, id="above the row, faint"),
        pytest.param((300.0, 0.0), Box(13, 0, 14, 1), 0.4, False, id="nothing white there"),
        pytest.param((40.0, 0.0), Box(13, 0, 15, 2), 0.4, False, id="far too large"),
    ],
)
def test_a_blank_place_in_the_colour_of_the_faces_is_a_white_dragon(
    off: tuple[float, float], place: Box, presence: float, *, is_white: bool
) -> None:
    row = lay("1m2m3m4m5m6m7m8m9m1p2p3p4p")
    strip = strip_along(picture(row, row[-1].box.moved(*off)), [one.box for one in row], Upright())
    assert strip is not None
    faces = [seen_in(strip, str(one.tile), Box(at, 0, at + 1, 1), 0.99) for at, one in enumerate(row)]
    fused = [*faces, seen_in(strip, "back", place, presence)]
    probabilities = np.full((len(fused), len(ALL_FACES) + 1), 0.01, np.float32)
    probabilities[-1, ALL_FACES.index(WHITE)] = 0.9
    shown = of_the_row(strip, fused, probabilities, faces)
    assert [str(one.tile) for one in shown] == [str(one.tile) for one in (*row, *shown[len(row) :])]
    assert [one.tile for one in shown[len(row) :]] == [WHITE] * is_white
