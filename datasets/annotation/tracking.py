"""Boxes that follow their tiles from one frame of a video to the next, by the optical flow of Lucas and Kanade."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]

_LONG_SIDE: Final = 1280
"""Frames are compared at this size: pixels of the long side."""
_POINTS: Final = 24
"""A tile is followed by at most this many points."""
_LEAST: Final = 5
"""And by at least this many that come back to where they were."""
_BACK_PX: Final = 1.0
"""A point has come back if it is this near to its start, in pixels of the compared frame."""


def followed(before: Pixels, after: Pixels, boxes: Sequence[Box]) -> list[Box | None]:
    """The boxes where their tiles lie in another frame; None for a tile that is lost.

    Args:
        before: RGB pixels of a frame.
        after: RGB pixels of a later frame of the same size.
        boxes: boxes in pixels of `before`.
    """
    scale = min(1.0, _LONG_SIDE / max(before.shape[:2]))
    first, second = (_grey(rgb, scale) for rgb in (before, after))
    return [_follow(first, second, box, scale) for box in boxes]


def _grey(rgb: Pixels, scale: float) -> Pixels:
    grey = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
    return np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _follow(first: Pixels, second: Pixels, box: Box, scale: float) -> Box | None:
    small = box.scaled(scale)
    left, top = max(0, int(small.x0)), max(0, int(small.y0))
    part = first[top : int(small.y1) + 1, left : int(small.x1) + 1]
    found = cv2.goodFeaturesToTrack(part, _POINTS, 0.01, 2) if min(part.shape, default=0) > 4 else None
    if found is None or len(found) < _LEAST:
        return None
    start = (found + np.array([left, top])).astype(np.float32)
    there, seen, _ = cv2.calcOpticalFlowPyrLK(first, second, start, np.empty_like(start))
    back, came, _ = cv2.calcOpticalFlowPyrLK(second, first, there, np.empty_like(start))
    good = (seen.ravel() == 1) & (came.ravel() == 1) & (np.abs(back - start).max(axis=(1, 2)) < _BACK_PX)
    if good.sum() < _LEAST:
        return None
    moved, _ = cv2.estimateAffinePartial2D(start[good], there[good], ransacReprojThreshold=2)
    if moved is None:
        return None
    size = float(np.hypot(moved[0, 0], moved[1, 0]))
    x, y = (moved @ np.array([(small.x0 + small.x1) / 2, (small.y0 + small.y1) / 2, 1.0])).tolist()
    if not (0 <= x < second.shape[1] and 0 <= y < second.shape[0] and 0.5 < size < 2):
        return None
    half_w, half_h = small.width * size / 2, small.height * size / 2
    corners = (x - half_w, y - half_h, x + half_w, y + half_h)
    return Box(*(round(value / scale, 2) for value in corners))
