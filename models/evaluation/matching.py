"""Labelled photos, and what becomes of each when it is read: which tiles were found, missed, invented, misnamed.

A label counts as found when a detection overlaps it (IoU >= 0.5). Outside a photo's `safe_crop`, where labels are
partial, detections are not counted.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from tilescore.datasets import formats
from tilescore.datasets.corrections import corrections_of
from tilescore.datasets.intake.class_lists import described_in
from tilescore.datasets.intake.pictures import split_named
from tilescore.datasets.labels import LabelledBox, LabelledPicture, complete
from tilescore.datasets.mix import WHOLE_PICTURE, read_manifest
from tilescore.datasets.training_folder import read_ignore_regions
from tilescore.errors import InputError
from tilescore.printable import as_argument
from tilescore.vision.detections import Detection
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.photo import Photo, load_photo
from tilescore.vision.reader import TileReader

MATCH: Final = 0.5
"""A detection that shares so much with a label (IoU) has found it."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A photo with its labels, boxes in pixels of the upright original."""

    photo: Photo
    region: Box  # the part of it in which every tile is labelled
    truths: tuple[LabelledBox, ...]  # those labels
    camera: str = ""  # the collection it was taken for, as the manifest.csv of its set says; empty without one
    tile_set: str = ""  # which tiles it shows, as the manifest says
    # what is in view of tiles that have no label: found there, a tile is neither right nor invented
    ignore_regions: tuple[Box, ...] = ()

    def turned(self, quarters: int) -> Labelled:
        """The photo as a camera takes it that is turned by so many quarter turns to the left."""
        given = self
        for _ in range(quarters % 4):
            width, height = given.photo.size_wh
            photo = replace(given.photo, rgb=np.ascontiguousarray(np.rot90(given.photo.rgb)), size_wh=(height, width))
            truths = tuple(replace(truth, box=_turned(truth.box, width)) for truth in given.truths)
            ignore_regions = tuple(_turned(box, width) for box in given.ignore_regions)
            region = _turned(given.region, width)
            given = replace(given, photo=photo, region=region, truths=truths, ignore_regions=ignore_regions)
        return given


