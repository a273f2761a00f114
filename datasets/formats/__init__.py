"""Reads and writes labelled pictures in the formats of other programs.

Each format is a module with a reader, which only parses, and perhaps `write(pictures, out)`, which only writes labels.
`intake` holds what all formats share, above all the handling of bad input.

>>> len(FORMATS), [name for name in FORMATS if name < "e"]
(21, ['coco', 'createml', 'cvat', 'datumaro', 'dota', 'csv'])
>>> sorted(WRITTEN)
['coco', 'createml', 'cvat', 'labelme', 'labelstudio', 'voc', 'yolo']
"""

import hashlib
import os
import shutil
from collections import ChainMap, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Final, Protocol

from tilescore.datasets.formats import (
    class_folders,
    coco,
    createml,
    csv_tables,
    cvat,
    labelme,
    labelstudio,
    via,
    voc,
    yolo,
)
from tilescore.datasets.formats.history import PRIVATE
from tilescore.datasets.formats.records.json_records import DIALECTS
from tilescore.datasets.formats.records.text_lines import LINE_FORMATS
from tilescore.datasets.inside import Inside
from tilescore.datasets.intake.accept import Look, accept, meanings
from tilescore.datasets.intake.archives import is_archive, pack
from tilescore.datasets.intake.raw import RawSet
from tilescore.datasets.intake.unread import broken_files, listed, overlooked
from tilescore.datasets.labels import ClassName, LabelledPicture, LabelSet, Problem, complete
from tilescore.datasets.names.class_names import load_names
from tilescore.datasets.pictures.picture_details import copy_picture
from tilescore.datasets.pictures.picture_files import copied_suffix, listed_below
from tilescore.errors import InputError
from tilescore.files.locks import hidden_beside, sole_writer
from tilescore.files.outputs import cannot_write
from tilescore.printable import as_argument
from tilescore.processes.progress import Progress, unseen

OVERLOOKED: Final = "unknown_labels"
"""The code of a problem: files look like labels, and no reader takes them."""
_LIKE_LABELS: Final = (
    "files that look like labels, and no reader knows their form: {}; export the set as YOLO, COCO or Pascal VOC"
)
NAMES_FILE: Final = f"{PRIVATE}/names.json"
"""What a person has said about the class names of a set, below its folder."""


class FormatReader(Protocol):
    """Reads the labels of one format."""

    def fits(self, path: Path) -> bool:
        """Whether a folder or file looks like this format."""
        ...

    def read_raw(self, path: Path) -> RawSet:
        """Parse the labels without checking them."""
        ...


def _in_images(picture: LabelledPicture) -> PurePosixPath:
    return PurePosixPath("images", picture.split, picture.name)


def _stem(picture: LabelledPicture) -> str:
    return str(PurePosixPath(picture.name).with_suffix(""))


def _split_and_stem(picture: LabelledPicture) -> str:
    return f"{picture.split}/{_stem(picture)}"


@dataclass(frozen=True, slots=True)
class Format:
    """One file format."""

    reader: FormatReader  # its reader, which may be a module
    # writes labels for pictures that lie at `picture_place` below the folder; None for a format that is only read
    write: Callable[[Sequence[LabelledPicture], Path], None] | None = None
    # a key that two pictures have in common if they would share a label file
    label_key: Callable[[LabelledPicture], str] = attrgetter("key")
    # the path of a picture below the written folder
    picture_place: Callable[[LabelledPicture], PurePosixPath] = _in_images


FORMATS: Final[Mapping[str, Format]] = {
    "coco": Format(coco, coco.write),
    "labelstudio": Format(labelstudio.LABEL_READER, labelstudio.write),
    "createml": Format(createml.LABEL_READER, createml.write),
    "via": Format(via.LABEL_READER),
    "labelme": Format(labelme.LABEL_READER, labelme.write, _split_and_stem),
    "cvat": Format(cvat.LABEL_READER, cvat.write),
    "voc": Format(voc, voc.write, _stem, lambda picture: PurePosixPath("JPEGImages", picture.name)),
    **{name: Format(reader) for name, reader in DIALECTS.items()},
    **{name: Format(reader) for name, reader in LINE_FORMATS.items()},
    "csv": Format(csv_tables.LABEL_READER),
    "folders": Format(class_folders),
    "yolo": Format(yolo, yolo.write, _split_and_stem),
}
"""All formats by name; `detect` tries them in this order, the most specific layouts first."""
WRITTEN: Final = tuple(name for name, known in FORMATS.items() if known.write is not None)


