"""Naming concealed tiles so that they are a complete hand: exact, the likeliest way first.

Four sets and a pair, or seven pairs, are a way to part the tiles into pieces. A table over all subsets of the tiles
holds what completing the rest costs at least, so a best-first search walks straight to the likeliest hands. In hands of
different kinds (thirteen orphans, honours and knitted tiles) each tile takes one of few kinds; those are searched by
naming tile after tile.
"""

import heapq
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations, count, permutations, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tilescore.scoring.hand import Hand
from tilescore.scoring.shapes.winning import UNIT, Shape, is_win
from tilescore.scoring.tiles import PLAYING_TILES, RED_FIVES, TERMINALS_AND_HONORS, Tile
from tilescore.vision.arrays import Floats
from tilescore.vision.detections import Candidate
from tilescore.vision.hand_prior.config import CompleteHandConfig
from tilescore.vision.hand_prior.melds import cost_of_chance

_COMPLETE: Final = CompleteHandConfig()

_COLUMN: Final = {tile: column for column, tile in enumerate(PLAYING_TILES)} | {
    red: PLAYING_TILES.index(red.plain) for red in RED_FIVES
}
_CHOWS: Final = tuple(tuple(_COLUMN[Tile(s, r + k)] for k in range(3)) for s in "mps" for r in range(1, 8))
_KNITTED: Final = tuple(tuple(_COLUMN[Tile(s, r + 3 * k)] for k in range(3)) for s in "mps" for r in (1, 2, 3))
_ALL_RUNS: Final = _CHOWS + _KNITTED
_STRAIGHTS: Final = tuple(
    frozenset(column for suit, run in enumerate(order) for column in _KNITTED[3 * suit + run])
    for order in permutations(range(3))
)
"""The six knitted straights."""
_HONORS: Final = frozenset(_COLUMN[Tile("z", rank)] for rank in range(1, 8))
_ORPHANS: Final = frozenset(_COLUMN[tile] for tile in TERMINALS_AND_HONORS)
_PAIRED: Final = frozenset({Shape.SEVEN_PAIRS, Shape.DIFFERENT_PAIRS})

NamedTiles = tuple[float, tuple[Tile, ...]]
_Names = tuple[tuple[float, Tile], ...]
_Table = Floats
_Entry = tuple[float, int, float, int, tuple[int, ...], int, int]


def complete_readings(
    candidates: Sequence[Sequence[Candidate]], n_melds: int, shapes: frozenset[Shape]
) -> Iterator[NamedTiles]:
    """Names of the concealed tiles that complete a hand with so many melds, each with its cost, likeliest first."""
    names = [_playing(options) for options in candidates]
    if len(names) != Hand.SIZE - 3 * n_melds or not all(names):
        return
    table = _table(names)
    least = sum(options[0][0] for options in names)
    first = _pieces_search(names, table, least + _COMPLETE.window, _CHOWS) if Shape.STANDARD in shapes else iter(())
    best = next(first, None)
    limit = least + _COMPLETE.window if best is None else min(least + _COMPLETE.window, best[0] + _COMPLETE.rare_window)
    rare = _rare_searches(names, table, limit, shapes) if not n_melds else iter(())
    straight = Shape.KNITTED_STRAIGHT in shapes and n_melds <= 1
    if straight and min(_bound(table, kinds, 9) for kinds in _STRAIGHTS) <= limit:
        rare = chain(rare, [_pieces_search(names, table, limit, _ALL_RUNS)])
    met: set[tuple[Tile, ...]] = set()
    for cost, tiles in heapq.merge([best] if best else [], first, *rare, key=lambda reading: reading[0]):
        if tiles not in met and is_win(sum([UNIT[tile] for tile in tiles]), n_melds, shapes):
            met.add(tiles)
            yield cost, tiles


