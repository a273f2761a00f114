"""Points over the deals as a small SVG: one line for each player, with its own colour and dashes."""

from __future__ import annotations

from html import escape
from itertools import pairwise
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Final

from tilescore.ui.words.text import grouped, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tilescore.scoring.game.ledger import Game

_WIDTH: Final = 380
_HEIGHT: Final = 230
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 84, 10, 20
_APART: Final = 15
"""Least distance between two names at the ends of the lines, in units of the picture."""
_NAME: Final = 11


def chart_markup(game: Game) -> str:
    """The chart; classes `p1` to `p4` give the players their colours."""
    rows = [(game.start,) * len(game.players), *(entry.totals for entry in game.entries)]
    ticks = _ticks(floor(min(map(min, rows))), ceil(max(map(max, rows))))
    low, high = ticks[0], ticks[-1]

    def x(place: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * place / max(len(rows) - 1, 1)

    def y(points: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (high - points) / (high - low)

    parts = [
        f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>'
        f'<text x="{_LEFT - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{grouped(tick)}</text>'
        for tick in ticks
    ]
    parts.append(
        f'<line class="base" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(game.start):.1f}" y2="{y(game.start):.1f}"/>'
    )
    step = ceil(len(rows) / 9)
    parts += [
        f'<text x="{x(place):.1f}" y="{_HEIGHT - 5}" text-anchor="middle">{place}</text>'
        for place in range(0, len(rows), step)
    ]
    labels = _spread([y(total) for total in rows[-1]])
    for player, name in enumerate(game.players):
        points = " ".join(f"{x(place):.1f},{y(totals[player]):.1f}" for place, totals in enumerate(rows))
        kind = f"p{player + 1}"
        short = name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"
        parts.append(
            f'<polyline class="line {kind}" points="{points}"/>'
            f'<circle class="{kind}" cx="{x(len(rows) - 1):.1f}" cy="{y(rows[-1][player]):.1f}" r="3.5"/>'
            f'<text class="name {kind}" x="{_WIDTH - _RIGHT + 10}" y="{labels[player] + 4:.1f}">{escape(short)}</text>'
        )
    summary = ". ".join(
        words("chart.line", name=name, n=total) for name, total in zip(game.players, rows[-1], strict=True)
    )
    label = escape(f"{words('chart')}. {summary}")
    return f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">{"".join(parts)}</svg>'


def _ticks(low: int, high: int) -> range:
    """Three to six round numbers that hold all points between them.

    >>> list(_ticks(-8, 44)), list(_ticks(0, 0))
    ([-20, 0, 20, 40, 60], [-1, 0, 1])
    """
    if low == high:
        low, high = low - 1, high + 1
    power = 10 ** max(floor(log10(high - low)) - 1, 0)
    step = next(power * factor for factor in (1, 2, 5, 10, 20, 50) if (high - low) / (power * factor) <= 4)
    return range(floor(low / step) * step, ceil(high / step) * step + 1, step)


def _spread(places: Sequence[float]) -> list[float]:
    """The places moved apart just enough to be read, in their order, within the picture."""
    order = sorted(range(len(places)), key=places.__getitem__)
    moved = list(places)
    for before, after in pairwise(order):
        moved[after] = max(moved[after], moved[before] + _APART)
    over = max(moved[order[-1]] - (_HEIGHT - _BOTTOM), 0)
    moved[order[-1]] -= over
    for after, before in pairwise(order[::-1]):
        moved[before] = min(moved[before], moved[after] - _APART)
    return moved
