"""A cascade of two classifiers: what is unclear is looked at again, closer.

Most tiles are clear at once. Every fourth of an unknown set is not, and flowers and seasons seldom are. Each set draws
them in its own way, the same plant may stand for any season, and a small number or character in a corner tells
which it is. So few are looked at by a network that sees more pixels that it costs next to nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from tilescore.vision.classes import BONUS
from tilescore.vision.classification.classifier import VIEWS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tilescore.vision.classification.classifier import Classifier, View
    from tilescore.vision.image.boxes import Box

    Probabilities = NDArray[np.float32]

CLOSER_SIDE: Final = 96
"""Pixels a side of the cut-outs that are looked at closer."""
CLEAR: Final = 0.8
"""A tile whose likeliest face is less probable than this is looked at closer,"""
_MAY_BE: Final = 0.1
"""and one that is a flower or a season this probably; and nothing that is less probably a tile at all."""
_SAY: Final = 0.85
"""Weight of the closer look; the rest is the first look's."""
_LEAST: Final = 1e-4
"""No face is less probable."""


@dataclass(frozen=True, slots=True)
class Cascade:
    """Names tiles as one classifier does, and what is unclear with the help of another.

    Attributes:
        everything: looks at every tile.
        closer: looks, at more pixels, at what is unclear.
        taught: whether the first one was taught the very set: then flowers and seasons that are clear to it are clear.
    """

    everything: Classifier
    closer: Classifier
    taught: bool = False

    def classify(self, rgb: NDArray[np.uint8], boxes: Sequence[Box], *, views: Sequence[View] = VIEWS) -> Probabilities:
        """Probabilities (N, 47) of the 46 faces and of `no tile`, for boxes in pixels of the picture."""
        probabilities = self.everything.classify(rgb, boxes, views=views)
        chosen = np.flatnonzero(self._is_unclear(probabilities))
        if chosen.size:
            closer = self.closer.classify(rgb, [boxes[int(index)] for index in chosen], views=views)
            probabilities[chosen] = _joined(probabilities[chosen], closer)
        return probabilities

    def _is_unclear(self, probabilities: Probabilities) -> NDArray[np.bool_]:
        tile = 1 - probabilities[:, -1]
        unclear = probabilities[:, :-1].max(axis=1, initial=0.0) < CLEAR * tile
        if not self.taught:
            unclear |= probabilities[:, BONUS].sum(axis=1) >= _MAY_BE
        return np.asarray((tile >= _MAY_BE) & unclear, np.bool_)


def _joined(first: Probabilities, closer: Probabilities) -> Probabilities:
    """Both probabilities (N, 47) on which face it is; whether there is a tile at all is for the first to say."""
    logs = [np.log(each[:, :-1] / _total(each[:, :-1]) + _LEAST) for each in (first, closer)]
    powers = np.exp((1 - _SAY) * logs[0] + _SAY * logs[1])
    names = powers / _total(powers) * (1 - first[:, -1:])
    return np.asarray(np.concatenate([names, first[:, -1:]], axis=1), np.float32)


def _total(shares: Probabilities) -> Probabilities:
    """What the shares of each row (N, M) add up to, (N, 1)."""
    return np.asarray(np.maximum(shares.sum(axis=1, keepdims=True), _LEAST), np.float32)
