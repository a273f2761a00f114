"""Which tile was laid apart as the one that completed the hand.

It lies at the right end of a line of concealed tiles, farther from the others than these from each other; only sets
may follow, claimed nobody knows from whom. Where the hand is laid in two rows these are equally long without it, and
in a sorted hand it may be the one tile out of order.
"""

from __future__ import annotations

import math
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Final

from tilescore.scoring.hand import kind_of_set
from tilescore.vision.layout.pose import ASPECT
from tilescore.vision.layout.segments import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tilescore.scoring.tiles import Tile
    from tilescore.vision.layout.segments import Line
    from tilescore.vision.layout.table import TableView

_APART: Final = 1.13
"""From its middle to the nearest other one, in tile widths, a tile that lies apart has at least so far."""
_FARTHER: Final = 0.09
"""And so much farther than its neighbours have to each other."""
_SPREAD: Final = 0.03
"""Spread of that distance, for one nat."""
_OFF_LINE: Final = 1.5
"""A distance across the row says so much more than one along it."""
_MOST_TOLD: Final = (-3.0, 4.0)
"""Distance says no more than this."""
_UNEVEN: Final = -2.0
"""Two rows are equally long without it, or the far one is longer by one."""
_OUT_OF_ORDER: Final = 1.5
"""In a hand that is sorted but for it."""
_MOST_OTHERWISE: Final = 3.0
"""It may lie beside a row that stands: that says no more than this."""
_SHORTEST: Final = 3
"""Fewer tiles are no row."""
_LEAST_SORTED: Final = 6
"""Fewer tiles tell no order."""


def laid_apart(view: TableView, lines: Sequence[Line]) -> tuple[int, ...]:
    """The tiles that may have completed the hand, likeliest first.

    Args:
        view: the table.
        lines: the pieces of the hand's groups, line by line, in its owner's reading order.
    """
    rows = [[piece.members[0] for pieces in line for piece in pieces if piece.kind is Kind.TILE] for line in lines]
    found = sorted(((odds, index) for odds, index in _weighed(view, rows) if odds > 0), reverse=True)
    return tuple(index for _, index in found)


def _weighed(view: TableView, rows: Sequence[Sequence[int]]) -> Iterator[tuple[float, int]]:
    """Log-odds of each tile that only sets follow in its row."""
    tiles = [detection.tile for detection in view.detections]
    lengths = [len(_without_sets(row, tiles)) for row in rows]
    for at, row in enumerate(rows):
        rest = list(row)
        while rest:
            index = rest.pop()
            if rest or len(row) == 1:
                others = [other for one in rows for other in one if other != index]
                far, near = ([*lengths[:at], len(rest), *lengths[at + 1 :]], [*rows[:at], rest, *rows[at + 1 :]])
                odds = _apart(view, index, others, rest) + _even(far) + _out_of_order(tiles, near, index, at)
                yield odds + _otherwise(view, index, rest), index
            if len(rest) < 2 or kind_of_set(tuple(tiles[other] for other in (*rest[-2:], index))) is None:
                break
            del rest[-2:]


def _without_sets(row: Sequence[int], tiles: Sequence[Tile]) -> Sequence[int]:
    """A row less the sets at its end, as long as it keeps a tile."""
    while len(row) > 3 and kind_of_set(tuple(tiles[index] for index in row[-3:])) is not None:
        row = row[:-3]
    return row


def _apart(view: TableView, index: int, others: Sequence[int], row: Sequence[int]) -> float:
    """By how far it lies from all others."""
    if not others:
        return _MOST_TOLD[0]
    nearest = min(_distance(view, index, other) for other in others)
    nearest -= (ASPECT - 1) / 2 * view.lies[index].turned  # alone at the end, it matters little how it lies
    steps = sorted(_distance(view, one, two) for one, two in pairwise(row))
    usual = steps[len(steps) // 3] if len(steps) > 1 else 1.0
    return max(_MOST_TOLD[0], min(_MOST_TOLD[1], (nearest - max(_APART, usual + _FARTHER)) / _SPREAD))


def _distance(view: TableView, one: int, two: int) -> float:
    """Between the middles of two tiles, in tile widths; what lies off a row's line was put there on purpose."""
    (x0, y0), (x1, y1) = view.place(one), view.place(two)
    return math.hypot(x1 - x0, _OFF_LINE * (y1 - y0))


def _otherwise(view: TableView, index: int, row: Sequence[int]) -> float:
    """By whether it lies beside a row that stands, or seems to stand beside one that seems to lie."""
    here, *others = (view.lies[other].spot.down for other in (index, *row))
    odds = max(min(here, -max(others)), min(-here, *others)) if others else 0.0
    return max(0.0, min(_MOST_OTHERWISE, odds))


def _even(lengths: Sequence[int]) -> float:
    """By how long two rows are without it."""
    rows = [length for length in lengths if length >= _SHORTEST]
    return _UNEVEN if len(rows) == 2 and rows[0] - rows[1] not in (0, 1) else 0.0


def _out_of_order(tiles: Sequence[Tile], rows: Sequence[Sequence[int]], index: int, at: int) -> float:
    """By whether all others are sorted, and it is not."""
    rest = [tiles[other] for row in rows for other in row]
    whole = [tiles[other] for number, row in enumerate(rows) for other in (*row, *[index] * (number == at))]
    return _OUT_OF_ORDER if len(rest) >= _LEAST_SORTED and _sorted(rest) and not _sorted(whole) else 0.0


def _sorted(tiles: Sequence[Tile]) -> bool:
    """Whether each suit lies together, with its ranks ascending."""
    suits = [suit for suit, _ in groupby(tile.suit for tile in tiles)]
    return len(suits) == len(set(suits)) and all(
        one.plain.rank <= two.plain.rank for one, two in pairwise(tiles) if one.suit == two.suit
    )
