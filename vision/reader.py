"""From a photo to a reading: find the tiles, look at each again, lay out, read."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from tilescore.vision.classification.classifier import VIEWS
from tilescore.vision.classification.fusion import Fusion
from tilescore.vision.classification.red_fives import reweigh_red_fives
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.detection.multiscale import detect_at_more_scales
from tilescore.vision.detection.neighbours import is_beside
from tilescore.vision.image.sharpness import sharpness

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from tilescore.vision.classification.classifier import Classifier, View
    from tilescore.vision.detection.detector import Detector
    from tilescore.vision.detections import Detection, Proposal
    from tilescore.vision.image.boxes import Box
    from tilescore.vision.image.photo import Photo

LOOK: Final = 640
"""Long side of the detector's input, pixels."""
_LEAST_PRESENCE: Final = 0.65
"""What is less likely than this to be a tile at all is not reported; a tile of unclear name is, and asked about.

In scenes of unseen artwork a third less of what is none is reported than from 0.5 on, and a tenth more tiles missed.
"""
_LEAST_BESIDE: Final = 0.4
"""The same for a back beside another that is reported: walls are rows,"""
_LEAST_ALONE: Final = 0.92
"""and for one that lies beside no tile at all: it belongs to no hand, and such a plain thing may be a notebook."""
_LEAST_CONFIDENCE: Final = 0.4
"""The same for tiles that the detector alone has seen, whose scores say both in one."""
_MOST_CUT_OUTS: Final = 256
"""So many cut-outs of a photo are named, 60 ms of them: the more tiles there are, the fewer views of each."""
_ONE_HAND: Final = 18
"""No hand has more tiles: with more of them in hypothesis, the sharp ones are rather those that are meant."""
_EVEN: Final = Fusion()
_LARGER: Final = 1.5
"""How much larger the photo is looked at when the first look shows no whole hand."""


@dataclass(frozen=True, slots=True)
class TileReader:
    """Reads photos.

    Attributes:
        detector: what finds the tiles.
        classifier: what looks at each of them again; None to rely on the detector's names.
        fusion: how their probabilities are joined.
        look: long side of the detector's input, pixels.
        patient: whether to look closer, and again, where a first look was not enough; video has no time for that.
    """

    detector: Detector
    classifier: Classifier | None = None
    fusion: Fusion = _EVEN
    look: int = LOOK
    patient: bool = True

    def read(self, photo: Photo) -> Reading:
        """The reading of a photo, boxes in pixels of its upright original.

        When no whole hand is seen, the photo is looked at once more, larger: whichever look shows a whole hand holds.
        """
        clock = _Clock(photo.decode_seconds)
        reading = self._reading(photo, self.look, clock)
        larger = round(self.look * _LARGER)
        if self.patient and not _is_whole(reading) and max(photo.rgb.shape[:2]) > larger:
            again = self._reading(photo, larger, clock)
            if _is_whole(again):
                reading = again
        return replace(reading, timings_ms=clock.timings_ms)

    def _reading(self, photo: Photo, look: int, clock: _Clock) -> Reading:
        found = self.propose(photo, look)
        clock.stop("detect")
        named = self.classify(photo.rgb, found, views=VIEWS if self.patient else VIEWS[:1])
        clock.stop("classify")
        boxes = [detection.box for detection in named]
        sharp = sharpness(photo.rgb, boxes) if len(named) > _ONE_HAND else (0.0,) * len(named)
        reading = Reading.of(
            [
                replace(detection, box=box.scaled(photo.scale), sharpness=steep)
                for detection, box, steep in zip(named, boxes, sharp, strict=True)
            ],
            photo_name=photo.name,
            size_wh=photo.size_wh,
            model=self.detector.name,
        )
        clock.stop("layout")
        return reading

    def propose(self, photo: Photo, look: int = LOOK) -> tuple[Proposal, ...]:
        """All that the detector sees, however faintly, boxes in pixels of `photo.rgb`, best first."""
        found = self.detector.detect(photo.rgb, long_side=look)
        return detect_at_more_scales(self.detector, photo.rgb, found, look=look) if self.patient else found

    def classify(
        self, rgb: NDArray[np.uint8], found: tuple[Proposal, ...], *, views: Sequence[View] = VIEWS
    ) -> list[Detection]:
        """The detections worth reporting, the likeliest tiles named by both networks, from such views of each."""
        first = found[:_MOST_CUT_OUTS] if self.classifier is not None else ()
        rest = [proposal.detection for proposal in found[len(first) :] if proposal.confidence >= _LEAST_CONFIDENCE]
        if self.classifier is None:
            return rest
        views = views[: max(1, _MOST_CUT_OUTS // max(1, len(first)))]
        named = self.fusion.fuse(first, self.probabilities(rgb, [proposal.box for proposal in first], views=views))
        return [*_reported(named), *rest]

    def probabilities(
        self, rgb: NDArray[np.uint8], boxes: Sequence[Box], *, views: Sequence[View] = VIEWS
    ) -> NDArray[np.float32]:
        """What the classifier says of each box (N, 47), beside the others; ValueError if there is no classifier."""
        if self.classifier is None:
            raise ValueError("this reader has no classifier.")
        return reweigh_red_fives(rgb, boxes, self.classifier.classify(rgb, boxes, views=views))


def _reported(named: Sequence[Detection]) -> list[Detection]:
    """Those of the detections that are likely enough to be tiles."""
    likely = [one for one in named if one.presence >= _LEAST_PRESENCE]
    return [one for one in named if one.presence >= _least(one, likely)]


def _least(one: Detection, likely: Sequence[Detection]) -> float:
    """How likely it must be to be a tile, given those that likely are."""
    if not one.tile.is_back:
        return _LEAST_PRESENCE
    beside = [other for other in likely if is_beside(one.box, [other.box])]
    if any(other.tile.is_back for other in beside):
        return _LEAST_BESIDE
    return _LEAST_PRESENCE if beside else _LEAST_ALONE


def _is_whole(reading: Reading) -> bool:
    """Whether a hand of fourteen tiles was read."""
    return not any(doubt.code in ("tile_count", "no_tiles") for doubt in reading.doubts)


class _Clock:
    """Adds up how long each stage takes."""

    def __init__(self, decode_seconds: float) -> None:
        self._milliseconds = {"decode": 1000 * decode_seconds, "detect": 0.0, "classify": 0.0, "layout": 0.0}
        self._last = time.perf_counter()

    def stop(self, stage: str) -> None:
        """Count the time since the last stop for this stage."""
        now = time.perf_counter()
        self._milliseconds[stage] += 1000 * (now - self._last)
        self._last = now

    @property
    def timings_ms(self) -> tuple[tuple[str, float], ...]:
        """Milliseconds by stage, then their sum."""
        return (*self._milliseconds.items(), ("total", sum(self._milliseconds.values())))
