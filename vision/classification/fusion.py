"""Two opinions on one tile made one: the detector's and the classifier's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from tilescore.scoring.tiles import ALL_FACES
from tilescore.vision.classification.cascade import FLOWERS
from tilescore.vision.classification.red_fives import SUITS
from tilescore.vision.classification.set_limits import within_set
from tilescore.vision.detection.detector import Candidate, Detection
from tilescore.vision.detection.neighbours import company

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tilescore.vision.image.boxes import Box

_FLOOR: Final = 0.01
"""What the detector is taken to believe of a face that it did not name."""
_MOST_CANDIDATES: Final = 5
_LEAST_SHARE: Final = 0.01
_INDEX: Final = {tile: index for index, tile in enumerate(ALL_FACES)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fusion:
    """How much each network is believed; `tilescore.models.evaluation.calibrate` fits it on validation photos.

    Attributes:
        detector: weight of the detector's log-probabilities of names.
        classifier: weight of the classifier's.
        presence: bias, then weights of the log-odds that there is a tile: the detector's, the classifier's, and the
            refiner's where there is one.
        context: what their common log-odds become beside other tiles: bias, weight of those log-odds, of alike boxes
            near by, of a likelier box over this one (`tilescore.vision.detection.neighbours`).
    """

    detector: float = 0.5
    classifier: float = 1.0
    presence: tuple[float, ...] = (0.0, 1.0, 0.3)
    context: tuple[float, ...] = (0.0, 1.0, 0.0, 0.0)

    def fuse(self, detections: Sequence[Detection], opinions: NDArray[np.float32]) -> list[Detection]:
        """The detections with the names both networks agree on best; their confidences are probabilities.

        Args:
            detections: of one picture, with the detector's candidates.
            opinions: the classifier's probabilities (N, 47) of the 46 faces and of `no tile`.
        """
        if not detections:
            return []
        odds = np.array([evidence(*pair) for pair in zip(detections, opinions, strict=True)])
        present = self.present([detection.box for detection in detections], odds)
        names = self.names(np.array([prior(detection) for detection in detections]), opinions)
        names = within_set(names, present)
        order = np.argsort(-names, axis=1)[:, :_MOST_CANDIDATES]
        columns = (order, np.take_along_axis(names, order, axis=1), present)
        return [_named(*each) for each in zip(detections, *(column.tolist() for column in columns), strict=True)]

    def names(self, priors: NDArray[np.float64], opinions: NDArray[np.float32]) -> NDArray[np.float64]:
        """Probabilities (N, 46) of the faces, given that there are tiles, by what each network believes."""
        joint = self.detector * np.log(priors) + self.classifier * np.log(opinions[:, :-1] + 1e-4)
        powers = np.exp(joint - joint.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float64)

    def alone(self, odds: NDArray[np.float64]) -> NDArray[np.float64]:
        """Log-odds (N,) that there is a tile, from those of the networks (N, 3)."""
        bias, *weights = self.presence
        return np.asarray(bias + odds[:, : len(weights)] @ np.array(weights), np.float64)

    def present(self, boxes: Sequence[Box], odds: NDArray[np.float64]) -> NDArray[np.float64]:
        """Probabilities (N,) that there is a tile, from the log-odds of the networks (N, 3) and the boxes around."""
        alone = self.alone(odds)
        around = company(boxes, probability(alone))
        bias, of_both, of_alike, of_covered = self.context
        return probability(bias + of_both * alone + of_alike * around.alike + of_covered * around.covered)


def _named(detection: Detection, order: list[int], names: list[float], present: float) -> Detection:
    """The detection with its likeliest names, best first, and how probable it is that there is a tile."""
    candidates = tuple(
        Candidate(ALL_FACES[index], name)
        for index, name in zip(order, names, strict=True)
        if name >= _LEAST_SHARE * names[0]
    )
    return Detection(detection.box, candidates, names[0] * present)


def probability(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log-odds as probabilities."""
    return np.asarray(1 / (1 + np.exp(-odds)), np.float64)


def prior(detection: Detection) -> NDArray[np.float64]:
    """What the detector believes of each of the 46 faces, none impossible.

    Which flower or season it is stands in a corner, smaller than the detector sees: of these it believes all alike, and
    of a plain and a red five, which `tilescore.vision.classification.red_fives` parts.
    """
    believed = np.full(len(ALL_FACES), _FLOOR)
    for candidate in detection.candidates:
        believed[_INDEX[candidate.tile]] += candidate.probability
    believed[FLOWERS] = believed[FLOWERS].mean()
    for red, plain, _ in SUITS:
        believed[[red, plain]] = max(believed[red], believed[plain])
    return believed


def evidence(detection: Detection, opinion: NDArray[np.float32]) -> tuple[float, float, float]:
    """Log-odds that there is a tile, by the detector (all its scores together), the classifier and the refiner."""
    seen = min(0.99, sum(candidate.probability for candidate in detection.candidates))
    none = min(0.999, max(0.001, float(opinion[-1])))
    return math.log(seen / (1 - seen)), math.log((1 - none) / none), detection.support
