"""Looking at the frames of a video, each in another way: what one look misses, another sees.

A network that overlooks a tile overlooks it again in the next frame, which is much the same picture. Brought to
another size, or seen without what lies around, the tile is found; from then on its own cut-out tells whether it is
still there, whatever else is seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Final

import numpy as np

from tilescore.scoring.tiles import ALL_FACES
from tilescore.vision.classification.classifier import VIEWS
from tilescore.vision.detections import Candidate, Detection, Proposal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tilescore.vision.classification.classifier import CropView
    from tilescore.vision.image.boxes import Box
    from tilescore.vision.reader import TileReader
    from tilescore.vision.video.tracker import Tracker

    Pixels = NDArray[np.uint8]

_WHOLE: Final = (640, 576, 736)
"""Long sides of the detector's input, in pixels, at which the whole picture is looked at in turn."""
_NEAR: Final = (42.0, 36.0, 50.0)
"""Widths of a tile, in input pixels, at which the part where tiles lie is looked at between these."""
CYCLE: Final = 2 * math.lcm(len(_WHOLE), len(_NEAR), len(VIEWS))
"""TileFinder until the first way to look comes again."""
_MOST_CANDIDATES: Final = 5
_LEAST_TILES: Final = 4
_MARGIN: Final = 1.6
"""Space around them, in tile widths."""
_SHORTEST: Final = 256
_MOST_POINTS: Final = 736 * 416
"""Of the detector's input: what a look may cost."""
_STILL_THERE: Final = 0.5
"""A known tile whose place shows one with this probability is there."""
_TAKEN: Final = 0.55
"""A place whose middle is no farther from that of a seen tile, in sizes of the larger, is that tile's: between two
neighbours there is no third. In a row that runs slantwise the boxes of neighbours overlap, but not so much."""


@dataclass(frozen=True, slots=True)
class FrameReader:
    """Finds the tiles of one frame after the other.

    Attributes:
        reader: its networks.
    """

    reader: TileReader

    def find(self, rgb: Pixels, tracker: Tracker) -> tuple[Detection, ...]:
        """The tiles of a frame, boxes in its pixels, with the help of what earlier frames told.

        Args:
            rgb: the frame (H, W, 3).
            tracker: the tiles known so far.
        """
        view = VIEWS[tracker.looks // 2 % len(VIEWS)]
        found = tuple(self.reader.classify(rgb, self._detected(rgb, tracker), views=(view,)))
        return (*found, *self._looked_for(rgb, tracker.expected(found), found))

    def confirm(self, rgb: Pixels, tracker: Tracker) -> tuple[Detection | None, ...] | None:
        """What the cut-out of each known tile shows, where it is now; None where no tile is.

        Costs a third of what finding tiles does, and what was seen before is named in one more way. None altogether
        without a classifier: only finding them tells of them then.

        Args:
            rgb: the frame (H, W, 3).
            tracker: the tiles, where they are in this frame.
        """
        if self.reader.classifier is None:
            return None
        view = VIEWS[(tracker.looks + 1) // 2 % len(VIEWS)]
        taken = [track.box for track in tracker.sure]
        asked = [track.is_sure or _is_free(track.box, taken) for track in tracker.tracks]
        places = [track.box for track in compress(tracker.tracks, asked)]
        seen = iter(self._by_cut_out(rgb, places, view))
        return tuple(next(seen) if is_asked else None for is_asked in asked)

    def _by_cut_out(self, rgb: Pixels, places: Sequence[Box], view: CropView) -> tuple[Detection | None, ...]:
        probabilities = self.reader.probabilities(rgb, places, views=(view,))
        return tuple(
            _by_face(place, face_probabilities) if 1 - face_probabilities[-1] >= _STILL_THERE else None
            for place, face_probabilities in zip(places, probabilities, strict=True)
        )

    def _detected(self, rgb: Pixels, tracker: Tracker) -> tuple[Proposal, ...]:
        """What the detector sees this time: of everything, or of the part where tiles lie."""
        boxes = [track.box for track in tracker.without_gone().tracks]
        if tracker.looks % 2 == 0 or len(boxes) < _LEAST_TILES:
            return self.reader.detector.detect(rgb, long_side=_WHOLE[(tracker.looks + 1) // 2 % len(_WHOLE)])
        tile = float(np.median([box.short_side for box in boxes]))
        height, width = rgb.shape[:2]
        reach = _MARGIN * tile
        x0, y0 = (max(0, int(min(low) - reach)) for low in ([box.x0 for box in boxes], [box.y0 for box in boxes]))
        x1, y1 = (int(max(high) + reach) for high in ([box.x1 for box in boxes], [box.y1 for box in boxes]))
        part = np.ascontiguousarray(rgb[y0 : min(height, y1), x0 : min(width, x1)])
        if part.size == 0:  # the camera was turned away
            return self.reader.detector.detect(rgb, long_side=_WHOLE[0])
        short, long = sorted(part.shape[:2])
        wanted = _NEAR[tracker.looks // 2 % len(_NEAR)] / tile * long
        most = math.sqrt(_MOST_POINTS * long / short)
        near = self.reader.detector.detect(part, long_side=int(np.clip(wanted, _SHORTEST, max(most, _SHORTEST))))
        return tuple(proposal.moved(x0, y0) for proposal in near)

    def _looked_for(self, rgb: Pixels, places: Sequence[Box], found: Sequence[Detection]) -> list[Detection]:
        """Tiles that are still where they should be, though the detector did not see them this time."""
        if self.reader.classifier is None:
            return []
        taken = [one.box for one in found]
        free = [place for place in places if _is_free(place, taken)]
        return [found for found in self._by_cut_out(rgb, free, VIEWS[0]) if found is not None]


def _is_free(place: Box, taken: Sequence[Box]) -> bool:
    """Whether there is room for a tile beside those."""
    return not any(_is_at(place, box) for box in taken)


def _is_at(place: Box, other: Box) -> bool:
    (x, y), (other_x, other_y) = place.center, other.center
    width, height = max(place.width, other.width), max(place.height, other.height)
    return math.hypot((x - other_x) / width, (y - other_y) / height) < _TAKEN


def _by_face(place: Box, face_probabilities: NDArray[np.float32]) -> Detection:
    """A tile there, as its cut-out alone tells: the classifier's probabilities (47,) of the faces and of `no tile`."""
    there = float(1 - face_probabilities[-1])
    best = np.argsort(-face_probabilities[:-1])[:_MOST_CANDIDATES]
    names = tuple(Candidate(ALL_FACES[int(at)], float(face_probabilities[at]) / there) for at in best)
    return Detection(place, there, names)
