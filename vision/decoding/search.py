"""The likeliest legal names: the candidates of all tiles weighed together under the rules of the game.

No tile occurs more often than in a set of tiles, melds are sets, and the hand is complete where a person declares a
win. A part is what the rules bind together: a loose tile, a meld, or all concealed tiles of a complete hand. Each part
lists its options, likeliest first. A best-first search over the parts finds the likeliest combinations that a set of
tiles allows, exactly, each with its probability among those found.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from tilescore.scoring.shapes.winning import ALL_SHAPES, Shape
from tilescore.scoring.tiles import ALL_FACES, BACK, Tile
from tilescore.vision.decoding.config import SearchConfig
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.hand_prior.complete_hands import NamedTiles, complete_readings
from tilescore.vision.hand_prior.melds import cost_of_chance, laid_cost, readings_as_set

CostOf = Callable[[Sequence[Tile]], float]
_CONFIG: Final = SearchConfig()

# The counts of all faces in one number: each face has a field of twelve bits; the highest is set by too many copies.
_FIELD: Final = 12
_PLACE: Final = {tile: _FIELD * place for place, tile in enumerate(ALL_FACES) if not tile.is_back}
_HOLDS: Final = {tile: tile.copies for tile in _PLACE}
_UNIT: Final = {
    tile: 1 << place if not tile.is_red else (1 << place) + (1 << _PLACE[tile.plain]) for tile, place in _PLACE.items()
} | {BACK: 0}
_FULL: Final = 1 << _FIELD - 1
_OVERFLOW: Final = sum(_FULL << place for place in _PLACE.values())


@dataclass(frozen=True, slots=True)
class Solution:
    """Legal names of all detections."""

    tiles: tuple[Tile, ...]
    cost: float  # minus the logarithm of the likelihood
    probability: float = 1.0  # share of the likelihood of all solutions that were found together


@dataclass(frozen=True, slots=True)
class Legal:
    """The names of all detections that the rules allow."""

    solutions: tuple[Solution, ...]  # the likeliest names of all detections and the runners-up, likeliest first
    # for each detection its names with their probabilities under all rules, likeliest first
    marginals: tuple[tuple[Candidate, ...], ...]
    evidence: float  # logarithm of the likelihood of everything behind the marginals

    def favoured(self, nats: float, among: Legal) -> Legal:
        """All solutions of `among`, which include the own ones; these cost `nats` less."""
        own = tuple(replace(solution, cost=solution.cost - nats) for solution in self.solutions)
        limit = _CONFIG.max_log_odds
        extra = math.expm1(nats) * math.exp(max(-limit, min(limit, self.evidence - among.evidence)))
        share = extra / (1 + extra)
        marginals = tuple(_mixed(one, share, two) for one, two in zip(self.marginals, among.marginals, strict=True))
        return Legal(_weighed((*own, *among.solutions)), marginals, among.evidence + math.log1p(extra))


def _mixed(one: Sequence[Candidate], share: float, two: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The mixture of two distributions of names; `share` is the weight of the first."""
    probabilities: dict[Tile, float] = {}
    for names, weight in ((one, share), (two, 1 - share)):
        for name in names:
            probabilities[name.tile] = probabilities.get(name.tile, 0.0) + weight * name.probability
    return _ranked(probabilities)


def _ranked(probabilities: Mapping[Tile, float]) -> tuple[Candidate, ...]:
    ranked = sorted(probabilities.items(), key=lambda entry: -entry[1])
    return tuple(Candidate(tile, probability) for tile, probability in ranked)


@dataclass(frozen=True, slots=True)
class _Option:
    """One naming of a part: its cost, the name of each member, and the copies it takes from the set of tiles."""

    cost: float
    tiles: tuple[Tile, ...]
    units: int


@dataclass(frozen=True, slots=True)
class _Part:
    """Detections that are named together, and their options, likeliest first."""

    members: tuple[int, ...]
    options: tuple[_Option, ...]


def likeliest(
    detections: Sequence[Detection],
    *,
    melds: Sequence[Sequence[int]] = (),
    concealed: Sequence[int] | None = None,
    shapes: frozenset[Shape] = ALL_SHAPES,
    vary: Iterable[int] | None = None,
    cost_of: CostOf | None = None,
    claimed: Collection[int] = (),
) -> Legal | None:
    """The likeliest legal names of all detections and the runners-up; None if there are none.

    Args:
        detections: all detections; one with a single candidate is fixed.
        melds: indices of the declared sets. A meld that cannot be a set is named tile by tile.
        concealed: if given, these tiles together with the melds must be a complete hand.
        shapes: the forms of a complete hand.
        vary: the detections in whose names the runners-up may differ; all by default.
        cost_of: minus the logarithm of the likelihood of the names of the concealed tiles of a complete hand; by
            default the likelihood of their candidates.
        claimed: tiles of the declared sets that lie sideways.
    """
    declared = [(tuple(members), next((at for at, i in enumerate(members) if i in claimed), None)) for members in melds]
    parts = _parts(detections, declared, concealed, shapes, cost_of=cost_of)
    if parts is None:
        return None
    wanted = None if vary is None else frozenset(vary)
    movable = tuple(
        number
        for number, part in enumerate(parts)
        if len(part.options) > 1 and (wanted is None or not wanted.isdisjoint(part.members))
    )
    search = _Search(parts, movable)
    solutions = _weighed(islice(search.solutions(), _CONFIG.max_solutions))
    marginals, evidence = search.marginals(solutions[0])
    return Legal(solutions, marginals, evidence)


