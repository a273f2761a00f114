"""Rows of tiles in a picture: straight or gently curved, in any direction, under perspective.

A row grows from two neighbouring tiles to both sides: the next tile is the nearest one ahead that lies on the line of
the last few. Of all rows that tiles can form the longest are kept, each tile in one row.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import fmean, median
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from vision.boxes import Box

_OFF_LINE: Final = 0.6
"""So far may the next tile of a row lie off the line, of its extent across it; a sideways one always does a little."""
_FARTHEST: Final = 3.2
"""So far ahead may it lie, of a tile's size."""
_NEAREST: Final = 0.3
"""And at least so far, of its smaller side: closer boxes are the same tile twice."""
_STEEP: Final = 2.0
"""A row that falls more or less steeply than this is upright or level; between, boxes tell little about tiles."""
_SIZE_RATIO: Final = 1.75
"""Neighbours in a row differ less in size, even a lying tile and a standing one."""
_BEND: Final = math.cos(math.radians(28))
"""A row turns less than this between neighbours."""
_PARALLEL: Final = math.cos(math.radians(25))
"""Rows that lie side by side seem to differ less than this in direction."""
_SHADOW: Final = math.cos(math.radians(18))
"""A tile hides those behind it that are seen in a direction less different than this."""
_STRAIGHTER: Final = 2.5
"""How much rather the next tile lies farther ahead than off the line."""
_MEMORY: Final = 4
"""The line ahead is that of so many last tiles."""
GROUP_GAP: Final = 0.14
"""A space wider than this, in tile widths, can be seen."""
ASPECT: Final = 1.34
"""Height of a tile for its width: sets measure 1.26 to 1.43."""
_SHAPE_SPREAD: Final = 0.09
"""Spread of the logarithm of a box's width for its height, among tiles that lie alike."""
_TELLING_CHANGE: Final = 0.4
"""A change of shape so large tells sideways tiles well."""
_SELDOM_TURNED: Final = 0.7
"""Fewer tiles lie sideways than upright, in nats."""
_LONGER: Final = 0.35
"""A sideways tile's box grows along the row by at least this share of what it should."""
_PARTED: Final = 1.45
"""A step so much wider than usual parts what lies alike: standing tiles from lying ones."""
_SLANTED: Final = 0.35
"""From this slope on, boxes no longer tell the space between tiles."""
_ENOUGH_FOR_TREND: Final = 6
_SHEARED: Final = 1.0
"""Nor from this share on by which boxes are longer than what a tile takes: their tiles are seen sheared."""
_CLEAR: Final = 6.0
"""Odds are not taken for clearer than this, in nats."""
_WINDOW: Final = 4
"""Tiles to each side that tell what is usual at a place of a row."""
_TELLING: Final = 6
"""Rows of fewer tiles do not tell what is usual: the row beside them does."""
_ALONE: Final = 9
"""And rows of fewer tiles tell it less well than the long row beside them."""
_LIKE_STEP: Final = 0.07
"""Steps whose logarithms differ less than this are alike."""
_DEPTH: Final = 1.2
"""Tiles of a hand are nearer or farther than its longest row by no more than this factor."""
_BESIDE: Final = 3
"""Steps to each side that tell what space is usual at a place."""
_ENOUGH_FOR_USUAL: Final = 3
_MOST_USUAL: Final = 0.05
"""Wider spaces are never usual, in tile widths."""
_USUAL_STEP: Final = 0.3
"""Quantile of the steps along a row that is a step between two upright tiles side by side."""


@dataclass(frozen=True, slots=True)
class _Scale:
    """What an upright tile takes along a row: its logarithm changes evenly along the row.

    Attributes:
        base: logarithm of the pixels at place 0.
        slope: its change for each pixel along the row.
        extents: for places along the row, what boxes measure there.
    """

    base: float
    slope: float
    extents: tuple[tuple[float, float], ...]

    def at(self, place: float) -> float:
        """Pixels at that place; beyond the ends of the row it changes no more than as far again."""
        low, high = self.extents[0][0], self.extents[-1][0]
        reach = high - low
        return math.exp(self.base + self.slope * min(max(place, low - reach), high + reach))