def detect(path: Path) -> str:
    """The format of a data set's folder or label file; raises InputError when no format fits."""
    if not path.exists():
        raise InputError("no_such_folder", f"'{path}' does not exist: give the folder of a data set.", path=str(path))
    Inside(path if path.is_dir() else path.parent).refuse_links()
    for name, form in FORMATS.items():
        if form.reader.fits(path):
            return name
    for problem in broken_files(path):
        raise InputError(problem.code, f"'{path}' holds no labels that can be read: {problem.detail}.", path=str(path))
    _refuse_overlooked(path)
    if path.is_dir() and listed_below(path).pictures:
        message = f"'{path}' holds pictures without labels: label them with tilescore annotate {as_argument(path)}."
        raise InputError("no_labels", message, path=str(path))
    raise InputError(
        "unknown_format",
        f"'{path}' looks like no data set: expected YOLO (images/ and labels/), COCO, LabelMe or another form of JSON, "
        "Pascal VOC or CVAT (.xml), a table of boxes (.csv), or single tiles in folders that bear their names.",
        path=str(path),
    )


def _refuse_overlooked(path: Path, taken: AbstractSet[str] = frozenset()) -> None:
    """Raise InputError for a folder without a labelled picture, and with files that look like labels."""
    if not path.is_dir():
        return
    if lost := yolo.without_pictures(path):
        message = f"'{path}' holds label files of YOLO ({listed(lost)}), but not their pictures: put these beside them."
        raise InputError("no_pictures", message, path=str(path))
    if files := overlooked(path, taken=taken, is_readable=lambda _file: False):
        raise InputError(OVERLOOKED, f"'{path}' holds {_LIKE_LABELS.format(listed(files))}.", path=str(path))


def read(
    path: Path,
    *,
    format_name: str | None = None,
    names: Mapping[str, str | None] | None = None,
    look: Look | None = None,
    progress: Progress = unseen,
    keep_open: bool = False,
) -> LabelSet:
    """A data set and a list of its problems.

    Args:
        path: its folder or label file.
        format_name: its format; told from the files by default.
        names: what class names mean, as a person says; by default what was said on the page of the annotator.
        look: decides whether the labels of a turned picture follow its stored pixels, where nothing else tells.
        progress: called with the number of pictures done and the number of all pictures.
        keep_open: whether the shapes of open names stay, under names that begin with UNKNOWN; only YOLO writes them.

    Raises InputError if the path is no data set, or nothing says what its class numbers mean.
    """
    chosen, raw = _raw(path, format_name)
    settled = names_of(raw.root) | dict(names or {})
    used = {box.name for picture in raw.pictures for box in picture.boxes}
    if raw.numbered and used - settled.keys():
        number = min(used - settled.keys(), key=lambda name: (len(name), name))
        raise InputError(
            "no_class_list",
            f"'{path}' has no list of class names, so what class {number} stands for would be a guess: put the "
            "data.yaml or classes.txt of the set beside its labels, or say --names FILE (--names ours for the order of "
            "tilescore).",
        )
    labels = accept(raw, format_name=chosen, settled=settled, look=look, progress=progress, keep_open=keep_open)
    if format_name is not None:
        return labels
    taken = raw.files | {problem.where for problem in raw.problems}
    if not raw.pictures:
        _refuse_overlooked(path, taken)
    files = _overlooked(path, taken, beside_labels=bool(used))
    if files and not used:
        raise InputError(OVERLOOKED, f"'{path}' holds {_LIKE_LABELS.format(listed(files))}.", path=str(path))
    lost = [Problem(OVERLOOKED, path.name, _LIKE_LABELS.format(listed(files)))] if files else []
    notes = (*labels.notes, *_unread(path, chosen))
    return replace(labels, notes=notes, problems=(*labels.problems, *lost))


