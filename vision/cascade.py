"""A cascade of two classifiers: what may be a flower or a season is looked at again, closer.

Every set draws them in its own way, and the same plant may stand for any season: a small number or character in a
corner tells which it is. So few tiles are flowers that a network which sees more pixels of them costs next to nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from scoring.tiles import ALL_FACES
from vision.classifier import VIEWS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.boxes import Box
    from vision.classifier import Classifier, View

    Opinions = NDArray[np.float32]

FLOWERS: Final = np.array([index for index, face in enumerate(ALL_FACES) if face.is_bonus])
"""Where flowers and seasons stand among the classes."""
FLOWERS_SIDE: Final = 96
"""Pixels a side of the cut-outs that are looked at closer."""
_MAY_BE: Final = 0.1
"""What is a flower or a season this probably is looked at closer."""
_CLOSER: Final = 0.7
"""Weight of what is seen closer; the rest is the first look's."""
_LEAST: Final = 1e-4
"""No flower is less probable."""


@dataclass(frozen=True, slots=True)
class Cascade:
    """Names tiles as one classifier does, and what may be a flower or a season with the help of another.

    Attributes:
        everything: looks at every tile.
        flowers: looks, at more pixels, at what may be a flower or a season.
    """

    everything: Classifier
    flowers: Classifier

    def classify(self, rgb: NDArray[np.uint8], boxes: Sequence[Box], *, views: Sequence[View] = VIEWS) -> Opinions:
        """Probabilities (N, 47) of the 46 faces and of `no tile`, for boxes in pixels of the picture."""
        opinions = self.everything.classify(rgb, boxes, views=views)
        chosen = np.flatnonzero(opinions[:, FLOWERS].sum(axis=1) >= _MAY_BE)
        if chosen.size:
            closer = self.flowers.classify(rgb, [boxes[int(index)] for index in chosen], views=views)
            opinions[chosen] = _joined(opinions[chosen], closer)
        return opinions


def _joined(first: Opinions, closer: Opinions) -> Opinions:
    """Both opinions (N, 47) on which flower or season it is; whether it is one at all is for the first to say."""
    shares = [np.log(opinions[:, FLOWERS] + _LEAST) for opinions in (first, closer)]
    logs = (1 - _CLOSER) * shares[0] + _CLOSER * shares[1]
    powers = np.exp(logs - logs.max(axis=1, keepdims=True))
    joined = first.copy()
    joined[:, FLOWERS] = powers / powers.sum(axis=1, keepdims=True) * first[:, FLOWERS].sum(axis=1, keepdims=True)
    return joined
