"""Two opinions on one tile made one: the detector's and the classifier's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scoring.tiles import ALL_FACES
from vision.detector import Candidate, Detection

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Weights of the two log-probabilities: of 1/1, 0.5/1, 0.25/1 and 0/1 the best tile F1 on val's photos.
_DETECTOR: Final = 0.5
_CLASSIFIER: Final = 1.0
_FLOOR: Final = 0.01
_MOST_CANDIDATES: Final = 5
_LEAST_SHARE: Final = 0.01


def fuse(detection: Detection, opinion: NDArray[np.float32]) -> Detection:
    """The detection with the names both networks agree on best.

    Args:
        detection: with the detector's candidates.
        opinion: the classifier's probabilities (47,) of the 46 faces and of `no tile`.
    """
    prior = np.full(len(ALL_FACES), _FLOOR)
    for candidate in detection.candidates:
        prior[_INDEX[candidate.tile]] += candidate.probability
    faces, none = opinion[:-1].astype(np.float64), float(opinion[-1])
    joint = _DETECTOR * np.log(prior) + _CLASSIFIER * np.log(faces + 1e-4)
    joint = np.exp(joint - joint.max())
    joint /= joint.sum()
    # That there is a tile: the detector is believed as far as the classifier does not contradict it.
    present = min(1.0, 0.25 + 0.75 * sum(c.probability for c in detection.candidates)) * (1 - none)
    order = np.argsort(-joint)[:_MOST_CANDIDATES]
    candidates = tuple(
        Candidate(ALL_FACES[int(index)], float(joint[index]))
        for index in order
        if joint[index] >= _LEAST_SHARE * joint[order[0]]
    )
    return Detection(detection.box, candidates, float(joint[order[0]]) * present)


_INDEX: Final = {tile: index for index, tile in enumerate(ALL_FACES)}
