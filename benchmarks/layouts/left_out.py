"""The layout on photos of sources and scenes that its fit has not seen."""

from __future__ import annotations

import gc
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from benchmarks.figures import Figure, at_least
from benchmarks.layouts.compare import compare
from tilescore.models.layout_fit import FEATURES, PARTS, fit, fit_model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchmarks.layouts.compare import PhotoResult
    from tilescore.models.layout_fit import Choice, Example

    Group = Callable[[Example], object]

_FOLDS: Final = 5


def by_source(some: Sequence[Example], drawn: Sequence[Example]) -> list[PhotoResult]:
    """The results of all photos, each read by a model that has seen no photo of its source.

    Args:
        some: examples of photos.
        drawn: examples of simulated tables.
    """
    return list(_left_out(some, drawn, lambda example: example.photo.source))


def by_scene(some: Sequence[Example], drawn: Sequence[Example]) -> list[PhotoResult]:
    """The results of all photos, each read by a model of four fifths of the scenes, without its own."""
    scenes = sorted({example.photo.scene for example in some})
    order = np.random.default_rng(0).permutation(len(scenes)).tolist()
    fold = {scene: place % _FOLDS for scene, place in zip(scenes, order, strict=True)}
    return list(_left_out(some, drawn, lambda example: fold[example.photo.scene]))


def _left_out(some: Sequence[Example], drawn: Sequence[Example], group: Group) -> Iterator[PhotoResult]:
    groups = sorted({group(example) for example in some}, key=str)
    for number, left in enumerate(groups, start=1):
        sys.stderr.write(f"\rfitting without part {number} of {len(groups)} ")
        model = fit_model([*(example for example in some if group(example) != left), *drawn])
        gc.collect()
        gc.freeze()  # else the collector visits the examples of the fit during a timed layout
        yield from (compare(example.photo, model) for example in some if group(example) == left)
    sys.stderr.write("\n")


def ablation(some: Sequence[Example], drawn: Sequence[Example], part: str) -> list[Figure]:
    """How the share of right choices with one source left out changes without each feature of a model in turn."""
    whole = _exact(some, drawn, part)
    figures = [Figure(f"{part}: right with one source left out, all features", whole)]
    for at, name in enumerate(FEATURES[part]):
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
    for left in sorted({example.photo.source for example in some}):
        fitted = fit(part, [*(example for example in some if example.photo.source != left), *drawn])
        weights = np.array(list(fitted.values()))
        for example in some:
            if example.photo.source == left:
                right += [bool(one.right[int((one.rows @ weights).argmax())]) for one in example.choices[part]]
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
