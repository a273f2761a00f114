"""What about the marks of one picture asks for a look, and how much: odd boxes, and what a model sees otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tilescore.datasets.annotation.annotation import Annotation, Source
from tilescore.datasets.annotation.predictions import SURE, Prediction
from tilescore.datasets.checks.label_checks import check_picture
from tilescore.datasets.labels import LabelledPicture

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tilescore.datasets.annotation.folder import PictureFile

_RANKS: Final = {
    "disagrees": 1.0, "missed": 0.9, "contradictory_boxes": 0.85, "five_of_a_kind": 0.8, "duplicate_box": 0.75,
    "odd_shape": 0.6, "odd_size": 0.5, "box_outside": 0.4,
}  # fmt: skip
"""How much a remark asks for a look."""
_HALF: Final = 0.5
"""What is believed less than this is rather something else."""


def suspicions(
    picture: PictureFile, size_wh: tuple[int, int], now: Annotation, prediction: Prediction | None
) -> Iterator[tuple[str, str, float]]:
    """What is odd about the marks: code, words, rank."""
    if now.checked:
        return
    labelled = LabelledPicture(picture.path, size_wh, now.labels, picture.key)
    for remark in check_picture(labelled):
        yield remark.code, remark.detail, _RANKS.get(remark.code, _HALF)
    if prediction is None:
        return
    yield from _together("disagrees", _disagreements(now, prediction))
    yield from _together("missed", _missed(now, prediction))


def _disagreements(now: Annotation, prediction: Prediction) -> Iterator[tuple[str, float]]:
    """Labels that the model would give another name."""
    for mark in now.marks:
        trust = prediction.trust(mark)
        if mark.source is Source.FILE and trust < _HALF:
            guesses = prediction.guesses(mark.box)
            other = f"rather {guesses[0][0]} ({guesses[0][1]:.0%})" if guesses else "no tile there"
            yield f"labelled {mark.name}, the model sees {other}", _HALF - trust


def _missed(now: Annotation, prediction: Prediction) -> Iterator[tuple[str, float]]:
    """Tiles that the model is sure to see where no box is."""
    for seen in prediction.missed(now.marks):
        name, share = seen.guesses[0]
        if share >= SURE:
            yield f"no box where the model sees {name} ({share:.0%})", share - 1


def _together(code: str, found: Iterable[tuple[str, float]]) -> Iterator[tuple[str, str, float]]:
    """One remark for all of a kind in a picture: the first three in words."""
    details = list(found)
    if details:
        text = "; ".join(detail for detail, _ in details[:3])
        more = f"; {len(details) - 3} more" if len(details) > 3 else ""
        yield code, text + more, _RANKS[code] + max(rank for _, rank in details)
