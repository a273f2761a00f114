"""Points over the deals as a small SVG: one line for each player, with a colour and dashes."""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from math import ceil, floor, log10
from typing import Final

from tilescore.scoring.game.ledger import Game
from tilescore.ui.words.text import grouped, labelled, listed, words

_WIDTH: Final = 380
_HEIGHT: Final = 230
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 84, 10, 20
_APART: Final = 15
"""Least distance between two names at the ends of the lines, in units of the picture."""
_NAME: Final = 11
_COLOURS: Final = 4


def chart_markup(game: Game) -> str:
    """The chart of a game."""
    rows = [(game.start,) * len(game.players), *(entry.totals for entry in game.entries)]
    return course_markup(
        {name: [*enumerate(row[at] for row in rows)] for at, name in enumerate(game.players)}, game.start
    )


def course_markup(courses: Mapping[str, Sequence[tuple[int, float]]], base: float) -> str:
    """The chart of these players; classes `p1` to `p4` give them their colours, `again` is a second four.

    `courses` has by name the numbers of deals, from 0 on, and the points after each; `base` is the points at the
    beginning.
    """
    shown = [points for course in courses.values() for _, points in course]
    ticks = _ticks(floor(min(shown)), ceil(max(shown)))
    low, high = ticks[0], ticks[-1]
    last = max(course[-1][0] for course in courses.values())

    def x(place: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * place / max(last, 1)

    def y(points: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (high - points) / (high - low)

    parts = [
        f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>'
        f'<text x="{_LEFT - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{grouped(tick)}</text>'
        for tick in ticks
    ]
    parts.append(f'<line class="base" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(base):.1f}" y2="{y(base):.1f}"/>')
    step = _step(last)
    parts += [
        f'<text x="{x(place):.1f}" y="{_HEIGHT - 5}" text-anchor="middle">{place}</text>'
        for place in range(0, last + 1, step)
    ]
    labels = _spread([y(course[-1][1]) for course in courses.values()])
    for player, (name, course) in enumerate(courses.items()):
        points = " ".join(f"{x(place):.1f},{y(total):.1f}" for place, total in course)
        kind = f"p{player % _COLOURS + 1}" + " again" * (player >= _COLOURS)
        short = name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"
        parts.append(
            f'<polyline class="line {kind}" points="{points}"/>'
            f'<circle class="{kind}" cx="{x(course[-1][0]):.1f}" cy="{y(course[-1][1]):.1f}" r="3.5"/>'
            f'<text class="name {kind}" x="{_WIDTH - _RIGHT + 10}" y="{labels[player] + 4:.1f}">{escape(short)}</text>'
        )
    ends = listed(words("chart.line", name=name, n=course[-1][1]) for name, course in courses.items())
    label = escape(labelled(words("chart"), ends))
    return f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">{"".join(parts)}</svg>'


def _step(last: int) -> int:
    """A round number of deals, of which at most nine marks stand under the chart.

    >>> _step(8), _step(30), _step(700)
    (1, 5, 100)
    """
    power: int = 10 ** max(floor(log10(last or 1)) - 1, 0)
    return next(power * factor for factor in (1, 2, 5, 10, 20, 50) if last <= 8 * power * factor)


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
