"""What lies on a table beside a hand, and tables that show no hand at all."""

import math
from functools import partial
from typing import Final

import numpy as np

from tilescore.datasets.synthesis.arrangements import (
    LaidTable,
    PosedTile,
    Spot,
    put_pond,
    put_scattered,
    put_wall,
    spot_of,
)
from tilescore.datasets.synthesis.hands import Wall, set_of
from tilescore.datasets.synthesis.scenes import tray_scene

HAND_ROLES: Final = ("concealed", "winning", "meld", "optional", "bonus")
"""The roles of the tiles of a hand; `optional` are sets that may be declared or merely laid out in groups."""


def surround(table: LaidTable, wall: Wall) -> None:
    """Lay what a table in play shows besides: walls, rivers, other hands, indicators, stray tiles."""
    rng = table.rng
    low, high = table.bounds(HAND_ROLES)
    near = float(high[1])
    if rng.random() < 0.4:  # a wall right behind the hand, or at some distance
        near += float(rng.choice([rng.uniform(0.05, 0.6), rng.uniform(0.6, 3.0)]))
        put_wall(table, (float(low[0] + rng.uniform(-3, 3)), near), int(rng.integers(5, 19)), float(rng.normal(0, 4)))
        near += table.size[1]
    if rng.random() < 0.12:
        _lay_indicators(table, wall, (float(rng.uniform(low[0], high[0])), near + rng.uniform(0.5, 3)))
    middle = float(low[0] + high[0]) / 2
    if rng.random() < 0.5:
        rows = int(rng.integers(1, 4))
        start = (middle + rng.uniform(-5, 0), near + rng.uniform(0.5, 3) + rows * table.size[1])
        put_pond(table, wall, start, int(rng.integers(2, 6 * rows + 1)), float(rng.normal(0, 4)))
        near = start[1]
    for side in (90, 180, 270):
        if rng.random() < 0.35:
            _lay_neighbour(table, wall, side, middle, near)
    if rng.random() < 0.4:
        deep = float(rng.uniform(2, 10))
        area = (np.array([low[0] - 4, near + 0.8]), np.array([high[0] + 4, near + 0.8 + deep]))
        put_scattered(table, wall, int(rng.integers(1, 40)), area, bonus=0.06)
    if rng.random() < 0.06:  # a few stray tiles beside the hand
        area = (np.array([low[0] - 5, low[1] - 3]), np.array([high[0] + 5, high[1] + 3]))
        put_scattered(table, wall, int(rng.integers(1, 4)), area, bonus=0.1)


def _lay_indicators(table: LaidTable, wall: Wall, at: Spot) -> None:
    rng = table.rng
    shown = [PosedTile(tile, "dora_indicator") for tile in wall.draw_many(int(rng.integers(1, 3)))]
    flanks = [PosedTile("back", "other", pose="down") for _ in range(int(rng.integers(1, 5)))]
    table.row([*flanks, *shown, *flanks], at)


def _lay_neighbour(table: LaidTable, wall: Wall, yaw_deg: float, middle: float, near: float) -> None:
    """Lay what another player has: a river, a wall, standing tiles, open sets or an open hand."""
    rng = table.rng
    at = partial(spot_of, yaw_deg, centre=(middle, near + rng.uniform(4, 9)))
    far = float(rng.uniform(7, 13))
    if rng.random() < 0.5:
        put_pond(table, wall, at(-3.2, -far / 2), int(rng.integers(2, 19)), yaw_deg)
    if rng.random() < 0.4:
        put_wall(table, at(-8, -far - table.size[1]), int(rng.integers(6, 18)), yaw_deg)
    if rng.random() < 0.4:
        pose = "up" if rng.random() < 0.25 else "standing"
        posed = [PosedTile(tile, "other", pose=pose) for tile in wall.draw_many(int(rng.integers(4, 15)))]
        table.row(posed, at(-6, -far - 3), yaw_deg=yaw_deg, sloppy=0.5)
    if rng.random() < 0.25:
        along = 4.0
        for _ in range(int(rng.integers(1, 4))):
            taken = set_of(rng, wall, 3)
            posed = [PosedTile(tile, "other") for tile in (taken[1] if taken else [])]
            along += table.row(posed, at(along, -far - 2), yaw_deg=yaw_deg) + 0.2


# Tables without a hand


