"""Which parts all tiles of a photo may play: a bounded list of hypotheses, the likeliest first.

The network gives each tile a probability for each part, and each pair of tiles the odds that they are one declared set.
A hypothesis gives every tile one part, and names the sets. No hypothesis holds what physics forbids: a face-down tile
outside a kong, a set that is no set, two winning tiles.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from tilescore.models.layout_network.tokens import PARTS
from tilescore.scoring.hand import MeldKind, kind_of_set
from tilescore.vision.hand_prior.melds import KONG, free_cost, readings_as_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from tilescore.vision.layout.scene import Scene

    Array = NDArray[np.float64]

OTHER, CONCEALED, WINNING, MELD, BONUS = range(len(PARTS))
"""The places of the parts in the network's outputs."""
SET: Final = 3
MOST_COST: Final = 7.0
"""Names that cost more than this, in nats, are not taken for a set. Chosen."""
IMPOSSIBLE: Final = -1e6
_FLOOR: Final = -14.0
"""The logarithm of the least probability of a part that is possible. Chosen."""
_WINDOW: Final = 10.0
"""Hypotheses that are this many nats less likely than the likeliest one are not listed. Chosen."""
_MOST_PACKINGS: Final = 16
_MOST_LISTED: Final = 40
"""Choices of declared sets, and hypotheses for each choice, at most: they bound the time of a photo. Chosen."""
_MOST: Final = 250
"""Hypotheses of a photo, at most. Chosen."""
_LEAST_MELD: Final = -6.0
"""A tile with a smaller logarithm of the probability of a declared set is part of none. Chosen."""
_BESIDE: Final = 0.5
"""Tiles of a declared set are nearer to a neighbour than this, in tile widths. Chosen."""
_MOST_LINKED: Final = 12
_OFF_LINE: Final = 0.45
"""The tiles of a set lie in a line up to this, in tile widths; a fourth tile may lie beyond a turned one. Chosen."""


@dataclass(frozen=True, slots=True)
class SetPlace:
    """Three or four tiles that may be a declared set.

    Attributes:
        members: their indices, ascending.
        score: how much likelier they are a declared set than the likeliest other parts, in nats.
        affinity: mean log-probability over their pairs that these are one set.
        cost: how much less likely than their likeliest names those of a set are, in nats.
    """

    members: tuple[int, ...]
    score: float
    affinity: float
    cost: float


_Listed = tuple[float, list[int], tuple[SetPlace, ...], float]
"""The rank of a hypothesis, its parts, its sets and its evidence."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One part for each tile.

    Attributes:
        parts: the part of each tile.
        sets: the declared sets.
        evidence: sum of the logarithms of the probabilities of these parts.
        loose: indices of the tiles of the hand outside declared sets, the winning one included.
    """

    parts: tuple[int, ...]
    sets: tuple[SetPlace, ...]
    evidence: float
    loose: tuple[int, ...]

    @staticmethod
    def of(parts: Sequence[int], sets: tuple[SetPlace, ...], evidence: float) -> Hypothesis:
        """The hypothesis with these parts and sets."""
        loose = tuple([at for at, part in enumerate(parts) if part in (CONCEALED, WINNING)])
        return Hypothesis(tuple(parts), sets, evidence, loose)

    @property
    def bonus(self) -> frozenset[int]:
        """Indices of the flowers and seasons of the hand."""
        return frozenset(at for at, part in enumerate(self.parts) if part == BONUS)

    @property
    def count(self) -> int:
        """Tiles of the hand, a declared set counted as three; 0 for no hand."""
        return len(self.loose) + SET * len(self.sets)


def log_parts(scene: Scene, chances: Array) -> Array:
    """The logarithms (N, 5) of the probabilities of the parts, without what no tile of its kind can be."""
    logs = np.maximum(np.log(np.maximum(chances, 1e-12)), _FLOOR)
    for at, tile in enumerate(scene.tiles):
        if tile.is_back:
            logs[at, [CONCEALED, WINNING, BONUS]] = IMPOSSIBLE
        elif tile.is_bonus:
            logs[at, [CONCEALED, WINNING, MELD]] = IMPOSSIBLE
        else:
            logs[at, BONUS] = IMPOSSIBLE
    return logs


def hypotheses(scene: Scene, logs: Array, together: Array) -> list[Hypothesis]:
    """The likeliest hypotheses.

    Args:
        scene: all tiles.
        logs: logarithms (N, 5) of the probabilities of the parts.
        together: log-odds (N, N) that two tiles are one declared set.
    """
    plain = logs.copy()
    plain[:, MELD] = IMPOSSIBLE
    best = plain.max(axis=1)
    best = np.where(best <= IMPOSSIBLE, 2 * _FLOOR, best)
    found: list[_Listed] = []
    for sets, _ in _packings(list(_sets(scene, logs, together, best))):
        taken = {at for one in sets for at in one.members}
        rest = [at for at in range(len(logs)) if at not in taken]
        base = float(logs[sorted(taken), MELD].sum())
        for labels, score in _labelled(plain[rest]):
            parts = [MELD] * len(logs)
            for at, label in zip(rest, labels, strict=True):
                parts[at] = label
            found.append((base + score + sum([one.affinity - one.cost for one in sets]), parts, sets, base + score))
    found.sort(key=lambda entry: -entry[0])
    least = found[0][0] - 2 * _WINDOW
    kept = [entry for entry in found[:_MOST] if entry[0] >= least]
    known = {(tuple(entry[1]), entry[2]) for entry in kept}
    always = [
        one
        for one in (_everything(scene, logs), _nothing(scene, logs))
        if (tuple(one[1]), one[2]) not in known and logs[np.arange(len(logs)), one[1]].min() > IMPOSSIBLE
    ]
    return [Hypothesis.of(parts, sets, evidence) for _, parts, sets, evidence in (*kept, *always)]


