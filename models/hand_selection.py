"""Fit the choice of the hand's tiles on photos whose roles people judged: `make fit-layout`.

A log-linear model over the selections of a photo, by Newton's method, with a quadratic penalty. A scene weighs the root
of the number of its photos. The photos without a hand weigh half as much as the others. The result is
`vision/hand_selection/weights.json`. The reader does not use it yet.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from tilescore.datasets.layouts.judged import judged_boxes, judged_photos
from tilescore.models.registry import load_reader
from tilescore.vision.hand_selection.candidates import selections
from tilescore.vision.hand_selection.features import FEATURES, feature_rows
from tilescore.vision.hand_selection.ranking import WEIGHTS
from tilescore.vision.hand_selection.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from tilescore.datasets.layouts.judged import JudgedPhoto

    Array = NDArray[np.float64]

PENALTY: Final = 0.01
"""Weight of the quadratic penalty, on features divided by their standard deviation. Chosen."""
_NO_HAND: Final = 0.5
"""Total weight of the photos without a hand, as a share of that of the others. Chosen."""
_STEPS: Final = 30


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """The selections of one photo as features, and which of them is the hand.

    Attributes:
        photo: the judged photo.
        rows: features (N, F) of its selections.
        truth: index of the right selection; None if the list does not hold it.
    """

    photo: JudgedPhoto
    rows: Array
    truth: int | None


def examples(photos: Iterable[JudgedPhoto]) -> list[Example]:
    """The examples of all photos that count."""
    found = []
    for photo in photos:
        if photo.kind == "any":
            continue
        scene = Scene.of(photo.detections, photo.size_wh)
        chosen = selections(scene)
        hand = frozenset(photo.hand & set(scene.faces.tolist()))
        found.append(Example(photo, feature_rows(scene, chosen), chosen.index(hand) if hand in chosen else None))
    return found


def fit(some: Sequence[Example], *, penalty: float = PENALTY) -> Array:
    """The weights (F,) that make the judged selections most probable; only photos of the split `train` count."""
    usable = [example for example in some if example.truth is not None and example.photo.split == "train"]
    shares = _shares(usable)
    rows = np.concatenate([example.rows for example in usable])
    scale = rows.std(axis=0)
    scale[scale < 1e-9] = np.inf
    scaled = [example.rows / scale for example in usable]
    weights = np.zeros(len(FEATURES))
    for _ in range(_STEPS):
        gradient, hessian = penalty * weights, penalty * np.eye(len(weights))
        for share, features, example in zip(shares, scaled, usable, strict=True):
            scores = features @ weights
            powers = np.exp(scores - scores.max())
            chances = powers / powers.sum()
            mean = chances @ features
            gradient += share * (mean - features[example.truth])
            hessian += share * ((features.T * chances) @ features - np.outer(mean, mean))
        step = np.linalg.solve(hessian, gradient)
        weights -= step * min(1.0, 3.0 / max(1e-9, float(np.linalg.norm(step))))
        if np.abs(step).max() < 1e-6:
            break
    return np.asarray(weights / scale)


def picks(some: Sequence[Example], weights: Array) -> NDArray[np.bool_]:
    """For each example whether the weights choose the right selection."""
    return np.array([int((example.rows @ weights).argmax()) == example.truth for example in some], bool)


def _shares(some: Sequence[Example]) -> Array:
    """The weight of each example: 1 / sqrt(photos of its scene), photos without a hand together less."""
    photos = Counter(example.photo.scene for example in some)
    shares = np.array([photos[example.photo.scene] ** -0.5 for example in some])
    empty = np.array([example.photo.kind == "no_hand" for example in some], bool)
    if empty.any() and not empty.all():
        shares[empty] *= _NO_HAND * shares[~empty].sum() / shares[empty].sum()
    return np.asarray(shares / shares.sum())


def judged(data: Path, *, own: bool = True) -> list[JudgedPhoto]:
    """All judged photos below that folder: those of `layouts`, then ours of `photos`, which the networks read."""
    photos = list(judged_boxes(data / "layouts" / "layouts.jsonl"))
    if own:
        known = {photo.name for photo in photos}
        ours = judged_photos(data / "photos", load_reader("tiles46"))
        photos += [photo for photo in ours if photo.name not in known]
    return photos


def main() -> None:
    """Fit the weights and write them."""
    parser = argparse.ArgumentParser(prog="python -m tilescore.models.hand_selection", description=__doc__)
    parser.add_argument("data", type=Path, help="the folder with `layouts` and `photos`")
    options = parser.parse_args()
    some = [example for example in examples(judged(options.data)) if example.photo.split == "train"]
    weights = fit(some)
    written = {name: round(float(weight), 4) for name, weight in zip(FEATURES, weights, strict=True)}
    text = json.dumps({"command": "make fit-layout", "photos": len(some), "weights": written}, indent=1)
    WEIGHTS.write_text(text + "\n", encoding="utf-8")
    sys.stderr.write(f"{len(some)} photos, {picks(some, weights).mean():.3f} of them right; wrote {WEIGHTS.name}\n")


if __name__ == "__main__":
    main()
