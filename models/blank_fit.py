"""Fit when a blank crop is a white dragon: `python -m tilescore.models.blank_fit ../shared/data/photos`.

A logistic regression on the labelled white dragons without a picture and on the crops that are none, with what the
classifier says as an offset. Prints bias and weights for `BlankFaceConfig`, then, for each source of photos and for
five parts of the photos, the log-odds of its unclear white dragons and of the likeliest others by a fit without it.
"""

import argparse
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from tilescore.models.evaluation.matching import MATCH, Labelled, labelled_photos
from tilescore.models.logistic import scaled_logistic
from tilescore.models.registry import DEFAULT, load_reader
from tilescore.vision.arrays import Floats
from tilescore.vision.classification.blank_faces import BLANK, MEASURES, UNCLEAR, blank_measures, parts, prior_log_odds
from tilescore.vision.classification.config import BlankFaceConfig
from tilescore.vision.reader import TileReader

_SPLITS: Final = ("train", "val", "test_unseen")
_MIN_CONFIDENCE: Final = 0.2
"""Fainter proposals of the detector never become tiles, whatever their crop shows."""
_MAX_OVERLAP: Final = 0.1
"""A crop that overlaps a labelled tile by more (IoU) shows a part of it, and is no example."""
_MAX_TEXTURE: Final = 0.05
"""A clear white dragon with more texture has a frame: it is no blank face."""
_UNCLEAR_LOG_ODDS: Final = -1.5
"""A clear blank face counts as if the classifier were unsure, as on the sets that it does not know."""
_MOST: Final = 30.0
"""The white dragons of one source weigh as much as so many, at most."""
_PENALTY: Final = 0.2
_FOLDS: Final = 5


@dataclass(frozen=True, slots=True)
class Crop:
    """A crop that may be a blank face."""

    # photo, source: name of its photo, and the camera that took it
    photo: str
    source: str
    measures: tuple[float, ...]  # what `blank_measures` finds
    prior: float  # log-odds of a white dragon by the classifier
    # is_blank, is_unclear: whether it is a white dragon, and whether the classifier leaves it open
    is_blank: bool
    is_unclear: bool


def crops(reader: TileReader, labelled: Labelled) -> Iterator[Crop]:
    """The crops of a labelled photo that may be blank faces, with the truth."""
    config, photo = BlankFaceConfig(), labelled.photo
    proposals = reader.propose(photo.rgb)[: reader.config.max_crops]
    if reader.classifier is None or not proposals:
        return
    boxes = [proposal.box for proposal in proposals]
    probabilities = reader.classifier.classify(photo.rgb, boxes)
    faces, unclear, _ = parts(probabilities)
    if len(faces) < config.min_faces or not len(unclear):
        return
    for at, row in zip(unclear.tolist(), blank_measures(photo.rgb, boxes, faces, unclear, unclear), strict=True):
        box = boxes[at].scaled(photo.scale)
        best = max(labelled.truths, key=lambda truth: truth.box.iou(box), default=None)
        overlap = 0.0 if best is None else best.box.iou(box)
        is_blank = best is not None and overlap >= MATCH and best.name == "5z"
        is_known = labelled.region.holds(box.center) and not any(
            part.iou(box) >= MATCH for part in labelled.ignore_regions
        )
        is_unclear = bool(probabilities[at, BLANK] < config.is_clear)
        is_framed = not is_unclear and row[MEASURES.index("texture")] > np.log(config.colour_floor + _MAX_TEXTURE)
        if not np.isfinite(row).all() or (is_framed if is_blank else not is_known or not is_unclear):
            continue
        if not is_blank and (overlap > _MAX_OVERLAP or proposals[at].confidence < _MIN_CONFIDENCE):
            continue
        share = float(probabilities[at, BLANK] / probabilities[at, UNCLEAR].sum())
        prior = prior_log_odds(share) if is_unclear else _UNCLEAR_LOG_ODDS
        yield Crop(photo.name, labelled.camera, tuple(row.tolist()), prior, is_blank, is_unclear)


def fit(some: Sequence[Crop]) -> tuple[float, Floats]:
    """Bias and weights of the measures, for what the classifier leaves open."""
    counts = {crop.source: sum(other.is_blank and other.source == crop.source for other in some) for crop in some}
    return scaled_logistic(
        np.array([crop.measures for crop in some]),
        [crop.is_blank for crop in some],
        penalty=_PENALTY,
        shares=[min(_MOST, counts[crop.source]) / counts[crop.source] if crop.is_blank else 1.0 for crop in some],
        offset=[crop.prior for crop in some],
    )


def judged(some: Sequence[Crop], others: Sequence[Crop]) -> str:
    """The log-odds of the unclear crops of `some` by a fit on `others`, as text."""
    bias, weights = fit(others)
    odds = [
        (crop.prior + bias + float(np.array(crop.measures) @ weights), crop.is_blank)
        for crop in some
        if crop.is_unclear
    ]
    blank = sorted(value for value, is_blank in odds if is_blank)
    rest = sorted((value for value, is_blank in odds if not is_blank), reverse=True)
    return (
        f"white dragons {sum(value > 0 for value in blank)} of {len(blank)} ({', '.join(f'{v:.1f}' for v in blank)}); "
        f"others {sum(value > 0 for value in rest)} of {len(rest)} ({', '.join(f'{v:.1f}' for v in rest[:5])})"
    )


def main() -> None:
    """Print the fit and how it does on photos that it has not seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder of the labelled photos, with data.yaml")
    options = parser.parse_args()
    reader = load_reader(DEFAULT)
    some = [
        crop
        for split in _SPLITS
        for labelled in labelled_photos(options.data / "data.yaml", split)
        for crop in crops(reader, labelled)
    ]
    bias, weights = fit(some)
    print(f"bias {bias:.2f}, weights {[round(float(weight), 2) for weight in weights]} for {MEASURES}")  # noqa: T201
    folds = {
        **{f"source {crop.source}": crop.source for crop in some},
        **{f"part {number}": number for number in range(_FOLDS)},
    }
    for name, key in folds.items():
        inside = [key in (crop.source, zlib.crc32(crop.photo.encode()) % _FOLDS) for crop in some]
        seen, rest = (
            [crop for crop, is_in in zip(some, inside, strict=True) if is_in is side] for side in (True, False)
        )
        if any(crop.is_blank for crop in rest):
            print(f"{name}: {judged(seen, rest)}")  # noqa: T201


if __name__ == "__main__":
    main()
