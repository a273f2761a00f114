"""Simulated tables with the part of each tile: boxes as a camera sees them, without pixels.

Beside the usual scenes of `tilescore.datasets.synthesis` there are hands in groups at any angle, heaps, and rows with
kongs among the other tiles.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from tilescore.datasets.layouts.corruption import corrupted
from tilescore.datasets.layouts.judged import JudgedPhoto
from tilescore.datasets.synthesis.arrangements import PosedTile
from tilescore.datasets.synthesis.hands import HandSpec, MeldSpec, set_of
from tilescore.datasets.synthesis.layouts import LaidScene, lay_scene
from tilescore.datasets.synthesis.scenes import few_scene, game_scene, hand_scene, scattered_scene, tray_scene
from tilescore.scoring.hand import Hand
from tilescore.scoring.tiles import Tile
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from tilescore.datasets.synthesis.arrangements import Placement, Table
    from tilescore.datasets.synthesis.hands import Wall

    Array = NDArray[np.float64]
    Scene = Callable[[Table, Wall], None]

_CONFIDENCE: Final = 0.97
"""Probability of the name of a simulated detection. Chosen."""
_CORRUPTED: Final = 0.2
"""The share of simulated tables with several names for each tile, of which one in ten has a wrong first one. Chosen."""
_HALF_APART: Final = 1.5
"""A winning tile is named if its middle is this far from the nearest one, in tile widths: half a tile of space."""
_FLUSH: Final = 1.15
"""Tiles whose middles are nearer to each other than this lie flush, in tile widths."""
_SHARPER: Final = (0.27, 0.2)
"""Mean and deviation over photos of the logarithm of a hand's sharpness divided by that of other tiles. Measured."""
_SHARPNESS_NOISE: Final = 0.12
"""Standard deviation of the logarithm of the sharpness of tiles of one hand. Measured."""
_KONG: Final = 4
_HAND_LIMIT: Final = 18
"""More loose tiles than this are no hand."""


def grouped_scene(table: Table, wall: Wall) -> None:
    """Lay the sets of a complete hand as groups, at one angle or each at any."""
    rng = table.rng
    sets = _complete(rng, wall, kongs=0.2)
    common, at_random = float(rng.normal(0, 8)), rng.random() < 0.4
    side = rng.uniform(4.5, 8.0)
    spots = [(float(x), float(y)) for x in range(3) for y in range(2)]
    for at, tiles in zip(rng.permutation(len(spots))[: len(sets)].tolist(), sets, strict=True):
        middle = np.array(spots[at]) * (side, side * rng.uniform(0.4, 0.8)) + rng.normal(0, 0.3, 2)
        yaw = float(rng.uniform(0, 360)) if at_random else common
        angle = math.radians(yaw)
        start = middle - np.array([math.cos(angle), math.sin(angle)]) * len(tiles) / 2
        _row(table, tiles, start, yaw, loose=len(tiles) < _KONG)
    _record(table, sets)


def kong_row_scene(table: Table, wall: Wall) -> None:
    """Lay a complete hand in one row, its kongs among the other tiles."""
    sets = _complete(table.rng, wall, kongs=0.4)
    along = 0.0
    for tiles in sets:
        along += _row(table, tiles, np.array([along, 0.0]), 0.0, loose=len(tiles) < _KONG) + 0.02
    _record(table, sets)


def heap_scene(table: Table, wall: Wall) -> None:
    """Lay 13 to 18 tiles at any angle, and nothing else."""
    rng = table.rng
    count = int(rng.choice([13, 14, 14, 14, 15, 16, 17, 18]))
    side = math.sqrt(count) * rng.uniform(1.3, 2.2)
    tiles = wall.draw_many(count)
    for tile in tiles:
        for _ in range(60):
            x, y = rng.uniform(-side / 2, side / 2, 2)
            table.put(PosedTile(tile, "concealed"), (x, y), group=table.new_group(), yaw_deg=float(rng.uniform(0, 360)))
            last = table.placements.pop()
            if table.is_free(table.footprint(last)):
                table.placements.append(last)
                break
    table.hand = HandSpec(tuple(p.tile for p in table.placements), (), None, ())


