"""A closer look: the part of a photo where the hand lies, brought to the tile size the detector knows best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from vision.boxes import Box
from vision.rows import find_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.detector import Detection, Detector

KNOWN_TILE: Final = 42.0
"""Short side of a tile, in input pixels, that the detector names best."""
_SMALL_TILE: Final = 30.0
_FEW: Final = 0.1
"""When only so many are smaller, the tiles of the longest rows are not."""
_LONGEST_INPUT: Final = 1024
_SHORTEST_INPUT: Final = 256
_MARGIN: Final = 1.6
"""Space around the hand, in tile sizes."""
_LEAST_ROW: Final = 4


def look_closer(
    detector: Detector, rgb: NDArray[np.uint8], found: tuple[Detection, ...], *, look: int
) -> tuple[Detection, ...]:
    """What a second look adds, when the tiles of the longest rows were seen too small and the photo holds more.

    Args:
        detector: the one that looked first.
        rgb: the photo (H, W, 3).
        found: what it saw, boxes in pixels of the photo.
        look: long side of its input then, pixels.
    """
    height, width = rgb.shape[:2]
    scale = look / max(height, width)
    if len(found) < _LEAST_ROW:
        # Nothing to go by: look at everything once more, as large as it is.
        if scale > 0.75:
            return found
        return max(found, detector.detect(rgb, long_side=min(2 * look, max(height, width))), key=len)
    boxes = [detection.box for detection in found]
    if scale > 0.95 or np.quantile([box.short_side for box in boxes], _FEW) * scale >= _SMALL_TILE:
        return found
    region, tile = _region(boxes, width, height)
    if tile * scale >= _SMALL_TILE:
        return found
    part = rgb[int(region.y0) : int(region.y1), int(region.x0) : int(region.x1)]
    enlarged = min(KNOWN_TILE / tile, 1.6) * max(part.shape[:2])
    long_side = int(np.clip(enlarged, _SHORTEST_INPUT, _LONGEST_INPUT))
    if long_side / max(part.shape[:2]) < 1.15 * scale:
        return found
    closer = detector.detect(np.ascontiguousarray(part), long_side=long_side)
    offset = (float(int(region.x0)), float(int(region.y0)))
    kept = tuple(detection for detection in found if detection.box.covered_by(region) < 0.7)
    both = [*(detection.moved(*offset) for detection in closer), *kept]
    return tuple(sorted(both, key=lambda detection: -detection.confidence))


def _region(boxes: Sequence[Box], width: int, height: int) -> tuple[Box, float]:
    """The rectangle around the longest rows, and the median short side of their tiles."""
    rows = [row for row in find_rows(boxes) if len(row.members) >= _LEAST_ROW]
    members = [index for row in rows[:3] for index in row.members] or list(range(len(boxes)))
    chosen = [boxes[index] for index in members]
    tile = float(np.median([box.short_side for box in chosen]))
    reach = _MARGIN * tile
    return (
        Box(
            max(0.0, min(box.x0 for box in chosen) - reach),
            max(0.0, min(box.y0 for box in chosen) - reach),
            min(float(width), max(box.x1 for box in chosen) + reach),
            min(float(height), max(box.y1 for box in chosen) + reach),
        ),
        tile,
    )
