"""Small signs by which a hand is told, each where it alone decides."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.vision.layout.cameras import SIZE_WH, camera, seen_from
from tests.vision.table import detection, lay, tiles
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.image.boxes import Box
from tilescore.vision.layout.layout import Role
from tilescore.vision.layout.pose import ASPECT, on_table

TEN = tiles("123m456p789s1z")
CLOSED = tiles("123m456p789s11222z")
STANDING, LYING = 2, 0
STEP, SPACE = 1.03, 1.4
FALLEN = ASPECT / 2
"""Where the middle of a tile is that lies in line with standing ones, by their feet."""
SIDEWAYS_AT = (
    ((0.17, -0.17, 1), (1.37, 0.0, 0), (2.4, 0.0, 0)),
    ((0.0, 0.0, 0), (1.2, -0.17, 1), (2.4, 0.0, 0)),
    ((0.0, 0.0, 0), (1.03, 0.0, 0), (2.23, -0.17, 1)),
)


def row_of(count: int, way: int) -> list[tuple[float, float, int]]:
    return [(STEP * at - 8, 0.0 if way == STANDING else FALLEN, way) for at in range(count)]


def read(words: str, elevation_deg: int, azimuth_deg: int, lying: list[tuple[float, float, int]]) -> Reading:
    boxes = seen_from(camera(elevation_deg, azimuth_deg), lying)
    named = [detection(name, box) for name, box in zip(re.findall("[0-9][mpszf]", words), boxes, strict=True)]
    return Reading.of(named, size_wh=SIZE_WH)


@pytest.mark.parametrize(
    ("elevation", "azimuth", "sideways", "hand"),
    [
        (20, -8, 2, "123m456p789s11z (555z>5z)"),
        (25, -16, 0, "123m456p789s11z (555z<5z)"),
        (30, -16, 2, "123m456p789s11z (555z>5z)"),
        (45, 25, 2, "123m456p789s11z (555z>5z)"),
        (55, -8, 0, "123m456p789s11z (555z<5z)"),
    ],
)
def test_where_a_row_may_stand_or_lie_its_melds_decide(elevation: int, azimuth: int, sideways: int, hand: str) -> None:
    """Seen as what its boxes alone make likelier, each of these melds would be none, or claimed from another."""
    row = row_of(11, STANDING)
    start = row[-1][0] + SPACE
    meld = [(start + x, FALLEN + y, way) for x, y, way in SIDEWAYS_AT[sideways]]
    assert str(read(f"{TEN}1z5z5z5z", elevation, azimuth, [*row, *meld]).hand) == hand


def test_a_row_is_seen_both_ways_only_where_both_may_be() -> None:
    flat = [d.box for d in lay(CLOSED)]
    assert len(on_table(flat, [False] * 14, range(14), (0, 0))) == 1
    either = seen_from(camera(45, 25), row_of(11, STANDING))
    sights = on_table(either, [False] * 11, range(11), SIZE_WH)
    assert [sight.unlikely for sight in sights] == sorted(sight.unlikely for sight in sights)
    assert len(sights) == 2
    assert sights[0].unlikely == 0.0


@pytest.mark.parametrize(
    ("elevation", "azimuth", "way", "winner"),
    [
        pytest.param(25, 0, LYING, "1z", id="lying beside standing ones"),
        pytest.param(35, 0, LYING, "1z", id="likewise, seen from higher"),
        pytest.param(65, -15, LYING, "1z", id="likewise, from above"),
        pytest.param(35, 0, STANDING, "None", id="standing as they do"),
    ],
)
def test_a_tile_that_lies_beside_standing_ones_won(elevation: int, azimuth: int, way: int, winner: str) -> None:
    """It touches the row: by its place nobody could tell."""
    row = row_of(13, STANDING)
    last = (row[-1][0] + STEP + 0.01, FALLEN if way == LYING else 0.0, way)
    found = read(f"{tiles('123m456p789s1122z')}1z", elevation, azimuth, [*row, last])
    assert str(found.hand.winning_tile) == winner


@pytest.mark.parametrize(("flowers", "count"), [("1f", 0), ("1f3q", 2)])
def test_flowers_side_by_side_speak_for_each_other(flowers: str, count: int) -> None:
    """Far off and askew, among loose tiles, one alone is one of those."""
    loose = lay("1m  9m   3m  7m  4s   6s", x=100, y=20, angle_deg=4)
    found = Reading.of([*lay(CLOSED), *lay(flowers, x=660, y=120, angle_deg=25), *loose])
    assert found.layout.roles.count(Role.BONUS) == count


@pytest.mark.parametrize(("name", "hand"), [("5z", "(5555z^5z)"), ("6z", "(555z^5z)")])
@pytest.mark.parametrize("off", [(-16, -20), (0, -20), (16, -20)])
def test_the_fourth_tile_of_a_kong_need_not_lie_exactly(off: tuple[int, int], name: str, hand: str) -> None:
    """Half a tile away from the sideways one it is still that kong's, if it is named alike."""
    found = lay(f"{TEN}1z 5z5z'^5z5z")
    box = found[13].box
    found[13] = detection(name, Box(box.x0 + off[0], box.y0 + off[1], box.x1 + off[0], box.y1 + off[1]))
    assert hand in str(Reading.of(found).hand)


@pytest.mark.parametrize(("presence", "hand"), [(0.75, "123m456p789s11222z"), (1.0, "123m456p789s1z9s122z")])
def test_of_fifteen_in_a_row_the_one_that_may_be_no_tile_is_none(presence: float, hand: str) -> None:
    """Print on the table beside the hand was taken for a nine; where all are surely tiles, the last one is loose."""
    row = lay(f"{tiles('123m456p789s1z9s122z')}2z")
    row[10] = replace(row[10], presence=presence, names=row[10].names[:1])
    assert str(Reading.of(row).hand) == hand


@pytest.mark.parametrize(("presence", "bonus"), [(0.9, ""), (0.999, "1f")])
def test_a_flower_apart_is_one_only_where_there_surely_is_a_tile(presence: float, bonus: str) -> None:
    """Print on a table looks like a flower now and then, hardly ever like one beyond doubt."""
    (flower,) = lay("1f", x=720, y=200)
    flower = replace(flower, presence=presence, names=flower.names[:1])
    assert "".join(map(str, Reading.of([*lay(CLOSED), flower]).hand.bonus)) == bonus


@pytest.mark.parametrize("steps", [(1.6, 2.5, 3.4), (1.1, 2.1, 3.1, 4.1), (-4.1, -3.1, -2.1, -1.1)])
def test_the_fourth_tile_of_a_kong_lies_in_front_of_a_wall(steps: tuple[float, ...]) -> None:
    """The wall's backs seem to make one row with it; it is the kong's nevertheless."""
    found = lay(f"{TEN}1z 5z5z'^5z5z")
    fourth = found[13].box
    wall = [detection("back", fourth.moved(step * fourth.width, 0)) for step in steps]
    assert "(5555z^5z)" in str(Reading.of([*found, *wall]).hand)
