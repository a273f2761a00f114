"""Rows of tiles in a picture: straight or gently curved, in any direction, under perspective.

A row grows from two neighbouring tiles to both sides. Its next tile is the nearest one ahead on the line through the
last few. Of all rows that the tiles can form the longest are kept; each tile belongs to one row.
"""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from statistics import fmean
from typing import Final, NamedTuple

import numpy as np

from tilescore.vision.image.boxes import Box
from tilescore.vision.image.config import RowConfig

_CONFIG: Final = RowConfig()


class _Step(NamedTuple):
    """The step from one tile to another: its index, its offset to the right and down, and its distance, in pixels."""

    other: int
    dx: float
    dy: float
    apart: float


@dataclass(frozen=True, slots=True)
class _Place:
    """The center and the sides of a box, and the square root of its area."""

    x: float
    y: float
    width: float
    height: float
    size: float

    def across(self, ux: float, uy: float) -> float:
        """Extent across a direction, estimated from the box."""
        if abs(ux) > _CONFIG.min_steepness * abs(uy):
            return self.height
        return self.width if abs(uy) > _CONFIG.min_steepness * abs(ux) else self.small

    @property
    def small(self) -> float:
        return max(min(self.width, self.height), 1e-6)


class TileRow(NamedTuple):
    """Tiles side by side."""

    members: tuple[int, ...]  # indices into the boxes, in reading order (left to right, or top to bottom)
    direction: tuple[float, float]  # unit vector of the reading direction (x, y), y down


def find_rows(boxes: Sequence[Box]) -> tuple[TileRow, ...]:
    """Part all boxes into rows, longest first; a single tile is a row of one."""
    return RowFinder(boxes).rows()


class RowFinder:
    """Finds rows among boxes of tiles, also in a second direction."""

    def __init__(self, boxes: Sequence[Box]) -> None:
        self._places = [_Place(*box.center, box.width, box.height, math.sqrt(max(box.area, 1e-9))) for box in boxes]
        self._chains = _chains(self._places)

    def rows(self, *, unlike: tuple[float, float] | None = None) -> tuple[TileRow, ...]:
        """Part all boxes into rows, longest first; only rows across the direction `unlike`, if it is given."""
        places = self._places
        chains = [
            chain
            for chain in self._chains
            if unlike is None or _cosine(chain, unlike, places) < _CONFIG.max_across_cosine
        ]
        chains.sort(key=_score)
        free = set(range(len(places)))
        rows: list[TileRow] = []
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
    """Tiles that can form a row, in order, the score of that row, and whether it is nearly straight."""

    members: tuple[int, ...]
    score: float
    straight: bool

    @staticmethod
    def of(members: Sequence[int], places: Sequence[_Place]) -> _Chain:
        """The chain with its score: longer chains score better, of equally long ones the tighter and straighter."""
        first, last = places[members[0]], places[members[-1]]
        length = math.hypot(last.x - first.x, last.y - first.y)
        walked = sum(math.hypot(places[a].x - places[b].x, places[a].y - places[b].y) for a, b in pairwise(members))
        size = fmean(places[member].size for member in members)
        looseness = walked / (len(members) - 1) / size / _CONFIG.max_step_tiles
        bent = 1 - length / max(walked, 1e-9)
        score = len(members) - min(_CONFIG.max_looseness, looseness) - _CONFIG.bend_cost_tiles * bent
        return _Chain(tuple(members), score, bent < _CONFIG.max_straight_excess)


_score: Final = attrgetter("score")


def _cosine(chain: _Chain, along: tuple[float, float], places: Sequence[_Place]) -> float:
    """The absolute cosine of the angle between a row and a direction."""
    first, last = places[chain.members[0]], places[chain.members[-1]]
    dx, dy = last.x - first.x, last.y - first.y
    return abs(dx * along[0] + dy * along[1]) / max(math.hypot(dx, dy), 1e-9)


def _runs(members: tuple[int, ...], free: set[int]) -> list[list[int]]:
    """The runs of members that are still free."""
    runs: list[list[int]] = [[]]
    for member in members:
        if member in free:
            runs[-1].append(member)
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def _chains(places: Sequence[_Place]) -> list[_Chain]:
    """Every row that can grow from two neighbours."""
    near = _neighbours(places)
    ahead_of = [{step.other for step in steps} for steps in near]
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


def _unobstructed(near: Sequence[_Step]) -> Iterator[int]:
    """The neighbours, nearest first, that no nearer one hides."""
    seen: list[tuple[float, float]] = []
    for other, dx, dy, length in near:
        if all(dx * ux + dy * uy < _CONFIG.shadow_cosine * length for ux, uy in seen):
            yield other
        seen.append((dx / length, dy / length))


def _neighbours(places: Sequence[_Place]) -> list[list[_Step]]:
    """For each tile the steps to the tiles of similar size that may come next in a row, nearest first."""
    spots = np.array([(place.x, place.y) for place in places]).reshape(-1, 2)
    sizes = np.array([place.size for place in places])
    least = _CONFIG.min_step_tiles * np.array([place.small for place in places])
    offsets = spots[None] - spots[:, None]
    apart = np.hypot(offsets[..., 0], offsets[..., 1])
    ratio = sizes[None] / sizes[:, None]
    near = (apart < _CONFIG.max_step_tiles * sizes[:, None]) & (apart > least[:, None])
    near &= (ratio < _CONFIG.max_size_ratio) & (ratio > 1 / _CONFIG.max_size_ratio)
    steps: list[list[_Step]] = [[] for _ in places]
    here, there = near.nonzero()
    order = np.lexsort((apart[here, there], here))
    here, there = here[order], there[order]
    columns = (here, there, *offsets[here, there].T, apart[here, there])
    for at, *step in zip(*(column.tolist() for column in columns), strict=True):
        steps[at].append(_Step(*step))
    return steps


def _grown(members: list[int], places: Sequence[_Place], near: Sequence[Sequence[_Step]]) -> list[int]:
    """The members and all tiles that follow after the last."""
    bend = _CONFIG.min_bend_cosine
    grown = list(members)
    inside = set(grown)
    while True:
        back, last = places[grown[max(0, len(grown) - _CONFIG.memory_tiles)]], places[grown[-1]]
        ux, uy = last.x - back.x, last.y - back.y
        length = math.hypot(ux, uy) or 1.0
        ux, uy = ux / length, uy / length
        best, following = math.inf, -1
        for other, dx, dy, apart in near[grown[-1]]:
            if bend * apart >= best:  # all others are farther away and cannot cost less
                break
            along = dx * ux + dy * uy
            if along > bend * apart and along < best and other not in inside:
                across = abs(dy * ux - dx * uy)
                cost = along + _CONFIG.offset_cost * across
                extent = min(last.across(ux, uy), places[other].across(ux, uy))
                if cost < best and across < _CONFIG.max_offset_extents * extent:
                    best, following = cost, other
        if following < 0:
            return grown
        grown.append(following)
        inside.add(following)


def _row(members: list[int], places: Sequence[_Place]) -> TileRow:
    here = [places[member] for member in members]
    if abs(here[-1].x - here[0].x) >= abs(here[-1].y - here[0].y):
        forward = here[-1].x >= here[0].x
    else:
        forward = here[-1].y >= here[0].y
    if not forward:
        members, here = members[::-1], here[::-1]
    dx, dy = here[-1].x - here[0].x, here[-1].y - here[0].y
    length = math.hypot(dx, dy)
    return TileRow(tuple(members), (dx / length, dy / length) if length else (1.0, 0.0))
