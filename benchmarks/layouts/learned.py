"""The learned choice of the hand's tiles, measured on sources and scenes that the fit has not seen."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np

from benchmarks.figures import Figure, at_least
from tilescore.models.hand_selection import PENALTY, examples, fit, picks
from tilescore.vision.hand_selection.features import FEATURES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from tilescore.datasets.layouts.judged import JudgedPhoto
    from tilescore.models.hand_selection import Example

_FOLDS: Final = 5


def learned_figures(photos: Iterable[JudgedPhoto], *, penalty: float = PENALTY) -> list[Figure]:
    """Exact selections with each source left out, by five folds of scenes, and the list's coverage."""
    some = examples(photos)
    covered = sum(example.truth is not None for example in some) / len(some)
    lists = [len(example.rows) for example in some]
    figures = [
        at_least(f"learned: the right selection is listed, {len(some)} photos", covered, 0.99),
        Figure("learned: selections a photo, mean", float(np.mean(lists))),
    ]
    right = _by_fold(some, penalty)
    figures += _shares("five folds of scenes", some, right, 0.96, 0.90)
    for source in sorted({example.photo.source for example in some}):
        inside = np.array([example.photo.source == source for example in some], bool)
        weights = fit([example for example, out in zip(some, inside, strict=True) if not out], penalty=penalty)
        left = [example for example, out in zip(some, inside, strict=True) if out]
        figures += _shares(f"{source} left out", left, picks(left, weights), 0.93, 0.90)
    return figures


def ablation(photos: Iterable[JudgedPhoto]) -> list[Figure]:
    """Exact selections by five folds of scenes, each feature set to 0 in turn."""
    some = examples(photos)
    whole = float(_by_fold(some, PENALTY).mean())
    figures = [Figure("learned: exact, all features", whole)]
    for at, name in enumerate(FEATURES):
        kept = [example.rows[:, at].copy() for example in some]
        for example in some:
            example.rows[:, at] = 0.0
        figures.append(Figure(f"learned: change without {name}", float(_by_fold(some, PENALTY).mean()) - whole))
        for example, column in zip(some, kept, strict=True):
            example.rows[:, at] = column
    return figures


def _by_fold(some: Sequence[Example], penalty: float) -> NDArray[np.bool_]:
    scenes = sorted({example.photo.scene for example in some})
    order = np.random.default_rng(0).permutation(len(scenes)).tolist()
    fold_of = {scene: order[at] % _FOLDS for at, scene in enumerate(scenes)}
    folds = np.array([fold_of[example.photo.scene] for example in some])
    right = np.zeros(len(some), bool)
    for fold in range(_FOLDS):
        weights = fit([example for example, at in zip(some, folds, strict=True) if at != fold], penalty=penalty)
        inside = np.flatnonzero(folds == fold).tolist()
        right[inside] = picks([some[at] for at in inside], weights)
    return right


def _shares(what: str, some: Sequence[Example], right: NDArray[np.bool_], hands: float, empty: float) -> list[Figure]:
    groups: dict[bool, list[bool]] = defaultdict(list)
    for example, good in zip(some, right.tolist(), strict=True):
        groups[example.photo.kind == "no_hand"].append(good)
    figures = []
    if groups[False]:
        share = sum(groups[False]) / len(groups[False])
        figures.append(at_least(f"learned: tiles exact, {what}, {len(groups[False])} hands", share, hands))
    if groups[True]:
        share = sum(groups[True]) / len(groups[True])
        figures.append(at_least(f"learned: left empty, {what}, {len(groups[True])} photos", share, empty))
    return figures
