"""Photos that a person gave for training, each with its reading; `tilescore annotate` opens them.

The program adds no photo by itself. It keeps the photo that the page shows, without the place and time of the
original.
"""

import hashlib
import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from tilescore.datasets.marks import LabelSource, Mark
from tilescore.datasets.parts import parts_of
from tilescore.datasets.pictures.picture_files import frame_of, pictures_below
from tilescore.errors import InputError
from tilescore.files.outputs import cannot_write, write_whole
from tilescore.files.paths import data_folder, private_file, private_folder
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.image.boxes import Box
from tilescore.vision.layout.layout import Role

MOST_PHOTOS: Final = 2000
"""Most photos that may wait: the folder must not fill the disk."""
_BY: Final = "hand page"


def queue() -> Path:
    """The folder where these photos wait."""
    return data_folder() / "teach"


def keep(reading: Reading, jpeg: bytes, folder: Path, *, unseen: Collection[int] = ()) -> int:
    """Put the photo and its reading into the folder; return how many photos wait there.

    A photo that is already there gets the new reading. Labels that a person has checked, and those that came from
    elsewhere, stay. Tiles of the hand count as confirmed, all others as suggestions.

    Args:
        reading: the reading as a person corrected it.
        jpeg: the photo.
        folder: where photos wait.
        unseen: tiles of the reading that have no place on the photo, so no label either.

    Raises:
        InputError: too many photos wait already, labels that stay differ from the hand, or nothing can be written.
    """
    from tilescore.datasets.annotation.folder import AnnotationFolder  # start-up time of the app

    path = folder / "images" / f"{hashlib.sha256(jpeg).hexdigest()[:16]}.jpg"
    waiting = len(pictures_below(folder / "images"))
    if waiting >= MOST_PHOTOS and not path.exists():
        message = f"{waiting} photos wait already: label them with tilescore annotate, then move them elsewhere."
        raise InputError("queue_full", message, count=waiting)
    try:
        private_folder(path.parent)
        if not path.exists():
            write_whole(path, jpeg)
            private_file(path)
    except OSError as error:
        raise cannot_write(folder, error) from None
    labels = AnnotationFolder(folder)
    file = next(picture for picture in labels.pictures()[0] if picture.path == path)
    found = labels.open(file)
    before = found.now
    marks = _marks(reading, frame_of(path).upright_wh[0] / reading.size_wh[0], unseen)
    if before.checked or (before.marks and found.by != _BY):
        # These labels say more than the reading does: a person has named tiles outside the hand, too.
        if {_label(mark) for mark in marks if mark.source is LabelSource.PERSON} - set(map(_label, before.marks)):
            message = (
                "the labels of this photo were checked or changed and stay, but this hand differs: correct them with "
                "tilescore annotate."
            )
            raise InputError("labels_checked", message)
    elif [mark.to_json() for mark in marks] != [mark.to_json() for mark in before.marks]:
        labels.save(file, replace(before, marks=marks, checked=False), by=_BY)
    return len(pictures_below(folder / "images"))


def forget(keys: Iterable[str], folder: Path) -> None:
    """Delete these photos, with their labels, their history and what the index holds of them.

    Raises InputError if there is no such photo, or it cannot be deleted.
    """
    from tilescore.datasets.annotation.folder import AnnotationFolder
    from tilescore.datasets.annotation.index import Index

    index = Index(AnnotationFolder(folder))
    index.refresh()
    pictures = [index.file(key) for key in keys]
    try:
        index.delete(*pictures)
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or error
        message = f"a photo in '{folder}' cannot be deleted ({reason}): see that the folder can be written."
        raise InputError("cannot_write", message, path=str(folder)) from None


def _label(mark: Mark) -> tuple[str, Box]:
    return mark.name, mark.box


def _marks(reading: Reading, scale: float, unseen: Collection[int]) -> tuple[Mark, ...]:
    """The tiles on the photo as marks, in pixels of the kept photo."""
    marks: list[Mark] = []
    for at, (detection, part) in enumerate(zip(reading.detections, parts_of(reading.layout), strict=True)):
        if at in unseen:
            continue
        box = Box(*(round(value, 2) for value in detection.box.scaled(scale).xyxy))
        aside = part.role == Role.OTHER
        source, score = (LabelSource.MODEL, detection.confidence) if aside else (LabelSource.PERSON, 1.0)
        marks.append(Mark(str(detection.tile), box, part, source, round(score, 4)))
    return tuple(marks)
