"""Logistic regression by Newton's method, with a quadratic penalty: a few weights from a few thousand rows."""

import numpy as np
from numpy.typing import ArrayLike

from tilescore.vision.arrays import Floats
from tilescore.vision.classification.fusion import probability

_ROUNDS = 100


def logistic(
    columns: Floats, wanted: ArrayLike, *, penalty: Floats, shares: ArrayLike = 1.0, offset: ArrayLike = 0.0
) -> Floats:
    """The weights (K,) that make `wanted` (N,) likeliest, given columns (N, K).

    Args:
        columns: what is known of each row; a column of ones for a bias.
        wanted: whether each row is one.
        penalty: half of this times the square of each weight is added to the loss (K,).
        shares: how much each row counts.
        offset: the log-odds of each row before.
    """
    truth, counted, before = (np.asarray(given, np.float64) for given in (wanted, shares, offset))
    weights, hold = np.zeros(columns.shape[1]), np.diag(penalty)
    for _ in range(_ROUNDS):
        likely = probability(columns @ weights + before)
        slope = columns.T @ (counted * (truth - likely)) - hold @ weights
        curve = (columns * (counted * likely * (1 - likely))[:, None]).T @ columns + hold
        weights = weights + np.linalg.solve(curve, slope)
    return weights


def scaled_logistic(
    rows: Floats, wanted: ArrayLike, *, penalty: float, shares: ArrayLike = 1.0, offset: ArrayLike = 0.0
) -> tuple[float, Floats]:
    """Bias and weights of measures (N, K) of any scale: the penalty holds for measures of unit spread."""
    middle, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    columns = np.column_stack([np.ones(len(rows)), (rows - middle) / spread])
    hold = np.array([1e-6] + [penalty] * rows.shape[1])
    weights = logistic(columns, wanted, penalty=hold, shares=shares, offset=offset)
    scaled = weights[1:] / spread
    return float(weights[0] - scaled @ middle), scaled
