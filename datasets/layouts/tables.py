"""Simulated tables as wide as life, without pixels: boxes as a camera sees them, and the part of each tile.

A table is laid in the frame of the owner of its hand: x points right, y away from the owner, and the unit is a tile's
width. Tables teach the layout; real photos alone judge it.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import cv2
import numpy as np

from tilescore.datasets.artwork.artwork import Folders
from tilescore.datasets.artwork.style import Array, Rng
from tilescore.datasets.layouts.judged import JudgedPhoto
from tilescore.datasets.layouts.laid_hands import lay_hand
from tilescore.datasets.layouts.surroundings import HAND_ROLES, NO_HANDS, surround
from tilescore.datasets.synthesis.arrangements import LaidTable
from tilescore.datasets.synthesis.camera import Camera, aim, framed
from tilescore.datasets.synthesis.compositor import Canvas, VisibleTile
from tilescore.datasets.synthesis.hands import Wall
from tilescore.datasets.synthesis.synth import choose_sources
from tilescore.datasets.synthesis.tileset import TileSet
from tilescore.scoring.tiles import ALL_FACES, BACK, RED_FIVES, Tile
from tilescore.vision.arrays import Floats
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.image.boxes import Box

Point = tuple[float, float]


_LONG_SIDE_PX: Final = 1000
_SHAPES: Final = ((4, 3), (3, 4), (16, 9), (9, 16), (1, 1), (2, 1))
_QUARTERS: Final = (0.86, 0.05, 0.04, 0.05)
"""Probabilities of 0 to 3 quarter turns of the picture."""
_CORRUPTED: Final = 0.1
"""The share of tiles whose likeliest name is wrong."""
_ALIKE: Final = "6p9p 7p8p 6s9s 6s8s 2s3s 1s9s 1m2m3m 6m8m 4m6m 7m9m 1z4z 2z3z 6z7z 1f2f3f4f 1q2q3q4q"
"""Faces that resemble each other in small or blurred pictures; neighbours in rank come in addition."""


def table_of(seed: int, index: int) -> JudgedPhoto:
    """The table with that seed and index; about a quarter of them show no hand."""
    for attempt in range(100):
        rng = np.random.default_rng([seed, index, attempt])
        photo = _table(rng, f"{seed}_{index}")
        if photo is not None:
            return photo
    raise RuntimeError("no table could be laid")


def _table(rng: Rng, name: str) -> JudgedPhoto | None:
    tiles = Outlines(rng, choose_sources(Folders(), ("procedural",)))
    table, wall = LaidTable(rng, tiles.size), Wall(rng, red_fives=0.3)
    has_hand = rng.random() < 0.76
    if has_hand:
        lay_hand(table, wall)
        if rng.random() < 0.65:
            surround(table, wall)
    else:
        NO_HANDS[int(rng.integers(len(NO_HANDS)))](table, wall)
    if not table.placements:
        return None
    camera = _camera(rng, table, has_hand=has_hand)
    seen = tiles.visible(camera, table)
    return _judged(rng, name, table, seen, camera, has_hand=has_hand)


# The photo


def _camera(rng: Rng, table: LaidTable, *, has_hand: bool) -> Camera:
    """A camera that frames the hand closely, with what lies around, or the whole table."""
    inside = [p for p in table.placements if p.role in HAND_ROLES] if has_hand else table.placements
    points = table.points(HAND_ROLES if has_hand else ())
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    focal = float(rng.uniform(0.75, 1.6)) * _LONG_SIDE_PX
    upright = np.mean([p.pose == "standing" for p in inside]) > 0.5
    elevation = float(rng.uniform(8, 58)) if upright else float(rng.choice([rng.uniform(18, 50), rng.uniform(45, 90)]))
    azimuth = float(rng.normal(0, 14)) if rng.random() < 0.85 else float(rng.uniform(-75, 75))
    shape = np.array(_SHAPES[int(rng.choice(len(_SHAPES), p=[0.34, 0.2, 0.2, 0.08, 0.08, 0.1]))])
    size = np.round(_LONG_SIDE_PX * shape / shape.max()).astype(int)
    place = partial(
        aim, middle, elevation_deg=elevation, azimuth_deg=azimuth, roll_deg=float(rng.normal(0, 6)), focal_px=focal,
        distortion=0.0,
    )  # fmt: skip
    fill = float(rng.choice([rng.uniform(0.7, 0.98), rng.uniform(0.35, 0.8), rng.uniform(0.2, 0.5)]))
    distance = focal / 20
    for _ in range(4):  # the distance at which the hand fills that share of the picture
        shown = place(distance=distance, size_wh=(0, 0), centre_px=(0.0, 0.0)).project(points)
        distance *= max(0.3, float(((shown.max(axis=0) - shown.min(axis=0)) / (size * fill)).max()))
    return framed(partial(place, distance=distance), points, size, rng, off_centre=0.95, least_px=4)


def _judged(
    rng: Rng, name: str, table: LaidTable, seen: Sequence[VisibleTile], camera: Camera, *, has_hand: bool
) -> JudgedPhoto | None:
    """The table as a judged photo: boxes shaken, some tiles missed, some misnamed, some false."""
    laid = sum(p.role in HAND_ROLES and p.tile != "back" for p in table.placements)
    inside = sum(tile.role in HAND_ROLES and tile.tile != "back" for tile in seen)
    if has_hand and inside < laid:
        return None
    kept = [tile for tile in seen if rng.random() > _missed(tile)]
    if not kept:
        return None
    boxes, size_wh = np.array([tile.box_xyxy for tile in kept], np.float64), camera.size_wh
    right = _right(table, camera)
    quarters = int(rng.choice(4, p=_QUARTERS))
    for _ in range(quarters):
        boxes = np.column_stack([boxes[:, 1], size_wh[0] - boxes[:, 2], boxes[:, 3], size_wh[0] - boxes[:, 0]])
        size_wh, right = size_wh[::-1], right and (right[1], -right[0])
    if rng.random() < 0.1:  # a picture cut to the tiles
        corner = boxes[:, :2].min(axis=0)
        boxes = boxes - np.tile(corner, 2)
        size_wh = (math.ceil(boxes[:, 2].max()), math.ceil(boxes[:, 3].max()))
    sides = np.column_stack([boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]])
    boxes = boxes + np.tile(sides, 2) * rng.normal(0, 0.025, boxes.shape)
    near = [tile.role in HAND_ROLES or not has_hand for tile in kept]
    detections = [
        Detection(Box(*box), 1.0, (Candidate(Tile.parse(tile.tile), sure),))
        for tile, box, sure in zip(kept, boxes.tolist(), _sure(rng.spawn(1)[0], near, has_hand=has_hand), strict=True)
    ]
    if rng.random() < 0.35:
        detections = corrupted(rng, detections)
    detections += _false(rng, boxes, size_wh)
    detections = _focused(rng, detections, [tile.role in HAND_ROLES for tile in kept])
    if not has_hand:
        return JudgedPhoto(name, "simulated", name, "train", "no_hand", size_wh, tuple(detections))
    by_role = {role: frozenset(at for at, tile in enumerate(kept) if tile.role == role) for role in HAND_ROLES}
    sets: dict[str, dict[int, set[int]]] = {"meld": {}, "optional": {}}
    for role, some in sets.items():
        for at in by_role[role]:
            some.setdefault(kept[at].group, set()).add(at)
    return JudgedPhoto(
        name=name, source="simulated", scene=name, split="train", kind="hand", size_wh=size_wh,
        detections=tuple(detections),
        concealed=by_role["concealed"] | by_role["winning"],
        winning=next(iter(by_role["winning"]), None),
        melds=frozenset(map(frozenset, sets["meld"].values())),
        optional=frozenset(map(frozenset, sets["optional"].values())),
        bonus=by_role["bonus"],
        missing=laid - sum(tile.role in HAND_ROLES and tile.tile != "back" for tile in kept),
        called=frozenset(at for at in by_role["meld"] if kept[at].turned),
        right=right,
    )  # fmt: skip


def _right(table: LaidTable, camera: Camera) -> Point | None:
    """The owner's reading direction in the picture, by the first row of loose tiles, if it lies level."""
    loose = [p for p in table.placements if p.role == "concealed"]
    row = [p.centre for p in loose if p.group == loose[0].group]
    if len(row) < len("ooo"):
        return None
    along, away, _ = np.subtract(row[-1], row[0]).tolist()
    first, last = camera.project(np.array([row[0], row[-1]], np.float64))
    return (float(last[0] - first[0]), float(last[1] - first[1])) if along > abs(away) else None


