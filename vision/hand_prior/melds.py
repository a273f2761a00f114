"""Declared sets: what three or four tiles can be together, and how such a set is laid."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import Final

from tilescore.scoring.tiles import BACK, Tile
from tilescore.vision.detections import Candidate
from tilescore.vision.hand_prior.config import MeldConfig

KONG: Final = 4
_MELDS: Final = MeldConfig()


def readings_as_set(candidates: Sequence[Sequence[Candidate]]) -> tuple[tuple[float, tuple[Tile, ...]], ...]:
    """Every way to name three or four tiles so that they form a set, with its cost, likeliest first.

    Face-down tiles among four are taken for the same as the others.
    """
    up = [number for number, names in enumerate(candidates) if not names[0].tile.is_back]
    if not up or (len(up) < len(candidates) and len(candidates) != KONG):
        return ()
    by_kind = [_by_kind(candidates[number]) for number in up]
    readings = []
    for kinds in _kinds_of_sets(by_kind, alike=len(candidates) == KONG):
        for names in product(*(part[kind] for part, kind in zip(by_kind, kinds, strict=True))):
            given = iter(names)
            named = tuple(next(given).tile if number in up else BACK for number in range(len(candidates)))
            readings.append((sum(cost_of_chance(name.probability) for name in names), named))
    return tuple(sorted(readings, key=lambda entry: entry[0]))


def _by_kind(names: Sequence[Candidate]) -> dict[Tile, list[Candidate]]:
    """Names of tiles that sets are made of, a red five among the plain ones."""
    names_of: dict[Tile, list[Candidate]] = {}
    for name in names:
        if name.tile.suit in "mpsz":
            names_of.setdefault(name.tile.plain, []).append(name)
    return names_of


def _kinds_of_sets(by_kind: Sequence[Mapping[Tile, list[Candidate]]], *, alike: bool) -> Iterator[tuple[Tile, ...]]:
    """The kinds that make a set of these tiles, each one of its own: all the same, or three in sequence."""
    first, *others = by_kind
    for kind in first:
        if all(kind in other for other in others):
            yield (kind,) * len(by_kind)
        for steps in () if alike or not kind.is_suited else permutations((0, 1, 2)):
            run = [kind.rank + step - steps[0] for step in steps]
            if min(run) >= 1 and max(run) <= 9:
                kinds = tuple(Tile(kind.suit, rank) for rank in run)
                if all(other in part for other, part in zip(kinds, by_kind, strict=True)):
                    yield kinds


def cost_as_equal(here: Sequence[Candidate], there: Sequence[Candidate]) -> float:
    """How much less likely than their likeliest names equal names of two tiles are, in nats; infinite without any."""
    first, second = _by_kind(here), _by_kind(there)
    costs = [
        cost_of_chance(max(name.probability for name in names))
        + cost_of_chance(max(name.probability for name in second[kind]))
        for kind, names in first.items()
        if kind in second
    ]
    return min(costs, default=math.inf) - free_cost([here, there])


def free_cost(candidates: Sequence[Sequence[Candidate]]) -> float:
    """The cost of the likeliest name of each tile, whatever the rules say."""
    return sum(cost_of_chance(max(name.probability for name in names)) for names in candidates)


def cost_of_chance(probability: float) -> float:
    """Minus the logarithm of a probability, which is never quite 0."""
    return -math.log(max(probability, _MELDS.min_probability))


def laid_cost(tiles: Sequence[Tile], called: int | None) -> float:
    """What it costs that a set of these tiles, in reading order, was laid so, in nats.

    A chow is claimed from the left only and lies in order but for the claimed tile; a pung is claimed from anybody.
    """
    ranks = [tile.plain.rank for tile in tiles]
    if len(tiles) != len("123") or len(set(ranks)) == 1:
        return _MELDS.pung if called is None else _MELDS.pung + _MELDS.from_one_of_three
    resting = ranks if called is None else ranks[:called] + ranks[called + 1 :]
    return _MELDS.not_from_left * bool(called) + _MELDS.out_of_order * (resting != sorted(resting))
