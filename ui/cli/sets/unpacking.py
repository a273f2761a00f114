"""Unpacks a data set in one file, such as a downloaded `.zip`, for as long as a command runs."""

import atexit
import shutil
import tempfile
from functools import partial
from pathlib import Path

import typer  # typer reads the annotations

from tilescore.datasets.intake.archives import has_garbled_names, is_archive, unpack
from tilescore.ui.cli.terminal import name_as_given, say


def unpacked(context: typer.Context, folder: Path | None) -> Path | None:
    """The folder itself, or a temporary one with what the archive holds; raises InputError for a refused archive."""
    if folder is None or context.resilient_parsing or not (is_archive(folder) and folder.is_file()):
        return folder
    place = Path(tempfile.mkdtemp(prefix="tilescore-"))
    remove = partial(shutil.rmtree, place, ignore_errors=True)
    context.call_on_close(remove)
    atexit.register(remove)  # a command that is refused at its words is not closed
    return unpack_at(place, folder)


def unpack_at(place: Path, archive: Path) -> Path:
    """Unpack into a new folder at that place, which every message names as the archive; raises InputError."""
    name_as_given(place / archive.name, archive)
    root = unpack(archive, place / archive.name)
    if has_garbled_names(archive):
        why = "names its files in a code page that it does not say, so that some names are garbled"
        say(f"note: '{archive}' {why}: unpack it yourself and give the folder", err=True)
    return root
