"""How probable each selection of tiles is as the hand: a log-linear model whose weights are fitted on real photos.

`make fit-layout` fits the weights and writes `weights.json`. `python -m benchmarks.layouts --learned` measures the
model with one source left out at a time. The reader does not use the model yet.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from tilescore.vision.hand_selection.candidates import selections
from tilescore.vision.hand_selection.features import FEATURES, feature_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tilescore.vision.hand_selection.candidates import Selection
    from tilescore.vision.hand_selection.scene import Scene

WEIGHTS: Final = Path(__file__).resolve().with_name("weights.json")


class Ranked(NamedTuple):
    """A selection of tiles, and how probable it is as the hand (0-1)."""

    tiles: Selection
    probability: float


def rank(scene: Scene) -> tuple[Ranked, ...]:
    """All selections of a scene that may be the hand, the most probable first; an empty one means no hand."""
    chosen = selections(scene)
    shares = probabilities(feature_rows(scene, chosen) @ weights())
    order = np.argsort(-shares, kind="stable").tolist()
    return tuple(Ranked(chosen[at], float(shares[at])) for at in order)


def probabilities(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores (N,) as probabilities that add up to 1."""
    powers = np.exp(scores - scores.max())
    return np.asarray(powers / powers.sum(), np.float64)


@cache
def weights() -> NDArray[np.float64]:
    """The fitted weights (F,) in the order of FEATURES."""
    fitted = json.loads(WEIGHTS.read_text(encoding="utf-8"))["weights"]
    return np.array([fitted.get(name, 0.0) for name in FEATURES])
