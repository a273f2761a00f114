"""Cameras over a table with tiles: where a box says that its tile lies, and the box that a tile there has.

The unit is a tile's width; x and y lie in the plane of the faces, z leads out of them. Arrays have the shape
(B, axes, N, K): B cameras tried at once, N tiles, K ways to lie.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tilescore.vision.image.boxes import Box

    Array = NDArray[np.float64]

WAYS: Final = 4
"""Ways to lie: upright and sideways on the plane, then on the one across it, as standing tiles beside lying ones."""
UPRIGHT, SIDEWAYS = 0, 1
_THICK: Final = 0.75
"""Thickness of a tile for its width."""
_AT_EDGE: Final = 0.04
"""A box that ends nearer to the picture's edge than this, of its side, may be cut off there."""
_FARTHEST: Final = 60.0
"""Places farther off than this, in tile widths, are not told apart."""
_LEAST_DEPTH: Final = 0.2
"""Nothing is seen nearer to the camera than this."""
_SMALL: Final = 1e-9
_COFACTORS: Final = np.array([4, 1, 3, 0, 2, 5])
"""Elements of a rotation, row by row, that stand in the plane's homography the other way round."""
_SIGNS: Final = np.array([1.0, -1.0, -1.0, 1.0, 1.0, 1.0])
_UNTURNED: Final = np.eye(3)
_TURNING: Final = np.array([[0, 0, 0, 0, 0, -1, 0, 1, 0], [0, 0, 1, 0, 0, 0, -1, 0, 0], [0, -1, 0, 1, 0, 0, 0, 0, 0.0]])
"""What a turn about each axis adds to a rotation at first, row by row."""


def _corners() -> Array:
    """Corners of a tile about its middle, (8, 8, 2, WAYS).

    Along x, y, z and the axis that standing tiles rise along, first the part that is the same for all, then the part to
    be multiplied by the tile's height for its width. Faces, whose four corners come twice, then backs, which show the
    tile's sides too.
    """
    across = np.array([[-1.0, 0, 0], [1, 0, 0], [1, 0, 0], [-1, 0, 0]]) / 2
    along = np.array([[0.0, 1, 0], [0, 1, 0], [0, -1, 0], [0, -1, 0]]) / 2
    turned = [1, 0, 2]
    fixed = [across, along, across[:, [0, 2, 1]], along[:, [0, 2, 1]]]
    tall = [along, along[:, turned], along[:, [0, 2, 1]], along[:, turned][:, [0, 2, 1]]]
    fixed[1] = across[:, turned]
    fixed[3] = across[:, turned][:, [0, 2, 1]]
    deep = np.array([[0, 0, -_THICK]] * 2 + [[0, -_THICK, 0]] * 2)
    faces = np.array([np.vstack([way, way]) for way in fixed])
    backs = np.array([np.vstack([way, way + down]) for way, down in zip(fixed, deep, strict=True)])
    high = np.array([np.vstack([way, way]) for way in tall])
    parts = np.array([[faces, backs], [high, high]])  # part, face or back, way, corner, axis
    placed = np.zeros((2, 4, 8, 2, WAYS))
    placed[:, :3] = parts.transpose(0, 4, 3, 1, 2)
    placed[:, 3, ..., 2:], placed[:, 2, ..., 2:] = placed[:, 2, ..., 2:], 0.0
    return placed.reshape(8, 8, 2, WAYS)


def _askew_corners() -> Array:
    """The same for tiles that lie at any angle, (8, 8, 2, ANGLES)."""
    across = np.array([-1.0, 1, 1, -1] * 2) / 2
    along = np.array([1.0, 1, -1, -1] * 2) / 2
    down = np.array([[0.0] * 8, [0] * 4 + [-_THICK] * 4])
    turns = np.pi * (np.arange(ANGLES) + 0.5) / ANGLES
    placed = np.zeros((2, 4, 8, 2, ANGLES))
    placed[0, 0], placed[0, 1] = (np.multiply.outer(across, turn(turns))[:, None] for turn in (np.cos, np.sin))
    placed[1, 0], placed[1, 1] = (np.multiply.outer(along, turn)[:, None] for turn in (-np.sin(turns), np.cos(turns)))
    placed[0, 2] = down.T[..., None]
    return placed.reshape(8, 8, 2, ANGLES)


