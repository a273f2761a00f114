"""Fusion of the probabilities of the detector and of the classifier, for each tile."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tilescore.scoring.tiles import ALL_FACES
from tilescore.vision.arrays import Floats
from tilescore.vision.classes import BONUS_CLASSES, CLASS_OF, SUIT_CLASSES
from tilescore.vision.classification.config import FusionConfig
from tilescore.vision.classification.neighbours import neighbourhood
from tilescore.vision.classification.set_limits import limit_copies
from tilescore.vision.detections import Candidate, Detection, Proposal
from tilescore.vision.image.boxes import Box

_CONFIG: Final = FusionConfig()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fusion:
    """The weights of the networks; `tilescore.models.evaluation.calibrate` fits them on validation photos."""

    detector: float = 0.5  # weight of the log-probabilities of names by the detector
    classifier: float = 1.0  # weight of the log-probabilities of names by the classifier
    # bias, then weights of the log-odds of a tile: those of the detector, of the classifier, and of the box refiner
    # where there is one
    presence: tuple[float, ...] = (0.0, 1.0, 0.3)
    # the log-odds of a tile given its neighbourhood: bias, weight of the joint log-odds, of the alike boxes near by,
    # and of a likelier box over this one (`tilescore.vision.classification.neighbours`)
    context: tuple[float, ...] = (0.0, 1.0, 0.0, 0.0)

    def fuse(self, proposals: Sequence[Proposal], probabilities: NDArray[np.float32]) -> list[Detection]:
        """The proposals as detections with calibrated presence and names.

        `probabilities` (N, 47) of the 46 faces and of `no tile` are those by the classifier.
        """
        if not proposals:
            return []
        odds = np.array([evidence(*pair) for pair in zip(proposals, probabilities, strict=True)])
        present = self.present([proposal.box for proposal in proposals], odds)
        priors = np.array([prior(proposal) for proposal in proposals])
        names = self.names(priors, probabilities)
        names = limit_copies(names, present)
        order = np.argsort(-names, axis=1)[:, : _CONFIG.max_names]
        columns = (column.tolist() for column in (order, np.take_along_axis(names, order, axis=1), present))
        return [_named(*row) for row in zip(proposals, *columns, strict=True)]

    def names(self, priors: Floats, probabilities: NDArray[np.float32]) -> Floats:
        """Probabilities (N, 46) of the faces, given that there are tiles."""
        logs = np.log(probabilities[:, :-1] + _CONFIG.classifier_floor)
        joint = self.detector * np.log(priors) + self.classifier * logs
        powers = np.exp(joint - joint.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float64)

    def joint_log_odds(self, odds: Floats) -> Floats:
        """The log-odds (N,) of a tile without its neighbourhood, from those of the networks (N, 3)."""
        bias, *weights = self.presence
        return np.asarray(bias + odds[:, : len(weights)] @ np.array(weights), np.float64)

    def present(self, boxes: Sequence[Box], odds: Floats) -> Floats:
        """The presence (N,) of a tile in each box, from the log-odds of the networks (N, 3) and the neighbourhoods."""
        joint = self.joint_log_odds(odds)
        around = neighbourhood(boxes, probability(joint))
        bias, of_joint, of_alike, of_covered = self.context
        return probability(bias + of_joint * joint + of_alike * around.alike + of_covered * around.covered)


def _named(proposal: Proposal, order: list[int], names: list[float], present: float) -> Detection:
    """The detection with its likeliest names, best first, and its presence."""
    candidates = tuple(
        Candidate(ALL_FACES[index], name)
        for index, name in zip(order, names, strict=True)
        if name >= _CONFIG.min_name_share * names[0]
    )
    return Detection(proposal.box, present, candidates)


def probability(odds: Floats) -> Floats:
    """Log-odds as probabilities."""
    return np.asarray(1 / (1 + np.exp(-odds)), np.float64)


def prior(proposal: Proposal) -> Floats:
    """The weight of each of the 46 faces by the detector, none zero.

    All flowers and seasons weigh alike, because their numbers are smaller than the detector sees. A plain and a red
    five weigh alike, because `tilescore.vision.classification.red_fives` tells them apart.
    """
    weights = np.full(len(ALL_FACES), _CONFIG.detector_floor)
    for candidate in proposal.scores:
        weights[CLASS_OF[candidate.tile]] += candidate.probability
    weights[BONUS_CLASSES] = weights[BONUS_CLASSES].mean()
    for red, plain, _ in SUIT_CLASSES:
        weights[[red, plain]] = max(weights[red], weights[plain])
    return weights


def evidence(proposal: Proposal, face_probabilities: NDArray[np.float32]) -> tuple[float, float, float]:
    """The log-odds of a tile by the detector (all scores together), by the classifier, and by the box refiner."""
    score = min(_CONFIG.max_score, sum(candidate.probability for candidate in proposal.scores))
    no_tile = min(1 - _CONFIG.min_no_tile, max(_CONFIG.min_no_tile, float(face_probabilities[-1])))
    return math.log(score / (1 - score)), math.log((1 - no_tile) / no_tile), proposal.support
