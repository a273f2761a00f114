"""Blank white dragons: a blank crop of the colour of the other faces is one, beside a clear face and in no wall."""

from typing import Any

import numpy as np
import pytest

from tilescore.scoring.tiles import ALL_FACES, Tile
from tilescore.vision.classes import CLASS_OF
from tilescore.vision.classification.blank_faces import (
    BLANK,
    UNCLEAR,
    WHITE,
    reweigh_blank_faces,
    unsure_in_glare,
    with_faint_dragons,
)
from tilescore.vision.classification.fusion import Fusion
from tilescore.vision.detections import Candidate, Detection, Proposal
from tilescore.vision.image.boxes import Box

PAPER, BLUE, ORANGE = (236, 234, 228), (120, 170, 235), (226, 150, 40)
WIDTH, HEIGHT, GAP = 40, 54, 4
SHEET = Box(240, 20, 240 + 2.5 * WIDTH, 20 + 2.5 * HEIGHT)
UNSURE = {"5z": 0.14, "back": 0.2, "no tile": 0.66}


def at(place: float, row: float = 0.0) -> Box:
    """The box of a place in a row of tiles."""
    x, y = 20 + place * (WIDTH + GAP), 20 + row * (HEIGHT + GAP)
    return Box(x, y, x + WIDTH, y + HEIGHT)


def table(*blanks: tuple[Box, tuple[int, int, int]], faces: int = 5) -> tuple[np.ndarray, list[Box], np.ndarray]:
    """A picture of a row of inked faces and of blank crops, the boxes, and what a classifier says of them."""
    rgb = np.full((260, 560, 3), (30, 110, 80), np.uint8)
    boxes = [at(place) for place in range(faces)] + [box for box, _ in blanks]
    for box, colour in [*((one, PAPER) for one in boxes[:faces]), *blanks]:
        rgb[int(box.y0) : int(box.y1), int(box.x0) : int(box.x1)] = colour
    for box in boxes[:faces]:
        rgb[int(box.y0) + 14 : int(box.y1) - 14, int(box.x0) + 16 : int(box.x1) - 16] = (20, 30, 120)
    rgb = np.clip(rgb + np.random.default_rng(0).normal(0, 1.5, rgb.shape), 0, 255).astype(np.uint8)
    probabilities = np.full((len(boxes), len(ALL_FACES) + 1), 1e-4, np.float32)
    probabilities[:faces, CLASS_OF[Tile.parse("1p")]] = 1.0
    for name, share in zip(UNCLEAR, UNSURE.values(), strict=True):
        probabilities[faces:, name] = share
    return rgb, boxes, (probabilities / probabilities.sum(axis=1, keepdims=True)).astype(np.float32)


def blank(*blanks: tuple[Box, tuple[int, int, int]], faces: int = 5) -> list[float]:
    """The probability of a white dragon of each blank crop."""
    rgb, boxes, before = table(*blanks, faces=faces)
    after = reweigh_blank_faces(rgb, boxes, before)
    np.testing.assert_allclose(after.sum(axis=1), before.sum(axis=1), rtol=1e-5)
    np.testing.assert_array_equal(after[:faces], before[:faces])
    return [float(share) for share in after[faces:, BLANK]]


def test_a_blank_face_in_a_row_is_a_white_dragon() -> None:
    assert min(blank((at(5), PAPER))) > 0.8


def test_two_side_by_side_are_two() -> None:
    assert min(blank((at(5), PAPER), (at(-0.4, 1), PAPER))) > 0.8


@pytest.mark.parametrize(
    "crop",
    [
        pytest.param((at(5), ORANGE), id="a coloured back"),
        pytest.param((at(5), BLUE), id="a light blue back"),
        pytest.param((SHEET, PAPER), id="a sheet of paper"),
    ],
)
def test_other_blank_things_are_none(crop: tuple[Box, tuple[int, int, int]]) -> None:
    assert max(blank(crop)) < 0.5


def test_a_wall_of_white_backs_stays_a_wall() -> None:
    assert max(blank(*((at(place, 1.2), PAPER) for place in range(6)))) < 0.5


def test_far_from_the_faces_it_is_less_likely() -> None:
    assert blank((at(8, 3), PAPER))[0] < blank((at(5), PAPER))[0]


def test_without_clear_faces_nothing_is_known() -> None:
    assert blank((at(3), PAPER), faces=2) == pytest.approx([UNSURE["5z"]], rel=0.01)


def test_a_crop_at_the_edge_without_pixels_stays() -> None:
    rgb, boxes, before = table((Box(558, 258, 562, 262), PAPER))
    np.testing.assert_array_equal(reweigh_blank_faces(rgb, boxes, before), before)


