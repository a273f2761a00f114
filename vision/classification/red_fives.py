"""Red fives: a red five has redder ink than the other tiles of its suit in the same picture.

The redness of a single five depends on the set, the light and the camera: some sets have brown ink only, and the
character under every number of the characters suit is red in most sets. The other tiles of the suit in the picture show
what is usual. One other five is enough, because it has the same drawing. A tile with too little red becomes the plain
tile of its suit that it resembles most; a tile with more red takes its probability from the plain five.
"""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from tilescore.vision.arrays import Floats, Pixels, Probabilities
from tilescore.vision.classes import SUIT_CLASSES
from tilescore.vision.classification.config import RedFiveConfig
from tilescore.vision.image.boxes import Box, inner_part, resized

_CONFIG: Final = RedFiveConfig()


def reweigh_red_fives(rgb: Pixels, boxes: Sequence[Box], probabilities: Probabilities) -> Probabilities:
    """The probabilities (N, 47) with those of red fives reweighed by the colour of their ink."""
    weighed = probabilities.copy()
    for red, plain, suit in SUIT_CLASSES:
        may_be = np.flatnonzero(probabilities[:, red] >= _CONFIG.min_probability)
        if not may_be.size:
            continue
        of_suit = np.flatnonzero(probabilities[:, [red, *suit]].sum(axis=1) >= _CONFIG.min_suit_probability)
        compared = np.union1d(may_be, of_suit)
        reds = np.full(len(boxes), np.nan)
        reds[compared] = redness(rgb, [boxes[int(index)] for index in compared])
        is_five = probabilities[:, [red, plain]].sum(axis=1) >= _CONFIG.min_suit_probability
        for index in may_be[np.isfinite(reds[may_be])]:
            others = of_suit[(of_suit != index) & np.isfinite(reds[of_suit])]
            is_compared = len(others) >= _CONFIG.min_neighbours or is_five[others].any()
            usual = float(np.median(reds[others])) if is_compared else None
            ink_log_odds = _ink_log_odds(float(reds[index]), usual)
            _reweigh(weighed[index], (red, plain, suit), ink_log_odds)
    return weighed


def _ink_log_odds(red: float, usual: float | None) -> float:
    """The log-odds of a red five, given its redness and the usual one of its suit, if that is known."""
    if usual is None:
        return _CONFIG.alone_bias + _CONFIG.alone_weight * red
    return _CONFIG.relative_bias + _CONFIG.relative_weight * (red - usual)


def _reweigh(face_probabilities: Probabilities, suit: tuple[int, int, list[int]], ink_log_odds: float) -> None:
    """Divide the probabilities (47,) of a tile anew between the red five and the plain tiles of a suit."""
    red, plain, all_plain = suit
    is_red, is_plain = float(face_probabilities[red]), float(face_probabilities[all_plain].sum())
    face_log_odds = math.log((is_red + _CONFIG.probability_floor) / (is_plain + _CONFIG.probability_floor))
    odds = min(max(face_log_odds, -_CONFIG.max_face_log_odds), _CONFIG.max_face_log_odds) + ink_log_odds
    now = min((is_red + is_plain) / (1 + math.exp(-odds)), is_red + float(face_probabilities[plain]))
    if now > is_red:
        face_probabilities[plain] -= now - is_red
    elif is_plain > 0:
        face_probabilities[all_plain] *= 1 + (is_red - now) / is_plain
    else:
        face_probabilities[plain] = is_red - now
    face_probabilities[red] = now


def redness(rgb: Pixels, boxes: Sequence[Box]) -> Floats:
    """The redness of the ink on each tile (N,): 1 for pure red, 0 for black, negative for green and blue.

    A tile without visible ink has NaN. The ink is compared with the paper of the same tile, so that the colour of the
    light does not count.
    """
    faces = [_inner_face(rgb, box) for box in boxes]
    is_shown = np.array([face is not None for face in faces], bool)
    redness_of = np.full(len(boxes), np.nan)
    if not is_shown.any():
        return redness_of
    colours = np.stack([face for face in faces if face is not None]).reshape(int(is_shown.sum()), -1, 3).astype(float)
    brightest = np.argsort(colours.mean(axis=2), axis=1)[:, int(_CONFIG.paper_quantile * colours.shape[1]) :, None]
    paper = np.median(np.take_along_axis(colours, brightest, axis=1), axis=1, keepdims=True)
    share = colours / np.maximum(paper, 1.0)
    taken = 1 - share.min(axis=2)
    darkest = np.quantile(taken, _CONFIG.dark_quantile, axis=1, keepdims=True)
    ink = taken > np.maximum(_CONFIG.min_ink, _CONFIG.min_ink_share * darkest)
    red = (share[..., 0] - share[..., 1:].max(axis=2)) / np.maximum(taken, 0.05)
    amount = ink.sum(axis=1)
    mean = (np.clip(red, -1, 1) * ink).sum(axis=1) / np.maximum(amount, 1)
    redness_of[is_shown] = np.where(amount >= _CONFIG.min_ink_px, mean, np.nan)
    return redness_of


def _inner_face(rgb: Pixels, box: Box) -> Pixels | None:
    """The face inside a box, scaled; None if too little of it is in the picture."""
    part = inner_part(rgb, box, _CONFIG.face_width_share, _CONFIG.face_height_share)
    return resized(part, _CONFIG.face_size_wh) if min(part.shape[:2]) >= _CONFIG.min_side_px else None
