"""What the order of a hand tells of its tiles: most people sort theirs, so neighbours are of one suit, ranks ascending.

A row is read in three ways at once: sorted from left to right, from right to left, or not at all. In a sorted row each
tile depends on the one before it only, so the chances of all names come from one pass forwards and one back.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from tilescore.scoring.tiles import PLAYING_TILES
from tilescore.vision.detections import Candidate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tilescore.scoring.tiles import Tile

    Array = NDArray[np.float64]

_SORTED: Final = (0.75, 0.05)
"""So many hands are sorted from their owner's left to right, or the other way."""
_RISE: Final = (0.36, 0.3, 0.06, 0.03, 0.015, 0.015, 0.01, 0.01, 0.01)
"""How often the next tile of a sorted hand is of the same suit and so much higher in rank."""
_OTHER_SUIT: Final = 0.2
"""And how often it is of another suit."""
_MISPLACED: Final = 0.05
"""And how often it may be any."""
_DRAWN: Final = 0.4
"""And how often the tile at the owner's right is the one drawn last."""
_CLEAR: Final = 0.95
"""A name at least so probable is not doubted for the sake of order."""
_MOST_EVIDENCE: Final = 500.0
"""A row is never taken for sorted with higher odds than this: tiles may be laid in order but for one."""
_MOST_ODDS: Final = 2.0
"""Order tells no more than this, in nats, about the side a row is read from: some sort the other way."""
_SHORTEST: Final = 4
"""Fewer tiles tell no order."""


def _links() -> Array:
    """How much likelier one kind follows another in a sorted row than in any other, (34, 34)."""
    kinds = len(PLAYING_TILES)
    links = np.zeros((kinds, kinds))
    for one, first in enumerate(PLAYING_TILES):
        for two, second in enumerate(PLAYING_TILES):
            if first.suit != second.suit:
                links[one, two] = _OTHER_SUIT / sum(tile.suit != first.suit for tile in PLAYING_TILES)
            elif second.rank >= first.rank:
                links[one, two] = _RISE[second.rank - first.rank]
    return (1 - _MISPLACED) * links * kinds + _MISPLACED


_LINKS: Final = _links()
_KIND: Final = {tile: number for number, tile in enumerate(PLAYING_TILES)}


def weighed_by_order(row: Sequence[Sequence[Candidate]]) -> tuple[tuple[Candidate, ...], ...]:
    """The candidates of concealed tiles in reading order, likeliest first, as probable as their neighbours make them.

    Tiles that are no playing tiles, or that a person has named, keep their probabilities.
    """
    if len(row) < _SHORTEST or any(name.tile.plain not in _KIND for names in row for name in names):
        return tuple(tuple(names) for names in row)
    chances = [np.array([max(name.probability, 1e-9) for name in names]) for names in row]
    totals = [float(chance.sum()) for chance in chances]
    chances = [chance / total for chance, total in zip(chances, totals, strict=True)]
    kinds = [[_KIND[name.tile.plain] for name in names] for names in row]
    up, upwards = _sorted_chances(chances, kinds, drawn=-1)
    down, downwards = _sorted_chances(chances[::-1], kinds[::-1], drawn=0)
    odds = [share * min(found, _MOST_EVIDENCE) for share, found in zip(_SORTED, (up, down), strict=True)]
    whole = 1 - sum(_SORTED) + sum(odds)
    weighed = []
    for names, total, plain, one, two in zip(row, totals, chances, upwards, downwards[::-1], strict=True):
        if names[0].probability >= _CLEAR:
            weighed.append(tuple(names))
            continue
        shares = ((1 - sum(_SORTED)) * plain + odds[0] * one + odds[1] * two) / whole * total
        ranked = [Candidate(name.tile, float(share)) for name, share in zip(names, shares, strict=True)]
        weighed.append(tuple(sorted(ranked, key=lambda name: -name.probability)))
    return tuple(weighed)


def order_odds(row: Sequence[Sequence[Candidate]]) -> float:
    """Log-odds that concealed tiles are sorted in this reading order rather than in the opposite one."""
    if len(row) < _SHORTEST:
        return 0.0
    chances, kinds = [], []
    for names in row:
        playing = [(_KIND[name.tile.plain], max(name.probability, 1e-9)) for name in names if name.tile.plain in _KIND]
        if not playing:
            return 0.0
        chance = np.array([probability for _, probability in playing])
        kinds.append([kind for kind, _ in playing])
        chances.append(chance / chance.sum())
    up, down = _sorted_chances(chances, kinds, drawn=-1)[0], _sorted_chances(chances[::-1], kinds[::-1], drawn=0)[0]
    up, down = (1 - sum(_SORTED) + sum(_SORTED) * min(found, _MOST_EVIDENCE) for found in (up, down))
    return max(-_MOST_ODDS, min(_MOST_ODDS, math.log(up / down)))


def order_evidence(row: Sequence[Tile]) -> float:
    """How much likelier concealed tiles lie so, in reading order, than in no order, in nats."""
    kinds = [_KIND[tile.plain] for tile in row]
    if len(kinds) < _SHORTEST:
        return 0.0
    links = _LINKS[kinds[:-1], kinds[1:]].tolist(), _LINKS[kinds[1:], kinds[:-1]].tolist()
    found = []
    for steps, drawn in zip(links, (-1, -1), strict=True):
        steps[drawn] = (1 - _DRAWN) * steps[drawn] + _DRAWN
        found.append(math.prod(steps))
    return math.log(1 - sum(_SORTED) + sum(share * odds for share, odds in zip(_SORTED, found, strict=True)))


def _sorted_chances(
    chances: Sequence[Array], kinds: Sequence[Sequence[int]], *, drawn: int
) -> tuple[float, list[Array]]:
    """How much likelier the row is if it is sorted, and the chances of each name then.

    The link at the place `drawn` leads to the tile that may have been drawn last.
    """
    links = [_LINKS[one][:, two] for one, two in pairwise(kinds)]
    links[drawn] = (1 - _DRAWN) * links[drawn] + _DRAWN
    forth, evidence = [chances[0]], 1.0
    for chance, link in zip(chances[1:], links, strict=True):
        reached = (forth[-1] @ link) * chance
        scale = float(reached.sum())
        evidence *= scale
        forth.append(reached / scale)
    back = [np.ones(len(chances[-1]))]
    for chance, link in zip(chances[:0:-1], links[::-1], strict=True):
        reached = link @ (chance * back[-1])
        back.append(reached / reached.sum())
    both = [one * two for one, two in zip(forth, back[::-1], strict=True)]
    return evidence, [found / found.sum() for found in both]
