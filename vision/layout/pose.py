"""How tiles lie on the table: a camera fitted to the boxes of a row, and every tile seen from there.

Tiles are all of one size, and those of a row lie side by side: enough to tell how the camera stood over them. From
there the form of each box says whether its tile lies upright or sideways, and its middle says where, in tile widths,
however steeply the picture was taken.

The frame: x along the row in its reading direction, y to the left of it (up, for a row read rightwards).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from tilescore.vision.layout.camera import SIDEWAYS, UPRIGHT, Cameras, Seen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tilescore.vision.image.boxes import Box

    Array = NDArray[np.float64]

ASPECT: Final = 1.34
"""Height of a tile for its width: sets measure 1.26 to 1.43."""
TOUCH: Final = 0.03
"""Tiles side by side leave so much space, in tile widths."""

# What boxes are expected to measure: means and spreads.
_FORM: Final = 0.045
"""Spread of the logarithm of a box's side."""
_STEP: Final = 0.06
"""Spread of the step between neighbours, in tile widths."""
_LINE: Final = 0.08
"""Spread of the tiles of a row about its line as the camera sees it, likewise."""
_ASPECTS: Final = (math.log(ASPECT), 0.035)
"""Logarithm of the height of a tile for its width."""
_LEANS: Final = (0.08, 0.1)
"""By how much standing tiles lean back, radians."""
_FOCAL: Final = (math.log(1.1), 0.35)
"""Logarithm of a camera's focal length for the picture's longer side."""
_SELDOM_TURNED: Final = 0.75
"""Fewer tiles lie sideways than upright, in nats."""
_SELDOM_ON_SIDE: Final = 4.0
"""And standing ones on their long side still more seldom."""
_SELDOM_ACROSS: Final = 3.5
"""Standing tiles lie seldom beside lying ones, likewise."""
_SELDOM_LYING: Final = 1.0
"""And tiles of a standing row seldom lie, likewise."""
_SELDOM_OTHERWISE: Final = 1.0
"""And standing ones seldom lean otherwise than the others do, likewise."""
_MOST_MISFIT: Final = 20.0
"""A box fits no worse than this, likewise: it may be partly covered, or no tile."""
_ANYHOW: Final = -5.0
"""Nor worse than this one of a tile that may lie, lean or be covered anyhow."""
_SELDOM_STANDING: Final = 4.0
"""Hands seldom stand, likewise."""

# The search for the camera.
_TRIAL_ROUNDS: Final = 2
_ROUNDS: Final = 4
_STANDING: Final = (0.0, 0.15, 0.28)
"""By how much a standing row may lean back, radians: it alone tells nothing about that."""
_MOST_TRIED: Final = 2
"""So many cameras are improved over a row that lies, and over one that stands."""
_HOPELESS: Final = 15.0
"""And none that begins so much worse than another, in nats."""
_UNDECIDED: Final = 4.0
"""A row may stand, or lie, if that is no more unlikely than this, in nats."""
_SETTLED: Final = 0.03
"""Steps that gain less, of what is off, are the last."""
_MOST_OTHERS: Final = 14
"""So many of the tiles nearest to the row help to find the camera."""
_NEAR: Final = 12.0
"""And not those farther from its middle than this, in tile widths."""
_NUDGE: Final = 1e-4
_LONGEST_MOVE: Final = 0.4
_LEAST_SIDE: Final = 0.15
"""A box leaves at least this share of its side for the height of its tile."""

_SELDOM: Final = np.array([(0.0, _SELDOM_ACROSS), (_SELDOM_LYING, 0.0)]).repeat(2, axis=1) + np.array(
    [0.0, _SELDOM_TURNED, 0.0, _SELDOM_ON_SIDE]
)
"""What each way to lie costs beside a row that lies, then beside one that stands, in nats."""
_SELDOM_ROOTS: Final = np.sqrt(2 * _SELDOM)
"""As misfits, whose squares are twice that."""
_NUDGES: Final = np.vstack([np.zeros(7), _NUDGE * np.eye(7)])


