"""Two probabilities on one tile made one: the detector's and the classifier's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from tilescore.scoring.tiles import ALL_FACES
from tilescore.vision.classes import BONUS, CLASS_OF, SUITS
from tilescore.vision.classification.set_limits import limit_copies
from tilescore.vision.detection.neighbours import neighbourhood
from tilescore.vision.detections import Candidate, Detection, Proposal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tilescore.vision.image.boxes import Box

_FLOOR: Final = 0.01
"""What the detector is taken to believe of a face that it did not name."""
_MOST_CANDIDATES: Final = 5
_LEAST_SHARE: Final = 0.01


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

    def fuse(self, proposals: Sequence[Proposal], probabilities: NDArray[np.float32]) -> list[Detection]:
        """The proposals as detections with the names both networks agree on best; their confidences are probabilities.

        Args:
            proposals: of one picture, with the detector's candidates.
            probabilities: the classifier's probabilities (N, 47) of the 46 faces and of `no tile`.
        """
        if not proposals:
            return []
        odds = np.array([evidence(*pair) for pair in zip(proposals, probabilities, strict=True)])
        present = self.present([proposal.box for proposal in proposals], odds)
        names = self.names(np.array([prior(proposal) for proposal in proposals]), probabilities)
        names = limit_copies(names, present)
        order = np.argsort(-names, axis=1)[:, :_MOST_CANDIDATES]
        columns = (order, np.take_along_axis(names, order, axis=1), present)
        return [_named(*each) for each in zip(proposals, *(column.tolist() for column in columns), strict=True)]

    def names(self, priors: NDArray[np.float64], probabilities: NDArray[np.float32]) -> NDArray[np.float64]:
        """Probabilities (N, 46) of the faces, given that there are tiles, by what each network believes."""
        joint = self.detector * np.log(priors) + self.classifier * np.log(probabilities[:, :-1] + 1e-4)
        powers = np.exp(joint - joint.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float64)

    def alone(self, odds: NDArray[np.float64]) -> NDArray[np.float64]:
        """Log-odds (N,) that there is a tile, from those of the networks (N, 3)."""
        bias, *weights = self.presence
        return np.asarray(bias + odds[:, : len(weights)] @ np.array(weights), np.float64)

    def present(self, boxes: Sequence[Box], odds: NDArray[np.float64]) -> NDArray[np.float64]:
        """Probabilities (N,) that there is a tile, from the log-odds of the networks (N, 3) and the boxes around."""
        alone = self.alone(odds)
        around = neighbourhood(boxes, probability(alone))
        bias, of_both, of_alike, of_covered = self.context
        return probability(bias + of_both * alone + of_alike * around.alike + of_covered * around.covered)


def _named(proposal: Proposal, order: list[int], names: list[float], present: float) -> Detection:
    """The detection with its likeliest names, best first, and how probable it is that there is a tile."""
    candidates = tuple(
        Candidate(ALL_FACES[index], name)
        for index, name in zip(order, names, strict=True)
        if name >= _LEAST_SHARE * names[0]
    )
    return Detection(proposal.box, present, candidates)


def probability(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log-odds as probabilities."""
    return np.asarray(1 / (1 + np.exp(-odds)), np.float64)


def prior(proposal: Proposal) -> NDArray[np.float64]:
    """What the detector believes of each of the 46 faces, none impossible.

    Which flower or season it is stands in a corner, smaller than the detector sees: of these it believes all alike, and
    of a plain and a red five, which `tilescore.vision.classification.red_fives` parts.
    """
    believed = np.full(len(ALL_FACES), _FLOOR)
    for candidate in proposal.scores:
        believed[CLASS_OF[candidate.tile]] += candidate.probability
    believed[BONUS] = believed[BONUS].mean()
    for red, plain, _ in SUITS:
        believed[[red, plain]] = max(believed[red], believed[plain])
    return believed


def evidence(proposal: Proposal, face_probabilities: NDArray[np.float32]) -> tuple[float, float, float]:
    """Log-odds that there is a tile, by the detector (all its scores together), the classifier and the refiner."""
    seen = min(0.99, sum(candidate.probability for candidate in proposal.scores))
    none = min(0.999, max(0.001, float(face_probabilities[-1])))
    return math.log(seen / (1 - seen)), math.log((1 - none) / none), proposal.support
