"""A second look at a photo: at the part with tiles alone, at the tile size that the detector knows best."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tilescore.vision.arrays import Pixels
from tilescore.vision.detection.config import SecondLookConfig
from tilescore.vision.detection.detector import Detector
from tilescore.vision.detections import Proposal
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.rows import find_rows

_CONFIG: Final = SecondLookConfig()


@dataclass(frozen=True, slots=True)
class SecondLook:
    """A part of a picture that the detector has not seen well."""

    part: Box  # the part, in whole pixels of the picture
    long_side: int  # long side of the input for this part, in pixels

    @property
    def input_px(self) -> float:
        """Number of pixels of the input."""
        return self.long_side**2 * min(self.part.width, self.part.height) / max(self.part.width, self.part.height)

    def proposals(self, detector: Detector, rgb: Pixels) -> tuple[Proposal, ...]:
        """The proposals in the part, boxes in pixels of the picture (H, W, 3), best first."""
        x0, y0, x1, y1 = (int(side) for side in self.part.xyxy)
        part = np.ascontiguousarray(rgb[y0:y1, x0:x1])
        return tuple(proposal.moved(x0, y0) for proposal in detector.detect(part, long_side=self.long_side))


def second_look(boxes: Sequence[Box], size_wh: tuple[int, int], *, long_side: int) -> SecondLook | None:
    """The part that is worth a second look; None if it shows tiles hardly larger or too many.

    The part is that of the longest rows, enlarged where its tiles have few pixels, or the whole picture where there are
    too few tiles to tell.

    `boxes` are the tiles of the first look, in pixels of the picture; `long_side` is that of its input, in pixels.
    """
    scale = long_side / max(size_wh)
    part, wanted, most = Box(0.0, 0.0, *map(float, size_wh)), float(_CONFIG.max_input_px), float(max(size_wh))
    if len(boxes) > _CONFIG.max_tiles:
        return None
    if len(boxes) >= _CONFIG.min_tiles:
        part, tile = _rows(boxes, size_wh)
        if tile * scale >= _CONFIG.large_tile_px:
            return None
        longest = max(part.width, part.height)
        wanted, most = _CONFIG.best_tile_px / tile * longest, _CONFIG.max_growth * longest
    chosen = int(np.clip(min(wanted, most), _CONFIG.min_input_px, _CONFIG.max_input_px))
    gain = min(chosen, most) / max(part.width, part.height) / scale
    return SecondLook(part, chosen) if gain >= _CONFIG.min_gain else None


def _rows(boxes: Sequence[Box], size_wh: tuple[int, int]) -> tuple[Box, float]:
    """The rectangle around the longest rows, and the median short side of their tiles."""
    rows = [row for row in find_rows(boxes) if len(row.members) >= _CONFIG.min_tiles]
    members = [index for row in rows[: _CONFIG.max_rows] for index in row.members] or list(range(len(boxes)))
    chosen = [boxes[index] for index in members]
    tile = float(np.median([box.short_side for box in chosen]))
    margin = _CONFIG.margin_tiles * tile
    width, height = size_wh
    around = Box(
        max(0, int(min(box.x0 for box in chosen) - margin)),
        max(0, int(min(box.y0 for box in chosen) - margin)),
        min(width, int(max(box.x1 for box in chosen) + margin) + 1),
        min(height, int(max(box.y1 for box in chosen) + margin) + 1),
    )
    return around, tile
