"""Train the network of a recipe and write its ONNX file (extra `train`)."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from tilescore.datasets.mix import build_mix
from tilescore.datasets.training_folder import pictures_in
from tilescore.models.recipe import (
    BACKS_BOX_REFINER,
    BACKS_HEAD,
    BOX_REFINER,
    CLASSIFIER,
    CORNERS,
    DETECTOR,
    HIGH_RESOLUTION,
    POOR_PHOTOS,
    Recipe,
)
from tilescore.models.training import box_refiner, classifier, corners, detector
from tilescore.models.training.detector import RUNS, DetectorConfig
from tilescore.models.training.export import export
from tilescore.models.training.trainer import Schedule
from tilescore.vision.classification.cascade import HIGH_RESOLUTION_SIDE
from tilescore.vision.classification.classifier import OnnxClassifier
from tilescore.vision.classification.rectify import OnnxCorners
from tilescore.vision.detection.detector import OnnxDetector
from tilescore.vision.image.crops import crop_boxes

_SAVE_EVERY: Final = 250
"""Most steps between two checkpoints; a short training writes ten checkpoints (chosen)."""


def train(recipe: Recipe) -> float:
    """Train the network that the recipe names, or resume its training, and write `recipe.out`.

    The checkpoint lies in the folder `runs` and has the name of the recipe.

    Returns:
        The largest difference between the outputs of the ONNX file and of torch.

    Raises InputError if a file of the recipe does not exist, or the checkpoint belongs to another training.
    """
    recipe.require_inputs()
    recipe.out.parent.mkdir(parents=True, exist_ok=True)
    RUNS.mkdir(exist_ok=True)
    return _TRAINERS[recipe.network](recipe)


def _train_detector(recipe: Recipe) -> float:
    assert recipe.start is not None  # noqa: S101  # recipes of detectors have it
    config = DetectorConfig(
        start=recipe.start, data=_mixed(recipe, scenes=recipe.scenes), name=recipe.name, epochs=recipe.epochs,
        batch=recipe.batch, rate=recipe.rate, seed=recipe.seed, backs=recipe.network == BACKS_HEAD,
    )  # fmt: skip
    return export(detector.train(config), recipe.out)


def _train_on_poor_photos(recipe: Recipe) -> float:
    assert recipe.start is not None  # noqa: S101  # recipes of this training have it
    mixed = _mixed(recipe, scenes=recipe.scenes)
    return export(
        detector.train_on_poor_photos(recipe.start, mixed, _checkpoint(recipe), _schedule(recipe)), recipe.out
    )


def _train_refiner(recipe: Recipe) -> float:
    assert recipe.detector is not None  # noqa: S101  # recipes of box refiners have it
    backs, mix = recipe.network == BACKS_BOX_REFINER, _mixed(recipe).parent
    photos = pictures_in(mix / "images" / "train")
    rendered = pictures_in(*(folder / "images" for folder in recipe.scenes))
    finder = OnnxDetector(recipe.detector, recipe.detector.stem, refined=True)
    given = box_refiner.gather_proposals(photos, rendered, finder, backs=backs)
    checkpoint = box_refiner.train_refiner(
        given, _checkpoint(recipe), _schedule(recipe), backs=backs, start=recipe.start, keep=recipe.keep
    )
    return box_refiner.export_refiner(checkpoint, recipe.out, backs=backs)


def _train_classifier(recipe: Recipe) -> float:
    mix = _mixed(recipe).parent
    finder = OnnxDetector(recipe.detector, recipe.detector.stem) if recipe.detector else None
    crops = classifier.gather(mix, scenes=recipe.scenes, singles=recipe.singles, detector=finder)
    checkpoint = classifier.train_classifier(
        crops, _checkpoint(recipe), _schedule(recipe), start=recipe.start, keep=recipe.keep,
        check=classifier.checker(mix),
    )  # fmt: skip
    return classifier.export_classifier(checkpoint, recipe.out)


def _train_high_resolution(recipe: Recipe) -> float:
    mix = _mixed(recipe).parent
    cut = OnnxCorners(recipe.corners).crop if recipe.corners else crop_boxes
    first = OnnxClassifier(recipe.first) if recipe.first else None
    crops = classifier.gather_high_resolution(mix, scenes=recipe.scenes, first=first, cut=cut)
    check = classifier.checker(mix, side=HIGH_RESOLUTION_SIDE, cut=cut)
    checkpoint = classifier.train_classifier(
        crops, _checkpoint(recipe), _schedule(recipe), high_resolution=True, start=recipe.start, keep=recipe.keep,
        check=check,
    )  # fmt: skip
    return classifier.export_classifier(checkpoint, recipe.out, high_resolution=True)


def _train_corners(recipe: Recipe) -> float:
    faces = corners.gather_faces(recipe.scenes)
    checkpoint = corners.train_corners(faces, _checkpoint(recipe), _schedule(recipe))
    return corners.export_corners(checkpoint, recipe.out)


_TRAINERS: Final[dict[str, Callable[[Recipe], float]]] = {
    DETECTOR: _train_detector,
    BACKS_HEAD: _train_detector,
    POOR_PHOTOS: _train_on_poor_photos,
    BOX_REFINER: _train_refiner,
    BACKS_BOX_REFINER: _train_refiner,
    CLASSIFIER: _train_classifier,
    HIGH_RESOLUTION: _train_high_resolution,
    CORNERS: _train_corners,
}


def _schedule(recipe: Recipe) -> Schedule:
    save_every = max(1, min(_SAVE_EVERY, recipe.steps // 10))
    return Schedule(steps=recipe.steps, rate=recipe.rate, batch=recipe.batch, seed=recipe.seed, save_every=save_every)


def _checkpoint(recipe: Recipe) -> Path:
    return RUNS / f"{recipe.name}.pt"


def _mixed(recipe: Recipe, *, scenes: tuple[Path, ...] = ()) -> Path:
    """The data.yaml of the prepared photos of the run."""
    assert recipe.data is not None  # noqa: S101  # every recipe but that of the corner network has it
    folder = RUNS / f"{recipe.name}-data"
    return build_mix(folder, photos=recipe.data, scenes=scenes, real_repeats=recipe.repeats)