def likeliest_names(detections: Sequence[Detection]) -> tuple[Tile, ...]:
    """The likeliest legal names of all detections, each named by itself."""
    parts = _parts(detections, (), None, ALL_SHAPES, cost_of=None) or ()
    return next(_Search(parts, ()).solutions()).tiles


def _weighed(solutions: Iterable[Solution]) -> tuple[Solution, ...]:
    """The distinct solutions, likeliest first, with their shares of the likelihood of all."""
    cheapest: dict[tuple[Tile, ...], Solution] = {}
    for solution in sorted(solutions, key=lambda solution: solution.cost):
        cheapest.setdefault(solution.tiles, solution)
    found = tuple(cheapest.values())
    shares = [math.exp(found[0].cost - solution.cost) for solution in found]
    return tuple(replace(one, probability=share / sum(shares)) for one, share in zip(found, shares, strict=True))


def _units(tiles: Iterable[Tile]) -> int:
    return sum([_UNIT[tile] for tile in tiles])


def _parts(
    detections: Sequence[Detection],
    melds: Sequence[tuple[tuple[int, ...], int | None]],
    concealed: Sequence[int] | None,
    shapes: frozenset[Shape],
    *,
    cost_of: CostOf | None,
) -> tuple[_Part, ...] | None:
    """The parts with their options; None if the concealed tiles cannot be complete."""
    parts: list[_Part] = []
    taken: set[int] = set()
    for members, called in melds:
        options = _meld_options([detections[index].names for index in members], called)
        if options:
            parts.append(_Part(members, options))
            taken.update(members)
    if concealed is not None:
        candidates = [detections[index].names for index in concealed]
        whole = complete_readings(candidates, len(melds), shapes)
        limit = _CONFIG.max_complete_hands if cost_of is None else _CONFIG.max_costed_hands
        readings = _by_cost(list(islice(whole, limit)), cost_of)
        options = tuple(_Option(cost, tiles, _units(tiles)) for cost, tiles in readings)
        if not options:
            return None
        parts.append(_Part(tuple(concealed), options))
        taken.update(concealed)
    for index, detection in enumerate(detections):
        if index not in taken:
            names = detection.names
            single = tuple(_Option(cost_of_chance(name.probability), (name.tile,), _UNIT[name.tile]) for name in names)
            parts.append(_Part((index,), tuple(sorted(single, key=lambda option: option.cost))))
    return tuple(parts)


def _by_cost(readings: Sequence[NamedTiles], cost_of: CostOf | None) -> Sequence[NamedTiles]:
    """Complete hands by the cost function, likeliest first; the likeliest keeps the cost of the likeliest before."""
    if cost_of is None or not readings:
        return readings
    costed = sorted(((cost_of(tiles), tiles) for _, tiles in readings), key=lambda reading: reading[0])
    shift = readings[0][0] - costed[0][0]
    return [(cost + shift, tiles) for cost, tiles in costed]


def _meld_options(candidates: Sequence[Sequence[Candidate]], called: int | None) -> tuple[_Option, ...]:
    """The options of a declared set, likeliest first, given the place of the claimed tile."""
    options = []
    for cost, tiles in readings_as_set(candidates):
        faces = [tile for tile in tiles if not tile.is_back]
        hidden = [faces[0].plain] * (len(tiles) - len(faces)) if faces else []
        options.append(_Option(cost + laid_cost(tiles, called), tiles, _units((*faces, *hidden))))
    return tuple(sorted(options, key=lambda option: option.cost))


