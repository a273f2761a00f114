"""Rendered videos of a table: a player lays tile after tile, the camera shakes, and the light changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from tilescore.datasets.artwork.artwork import HELD_OUT
from tilescore.datasets.synthesis.arrangements import LaidTable
from tilescore.datasets.synthesis.camera import light
from tilescore.datasets.synthesis.compositor import Canvas, VisibleTile
from tilescore.datasets.synthesis.hands import Wall
from tilescore.datasets.synthesis.scenes import hand_scene
from tilescore.datasets.synthesis.surroundings import Surroundings
from tilescore.datasets.synthesis.synth import choose_sources, default_folders, hand_is_whole, sample_camera
from tilescore.datasets.synthesis.tileset import TileSet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tilescore.datasets.artwork.artwork import ArtworkSource
    from tilescore.datasets.synthesis.arrangements import Placement
    from tilescore.datasets.synthesis.camera import Camera

    Pixels = NDArray[np.uint8]

SIZE_WH: Final = (1280, 720)
STEEP_DEG: Final = 25.0
"""The least angle at which a camera on a stand points down."""
NEEDS_TRAINING: Final = ("gnome-postmodern",)
"""Artwork that needs the packages of training. The clips leave it out, so that they are equal on every machine."""
_LAST: Final = 4
"""The number of tiles that the player lays during the clip."""
_START_S: Final = 1.2
_STEP_S: Final = 1.6
"""Seconds from one tile to the next, with the movement of the arm."""
_PASS_S: Final = 0.7
"""Seconds in which an arm is in the picture; the tile appears in the middle of this time."""
_AFTER_S: Final = 3.0
_END_S: Final = 6.0
_HAND_ROLES: Final = ("concealed", "winning", "meld", "bonus")


@dataclass(frozen=True, slots=True, eq=False)
class RenderedClip:
    """One rendered video."""

    stages: tuple[Pixels, ...]  # the table before each of the last tiles, and after the last one
    truth: tuple[str, ...]  # the tiles of the whole hand, sorted
    artwork: str  # the name of the tile set
    seed: int  # the seed of shake, light, noise and the arm
    steep_deg: float  # the angle at which the camera points down

    @property
    def laid_s(self) -> float:
        """The time of the last tile."""
        return _START_S + _STEP_S * (len(self.stages) - 2) + _PASS_S / 2

    @property
    def seconds(self) -> float:
        """The length of the video."""
        return self.laid_s + _END_S

    def at(self, at_s: float) -> Pixels:
        """The frame at that time, RGB."""
        number = int(np.clip((at_s - _START_S - _PASS_S / 2) // _STEP_S + 1, 0, len(self.stages) - 1))
        rgb = self.stages[number].copy()
        passes = [_START_S + _STEP_S * stage for stage in range(len(self.stages) - 1)]
        for start in (*passes, self.laid_s + _AFTER_S):
            if start <= at_s < start + _PASS_S:
                self._arm(rgb, (at_s - start) / _PASS_S, int(1000 * start))
        rng = np.random.default_rng([self.seed, int(1000 * at_s)])
        moved = cv2.warpAffine(rgb, self._shake(at_s), SIZE_WH, borderMode=cv2.BORDER_REPLICATE)
        grain = rng.integers(-7, 8, (SIZE_WH[1], SIZE_WH[0], 1), np.int16)
        return np.asarray(np.clip(moved * self._brightness(at_s) + grain, 0, 255), np.uint8)

    def _shake(self, at_s: float) -> NDArray[np.float64]:
        """The movement of a camera on a table that people lean on: some pixels and some tenths of a degree."""
        rng = np.random.default_rng(self.seed)
        strength = float(rng.choice([0.3, 1.5, 3.0]))
        waves = np.sin(2 * np.pi * rng.uniform(0.4, 2.5, 3) * at_s + rng.uniform(0, 6, 3))
        turned = cv2.getRotationMatrix2D((640, 360), 0.06 * strength * float(waves[2]), 1.0)
        pushed = np.column_stack([np.zeros((2, 2)), strength * waves[:2]])
        return np.asarray(turned, np.float64) + pushed

    def _brightness(self, at_s: float) -> float:
        rng = np.random.default_rng([self.seed, 7])
        start, darker = rng.uniform(0, self.seconds), rng.uniform(0.75, 1.15)
        return float(1 + (darker - 1) * np.clip((at_s - start) / 0.6, 0, 1))

    def _arm(self, rgb: Pixels, share: float, number: int) -> None:
        """Draw a forearm that reaches in and goes back."""
        rng = np.random.default_rng([self.seed, number])
        root = np.array([rng.uniform(200, 1080), 760])
        tip = root + (np.array([rng.uniform(250, 1030), rng.uniform(150, 420)]) - root) * np.sin(np.pi * share)
        skin = (np.array([(225, 180, 150), (150, 105, 75)][rng.integers(2)]) * rng.uniform(0.8, 1.1)).tolist()
        ends = [(round(float(x)), round(float(y))) for x, y in (root, tip)]
        cv2.line(rgb, ends[0], ends[1], skin, int(rng.integers(90, 150)), cv2.LINE_AA)


def render_clip(seed: int, index: int, *, held_out: bool = False) -> RenderedClip:
    """RenderedClip number `index` of the series `seed`; `held_out` selects artwork outside the training data."""
    sources = choose_sources(default_folders(), HELD_OUT if held_out else (), NEEDS_TRAINING)
    for attempt in range(200):
        rng = np.random.default_rng([seed, index, attempt])
        clip = _attempt(rng, sources, seed=1000 * seed + index)
        if clip is not None:
            return clip
    raise ValueError(f"clip {index} of seed {seed} shows no whole hand")


def _attempt(rng: np.random.Generator, sources: Sequence[ArtworkSource], *, seed: int) -> RenderedClip | None:
    tiles = TileSet(rng, sources)
    table = LaidTable(rng, tiles.size)
    hand_scene(table, Wall(rng, lacking=tiles.lacking()))
    if any(place.pose == "standing" for place in table.placements if place.role in _HAND_ROLES):
        return None  # a winner lays the hand face up
    for _ in range(60):
        camera, _ = sample_camera(rng, table, SIZE_WH[0], close=False)
        steep_deg = float(np.degrees(np.arcsin(-camera.rotation[2, 2])))
        if camera.size_wh == SIZE_WH and steep_deg > STEEP_DEG:
            break
    else:
        return None
    loose = [place for place in table.placements if place.role in ("concealed", "winning")]
    loose.sort(key=lambda place: (place.role == "winning", place.centre[0]))
    appearance = int(rng.integers(1 << 30))
    whole, seen = painted(table.placements, table, tiles, camera, appearance=appearance)
    if not hand_is_whole(table, seen) or len(loose) <= _LAST:
        return None
    stages = [
        painted([p for p in table.placements if p not in loose[-count:]], table, tiles, camera, appearance=appearance)[
            0
        ]
        for count in range(_LAST, 0, -1)
    ]
    truth = tuple(sorted(one.tile for one in seen if one.role in _HAND_ROLES))
    return RenderedClip((*stages, whole), truth, tiles.source, seed, steep_deg)


def painted(
    placements: Sequence[Placement], table: LaidTable, tiles: TileSet, camera: Camera, *, appearance: int
) -> tuple[Pixels, list[VisibleTile]]:
    """The table with these tiles; a tile has the same appearance in all pictures of one `appearance` seed."""
    canvas = Canvas(camera, np.random.default_rng(appearance), surroundings=Surroundings())
    canvas.shadows(placements, tiles.size)
    far = sorted(placements, key=lambda p: -float(np.linalg.norm(camera.position - np.array(p.centre))))
    drawn = {}
    for placement in far:
        number = table.placements.index(placement)
        canvas.rng = np.random.default_rng([appearance, number])
        item = canvas.draw_tile(placement, tiles, number + 1)
        if item is not None:
            drawn[number] = item
    seen = canvas.labels([drawn[number] for number in sorted(drawn)])
    lit = light(canvas.image.astype(np.float32), np.random.default_rng([appearance, 1]))
    return np.clip(lit, 0, 255).astype(np.uint8), seen
