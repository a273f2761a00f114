"""From a photo to a reading: find the tiles, classify each, find the layout, decode the names."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from tilescore.vision.classification.classifier import VIEWS
from tilescore.vision.classification.config import ClassificationConfig
from tilescore.vision.classification.fusion import Fusion
from tilescore.vision.classification.red_fives import reweigh_red_fives
from tilescore.vision.decoding.config import DecodingConfig
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.detection.config import DetectionConfig
from tilescore.vision.detection.multiscale import detect_at_more_scales
from tilescore.vision.detection.neighbours import is_beside
from tilescore.vision.image.config import ImageConfig
from tilescore.vision.image.sharpness import sharpness

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from tilescore.vision.classification.classifier import Classifier, CropView
    from tilescore.vision.detection.detector import Detector
    from tilescore.vision.detections import Detection, Proposal
    from tilescore.vision.image.boxes import Box
    from tilescore.vision.image.photo import Photo


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderConfig:
    """Settings of a reader, with those of the stages that it runs.

    Attributes:
        input_long_side_px: The first pass of the detector has an input with this long side, in pixels (chosen).
        retry_scale: A photo without a complete hand is read again with an input this many times as large (chosen).
        min_presence: A detection with less presence than this is not reported; against 0.5, a third fewer false tiles
            and a tenth more missed ones in scenes of unseen artwork (measured).
        neighboured_back_min_presence: A back beside another reported back needs only this presence, because walls are
            rows (chosen).
        isolated_back_min_presence: A back beside no other tile needs this presence, because plain objects such as
            notebooks resemble it (chosen on photos of the test set).
        unclassified_min_confidence: A detection that no classifier has seen needs this confidence, which holds presence
            and name in one (chosen).
        max_crops: At most this many crops of a photo are classified, in 60 ms (measured): the more tiles there are, the
            fewer views of each (chosen).
        max_hand_tiles: No hand has more tiles than this; among more tiles, the sharp ones rather belong to the hand
            that is photographed (chosen).
        image: The settings of the image stage.
        detection: The settings of the detection stage.
        classification: The settings of the classification stage.
        decoding: The settings of the decoding stage.
    """

    input_long_side_px: int = 640
    retry_scale: float = 1.5
    min_presence: float = 0.65
    neighboured_back_min_presence: float = 0.4
    isolated_back_min_presence: float = 0.92
    unclassified_min_confidence: float = 0.4
    max_crops: int = 256
    max_hand_tiles: int = 18
    image: ImageConfig = field(default_factory=ImageConfig)
    detection: DetectionConfig = field(default_factory=DetectionConfig)
    classification: ClassificationConfig = field(default_factory=ClassificationConfig)
    decoding: DecodingConfig = field(default_factory=DecodingConfig)


READER: Final = ReaderConfig()
"""The defaults."""
_EVEN: Final = Fusion()


@dataclass(frozen=True, slots=True)
class TileReader:
    """Reads photos.

    Attributes:
        detector: finds the tiles.
        classifier: names each of them from its crop; None to keep the names of the detector.
        fusion: weights of the networks.
        patient: whether to make further passes and to classify several views; video has no time for that.
        config: settings of the reader.
    """

    detector: Detector
    classifier: Classifier | None = None
    fusion: Fusion = _EVEN
    patient: bool = True
    config: ReaderConfig = READER

    def read(self, photo: Photo) -> Reading:
        """The reading of a photo, boxes in pixels of its upright original.

        A photo without a complete hand is read once more, with a larger input; the second reading replaces the first if
        it has a complete hand.
        """
        clock = _Clock(photo.decode_seconds)
        long_side = self.config.input_long_side_px
        reading = self._reading(photo, long_side, clock)
        larger = round(long_side * self.config.retry_scale)
        if self.patient and not reading.is_complete and max(photo.rgb.shape[:2]) > larger:
            again = self._reading(photo, larger, clock)
            if again.is_complete:
                reading = again
        return replace(reading, timings_ms=clock.timings_ms)

    def _reading(self, photo: Photo, long_side: int, clock: _Clock) -> Reading:
        proposals = self.propose(photo, long_side)
        clock.stop("detect")
        found = self.classify(photo.rgb, proposals, views=VIEWS if self.patient else VIEWS[:1])
        clock.stop("classify")
        boxes = [detection.box for detection in found]
        if len(found) > self.config.max_hand_tiles:
            sharp = sharpness(photo.rgb, boxes, config=self.config.image.sharpness)
        else:
            sharp = (0.0,) * len(found)
        reading = Reading.of(
            [
                replace(detection, box=box.scaled(photo.scale), sharpness=each)
                for detection, box, each in zip(found, boxes, sharp, strict=True)
            ],
            photo_name=photo.name,
            size_wh=photo.size_wh,
            model=self.detector.name,
            config=self.config.decoding,
        )
        clock.stop("layout")
        return reading

    def propose(self, photo: Photo, long_side: int | None = None) -> tuple[Proposal, ...]:
        """All proposals, boxes in pixels of `photo.rgb`, best first; `long_side` of the first input, in pixels."""
        if long_side is None:
            long_side = self.config.input_long_side_px
        found = self.detector.detect(photo.rgb, long_side=long_side)
        if not self.patient:
            return found
        return detect_at_more_scales(self.detector, photo.rgb, found, long_side=long_side, config=self.config.detection)

    def classify(
        self, rgb: NDArray[np.uint8], found: tuple[Proposal, ...], *, views: Sequence[CropView] = VIEWS
    ) -> list[Detection]:
        """The detections worth reporting, the likeliest of them named by both networks.

        Args:
            rgb: the picture (H, W, 3).
            found: proposals, best first, boxes in pixels of the picture.
            views: views of each tile, as many as the limit on crops allows.
        """
        max_crops, min_confidence = self.config.max_crops, self.config.unclassified_min_confidence
        first = found[:max_crops] if self.classifier is not None else ()
        rest = [proposal.detection for proposal in found[len(first) :] if proposal.confidence >= min_confidence]
        if self.classifier is None:
            return rest
        views = views[: max(1, max_crops // max(1, len(first)))]
        probabilities = self.probabilities(rgb, [proposal.box for proposal in first], views=views)
        fused = self.fusion.fuse(first, probabilities, config=self.config.classification)
        return [*_reported(fused, self.config), *rest]

    def probabilities(
        self, rgb: NDArray[np.uint8], boxes: Sequence[Box], *, views: Sequence[CropView] = VIEWS
    ) -> NDArray[np.float32]:
        """The probabilities (N, 47) by the classifier for boxes of one picture; ValueError without a classifier."""
        if self.classifier is None:
            raise ValueError("this reader has no classifier.")
        probabilities = self.classifier.classify(rgb, boxes, views=views)
        return reweigh_red_fives(rgb, boxes, probabilities, config=self.config.classification.red_fives)


def _reported(found: Sequence[Detection], config: ReaderConfig) -> list[Detection]:
    """The detections with enough presence to be tiles."""
    likely = [detection for detection in found if detection.presence >= config.min_presence]
    return [detection for detection in found if detection.presence >= _min_presence(detection, likely, config)]


def _min_presence(detection: Detection, likely: Sequence[Detection], config: ReaderConfig) -> float:
    """The presence that the detection needs, given the detections that are likely tiles."""
    if not detection.tile.is_back:
        return config.min_presence
    neighbours = config.detection.neighbours
    beside = [other for other in likely if is_beside(detection.box, [other.box], config=neighbours)]
    if any(other.tile.is_back for other in beside):
        return config.neighboured_back_min_presence
    return config.min_presence if beside else config.isolated_back_min_presence


class _Clock:
    """Adds up the duration of each stage."""

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
