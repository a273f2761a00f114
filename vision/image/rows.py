"""Rows of tiles in a picture: straight or gently curved, in any direction, under perspective.

A row grows from two neighbouring tiles to both sides: the next tile is the nearest one ahead that lies on the line of
the last few. Of all rows that tiles can form the longest are kept, each tile in one row.
"""

from __future__ import annotations

import math
from bisect import insort
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from statistics import fmean, median
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tilescore.vision.image.boxes import Box

_OFF_LINE: Final = 0.6
"""So far may the next tile of a row lie off the line, of its extent across it; a sideways one always does a little."""
_FARTHEST: Final = 3.2
"""So far ahead may it lie, of a tile's size."""
_NEAREST: Final = 0.3
"""And at least so far, of its smaller side: closer boxes are the same tile twice."""
_SIZE_RATIO: Final = 2.0
"""Neighbours in a row differ less in size, even a lying tile and a standing one."""
_BEND: Final = math.cos(math.radians(28))
"""A row turns less than this between neighbours."""
_PARALLEL: Final = math.cos(math.radians(25))
"""Rows that lie side by side seem to differ less than this in direction."""
_ACROSS: Final = math.cos(math.radians(35))
"""And rows that lie across each other more than this."""
_STRAIGHT: Final = 0.01
"""The way along a straight row is no more than so much longer than from end to end."""
_SHADOW: Final = math.cos(math.radians(18))
"""A tile hides those behind it that are seen in a direction less different than this."""
_STRAIGHTER: Final = 2.5
"""How much rather the next tile lies farther ahead than off the line."""
_MEMORY: Final = 4
"""The line ahead is that of so many last tiles."""
GROUP_GAP: Final = 0.14
"""A space wider than this, in tile widths, can be seen."""
_STEEP: Final = 2.0
"""A row that falls more or less steeply than this is upright or level; between, boxes tell little about tiles."""


class _Way(NamedTuple):
    """From one tile to another: its index, how far right and down it lies, and how far off, pixels."""

    other: int
    dx: float
    dy: float
    apart: float


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a box lies, and the square root of its area."""

    x: float
    y: float
    width: float
    height: float
    size: float

    def along(self, ux: float, uy: float) -> float:
        """Extent along a direction, as far as a box tells it."""
        return max(self.width if abs(ux) >= abs(uy) else self.height, 1e-6)

    def across(self, ux: float, uy: float) -> float:
        """Extent across a direction, as far as a box tells it."""
        if abs(ux) > _STEEP * abs(uy):
            return self.height
        return self.width if abs(uy) > _STEEP * abs(ux) else self.small

    @property
    def small(self) -> float:
        """Its smaller side."""
        return max(min(self.width, self.height), 1e-6)


@dataclass(frozen=True)
class Row:
    """Tiles side by side.

    Attributes:
        members: indices into the boxes, in reading order (left to right, or top to bottom).
        centers: their midpoints.
        direction: unit vector of the reading direction (x, y), y down.
        size: median tile size, in the boxes' unit: the square root of the box's area.
        gaps: the space between each member and the one before it, for what their boxes measure along the row;
            infinite before the first.
    """

    members: tuple[int, ...]
    centers: tuple[tuple[float, float], ...]
    direction: tuple[float, float]
    size: float
    gaps: tuple[float, ...]

    @cached_property
    def center(self) -> tuple[float, float]:
        """Mean of the midpoints."""
        return fmean(x for x, _ in self.centers), fmean(y for _, y in self.centers)

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Members parted where a gap can be seen, in reading order."""
        return self.parted(GROUP_GAP)

    def parted(self, space: float) -> tuple[tuple[int, ...], ...]:
        """Members parted at gaps wider than that, in tile widths."""
        groups: list[list[int]] = []
        for member, gap in zip(self.members, self.gaps, strict=True):
            if gap > space:
                groups.append([])
            groups[-1].append(member)
        return tuple(tuple(group) for group in groups)

    def parts(self, space: float, least: int) -> tuple[Row, ...]:
        """Its parts between gaps wider than that, in tile widths, as rows: those of so many tiles, if there are two."""
        parted = self.parted(space)
        places = dict(zip(self.members, self.centers, strict=True))
        gaps = dict(zip(self.members, self.gaps, strict=True))
        return tuple(
            Row(
                part,
                tuple(places[index] for index in part),
                self.direction,
                self.size,
                (math.inf, *(gaps[index] for index in part[1:])),
            )
            for part in (parted if len(parted) > 1 else ())
            if len(part) >= least
        )


