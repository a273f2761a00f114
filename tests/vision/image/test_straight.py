"""A row made straight: faces one wide and one high, whatever the camera."""

import cv2
import numpy as np
import pytest

from tilescore.vision.image.boxes import Box
from tilescore.vision.image.straight import straight_row

CAMERAS = {
    "from above": np.eye(3),
    "turned by a quarter": np.array([(0.0, -1.0, 900.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)]),
    "at a slant, the last tile half as large": np.array([(1.0, 0.0, 0.0), (0.3, 1.0, 0.0), (0.001, 0.0, 1.0)]),
}
WIDTH, HEIGHT = 60.0, 80.0


def quads(places: list[float], camera: np.ndarray) -> np.ndarray:
    """Corners of the faces that start at these places, in tile widths, as the camera sees them."""
    flat = [
        [(WIDTH * at, 200.0), (WIDTH * (at + 1), 200.0), (WIDTH * (at + 1), 200 + HEIGHT), (WIDTH * at, 200 + HEIGHT)]
        for at in places
    ]
    return np.asarray(cv2.perspectiveTransform(np.array(flat).reshape(1, -1, 2), camera)[0]).reshape(-1, 4, 2)


def direction(seen: np.ndarray) -> tuple[float, float]:
    across = seen[-1].mean(axis=0) - seen[0].mean(axis=0)
    return tuple((across / np.linalg.norm(across)).tolist())


@pytest.mark.parametrize("camera", CAMERAS.values(), ids=CAMERAS.keys())
@pytest.mark.parametrize(
    "places",
    [
        pytest.param([0, 1, 2, 3, 4, 5, 6], id="side by side"),
        pytest.param([0, 1, 2, 4, 5, 6], id="a tile missing"),
        pytest.param([0, 1, 2, 2.999, 4.3, 5.3, 6.3], id="the last three apart"),
    ],
)
def test_places_in_the_straight_row_are_tile_widths(places: list[float], camera: np.ndarray) -> None:
    seen = quads(places, camera)
    row = straight_row(seen, direction(seen))
    assert row is not None
    starts = row.places(seen)[:, :, 0].min(axis=1)
    assert starts == pytest.approx(places, abs=0.08)
    assert row.places(seen)[:, :, 1].min(axis=1) == pytest.approx([0.0] * len(places), abs=0.08)
    assert row.length == pytest.approx(places[-1] + 1, abs=0.08)


@pytest.mark.parametrize("camera", CAMERAS.values(), ids=CAMERAS.keys())
def test_a_place_leads_back_to_the_picture(camera: np.ndarray) -> None:
    seen = quads([0, 1, 2, 4, 5], camera)
    row = straight_row(seen, direction(seen))
    assert row is not None
    missing = quads([3], camera)[0]
    wanted = Box(*missing.min(axis=0).tolist(), *missing.max(axis=0).tolist())
    assert row.in_picture(Box(3, 0, 4, 1)).iou(wanted) > 0.85


def test_faces_that_run_against_the_direction_form_no_row() -> None:
    scattered = np.random.default_rng(3).uniform(0, 900, (8, 4, 2))
    assert straight_row(scattered, (1.0, 0.0)) is None