def _rare_searches(
    names: Sequence[_Names], table: _Table, limit: float, shapes: frozenset[Shape]
) -> Iterator[Iterator[NamedTiles]]:
    """Searches for wholly concealed hands of other forms, as far as these can be likely enough."""
    if shapes & _PAIRED:
        yield _pieces_search(names, table, limit, None)
    if Shape.THIRTEEN_ORPHANS in shapes and _bound(table, _ORPHANS, len(_ORPHANS)) <= limit:
        yield _singles_search(names, limit, _ORPHANS, pairs=1)
    if Shape.LESSER_KNITTED in shapes:
        for kinds in _STRAIGHTS:
            if _bound(table, kinds | _HONORS, Hand.SIZE) <= limit:
                yield _singles_search(names, limit, kinds | _HONORS)


def _bound(table: _Table, kinds: frozenset[int], number: int) -> float:
    """The least cost of a hand that holds so many of these kinds, each at least once."""
    least = table.min(axis=1)
    extra = np.sort((table[:, list(kinds)] - least[:, None]).min(axis=0))
    return float(least.sum() + extra[:number].sum())


def _table(names: Sequence[_Names]) -> _Table:
    """The cost of each kind for each tile, infinite where it is no candidate."""
    table = np.full((len(names), len(PLAYING_TILES)), np.inf)
    for row, options in enumerate(names):
        for cost, tile in reversed(options):
            table[row, _COLUMN[tile]] = cost
    return table


def _playing(candidates: Sequence[Candidate]) -> _Names:
    """Costs and names of a tile that can lie in a hand, likeliest first."""
    named = [(cost_of_chance(c.probability), c.tile) for c in candidates if c.tile.suit in "mpsz"]
    return tuple(sorted(named, key=lambda entry: entry[0]))


# Four sets and a pair, or seven pairs: parting the tiles into pieces


@dataclass(frozen=True, slots=True, eq=False)
class _Moves:
    """From each set of covered tiles, every piece that covers the first open tile and others."""

    pieces: tuple[tuple[int, ...], ...]  # members of each piece, pairs first
    pairs: NDArray[np.intp]  # the same of the pairs, an array (N, 2)
    triples: NDArray[np.intp]  # of the sets, (M, 3)
    # for each reachable mask of covered tiles, numbers of its pieces and the masks they lead to
    from_mask: Mapping[int, tuple[NDArray[np.intp], NDArray[np.intp]]]
    # the same for all masks with equally many covered tiles, last first: masks, where each one's moves start, numbers
    # of pieces, masks they lead to
    levels: tuple[tuple[NDArray[np.intp], ...], ...]


@cache
def _moves(size: int, *, paired: bool) -> _Moves:
    """The moves for so many tiles: sets and one pair, or only pairs."""
    pieces = [*combinations(range(size), 2), *(() if paired else combinations(range(size), 3))]
    masks = np.array([sum(1 << member for member in piece) for piece in pieces], np.intp)
    lengths = np.array([len(piece) for piece in pieces])
    from_mask: dict[int, tuple[NDArray[np.intp], NDArray[np.intp]]] = {}
    by_covered: dict[int, set[int]] = {0: {0}}
    for covered in range(size):
        for mask in by_covered.get(covered, ()):
            lowest = ~mask & (mask + 1)
            fits = (masks & mask == 0) & (masks & lowest != 0)
            if not paired and covered % 3:  # the pair lies already
                fits &= lengths == 3
            numbers = np.flatnonzero(fits)
            from_mask[mask] = numbers, masks[numbers] | mask
            for length in (2, 3):
                reached = from_mask[mask][1][lengths[numbers] == length]
                by_covered.setdefault(covered + length, set()).update(reached.tolist())
    levels = []
    for covered in range(size - 1, -1, -1):
        level = [mask for mask in by_covered.get(covered, ()) if len(from_mask[mask][0])]
        if level:
            starts = np.cumsum([0, *(len(from_mask[mask][0]) for mask in level[:-1])])
            numbers, reached = (np.concatenate([from_mask[mask][side] for mask in level]) for side in (0, 1))
            levels.append((np.array(level, np.intp), starts, numbers, reached))
    pairs = np.array([piece for piece in pieces if len(piece) == 2], np.intp)
    triples = np.array(pieces[len(pairs) :], np.intp).reshape(-1, 3)
    return _Moves(tuple(pieces), pairs, triples, from_mask, tuple(levels))


