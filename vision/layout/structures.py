"""Which parts the tiles of a hand may play: declared sets, a winning tile that lies apart, the owner's direction.

`structures` lists the possible ones for a chosen set of tiles, a bounded number of them. `structure_features` measures
what speaks for each.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain, combinations, pairwise
from statistics import median
from typing import Final, NamedTuple

from tilescore.scoring.hand import MeldKind, kind_of_set
from tilescore.scoring.tiles import Tile
from tilescore.vision.hand_prior.melds import KONG, free_cost, readings_as_set
from tilescore.vision.layout.contents import SET, kongs_of, together
from tilescore.vision.layout.frames import Frame, frames_of
from tilescore.vision.layout.scene import GAPS, MOST_COST, MOST_LISTED, ConcealedKong, Scene, connected, nodes_of
from tilescore.vision.layout.selections import Selection

_SIGN: Final = 0.1
"""A set or a tile is tried as apart, in tile widths, or as turned, in logarithms, from so little a sign on. Chosen."""
_ON_TOP: Final = (0.4, 0.5, 1.6)
"""The fourth tile of an added kong lies beyond the turned one: at most so far along, in tile widths, and so far away,
in depths of the two tiles, which perspective shortens alike. Chosen."""
_MOST_SETS: Final = 4
_MOST_DECLARED: Final = 5 * KONG
"""Tiles that a hand can declare, at most: five kongs of the game with sixteen tiles."""
_MOST_WINNING: Final = 3
"""Tiles that may be the winning one for each choice, at most: those farthest from the others. Chosen."""


@dataclass(frozen=True, slots=True)
class Declared:
    """A declared set as it lies."""

    members: tuple[int, ...]  # its tiles in reading order; the fourth tile of an added kong comes last
    called: int | None = None  # the turned tile
    is_hidden: bool = False  # whether it is a concealed kong with face-down tiles
    is_added: bool = False  # whether its last tile lies beyond the turned one
    cost: float = 0.0  # logarithm of how much less likely its tiles are a set than anything, 0 or more

    @property
    def lying(self) -> tuple[int, ...]:
        """Its tiles side by side, in reading order: without the fourth tile of an added kong."""
        return self.members[:-1] if self.is_added else self.members


@dataclass(frozen=True, slots=True)
class Given:
    """What a person has fixed."""

    declared: frozenset[int] = frozenset()  # tiles that are part of a declared set
    loose: frozenset[int] = frozenset()  # tiles that are not
    winning: int | None = None
    backs: frozenset[int] = frozenset()  # face-down tiles of the hand


NOTHING_GIVEN: Final = Given()


@dataclass(frozen=True, slots=True)
class Structure:
    """The parts of the tiles of a hand."""

    frame: Frame  # how the owner reads it
    declared: tuple[Declared, ...]
    loose: tuple[int, ...]  # the other tiles in reading order, the winning tile included
    winning: int | None = None  # the tile that lies apart because it completed the hand


def structures(scene: Scene, chosen: Selection, given: Given = NOTHING_GIVEN) -> Iterator[Structure]:
    """The structures that the chosen tiles may have, given what a person has fixed; there is always one."""
    kongs = [kong for kong in kongs_of(scene, chosen) if given.loose.isdisjoint(kong.members)]
    found = [one for some in together(kongs) for one in _with_kongs(scene, chosen, some, given)]
    most = max(one.covered for one in found)
    for one in found:
        if one.covered == most:
            yield from _with_winning(scene, one, given)


class _Sets(NamedTuple):
    """Declared sets in one direction."""

    frame: Frame
    declared: tuple[Declared, ...]
    covered: int  # how many of the tiles that a person calls declared they cover
    is_whole: bool  # whether as many tiles are left as some sets and a pair have


def _with_kongs(scene: Scene, chosen: Selection, kongs: Sequence[ConcealedKong], given: Given) -> Iterator[_Sets]:
    """The choices of declared sets with these concealed kongs."""
    members = sorted(chosen.union(given.backs, *(kong.members for kong in kongs)))
    for frame in frames_of(scene, members):
        order = [at for line in frame.lines for at in line]
        hidden = tuple(
            Declared(tuple(sorted(kong.members, key=order.index)), is_hidden=True, cost=kong.cost) for kong in kongs
        )
        taken = _members(hidden)
        open_sets = list(_declared(scene, frame, taken.union(at for at in order if scene.tiles[at].is_back)))
        asked = [at for at in order if at in given.declared and at not in taken]
        rows = _rows_of_sets(scene, frame, taken)
        turned = {frozenset(one.members): one for one in open_sets if one.called is not None}
        cut = tuple(turned.get(frozenset(one.members), one) for one in _cut(scene, asked))
        open_sets += [one for one in (*cut, *chain(*rows)) if one not in open_sets]
        elsewhere, most = taken | given.loose, _MOST_SETS - len(hidden)
        open_sets = [one for one in open_sets if elsewhere.isdisjoint(one.members)]
        rows = [row for row in rows if len(row) <= most and elsewhere.isdisjoint(_members(row))]
        found = []
        for some in dict.fromkeys((*([cut] if cut else ()), *rows, *_disjoint(open_sets, most, given.declared))):
            used = _members((*hidden, *some))
            found.append(
                _Sets(frame, (*hidden, *some), len(given.declared & used), (len(order) - len(used)) % SET == 2)
            )
        yield from sorted(found, key=lambda one: (-one.covered, not one.is_whole))[:MOST_LISTED]


def _members(some: Sequence[Declared]) -> set[int]:
    return {at for one in some for at in one.members}


def _with_winning(scene: Scene, sets: _Sets, given: Given) -> Iterator[Structure]:
    """The structures with these declared sets: without a winning tile, and with each that may be it."""
    frame, declared = sets.frame, sets.declared
    used = _members(declared)
    loose = tuple(at for line in frame.lines for at in line if at not in used and not scene.tiles[at].is_back)
    if given.winning in loose:
        yield Structure(frame, declared, loose, given.winning)
        return
    yield Structure(frame, declared, loose)
    if len(loose) % SET == 2:
        for winning in _winning(frame, loose):
            if winning not in given.loose:
                yield Structure(frame, declared, loose, winning)


def _cut(scene: Scene, members: Sequence[int]) -> tuple[Declared, ...]:
    """Kongs, pungs and chows of most of the tiles that a person calls declared, in reading order.

    Of several ways, the one whose names are likeliest and whose sets lie closest together; what is left is dropped.
    There is no way for more tiles than a hand can declare.
    """
    if len(members) > _MOST_DECLARED:
        return ()
    place = {at: number for number, at in enumerate(members)}
    choices = chain(combinations(members, KONG), combinations(members, SET))
    named = (one for one in map(partial(_named, scene), choices) if one is not None)
    apart = (replace(one, cost=one.cost + place[one.members[-1]] - place[one.members[0]] + 1 - len(one.members))
             for one in named)  # fmt: skip
    sets = sorted(apart, key=lambda one: one.cost)

    @cache
    def best(rest: tuple[int, ...]) -> tuple[int, float, tuple[Declared, ...]]:
        """The dropped tiles, the cost, and the sets of these tiles."""
        if len(rest) < SET:
            return len(rest), 0.0, ()
        dropped, cost, some = best(rest[1:])
        ways = [(dropped + 1, cost, some)]
        nearest: dict[tuple[Tile, ...], Declared] = {}  # sets of other copies of these tiles only multiply the ways
        for one in sets:
            if one.members[0] == rest[0] and {*one.members} <= {*rest}:
                nearest.setdefault(tuple(scene.tiles[at] for at in one.members), one)
        for one in nearest.values():
            dropped, cost, some = best(tuple(at for at in rest if at not in one.members))
            ways.append((dropped, cost + one.cost, (one, *some)))
        return min(ways, key=lambda way: way[:2])

    return tuple(replace(one, cost=0.0) for one in best(tuple(members))[2])


def _named(scene: Scene, some: tuple[int, ...]) -> Declared | None:
    """The set of tiles that a person calls declared, if it is one; a kong may have backs."""
    backs = sum(scene.tiles[at].is_back for at in some)
    if backs:
        faces = {scene.plain[at] for at in some if not scene.tiles[at].is_back}
        return Declared(some, is_hidden=True) if len(some) == KONG and len(faces) <= 1 else None
    cost = set_cost(scene, some)
    return Declared(some, cost=cost) if cost < MOST_COST else None


def _declared(scene: Scene, frame: Frame, taken: set[int]) -> Iterator[Declared]:
    """All sets that may be declared: those with a turned tile, those apart, four equal tiles."""
    free = [tuple(at for at in line if at not in taken) for line in frame.lines]
    runs = [
        run
        for line, whole in zip(free, frame.lines, strict=True)
        for length in (SET, KONG)
        for run in (line[start : start + length] for start in range(len(line) - length + 1))
        if whole[(first := whole.index(run[0])) : first + length] == run
    ]
    for run in runs:
        yield from _claimed(scene, frame, run)
    members = [at for line in free for at in line]
    order = {at: place for place, at in enumerate(members)}
    for some in sorted({*_groups(frame, members), *runs}, key=lambda some: [order[at] for at in some]):
        rest = [at for at in members if at not in some]
        apart = frame.gap(some, rest) > _SIGN
        cost = set_cost(scene, some) if apart or len(some) == KONG else MOST_COST
        if cost < MOST_COST:
            yield Declared(some, cost=cost)


def _rows_of_sets(scene: Scene, frame: Frame, taken: set[int]) -> list[tuple[Declared, ...]]:
    """The ways to part a whole row of tiles that touch each other into sets, where tiles lie outside that row."""
    runs = frame.runs()
    total = sum(map(len, runs))
    return [
        row for run in runs if len(run) < total and taken.isdisjoint(run) for row in _parted(scene, tuple(run)) if row
    ]


def _parted(scene: Scene, run: tuple[int, ...]) -> Iterator[tuple[Declared, ...]]:
    """The ways to part tiles side by side into sets."""
    if not run:
        yield ()
    for length in (SET, KONG):
        if len(run) >= length and (cost := set_cost(scene, run[:length])) < MOST_COST:
            for rest in _parted(scene, run[length:]):
                yield (Declared(run[:length], cost=cost), *rest)


def _groups(frame: Frame, members: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The members, in their order, that lie in groups of three or four."""
    pairs = [(frame.gaps[members[one]][members[two]], one, two) for one, two in combinations(range(len(members)), 2)]
    links = [0] * len(members)
    for limit in GAPS[:4]:
        for gap, one, two in pairs:
            if gap < limit:
                links[one] |= 1 << two
                links[two] |= 1 << one
        for part in connected(links):
            if part.bit_count() in (SET, KONG):
                yield tuple(members[at] for at in nodes_of(part))


