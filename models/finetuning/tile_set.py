"""Fine-tune a model on labelled photos of one more tile set (extra `train`).

Fine-tuning changes the first classifier, the high-resolution classifier and the calibration that combines them with the
detector. The detector stays. Some photos are held out. The card shows figures on the held-out photos and on photos of
other sets, before and after.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from tilescore.base.errors import InputError
from tilescore.base.parallel import ALL_CORES
from tilescore.base.paths import data_folder
from tilescore.datasets import formats
from tilescore.datasets.annotation.annotation import LabelSource
from tilescore.datasets.annotation.folder import IN_PLACE, AnnotationFolder, format_of
from tilescore.datasets.artwork.artwork import Folders
from tilescore.datasets.checks.scans import scan_all
from tilescore.datasets.crops import crop_tiles, harvest, places_without_tiles
from tilescore.datasets.formats.roles import PRIVATE
from tilescore.datasets.labels import CLASS_NAMES, LabelledBox, complete
from tilescore.datasets.splits import split_pictures
from tilescore.datasets.synthesis.clutter import write_clutter
from tilescore.datasets.synthesis.synth import generate
from tilescore.models.evaluation.calibrate import evidence_in, fit, joined
from tilescore.models.evaluation.matching import Labelled, Truth, judge, labelled_photos
from tilescore.models.finetuning.classifier import FineTuner
from tilescore.models.finetuning.report import Card, Figures, tally, write_card
from tilescore.models.registry import (
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
from tilescore.vision.classification.cascade import HIGH_RESOLUTION_SIDE
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.photo import PhotoError, load_photo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from tilescore.datasets.labels import LabelledPicture
    from tilescore.models.registry import Model
    from tilescore.vision.classification.fusion import Fusion
    from tilescore.vision.detection.detector import Detector
    from tilescore.vision.detections import Proposal
    from tilescore.vision.reader import TileReader

    Say = Callable[[str], None]

HELD_OUT: Final = ("val", "test")
"""Splits for evaluation, not for training."""
STEPS: Final = 400
"""Default number of training steps of the first classifier."""
_STEP_SHARES: Final = {"classifier": 1.0, "closer": 0.25}
"""Steps of each classifier, as a share of `steps`: a step of the high-resolution classifier takes longer (chosen)."""
_LEAST_PHOTOS: Final = 4
_SHARES: Final = {"train": 0.8, "val": 0.2}
_OTHERS: Final = 160
"""Number of rendered scenes of other designs for the distillation loss."""
_MEASURED: Final = 40
"""Number of further scenes, which measure forgetting if no photos are given."""
_CLUTTER: Final = 60
_EMPTY: Final = 100
_FORGOTTEN: Final = 0.01
"""Largest accepted loss of tile F1 on other sets."""
_KEPT: Final = (1.0, 0.7, 0.5, 0.3, 0.1)
"""Shares of the weight change, tried in this order until the loss of tile F1 is accepted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FineTuning:
    """The configuration of a fine-tuning.

    Attributes:
        start: name of the model to start from.
        data: labelled photos of the set, in any format; hands.json beside them lists hands that some of them show.
        name: name of the new model.
        others: data.yaml of photos that measure forgetting (its split `val`); None for rendered scenes.
        steps: training steps of the first classifier; the high-resolution classifier makes a quarter of them.
        scenes: number of rendered scenes of other designs for the distillation loss.
        names: what class names of the set mean, as a person says.
    """

    start: str
    data: Path
    name: str
    others: Path | None = None
    steps: int = STEPS
    scenes: int = _OTHERS
    names: Mapping[str, str | None] = field(default_factory=dict)


def learn(config: FineTuning, say: Say = print) -> Card:
    """Fine-tune and evaluate a model, and put it where the app and `--model` find it.

    Args:
        config: what is fine-tuned, and on what.
        say: receives lines of progress.

    Raises:
        InputError: the set cannot be read or has too few photos, the name is taken, the model has no classifier, or
            the new model would read other sets worse.
    """
    began = time.monotonic()
    folder, model = place_for(config.name), _with_classifier(config.start)
    mine, held_out = _photos(config.data, config.names, say)
    reader = load_reader(model.name)
    reader = replace(reader, detector=_Remembering(reader.detector))
    say(f"{len(mine)} training photos, {len(held_out)} held out; rendering other designs, unless done before")
    scenes = _rendered(config.scenes + _MEASURED)
    evaluation = _Evaluation(tuple(held_out), _hands(config.data), config.others, tuple(scenes[config.scenes :]))
    say("evaluating before")
    before, kept_before = evaluation.own(reader), evaluation.others(reader)
    say("training")
    tuners, tiles = _fine_tuners(model, mine, scenes[: config.scenes])
    steps = {part: max(1, round(config.steps * _STEP_SHARES[part])) for part in tuners}
    for part, tuner in tuners.items():
        tuner.learn(steps=steps[part])
    partial = folder.with_name(f".{folder.name}")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    networks = {part: partial / f"tuned_{part}.onnx" for part in tuners}
    for share, tuned in _candidates(tuners, networks, model, reader, _with_suggestions(mine, config.data)):
        kept_after = evaluation.others(tuned)
        say(f"with {share:.0%} of the weight change: tile F1 {kept_after.tile_f1}, {evaluation.kept_what}")
        if kept_after.tile_f1 >= kept_before.tile_f1 - _FORGOTTEN:
            break
    else:
        shutil.rmtree(partial)
        message = "the new model would read other sets worse: see that every tile in your photos is labelled."
        raise InputError("forgets", message)
    after = evaluation.own(tuned)
    card = Card(
        name=config.name, start=model.label, made=datetime.now(UTC).isoformat(timespec="seconds"),
        data=config.data.resolve().name, data_hash=_hash(mine), learned_photos=len(mine),
        learned_tiles=tally((CLASS_NAMES[kind] for kind in tiles), CLASS_NAMES), before=before, after=after,
        kept_before=kept_before, kept_after=kept_after, kept_what=evaluation.kept_what, steps=sum(steps.values()),
        share=share, minutes=round((time.monotonic() - began) / 60, 2),
    )  # fmt: skip
    write_card(card, partial)
    write_learned(partial, start=model, networks=networks, fusion=tuned.fusion)
    partial.replace(folder)
    return card


