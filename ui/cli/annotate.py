"""The command that starts the app on its annotation page."""

from __future__ import annotations

import os
from pathlib import Path  # noqa: TC003  # typer reads the annotations
from typing import Annotated

import typer

from tilescore.base.errors import InputError


def annotate(
    folder: Annotated[
        Path | None,
        typer.Argument(help="A folder of pictures; without it, the photos given to learn from.", show_default=False),
    ] = None,
    *,
    model: Annotated[
        str, typer.Option("--model", help="Name of a shipped or learned model, or an .onnx file.", show_default=False)
    ] = "",
    port: Annotated[int, typer.Option(help="Where the app listens on this machine.")] = 8501,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")] = False,
) -> None:
    """Label pictures in the browser: the model suggests, you correct; every change is kept at once."""
    from tilescore.datasets.annotation.folder import AnnotationFolder  # OpenCV
    from tilescore.models.registry import find  # loads the networks' engine
    from tilescore.ui.pages.annotate.page import FOLDER, MODEL  # loads Streamlit
    from tilescore.ui.server.server import serve
    from tilescore.ui.storage.kept_photos import queue

    if folder is None and not queue().is_dir():
        raise InputError("no_folder", "no photo was given to learn from yet: name a folder, tilescore annotate DIR.")
    folder = folder or queue()
    AnnotationFolder(folder)  # an unusable folder is reported here, not in the browser
    if model:
        find(model)
        os.environ[MODEL] = model
    os.environ[FOLDER] = str(folder.resolve())
    serve(port, browser=not no_browser)
