"""Reads and writes labelled pictures in the formats of other tools: YOLO, COCO, Pascal VOC, Label Studio, CVAT.

Each format is a module with `read_raw(path) -> RawSet`, which only parses, and `write(pictures, out)`, which only
writes labels. This module and `intake` hold what all formats share, above all the handling of bad input. The package
`globox` covers half of this and stops at the first bad line, so we do not use it.

>>> sorted(FORMATS)
['coco', 'cvat', 'labelstudio', 'voc', 'yolo']
"""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from tilescore.base.errors import InputError
from tilescore.datasets.formats import coco, cvat, labelstudio, voc, yolo
from tilescore.datasets.formats.intake import accept
from tilescore.datasets.inside import Inside
from tilescore.datasets.labels import LabelSet, Problem
from tilescore.datasets.picture_details import copy_without_details

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tilescore.datasets.formats.intake import RawSet
    from tilescore.datasets.labels import LabelledPicture


@dataclass(frozen=True, slots=True)
class Format:
    """The functions of one file format.

    Attributes:
        fits: tells whether a folder or file looks like this format.
        read_raw: parses the labels without checking them.
        write: writes labels for pictures that lie at `picture_place` below the folder.
        picture_place: the path of a picture below the written folder.
        label_key: a key that two pictures have in common if they would share a label file.
    """

    fits: Callable[[Path], bool]
    read_raw: Callable[[Path], RawSet]
    write: Callable[[Sequence[LabelledPicture], Path], None]
    picture_place: Callable[[LabelledPicture], PurePosixPath]
    label_key: Callable[[LabelledPicture], str]


def _in_images(picture: LabelledPicture) -> PurePosixPath:
    return PurePosixPath("images", picture.split, picture.name)


def _stem(picture: LabelledPicture) -> str:
    return str(PurePosixPath(picture.name).with_suffix(""))


FORMATS: Final = {
    "coco": Format(coco.fits, coco.read_raw, coco.write, _in_images, lambda picture: picture.key),
    "labelstudio": Format(
        labelstudio.fits, labelstudio.read_raw, labelstudio.write, _in_images, lambda picture: picture.key
    ),
    "cvat": Format(cvat.fits, cvat.read_raw, cvat.write, _in_images, lambda picture: picture.key),
    "voc": Format(
        voc.fits, voc.read_raw, voc.write, lambda picture: PurePosixPath("JPEGImages", picture.name), _stem
    ),
    "yolo": Format(
        yolo.fits, yolo.read_raw, yolo.write, _in_images, lambda picture: f"{picture.split}/{_stem(picture)}"
    ),
}  # fmt: skip
"""All formats by name; `detect` tries them in this order, the most specific layouts first."""


def detect(path: Path) -> str:
    """The format of a data set's folder or label file; raises InputError when no format fits."""
    if not path.exists():
        raise InputError("no_such_folder", f"'{path}' does not exist: give the folder of a data set.", path=str(path))
    Inside(path if path.is_dir() else path.parent).refuse_links()
    for name, known in FORMATS.items():
        if known.fits(path):
            return name
    raise InputError(
        "unknown_format",
        f"'{path}' looks like no data set: expected YOLO (images/ and labels/), COCO or Label Studio (.json), "
        "Pascal VOC or CVAT (.xml).",
        path=str(path),
    )


def read(path: Path, *, format_name: str | None = None) -> LabelSet:
    """A data set and a list of its problems; raises InputError when the path is no data set."""
    chosen = detect(path) if format_name is None else format_name
    Inside(path if path.is_dir() else path.parent).refuse_links()
    return accept(_known(chosen).read_raw(path), format_name=chosen)


def write(
    pictures: Iterable[LabelledPicture], out: Path, *, format_name: str, keep_details: bool = False
) -> tuple[Problem, ...]:
    """Write a new data set with copies of the pictures; returns a problem for each picture left out.

    The copies have the pixels of the originals, without place, author and camera, unless `keep_details`.

    The folder gets its name when it is complete, so that a kill leaves no half folder, and no existing file is
    overwritten.

    Raises:
        InputError: the folder exists and is not empty, or it cannot be written.
    """
    target = _known(format_name)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError("not_empty", f"'{out}' is there already and not empty: name a new folder.", path=str(out))
    kept, problems = _without_clashes(pictures, target)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        workspace = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    except OSError as error:
        raise InputError("cannot_write", f"'{out}' cannot be written ({error.strerror}).", path=str(out)) from None
    try:
        for picture in kept:
            place = workspace / target.picture_place(picture)
            place.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copyfile if keep_details else copy_without_details)(picture.path, place)
        target.write(kept, workspace)
        workspace.chmod(0o755)
        if out.exists():
            out.rmdir()
        workspace.rename(out)
    except OSError as error:
        message = f"'{out}' cannot be written ({error.strerror}: {error.filename})."
        raise InputError("cannot_write", message, path=str(out)) from None
    finally:
        shutil.rmtree(workspace, ignore_errors=True)
    return tuple(problems)


def _known(format_name: str) -> Format:
    if format_name not in FORMATS:
        known = ", ".join(sorted(FORMATS))
        raise InputError("unknown_format", f"'{format_name}' is no known format: choose one of {known}.")
    return FORMATS[format_name]


def _without_clashes(
    pictures: Iterable[LabelledPicture], target: Format
) -> tuple[list[LabelledPicture], list[Problem]]:
    """The pictures without name clashes; of several with one label file, the first stays."""
    taken: dict[str, LabelledPicture] = {}
    problems: list[Problem] = []
    for picture in pictures:
        first = taken.setdefault(target.label_key(picture), picture)
        if first is not picture:
            detail = f"left out, '{first.key}' has the same name and their labels would share a file"
            problems.append(Problem("same_name", picture.key, detail))
    return list(taken.values()), problems
