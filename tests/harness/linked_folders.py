"""Twelve label folders in which a link leads out, and the files outside that must stay as they are."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tilescore.datasets import formats
from tilescore.datasets.annotation.folder import AnnotationFolder
from tilescore.datasets.annotation.index import Index
from tilescore.datasets.labels import CLASS_NAMES
from tilescore.datasets.marks import Annotation, Mark
from tilescore.datasets.sample import SAMPLES
from tilescore.errors import InputError
from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SECRET: Final = "root:x:0:0:secret"  # noqa: S105  # a line that must not appear anywhere
LINKS: Final = (
    "labels", "labels/a.txt", "labels/.a.txt.next", "images", "images/a.jpg", "classes.txt", "data.yaml", ".tilescore",
    ".tilescore/history", ".tilescore/history/images/a.jpg.jsonl", ".tilescore/originals",
    ".tilescore/predictions.jsonl",
)  # fmt: skip
"""The paths in the folder that are links, one in each folder."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened to one folder."""

    changed: int  # bytes outside that are no longer as they were, or new
    said: str  # all sentences that were told about the folder


def linked(place: Path, link: str) -> Outcome:
    """Label a picture in a folder in which that path is a link from the start."""
    root, outside = _folders(place)
    _swap(root, outside, link)
    before = _contents(outside)
    said = _all_said(lambda: _work(root)) + _all_said(lambda: formats.read(root))
    return Outcome(_difference(before, _contents(outside)), said)


def swapped(place: Path, link: str) -> Outcome:
    """Label a picture in a folder in which that path becomes a link while we work."""
    root, outside = _folders(place)
    folder = AnnotationFolder(root)
    picture = folder.pictures()[0][0]
    now = folder.save(picture, Annotation((_mark("1m"),)), by="Ann")
    index = Index(folder)
    index.refresh()
    _swap(root, outside, link)
    before = _contents(outside)
    said = ""
    for work in (
        lambda: folder.save(picture, Annotation((_mark("2m"),), version=now.version), by="Ann"),
        lambda: folder.open(picture).problems,
        lambda: folder.photo(picture),
        index.refresh,
        index.share_predictions,
    ):
        said += _all_said(work)
    return Outcome(_difference(before, _contents(outside)), said)


def _folders(place: Path) -> tuple[Path, Path]:
    """A folder with a labelled picture, and a folder outside that has the same files, with secrets."""
    root, outside = place / "set", place / "outside"
    for folder in (root, outside):
        for name in ("images", "labels", ".tilescore/history/images", ".tilescore/originals"):
            (folder / name).mkdir(parents=True)
        shutil.copy(SAMPLES / "riichi_closed.jpg", folder / "images" / "a.jpg")
        (folder / "labels" / "a.txt").write_text("0 0.5 0.5 0.1 0.2\n")
    (root / "classes.txt").write_text("".join(f"{name}\n" for name in CLASS_NAMES))
    for path in ("labels/.a.txt.next", "classes.txt", "data.yaml", ".tilescore/history/images/a.jpg.jsonl"):
        (outside / path).write_text(f"{SECRET}\n")
    for path in ("labels/a.txt", ".tilescore/originals/a.txt", ".tilescore/predictions.jsonl"):
        (outside / path).write_text(f"{SECRET}\n")
    return root, outside


def _swap(root: Path, outside: Path, link: str) -> None:
    """Put a link in the place of that path."""
    place = root / link
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)
    place.symlink_to(outside / link, target_is_directory=(outside / link).is_dir())


def _work(root: Path) -> None:
    """Open the folder, index it, and change the labels of each picture."""
    folder = AnnotationFolder(root)
    Index(folder).refresh()
    pictures, problems = folder.pictures()
    for picture in pictures:
        opened = folder.open(picture)
        folder.save(picture, Annotation((_mark("2m"),), version=opened.now.version), by="Ann")
        problems = (*problems, *opened.problems)
    if problems:
        raise InputError("problems", " ".join(map(str, problems)))


def _all_said(work: Callable[[], object]) -> str:
    try:
        return f"{work()!s}\n"
    except InputError as error:
        return f"{error}\n"


def _mark(name: str) -> Mark:
    return Mark(name, Box(100, 100, 200, 260))


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def _difference(before: dict[str, bytes], after: dict[str, bytes]) -> int:
    """The number of bytes that differ or came."""
    changed = sum(len(data) or 1 for path, data in before.items() if after.get(path) != data)
    return changed + sum(len(data) or 1 for path, data in after.items() if path not in before)