ANGLES: Final = 12
"""Angles at which a tile that was laid anyhow is tried."""
_CORNERS: Final = _corners()
_ASKEW: Final = _askew_corners()


@dataclass(frozen=True, slots=True)
class Seen:
    """Boxes of tiles as arrays.

    Attributes:
        middles: (2, N), pixels.
        sides: (2, N), pixels.
        cut: (2, N), -1 or 1 where the lower or the higher end may be cut off by the picture's edge, else 0.
        corners: (8, M, N, WAYS), see `_corners`.
        askew: (8, M, N, ANGLES), the same for tiles at any angle.
        long_side: of the picture, pixels.
    """

    middles: Array
    sides: Array
    cut: Array
    corners: Array
    askew: Array
    long_side: float

    @staticmethod
    def of(boxes: Sequence[Box], backs: Sequence[bool], size_wh: tuple[int, int]) -> Seen:
        """Boxes, whether each is that of a face-down tile, and the picture's size, (0, 0) if not known."""
        ends = np.array([box.xyxy for box in boxes], float).T
        low, high = ends[:2], ends[2:]
        sides = np.maximum(high - low, 1e-3)
        cut = np.zeros_like(sides)
        if min(size_wh) > 0:
            cut = (high > np.array(size_wh)[:, None] - _AT_EDGE * sides).astype(float) - (low < _AT_EDGE * sides)
        long_side = float(max(*size_wh, *(high.max(axis=1) - low.min(axis=1)), 1.0))
        shown = slice(8 if any(backs) else 4), np.array(backs, int)
        return Seen((low + high) / 2, sides, cut, _CORNERS[:, *shown], _ASKEW[:, *shown], long_side)

    def part(self, members: Sequence[int]) -> Seen:
        """Some of the boxes."""
        at = list(members)
        corners, askew = self.corners[:, :, at], self.askew[:, :, at]
        return Seen(self.middles[:, at], self.sides[:, at], self.cut[:, at], corners, askew, self.long_side)

    def misfit(self, sides: Array) -> Array:
        """Logarithm of the boxes' sides for these (B, 2, N, K); one that is cut off may be shorter."""
        form = np.log(self.sides)[..., None] - np.log(np.maximum(sides, 1e-3))
        return np.where(self.cut[..., None] != 0, np.maximum(form, 0.0), form) if self.cut.any() else form

    def off(self, middles: Array, sides: Array) -> Array:
        """How far the boxes lie off these (B, 2, N, K): by their middles, or, where one is cut off, its other end."""
        off = self.middles[..., None] - middles
        return off - self.cut[..., None] / 2 * (self.sides[..., None] - sides) if self.cut.any() else off


