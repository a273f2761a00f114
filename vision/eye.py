"""From a photo to a reading: find the tiles, look at each again, lay out, read."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from vision.fusion import Fusion
from vision.reading import Reading
from vision.zoom import look_closer

if TYPE_CHECKING:
    from vision.classifier import Classifier
    from vision.detector import Detection, Detector
    from vision.photo import Photo

LOOK: Final = 640
"""Long side of the detector's input, pixels."""
_LEAST_CONFIDENCE: Final = 0.4
"""Tiles less sure than this are not reported: of 0.15, 0.25 and 0.4 the best tile F1 on val's photos."""
_MOST_SECOND_LOOKS: Final = 64
_EVEN: Final = Fusion()


@dataclass(frozen=True, slots=True)
class Eye:
    """Reads photos.

    Attributes:
        detector: what finds the tiles.
        classifier: what looks at each of them again; None to rely on the detector's names.
        fusion: how their opinions are joined.
        look: long side of the detector's input, pixels.
    """

    detector: Detector
    classifier: Classifier | None = None
    fusion: Fusion = _EVEN
    look: int = LOOK

    def read(self, photo: Photo) -> Reading:
        """The reading of a photo, boxes in pixels of its upright original."""
        start = time.perf_counter()
        found = self.look_everywhere(photo)
        detected = time.perf_counter()
        named = self._look_again(photo, found)
        classified = time.perf_counter()
        reading = Reading.of(
            [replace(detection, box=detection.box.scaled(photo.scale)) for detection in named],
            photo_name=photo.name,
            size_wh=photo.size_wh,
            model=self.detector.name,
        )
        done = time.perf_counter()
        stages = {
            "decode": photo.decode_seconds,
            "detect": detected - start,
            "classify": classified - detected,
            "layout": done - classified,
            "total": photo.decode_seconds + done - start,
        }
        return replace(reading, timings_ms=tuple((name, 1000 * seconds) for name, seconds in stages.items()))

    def look_everywhere(self, photo: Photo) -> tuple[Detection, ...]:
        """All that the detector sees, however faintly, boxes in pixels of `photo.rgb`, best first."""
        found = self.detector.detect(photo.rgb, long_side=self.look)
        return look_closer(self.detector, photo.rgb, found, look=self.look)

    def _look_again(self, photo: Photo, found: tuple[Detection, ...]) -> list[Detection]:
        """The detections worth reporting, the likeliest tiles named by both networks."""
        named = list(found)
        if self.classifier is not None:
            first = found[:_MOST_SECOND_LOOKS]
            opinions = self.classifier.classify(photo.rgb, [detection.box for detection in first])
            named[: len(first)] = [
                self.fusion.fuse(detection, opinion) for detection, opinion in zip(first, opinions, strict=True)
            ]
        return [detection for detection in named if detection.confidence >= _LEAST_CONFIDENCE]
