"""Further passes of the detector: over the whole photo, enlarged, and over the hand, at the tile size it knows best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tilescore.vision.detection.config import DETECTION, DetectionConfig, MultiscaleConfig
from tilescore.vision.detection.detector import suppress_proposals
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.rows import find_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tilescore.vision.detection.detector import Detector
    from tilescore.vision.detections import Proposal


def detect_at_more_scales(
    detector: Detector,
    rgb: NDArray[np.uint8],
    found: tuple[Proposal, ...],
    *,
    long_side: int,
    config: DetectionConfig = DETECTION,
) -> tuple[Proposal, ...]:
    """The proposals of the first pass and of further passes, one a place, best first.

    Further passes are made where the tiles were small and the photo holds more pixels. One shows the whole photo,
    enlarged, because each size shows tiles that the other does not. One more shows the longest rows alone where their
    tiles were still too small.

    Args:
        detector: the detector of the first pass.
        rgb: the photo (H, W, 3).
        found: the proposals of the first pass, boxes in pixels of the photo.
        long_side: long side of the input of the first pass, in pixels.
        config: settings of the detection stage.
    """
    scales = config.multiscale
    longest = max(rgb.shape[:2])
    scale = long_side / longest
    if len(found) < scales.min_row_tiles:
        # There are too few proposals to tell the size of the tiles: the whole photo is passed at a larger size.
        if scale > scales.retry_max_scale:
            return found
        larger = min(scales.retry_larger_scale * long_side, longest)
        return max(found, detector.detect(rgb, long_side=larger), key=len)
    smallest = float(np.quantile([proposal.box.short_side for proposal in found], scales.small_quantile)) * scale
    if scale > scales.full_scale or smallest >= scales.large_tile_px:
        return found
    enlarged = detector.detect(rgb, long_side=min(round(scales.larger_scale * long_side), longest))
    rows = _with_enlarged_rows(detector, rgb, found, scale, scales) if smallest < scales.small_tile_px else found
    return suppress_proposals([*rows, *enlarged], config=config.proposals)


def _with_enlarged_rows(
    detector: Detector, rgb: NDArray[np.uint8], found: tuple[Proposal, ...], scale: float, config: MultiscaleConfig
) -> tuple[Proposal, ...]:
    """The proposals, those of the longest rows from an enlarged pass if their tiles were too small."""
    height, width = rgb.shape[:2]
    region, tile = _region([proposal.box for proposal in found], width, height, config)
    if tile * scale >= config.small_tile_px:
        return found
    part = rgb[int(region.y0) : int(region.y1), int(region.x0) : int(region.x1)]
    enlarged = min(config.best_tile_px / tile, config.max_enlargement) * max(part.shape[:2])
    long_side = int(np.clip(enlarged, config.min_input_px, config.max_input_px))
    if long_side / max(part.shape[:2]) < config.min_gain * scale:
        return found
    of_rows = detector.detect(np.ascontiguousarray(part), long_side=long_side)
    offset = (float(int(region.x0)), float(int(region.y0)))
    kept = (proposal for proposal in found if proposal.box.covered_by(region) < config.max_covered_share)
    return (*(proposal.moved(*offset) for proposal in of_rows), *kept)


def _region(boxes: Sequence[Box], width: int, height: int, config: MultiscaleConfig) -> tuple[Box, float]:
    """The rectangle around the longest rows, and the median short side of their tiles."""
    rows = [row for row in find_rows(boxes) if len(row.members) >= config.min_row_tiles]
    members = [index for row in rows[: config.max_rows] for index in row.members] or list(range(len(boxes)))
    chosen = [boxes[index] for index in members]
    tile = float(np.median([box.short_side for box in chosen]))
    margin = config.margin_tiles * tile
    return (
        Box(
            max(0.0, min(box.x0 for box in chosen) - margin),
            max(0.0, min(box.y0 for box in chosen) - margin),
            min(float(width), max(box.x1 for box in chosen) + margin),
            min(float(height), max(box.y1 for box in chosen) + margin),
        ),
        tile,
    )