@dataclass(frozen=True, slots=True)
class Lying:
    """One way for a tile to lie.

    Attributes:
        x: its middle along the row, in tile widths.
        y: its middle to the left of the row, likewise.
        score: how well its box fits that, in nats; 0 at best.
    """

    x: float
    y: float
    score: float


@dataclass(frozen=True, slots=True)
class OnTable:
    """How a tile may lie on the table.

    Attributes:
        upright: as the row's tiles do.
        sideways: turned by a quarter.
        size: logarithm of what its box measures for what a tile there should.
        anyhow: how well its box fits a tile that was laid at any angle, in nats.
        down: logarithm of the odds that it lies rather than stands.
    """

    upright: Lying
    sideways: Lying
    size: float
    anyhow: float
    down: float

    @property
    def turn_odds(self) -> float:
        """Logarithm of the odds that it lies sideways, by the form of its box."""
        return self.sideways.score - self.upright.score

    @property
    def laid(self) -> float:
        """Logarithm of the odds that it lies upright rather than at any angle."""
        return self.upright.score - self.anyhow


@dataclass(frozen=True, slots=True)
class Sight:
    """How everything lies as seen from one row, and how much less likely that is than the likeliest, in nats."""

    spots: tuple[OnTable, ...]
    unlikely: float


def on_table(
    boxes: Sequence[Box], backs: Sequence[bool], row: Sequence[int], size_wh: tuple[int, int]
) -> tuple[Sight, ...]:
    """How all tiles lie, seen from the row: as if that lies, as if it stands, likeliest first, if both may be.

    Args:
        boxes: of all tiles.
        backs: whether each lies face down: then its box shows its sides too.
        row: indices of tiles side by side, in reading order: two at least.
        size_wh: the picture's size, pixels; (0, 0) if not known.
    """
    seen = Seen.of(boxes, backs, size_wh)
    over = _cameras_over(seen, row)
    return tuple(
        Sight(_spots(seen, camera, backs, () if lies else row), cost - over[0][2]) for camera, lies, cost in over
    )


def _spots(seen: Seen, camera: Cameras, backs: Sequence[bool], standing: Sequence[int]) -> tuple[OnTable, ...]:
    """How all tiles lie under that camera; if there is a standing row, in its frame."""
    stands = bool(standing)
    places, sides = camera.locate(seen, seen.corners)
    form = seen.misfit(sides)[0]
    scores = _fits(form)
    askew = _fits(seen.misfit(camera.locate(seen, seen.askew)[1])[0])
    askew = np.log(np.exp(askew).mean(axis=-1) + math.exp(_ANYHOW))
    straight = _fits(seen.misfit(_not_leaning(camera, stands=stands).locate(seen, seen.corners[..., 2:])[1])[0])
    leaning = slice(0, 2) if stands else slice(2, 4)
    scores[:, leaning] = np.maximum(scores[:, leaning], straight - _SELDOM_OTHERWISE)
    scores -= _SELDOM[0]
    scores[np.array(backs, bool), 2:] -= _SELDOM_ACROSS
    if stands:
        scores[list(standing)] += _SELDOM[0] - _SELDOM[1]
    places[:, 1, :, 2:] += camera.away() * ASPECT / 2  # where it would lie if it fell on its back
    down = scores[:, :2].max(axis=1) - scores[:, 2:].max(axis=1)
    tile = np.arange(len(scores))
    columns = [_nearer(form)[tile, scores.argmax(axis=1)], askew, down]
    for turn in (UPRIGHT, SIDEWAYS):
        way = turn + 2 * scores[:, turn::2].argmax(axis=1)
        columns += [places[0, 0, tile, way], places[0, 1, tile, way], scores[tile, way]]
    lying = np.column_stack(columns).tolist()
    return tuple(
        OnTable(Lying(*upright), Lying(*sideways), size, anyhow, lies)
        for size, anyhow, lies, *ways in lying
        for upright, sideways in [(ways[:3], ways[3:])]
    )