def _missed(tile: VisibleTile) -> float:
    if tile.tile == "back":
        return 0.15
    return 0.12 if tile.tile == "5z" else 0.015


def _sure(rng: Rng, near: Sequence[bool], *, has_hand: bool) -> list[float]:
    """How probable the name of each tile is. All numbers are measured on the judged photos.

    `near` marks the tiles that the camera aims at: those of the hand, or all where there is no hand. They are surest.
    """
    mean, farther = math.log(0.003 if has_hand else 0.0015) + rng.normal(0, 0.6), max(0.0, rng.normal(1.8, 1.0))
    unsure = mean + np.where(near, rng.normal(0, 0.45, len(near)), rng.normal(farther, 1.0, len(near)))
    unsure += np.where(rng.random(len(near)) < 0.03, rng.normal(2, 1, len(near)), 0.0)
    return [float(sure) for sure in 1 - np.clip(np.exp(unsure), 0.001, 0.7)]


def _false(rng: Rng, boxes: Floats, size_wh: tuple[int, int]) -> list[Detection]:
    """Boxes where no tile is: lettering, dice, a rail."""
    if rng.random() > 0.12 or not len(boxes):
        return []
    side = float(np.median(boxes[:, 3] - boxes[:, 1]))
    extra, start = [], rng.uniform(0, 1, 2) * size_wh
    for number in range(int(rng.integers(1, 6))):
        x, y = start + np.array([number * side * rng.uniform(0.7, 1.4), rng.normal(0, 0.1) * side])
        wide, high = side * rng.uniform(0.4, 1.1), side * rng.uniform(0.5, 1.2)
        tile = ALL_FACES[int(rng.integers(len(ALL_FACES)))]
        first = float(rng.uniform(0.3, 0.9))
        extra.append(Detection(Box(x, y, x + wide, y + high), float(rng.uniform(0.65, 1)), (Candidate(tile, first),)))
    return extra