def _claimed(scene: Scene, frame: Frame, members: tuple[int, ...]) -> Iterator[Declared]:
    """The sets with a turned tile that these tiles side by side may be; a chow comes from the player on the left."""
    cost = set_cost(scene, members)
    if cost >= MOST_COST:
        return
    is_chow = all(tiles[0].plain != tiles[1].plain for _, tiles in readings_as_set([scene.names[at] for at in members]))
    for called in members[:1] if is_chow else members:
        if max(turned(frame, members, called), step_beside(frame, members, called)) > _SIGN:
            yield Declared(members, called, cost=cost)
            if len(members) == SET:
                yield from _added(scene, frame, members, called)


def turned(frame: Frame, members: Sequence[int], at: int) -> float:
    """Logarithm of a tile's side along the line divided by its side across, less the mean of that of the others."""
    others = [frame.ratios[other] for other in members if other != at]
    return frame.ratios[at] - sum(others) / len(others)


def step_beside(frame: Frame, members: Sequence[int], at: int) -> float:
    """How much farther a tile of a run lies from its neighbours than these from each other, or than they are wide."""
    steps = [frame.along[two] - frame.along[one] for one, two in pairwise(members)]
    place = list(members).index(at)
    beside = steps[max(0, place - 1) : place + 1]
    apart = steps[: max(0, place - 1)] + steps[place + 1 :]
    if not apart:
        apart = [frame.widths[other] for other in members if other != at]
    return (sum(beside) / len(beside)) / (sum(apart) / len(apart)) - 1


