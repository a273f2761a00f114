"""The colour of ink: a red five shows more red than the other tiles of its suit beside it do.

How red a five looks by itself depends on the set, the light and the camera: there are sets in brown ink alone, and the
character under every number of thousands is red in most. Beside its fellows each picture says what is usual in it. What
is no red five after all is the plain tile of its suit that it looks like most; what is one was taken for a plain five.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from tilescore.vision.classes import SUITS
from tilescore.vision.image.boxes import resized

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tilescore.vision.image.boxes import Box

    Probabilities = NDArray[np.float32]

_MAY_BE: Final = 0.01
"""What is a red five this probably, or may be one, is compared."""
_LEAST_FELLOWS: Final = 2
"""With so many other tiles of its suit at least,"""
_FELLOW: Final = 0.5
"""each of that suit so probably."""
_BESIDE: Final = (-3.5, 6.0)
"""Log-odds of a red five rather than a plain tile that ink adds to the network's: to begin with, and for how much
redder it is than its fellows, 1 for red among black."""
_ALONE: Final = (-1.8, 4.7)
"""The same without fellows, for its own redness. Both as they told most red fives of rendered scenes whose artwork no
training saw (`tilescore.datasets.artwork.artwork.FITTING`): 414 of 424, and 2 others taken for one."""
_MOST_FACE: Final = 4.0
"""The network's log-odds count for no more."""
_SLIGHT: Final = 1e-3
_INNER: Final = (0.72, 0.76)
"""Share of a box's sides that shows the face and nothing else."""
_SIZE_WH: Final = (24, 32)
_LEAST_PX: Final = 6
_PAPER: Final = 0.6
"""The lightest of the face, from this share of it on, is paper."""
_LEAST_DARK: Final = 0.15
"""Ink takes at least so much of some colour out of the light that paper gives back,"""
_AS_DARK: Final = 0.5
"""and this share of what the darkest takes,"""
_DARKEST: Final = 0.97
_LEAST_INK: Final = 8
"""on so many of the face's pixels."""


def reweigh_red_fives(rgb: NDArray[np.uint8], boxes: Sequence[Box], probabilities: Probabilities) -> Probabilities:
    """The probabilities (N, 47), red fives as probable as their ink makes them beside the other tiles of their suit.

    Args:
        rgb: the picture (H, W, 3).
        boxes: of the tiles, in its pixels.
        probabilities: what a classifier says of each by itself.
    """
    weighed = probabilities.copy()
    for red, plain, suit in SUITS:
        may_be = np.flatnonzero(probabilities[:, red] >= _MAY_BE)
        if not may_be.size:
            continue
        fellows = np.flatnonzero(probabilities[:, suit].sum(axis=1) >= _FELLOW)
        seen = np.union1d(may_be, fellows)
        reds = np.full(len(boxes), np.nan)
        reds[seen] = redness(rgb, [boxes[int(index)] for index in seen])
        for index in may_be[np.isfinite(reds[may_be])]:
            beside = reds[fellows[fellows != index]]
            by_ink = _by_ink(float(reds[index]), beside[np.isfinite(beside)])
            _weigh(weighed[index], red, plain, suit, by_ink)
    return weighed


def _by_ink(red: float, beside: NDArray[np.float64]) -> float:
    """Log-odds of a red five by how red it is, and how red its fellows are (N,)."""
    if len(beside) < _LEAST_FELLOWS:
        return _ALONE[0] + _ALONE[1] * red
    return _BESIDE[0] + _BESIDE[1] * (red - float(np.median(beside)))


def _weigh(face_probabilities: Probabilities, red: int, plain: int, suit: list[int], by_ink: float) -> None:
    """Part the probabilities (47,) of a tile of a suit anew between its red five and its plain tiles."""
    is_red, is_plain = float(face_probabilities[red]), float(face_probabilities[suit].sum())
    by_face = math.log((is_red + _SLIGHT) / (is_plain + _SLIGHT))
    odds = min(max(by_face, -_MOST_FACE), _MOST_FACE) + by_ink
    now = min((is_red + is_plain) / (1 + math.exp(-odds)), is_red + float(face_probabilities[plain]))
    if now > is_red:
        face_probabilities[plain] -= now - is_red
    elif is_plain > 0:
        face_probabilities[suit] *= 1 + (is_red - now) / is_plain
    else:
        face_probabilities[plain] = is_red - now
    face_probabilities[red] = now


def redness(rgb: NDArray[np.uint8], boxes: Sequence[Box]) -> NDArray[np.float64]:
    """How red the ink on each tile is (N,): 1 for red alone, 0 for black, less for green and blue; NaN if none is seen.

    Seen against its own paper, so that the colour of the light does not count.
    """
    faces = [_inner(rgb, box) for box in boxes]
    told = np.array([face is not None for face in faces], bool)
    found = np.full(len(boxes), np.nan)
    if not told.any():
        return found
    colours = np.stack([face for face in faces if face is not None]).reshape(int(told.sum()), -1, 3).astype(float)
    light = np.argsort(colours.mean(axis=2), axis=1)[:, int(_PAPER * colours.shape[1]) :, None]
    paper = np.median(np.take_along_axis(colours, light, axis=1), axis=1, keepdims=True)
    share = colours / np.maximum(paper, 1.0)
    taken = 1 - share.min(axis=2)
    ink = taken > np.maximum(_LEAST_DARK, _AS_DARK * np.quantile(taken, _DARKEST, axis=1, keepdims=True))
    red = (share[..., 0] - share[..., 1:].max(axis=2)) / np.maximum(taken, 0.05)
    amount = ink.sum(axis=1)
    mean = (np.clip(red, -1, 1) * ink).sum(axis=1) / np.maximum(amount, 1)
    found[told] = np.where(amount >= _LEAST_INK, mean, np.nan)
    return found


def _inner(rgb: NDArray[np.uint8], box: Box) -> NDArray[np.uint8] | None:
    """The face inside a box, (32, 24, 3); None if too little of it is in the picture."""
    x, y = box.center
    reach_x, reach_y = box.width * _INNER[0] / 2, box.height * _INNER[1] / 2
    x0, x1, y0, y1 = (max(0, int(v)) for v in (x - reach_x, x + reach_x + 1, y - reach_y, y + reach_y + 1))
    part = rgb[y0:y1, x0:x1]
    return resized(part, _SIZE_WH) if min(part.shape[:2]) >= _LEAST_PX else None