def _tray(table: LaidTable, wall: Wall) -> None:
    tray_scene(table, wall)
    if len(table.placements) < 19:
        table.placements.clear()


def _heap(table: LaidTable, wall: Wall) -> None:
    count = int(table.rng.choice([4, 7, 9, 10, 11, 20, 24, 30, 50]))
    side = math.sqrt(count) * table.rng.uniform(1.3, 2.6)
    put_scattered(table, wall, count, (np.full(2, -side / 2), np.full(2, side / 2)), piled=True, bonus=0.15)


def _grid(table: LaidTable, wall: Wall) -> None:
    """Tiles side by side in rows and columns, too few or too many for a hand."""
    rng = table.rng
    count = int(rng.choice([6, 8, 9, 10, 12, 12, 20, 24, 25, 30]))
    rows = int(rng.choice([1, 3, 4, 5])) if count <= 12 else int(rng.integers(3, 6))
    gap = float(rng.choice([0.03, 0.3]))
    wide = math.ceil(count / rows)
    tiles = wall.draw_many(count, bonus=0.15)
    for row in range(rows):
        posed = [PosedTile(tile, "other", int(rng.choice([0, 2]))) for tile in tiles[row * wide : (row + 1) * wide]]
        table.row(posed, (0.0, -row * (table.size[1] + gap)), sloppy=0.3, gap=gap / 2)


def _few(table: LaidTable, wall: Wall) -> None:
    rng = table.rng
    for row in range(int(rng.integers(1, 4))):
        tiles = wall.draw_many(int(rng.integers(1, 4)), bonus=0.3)
        table.row([PosedTile(t, "other") for t in tiles], (rng.uniform(0, 3), row * 2.0))


def _family(table: LaidTable, wall: Wall) -> None:  # noqa: ARG001  # as the others
    """The tiles of a suit in order, several of them in rows."""
    rng, gap = table.rng, float(table.rng.choice([0.03, table.rng.uniform(0.1, 0.8)]))
    suits = ["m", "p", "s", "z"]
    for row in range(int(rng.integers(1, 5))):
        names = [f"{n}{suits[row]}" for n in range(1, 8 if suits[row] == "z" else 10)]
        table.row([PosedTile(t, "other") for t in names], (0.0, -row * (table.size[1] + gap)), group=row, gap=gap)


def _walls(table: LaidTable, wall: Wall) -> None:
    """A table before or during a game, seen whole: walls, rivers, hands that lie hidden."""
    rng = table.rng
    put_scattered(table, wall, int(rng.integers(0, 30)), (np.array([-4.0, -4.0]), np.array([4.0, 4.0])))
    has_walls = rng.random() < 0.6
    for side in (0, 90, 180, 270):
        if has_walls:
            put_wall(table, spot_of(side, -8.0, -11.0), int(rng.integers(6, 18)), side)
        if rng.random() < 0.3:
            for number in range(int(rng.integers(1, 4))):
                taken = set_of(rng, wall, 3)
                posed = [PosedTile(t, "other", int(k == 0)) for k, t in enumerate(taken[1] if taken else [])]
                start = spot_of(side, 4.0 + 3.6 * number, -13.0)
                table.row(posed, start, yaw_deg=side)
        if rng.random() < 0.8:
            put_pond(table, wall, spot_of(side, -3.2, -5.5), int(rng.integers(3, 19)), side)
        if rng.random() < 0.5:
            tiles = [PosedTile(t, "other", 2, "standing") for t in wall.draw_many(13)]
            table.row(tiles, spot_of(side, -6.0, -13.5), yaw_deg=side)


def _hands_of_all(table: LaidTable, wall: Wall) -> None:
    """Two to four open rows around the table or below each other, none of them nearer than the others."""
    rng = table.rng
    sides = [0, 90, 180, 270][: int(rng.integers(2, 5))]
    stacked = rng.random() < 0.5
    for number, side in enumerate(sides):
        tiles = [PosedTile(t, "other") for t in wall.draw_many(int(rng.choice([7, 9, 13, 14, 14, 16])))]
        spot = (0.0, number * rng.uniform(1.5, 2.5)) if stacked else spot_of(side, -7.0, -10.0)
        table.row(tiles, spot, group=number, yaw_deg=0 if stacked else side, sloppy=0.5)


NO_HANDS: Final = (_tray, _heap, _grid, _few, _family, _walls, _walls, _hands_of_all)
"""Tables without a hand; a repeated one is more frequent."""
