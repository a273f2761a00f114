"""One more tile set: from a model and some labelled photos of it to a model that reads it (extra `train`).

What is learned are the classifiers of single tiles, the one that looks first and the one that looks closer, and how
much they are believed; what finds tiles stays. Some of the photos are held out, and what is claimed is measured on
those, and on photos of other sets, before and after.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from tilescore.base.errors import InputError
from tilescore.base.parallel import ALL_CORES
from tilescore.base.paths import data_folder
from tilescore.datasets import formats
from tilescore.datasets.annotation.annotation import LabelSource
from tilescore.datasets.annotation.folder import PRIVATE, AnnotationFolder
from tilescore.datasets.artwork.artwork import Folders
from tilescore.datasets.checks.scans import scan_all
from tilescore.datasets.crops import crop_tiles, harvest, places_without_tiles
from tilescore.datasets.labels import CLASS_NAMES, LabelledBox
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

HELD_OUT: Final = ("val", "valid", "validation", "test")
"""Splits that are measured on and not learned from."""
STEPS: Final = 400
_LEAST_PHOTOS: Final = 4
_SHARES: Final = {"train": 0.8, "val": 0.2}
_OTHERS: Final = 160
"""Rendered scenes of other designs to learn beside."""
_MEASURED: Final = 40
"""More of them to measure on where no photos are given."""
_CLUTTER: Final = 60
_EMPTY: Final = 100
_FORGOTTEN: Final = 0.01
"""So much tile F1 may be lost on other sets."""
_KEPT: Final = (1.0, 0.7, 0.5, 0.3, 0.1)
"""Shares of what was learned that are tried until no more than that is forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FineTuning:
    """What shall be learned.

    Attributes:
        start: name of the model to begin with.
        data: labelled photos of the set, in any format; hands.json beside them says which hands some of them show.
        name: what the new model shall be called.
        others: data.yaml of photos that must not be read worse (its split `val`); None for rendered scenes.
        minutes: the longest that the training itself may take.
        steps: how many steps it takes, if there is time.
        scenes: how many rendered scenes of other designs are learned beside.
    """

    start: str
    data: Path
    name: str
    others: Path | None = None
    minutes: float = 10
    steps: int = STEPS
    scenes: int = _OTHERS


def learn(lesson: FineTuning, say: Say = print) -> Card:
    """Learn, measure, and put the new model where the app and `--model` find it.

    Args:
        lesson: what shall be learned.
        say: is told what is being done.

    Raises:
        InputError: the set cannot be read or has too few photos, the name is taken, the model has no classifier, or
            other sets would be read worse.
    """
    began = time.monotonic()
    folder, model = place_for(lesson.name), _taught(lesson.start)
    mine, held_out = _photos(lesson.data)
    reader = load_reader(model.name)
    reader = replace(reader, detector=_Remembering(reader.detector))
    say(f"{len(mine)} photos to learn from, {len(held_out)} held out; other designs are rendered, once")
    scenes = _rendered(lesson.scenes + _MEASURED)
    exam = _Evaluation(tuple(held_out), _hands(lesson.data), lesson.others, tuple(scenes[lesson.scenes :]))
    say("reading before")
    before, kept_before = exam.own(reader), exam.others(reader)
    say("learning")
    tuners, tiles = _pupils(model, mine, scenes[: lesson.scenes])
    steps = sum(tuner.learn(steps=lesson.steps, minutes=lesson.minutes / len(tuners)) for tuner in tuners.values())
    partial = folder.with_name(f".{folder.name}")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    networks = {part: partial / f"taught_{part}.onnx" for part in tuners}
    for share, learned in _tries(tuners, networks, model, reader, _with_suggestions(mine, lesson.data)):
        kept_after = exam.others(learned)
        say(f"with {share:.0%} of what was learned: tile F1 {kept_after.tile_f1}, {exam.kept_what}")
        if kept_after.tile_f1 >= kept_before.tile_f1 - _FORGOTTEN:
            break
    else:
        shutil.rmtree(partial)
        message = "after this lesson other sets would be read worse: see that every tile in your photos is labelled."
        raise InputError("forgets", message)
    after = exam.own(learned)
    card = Card(
        name=lesson.name, start=model.label, made=datetime.now(UTC).isoformat(timespec="seconds"),
        data=lesson.data.resolve().name, data_hash=_hash(mine), learned_photos=len(mine),
        learned_tiles=tally((CLASS_NAMES[kind] for kind in tiles), CLASS_NAMES), before=before, after=after,
        kept_before=kept_before, kept_after=kept_after, kept_what=exam.kept_what, steps=steps, share=share,
        minutes=round((time.monotonic() - began) / 60, 2),
    )  # fmt: skip
    write_card(card, partial)
    write_learned(partial, start=model, networks=networks, fusion=learned.fusion)
    partial.replace(folder)
    return card


@dataclass(frozen=True, slots=True)
class _Evaluation:
    """What is asked before and after: held-out photos of the set, and photos or rendered scenes of others."""

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
    """A detector that looks at equal pixels once: before and after, only the names differ."""

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


