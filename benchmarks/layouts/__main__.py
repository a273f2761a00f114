"""Measure the layout on real photos whose roles people judged: `python -m benchmarks.layouts`.

Each photo is read by a model that was fitted without the photos of its author. Each source counts alike: a figure is
the mean of the shares of the sources. `--failures` names each photo that fails, `--shipped` measures the shipped
weights, which were fitted on these photos, `--forms` measures each photo smaller, darker and lighter, too, `--chances`
says how probable the right alternatives are, and `--ablation MODEL` leaves out one feature of a model at a time.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.layouts.changed import judged_in_forms
from benchmarks.layouts.compare import compare
from benchmarks.layouts.constants import chosen
from benchmarks.layouts.left_out import ablation, chances, coverage, left_out
from tests.harness.figures import Figure, at_least, at_most, show
from tilescore.models.layout_fit import PARTS, examples, judged, simulated_examples

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from benchmarks.layouts.compare import PhotoResult

    Test = Callable[[PhotoResult], bool]

SHARED: Final = Path(__file__).resolve().parents[3] / "shared" / "data"
_OLD: Final = ("jonchan", "card", "pinktable", "riichidet")
"""Sources on which features and settings were chosen before there were others."""


def figures_of(results: Sequence[PhotoResult]) -> list[Figure]:
    """What is promised of the layout on real photos, and what these results reach, each source with equal weight."""
    hands = [result for result in results if result.photo.kind == "hand"]
    small, large = ([one for one in hands if one.is_large == is_large] for is_large in (False, True))
    new = [one for one in small if one.photo.source not in _OLD]
    declared, apart = (
        [one for one in hands if one.photo.melds],
        [one for one in hands if one.photo.winning is not None],
    )
    empty = [result for result in results if result.photo.kind == "no_hand"]
    right = [one for one in hands if one.exact]
    others = [one for one in hands if one.photo.winning is None]
    silent = sum(result.claimed and not result.tiles and not result.asked for result in results)
    times = sorted(result.layout_ms for result in results)
    return [
        at_least(f"hands of 13 and 14 tiles exact, {_of(small)}", _mean(small, lambda one: one.exact), 0.94),
        at_least(f"the same, new sources, {_of(new)}", _mean(new, lambda one: one.exact), 0.93),
        at_least(f"hands of 16 and 17 tiles exact, {_of(large)}", _mean(large, lambda one: one.exact), 0.88),
        Figure(f"tiles of the hand right, of those that have a box, {_of(hands)}", _mean(hands, lambda one: one.tiles)),
        Figure("every role right, of those that have a box", _mean(hands, lambda one: one.roles)),
        at_least(f"declared sets right, {_of(declared)}", _mean(declared, lambda one: one.melds), 0.75),
        at_most("sets falsely called declared", _mean(hands, lambda one: one.invented), 0.04),
        at_least(f"winning tile found, {_of(apart)}", _mean(apart, lambda one: one.winning is True), 0.85),
        at_most("winning tile claimed wrongly", _mean(others, lambda one: one.winning is False), 0.02),
        at_least(f"left empty without a hand, {_of(empty)}", _mean(empty, lambda one: not one.claimed), 0.95),
        at_most("wrong hand without a doubt", silent / max(1, len(results)), 0.01),
        at_most("needless hard doubts on exact hands", _mean(right, lambda one: one.needless), 0.15),
        Figure("wrong sets of exact hands without a doubt about them", _mean(right, lambda one: one.silent_sets)),
        at_most("layout, median ms", statistics.median(times), 5),
        at_most("layout, 99 %, ms", times[len(times) * 99 // 100], 40),
        at_most("layout, slowest ms", times[-1], 150),
        *_by_source(hands, empty),
    ]


def _by_source(hands: Sequence[PhotoResult], empty: Sequence[PhotoResult]) -> list[Figure]:
    """The figures of each source."""
    figures = []
    for source, some in _grouped(hands).items():
        share = statistics.mean(one.exact for one in some)
        name = f"hands exact, {source} ({len(some)})"
        figures.append(at_least(name, share, 0.97) if source in _OLD else Figure(name, share))
    figures += [
        Figure(f"left empty, {source} ({len(some)})", statistics.mean(not one.claimed for one in some))
        for source, some in _grouped(empty).items()
    ]
    return figures


def _grouped(results: Iterable[PhotoResult]) -> dict[str, list[PhotoResult]]:
    groups: dict[str, list[PhotoResult]] = defaultdict(list)
    for result in results:
        groups[result.photo.source].append(result)
    return dict(sorted(groups.items()))


def _of(results: Sequence[PhotoResult]) -> str:
    return f"{len(results)} photos of {len(_grouped(results))} sources"


def _mean(results: Sequence[PhotoResult], holds: Test) -> float:
    """The mean over the sources of the share of their photos that pass a test."""
    shares = [statistics.mean(map(holds, some)) for some in _grouped(results).values()]
    return statistics.mean(shares) if shares else 0.0


def left_out_figures(*, failures: bool = False, forms: bool = False) -> list[Figure]:
    """The figures with one author left out of the fit at a time."""
    some, drawn = examples(judged(SHARED)), simulated_examples()
    results = list(left_out(some, drawn, also=judged_in_forms(SHARED) if forms else ()))
    for result in results if failures else ():
        if result.claimed if result.photo.kind == "no_hand" else not (result.exact and result.roles):
            outcome = f"exact {result.exact}, tiles {result.tiles}, sets {result.melds}, winning {result.winning}"
            sys.stderr.write(f"{result.photo.name} ({result.photo.source}, {result.photo.kind}): {outcome}\n")
    constants = at_most("constants that a person has chosen", len(chosen()), 30)
    return [*figures_of(results), *coverage(some), constants]


def main() -> None:
    """Print the figures, and the photos that fail."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.layouts", description=__doc__)
    parser.add_argument("--failures", action="store_true", help="name each photo that fails with its author left out")
    parser.add_argument("--forms", action="store_true", help="measure each photo smaller, darker and lighter, too")
    parser.add_argument("--shipped", action="store_true", help="measure the shipped weights on the photos of the fit")
    parser.add_argument("--chances", action="store_true", help="say how probable the right alternatives are")
    parser.add_argument("--ablation", choices=tuple(PARTS), help="leave out one feature of this model at a time")
    options = parser.parse_args()
    if options.ablation:
        show(ablation(examples(judged(SHARED)), simulated_examples(), options.ablation))
    elif options.chances:
        also = examples(judged_in_forms(SHARED)) if options.forms else ()
        show(chances(examples(judged(SHARED)), simulated_examples(), also=also))
    elif options.shipped:
        show(figures_of([compare(photo) for photo in judged(SHARED) if photo.kind != "any"]))
    else:
        show(left_out_figures(failures=options.failures, forms=options.forms))


if __name__ == "__main__":
    main()
