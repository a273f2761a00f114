"""What speaks for a selection of tiles as the hand: named features, each one sentence.

All distances are in tile widths. A log-linear model weighs the features (`vision/hand_selection/ranking.py`).
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from tilescore.scoring.hand import Hand
from tilescore.scoring.shapes.winning import ALL_SHAPES, UNIT, Shape, is_win, pack
from tilescore.scoring.tiles import PLAYING_TILES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from tilescore.scoring.tiles import Tile
    from tilescore.vision.hand_selection.candidates import Selection
    from tilescore.vision.hand_selection.scene import Scene

    Array = NDArray[np.float64]

FEATURES: Final[Mapping[str, str]] = {
    "none": "1 for no hand.",
    "none_of_few": "1 for no hand where fewer than 13 faces are in view.",
    "none_but_complete": "1 for no hand where another selection is complete.",
    "count_13": "1 if the selection has 13 tiles.",
    "count_14": "1 if it has 14 tiles.",
    "count_15": "1 if it has 15 tiles.",
    "count_16": "1 if it has 16 tiles.",
    "count_17_18": "1 if it has 17 or 18 tiles.",
    "count_10_12": "1 if it has 10 to 12 tiles.",
    "count_below_10": "1 if it has fewer than 10 tiles.",
    "excess": "Tiles above 18.",
    "complete": "1 if its names are a complete hand, kongs included.",
    "waiting": "1 if one more tile makes it complete.",
    "rival_complete": "1 if another selection is complete and this one is not.",
    "kong_deficit": "Tiles above 14 that no four equal tiles explain.",
    "one_suit": "1 if all its tiles are of one suit.",
    "family": "1 if they are of one suit and nearly all different, as a box shows its tiles.",
    "gap_to_rest": "Logarithm of the smallest distance to a face left out, at most 6.",
    "near_gap_to_rest": "The same distance, at most 2.",
    "gap_inside": "Logarithm of the largest distance that joins its tiles.",
    "mean_gap_inside": "Logarithm of the mean of the distances that join its tiles.",
    "gap_ratio": "Logarithm of the distance to the rest divided by the largest one inside.",
    "near_gap_ratio": "The same ratio, between -2 and 2.",
    "breaks": "Distances inside above 0.25.",
    "wide_breaks": "Distances inside above 1.",
    "touching": "1 if a face left out is nearer than 0.12.",
    "near": "Faces left out that are nearer than 0.5, in thirds.",
    "gap_to_backs": "Logarithm of the smallest distance to a back, at most 6; 0 without backs.",
    "larger": "Mean logarithm of its sizes less that of the faces left out.",
    "larger_than_all": "Mean logarithm of its sizes less that of the largest face left out.",
    "size_spread": "Standard deviation of the logarithms of its sizes.",
    "size_range": "Range of the logarithms of its sizes.",
    "lower": "Mean distance below the faces left out, as a share of the photo's height.",
    "lowest": "Distance of its lowest edge below theirs, as a share of the photo's height.",
    "rest_below": "Share of the faces left out that are below it.",
    "width": "Share of the photo's width that it covers.",
    "off_line": "Root mean square distance from a straight line, at most 3.",
    "density": "Area of its tiles as a share of the rectangle around them.",
    "upright": "Share of its boxes that are higher than wide.",
    "ratio_spread": "Standard deviation of the logarithms of height to width.",
    "everything": "1 if no face is left out.",
    "all_of_few": "1 if no face is left out and there are 13 to 18.",
    "share": "Its share of the faces in view.",
}
"""The features and what they measure."""
_EPSILON: Final = 0.05
"""Added to a distance before its logarithm is taken. Chosen."""
_FAR: Final = 6.0
_NEAR: Final = 2.0


def feature_rows(scene: Scene, chosen: Sequence[Selection], shapes: frozenset[Shape] = ALL_SHAPES) -> Array:
    """The features (N, F) of selections, in the order of FEATURES."""
    states = [_completeness([scene.tiles[at] for at in some], shapes) for some in chosen]
    any_complete = any(complete for complete, _ in states)
    rows = np.zeros((len(chosen), len(FEATURES)))
    for row, some, (complete, waiting) in zip(rows, chosen, states, strict=True):
        found = (
            _of_selection(scene, some, complete=complete, waiting=waiting, any_complete=any_complete)
            if some
            else _of_none(scene, any_complete=any_complete)
        )
        row[:] = [found.get(name, 0.0) for name in FEATURES]
    return rows


def _of_none(scene: Scene, *, any_complete: bool) -> dict[str, float]:
    few = len(scene.faces) < Hand.SIZE - 1
    return {"none": 1.0, "none_of_few": float(few), "none_but_complete": float(any_complete)}


def _of_selection(
    scene: Scene, chosen: Selection, *, complete: bool, waiting: bool, any_complete: bool
) -> dict[str, float]:
    members = np.array(sorted(chosen), np.int64)
    rest = np.array([at for at in scene.faces.tolist() if at not in chosen], np.int64)
    return {
        "complete": float(complete),
        "waiting": float(waiting),
        "rival_complete": float(any_complete and not complete),
        **_count_features([scene.tiles[at] for at in members.tolist()]),
        **_gap_features(scene, members, rest),
        **_rest_features(scene, members, rest),
        **_form_features(scene, members),
    }


def _count_features(tiles: Sequence[Tile]) -> dict[str, float]:
    count = len(tiles)
    copies = Counter(tile.plain for tile in tiles)
    quads = sum(number == 4 for number in copies.values())
    one_suit = len({tile.suit for tile in tiles}) == 1
    return {
        **{f"count_{size}": float(count == size) for size in (13, 14, 15, 16)},
        "count_17_18": float(count in (17, 18)),
        "count_10_12": float(10 <= count <= 12),
        "count_below_10": float(count < 10),
        "excess": float(max(0, count - 18)),
        "kong_deficit": float(max(0, count - Hand.SIZE - quads)),
        "one_suit": float(one_suit),
        "family": float(one_suit and len(copies) >= 0.8 * count),
    }


def _gap_features(scene: Scene, members: NDArray[np.int64], rest: NDArray[np.int64]) -> dict[str, float]:
    joins = _joining_gaps(scene.gaps[np.ix_(members, members)])
    widest = float(joins.max(initial=0.0))
    apart = float(scene.gaps[np.ix_(members, rest)].min()) if len(rest) else _FAR
    ratio = _log(min(apart, _FAR)) - _log(widest)
    backs = scene.gaps[np.ix_(members, scene.backs)].min() if len(scene.backs) else None
    return {
        "gap_to_rest": _log(min(apart, _FAR)),
        "near_gap_to_rest": _log(min(apart, _NEAR)),
        "gap_inside": _log(widest),
        "mean_gap_inside": _log(float(joins.mean()) if len(joins) else 0.0),
        "gap_ratio": ratio,
        "near_gap_ratio": min(_NEAR, max(-_NEAR, ratio)),
        "breaks": float((joins > 0.25).sum()),
        "wide_breaks": float((joins > 1.0).sum()),
        "gap_to_backs": 0.0 if backs is None else _log(min(float(backs), _FAR)),
    }


def _rest_features(scene: Scene, members: NDArray[np.int64], rest: NDArray[np.int64]) -> dict[str, float]:
    share = len(members) / max(1, len(scene.faces))
    few = Hand.SIZE - 1 <= len(members) <= Hand.SIZE + 4
    if not len(rest):
        return {"everything": 1.0, "all_of_few": float(few), "share": share}
    gaps = scene.gaps[np.ix_(members, rest)].min(axis=0)
    sizes, others = np.log(scene.widths[members]), np.log(scene.widths[rest])
    middles, theirs = scene.centers[members, 1], scene.centers[rest, 1]
    height = scene.size_wh[1]
    return {
        "touching": float(gaps.min() < 0.12),
        "near": float((gaps < 0.5).sum()) / 3,
        "larger": float(sizes.mean() - others.mean()),
        "larger_than_all": float(sizes.mean() - others.max()),
        "lower": float(middles.mean() - theirs.mean()) / height,
        "lowest": float(scene.xyxy[members, 3].max() - scene.xyxy[rest, 3].max()) / height,
        "rest_below": float((theirs > middles.max()).mean()),
        "share": share,
    }


def _form_features(scene: Scene, members: NDArray[np.int64]) -> dict[str, float]:
    boxes, sizes = scene.xyxy[members], np.log(scene.widths[members])
    wide, high = boxes[:, 2].max() - boxes[:, 0].min(), boxes[:, 3].max() - boxes[:, 1].min()
    points = scene.centers[members] - scene.centers[members].mean(axis=0)
    across = np.linalg.svd(points, compute_uv=False)[-1] / math.sqrt(len(members)) if len(members) > 2 else 0.0
    ratios = np.log(scene.extent[members, 1] / scene.extent[members, 0])
    return {
        "size_spread": float(sizes.std()),
        "size_range": float(np.ptp(sizes)),
        "width": float(wide) / scene.size_wh[0],
        "off_line": min(3.0, float(across / scene.widths[members].mean())),
        "density": min(1.5, float(np.prod(scene.extent[members], axis=1).sum() / (wide * high))),
        "upright": float((ratios > 0.05).mean()),
        "ratio_spread": float(ratios.std()),
    }


def _joining_gaps(gaps: Array) -> Array:
    """The distances (N - 1,) of the minimum spanning tree of N tiles, given those between all (N, N)."""
    nearest = gaps[0].copy()
    left = np.ones(len(gaps), bool)
    left[0] = False
    joins = np.zeros(len(gaps) - 1)
    for step in range(len(joins)):
        at = int(np.where(left, nearest, np.inf).argmin())
        joins[step] = nearest[at]
        left[at] = False
        nearest = np.minimum(nearest, gaps[at])
    return joins


def _completeness(tiles: Iterable[Tile], shapes: frozenset[Shape]) -> tuple[bool, bool]:
    """Whether tiles are a complete hand, or wait for one more tile; four equal ones may be a kong."""
    copies = Counter(tile.plain for tile in tiles)
    count = copies.total()
    if not Hand.SIZE - 1 <= count <= Hand.SIZE + 4 or max(copies.values()) > 4:
        return False, False
    quads = [tile for tile, number in copies.items() if number == 4]
    for size in (Hand.SIZE, Hand.SIZE - 1):
        kongs = count - size
        if not 0 <= kongs <= len(quads):
            continue
        for chosen in combinations(quads, kongs):
            packed = pack(tile for tile in copies.elements() if tile not in chosen)
            if size == Hand.SIZE:
                if is_win(packed, kongs, shapes):
                    return True, False
            elif any(copies[tile] < 4 and is_win(packed + UNIT[tile], kongs, shapes) for tile in PLAYING_TILES):
                return False, True
    return False, False


def _log(distance: float) -> float:
    return math.log(_EPSILON + distance)
