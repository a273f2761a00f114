"""Measure the layout on real photos whose roles people judged: `python -m benchmarks.layouts`.

Each photo is read by a model that was fitted without the photos of its source, then by one fitted without its scene.
The first figures count the photos of ../shared/data/layouts. `--own` adds the figures of the photos of
`datasets/layouts/roles.jsonl`, which the fit uses with and without this option; the networks read them first (minutes).
`--failures` names each photo that fails, `--shipped` measures the shipped weights, which were fitted on these photos,
and `--ablation MODEL` leaves out one feature of a model at a time.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.figures import Figure, at_least, at_most, show
from benchmarks.layouts.compare import compare
from benchmarks.layouts.constants import chosen
from benchmarks.layouts.left_out import ablation, by_scene, by_source, coverage
from tilescore.datasets.layouts.judged import judged_boxes
from tilescore.models.layout_fit import PARTS, examples, judged, simulated_examples

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from benchmarks.layouts.compare import PhotoResult

SHARED: Final = Path(__file__).resolve().parents[3] / "shared" / "data"


def figures_of(results: Sequence[PhotoResult], what: str = "") -> list[Figure]:
    """What is promised of the layout on real photos, and what these results reach.

    Args:
        results: readings compared with their truths.
        what: which photos these are, for the names of the figures.
    """
    hands = [result for result in results if result.photo.kind != "no_hand"]
    others = [result for result in results if result.photo.kind == "no_hand"]
    apart = [result for result in hands if result.photo.winning is not None]
    silent = [result for result in results if result.claimed and not result.tiles and not result.asked]
    times = sorted(result.layout_ms for result in results)
    figures = [
        at_least(f"tiles of the hand exact, {len(hands)} hands", _share(hands, lambda one: one.tiles), 0.93),
        at_least("every role right", _share(hands, lambda one: one.roles), 0.90),
        at_least("declared sets right", _share(hands, lambda one: one.melds), 0.95),
        at_most(
            "winning tile claimed wrongly",
            _share(hands, lambda one: one.winning is False and one.photo.winning is None),
            0.01,
        ),
        *(
            [at_least(f"winning tile found, {len(apart)} hands", _share(apart, lambda one: one.winning is True), 0.85)]
            if apart
            else []
        ),
        at_least(f"left empty, {len(others)} photos without a hand", _share(others, lambda one: not one.claimed), 0.90),
        at_most("wrong hand without a doubt", len(silent) / max(1, len(results)), 0.01),
        at_most("layout, median ms", statistics.median(times), 5),
        at_most("layout, 99 %, ms", times[len(times) * 99 // 100], 40),
        at_most("layout, slowest ms", times[-1], 150),
    ]
    by_source_name: dict[str, list[PhotoResult]] = defaultdict(list)
    for result in hands:
        by_source_name[result.photo.source].append(result)
    figures += [
        Figure(f"tiles of the hand exact, {source} ({len(some)} hands)", _share(some, lambda one: one.tiles))
        for source, some in sorted(by_source_name.items())
    ]
    return [Figure(f"{what}{one.name}", one.value, one.bound, one.good) for one in figures]


def left_out_figures(*, own: bool = False, failures: bool = False) -> list[Figure]:
    """The figures with one source left out, then by five folds of scenes."""
    some, drawn = examples(judged(SHARED)), simulated_examples()
    names = {photo.name for photo in judged_boxes(SHARED / "layouts" / "layouts.jsonl")}
    sources, scenes = by_source(some, drawn), by_scene(some, drawn)
    if failures:
        for result in sources:
            if result.claimed if result.photo.kind == "no_hand" else not result.roles:
                outcome = f"tiles {result.tiles}, sets {result.melds}, winning {result.winning}, asked {result.asked}"
                sys.stderr.write(f"{result.photo.name}: {result.photo.kind}, {outcome}\n")
    inside = [result for result in scenes if result.photo.name in names and result.photo.kind != "no_hand"]
    figures = [
        *coverage(some),
        *figures_of([result for result in sources if result.photo.name in names]),
        at_least("tiles of the hand exact, five folds of scenes", _share(inside, lambda one: one.tiles), 0.96),
        at_most("constants that a person has chosen", len(chosen()), 30),
    ]
    if own:
        figures += figures_of([result for result in sources if result.photo.name not in names], "own: ")
        ours = [result for result in scenes if result.photo.kind != "no_hand"]
        share = _share(ours, lambda one: one.tiles)
        figures.append(at_least(f"tiles of the hand exact, five folds of scenes, all {len(ours)} hands", share, 0.96))
    return figures


def main() -> None:
    """Print the figures, and the photos that fail."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.layouts", description=__doc__)
    parser.add_argument("--own", action="store_true", help="add the figures of our own photos")
    parser.add_argument("--failures", action="store_true", help="name each photo that fails with its source left out")
    parser.add_argument("--shipped", action="store_true", help="measure the shipped weights on the photos of the fit")
    parser.add_argument("--ablation", choices=tuple(PARTS), help="leave out one feature of this model at a time")
    options = parser.parse_args()
    if options.ablation:
        show(ablation(examples(judged(SHARED)), simulated_examples(), options.ablation))
    elif options.shipped:
        photos = [photo for photo in judged(SHARED, own=options.own) if photo.kind != "any"]
        show(figures_of([compare(photo) for photo in photos]))
    else:
        show(left_out_figures(own=options.own, failures=options.failures))


def _share(results: Sequence[PhotoResult], holds: Callable[[PhotoResult], bool]) -> float:
    return sum(map(holds, results)) / max(1, len(results))


if __name__ == "__main__":
    main()
