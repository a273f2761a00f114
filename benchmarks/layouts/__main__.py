"""Measure which tiles are taken for the hand on real photos: `python -m benchmarks.layouts`.

The truths are those of ../shared/data/layouts; `--own` adds the photos of `datasets/layouts/roles.jsonl`, which the
networks read first (minutes). `--failures` names each photo that fails. `--learned` measures the learned choice of the
tiles instead, with one source left out at a time; `--ablation` leaves out one feature at a time.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.figures import Figure, at_least, at_most, show
from benchmarks.layouts.learned import ablation, learned_figures
from tilescore.datasets.layouts.judged import JudgedPhoto, judged_boxes
from tilescore.models.hand_selection import judged
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.layout.layout import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

SHARED: Final = Path(__file__).resolve().parents[3] / "shared" / "data"


@dataclass(frozen=True, slots=True)
class PhotoResult:
    """The reading of one judged photo, compared with its truth.

    Attributes:
        photo: the photo.
        layout_ms: time from boxes to the reading, milliseconds.
        claimed: whether the reading claims a hand.
        tiles: whether the tiles of the hand are exactly right, flowers and seasons aside.
        roles: whether every role is right.
        melds: whether the declared sets are exactly right.
        winning: whether the winning tile is right; None where the truth names none and none is claimed.
        asked: whether the reading has a doubt.
    """

    photo: JudgedPhoto
    layout_ms: float
    claimed: bool
    tiles: bool
    roles: bool
    melds: bool
    winning: bool | None
    asked: bool


def compare(photo: JudgedPhoto) -> PhotoResult:
    """Read the boxes of a photo and compare the roles."""
    start = time.perf_counter()
    reading = Reading.of(photo.detections, photo_name=photo.name, size_wh=photo.size_wh)
    layout_ms = 1000 * (time.perf_counter() - start)
    concealed = frozenset(reading.concealed)
    melds = frozenset(frozenset(place.members) for place in reading.layout.melds)
    bonus = frozenset(reading.indices(Role.BONUS))
    claimed = concealed.union(*melds)
    winning = None
    if reading.winning is not None or photo.winning is not None:
        winning = reading.winning == photo.winning
    return PhotoResult(
        photo=photo,
        layout_ms=layout_ms,
        claimed=bool(claimed),
        tiles=claimed == photo.hand,
        roles=(concealed, melds, bonus) == (photo.concealed, photo.melds, photo.bonus) and winning is not False,
        melds=melds == photo.melds,
        winning=winning,
        asked=bool(reading.doubts),
    )


def layout_measures(photos: Iterable[JudgedPhoto]) -> list[PhotoResult]:
    """The results of all photos that count."""
    return [compare(photo) for photo in photos if photo.kind != "any"]


def figures_of(results: Sequence[PhotoResult]) -> list[Figure]:
    """What is promised of the layout on real photos, and what these results reach."""
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
        at_least(f"winning tile found, {len(apart)} hands", _share(apart, lambda one: one.winning is True), 0.85),
        at_least(f"left empty, {len(others)} photos without a hand", _share(others, lambda one: not one.claimed), 0.90),
        at_most("wrong hand without a doubt", len(silent) / max(1, len(results)), 0.01),
        at_most("layout, median ms", statistics.median(times), 5),
        at_most("layout, slowest ms", times[-1], 150),
    ]
    by_source: dict[str, list[PhotoResult]] = defaultdict(list)
    for result in hands:
        by_source[result.photo.source].append(result)
    return figures + [
        Figure(f"tiles of the hand exact, {source} ({len(some)} hands)", _share(some, lambda one: one.tiles))
        for source, some in sorted(by_source.items())
    ]


def real_layouts() -> list[Figure]:
    """The figures of the photos of ../shared/data/layouts, for `make bench`."""
    return figures_of(layout_measures(judged_boxes(SHARED / "layouts" / "layouts.jsonl")))


def main() -> None:
    """Print the figures, and the photos that fail."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.layouts", description=__doc__)
    parser.add_argument("--own", action="store_true", help="add our own roles; the networks read these photos first")
    parser.add_argument("--failures", action="store_true", help="name each photo whose tiles are not exactly right")
    parser.add_argument("--learned", action="store_true", help="measure the learned choice of the tiles")
    parser.add_argument("--ablation", action="store_true", help="measure it without each feature in turn")
    options = parser.parse_args()
    photos = judged(SHARED, own=options.own)
    if options.learned or options.ablation:
        show(ablation(photos) if options.ablation else learned_figures(photos))
        return
    results = layout_measures(photos)
    if options.failures:
        for result in results:
            if not result.tiles:
                print(f"{result.photo.name}: {result.photo.kind}, asked: {result.asked}", file=sys.stderr)
    show(figures_of(results))


def _share(results: Sequence[PhotoResult], holds: Callable[[PhotoResult], bool]) -> float:
    return sum(map(holds, results)) / max(1, len(results))


if __name__ == "__main__":
    main()
