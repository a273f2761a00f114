"""What a fine-tuning learns from and is measured by: photos of the set, and photos or rendered scenes of other sets."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

import numpy as np

from tilescore.datasets import formats
from tilescore.datasets.annotation.folder import IN_PLACE, AnnotationFolder, format_of
from tilescore.datasets.formats.history import PRIVATE
from tilescore.datasets.labels import LabelledBox, LabelledPicture
from tilescore.datasets.marks import LabelSource
from tilescore.errors import InputError
from tilescore.models.evaluation.matching import Labelled, judge, labelled_photos
from tilescore.models.finetuning.report import Figures
from tilescore.vision.arrays import Pixels
from tilescore.vision.detection.detector import Detector
from tilescore.vision.detections import Proposal
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.photo import PhotoError, load_photo
from tilescore.vision.reader import TileReader


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The evaluation before and after: held-out photos of the set, and photos or rendered scenes of other sets."""

    held_out: tuple[LabelledPicture, ...]  # the photos of the set
    suggestions: Mapping[Path, tuple[LabelledBox, ...]]  # the open ones of these photos: tiles that nobody has named
    hands: Mapping[str, tuple[str, ...]]  # the known hands by the paths of photos
    photos: Path | None  # data.yaml of photos of other sets; None for scenes
    scenes: tuple[Path, ...]  # the pictures of the rendered scenes

    @property
    def kept_what(self) -> str:
        """Which photos of other sets."""
        return "rendered scenes of other sets" if self.photos is None else "photos of other sets (val)"

    def own(self, reader: TileReader) -> Figures:
        """The figures on the held-out photos of the set."""
        return Figures.of([judge(reader, photo) for photo in labelled(self.held_out, self.suggestions)], self.hands)

    def others(self, reader: TileReader) -> Figures:
        """The figures on photos or scenes of other sets."""
        if self.photos is not None:
            return Figures.of([judge(reader, photo) for photo in labelled_photos(self.photos, "val")], {})
        scenes = {picture.path.name: picture for picture in formats.read(self.scenes[0].parents[1]).pictures}
        chosen = [scenes[path.name] for path in self.scenes if path.name in scenes]
        return Figures.of([judge(reader, photo) for photo in labelled(chosen)], {})


class Remembering:
    """A detector with a cache: fine-tuning changes the names of tiles only, so each picture is detected once."""

    def __init__(self, detector: Detector) -> None:
        self._detector = detector
        self._seen: dict[tuple[bytes, int], tuple[Proposal, ...]] = {}

    @property
    def name(self) -> str:
        """That of the detector."""
        return self._detector.name

    def detect(self, rgb: Pixels, *, long_side: int) -> tuple[Proposal, ...]:
        """What the detector proposes; see `tilescore.vision.detection.detector`."""
        key = (hashlib.sha256(np.ascontiguousarray(rgb).data).digest(), long_side)
        if key not in self._seen:
            self._seen[key] = self._detector.detect(rgb, long_side=long_side)
        return self._seen[key]


def labelled(
    pictures: Iterable[LabelledPicture], suggestions: Mapping[Path, tuple[LabelledBox, ...]] = MappingProxyType({})
) -> Iterator[Labelled]:
    """The photos with their labels; those that cannot be decoded are passed over.

    What is found on an open suggestion is not counted.
    """
    for picture in pictures:
        try:
            photo = load_photo(picture.path)
        except PhotoError:
            continue
        ignore_regions = tuple(mark.box for mark in suggestions.get(picture.path, ()))
        yield Labelled(photo, Box(0, 0, *photo.size_wh), tuple(picture.boxes), ignore_regions=ignore_regions)


def open_suggestions(data: Path) -> dict[Path, tuple[LabelledBox, ...]]:
    """The open suggestions of the labelled folders at that place and below it, by picture."""
    suggestions: dict[Path, tuple[LabelledBox, ...]] = {}
    roots = (place.parent for place in data.rglob(PRIVATE) if place.is_dir())
    for folder in [AnnotationFolder(root) for root in sorted(roots) if format_of(root) == IN_PLACE]:
        for picture in folder.pictures()[0]:
            try:
                marks = folder.open(picture).now.marks
            except InputError:
                continue
            open_marks = tuple(LabelledBox(mark.name, mark.box) for mark in marks if mark.source is LabelSource.MODEL)
            if open_marks:
                suggestions[picture.path] = open_marks
    return suggestions


def with_suggestions(
    mine: Sequence[LabelledPicture], suggestions: Mapping[Path, tuple[LabelledBox, ...]]
) -> list[LabelledPicture]:
    """The photos with their open suggestions as labels, so that no tile counts as background."""
    return [replace(picture, boxes=(*picture.boxes, *suggestions.get(picture.path, ()))) for picture in mine]