@dataclass(frozen=True)
class Row:
    """Tiles side by side.

    Attributes:
        members: indices into the boxes, in reading order (left to right, or top to bottom).
        centers: their midpoints.
        direction: unit vector of the reading direction (x, y), y down.
        size: median tile size, pixels: the square root of the box's area.
        pitch: what a tile takes along the row, pixels.
        scale: what a tile takes at each place along the row.
        strides: the step to each member from the one before it, in tile widths; infinite before the first.
        gaps: the space between these two, likewise.
        turn_odds: for each member, the logarithm of the odds that it lies sideways.
        blurred: how little boxes tell that in a row of this direction: 0 to 1.
        sides: how far each member's midpoint lies to the right of the row's line, in tile widths, if one faces the
            reading direction: towards the owner who reads it so.
        depths: how deep an upright tile is seen there across the row, likewise.
    """

    members: tuple[int, ...]
    centers: tuple[tuple[float, float], ...]
    direction: tuple[float, float]
    size: float
    pitch: float
    scale: _Scale
    strides: tuple[float, ...]
    gaps: tuple[float, ...]
    turn_odds: tuple[float, ...]
    blurred: float
    sides: tuple[float, ...]
    depths: tuple[float, ...]

    @cached_property
    def center(self) -> tuple[float, float]:
        """Mean of the midpoints."""
        return fmean(x for x, _ in self.centers), fmean(y for _, y in self.centers)

    @cached_property
    def turned(self) -> tuple[bool, ...]:
        """For each member, whether it lies sideways to the row."""
        return tuple(odds > 0 for odds in self.turn_odds)

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