def _complete(rng: np.random.Generator, wall: Wall, *, kongs: float) -> list[list[str]]:
    """The tiles of four sets and a pair, sorted; each pung is a kong with that probability."""
    found: list[list[str]] = []
    while len(found) < len("ssss"):
        new = set_of(rng, wall, 4 if rng.random() < kongs else 3)
        if new is not None:
            found.append(new[1])
    pair = set_of(rng, wall, 2)
    return sorted([*found, *([pair[1]] if pair else [])], key=lambda tiles: (tiles[0][1], tiles[0][0]))


def _row(table: Table, tiles: list[str], start: Array, yaw_deg: float, *, loose: bool) -> float:
    posed = [PosedTile(tile, "concealed" if loose else "meld") for tile in tiles]
    at = (float(start[0]), float(start[1]))
    return table.row(posed, at, group=table.new_group(), yaw_deg=yaw_deg, gap=0.02, sloppy=0.6)


def _record(table: Table, sets: list[list[str]]) -> None:
    loose = tuple(tile for tiles in sets if len(tiles) < len("oooo") for tile in tiles)
    kongs = [
        MeldSpec("kong", tuple(tiles), concealed=False, called=None, source=None)
        for tiles in sets
        if len(tiles) == len("oooo")
    ]
    table.hand = HandSpec(loose, tuple(kongs), None, ())


_HANDS: Final[tuple[tuple[float, Scene], ...]] = (
    (0.55, hand_scene),
    (0.15, game_scene),
    (0.12, grouped_scene),
    (0.1, kong_row_scene),
    (0.08, heap_scene),
)
"""The share of each scene with a hand."""
_NO_HANDS: Final[tuple[Scene, ...]] = (tray_scene, scattered_scene, few_scene)


