"""What the network of the layout sees: numbers for each tile of a photo and for each pair of tiles.

All distances are in tile widths, so that neither the size of the photo nor the distance of the camera matters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from tilescore.scoring.tiles import Tile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from tilescore.vision.layout.scene import Scene

    Numbers = NDArray[np.float32]
    Array = NDArray[np.float64]

PARTS: Final = ("other", "concealed", "winning", "meld", "bonus")
"""The parts that a tile may play, in the order of the network's outputs."""
TILE_NUMBERS, PAIR_NUMBERS = 25, 14
"""Numbers for each tile and for each pair."""
SUITS: Final = "mpszfq"
"""The suits in the order of the features; a face-down tile comes last."""
_BACK: Final = len(SUITS)
_HONORS: Final = SUITS.index("z")
_TOUCHING: Final = 0.15
_NEAR: Final = 2.0
_EPSILON: Final = 0.05
_WHITE: Final = Tile.parse("5z").rank


class Tokens(NamedTuple):
    """The inputs of the network for N tiles.

    Attributes:
        tiles: numbers (N, 25) for each tile: place, size, form, name, confidence, sharpness, and the part that a person
            has given it.
        pairs: numbers (N, N, 14) for each tile and each other tile: how the other one lies, and how the names relate.
    """

    tiles: Numbers
    pairs: Numbers


def tokens_of(scene: Scene, given: Mapping[int, int] | None = None) -> Tokens:
    """The inputs for a scene.

    Args:
        scene: all tiles, at least one.
        given: parts that a person has fixed, as places in PARTS, by index.
    """
    suits, ranks = _names(scene)
    hints = np.zeros((len(suits), len(PARTS)))
    for at, part in (given or {}).items():
        hints[at, part] = 1.0
    return Tokens(np.column_stack([_tiles(scene, suits, ranks), hints]).astype(np.float32), _pairs(scene, suits, ranks))


def _names(scene: Scene) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The place of each suit in SUITS, and each rank; a face-down tile has rank 0."""
    suits = [_BACK if tile.is_back else SUITS.index(tile.suit) for tile in scene.tiles]
    ranks = [0 if tile.is_back else tile.plain.rank for tile in scene.tiles]
    return np.array(suits, np.int64), np.array(ranks, np.int64)


def _tiles(scene: Scene, suits: NDArray[np.int64], ranks: NDArray[np.int64]) -> Array:
    faces, count = suits <= _HONORS, len(suits)
    size, longest = np.array(scene.size_wh, float), float(max(scene.size_wh))
    usual = float(np.median(scene.widths[faces] if faces.any() else scene.widths))
    known = scene.sharpness > 0
    logs = np.log(np.maximum(scene.sharpness, 1e-6))
    sharp = np.where(known, logs - (np.median(logs[known]) if known.any() else 0.0), 0.0)
    honors = suits == _HONORS
    return np.column_stack(
        [
            (scene.centers - size / 2) / longest * 2,
            np.log(scene.widths / usual),
            np.full(count, np.log(usual / longest) + 3),
            np.log(scene.extent[:, 1] / scene.extent[:, 0]),
            np.eye(_BACK + 1)[suits],
            ranks / 9,
            honors & (ranks >= _WHITE),
            honors & (ranks == _WHITE),
            [names[0].probability for names in scene.names],
            scene.presence,
            sharp,
            np.full(count, np.log(count) / 4),
            np.full(count, np.log(max(1, int(faces.sum()))) / 4),
        ]
    )


def _pairs(scene: Scene, suits: NDArray[np.int64], ranks: NDArray[np.int64]) -> Numbers:
    widths, extent = scene.widths, scene.extent
    steps = scene.centers[None] - scene.centers[:, None]
    apart = steps / np.sqrt(widths[:, None] * widths[None])[..., None]
    off = np.minimum(np.abs(steps) / np.minimum(extent[:, None], extent[None]), _NEAR)
    logs, forms = np.log(widths), np.log(extent[:, 1] / extent[:, 0])
    same, step = suits[:, None] == suits[None], np.abs(ranks[:, None] - ranks[None])
    suited, faces = same & (suits < _HONORS)[:, None], suits <= _HONORS
    backs = suits == _BACK
    pairs = (
        np.sign(apart[..., 0]) * np.log1p(np.abs(apart[..., 0])),
        np.sign(apart[..., 1]) * np.log1p(np.abs(apart[..., 1])),
        np.log(scene.gaps + _EPSILON),
        np.minimum(scene.gaps, _NEAR),
        logs[None] - logs[:, None],
        off[..., 0],
        off[..., 1],
        same & (step == 0),
        suited & (step == 1),
        suited & (step == 2),
        backs[:, None] & faces[None],
        faces[:, None] & backs[None],
        scene.gaps < _TOUCHING,
        forms[None] - forms[:, None],
    )
    return np.stack(pairs, axis=-1).astype(np.float32)
