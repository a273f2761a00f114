"""Which flowers and seasons belong to the hand: named features of each of them.

All distances are in tile widths. A logistic model weighs the features (`vision/layout/model.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from tilescore.vision.layout.scene import Scene

    Array = NDArray[np.float64]

FEATURES: Final[Mapping[str, str]] = {
    "one": "Always 1.",
    "gap": "Logarithm of 0.1 and the distance to the nearest tile of the hand, at most 8.",
    "touching": "1 if that distance is less than 0.3.",
    "others": "1 if other faces are in view.",
    "nearer_other": "Logarithm of 0.1 and the distance to the nearest other face, at most 8; 0 without any.",
    "nearer": "1 if another face is nearer than the hand.",
    "level": "1 if it lies in line with a tile of the hand.",
    "size": "Logarithm of its size divided by that of the hand, without its sign.",
    "neighbours": "Flowers nearer than 0.3, at most 2.",
    "below": "How far it lies below the hand, as a share of the photo's height.",
}
"""The features and what they measure."""
_FAR: Final = 8.0


def bonus_row(scene: Scene, at: int, hand: Sequence[int]) -> Array:
    """The features (F,) of the flower `at` beside a hand of tiles."""
    members = list(hand)
    others = [other for other in scene.faces.tolist() if other not in set(members)]
    flowers = [other for other, tile in enumerate(scene.tiles) if tile.is_bonus and other != at]
    gap = float(scene.gaps[at, members].min())
    to_other = float(scene.gaps[at, others].min()) if others else None
    middles, sides = scene.centers[members], scene.extent[members]
    off = np.abs(middles - scene.centers[at]) < np.minimum(sides, scene.extent[at]) / 2
    found = {
        "one": 1.0,
        "gap": float(np.log(0.1 + min(gap, _FAR))),
        "touching": float(gap < 0.3),
        "others": float(bool(others)),
        "nearer_other": 0.0 if to_other is None else float(np.log(0.1 + min(to_other, _FAR))),
        "nearer": float(to_other is not None and to_other < gap),
        "level": float(off.any()),
        "size": abs(float(np.log(scene.widths[at]) - np.log(scene.widths[members]).mean())),
        "neighbours": float(min(2, (scene.gaps[at, flowers] < 0.3).sum())),
        "below": float(scene.centers[at, 1] - middles[:, 1].mean()) / scene.size_wh[1],
    }
    return np.array([found[name] for name in FEATURES])