def _overlooked(path: Path, taken: AbstractSet[str], *, beside_labels: bool) -> tuple[str, ...]:
    """The files of a set that look like labels, and that neither this format's reader nor another one takes."""
    if path.is_file():
        return ()

    def is_readable(file: Path) -> bool:
        return bool(yolo.label_lines_in(file, file.name, [])) or any(
            form.reader.fits(file) for form in FORMATS.values()
        )

    return overlooked(path, is_readable=is_readable, taken=taken, beside_labels=beside_labels)


def _unread(path: Path, chosen: str) -> Iterator[Problem]:
    """A note for each other format whose labels lie there, too."""
    for name, form in FORMATS.items():
        # A folder named after a tile is no label where files hold labels, and `images` is none either.
        if name not in (chosen, "folders") and (yolo.has_labels(path) if name == "yolo" else form.reader.fits(path)):
            detail = f"labels in the format {name} lie there, too, and are not read: tilescore dataset convert reads "
            yield Problem("other_format", path.name, f"{detail}them with --from {name}")


def class_names(
    path: Path, *, format_name: str | None = None, names: Mapping[str, str | None] | None = None
) -> tuple[str, tuple[ClassName, ...]]:
    """The file with the list of class names of a set, and what each name means; raises InputError."""
    _, raw = _raw(path, format_name)
    return raw.source, meanings(raw, names_of(raw.root) | dict(names or {}))


def _raw(path: Path, format_name: str | None) -> tuple[str, RawSet]:
    if path.exists():
        Inside(path if path.is_dir() else path.parent).refuse_links()
    chosen = detect(path) if format_name is None else format_name
    raw = _known(chosen).reader.read_raw(path)
    named = {problem.where for problem in raw.problems}
    unread = (problem for problem in broken_files(path, chosen) if problem.where not in named)
    return chosen, replace(raw, problems=(*raw.problems, *unread))


def names_of(root: Path) -> dict[str, str | None]:
    """What was said about the class names of a set on the page of the annotator; raises InputError if it is damaged.

    What people said of its folders alone counts, too, but for names on which they disagree, and numbers without a name.
    """
    below = [load_names(str(kept)) for kept in sorted(root.glob(f"*/{NAMES_FILE}"))]
    agreed = {
        name: tile for name, tile in ChainMap(*below).items()
        if not name.isdigit() and all(said.get(name, tile) == tile for said in below)
    }  # fmt: skip
    kept = root / NAMES_FILE
    return agreed | (load_names(str(kept)) if kept.is_file() else {})


def write(
    pictures: Iterable[LabelledPicture],
    out: Path,
    *,
    format_name: str,
    splits: Mapping[Path, str] = MappingProxyType({}),
    progress: Progress = unseen,
    keep_details: bool = False,
) -> tuple[Problem, ...]:
    """Write a new data set with copies of the pictures; returns a problem for each picture left out.

    Left out are pictures with hidden tiles, pictures whose labels would share a file, and those that cannot be copied.
    `splits` gives pictures another split, by their paths; the problems name them by the one that they have.

    The copies have the pixels of the originals, without place, author and camera, unless `keep_details`.

    The folder gets its name when it is complete, so that a kill leaves no half folder, and no existing file is
    overwritten. Raises InputError if the folder exists and is not empty, or it cannot be written.
    """
    target = _known(format_name)
    if target.write is None:
        raise InputError("unknown_format", f"'{format_name}' is only read: write one of {', '.join(WRITTEN)}.")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError("not_empty", f"'{out}' is there already and not empty: name a new folder.", path=str(out))
    whole, incomplete = complete(pictures)
    moved = [(picture, _moved(picture, splits)) for picture in whole]
    chosen, clashes = _without_clashes(moved, target, fold=is_archive(out))
    problems = incomplete + clashes
    with _workspace(out) as workspace:
        kept = []
        for done, (picture, copy) in enumerate(chosen, start=1):
            place = workspace / target.picture_place(copy)
            place.parent.mkdir(parents=True, exist_ok=True)
            try:
                copy_picture(picture.path, place, keep_details=keep_details)
                kept.append(copy)
            except OSError as error:
                if error.filename != str(picture.path):
                    raise
                detail = f"left out, it cannot be copied ({error.strerror})"
                problems.append(_left_out(picture, "unreadable_picture", detail))
            progress(done, len(chosen))
        target.write(kept, workspace)
    return tuple(problems)


