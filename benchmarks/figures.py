"""Measured figures beside what was promised, and the table they are printed in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure beside what was promised; nothing is promised of one with an empty bound."""

    name: str
    value: float
    bound: str = ""
    good: bool = True


def at_least(name: str, value: float, bound: float) -> Figure:
    """A figure that must not be lower."""
    return Figure(name, value, f">= {written(bound)}", value >= bound)


def at_most(name: str, value: float, bound: float) -> Figure:
    """A figure that must not be higher."""
    return Figure(name, value, f"<= {written(bound)}", value <= bound)


def written(value: float) -> str:
    """Four digits, large numbers in full.

    >>> written(0.12345), written(304567.8)
    ('0.1235', '304,568')
    """
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def show(figures: Iterable[Figure]) -> None:
    """Print the table."""
    print(f"{'figure':<60} {'measured':>10}  promised")
    for figure in figures:
        missed = "" if figure.good else "   MISSED"
        print(f"{figure.name:<60} {written(figure.value):>10}  {figure.bound}{missed}")
