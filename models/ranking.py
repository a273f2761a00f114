"""Networks that rank alternatives, fitted to choices of which one or several alternatives are right.

Newton's method finds the linear part, then gradient steps (Adam) teach the linear part and the units together. The
units start at random, so the result is the mean of several starts, as one network.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tilescore.vision.arrays import Floats
from tilescore.vision.layout.model import Network

Array32 = NDArray[np.float32]


_ROUNDS: Final = 8
"""Rounds in which several right alternatives share the weight of a choice by their probabilities."""
_NEWTON_STEPS: Final = 25
_SHORTEST_STEP: Final = 1e-3
"""A step of Newton's method is halved until it lowers the loss, at most to this share."""
_NEGLIGIBLE: Final = 1e-10
"""Alternatives of less weight do not bend the loss."""
_CONSTANT: Final = 1e-9
"""A feature with a smaller standard deviation does not count."""
_STARTS: Final = 4
_STEPS: Final = 200
_RATES: Final = (0.01, 0.02, 0.02, 0.02)
"""The first step of Adam for the linear part, the units, their biases and their outputs; it shrinks to 0."""
_DECAYS: Final = (0.9, 0.999)


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """A list of alternatives."""

    rows: Floats  # features (N, F)
    right: NDArray[np.bool_]  # which of them are right (N,)


def _newton(lists: _Lists, penalty: float) -> Floats:
    """The linear weights (F,) of the smallest penalised loss, of features divided by their standard deviation."""
    rows, share, starts, list_of = lists.rows, lists.share, lists.starts, lists.list_of
    weights = np.zeros(rows.shape[1])

    def loss(weights: Floats, wanted: Floats) -> float:
        scores = rows @ weights
        peaks = np.maximum.reduceat(scores, starts)
        totals = np.log(np.add.reduceat(np.exp(scores - peaks[list_of]), starts)) + peaks
        return float(share[starts] @ totals - wanted @ scores + penalty * weights @ weights / 2)

    for _ in range(_ROUNDS):
        before = weights
        wanted = share * lists.chances(np.where(lists.right, rows @ weights, -1e9))
        for _ in range(_NEWTON_STEPS):
            chance = lists.chances(rows @ weights)
            gradient = (share * chance - wanted) @ rows + penalty * weights
            means = np.add.reduceat(rows * chance[:, None], starts)
            heavy = share * chance > _NEGLIGIBLE
            some = rows[heavy]
            hessian = (some * (share * chance)[heavy, None]).T @ some - (means * share[starts][:, None]).T @ means
            step = np.linalg.solve(hessian + penalty * np.eye(len(weights)), gradient)
            now, length = loss(weights, wanted), 1.0
            while loss(weights - length * step, wanted) > now and length > _SHORTEST_STEP:
                length /= 2
            weights = weights - length * step
            if np.abs(length * step).max() < 1e-3:
                break
        if np.abs(weights - before).max() < 1e-2:
            break
    return weights


def fit_network(choices: Sequence[Choice], shares: Floats, *, penalty: float, units: int) -> Network:
    """The network of the smallest penalised loss, the mean of those from several starts.

    Args:
        choices: what to choose from; each has a right alternative.
        shares: how much each choice counts.
        penalty: of the squares of all weights, but the biases, of features divided by their standard deviation.
        units: hidden units of each start; without any the network is linear.
    """
    lists = _Lists(choices, shares)
    linear = _newton(lists, penalty)
    if not units:
        return Network((linear / lists.scale)[:, None], np.zeros(0), np.zeros(0))
    found = [_adam(lists, linear, penalty, units, seed) for seed in range(_STARTS)]
    mean = np.mean([one.weights[:, :1] for one in found], axis=0)
    return Network(
        np.hstack([mean, *(one.weights[:, 1:] for one in found)]),
        np.concatenate([one.bias for one in found]),
        np.concatenate([one.output for one in found]) / _STARTS,
    )


def _adam(lists: _Lists, linear: Floats, penalty: float, units: int, seed: int) -> Network:
    """The network that gradient steps reach from random units, which count for nothing at first."""
    rows, means, share = (some.astype(np.float32) for some in (lists.rows, lists.means, lists.share))
    start = np.random.default_rng(seed).normal(size=(rows.shape[1], units)) / rows.shape[1] ** 0.5
    values = [some.astype(np.float32) for some in (linear, start, np.zeros(units), np.zeros(units))]
    first, second = ([np.zeros_like(value) for value in values] for _ in range(2))
    for step in range(1, _STEPS + 1):
        weights, hidden, bias, output = values
        active = np.tanh((rows - means) @ hidden + bias)
        scores = rows @ weights + active @ output
        pull = share * (lists.chances(scores) - lists.chances(np.where(lists.right, scores, np.float32(-1e9))))
        back = pull[:, None] * output * (1 - active * active)
        slopes = (
            pull @ rows + penalty * weights,
            rows.T @ back - np.outer(means, back.sum(0)) + penalty * hidden,
            back.sum(0),
            pull @ active + penalty * output,
        )
        for at, (slope, rate) in enumerate(zip(slopes, _RATES, strict=True)):
            first[at] += (1 - _DECAYS[0]) * (slope - first[at])
            second[at] += (1 - _DECAYS[1]) * (slope**2 - second[at])
            mean, square = first[at] / (1 - _DECAYS[0] ** step), second[at] / (1 - _DECAYS[1] ** step)
            values[at] -= np.float32(rate * (1 - (step - 1) / _STEPS)) * mean / (np.sqrt(square) + 1e-8)
    both, bias, output = (some.astype(np.float64) for some in (np.column_stack(values[:2]), *values[2:]))
    return Network(both / lists.scale[:, None], bias - lists.means @ both[:, 1:], output)


class _Lists:
    """All alternatives of some choices, one after the other, features divided by their standard deviation."""

    def __init__(self, choices: Sequence[Choice], shares: Floats) -> None:
        rows = np.concatenate([choice.rows for choice in choices])
        self.right = np.concatenate([choice.right for choice in choices])
        lengths = [len(choice.rows) for choice in choices]
        self.starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64)
        self.list_of = np.repeat(np.arange(len(choices)), lengths)
        self.share: Floats = (shares / shares.sum())[self.list_of]
        deviation = rows.std(axis=0)
        self.scale: Floats = np.where(deviation < _CONSTANT, np.inf, deviation)
        self.rows: Floats = rows / self.scale
        self.means: Floats = self.rows.mean(axis=0)

    def chances(self, scores: Floats | Array32) -> Floats:
        """The probability of each alternative in its list, by the scores of all (N,)."""
        powers = np.exp(scores - np.maximum.reduceat(scores, self.starts)[self.list_of])
        return np.asarray(powers / np.maximum(np.add.reduceat(powers, self.starts), 1e-30)[self.list_of])
