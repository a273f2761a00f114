"""How probable each hypothesis about the parts of the tiles is: a log-linear model over few named features.

The network judges tiles and pairs of tiles. The features add what it cannot count: the sizes that hands have, and
whether a hand is complete.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from tilescore.models.layout_network.hypotheses import WINNING
from tilescore.scoring.shapes.winning import ALL_SHAPES, BITS, OF_FIVE_SETS, UNIT, Shape, hand_size, is_win
from tilescore.vision.hand_prior.melds import KONG

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from tilescore.models.layout_network.hypotheses import Hypothesis
    from tilescore.vision.layout.scene import Scene

    Array = NDArray[np.float64]

FEATURES: Final[Mapping[str, str]] = {
    "evidence": "Sum of the logarithms of the probabilities of the parts, by the network.",
    "affinity": "Sum over declared sets of the mean log-probability that two of its tiles are one set.",
    "cost": "How much less likely the names of the sets are than the likeliest names, in nats.",
    "none": "1 for no hand.",
    "none_odds": "The network's log-odds of no hand, at most 4, where no hand is claimed.",
    "none_of_few": "1 for no hand where fewer than 13 faces are in view.",
    "everything": "1 if all faces are the hand, 13 to 18 of them, and nothing else is in view.",
    "few": "1 if the hand has fewer than 13 tiles, declared sets counted as three.",
    "waits": "1 if it has 13 or 16.",
    "whole": "1 if it has 14 or 17.",
    "fifteen": "1 if it has 15.",
    "many": "1 if it has more than 17.",
    "complete": "1 if its names are a complete hand of its size; four equal tiles may be a kong.",
    "winning": "1 if a tile is the winning one.",
    "no_whole_sets": "1 if the loose tiles are three, six, nine, ... of them: no hand leaves so many.",
    "winning_of_waiting": "1 if a tile is the winning one and the hand still lacks a tile.",
}
_QUADS: Final = tuple(KONG * unit for unit in sorted(set(UNIT.values())))
_COPIES: Final = (1 << BITS) - 1
_SET: Final = 3


def rows_of(scene: Scene, some: Sequence[Hypothesis], no_hand: float) -> Array:
    """The features (H, F) of hypotheses.

    Args:
        scene: all tiles.
        some: the hypotheses.
        no_hand: the network's log-odds that there is no hand.
    """
    known: dict[tuple[tuple[int, ...], int], bool] = {}
    few = len(scene.faces) < hand_size(ALL_SHAPES) - 1
    alone, flowers = 13 <= len(scene.faces) <= 18, sum(tile.is_bonus for tile in scene.tiles)
    rows: list[tuple[float, ...]] = []
    for one in some:
        count, loose, sets = one.count, one.loose, len(one.sets)
        base = (one.evidence, sum([each.affinity for each in one.sets]), sum([each.cost for each in one.sets]))
        if not count:
            rows.append((*base, 1.0, float(np.clip(no_hand, -4, 4)), few, *(0.0,) * 10))
            continue
        key = (loose, sets)
        if key not in known:
            known[key] = any(is_complete(scene, loose, sets, shapes) for shapes in (ALL_SHAPES, OF_FIVE_SETS))
        won = WINNING in one.parts
        sizes = (count < 13, count in (13, 16), count in (14, 17), count == 15, count > 17)
        left = len(loose) % _SET
        everything = alone and len(loose) + sum([len(each.members) for each in one.sets]) == len(scene.tiles) - flowers
        rows.append((*base, 0.0, 0.0, 0.0, everything, *sizes, known[key], won, left == 0, won and left != 2))
    return np.array(rows, np.float64).reshape(len(rows), len(FEATURES))


def is_complete(scene: Scene, loose: Sequence[int], sets: int, shapes: frozenset[Shape]) -> bool:
    """Whether loose tiles beside some declared sets are a complete hand; four equal ones may be a kong."""
    kongs = len(loose) + _SET * sets - hand_size(shapes)
    if kongs < 0 or KONG * kongs > len(loose):
        return False
    packed = sum([scene.units[at] for at in loose])
    if not kongs:
        return is_win(packed, sets, shapes)
    quads = [quad for quad in _QUADS if packed // (quad // KONG) & _COPIES == KONG]
    return any(is_win(packed - sum(chosen), sets + kongs, shapes) for chosen in combinations(quads, kongs))


def probabilities(scores: Array) -> Array:
    """The probabilities (H,) of alternatives by their scores (H,), in nats."""
    powers = np.exp(scores - scores.max())
    return np.asarray(powers / powers.sum())