@dataclass(frozen=True, slots=True)
class Cameras:
    """B cameras over the table.

    Attributes:
        rotation: (B, 3, 3), rows are right, down and forward.
        scale: (B,), pixels of a tile width at the origin.
        distance: (B,), from there, in tile widths.
        aspect: (B,), height of a tile for its width.
        lean: (B,), by how much standing tiles lean back, radians.
        origin: (2,), where it is seen, pixels.
    """

    rotation: Array
    scale: Array
    distance: Array
    aspect: Array
    lean: Array
    origin: Array

    @staticmethod
    def of(params: Array, origin: Array) -> Cameras:
        """Cameras from rotation vectors, the logarithms of scale, distance and aspect, and lean, (B, 7)."""
        scale, distance, aspect = np.exp(params[:, 3:6]).T
        return Cameras(rotations(params[:, :3]), scale, distance, aspect, params[:, 6], origin)

    def onto_plane(self, pixels: Array) -> Array:
        """Pixels (B, 2, N, K) to places (B, 2, N, K) on the plane of the faces.

        Its homography the other way round: cofactors of a rotation are its own elements.
        """
        count = len(pixels)
        back = self.rotation.reshape(count, 9)[:, _COFACTORS] * _SIGNS
        back[:, :4] *= self.distance[:, None]
        places = back.reshape(count, 3, 2) @ (pixels - self.origin[:, None, None]).reshape(count, 2, -1)
        depth = places[:, 2:] + (self.scale * self.distance * self.rotation[:, 2, 2])[:, None, None]
        depth[np.abs(depth) < _SMALL] = _SMALL
        found = places[:, :2] / depth
        np.minimum(np.maximum(found, -_FARTHEST, out=found), _FARTHEST, out=found)
        return np.asarray(found.reshape(pixels.shape))

    def boxes_at(self, places: Array, reach: Array) -> tuple[Array, Array]:
        """Middles and sides (B, 2, N, K) of the boxes of tiles at places (B, 2, N, K) whose corners reach so far."""
        count = len(places)
        local = (self.rotation[..., :2] @ places.reshape(count, 2, -1))[:, :, None] + reach
        distance = self.distance[:, None, None]
        focal = self.scale[:, None, None] * distance / np.maximum(distance + local[:, 2], _LEAST_DEPTH)
        pixels = local[:, :2] * focal[:, None]
        low, high = (end.reshape(places.shape) for end in (pixels.min(axis=2), pixels.max(axis=2)))
        return (low + high) / 2 + self.origin[:, None, None], high - low

    def reach(self, corners: Array) -> Array:
        """How far corners lie from the tile's middle along the camera's axes, (B, 3, M, N * K).

        Corners are the same for all cameras, (8, M, N, K), or the same for some after one another, (C, 8, M, N, K).
        """
        back = (self.away() * np.sin(self.lean))[:, None] * self.rotation[:, :, 1]
        rising = back + np.cos(self.lean)[:, None] * self.rotation[:, :, 2]
        axes = np.concatenate([self.rotation, rising[..., None]], axis=2)
        both = np.concatenate([axes, axes * self.aspect[:, None, None]], axis=2)
        parts, number = corners.shape[-4:-2]
        own = corners.reshape(-1, 1, parts, number * corners.shape[-2] * corners.shape[-1])
        return np.asarray((both.reshape(len(own), -1, 3, parts) @ own).reshape(len(both), 3, number, -1))

    def locate(self, seen: Seen, corners: Array) -> tuple[Array, Array]:
        """Where each tile lies in each of some ways to lie, and the sides of its box then, (B, 2, N, K)."""
        reach = self.reach(corners)
        aim = self.aim(seen, np.zeros((len(self.scale), 2, *corners.shape[2:])), reach)
        aim = self.aim(seen, aim, reach)
        places = self.onto_plane(seen.middles[..., None] + aim)
        return places, self.boxes_at(places, reach)[1]

    def aim(self, seen: Seen, before: Array, reach: Array) -> Array:
        """How far off its box's middle that of each tile is seen, pixels (B, 2, N, K), from a first guess."""
        return before + seen.off(*self.boxes_at(self.onto_plane(seen.middles[..., None] + before), reach))

    def away(self) -> Array:
        """For each camera 1 where y leads away from it, -1 where it leads to it: standing tiles show it their faces."""
        return np.where(self.rotation[:, 2, 1] > 0, 1.0, -1.0)

    def across(self) -> Cameras:
        """The cameras in the frame of the plane across that they see from above: the row stands on it."""
        up = -self.away()
        turn = np.zeros_like(self.rotation)
        turn[:, 0, 0] = 1.0
        turn[:, 1, 1], turn[:, 1, 2] = np.sin(self.lean), up * np.cos(self.lean)
        turn[:, 2, 1], turn[:, 2, 2] = -up * np.cos(self.lean), np.sin(self.lean)
        return Cameras(self.rotation @ turn, self.scale, self.distance, self.aspect, self.lean, self.origin)


def rotations(vectors: Array) -> Array:
    """Rotation matrices (B, 3, 3) of rotation vectors (B, 3)."""
    cross = (vectors @ _TURNING).reshape(-1, 3, 3)
    angle = np.maximum(np.sqrt((vectors * vectors).sum(axis=1)), _SMALL)[:, None, None]
    return np.asarray(_UNTURNED + np.sin(angle) / angle * cross + (1 - np.cos(angle)) / angle**2 * (cross @ cross))
