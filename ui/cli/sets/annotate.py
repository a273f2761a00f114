"""The command that starts the app on its annotation page."""

from __future__ import annotations

import os
from pathlib import Path  # noqa: TC003  # typer reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer

from tilescore.base.errors import InputError
from tilescore.ui.cli.sets.reading import Names, settled, tell
from tilescore.ui.cli.terminal import say

if TYPE_CHECKING:
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
    folder = ready_to_label(folder, settled(names))  # an unusable folder is reported here, not in the browser
    if model:
        find(model)
        os.environ[MODEL] = model
    os.environ[FOLDER] = str(folder.resolve())
    serve(port, browser=not no_browser)


def ready_to_label(folder: Path, names: Settled) -> Path:
    """The folder that can be labelled: this one, or a copy in YOLO form of a set in another format.

    Raises:
        InputError: the folder cannot be used.
    """
    from tilescore.datasets import formats  # OpenCV
    from tilescore.datasets.annotation.folder import READY, AnnotationFolder

    try:
        known = formats.detect(folder)
    except InputError:
        known = "yolo"
    if known in READY:
        labelled = AnnotationFolder(folder)
        if names:
            labelled.explain(names)
        return folder
    copy = folder.resolve().with_name(f"{folder.resolve().name}-tilescore")
    if copy.exists():
        say(f"'{folder}' holds labels in the format {known}: its copy '{copy}' is opened", err=True)
        return copy
    found = formats.read(folder, format_name=known, names=names)
    tell(found, formats.write(found.pictures, copy, format_name="yolo"))
    say(f"'{folder}' holds labels in the format {known}: a copy that can be labelled is in '{copy}'", err=True)
    return copy
