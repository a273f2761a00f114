"""From a photo to a reading: find the tiles, classify each, find the layout, decode the names."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tilescore.vision.arrays import Pixels
from tilescore.vision.budget import Budget
from tilescore.vision.classification.blank_faces import reweigh_blank_faces, unsure_in_glare, with_faint_dragons
from tilescore.vision.classification.classifier import CLASS_COUNT, ONE_LOOK, Classifier, TileLook
from tilescore.vision.classification.fusion import Fusion
from tilescore.vision.classification.neighbours import is_beside
from tilescore.vision.classification.red_fives import reweigh_red_fives
from tilescore.vision.decoding.config import DoubtConfig
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.detection.along_row import Corners, Strip, joined, of_the_row, rows_worth_a_look, strip_along
from tilescore.vision.detection.config import AlongRowConfig, SecondLookConfig
from tilescore.vision.detection.detector import Detector
from tilescore.vision.detection.second_look import second_look
from tilescore.vision.detection.slant import slant_of
from tilescore.vision.detections import Detection, Proposal
from tilescore.vision.image.boxes import STRIDE, Box
from tilescore.vision.image.photo import Photo
from tilescore.vision.image.sharpness import sharpness
from tilescore.vision.image.view import PhotoView
from tilescore.vision.layout.layout import lay_out


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderConfig:
    """Settings of a reader."""

    # The input of the detector has at least this share of the long side of the photo; a photo that is reduced loses
    # noise, and no tile that is large enough to be named (chosen).
    input_share: float = 2 / 3
    min_input_px: int = 608  # the long side of the input is at least this (chosen)
    # The long side of the input is at most this, and more for a picture longer than `usual_aspect_ratio`, so that its
    # input has as many pixels as one of that form (chosen).
    max_input_px: int = 800
    usual_aspect_ratio: float = 2.0
    # A detection with less presence than this is not reported; against 0.5, a third fewer false tiles and a tenth more
    # missed ones in scenes of unseen artwork (measured).
    min_presence: float = 0.65
    # A back beside another reported back needs only this presence, because walls are rows (chosen).
    neighboured_back_min_presence: float = 0.4
    # A back beside no other tile needs this presence, because plain objects such as notebooks resemble it (chosen on
    # photos of the test set).
    isolated_back_min_presence: float = 0.92
    # A detection that no classifier has seen needs this confidence, which holds presence and name in one (chosen).
    unclassified_min_confidence: float = 0.4
    max_crops: int = 256  # at most this many crops of a photo are classified (chosen)
    # A photo with fewer clear faces than this may show a dark set, or have the noise of the dark or the grid of a
    # screen. Then its negative is looked at, too, and after it the photo made smooth; the first that shows at least
    # this many more counts (chosen). Not where the detector alone sees more faces than a hand has: in dark sets and on
    # screens it sees at most seven, on sheets of printed things 36 and more (measured).
    few_faces: int = 4
    clear_face_confidence: float = 0.9  # a face is clear from this confidence on (chosen)
    # No hand has more tiles than this; among more tiles, the sharp ones rather belong to the hand that is photographed
    # (chosen).
    max_hand_tiles: int = 18
    # No row is looked at again among more tiles than that, none of which are a hand with this probability: of 122 such
    # looks none brought a hand (measured).
    clear_probability: float = 0.95
    # Tiles that lie aslant by this angle or more, in radians, are looked at again in the view turned upright; with 12
    # degrees as many hands of 84 turned photos are read exactly (measured).
    min_slant: float = math.radians(20)
    # A photo is mirrored if the logarithms of the probabilities of its faces, each by its likeliest name, are larger by
    # this sum with left and right exchanged: so are those of 57 of 84 mirrored photos and of one of 609 others
    # (measured).
    min_mirrored_odds: float = 0.5
    # That view shows this much around the tiles, in tile sizes (chosen).
    turned_margin: float = 2.0


READER: Final = ReaderConfig()
"""The defaults."""
_DOUBT: Final = DoubtConfig()
_LOOK: Final = SecondLookConfig()
_ROW: Final = AlongRowConfig()
_EVEN: Final = Fusion()


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """The proposals of one picture, and what the classifier says of them."""

    named: tuple[Proposal, ...]  # the proposals that it has seen
    probabilities: NDArray[np.float32]  # its probabilities (N, 47) for these
    others: tuple[Proposal, ...]  # the proposals that it has not seen

    def with_part(self, part: Box, closer: Seen) -> Seen:
        """The proposals outside a part of the picture as they are, and in it those of a closer look."""
        kept = [at for at, tile in enumerate(self.named) if tile.box.covered_by(part) < _LOOK.max_covered_share]
        others = [tile for tile in self.others if tile.box.covered_by(part) < _LOOK.max_covered_share]
        return Seen(
            (*(self.named[at] for at in kept), *closer.named),
            np.concatenate([self.probabilities[kept], closer.probabilities]),
            (*others, *closer.others),
        )


@dataclass(frozen=True, slots=True, eq=False)
class PhotoLook:
    """What the networks see in a view of a photo, boxes in its pixels."""

    view: PhotoView
    seen: Seen
    detections: list[Detection]  # what is worth reporting


@dataclass(frozen=True, slots=True)
class TileReader:
    """Reads photos."""

    detector: Detector
    classifier: Classifier | None = None  # names each of them from its crop; None to keep the names of the detector
    fusion: Fusion = _EVEN
    config: ReaderConfig = READER
    corners: Corners | None = None

    def read(self, photo: Photo, *, budget_ms: float | None = None) -> Reading:
        """The reading of a photo, boxes in pixels of its upright original.

        Weak light and light of a strong colour become white, and much noise becomes smooth. Every pixel is then looked
        at once. Where tiles lie aslant, the part with tiles is turned upright and looked at again. Where the hand is in
        doubt, the mirrored photo is looked at if its faces are clearer there; and if the tiles are small, the part with
        tiles is looked at again, closer: the second reading counts unless it loses tiles of a whole hand.

        Without a budget the reading follows from the photo, the networks and the settings alone. A busy machine takes
        longer and reads the same.

        Decoding and reading may take `budget_ms`; None is no limit. What looks again at something is left out if it
        would end later, as estimated from the stages before, and the reading has a doubt. To find the tiles, to name
        them and to find the hand is never left out: names of the detector alone are wrong too often.
        """
        clock, budget = _Clock(photo.decode_seconds), Budget.of(budget_ms, spent_s=photo.decode_seconds)
        look = self._telling_look(PhotoView.of(photo).in_white_light().without_noise(), clock, budget)
        look = self._upright_look(look, clock, budget)
        tiles, reading = self._read(photo, look, clock)
        if self._is_mirrored(look, tiles, reading, clock, budget):
            look = self._first_look(look.view.mirrored(), clock, budget)
            tiles, reading = self._read(photo, look, clock)
        closer = self._closer_look(look, tiles, reading, clock, budget)
        if closer is not None:
            _, again = self._read(photo, closer, clock)
            reading = again if again.size >= min(reading.size, _DOUBT.min_hand_tiles) else reading
        return reading.done(clock.timings_ms, left_out=budget.left_out)

    def input_long_side(self, rgb: Pixels) -> int:
        """Long side of the input of the detector for a picture, in pixels: a multiple of the stride, not padded."""
        longer, shorter = max(rgb.shape[:2]), min(rgb.shape[:2])
        wanted = math.ceil(self.config.input_share * longer / STRIDE) * STRIDE
        excess = max(1.0, longer / shorter / self.config.usual_aspect_ratio)
        most = int(self.config.max_input_px * math.sqrt(excess) / STRIDE) * STRIDE
        return int(min(max(wanted, self.config.min_input_px), most))

    def propose(self, rgb: Pixels) -> tuple[Proposal, ...]:
        """All proposals of the first look at a picture, boxes in its pixels, best first."""
        return self.detector.detect(rgb, long_side=self.input_long_side(rgb))

    def classify(self, rgb: Pixels, proposals: tuple[Proposal, ...], look: TileLook = ONE_LOOK) -> list[Detection]:
        """The detections worth reporting, the likeliest of them named by both networks.

        The proposals come best first, boxes in pixels of the picture.
        """
        return self._fused(rgb, self._named(rgb, proposals, look))

    def slant(self, rgb: Pixels, detections: Sequence[Detection]) -> float:
        """The angle by which tiles lie aslant in a picture, in radians clockwise; 0 if it does not matter."""
        slant = 0.0 if self.corners is None else slant_of(rgb, detections, self.corners)
        return slant if abs(slant) >= self.config.min_slant else 0.0

    def _first_look(self, view: PhotoView, clock: _Clock, budget: Budget) -> PhotoLook:
        """What the networks see in a whole view."""
        seen = self._seen(view.rgb, self.propose(view.rgb), clock, budget)
        return PhotoLook(view, seen, self._fused(view.rgb, seen))

    def _telling_look(self, view: PhotoView, clock: _Clock, budget: Budget) -> PhotoLook:
        """The first look, or one at the view changed if hardly a face is clear before."""
        look = self._first_look(view, clock, budget)
        faces, few = self._clear_faces(look.detections), self.config.few_faces
        changes = (PhotoView.negative, PhotoView.without_grid)
        for change in changes if faces < few and not self._is_full(look.seen) else ():
            changed = self._first_look(change(view), clock, budget)
            if self._clear_faces(changed.detections) >= faces + few:
                return changed
        return look

    def _upright_look(self, look: PhotoLook, clock: _Clock, budget: Budget) -> PhotoLook:
        """The look, or where its tiles lie aslant, one at the view turned upright."""
        slant = self.slant(look.view.rgb, look.detections)
        if not slant or not budget.allows("upright_look", clock.spent_s("detect", "classify")):
            return look
        boxes = [one.box for one in look.detections]
        margin = self.config.turned_margin * float(np.median([box.short_side for box in boxes]))
        return self._first_look(look.view.turned(-slant, boxes, margin=margin), clock, budget)

    def _closer_look(
        self, look: PhotoLook, tiles: Sequence[Detection], reading: Reading, clock: _Clock, budget: Budget
    ) -> PhotoLook | None:
        """The look with its small tiles seen closer; None if that would answer no doubt or tiles were seen well."""
        if not _is_in_doubt(reading):
            return None
        rgb, long_side = look.view.rgb, self.input_long_side(look.view.rgb)
        height, width = rgb.shape[:2]
        second = second_look([tile.box for tile in tiles], (width, height), long_side=long_side)
        first_px = long_side**2 * min(height, width) / max(height, width)
        spent_s = clock.spent_s("detect", "classify")
        if second is None or not budget.allows("second_look", spent_s * second.input_px / first_px):
            return None
        closer = self._seen(rgb, second.proposals(self.detector, rgb), clock, budget)
        seen = look.seen.with_part(second.part, closer)
        return PhotoLook(look.view, seen, self._fused(rgb, seen))

    def _is_mirrored(
        self, look: PhotoLook, tiles: Sequence[Detection], reading: Reading, clock: _Clock, budget: Budget
    ) -> bool:
        """Whether a hand is in doubt and its faces are clearer with left and right exchanged."""
        faces = _faces_of_hand(tiles, reading)
        if not faces or not _is_in_doubt(reading) or not budget.allows("mirrored_look", 2 * clock.spent_s("classify")):
            return False
        least = self._clearness(look.view.rgb, faces) + self.config.min_mirrored_odds
        is_clearer = False
        if least <= 0:  # no face is clearer than certain
            mirrored, width = look.view.mirrored(), look.view.rgb.shape[1]
            exchanged = [Box(width - box.x1, box.y0, width - box.x0, box.y1) for box in faces]
            is_clearer = self._clearness(mirrored.rgb, exchanged) >= least
        clock.stop("classify")
        return is_clearer

    def _clearness(self, rgb: Pixels, boxes: Sequence[Box]) -> float:
        """The logarithm of the probability that each box shows its likeliest name; 0 without a classifier."""
        if self.classifier is None:
            return 0.0
        return float(np.log(self.probabilities(rgb, boxes).max(axis=1)).sum())

    def _is_full(self, seen: Seen) -> bool:
        """Whether the detector sees more faces than a hand has: those without a clear name are other things."""
        least = self.config.unclassified_min_confidence
        found = sum(not one.tile.is_back and one.confidence >= least for one in (*seen.named, *seen.others))
        return found > self.config.max_hand_tiles

    def _seen(self, rgb: Pixels, proposals: tuple[Proposal, ...], clock: _Clock, budget: Budget) -> Seen:
        clock.stop("detect")
        seen = self._named(rgb, proposals, TileLook(budget=budget))
        clock.stop("classify")
        return seen

    def _named(self, rgb: Pixels, proposals: tuple[Proposal, ...], look: TileLook = ONE_LOOK) -> Seen:
        first = proposals[: self.config.max_crops] if self.classifier is not None else ()
        boxes = [proposal.box for proposal in first]
        if not boxes:
            return Seen((), np.zeros((0, CLASS_COUNT), np.float32), proposals)
        return Seen(first, self.probabilities(rgb, boxes, look), proposals[len(first) :])

    def _clear_faces(self, detections: Sequence[Detection]) -> int:
        least = self.config.clear_face_confidence
        return sum(not tile.tile.is_back and tile.confidence >= least for tile in detections)

    def _fused(self, rgb: Pixels, seen: Seen) -> list[Detection]:
        fused = self.fusion.fuse(seen.named, seen.probabilities)
        fused = with_faint_dragons(rgb, seen.named, seen.probabilities, fused)
        least = self.config.unclassified_min_confidence
        rest = [proposal.detection for proposal in seen.others if proposal.confidence >= least]
        return [*_reported(fused, self.config), *rest]

    def _read(self, photo: Photo, look: PhotoLook, clock: _Clock) -> tuple[list[Detection], Reading]:
        """The tiles of a look and what looks along their rows add, boxes in pixels of the view, and their reading."""
        view = look.view
        tiles = unsure_in_glare(view.rgb, self._along_rows(view.rgb, look.detections))
        clock.stop("classify")
        boxes = [tile.box for tile in tiles]
        many = len(tiles) > self.config.max_hand_tiles
        sharp = sharpness(view.rgb, boxes) if many else (0.0,) * len(tiles)
        reading = Reading.of(
            [
                replace(tile, box=view.in_photo(box), sharpness=value)
                for tile, box, value in zip(tiles, boxes, sharp, strict=True)
            ],
            photo_name=photo.name,
            size_wh=photo.size_wh,
            model=self.detector.name,
        )
        clock.stop("layout")
        return tiles, reading

    def _along_rows(self, rgb: Pixels, detections: list[Detection]) -> list[Detection]:
        """The detections, with what a look along their rows adds where tiles may be missing."""
        if self.corners is None:
            return detections
        seen = detections
        rows = rows_worth_a_look(rgb, detections)
        for members in () if rows and self._is_no_hand(rgb, detections) else rows:
            strip = strip_along(rgb, [detections[index].box for index in members], self.corners)
            if strip is not None:
                fused, probabilities = self.in_strip(strip)
                closer = of_the_row(strip, fused, probabilities, _reported(fused, self.config))
                seen = joined(seen, closer, strip)
        return seen

    def _is_no_hand(self, rgb: Pixels, detections: Sequence[Detection]) -> bool:
        """Whether so many tiles are clearly no hand."""
        if len(detections) <= self.config.max_hand_tiles:
            return False
        height, width = rgb.shape[:2]
        claims = lay_out(detections, size_wh=(width, height)).claims
        return bool(claims) and not claims[0].members and claims[0].probability >= self.config.clear_probability

    def in_strip(self, strip: Strip) -> tuple[list[Detection], NDArray[np.float32]]:
        """All detections in a strip, however faint, boxes in its pixels, and the classifier's probabilities (N, 47)."""
        long_side = strip.long_side(_ROW.tile_px)
        shown = self._named(strip.rgb, self.detector.detect(strip.rgb, long_side=long_side))
        fused = self.fusion.fuse(shown.named, shown.probabilities)
        return fused, shown.probabilities

    def probabilities(self, rgb: Pixels, boxes: Sequence[Box], look: TileLook = ONE_LOOK) -> NDArray[np.float32]:
        """The probabilities (N, 47) by the classifier for boxes of one picture; ValueError without a classifier."""
        if self.classifier is None:
            raise ValueError("this reader has no classifier.")
        probabilities = self.classifier.classify(rgb, boxes, look)
        probabilities = reweigh_red_fives(rgb, boxes, probabilities)
        return reweigh_blank_faces(rgb, boxes, probabilities)


