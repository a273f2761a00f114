"""Fine-tune a model on labelled photos of one more tile set (extra `train`).

Fine-tuning changes the first classifier, the high-resolution classifier and the calibration that combines them with the
detector; if wished, the detector too. Some photos are held out. The card shows figures on the held-out photos and on
photos of other sets, before and after. A training that was stopped goes on where it was.
"""

import hashlib
import shutil
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import numpy as np

from tilescore.datasets.artwork.artwork import Folders
from tilescore.datasets.crops import crop_tiles, harvest, places_without_tiles
from tilescore.datasets.labels import CLASS_NAMES, LabelledPicture
from tilescore.datasets.synthesis.clutter import write_clutter
from tilescore.datasets.synthesis.synth import generate
from tilescore.datasets.training_folder import pictures_in
from tilescore.errors import InputError
from tilescore.files.locks import sole_writer
from tilescore.files.paths import data_folder, hand_over, private_folder
from tilescore.models.evaluation.calibrate import evidence_in, fit, joined
from tilescore.models.evaluation.matching import labelled_photos
from tilescore.models.evaluation.metrics import hand_entries
from tilescore.models.finetuning.classifier import FineTuner
from tilescore.models.finetuning.detector import DetectorRecipe, tune_detector, with_detector, worth
from tilescore.models.finetuning.measure import Evaluation, Remembering, labelled, open_suggestions, with_suggestions
from tilescore.models.finetuning.outlook import forecast_line, minutes, require_found, require_gain, require_use
from tilescore.models.finetuning.photos import Say, training_photos
from tilescore.models.finetuning.report import Card, Figures, write_card
from tilescore.models.registry import (
    Model,
    ModelError,
    ModelFile,
    classifier_of,
    cutter_of,
    find,
    load_reader,
    models,
    place_for,
    sha256_of,
    write_learned,
)
from tilescore.models.training.classifier import STORED
from tilescore.processes.parallel import ALL_CORES
from tilescore.processes.progress import Progress
from tilescore.vision.classification.cascade import HIGH_RESOLUTION_SIDE
from tilescore.vision.classification.fusion import Fusion
from tilescore.vision.reader import TileReader

