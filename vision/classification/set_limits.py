"""Set limits: a set holds one of each flower, season and red five, and four of every other tile."""

from typing import Final

import numpy as np

from tilescore.scoring.tiles import ALL_FACES
from tilescore.vision.arrays import Floats
from tilescore.vision.classification.config import SetLimitConfig

_CONFIG: Final = SetLimitConfig()

_COPIES: Final = np.array([face.copies for face in ALL_FACES])
"""Copies of each face in a set."""


def limit_copies(names: Floats, present: Floats) -> Floats:
    """Probabilities (N, 46) of names, lower for a face of which the other tiles take all copies.

    The names of each tile are weighed by the probability that the other tiles leave a copy, repeatedly (mean field).
    For example, a tile that resembles two flowers is rather the one that lies nowhere else.

    `names` are the probabilities of the faces by the look of each tile, given that it is one, `present` (N,) its
    presence.
    """
    current = names
    for _ in range(_CONFIG.max_rounds):
        taken = np.minimum(_CONFIG.max_probability, present[:, None] * current)
        crowded = np.flatnonzero((taken > _CONFIG.min_probability).sum(axis=0) > _COPIES)
        if not crowded.size:
            break
        free = names.copy()
        for face in crowded:
            free[:, face] *= _free_probability(taken[:, face], int(_COPIES[face]))
        current = (current + free / free.sum(axis=1, keepdims=True)) / 2
    return current


def _free_probability(taken: Floats, copies: int) -> Floats:
    """The probability (N,) that fewer than `copies` of the other tiles take a copy, given how probably each does."""
    likely = np.flatnonzero(taken > _CONFIG.min_probability)
    others = np.repeat(taken[None, likely], len(taken), axis=0)
    others[likely, np.arange(len(likely))] = 0.0
    counts = np.zeros((len(taken), copies))
    counts[:, 0] = 1.0
    for share in others.T[..., None]:
        more = counts[:, :-1] * share
        counts *= 1 - share
        counts[:, 1:] += more
    return np.asarray(counts.sum(axis=1))
