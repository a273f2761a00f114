"""The command that keeps versions of the labels in a folder, and goes back to one."""

from pathlib import Path  # typer reads the annotations
from typing import Annotated

import typer

from tilescore.errors import InputError
from tilescore.printable import counted
from tilescore.ui.cli.options import place_of
from tilescore.ui.cli.progress import progress_bar
from tilescore.ui.cli.terminal import say


def versions(
    folder: Annotated[
        Path, typer.Argument(parser=place_of, help="A folder that is being labelled.", show_default=False)
    ],
    *,
    keep: Annotated[
        str | None, typer.Option(help="Keep the labels as they are, with a note, e.g. --keep 'before renaming'.")
    ] = None,
    back: Annotated[
        int | None, typer.Option(min=1, help="Go back to the labels of this version; the present ones are kept first.")
    ] = None,
) -> None:
    """List the kept versions of the labels, keep another one, or go back to one; pictures stay as they are."""
    from tilescore.datasets.annotation import versions as kept  # OpenCV
    from tilescore.datasets.annotation.folder import AnnotationFolder

    if keep is not None and back is not None:
        raise InputError("two_tasks", "--keep and --back are two tasks: --back keeps the present labels by itself.")
    labelled = AnnotationFolder(folder)
    if back is not None and back not in {version.number for version in kept.versions(labelled)}:
        numbers = ", ".join(str(version.number) for version in kept.versions(labelled)) or "none"
        raise InputError("no_such_version", f"'{folder}' has no version {back}: it has {numbers}.", number=back)
    if keep is not None or back is not None:
        with progress_bar("keeping") as progress:
            note = f"before going back to {back}" if keep is None else keep
            now = kept.keep(labelled, note, for_the_note=keep is not None, progress=progress)
        say(f"kept as version {now.number}", err=True)
    if back is not None:
        with progress_bar("going back") as progress:
            done = kept.go_back(labelled, back, progress=progress)
        more = f"; {counted(done.later, 'later picture')} as before" if done.later else ""
        gone = f"; {counted(done.gone, 'picture')} of it gone" if done.gone else ""
        say(f"labels of version {back}: {counted(done.changed, 'picture')} changed{more}{gone}", err=True)
    listed = kept.versions(labelled)
    if not listed:
        say(f"'{folder}' has no version yet: --keep NOTE keeps one.", err=True)
    for version in listed:
        note = f"  {version.note}" if version.note else ""
        what = f"{counted(version.pictures, 'picture')}, {counted(version.labels, 'label')}"
        say(f"{version.number:>4}  {version.at}  {what}{note}")
