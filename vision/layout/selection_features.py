"""What speaks for a selection of tiles as the hand: named features, each one sentence.

All distances are in tile widths. A small network weighs the features (`vision/layout/model.py`).
"""

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tilescore.scoring.hand import Hand
from tilescore.vision.arrays import Floats
from tilescore.vision.hand_prior.melds import KONG
from tilescore.vision.layout.contents import Content
from tilescore.vision.layout.scene import EPSILON, FAR, NEAR, STRAIGHT, Scene
from tilescore.vision.layout.selections import Selection

FEATURES: Final[Mapping[str, str]] = {
    "none": "1 for no hand.",
    "none_of_few": "1 for no hand where no selection has 13 tiles, kongs counted as three.",
    "none_but_complete": "1 for no hand where another selection is complete.",
    "count_13": "1 if the selection has 13 tiles.",
    "count_14": "1 if it has 14 tiles.",
    "count_15": "1 if it has 15 tiles.",
    "count_16": "1 if it has 16 tiles.",
    "count_17": "1 if it has 17 tiles.",
    "count_18": "1 if it has 18 tiles.",
    "count_10_12": "1 if it has 10 to 12 tiles.",
    "count_below_10": "1 if it has fewer than 10 tiles.",
    "excess": "Tiles above 18.",
    "complete": "1 if its names are a complete hand, kongs included.",
    "in_sets": "Its tiles in sets or one pair, each in one only, as a share of 14, or of all if there are more.",
    "rival_complete": "1 if another selection is complete and this one is not.",
    "kong_deficit": "Tiles above 14 that no four equal tiles explain.",
    "one_suit": "1 if all its tiles are of one suit.",
    "family": "1 if they are of one suit and nearly all different, as a box shows its tiles.",
    "unsure": "Sum over its tiles of how improbable it is that a tile of this name is there, in nats, at most 6.",
    "least_sure": "Logarithm of how improbable the name of its least sure tile is, divided by that of the median face.",
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
    "gap_to_backs": "Logarithm of the smallest distance to a back outside its kongs, at most 6; 0 without backs.",
    "beside_backs": "Its faces that are nearer than 0.25 to a back.",
    "rest_beside_backs": "Share of the faces left out that are nearer than 0.25 to a back.",
    "rest_in_runs": "Share of the faces left out that lie in a straight run of their own.",
    "cut_runs": "Straight runs of three that are partly left out, as a share of its tiles.",
    "larger": "Mean logarithm of its sizes less that of the faces left out.",
    "larger_than_all": "Mean logarithm of its sizes less that of the largest face left out.",
    "sharper": "Logarithm of its mean sharpness divided by that of the faces left out; 0 if unknown.",
    "size_spread": "Standard deviation of the logarithms of its sizes.",
    "size_range": "Range of the logarithms of its sizes.",
    "odd_size": "How much more the logarithm of one of its sizes differs from their median than that of any other.",
    "lower": "Mean distance below the faces left out, as a share of the photo's height.",
    "lowest": "Distance of its lowest edge below theirs, as a share of the photo's height.",
    "rest_below": "Share of the faces left out that are below it.",
    "width": "Share of the photo's width that it covers.",
    "off_line": "Root mean square distance from a straight line, at most 3.",
    "density": "Area of its tiles as a share of the rectangle around them.",
    "upright": "Share of its boxes that are higher than wide.",
    "form_spread": "Standard deviation of the logarithms of the sides of its boxes divided by each other.",
    "everything": "1 if no face is left out.",
    "all_of_few": "1 if no face is left out, there are 13 to 18, no back is outside its kongs, and it holds no other "
    "selection that is complete or a straight row of 14.",
    "beyond_complete": "1 if it is not complete and holds another selection that is.",
    "rival_row": "1 if another selection of 13 to 18 tiles lies in a straight line and this one does not.",
    "share": "Its share of the faces in view.",
}
"""The features and what they measure."""
_UNSURE: Final = 0.01
"""Added to how improbable a name is before its logarithm is taken: nine in ten tiles of judged hands are below it.
Measured."""