@contextmanager
def _workspace(out: Path) -> Iterator[Path]:
    """A folder beside `out` that becomes `out` at the end, packed if that is an archive; raises InputError."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with sole_writer(out):
            workspace, packed = hidden_beside(out, "partial"), hidden_beside(out, "packed")
            try:
                shutil.rmtree(workspace, ignore_errors=True)  # a killed run left it
                workspace.mkdir()
                yield workspace
                if hasattr(os, "sync"):
                    os.sync()
                if is_archive(out):
                    packed.unlink(missing_ok=True)
                    pack(workspace, packed, like=out)
                    packed.rename(out)
                else:
                    if out.exists():
                        out.rmdir()
                    workspace.rename(out)
            finally:
                shutil.rmtree(workspace, ignore_errors=True)
                packed.unlink(missing_ok=True)
    except OSError as error:
        raise cannot_write(out, error) from None


def _known(format_name: str) -> Format:
    if format_name not in FORMATS:
        choices = ", ".join(sorted(FORMATS))
        raise InputError("unknown_format", f"'{format_name}' is no known format: choose one of {choices}.")
    return FORMATS[format_name]


def _moved(picture: LabelledPicture, splits: Mapping[Path, str]) -> LabelledPicture:
    """The picture under the split and the name of its copy."""
    name = PurePosixPath(picture.name)
    suffix = copied_suffix(name.suffix)
    named = picture.name if suffix == name.suffix else str(name.with_suffix(suffix))
    return replace(picture, name=named, split=splits.get(picture.path, picture.split))


def _without_clashes(
    moved: Iterable[tuple[LabelledPicture, LabelledPicture]], target: Format, *, fold: bool
) -> tuple[list[tuple[LabelledPicture, LabelledPicture]], list[Problem]]:
    """The pictures and their copies without name clashes; of several with one label file, the first stays.

    With `fold`, names that differ in case alone clash, as on the machine of whoever unpacks them.
    """
    taken: dict[str, tuple[LabelledPicture, LabelledPicture]] = {}
    problems: list[Problem] = []
    for picture, copy in moved:
        key = target.label_key(copy)
        first, _ = taken.setdefault(key.casefold() if fold else key, (picture, copy))
        if first is not picture:
            other = first.path if first.key == picture.key else first.key
            detail = f"left out, '{other}' has the same name and their labels would share a file"
            problems.append(_left_out(picture, "same_name", detail))
    return list(taken.values()), problems


def _left_out(picture: LabelledPicture, code: str, detail: str) -> Problem:
    return Problem(code, picture.key, detail, len(picture.boxes), picture.path)


def same_files(pictures: Iterable[LabelledPicture]) -> list[tuple[LabelledPicture, ...]]:
    """Pictures of several splits whose files are equal byte by byte; only files of one size are read."""
    by_size: dict[int, list[LabelledPicture]] = defaultdict(list)
    for picture in pictures:
        by_size[picture.path.stat().st_size].append(picture)
    groups: dict[bytes, list[LabelledPicture]] = defaultdict(list)
    for group in by_size.values():
        if len({picture.split for picture in group}) > 1:
            for picture in group:
                groups[hashlib.sha256(picture.path.read_bytes()).digest()].append(picture)
    return [tuple(group) for group in groups.values() if len({picture.split for picture in group}) > 1]