def find_rows(
    boxes: Sequence[Box],
    like: tuple[float, float] | None = None,
    without: Collection[int] = (),
    *,
    unlike: tuple[float, float] | None = None,
) -> tuple[Row, ...]:
    """Part all boxes into rows, longest first; a tile on its own is a row of one.

    Args:
        boxes: where tiles are.
        like: if given, the direction of a row that all others lie alongside.
        without: indices of boxes to leave out.
        unlike: if given, the direction of a row that all others lie across.
    """
    places = [_Place(*box.center, box.width, box.height, math.sqrt(max(box.area, 1e-9))) for box in boxes]
    free = set(range(len(places))).difference(without)
    chains = [
        chain
        for chain in _chains(places, free)
        if (like is None or _cosine(chain, like, places) > _PARALLEL)
        and (unlike is None or _cosine(chain, unlike, places) < _ACROSS)
    ]
    chains.sort(key=_score)
    rows: list[Row] = []
    while chains:
        best = chains.pop()
        kept = [member for member in best.members if member in free]
        if len(kept) < len(best.members):
            for run in _runs(best.members, free):
                if len(run) > 1:
                    insort(chains, _Chain.of(run, places), key=_score)
            continue
        free.difference_update(kept)
        rows.append(_row(kept, places))
    rows += [_row([index], places) for index in sorted(free)]
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class _Chain:
    """Tiles that can be a row, in order, how good a row they are, and whether it is nearly straight."""

    members: tuple[int, ...]
    score: float
    straight: bool

    @staticmethod
    def of(members: Sequence[int], places: Sequence[_Place]) -> _Chain:
        """A longer chain is better, and of two equally long ones the tighter and straighter."""
        first, last = places[members[0]], places[members[-1]]
        length = math.hypot(last.x - first.x, last.y - first.y)
        walked = sum(math.hypot(places[a].x - places[b].x, places[a].y - places[b].y) for a, b in pairwise(members))
        size = fmean(places[member].size for member in members)
        looseness = walked / (len(members) - 1) / size / _FARTHEST
        bent = 1 - length / max(walked, 1e-9)
        return _Chain(tuple(members), len(members) - min(0.5, looseness) - 4 * bent, bent < _STRAIGHT)


_score: Final = attrgetter("score")


def _cosine(chain: _Chain, along: tuple[float, float], places: Sequence[_Place]) -> float:
    """Of the angle between a row and a direction, 0-1."""
    first, last = places[chain.members[0]], places[chain.members[-1]]
    dx, dy = last.x - first.x, last.y - first.y
    return abs(dx * along[0] + dy * along[1]) / max(math.hypot(dx, dy), 1e-9)


def _runs(members: tuple[int, ...], free: set[int]) -> list[list[int]]:
    """Stretches of members that are still free."""
    runs: list[list[int]] = [[]]
    for member in members:
        if member in free:
            runs[-1].append(member)
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def _chains(places: Sequence[_Place], free: Collection[int]) -> list[_Chain]:
    """Every row that can grow from two neighbours."""
    near = _neighbours(places, free)
    ahead_of = [{way.other for way in ways} for ways in near]
    used: set[tuple[int, int]] = set()
    chains: list[_Chain] = []
    for first in range(len(places)):
        for second in _unobstructed(near[first]):
            if (first > second and first in ahead_of[second]) or (first, second) in used:
                continue
            ahead = _grown([first, second], places, near)
            members = _grown(ahead[::-1], places, near)
            chains.append(_Chain.of(members, places))
            if chains[-1].straight:
                links = list(pairwise(members))
                used.update(links, [(b, a) for a, b in links])
    return chains