def _is_in_doubt(reading: Reading) -> bool:
    return any(doubt.is_about_sight for doubt in reading.doubts)


def _faces_of_hand(tiles: Sequence[Detection], reading: Reading) -> list[Box]:
    """The boxes of the faces of the hand."""
    members = (*reading.concealed, *(index for meld in reading.layout.melds for index in meld.members))
    return [tiles[index].box for index in members if not tiles[index].tile.is_back]


def _reported(detections: Sequence[Detection], config: ReaderConfig) -> list[Detection]:
    likely = [detection for detection in detections if detection.presence >= config.min_presence]
    return [detection for detection in detections if detection.presence >= _min_presence(detection, likely, config)]


def _min_presence(detection: Detection, likely: Sequence[Detection], config: ReaderConfig) -> float:
    if not detection.tile.is_back:
        return config.min_presence
    beside = [other for other in likely if is_beside(detection.box, [other.box])]
    if any(other.tile.is_back for other in beside):
        return config.neighboured_back_min_presence
    return config.min_presence if beside else config.isolated_back_min_presence


class _Clock:
    def __init__(self, decode_seconds: float) -> None:
        self._milliseconds = {"decode": 1000 * decode_seconds, "detect": 0.0, "classify": 0.0, "layout": 0.0}
        self._last = time.perf_counter()

    def stop(self, stage: str) -> None:
        now = time.perf_counter()
        self._milliseconds[stage] += 1000 * (now - self._last)
        self._last = now

    def spent_s(self, *stages: str) -> float:
        return sum(self._milliseconds[stage] for stage in stages) / 1000

    @property
    def timings_ms(self) -> tuple[tuple[str, float], ...]:
        return (*self._milliseconds.items(), ("total", sum(self._milliseconds.values())))
