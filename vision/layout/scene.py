"""A photo as the layout sees it: the geometry of all boxes, measured once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilescore.scoring.shapes.winning import BITS, UNIT
from tilescore.scoring.tiles import Tile
from tilescore.vision.arrays import Floats
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.hand_prior.melds import KONG, cost_as_equal

_TILE_RATIO: Final = 0.75
"""Width of a tile divided by its height. Measured."""
GAPS: Final = (0.08, 0.15, 0.25, 0.4, 0.7, 1.2, 2.0)
"""Distances that join tiles to a group, in tile widths, from tiles that touch to those of a heap. Chosen."""
FAR: Final = 6.0
"""Distances above this are all alike, in tile widths: another part of the table. Chosen."""
NEAR: Final = 2.0
"""What is nearer than this, in tile widths, is beside a tile. Chosen."""
EPSILON: Final = 0.05
"""Added to a distance before its logarithm is taken, in tile widths: boxes are not more exact. Chosen."""
STRAIGHT: Final = 0.3
"""Tiles lie in a straight line if they are off it by less than this, in tile widths: people lay rows so. Chosen."""
SAME_SIZE: Final = 1.35
"""Tiles whose sizes differ by a smaller factor are of one size; perspective adds as much along a row. Chosen."""
SIDE_BY_SIDE: Final = 0.35
"""Tiles side by side are nearer to each other than this, in tile widths; a group beside another is not. Chosen."""
MOST_LISTED: Final = 150
"""Alternatives of one choice, at most: they bound the time of a photo. Chosen."""
_KONG_LENGTH: Final = 2 + 2 * SIDE_BY_SIDE
"""The two faces of a concealed kong are not farther from each other: two backs lie between them at most."""
MOST_COST: Final = 7.0
"""Names that cost more than this, in nats, are not taken for a set. Chosen."""
_MOST_KONGS: Final = 4
"""Concealed kongs of each form that are tried, at most: as many as a hand can have (rule)."""
_MOST_COPIES: Final = (1 << BITS) - 1
"""Packed counts hold so many copies."""


class ConcealedKong(NamedTuple):
    """Four tiles that may be a concealed kong: two equal faces and two backs, or four backs."""

    faces: tuple[int, ...]
    backs: tuple[int, ...]
    is_certain: bool = True
    """Whether its faces have equal names, and its backs can hardly be part of a wall."""
    cost: float = 0.0
    """How much less likely than the likeliest names of its faces equal ones are, in nats."""

    @property
    def members(self) -> tuple[int, ...]:
        """The indices of its four tiles."""
        return (*self.faces, *self.backs)


@dataclass(frozen=True, eq=False)
class Scene:
    """All tiles of a photo, with the distances between them in tile widths."""

    names: tuple[tuple[Candidate, ...], ...]  # the names that each of N detections may have, the likeliest first
    xyxy: Floats  # boxes (N, 4): left, top, right, bottom in pixels of the photo
    size_wh: tuple[int, int]  # size of the photo, pixels
    presence: Floats  # probability (N,) that a tile is there
    sharpness: Floats  # sharpness (N,) of each tile; 0 where it is not known
    ignored: frozenset[int] = frozenset()  # indices of tiles that are known not to be of the hand

    @staticmethod
    def of(detections: Sequence[Detection], size_wh: tuple[int, int], ignored: frozenset[int] = frozenset()) -> Scene:
        """The scene of these detections; without a size of the photo, the boxes tell one."""
        xyxy = np.array([detection.box.xyxy for detection in detections], np.float64).reshape(len(detections), 4)
        if min(size_wh) <= 0:
            size_wh = (round(xyxy[:, 2].max(initial=1)), round(xyxy[:, 3].max(initial=1)))
        sharpness = np.array([detection.sharpness for detection in detections], np.float64)
        presence = np.array([detection.presence for detection in detections], np.float64)
        return Scene(tuple(detection.names for detection in detections), xyxy, size_wh, presence, sharpness, ignored)

    @cached_property
    def tiles(self) -> tuple[Tile, ...]:
        """The likeliest name of each detection."""
        return tuple(names[0].tile for names in self.names)

    @cached_property
    def plain(self) -> tuple[Tile, ...]:
        """These names, red fives as plain ones."""
        return tuple(tile.plain for tile in self.tiles)

    @cached_property
    def sure(self) -> Floats:
        """How probable (N,) it is that a tile is there and has its likeliest name."""
        first = np.array([names[0].probability for names in self.names], np.float64)
        return np.asarray(np.maximum(1e-3, self.presence * first), np.float64)

    @cached_property
    def units(self) -> tuple[int, ...]:
        """One copy of each name in packed counts; 0 for backs, flowers, and copies that these do not hold."""
        found: list[int] = []
        for tile in self.tiles:
            unit = UNIT.get(tile, 0)
            found.append(unit if found.count(unit) < _MOST_COPIES else 0)
        return tuple(found)

    @cached_property
    def faces(self) -> NDArray[np.int64]:
        """Indices (F,) of the face-up tiles that may be of the hand and are neither flower nor season."""
        return np.array(
            [
                at
                for at, tile in enumerate(self.tiles)
                if not tile.is_back and not tile.is_bonus and at not in self.ignored
            ],
            np.int64,
        )

    @cached_property
    def backs(self) -> NDArray[np.int64]:
        """Indices of the tiles that lie face down and may be of the hand."""
        return np.array([at for at, tile in enumerate(self.tiles) if tile.is_back and at not in self.ignored], np.int64)

    @cached_property
    def extent(self) -> Floats:
        """Width and height (N, 2) of each box, pixels."""
        return np.asarray(np.maximum(1.0, self.xyxy[:, 2:] - self.xyxy[:, :2]), np.float64)

    @cached_property
    def centers(self) -> Floats:
        """Middles (N, 2) of the boxes, pixels."""
        return np.asarray((self.xyxy[:, :2] + self.xyxy[:, 2:]) / 2, np.float64)

    @cached_property
    def widths(self) -> Floats:
        """The width (N,) of each tile, pixels, by the area of its box: it does not depend on how the tile is turned."""
        return np.asarray(np.sqrt(np.prod(self.extent, axis=1) * _TILE_RATIO), np.float64)

    @cached_property
    def gaps(self) -> Floats:
        """Space (N, N) between the edges of two boxes, in tile widths; 0 where they touch or overlap."""
        low, high = self.xyxy[:, :2], self.xyxy[:, 2:]
        space = np.maximum(0.0, np.maximum(low[:, None] - high[None], low[None] - high[:, None]))
        return np.asarray(np.linalg.norm(space, axis=2) / np.sqrt(self.widths[:, None] * self.widths[None]))

    @cached_property
    def kongs(self) -> tuple[ConcealedKong, ...]:
        """Tiles that may be concealed kongs: two equal faces and the two backs beside them, or four backs.

        Kongs with backs that may as well be part of a wall come last. They may share backs with each other.
        """
        alone = self._four_backs()
        paired = self._pairs_with_backs(self.backs.tolist())
        equal = [kong for kong in paired if not kong.cost]
        used = Counter(at for kong in (*equal, *alone) for at in kong.members)
        certain = [kong for kong in equal if all(used[at] == 1 for at in kong.members) and not self._is_walled(kong)]
        rest = [kong._replace(is_certain=False) for kong in (*paired, *alone) if kong not in certain]
        return (*certain, *rest)

    def _is_walled(self, kong: ConcealedKong) -> bool:
        """Whether other backs lie beside the backs of a kong."""
        wall = [back for back in self.backs.tolist() if back not in kong.backs]
        return bool(wall) and float(self.gaps[np.ix_(kong.backs, wall)].min()) < SIDE_BY_SIDE

    def _four_backs(self) -> list[ConcealedKong]:
        """Four backs side by side: the first and the last of a row of up to seven; eight are a wall."""
        backs = self.backs.tolist()
        if len(backs) < KONG:
            return []
        level = self.level(backs)
        gaps = self.gaps[np.ix_(backs, backs)]
        links = [links_of((gaps < gap) & level) for gap in (SIDE_BY_SIDE, GAPS[0])]
        found: dict[tuple[int, ...], None] = {}
        for part in (list(nodes_of(part)) for some in links for part in connected(some)):
            if KONG <= len(part) < 2 * KONG:
                axis = int(np.ptp(self.centers[backs][part], axis=0).argmax())
                order = sorted((backs[at] for at in part), key=lambda at: self.centers[at, axis])
                found |= dict.fromkeys((tuple(order[:KONG]), tuple(order[-KONG:])))
        return [ConcealedKong((), part) for part in found][:_MOST_KONGS]

    def _pairs_with_backs(self, free: Sequence[int]) -> list[ConcealedKong]:
        """Two equal faces and two backs that lie in a line and touch each other: the likeliest, then the tightest."""
        found = []
        for one, two in combinations(self.faces.tolist() if free else (), 2):
            if self.gaps[one, two] > _KONG_LENGTH:
                continue
            cost = 0.0 if self.plain[one] == self.plain[two] else cost_as_equal(self.names[one], self.names[two])
            if cost > MOST_COST:
                continue
            near = [back for back in free if self.gaps[back, [one, two]].min() < _KONG_LENGTH / 2]
            for backs in combinations(near, 2):
                members = [one, two, *backs]
                linked = self.gaps[np.ix_(members, members)] < SIDE_BY_SIDE
                if len(connected(links_of(linked))) == 1 and self.is_straight(members):
                    length = float(np.ptp(self.centers[members], axis=0).max() / self.widths[members].mean())
                    found.append((cost, length, (one, two), backs))
        return [ConcealedKong(faces, backs, cost=cost) for cost, _, faces, backs in sorted(found)[:_MOST_KONGS]]

    @cached_property
    def triples(self) -> NDArray[np.int64]:
        """Indices (T, 3) of three faces of a size that lie side by side in a straight line, at even distances."""
        at = self.faces
        sizes, centers = np.log(self.widths[at]), self.centers[at]
        near = (self.gaps[np.ix_(at, at)] < SIDE_BY_SIDE) & (np.abs(sizes[:, None] - sizes[None]) < math.log(SAME_SIZE))
        np.fill_diagonal(near, val=False)
        middle, one, two = np.nonzero(near[:, :, None] & near[:, None] & np.triu(np.ones_like(near), 1))
        off = np.linalg.norm(centers[one] + centers[two] - 2 * centers[middle], axis=1) / self.widths[at[middle]]
        return np.asarray(at[np.column_stack([one, middle, two])[off < STRAIGHT]], np.int64)

    def level(self, members: Sequence[int]) -> NDArray[np.bool_]:
        """Which of some tiles (M, M) lie in one row or one column of the photo."""
        at = list(members)
        off = np.abs(self.centers[at][:, None] - self.centers[at][None])
        sides = np.minimum(self.extent[at][:, None], self.extent[at][None])
        return np.asarray((off < sides / 2).any(axis=2))

    def is_straight(self, members: Sequence[int]) -> bool:
        """Whether tiles lie in a straight line."""
        at = list(members)
        points = self.centers[at] - self.centers[at].mean(axis=0)
        off = np.linalg.svd(points, compute_uv=False)[-1] / math.sqrt(len(at))
        return bool(off < STRAIGHT * self.widths[at].mean())


def links_of(linked: NDArray[np.bool_]) -> list[int]:
    """The links of each node of a graph (N, N), as numbers with a bit for each node."""
    packed = np.packbits(linked, axis=1, bitorder="little")
    data, length = packed.tobytes(), max(1, packed.shape[1])
    return [int.from_bytes(data[at : at + length], "little") for at in range(0, len(data), length)]


def connected(links: Sequence[int]) -> tuple[int, ...]:
    """The connected parts of a graph, as numbers with a bit for each node, by the links of each node.

    >>> [bin(part) for part in connected([0b010, 0b001, 0b100])]
    ['0b11', '0b100']
    """
    parts = []
    left = (1 << len(links)) - 1
    while left:
        part = grown = left & -left
        while grown:
            node = (grown & -grown).bit_length() - 1
            grown &= grown - 1
            new = links[node] & ~part
            part |= new
            grown |= new
        parts.append(part)
        left &= ~part
    return tuple(parts)


@lru_cache(maxsize=1 << 14)
def nodes_of(part: int) -> tuple[int, ...]:
    """The places of the bits of a number, in ascending order.

    >>> nodes_of(0b101)
    (0, 2)
    """
    return tuple([node for node, bit in enumerate(reversed(f"{part:b}")) if bit == "1"])