def simulated(count: int, seed: int) -> Iterator[JudgedPhoto]:
    """That many simulated tables with a hand, and half as many without one."""
    rng = np.random.default_rng(seed)
    kinds = rng.choice(len(_HANDS), count, p=[share for share, _ in _HANDS]).tolist()
    for index, kind in enumerate(kinds):
        scene = _whole(seed, index, _HANDS[kind][1])
        if scene is not None:
            photo = judged_scene(scene, f"{seed}_{index}")
            if rng.random() < _CORRUPTED:
                photo = replace(photo, detections=tuple(corrupted(rng, photo.detections)))
            yield _focused(photo, rng)
    for index in range(count // 2):
        scene = lay_scene(seed + 1, index, scene=_NO_HANDS[index % len(_NO_HANDS)])
        faces = sum(not tile.is_back and not tile.is_bonus for tile in (Tile.parse(seen.tile) for seen in scene.tiles))
        if faces > _HAND_LIMIT or faces < Hand.SIZE - 4:
            yield _focused(judged_scene(scene, f"{seed}_no_{index}"), rng)


def _focused(photo: JudgedPhoto, rng: np.random.Generator) -> JudgedPhoto:
    """The photo with the sharpness of each tile: the camera focuses on the hand as a rule."""
    inside = np.array([at in photo.hand or at in photo.bonus for at in range(len(photo.detections))], bool)
    logarithms = np.where(inside, rng.normal(*_SHARPER), 0.0) + rng.normal(0, _SHARPNESS_NOISE, len(inside))
    pairs = zip(photo.detections, np.exp(logarithms).tolist(), strict=True)
    return replace(photo, detections=tuple(replace(seen, sharpness=sharp) for seen, sharp in pairs))


def _whole(seed: int, index: int, make: Scene) -> LaidScene | None:
    """The first scene of some that shows a whole hand."""
    for attempt in range(50):
        scene = lay_scene(seed + 1000 * attempt, index, scene=make)
        if scene.whole:
            return scene
    return None


@dataclass(frozen=True, slots=True)
class _Melds:
    """The melds of a scene: those that must be declared, those that may be, and their turned tiles."""

    must: frozenset[frozenset[int]]
    optional: frozenset[frozenset[int]]
    called: frozenset[int]


def judged_scene(scene: LaidScene, name: str) -> JudgedPhoto:
    """A scene as a judged photo: a set apart without a turned tile may be declared or not."""
    detections = tuple(
        Detection(Box(*seen.box_xyxy), 1.0, (Candidate(Tile.parse(seen.tile), _CONFIDENCE),)) for seen in scene.tiles
    )
    if scene.hand is None:
        return JudgedPhoto(name, "simulated", name, "train", "no_hand", scene.size_wh, detections)
    melds = _melds(scene)
    roles = [seen.role for seen in scene.tiles]
    concealed = frozenset(at for at, role in enumerate(roles) if role in ("concealed", "winning"))
    winning, maybe = winning_tiles(scene)
    return JudgedPhoto(
        name=name,
        source="simulated",
        scene=name,
        split="train",
        kind="hand",
        size_wh=scene.size_wh,
        detections=detections,
        concealed=concealed,
        winning=winning,
        melds=melds.must,
        bonus=frozenset(at for at, role in enumerate(roles) if role == "bonus"),
        optional=melds.optional,
        called=melds.called,
        maybe_winning=maybe,
        right=_right(scene),
    )


def _melds(scene: LaidScene) -> _Melds:
    groups = dict.fromkeys(placed.group for placed in scene.placements if placed.role == "meld")
    must: set[frozenset[int]] = set()
    optional: set[frozenset[int]] = set()
    called: set[int] = set()
    for spec, group in zip(scene.hand.melds if scene.hand else (), groups, strict=True):
        members = frozenset(at for at, seen in enumerate(scene.tiles) if seen.role == "meld" and seen.group == group)
        plain = spec.called is None and not spec.concealed and spec.kind != "kong"
        (optional if plain else must).add(members)
        called.update(at for at in members if scene.tiles[at].turned)
    return _Melds(frozenset(must), frozenset(optional), frozenset(called))


def winning_tiles(scene: LaidScene) -> tuple[int | None, frozenset[int]]:
    """The index of the winning tile if the table shows it, else the indices of the tiles that may be called so.

    The table shows a winning tile that is turned or lies half a tile apart. Any other winning tile may be called so or
    not, and so may each tile that lies alone at the end of its row.
    """
    rows, ends = ([(at, p) for at, p in _placed(scene) if p.role == role] for role in ("concealed", "winning"))
    for at, placed in ends:
        if placed.turned or _nearest(placed, rows) >= _HALF_APART:
            return at, frozenset()
    last = {round(placed.centre[1]): (at, placed) for at, placed in sorted(rows, key=lambda one: one[1].centre[0])}
    alone = [at for at, placed in last.values() if _nearest(placed, [*rows, *ends]) > _FLUSH]
    return None, frozenset([at for at, _ in ends] + alone)


def _placed(scene: LaidScene) -> Iterator[tuple[int, Placement]]:
    """The loose tiles of the hand by index, and how they lie."""
    for role in ("concealed", "winning"):
        seen = (at for at, tile in enumerate(scene.tiles) if tile.role == role)
        yield from zip(seen, (placed for placed in scene.placements if placed.role == role), strict=True)


def _nearest(placed: Placement, others: Sequence[tuple[int, Placement]]) -> float:
    """The distance from a tile to the nearest other one, in tile widths; infinite without others."""
    return min(
        (math.dist(placed.centre[:2], other.centre[:2]) for _, other in others if other is not placed),
        default=math.inf,
    )


def _right(scene: LaidScene) -> tuple[float, float] | None:
    """The reading direction in the photo, by the first row of concealed tiles."""
    placed = [p for p in scene.placements if p.role == "concealed"]
    seen = [tile for tile in scene.tiles if tile.role == "concealed"]
    row = [
        at for at, p in enumerate(placed) if p.group == placed[0].group and abs(p.centre[1] - placed[0].centre[1]) < 0.5
    ]
    if len(row) < len("ooo"):
        return None
    first, last = (np.array(seen[at].box_xyxy).reshape(2, 2).mean(axis=0) for at in (row[0], row[-1]))
    return float(last[0] - first[0]), float(last[1] - first[1])
