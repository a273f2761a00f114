"""Fit when a faint blank place is a white dragon: `python -m tilescore.models.row_blank_fit ../shared/data/tables`.

Two logistic regressions on the blank places that the detector proposes, in photos and in strips along their rows, of
judged hands as they are and with single tiles made blank. Prints bias and weights for `BlankFaceConfig` and
`AlongRowConfig`, then, for each source of photos, what a fit without it finds and what it takes wrongly, beside what is
found without the fit.
"""

import argparse
import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from tilescore.models.evaluation.judged_hands import JudgedHand, as_they_are, blanked, judged_hands
from tilescore.models.evaluation.matching import MATCH
from tilescore.models.logistic import scaled_logistic
from tilescore.models.registry import DEFAULT, load_reader
from tilescore.vision.arrays import Floats
from tilescore.vision.classification.blank_faces import FAINT_MEASURES, WHITE, faint_dragons
from tilescore.vision.classification.config import BlankFaceConfig
from tilescore.vision.detection.along_row import ROW_MEASURES, row_blanks, rows_worth_a_look, strip_along
from tilescore.vision.detection.config import AlongRowConfig
from tilescore.vision.detections import Detection
from tilescore.vision.image.boxes import Box
from tilescore.vision.reader import TileReader

_PENALTY: Final = 0.5
_MAX_OVERLAP: Final = 0.1
"""A place that overlaps a tile of the hand by more (IoU) shows a part of it, and is no example."""


class BlankPlace(NamedTuple):
    """A blank place in a photo or in a strip: its measures, the truth, and whether the eye alone finds it."""

    source: str
    picture: str
    measures: Floats
    is_white: bool
    is_found: bool


class Fitted(NamedTuple):
    """What is fitted for one kind of picture: the names of the measures and the log-odds that a white dragon needs."""

    measures: Sequence[str]
    least: float


_FAINT: Final = BlankFaceConfig().faint_presence
FITTED: Final = {
    "photo": Fitted(FAINT_MEASURES, math.log(_FAINT / (1 - _FAINT))),
    "strip": Fitted(ROW_MEASURES, AlongRowConfig().min_blank_odds),
}


def places(reader: TileReader, hand: JudgedHand) -> Iterator[BlankPlace]:
    """The blank places of a photo and of the strips in it, with the truth."""
    if reader.corners is None:
        raise ValueError("this reader finds no corners.")
    photo = hand.photo
    proposals = reader.propose(photo.rgb)
    probabilities = reader.probabilities(photo.rgb, [proposal.box for proposal in proposals])
    fused = reader.fusion.fuse(proposals, probabilities)
    rows = zip(*faint_dragons(photo.rgb, proposals, probabilities), strict=True)
    yield from _judged(reader, hand, "photo", ((fused[at], fused[at].box, row) for at, row in rows))
    named = reader.classify(photo.rgb, proposals)
    for members in rows_worth_a_look(photo.rgb, named):
        strip = strip_along(photo.rgb, [named[index].box for index in members], reader.corners)
        if strip is not None:
            fused, probabilities = reader.in_strip(strip)
            rows = zip(*row_blanks(strip, fused, probabilities), strict=True)
            seen = [(fused[at], strip.in_picture(fused[at].box), row) for at, row in rows]
            yield from _judged(reader, hand, "strip", seen)


def _judged(
    reader: TileReader, hand: JudgedHand, picture: str, seen: Iterable[tuple[Detection, Box, Floats]]
) -> Iterator[BlankPlace]:
    """The places, given as detections, boxes in the photo and measures, of which the truth is known."""
    for detection, box, measures in seen:
        place = box.scaled(hand.photo.scale)
        best = max(hand.tiles, key=lambda tile: tile.box.iou(place))
        overlap = best.box.iou(place)
        is_white = overlap >= MATCH and best.name == str(WHITE)
        if is_white or overlap < _MAX_OVERLAP:
            is_found = detection.tile == WHITE and detection.presence >= reader.config.min_presence
            yield BlankPlace(hand.source, picture, measures, is_white, is_found)


def fit(some: Sequence[BlankPlace]) -> tuple[float, Floats]:
    """Bias and weights of the measures; each source has equal weight."""
    sources = [place.source for place in some]
    shares = [len(some) / len(set(sources)) / sources.count(source) for source in sources]
    rows, wanted = np.array([place.measures for place in some]), [place.is_white for place in some]
    return scaled_logistic(rows, wanted, penalty=_PENALTY, shares=shares)


def report(some: Sequence[BlankPlace], fitted: Fitted) -> Iterator[str]:
    """The fit on all places, then for each source how a fit without it does."""
    bias, weights = fit(some)
    yield f"bias {bias:.2f}, weights {[round(float(weight), 2) for weight in weights]} for {fitted.measures}"
    for source in sorted({spot.source for spot in some}):
        bias, weights = fit([spot for spot in some if spot.source != source])
        mine = [(spot, bias + float(spot.measures @ weights) >= fitted.least) for spot in some if spot.source == source]
        white, rest = (
            [(spot.is_found, is_white) for spot, is_white in mine if spot.is_white is side] for side in (True, False)
        )
        before, after = np.sum([(0, 0), *white], axis=0)
        wrong_before, wrong = np.sum([(0, 0), *rest], axis=0)
        yield (
            f"{source}: white dragons {before} to {after} of {len(white)}; "
            f"others {wrong_before} to {wrong} of {len(rest)}"
        )


def main() -> None:
    """Print the fits and how they do on sources that they have not seen."""
    parser = argparse.ArgumentParser(prog="python -m tilescore.models.row_blank_fit", description=__doc__)
    parser.add_argument("tables", type=Path, help="folder of the judged photos, with roles.jsonl")
    parser.add_argument("--every", type=int, default=1, help="learn from one hand of so many")
    options = parser.parse_args()
    reader = load_reader(DEFAULT)
    if reader.corners is None:
        parser.error("this model finds no corners of faces: name another one.")
    some = [
        place
        for hand in islice(judged_hands(options.tables / "roles.jsonl", options.tables), 0, None, options.every)
        for change in (as_they_are, blanked)
        for changed in change(hand, reader.corners)
        for place in places(reader, changed)
    ]
    for picture, fitted in FITTED.items():
        print(f"{picture}:")  # noqa: T201
        for line in report([place for place in some if place.picture == picture], fitted):
            print(line)  # noqa: T201


if __name__ == "__main__":
    main()