def _added(scene: Scene, frame: Frame, members: tuple[int, ...], called: int) -> Iterator[Declared]:
    """The added kongs of a claimed pung: a tile beyond the turned one."""
    along, nearest, farthest = _ON_TOP
    for line in frame.lines:
        for at in line:
            beside, beyond = frame.along[at] - frame.along[called], frame.away[at] - frame.away[called]
            depth = (frame.depths[at] + frame.depths[called]) / 2
            if at not in members and abs(beside) < along and nearest < beyond / depth < farthest:
                whole = (*members, at)
                cost = set_cost(scene, whole)
                if cost < MOST_COST:
                    yield Declared(whole, called, is_added=True, cost=cost)


def set_cost(scene: Scene, members: Sequence[int]) -> float:
    """How much less likely these tiles are a set than anything, in nats; a set of tiles holds so many copies."""
    tiles = tuple(scene.tiles[at] for at in members)
    kind = kind_of_set(tiles)
    if kind is not None:
        return 0.0 if (kind is MeldKind.KONG) == (len(members) == KONG) else float("inf")
    names = [scene.names[at] for at in members]
    if all(len(some) == 1 for some in names):
        return float("inf")
    rest = Counter(tile for at, tile in enumerate(scene.plain) if at not in members)
    held = (
        cost
        for cost, tiles in readings_as_set(names)
        if all(
            rest[tile] + count <= tile.copies
            for tile, count in Counter(tile.plain for tile in tiles if not tile.is_back).items()
        )
    )
    return next(held, float("inf")) - free_cost(names)


def _disjoint(some: Sequence[Declared], most: int, wanted: frozenset[int]) -> Iterator[tuple[Declared, ...]]:
    """Choices of sets that share no tile, up to a number of them: those that a person wants first, then small ones."""
    first = sorted(some, key=lambda one: wanted.isdisjoint(one.members))
    yield ()
    found = 1
    for count in range(1, most + 1):
        for chosen in combinations(first, count):
            if len(_members(chosen)) == sum(len(one.members) for one in chosen):
                yield chosen
                found += 1
                if found >= _MOST_SETS * MOST_LISTED:
                    return


def _winning(frame: Frame, loose: Sequence[int]) -> list[int]:
    """Loose tiles that may be the winning one: those farthest from the other loose tiles, and those turned."""
    if len(loose) < 2:
        return []
    usual, inside = median(frame.ratios[at] for at in loose), set(loose)
    apart = {at: frame.space_around(at, inside) + max(0.0, frame.ratios[at] - usual) for at in loose}
    farthest = sorted(loose, key=lambda at: -apart[at])[:_MOST_WINNING]
    return [at for at in farthest if apart[at] > _SIGN]
