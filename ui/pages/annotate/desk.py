"""The folder of the annotation page: its pictures, marks, predictions and changes."""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from tilescore.datasets.annotation.folder import AnnotationFolder, ChangedError, Opened, PictureFile
from tilescore.datasets.annotation.index import Index
from tilescore.datasets.annotation.listing import EVERYTHING, ListedMark, ListFilter, PictureEntry
from tilescore.datasets.annotation.predictions import Prediction
from tilescore.datasets.annotation.tracking import followed
from tilescore.datasets.labels import CLASS_NAMES, ClassName
from tilescore.datasets.marks import Annotation, LabelSource, Mark
from tilescore.datasets.parts import NO_PART, parts_of
from tilescore.errors import InputError
from tilescore.models.registry import load_reader
from tilescore.processes.progress import Progress, unseen
from tilescore.scoring.tiles import Tile
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.crops import crop
from tilescore.vision.image.jpeg import jpeg_of
from tilescore.vision.image.photo import Photo
from tilescore.vision.layout.layout import lay_out

THUMBNAIL_WH: Final = (128, 96)
CROP_PX: Final = 112
_CROP_MARGIN: Final = 1.25
_CROPS: Final = 5
"""Crops of one class name on the page of the names."""
_AHEAD: Final = 3
"""How many of the next pictures are predicted while a person works on one."""
_SAME_PLACE_IOU: Final = 0.98


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """A picture of that upright size, with its marks: the suggestions of the model if nobody has labelled it yet."""

    file: PictureFile
    size_wh: tuple[int, int]
    opened: Opened
    prediction: Prediction

    def guesses(self, marks: tuple[Mark, ...]) -> list[list[list[object]]]:
        """The names that the model gives to each mark, as pairs of name and probability."""
        return [[list(guess) for guess in self.prediction.candidates(mark.box)] for mark in marks]


