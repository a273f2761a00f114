"""The judged hands of a set as a file for the fit of the layout."""

import json
from dataclasses import dataclass
from pathlib import Path

from tilescore.datasets.checks.scans import scan_all
from tilescore.datasets.labels import LabelSet
from tilescore.datasets.layouts.judged import judged_line
from tilescore.datasets.splits import scenes_of
from tilescore.errors import InputError
from tilescore.models.registry import load_reader
from tilescore.printable import as_argument
from tilescore.processes.progress import Progress, unseen
from tilescore.vision.image.photo import PhotoError, load_photo


@dataclass(frozen=True, slots=True)
class Written:
    """What became of the judged pictures.

    Attributes:
        unchecked: how many were left out because nobody has checked their labels.
        unreadable: why others were left out, because they cannot be opened.
    """

    written: int
    unchecked: int
    unreadable: tuple[str, ...]


def write_layouts(labels: LabelSet, out: Path, *, source: str, model: str, progress: Progress = unseen) -> Written:
    """Write one line for each checked picture whose hand a person has judged.

    Raises InputError if there is no such picture, or the file cannot be written.
    """
    judged = [picture for picture in labels.pictures if picture.hand]
    checked = [picture for picture in judged if picture.checked]
    if not checked:
        message = (
            f"'{labels.root}' has no checked picture whose roles somebody has judged ({len(judged)} are judged): open "
            f"it with tilescore annotate {as_argument(labels.root)}, press Space where the names are right "
            "and r for the roles."
        )
        raise InputError("nothing_judged", message)
    scans = scan_all([picture.path for picture in checked])
    scenes = scenes_of(checked, [scan.fingerprint for scan in scans])
    reader, lines = load_reader(model), []
    unreadable: list[str] = []
    for done, (picture, scene) in enumerate(zip(checked, scenes, strict=True), start=1):
        try:
            seen = reader.read(load_photo(picture.path)).seen
            lines.append(json.dumps(judged_line(picture, seen, source=source, scene=f"{source} {scene}")))
        except PhotoError as error:
            unreadable.append(str(error))
        progress(done, len(checked))
    try:
        out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise InputError("cannot_write", f"'{out}' cannot be written ({error.strerror}).", path=str(out)) from None
    return Written(len(lines), len(judged) - len(checked), tuple(unreadable))
