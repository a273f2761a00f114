"""Where the pixels of a view lie in the photo."""

import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilescore.vision.image.boxes import Box
from tilescore.vision.image.photo import Photo
from tilescore.vision.image.view import PhotoView

SPOT = Box(140, 80, 148, 88)


def view() -> PhotoView:
    """A photo reduced to a half, with a white spot."""
    rgb = np.zeros((200, 300, 3), np.uint8)
    rgb[int(SPOT.y0) : int(SPOT.y1), int(SPOT.x0) : int(SPOT.x1)] = 255
    return PhotoView.of(Photo("spot", rgb, (600, 400)))


def test_a_box_of_the_whole_photo_is_scaled() -> None:
    assert view().in_photo(SPOT) == SPOT.scaled(2)


def test_what_a_mirrored_view_shows_lies_where_it_was() -> None:
    mirrored = view().mirrored()
    rows, columns = np.nonzero(mirrored.rgb[..., 0] > 200)
    spot = Box(columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
    assert spot == Box(300 - SPOT.x1, SPOT.y0, 300 - SPOT.x0, SPOT.y1)
    assert mirrored.in_photo(spot) == SPOT.scaled(2)
    assert (mirrored.mirrored().to_photo == view().to_photo).all()


@given(st.floats(-math.pi, math.pi), st.floats(0, 50))
def test_what_a_turned_view_shows_lies_where_it_was(radians: float, margin: float) -> None:
    turned = view().turned(radians, [Box(100, 60, 200, 140)], margin=margin)
    rows, columns = np.nonzero(turned.rgb[..., 0] > 200)
    spot = Box(columns.mean(), rows.mean(), columns.mean(), rows.mean())
    assert turned.in_photo(spot).center == pytest.approx(SPOT.scaled(2).center, abs=3)
    again = turned.turned(-radians, [Box(0, 0, turned.rgb.shape[1], turned.rgb.shape[0])], margin=0)
    assert again.to_photo[:, :2] == pytest.approx(view().to_photo[:, :2], abs=1e-9)


def test_the_box_around_a_turned_box_holds_its_corners() -> None:
    turned = view().turned(math.radians(45), [Box(100, 60, 200, 140)], margin=0)
    box = turned.in_photo(Box(10, 10, 20, 10))
    assert (box.width, box.height) == pytest.approx((math.sqrt(2) * 10, math.sqrt(2) * 10))


def test_a_box_ends_where_the_photo_ends() -> None:
    turned = view().turned(math.radians(45), [Box(0, 0, 300, 200)], margin=0)
    x0, y0, x1, y1 = turned.in_photo(Box(0, 0, turned.rgb.shape[1], turned.rgb.shape[0])).xyxy
    assert (x0, y0, x1, y1) == pytest.approx((0, 0, 600, 400))


@pytest.mark.parametrize(
    ("deviation", "light", "is_smooth"),
    [
        pytest.param(0, 120, False, id="no noise"),
        pytest.param(6, 120, False, id="the noise of most cameras"),
        pytest.param(15, 120, True, id="the noise of the dark"),
        pytest.param(15, 255, False, id="white"),
    ],
)
def test_a_photo_with_much_noise_is_made_smooth(deviation: float, light: float, *, is_smooth: bool) -> None:
    dice = np.random.default_rng(1)
    rgb = np.clip(light + dice.normal(0, deviation, (600, 800, 3)), 0, 255).astype(np.uint8)
    cv2.rectangle(rgb, (300, 200), (500, 400), (250, 250, 240), -1)
    view = PhotoView.of(Photo("noise", rgb, (800, 600)))
    clean = view.without_noise().rgb
    assert (clean is rgb) is not is_smooth
    if is_smooth:
        assert clean[:150].std() < 0.5 * rgb[:150].std()


def test_a_picture_smaller_than_a_block_has_no_noise() -> None:
    rgb = np.random.default_rng(1).integers(0, 256, (28, 28, 3)).astype(np.uint8)
    assert PhotoView.of(Photo("small", rgb, (28, 28))).without_noise().rgb is rgb
