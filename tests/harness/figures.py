"""Measured figures with their promises, the printed table of them, and the command that measures and prints."""

from __future__ import annotations

import argparse
import inspect
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


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


def show(figures: Iterable[Figure]) -> bool:
    """Print the figures as a table, each as soon as it is known; gives whether all keep their promises."""
    all_good = True
    print(f"{'figure':<60} {'measured':>10}  promised")
    for figure in figures:
        missed = "" if figure.good else "   MISSED"
        print(f"{figure.name:<60} {written(figure.value):>10}  {figure.bound}{missed}", flush=True)
        all_good &= figure.good
    return all_good


def command(measure: Callable[..., Iterable[Figure]], words: list[str] | None = None) -> None:
    """Run a measurement as a command: print its figures, and end with status 1 if one misses its promise.

    Each argument of the function is an option of that name. The default says what the option takes: a switch for
    False, a number, a text, or several of them for a tuple.
    """
    module = sys.modules[measure.__module__]
    name = getattr(module.__spec__, "name", measure.__module__).removesuffix(".__main__")
    parser = argparse.ArgumentParser(
        prog=f"python -m {name}", description=module.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for given in inspect.signature(measure).parameters.values():
        parser.add_argument(f"--{given.name.replace('_', '-')}", **_option(given.default))
    sys.exit(not show(measure(**vars(parser.parse_args(words)))))


def _option(default: Any) -> dict[str, Any]:
    """What argparse needs to know of an option with that default."""
    if default is False:
        return {"action": "store_true"}
    if isinstance(default, tuple):
        return {"nargs": "+", "type": type(default[0]), "default": default, "help": f"default: {default}"}
    return {"type": type(default), "default": default, "help": f"default: {default}"}