def feature_rows(scene: Scene, chosen: Sequence[Selection], contents: Sequence[Content]) -> Floats:
    """The features (N, F) of selections with these contents, in the order of FEATURES."""
    rows = np.zeros((len(chosen), len(FEATURES)))
    any_complete = any(content.complete for content in contents)
    most = max((content.count for content in contents), default=0)
    place = {name: at for at, name in enumerate(FEATURES)}
    hands = [at for at, some in enumerate(chosen) if some]
    for at, some in enumerate(chosen):
        if not some:
            rows[at, place["none"]], rows[at, place["none_but_complete"]] = 1.0, float(any_complete)
            rows[at, place["none_of_few"]] = float(most < Hand.SIZE - 1)
    if hands:
        sets = _Sets(scene, [chosen[at] for at in hands], [contents[at] for at in hands])
        table = np.zeros((len(hands), len(FEATURES)))
        for name, values in sets.features(any_complete=any_complete).items():
            table[:, place[name]] = values
        rows[hands] = table
    return rows


class _Sets:
    """S sets of the F faces of a scene, as masks (S, F); all measures are arrays (S,)."""

    def __init__(self, scene: Scene, chosen: Sequence[Selection], contents: Sequence[Content]) -> None:
        self.scene = scene
        self.contents = contents
        faces = scene.faces
        self.inside = np.zeros((len(chosen), len(scene.tiles)), bool)
        for row, some in zip(self.inside, chosen, strict=True):
            row[list(some)] = True
        self.inside = self.inside[:, faces]
        self.count = self.inside.sum(axis=1)
        self.tiles = np.array([content.count for content in contents])
        self.complete = np.array([content.complete for content in contents], bool)
        self.left = len(faces) - self.count
        self.gaps = scene.gaps[np.ix_(faces, faces)]
        self.sizes = np.log(scene.widths[faces])
        self.centers = scene.centers[faces]
        self.edges = scene.xyxy[faces]
        self.extent = scene.extent[faces]

    def features(self, *, any_complete: bool) -> dict[str, Floats]:
        return {
            "complete": self.complete.astype(float),
            "in_sets": np.array([content.in_sets / max(Hand.SIZE, content.count) for content in self.contents]),
            "rival_complete": (any_complete & ~self.complete).astype(float),
            **self._names(),
            **self._sureness(),
            **self._spaces(),
            **self._walls(),
            **self._runs(),
            **self._rest(),
            **self._rivals(),
            **self._form(),
        }

    def _names(self) -> dict[str, Floats]:
        count = self.tiles
        tiles = [self.scene.plain[at] for at in self.scene.faces.tolist()]
        copies = self._numbers(tiles)
        one_suit = self._numbers([tile.suit for tile in tiles]).max(axis=1) == self.count
        return {
            **{f"count_{size}": count == size for size in range(13, 19)},
            "count_10_12": (count >= 10) & (count <= 12),
            "count_below_10": count < 10,
            "excess": np.maximum(0, count - 18),
            "kong_deficit": np.maximum(0, count - Hand.SIZE - (copies == KONG).sum(axis=1)),
            "one_suit": one_suit,
            "family": one_suit & ((copies > 0).sum(axis=1) >= 0.8 * self.count),
        }

    def _numbers(self, kinds: Sequence[Hashable]) -> Floats:
        """How many faces of each kind are in each set (S, K), by the kinds of all faces (F)."""
        places = {kind: place for place, kind in enumerate(dict.fromkeys(kinds))}
        return np.asarray(self.inside @ np.eye(len(places))[[places[kind] for kind in kinds]])

    def _sureness(self) -> dict[str, Floats]:
        sure = self.scene.sure[self.scene.faces]
        least = np.where(self.inside, sure, np.inf).min(axis=1)
        return {
            "unsure": np.minimum(6.0, -(self.inside @ np.log(sure))),
            "least_sure": np.log((1 - least + _UNSURE) / (1 - np.median(sure) + _UNSURE)),
        }

    def _spaces(self) -> dict[str, Floats]:
        joins, nearest = self._joins()
        widest = joins.max(axis=1)
        to_rest = np.where(self.inside, np.inf, nearest)
        apart = np.minimum(to_rest.min(axis=1), FAR)
        ratio = _log(apart) - _log(widest)
        return {
            "gap_to_rest": _log(apart),
            "near_gap_to_rest": _log(np.minimum(apart, NEAR)),
            "gap_inside": _log(widest),
            "mean_gap_inside": _log(joins.sum(axis=1) / np.maximum(1, self.count - 1)),
            "gap_ratio": ratio,
            "near_gap_ratio": np.clip(ratio, -NEAR, NEAR),
            "breaks": (joins > 0.25).sum(axis=1),
            "wide_breaks": (joins > 1.0).sum(axis=1),
            "touching": apart < 0.12,
            "near": (to_rest < 0.5).sum(axis=1) / 3,
        }

    def _joins(self) -> tuple[Floats, Floats]:
        """The distances (S, J) of the minimum spanning tree of each set, 0 beyond its last, and to all faces (S, F).

        The tree grows by the nearest face that is left of the set. A whole tree adds its first face again.
        """
        rows = np.arange(len(self.inside))
        first = at = self.inside.argmax(axis=1)
        left = self.inside.copy()
        nearest = np.full(left.shape, np.inf)
        joins = np.zeros((len(rows), int(self.count.max())))
        for step in range(joins.shape[1]):
            left[rows, at] = False
            np.minimum(nearest, self.gaps[at], out=nearest)
            open_ones = np.where(left, nearest, np.inf)
            at = open_ones.argmin(axis=1)
            found = open_ones[rows, at]
            is_grown = np.isfinite(found)
            joins[:, step] = np.where(is_grown, found, 0.0)
            at = np.where(is_grown, at, first)
        return joins, nearest

    def _walls(self) -> dict[str, Floats]:
        backs = self.scene.backs.tolist()
        if not backs:
            return {}
        outside = self._outside
        to_wall = np.where(outside[:, None], self.scene.gaps[np.ix_(self.scene.faces, backs)], np.inf).min(axis=2)
        beside = to_wall < 0.25
        nearest = np.where(self.inside, to_wall, np.inf).min(axis=1)
        return {
            "gap_to_backs": np.where(outside.any(axis=1), _log(np.minimum(nearest, FAR)), 0.0),
            "beside_backs": (beside & self.inside).sum(axis=1),
            "rest_beside_backs": (beside & ~self.inside).sum(axis=1) / np.maximum(1, self.left),
        }

    @cached_property
    def _outside(self) -> NDArray[np.bool_]:
        """Which of B backs (S, B) are outside the kongs of each set."""
        own = [{back for kong in content.kongs for back in kong.backs} for content in self.contents]
        backs = self.scene.backs.tolist()
        return np.array([[back not in some for back in backs] for some in own], bool).reshape(len(own), len(backs))

    def _runs(self) -> dict[str, Floats]:
        place = np.zeros(len(self.scene.tiles), np.int64)
        place[self.scene.faces] = np.arange(len(self.scene.faces))
        triples = place[self.scene.triples]
        inside = self.inside[:, triples].sum(axis=2)
        member = np.zeros((len(triples), self.inside.shape[1]))
        member[np.arange(len(triples))[:, None], triples] = 1.0
        alone = ((inside == 0).astype(float) @ member > 0).sum(axis=1)
        return {
            "rest_in_runs": alone / np.maximum(1, self.left),
            "cut_runs": ((inside > 0) & (inside < triples.shape[1])).sum(axis=1) / self.count,
        }

    def _rest(self) -> dict[str, Floats]:
        rest, some = ~self.inside, self.left > 0
        height = self.scene.size_wh[1]
        size, lower = self._mean(self.sizes), self._mean(self.centers[:, 1])
        others = np.maximum(1, self.left)
        bottom = self.edges[:, 3]
        below = rest & (self.centers[:, 1] > self._highest(self.centers[:, 1])[:, None])
        sharp = self.scene.sharpness[self.scene.faces]
        means = np.maximum(self._mean(sharp), 0.0), np.maximum(rest @ sharp / others, 0.0)
        known = (means[0] > 0) & (means[1] > 0)
        found = {
            "sharper": np.where(known, np.log(np.where(known, means[0] / np.where(known, means[1], 1.0), 1.0)), 0.0),
            "rest_below": below.sum(axis=1) / others,
            "larger": size - rest @ self.sizes / others,
            "larger_than_all": size - np.where(rest, self.sizes, -np.inf).max(axis=1, initial=-np.inf),
            "lower": (lower - rest @ self.centers[:, 1] / others) / height,
            "lowest": (self._highest(bottom) - np.where(rest, bottom, -np.inf).max(axis=1)) / height,
        }
        return {name: np.where(some, values, 0.0) for name, values in found.items()}

    def _rivals(self) -> dict[str, Floats]:
        everything, in_row = self.left == 0, self._off_line < STRAIGHT
        is_hand = (self.tiles >= Hand.SIZE - 1) & (self.tiles <= Hand.SIZE + KONG)
        whole_row = in_row & (self.tiles == Hand.SIZE)
        beyond_complete = ~self.complete & self._holds(self.complete)
        beyond_row = ~in_row & self._holds(whole_row)
        return {
            "everything": everything,
            "all_of_few": everything & is_hand & ~self._outside.any(axis=1) & ~beyond_complete & ~beyond_row,
            "beyond_complete": beyond_complete,
            "rival_row": ~in_row & (in_row & is_hand).any(),
            "share": self.count / len(self.sizes),
        }

    def _holds(self, which: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Whether each set holds all faces of one of these sets."""
        some = self.inside[which].astype(float)
        return np.asarray((self.inside @ some.T == some.sum(axis=1)).any(axis=1))

    def _form(self) -> dict[str, Floats]:
        left, top = (-self._highest(-self.edges[:, axis]) for axis in (0, 1))
        wide, high = self._highest(self.edges[:, 2]) - left, self._highest(self.edges[:, 3]) - top
        spread = np.sqrt(np.maximum(0.0, self._mean(self.sizes**2) - self._mean(self.sizes) ** 2))
        ratios = np.log(self.extent[:, 1] / self.extent[:, 0])
        return {
            "size_spread": spread,
            "size_range": self._highest(self.sizes) + self._highest(-self.sizes),
            "odd_size": self._odd_size(),
            "width": wide / self.scene.size_wh[0],
            "off_line": self._off_line,
            "density": np.minimum(1.5, self.inside @ np.prod(self.extent, axis=1) / (wide * high)),
            "upright": self._mean((ratios > 0.05).astype(float)),
            "form_spread": np.sqrt(np.maximum(0.0, self._mean(ratios**2) - self._mean(ratios) ** 2)),
        }

    def _odd_size(self) -> Floats:
        ordered, rows = np.sort(np.where(self.inside, self.sizes, np.inf), axis=1), np.arange(len(self.inside))
        median = (ordered[rows, (self.count - 1) // 2] + ordered[rows, self.count // 2]) / 2
        off = np.where(self.inside, np.abs(self.sizes - median[:, None]), 0.0)
        second, first = np.sort(np.pad(off, ((0, 0), (1, 0))), axis=1).T[-2:]  # beside a single face lies none
        return np.asarray(first - second)

    @cached_property
    def _off_line(self) -> Floats:
        """Root mean square distance of the middles from the line that fits them best, in tile widths, at most 3."""
        x, y = self.centers.T
        xx, yy, xy = (
            self._mean(one * two) - self._mean(one) * self._mean(two) for one, two in ((x, x), (y, y), (x, y))
        )
        smaller = (xx + yy - np.sqrt((xx - yy) ** 2 + 4 * xy**2)) / 2
        return np.minimum(3.0, np.sqrt(np.maximum(0.0, smaller)) / self._mean(np.exp(self.sizes)))

    def _mean(self, values: Floats) -> Floats:
        return np.asarray(self.inside @ values / self.count)

    def _highest(self, values: Floats) -> Floats:
        return np.asarray(np.where(self.inside, values, -np.inf).max(axis=1))


def _log(distance: Floats) -> Floats:
    return np.asarray(np.log(EPSILON + distance))