STEPS: Final = 400
"""Default number of training steps of the first classifier."""
EPOCHS: Final = 10
"""Default number of passes over the photos in which the detector is tuned (chosen)."""
_STEP_SHARES: Final = {"classifier": 1.0, "closer": 0.25}
"""Steps of each classifier, as a share of `steps`: a step of the high-resolution classifier takes longer (chosen)."""
_OTHERS: Final = 160
"""Number of rendered scenes of other designs for the distillation loss."""
_MEASURED: Final = 40
"""Number of further scenes, which measure forgetting if no photos are given."""
_CLUTTER: Final = 60
_EMPTY: Final = 100
_FORGOTTEN: Final = 0.01
"""Largest accepted loss of tile F1 on other sets."""
_FORGOTTEN_S: Final = 14 * 24 * 3600
"""Seconds after which a training that was stopped is given up."""
_KEPT: Final = (1.0, 0.7, 0.5, 0.3, 0.1)
"""Shares of the weight change, tried in this order until the loss of tile F1 is accepted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FineTuning:
    """The configuration of a fine-tuning."""

    start: str  # name of the model to start from
    data: Path  # labelled photos of the set, in any format; hands.json beside them lists hands that some of them show
    name: str  # name of the new model
    # data.yaml of photos that measure forgetting (its split `val`); None for rendered scenes
    others: Path | None = None
    steps: int = STEPS  # training steps of the first classifier; the high-resolution classifier makes a quarter of them
    scenes: int = _OTHERS  # number of rendered scenes of other designs for the distillation loss
    names: Mapping[str, str | None] = field(default_factory=dict)  # what class names of the set mean, as a person says
    anyway: bool = False  # whether to train where it cannot help, and to keep a model that does not
    detector: bool = False  # whether to tune the detector too
    epochs: int = EPOCHS  # passes over the photos in which the detector is tuned


@dataclass(frozen=True, slots=True)
class Prepared:
    """All that a fine-tuning starts with."""

    # model, reader: the model to start from, and its reader, which detects each picture once
    model: Model
    reader: TileReader
    mine: Sequence[LabelledPicture]  # the training photos
    evaluation: Evaluation  # the photos that measure the result
    before: Figures  # figures of that model on held-out photos of the set
    # tuners, steps: a fine-tuner for each classifier, and its training steps
    tuners: Mapping[str, FineTuner]
    tiles: Sequence[int]  # the class of each training tile
    steps: Mapping[str, int]
    scenes: Sequence[Path]  # the rendered scenes of other designs that are learned with the set
    place: Path  # the folder of this training, where a second run goes on


def forecast(config: FineTuning, say: Say = print) -> Prepared:
    """Say how today's model reads the set, and how long the training will take; train nothing.

    Raises InputError if the set cannot be read or has too few photos, the model has no classifier, or it cannot help.
    """
    model = _with_classifier(config.start)
    if config.others is not None:
        next(labelled_photos(config.others, "val"), None)  # refuses what cannot be read, before the long work
    mine, held_out = training_photos(config.data, config.names, say)
    reader = load_reader(model.name)
    reader = replace(reader, detector=Remembering(reader.detector))
    say(f"{_counted(mine, 'training photos')}, {_counted(held_out, 'held out')}")
    say("rendering other designs, unless done before")
    scenes = _rendered(config.scenes + _MEASURED)
    listed = config.data / "hands.json"
    hands = hand_entries(listed) if listed.is_file() else {}
    suggestions = open_suggestions(config.data)
    evaluation = Evaluation(tuple(held_out), suggestions, hands, config.others, tuple(scenes[config.scenes :]))
    say("evaluating before")
    before = evaluation.own(reader)
    say(forecast_line(before, model.name))
    recipe = DetectorRecipe.of(model, len(mine), config.scenes, config.epochs)
    if not (config.anyway or config.detector):
        require_use(before, offer=str(recipe))
    if config.detector:
        say(f"the detector: {recipe}")
    say("cutting the tiles out, and timing some steps")
    tuners, tiles = _fine_tuners(model, mine, scenes[: config.scenes])
    steps = {part: max(1, round(config.steps * _STEP_SHARES[part])) for part in tuners}
    total = minutes(tuners, steps) + (recipe.minutes if config.detector else 0)
    say(f"training takes about {max(0.1, total):.1f} minutes, and a few more to evaluate")
    known = _hash(with_suggestions(mine, suggestions))
    place = data_folder() / "tuning" / f"{known}-{model.label.rpartition('@')[2]}-{config.steps}-{config.epochs}"
    return Prepared(model, reader, mine, evaluation, before, tuners, tiles, steps, scenes[: config.scenes], place)


def learn(config: FineTuning, say: Say = print, *, progress: Progress | None = None) -> Card:
    """Fine-tune and evaluate a model, and put it where the app and `--model` find it.

    `say` receives lines of progress, `progress` the number of finished training steps and of all of them.

    Raises:
        InputError: see `forecast`; the name is taken, another training of these photos is running, or the new model
            would read other sets worse or these no better.
    """
    began = time.monotonic()
    folder, ready = place_for(config.name), forecast(config, say)
    private_folder(ready.place.parent)
    with sole_writer(ready.place, busy="another training of these photos is running: wait until it ends."):
        return _learn(config, folder, ready, say, progress, began=began)


def _learn(
    config: FineTuning, folder: Path, ready: Prepared, say: Say, progress: Progress | None, *, began: float
) -> Card:
    evaluation = ready.evaluation
    kept_before = evaluation.others(ready.reader)
    _open_place(ready.place, say)
    if config.detector:
        ready = _with_own_detector(config, ready, kept_before, say, progress)
    say("training")
    done, total = 0, sum(ready.steps.values())
    for part, tuner in ready.tuners.items():
        checkpoint = ready.place / f"{part}.pt"
        tuner.learn(steps=ready.steps[part], checkpoint=checkpoint, progress=_after(done, total, progress))
        done += ready.steps[part]
    say("evaluating after")
    partial = folder.with_name(f".{folder.name}")
    shutil.rmtree(partial, ignore_errors=True)
    private_folder(partial)
    networks = {part: partial / f"tuned_{part}.onnx" for part in ready.tuners}
    try:
        share, tuned, kept_after = _least_forgetful(ready, networks, kept_before, say)
        after = evaluation.own(tuned)
        if not config.anyway:
            require_gain(ready.before, after)
        card = Card(
            name=config.name, start=ready.model.label, made=datetime.now(UTC).isoformat(timespec="seconds"),
            data=config.data.resolve().name, data_hash=_hash(ready.mine), learned_photos=len(ready.mine),
            learned_tiles={name: ready.tiles.count(kind) for kind, name in enumerate(CLASS_NAMES)}, before=ready.before,
            after=after, kept_before=kept_before, kept_after=kept_after, kept_what=evaluation.kept_what, steps=total,
            share=share, minutes=round((time.monotonic() - began) / 60, 2),
        )  # fmt: skip
        write_card(card, partial)
        write_learned(partial, start=ready.model, networks=networks, fusion=tuned.fusion)
        hand_over(partial)
        partial.replace(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    shutil.rmtree(ready.place, ignore_errors=True)
    return card


def _open_place(place: Path, say: Say) -> None:
    """Make the folder of a training, and delete those of trainings that nobody went on with for long."""
    if place.is_dir():
        say("going on with what an earlier run has done")
    private_folder(place)
    for other in place.parent.glob("[!.]*"):
        if time.time() - other.stat().st_mtime > _FORGOTTEN_S:
            shutil.rmtree(other, ignore_errors=True)


def _with_own_detector(
    config: FineTuning, ready: Prepared, kept_before: Figures, say: Say, progress: Progress | None
) -> Prepared:
    """What is prepared, with a tuned detector if it helps."""
    say("tuning the detector")
    file = tune_detector(
        ready.model, with_suggestions(ready.mine, ready.evaluation.suggestions), ready.scenes, ready.place,
        epochs=config.epochs, progress=progress or (lambda _done, _all: None),
    )  # fmt: skip
    model, reader = with_detector(ready.model, ready.reader, file)
    helps, told = worth(ready.before, kept_before, ready.evaluation, reader, forgotten=_FORGOTTEN)
    say(told)
    if helps:
        return replace(ready, model=model, reader=reader)
    if not config.anyway:
        require_found(ready.before)
    return ready


def _least_forgetful(
    ready: Prepared, networks: Mapping[str, Path], kept_before: Figures, say: Say
) -> tuple[float, TileReader, Figures]:
    """The largest share of the weight change that other sets bear, its reader, and its figures on them."""
    mine = with_suggestions(ready.mine, ready.evaluation.suggestions)
    for share, calibration, tuned in _candidates(ready.tuners, networks, ready.model, ready.reader, mine):
        kept_after = ready.evaluation.others(tuned)
        what = f"{kept_after.tile_f1}, {ready.evaluation.kept_what}"
        say(f"with {share:.0%} of the weight change and {calibration}: tile F1 {what}")
        if kept_after.tile_f1 >= kept_before.tile_f1 - _FORGOTTEN:
            return share, tuned, kept_after
    message = "the new model would read other sets worse: see that every tile in your photos is labelled."
    raise InputError("forgets", message)


def _after(done: int, total: int, progress: Progress | None) -> Progress | None:
    """The progress of one of several trainings, counted over all of them."""
    return None if progress is None else lambda step, _steps: progress(done + step, total)


def _with_classifier(name: str) -> Model:
    """The model to start from; for the file of a detector, the model that it belongs to."""
    model = find(name)
    if model.classifier is None:
        model = next((other for other in models() if other.detector.sha256 == model.detector.sha256), model)
    if model.classifier is None:
        message = (
            f"'{name}' is a detector alone, but fine-tuning changes classifiers: use --from with the name of a model."
        )
        raise ModelError("no_classifier", message, name=name)
    return model


def _fine_tuners(
    model: Model, mine: Sequence[LabelledPicture], scenes: Sequence[Path]
) -> tuple[dict[str, FineTuner], Sequence[int]]:
    """The fine-tuner of each classifier, by the name of the part in the model; and the class of each training tile."""
    if model.classifier is None:
        raise ModelError("no_classifier", f"'{model.name}' has no classifier: choose another model.", name=model.name)
    own, (pixels, classes), (empty, none) = crop_tiles(mine), harvest(scenes), places_without_tiles(_EMPTY)
    others = np.concatenate([pixels, empty]), np.concatenate([classes, none])
    tuners = {"classifier": FineTuner(model.classifier.checked(), own, others)}
    if model.closer is not None:
        side, cut = round(HIGH_RESOLUTION_SIDE * STORED), cutter_of(model)
        crops = crop_tiles(mine, side=side, cut=cut), harvest(scenes, negatives=1, side=side, cut=cut)
        tuners["closer"] = FineTuner(model.closer.checked(), *crops, high_resolution=True)
    return tuners, own[1].tolist()


def _counted(photos: Sequence[LabelledPicture], what: str) -> str:
    """How many photos, and of which splits."""
    splits = Counter(photo.split or "no split" for photo in photos)
    return f"{len(photos)} {what} ({', '.join(f'{split} {count}' for split, count in sorted(splits.items()))})"


def _rendered(count: int) -> list[Path]:
    """Rendered scenes of many designs, kept for the next fine-tuning; returns `count` pictures."""
    out = data_folder() / "other-designs"
    generate(out, count=count, seed=9, size_px=640, folders=Folders(), pool=ALL_CORES)
    hand_over(out)
    return pictures_in(out / "images")[:count]


def _candidates(
    tuners: Mapping[str, FineTuner],
    networks: Mapping[str, Path],
    model: Model,
    reader: TileReader,
    mine: Sequence[LabelledPicture],
) -> Iterator[tuple[float, str, TileReader]]:
    """Readers with an ever smaller share of the weight change, after share and calibration; writes their files."""
    for share in _KEPT:
        for part, tuner in tuners.items():
            tuner.write(networks[part], share)
        files = {part: ModelFile(path, sha256_of(path)) for part, path in networks.items()}
        tuned = replace(model, learned=True, **files)  # type: ignore[arg-type]  # the parts are fields of files
        candidate = replace(reader, classifier=classifier_of(tuned))
        for calibration, fusion in _fusions(candidate, mine).items():
            yield share, calibration, replace(candidate, fusion=fusion)


def _fusions(reader: TileReader, mine: Sequence[LabelledPicture]) -> dict[str, Fusion]:
    """Calibrations of the new classifiers by name, in the order in which they are tried.

    The first one is fitted on the photos of the set and on pictures of clutter. A fit on few photos can go too far. So
    the second one takes the weights of the names alone from the fit, and the third one is that of the model before.
    """
    clutter = data_folder() / "clutter"
    if len(list((clutter / "labels").glob("*.txt"))) < _CLUTTER:
        write_clutter(clutter, count=_CLUTTER, seed=4)
        hand_over(clutter)
    empty = labelled_photos(clutter / "data.yaml", "test")
    fitted = fit(joined([evidence_in(reader, labelled(mine)), evidence_in(reader, empty)]))
    return {
        "a new calibration": fitted,
        "a new calibration of the names": replace(
            reader.fusion, detector=fitted.detector, classifier=fitted.classifier
        ),
        "the calibration before": reader.fusion,
    }


def _hash(pictures: Iterable[LabelledPicture]) -> str:
    """Twelve digits that identify the names, sizes and labels of the training photos."""
    total = hashlib.sha256()
    for picture in pictures:
        boxes = [f"{box.name} " + " ".join(f"{value:.1f}" for value in box.box.xyxy) for box in picture.boxes]
        total.update("\n".join([picture.key, str(picture.path.stat().st_size), *boxes, ""]).encode())
    return total.hexdigest()[:12]
