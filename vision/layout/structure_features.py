"""What speaks for a structure of a hand: named features of its direction, declared sets and winning tile.

All distances are in tile widths. `turned` stands for the logarithm of a box's side along the line divided by its side
across, less that of the tiles beside it: 0 for a tile like its neighbours, about 0.6 for a turned one, whatever the
camera's height. A small network weighs the features (`vision/layout/model.py`).
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby, pairwise
from statistics import median
from typing import Final

import numpy as np

from tilescore.scoring.hand import Hand, kind_of_set
from tilescore.scoring.shapes.winning import OF_ANY_SIZE, UNIT, Shape, is_win, lacking, pack
from tilescore.scoring.tiles import PLAYING_TILES
from tilescore.vision.arrays import Floats
from tilescore.vision.hand_prior.melds import KONG
from tilescore.vision.layout.contents import SET
from tilescore.vision.layout.frames import TOUCHING, TURNED, Frame
from tilescore.vision.layout.scale import LENGTH
from tilescore.vision.layout.scene import Scene
from tilescore.vision.layout.structures import Declared, Structure, step_beside, turned

_OF_SETS: Final = {
    "": "1 for each such set.",
    "chow": "1 if it is a chow.",
    "kong": "1 if it has four tiles.",
    "cost": "How much less likely its names are a set than anything, in nats.",
    "gap": "The space between it and the nearest other tile, at most 0.6; of a row of sets, outside that row.",
    "wide_gap": "The same, at most 1.2.",
    "gap_inside": "The largest space between one of its tiles and the next one, at most 0.5.",
    "askew": "How much its line deviates from the direction of the hand: the tangent of the angle, at most 1.",
    "own_line": "1 if no loose tile lies in its line.",
    "at_right": "1 if no loose tile follows in its line, and some lie there.",
    "at_left": "1 if no loose tile precedes it in its line, and some lie there.",
    "in_front": "1 if it lies farther from the owner than the line with most loose tiles, and not in it.",
    "nearer": "1 if it lies nearer to the owner than the line with most loose tiles, and not in it.",
    "rest_row": "Tiles of the longest run outside it, as a share of 14.",
    "groups": "Other groups of two to four tiles, in fives.",
    "flat": "Difference of its tiles' sides from those of the others, at most 0.6: it lies where they stand.",
    "size": "Logarithm of its size divided by that of the other tiles, without its sign.",
}
_OF_HIDDEN: Final = {
    "wall": "The space between its backs and the nearest back outside the hand, at most 1.",
    "no_wall": "1 if no back lies outside the hand.",
    "uneven": "How much its tiles' sizes vary: the standard deviation of their logarithms.",
}
_OF_CALLED: Final = {
    "turned": "`turned` of its turned tile, at most 0.8.",
    "little_turned": "What `turned` lacks to 0.35.",
    "second": "The largest `turned` of another tile of it, without its sign.",
    "against_all": "`turned` of its turned tile against all tiles of the hand.",
    "step": "How much farther the turned tile lies from its neighbours than these from each other.",
    "edge": "How far its near edge lies off that of the others.",
    "middle": "How far its middle lies nearer to the owner than those of the others.",
    "not_left": "1 for a chow whose turned tile is not the left one.",
    "is_left": "1 for a pung or kong whose turned tile is the left one.",
    "is_right": "1 for a pung or kong whose turned tile is the right one.",
    "added": "1 if a fourth tile lies beyond the turned one.",
    "beyond": "How far a fourth tile lies off the place beyond the turned one, along the line.",
}
_OF_WINNING: Final = {
    "": "1 if a winning tile is named.",
    "gap": "Distance of its middle from that of the nearest loose tile, less 1, at most 0.5.",
    "wide_gap": "The same, at most 2.",
    "other_gaps": "The largest space between other loose tiles of a line, at most 1.",
    "turned": "`turned` against all loose tiles, at most 0.8.",
    "is_turned": "1 if that is above 0.35.",
    "turned_last": "1 if it is turned and no loose tile follows it in its line.",
    "turned_apart": "`turned` times its space, at most 0.5.",
    "last": "1 if it is the last loose tile of its line.",
    "first": "1 if it is the first loose tile of its line, and not the last.",
    "alone": "1 if no other loose tile lies in its line.",
    "beyond": "1 if it is alone and lies farther from the owner than the longest line.",
    "inside": "1 if loose tiles touch it on both sides.",
    "followed": "1 if loose tiles follow it in its line that are not one set after the other.",
    "farther": "Its space less the largest one between other loose tiles of a line, between -0.5 and 0.5.",
    "unsorted": "1 if the other loose tiles are in order and it is not.",
    "flat": "Difference of its sides from those of the other loose tiles, without its sign.",
}
FEATURES: Final[Mapping[str, str]] = {
    "level": "1 where the owner reads from left to right in the photo, -1 from right to left.",
    "downward": "1 where the owner reads downwards, -1 upwards.",
    "order": "Log-odds that the tiles are sorted in the reading direction rather than against it.",
    "main_line": "Share of the tiles in the longest line.",
    "lines": "Number of lines.",
    "whole": "1 if the hand has as many tiles as a complete one, declared sets counted as three: 14 or 17.",
    "one_less": "1 if it has one tile less.",
    "off_count": "Difference of its tiles from the nearest number of a complete hand.",
    "complete": "1 if the hand is complete.",
    "waiting": "1 if one more tile makes it complete.",
    "turned_left_over": "The largest `turned` of a loose tile that is not the winning one, at most 0.8.",
    "off_row": "Loose tiles, but for the winning one, outside the line with most of them, in fives.",
    **{f"hidden_{name}".rstrip("_"): f"Concealed kongs: {text}" for name, text in (_OF_SETS | _OF_HIDDEN).items()},
    **{f"plain_{name}".rstrip("_"): f"Sets without a turned tile: {text}" for name, text in _OF_SETS.items()},
    **{
        f"called_{name}".rstrip("_"): f"Sets with a turned tile: {text}"
        for name, text in (_OF_SETS | _OF_CALLED).items()
    },
    **{f"winning_{name}".rstrip("_"): f"The winning tile: {text}" for name, text in _OF_WINNING.items()},
}
"""The features and what they measure."""


class Measure:
    """Measures the structures of one hand; parts that several structures share are measured once."""

    def __init__(self, scene: Scene, shapes: frozenset[Shape] = OF_ANY_SIZE) -> None:
        self._scene = scene
        self._shapes = shapes
        self._parts: dict[tuple[object, ...], dict[str, float]] = {}

    def rows(self, some: Sequence[Structure]) -> Floats:
        """The features (N, F) of structures, in the order of FEATURES."""
        place = {name: at for at, name in enumerate(FEATURES)}
        rows = np.zeros((len(some), len(FEATURES)))
        for row, structure in zip(rows, some, strict=True):
            for part in (*self._shared_parts(structure), *self._own_parts(structure)):
                for name, value in part.items():
                    row[place[name]] += value
        return rows

    def sums(self, some: Sequence[Structure], weights: Floats) -> Floats:
        """The features of structures, weighed and added (N, W), by weights in the order of FEATURES (F, W)."""
        weight = dict(zip(FEATURES, weights, strict=True))
        nothing = np.zeros(weights.shape[1])
        known: dict[int, Floats] = {}

        def total(parts: Iterable[dict[str, float]]) -> Floats:
            added = nothing
            for part in parts:
                if id(part) not in known:
                    known[id(part)] = sum((weight[name] * value for name, value in part.items()), nothing)
                added = added + known[id(part)]
            return added

        sums = np.zeros((len(some), len(nothing)))
        last: Structure | None = None
        for at, one in enumerate(some):  # the list has those with the same declared sets one after the other
            if last is None or one.frame is not last.frame or one.declared is not last.declared:
                shared = total(self._shared_parts(one))
            sums[at] = shared + total(self._own_parts(one))
            last = one
        return sums

    def _shared_parts(self, structure: Structure) -> Iterator[dict[str, float]]:
        """What does not depend on which tile is the winning one."""
        frame, loose, sets = structure.frame, structure.loose, len(structure.declared)
        yield self._once((frame,), lambda: _frame_features(frame))
        inside = set(loose)
        held = [sum([at in inside for at in line]) for line in frame.lines]
        home = max(range(len(held)), key=lambda at: (held[at], len(frame.lines[at])))
        for one in structure.declared:
            is_apart = not held[_line_of(frame, one.lying[0])]
            measure = partial(_set_features, self._scene, frame, one, home=home, is_apart=is_apart)
            yield self._once((frame, one, home, is_apart), measure)
        names = tuple(sorted(loose))
        yield self._once((names, sets), lambda: _content_features(self._scene, loose, sets, self._shapes))

    def _own_parts(self, structure: Structure) -> Iterator[dict[str, float]]:
        frame, loose, winning = structure.frame, structure.loose, structure.winning
        rest = tuple(at for at in loose if at != winning)
        yield self._once((frame, "left", rest), lambda: _left_over(frame, rest))
        if winning is not None:
            yield self._once((frame, loose, winning), lambda: _winning_features(self._scene, frame, loose, winning))

    def _once(self, key: tuple[object, ...], measure: Callable[[], dict[str, float]]) -> dict[str, float]:
        found = self._parts.get(key)
        if found is None:
            found = self._parts[key] = measure()
        return found


def _frame_features(frame: Frame) -> dict[str, float]:
    longest = max(len(line) for line in frame.lines)
    along, down = frame.right.tolist()
    level = abs(along) >= abs(down)
    return {
        "level": along if level else 0.0,
        "downward": 0.0 if level else math.copysign(1.0, down),
        "order": frame.sorted_odds,
        "main_line": longest / sum(len(line) for line in frame.lines),
        "lines": float(len(frame.lines)),
    }


def _content_features(scene: Scene, loose: Sequence[int], sets: int, shapes: frozenset[Shape]) -> dict[str, float]:
    tiles = [scene.tiles[at] for at in loose]
    lacks = lacking(len(tiles) + SET * sets, shapes)
    found = {"whole": float(lacks == 0), "one_less": float(lacks == 1), "off_count": float(abs(lacks))}
    if max(Counter(scene.plain[at] for at in loose).values(), default=0) <= KONG:
        packed = pack(tiles)
        if lacks == 0:
            found["complete"] = float(is_win(packed, sets, shapes))
        elif lacks == 1:
            found["waiting"] = float(any(is_win(packed + UNIT[tile], sets, shapes) for tile in PLAYING_TILES))
    return found


def _left_over(frame: Frame, rest: Sequence[int]) -> dict[str, float]:
    if len(rest) < SET:
        return {}
    ratios, inside = [frame.ratios[at] for at in rest], set(rest)
    most = max(sum([at in inside for at in line]) for line in frame.lines)
    return {"turned_left_over": min(0.8, max(ratios) - median(ratios)), "off_row": (len(rest) - most) / 5}


def _line_of(frame: Frame, at: int) -> int:
    return next(place for place, line in enumerate(frame.lines) if at in line)


def _set_features(scene: Scene, frame: Frame, one: Declared, *, home: int, is_apart: bool) -> dict[str, float]:
    """The features of a set, where loose tiles lie most in the line `home`, and some or none in its own line."""
    kind = "hidden" if one.is_hidden else "called" if one.called is not None else "plain"
    lying = list(one.lying)
    line, row = frame.lines[_line_of(frame, lying[0])], frame.lines[home]
    inside = set(one.members)
    beside = inside.union(line) if is_apart else inside
    others = [at for other in frame.lines for at in other if at not in beside]
    gap = frame.gap(one.members, others)
    slack = 0.0 if one.called is None else max(0.0, LENGTH - frame.widths[one.called]) / 2
    spaces = [
        min(frame.gaps[at][other] - slack * (one.called in (at, other)) for other in lying if other != at)
        for at in lying
    ]
    found = {
        "": 1.0,
        "chow": float(len({scene.plain[at] for at in lying}) > 1 and not one.is_hidden),
        "kong": float(len(one.members) == KONG),
        "cost": one.cost,
        "gap": min(gap, 0.6),
        "wide_gap": min(gap, 1.2),
        "gap_inside": min(0.5, max(0.0, *spaces)),
        "askew": _askew(frame, [at for at in lying if at != one.called]),
        "own_line": float(is_apart),
        "at_right": float(line[-1] in inside and not is_apart),
        "at_left": float(line[0] in inside and not is_apart),
    }
    if line is not row:
        found["in_front" if frame.mean_away(lying) > frame.mean_away(row) else "nearer"] = 1.0
    if others:
        groups = frame.runs(without=inside)
        found |= {
            "rest_row": min(Hand.SIZE, max(map(len, groups))) / Hand.SIZE,
            "groups": sum(1 < len(group) <= KONG for group in groups) / 5,
            "size": abs(float(np.log(scene.widths[lying]).mean() - np.log(scene.widths[others]).mean())),
        }
        upright = [at for at in lying if at != one.called]
        off = median(frame.ratios[at] for at in upright) - median(frame.ratios[at] for at in others)
        found["flat"] = min(0.6, abs(off))
    if one.is_hidden:
        found |= _hidden_features(scene, frame, one)
    if one.called is not None:
        found |= _called_features(scene, frame, one, lying, one.called)
    return {f"{kind}_{name}".rstrip("_"): value for name, value in found.items()}


def _askew(frame: Frame, members: Sequence[int]) -> float:
    """The tangent of the angle between the line of some tiles and the lines of the hand, at most 1."""
    first, last = members[0], members[-1]
    return min(1.0, abs(frame.away[last] - frame.away[first]) / max(1e-6, abs(frame.along[last] - frame.along[first])))


def _hidden_features(scene: Scene, frame: Frame, one: Declared) -> dict[str, float]:
    hand = {at for line in frame.lines for at in line}
    own = [at for at in one.members if scene.tiles[at].is_back]
    wall = [at for at in scene.backs.tolist() if at not in hand]
    return {
        "wall": min(1.0, float(scene.gaps[np.ix_(own, wall)].min(initial=1.0))),
        "no_wall": float(not wall),
        "uneven": float(np.log(scene.widths[list(one.members)]).std()),
    }


def _called_features(scene: Scene, frame: Frame, one: Declared, lying: Sequence[int], called: int) -> dict[str, float]:
    place = lying.index(called)
    others = [at for at in lying if at != called]
    turn = turned(frame, lying, called)
    everything = [at for line in frame.lines for at in line]
    second = max(abs(turned(frame, others, at)) for at in others)
    near = {at: frame.away[at] - frame.depths[at] / 2 for at in lying}
    is_chow = len({scene.plain[at] for at in lying}) > 1
    found = {
        "turned": _within(turn, -0.4, 0.8),
        "little_turned": max(0.0, TURNED - turn),
        "second": min(0.8, second),
        "against_all": _within(frame.ratios[called] - median(frame.ratios[at] for at in everything), -0.8, 0.8),
        "step": _within(step_beside(frame, lying, called), -0.5, 0.5),
        "edge": min(0.4, abs(near[called] - sum(near[at] for at in others) / len(others))),
        "middle": _within(frame.mean_away(others) - frame.away[called], -0.4, 0.4),
        "not_left": float(is_chow and place > 0),
        "is_left": float(not is_chow and place == 0),
        "is_right": float(not is_chow and place == len(lying) - 1),
        "added": float(one.is_added),
    }
    if one.is_added:
        found["beyond"] = abs(frame.along[one.members[-1]] - frame.along[called])
    return found


def _winning_features(scene: Scene, frame: Frame, loose: Sequence[int], winning: int) -> dict[str, float]:
    others = [at for at in loose if at != winning]
    kept = set(others)
    gap = _within(frame.space_around(winning, kept), 0.0, 2.0)
    line = [at for at in frame.lines[_line_of(frame, winning)] if at in kept or at == winning]
    place = line.index(winning)
    turn = frame.ratios[winning] - median([frame.ratios[at] for at in others] or [frame.ratios[winning]])
    runs = [[at for at in row if at in kept] for row in frame.lines]
    spaces = [
        frame.space(one, two)
        for row, run in zip(frame.lines, runs, strict=True)
        for one, two in pairwise(run)
        if winning not in row[row.index(one) : row.index(two)]
    ]
    longest = max(frame.lines, key=len)
    alone = len(line) == 1
    beyond = alone and frame.away[winning] > frame.mean_away(longest)
    touched = (
        0 < place < len(line) - 1
        and max(frame.space(line[place - 1], winning), frame.space(winning, line[place + 1])) < TOUCHING
    )
    return {
        f"winning_{name}".rstrip("_"): value
        for name, value in {
            "": 1.0,
            "gap": min(0.5, gap),
            "wide_gap": min(2.0, gap),
            "other_gaps": _within(max(spaces, default=0.0), 0.0, 1.0),
            "turned": _within(turn, 0.0, 0.8),
            "is_turned": float(turn > TURNED),
            "turned_last": float(turn > TURNED and place == len(line) - 1),
            "turned_apart": min(0.8, max(0.0, turn)) * min(0.5, gap),
            "last": float(not alone and place == len(line) - 1),
            "first": float(not alone and place == 0),
            "alone": float(alone),
            "beyond": float(beyond),
            "inside": float(touched),
            "followed": float(not _are_sets(scene, line[place + 1 :])),
            "farther": _within(gap - max(spaces, default=0.0), -0.5, 0.5),
            "unsorted": float(_sorted(scene, others) and not _sorted(scene, loose)),
            "flat": min(0.8, abs(turn)),
        }.items()
    }


def _are_sets(scene: Scene, line: Sequence[int]) -> bool:
    """Whether these tiles are one set of three after the other."""
    sets = [line[start : start + SET] for start in range(0, len(line), SET)]
    return all(len(some) == SET and kind_of_set(tuple(scene.tiles[at] for at in some)) for some in sets)


def _within(value: float, low: float, high: float) -> float:
    return min(high, max(low, value))


def _sorted(scene: Scene, members: Sequence[int]) -> bool:
    """Whether each suit lies together, with ranks ascending."""
    tiles = [scene.plain[at] for at in members]
    suits = [suit for suit, _ in groupby(tile.suit for tile in tiles)]
    return len(suits) == len(set(suits)) and all(
        one.rank <= two.rank for one, two in pairwise(tiles) if one.suit == two.suit
    )
