"""The command that writes the judged hands of a set for the fit of the layout."""

from __future__ import annotations

import json
from pathlib import Path  # typer reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer

from tilescore.errors import InputError
from tilescore.files.outputs import check_output, write_whole
from tilescore.printable import as_argument, counted
from tilescore.ui.cli.options import Model
from tilescore.ui.cli.progress import progress_bar
from tilescore.ui.cli.sets.reading import Folder, FormatName, Names, read_set
from tilescore.ui.cli.terminal import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tilescore.datasets.labels import LabelledPicture


def layouts(
    folder: Folder,
    out: Annotated[Path, typer.Argument(help="The file to write, in the form of a layouts.jsonl.", show_default=False)],
    *,
    source: Annotated[str, typer.Option(help="Who took the pictures; by default the name of the folder.")] = "",
    model: Model = "",
    format_name: FormatName = None,
    names: Names = "",
) -> None:
    """Write the roles that people judged in the annotator, for the fit of the layout (make fit-layout JUDGED=FILE)."""
    check_output(out, option="FILE", is_ours=_is_ours)
    labels = read_set(folder, format_name=format_name, names=names, look=False).labels
    judged = [picture for picture in labels.pictures if picture.hand]
    checked = [picture for picture in judged if picture.checked]
    if not checked:
        message = (
            f"'{labels.root}' has no checked picture whose roles somebody has judged ({len(judged)} are judged): open "
            f"it with tilescore annotate {as_argument(labels.root)}, press Space where the names are right "
            "and r for the roles."
        )
        raise InputError("nothing_judged", message)
    lines, unreadable = _judged_lines(checked, source or labels.root.resolve().name, model)
    write_whole(out, "".join(f"{line}\n" for line in lines).encode())
    for reason in unreadable:
        say(f"skipped: {reason}", err=True)
    left_out = len(judged) - len(checked)
    unchecked = f"; left out, as nobody has checked their names: {left_out}" if left_out else ""
    say(f"wrote {out}: {counted(len(lines), 'judged picture')}{unchecked}", err=True)


def _is_ours(path: Path) -> bool:
    """Whether the file is one that this command wrote before."""
    with path.open(encoding="utf-8") as file:
        line = json.loads(next(file))
    return isinstance(line, dict) and "truth" in line


def _judged_lines(pictures: Sequence[LabelledPicture], source: str, model: str) -> tuple[list[str], list[str]]:
    """The line of each picture that can be opened, and why others cannot."""
    from tilescore.datasets.checks.scans import scan_all  # OpenCV
    from tilescore.datasets.layouts.judged import judged_line
    from tilescore.datasets.splits import scenes_of
    from tilescore.models.registry import load_reader
    from tilescore.vision.image.photo import PhotoError, load_photo

    lines, unreadable = [], []
    with progress_bar("reading") as progress:
        scans = scan_all([picture.path for picture in pictures])
        scenes = scenes_of(pictures, [scan.fingerprint for scan in scans])
        reader = load_reader(model)
        for done, (picture, scene) in enumerate(zip(pictures, scenes, strict=True), start=1):
            try:
                seen = reader.read(load_photo(picture.path)).seen
                lines.append(json.dumps(judged_line(picture, seen, source=source, scene=f"{source} {scene}")))
            except PhotoError as error:
                unreadable.append(str(error))
            progress(done, len(pictures))
    return lines, unreadable
