"""Random finished hands with legal counts; tiles have their MPSZ names."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from tilescore.datasets.artwork.style import Rng
from tilescore.scoring.hand import From, Hand, Meld
from tilescore.scoring.tiles import Tile, parse_tiles

_PLAIN = (*(f"{n}{suit}" for suit in "mps" for n in range(1, 10)), *(f"{n}z" for n in range(1, 8)))
"""Tiles of which a set has four."""
_BONUS = (*(f"{n}f" for n in range(1, 5)), *(f"{n}q" for n in range(1, 5)))
"""Tiles of which a set has one."""


class LaidSet(NamedTuple):
    """A declared set on the table: its tiles as they lie, the index of the sideways one, and whether backs show."""

    tiles: tuple[str, ...]
    called: int | None
    hidden: bool

    def to_meld(self) -> Meld:
        """The set for scoring: the sideways tile points at the player who threw it."""
        tiles, called = parse_tiles(" ".join(self.tiles)), self.called
        place = {0: From.LEFT, len(tiles) - 1: From.RIGHT}.get(called or 0, From.ACROSS)
        plain = Meld.of(tiles, concealed=self.hidden)
        return plain if called is None else replace(plain, called=tiles[called], source=place)


class LaidHand(NamedTuple):
    """A hand on the table: concealed tiles as they lie, declared sets, the winning tile if it lies apart, flowers."""

    loose: list[str]
    melds: list[LaidSet]
    winning: str | None
    bonus: list[str]

    def to_hand(self) -> Hand:
        """The hand for scoring, with the winning tile last among the concealed ones."""
        won = None if self.winning is None else Tile.parse(self.winning)
        concealed, bonus = (tuple(map(Tile.parse, tiles)) for tiles in (self.loose, self.bonus))
        melds = tuple(meld.to_meld() for meld in self.melds)
        return Hand(concealed if won is None else (*concealed, won), melds, won, bonus)


class Wall:
    """The tiles of one set without the `lacking` ones; each can be taken once, so that no scene shows a fifth copy."""

    def __init__(self, rng: Rng, *, red_fives: float = 0.4, lacking: Iterable[str] = ()) -> None:
        self._rng = rng
        self._left = dict.fromkeys(_PLAIN, 4) | dict.fromkeys(_BONUS, 1) | dict.fromkeys(lacking, 0)
        self.red = rng.random() < red_fives
        self._red_left = dict.fromkeys("mps", 1 if self.red else 0)

    def count(self, tile: str) -> int:
        """Number of copies of a plain tile that are left."""
        return self._left.get(tile, 0)

    def take(self, tile: str) -> str:
        """Take one copy and return its face, which may be the red five of its suit."""
        left = self._left[tile]
        if left <= 0:
            raise ValueError(f"no {tile} left")
        self._left[tile] = left - 1
        if tile[0] == "5" and tile[1] in "mps" and self._red_left[tile[1]] and self._rng.random() < 0.4:
            self._red_left[tile[1]] -= 1
            return f"0{tile[1]}"
        return tile

    def draw(self, *, bonus: float = 0.0) -> str | None:
        """A random copy of a plain tile, or of a bonus tile with probability `bonus`; None if no copy is left.

        If no bonus tile is left, it is a plain one, unless `bonus` is 1.
        """
        bonus_left = any(self._left[tile] for tile in _BONUS)
        pool = _BONUS if self._rng.random() < bonus and (bonus >= 1 or bonus_left) else _PLAIN
        weights = np.array([self._left[tile] for tile in pool], float)
        if not weights.sum():
            return None
        return self.take(pool[self._rng.choice(len(pool), p=weights / weights.sum())])

    def draw_many(self, count: int, *, bonus: float = 0.0) -> list[str]:
        """At most `count` random tiles."""
        tiles = (self.draw(bonus=bonus) for _ in range(count))
        return [tile for tile in tiles if tile is not None]


def set_of(rng: Rng, wall: Wall, size: int) -> tuple[str, list[str]] | None:
    """Take a pair (2), a chow or pung (3) or a kong (4) from the wall; None if none is found."""
    for _ in range(40):
        if size == 3 and rng.random() < 0.6:
            suit, low = "mps"[rng.integers(3)], int(rng.integers(1, 8))
            names = [f"{low + k}{suit}" for k in range(3)]
            if all(wall.count(name) for name in names):
                return "chow", [wall.take(name) for name in names]
        else:
            name = _PLAIN[rng.integers(len(_PLAIN))]
            if wall.count(name) >= size:
                return {2: "pair", 3: "pung", 4: "kong"}[size], [wall.take(name) for _ in range(size)]
    return None


def _meld(rng: Rng, wall: Wall) -> LaidSet | None:
    taken = set_of(rng, wall, 4 if rng.random() < 0.3 else 3)
    if taken is None:
        return None
    kind, tiles = taken
    if kind == "kong" and rng.random() < 0.5:
        return LaidSet(tuple(tiles), None, hidden=True)
    place = 0 if kind == "chow" else (0, 1, len(tiles) - 1)[int(rng.choice(3))]
    if kind == "chow":  # the claimed tile may be any of the three and lies first
        which = int(rng.integers(3))
        tiles = [tiles[which], *tiles[:which], *tiles[which + 1 :]]
    sideways = rng.random() < 0.75
    if kind == "chow" and not sideways:
        tiles.sort()
    return LaidSet(tuple(tiles), place if sideways else None, hidden=False)


def tile_key(tile: str) -> tuple[str, float]:
    """Sorts tiles by suit and rank; a red five comes beside the others."""
    return tile[1], 4.5 if tile[0] == "0" else float(tile[0])


def random_hand(rng: Rng, wall: Wall) -> LaidHand:
    """A hand of 14 tiles, a kong counted as three: mostly four sets and a pair, sometimes seven pairs or no win."""
    count = int(rng.choice([0, 0, 1, 2, 3, 4], p=[0.3, 0.1, 0.2, 0.2, 0.12, 0.08]))
    laid = [meld for meld in (_meld(rng, wall) for _ in range(count)) if meld]
    need = 14 - 3 * len(laid)
    tiles: list[str] = []
    plan = rng.random()
    sizes = [3] * (4 - len(laid)) + [2]
    if plan < 0.12 and not laid:
        sizes = [2] * 7
    if plan > 0.8:
        sizes = []
    for size in sizes:
        taken = set_of(rng, wall, size)
        tiles += taken[1] if taken else []
    tiles += wall.draw_many(need - len(tiles))
    winning = tiles.pop(int(rng.integers(len(tiles)))) if rng.random() < 0.75 else None
    if rng.random() < 0.85:
        tiles.sort(key=tile_key)
    else:
        tiles = [tiles[i] for i in rng.permutation(len(tiles))]
    bonus = wall.draw_many(int(rng.integers(1, 5)), bonus=1.0) if rng.random() < 0.3 else []
    return LaidHand(tiles, laid, winning, bonus)
