"""A cascade of two classifiers: the second, of higher resolution, names what is unclear to the first.

Most tiles are clear to the first classifier. Every fourth tile of an unknown set is not, and flowers and seasons seldom
are: each set draws them in its own way, the same plant may stand for any season, and a small number or character in a
corner tells which one it is. The unclear tiles are so few that a classifier of more pixels costs next to nothing.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tilescore.vision.arrays import Pixels, Probabilities
from tilescore.vision.classes import BONUS_CLASSES, REDS
from tilescore.vision.classification.classifier import ONE_LOOK, VIEWS, Classifier, TileLook
from tilescore.vision.classification.config import CascadeConfig
from tilescore.vision.image.boxes import Box

HIGH_RESOLUTION_SIDE: Final = 96
"""Side of the crops of the high-resolution classifier, in pixels."""
_CONFIG: Final = CascadeConfig()


@dataclass(frozen=True, slots=True)
class Cascade:
    """Names tiles with one classifier, and the unclear ones with a second one, too."""

    first: Classifier
    high_resolution: Classifier
    # whether the first classifier is fine-tuned on this very set: then flowers and seasons that are clear to it are
    # clear
    fine_tuned: bool = False

    def classify(self, rgb: Pixels, boxes: Sequence[Box], look: TileLook = ONE_LOOK) -> Probabilities:
        """Probabilities (N, 47) of the 46 faces and of `no tile`, for boxes in pixels of the picture.

        Tiles that may be red fives are seen from all views, because ink and form decide narrowly. These views and the
        high-resolution classifier are left out if the budget does not allow them.
        """
        start = time.perf_counter()
        probabilities = self.first.classify(rgb, boxes, look)
        spent_s = time.perf_counter() - start
        fives = np.flatnonzero(probabilities[:, REDS].max(axis=1, initial=0.0) >= _CONFIG.min_red_probability)
        if fives.size and look.budget.allows("red_fives", len(VIEWS) * spent_s * fives.size / max(1, len(boxes))):
            some = [boxes[int(index)] for index in fives]
            probabilities[fives] = self.first.classify(rgb, some, TileLook(VIEWS))
        chosen = np.flatnonzero(self._is_unclear(probabilities))
        cost_s = _CONFIG.high_resolution_cost * spent_s * chosen.size / max(1, len(boxes))
        if chosen.size and look.budget.allows("high_resolution", cost_s):
            second = self.high_resolution.classify(rgb, [boxes[int(index)] for index in chosen], look)
            probabilities[chosen] = _joined(probabilities[chosen], second)
        return probabilities

    def _is_unclear(self, probabilities: Probabilities) -> NDArray[np.bool_]:
        presence = 1 - probabilities[:, -1]
        best = probabilities[:, :-1].max(axis=1, initial=0.0)
        unclear = best < _CONFIG.min_clear_probability * presence
        if not self.fine_tuned:
            unclear |= probabilities[:, BONUS_CLASSES].sum(axis=1) >= _CONFIG.min_bonus_probability
        return np.asarray((presence >= _CONFIG.min_presence) & unclear, np.bool_)


def _joined(first: Probabilities, second: Probabilities) -> Probabilities:
    """The probabilities (N, 47) of both classifiers joined; the presence is that of the first."""
    floor, weight = _CONFIG.probability_floor, _CONFIG.high_resolution_weight
    logs = [np.log(chances[:, :-1] / _total(chances[:, :-1], floor) + floor) for chances in (first, second)]
    powers = np.exp((1 - weight) * logs[0] + weight * logs[1])
    names = powers / _total(powers, floor) * (1 - first[:, -1:])
    return np.asarray(np.concatenate([names, first[:, -1:]], axis=1), np.float32)


def _total(shares: Probabilities, floor: float) -> Probabilities:
    """The sum of each row (N, M), at least `floor`, (N, 1)."""
    return np.asarray(np.maximum(shares.sum(axis=1, keepdims=True), floor), np.float32)
