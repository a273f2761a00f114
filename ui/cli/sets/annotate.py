"""The command that starts the app on its annotation page."""

from __future__ import annotations

import os
from pathlib import Path  # noqa: TC003  # typer reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer

from tilescore.base.errors import InputError
from tilescore.ui.cli.sets.reading import Names, read_set, require_pictures, settled, tell
from tilescore.ui.cli.terminal import say

if TYPE_CHECKING:
    from tilescore.datasets.annotation.folder import AnnotationFolder
    from tilescore.datasets.names.class_names import Settled


def annotate(
    folder: Annotated[
        Path | None,
        typer.Argument(help="A folder of pictures; without it, the photos given to learn from.", show_default=False),
    ] = None,
    *,
    model: Annotated[
        str, typer.Option("--model", help="Name of a shipped or learned model, or an .onnx file.", show_default=False)
    ] = "",
    names: Names = "",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Where the app listens on this machine.")] = 8501,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")] = False,
) -> None:
    """Label pictures in the browser: the model suggests, you correct; every change is kept at once."""
    from tilescore.models.registry import find  # loads the networks' engine
    from tilescore.ui.pages.annotate.page import FOLDER, MODEL  # loads Streamlit
    from tilescore.ui.server.server import serve
    from tilescore.ui.storage.kept_photos import queue

    if folder is None and not queue().is_dir():
        raise InputError("no_folder", "no photo was given to learn from yet: name a folder, tilescore annotate DIR.")
    folder = folder or queue()
    folder = ready_to_label(folder, names)  # an unusable folder is reported here, not in the browser
    if model:
        find(model)
        os.environ[MODEL] = model
    os.environ[FOLDER] = str(folder.resolve())
    serve(port, browser=not no_browser)


def ready_to_label(folder: Path, names: str = "") -> Path:
    """The folder that can be labelled: this one, or a copy in YOLO form of a set in another format.

    Args:
        folder: the pictures of a person, perhaps with labels.
        names: what `--names` says.

    Raises:
        InputError: the folder cannot be used, or none of its labels can.
    """
    from tilescore.datasets import formats  # OpenCV
    from tilescore.datasets.annotation.folder import IN_PLACE, AnnotationFolder, format_of
    from tilescore.datasets.labels import UNKNOWN

    known = format_of(folder)
    answers = settled(names)
    if known == IN_PLACE:
        _explain(AnnotationFolder(folder), answers)
        return folder
    root = folder.resolve()
    copy = root.with_name(f"{root.name}-tilescore")
    if copy.exists():
        _explain(AnnotationFolder(copy), {f"{UNKNOWN}{name}": tile for name, tile in answers.items()})
        say(f"'{folder}' holds labels in the format {known}: its copy '{copy}' is opened", err=True)
        return copy
    found = read_set(folder, format_name=None, names=names, keep_open=True).found
    require_pictures(found.pictures, found, folder)
    tell(found, formats.write(found.pictures, copy, format_name=IN_PLACE))
    say(f"'{folder}' holds labels in the format {known}: a copy that can be labelled is in '{copy}'", err=True)
    return copy


def _explain(labelled: AnnotationFolder, names: Settled) -> None:
    """Keep what `--names` says in a folder that can be labelled."""
    if names:
        labelled.explain(names)