def _focused(rng: Rng, some: Sequence[Detection], inside: Sequence[bool]) -> list[Detection]:
    """The detections with a sharpness: the camera focuses on the hand as a rule."""
    if len(some) <= 18:
        return list(some)
    sharper = rng.normal(0.27, 0.2)
    focused = []
    for at, seen in enumerate(some):
        mean = sharper if at < len(inside) and inside[at] else 0.0
        focused.append(replace(seen, sharpness=float(np.exp(mean + rng.normal(0, 0.12)))))
    return focused


# What the networks see


def _confusions() -> Mapping[Tile, tuple[Tile, ...]]:
    alike_to: dict[Tile, set[Tile]] = {tile: set() for tile in ALL_FACES}
    for text in _ALIKE.split():
        alike = [Tile.parse(text[start : start + 2]) for start in range(0, len(text), 2)]
        for tile in alike:
            alike_to[tile].update(set(alike) - {tile})
    for tile in ALL_FACES:
        if tile.is_suited and not tile.is_red:
            near = [Tile(tile.suit, rank) for rank in (tile.rank - 1, tile.rank + 1) if 1 <= rank <= 9]
            alike_to[tile].update(near)
        elif tile.is_honor:
            alike_to[tile].update(Tile("z", rank) for rank in range(1, 8) if rank != tile.rank)
    for red in RED_FIVES:
        alike_to[red].add(red.plain)
    return {tile: tuple(sorted(others)) for tile, others in alike_to.items()}


_CONFUSIONS: Final = _confusions()


def corrupted(rng: Rng, plain: Sequence[Detection]) -> list[Detection]:
    """The detections with plausible probabilities of several names; one detection in ten has a wrong first name."""
    return [_confused(rng, detection) for detection in plain]


def _confused(rng: Rng, detection: Detection) -> Detection:
    true = detection.tile
    others = list(_CONFUSIONS[true])
    if true == BACK or not others:
        return detection
    picked = [others[place] for place in rng.permutation(len(others))[:4]]
    is_wrong = rng.random() < _CORRUPTED
    first = float(rng.uniform(0.4, 0.8)) if is_wrong else 1 - float(rng.beta(0.5, 4))
    share = float(rng.uniform(0.5, 0.95))
    names = [picked[0], true, *picked[1:]] if is_wrong else [true, *picked]
    left, probabilities = 1 - first, [first]
    for _ in names[1:]:
        probabilities.append(left * share)
        left -= probabilities[-1]
    ranked = sorted(zip(probabilities, names, strict=True), key=lambda entry: -entry[0])
    return replace(detection, presence=1.0, names=tuple(Candidate(tile, chance) for chance, tile in ranked))


# A table without pixels


class _Outlines(Canvas):
    """A canvas that records the visible tiles and paints nothing."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        self.rng = np.random.default_rng(0)
        width, height = camera.size_wh
        self.image = np.zeros((0, 0, 3), np.uint8)
        self.marks = np.zeros((height, width), np.int32)
        self.light, self.ambient = np.array([0.0, 0.0, 1.0]), 1.0

    def warp(self, sprite: Array, quad: Array, strength: float = 1.0) -> None:
        """Paint nothing."""

    def _fill(self, quad: Array, colour: tuple[int, int, int]) -> None:
        """Paint nothing."""

    def _outline(self, outline: Array, centre: Array, unit: float, colour: tuple[int, int, int]) -> None:
        """Paint nothing."""


class Outlines(TileSet):
    """A tile set with proportions but blank faces, for the labels of tables that nobody paints."""

    _BLANK = np.zeros((1, 1, 4), np.uint8)

    def face(self, tile: str) -> Array | None:  # noqa: ARG002  # every face is blank
        """A blank face."""
        return self._BLANK

    def back_face(self) -> Array:
        """A blank face."""
        return self._BLANK

    def visible(self, camera: Camera, table: LaidTable) -> Sequence[VisibleTile]:
        """The visible tiles of a table."""
        cv2.setNumThreads(1)
        canvas = _Outlines(camera)
        return canvas.labels(canvas.draw_tiles(table.placements, self))
