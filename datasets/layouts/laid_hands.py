"""Hands as people lay them on a table: rows, groups and heaps, with declared sets, winning tile and flowers.

A hand is laid in the frame of its owner: x points right, y away from the owner, and the unit is a tile's width.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from tilescore.datasets.artwork.style import Rng
from tilescore.datasets.synthesis.arrangements import LaidTable, PosedTile
from tilescore.datasets.synthesis.hands import LaidHand, LaidSet, Wall, set_of, tile_key

Point = tuple[float, float]


class _Row(NamedTuple):
    """The row of concealed tiles, `up` or `standing`; a tile reaches `deep` away from the owner.

    `sloppy` says how irregularly tiles lie, and `is_whole` that they lie side by side without a gap.
    """

    pose: str
    sloppy: float
    deep: float
    length: float
    is_whole: bool


def lay_hand(table: LaidTable, wall: Wall) -> None:
    """Lay a hand of 13, 14, 16 or 17 tiles and kongs in rows, in groups or as a heap."""
    rng, style = table.rng, table.rng.random()
    if style < 0.14:
        _lay_heap(table, wall)
    elif style < 0.24:
        _lay_sets(table, wall)
    else:
        hand = _hand(rng, wall)
        if style < 0.31 and not hand.melds:
            _lay_groups(table, hand)
        else:
            _lay_rows(table, hand)


def _hand(rng: Rng, wall: Wall) -> LaidHand:
    sets = 5 if rng.random() < 0.4 else 4
    shown = 0 if rng.random() < 0.45 else int(rng.integers(1, sets + 1))
    melds, winning, bonus = list(_melds(rng, wall, shown)), None, list[str]()
    tiles = _loose(rng, wall, sets - len(melds), sevens=sets == 4 and not melds)
    if rng.random() < 0.5:
        tiles.sort(key=tile_key)
    elif rng.random() < 0.3:
        tiles = [tiles[at] for at in rng.permutation(len(tiles))]
    fate = rng.random()
    if fate < 0.3:  # a waiting hand
        tiles.pop(int(rng.integers(len(tiles))))
    elif fate < 0.65:
        winning = tiles.pop(int(rng.integers(len(tiles))))
    if rng.random() < (0.6 if sets == 5 else 0.2):
        bonus = wall.draw_many(int(rng.choice([1, 1, 2, 2, 3, 4, 6, 8])), bonus=1.0)
    return LaidHand(tiles, melds, winning, bonus)


def _melds(rng: Rng, wall: Wall, count: int) -> Iterator[LaidSet]:
    """Declared sets: with a turned tile in the manner of riichi, or without."""
    turns = rng.random() < 0.5
    for _ in range(count):
        taken = set_of(rng, wall, 4 if rng.random() < 0.22 else 3)
        if taken is None:
            continue
        kind, tiles = taken
        hidden = kind == "kong" and rng.random() < 0.4
        called = int(rng.integers(len(tiles))) if turns and not hidden and rng.random() < 0.95 else None
        if called and kind == "chow":
            called = 0  # it comes from the player on the left, and the turned tile points there
        if kind == "chow" and (called is not None or rng.random() < 0.3):
            tiles = [tiles[at] for at in rng.permutation(3)]
        yield LaidSet(tuple(tiles), called, hidden)


def _loose(rng: Rng, wall: Wall, sets: int, *, sevens: bool) -> list[str]:
    """So many sets and a pair; sometimes seven pairs, sometimes fewer sets and other tiles."""
    need, plan = 3 * sets + 2, rng.random()
    if plan < 0.06 and sevens:
        sizes = [2] * 7
    elif plan < 0.72:
        sizes = [3] * sets + [2]
    else:
        sizes = [3] * int(rng.integers(0, sets + 1))
    tiles: list[str] = []
    for size in sizes:
        taken = set_of(rng, wall, size)
        tiles += taken[1] if taken else []
    return [*tiles, *wall.draw_many(need - len(tiles))][:need]


def _lay_rows(table: LaidTable, hand: LaidHand) -> None:
    """Lay the concealed tiles in a row or two, then winning tile, melds and flowers around them."""
    rng = table.rng
    row = _lay_concealed(table, hand.loose)
    end = row.length if hand.winning is None else _lay_winning(table, hand.winning, row)
    side = str(rng.choice(["right", "left", "behind", "front"], p=[0.47, 0.05, 0.42, 0.06]))
    _lay_melds(table, hand, side, row, end)


def _lay_concealed(table: LaidTable, tiles: Sequence[str]) -> _Row:
    rng = table.rng
    sloppy = float(rng.choice([0.1, 0.4, 1.0, 2.0], p=[0.35, 0.35, 0.2, 0.1]))
    pose = "standing" if rng.random() < 0.4 else "up"
    lean = float(rng.uniform(0, 25)) if pose == "standing" and rng.random() < 0.5 else 0.0
    quarter = 2 if rng.random() < 0.04 else 0
    deep = float(table.size[2] if pose == "standing" else table.size[1])
    posed = [PosedTile(tile, "concealed", quarter, pose) for tile in tiles]
    rows = 2 if rng.random() < 0.07 and len(posed) > 9 else 1
    per_row, longest, parts, by_set = math.ceil(len(posed) / rows), 0.0, 0, rng.random() < 0.12
    for number in range(rows):
        part, along = posed[number * per_row : (number + 1) * per_row], float(rng.normal(0, 0.4)) if number else 0.0
        back = number * (deep + (rng.uniform(0.0, 0.3) if pose == "up" else rng.uniform(0.2, 1.0)))
        for cut in _cut(rng, part, by_set=by_set):
            gap = float(rng.uniform(0, 0.06))
            along += table.row(cut, (along, -back), sloppy=sloppy, gap=gap, lean_deg=lean)
            longest, parts = max(longest, along), parts + 1
            along += rng.uniform(0.1, 0.8)
    return _Row(pose, sloppy, deep, longest, is_whole=parts == rows)


def _cut(rng: Rng, tiles: list[PosedTile], *, by_set: bool) -> Iterator[list[PosedTile]]:
    """A row in parts: as a rule one; sometimes a gap or two, or a gap after each three tiles."""
    if by_set:
        cuts = list(range(3, len(tiles), 3))
    else:
        cuts = sorted(rng.choice(max(1, len(tiles)), int(rng.integers(1, 4)))) if rng.random() < 0.16 else []
    for begin, end in zip([0, *cuts], [*cuts, len(tiles)], strict=True):
        if tiles[begin:end]:
            yield tiles[begin:end]


def _lay_winning(table: LaidTable, tile: str, row: _Row) -> float:
    """Lay the winning tile at the end of the row, apart or across, or above or before it; the new end of the row.

    At the end of the row it is a concealed tile like others, because it lies less than half a tile apart.
    """
    rng = table.rng
    places = ["end", "across", "apart", "above", "front", "on top"]
    place = str(rng.choice(places, p=[0.2, 0.2, 0.22, 0.25, 0.08, 0.05]))
    if place == "on top":
        at = (float(rng.uniform(0.5, row.length - 0.4)), row.deep / 2)
        table.put(PosedTile(tile, "winning", int(rng.choice([1, 3]))), at, layer=1)
        return row.length
    loose = place in ("above", "front", "apart")
    across = place == "across" or (loose and rng.random() < 0.35)
    pose = row.pose if rng.random() < 0.6 and not across else "up"
    role = "concealed" if place == "end" else "winning"
    posed = PosedTile(tile, role, int(rng.choice([1, 3])) if across else 0, pose)
    x, y = {
        "end": (row.length + float(rng.choice([0.02, rng.uniform(0.02, 0.45)])), float(rng.normal(0, 0.05))),
        "across": (row.length + float(rng.choice([0.02, rng.uniform(0.02, 0.5)])), float(rng.normal(0, 0.05))),
        "apart": (row.length + rng.uniform(0.5, 1.8), rng.uniform(-0.5, 0.8)),
        "above": (rng.uniform(0, row.length), row.deep + rng.uniform(0.1, 1.8)),
        "front": (rng.uniform(0, row.length), -table.size[1] - rng.uniform(0.3, 1.5)),
    }[place]
    yaw = float(rng.uniform(-40, 40)) if loose and rng.random() < 0.4 else 0.0
    used = table.row([posed], (x, y), yaw_deg=yaw, sloppy=row.sloppy)
    return row.length if place in ("above", "front") else max(row.length, x + used)


def _lay_melds(table: LaidTable, hand: LaidHand, side: str, row: _Row, end: float) -> None:
    """Lay declared sets and flowers in a row of their own: beside the hand, behind it or before it."""
    rng = table.rng
    gap = float(rng.choice([0.03, rng.uniform(0.03, 0.7)]))
    start = float(rng.choice([rng.uniform(0.0, 0.1), rng.uniform(0.1, 1.6)], p=[0.25, 0.75]))
    beside = side in ("right", "left") and row.pose == "up"
    is_open = beside and (not row.is_whole or start < 0.4)
    parts = [_posed(rng, meld, is_open=is_open) for meld in hand.melds]
    flowers = [PosedTile(tile, "bonus") for tile in hand.bonus]
    where = str(rng.choice(["first", "last", "own"], p=[0.3, 0.4, 0.3])) if flowers else ""
    parts = [*([flowers] if where == "first" else []), *parts, *([flowers] if where == "last" else [])]
    length = sum(len(part) + 0.35 * sum(posed.quarter % 2 for posed in part) + gap for part in parts)
    x, y = {
        "right": (end + start, float(rng.choice([0.0, rng.uniform(-0.2, 0.5)]))),
        "left": (-length - start, float(rng.choice([0.0, rng.uniform(-0.2, 0.5)]))),
        "behind": (rng.uniform(-1.5, max(0.0, row.length - length) + 1.5), row.deep + rng.exponential(0.6) + 0.03),
        "front": (rng.uniform(-1, max(0.0, row.length - 2)), -table.size[1] - rng.uniform(0.1, 1.5)),
    }[side]
    stacked = side in ("right", "left") and len(parts) > 1 and rng.random() < 0.2
    joined = side in ("behind", "front") and len(parts) > 2 and rng.random() < 0.15
    yaw = float(rng.normal(0, 2.0))
    for number, part in enumerate(parts):
        if joined and not number:  # one of them lies in the row of the loose tiles
            _lay_part(table, part, (row.length + rng.uniform(0.05, 0.6), 0.0), row, yaw)
            continue
        used = _lay_part(table, part, (x, y), row, yaw)
        if stacked:
            y += table.size[1] + 0.1 + gap
        else:
            x += used + gap
    if where == "own":
        _lay_flowers(table, flowers, row, (x, y), behind=side == "behind")


def _posed(rng: Rng, meld: LaidSet, *, is_open: bool) -> list[PosedTile]:
    """The tiles of a declared set: of a concealed kong two, three or four lie face down.

    Nothing shows that a set is declared if its tiles lie upright in a row of groups.
    """
    if meld.hidden:
        down = [(0, 1, 2, 3), (0, 3), (1, 2), (0, 1, 2), (1, 2, 3)][int(rng.choice(5, p=[0.1, 0.45, 0.25, 0.1, 0.1]))]
        back = PosedTile("back", "meld", pose="down")
        return [back if at in down else PosedTile(tile, "meld") for at, tile in enumerate(meld.tiles)]
    turn = int(rng.choice([1, 3]))
    role = "optional" if is_open and meld.called is None and len(meld.tiles) == len("ooo") else "meld"
    return [PosedTile(tile, role, turn if at == meld.called else 0) for at, tile in enumerate(meld.tiles)]


def _lay_part(table: LaidTable, part: Sequence[PosedTile], at: Point, row: _Row, yaw: float) -> float:
    """Lay a set or the flowers; the fourth tile of a kong may lie beyond the turned one. Returns the length."""
    rng = table.rng
    turned = next((place for place, posed in enumerate(part) if posed.quarter % 2), None)
    added = len(part) == 4 and turned is not None and rng.random() < 0.4
    spare = part[0 if turned else 1] if added else None
    lying = [posed for posed in part if posed is not spare]
    used = table.row(lying, at, yaw_deg=yaw, sloppy=row.sloppy, gap=float(rng.uniform(0, 0.04)))
    if spare is not None:
        table.add_to_kong(spare.tile, len(lying), np.array([0, 1.03]))
    return used


def _lay_flowers(table: LaidTable, flowers: Sequence[PosedTile], row: _Row, end: Point, *, behind: bool) -> None:
    """Lay flowers apart: above the hand, at a side of it, or after the declared sets, where no tile lies."""
    rng = table.rng
    x, y = [
        (rng.uniform(0, row.length), row.deep + rng.uniform(0.2, 2.5) + (2.0 if behind else 0.0)),
        (max(row.length, end[0]) + rng.uniform(0.4, 2.0), rng.uniform(-0.5, 2.5)),
        (-len(flowers) - rng.uniform(0.5, 2.0), rng.uniform(-0.5, 2.0)),
        (end[0] + rng.uniform(0.1, 0.6), end[1]),
    ][int(rng.integers(4))]
    wide, high = len(flowers), float(table.size[1])
    if table.is_free(np.array([[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]])):
        table.row(flowers, (x, y), sloppy=row.sloppy)


def _lay_groups(table: LaidTable, hand: LaidHand) -> None:
    """Lay the sets of a hand as groups, at one angle or each at any."""
    rng, tiles = table.rng, [*hand.loose, *([hand.winning] if hand.winning else [])]
    common, free = float(rng.normal(0, 12)), rng.random() < 0.4
    wide, high, columns = rng.uniform(3.4, 6.0), rng.uniform(1.6, 3.5), int(rng.integers(1, 5))
    for number, begin in enumerate(range(0, len(tiles), 3)):
        x, y = number % columns * wide + rng.normal(0, 0.4), -(number // columns) * high + rng.normal(0, 0.25)
        yaw = float(rng.uniform(-60, 60)) if free else common
        posed = [PosedTile(tile, "concealed") for tile in tiles[begin : begin + 3]]
        table.row(posed, (x, y), yaw_deg=yaw, sloppy=0.6)
    if hand.bonus and rng.random() < 0.7:
        low, top = table.bounds()
        posed = [PosedTile(tile, "bonus") for tile in hand.bonus]
        table.row(posed, (low[0], top[1] + rng.uniform(0.3, 1.5)))


def _lay_heap(table: LaidTable, wall: Wall) -> None:
    """Lay 13 to 18 tiles as a heap or as a grid, and nothing else: they are the hand, however they lie."""
    rng = table.rng
    tiles = wall.draw_many(int(rng.choice([13, 14, 14, 14, 15, 16, 17, 18])))
    if rng.random() < 0.4:
        rows, yaw, gap = int(rng.integers(2, 6)), float(rng.uniform(0, 360)), float(rng.uniform(0.0, 0.4))
        angle, wide = math.radians(yaw), math.ceil(len(tiles) / rows)
        for row in range(rows):
            shift, back = float(rng.normal(0, 0.5)), row * (table.size[1] + gap)
            at = (shift * math.cos(angle) + back * math.sin(angle), shift * math.sin(angle) - back * math.cos(angle))
            posed = [PosedTile(tile, "concealed") for tile in tiles[row * wide : (row + 1) * wide]]
            table.row(posed, at, yaw_deg=yaw, sloppy=float(rng.uniform(0.5, 5)), gap=gap / 2)
        return
    side = math.sqrt(len(tiles)) * rng.uniform(1.15, 2.2)
    common, spread = float(rng.uniform(0, 360)), float(rng.choice([15.0, 360.0]))
    for tile in tiles:
        for _ in range(80):
            x, y = rng.uniform(-side / 2, side / 2, 2)
            yaw = common + float(rng.uniform(-spread, spread)) / 2
            if table.put_if_free(PosedTile(tile, "concealed"), (x, y), yaw):
                break


def _lay_sets(table: LaidTable, wall: Wall) -> None:
    """Lay a complete hand set by set, in one row or in groups; kongs among the sets are declared."""
    rng, sets = table.rng, 5 if table.rng.random() < 0.3 else 4
    parts = [taken[1] for taken in (set_of(rng, wall, 4 if rng.random() < 0.35 else 3) for _ in range(sets)) if taken]
    pair = set_of(rng, wall, 2)
    parts += [pair[1]] if pair else []
    parts = [parts[at] for at in rng.permutation(len(parts))] if rng.random() < 0.6 else parts
    flowers = wall.draw_many(int(rng.choice([0, 0, 1, 2, 4])), bonus=1.0)
    posed = [_shown(rng, part) for part in parts]
    if flowers:
        posed.insert(0 if rng.random() < 0.6 else len(posed), [PosedTile(tile, "bonus") for tile in flowers])
    style, sloppy = rng.random(), float(rng.uniform(0.1, 1.0))
    columns = len(posed) if style < 0.65 else int(rng.integers(1, 4))
    gap = float(rng.choice([0.02, rng.uniform(0.05, 0.3), rng.uniform(0.3, 1.5)]))
    yaw = 0.0 if style < 0.9 else 40.0
    x = y = 0.0
    for number, part in enumerate(posed):
        if number and number % columns == 0:
            x, y = float(rng.normal(0, 0.5)), y - table.size[1] - float(rng.uniform(0.1, 1.5))
        turn = float(rng.uniform(-yaw, yaw))
        x += table.row(part, (x, y), yaw_deg=turn, sloppy=sloppy) + gap + (0.8 if yaw else 0.0)


def _shown(rng: Rng, tiles: list[str]) -> list[PosedTile]:
    """A set of a hand that is shown: three tiles lie open; of a kong two or more may lie face down."""
    if len(tiles) < len("oooo"):
        return [PosedTile(tile, "concealed") for tile in tiles]
    return _posed(rng, LaidSet(tuple(tiles), None, hidden=rng.random() < 0.3), is_open=False)
