"""Tiles over the frames of a video: each keeps one identity, and its name is what all frames say together.

A track is found again by place and face, after everything has been moved as the camera did; it outlives the hands that
pass over it. What one frame misreads, the others outvote.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from tilescore.scoring.tiles import ALL_FACES
from tilescore.vision.classes import CLASS_OF
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tilescore.scoring.tiles import Tile

_FLOOR: Final = 0.005
"""What a frame is taken to believe of a face that it did not name."""
_KEPT: Final = 0.9
"""Share of the older evidence that is kept with each look: a tile laid in another's place is named anew in a second."""
_VOICES: Final = 2.5
"""All looks together count as so many independent ones: their mistakes are much alike."""
_MOST_CANDIDATES: Final = 5
_LEAST_SHARE: Final = 0.01
_PRESENCE: Final = 0.3
"""Weight of the last look in whether a tile is there."""
_SURE: Final = 0.65
"""Presence of a tile seen three times running."""
_GONE: Final = 0.35
_FORGOTTEN_S: Final = 6.0
"""A tile unseen for so long has been taken away; a hand that covers it is gone sooner."""
_NEAR: Final = 0.6
"""How far, in tile widths, a tile may be from where it is expected."""
_OTHER_FACE: Final = 0.25
"""Tile widths that another face counts for in choosing between neighbours."""
_REACH: Final = 5.0
"""How far the camera may move the picture between two looks, in tile widths."""
_AGREEING: Final = 0.4
"""Tile widths within which two tiles moved alike."""
_DOUBLE: Final = 0.45
"""Two tracks that overlap so much are one tile."""
_LARGER: Final = 1.25
_PART: Final = 0.8
"""What larger ones, by so much, cover for such a share is a part of one, or of two side by side."""


@dataclass(frozen=True, slots=True)
class Track:
    """One physical tile.

    Attributes:
        id: its number, never given twice.
        box: where it is by the mean of all looks, older ones counting less, moved with the camera since: boxes tremble,
            and a hand is told by how its tiles lie.
        evidence: sums of log-probabilities of the 46 faces, older looks counting less.
        weight: of the looks in `evidence`.
        there: mean probability that there is a tile, of the looks that saw one.
        presence: how regularly the latest looks saw it, 0-1.
        seen_s: when it was seen last.
    """

    id: int
    box: Box
    evidence: tuple[float, ...]
    weight: float
    there: float
    presence: float
    seen_s: float

    @property
    def tile(self) -> Tile:
        """The likeliest face."""
        return ALL_FACES[int(np.argmax(self.evidence))]

    @property
    def is_sure(self) -> bool:
        """Whether it is there beyond doubt."""
        return self.presence >= _SURE

    @property
    def is_unsure(self) -> bool:
        """Whether nobody can tell if it is there: new, or missed lately."""
        return _GONE < self.presence < _SURE

    @property
    def detection(self) -> Detection:
        """What all looks say together."""
        mean = np.array(self.evidence) / self.weight
        powers = np.exp(min(self.weight, _VOICES) * (mean - mean.max()))
        names = powers / powers.sum()
        order = [int(index) for index in np.argsort(-names)[:_MOST_CANDIDATES]]
        ranked = tuple(
            Candidate(ALL_FACES[index], float(names[index]))
            for index in order
            if names[index] >= _LEAST_SHARE * names[order[0]]
        )
        return Detection(self.box, self.there, ranked)

    def seen(self, detection: Detection, at_s: float) -> Track:
        """The track after a look that saw it."""
        said = np.array(_logs(detection))
        weight = _KEPT * self.weight + 1
        there = self.there + (detection.presence - self.there) / weight
        evidence = tuple(float(value) for value in _KEPT * np.array(self.evidence) + said)
        presence = self.presence + _PRESENCE * (1 - self.presence)
        return replace(
            self,
            box=self.box.towards(detection.box, 1 / weight),
            evidence=evidence,
            weight=weight,
            there=there,
            presence=presence,
            seen_s=at_s,
        )

    def missed(self) -> Track:
        """The track after a look that did not see it."""
        return replace(self, presence=(1 - _PRESENCE) * self.presence)


