"""Arrangements of tiles as placements in the world: hands with melds, ponds, walls, scattered tiles.

The unit is a tile's width. x points right, y away from the player, z up; the table is z = 0.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tilescore.datasets.artwork.style import Array, Rng
from tilescore.datasets.synthesis.hands import LaidHand, LaidSet, Wall

Spot = tuple[float, float] | Array
"""A place on the table (x, y)."""


@dataclass(frozen=True, slots=True)
class Placement:
    """One tile in the world, with its middle (x, y, z) and its turn about z."""

    tile: str
    centre: tuple[float, float, float]
    yaw_deg: float
    pose: str  # `up`, `down` or `standing`
    # Its part in the scene, e.g. `concealed`.
    role: str
    group: int  # number of the row, meld or pile that it belongs to
    turned: bool = False
    lean_deg: float = 0.0  # how far a standing tile leans back

    def axes(self) -> Array:
        """A matrix whose rows are the tile's right, up and outward directions in the world."""
        if self.pose == "up":
            axes = np.eye(3)
        elif self.pose == "down":
            axes = np.diag([-1.0, 1.0, -1.0])
        else:
            lean = math.radians(self.lean_deg)
            axes = np.array([[1.0, 0, 0], [0, math.sin(lean), math.cos(lean)], [0, -math.cos(lean), math.sin(lean)]])
        yaw = math.radians(self.yaw_deg)
        turn = np.array([[math.cos(yaw), math.sin(yaw), 0], [-math.sin(yaw), math.cos(yaw), 0], [0, 0, 1.0]])
        return np.asarray(axes @ turn)

    def corners(self, size: Array) -> Array:
        """Eight corners, shape (8, 3): top left, top right, bottom right, bottom left of the face, then of the back."""
        half = size / 2
        signs = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half[:2]
        flat = np.vstack(
            [np.column_stack([signs, np.full(4, half[2])]), np.column_stack([signs, np.full(4, -half[2])])]
        )
        return np.asarray(flat @ self.axes() + np.array(self.centre))


def spot_of(yaw_deg: float, x: float, y: float, centre: Spot = (0.0, 0.0)) -> Array:
    """A place (x, y) of the near side of the table, turned about a centre to another side, (2,)."""
    return np.asarray(centre + np.column_stack(directions(yaw_deg)) @ np.array([x, y]))


def directions(yaw_deg: float) -> tuple[Array, Array]:
    """Unit vectors to the right of a player who sits at that angle, and away from this player, (2,) each."""
    angle = math.radians(yaw_deg)
    return np.array([math.cos(angle), math.sin(angle)]), np.array([-math.sin(angle), math.cos(angle)])


@dataclass(frozen=True, slots=True)
class PosedTile:
    """A tile with its pose but without a place; `quarter` counts quarter turns to the left."""

    tile: str
    role: str
    quarter: int = 0
    pose: str = "up"


