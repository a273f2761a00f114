"""Tracking: each tile keeps one identity over the frames of a video, and all frames together decide its name.

A track is found again by place and face, after all tracks are moved with the camera. It outlives hands that pass over
it, and the other frames outvote the errors of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tilescore.scoring.tiles import ALL_FACES, Tile
from tilescore.vision.arrays import Floats
from tilescore.vision.classes import CLASS_OF
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.image.boxes import Box
from tilescore.vision.video.config import TrackerConfig

_CONFIG: Final = TrackerConfig()


@dataclass(frozen=True, slots=True)
class Track:
    """One physical tile."""

    id: int  # number of the tile, never given twice
    # Mean place over all passes, older ones counting less, moved with the camera. The mean matters because boxes
    # tremble, and the layout depends on the places of tiles.
    box: Box
    evidence: tuple[float, ...]  # sums of log-probabilities of the 46 faces, older passes counting less
    weight: float  # sum of the weights of the passes in `evidence`
    presence: float  # mean presence in the passes that found it
    visibility: float  # share of the latest passes that found it, 0-1
    seen_s: float  # time of the last pass that found it

    @property
    def tile(self) -> Tile:
        """The likeliest face."""
        return ALL_FACES[int(np.argmax(self.evidence))]

    @property
    def is_sure(self) -> bool:
        """Whether the tile is surely there."""
        return self.visibility >= _CONFIG.sure_visibility

    @property
    def is_unsure(self) -> bool:
        """Whether the tile may be there or not: it is new, or was missed lately."""
        return _CONFIG.gone_visibility < self.visibility < _CONFIG.sure_visibility

    @property
    def detection(self) -> Detection:
        """The detection by all passes together."""
        mean = np.array(self.evidence) / self.weight
        powers = np.exp(min(self.weight, _CONFIG.independent_passes) * (mean - mean.max()))
        names = powers / powers.sum()
        order = [int(index) for index in np.argsort(-names)[: _CONFIG.max_names]]
        ranked = tuple(
            Candidate(ALL_FACES[index], float(names[index]))
            for index in order
            if names[index] >= _CONFIG.min_name_share * names[order[0]]
        )
        return Detection(self.box, self.presence, ranked)

    def found(self, detection: Detection, at_s: float) -> Track:
        """The track after a pass that found it."""
        logs = np.array(_logs(detection))
        weight = _CONFIG.evidence_decay * self.weight + 1
        presence = self.presence + (detection.presence - self.presence) / weight
        evidence = tuple(float(value) for value in _CONFIG.evidence_decay * np.array(self.evidence) + logs)
        visibility = self.visibility + _CONFIG.visibility_rate * (1 - self.visibility)
        return replace(
            self, box=self.box.towards(detection.box, 1 / weight), evidence=evidence, weight=weight,
            presence=presence, visibility=visibility, seen_s=at_s,
        )  # fmt: skip

    def missed(self) -> Track:
        """The track after a pass that did not find it."""
        return replace(self, visibility=(1 - _CONFIG.visibility_rate) * self.visibility)


@dataclass(frozen=True, slots=True)
class Tracker:
    """All tiles of a scene, by all passes so far."""

    tracks: tuple[Track, ...] = ()  # tiles that are there or were lately, by age
    created: int = 0  # number of tracks that were ever created
    passes: int = 0  # number of passes of the detector so far

    def after(self, detections: Sequence[Detection], *, at_s: float) -> Tracker:
        """The scene after another pass, at `at_s` seconds, with these detections."""
        tracks = self._moved(detections)
        partner = _matched(tracks, detections)
        followed = [
            track.found(detections[partner[at]], at_s) if at in partner else track.missed()
            for at, track in enumerate(tracks)
        ]
        new = [detection for at, detection in enumerate(detections) if at not in partner.values()]
        fresh = [_new_track(number, tile, at_s) for number, tile in enumerate(new, self.created + 1)]
        kept = [track for track in followed if at_s - track.seen_s <= _CONFIG.forget_s]
        single = _without_doubles([*kept, *fresh])
        return replace(self, tracks=single, created=self.created + len(fresh), passes=self.passes + 1)

    def confirmed(self, detections: Sequence[Detection | None], *, at_s: float) -> Tracker:
        """The scene after only the places of the tracks were examined, at `at_s` seconds: the detection in each."""
        tracks = tuple(
            track.missed() if detection is None else track.found(detection, at_s)
            for track, detection in zip(self.tracks, detections, strict=True)
        )
        return replace(self, tracks=_without_doubles(tracks))

    def shifted(self, dx: float, dy: float) -> Tracker:
        """The scene with all boxes shifted, in pixels."""
        return replace(self, tracks=tuple(replace(track, box=track.box.moved(dx, dy)) for track in self.tracks))

    def expected(self, detections: Sequence[Detection]) -> tuple[Box, ...]:
        """The boxes of the tracks that are not among these detections, moved with the camera."""
        tracks = self._moved(detections)
        partner = _matched(tracks, detections)
        return tuple(track.box for at, track in enumerate(tracks) if at not in partner)

    def _moved(self, detections: Sequence[Detection]) -> list[Track]:
        """The tracks, moved as the camera moved by these detections."""
        camera = camera_move([(track.box, track.tile) for track in self.tracks], detections)
        return [replace(track, box=camera.applied(track.box)) for track in self.tracks]

    def without_gone(self) -> Tracker:
        """The scene when nothing covers it: tracks that are not visible are gone."""
        gone = _CONFIG.gone_visibility
        return replace(self, tracks=tuple(track for track in self.tracks if track.visibility > gone))

    @property
    def sure(self) -> tuple[Track, ...]:
        """The tiles that are surely there."""
        return tuple(track for track in self.tracks if track.is_sure)

    @property
    def unsure(self) -> tuple[Track, ...]:
        """The tiles that may be there or not."""
        return tuple(track for track in self.tracks if track.is_unsure)


# The camera


@dataclass(frozen=True, slots=True)
class CameraMove:
    """A move of the picture: a point p goes to `factor` * p + `shift`, both complex numbers (x + iy).

    >>> CameraMove(2, 1j).applied(Box(0, 0, 2, 4))
    Box(x0=0.0, y0=1.0, x1=4.0, y1=9.0)
    """

    factor: complex = 1
    shift: complex = 0

    def applied(self, box: Box) -> Box:
        """The box after the move."""
        center = self.factor * complex(*box.center) + self.shift
        half_w, half_h = abs(self.factor) * box.width / 2, abs(self.factor) * box.height / 2
        return Box(center.real - half_w, center.imag - half_h, center.real + half_w, center.imag + half_h)


def camera_move(before: Sequence[tuple[Box, Tile]], after: Sequence[Detection]) -> CameraMove:
    """The move of boxes and faces to detections on which most tiles of the same face agree; none if too few agree."""
    pairs = np.array(
        [
            (complex(*box.center), complex(*detection.box.center))
            for box, tile in before
            for detection in after
            if detection.tile == tile
            and abs(complex(*detection.box.center) - complex(*box.center)) < _CONFIG.max_camera_tiles * box.short_side
        ],
        complex,
    ).reshape(-1, 2)
    if len(pairs) < 2:
        return CameraMove()
    size = float(np.median([box.short_side for box, _ in before]))
    agreement = _CONFIG.agreement_tiles * size
    moves = pairs[:, 1] - pairs[:, 0]
    alike = np.abs(moves[:, None] - moves[None]) < agreement
    votes = alike.sum(axis=1) - _CONFIG.move_cost_votes * np.abs(moves) / size
    agreeing = pairs[alike[int(np.argmax(votes))]]
    if len(agreeing) < max(2, len(before) // 4):
        return CameraMove()
    return _fitted(agreeing, agreement / 2)


def _fitted(pairs: NDArray[np.complex128], within: float) -> CameraMove:
    """The move that takes the first of each pair to the second: a shift for fewer than four pairs."""
    shift = complex(np.median((pairs[:, 1] - pairs[:, 0]).real), np.median((pairs[:, 1] - pairs[:, 0]).imag))
    if len(pairs) < 4:
        return CameraMove(1, shift)
    source, target = (np.column_stack([side.real, side.imag]).astype(np.float32) for side in (pairs[:, 0], pairs[:, 1]))
    matrix, _ = cv2.estimateAffinePartial2D(source, target, method=cv2.RANSAC, ransacReprojThreshold=within)
    if matrix is None:
        return CameraMove(1, shift)
    factor = complex(matrix[0, 0], matrix[1, 0])
    # A single row hardly determines a turn, so a large one is an error of the fit.
    if abs(factor - 1) > _CONFIG.max_factor_change:
        return CameraMove(1, shift)
    return CameraMove(factor, complex(matrix[0, 2], matrix[1, 2]))


# Matching


def _matched(tracks: Sequence[Track], detections: Sequence[Detection]) -> dict[int, int]:
    """The detection of each track that is found again; the nearest pairs match first."""
    costs = _costs(tracks, detections)
    partner: dict[int, int] = {}
    taken: set[int] = set()
    for place in np.argsort(costs, axis=None, kind="stable")[: np.isfinite(costs).sum()].tolist():
        at, number = divmod(place, len(detections))
        if at not in partner and number not in taken:
            partner[at] = number
            taken.add(number)
    return partner


def _costs(tracks: Sequence[Track], detections: Sequence[Detection]) -> Floats:
    """The cost of each track and detection (N, M): tile widths apart, more for another face, infinite if too far."""
    places, spots = (np.array([complex(*tile.box.center) for tile in tiles], complex) for tiles in (tracks, detections))
    sizes = np.array([max(track.box.short_side, 1.0) for track in tracks])
    faces, names = (np.array([CLASS_OF[tile.tile] for tile in tiles], int) for tiles in (tracks, detections))
    apart = np.abs(places[:, None] - spots[None]) / sizes[:, None]
    costs = apart + _CONFIG.other_face_tiles * (faces[:, None] != names[None])
    return np.where(apart > _CONFIG.max_offset_tiles, np.inf, costs)


def _without_doubles(tracks: Sequence[Track]) -> tuple[Track, ...]:
    """One track a place: the most visible one, and the whole tile rather than a part of it."""
    kept: list[Track] = []
    for track in sorted(tracks, key=lambda track: -track.visibility):
        if all(track.box.iou(other.box) < _CONFIG.double_iou for other in kept):
            kept.append(track)
    return tuple(sorted((track for track in kept if not _is_part(track, kept)), key=lambda track: track.id))


def _is_part(track: Track, others: Sequence[Track]) -> bool:
    """Whether larger tiles that are surely there cover the track; tiles seen at an angle overlap less."""
    larger = [tile.box for tile in others if tile.is_sure and tile.box.area > _CONFIG.part_size_ratio * track.box.area]
    return sum(track.box.covered_by(box) for box in larger) > _CONFIG.part_cover


def _new_track(number: int, detection: Detection, at_s: float) -> Track:
    logs = _logs(detection)
    return Track(number, detection.box, logs, 1.0, detection.presence, _CONFIG.visibility_rate, at_s)


def _logs(detection: Detection) -> tuple[float, ...]:
    weights = np.full(len(ALL_FACES), _CONFIG.name_floor)
    for candidate in detection.names:
        weights[CLASS_OF[candidate.tile]] += candidate.probability
    return tuple(float(value) for value in np.log(weights / weights.sum()))