@dataclass(frozen=True, slots=True)
class Tracker:
    """All tiles of a scene as the looks at it so far tell them.

    Attributes:
        tracks: tiles that are there or were lately, by age.
        born: how many tracks there have been.
        looks: how many looks at the picture there have been.
    """

    tracks: tuple[Track, ...] = ()
    born: int = 0
    looks: int = 0

    def after(self, detections: Sequence[Detection], *, at_s: float) -> Tracker:
        """The scene after another look, at `at_s` seconds, which saw these."""
        tracks = self._moved(detections)
        partner = _matched(tracks, detections)
        known = [
            track.seen(detections[partner[at]], at_s) if at in partner else track.missed()
            for at, track in enumerate(tracks)
        ]
        strange = [found for at, found in enumerate(detections) if at not in partner.values()]
        fresh = [_born(self.born + number, found, at_s) for number, found in enumerate(strange, start=1)]
        kept = [track for track in known if at_s - track.seen_s <= _FORGOTTEN_S]
        return Tracker(_without_doubles([*kept, *fresh]), self.born + len(fresh), self.looks + 1)

    def confirmed(self, seen: Sequence[Detection | None], *, at_s: float) -> Tracker:
        """The scene after these, and nothing else, were looked for in the places of the tracks, at `at_s` seconds."""
        tracks = tuple(
            track.missed() if found is None else track.seen(found, at_s)
            for track, found in zip(self.tracks, seen, strict=True)
        )
        return replace(self, tracks=_without_doubles(tracks))

    def shifted(self, dx: float, dy: float) -> Tracker:
        """The scene when everything in the picture has moved so many pixels."""
        return replace(self, tracks=tuple(replace(track, box=track.box.moved(dx, dy)) for track in self.tracks))

    def expected(self, detections: Sequence[Detection]) -> tuple[Box, ...]:
        """Where tiles should be, the camera's move told by these, that are not among these."""
        tracks = self._moved(detections)
        partner = _matched(tracks, detections)
        return tuple(track.box for at, track in enumerate(tracks) if at not in partner)

    def _moved(self, detections: Sequence[Detection]) -> list[Track]:
        """The tracks where they are now, if the camera moved as these say."""
        camera = camera_move([(track.box, track.tile) for track in self.tracks], detections)
        return [replace(track, box=camera.applied(track.box)) for track in self.tracks]

    def without_gone(self) -> Tracker:
        """The scene when nothing covers it: what is not seen is not there."""
        return replace(self, tracks=tuple(track for track in self.tracks if track.presence > _GONE))

    @property
    def sure(self) -> tuple[Track, ...]:
        """Tiles that are there."""
        return tuple(track for track in self.tracks if track.is_sure)

    @property
    def unsure(self) -> tuple[Track, ...]:
        """Tiles of which nobody can tell."""
        return tuple(track for track in self.tracks if track.is_unsure)


# The camera


@dataclass(frozen=True, slots=True)
class CameraMove:
    """How the picture moved: a point p goes to `factor` * p + `shift`, both complex numbers (x + iy).

    >>> CameraMove(2, 1j).applied(Box(0, 0, 2, 4))
    Box(x0=0.0, y0=1.0, x1=4.0, y1=9.0)
    """

    factor: complex = 1
    shift: complex = 0

    def applied(self, box: Box) -> Box:
        """Where that box is now."""
        center = self.factor * complex(*box.center) + self.shift
        half_w, half_h = abs(self.factor) * box.width / 2, abs(self.factor) * box.height / 2
        return Box(center.real - half_w, center.imag - half_h, center.real + half_w, center.imag + half_h)


