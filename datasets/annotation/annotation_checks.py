"""Checks of one picture while people label it: odd boxes, and labels that a model's prediction contradicts."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from tilescore.datasets.annotation.folder import PictureFile
from tilescore.datasets.annotation.predictions import CONFIDENT, Prediction
from tilescore.datasets.checks.finding import Finding, Place, Remark, merged
from tilescore.datasets.checks.label_checks import check_picture
from tilescore.datasets.labels import LabelledPicture
from tilescore.datasets.marks import Annotation, LabelSource

_PRIORITY: Final = {
    "disagrees": 1.0, "missed": 0.9, "contradictory_boxes": 0.85, "five_of_a_kind": 0.8, "duplicate_box": 0.75,
    "odd_shape": 0.6, "odd_size": 0.5, "box_outside": 0.4,
}  # fmt: skip
"""The priority of each code; for `disagrees` and `missed` it is raised or lowered by the model's confidence."""
_USUAL_PRIORITY: Final = 0.5
"""The priority of every other code."""
_MIN_CONFIDENCE: Final = 0.5
"""The model disagrees with a label that it gives a lower probability."""


def check_annotation(
    picture: PictureFile, size_wh: tuple[int, int], now: Annotation, prediction: Prediction | None
) -> Iterator[Finding]:
    """Everything that is odd about the marks of a picture; nothing once a person has checked it."""
    if now.checked:
        return
    for finding in check_picture(LabelledPicture(picture.path, size_wh, now.labels, picture.key)):
        yield replace(finding, priority=_PRIORITY.get(finding.code, _USUAL_PRIORITY))
    if prediction is None:
        return
    for findings in (_disagreements(picture, now, prediction), _missed(picture, now, prediction)):
        if findings:
            yield merged(findings)


def _disagreements(picture: PictureFile, now: Annotation, prediction: Prediction) -> list[Finding]:
    """Labels out of a file that the model would name otherwise."""
    findings: list[Finding] = []
    for mark in now.marks:
        confidence = prediction.confidence(mark)
        if mark.source is LabelSource.FILE and confidence < _MIN_CONFIDENCE:
            candidates = prediction.candidates(mark.box)
            other, remark = "no tile there", Remark("no_tile", {"tile": [mark.name]})
            if candidates:
                name, share = candidates[0]
                other = f"rather {name} ({share:.0%})"
                remark = Remark("disagrees", {"tile": [mark.name], "other": [name], "share": share})
            detail = f"labelled {mark.name}, the model sees {other}"
            place = Place(picture.key, picture.path, (mark.box,))
            priority = _PRIORITY["disagrees"] + (_MIN_CONFIDENCE - confidence)
            findings.append(Finding("disagrees", detail, (place,), priority, (remark,)))
    return findings


def _missed(picture: PictureFile, now: Annotation, prediction: Prediction) -> list[Finding]:
    """Tiles that the model is confident to see where no box is."""
    findings: list[Finding] = []
    for tile in prediction.unlabelled(now.marks):
        name, probability = tile.candidates[0]
        if probability >= CONFIDENT:
            detail = f"no box where the model sees {name} ({probability:.0%})"
            remark = Remark("missed", {"tile": [name], "share": probability})
            place = Place(picture.key, picture.path, (tile.box,))
            findings.append(Finding("missed", detail, (place,), _PRIORITY["missed"] + (probability - 1), (remark,)))
    return findings