def _pieces_search(
    names: Sequence[_Names], table: _Table, limit: float, runs: tuple[tuple[int, ...], ...] | None
) -> Iterator[NamedTiles]:
    """Ways to part the tiles into sets (pungs and these runs of columns) and a pair, or with no runs into pairs."""
    moves = _moves(len(names), paired=runs is None)
    costs = _piece_costs(table, moves, runs)
    rest = np.full(1 << len(names), np.inf)
    rest[-1] = 0.0
    for level, starts, numbers, reached in moves.levels:
        rest[level] = np.minimum.reduceat(costs[numbers] + rest[reached], starts)
    search = _PieceSearch(names, moves, costs, rest, _thirds(runs or ()))
    return search.readings(limit, _COMPLETE.max_rare_steps if runs is _ALL_RUNS else _COMPLETE.max_steps)


@cache
def _thirds(runs: tuple[tuple[int, ...], ...]) -> Mapping[tuple[int, int], tuple[int, ...]]:
    """The columns that make a set with two others."""
    thirds: dict[tuple[int, int], set[int]] = {(column, column): {column} for column in range(len(PLAYING_TILES))}
    for run in runs:
        for first, second, third in permutations(run):
            thirds.setdefault((first, second), set()).add(third)
    return {two: tuple(third) for two, third in thirds.items()}


def _piece_costs(table: _Table, moves: _Moves, runs: tuple[tuple[int, ...], ...] | None) -> _Table:
    """What each piece costs at least; infinite if its tiles can form none."""
    pairs, triples = moves.pairs, moves.triples
    costs = (table[pairs[:, 0]] + table[pairs[:, 1]]).min(axis=1)
    if runs is None:
        return np.asarray(costs)
    best = (table[triples[:, 0]] + table[triples[:, 1]] + table[triples[:, 2]]).min(axis=1)
    steps = [table[:, [run[step] for run in runs]] for step in range(3)]
    for a, b, c in permutations(range(3)):
        run_costs = steps[0][triples[:, a]] + steps[1][triples[:, b]] + steps[2][triples[:, c]]
        best = np.minimum(best, run_costs.min(axis=1))
    return np.concatenate([costs, best])