@pytest.mark.filterwarnings("error")
def test_clear_faces_too_small_to_show_a_colour_count_for_none() -> None:
    """A far tile of the river, and a tile of which the edge of the picture leaves a sliver."""
    rgb, boxes, before = table((at(5), PAPER))
    small = [Box(400, 200, 408, 210), Box(557, 100, 580, 130)]
    probabilities = np.vstack([before, before[:1], before[:1]])
    assert reweigh_blank_faces(rgb, [*boxes, *small], probabilities)[5, BLANK] > 0.8


@pytest.mark.filterwarnings("error")
def test_where_no_clear_face_shows_a_colour_nothing_changes() -> None:
    rgb, boxes, before = table((at(5), PAPER))
    tiny = [Box(20 + 9 * place, 20, 28 + 9 * place, 30) for place in range(5)]
    np.testing.assert_array_equal(reweigh_blank_faces(rgb, [*tiny, boxes[5]], before), before)


def test_a_clear_white_dragon_stays() -> None:
    rgb, boxes, before = table((at(5), ORANGE))
    before[5] = 0.0
    before[5, BLANK] = 1.0
    np.testing.assert_array_equal(reweigh_blank_faces(rgb, boxes, before), before)


def faint(*blanks: tuple[Box, tuple[int, int, int]], faces: int = 5) -> list[tuple[str, bool]]:
    """The name of each blank crop, faint for the detector and none for the box refiner, and whether it counts."""
    rgb, boxes, probabilities = table(*blanks, faces=faces)
    proposals = [Proposal(box, (Candidate(Tile.parse("1p"), 0.9),), 4.0) for box in boxes[:faces]]
    proposals += [Proposal(box, (Candidate(WHITE, 0.4),), -3.0) for box, _ in blanks]
    before = Fusion().fuse(proposals, probabilities)
    assert max(one.presence for one in before[faces:]) < 0.65
    after = with_faint_dragons(rgb, proposals, probabilities, before)
    assert after[:faces] == before[:faces]
    return [(str(one.tile), one.presence >= 0.65) for one in after[faces:]]


def test_a_faint_blank_face_beside_a_clear_one_is_a_white_dragon() -> None:
    assert faint((at(5), PAPER)) == [("5z", True)]


def test_two_faint_boxes_of_one_face_are_one() -> None:
    assert sum(counts for _, counts in faint((at(5), PAPER), (at(5.05), PAPER))) == 1


@pytest.mark.parametrize(
    "given",
    [
        pytest.param({"blanks": [(at(5), ORANGE)]}, id="a coloured back"),
        pytest.param({"blanks": [(SHEET, PAPER)]}, id="a sheet of paper"),
        pytest.param({"blanks": [(at(5), PAPER)], "faces": 2}, id="too few clear faces"),
        pytest.param({"blanks": [(at(place, 1), PAPER) for place in range(5)]}, id="more than a set has"),
    ],
)
def test_other_faint_crops_stay_faint(given: dict[str, Any]) -> None:
    blanks = given.pop("blanks")
    assert not any(counts for _, counts in faint(*blanks, **given))


@pytest.mark.parametrize(
    ("paper", "is_unsure"),
    [
        pytest.param((255, 255, 255), True, id="a reflection"),
        pytest.param(PAPER, False, id="a face as bright as the others"),
        pytest.param((255, 255, 240), False, id="a bright face of warm colour"),
    ],
)
def test_a_white_dragon_in_a_reflection_is_unsure(paper: tuple[int, int, int], *, is_unsure: bool) -> None:
    rgb, boxes, _ = table((at(5), PAPER))
    rgb[int(boxes[5].y0) : int(boxes[5].y1), int(boxes[5].x0) : int(boxes[5].x1)] = paper
    named = [Detection(box, 0.99, (Candidate(Tile.parse("1p"), 0.99),)) for box in boxes[:5]]
    dragon = Detection(boxes[5], 0.99, (Candidate(WHITE, 0.99),))
    after = unsure_in_glare(rgb, [*named, dragon])
    assert after[:5] == named
    assert after[5].tile == WHITE
    assert (after[5].confidence < 0.6) == is_unsure


def test_a_white_dragon_in_a_photo_that_is_too_bright_stays_sure() -> None:
    rgb, boxes, _ = table((at(5), PAPER))
    rgb[rgb.min(axis=2) > 200] = 255
    tiles = [Detection(box, 0.99, (Candidate(Tile.parse("1p"), 0.99),)) for box in boxes[:5]]
    tiles.append(Detection(boxes[5], 0.99, (Candidate(WHITE, 0.99),)))
    assert unsure_in_glare(rgb, tiles) == tiles
    assert unsure_in_glare(rgb, tiles[5:]) == tiles[5:]  # nothing to compare with
