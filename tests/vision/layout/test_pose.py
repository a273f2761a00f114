"""How tiles lie on the table, under cameras of all kinds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.vision.layout.cameras import SIZE_WH, camera, seen_from
from tests.vision.table import lay, tiles
from tilescore.vision.image.boxes import Box
from tilescore.vision.layout.camera import rotations
from tilescore.vision.layout.pose import on_table

LONG = tiles("123456789m12345p")


ROW = [(x, 0.0, 0) for x in np.arange(10) * 1.03 - 7.0]
MELD = [(4.0, 0.0, 0), (5.2, -0.17, 1), (6.4, 0.0, 0)]


@pytest.mark.parametrize("azimuth", [0, 8, 30, 90, 180, -150])
@pytest.mark.parametrize("elevation", [85, 60, 35])
def test_places_are_found_under_any_camera(elevation: int, azimuth: int) -> None:
    lying = [*ROW, *MELD, (1.0, 3.0, 0)]
    boxes = seen_from(camera(elevation, azimuth), lying)
    row = list(range(13))
    if boxes[12].center < boxes[0].center and abs(boxes[12].center[0] - boxes[0].center[0]) > 1:
        row.reverse()
    found = on_table(boxes, [False] * len(boxes), row, SIZE_WH)[0].spots
    places = [spot.sideways if index == 11 else spot.upright for index, spot in enumerate(found)]
    for a in range(12):
        step = math.hypot(places[a + 1].x - places[a].x, places[a + 1].y - places[a].y)
        true = math.hypot(lying[a + 1][0] - lying[a][0], lying[a + 1][1] - lying[a][1])
        assert step == pytest.approx(true, abs=0.06)
    if azimuth % 90 < 20:
        assert [spot.turn_odds > 0 for spot in found] == [index == 11 for index in range(14)]


def test_lying_melds_beside_standing_tiles() -> None:
    boxes = seen_from(camera(35, 4), [(x, y, 2) for x, y, _ in ROW] + MELD + [(x, 4.0, 0) for x in range(4)])
    found = on_table(boxes, [False] * len(boxes), range(13), SIZE_WH)[0].spots
    assert [spot.turn_odds > 0 for spot in found[:13]] == [index == 11 for index in range(13)]
    assert found[12].upright.x - found[10].upright.x == pytest.approx(2.4, abs=0.15)


@pytest.mark.parametrize("angle", [0, 8, -12, 90, 100])
def test_sideways_tiles_are_told(angle: int) -> None:
    boxes = [d.box for d in lay(f"{tiles('123m456p789s1z')} 5z'5z5z 3s1s'2s", x=300, y=300, angle_deg=angle)]
    row = list(range(16)) if angle < 135 else list(range(15, -1, -1))
    found = on_table(boxes, [False] * 16, row, (0, 0))[0].spots
    assert {index for index, spot in enumerate(found) if spot.turn_odds > 0} == {10, 14}


def test_none_is_sideways_where_all_lie_alike() -> None:
    for detections in (lay(LONG), lay("".join(f"{name}'" for name in ("1m", "2m", "3m", "4m", "5m")))):
        boxes = [detection.box for detection in detections]
        found = on_table(boxes, [False] * len(boxes), range(len(boxes)), (0, 0))[0].spots
        assert not any(spot.turn_odds > 0 for spot in found[1:])


def test_a_tile_cut_off_by_the_edge_lies_where_it_ends() -> None:
    boxes = [detection.box for detection in lay(LONG, x=-20)]
    cut = [Box(0, boxes[0].y0, boxes[0].x1, boxes[0].y1), *boxes[1:]]
    whole, found = (on_table(seen, [False] * 14, range(14), (900, 800))[0].spots for seen in (boxes, cut))
    assert found[0].upright.x == pytest.approx(whole[0].upright.x, abs=0.05)
    assert found[0].turn_odds < 0


def test_rotations_keep_lengths() -> None:
    turns = rotations(np.array([[0.0, 0, 0], [0.3, -1, 2], [3.1, 0, 0]]))
    assert turns @ turns.transpose(0, 2, 1) == pytest.approx(np.broadcast_to(np.eye(3), (3, 3, 3)))
    assert turns[0] == pytest.approx(np.eye(3))
