"""Boxes follow their tiles over the frames of a rendered film."""

import cv2
import numpy as np
import pytest

from tilescore.datasets.annotation.predictions import Prediction
from tilescore.datasets.annotation.tracking import followed
from tilescore.datasets.sample import SAMPLES
from tilescore.models.registry import load_reader
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.photo import Photo, load_photo

FRAMES = 30


@pytest.fixture(scope="module")
def photo() -> Photo:
    return load_photo(SAMPLES / "riichi_closed.jpg")


@pytest.fixture(scope="module")
def tiles(photo: Photo) -> list[Box]:
    return [tile.box.scaled(1 / photo.scale) for tile in Prediction.of(load_reader().read(photo)).tiles]


def camera(photo: Photo, frame: int) -> np.ndarray:
    """How the camera has moved until that frame: it wanders, turns, comes nearer and goes away."""
    height, width = photo.rgb.shape[:2]
    there = cv2.getRotationMatrix2D((width / 2, height / 2), 4 * np.sin(frame / 9), 1 + 0.1 * np.sin(frame / 11))
    there[:, 2] += 60 * np.sin(frame / 7), 40 * np.cos(frame / 5) - 40
    return np.asarray(there)


def drawn(photo: Photo, frame: int) -> np.ndarray:
    height, width = photo.rgb.shape[:2]
    moved = cv2.warpAffine(photo.rgb, camera(photo, frame), (width, height), borderMode=cv2.BORDER_REFLECT)
    noise = np.random.default_rng(frame).normal(0, 4, moved.shape)
    return np.asarray(np.clip(moved + noise, 0, 255), np.uint8)


def true_box(box: Box, there: np.ndarray) -> Box:
    """The box around the middle of the moved box, as large as the camera shows it."""
    size = float(np.hypot(there[0, 0], there[1, 0]))
    x, y = there @ np.array([*box.center, 1.0])
    return Box(x - box.width * size / 2, y - box.height * size / 2, x + box.width * size / 2, y + box.height * size / 2)


def test_a_film_needs_few_corrections(photo: Photo, tiles: list[Box]) -> None:
    boxes, right, corrected = list(tiles), 0, 0
    before = drawn(photo, 0)
    for frame in range(1, FRAMES):
        after = drawn(photo, frame)
        found = followed(before, after, boxes)
        truth = [true_box(box, camera(photo, frame)) for box in tiles]
        for at, box in enumerate(found):
            is_right = box is not None and box.iou(truth[at]) > 0.7
            right += is_right
            corrected += not is_right
            boxes[at] = box if box is not None and is_right else truth[at]
        before = after
    assert right >= 0.98 * len(tiles) * (FRAMES - 1)
    assert corrected <= 5


def test_a_tile_that_is_lost_is_said(photo: Photo, tiles: list[Box]) -> None:
    after = photo.rgb.copy()
    x0, y0, x1, y1 = (int(value) for value in tiles[0].xyxy)
    after[y0:y1, x0:x1] = 90
    found = followed(photo.rgb, after, tiles)
    assert found[0] is None
    assert found[5] is not None
    assert found[5].iou(tiles[5]) > 0.99
    assert (
        followed(photo.rgb, after, [Box(5, 5, 6, 6), Box(-50, -50, -10, -10), Box(9e5, 9e5, 9.1e5, 9.1e5)])
        == [None] * 3
    )
    assert followed(photo.rgb, after, []) == []