def _taught(name: str) -> Model:
    """The model to begin with; for a detector's file, the model that it belongs to."""
    model = find(name)
    if model.classifier is None:
        model = next((known for known in models() if known.detector.sha256 == model.detector.sha256), model)
    if model.classifier is None:
        message = f"'{name}' is a detector alone, and names are what is learned: say --from tiles46, or a model's name."
        raise ModelError("no_classifier", message, name=name)
    return model


def _pupils(
    model: Model, mine: Sequence[LabelledPicture], scenes: Sequence[Path]
) -> tuple[dict[str, FineTuner], Sequence[int]]:
    """What shall learn, by the part it plays in the model; and the class of each tile it learns from."""
    if model.classifier is None:
        raise ModelError("no_classifier", f"'{model.name}' has no classifier.", name=model.name)
    own = crop_tiles(mine)
    tuners = {
        "classifier": FineTuner(model.classifier.checked(), own, _both(harvest(scenes), places_without_tiles(_EMPTY)))
    }
    if model.closer is not None:
        side, cut = round(HIGH_RESOLUTION_SIDE * STORED), cutter_of(model)
        closely = crop_tiles(mine, side=side, cut=cut), harvest(scenes, negatives=1, side=side, cut=cut)
        tuners["closer"] = FineTuner(model.closer.checked(), *closely, closer=True)
    return tuners, own[1].tolist()


def _photos(data: Path) -> tuple[list[LabelledPicture], list[LabelledPicture]]:
    """Photos to learn from and held-out ones: by the set's own splits, or a fifth of its scenes."""
    found = [picture for picture in formats.read(data).pictures if picture.boxes]
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
        message = f"all photos of '{data}' are of one scene, or none is held out: take more, of other hands."
        raise InputError("nothing_held_out", message)
    return mine, held_out


def _rendered(count: int) -> list[Path]:
    """So many rendered scenes of many designs, kept for the next time; the pictures of them."""
    out = data_folder() / "other-designs"
    generate(out, count=count, seed=9, size_px=640, folders=Folders(), include=(), exclude=(), pool=ALL_CORES)
    return sorted((out / "images").glob("*.jpg"))[:count]


def _tries(
    tuners: Mapping[str, FineTuner],
    networks: Mapping[str, Path],
    model: Model,
    reader: TileReader,
    mine: Sequence[LabelledPicture],
) -> Iterator[tuple[float, TileReader]]:
    """Ever less of what was learned, its networks written to those files: share and reader."""
    for share in _KEPT:
        for part, tuner in tuners.items():
            tuner.write(networks[part], share)
        files = {part: ModelFile(path, sha256_of(path)) for part, path in networks.items()}
        taught = replace(model, learned=True, **files)  # type: ignore[arg-type]  # the parts are fields of files
        learned = replace(reader, classifier=classifier_of(taught))
        for fusion in _fusions(learned, mine):
            yield share, replace(learned, fusion=fusion)


def _fusions(reader: TileReader, mine: Sequence[LabelledPicture]) -> tuple[Fusion, ...]:
    """How the networks' probabilities may be joined now: fitted on the set's own photos and on pictures of clutter.

    Of few photos the fit may say too much: then only the names are fitted, and what is taken for a tile stays, or all
    stays as it was.
    """
    clutter = data_folder() / "clutter"
    if len(list((clutter / "labels").glob("*.txt"))) < _CLUTTER:
        write_clutter(clutter, count=_CLUTTER, seed=4)
    empty = labelled_photos(clutter / "data.yaml", "test")
    fitted = fit(joined([evidence_in(reader, _labelled(mine)), evidence_in(reader, empty)]))
    return fitted, replace(reader.fusion, detector=fitted.detector, classifier=fitted.classifier), reader.fusion


def _with_suggestions(mine: Sequence[LabelledPicture], data: Path) -> list[LabelledPicture]:
    """Photos of a folder that is being labelled with its open suggestions too.

    What a model suggested in a photo and nobody has looked at counts as a tile: no lesson says that there is none.
    """
    if not (data / PRIVATE).is_dir():
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
    """What hands.json in the set's folder says, by file name; nothing without one."""
    listed = data / "hands.json"
    if not listed.is_file():
        return {}
    try:
        entries = json.loads(listed.read_text(encoding="utf-8"))
        return {Path(entry["file"]).name: tuple(entry["tiles"]) for entry in entries}
    except (ValueError, KeyError, TypeError):
        message = f"'{listed}' is no list of objects with file and tiles: mend it, or take it away."
        raise InputError("bad_hands", message) from None


def _both(
    first: tuple[NDArray[np.uint8], NDArray[np.int64]], second: tuple[NDArray[np.uint8], NDArray[np.int64]]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    return np.concatenate([first[0], second[0]]), np.concatenate([first[1], second[1]])


def _hash(pictures: Iterable[LabelledPicture]) -> str:
    """Twelve digits over the names, sizes and labels of the photos that were learned from."""
    total = hashlib.sha256()
    for picture in pictures:
        boxes = [f"{box.name} " + " ".join(f"{value:.1f}" for value in box.box.xyxy) for box in picture.boxes]
        total.update("\n".join([picture.key, str(picture.path.stat().st_size), *boxes, ""]).encode())
    return total.hexdigest()[:12]