def _not_leaning(camera: Cameras, *, stands: bool) -> Cameras:
    """The camera in the frame of the table, standing tiles upright: one set apart seldom leans like the others."""
    over = camera.across() if stands else camera
    return replace(over, lean=np.zeros_like(over.lean))


def _nearer(form: Array) -> Array:
    """The one of two logarithms (2, ...) that is nearer to 0: what is partly covered, or leans, keeps one side."""
    return np.asarray(np.where(np.abs(form[0]) < np.abs(form[1]), form[0], form[1]))


def _fits(form: Array) -> Array:
    """How well boxes fit, in nats, by the logarithms (2, ...) of their sides for what these should be."""
    return np.asarray(np.maximum(-(form**2).sum(axis=0) / (2 * _FORM**2), -_MOST_MISFIT))


# The camera, by least squares


def _cameras_over(seen: Seen, row: Sequence[int]) -> list[tuple[Cameras, bool, float]]:
    """The likeliest camera over a row that lies, and over one that stands, whether it lies, and how unlikely that is.

    In nats, likeliest first, the other if it may be: from the row alone, then with the tiles around it.
    """
    part = seen.part(row)
    origin = part.middles.mean(axis=1)
    starts = _starts(part)
    params, costs = _improved(_Misfits(part, len(row), origin, np.zeros(len(starts), bool)), starts, _TRIAL_ROUNDS)
    params = params[costs.argsort()[:2]]
    off = np.hypot(*(seen.middles - origin[:, None]))
    near = off < _NEAR * math.exp(params[0, 3])
    others = [index for index in np.argsort(off).tolist() if near[index] and index not in set(row)][:_MOST_OTHERS]
    whole = seen.part([*row, *others])
    params[:, 6] = _LEANS[0]
    params = np.concatenate([params, *(_on_edge(params, lean) for lean in _STANDING)])
    stands = np.arange(len(params)) >= len(params) // (1 + len(_STANDING))
    costs = _Misfits(whole, len(row), origin, stands).costs(params) + stands * _SELDOM_STANDING
    ranked = costs.argsort()
    ranked = np.concatenate([ranked[stands[ranked] == stand][:_MOST_TRIED] for stand in (False, True)])
    ranked = ranked[costs[ranked] < costs.min() + _HOPELESS]
    params, costs = _improved(_Misfits(whole, len(row), origin, stands[ranked]), params[ranked], _ROUNDS)
    standing = stands[ranked]
    costs += standing * _SELDOM_STANDING
    best = [int(np.where(standing == stand, costs, math.inf).argmin()) for stand in set(standing.tolist())]
    return [
        (Cameras.of(params[at : at + 1], origin), not standing[at], float(costs[at]))
        for at in sorted(best, key=costs.__getitem__)
        if costs[at] < costs.min() + _UNDECIDED
    ]


