"""Measure fine-tuning on a tile set that the model misreads: `python -m benchmarks.learn` (extra `train`; minutes).

The artwork of the tile set is outside the training data. The model learns from twenty photos of the set; the
measurement uses other photos of the same set. `--artwork kde-egypt` takes a set that resembles no mahjong tiles.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.reading.accuracy import PHOTOS
from benchmarks.reading.misread_set import ARTWORK, write_misread_set
from tests.harness.figures import Figure, at_least, at_most, command
from tilescore.datasets.artwork.artwork import UNLIKE
from tilescore.models.finetuning.tile_set import STEPS, FineTuning, learn
from tilescore.models.registry import DEFAULT
from tilescore.processes.parallel import ALL_CORES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tilescore.models.finetuning.report import Card


def figures_of(card: Card, *, is_unlike: bool = False) -> list[Figure]:
    """The figures of one fine-tuning; with a promise about tile F1 where the tiles resemble none."""
    before, after = card.before.exact_hand_rate or 0.0, card.after.exact_hand_rate or 0.0
    return [
        Figure(f"exact hands of {card.before.photos} held-out photos, before", before),
        Figure(f"exact hands of {card.after.photos} held-out photos, after", after),
        at_least("gain in exact hands", after - before, 0.2),
        Figure("tile F1 of the held-out photos, before", card.before.tile_f1),
        Figure("tile F1 of the held-out photos, after", card.after.tile_f1),
        at_least("gain in tile F1", card.after.tile_f1 - card.before.tile_f1, 0.4 if is_unlike else 0.0),
        Figure(f"tile F1, {card.kept_before.photos} {card.kept_what}, before", card.kept_before.tile_f1),
        at_most("loss of tile F1 on these", card.kept_before.tile_f1 - card.kept_after.tile_f1, 0.005),
        at_most("minutes, with the measurement", card.minutes, 10),
    ]


def learnt(
    *, seeds: tuple[int, ...] = (31,), artwork: str = ARTWORK, val: int = 60, steps: int = STEPS,
    keep: str = "", no_photos: bool = False,
) -> Iterator[Figure]:  # fmt: skip
    """The figures of one tile set for each seed.

    Args:
        seeds: the seeds.
        artwork: the name of the artwork, see `tilescore.datasets.artwork.artwork`.
        val: number of photos for the measurement.
        steps: number of training steps.
        keep: a folder where the sets are made and kept for later runs.
        no_photos: measures forgetting on rendered scenes.
    """
    others = None if no_photos or not PHOTOS.is_dir() else PHOTOS / "data.yaml"
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(keep or temporary)
        os.environ["TILESCORE_DATA"] = str(place)
        for seed in seeds:
            data = place / f"set{seed}"
            if not (data / "hands.json").is_file():
                write_misread_set(data, seed=seed, val=val, artwork=artwork, pool=ALL_CORES)
            name = f"set{seed}-{os.getpid()}"
            card = learn(FineTuning(start=DEFAULT, data=data, name=name, others=others, steps=steps))
            yield from figures_of(card, is_unlike=artwork in UNLIKE)


if __name__ == "__main__":
    command(learnt)