class _Search:
    """Best-first search over the parts.

    A state holds for each part the first of its options still allowed; fixed parts keep theirs. In a state with too
    many copies of a face, one of the parts that take it must move on. Each in turn does so while those before it are
    fixed, so that no combination occurs twice. A legal state is a solution, and branches over all movable parts in the
    same way.
    """

    def __init__(self, parts: tuple[_Part, ...], movable: tuple[int, ...]) -> None:
        self._parts = parts
        self._movable = movable
        self._size = sum(len(part.members) for part in parts)
        self._room = self._room_for(parts)

    @staticmethod
    def _room_for(parts: tuple[_Part, ...]) -> int:
        """A summand that sets the highest bit of each field with too many copies; fixed tiles are never too many."""
        fixed = _counts(sum(part.options[0].units for part in parts if len(part.options) == 1))
        return sum((_FULL - 1 - max(holds, fixed[tile])) << _PLACE[tile] for tile, holds in _HOLDS.items())

    def solutions(self) -> Iterator[Solution]:
        """Legal combinations, likeliest first; one repaired tile by tile if the search finds none."""
        start = (0,) * len(self._parts)
        cost = sum(part.options[0].cost for part in self._parts)
        units = sum(part.options[0].units for part in self._parts)
        heap = [(cost, 0, start, frozenset[int](), units)]
        pushed, found = 0, False
        for _ in range(_CONFIG.max_steps):
            if not heap:
                break
            cost, _, state, fixed, units = heapq.heappop(heap)
            over = units + self._room & _OVERFLOW
            if not over:
                found = True
                yield Solution(self._named(state), cost)
            movers = self._takers(state, over) if over else self._movable
            for number in movers:
                if number in fixed:
                    continue
                part, at = self._parts[number], state[number]
                if at + 1 < len(part.options):
                    old, new = part.options[at], part.options[at + 1]
                    child = (*state[:number], at + 1, *state[number + 1 :])
                    pushed += 1
                    heapq.heappush(
                        heap, (cost - old.cost + new.cost, pushed, child, fixed, units - old.units + new.units)
                    )
                fixed = fixed | {number}
        if not found:
            yield self._repaired()

    def marginals(self, best: Solution) -> tuple[tuple[tuple[Candidate, ...], ...], float]:
        """The probabilities of all names of each detection, and the logarithm of the likelihood of all of them.

        The options of each part are weighed while the other parts keep their names.
        """
        evidence = -best.cost
        found: list[tuple[Candidate, ...]] = [()] * self._size
        named = [tuple(best.tiles[index] for index in part.members) for part in self._parts]
        kept = [
            next(option for option in part.options if option.tiles == tiles)
            for part, tiles in zip(self._parts, named, strict=True)
        ]
        units = sum(option.units for option in kept)
        for part, keeps in zip(self._parts, kept, strict=True):
            if len(part.options) == 1:
                for index, tile in zip(part.members, keeps.tiles, strict=True):
                    found[index] = (Candidate(tile, 1.0),)
                continue
            shares = [
                (math.exp(min(_CONFIG.max_log_odds, keeps.cost - option.cost)), option)
                for option in part.options
                if option is keeps or not units - keeps.units + option.units + self._room & _OVERFLOW
            ]
            total = sum(share for share, _ in shares)
            evidence += math.log(total)
            for position, index in enumerate(part.members):
                names: dict[Tile, float] = {}
                for share, option in shares:
                    names[option.tiles[position]] = names.get(option.tiles[position], 0.0) + share / total
                found[index] = _ranked(names)
        return tuple(found), evidence

    def _takers(self, state: tuple[int, ...], over: int) -> tuple[int, ...]:
        """The parts that take the first face with too many copies."""
        mask = (1 << _FIELD) - 1 << (over & -over).bit_length() - _FIELD
        return tuple(
            number
            for number, (part, at) in enumerate(zip(self._parts, state, strict=True))
            if part.options[at].units & mask
        )

    def _named(self, state: tuple[int, ...]) -> tuple[Tile, ...]:
        names = [BACK] * self._size
        for part, at in zip(self._parts, state, strict=True):
            for index, tile in zip(part.members, part.options[at].tiles, strict=True):
                names[index] = tile
        return tuple(names)

    def _repaired(self) -> Solution:
        """The solution after the cheapest single moves that reduce the excess, as long as there are any."""
        state = [0] * len(self._parts)
        while True:
            units = sum(part.options[at].units for part, at in zip(self._parts, state, strict=True))
            excess = self._excess(units)
            over = units + self._room & _OVERFLOW
            moves = [
                (option.cost - part.options[state[number]].cost, number, position)
                for number in (self._takers(tuple(state), over) if over else ())
                for part in (self._parts[number],)
                for position, option in enumerate(part.options)
                if self._excess(units - part.options[state[number]].units + option.units) < excess
            ]
            if not moves:
                cost = sum(part.options[at].cost for part, at in zip(self._parts, state, strict=True))
                return Solution(self._named(tuple(state)), cost)
            _, number, position = min(moves)
            state[number] = position

    def _excess(self, units: int) -> int:
        """The number of tiles beyond the copies in a set."""
        over = units + self._room
        fields = [over >> place & (1 << _FIELD) - 1 for place in _PLACE.values() if over >> place & _FULL]
        return sum(field - _FULL + 1 for field in fields)


def _counts(units: int) -> dict[Tile, int]:
    return {tile: units >> place & (1 << _FIELD) - 1 for tile, place in _PLACE.items()}
