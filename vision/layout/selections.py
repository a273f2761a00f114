"""Which tiles may be the hand: a bounded list of sets of tiles, found by their distances and sizes.

Single-linkage clusters of the face-up tiles, at several distances, with and without limits on size and line, and unions
of a few of them. `python -m benchmarks.layouts` says how often the true hand is on the list.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, compress
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tilescore.vision.arrays import Floats
from tilescore.vision.layout.scene import GAPS, MOST_LISTED, Scene, nodes_of

Mask = NDArray[np.bool_]


Selection = frozenset[int]
"""Indices of the face-up tiles that may be the hand; empty for no hand."""
_SIZE_RATIOS: Final = (1.15, 9.0)
"""Tiles of a cluster whose sizes differ by a larger factor are not joined directly. Chosen."""
_LINE_OFFSET: Final = 0.5
"""Tiles of one row or column: their middles differ by less than this share of the larger one. Chosen."""
_COUNTS: Final = (8, 22)
"""Tiles of a selection, fewest and most: hands of which some are not seen, or with others among them. Chosen."""
_HAND: Final = (13, 18)
"""Tiles of a hand, fewest and most; unions of clusters beside the order must have so many."""
_MOST_JOINED: Final = 7
"""Clusters that are joined in order of size, place or distance, and those of which two and three are joined. Chosen."""


def selections(scene: Scene) -> tuple[Selection, ...]:
    """Sets of tiles that may be the hand; the first is empty: no hand."""
    votes: Counter[int] = Counter()
    faces = scene.faces.tolist()
    if faces:
        votes.update(_allowed({(1 << len(faces)) - 1}))
        for clusters in _clusterings(scene):
            votes.update(_allowed(set(_joined(clusters))))
    found = [(-count, nodes_of(union)) for union, count in votes.items()]
    return (frozenset(), *(frozenset([faces[node] for node in nodes]) for _, nodes in sorted(found)[:MOST_LISTED]))


def _allowed(unions: set[int]) -> Iterator[int]:
    return (union for union in unions if _COUNTS[0] <= union.bit_count() <= _COUNTS[1])


@dataclass(frozen=True, slots=True, eq=False)
class _Clusters:
    """The parts into which links join the faces."""

    sets: tuple[int, ...]  # each as a number with a bit for each face
    lowest: Floats  # the lowest middle of each, pixels
    widths: Floats  # the mean width of each, pixels
    gaps: Floats  # distances (C, C) between them, in tile widths


def _clusterings(scene: Scene) -> Iterator[_Clusters]:
    """Single-linkage clusters of the face-up tiles, for each distance, limit of size, and with or without lines."""
    faces = scene.faces
    gaps, widths, middles = scene.gaps[np.ix_(faces, faces)], scene.widths[faces], scene.centers[faces, 1]
    one, two = np.triu_indices(len(faces), 1)
    order = np.argsort(gaps[one, two], kind="stable")
    one, two = one[order], two[order]
    links = list(zip(gaps[one, two].tolist(), one.tolist(), two.tolist(), strict=True))
    apart = np.abs(np.log(widths[one] / widths[two]))
    lines = [_in_line(scene.centers[faces, axis], scene.extent[faces, axis])[one, two] for axis in (1, 0)]
    lines.append(np.ones(len(one), bool))
    graphs = [(apart < math.log(ratio)) & line for ratio in _SIZE_RATIOS for line in lines]
    seen: set[tuple[int, ...]] = set()
    for chosen in (*graphs, _in_runs(scene)[one, two]):
        for parts in _linked(len(faces), list(compress(links, chosen.tolist()))):
            if parts not in seen:
                seen.add(parts)
                yield _measured(parts, gaps, widths, middles)


def _linked(count: int, links: Sequence[tuple[float, int, int]]) -> Iterator[tuple[int, ...]]:
    """The parts of a graph for each distance of `GAPS` that joins some, as numbers with a bit for each node.

    Each of `links` is a length and two nodes, short links first.
    """
    above, parts = list(range(count)), [1 << node for node in range(count)]
    heads = dict.fromkeys(range(count))
    at, shown = 0, 0
    for limit in GAPS:
        while at < len(links) and links[at][0] < limit and len(heads) > 1:
            _, one, two = links[at]
            at += 1
            while above[one] != one:
                one = above[one]
            while above[two] != two:
                two = above[two]
            if one != two:
                first, second = (one, two) if one < two else (two, one)
                above[second] = first
                parts[first] |= parts[second]
                del heads[second]
        if len(heads) != shown:
            shown = len(heads)
            yield tuple([parts[head] for head in heads])


def _measured(parts: tuple[int, ...], gaps: Floats, widths: Floats, middles: Floats) -> _Clusters:
    order = [place for part in parts for place in nodes_of(part)]
    counts = [part.bit_count() for part in parts]
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)
    between = np.minimum.reduceat(np.minimum.reduceat(gaps[order][:, order], starts, axis=0), starts, axis=1)
    means = np.add.reduceat(widths[order], starts) / np.array(counts)
    return _Clusters(parts, np.maximum.reduceat(middles[order], starts), means, between)


def _in_line(middles: Floats, extents: Floats) -> Mask:
    """Which tiles (F, F) lie in one line, by their middles (F,) and extents (F,) across it."""
    return np.abs(middles[:, None] - middles[None]) < _LINE_OFFSET * np.maximum(extents[:, None], extents[None])


def _in_runs(scene: Scene) -> Mask:
    """Which faces (F, F) lie side by side in a straight line of three, in any direction."""
    place = np.zeros(len(scene.tiles), np.int64)
    place[scene.faces] = np.arange(len(scene.faces))
    first, middle, last = place[scene.triples].T
    found = np.zeros((len(scene.faces), len(scene.faces)), bool)
    for one, two in ((first, middle), (middle, last)):
        found[one, two] = found[two, one] = True
    return found


def _joined(clusters: _Clusters) -> Iterator[int]:
    """Each cluster, and unions of several: the largest, the nearest to the camera, the closest together."""
    sets = clusters.sets
    yield from sets
    counts = np.array([part.bit_count() for part in sets])
    for values in (counts, clusters.lowest, clusters.widths):
        union = 0
        for at in np.argsort(-values, kind="stable")[:_MOST_JOINED].tolist():
            union |= sets[at]
            yield union
    yield from _grown(clusters, int(counts.argmax()))
    if len(sets) <= _MOST_JOINED:
        for count in (2, 3):
            for several in combinations(sets, count):
                union = 0
                for part in several:
                    union |= part
                if _HAND[0] <= union.bit_count() <= _HAND[1]:
                    yield union


def _grown(clusters: _Clusters, first: int) -> Iterator[int]:
    """The largest cluster, then with the cluster nearest to it, and so on."""
    union, gaps = clusters.sets[first], clusters.gaps[first].copy()
    gaps[first] = np.inf
    for _ in range(1, len(clusters.sets)):
        if union.bit_count() > _HAND[1]:
            return
        nearest = int(gaps.argmin())
        union |= clusters.sets[nearest]
        gaps = np.where(np.isinf(gaps), np.inf, np.minimum(gaps, clusters.gaps[nearest]))
        gaps[nearest] = np.inf
        yield union