@dataclass(frozen=True, slots=True)
class _Evaluation:
    """The evaluation before and after: held-out photos of the set, and photos or rendered scenes of other sets."""

    held_out: tuple[LabelledPicture, ...]
    hands: Mapping[str, tuple[str, ...]]
    photos: Path | None
    scenes: tuple[Path, ...]

    @property
    def kept_what(self) -> str:
        return "rendered scenes of other sets" if self.photos is None else "photos of other sets (val)"

    def own(self, reader: TileReader) -> Figures:
        return Figures.of([judge(reader, each) for each in _labelled(self.held_out)], self.hands)

    def others(self, reader: TileReader) -> Figures:
        if self.photos is not None:
            return Figures.of([judge(reader, each) for each in labelled_photos(self.photos, "val")], {})
        found = {picture.path.name: picture for picture in formats.read(self.scenes[0].parents[1]).pictures}
        chosen = [found[path.name] for path in self.scenes if path.name in found]
        return Figures.of([judge(reader, each) for each in _labelled(chosen)], {})


class _Remembering:
    """A detector with a cache: fine-tuning changes the names of tiles only, so each picture is detected once."""

    def __init__(self, detector: Detector) -> None:
        self._detector = detector
        self._seen: dict[tuple[bytes, int], tuple[Proposal, ...]] = {}

    @property
    def name(self) -> str:
        return self._detector.name

    def detect(self, rgb: NDArray[np.uint8], *, long_side: int) -> tuple[Proposal, ...]:
        key = (hashlib.sha256(np.ascontiguousarray(rgb).data).digest(), long_side)
        if key not in self._seen:
            self._seen[key] = self._detector.detect(rgb, long_side=long_side)
        return self._seen[key]


def _with_classifier(name: str) -> Model:
    """The model to start from; for the file of a detector, the model that it belongs to."""
    model = find(name)
    if model.classifier is None:
        model = next((known for known in models() if known.detector.sha256 == model.detector.sha256), model)
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
        raise ModelError("no_classifier", f"'{model.name}' has no classifier.", name=model.name)
    own = crop_tiles(mine)
    tuners = {
        "classifier": FineTuner(model.classifier.checked(), own, _both(harvest(scenes), places_without_tiles(_EMPTY)))
    }
    if model.closer is not None:
        side, cut = round(HIGH_RESOLUTION_SIDE * STORED), cutter_of(model)
        crops = crop_tiles(mine, side=side, cut=cut), harvest(scenes, negatives=1, side=side, cut=cut)
        tuners["closer"] = FineTuner(model.closer.checked(), *crops, high_resolution=True)
    return tuners, own[1].tolist()


def _photos(
    data: Path, names: Mapping[str, str | None], say: Say
) -> tuple[list[LabelledPicture], list[LabelledPicture]]:
    """Training photos and held-out photos: by the splits of the set, or with a fifth of its scenes held out."""
    read = formats.read(data, names=names)
    for problem in read.problems:
        if problem.code in ("unknown_class", "no_tile"):
            say(f"left out: {problem.detail}")
    whole, incomplete = complete(read.pictures)
    if incomplete:
        say(f"left out: {len(incomplete)} photos with a label that cannot be used; it would count as background")
    found = [picture for picture in whole if picture.boxes]
    if len(found) < _LEAST_PHOTOS:
        message = (
            f"'{data}' has {len(found)} labelled photos: label at least {_LEAST_PHOTOS}, better twenty, with "
            f"tilescore annotate {data}."
        )
        raise InputError("too_few_photos", message, count=len(found))
    splits: Sequence[str] = [picture.split for picture in found]
    if not set(splits) & set(HELD_OUT):
        looks = [scan.fingerprint for scan in scan_all([picture.path for picture in found])]
        splits = split_pictures([replace(picture, split="") for picture in found], looks, shares=_SHARES)
    held = [split in HELD_OUT for split in splits]
    mine = [picture for picture, out in zip(found, held, strict=True) if not out]
    held_out = [picture for picture, out in zip(found, held, strict=True) if out]
    if not mine or not held_out:
        message = f"all photos of '{data}' are of one scene, or none is held out: take more photos, of other hands."
        raise InputError("nothing_held_out", message)
    return mine, held_out


