"""Tune the detector on one more tile set, where it finds too few tiles (extra `train`).

Photos of the set, each several times, and rendered scenes of many designs, which keep the detector from forgetting
those, make the training list. The detector is kept only if it finds more and other sets are read as well as before.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from tilescore.datasets import formats
from tilescore.datasets.labels import LabelledPicture, describe
from tilescore.datasets.pictures.picture_files import listed_below
from tilescore.models.finetuning.measure import Evaluation, Remembering
from tilescore.models.finetuning.report import Figures
from tilescore.models.registry import Model, ModelFile, detector_of, sha256_of
from tilescore.processes.progress import Progress
from tilescore.vision.reader import TileReader

_SIDE: Final = 640
_BATCH: Final = 8
_RATE: Final = 4e-4
_REPEATS: Final = 4
"""How often each photo of the set stands in the training list."""
_COST: Final = 6.0
"""A training step takes about as long as this many readings of its pictures by the detector (two cores)."""


@dataclass(frozen=True, slots=True)
class DetectorRecipe:
    """How the detector is tuned: passes over photos of the set and rendered scenes of others, and about how long."""

    photos: int
    scenes: int
    epochs: int
    minutes: float

    @staticmethod
    def of(model: Model, photos: int, scenes: int, epochs: int) -> DetectorRecipe:
        """The recipe, with the time of a few readings on this machine."""
        finder, picture = detector_of(model), np.full((_SIDE, _SIDE, 3), 127, np.uint8)
        finder.detect(picture, long_side=_SIDE)
        start = time.monotonic()
        for _ in range(3):
            finder.detect(picture, long_side=_SIDE)
        each_s = _COST * (time.monotonic() - start) / 3
        return DetectorRecipe(photos, scenes, epochs, epochs * (_REPEATS * photos + scenes) * each_s / 60)

    def __str__(self) -> str:
        return (
            f"{self.epochs} passes over {self.photos} photos, {_REPEATS} times each, and {self.scenes} scenes, "
            f"about {max(1.0, self.minutes):.0f} minutes"
        )


def tune_detector(
    model: Model, mine: Sequence[LabelledPicture], scenes: Sequence[Path], place: Path, *, epochs: int,
    progress: Progress | None = None,
) -> Path:  # fmt: skip
    """Tune the detector of a model on photos and on rendered scenes of other designs; returns its ONNX file.

    In the folder `place`, a second run finds what the first one has done, and goes on. `progress` receives the number
    of finished steps and of all steps.
    """
    from tilescore.models.training.detector import DetectorConfig, train  # gigabytes that only training needs
    from tilescore.models.training.export import export

    out = place / "tuned_detector.onnx"
    if out.is_file():
        return out
    photos, part = place / "photos", place / ".photos"
    if not photos.is_dir():
        shutil.rmtree(part, ignore_errors=True)
        formats.write([replace(picture, split="train") for picture in mine], part, format_name="yolo")
        part.rename(photos)
    listed = [str(path.resolve()) for path in listed_below(photos).pictures] * _REPEATS
    listed += [str(path.resolve()) for path in scenes]
    (place / "train.txt").write_text("\n".join(listed) + "\n", encoding="utf-8")
    data = describe(place, path=str(place.resolve()), train="train.txt", val="train.txt")
    config = DetectorConfig(
        start=model.detector.checked(), data=data, name="detector", epochs=epochs, size=_SIDE, batch=_BATCH,
        rate=_RATE, runs=place,
    )  # fmt: skip
    export(train(config, progress=progress), out)
    return out


def with_detector(model: Model, reader: TileReader, file: Path) -> tuple[Model, TileReader]:
    """The model with another detector, and its reader, which detects each picture once."""
    tuned = replace(model, detector=ModelFile(file, sha256_of(file)))
    return tuned, replace(reader, detector=Remembering(detector_of(tuned)))


def worth(
    before: Figures, kept_before: Figures, evaluation: Evaluation, reader: TileReader, *, forgotten: float
) -> tuple[bool, str]:
    """Whether a tuned detector helps, and what it finds, in a sentence.

    `before` and `kept_before` are the figures of the model before, on held-out photos of the set and on photos of other
    sets; `forgotten` is the largest accepted loss of tile F1 on the latter.
    """
    after, kept_after = evaluation.own(reader), evaluation.others(reader)
    told = (
        f"the tuned detector finds {after.found:.1%} of the tiles, {before.found:.1%} before; tile F1 on "
        f"{evaluation.kept_what} {kept_after.tile_f1:.3f}, {kept_before.tile_f1:.3f} before"
    )
    if after.found <= before.found:
        return False, f"{told}: it is not kept, because it finds no more"
    if kept_after.tile_f1 < kept_before.tile_f1 - forgotten:
        return False, f"{told}: it is not kept, because it reads other sets worse"
    return True, told
