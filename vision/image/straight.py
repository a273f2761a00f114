"""A row of tiles made straight: one homography lays all its faces side by side, upright and equally large.

Along a row, the root of the width of the faces changes evenly with the place in the picture: this follows from
perspective. It tells how many tile widths lie between two faces, whether tiles are seen there or not.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from tilescore.vision.arrays import Floats
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.config import StraightConfig

_CONFIG: Final = StraightConfig()


@dataclass(frozen=True, slots=True, eq=False)
class StraightRow:
    """The map between a row in a picture and the same row made straight.

    In the straight row a face is one wide and one high: the first face begins at 0, upper edges lie at 0, lower ones
    at 1.
    """

    to_picture: Floats  # homography (3, 3) from the straight row to pixels of the picture
    length: float  # where the last face ends

    def corners(self, place: Box) -> Floats:
        """The corners (4, 2) in the picture of a place in the straight row."""
        x0, y0, x1, y1 = place.xyxy
        return _moved(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float64), self.to_picture)

    def in_picture(self, place: Box) -> Box:
        """The upright box in the picture around a place in the straight row."""
        corners = self.corners(place)
        return Box(*corners.min(axis=0).tolist(), *corners.max(axis=0).tolist())

    def places(self, quads: Floats) -> Floats:
        """Where corners (..., 2) in the picture lie in the straight row."""
        to_straight = np.asarray(np.linalg.inv(self.to_picture), np.float64)
        return _moved(quads.reshape(-1, 2), to_straight).reshape(quads.shape)


def straight_row(quads: Floats, direction: tuple[float, float]) -> StraightRow | None:
    """The row that faces form, given by their corners (N, 4, 2) in reading order; None if they form none.

    The corners are in pixels of the picture, clockwise; `direction` is the unit vector of the reading direction.
    """
    along = np.array(direction)
    faces = np.stack([_first_edge_along(quad, along) for quad in quads])
    origin = faces.reshape(-1, 2).mean(axis=0)
    left, right = (((faces[:, list(ends)].mean(axis=1)) - origin) @ along for ends in ((0, 3), (1, 2)))
    widths = right - left
    if (widths <= 0).any():
        return None
    grows, root = _root_of_width((left + right) / 2, widths)
    roots = root + grows * np.concatenate([left, right])
    if (roots <= 0).any():
        return None
    starts, ends = np.split(np.concatenate([left, right]) / (root * roots), 2)
    starts, ends = starts - starts[0], ends - starts[0]
    straight = np.stack(
        [np.stack([starts, ends, ends, starts], axis=1), np.tile((0.0, 0.0, 1.0, 1.0), (len(faces), 1))], axis=2
    )
    heights = np.linalg.norm(faces[:, 3] - faces[:, 0], axis=1)
    matrix, inside = cv2.findHomography(
        straight.reshape(-1, 2), faces.reshape(-1, 2), cv2.RANSAC, _CONFIG.max_offset * float(np.median(heights))
    )
    if matrix is None or inside.mean() < _CONFIG.min_inside:
        return None
    return StraightRow(np.asarray(matrix, np.float64), float(ends[-1]))


def _root_of_width(at: Floats, widths: Floats) -> tuple[float, float]:
    """Slope and value at 0 of the root of the width along the row, by the medians of Theil and Sen."""
    roots = np.sqrt(widths)
    first, second = np.triu_indices(len(at), 1)
    apart = at[second] - at[first]
    far = np.abs(apart) > np.median(widths) * 0.5
    slope = float(np.median((roots[second] - roots[first])[far] / apart[far])) if far.any() else 0.0
    return slope, float(np.median(roots - slope * at))


def _first_edge_along(quad: Floats, along: Floats) -> Floats:
    """The corners in the same order, starting with the edge that runs most along the direction."""
    edges = np.roll(quad, -1, axis=0) - quad
    lengths = np.maximum(np.linalg.norm(edges, axis=1), 1e-9)
    return np.roll(quad, -int(np.argmax(edges @ along / lengths)), axis=0)


def _moved(points: Floats, matrix: Floats) -> Floats:
    """Points (N, 2) through a homography."""
    return np.asarray(cv2.perspectiveTransform(points[None], matrix)[0], np.float64)
