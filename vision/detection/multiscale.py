"""Further looks at a photo: at everything larger, and at the hand, its tiles as large as the detector knows best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from tilescore.vision.detection.detector import suppress_proposals
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.rows import find_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tilescore.vision.detection.detector import Detector
    from tilescore.vision.detections import Proposal

KNOWN_TILE: Final = 42.0
"""Short side of a tile, in input pixels, that the detector names best."""
_LARGE_TILE: Final = 40.0
"""Where a tile's short side is so long, a larger look adds nothing;"""
_SMALL_TILE: Final = 30.0
"""where it is shorter than this, half as large again is not enough."""
_FEW: Final = 0.1
"""When only so many are smaller, the tiles are not."""
_LARGER: Final = 1.5
_LONGEST_INPUT: Final = 1024
_SHORTEST_INPUT: Final = 256
_MARGIN: Final = 1.6
"""Space around the hand, in tile sizes."""
_LEAST_ROW: Final = 4


def detect_at_more_scales(
    detector: Detector, rgb: NDArray[np.uint8], found: tuple[Proposal, ...], *, look: int
) -> tuple[Proposal, ...]:
    """What further looks add, where tiles were seen small and the photo holds more: one proposal a place, best first.

    Everything is looked at once more, half as large again, since each size shows tiles that the other does not; and
    where the tiles of the longest rows were too small, these by themselves.

    Args:
        detector: the one that looked first.
        rgb: the photo (H, W, 3).
        found: what it saw, boxes in pixels of the photo.
        look: long side of its input then, pixels.
    """
    longest = max(rgb.shape[:2])
    scale = look / longest
    if len(found) < _LEAST_ROW:
        # Nothing to go by: look at everything once more, as large as it is.
        if scale > 0.75:
            return found
        return max(found, detector.detect(rgb, long_side=min(2 * look, longest)), key=len)
    smallest = float(np.quantile([proposal.box.short_side for proposal in found], _FEW)) * scale
    if scale > 0.95 or smallest >= _LARGE_TILE:
        return found
    larger = detector.detect(rgb, long_side=min(round(_LARGER * look), longest))
    closer = _rows_closer(detector, rgb, found, scale) if smallest < _SMALL_TILE else found
    return suppress_proposals([*closer, *larger])


def _rows_closer(
    detector: Detector, rgb: NDArray[np.uint8], found: tuple[Proposal, ...], scale: float
) -> tuple[Proposal, ...]:
    """The detections, those of the longest rows as a closer look sees them, if their tiles were seen too small."""
    height, width = rgb.shape[:2]
    region, tile = _region([proposal.box for proposal in found], width, height)
    if tile * scale >= _SMALL_TILE:
        return found
    part = rgb[int(region.y0) : int(region.y1), int(region.x0) : int(region.x1)]
    enlarged = min(KNOWN_TILE / tile, 1.6) * max(part.shape[:2])
    long_side = int(np.clip(enlarged, _SHORTEST_INPUT, _LONGEST_INPUT))
    if long_side / max(part.shape[:2]) < 1.15 * scale:
        return found
    closer = detector.detect(np.ascontiguousarray(part), long_side=long_side)
    offset = (float(int(region.x0)), float(int(region.y0)))
    kept = (proposal for proposal in found if proposal.box.covered_by(region) < 0.7)
    return (*(proposal.moved(*offset) for proposal in closer), *kept)


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