class _PieceSearch:
    """Walks from no covered tile to all, the least cost of the whole way first, and of equal ones the farthest.

    A state names the covered tiles by the number of their candidate, the others by -1; equal ones are met once. An
    entry of the heap is a state and which of its steps, best first, is the next to make.
    """

    def __init__(
        self,
        names: Sequence[_Names],
        moves: _Moves,
        costs: _Table,
        rest: _Table,
        thirds: Mapping[tuple[int, int], tuple[int, ...]],
    ) -> None:
        self._names = names
        self._moves = moves
        self._costs = costs
        self._rest = rest
        self._thirds = thirds
        self._by_column = [_by_column(options) for options in names]
        self._options: dict[int, list[tuple[float, tuple[int, ...]]]] = {}
        self._from_mask: dict[int, tuple[list[float], list[int], list[int]]] = {}

    def readings(self, limit: float, most_steps: int) -> Iterator[NamedTiles]:
        """Namings of all tiles, likeliest first, none above the limit."""
        last = len(self._rest) - 1
        ticket = count(0, -1)
        met: set[tuple[int, ...]] = set()
        heap: list[_Entry] = [(float(self._rest[0]), 0, 0.0, 0, (-1,) * len(self._names), 0, 0)]
        for _ in range(most_steps):
            if not heap or heap[0][0] > limit:
                return
            _, _, spent, mask, named, at, which = heapq.heappop(heap)
            bounds, numbers, reached = self._steps(mask)
            options = self._piece(numbers[at])
            cost, chosen = options[which]
            if not which and at + 1 < len(numbers):
                bound = round(spent + bounds[at + 1], _COMPLETE.cost_digits)
                heapq.heappush(heap, (bound, next(ticket), spent, mask, named, at + 1, 0))
            if which + 1 < len(options):
                bound = round(spent + bounds[at] + options[which + 1][0] - options[0][0], _COMPLETE.cost_digits)
                heapq.heappush(heap, (bound, next(ticket), spent, mask, named, at, which + 1))
            state, spent, mask = self._grown(named, numbers[at], chosen), spent + cost, reached[at]
            if state in met:
                continue
            met.add(state)
            if mask == last:
                yield spent, tuple(self._names[row][number][1] for row, number in enumerate(state))
            else:
                bound = round(spent + float(self._rest[mask]), _COMPLETE.cost_digits)
                heapq.heappush(heap, (bound, next(ticket), spent, mask, state, 0, 0))

    def _steps(self, mask: int) -> tuple[list[float], list[int], list[int]]:
        """What the rest of the way costs at least with each next piece, the pieces, and the tiles covered then."""
        if mask not in self._from_mask:
            numbers, reached = self._moves.from_mask[mask]
            bounds = self._costs[numbers] + self._rest[reached]
            order = np.argsort(bounds)[: np.isfinite(bounds).sum()]
            self._from_mask[mask] = bounds[order].tolist(), numbers[order].tolist(), reached[order].tolist()
        return self._from_mask[mask]

    def _grown(self, named: tuple[int, ...], number: int, chosen: tuple[int, ...]) -> tuple[int, ...]:
        grown = list(named)
        for member, name in zip(self._moves.pieces[number], chosen, strict=True):
            grown[member] = name
        return tuple(grown)

    def _piece(self, number: int) -> list[tuple[float, tuple[int, ...]]]:
        """The ways to name the tiles of a piece by numbers of their candidates, each with its cost, likeliest first."""
        if number not in self._options:
            first, second, *others = (self._by_column[member] for member in self._moves.pieces[number])
            columns = [
                (a, b, c) if others else (a, b)
                for a in first
                for b in (second if others else (a,))
                if b in second
                for c in (self._thirds.get((a, b), ()) if others else (a,))
                if not others or c in others[0]
            ]
            self._options[number] = sorted(
                (sum(cost for cost, _ in chosen), tuple(name for _, name in chosen))
                for kinds in columns
                for chosen in product(*(part[kind] for part, kind in zip((first, second, *others), kinds, strict=True)))
            )
        return self._options[number]


def _by_column(options: _Names) -> Mapping[int, list[tuple[float, int]]]:
    """Cost and number of the candidates of each kind: a five may be plain or red."""
    costs: dict[int, list[tuple[float, int]]] = {}
    for number, (cost, tile) in enumerate(options):
        costs.setdefault(_COLUMN[tile], []).append((cost, number))
    return costs


# Hands of different kinds: naming tile after tile


def _singles_search(
    names: Sequence[_Names], limit: float, kinds: Collection[int], *, pairs: int = 0
) -> Iterator[NamedTiles]:
    """Hands in which each tile is of another of these kinds (columns), but for so many pairs."""
    usable = [[(cost, number, _COLUMN[tile]) for number, (cost, tile) in enumerate(row)] for row in names]
    usable = [[entry for entry in options if entry[2] in kinds] for options in usable]
    if not all(usable):
        return
    order = sorted(range(len(names)), key=lambda row: len(usable[row]))
    rest = [0.0]
    for row in reversed(order):
        rest.append(rest[-1] + usable[row][0][0])
    rest.reverse()
    ticket = count(0, -1)
    heap: list[tuple[float, int, float, int, int, tuple[int, ...]]] = [(rest[0], 0, 0.0, 0, pairs, ())]
    for _ in range(_COMPLETE.max_rare_steps):
        if not heap or heap[0][0] > limit:
            return
        _, _, spent, taken, left, chosen = heapq.heappop(heap)
        if len(chosen) == len(names):
            by_row = dict(zip(order, chosen, strict=True))
            yield spent, tuple(options[by_row[row]][1] for row, options in enumerate(names))
            continue
        for cost, number, column in reversed(usable[order[len(chosen)]]):
            again = taken >> column & 1
            if left >= again:
                total = round(spent + cost + rest[len(chosen) + 1], _COMPLETE.cost_digits)
                entry = total, next(ticket), spent + cost, taken | 1 << column, left - again, (*chosen, number)
                heapq.heappush(heap, entry)
