"""Finding the tiles of video frames, with another kind of pass for each frame: one finds what another misses.

A network that misses a tile misses it again in the next frame, which is nearly the same picture. At another size, or
without its surroundings, the tile is found. From then on its own crop shows whether it is still there, whatever the
detector finds.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tilescore.scoring.tiles import ALL_FACES
from tilescore.vision.arrays import Pixels
from tilescore.vision.budget import Budget
from tilescore.vision.classification.classifier import ONE_VIEW, VIEWS, TileLook
from tilescore.vision.detections import Candidate, Detection, Proposal
from tilescore.vision.image.boxes import Box
from tilescore.vision.reader import TileReader
from tilescore.vision.video.config import FrameReaderConfig
from tilescore.vision.video.tracker import Tracker

_CONFIG: Final = FrameReaderConfig()


@dataclass(frozen=True, slots=True)
class FrameReader:
    """Finds the tiles of one frame after the other."""

    reader: TileReader
    # Milliseconds that a frame may take; None for no limit. A stage that would end later is left out.
    budget_ms: float | None = None
    # stages that were left out of the frames so far; whoever reports them empties the list
    left_out: list[str] = field(default_factory=list)

    @property
    def cycle(self) -> int:
        """Number of frames after which the kinds of passes repeat."""
        return 2 * math.lcm(len(_CONFIG.full_inputs_px), len(_CONFIG.part_tiles_px), len(VIEWS))

    def find(self, rgb: Pixels, tracker: Tracker) -> tuple[Detection, ...]:
        """The tiles of a frame (H, W, 3), boxes in its pixels, with the help of the tiles of earlier frames."""
        look = self._look(tracker.passes // 2)
        detections = tuple(self.reader.classify(rgb, self._proposals(rgb, tracker), look))
        return (*detections, *self._still_there(rgb, tracker.expected(detections), detections, look))

    def confirm(self, rgb: Pixels, tracker: Tracker) -> tuple[Detection | None, ...] | None:
        """For each known tile the detection from its crop, or None where no tile is; None without a classifier.

        The known tiles are in their places in this frame (H, W, 3). This costs a third of finding tiles, and names each
        known tile from one more view.
        """
        if self.reader.classifier is None:
            return None
        taken = [track.box for track in tracker.sure]
        chosen = [track.is_sure or self._is_free(track.box, taken) for track in tracker.tracks]
        places = [track.box for track in compress(tracker.tracks, chosen)]
        detections = iter(self._from_crops(rgb, places, self._look((tracker.passes + 1) // 2)))
        return tuple(next(detections) if is_chosen else None for is_chosen in chosen)

    def slant(self, rgb: Pixels, detections: Sequence[Detection]) -> float:
        """The angle by which tiles lie aslant in a frame, in radians clockwise; 0 if it does not matter."""
        return self.reader.slant(rgb, detections)

    def _look(self, number: int) -> TileLook:
        """The look with that number, from one of the views, in the time of a frame."""
        return TileLook((VIEWS[number % len(VIEWS)],), replace(Budget.of(self.budget_ms), left_out=self.left_out))

    def _from_crops(self, rgb: Pixels, places: Sequence[Box], look: TileLook) -> tuple[Detection | None, ...]:
        """For each place the detection from its crop alone, or None where no tile is."""
        probabilities = self.reader.probabilities(rgb, places, look)
        return tuple(
            _from_probabilities(place, chances) if 1 - chances[-1] >= _CONFIG.min_presence else None
            for place, chances in zip(places, probabilities, strict=True)
        )

    def _proposals(self, rgb: Pixels, tracker: Tracker) -> tuple[Proposal, ...]:
        """The proposals of this frame: of the whole frame, or of the part with tiles."""
        detector = self.reader.detector
        boxes = [track.box for track in tracker.without_gone().tracks]
        if tracker.passes % 2 == 0 or len(boxes) < _CONFIG.min_tiles:
            inputs = _CONFIG.full_inputs_px
            return detector.detect(rgb, long_side=inputs[(tracker.passes + 1) // 2 % len(inputs)])
        tile = float(np.median([box.short_side for box in boxes]))
        height, width = rgb.shape[:2]
        margin = _CONFIG.margin_tiles * tile
        x0, y0 = (max(0, int(min(low) - margin)) for low in ([box.x0 for box in boxes], [box.y0 for box in boxes]))
        x1, y1 = (int(max(high) + margin) for high in ([box.x1 for box in boxes], [box.y1 for box in boxes]))
        part = np.ascontiguousarray(rgb[y0 : min(height, y1), x0 : min(width, x1)])
        if part.size == 0:  # the camera was turned away
            return detector.detect(rgb, long_side=_CONFIG.full_inputs_px[0])
        short, long = sorted(part.shape[:2])
        wanted = _CONFIG.part_tiles_px[tracker.passes // 2 % len(_CONFIG.part_tiles_px)] / tile * long
        most = math.sqrt(_CONFIG.max_input_area_px * long / short)
        long_side = int(np.clip(wanted, _CONFIG.min_input_px, max(most, _CONFIG.min_input_px)))
        return tuple(proposal.moved(x0, y0) for proposal in detector.detect(part, long_side=long_side))

    def _still_there(
        self, rgb: Pixels, places: Sequence[Box], detections: Sequence[Detection], look: TileLook
    ) -> list[Detection]:
        """The tiles that are still in their places although the detector missed them in this frame."""
        if self.reader.classifier is None:
            return []
        taken = [detection.box for detection in detections]
        free = [place for place in places if self._is_free(place, taken)]
        return [
            detection
            for detection in self._from_crops(rgb, free, look._replace(views=ONE_VIEW))
            if detection is not None
        ]

    def _is_free(self, place: Box, taken: Sequence[Box]) -> bool:
        return not any(_distance(place, box) < _CONFIG.max_taken_distance for box in taken)


def _distance(place: Box, other: Box) -> float:
    """The distance between the centers of two boxes, in sides of the larger one."""
    (x, y), (other_x, other_y) = place.center, other.center
    width, height = max(place.width, other.width), max(place.height, other.height)
    return math.hypot((x - other_x) / width, (y - other_y) / height)


def _from_probabilities(place: Box, face_probabilities: NDArray[np.float32]) -> Detection:
    """The detection of a tile by the probabilities (47,) of the faces and of `no tile` alone."""
    presence = float(1 - face_probabilities[-1])
    best = np.argsort(-face_probabilities[:-1])[: _CONFIG.max_names]
    names = tuple(Candidate(ALL_FACES[int(at)], float(face_probabilities[at]) / presence) for at in best)
    return Detection(place, presence, names)