class _Misfits:
    """What is off under a camera: forms of boxes, steps along the row, its line, and the camera itself.

    Args:
        seen: the tiles of the row in reading order, then others.
        length: how many tiles the row has.
        origin: the row's middle, pixels.
        stands: for each camera whether the row stands on its plane, (B,).
    """

    def __init__(self, seen: Seen, length: int, origin: Array, stands: NDArray[np.bool_]) -> None:
        self.seen = seen
        self.length = length
        self.origin = origin
        self._stands = stands
        count = seen.middles.shape[1]
        self._seldom = np.tile(_SELDOM[0], (len(stands), count, 1))
        self._seldom[stands, :length] = _SELDOM[1]
        form = [length, count - length]
        self._widths = np.repeat([2.5, 1.5, 2.5, 1.5, 1.5, 2.0], [*form, *form, length - 1, length])

    def costs(self, params: Array) -> Array:
        """How unlikely each camera is, (B,), in nats."""
        return np.asarray((self.of(params, self.aim(params))[0] ** 2).sum(axis=1) / 2)

    def aim(self, params: Array) -> Array:
        """A first guess how far off its box's middle each tile's is seen, pixels (B, 2, N, K)."""
        cameras, nothing = Cameras.of(params, self.origin), np.zeros((len(params), 2, *self.seen.corners.shape[2:]))
        return cameras.aim(self.seen, nothing, cameras.reach(self.seen.corners))

    def of(self, params: Array, aim: Array) -> tuple[Array, NDArray[np.intp], Array]:
        """All misfits in spreads, (B, R), the way in which each tile lies, (B, N), and a better aim."""
        cameras = Cameras.of(params, self.origin)
        places = cameras.onto_plane(self.seen.middles[..., None] + aim)
        middles, sides = cameras.boxes_at(places, cameras.reach(self.seen.corners))
        form = self.seen.misfit(sides) / _FORM
        way = ((form**2).sum(axis=1) / 2 + self._seldom).argmin(axis=-1)
        here, fits = _of_way(places, way), _of_way(form, way)
        return self._all(cameras, params, here, fits, way), way, aim + self.seen.off(middles, sides)

    def slopes(self, params: Array, aim: Array, way: NDArray[np.intp]) -> tuple[Array, Array]:
        """The misfits of tiles that lie so, (B, R), and how they change with each parameter, (B, 7, R)."""
        count, size = params.shape
        tried = (params[:, None] + _NUDGES).reshape(-1, size)
        corners = self.seen.corners[:, :, np.arange(way.shape[1]), way].transpose(2, 0, 1, 3)[..., None]
        off = (self.seen.middles + _of_way(aim, way))[..., None]
        cameras = Cameras.of(tried, self.origin)
        places = cameras.onto_plane(np.repeat(off, size + 1, axis=0))
        form = self.seen.misfit(cameras.boxes_at(places, cameras.reach(corners))[1]) / _FORM
        ways = np.repeat(way, size + 1, axis=0)
        found = self._all(cameras, tried, places[..., 0], form[..., 0], ways).reshape(count, size + 1, -1)
        return found[:, 0], np.asarray((found[:, 1:] - found[:, :1]) / _NUDGE)

    def _all(self, cameras: Cameras, params: Array, places: Array, form: Array, way: NDArray[np.intp]) -> Array:
        """All misfits of tiles that lie so, (B, R); of each camera there may be several after one another."""
        x, y = places[:, 0, : self.length], places[:, 1, : self.length]
        lies, count = way[:, : self.length], len(params)
        stands = np.repeat(self._stands, count // len(self._stands))[:, None]
        seldom = _SELDOM_ROOTS[stands.astype(int), lies]
        length = np.where(lies % 2 == SIDEWAYS, cameras.aspect[:, None], 1.0)
        steep = np.abs(np.where(stands, cameras.rotation[:, 2, 1:2], cameras.rotation[:, 2, 2:]))
        steps = x[:, 1:] - x[:, :-1] - (length[:, 1:] + length[:, :-1]) / 2 - TOUCH
        ranked = np.sort(y, axis=1)
        level = (ranked[:, (self.length - 1) // 2] + ranked[:, self.length // 2]) / 2
        line = np.where((lies >= 2) == stands, y - level[:, None], 0.0)
        focal = (params[:, 3:4] + params[:, 4:5] - math.log(self.seen.long_side) - _FOCAL[0]) / _FOCAL[1]
        aspect = (params[:, 5:6] - _ASPECTS[0]) / _ASPECTS[1]
        lean = (params[:, 6:7] - _LEANS[0]) / _LEANS[1]
        measured = [form.reshape(count, -1), steps / _STEP, line * steep / _LINE]
        return np.concatenate(
            [_calmed(np.concatenate(measured, axis=1), self._widths), seldom, focal, aspect, lean], axis=1
        )


def _of_way(each: Array, way: NDArray[np.intp]) -> Array:
    """What (B, 2, N, K) has for the ways (B, N) in which tiles lie, (B, 2, N)."""
    camera, tile = np.arange(len(way))[:, None], np.arange(way.shape[1])
    return each[camera, :, tile, way].transpose(0, 2, 1)


def _improved(misfits: _Misfits, params: Array, rounds: int) -> tuple[Array, Array]:
    """Cameras after some steps by Levenberg and Marquardt's method, and how unlikely each is, in nats."""
    count, size = params.shape
    damping = np.full(count, 1e-2)
    costs = np.zeros(count)
    _, way, aim = misfits.of(params, misfits.aim(params))
    for _ in range(rounds):
        now, slope = misfits.slopes(params, aim, way)
        normal = slope @ slope.transpose(0, 2, 1)
        ridge = damping[:, None] * np.einsum("bii->bi", normal) + 1e-9
        move = np.linalg.solve(normal + ridge[:, None] * np.eye(size), slope @ now[..., None])[..., 0]
        moved = params - np.clip(move, -_LONGEST_MOVE, _LONGEST_MOVE)
        then, moved_way, moved_aim = misfits.of(moved, aim)
        before, after = (now**2).sum(axis=1), (then**2).sum(axis=1)
        better = after < before
        params, costs = np.where(better[:, None], moved, params), np.minimum(before, after)
        way, aim = np.where(better[:, None], moved_way, way), np.where(better[:, None, None, None], moved_aim, aim)
        damping = np.where(better, damping / 3, damping * 6)
        if (before - after < _SETTLED * before).all():
            break
    return params, costs / 2


def _calmed(misfits: Array, width: Array) -> Array:
    """Misfits whose squares grow only as a logarithm beyond a width: what is far off is something else."""
    return np.asarray(np.sign(misfits) * width * np.sqrt(np.log1p((misfits / width) ** 2)))


def _starts(row: Seen) -> Array:
    """Cameras to begin with, (4, 7): a box does not tell to which side its tile leans, nor which end is near."""
    way = row.middles[:, -1] - row.middles[:, 0]
    way = way / max(float(np.hypot(*way)), 1e-9)
    steps = np.sort(np.diff(way @ row.middles))
    along = way * max(float(steps[int(0.4 * len(steps))]), 1e-3)
    left = np.maximum(row.sides - np.abs(along)[:, None], _LEAST_SIDE * row.sides)
    rest = np.median(left, axis=1) / ASPECT
    leans = np.array([rest[0], -rest[1]]), np.array([-rest[0], -rest[1]])
    return np.array([_start(along, across, row.long_side, nearer) for across in leans for nearer in (1, -1)])


def _start(along: Array, across: Array, long_side: float, nearer: int) -> list[float]:
    """The camera far off that sees a tile's width and its width turned to the left as these, in pixels."""
    if along[0] * across[1] - along[1] * across[0] > 0:
        across = -across
    one, two, both = float(along @ along), float(across @ across), float(along @ across)
    scale = math.sqrt((one + two + math.hypot(one - two, 2 * both)) / 2 * 1.02)
    deep = [math.sqrt(max(0.0, 1 - one / scale**2)), math.sqrt(max(0.0, 1 - two / scale**2))]
    if both > 0:
        deep[1] = -deep[1]
    right, up = (np.array([*way / scale, nearer * depth]) for way, depth in zip((along, across), deep, strict=True))
    turn, _, back = np.linalg.svd(np.column_stack([right, up, np.cross(right, up)]))
    distance = math.log(long_side / scale) + _FOCAL[0]
    return [*cv2.Rodrigues(turn @ back)[0][:, 0], math.log(scale), distance, _ASPECTS[0], _LEANS[0]]


def _on_edge(params: Array, lean: float) -> Array:
    """The cameras over the plane on which the row stands, leaning back."""
    found = params.copy()
    found[:, 6] = lean
    across = Cameras.of(found, np.zeros(2)).across()
    found[:, :3] = [cv2.Rodrigues(one)[0][:, 0] for one in across.rotation]
    return found
