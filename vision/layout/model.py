"""How probable each layout is: small networks whose weights are fitted on photos with judged roles.

One ranks the sets of tiles that may be the hand, one ranks the structures of a hand, and one decides for each flower
whether it belongs to the hand. `make fit-layout` fits all three and writes `weights.json`;
`python -m benchmarks.layouts` measures them with one author left out at a time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from tilescore.vision.arrays import Floats
from tilescore.vision.layout import bonus, selection_features, structure_features

WEIGHTS: Final = Path(__file__).resolve().with_name("weights.json")
FEATURES_OF: Final = {
    "selection": selection_features.FEATURES,
    "structure": structure_features.FEATURES,
    "bonus": bonus.FEATURES,
}
"""The three networks and the features of each."""


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """The score of an alternative by its features: a linear part, and hidden units for how features work together."""

    weights: Floats  # of each feature for the linear part, then for each unit (F, 1 + U)
    bias: Floats  # of each unit (U,)
    output: Floats  # how much each unit counts (U,)

    def scores(self, rows: Floats) -> Floats:
        """The scores (N,) of alternatives by their features (N, F), in nats."""
        return self.of_sums(rows @ self.weights)

    def of_sums(self, sums: Floats) -> Floats:
        """The scores (N,) of alternatives whose features are already weighed and added (N, 1 + U)."""
        return np.asarray(sums[:, 0] + np.tanh(sums[:, 1:] + self.bias) @ self.output)

    @staticmethod
    def of(features: Mapping[str, str], entry: Mapping[str, Any]) -> Network:
        """The network of an entry of `weights.json`; a feature without weights does not count."""
        bias = np.array(entry["bias"], np.float64)
        nothing = [0.0] * (1 + len(bias))
        weights = [entry["weights"].get(name, nothing) for name in features]
        return Network(np.array(weights, np.float64), bias, np.array(entry["output"], np.float64))

    def entry(self, features: Mapping[str, str]) -> dict[str, Any]:
        """The entry of `weights.json`, to four digits."""
        bias, output, *rows = (np.round(some, 4).tolist() for some in (self.bias, self.output, *self.weights))
        return {"weights": dict(zip(features, rows, strict=True)), "bias": bias, "output": output}


@dataclass(frozen=True, slots=True)
class LayoutModel:
    """The three networks."""

    selection: Network  # ranks the sets of tiles that may be the hand
    structure: Network  # ranks the structures of a hand
    bonus: Network  # decides for each flower whether it belongs to the hand


class Weighed(NamedTuple):
    """The place of an alternative in its list, and its probability (0-1)."""

    place: int
    probability: float


def weighed(scores: Floats) -> tuple[Weighed, ...]:
    """All alternatives by their scores (N,), in nats, the most probable first."""
    powers = np.exp(scores - scores.max())
    shares = powers / powers.sum()
    return tuple(Weighed(at, float(shares[at])) for at in np.argsort(-shares, kind="stable").tolist())


@cache
def fitted_model() -> LayoutModel:
    """The model of `weights.json`."""
    entries = json.loads(WEIGHTS.read_text(encoding="utf-8"))["networks"]
    return LayoutModel(**{part: Network.of(features, entries[part]) for part, features in FEATURES_OF.items()})
