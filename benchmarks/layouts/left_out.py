"""The layout on photos of authors whose photos its fit has not seen."""

from __future__ import annotations

import gc
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.layouts.compare import compare
from tests.harness.figures import Figure, at_least
from tilescore.models.layout_fit import PARTS, fit
from tilescore.vision.layout.model import FEATURES_OF, LayoutModel

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.layouts.compare import PhotoResult
    from tilescore.datasets.layouts.judged import JudgedPhoto
    from tilescore.models.layout_fit import Example
    from tilescore.models.ranking import Choice


def left_out(
    some: Sequence[Example], drawn: Sequence[Example], *, also: Sequence[JudgedPhoto] = ()
) -> Iterator[PhotoResult]:
    """The results of all photos, each read by a model that has seen no photo of its author.

    Args:
        some: examples of photos.
        drawn: examples of simulated tables.
        also: other forms of these photos, which no model sees.
    """
    photos = [*(example.photo for example in some), *(photo for photo in also if photo.kind != "any")]
    authors = sorted({example.photo.author for example in some})
    for number, left in enumerate(authors, start=1):
        sys.stderr.write(f"\rfitting without author {number} of {len(authors)} ")
        seen = [*(example for example in some if example.photo.author != left), *drawn]
        model = LayoutModel(**{part: fit(part, seen) for part in PARTS})
        gc.collect()
        gc.freeze()  # else the collector visits the examples of the fit during a timed layout
        yield from (compare(photo, model) for photo in photos if photo.author == left)
    sys.stderr.write("\n")


def ablation(some: Sequence[Example], drawn: Sequence[Example], part: str) -> list[Figure]:
    """How the share of right choices with one author left out changes without each feature of a model in turn."""
    whole = _exact(some, drawn, part)
    figures = [Figure(f"{part}: right with one author left out, all features", whole)]
    for at, name in enumerate(FEATURES_OF[part]):
        without = [[_without(example, part, at) for example in examples] for examples in (some, drawn)]
        figures.append(Figure(f"{part}: change without {name}", _exact(without[0], without[1], part) - whole))
    return figures


def _without(example: Example, part: str, at: int) -> Example:
    def cut(choice: Choice) -> Choice:
        rows = choice.rows.copy()
        rows[:, at] = 0.0
        return replace(choice, rows=rows)

    return replace(example, choices={**example.choices, part: tuple(cut(choice) for choice in example.choices[part])})


def _exact(some: Sequence[Example], drawn: Sequence[Example], part: str) -> float:
    right: list[bool] = []
    for left in sorted({example.photo.author for example in some}):
        fitted = fit(part, [*(example for example in some if example.photo.author != left), *drawn])
        for example in some:
            if example.photo.author == left:
                right += [bool(one.right[int(fitted.scores(one.rows).argmax())]) for one in example.choices[part]]
    return sum(right) / max(1, len(right))


def coverage(some: Sequence[Example]) -> list[Figure]:
    """How often the right alternative is listed, and how many there are."""
    figures = []
    for part in PARTS:
        choices = [choice for example in some for choice in example.choices[part]]
        listed = sum(bool(choice.right.any()) for choice in choices) / len(choices)
        figures.append(at_least(f"{part}: the right alternative is listed, {len(choices)} choices", listed, 0.98))
        figures.append(Figure(f"{part}: alternatives, mean", float(np.mean([len(choice.rows) for choice in choices]))))
    return figures