class LaidTable:
    """The placements of a scene. Rows and piles are laid in the frame of a player who sits at `yaw_deg`."""

    def __init__(self, rng: Rng, size: Array) -> None:
        self.rng = rng
        self.size = size
        self.placements: list[Placement] = []
        self.hand: LaidHand | None = None
        self._groups = 0
        self._floor: list[tuple[Array, Array, Array]] = []

    def new_group(self) -> int:
        """A new group number."""
        self._groups += 1
        return self._groups

    def put(
        self,
        posed: PosedTile,
        xy: Spot,
        *,
        group: int | None = None,
        yaw_deg: float = 0.0,
        layer: int = 0,
        lean_deg: float = 0.0,
    ) -> None:
        """Put one tile with its middle at `xy` on top of `layer` other tiles; without a group, it gets its own."""
        group = self.new_group() if group is None else group
        high = self.size[1] if posed.pose == "standing" else self.size[2]
        z = high * math.cos(math.radians(lean_deg)) / 2 + layer * self.size[2]
        turn, turned = yaw_deg + 90 * posed.quarter, posed.quarter % 2 == 1
        centre = (float(xy[0]), float(xy[1]), z)
        self.placements.append(Placement(posed.tile, centre, turn, posed.pose, posed.role, group, turned, lean_deg))

    def put_if_free(self, posed: PosedTile, xy: Spot, yaw_deg: float) -> bool:
        """Put one tile where it overlaps no other; whether it lies there now."""
        self.put(posed, xy, yaw_deg=yaw_deg)
        last = self.placements.pop()
        is_free = self.is_free(self.footprint(last))
        self.placements += [last] * is_free
        return is_free

    def add_to_kong(self, tile: str, size: int, beyond: Array) -> None:
        """Put the fourth tile of a kong beyond the turned one of the `size` tiles that were put last."""
        below = next(placement for placement in self.placements[-size:] if placement.turned)
        x, y, z = below.centre
        self.placements.append(replace(below, tile=tile, centre=(x + beyond[0], y + beyond[1], z)))

    def row(
        self,
        posed_tiles: Sequence[PosedTile],
        start: Spot,
        *,
        group: int | None = None,
        yaw_deg: float = 0.0,
        gap: float = 0.02,
        sloppy: float = 0.3,
        layer: int = 0,
        lean_deg: float = 0.0,
    ) -> float:
        """Lay tiles side by side to the player's right from `start` (lower left); returns the length of the row.

        Without a group, they get one.
        """
        group = self.new_group() if group is None else group
        right, away = directions(yaw_deg)
        along = 0.0
        for posed in posed_tiles:
            flat = posed.pose != "standing"
            wide = self.size[1] if posed.quarter % 2 and flat else 1.0
            tall = (1.0 if posed.quarter % 2 else self.size[1]) if flat else self.size[2]
            wobble = self.rng.normal(0, 0.02 * sloppy, 2)
            middle = np.array(start) + right * (along + wide / 2) + away * (tall / 2 + wobble[1] * 2)
            turn = yaw_deg + float(self.rng.normal(0, 1.6 * sloppy))
            self.put(posed, middle, group=group, yaw_deg=turn, layer=layer, lean_deg=lean_deg)
            along += wide + gap + abs(wobble[0])
        return along - gap

    def footprint(self, placement: Placement) -> Array:
        """The smallest rectangle on the table around the tile's corners, shape (4, 2)."""
        points = placement.corners(self.size)[:, :2].astype(np.float32)
        return np.asarray(cv2.boxPoints(cv2.minAreaRect(points)))

    def is_free(self, outline: Array) -> bool:
        """Whether a convex outline overlaps no tile on the table."""
        for placement in self.placements[len(self._floor) :]:
            other = self.footprint(placement)
            self._floor.append((other.astype(np.float32), other.min(axis=0), other.max(axis=0)))
        (left, bottom), (right, top) = outline.min(axis=0), outline.max(axis=0)
        for other, low, high in self._floor:
            if low[0] < right and low[1] < top and left < high[0] and bottom < high[1]:
                area, _ = cv2.intersectConvexConvex(outline.astype(np.float32), other)
                if area > 0.02:
                    return False
        return True

    def points(self, roles: Collection[str] = ()) -> Array:
        """The corners (n, 3) of the tiles with one of the roles, or of all tiles if there are none."""
        chosen = [p for p in self.placements if p.role in roles] or self.placements
        return np.vstack([p.corners(self.size) for p in chosen])

    def bounds(self, roles: Collection[str] = ()) -> tuple[Array, Array]:
        """Lower left and upper right corner of these tiles on the table."""
        points = self.points(roles)[:, :2]
        return points.min(axis=0), points.max(axis=0)


def _meld_tiles(rng: Rng, meld: LaidSet) -> tuple[list[PosedTile], bool]:
    """The tiles of one meld, and whether its fourth tile lies beside the sideways one (an added kong)."""
    if meld.hidden:
        style = int(rng.integers(3))  # all down, outer two down, inner two down
        down = {0: (0, 1, 2, 3), 1: (0, 3), 2: (1, 2)}[style]
        return [
            PosedTile("back" if i in down else tile, "meld", pose="down" if i in down else "up")
            for i, tile in enumerate(meld.tiles)
        ], False
    turn = 1 if rng.random() < 0.5 else 3
    stacked = len(meld.tiles) == 4 and meld.called is not None and rng.random() < 0.4
    return [PosedTile(tile, "meld", turn if i == meld.called else 0) for i, tile in enumerate(meld.tiles)], stacked


