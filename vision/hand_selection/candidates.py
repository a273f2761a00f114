"""Which tiles may be the hand: a bounded list of sets of tiles, found by their distances and sizes.

Single-linkage clusters of the face-up tiles, at several distances, with and without limits on size and row, and unions
of a few of them. `python -m benchmarks.layouts --learned` says how often the true hand is on the list.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from tilescore.vision.hand_selection.scene import Scene

    Mask = NDArray[np.bool_]

Selection = frozenset[int]
"""Indices of the face-up tiles that may be the hand; empty for no hand."""
_GAPS: Final = (0.08, 0.15, 0.25, 0.4, 0.6, 0.9, 1.3, 2.0, 3.0)
"""Distances that join tiles to a cluster, in tile widths. Chosen."""
_SIZE_RATIOS: Final = (1.15, 1.35, 9.0)
"""Tiles of a cluster whose sizes differ by a larger factor are not joined directly. Chosen."""
_ROW_OFFSET: Final = 0.5
"""Tiles of one row: their middles differ by less than this share of the taller one. Chosen."""
_FEWEST: Final = 8
_MOST: Final = 22
"""Tiles of a selection, fewest and most. Chosen."""
_HAND: Final = (13, 18)
"""Tiles of a hand, fewest and most; unions of clusters beside the order must have so many."""
_LONGEST: Final = 8
"""Clusters that are joined in order of size, place or distance. Chosen."""
_FEW_CLUSTERS: Final = 7
"""Unions of two and three clusters are tried among so many clusters at most. Chosen."""
_LIST: Final = 120
"""Selections on the list, at most: those that most ways find come first. Chosen."""


def selections(scene: Scene) -> tuple[Selection, ...]:
    """Sets of tiles that may be the hand; the first is empty: no hand."""
    votes: Counter[Selection] = Counter()
    faces = scene.faces
    if len(faces):
        votes.update(_allowed([frozenset(faces.tolist())]))
        for clusters in _clusterings(scene):
            votes.update(_allowed(set(_joined(scene, clusters))))
    ranked = sorted(votes, key=lambda chosen: (-votes[chosen], sorted(chosen)))
    return (frozenset(), *ranked[:_LIST])


def _allowed(found: set[Selection] | list[Selection]) -> Iterator[Selection]:
    return (chosen for chosen in found if _FEWEST <= len(chosen) <= _MOST)


def _clusterings(scene: Scene) -> Iterator[list[Selection]]:
    """Single-linkage clusters of the face-up tiles, for each distance, limit of size, and with or without rows."""
    faces = scene.faces
    gaps = scene.gaps[np.ix_(faces, faces)]
    sizes = np.log(scene.widths[faces])
    apart = np.abs(sizes[:, None] - sizes[None])
    heights, middles = scene.extent[faces, 1], scene.centers[faces, 1]
    in_row = np.abs(middles[:, None] - middles[None]) < _ROW_OFFSET * np.maximum(heights[:, None], heights[None])
    seen: set[bytes] = set()
    for gap in _GAPS:
        for ratio in _SIZE_RATIOS:
            near = (gaps < gap) & (apart < np.log(ratio))
            for linked in (near, near & in_row):
                key = np.packbits(linked).tobytes()
                if key not in seen:
                    seen.add(key)
                    yield [frozenset(faces[part].tolist()) for part in _components(linked)]


def _components(linked: Mask) -> Iterator[NDArray[np.int64]]:
    """Indices of each connected part of a graph (F, F)."""
    label = np.arange(len(linked))
    reach = linked | np.eye(len(linked), dtype=bool)
    while True:
        lowest = np.where(reach, label[None], len(linked)).min(axis=1)
        if (lowest == label).all():
            break
        label = lowest
    for part in np.unique(label):
        yield np.flatnonzero(label == part)


def _joined(scene: Scene, clusters: list[Selection]) -> Iterator[Selection]:
    """Each cluster, and unions of several: the largest, the nearest to the camera, the closest together."""
    yield from clusters
    bottoms, widths = scene.centers[:, 1], scene.widths
    orders: tuple[Callable[[Selection], float], ...] = (
        lambda cluster: -len(cluster),
        lambda cluster: -float(bottoms[list(cluster)].max()),
        lambda cluster: -float(widths[list(cluster)].mean()),
    )
    for order in orders:
        union: Selection = frozenset()
        for cluster in sorted(clusters, key=order)[:_LONGEST]:
            union |= cluster
            yield union
    yield from _grown(scene, clusters)
    if 2 <= len(clusters) <= _FEW_CLUSTERS:
        for count in (2, 3):
            for several in combinations(clusters, count):
                union = frozenset().union(*several)
                if _HAND[0] <= len(union) <= _HAND[1]:
                    yield union


def _grown(scene: Scene, clusters: list[Selection]) -> Iterator[Selection]:
    """The largest cluster, then with the cluster nearest to it, and so on."""
    union, *rest = sorted(clusters, key=lambda cluster: -len(cluster))
    while rest and len(union) <= _HAND[1]:
        members = list(union)
        nearest = min(rest, key=lambda cluster: scene.gaps[np.ix_(members, list(cluster))].min())
        rest.remove(nearest)
        union |= nearest
        yield union