def _everything(scene: Scene, logs: Array) -> _Listed:
    """All faces and flowers are the hand, as of 13 to 18 tiles that lie alone."""
    parts = [OTHER if tile.is_back else BONUS if tile.is_bonus else CONCEALED for tile in scene.tiles]
    return _listed(parts, logs)


def _nothing(scene: Scene, logs: Array) -> _Listed:
    """No tile is of a hand."""
    return _listed([OTHER] * len(scene.tiles), logs)


def _listed(parts: list[int], logs: Array) -> _Listed:
    evidence = float(np.maximum(logs[np.arange(len(parts)), parts], 2 * _FLOOR).sum())
    return evidence, parts, (), evidence


def _sets(scene: Scene, logs: Array, together: Array, best: Array) -> Iterator[SetPlace]:
    """The sets that tiles side by side may be."""
    likely = [at for at in range(len(logs)) if logs[at, MELD] > _LEAST_MELD]
    likely.sort(key=lambda at: -logs[at, MELD])
    likely = sorted(likely[:48])
    near = {at: [other for other in likely if other != at and scene.gaps[at, other] < _BESIDE] for at in likely}
    near = {at: sorted(some, key=lambda other: scene.gaps[at, other])[:_MOST_LINKED] for at, some in near.items()}
    pairs = -np.logaddexp(0.0, -np.clip(together, -20, 20))
    seen: set[tuple[int, ...]] = set()
    level: set[tuple[int, ...]] = {(at,) for at in likely}
    for size in range(2, KONG + 1):
        level = {
            tuple(sorted((*some, other)))
            for some in level
            for at in some
            for other in near[at]
            if other not in some and float(pairs[list(some), other].min()) > -2 * _WINDOW / SET
        }
        if size < SET:
            continue
        for some in level - seen:
            cost = _cost(scene, some)
            if cost < MOST_COST:
                members = list(some)
                affinity = float(np.mean([pairs[one, two] for one, two in combinations(members, 2)]))
                gain = float((logs[members, MELD] - best[members]).sum()) + affinity - cost
                yield SetPlace(some, gain, affinity, cost)


def _cost(scene: Scene, members: tuple[int, ...]) -> float:
    """How much less likely these tiles are a set than anything, in nats; infinite where they lie as no set does."""
    backs = [at for at in members if scene.tiles[at].is_back]
    if backs and len(members) < KONG:
        return math.inf
    if not scene.is_straight(members, _OFF_LINE) and (
        backs
        or len(members) < KONG
        or not any(scene.is_straight(some, _OFF_LINE) for some in combinations(members, SET))
    ):
        return math.inf
    return set_cost(scene, members)


def set_cost(scene: Scene, members: Sequence[int]) -> float:
    """How much less likely these tiles are a set than anything, in nats; face-down ones are like the others."""
    faces = [at for at in members if not scene.tiles[at].is_back]
    if len(faces) < len(members):
        if len({scene.plain[at] for at in faces}) < 2:
            return 0.0
    else:
        kind = kind_of_set(tuple(scene.tiles[at] for at in members))
        if kind is not None:
            return 0.0 if (kind is MeldKind.KONG) == (len(members) == KONG) else math.inf
    names = [scene.names[at] for at in members]
    if all(len(scene.names[at]) == 1 for at in faces):
        return math.inf
    found = readings_as_set(names)
    return found[0][0] - free_cost([scene.names[at] for at in faces]) if found else math.inf


def _packings(some: list[SetPlace]) -> list[tuple[tuple[SetPlace, ...], float]]:
    """The choices of sets that share no tile, the likeliest first."""
    some = sorted(some, key=lambda one: (-one.score, one.members))[:40]
    beam: list[tuple[tuple[SetPlace, ...], float, frozenset[int]]] = [((), 0.0, frozenset())]
    for one in some:
        grown = [
            ((*sets, one), score + one.score, taken.union(one.members))
            for sets, score, taken in beam
            if taken.isdisjoint(one.members) and len(sets) < 6
        ]
        beam = sorted([*beam, *grown], key=lambda entry: -entry[1])[: 4 * _MOST_PACKINGS]
    best = beam[0][1]
    return [(sets, score) for sets, score, _ in beam if score > best - 2 * _WINDOW][:_MOST_PACKINGS]


def _labelled(logs: Array) -> Iterator[tuple[list[int], float]]:
    """The likeliest parts of tiles, at most one of them the winning one, and the sum of their logarithms."""
    count = len(logs)
    first = logs.argmax(axis=1) if count else np.zeros(0, int)
    start = first.tolist()
    score = float(np.maximum(logs[np.arange(count), first], 2 * _FLOOR).sum()) if count else 0.0
    changes = sorted(
        (float(logs[at, start[at]] - logs[at, label]), at, label)
        for at in range(count)
        for label in range(5)
        if label != start[at] and logs[at, start[at]] - logs[at, label] < _WINDOW
    )[:24]
    heap: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    listed = 0
    while heap and listed < _MOST_LISTED:
        cost, chosen = heapq.heappop(heap)
        labels = list(start)
        for change in chosen:
            labels[changes[change][1]] = changes[change][2]
        places = [changes[change][1] for change in chosen]
        if len(set(places)) == len(places) and labels.count(WINNING) <= 1:
            listed += 1
            yield labels, score - cost
        begin = chosen[-1] + 1 if chosen else 0
        for change in range(begin, len(changes)):
            price = cost + changes[change][0]
            if price > _WINDOW or len(chosen) > 5:
                break
            heapq.heappush(heap, (price, (*chosen, change)))