def _put_melds(table: LaidTable, hand: LaidHand, start: Array, hand_style: _HandStyle, *, down: bool) -> Array:
    """Lay the melds side by side, or one below the other; returns the end of them."""
    right, away, spot = hand_style.right, hand_style.away, start
    gap = table.rng.uniform(0.05, 0.6)
    for meld in hand.melds:
        posed_tiles, stacked = _meld_tiles(table.rng, meld)
        on_top = None
        if stacked:  # the three other tiles keep the sideways one in its place
            on_top = posed_tiles.pop(0 if meld.called == len(posed_tiles) - 1 else -1)
        yaw_deg, sloppy = hand_style.yaw_deg, hand_style.sloppy
        length = table.row(posed_tiles, spot, yaw_deg=yaw_deg, sloppy=sloppy)
        if on_top is not None:
            table.add_to_kong(on_top.tile, len(posed_tiles), away * 1.02)
        spot = spot + (away * (table.size[1] + gap + 0.1) if down else right * (length + gap))
    return spot


def put_hand(table: LaidTable, hand: LaidHand, *, yaw_deg: float = 0.0, at: Spot = (0.0, 0.0)) -> None:
    """Lay one hand: concealed tiles in one or two rows, perhaps with gaps, beside melds, winning tile and flowers."""
    rng, hand_style = table.rng, _HandStyle.sampled(table, yaw_deg, at)
    spot = hand_style.at + hand_style.right * _put_concealed(table, hand, hand_style)
    if hand.winning is not None:
        spot = _put_winning(table, hand.winning, spot, hand_style)
    down = rng.random() < 0.2
    start = spot + hand_style.right * rng.uniform(0.2, 1.5)
    if rng.random() < 0.15:  # melds in front of the hand
        start, down = hand_style.at + hand_style.away * (table.size[1] + rng.uniform(0.2, 1.5)), False
    end = _put_melds(table, hand, start, hand_style, down=down)
    if hand.bonus:
        beside_melds = not down and rng.random() < 0.5
        _put_bonus(table, hand.bonus, end + hand_style.right * 0.2 if beside_melds else None, hand_style)


@dataclass(frozen=True, slots=True, eq=False)
class _HandStyle:
    """The way in which a player lays a hand from `at` on, in the directions `right` and `away`, (2,) each.

    `sloppy` is 0 for a perfect row. `pose`, `lean_deg` and `quarter` turns, 2 for upside down, are those of the
    concealed tiles.
    """

    at: Array
    right: Array
    away: Array
    yaw_deg: float
    sloppy: float
    pose: str
    lean_deg: float
    quarter: int

    @staticmethod
    def sampled(table: LaidTable, yaw_deg: float, at: Spot) -> _HandStyle:
        rng = table.rng
        sloppy = float(rng.choice([0.1, 0.4, 1.0, 2.0], p=[0.35, 0.35, 0.2, 0.1]))
        pose = "standing" if rng.random() < 0.18 else "up"
        lean = float(rng.uniform(0, 18)) if pose == "standing" and rng.random() < 0.5 else 0.0
        quarter = 2 if rng.random() < 0.04 else 0
        return _HandStyle(np.array(at), *directions(yaw_deg), yaw_deg, sloppy, pose, lean, quarter)


def _put_concealed(table: LaidTable, hand: LaidHand, hand_style: _HandStyle) -> float:
    """Lay the concealed tiles in one or two rows, sometimes with gaps; returns the length of the longer row."""
    rng = table.rng
    posed_tiles = [PosedTile(tile, "concealed", hand_style.quarter, hand_style.pose) for tile in hand.loose]
    rows = 2 if rng.random() < 0.12 and len(posed_tiles) > 6 else 1
    per_row = math.ceil(len(posed_tiles) / rows)
    group = table.new_group()
    longest = 0.0
    for r in range(rows):
        part = posed_tiles[r * per_row : (r + 1) * per_row]
        start = hand_style.at - hand_style.away * r * (table.size[1] + 0.03)
        cuts: list[int] = []
        if rng.random() < 0.2:
            cuts = sorted(rng.choice(np.arange(1, max(2, len(part))), size=int(rng.integers(1, 4))))
        along = 0.0
        for begin, end in zip([0, *cuts], [*cuts, len(part)], strict=True):
            length = table.row(
                part[begin:end], start + hand_style.right * along, group=group, yaw_deg=hand_style.yaw_deg,
                sloppy=hand_style.sloppy, gap=rng.uniform(0, 0.05), lean_deg=hand_style.lean_deg,
            )  # fmt: skip
            along += length + (rng.uniform(0.15, 0.7) if end < len(part) else 0.02)
        longest = max(longest, along)
    return longest


