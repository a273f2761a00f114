"""How probable each layout is: log-linear models whose weights are fitted on photos with judged roles.

One model ranks the sets of tiles that may be the hand, one ranks the structures of a hand, and one decides for each
flower whether it belongs to the hand. `make fit-layout` fits all three and writes `weights.json`;
`python -m benchmarks.layouts` measures them with one source left out at a time.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from tilescore.vision.layout import bonus, selection_features, structure_features

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

WEIGHTS: Final = Path(__file__).resolve().with_name("weights.json")


@dataclass(frozen=True, slots=True)
class LayoutModel:
    """The weights of the three models, each in the order of its features.

    Attributes:
        selection: weights of `selection_features.FEATURES`.
        structure: weights of `structure_features.FEATURES`.
        bonus: weights of `bonus.FEATURES`.
    """

    selection: tuple[float, ...]
    structure: tuple[float, ...]
    bonus: tuple[float, ...]

    @staticmethod
    def of(fitted: Mapping[str, Mapping[str, float]]) -> LayoutModel:
        """The model of weights by name, as in `weights.json`; a feature without a weight does not count."""
        return LayoutModel(
            *(
                tuple(fitted[part].get(name, 0.0) for name in features)
                for part, features in (
                    ("selection", selection_features.FEATURES),
                    ("structure", structure_features.FEATURES),
                    ("bonus", bonus.FEATURES),
                )
            )
        )


class Weighed(NamedTuple):
    """The place of an alternative in its list, and its probability (0-1)."""

    place: int
    probability: float


def weighed(scores: Array) -> tuple[Weighed, ...]:
    """All alternatives by their scores (N,), in nats, the most probable first."""
    powers = np.exp(scores - scores.max())
    shares = powers / powers.sum()
    return tuple(Weighed(at, float(shares[at])) for at in np.argsort(-shares, kind="stable").tolist())


def log_odds(row: Array, weights: Sequence[float]) -> float:
    """The log-odds of one of two alternatives by its features (F,), nats."""
    return float(row @ np.array(weights))


@cache
def fitted_model() -> LayoutModel:
    """The model of `weights.json`."""
    return LayoutModel.of(json.loads(WEIGHTS.read_text(encoding="utf-8"))["weights"])