def _rendered(count: int) -> list[Path]:
    """Rendered scenes of many designs, kept for the next fine-tuning; returns `count` pictures."""
    out = data_folder() / "other-designs"
    generate(out, count=count, seed=9, size_px=640, folders=Folders(), include=(), exclude=(), pool=ALL_CORES)
    return sorted((out / "images").glob("*.jpg"))[:count]


def _candidates(
    tuners: Mapping[str, FineTuner],
    networks: Mapping[str, Path],
    model: Model,
    reader: TileReader,
    mine: Sequence[LabelledPicture],
) -> Iterator[tuple[float, TileReader]]:
    """Readers with an ever smaller share of the weight change, with their share; writes the networks to the files."""
    for share in _KEPT:
        for part, tuner in tuners.items():
            tuner.write(networks[part], share)
        files = {part: ModelFile(path, sha256_of(path)) for part, path in networks.items()}
        tuned = replace(model, learned=True, **files)  # type: ignore[arg-type]  # the parts are fields of files
        candidate = replace(reader, classifier=classifier_of(tuned))
        for fusion in _fusions(candidate, mine):
            yield share, replace(candidate, fusion=fusion)


def _fusions(reader: TileReader, mine: Sequence[LabelledPicture]) -> tuple[Fusion, ...]:
    """Calibrations of the new classifiers, in the order in which they are tried.

    The first one is fitted on the photos of the set and on pictures of clutter. A fit on few photos can go too far. So
    the second one takes the weights of the names alone from the fit, and the third one is that of the model before.
    """
    clutter = data_folder() / "clutter"
    if len(list((clutter / "labels").glob("*.txt"))) < _CLUTTER:
        write_clutter(clutter, count=_CLUTTER, seed=4)
    empty = labelled_photos(clutter / "data.yaml", "test")
    fitted = fit(joined([evidence_in(reader, _labelled(mine)), evidence_in(reader, empty)]))
    return fitted, replace(reader.fusion, detector=fitted.detector, classifier=fitted.classifier), reader.fusion


def _with_suggestions(mine: Sequence[LabelledPicture], data: Path) -> list[LabelledPicture]:
    """The photos with the open suggestions of their annotation folder.

    An open suggestion counts as a tile in the fit of the calibration, never as background.
    """
    if not (data / PRIVATE).is_dir() or format_of(data) != IN_PLACE:
        return list(mine)
    folder = AnnotationFolder(data)
    found: dict[Path, tuple[LabelledBox, ...]] = {}
    for picture in folder.pictures()[0]:
        try:
            marks = folder.open(picture).now.marks
        except InputError:
            continue
        found[picture.path] = tuple(
            LabelledBox(mark.name, mark.box) for mark in marks if mark.source is LabelSource.MODEL
        )
    return [replace(picture, boxes=(*picture.boxes, *found.get(picture.path, ()))) for picture in mine]


def _labelled(pictures: Iterable[LabelledPicture]) -> Iterator[Labelled]:
    for picture in pictures:
        try:
            photo = load_photo(picture.path)
        except PhotoError:
            continue
        truths = tuple(Truth(labelled.name, labelled.box) for labelled in picture.boxes)
        yield Labelled(photo, Box(0, 0, *photo.size_wh), truths)


def _hands(data: Path) -> dict[str, tuple[str, ...]]:
    """The hands of hands.json in the folder of the set, by file name; empty without this file."""
    listed = data / "hands.json"
    if not listed.is_file():
        return {}
    try:
        entries = json.loads(listed.read_text(encoding="utf-8"))
        return {Path(entry["file"]).name: tuple(entry["tiles"]) for entry in entries}
    except (ValueError, KeyError, TypeError):
        message = f"'{listed}' is not a list of objects with file and tiles: correct it or delete it."
        raise InputError("bad_hands", message) from None


def _both(
    first: tuple[NDArray[np.uint8], NDArray[np.int64]], second: tuple[NDArray[np.uint8], NDArray[np.int64]]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    return np.concatenate([first[0], second[0]]), np.concatenate([first[1], second[1]])


def _hash(pictures: Iterable[LabelledPicture]) -> str:
    """Twelve digits that identify the names, sizes and labels of the training photos."""
    total = hashlib.sha256()
    for picture in pictures:
        boxes = [f"{box.name} " + " ".join(f"{value:.1f}" for value in box.box.xyxy) for box in picture.boxes]
        total.update("\n".join([picture.key, str(picture.path.stat().st_size), *boxes, ""]).encode())
    return total.hexdigest()[:12]