def camera_move(before: Sequence[tuple[Box, Tile]], after: Sequence[Detection]) -> CameraMove:
    """The move on which most tiles that show the same face agree; none if too few do.

    Args:
        before: places and faces as they were.
        after: what is seen now.
    """
    pairs = np.array(
        [
            (complex(*box.center), complex(*found.box.center))
            for box, tile in before
            for found in after
            if found.tile == tile and abs(complex(*found.box.center) - complex(*box.center)) < _REACH * box.short_side
        ],
        complex,
    ).reshape(-1, 2)
    if len(pairs) < 2:
        return CameraMove()
    size = float(np.median([box.short_side for box, _ in before]))
    moves = pairs[:, 1] - pairs[:, 0]
    alike = np.abs(moves[:, None] - moves[None]) < _AGREEING * size
    votes = alike.sum(axis=1) - 0.1 * np.abs(moves) / size
    agreeing = pairs[alike[int(np.argmax(votes))]]
    if len(agreeing) < max(2, len(before) // 4):
        return CameraMove()
    return _fitted(agreeing, _AGREEING * size / 2)


def _fitted(pairs: NDArray[np.complex128], within: float) -> CameraMove:
    """The move that takes the first of each pair to the second; turned and magnified if four or more pairs say so."""
    shift = complex(np.median((pairs[:, 1] - pairs[:, 0]).real), np.median((pairs[:, 1] - pairs[:, 0]).imag))
    if len(pairs) < 4:
        return CameraMove(1, shift)
    source, target = (np.column_stack([side.real, side.imag]).astype(np.float32) for side in (pairs[:, 0], pairs[:, 1]))
    matrix, _ = cv2.estimateAffinePartial2D(source, target, method=cv2.RANSAC, ransacReprojThreshold=within)
    if matrix is None:
        return CameraMove(1, shift)
    factor = complex(matrix[0, 0], matrix[1, 0])
    # A single row says little of a turn; what no camera does between two looks is a chance of the fit.
    if abs(factor - 1) > 0.15:
        return CameraMove(1, shift)
    return CameraMove(factor, complex(matrix[0, 2], matrix[1, 2]))


# Finding tiles again


def _matched(tracks: Sequence[Track], detections: Sequence[Detection]) -> dict[int, int]:
    """Detection of each track that was found again, the nearest first."""
    costs = _costs(tracks, detections)
    partner: dict[int, int] = {}
    taken: set[int] = set()
    for place in np.argsort(costs, axis=None, kind="stable")[: np.isfinite(costs).sum()].tolist():
        at, number = divmod(place, len(detections))
        if at not in partner and number not in taken:
            partner[at] = number
            taken.add(number)
    return partner


def _costs(tracks: Sequence[Track], detections: Sequence[Detection]) -> NDArray[np.float64]:
    """Tile widths between each track and each detection (N, M), more if the face is another; infinite if too many."""
    places, seen = (np.array([complex(*one.box.center) for one in each], complex) for each in (tracks, detections))
    sizes = np.array([max(track.box.short_side, 1.0) for track in tracks])
    faces, names = (np.array([CLASS_OF[one.tile] for one in each], int) for each in (tracks, detections))
    apart = np.abs(places[:, None] - seen[None]) / sizes[:, None]
    return np.where(apart > _NEAR, np.inf, apart + _OTHER_FACE * (faces[:, None] != names[None]))


def _without_doubles(tracks: Sequence[Track]) -> tuple[Track, ...]:
    """One track a place: the one seen more regularly, and the whole tile rather than a part of it."""
    kept: list[Track] = []
    for track in sorted(tracks, key=lambda one: -one.presence):
        if all(track.box.iou(other.box) < _DOUBLE for other in kept):
            kept.append(track)
    return tuple(sorted((track for track in kept if not _is_part(track, kept)), key=lambda one: one.id))


def _is_part(track: Track, others: Sequence[Track]) -> bool:
    """Whether larger tiles that are surely there cover it: only what is seen from askew overlaps, and less."""
    larger = [one.box for one in others if one.is_sure and one.box.area > _LARGER * track.box.area]
    return sum(track.box.covered_by(box) for box in larger) > _PART


def _born(number: int, detection: Detection, at_s: float) -> Track:
    return Track(number, detection.box, _logs(detection), 1.0, detection.presence, _PRESENCE, at_s)


def _logs(detection: Detection) -> tuple[float, ...]:
    believed = np.full(len(ALL_FACES), _FLOOR)
    for candidate in detection.names:
        believed[CLASS_OF[candidate.tile]] += candidate.probability
    return tuple(float(value) for value in np.log(believed / believed.sum()))
