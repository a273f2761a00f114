"""Measure fine-tuning on a tile set that the model misreads: `python -m benchmarks.learn` (extra `train`; minutes).

The artwork of the tile set is outside the training data. The model learns from twenty photos of the set; the
measurement uses other photos of the same set.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.reading.accuracy import PHOTOS
from benchmarks.reading.misread_set import ARTWORK, write_misread_set
from tests.harness.figures import Figure, at_least, at_most, show
from tilescore.base.parallel import ALL_CORES
from tilescore.models.finetuning.tile_set import STEPS, FineTuning, learn
from tilescore.models.registry import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tilescore.models.finetuning.report import Card


def figures_of(card: Card) -> list[Figure]:
    """The figures of one fine-tuning."""
    before, after = card.before.exact_hand_rate or 0.0, card.after.exact_hand_rate or 0.0
    return [
        Figure(f"exact hands of {card.before.photos} held-out photos, before", before),
        Figure(f"exact hands of {card.after.photos} held-out photos, after", after),
        at_least("gain in exact hands", after - before, 0.2),
        Figure("tile F1 of the held-out photos, before", card.before.tile_f1),
        Figure("tile F1 of the held-out photos, after", card.after.tile_f1),
        Figure(f"tile F1, {card.kept_before.photos} {card.kept_what}, before", card.kept_before.tile_f1),
        at_most("loss of tile F1 on these", card.kept_before.tile_f1 - card.kept_after.tile_f1, 0.01),
        at_most("minutes, with the measurement", card.minutes, 20),
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learn", description=__doc__)
    parser.add_argument(
        "--artwork", default=ARTWORK, help="name of the artwork, see tilescore.datasets.artwork.artwork"
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=[31], help="one tile set for each seed")
    parser.add_argument("--val", type=int, default=60, help="number of photos for the measurement")
    parser.add_argument("--steps", type=int, default=STEPS, help="number of training steps")
    parser.add_argument("--keep", type=Path, help="make the sets in this folder and keep them for later runs")
    parser.add_argument("--no-photos", action="store_true", help="measure forgetting on rendered scenes")
    options = parser.parse_args(arguments)
    others = None if options.no_photos or not PHOTOS.is_dir() else PHOTOS / "data.yaml"
    with tempfile.TemporaryDirectory() as temporary:
        for seed in options.seeds:
            data = (options.keep or Path(temporary)) / f"set{seed}"
            if not (data / "hands.json").is_file():
                write_misread_set(data, seed=seed, val=options.val, artwork=options.artwork, pool=ALL_CORES)
            os.environ["TILESCORE_DATA"] = str(options.keep or temporary)
            name = f"set{seed}-{os.getpid()}"
            card = learn(FineTuning(start=DEFAULT, data=data, name=name, others=others, steps=options.steps))
            show(figures_of(card))


if __name__ == "__main__":
    main()
