"""Fit when a blank place in a row is a white dragon: `python -m tilescore.models.row_blank_fit ../shared/data/tables`.

A logistic regression on the blank places that the detector proposes in strips along rows, of judged hands as they are
and with single tiles made blank. Prints bias and weights for `AlongRowConfig`, then, for each source of photos, what a
fit without it finds and what it takes wrongly, beside what is found without the fit.
"""

from __future__ import annotations

import argparse
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from tilescore.models.evaluation.judged_hands import as_they_are, blanked, judged_hands
from tilescore.models.evaluation.matching import MATCH
from tilescore.models.logistic import scaled_logistic
from tilescore.models.registry import DEFAULT, load_reader
from tilescore.vision.detection.along_row import ROW_MEASURES, WHITE, row_blanks, rows_worth_a_look, strip_along
from tilescore.vision.detection.config import DETECTION

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from tilescore.models.evaluation.judged_hands import JudgedHand
    from tilescore.vision.reader import TileReader

    Array = NDArray[np.float64]

_PENALTY: Final = 0.5
_MAX_OVERLAP: Final = 0.1
"""A place that overlaps a tile of the hand by more (IoU) shows a part of it, and is no example."""


class BlankPlace(NamedTuple):
    """A blank place in a strip: source, measures, whether a white dragon lies there, whether the eye alone says so."""

    source: str
    measures: Array
    is_white: bool
    is_found: bool


def places(reader: TileReader, hand: JudgedHand) -> Iterator[BlankPlace]:
    """The blank places in the strips of a photo, with the truth."""
    if reader.corners is None:
        raise ValueError("this reader finds no corners.")
    photo = hand.photo
    found = reader.classify(photo.rgb, reader.propose(photo))
    for members in rows_worth_a_look(photo.rgb, found):
        strip = strip_along(photo.rgb, [found[index].box for index in members], reader.corners)
        if strip is None:
            continue
        fused, probabilities = reader.in_strip(strip)
        for index, measures in zip(*row_blanks(strip, fused, probabilities), strict=True):
            box = strip.in_picture(fused[index].box).scaled(photo.scale)
            best = max(hand.tiles, key=lambda tile: tile.box.iou(box))
            overlap = best.box.iou(box)
            is_white = overlap >= MATCH and best.name == str(WHITE)
            if is_white or overlap < _MAX_OVERLAP:
                is_found = fused[index].tile == WHITE and fused[index].presence >= reader.config.min_presence
                yield BlankPlace(hand.source, measures, is_white, is_found)


def fit(some: Sequence[BlankPlace]) -> tuple[float, Array]:
    """Bias and weights of the measures; each source has equal weight."""
    sources = [one.source for one in some]
    shares = [len(some) / len(set(sources)) / sources.count(source) for source in sources]
    rows, wanted = np.array([one.measures for one in some]), [one.is_white for one in some]
    return scaled_logistic(rows, wanted, penalty=_PENALTY, shares=shares)


def main() -> None:
    """Print the fit and how it does on sources that it has not seen."""
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
    bias, weights = fit(some)
    print(f"bias {bias:.2f}, weights {[round(float(each), 2) for each in weights]} for {ROW_MEASURES}")  # noqa: T201
    for source in sorted({one.source for one in some}):
        bias, weights = fit([one for one in some if one.source != source])
        least = DETECTION.along_row.min_blank_odds
        mine = [(one, bias + float(one.measures @ weights) >= least) for one in some if one.source == source]
        white, rest = (
            [(one.is_found, is_white) for one, is_white in mine if one.is_white is side] for side in (True, False)
        )
        before, after = np.sum([(0, 0), *white], axis=0)
        wrong_before, wrong = np.sum([(0, 0), *rest], axis=0)
        print(  # noqa: T201
            f"{source}: white dragons {before} to {after} of {len(white)}; "
            f"others {wrong_before} to {wrong} of {len(rest)}"
        )


if __name__ == "__main__":
    main()
