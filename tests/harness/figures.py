"""Measured figures with their promises, and the printed table of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure and its promise; a figure with an empty bound has no promise."""

    name: str
    value: float
    bound: str = ""
    good: bool = True


def at_least(name: str, value: float, bound: float) -> Figure:
    """A figure that must not be lower than the bound."""
    return Figure(name, value, f">= {written(bound)}", value >= bound)


def at_most(name: str, value: float, bound: float) -> Figure:
    """A figure that must not be higher than the bound."""
    return Figure(name, value, f"<= {written(bound)}", value <= bound)


def written(value: float) -> str:
    """The value with four digits; large numbers in full.

    >>> written(0.12345), written(304567.8)
    ('0.1235', '304,568')
    """
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def show(figures: Iterable[Figure]) -> None:
    """Print the figures as a table."""
    print(f"{'figure':<60} {'measured':>10}  promised")
    for figure in figures:
        missed = "" if figure.good else "   MISSED"
        print(f"{figure.name:<60} {written(figure.value):>10}  {figure.bound}{missed}")
