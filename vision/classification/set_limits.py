"""What a set of tiles holds bears on their names: one of each flower, season and red five, four of every other tile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from tilescore.scoring.tiles import ALL_FACES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_COPIES: Final = np.array([face.copies for face in ALL_FACES])
_ROUNDS: Final = 4
_SLIGHT: Final = 0.01
"""A tile that is less probably that one does not count."""
_SURE: Final = 0.999
"""No reader is surer: two clear faces that are alike stay alike, whatever a set should hold."""


def limit_copies(names: Array, present: Array) -> Array:
    """Names (N, 46) of the tiles of a picture, less probable where others already are all that there can be.

    Each tile's names are weighed by how probably the others leave a copy, again and again until they agree (mean
    field): a flower that looks like two of them is rather the one that lies nowhere else.

    Args:
        names: probabilities by what each tile looks like, if it is one.
        present: how probably each is a tile at all (N,).
    """
    held = names
    for _ in range(_ROUNDS):
        taken = np.minimum(_SURE, present[:, None] * held)
        crowded = np.flatnonzero((taken > _SLIGHT).sum(axis=0) > _COPIES)
        if not crowded.size:
            break
        free = names.copy()
        for face in crowded:
            free[:, face] *= _room(taken[:, face], int(_COPIES[face]))
        held = (held + free / free.sum(axis=1, keepdims=True)) / 2
    return held


def _room(taken: Array, copies: int) -> Array:
    """How probably fewer of the others are a tile than there are copies, for each (N,), given how probably each is."""
    likely = np.flatnonzero(taken > _SLIGHT)
    others = np.repeat(taken[None, likely], len(taken), axis=0)
    others[likely, np.arange(len(likely))] = 0.0
    counts = np.zeros((len(taken), copies))
    counts[:, 0] = 1.0
    for one in others.T[..., None]:
        more = counts[:, :-1] * one
        counts *= 1 - one
        counts[:, 1:] += more
    return np.asarray(counts.sum(axis=1))
