"""Fitting how the two networks' probabilities are joined, on validation photos, so that confidences are probabilities.

Weights of presence by logistic regression, first of each place alone, then with what lies around it; two weights of
naming by the least negative log-likelihood on a grid. Pictures of clutter without tiles belong to the photos, else
clutter gets too high a presence; and scenes of artwork that no training saw (`FITTING` of `datasets.artwork.artwork`),
else unknown tiles get too low a one. Written into models.json; never fitted on a test set.
"""

import argparse
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from itertools import chain, product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilescore.models.evaluation.matching import MATCH, Labelled, labelled_photos
from tilescore.models.logistic import logistic
from tilescore.models.registry import DEFAULT, load_reader, write_fusion
from tilescore.scoring.tiles import ALL_FACES
from tilescore.vision.arrays import Floats
from tilescore.vision.classification.fusion import Fusion, evidence, prior, probability
from tilescore.vision.classification.neighbours import neighbourhood
from tilescore.vision.image.boxes import Box
from tilescore.vision.reader import TileReader

_INDEX = {str(tile): index for index, tile in enumerate(ALL_FACES)}
_NONE, _GLIMPSE = -1, -2


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What both networks said of N detections, and the truth."""

    # of each photo its N boxes, pixels; what lies around a place is of its own photo
    boxes: tuple[tuple[Box, ...], ...]
    odds: Floats  # log-odds of presence (N, 3), the detector's, the classifier's and the refiner's
    priors: Floats  # the detector's belief in each face (N, 46)
    probabilities: Floats  # the classifier's (N, 46)
    # index of the true face (N,), -1 where there is no tile, -2 where a tile without a label is glimpsed: nothing is to
    # be learned there
    truths: NDArray[np.int64]


def gather(data: Path, *, split: str, model: str) -> Evidence:
    """Every detection in the labelled parts of the photos of a split, however faint."""
    try:
        return evidence_in(load_reader(model), labelled_photos(data, split))
    except ValueError as error:
        raise ValueError(f"{error} ({model}, the {split} photos of '{data}')") from None


def evidence_in(reader: TileReader, photos: Iterable[Labelled]) -> Evidence:
    """Every detection in the labelled parts of those photos, however faint."""
    if reader.classifier is None:
        raise ValueError("there is no classifier to calibrate.")
    rows: list[tuple[tuple[float, float, float], Any, Any, int]] = []
    boxes: list[tuple[Box, ...]] = []
    for labelled in photos:
        photo = labelled.photo
        proposals = [d for d in reader.propose(photo.rgb) if labelled.region.holds(d.box.scaled(photo.scale).center)]
        boxes.append(tuple(detection.box for detection in proposals))
        probabilities = reader.probabilities(photo.rgb, boxes[-1])
        left = list(labelled.truths)
        for detection, face_probabilities in zip(proposals, probabilities, strict=True):
            box = detection.box.scaled(photo.scale)
            best = max(left, key=lambda truth: truth.box.iou(box), default=None)
            wanted = _NONE
            if best is not None and best.box.iou(box) >= MATCH:
                left.remove(best)
                wanted = _INDEX[best.name]
            elif any(ignore_region.iou(box) >= MATCH for ignore_region in labelled.ignore_regions):
                wanted = _GLIMPSE
            rows.append((evidence(detection, face_probabilities), prior(detection), face_probabilities[:-1], wanted))
    if not rows:
        raise ValueError("the detector sees nothing in these photos: nothing can be fitted on them.")
    odds, priors, opinions_, truths = zip(*rows, strict=True)
    return Evidence(tuple(boxes), np.array(odds), np.array(priors), np.array(opinions_, np.float64), np.array(truths))


def joined(parts: Iterable[Evidence]) -> Evidence:
    """Several sets as one."""
    given = tuple(parts)
    columns = zip(*((part.odds, part.priors, part.probabilities, part.truths) for part in given), strict=True)
    boxes = tuple(chain.from_iterable(part.boxes for part in given))
    return Evidence(boxes, *(np.concatenate(column) for column in columns))


def fit(seen: Evidence) -> Fusion:
    """The fusion that makes the truths likeliest."""
    tiles, judged = seen.truths >= 0, seen.truths != _GLIMPSE
    alone = Fusion(presence=_regression(seen.odds[judged], tiles[judged]))
    context = _regression(_around(seen, alone.joint_log_odds(seen.odds))[judged], tiles[judged])
    grid = product((0.0, 0.25, 0.35, 0.5, 0.75, 1.0), (0.4, 0.5, 0.7, 0.85, 1.0, 1.2, 1.4, 1.7, 2.0))
    best = min(
        grid, key=lambda pair: _surprise(seen.priors[tiles], seen.probabilities[tiles], seen.truths[tiles], pair)
    )
    return replace(alone, detector=best[0], classifier=best[1], context=context)


def _around(evidence: Evidence, alone: Floats) -> Floats:
    """The log-odds of each place alone, and what lies around it in its photo (N, 3)."""
    counts = [len(boxes) for boxes in evidence.boxes]
    parts = np.split(probability(alone), np.cumsum(counts)[:-1])
    near = [neighbourhood(boxes, part) for boxes, part in zip(evidence.boxes, parts, strict=True)]
    return np.column_stack(
        [alone, np.concatenate([around.alike for around in near]), np.concatenate([around.covered for around in near])]
    )


def _regression(columns: Floats, wanted: NDArray[np.bool_]) -> tuple[float, ...]:
    """Bias and weights of a logistic regression, held gently near nothing."""
    rows = np.column_stack([np.ones(len(columns)), columns])
    return tuple(map(float, logistic(rows, wanted, penalty=np.full(rows.shape[1], 0.1))))


def _surprise(priors: Floats, probabilities: Floats, truths: NDArray[np.int64], pair: tuple[float, float]) -> float:
    """Mean negative log-likelihood of the true names."""
    joint = pair[0] * np.log(priors) + pair[1] * np.log(probabilities + 1e-4)
    joint -= joint.max(axis=1, keepdims=True)
    names = np.exp(joint)
    names /= names.sum(axis=1, keepdims=True)
    return float(-np.log(names[np.arange(len(truths)), truths] + 1e-6).mean())


def main() -> None:
    """Fit on a labelled set and write the result into models.json."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="+", help="data.yaml of a labelled set; another split than val: data.yaml:test")
    parser.add_argument("--model", default=DEFAULT)
    arguments = parser.parse_args()
    sets = [(Path(path), split or "val") for path, _, split in (given.partition(":") for given in arguments.data)]
    fusion = fit(joined(gather(path, split=split, model=arguments.model) for path, split in sets))
    write_fusion(arguments.model, fusion)
    print(json.dumps(asdict(fusion)))  # noqa: T201


if __name__ == "__main__":
    main()
