"""From a photo to a reading: look, look closer where the hand is, lay out, read."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from vision.reading import Reading

if TYPE_CHECKING:
    from vision.detector import Detection, Detector
    from vision.photo import Photo

LOOK: Final = 640
"""Long side of the network's input at the first look, pixels."""
_LEAST_CONFIDENCE: Final = 0.25


@dataclass(frozen=True, slots=True)
class Eye:
    """Reads photos with one detector.

    Attributes:
        detector: what finds the tiles.
        look: long side of its input, pixels.
    """

    detector: Detector
    look: int = LOOK

    def read(self, photo: Photo) -> Reading:
        """The reading of a photo, boxes in pixels of its upright original."""
        start = time.perf_counter()
        found = self.detect(photo)
        seen = time.perf_counter()
        reading = Reading.of(found, photo_name=photo.name, size_wh=photo.size_wh, model=self.detector.name)
        done = time.perf_counter()
        stages = {"detect": seen - start, "layout": done - seen, "total": done - start}
        return replace(reading, timings_ms=tuple((name, 1000 * seconds) for name, seconds in stages.items()))

    def detect(self, photo: Photo) -> tuple[Detection, ...]:
        """Every tile in the photo that is worth reporting."""
        found = self.detector.detect(photo.rgb, long_side=self.look)
        return tuple(
            replace(detection, box=detection.box.scaled(photo.scale))
            for detection in found
            if detection.confidence >= _LEAST_CONFIDENCE
        )
