"""A photo as the layout sees it: the geometry of all boxes, measured once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tilescore.scoring.tiles import Tile
    from tilescore.vision.detections import Detection

    Array = NDArray[np.float64]

_TILE_RATIO: Final = 0.75
"""Width of a tile divided by its height. Measured."""


@dataclass(frozen=True, eq=False)
class Scene:
    """All tiles of a photo, with the distances between them in tile widths.

    Attributes:
        tiles: the likeliest name of each of N detections.
        xyxy: boxes (N, 4): left, top, right, bottom in pixels of the photo.
        size_wh: size of the photo, pixels.
    """

    tiles: tuple[Tile, ...]
    xyxy: Array
    size_wh: tuple[int, int]

    @staticmethod
    def of(detections: Sequence[Detection], size_wh: tuple[int, int]) -> Scene:
        """The scene of these detections."""
        xyxy = np.array([detection.box.xyxy for detection in detections], np.float64).reshape(-1, 4)
        return Scene(tuple(detection.tile for detection in detections), xyxy, size_wh)

    @cached_property
    def faces(self) -> NDArray[np.int64]:
        """Indices (F,) of the face-up tiles that are neither flower nor season."""
        return np.array([at for at, tile in enumerate(self.tiles) if not tile.is_back and not tile.is_bonus], np.int64)

    @cached_property
    def backs(self) -> NDArray[np.int64]:
        """Indices of the tiles that lie face down."""
        return np.array([at for at, tile in enumerate(self.tiles) if tile.is_back], np.int64)

    @cached_property
    def extent(self) -> Array:
        """Width and height (N, 2) of each box, pixels."""
        return np.asarray(np.maximum(1.0, self.xyxy[:, 2:] - self.xyxy[:, :2]), np.float64)

    @cached_property
    def centers(self) -> Array:
        """Middles (N, 2) of the boxes, pixels."""
        return np.asarray((self.xyxy[:, :2] + self.xyxy[:, 2:]) / 2, np.float64)

    @cached_property
    def widths(self) -> Array:
        """The width (N,) of each tile, pixels, by the area of its box: it does not depend on how the tile is turned."""
        return np.asarray(np.sqrt(np.prod(self.extent, axis=1) * _TILE_RATIO), np.float64)

    @cached_property
    def gaps(self) -> Array:
        """Space (N, N) between the edges of two boxes, in tile widths; 0 where they touch or overlap."""
        low, high = self.xyxy[:, :2], self.xyxy[:, 2:]
        space = np.maximum(0.0, np.maximum(low[:, None] - high[None], low[None] - high[:, None]))
        return np.asarray(np.linalg.norm(space, axis=2) / np.sqrt(self.widths[:, None] * self.widths[None]))
