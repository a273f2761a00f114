"""The layout on photos of authors whose photos its fit has not seen."""

from __future__ import annotations

import gc
import math
import sys
from collections import defaultdict
from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from benchmarks.layouts.compare import compare
from tests.harness.figures import Figure, at_least
from tilescore.models.layout_fit import PARTS, fit
from tilescore.vision.layout.model import FEATURES_OF, LayoutModel, weighed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.layouts.compare import PhotoResult
    from tilescore.datasets.layouts.judged import JudgedPhoto
    from tilescore.models.layout_fit import Example
    from tilescore.models.ranking import Choice
    from tilescore.vision.layout.model import Network

_LEAST: Final = 1e-5
"""Alternatives that are not listed count as if they had this probability."""


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


class Judgement(NamedTuple):
    """One choice in a photo by a network that has seen no photo of its author."""

    photo: JudgedPhoto  # the photo
    nats: float  # negative logarithm of the probability of the right alternatives
    is_right: bool  # whether the most probable alternative is right

    @staticmethod
    def of(photo: JudgedPhoto, choice: Choice, network: Network) -> Judgement:
        """The judgement of a network."""
        ranked = weighed(network.scores(choice.rows))
        right = sum(one.probability for one in ranked if choice.right[one.place])
        return Judgement(photo, -math.log(max(right, _LEAST)), bool(choice.right[ranked[0].place]))


def judgements(
    some: Sequence[Example], drawn: Sequence[Example], part: str, *, also: Sequence[Example] = ()
) -> Iterator[Judgement]:
    """The choices of one network, one author left out of its fit at a time; `also` has other forms of the photos."""
    for left in sorted({example.photo.author for example in some}):
        network = fit(part, [*(example for example in some if example.photo.author != left), *drawn])
        for example in (*some, *also):
            if example.photo.author == left:
                yield from (Judgement.of(example.photo, choice, network) for choice in example.choices[part])


def chances(some: Sequence[Example], drawn: Sequence[Example], *, also: Sequence[Example] = ()) -> list[Figure]:
    """How probable the right alternatives are, each source alike: the lower a figure, the better.

    Unlike a number of right photos, these figures change with each photo and by small steps.
    """
    figures = []
    for part in PARTS:
        by_kind: dict[str, dict[str, list[Judgement]]] = defaultdict(lambda: defaultdict(list))
        for one in judgements(some, drawn, part, also=also):
            by_kind[one.photo.kind][one.photo.source].append(one)
        for kind, sources in sorted(by_kind.items()):
            every = [one for of_source in sources.values() for one in of_source]
            nats = fmean(fmean(one.nats for one in of_source) for of_source in sources.values())
            figures.append(Figure(f"{part}, {kind}: negative log-probability of the right one, mean of sources", nats))
            name = f"{part}, {kind}: right ones of {len(every)}"
            figures.append(Figure(name, sum(one.is_right for one in every)))
    return figures


def ablation(some: Sequence[Example], drawn: Sequence[Example], part: str) -> list[Figure]:
    """How the share of right choices with one author left out changes without each feature of a model in turn."""

    def right(judged: Iterator[Judgement]) -> float:
        return fmean(one.is_right for one in judged)

    whole = right(judgements(some, drawn, part))
    figures = [Figure(f"{part}: right with one author left out, all features", whole)]
    for at, name in enumerate(FEATURES_OF[part]):
        less, less_drawn = ([_without(example, part, at) for example in examples] for examples in (some, drawn))
        figures.append(Figure(f"{part}: change without {name}", right(judgements(less, less_drawn, part)) - whole))
    return figures


def _without(example: Example, part: str, at: int) -> Example:
    def cut(choice: Choice) -> Choice:
        rows = choice.rows.copy()
        rows[:, at] = 0.0
        return replace(choice, rows=rows)

    return replace(example, choices={**example.choices, part: tuple(cut(choice) for choice in example.choices[part])})


def coverage(some: Sequence[Example]) -> list[Figure]:
    """How often the right alternative is listed, and how many there are."""
    figures = []
    for part in PARTS:
        choices = [choice for example in some for choice in example.choices[part]]
        listed = sum(bool(choice.right.any()) for choice in choices) / len(choices)
        figures.append(at_least(f"{part}: the right alternative is listed, {len(choices)} choices", listed, 0.98))
        figures.append(Figure(f"{part}: alternatives, mean", float(np.mean([len(choice.rows) for choice in choices]))))
    return figures