def _unobstructed(near: Sequence[_Way]) -> Iterator[int]:
    """The neighbours, nearest first, before which no other lies in nearly the same direction."""
    seen: list[tuple[float, float]] = []
    for other, dx, dy, length in near:
        if all(dx * ux + dy * uy < _SHADOW * length for ux, uy in seen):
            yield other
        seen.append((dx / length, dy / length))


def _neighbours(places: Sequence[_Place], free: Collection[int]) -> list[list[_Way]]:
    """For each tile the ways to those of like size that are close enough to come next in a row, nearest first."""
    spots = np.array([(place.x, place.y) for place in places]).reshape(-1, 2)
    sizes = np.array([place.size for place in places])
    least = _NEAREST * np.array([place.small for place in places])
    ways = spots[None] - spots[:, None]
    apart = np.hypot(ways[..., 0], ways[..., 1])
    ratio = sizes[None] / sizes[:, None]
    usable = np.isin(np.arange(len(places)), list(free))
    near = (apart < _FARTHEST * sizes[:, None]) & (apart > least[:, None]) & usable[None] & usable[:, None]
    near &= (ratio < _SIZE_RATIO) & (ratio > 1 / _SIZE_RATIO)
    found: list[list[_Way]] = [[] for _ in places]
    here, there = near.nonzero()
    order = np.lexsort((apart[here, there], here))
    here, there = here[order], there[order]
    columns = (here, there, *ways[here, there].T, apart[here, there])
    for one, *way in zip(*(column.tolist() for column in columns), strict=True):
        found[one].append(_Way(*way))
    return found


def _grown(members: list[int], places: Sequence[_Place], near: Sequence[Sequence[_Way]]) -> list[int]:
    """The members and all that follow after the last."""
    grown = list(members)
    inside = set(grown)
    while True:
        back, last = places[grown[max(0, len(grown) - _MEMORY)]], places[grown[-1]]
        ux, uy = last.x - back.x, last.y - back.y
        length = math.hypot(ux, uy) or 1.0
        ux, uy = ux / length, uy / length
        best, following = math.inf, -1
        for other, dx, dy, apart in near[grown[-1]]:
            if _BEND * apart >= best:  # nor does any of the others, all farther off, lie nearer ahead
                break
            along = dx * ux + dy * uy
            if along > _BEND * apart and along < best and other not in inside:
                across = abs(dy * ux - dx * uy)
                cost = along + _STRAIGHTER * across
                if cost < best and across < _OFF_LINE * min(last.across(ux, uy), places[other].across(ux, uy)):
                    best, following = cost, other
        if following < 0:
            return grown
        grown.append(following)
        inside.add(following)


def _row(members: list[int], places: Sequence[_Place]) -> Row:
    here = [places[member] for member in members]
    if abs(here[-1].x - here[0].x) >= abs(here[-1].y - here[0].y):
        forward = here[-1].x >= here[0].x
    else:
        forward = here[-1].y >= here[0].y
    if not forward:
        members, here = members[::-1], here[::-1]
    dx, dy = here[-1].x - here[0].x, here[-1].y - here[0].y
    length = math.hypot(dx, dy)
    direction = (dx / length, dy / length) if length else (1.0, 0.0)
    steps = [(b.x - a.x) * direction[0] + (b.y - a.y) * direction[1] for a, b in pairwise(here)]
    extents = [place.along(*direction) for place in here]
    unit = median(extents)
    return Row(
        members=tuple(members),
        centers=tuple((place.x, place.y) for place in here),
        direction=direction,
        size=median(place.size for place in here),
        gaps=(math.inf, *((step - (a + b) / 2) / unit for step, (a, b) in zip(steps, pairwise(extents), strict=True))),
    )
