"""The names of a selection of tiles: how many tiles it has, and how far they are a complete hand."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, islice
from typing import Final

from tilescore.scoring.hand import Hand
from tilescore.scoring.shapes.winning import BITS, OF_ANY_SIZE, SUIT_BITS, SUIT_MASK, UNIT, Shape, hand_sizes, is_win
from tilescore.scoring.tiles import Tile
from tilescore.vision.detections import Candidate
from tilescore.vision.hand_prior.complete_hands import complete_readings
from tilescore.vision.hand_prior.melds import KONG, cost_of_chance, free_cost
from tilescore.vision.layout.scene import NEAR, ConcealedKong, Scene
from tilescore.vision.layout.selections import Selection

SET: Final = 3
_COPIES: Final = (1 << BITS) - 1
_MOST_QUADS: Final = 6
"""Choices of kongs of which the rest is completed, at most: the likeliest ones. Chosen."""
_UNITS: Final = frozenset(UNIT.values())
_CHOW: Final = 0o111
"""A chow from the lowest rank on, in packed counts of a suit."""


def contents_of(scene: Scene, chosen: Sequence[Selection], shapes: frozenset[Shape] = OF_ANY_SIZE) -> list[Content]:
    """The content of each selection."""
    return [content_of(scene, some, shapes) for some in chosen]


@dataclass(frozen=True, slots=True)
class Content:
    """The names of a selection of tiles."""

    count: int  # its tiles; a concealed kong with face-down tiles counts as three, other kongs as four
    kongs: tuple[ConcealedKong, ...]  # its concealed kongs with face-down tiles
    complete: bool = False  # whether it is a complete hand; four equal tiles may be a kong
    in_sets: int = 0  # its tiles that are in sets or one pair, each in one only, at most; all of a complete hand


def kongs_of(scene: Scene, chosen: Selection) -> list[ConcealedKong]:
    """The kongs with backs that may be part of a hand: those with its faces, and four backs near it."""
    if not chosen or not scene.kongs:
        return []
    reach = scene.gaps[sorted(chosen)].min(axis=0)
    return [
        kong
        for kong in scene.kongs
        if chosen.issuperset(kong.faces) and (kong.faces or reach[list(kong.backs)].min() < NEAR)
    ]


def together(kongs: Sequence[ConcealedKong]) -> Iterator[tuple[ConcealedKong, ...]]:
    """The choices of kongs that share no tile, small ones first."""
    for count in range(len(kongs) + 1):
        for some in combinations(kongs, count):
            if len({at for kong in some for at in kong.members}) == KONG * count:
                yield some


def content_of(scene: Scene, chosen: Selection, shapes: frozenset[Shape] = OF_ANY_SIZE) -> Content:
    """The content of a selection.

    A kong that is not certain is part of the selection if it makes the selection complete. It is part of it as well if
    the selection then has as many tiles as a hand, or one less.
    """
    every, units = kongs_of(scene, chosen), scene.units
    packed = sum([units[at] for at in chosen])
    if not every:
        count = len(chosen)
        complete = _is_complete(packed, count, 0, shapes)
        return Content(count, (), complete=complete, in_sets=count if complete else in_sets(packed))
    certain = tuple([kong for kong in every if kong.is_certain])
    by_count: dict[int, tuple[tuple[ConcealedKong, ...], int]] = {}
    for more in together(every[len(certain) :]):
        kongs = (*certain, *more)
        taken = [face for kong in kongs for face in kong.faces]
        left, loose = len(chosen) - len(taken), packed - sum([units[at] for at in taken])
        count = left + SET * len(kongs)
        if _is_complete(loose, left, len(kongs), shapes):
            return Content(count, kongs, complete=True, in_sets=count)
        by_count.setdefault(count, (kongs, loose))
    sizes = [size - less for size in hand_sizes(shapes) for less in (0, 1)]
    count = next((count for count in sizes if count in by_count), next(iter(by_count)))
    kongs, loose = by_count[count]
    return Content(count, kongs, in_sets=in_sets(loose) + SET * len(kongs))


def _is_complete(packed: int, count: int, sets: int, shapes: frozenset[Shape]) -> bool:
    """Whether so many tiles beside some sets are a complete hand; four equal ones may be a kong."""
    for size in hand_sizes(shapes):
        kongs = count + SET * sets - size
        if not kongs and is_win(packed, sets, shapes):
            return True
        if 0 < KONG * kongs <= count:
            quads = [KONG * unit for unit in _UNITS if packed // unit & _COPIES == KONG]
            if any(is_win(packed - sum(chosen), sets + kongs, shapes) for chosen in combinations(quads, kongs)):
                return True
    return False


def in_sets(packed: int) -> int:
    """The most of these tiles that are in sets of three or four or in one pair, each in one only.

    >>> from tilescore.scoring.shapes.winning import pack
    >>> from tilescore.scoring.tiles import parse_tiles
    >>> in_sets(pack(parse_tiles("1123m7777z5s")))
    7
    """
    alone = gain = 0
    for suit in range(4):
        without, paired = _in_sets(packed >> suit * SUIT_BITS & SUIT_MASK, suit < len("mps"))
        alone, gain = alone + without, max(gain, paired - without)
    return alone + gain


@lru_cache(maxsize=1 << 14)
def _in_sets(packed: int, has_chows: bool) -> tuple[int, int]:  # noqa: FBT001  # a cache tells arguments by place
    """The most tiles of one suit that are in sets, and in sets or one pair, by its packed counts."""
    if not packed:
        return 0, 0
    low = (packed & -packed).bit_length() - 1
    low -= low % BITS
    copies, rest = packed >> low & _COPIES, packed >> low
    above = packed & ~(_COPIES << low)
    best, paired = _in_sets(above, has_chows)
    if copies >= 2:  # a pair
        paired = max(paired, best + 2)
    sets = [(size, size) for size in (SET, KONG) if copies >= size]
    if has_chows and rest >> BITS & _COPIES and rest >> 2 * BITS & _COPIES:
        sets.append((_CHOW, SET))
    for code, size in sets:
        one, two = _in_sets(packed - (code << low), has_chows)
        best, paired = max(best, one + size), max(paired, two + size)
    return best, paired


def cost_of_completion(names: Sequence[Sequence[Candidate]], sets: int, shapes: frozenset[Shape]) -> float:
    """How much less likely than the likeliest names are those that make a complete hand, in nats; infinite without any.

    More names than a hand has tiles are kongs. Hands of five sets are not looked for.
    """
    kongs = len(names) + SET * sets - Hand.SIZE
    if kongs < 0 or KONG * kongs > len(names) or Hand.SIZE not in hand_sizes(shapes):
        return math.inf
    quads = sorted(_quads(names)) if kongs else []
    found = [math.inf]
    for chosen in islice(combinations(quads, kongs), _MOST_QUADS):
        taken = {at for _, members in chosen for at in members}
        if len(taken) == KONG * kongs:
            rest = [options for at, options in enumerate(names) if at not in taken]
            cost, _ = next(complete_readings(rest, sets + kongs, shapes), (math.inf, ()))
            found.append(cost - free_cost(rest) + sum(cost for cost, _ in chosen))
    return min(found)


def _quads(names: Sequence[Sequence[Candidate]]) -> Iterator[tuple[float, tuple[int, ...]]]:
    """The four tiles that are likeliest of one kind, for each kind that four may be, with their cost in nats."""
    costs: dict[Tile, list[tuple[float, int]]] = {}
    for at, options in enumerate(names):
        best = max(option.probability for option in options)
        for option in options:
            costs.setdefault(option.tile.plain, []).append((cost_of_chance(option.probability / best), at))
    for some in costs.values():
        four = sorted({at: cost for cost, at in sorted(some, reverse=True)}.items(), key=lambda entry: entry[1])[:KONG]
        if len(four) == KONG:
            yield sum(cost for _, cost in four), tuple(at for at, _ in four)
