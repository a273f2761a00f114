"""Kinds of scenes: a finished hand, a table in play, a tray, a heap, a few tiles close up, and others."""

import math
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from tilescore.datasets.artwork.style import Rng
from tilescore.datasets.synthesis.arrangements import (
    LaidTable,
    PosedTile,
    put_hand,
    put_pond,
    put_scattered,
    put_wall,
    spot_of,
)
from tilescore.datasets.synthesis.hands import Wall, random_hand
from tilescore.errors import InputError


def hand_scene(table: LaidTable, wall: Wall) -> None:
    """Lay a finished hand, sometimes with dora indicators or other tiles near it."""
    rng = table.rng
    hand = random_hand(rng, wall)
    put_hand(table, hand)
    table.hand = hand
    if rng.random() < 0.15:
        low, high = table.bounds()
        indicators = [PosedTile(tile, "dora_indicator") for tile in wall.draw_many(int(rng.integers(1, 3)))]
        flanks = [PosedTile("back", "other", pose="down") for _ in range(int(rng.integers(1, 4)))]
        start = (float(rng.uniform(low[0], high[0])), float(high[1] + rng.uniform(0.5, 4)))
        table.row([*flanks, *indicators, *flanks], start)
    if rng.random() < 0.35:
        _around(table, wall)


def _around(table: LaidTable, wall: Wall) -> None:
    """Lay the other tiles of a table in play: walls, discards, scattered tiles."""
    rng = table.rng
    low, high = table.bounds()
    near = float(high[1]) + rng.uniform(0.5, 3)
    if rng.random() < 0.5:
        put_wall(table, (float(low[0]) + rng.uniform(-1, 4), near), int(rng.integers(4, 18)), float(rng.normal(0, 6)))
        near += table.size[1] + rng.uniform(0.5, 2)
    if rng.random() < 0.6:
        start = (float(low[0]) + rng.uniform(0, 6), near + 2.2 * table.size[1])
        put_pond(table, wall, start, int(rng.integers(3, 19)), float(rng.normal(0, 3)))
    if rng.random() < 0.5:
        put_scattered(table, wall, int(rng.integers(2, 25)), (low - 2, high + np.array([2, 9])))


def scattered_scene(table: LaidTable, wall: Wall) -> None:
    """Lay a loose heap of tiles."""
    count = int(table.rng.choice([6, 14, 30, 60]))
    side = math.sqrt(count) * table.rng.uniform(1.3, 2.6)
    area = (np.array([-side, -side]) / 2, np.array([side, side]) / 2)
    put_scattered(table, wall, count, area, piled=True, bonus=0.2)


def tray_scene(table: LaidTable, wall: Wall) -> None:
    """Lay a grid of tiles, up to a whole set."""
    rng = table.rng
    rows, columns = int(rng.integers(1, 9)), int(rng.integers(2, 18))
    quarter = int(rng.choice([0, 0, 0, 2, 1, 3]))
    mixed, gap = rng.random() < 0.25, float(rng.choice([0.0, 0.03, rng.uniform(0.05, 0.6)]))
    in_order = rng.random() < 0.3
    tiles = wall.draw_many(rows * columns, bonus=0.2)
    if in_order:
        tiles.sort(key=lambda tile: (tile[1], tile[0]))
    for r in range(rows):
        posed_tiles = []
        for tile in tiles[r * columns : (r + 1) * columns]:
            turn = (quarter + 2 * int(rng.integers(2))) % 4 if mixed else quarter
            posed_tiles.append(
                PosedTile("back", "other", turn, "down") if rng.random() < 0.03 else PosedTile(tile, "other", turn)
            )
        pitch = (1.0 if quarter % 2 else table.size[1]) + gap
        table.row(posed_tiles, (0.0, -r * pitch), sloppy=0.5, gap=gap)


def game_scene(table: LaidTable, wall: Wall) -> None:
    """Lay a table in play: up to four ponds and walls, perhaps a finished hand, and rows of standing tiles."""
    rng = table.rng
    for quarter in range(4):
        yaw = 90.0 * quarter
        at = partial(spot_of, yaw)
        if rng.random() < 0.8:
            put_pond(table, wall, at(-3.2, -3.6 - table.size[1]), int(rng.integers(3, 19)), yaw)
        if rng.random() < 0.6:
            put_wall(table, at(-8.5, -9.6 - table.size[1]), int(rng.integers(8, 18)), yaw)
        if quarter == 0 and rng.random() < 0.7:
            table.hand = random_hand(rng, wall)
            put_hand(table, table.hand, yaw_deg=yaw, at=at(-8, -12.5 - table.size[1]))
        elif rng.random() < 0.6:
            tiles = wall.draw_many(int(rng.integers(5, 14)))
            posed_tiles = [PosedTile(tile, "other", pose="standing") for tile in tiles]
            table.row(posed_tiles, at(-7, -13.0), yaw_deg=yaw, sloppy=0.4)