def _put_winning(table: LaidTable, tile: str, spot: Array, hand_style: _HandStyle) -> Array:
    """Lay the winning tile at the end of the row or apart from it; returns the new end of the row."""
    rng = table.rng
    place = (
        spot
        + hand_style.right * rng.choice([0.03, rng.uniform(0.2, 1.2)])
        + hand_style.away * (rng.uniform(-0.3, 0.5) if rng.random() < 0.3 else 0)
    )
    quarter = 1 if rng.random() < 0.15 else 0
    posed = PosedTile(tile, "winning", quarter, hand_style.pose if rng.random() < 0.7 else "up")
    used = table.row([posed], place, yaw_deg=hand_style.yaw_deg, sloppy=hand_style.sloppy)
    return np.asarray(hand_style.at + hand_style.right * (float((place - hand_style.at) @ hand_style.right) + used))


def _put_bonus(table: LaidTable, bonus: Sequence[str], beside: Array | None, hand_style: _HandStyle) -> None:
    """Lay flowers at `beside`, or above the hand if it is None, but only where no tile lies."""
    right, away, rng = hand_style.right, hand_style.away, table.rng
    place = hand_style.at + away * (table.size[1] * 2 + rng.uniform(0.3, 2)) if beside is None else beside
    end = place + right * len(bonus)
    if table.is_free(np.array([place, end, end + away, place + away])):
        posed_tiles = [PosedTile(tile, "bonus") for tile in bonus]
        table.row(posed_tiles, place, yaw_deg=hand_style.yaw_deg, sloppy=hand_style.sloppy)


def put_wall(table: LaidTable, start: Spot, count: int, yaw_deg: float) -> None:
    """Lay a wall of face-down tiles, one or two high."""
    group, high = table.new_group(), 2 if table.rng.random() < 0.7 else 1
    for layer in range(high):
        row = [PosedTile("back", "other", pose="down")] * (count - (int(table.rng.integers(3)) if layer else 0))
        table.row(row, start, group=group, yaw_deg=yaw_deg, layer=layer, sloppy=0.5)


def put_pond(table: LaidTable, wall: Wall, start: Spot, count: int, yaw_deg: float) -> None:
    """Lay discards in rows of six, sometimes with one sideways."""
    rng = table.rng
    tiles = wall.draw_many(count)
    _, away = directions(yaw_deg)
    group, sideways = table.new_group(), int(rng.integers(40))
    for r in range(0, len(tiles), 6):
        posed_tiles = [
            PosedTile(tile, "other", 1 if r + i == sideways else 0) for i, tile in enumerate(tiles[r : r + 6])
        ]
        spot = np.array(start) - away * (r // 6) * (table.size[1] + 0.05)
        table.row(posed_tiles, spot, group=group, yaw_deg=yaw_deg, sloppy=1.0)


def put_scattered(
    table: LaidTable, wall: Wall, count: int, area: tuple[Array, Array], *, piled: bool = False, bonus: float = 0.08
) -> None:
    """Lay loose tiles at any angle, some face down or standing; if `piled`, some lie on others."""
    rng = table.rng
    upper: list[Array] = []
    for _ in range(count):
        xy = rng.uniform(area[0], area[1])
        pose = str(rng.choice(["up", "down", "standing"], p=[0.78, 0.16, 0.06]))
        tile = "back" if pose == "down" else wall.draw(bonus=bonus)
        if tile is None:
            return
        posed, turn = PosedTile(tile, "other", pose=pose), float(rng.uniform(0, 360))
        if table.put_if_free(posed, xy, turn) or not piled or rng.random() >= 0.25:
            continue
        if all(np.linalg.norm(xy - other) > 1.8 for other in upper):
            upper.append(xy)
            table.put(posed, xy, yaw_deg=turn, layer=1)
