"""Labels of laid tables without their pixels, hundreds in a second."""

from collections.abc import Sequence

import cv2
import numpy as np

from tilescore.datasets.artwork.lettering import Array
from tilescore.datasets.synthesis.arrangements import LaidTable
from tilescore.datasets.synthesis.camera import Camera
from tilescore.datasets.synthesis.compositor import Canvas, VisibleTile
from tilescore.datasets.synthesis.tileset import TileSet

Rng = np.random.Generator


class _Outlines(Canvas):
    """A canvas that records the visible tiles and paints nothing."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        self.rng = np.random.default_rng(0)
        width, height = camera.size_wh
        self.image = np.zeros((0, 0, 3), np.uint8)
        self.marks = np.zeros((height, width), np.int32)
        self.light, self.ambient = np.array([0.0, 0.0, 1.0]), 1.0

    def warp(self, sprite: Array, quad: Array, strength: float = 1.0) -> None:
        """Paint nothing."""

    def _fill(self, quad: Array, colour: tuple[int, int, int]) -> None:
        """Paint nothing."""

    def _outline(self, outline: Array, centre: Array, unit: float, colour: tuple[int, int, int]) -> None:
        """Paint nothing."""


class Outlines(TileSet):
    """A tile set with proportions but blank faces, for the labels of tables that nobody paints."""

    _BLANK = np.zeros((1, 1, 4), np.uint8)

    def face(self, tile: str) -> Array | None:  # noqa: ARG002  # every face is blank
        """A blank face."""
        return self._BLANK

    def back_face(self) -> Array:
        """A blank face."""
        return self._BLANK

    def visible(self, camera: Camera, table: LaidTable) -> Sequence[VisibleTile]:
        """The visible tiles of a table."""
        cv2.setNumThreads(1)
        canvas = _Outlines(camera)
        return canvas.labels(canvas.draw_tiles(table.placements, self))
