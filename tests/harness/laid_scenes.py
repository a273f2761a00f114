"""Labels of scenes without their pixels, hundreds in a second, to measure layouts on thousands of tables.

Scenes, cameras and labels are those of `datasets.synthesis.synth`; only the painting is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from tilescore.datasets.artwork.artwork import Folders
from tilescore.datasets.layouts.tables import Outlines
from tilescore.datasets.synthesis.arrangements import LaidTable
from tilescore.datasets.synthesis.hands import Wall
from tilescore.datasets.synthesis.scenes import choose_scene, few_scene
from tilescore.datasets.synthesis.synth import choose_sources, hand_is_whole, sample_camera, turned_labels

if TYPE_CHECKING:
    from collections.abc import Callable

    from tilescore.datasets.synthesis.arrangements import Placement
    from tilescore.datasets.synthesis.compositor import VisibleTile
    from tilescore.datasets.synthesis.hands import LaidHand

_QUARTERS: Final = (0.8, 0.07, 0.06, 0.07)
"""Probabilities of 0 to 3 quarter turns of the picture."""


@dataclass(frozen=True, slots=True)
class LaidScene:
    """The labels of one scene."""

    name: str  # name of the function that laid it, as in `tilescore.datasets.synthesis.scenes`
    tiles: tuple[VisibleTile, ...]  # the visible tiles, as in `synth.Scene`
    hand: LaidHand | None  # the hand on the table, or None
    whole: bool  # whether every tile of the hand has a label
    placements: tuple[Placement, ...]  # all tiles, visible or not
    size_wh: tuple[int, int]  # width and height of the picture in pixels
    quarters: int  # number of quarter turns of the picture to the left
    azimuth_deg: float  # angle between the view and the view of the hand's owner


def lay_scene(seed: int, index: int, *, scene: Callable[[LaidTable, Wall], None] | None = None) -> LaidScene:
    """The labels of the scene with that seed and index, out of the usual mix unless `scene` is given."""
    rng = np.random.default_rng([seed, index])
    tiles = Outlines(rng, choose_sources(Folders(), ("procedural",)))
    table = LaidTable(rng, tiles.size)
    make = scene or choose_scene(rng)
    make(table, Wall(rng))
    camera, _ = sample_camera(rng, table, 640, close=make is few_scene)
    visible = tiles.visible(camera, table)
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
