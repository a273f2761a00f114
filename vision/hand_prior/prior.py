"""How likely complete hands are before anything is seen: most people sort their tiles, and most sets are chows."""

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from tilescore.scoring.tiles import Tile
from tilescore.vision.detections import Candidate
from tilescore.vision.hand_prior.config import CompleteHandConfig
from tilescore.vision.hand_prior.melds import cost_of_chance
from tilescore.vision.hand_prior.order import order_evidence

_COMPLETE: Final = CompleteHandConfig()
_Counts = tuple[tuple[str, int, int], ...]
"""Suit, rank and how many."""


def hand_cost(candidates: Sequence[Sequence[Candidate]], row: Sequence[int], tiles: Sequence[Tile]) -> float:
    """Minus the logarithm of the likelihood that concealed tiles which make a complete hand are these.

    `candidates` are those by the reader alone; `row` has the places among them of those in the hand's row, in reading
    order.
    """
    cost = 0.0
    for names, tile in zip(candidates, tiles, strict=True):
        chance = next((name.probability for name in names if name.tile == tile), 0.0)
        cost += cost_of_chance(chance)
    counts = Counter((tile.suit, tile.plain.rank) for tile in tiles)
    chows = _most_chows(tuple(sorted((suit, rank, number) for (suit, rank), number in counts.items())), paired=False)
    return cost - _COMPLETE.order * order_evidence([tiles[place] for place in row]) - _COMPLETE.chow * max(0.0, chows)


@lru_cache(maxsize=4096)
def _most_chows(counts: _Counts, *, paired: bool) -> float:
    """The most chows that these tiles can be parted into beside pungs and a pair; minus infinity if they cannot."""
    if not counts:
        return 0.0
    (suit, rank, number), best = counts[0], -math.inf
    if number >= 3:
        best = _most_chows(_less(counts, {(suit, rank): 3}), paired=paired)
    if number >= 2 and not paired:
        best = max(best, _most_chows(_less(counts, {(suit, rank): 2}), paired=True))
    run = {(suit, rank + step): 1 for step in range(3)}
    if suit != "z" and run.keys() <= {(first, other) for first, other, _ in counts}:
        best = max(best, 1 + _most_chows(_less(counts, run), paired=paired))
    return best


def _less(counts: _Counts, taken: dict[tuple[str, int], int]) -> _Counts:
    left = ((suit, rank, number - taken.get((suit, rank), 0)) for suit, rank, number in counts)
    return tuple(entry for entry in left if entry[2])
