"""What the order of a hand tells of its tiles: most people sort theirs, so neighbours are of one suit, ranks ascending.

A row is read in three ways at once: sorted from left to right, from right to left, or not at all. In a sorted row each
tile depends on the one before it only, so the chances of all names come from one pass forwards and one back.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from tilescore.scoring.tiles import PLAYING_TILES, Tile
from tilescore.vision.arrays import Floats
from tilescore.vision.detections import Candidate
from tilescore.vision.hand_prior.config import OrderConfig

_ORDER: Final = OrderConfig()


def _links() -> Floats:
    """How much likelier one kind follows another in a sorted row than in any other, (34, 34)."""
    kinds = len(PLAYING_TILES)
    links = np.zeros((kinds, kinds))
    for first_at, first in enumerate(PLAYING_TILES):
        for second_at, second in enumerate(PLAYING_TILES):
            if first.suit != second.suit:
                links[first_at, second_at] = _ORDER.other_suit / sum(tile.suit != first.suit for tile in PLAYING_TILES)
            elif second.rank >= first.rank:
                links[first_at, second_at] = _ORDER.rise[second.rank - first.rank]
    return (1 - _ORDER.misplaced) * links * kinds + _ORDER.misplaced


_LINKS: Final[list[list[float]]] = _links().tolist()
_KIND: Final = {tile: number for number, tile in enumerate(PLAYING_TILES)}


def weighed_by_order(row: Sequence[Sequence[Candidate]]) -> tuple[tuple[Candidate, ...], ...]:
    """The candidates of concealed tiles in reading order, likeliest first, as probable as their neighbours make them.

    Tiles that are no playing tiles, or that a person has named, keep their probabilities.
    """
    if len(row) < _ORDER.min_tiles or any(name.tile.plain not in _KIND for names in row for name in names):
        return tuple(tuple(names) for names in row)
    weights = [[max(name.probability, 1e-9) for name in names] for names in row]
    chances = [_as_shares(some) for some in weights]
    kinds = [[_KIND[name.tile.plain] for name in names] for names in row]
    up, upwards = _sorted_chances(chances, kinds, drawn=-1)
    down, downwards = _sorted_chances(chances[::-1], kinds[::-1], drawn=0)
    odds = [
        share * min(ratio, _ORDER.max_evidence) for share, ratio in zip(_ORDER.sorted_shares, (up, down), strict=True)
    ]
    whole = 1 - sum(_ORDER.sorted_shares) + sum(odds)
    weighed = []
    for names, total, *shares in zip(row, map(sum, weights), chances, upwards, downwards[::-1], strict=True):
        if names[0].probability >= _ORDER.clear:
            weighed.append(tuple(names))
            continue
        ranked = [
            Candidate(
                name.tile, ((1 - sum(_ORDER.sorted_shares)) * plain + odds[0] * up_p + odds[1] * down_p) / whole * total
            )
            for name, plain, up_p, down_p in zip(names, *shares, strict=True)
        ]
        weighed.append(tuple(sorted(ranked, key=lambda name: -name.probability)))
    return tuple(weighed)


def order_odds(row: Sequence[Sequence[Candidate]]) -> float:
    """Log-odds that concealed tiles are sorted in this reading order rather than in the opposite one."""
    if len(row) < _ORDER.min_tiles:
        return 0.0
    chances, kinds = [], []
    for names in row:
        playing = [(_KIND[name.tile.plain], max(name.probability, 1e-9)) for name in names if name.tile.plain in _KIND]
        if not playing:
            return 0.0
        kinds.append([kind for kind, _ in playing])
        chances.append(_as_shares([probability for _, probability in playing]))
    directions = _links_of(kinds, drawn=-1), _links_of(kinds[::-1], drawn=0)
    evidence = _forwards(chances, directions[0])[0], _forwards(chances[::-1], directions[1])[0]
    up, down = (
        1 - sum(_ORDER.sorted_shares) + sum(_ORDER.sorted_shares) * min(odds, _ORDER.max_evidence) for odds in evidence
    )
    return max(-_ORDER.max_odds, min(_ORDER.max_odds, math.log(up / down)))


def order_evidence(row: Sequence[Tile]) -> float:
    """How much likelier concealed tiles lie so, in reading order, than in no order, in nats."""
    kinds = [_KIND[tile.plain] for tile in row]
    if len(kinds) < _ORDER.min_tiles:
        return 0.0
    chances = []
    for links in (
        [_LINKS[before][after] for before, after in pairwise(kinds)],
        [_LINKS[after][before] for before, after in pairwise(kinds)],
    ):
        *steps, drawn = links
        chances.append(math.prod(steps) * ((1 - _ORDER.drawn) * drawn + _ORDER.drawn))
    return math.log(
        1
        - sum(_ORDER.sorted_shares)
        + sum(share * odds for share, odds in zip(_ORDER.sorted_shares, chances, strict=True))
    )


def _as_shares(weights: Sequence[float]) -> list[float]:
    whole = sum(weights)
    return [weight / whole for weight in weights]


def _sorted_chances(
    chances: Sequence[Sequence[float]], kinds: Sequence[Sequence[int]], *, drawn: int
) -> tuple[float, list[list[float]]]:
    """How much likelier the row is if it is sorted, and the chances of each name then.

    The link at the place `drawn` leads to the tile that may have been drawn last.
    """
    links = _links_of(kinds, drawn=drawn)
    evidence, forth = _forwards(chances, links)
    back = [[1.0] * len(chances[-1])]
    for chance, link in zip(chances[:0:-1], links[::-1], strict=True):
        ahead = [ahead_of * behind for ahead_of, behind in zip(chance, back[-1], strict=True)]
        back.append(_as_shares([sum([x * y for x, y in zip(row, ahead, strict=True)]) for row in link]))
    both = zip(forth, back[::-1], strict=True)
    return evidence, [_as_shares([x * y for x, y in zip(ahead_of, behind, strict=True)]) for ahead_of, behind in both]


def _links_of(kinds: Sequence[Sequence[int]], *, drawn: int) -> list[list[list[float]]]:
    """For each tile but the last how much likelier each of its names (rows) precedes each name of the next one."""
    links = [[[_LINKS[first][second] for second in after] for first in before] for before, after in pairwise(kinds)]
    links[drawn] = [[(1 - _ORDER.drawn) * link + _ORDER.drawn for link in row] for row in links[drawn]]
    return links


def _forwards(
    chances: Sequence[Sequence[float]], links: Sequence[Sequence[Sequence[float]]]
) -> tuple[float, list[Sequence[float]]]:
    """How much likelier the row is if it is sorted, and the chances of each name by the tiles before it."""
    forth, evidence = [chances[0]], 1.0
    for chance, link in zip(chances[1:], links, strict=True):
        steps = zip(*link, strict=True)
        reached = [
            sum([x * y for x, y in zip(forth[-1], step, strict=True)]) * weight
            for weight, step in zip(chance, steps, strict=True)
        ]
        scale = sum(reached)
        evidence *= scale
        forth.append([weight / scale for weight in reached])
    return evidence, forth