def few_scene(table: LaidTable, wall: Wall) -> None:
    """Lay one to nine tiles for a close-up: a short row, loose tiles or a stack."""
    rng = table.rng
    choice = rng.random()
    if choice < 0.4:
        posed_tiles = [
            PosedTile(t, "other", int(rng.choice([0, 0, 0, 1, 2, 3])), str(rng.choice(["up", "up", "up", "standing"])))
            for t in wall.draw_many(int(rng.integers(1, 10)), bonus=0.35)
        ]
        table.row(posed_tiles, (0.0, 0.0), gap=rng.choice([0.02, 0.3]), sloppy=1.0)
    elif choice < 0.75:
        put_scattered(table, wall, int(rng.integers(1, 9)), (np.array([-2.5, -2.5]), np.array([2.5, 2.5])))
    else:
        count = int(rng.integers(2, 5))
        table.row([PosedTile("back", "other", pose="down")] * count, (0.0, 0.0), sloppy=0.5)
        upper = [PosedTile(t, "other", int(rng.integers(4))) for t in wall.draw_many(count)]
        table.row(upper, (0.2, 0.05), layer=1, sloppy=1.0)
    if not table.placements:
        table.put(PosedTile(wall.draw() or "1z", "other"), (0.0, 0.0))


def rare_scene(table: LaidTable, wall: Wall) -> None:
    """Lay a grid of tiles that are rare in photos of hands: flowers, seasons, red fives, backs."""
    rng = table.rng
    rows, columns = int(rng.integers(1, 4)), int(rng.integers(2, 7))
    tiles = wall.draw_many(rows * columns, bonus=0.75)
    for index in np.flatnonzero(rng.random(len(tiles)) < 0.2):
        tiles[index] = str(rng.choice(["0m", "0p", "0s", "back"]))
    quarter, gap = int(rng.choice([0, 0, 1, 2, 3])), float(rng.choice([0.0, 0.05, rng.uniform(0.05, 0.8)]))
    for r in range(rows):
        posed_tiles = [
            PosedTile("back", "other", pose="down") if tile == "back" else PosedTile(tile, "other", quarter)
            for tile in tiles[r * columns : (r + 1) * columns]
        ]
        pitch = (1.0 if quarter % 2 else table.size[1]) + gap
        table.row(posed_tiles, (0.0, -r * pitch), sloppy=float(rng.uniform(0.2, 1.5)), gap=gap)


def standing_scene(table: LaidTable, wall: Wall) -> None:
    """Lay one to three rows of standing tiles, sometimes with gaps, and sometimes discards in front of them."""
    rng = table.rng
    away = 0.0
    for _ in range(int(rng.choice([1, 2, 3], p=[0.55, 0.3, 0.15]))):
        group, lean, start = table.new_group(), float(rng.choice([0.0, rng.uniform(0, 25)])), float(rng.normal(0, 2))
        tiles = wall.draw_many(int(rng.integers(4, 18)), bonus=0.06)
        if rng.random() < 0.6:
            tiles.sort(key=lambda tile: (tile[1], tile[0]))
        backs = rng.random(len(tiles)) < rng.choice([0.0, 0.0, 0.15])
        along = start
        for tile, hidden in zip(tiles, backs, strict=True):
            posed = PosedTile(tile, "other", 2 if hidden else 0, "standing")
            leaning = -lean if hidden else lean
            along += table.row([posed], (along, away), group=group, sloppy=0.5, lean_deg=leaning)
            along += rng.uniform(0.3, 1.5) if rng.random() < 0.08 else rng.uniform(0.0, 0.05)
        away += float(rng.uniform(1.3, 4.0))
    if rng.random() < 0.4:
        put_pond(table, wall, (float(rng.uniform(-2, 4)), -0.8 - table.size[1]), int(rng.integers(2, 10)), 0.0)


SCENES: Mapping[str, tuple[float, Callable[[LaidTable, Wall], None]]] = {
    "hand": (0.37, hand_scene),
    "scattered": (0.13, scattered_scene),
    "tray": (0.15, tray_scene),
    "game": (0.14, game_scene),
    "few": (0.1, few_scene),
    "rare": (0.06, rare_scene),
    "standing": (0.05, standing_scene),
}
"""The share of each kind of scene in the usual mix, and the function that lays it."""


def scene_named(kind: str) -> Callable[[LaidTable, Wall], None]:
    """The function that lays scenes of that kind; raises InputError if there is none."""
    if kind not in SCENES:
        raise InputError("unknown_scene", f"'{kind}' is no kind of scene: choose {', '.join(SCENES)}.", name=kind)
    return SCENES[kind][1]


def choose_scene(rng: Rng) -> Callable[[LaidTable, Wall], None]:
    """A random kind of scene out of the usual mix."""
    mix = tuple(SCENES.values())
    return mix[rng.choice(len(mix), p=[share for share, _ in mix])][1]
