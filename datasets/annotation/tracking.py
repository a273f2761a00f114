"""Boxes that follow their tiles through the frames of a video.

A tile moves by the optical flow of its own points (Lucas and Kanade) or, where these are lost, as the table moves. Its
look in the first frame says whether it is still in view there, and takes back the drift of the flow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tilescore.vision.arrays import Pixels
from tilescore.vision.image.boxes import Box

Points = NDArray[np.float32]


_LONG_SIDE: Final = 1280
"""Frames are compared at this size: pixels of the long side."""
_POINTS: Final = 24
"""A tile is followed by at most this many points."""
_LEAST: Final = 5
"""A tile is followed only by at least this many points that come back to where they were."""
_TABLE_POINTS: Final = 200
"""Points of the whole frame, which show how the table moves, and the least that agree."""
_LEAST_TABLE: Final = 12
_BACK_PX: Final = 1.0
"""A point has come back if it is this near to its start, in pixels of the compared frame."""
_LOOK_PX: Final = 40
"""Short side of the kept look of a tile, at most."""
_REACH: Final = 6
"""A tile is looked for this many pixels of its look around the place where it should be."""
_SEEN: Final = 0.5
"""A tile is in view if its look and the picture correlate at least so much (chosen)."""
_FLAT: Final = 6.0
"""A look with less contrast than this says nothing: standard deviation of the grey values."""


@dataclass(frozen=True, slots=True, eq=False)
class FilmFrame:
    """A frame in grey (H, W), `scale` pixels for one of the picture in which boxes are measured."""

    grey: Pixels
    scale: float

    @staticmethod
    def of(rgb: Pixels, width: float | None = None) -> FilmFrame:
        """The frame with these RGB pixels, of a picture that is `width` pixels wide, by default as wide as these."""
        small = min(1.0, _LONG_SIDE / max(rgb.shape[:2]))
        grey = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
        grey = cv2.resize(grey, None, fx=small, fy=small, interpolation=cv2.INTER_AREA) if small < 1 else grey
        return FilmFrame(np.asarray(grey, np.uint8), grey.shape[1] / (width or rgb.shape[1]))


@dataclass(frozen=True, slots=True)
class Place:
    """The box of a tile in pixels of the picture; a hidden tile lies where the table has carried it."""

    box: Box
    seen: bool


@dataclass(frozen=True, slots=True)
class _Pose:
    """The middle of a tile in a compared frame, and how far it has turned (radians) and grown since the first."""

    x: float
    y: float
    turn: float = 0.0
    size: float = 1.0

    def moved(self, by: NDArray[np.float64], pixels: tuple[float, float]) -> _Pose:
        """The pose after a linear map (2, 2) around the middle, which comes to lie at `pixels`."""
        size = float(np.sqrt(abs(by[0, 0] * by[1, 1] - by[0, 1] * by[1, 0])))
        turn = float(np.arctan2(by[1, 0] - by[0, 1], by[0, 0] + by[1, 1]))
        return _Pose(*pixels, self.turn + turn, self.size * size)


class TileTracker:
    """Follows tiles from frame to frame.

    The boxes lie in the first frame, in pixels of the picture.
    """

    def __init__(self, frame: FilmFrame, boxes: Sequence[Box]) -> None:
        self._frame = frame
        self._boxes = [box.scaled(frame.scale) for box in boxes]
        self._poses = [_Pose(*box.center) for box in self._boxes]
        self._seen = [True] * len(boxes)
        looks = [_look(frame.grey, pose, box, 0) for pose, box in zip(self._poses, self._boxes, strict=True)]
        self._looks = [None if look is None or look.std() < _FLAT else look for look in looks]

    def step(self, frame: FilmFrame) -> list[Place]:
        """Where the tiles lie in the next frame."""
        starts = [_points_in(self._frame.grey, self._box(at)) if seen else _NONE for at, seen in enumerate(self._seen)]
        table = cv2.goodFeaturesToTrack(self._frame.grey, _TABLE_POINTS, 0.01, 12)
        starts.append(_NONE if table is None else np.asarray(table, np.float32))
        moves = [*_flow(self._frame.grey, frame.grey, starts)]
        carried = _table_motion(np.concatenate([move[0] for move in moves]), np.concatenate([m[1] for m in moves]))
        self._frame = frame
        for at, (old, new) in enumerate(moves[:-1]):
            self._move(at, old, new, carried)
        return [Place(self._box(at).scaled(1 / frame.scale), seen) for at, seen in enumerate(self._seen)]

    def _move(self, at: int, old: Points, new: Points, carried: NDArray[np.float64] | None) -> None:
        """Give a tile the pose that its own points say or, if it does not show there, the one of the table."""
        pose = self._poses[at]
        own, with_table = _own_motion(pose, old, new), _with_table(pose, carried)
        best: tuple[float, _Pose] | None = None
        for guess in (own, with_table):
            if guess is not None and (best is None or best[0] < _SEEN):
                tried = self._recognised(at, guess)
                best = tried if best is None or tried[0] > best[0] else best
        self._seen[at] = best is not None and best[0] >= _SEEN
        self._poses[at] = best[1] if best is not None and self._seen[at] else with_table or pose

    def _recognised(self, at: int, pose: _Pose) -> tuple[float, _Pose]:
        """How well the tile is recognised near a pose (-1 to 1), and its pose without the drift."""
        height, width = self._frame.grey.shape
        if not (0 <= pose.x < width and 0 <= pose.y < height and 0.3 < pose.size < 3):
            return -1.0, pose
        look = self._looks[at]
        if look is None:
            return _SEEN if self._boxes[at].short_side > 4 else -1.0, pose
        around = _look(self._frame.grey, pose, self._boxes[at], _REACH)
        if around is None:
            return -1.0, pose
        _, score, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(around, look, cv2.TM_CCOEFF_NORMED))
        along = _matrix(pose, self._boxes[at]) @ np.array([x - _REACH, y - _REACH])
        return float(score), replace(pose, x=pose.x + float(along[0]), y=pose.y + float(along[1]))

    def _box(self, at: int) -> Box:
        pose, first = self._poses[at], self._boxes[at]
        across, down = first.width * pose.size / 2, first.height * pose.size / 2
        return Box(pose.x - across, pose.y - down, pose.x + across, pose.y + down)


def followed(before: Pixels, after: Pixels, boxes: Sequence[Box]) -> list[Box | None]:
    """The boxes where their tiles lie in another frame; None for a tile that is lost.

    The frames are RGB pixels of one size; the boxes are given in pixels of `before`.
    """
    places = TileTracker(FilmFrame.of(before), boxes).step(FilmFrame.of(after))
    return [Box(*(round(value, 2) for value in place.box.xyxy)) if place.seen else None for place in places]


_NONE: Final = np.zeros((0, 1, 2), np.float32)


def _points_in(grey: Pixels, box: Box) -> Points:
    """Points of a tile (N, 1, 2) that can be followed."""
    left, top = max(0, int(box.x0)), max(0, int(box.y0))
    part = grey[top : max(0, int(box.y1) + 1), left : max(0, int(box.x1) + 1)]
    corners = cv2.goodFeaturesToTrack(part, _POINTS, 0.01, 2) if min(part.shape, default=0) > 4 else None
    return _NONE if corners is None else np.asarray(corners + np.array([left, top]), np.float32)


def _flow(first: Pixels, second: Pixels, starts: Sequence[Points]) -> Iterator[tuple[Points, Points]]:
    """For each group of points those that come back, before and after: (N, 2) each."""
    start = np.concatenate(starts)
    if not len(start):
        yield from [(_NONE[:, 0], _NONE[:, 0])] * len(starts)
        return
    there, seen, _ = cv2.calcOpticalFlowPyrLK(first, second, start, np.empty_like(start))
    back, came, _ = cv2.calcOpticalFlowPyrLK(second, first, there, np.empty_like(start))
    good = (seen.ravel() == 1) & (came.ravel() == 1) & (np.abs(back - start).max(axis=(1, 2)) < _BACK_PX)
    ends = np.cumsum([len(group) for group in starts])[:-1]
    for old, new, kept in zip(*(np.split(points, ends) for points in (start[:, 0], there[:, 0], good)), strict=True):
        yield old[kept], new[kept]


def _table_motion(old: Points, new: Points) -> NDArray[np.float64] | None:
    """The homography (3, 3) that most points follow; None if they follow none."""
    if len(old) < _LEAST_TABLE:
        return None
    motion, agree = cv2.findHomography(old, new, cv2.RANSAC, 2.0)
    return None if motion is None or agree.sum() < _LEAST_TABLE else np.asarray(motion, np.float64)


def _own_motion(pose: _Pose, old: Points, new: Points) -> _Pose | None:
    if len(old) < _LEAST:
        return None
    motion, _ = cv2.estimateAffinePartial2D(old, new, ransacReprojThreshold=2)
    if motion is None:
        return None
    x, y = (motion @ np.array([pose.x, pose.y, 1.0])).tolist()
    return pose.moved(np.asarray(motion[:, :2], np.float64), (x, y))


def _with_table(pose: _Pose, carried: NDArray[np.float64] | None) -> _Pose | None:
    if carried is None:
        return None
    corners = np.array([[[pose.x, pose.y], [pose.x + 1, pose.y], [pose.x, pose.y + 1]]])
    (x, y), right, down = cv2.perspectiveTransform(corners, carried)[0].tolist()
    linear = np.array([[right[0] - x, down[0] - x], [right[1] - y, down[1] - y]])
    return pose.moved(linear, (x, y)) if np.isfinite(linear).all() else None


def _matrix(pose: _Pose, box: Box) -> NDArray[np.float64]:
    """From pixels of the look of a tile to pixels of a compared frame, (2, 2)."""
    cos, sin = np.cos(pose.turn), np.sin(pose.turn)
    step = pose.size * max(1.0, box.short_side / _LOOK_PX)
    return np.array([[cos, -sin], [sin, cos]]) * step


def _look(grey: Pixels, pose: _Pose, box: Box, reach: int) -> Pixels | None:
    """The tile as it lay in its first frame, with `reach` pixels more on each side; None for a box without an area."""
    shrunk = max(1.0, box.short_side / _LOOK_PX)
    wide, high = round(box.width / shrunk) + 2 * reach, round(box.height / shrunk) + 2 * reach
    if not (min(wide, high) > 4 and max(wide, high) < 20 * _LOOK_PX):
        return None
    linear = _matrix(pose, box)
    start = np.array([pose.x, pose.y]) - linear @ np.array([(wide - 1) / 2, (high - 1) / 2])
    place = np.column_stack([linear, start])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(grey, place, (wide, high), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)