@dataclass(frozen=True, slots=True)
class TileMatch:
    """A label beside what was read there: `true` is empty for an invented tile, `read` for a missed one."""

    true: str  # class name of the label
    read: str  # class name as read
    confidence: float = 0.0  # of the detection; 0 for a missed tile

    @property
    def right(self) -> bool:
        """Whether the tile was found and rightly named."""
        return self.true == self.read


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one photo."""

    path: Path  # its file
    # camera, tile_set: as in `Labelled`
    camera: str
    tile_set: str
    matches: tuple[TileMatch, ...]  # labels and detections, paired
    detections: tuple[Detection, ...]  # what was found, inside the labelled region
    truths: tuple[LabelledBox, ...]  # what is there
    milliseconds: float  # how long finding and naming its tiles took, decoding and layout not counted
    hand: tuple[str, ...]  # tiles of the hand as read, in order
    size_wh: tuple[int, int]  # pixels of the photo


def labelled_photos(data: Path, split: str, *, names: Mapping[str, str | None] | None = None) -> Iterator[Labelled]:
    """Each photo of a split of a data set.

    `split` is its name in data.yaml, or `val`, `test` or `train` for the folders that mean it. Raises InputError if the
    set cannot be read.
    """
    listed = {photo.path.name: photo for photo in read_manifest(data.parent)}
    for picture in _pictures(data, split, names):
        photo, entry = load_photo(picture.path), listed.get(picture.path.name)
        yield Labelled(
            photo, _in_pixels(entry.labelled if entry else WHOLE_PICTURE, photo), _truths(picture, photo),
            entry.source if entry else "", entry.tile_set if entry else "",
            tuple(read_ignore_regions(picture.path)),
        )  # fmt: skip


def judge(reader: TileReader, labelled: Labelled) -> Judged:
    """Read a photo and compare it with its labels."""
    start = time.perf_counter()
    reading = reader.read(labelled.photo)
    spent = 1000 * (time.perf_counter() - start)
    timings = dict(reading.timings_ms)
    inside = tuple(detection for detection in reading.seen if labelled.region.holds(detection.box.center))
    return Judged(
        path=Path(labelled.photo.name),
        camera=labelled.camera,
        tile_set=labelled.tile_set,
        matches=match(inside, labelled.truths, labelled.ignore_regions),
        detections=inside,
        truths=labelled.truths,
        milliseconds=min(spent, timings["detect"] + timings["classify"]),
        hand=tuple(str(reading.detections[index].tile) for index in reading.layout.order),
        size_wh=labelled.photo.size_wh,
    )


def match(
    detections: Iterable[Detection], truths: tuple[LabelledBox, ...], ignore_regions: Sequence[Box] = ()
) -> tuple[TileMatch, ...]:
    """Each label with the best detection left, surest first; then what no detection found.

    What lies on an ignore region of a tile and on no label is not counted.
    """
    left = list(truths)
    matches: list[TileMatch] = []
    for detection in sorted(detections, key=lambda detection: -detection.confidence):
        best = max(left, key=lambda truth: truth.box.iou(detection.box), default=None)
        true = ""
        if best is not None and best.box.iou(detection.box) >= MATCH:
            left.remove(best)
            true = best.name
        elif any(ignore_region.iou(detection.box) >= MATCH for ignore_region in ignore_regions):
            continue
        matches.append(TileMatch(true, str(detection.tile), detection.confidence))
    return (*matches, *(TileMatch(truth.name, "") for truth in left))


def _pictures(data: Path, split: str, names: Mapping[str, str | None] | None) -> list[LabelledPicture]:
    """The pictures of a split: those in the folder that data.yaml names, else those whose folder means the split."""
    if not data.is_file():
        raise InputError("no_such_file", f"'{data}' does not exist or is a folder: give the data.yaml of a set.")
    described = described_in(data)
    labelled = formats.read(data, format_name="yolo", names=names)
    every = labelled.pictures
    if split not in described and not any(picture.split == split for picture in every):
        listed = ", ".join(key for key in described if key not in ("names", "nc")) or "none"
        raise InputError("no_such_split", f"'{data}' has no split '{split}': it names {listed}.")
    folder = (data.parent / str(described.get("path", ".")) / str(described.get(split, split))).resolve()
    inside = [picture for picture in every if picture.path.resolve().is_relative_to(folder)]
    pictures = inside or [picture for picture in every if picture.split == split_named(split)]
    if not pictures:
        message = f"no pictures in '{folder}', which '{data}' names for '{split}': correct one of the two."
        raise InputError("no_pictures", message)
    pictures, _ = complete(pictures)
    if labelled.problems and not any(picture.boxes for picture in pictures):  # pictures without a tile are no problem
        remedy = f"see tilescore dataset names {as_argument(data.parent)}"
        message = f"no label of the split '{split}' of '{data}' can be used: {remedy}."
        raise InputError("no_usable_boxes", message)
    return sorted(pictures, key=lambda picture: picture.path)


def _truths(picture: LabelledPicture, photo: Photo) -> tuple[LabelledBox, ...]:
    corrections = corrections_of(picture.path)
    return (*picture.boxes, *(LabelledBox(fixed.name, _in_pixels(fixed.shares, photo)) for fixed in corrections))


def _in_pixels(shares: tuple[float, float, float, float], photo: Photo) -> Box:
    """The part of a photo between left, top, right and bottom as shares of its sides."""
    (left, top, right, bottom), (width, height) = shares, photo.size_wh
    return Box(left * width, top * height, right * width, bottom * height)


def _turned(box: Box, width: int) -> Box:
    """The box after the picture, so many pixels wide, was turned a quarter to the left."""
    return Box(box.y0, width - box.x1, box.y1, width - box.x0)
