"""Labels of scenes without their pixels, hundreds in a second, to measure layouts on thousands of tables.

Scenes, cameras and labels are those of `datasets.synthesis.synth`; only the painting is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from tilescore.datasets.artwork.artwork import Folders
from tilescore.datasets.synthesis.arrangements import LaidTable
from tilescore.datasets.synthesis.compositor import Canvas, VisibleTile
from tilescore.datasets.synthesis.hands import HandSpec, Wall
from tilescore.datasets.synthesis.scenes import choose_scene, few_scene
from tilescore.datasets.synthesis.synth import choose_sources, hand_is_whole, sample_camera, turned_labels
from tilescore.datasets.synthesis.tileset import TileSet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tilescore.datasets.artwork.artwork import ArtworkSource
    from tilescore.datasets.artwork.lettering import Array
    from tilescore.datasets.synthesis.arrangements import Placement
    from tilescore.datasets.synthesis.camera import Camera

Rng = np.random.Generator
_QUARTERS = (0.8, 0.07, 0.06, 0.07)
"""Probabilities of 0 to 3 quarter turns of the picture."""


@dataclass(frozen=True, slots=True)
class LaidScene:
    """The labels of one scene.

    Attributes:
        name: name of the function that laid it, as in `tilescore.datasets.synthesis.scenes`.
        tiles: the visible tiles, as in `synth.Scene`.
        hand: the hand on the table, or None.
        whole: whether every tile of the hand has a label.
        placements: all tiles, visible or not.
        size_wh: width and height of the picture in pixels.
        quarters: number of quarter turns of the picture to the left.
        azimuth_deg: angle between the view and the view of the hand's owner.
    """

    name: str
    tiles: tuple[VisibleTile, ...]
    hand: HandSpec | None
    whole: bool
    placements: tuple[Placement, ...]
    size_wh: tuple[int, int]
    quarters: int
    azimuth_deg: float


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


class _Blanks(TileSet):
    """A tile set with proportions but blank faces."""

    _BLANK = np.zeros((1, 1, 4), np.uint8)

    def face(self, tile: str) -> Array | None:  # noqa: ARG002  # every face is blank
        """A blank face."""
        return self._BLANK

    def back_face(self) -> Array:
        """A blank face."""
        return self._BLANK


class Outlines(_Blanks):
    """A tile set without faces, for the labels of tables that nobody paints."""

    def visible(self, camera: Camera, table: LaidTable) -> Sequence[VisibleTile]:
        """The visible tiles of a table."""
        return _labels(camera, table, self)


def outlines(rng: Rng, sources: Sequence[ArtworkSource]) -> Outlines:
    """A tile set of random proportions, without faces."""
    return Outlines(rng, sources)


def lay_scene(seed: int, index: int, *, scene: Callable[[LaidTable, Wall], None] | None = None) -> LaidScene:
    """The labels of the scene with that seed and index, out of the usual mix unless `scene` is given."""
    rng = np.random.default_rng([seed, index])
    tiles = _Blanks(rng, choose_sources(Folders(), ("procedural",)))
    table = LaidTable(rng, tiles.size)
    make = scene or choose_scene(rng)
    make(table, Wall(rng))
    camera, _ = sample_camera(rng, table, 640, close=make is few_scene)
    visible: Sequence[VisibleTile] = _labels(camera, table, tiles)
    quarters = int(rng.choice(4, p=_QUARTERS))
    size_wh = camera.size_wh
    for _ in range(quarters):
        visible = turned_labels(visible, size_wh[0])
        size_wh = size_wh[::-1]
    forward = camera.rotation[2]
    azimuth = float(np.degrees(np.arctan2(-forward[0], forward[1])))
    return LaidScene(
        make.__name__,
        tuple(visible),
        table.hand,
        hand_is_whole(table, visible),
        tuple(table.placements),
        size_wh,
        quarters,
        azimuth,
    )


def _labels(camera: Camera, table: LaidTable, tiles: TileSet) -> list[VisibleTile]:
    cv2.setNumThreads(1)
    canvas = _Outlines(camera)
    return canvas.labels(canvas.draw_tiles(table.placements, tiles))
