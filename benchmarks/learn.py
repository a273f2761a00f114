"""Teaching the model a set it misreads: `python -m benchmarks.learn` (extra `train`; minutes on two cores).

Twenty photos of one box of tiles whose artwork no training saw are learned from, others of the same box measured on.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.figures import Figure, at_least, at_most, show
from benchmarks.reading.accuracy import PHOTOS
from benchmarks.reading.misread_set import ARTWORK, write_misread_set
from tilescore.base.parallel import ALL_CORES
from tilescore.models.finetuning.tile_set import STEPS, FineTuning, learn
from tilescore.models.registry import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tilescore.models.finetuning.report import Card


def figures_of(card: Card) -> list[Figure]:
    """What is promised of learning."""
    before, after = card.before.exact_hand_rate or 0.0, card.after.exact_hand_rate or 0.0
    return [
        Figure(f"exact hands of {card.before.photos} held-out photos, before", before),
        Figure("the same, after", after),
        at_least("lift of the exact hands", after - before, 0.2),
        Figure("tile F1 of the held-out photos, before", card.before.tile_f1),
        Figure("the same, after", card.after.tile_f1),
        Figure(f"tile F1, {card.kept_before.photos} {card.kept_what}, before", card.kept_before.tile_f1),
        at_most("tile F1 that is lost there", card.kept_before.tile_f1 - card.kept_after.tile_f1, 0.01),
        at_most("minutes, measuring included", card.minutes, 20),
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learn", description=__doc__)
    parser.add_argument(
        "--artwork", default=ARTWORK, help="name of the artwork, see tilescore.datasets.artwork.artwork"
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=[31], help="a box of tiles each")
    parser.add_argument("--val", type=int, default=60, help="photos to measure on")
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--keep", type=Path, help="make the sets there, and leave them for another time")
    parser.add_argument("--no-photos", action="store_true", help="measure what is kept on rendered scenes")
    options = parser.parse_args(arguments)
    others = None if options.no_photos or not PHOTOS.is_dir() else PHOTOS / "data.yaml"
    with tempfile.TemporaryDirectory() as passing:
        for seed in options.seeds:
            data = (options.keep or Path(passing)) / f"set{seed}"
            if not (data / "hands.json").is_file():
                write_misread_set(data, seed=seed, val=options.val, artwork=options.artwork, pool=ALL_CORES)
            os.environ["TILESCORE_DATA"] = str(options.keep or passing)
            name = f"set{seed}-{os.getpid()}"
            card = learn(FineTuning(start=DEFAULT, data=data, name=name, others=others, steps=options.steps))
            show(figures_of(card))


if __name__ == "__main__":
    main()