def find_rows(boxes: Sequence[Box], like: Row | None = None, without: Collection[int] = ()) -> tuple[Row, ...]:
    """Part all boxes into rows, longest first; a tile on its own is a row of one.

    Args:
        boxes: where tiles are.
        like: if given, a row that all others lie alongside.
        without: indices of boxes to leave out.
    """
    places = [_Place(*box.center, box.width, box.height) for box in boxes]
    free = set(range(len(places))).difference(without)
    chains = [chain for chain in _chains(places, free) if like is None or _follows(chain, like.direction, places)]
    rows: list[Row] = []
    while chains:
        chains.sort(key=lambda chain: chain.score)
        best = chains.pop()
        kept = [member for member in best.members if member in free]
        if len(kept) < len(best.members):
            chains += [_Chain.of(run, places) for run in _runs(best.members, free) if len(run) > 1]
            continue
        free.difference_update(kept)
        rows.append(_row(kept, places, like))
    rows += [_row([index], places, like) for index in sorted(free)]
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a box lies."""

    x: float
    y: float
    width: float
    height: float

    @property
    def size(self) -> float:
        return math.sqrt(max(self.width * self.height, 1e-9))

    @property
    def shape(self) -> float:
        """Logarithm of the width for the height."""
        return math.log(max(self.width, 1e-6) / max(self.height, 1e-6))

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
        return max(min(self.width, self.height), 1e-6)


@dataclass(frozen=True, slots=True)
class _Chain:
    """Tiles that can be a row, in order, and how good a row they are."""

    members: tuple[int, ...]
    score: float

    @staticmethod
    def of(members: Sequence[int], places: Sequence[_Place]) -> _Chain:
        """A longer chain is better, and of two equally long ones the tighter and straighter."""
        first, last = places[members[0]], places[members[-1]]
        length = math.hypot(last.x - first.x, last.y - first.y)
        walked = sum(math.hypot(places[a].x - places[b].x, places[a].y - places[b].y) for a, b in pairwise(members))
        size = fmean(places[member].size for member in members)
        looseness = walked / (len(members) - 1) / size / _FARTHEST
        return _Chain(tuple(members), len(members) - min(0.5, looseness) - 4 * (1 - length / max(walked, 1e-9)))


def _follows(chain: _Chain, along: tuple[float, float], places: Sequence[_Place]) -> bool:
    first, last = places[chain.members[0]], places[chain.members[-1]]
    dx, dy = last.x - first.x, last.y - first.y
    return abs(dx * along[0] + dy * along[1]) > _PARALLEL * math.hypot(dx, dy)


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
    near = [_neighbours(index, places, free) if index in free else () for index in range(len(places))]
    used: set[tuple[int, int]] = set()
    chains: list[_Chain] = []
    for first in range(len(places)):
        for second in _unobstructed(first, near[first], places):
            if (first > second and first in near[second]) or (first, second) in used:
                continue
            ahead = _grown([first, second], places, near)
            members = _grown(ahead[::-1], places, near)
            links = list(pairwise(members))
            used.update(links, [(b, a) for a, b in links])
            chains.append(_Chain.of(members, places))
    return chains


def _unobstructed(first: int, near: Sequence[int], places: Sequence[_Place]) -> Iterator[int]:
    """The neighbours, nearest first, before which no other lies in nearly the same direction."""
    here = places[first]
    seen: list[tuple[float, float]] = []
    for other in near:
        dx, dy = places[other].x - here.x, places[other].y - here.y
        length = math.hypot(dx, dy)
        if all(dx * ux + dy * uy < _SHADOW * length for ux, uy in seen):
            yield other
        seen.append((dx / length, dy / length))


def _neighbours(index: int, places: Sequence[_Place], free: Collection[int]) -> tuple[int, ...]:
    """Tiles of like size that are close enough to come next in a row, nearest first."""
    here = places[index]
    reach = _FARTHEST * here.size
    found = []
    for other in free:
        place = places[other]
        dx, dy = abs(place.x - here.x), abs(place.y - here.y)
        if other == index or dx > reach or dy > reach:
            continue
        distance = math.hypot(dx, dy)
        like = 1 / _SIZE_RATIO < place.size / here.size < _SIZE_RATIO
        if like and _NEAREST * here.small < distance < reach:
            found.append((distance, other))
    return tuple(other for _, other in sorted(found))


def _grown(members: list[int], places: Sequence[_Place], near: Sequence[tuple[int, ...]]) -> list[int]:
    """The members and all that follow after the last."""
    grown = list(members)
    inside = set(grown)
    while True:
        back, last = places[grown[max(0, len(grown) - _MEMORY)]], places[grown[-1]]
        ux, uy = last.x - back.x, last.y - back.y
        length = math.hypot(ux, uy) or 1.0
        ux, uy = ux / length, uy / length
        best, following = math.inf, -1
        for other in near[grown[-1]]:
            dx, dy = places[other].x - last.x, places[other].y - last.y
            along, across = dx * ux + dy * uy, abs(dy * ux - dx * uy)
            cost = along + _STRAIGHTER * across
            if cost < best and other not in inside and along > _BEND * math.hypot(dx, dy):
                room = _OFF_LINE * min(last.across(ux, uy), places[other].across(ux, uy))
                if across < room:
                    best, following = cost, other
        if following < 0:
            return grown
        grown.append(following)
        inside.add(following)


def _row(members: list[int], places: Sequence[_Place], like: Row | None) -> Row:
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
    along = [place.x * direction[0] + place.y * direction[1] for place in here]
    steps = [b - a for a, b in pairwise(along)]
    extents = [place.along(*direction) for place in here]
    scale = _scale(along, steps, extents)
    units = [scale.at(place) for place in along]
    if like is not None and len(here) < _ALONE:
        units = _units_beside(here, like)
    strides = [2 * step / (a + b) for step, (a, b) in zip(steps, pairwise(units), strict=True)]
    odds = _turn_odds(here, direction, units, strides)
    return Row(
        members=tuple(members),
        centers=tuple((place.x, place.y) for place in here),
        direction=direction,
        size=median(place.size for place in here),
        pitch=median(units),
        scale=scale,
        strides=(math.inf, *strides),
        gaps=(math.inf, *_gaps(here, direction, units, strides, odds)),
        turn_odds=odds,
        blurred=_blurred(here, direction, units),
        sides=_sides(here, direction if like is None or len(here) >= _TELLING else like.direction, units),
        depths=_depths(here, direction, units),
    )


def _scale(along: Sequence[float], steps: Sequence[float], extents: Sequence[float]) -> _Scale:
    """The scale of a row, told by the steps between upright tiles side by side; sideways tiles and gaps are longer."""
    measured = tuple(zip(along, extents, strict=True))
    if not steps:
        return _Scale(math.log(extents[0]), 0.0, measured)
    logs = [math.log(max(step, 1e-6)) for step in steps]
    middles = [(a + b) / 2 for a, b in pairwise(along)]
    slope = 0.0
    if len(steps) >= _TELLING - 1:
        pairs = [(i, j) for i in range(len(logs)) for j in range(i + 2, len(logs))]
        slope = median((logs[j] - logs[i]) / (middles[j] - middles[i]) for i, j in pairs)
    level = sorted(value - slope * middle for value, middle in zip(logs, middles, strict=True))
    base = level[int(_USUAL_STEP * len(level))]
    flush = [value for value in level if abs(value - base) < _LIKE_STEP]
    return _Scale(fmean(flush), slope, measured)


def _units_beside(here: Sequence[_Place], like: Row) -> list[float]:
    """What an upright tile takes in a short row: as in the long one beside it, nearer or farther by the boxes' size."""
    along = [place.x * like.direction[0] + place.y * like.direction[1] for place in here]
    extents = sorted(place.along(*like.direction) for place in here)
    shorter = extents[(len(extents) - 1) // 2]
    middle = fmean(along)
    place, extent = min(like.scale.extents, key=lambda entry: abs(entry[0] - middle))
    nearer = shorter / extent / (like.scale.at(middle) / like.scale.at(place))
    nearer = max(1 / _DEPTH, min(_DEPTH, nearer))
    return [like.scale.at(place) * nearer for place in along]


def _gaps(
    here: Sequence[_Place],
    direction: tuple[float, float],
    units: Sequence[float],
    strides: Sequence[float],
    odds: Sequence[float],
) -> list[float]:
    """Space before each tile but the first beyond what is usual in the row, in tile widths."""
    ux, uy = abs(direction[0]), abs(direction[1])
    extents = [place.along(*direction) for place in here]
    slant = min(ux, uy) / max(ux, uy) / _SLANTED
    sheared = (median(extents) / median(units) - 1) / _SHEARED
    blurred = min(1.0, max(slant, sheared)) if len(here) >= _TELLING else 0.0
    lengths = [ASPECT if chance > 0 else 1.0 for chance in odds]
    boxed = [
        stride - (extents[at] + extents[at + 1]) / (units[at] + units[at + 1]) for at, stride in enumerate(strides)
    ]
    stepped = [stride - (a + b) / 2 for stride, (a, b) in zip(strides, pairwise(lengths), strict=True)]
    flush = [min(median(boxed[max(0, at - _BESIDE) : at + _BESIDE + 1]), _MOST_USUAL) for at in range(len(boxed))]
    if len(boxed) < _ENOUGH_FOR_USUAL:
        flush = [0.0] * len(boxed)
    return [
        (1 - blurred) * (one - usual) + blurred * other for one, usual, other in zip(boxed, flush, stepped, strict=True)
    ]


def _turn_odds(
    here: Sequence[_Place], direction: tuple[float, float], units: Sequence[float], strides: Sequence[float]
) -> tuple[float, ...]:
    """How much likelier each tile's box is that of a sideways tile; nothing is said of fewer than three tiles."""
    if len(here) < 3:
        return (0.0,) * len(here)
    level = abs(direction[0]) >= abs(direction[1])
    usual = [_usual_shape(here, _alike(strides, place), place, level=level) for place in range(len(here))]
    for _ in range(2):  # then once more, from the tiles that lie upright
        odds = tuple(_odds(box, shape, direction, unit) for box, shape, unit in zip(here, usual, units, strict=True))
        upright = [chance < 0 for chance in odds]
        usual = [
            _fitted_shape(here, upright, _alike(strides, place), place, otherwise=usual[place])
            for place in range(len(here))
        ]
    longer = _longer([box.along(*direction) for box in here], upright, units, max(abs(direction[0]), abs(direction[1])))
    return tuple(chance if long else min(chance, 0.0) for chance, long in zip(odds, longer, strict=True))


def _longer(extents: Sequence[float], upright: Sequence[bool], units: Sequence[float], share: float) -> list[bool]:
    """Whether tiles are longer along the row than the upright ones near them: partly covered ones are not."""
    found = []
    for place, extent in enumerate(extents):
        near = [
            extents[at]
            for at in range(max(0, place - _WINDOW), min(len(extents), place + _WINDOW + 1))
            if upright[at] and at != place
        ]
        usual = median(near) if near else extent / 2
        along = min(units[place] * share, usual)
        growth = along * (ASPECT - 1) - (usual - along) * (1 - 1 / ASPECT)
        found.append(extent > usual + _LONGER * max(growth, 0.0))
    return found


def _odds(box: _Place, upright: float, direction: tuple[float, float], unit: float) -> float:
    """Log-odds that a box is that of a sideways tile, where that of an upright one has this shape."""
    change = _turned_shape(box.size, upright, direction, unit) - upright
    seen = box.shape - upright
    clear = (seen - change / 2) * change / _SHAPE_SPREAD**2 - _SELDOM_TURNED
    return max(-_CLEAR, min(_CLEAR, clear))


def _usual_shape(here: Sequence[_Place], part: tuple[int, int], place: int, *, level: bool) -> float:
    """The middle shape of a stretch of tiles, less its trend: mostly that of an upright one."""
    shapes = [box.shape for box in here[part[0] : part[1]]]
    trend = _trend(shapes)
    even = sorted(shape - trend * (at - place) for at, shape in enumerate(shapes, part[0]))
    # Sideways tiles are longer along the row: of an even number the shorter middle one is upright.
    return even[(len(even) - 1) // 2 if level else len(even) // 2]


def _fitted_shape(
    here: Sequence[_Place], upright: Sequence[bool], part: tuple[int, int], place: int, *, otherwise: float
) -> float:
    """The shape of an upright tile at a place, by a line through those of the stretch, itself left out."""
    points = [(at - place, here[at].shape) for at in range(*part) if upright[at] and at != place]
    if len(points) < 2:
        return otherwise
    middle, mean = fmean(x for x, _ in points), fmean(y for _, y in points)
    spread = sum((x - middle) ** 2 for x, _ in points)
    slope = sum((x - middle) * (y - mean) for x, y in points) / spread
    return mean - slope * middle if len(points) >= _ENOUGH_FOR_TREND - 2 else mean


def _sides(here: Sequence[_Place], direction: tuple[float, float], units: Sequence[float]) -> tuple[float, ...]:
    """How far each midpoint lies to the right of the line along the row through the first, in tile widths."""
    ux, uy = direction
    first = here[0]
    return tuple(
        ((place.y - first.y) * ux - (place.x - first.x) * uy) / unit for place, unit in zip(here, units, strict=True)
    )


def _depths(here: Sequence[_Place], direction: tuple[float, float], units: Sequence[float]) -> tuple[float, ...]:
    """What boxes leave for a tile's height, seen across the row, when its width along the row is taken off."""
    ux, uy = abs(direction[0]), abs(direction[1])
    return tuple(
        (max(0.0, place.width - unit * ux) * uy + max(0.0, place.height - unit * uy) * ux) / unit
        for place, unit in zip(here, units, strict=True)
    )


def _blurred(here: Sequence[_Place], direction: tuple[float, float], units: Sequence[float]) -> float:
    """How little the box of a sideways tile would differ from that of an upright one, 0 to 1."""
    changes = [
        abs(_turned_shape(box.size, box.shape, direction, unit) - box.shape)
        for box, unit in zip(here, units, strict=True)
    ]
    return max(0.0, 1 - median(changes) / _TELLING_CHANGE)


def _alike(strides: Sequence[float], place: int) -> tuple[int, int]:
    """The stretch of tiles around a place that lie close together, if there are three: these lie alike."""
    low = high = place
    while low > max(0, place - _WINDOW) and strides[low - 1] < _PARTED:
        low -= 1
    while high < min(len(strides), place + _WINDOW) and strides[high] < _PARTED:
        high += 1
    if high - low >= 2:
        return low, high + 1
    return max(0, place - _WINDOW), min(len(strides) + 1, place + _WINDOW + 1)


def _trend(shapes: Sequence[float]) -> float:
    """How the shapes change from tile to tile under perspective: the median of all slopes, where there are enough."""
    if len(shapes) < _ENOUGH_FOR_TREND:
        return 0.0
    return median((shapes[b] - shapes[a]) / (b - a) for a in range(len(shapes)) for b in range(a + 1, len(shapes)))


def _turned_shape(size: float, upright: float, direction: tuple[float, float], pitch: float) -> float:
    """The shape of the box of a sideways tile where an upright one has this size and shape."""
    stretch = math.exp(upright / 2)
    extents = []
    for extent, share in ((size * stretch, abs(direction[0])), (size / stretch, abs(direction[1]))):
        along = min(pitch * share, extent)
        extents.append(along * ASPECT + (extent - along) / ASPECT)
    return math.log(max(extents[0], 1e-6) / max(extents[1], 1e-6))
