"""Which flowers and seasons belong to the hand: named features of each of them.

All distances are in tile widths. A logistic model weighs the features (`vision/layout/model.py`).
"""

import math
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Final

import numpy as np

from tilescore.vision.arrays import Floats
from tilescore.vision.layout.frames import TURNED, Frame
from tilescore.vision.layout.scene import EPSILON, FAR, SIDE_BY_SIDE, STRAIGHT, Scene

FEATURES: Final[Mapping[str, str]] = {
    "one": "Always 1.",
    "gap": "Logarithm of the distance to the nearest tile of the hand, at most 6.",
    "touching": "1 if that distance is less than 0.3.",
    "others": "1 if other faces are in view.",
    "size": "Logarithm of its size divided by that of the hand, without its sign.",
    "neighbours": "Flowers nearer than 0.3, at most 2.",
    "below": "How far it lies below the hand, as a share of the photo's height.",
    "askew": "How much the logarithm of its sides differs from that of the hand's tiles, at most 0.8.",
    "space": "Logarithm of the distance to the hand in its frame, at most 6.",
    "beyond": "How far it lies beyond the farthest line of the hand, at most 4.",
    "nearer_owner": "How far it lies on the owner's side of the nearest line of the hand, at most 4.",
    "at_start": "Logarithm of its distance from the start of the hand along its lines, at most 6.",
    "in_row": "Flowers beside it in a line of the same direction, at most 2.",
    "unsure": "How improbable it is that a tile of this name is there, in nats.",
    "form": "How much its size in the frame differs from that of the hand's tiles, without its sign.",
}
"""The features and what they measure."""


def bonus_row(scene: Scene, frame: Frame, at: int, hand: Sequence[int], beside: Sequence[int] = ()) -> Floats:
    """The features (F,) of the flower `at` beside a hand of tiles, as its owner reads it.

    Other tiles that the game sets aside like flowers are `beside`.
    """
    members = list(hand)
    tiles = [other for line in frame.lines for other in line]
    start = min(frame.along[other] - frame.widths[other] / 2 for other in tiles)
    fars = [frame.away[other] + frame.depths[other] / 2 for other in tiles]
    nears = [frame.away[other] - frame.depths[other] / 2 for other in tiles]
    row = max(frame.lines, key=len)
    sizes = [math.log(frame.widths[other] * frame.depths[other]) for other in row]
    others = [other for other in scene.faces.tolist() if other not in {*members, *beside}]
    flowers = [other for other, tile in enumerate(scene.tiles) if (tile.is_bonus or other in beside) and other != at]
    gap = float(scene.gaps[at, members].min())
    middles = scene.centers[members]
    found = {
        "one": 1.0,
        "gap": float(np.log(EPSILON + min(gap, FAR))),
        "touching": float(gap < 0.3),
        "others": float(bool(others)),
        "size": abs(float(np.log(scene.widths[at]) - np.log(scene.widths[members]).mean())),
        "neighbours": float(min(2, (scene.gaps[at, flowers] < 0.3).sum())),
        "below": float(scene.centers[at, 1] - middles[:, 1].mean()) / scene.size_wh[1],
        "askew": min(0.8, abs(frame.ratios[at] - median(frame.ratios[other] for other in row))),
        "space": float(np.log(EPSILON + min(FAR, frame.gap(tiles, [at])))),
        "beyond": min(4.0, max(0.0, frame.away[at] - frame.depths[at] / 2 - max(fars))),
        "nearer_owner": min(4.0, max(0.0, min(nears) - frame.away[at] - frame.depths[at] / 2)),
        "at_start": math.log(EPSILON + min(FAR, abs(frame.along[at] - frame.widths[at] / 2 - start))),
        "in_row": float(min(2, sum(_is_beside(frame, at, other) for other in flowers))),
        "unsure": -math.log(scene.sure[at]),
        "form": min(1.0, abs(math.log(max(1e-6, frame.widths[at] * frame.depths[at])) - median(sizes))),
    }
    return np.array([found[name] for name in FEATURES])


def _is_beside(frame: Frame, one: int, two: int) -> bool:
    """Whether two tiles lie side by side as in a line of the frame."""
    return (
        abs(frame.away[one] - frame.away[two]) < STRAIGHT
        and abs(frame.along[one] - frame.along[two]) < 1 + SIDE_BY_SIDE
        and abs(frame.ratios[one] - frame.ratios[two]) < TURNED
    )