class Desk:
    """One folder, open for all visitors of this process.

    A picture that turns out to be unusable is set aside: no list shows it any more, and the problems name it.
    """

    def __init__(self, root: Path, progress: Progress = unseen, *, model: str = "") -> None:
        """Open and index the folder; raises InputError when it cannot be labelled."""
        self.open_by: dict[str, str] = {}  # the picture that each visitor had open last
        self._model = model
        self.folder = AnnotationFolder(root)
        self.index = Index(self.folder)
        self.index.refresh(progress)
        self._helper = ThreadPoolExecutor(1, thread_name_prefix="predict-ahead")

    def show(self, key: str) -> ShownPicture:
        """The picture of that key; raises InputError."""
        file = self.index.file(key)
        prediction = self._predict(file)
        with self._usable(file):
            opened = self.folder.open(file)
        suggested = Annotation(prediction.suggestions())
        if opened.is_new:
            opened = replace(opened, now=suggested)
        else:
            first = (*opened.past, opened.now)[0]
            if first.version == 1 and all(mark.source is not LabelSource.FILE for mark in first.marks):
                opened = replace(opened, past=(suggested, *opened.past))  # it was the first change of the suggestions
        entry = self.index.entry(key)
        if entry is None:
            raise InputError("unreadable_picture", f"'{key}' cannot be read: choose another picture.", key=key)
        return ShownPicture(file, entry.size_wh, opened, prediction)

    @contextmanager
    def _usable(self, file: PictureFile) -> Iterator[None]:
        """Set the picture aside when it cannot be opened; raises InputError."""
        try:
            yield
        except (InputError, OSError) as error:
            self.require_folder()
            self.index.set_aside(file, error)
            if isinstance(error, InputError):
                raise
            message = f"'{file.key}' cannot be read ({error.strerror}): choose another picture."
            raise InputError("unreadable_picture", message, path=file.key) from None

    def require_folder(self) -> None:
        """Raise InputError if the folder is gone, as that of a disk which somebody takes out."""
        if not os.path.isdir(self.folder.root):  # noqa: PTH112  # False for a disk that fails, too
            message = f"'{self.folder.root}' is gone: connect it again and reload the page; what was saved is in it."
            raise InputError("folder_gone", message, path=str(self.folder.root))

    def _photo(self, file: PictureFile) -> Photo:
        with self._usable(file):
            return self.folder.photo(file)

    def save(self, key: str, state: object, *, by: str) -> Annotation:
        """Save a change from the browser; raises ChangedError, InputError.

        A box without a name gets the name that the model predicts. A picture with a name that nobody has explained is
        not checked.
        """
        file = self.index.file(key)
        entry = self.index.entry(key)
        size_wh = (0, 0) if entry is None else entry.size_wh
        changed = Annotation.from_json(self._named(file, state), size_wh=size_wh)
        if self.has_open_names(changed):
            changed = replace(changed, checked=False)
        return self.keep(file, changed, by=by)

    def keep(self, file: PictureFile, changed: Annotation, *, by: str) -> Annotation:
        """Save new marks and index them; raises ChangedError, InputError."""
        try:
            kept = self.folder.save(file, changed, by=by)
        except ChangedError:
            self.index.note(file, self.folder.open(file).now)
            raise
        self.index.note(file, kept)
        return kept

    def copy_before(self, key: str, version: int, *, by: str) -> Annotation | None:
        """Copy the labels of the previous picture to this one; None if there is no previous picture.

        In frames of a video each box follows its tile. A tile that is lost becomes a suggestion to look at.
        """
        before = self.index.beside(key, EVERYTHING, -1)
        here = self.index.entry(key)
        if not before or here is None:
            return None
        files = [self.index.file(name) for name in (before[0].key, key)]
        marks = self.folder.open(files[0]).now.accepted().marks
        if here.size_wh == before[0].size_wh:
            frames = [self._photo(file) for file in files]
            boxes = [mark.box.scaled(1 / frames[0].scale) for mark in marks]
            followed_boxes = followed(frames[0].rgb, frames[1].rgb, boxes)
            moved = tuple(
                replace(mark, source=LabelSource.MODEL, score=0.0) if box is None
                else replace(mark, box=box.scaled(frames[1].scale))
                for mark, box in zip(marks, followed_boxes, strict=True)
            )  # fmt: skip
        else:
            across, down = (here.size_wh[side] / before[0].size_wh[side] for side in (0, 1))
            places = [[side * (down if at % 2 else across) for at, side in enumerate(mark.box.xyxy)] for mark in marks]
            moved = tuple(replace(mark, box=Box(*place)) for mark, place in zip(marks, places, strict=True))
        return self.keep(files[1], Annotation(moved, version=version), by=by)

    def propose(self, key: str, version: int, *, by: str) -> Annotation:
        """Give every mark the part that the layout of the marks proposes; raises ChangedError, InputError."""
        file = self.index.file(key)
        shown = self.show(key)
        now = shown.opened.now
        named = [at for at, mark in enumerate(now.marks) if not mark.is_unknown]
        detections = [
            Detection(now.marks[at].box, 1.0, (Candidate(Tile.parse(now.marks[at].name), 1.0),)) for at in named
        ]
        parts = dict(zip(named, parts_of(lay_out(detections, size_wh=shown.size_wh)), strict=True))
        marks = tuple(replace(mark, part=parts.get(at, NO_PART)) for at, mark in enumerate(now.marks))
        return self.keep(file, replace(now, marks=marks, hand="", version=version), by=by)

    def exchange(self, key: str, box: Box, name: str, mark: Mark | None, *, by: str) -> Mark | None:
        """Put another mark in the place of one of that name, take it away, or (no name) add one; the mark before.

        Raises ChangedError if there is no such mark any more, and InputError.
        """
        file = self.index.file(key)
        now = self.show(key).opened.now
        marks = list(now.marks)
        before = None
        if name:
            at = next((i for i, m in enumerate(marks) if m.name == name and m.box.iou(box) > _SAME_PLACE_IOU), None)
            if at is None:
                self.index.note(file, now)
                message = f"'{key}' was changed in another window in the meantime: look at it again."
                raise ChangedError("changed", message, key=key)
            before = marks[at]
            marks[at : at + 1] = [] if mark is None else [replace(mark, part=before.part)]
        elif mark is not None:
            marks.append(mark)
        self.keep(file, replace(now, marks=tuple(marks)), by=by)
        return before

    def knows(self, entry: PictureEntry) -> bool:
        """Whether a picture is checked and rejected as listed; after another machine's change the list follows."""
        try:
            file = self.index.file(entry.key)
            now = self.folder.open(file).now
        except (InputError, OSError):  # whoever shows the picture says why
            return True
        is_known = (now.checked, now.rejected) == (entry.checked, entry.rejected)
        if not is_known:
            self.index.note(file, now)
        return is_known

    def name_at(self, key: str, box: Box) -> str:
        """The name of the mark in that place of a picture; empty for none; raises InputError."""
        marks = self.show(key).opened.now.marks
        return next((mark.name for mark in marks if mark.box.iou(box) > _SAME_PLACE_IOU), "")

    def guesses(self, listed: ListedMark) -> tuple[tuple[str, float], ...]:
        """The names that the model gives to a tile of the contact sheet, with their probabilities."""
        try:
            prediction = self.index.prediction(self.index.file(listed.key))
        except InputError:  # another person has deleted the picture
            prediction = None
        return () if prediction is None else prediction.candidates(Box(*listed.xyxy))

    def predict_ahead(self, key: str, choice: ListFilter) -> None:
        """Predict the next pictures in the background."""
        for entry in self.index.beside(key, choice, _AHEAD):
            file = self.index.file(entry.key)
            if self.index.prediction(file) is None:
                self._helper.submit(self._predict, file)

    # The class names of the set

    def class_names(self) -> tuple[ClassName, ...]:
        """What each class name of the set means, with the number of its labels."""
        counts = {name: len(places) for name, places in self._places.items()}
        by_name = {entry.name: entry for entry in self.folder.classes.classes}
        missing = [ClassName(name, None, sure=False) for name in counts if name not in by_name]
        return tuple(replace(entry, count=counts.get(entry.name, 0)) for entry in (*by_name.values(), *missing))

    def class_crops(self, name: str) -> list[bytes]:
        """Small JPEGs of some labels of a class name, from several pictures."""
        jpegs: list[bytes] = []
        for key, shares in self._places.get(name, ())[:: max(1, len(self._places.get(name, ())) // _CROPS)]:
            entry = self.index.entry(key)
            if entry is not None and len(jpegs) < _CROPS:
                across, down = entry.size_wh
                xyxy = (shares[0] * across, shares[1] * down, shares[2] * across, shares[3] * down)
                try:
                    jpegs.append(self.crop(ListedMark(key, 0, name, xyxy, None)))
                except (InputError, OSError):
                    continue
        return jpegs

    def has_open_names(self, now: Annotation) -> bool:
        """Whether nobody has said what the name of one of the marks means."""
        return any(self.folder.classes.is_open(mark.name) for mark in now.marks)

    def open_names(self) -> int:
        """Number of the names of marks that nobody has explained."""
        return sum(self.folder.classes.is_open(name) for name, _ in self.index.names())

    def explain(self, names: Mapping[str, str | None]) -> None:
        """Keep what a person says about class names, and read the marks anew; raises InputError."""
        self.folder.explain(names)
        self.index.refresh()

    @cached_property
    def _places(self) -> dict[str, list[tuple[str, tuple[float, float, float, float]]]]:
        """Picture and box, in shares, of every label, by the name of its class."""
        places: dict[str, list[tuple[str, tuple[float, float, float, float]]]] = defaultdict(list)
        for picture, name, shares in self.folder.named_shapes():
            places[name].append((picture.key, shares))
        return places

    # Pictures to show

    def picture(self, file: PictureFile) -> bytes:
        """The upright picture as a JPEG for the browser; raises InputError."""
        with self._usable(file):
            return _for_browser(self.folder, file, file.path.stat().st_mtime_ns)

    def thumbnail(self, key: str) -> bytes:
        """A small JPEG of the picture, made once."""
        file = self.index.file(key)
        return self.index.small(file, "whole") or self._smaller(file, self._photo(file))

    def crop(self, listed: ListedMark) -> bytes:
        """A small JPEG of one tile, made once."""
        file = self.index.file(listed.key)
        part = " ".join(f"{value:.0f}" for value in listed.xyxy)
        kept = self.index.small(file, part)
        if kept is None:
            photo = self._photo(file)
            box = Box(*listed.xyxy).scaled(1 / photo.scale)
            kept = jpeg_of(crop(photo.rgb, box.squared(), side=CROP_PX, margin=_CROP_MARGIN), quality=85)
            self.index.keep_small(file, part, kept)
        return kept

    def _smaller(self, file: PictureFile, photo: Photo) -> bytes:
        height, width = photo.rgb.shape[:2]
        factor = max(THUMBNAIL_WH[0] / width, THUMBNAIL_WH[1] / height)
        small = cv2.resize(photo.rgb, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        jpeg = jpeg_of(np.asarray(small, np.uint8), quality=80)
        self.index.keep_small(file, "whole", jpeg)
        return jpeg

    # The model

    def _predict(self, file: PictureFile) -> Prediction:
        """The prediction of the model, made once; raises InputError for a picture that cannot be decoded."""
        kept = self.index.prediction(file)
        if kept is not None and (not self._model or kept.model == load_reader(self._model).detector.name):
            return kept
        photo = self._photo(file)
        prediction = Prediction.of(load_reader(self._model).read(photo))
        self.index.keep_prediction(file, prediction)
        if self.index.small(file, "whole") is None:
            self._smaller(file, photo)
        return prediction

    def _named(self, file: PictureFile, state: object) -> object:
        """The change with a name for each box that has none."""
        marks = state.get("marks") if isinstance(state, dict) else None
        classifier = load_reader(self._model).classifier
        if not isinstance(state, dict) or not isinstance(marks, list) or classifier is None:
            return state
        bare = [mark for mark in marks if isinstance(mark, list) and len(mark) == 8 and mark[0] == ""]
        if not bare or not all(isinstance(value, (int, float)) for mark in bare for value in mark[1:5]):
            return state
        photo = self._photo(file)
        boxes = [Box(*mark[1:5]).scaled(1 / photo.scale) for mark in bare]
        predictions = classifier.classify(photo.rgb, boxes)[:, :-1]
        named: dict[int, list[Any]] = {}
        for mark, prediction in zip(bare, predictions, strict=True):
            best = int(prediction.argmax())
            score = float(prediction[best]) if mark[6] == LabelSource.MODEL else mark[7]
            named[id(mark)] = [CLASS_NAMES[best], *mark[1:7], score]
        return state | {"marks": [named.get(id(mark), mark) for mark in marks]}


@lru_cache(maxsize=12)
def _for_browser(folder: AnnotationFolder, file: PictureFile, _changed_ns: int) -> bytes:
    """An upright JPEG no larger than needed; a file that is one already stays as it is."""
    photo = folder.photo(file)
    height, width = photo.rgb.shape[:2]
    data = folder.inside.read(file.path)
    as_it_is = data[:3] == b"\xff\xd8\xff" and photo.size_wh == (width, height) and b"Exif\0\0" not in data[:4096]
    return data if as_it_is else jpeg_of(photo.rgb, quality=90)
