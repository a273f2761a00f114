"""Sharpness of tiles."""

import cv2
import numpy as np

from tilescore.vision.image.boxes import Box
from tilescore.vision.image.sharpness import sharpness

BOX = Box(10, 10, 58, 74)


def printed() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A face with a few strokes."""
    picture = np.full((90, 70, 3), 235, np.uint8)
    for x in (20, 32, 44):
        cv2.rectangle(picture, (x, 20), (x + 5, 64), (20, 110, 60), -1)
    return picture


def test_blur_shows_whatever_the_contrast() -> None:
    sharp, soft = printed(), np.asarray(cv2.GaussianBlur(printed(), (0, 0), 3), np.uint8)
    pale = np.asarray(200 + sharp // 6, np.uint8)
    steep, dull, even = (sharpness(picture, [BOX])[0] for picture in (sharp, soft, pale))
    assert dull < 0.6 * steep
    assert abs(even - steep) < 0.2 * steep


def test_a_blank_face_tells_nothing() -> None:
    assert sharpness(np.full((90, 70, 3), 240, np.uint8), [BOX]) == (0.0,)
