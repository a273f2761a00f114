"""The command that starts the app on its annotation page."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tilescore.errors import InputError
from tilescore.files.outputs import aside_of, write_whole
from tilescore.ui.cli.options import NoBrowser, Port, place_of
from tilescore.ui.cli.sets.reading import BY_MODEL, Names, read_set, require_pictures, settled, tell
from tilescore.ui.cli.terminal import say

if TYPE_CHECKING:
    from tilescore.datasets.annotation.folder import AnnotationFolder
    from tilescore.datasets.names.class_names import Settled

_MEANINGS: Final = ".tilescore/copied.json"
"""What the class names of the set were taken to mean when its copy was made, below the copy."""


def annotate(
    folder: Annotated[
        Path | None,
        typer.Argument(
            parser=place_of,
            help="A folder of pictures; without it, the photos given to learn from.",
            show_default=False,
        ),
    ] = None,
    *,
    model: Annotated[
        str, typer.Option("--model", help="Name of a shipped or learned model, or an .onnx file.", show_default=False)
    ] = "",
    names: Names = "",
    port: Port = 8501,
    no_browser: NoBrowser = False,
) -> None:
    """Label pictures in the browser: the model suggests, you correct; every change is kept at once."""
    from tilescore.datasets.annotation.folder import AnnotationFolder  # OpenCV
    from tilescore.datasets.annotation.index import Index
    from tilescore.models.registry import find  # loads the networks' engine
    from tilescore.ui.pages.annotate import FOLDER, MODEL
    from tilescore.ui.storage.kept_photos import queue

    if folder is None and not queue().is_dir():
        raise InputError("no_folder", "no photo was given to learn from yet: name a folder, tilescore annotate DIR.")
    folder = folder or queue()
    folder = ready_to_label(folder, names)
    Index(AnnotationFolder(folder))  # an unusable folder is reported here, not in the browser
    find(model)  # reported here, not in the browser
    if model:
        os.environ[MODEL] = model
    os.environ[FOLDER] = str(folder.resolve())
    from tilescore.ui.server.server import serve  # loads what serves

    serve(port, browser=not no_browser)


def ready_to_label(folder: Path, names: str = "") -> Path:
    """The folder that can be labelled: this one, or a copy in YOLO form of an archive or of a set in another format.

    `names` is what `--names` says. Raises InputError if the folder cannot be used, or none of its labels can.
    """
    from tilescore.datasets.annotation.folder import IN_PLACE, AnnotationFolder, format_of  # OpenCV
    from tilescore.datasets.intake.archives import is_archive
    from tilescore.ui.cli.sets.unpacking import unpack_at

    root = folder.resolve()
    copy = root.with_name(f"{root.name}-tilescore")
    is_packed = is_archive(folder) and folder.is_file()
    label_format = "" if is_packed else format_of(folder)
    if label_format == IN_PLACE and names != BY_MODEL:
        _explain(AnnotationFolder(folder), settled(names))
        return folder
    why = f"'{folder}' is an archive" if is_packed else f"'{folder}' holds labels in the format {label_format}"
    if copy.exists() and _is_up_to_date(copy, names):
        say(f"{why}: its copy '{copy}' is opened", err=True)
        if (copy / _MEANINGS).exists() and _has_changed(root, copy):
            say(f"note: '{folder}' has changed since: to label it anew, rename its copy", err=True)
        return copy
    if is_packed:
        with tempfile.TemporaryDirectory(prefix="tilescore-") as place:
            _copy(unpack_at(Path(place), folder), copy, names)
    else:
        _copy(folder, copy, names)
    say(f"{why}: a copy that can be labelled is in '{copy}'", err=True)
    return copy


def _copy(folder: Path, copy: Path, names: str) -> None:
    """Write a copy of a set in the form that can be labelled; an earlier one, which nobody changed, is put aside."""
    from tilescore.datasets import formats  # OpenCV
    from tilescore.datasets.annotation.folder import IN_PLACE
    from tilescore.datasets.labels import UNKNOWN
    from tilescore.datasets.names.class_names import names_text

    labels = read_set(folder, format_name=None, names=names, keep_open=True).labels
    require_pictures(labels.pictures, labels, folder)
    if copy.exists():
        aside = aside_of(copy)
        copy.rename(aside)
        say(f"'{copy}' is made anew; as it was, it lies in '{aside}'", err=True)
    tell(labels, formats.write(labels.pictures, copy, format_name=IN_PLACE))
    meanings = {entry.name: entry.tile if entry.sure else UNKNOWN for entry in labels.classes}
    (copy / _MEANINGS).parent.mkdir(exist_ok=True)
    write_whole(copy / _MEANINGS, names_text({BY_MODEL: BY_MODEL} if names == BY_MODEL else meanings).encode())


def _is_up_to_date(copy: Path, names: str) -> bool:
    """Whether a copy agrees with `--names`, perhaps after its open names were explained.

    Raises InputError if it does not, and somebody has worked on it.
    """
    from tilescore.datasets.annotation.folder import AnnotationFolder  # OpenCV
    from tilescore.datasets.labels import UNKNOWN

    before = _meanings_of(copy)
    answers = {} if names == BY_MODEL else settled(names)
    other = [name for name, tile in answers.items() if before.get(name, UNKNOWN) not in (UNKNOWN, tile)]
    if names == BY_MODEL and BY_MODEL not in before:
        other = [BY_MODEL]
    if not other:
        _explain(AnnotationFolder(copy), {f"{UNKNOWN}{name}": tile for name, tile in answers.items()})
        return True
    if not _is_unchanged(copy):
        was = "other names" if other == [BY_MODEL] else f"{other[0]} = {before[other[0]] or 'null'}"
        message = (
            f"'{copy}' was made with {was}, and somebody has worked on it since: rename this folder, and a new copy "
            "follows --names; or rename the tiles in the view 'One tile, all pictures'."
        )
        raise InputError("copy_is_older", message, path=str(copy))
    return False


def _is_unchanged(copy: Path) -> bool:
    """Whether no file of a copy has changed since it was made; predictions do not count."""
    made = (copy / _MEANINGS).stat().st_mtime_ns
    files = (path for path in copy.rglob("*") if path.is_file() and path.name != "predictions.jsonl")
    return all(path.lstat().st_mtime_ns <= made for path in files)


def _has_changed(root: Path, copy: Path) -> bool:
    """Whether a file of a set was changed, put there or removed after its copy was made.

    A file out of an archive keeps an older date, and only its folder shows that a file is gone.
    """
    made = (copy / _MEANINGS).stat().st_ctime_ns
    times = (path.lstat() for path in (root, *root.rglob("*")))
    return any(max(time.st_mtime_ns, time.st_ctime_ns) > made for time in times)


def _meanings_of(copy: Path) -> Settled:
    """What the class names of the set were taken to mean when the copy was made; nothing if that is not known."""
    try:
        meanings = json.loads((copy / _MEANINGS).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return meanings if isinstance(meanings, dict) else {}


def _explain(labelled: AnnotationFolder, names: Settled) -> None:
    if names:
        labelled.explain(names)
