"""Reads a data set for a command, and tells a person in a few lines how it was understood."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tilescore.base.errors import InputError
from tilescore.base.files.names import text_of
from tilescore.ui.cli.terminal import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tilescore.datasets.labels import LabelSet, Problem
    from tilescore.datasets.names.class_names import Settled
    from tilescore.datasets.names.looks import Look, Namer

Names = Annotated[
    str,
    typer.Option(
        "--names",
        metavar="FILE",
        help='What class names mean: a JSON file such as {"sya-": "3z", "tile": null}; `ours` for our 46 classes.',
        show_default=False,
    ),
]
NoLook = Annotated[
    bool, typer.Option("--no-look", help="Do not let the model compare the names with the pictures (faster).")
]
_MOST_LINES: Final = 8
"""Problems of one kind that the terminal shows; `--json` gives all."""
_MOST_NAMES: Final = 4
"""Names that the line about the class names quotes."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A data set as a command reads it.

    Attributes:
        found: its pictures, problems and notes.
        has_open_names: whether a person must still say what labels mean; the command then ends with exit status 2.
    """

    found: LabelSet
    has_open_names: bool


def settled(names: str) -> Settled:
    """What `--names` says; raises InputError."""
    from tilescore.datasets.names.class_names import load_names

    return load_names(names) if names else {}


def read_set(
    folder: Path, *, format_name: str | None, names: str, look: bool = True, keep_open: bool = False
) -> Reading:
    """Read a set and print how its names and splits were understood.

    With `keep_open`, the labels of open names stay, under names that begin with UNKNOWN.

    Raises:
        InputError: it is no set, nothing says what its numbers mean, or none of its shapes can be used.
    """
    from tilescore.datasets import formats  # OpenCV
    from tilescore.ui.cli.progress import progress_bar

    answers = settled(names)
    namer = _namer() if look else None
    turned = None if namer is None else partial(_better, namer=namer)
    with progress_bar("reading") as progress:
        found = formats.read(
            folder, format_name=format_name, names=answers, look=turned, progress=progress, keep_open=keep_open
        )
    notes = [*found.notes, *_odd_files(folder), *_split_notes(found)]
    if namer is not None and found.boxes:
        seen = look_at_set(found, namer)
        notes += [] if seen.note is None else [seen.note]
    found = replace(found, notes=tuple(notes))
    if found.lost and not found.boxes:
        message = (
            f"'{folder}' has {found.lost} labels, and none of them can be used ({_reasons(found)}): see tilescore "
            f"dataset names {folder}."
        )
        raise InputError("no_usable_boxes", message)
    for line in name_lines(found, kept=keep_open):
        say(line, err=True)
    return Reading(found, any(each.is_open for each in found.classes))


def require_pictures(found: LabelSet, folder: Path) -> None:
    """Raise InputError if no picture of the set can be used."""
    if not found.pictures:
        why = f" ({_reasons(found)})" if found.problems else ""
        message = f"'{folder}' has no picture that can be used{why}: look at its labels with tilescore dataset check."
        raise InputError("no_pictures", message)


def _reasons(found: LabelSet) -> str:
    """The first reasons why something of the set cannot be used."""
    return "; ".join(dict.fromkeys(problem.detail for problem in found.problems[:3]))


def tell(found: LabelSet, left_out: Iterable[Problem] = ()) -> None:
    """Print the notes, and what was skipped: some lines of each kind."""
    for note in found.notes:
        say(f"note: {note}", err=True)
    by_code: dict[str, list[Problem]] = defaultdict(list)
    for problem in (*found.problems, *left_out):
        by_code[problem.code].append(problem)
    for code, problems in by_code.items():
        for problem in problems[:_MOST_LINES]:
            say(f"skipped: {problem}", err=True)
        if len(problems) > _MOST_LINES:
            say(f"skipped: {len(problems) - _MOST_LINES} more of the kind {code}", err=True)


def name_lines(found: LabelSet, *, kept: bool) -> Iterator[str]:
    """What foreign class names are taken to mean: one line for the sure ones, one for the others."""
    source = "--names" if found.numbered else found.source or "labels"
    used = [each for each in found.classes if each.count]
    foreign = [each for each in used if each.sure and each.name != each.tile]
    if foreign:
        listed = ", ".join(f"{each.name} = {each.tile or 'no tile'}" for each in foreign[:_MOST_NAMES])
        more = f", ... {len(foreign) - _MOST_NAMES} more" if len(foreign) > _MOST_NAMES else ""
        yield f"names ({source}): {listed}{more}; all of them: tilescore dataset names"
    still = [each for each in used if each.is_open]
    if still:
        listed = ", ".join(f"'{each.name}'" for each in still[:12]) + (", ..." if len(still) > 12 else "")
        boxes = sum(each.count for each in still)
        fate = (
            "show with a question mark: say it in the view Class names" if kept else "are left out: say it with --names"
        )
        yield f"names ({source}): nobody can know what {listed} mean; {boxes} labels {fate}"


def look_at_set(found: LabelSet, namer: Namer | None = None) -> Look:
    """What the model sees in crops of each class."""
    from tilescore.datasets.names.looks import look_at

    return look_at(found.pictures, namer or _namer())


def _namer() -> Namer:
    from tilescore.models.registry import DEFAULT, load_reader  # loads the networks

    classifier = load_reader(DEFAULT).classifier
    if classifier is None:
        raise InputError("no_classifier", f"the model '{DEFAULT}' has no classifier: reinstall tilescore.")
    return classifier


def _better(path: Path, choices: object, *, namer: Namer) -> int | None:
    from tilescore.datasets.names.looks import better_boxes

    return better_boxes(path, choices, namer)  # type: ignore[arg-type]


def _odd_files(folder: Path) -> Iterator[Problem]:
    """What has the name of a picture below the set and is no plain file."""
    from tilescore.datasets.labels import Problem
    from tilescore.datasets.picture_files import listed_below

    root = folder if folder.is_dir() else folder.parent
    for path, kind in listed_below(root).odd:
        yield Problem("no_plain_file", text_of(path), f"it is {kind}, and passed over")


def _split_notes(found: LabelSet) -> Iterator[Problem]:
    """What is missing in the splits, and pictures that are in several of them."""
    from tilescore.datasets.formats import same_files
    from tilescore.datasets.labels import Problem

    splits = {picture.split for picture in found.pictures}
    named = ", ".join(sorted(split for split in splits if split))
    if splits == {"train"}:
        yield Problem(
            "train_only", "splits",
            "every picture is in train, and none in val or test: tilescore dataset split makes all three",
        )  # fmt: skip
    elif splits - {""} and "train" not in splits:
        yield Problem("no_train", "splits", f"no picture is in train, only in {named}")
    groups = same_files(found.pictures)
    if groups:
        first = " and ".join(picture.key for picture in groups[0])
        detail = f"pictures that are in several splits byte for byte: {len(groups)}, for example {first}"
        yield Problem("same_picture", "splits", f"{detail}; tilescore dataset split puts them together")
