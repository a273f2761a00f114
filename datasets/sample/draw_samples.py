"""Renders our own sample photos: `python -m tilescore.datasets.sample.draw_samples` rewrites `datasets/sample/`.

A person has composed each scene from rows of text. The script ray-traces it and adds the effects of lens and sensor.
It writes a JPEG and the true hand as JSON beside it. Equal seeds give equal pictures.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from tilescore.datasets.sample import SAMPLES
from tilescore.datasets.sample.raytrace import SIZE, TEXTURE_PX_PER_UNIT, Array, Placed, Setting, linear, render
from tilescore.datasets.synthesis.camera import aim

if TYPE_CHECKING:
    from collections.abc import Callable

SIZE_WH = (2000, 1500)
"""Width and height of a photo in pixels."""
OVERSAMPLING = 2
"""Each pixel of a photo is rendered as this many pixels along each side."""
Rng = np.random.Generator
GAPS = {"_": 0.65, "__": 1.1}
"""Gaps in a row of text, in tile widths."""


def _noise(rng: Rng, shape_hw: tuple[int, int], cells_hw: tuple[int, int]) -> Array:
    """Smooth noise around zero with about one bump in each cell."""
    grid = rng.standard_normal(cells_hw).astype(np.float32)
    return np.asarray(cv2.resize(grid, shape_hw[::-1], interpolation=cv2.INTER_CUBIC), np.float32)


def felt(rng: Rng, colour: tuple[int, int, int]) -> Array:
    """The texture of felt: short fibres in all directions and faint clouds."""
    side = 12 * TEXTURE_PX_PER_UNIT
    fibres = np.zeros((side, side), np.float32)
    for angle in range(0, 180, 15):
        kernel = np.zeros((11, 11), np.float32)
        dx, dy = 5 * np.cos(np.radians(angle)), 5 * np.sin(np.radians(angle))
        cv2.line(kernel, (round(5 - dx), round(5 - dy)), (round(5 + dx), round(5 + dy)), 1.0)
        sparse = rng.standard_normal((side, side), dtype=np.float32)
        fibres += cv2.filter2D(sparse, -1, kernel / kernel.sum())
    grain = 1 + 0.16 * fibres + 0.05 * _noise(rng, fibres.shape, (40, 40)) + 0.04 * _noise(rng, fibres.shape, (5, 5))
    return np.asarray(linear(colour) * np.clip(grain, 0.3, 1.9)[..., None], np.float32)


def wood(rng: Rng, colour: tuple[int, int, int]) -> Array:
    """The texture of wooden planks along x, with annual rings, pores and dark joints."""
    side, plank = 15 * TEXTURE_PX_PER_UNIT, 3 * TEXTURE_PX_PER_UNIT
    rows = []
    for _ in range(5):
        across = np.linspace(0, 1, plank, dtype=np.float32)[:, None]
        bend = _noise(rng, (plank, side), (2, 4)) * 0.16 + _noise(rng, (plank, side), (6, 14)) * 0.03
        rings = np.sin((across + bend + rng.uniform()) * 30)
        pores = np.minimum(_noise(rng, (plank, side), (plank, side // 45)), 0)
        board = (
            1 + 0.07 * rings + 0.09 * pores + 0.05 * _noise(rng, (plank, side), (plank // 5, 14)) + rng.normal(0, 0.06)
        )
        board[:3] *= 0.35
        rows.append(board)
    grain = np.clip(np.vstack(rows), 0.15, 1.6)[..., None]
    return np.asarray(linear(colour) * grain ** np.array((1.0, 1.25, 1.5), np.float32), np.float32)


def row(text: str, rng: Rng, *, at: tuple[float, float]) -> list[Placed]:
    """The tiles of a row centred on `at`; `<` follows a sideways tile, `_` and `__` are gaps.

    All tiles have their bottom edge on one line, except for small random shifts.
    """
    placed: list[tuple[str, float, float, float]] = []
    x = 0.0
    for word in text.split():
        if word in GAPS:
            x += GAPS[word]
            continue
        name, sideways = word.removesuffix("<"), word.endswith("<")
        width = float(SIZE[1] if sideways else SIZE[0]) + abs(rng.normal(0.012, 0.008))
        drop = float(SIZE[0] - SIZE[1]) / 2 if sideways else 0.0
        placed.append((name, x + width / 2, drop + rng.normal(0, 0.014), 90.0 if sideways else 0.0))
        x += width
    return [
        Placed(name, (at[0] + along - x / 2, at[1] + up, float(SIZE[2]) / 2), turn + rng.normal(0, 0.5))
        for name, along, up, turn in placed
    ]


@dataclass(frozen=True, slots=True)
class SampleScene:
    """One sample: its rows of tiles (the first is the hand), the table, the camera, the light, and the true hand."""

    seed: int
    rows: tuple[tuple[str, tuple[float, float]], ...]
    table: Callable[[Rng], Array]
    back: tuple[int, int, int]
    hand: dict[str, object]
    elevation_deg: float = 55.0
    azimuth_deg: float = 0.0
    roll_deg: float = 0.0
    distance: float = 24.0
    target_xy: tuple[float, float] = (0.0, 0.0)
    sun: tuple[float, float, float] = (-0.55, 0.5, 1.0)
    two_high: bool = False  # a second layer lies on the face-down tiles


def photograph(scene: SampleScene) -> Array:
    """Render a scene and add the effects of lens and sensor; float32 sRGB (0-255)."""
    rng = np.random.default_rng(scene.seed)
    tiles = [tile for text, at in scene.rows for tile in row(text, rng, at=at)]
    tiles += [
        Placed(
            "back",
            (t.centre_xyz[0] + rng.normal(0, 0.02), t.centre_xyz[1], t.centre_xyz[2] + float(SIZE[2])),
            t.turn_deg,
        )
        for t in tiles
        if t.name == "back" and scene.two_high
    ]
    width, height = (round(side * OVERSAMPLING) for side in SIZE_WH)
    camera = aim(
        np.array((*scene.target_xy, 0.0)),
        elevation_deg=scene.elevation_deg,
        azimuth_deg=scene.azimuth_deg,
        roll_deg=scene.roll_deg,
        distance=scene.distance,
        focal_px=1.35 * width,
        size_wh=(width, height),
        centre_px=(width / 2, height / 2),
        distortion=0.0,
    )
    setting = Setting(scene.table(rng), tuple(linear(scene.back).tolist()), sun=scene.sun)
    sharp = cv2.GaussianBlur(render(camera, tiles, setting), (0, 0), 1.1)
    picture = cv2.resize(sharp, SIZE_WH, interpolation=cv2.INTER_AREA)
    y, x = np.mgrid[-1 : 1 : SIZE_WH[1] * 1j, -1 : 1 : SIZE_WH[0] * 1j].astype(np.float32)
    lamp = 1.14 - 0.14 * x + 0.06 * y
    picture = picture * (lamp * (1 - 0.11 * (x**2 + y**2)))[..., None]
    soft = cv2.GaussianBlur(picture, (0, 0), 2.2)
    away = np.clip(np.abs(y) * 1.5 - 0.75, 0, 1)[..., None]  # out of the plane in focus
    picture = picture * (1 - away) + soft * away
    picture += 0.02 * cv2.GaussianBlur(np.maximum(picture - 0.7, 0), (0, 0), 24)
    grain = (
        rng.standard_normal(picture.shape, dtype=np.float32) * 0.6
        + rng.standard_normal(y.shape, dtype=np.float32)[..., None]
    )
    shown = 255 * np.clip(picture, 0, 1) ** (1 / 2.2) + cv2.GaussianBlur(grain, (0, 0), 0.6) * 3.2
    return np.asarray(np.clip(shown, 0, 255), np.float32)


def _green(rng: Rng) -> Array:
    return felt(rng, (38, 112, 74))


def _blue(rng: Rng) -> Array:
    return felt(rng, (36, 74, 122))


def _oak(rng: Rng) -> Array:
    return wood(rng, (176, 122, 74))


def _walnut(rng: Rng) -> Array:
    return wood(rng, (122, 80, 52))


SCENES = {
    "winning_hand": SampleScene(
        seed=1,
        rows=(("2m 3m 4m 4p 5p 6p 3p 3p 6s 7s _ 8s __ 5z< 5z 5z", (0, 0)),),
        table=_green,
        back=(236, 150, 34),
        azimuth_deg=-1.5,
        roll_deg=0.8,
        hand={
            "concealed": "234m33456p678s",
            "melds": [{"kind": "pung", "tiles": "555z", "concealed": False, "called": "5z", "from": "left"}],
            "winning_tile": "8s",
            "win_by": "self_draw",
            "seat": "S",
            "round": "E",
        },
    ),
    "riichi_closed": SampleScene(
        seed=2,
        rows=(("2m 3m 4m 3p 4p 0p 6p 7p 8p 2s 2s 5s 6s _ 7s", (0, 0)),),
        table=_oak,
        back=(30, 92, 170),
        elevation_deg=60,
        azimuth_deg=4,
        roll_deg=0.5,
        distance=22.5,
        sun=(0.6, 0.45, 1.0),
        hand={
            "concealed": "234m340678p22567s",
            "winning_tile": "7s",
            "win_by": "self_draw",
            "seat": "E",
            "round": "E",
            "occasions": ["riichi"],
        },
    ),
    "flowers_kong": SampleScene(
        seed=3,
        rows=(
            ("1m 2m 3m 1p 2p 3p 7z 7z 1s 2s _ 3s __ back 9s 9s back", (0, 0)),
            ("2f 3q", (6.6, 2.6)),
        ),
        table=_walnut,
        back=(26, 120, 78),
        elevation_deg=58,
        azimuth_deg=-4,
        roll_deg=-0.5,
        distance=26,
        target_xy=(0, 0.6),
        hand={
            "concealed": "123m123p123s77z",
            "melds": [{"kind": "kong", "tiles": "9999s", "concealed": True, "called": None, "from": None}],
            "winning_tile": "3s",
            "win_by": "self_draw",
            "bonus": "2f3q",
            "seat": "W",
            "round": "E",
        },
    ),
    "discard_pond": SampleScene(
        seed=4,
        rows=(
            ("1m 2m 3m 4m 5m 6m 7m 8m 4z 4z 6z 6z 6z _ 9m", (0, -3.4)),
            ("1z 9s 1p 2z 8s 1s", (0.3, 2.2)),
            ("9p 3z 2p 7z 6s< 5p", (0.3, 0.8)),
            ("4s 7p 3s", (-1.4, -0.6)),
            (" ".join(["back"] * 15), (0.2, 5.6)),
        ),
        table=_blue,
        back=(24, 110, 92),
        two_high=True,
        elevation_deg=50,
        azimuth_deg=2,
        roll_deg=-0.6,
        distance=25.5,
        target_xy=(0, 0.4),
        hand={
            "concealed": "123456789m44z666z",
            "winning_tile": "9m",
            "win_by": "discard",
            "discarder": "W",
            "seat": "S",
            "round": "E",
        },
    ),
}
"""All samples by file name."""


def main() -> None:
    """Render the scenes named on the command line, or all."""
    SAMPLES.mkdir(exist_ok=True)
    for name in sys.argv[1:] or SCENES:
        scene = SCENES[name]
        rgb = photograph(scene).round().astype(np.uint8)
        cv2.imwrite(str(SAMPLES / f"{name}.jpg"), rgb[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 88])
        text = json.dumps({"id": name, **scene.hand}, indent=1)
        (SAMPLES / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
