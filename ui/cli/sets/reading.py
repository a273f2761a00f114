"""Reads a data set for a command, and tells a person in a few lines how it was understood."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path  # typer reads the annotations
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tilescore.errors import InputError
from tilescore.files.names import text_of
from tilescore.printable import as_argument, counted
from tilescore.ui.cli.options import place_of
from tilescore.ui.cli.progress import progress_bar
from tilescore.ui.cli.sets.unpacking import unpacked
from tilescore.ui.cli.terminal import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tilescore.datasets.labels import LabelledPicture, LabelSet, Problem
    from tilescore.datasets.names.class_names import Settled
    from tilescore.datasets.names.looks import Namer

Folder = Annotated[
    Path,
    typer.Argument(
        parser=place_of,
        help="A data set: its folder, its label file, or a .zip or .tar of it.",
        show_default=False,
        callback=unpacked,
    ),
]
FormatName = Annotated[
    str | None,
    typer.Option("--from", help="Format of the labels, e.g. yolo or coco; told from the files when not given."),
]
Names = Annotated[
    str,
    typer.Option(
        "--names",
        metavar="FILE",
        help="What class names mean: a file with lines such as `sya- = 3z`, or the lines; `ours` for our 46 classes; "
        "`model` lets the model name tiles whose labels only say where they lie.",
        show_default=False,
    ),
]
NoLook = Annotated[
    bool, typer.Option("--no-look", help="Do not let the model compare the names with the pictures (faster).")
]
BY_MODEL: Final = "model"
"""The value of `--names` that lets the model name tiles."""
_MOST_LINES: Final = 8
"""Problems of one kind that the terminal shows; `--json` gives all."""
_MOST_NAMES: Final = 4
"""Names that the line about the class names quotes."""


@dataclass(frozen=True, slots=True)
class SetReading:
    """A data set as a command reads it."""

    labels: LabelSet
    # whether labels were left out because a person must say what they mean, or export them in another form; the command
    # then ends with exit status 2
    needs_a_person: bool


def settled(names: str) -> Settled:
    """What `--names` says; raises InputError."""
    from tilescore.datasets.names.class_names import load_names

    return load_names(names) if names else {}


def read_set(
    folder: Path, *, format_name: str | None, names: str, look: bool = True, keep_open: bool = False
) -> SetReading:
    """Read a set and print how its names and splits were understood.

    With `keep_open`, the labels of open names stay, under names that begin with UNKNOWN. Raises InputError if it is no
    set, nothing says what its numbers mean, or none of its shapes can be used.
    """
    from tilescore.datasets.formats import OVERLOOKED  # OpenCV
    from tilescore.datasets.labels import UNKNOWN
    from tilescore.datasets.names.looks import look_at

    by_model = names == BY_MODEL
    namer = shipped_namer() if look or by_model else None
    read = partial(_read, folder, format_name=format_name, namer=namer if look else None, keep_open=keep_open)
    labels = read({} if by_model else settled(names))
    places = _places(labels) if by_model or not labels.boxes else {}
    if not labels.boxes and not (places and (by_model or keep_open)):
        _refuse(labels, folder, places=places, keep_open=keep_open)
    if places:
        labels = read({name: UNKNOWN + name for name in places})
        if by_model and namer is not None:
            labels = _named(labels, namer, places)
    notes = [*labels.notes, *_odd_files(folder), *_split_notes(labels)]
    if namer is not None and look and labels.boxes:
        seen = look_at(labels.pictures, namer)
        notes += [] if seen.note is None else [seen.note]
    labels = replace(labels, notes=tuple(notes))
    for line in name_lines(labels, kept=keep_open):
        say(line, err=True)
    left = any(each.is_open for each in labels.classes) or any(each.code == OVERLOOKED for each in labels.problems)
    return SetReading(labels, left)


def _read(folder: Path, answers: Settled, *, format_name: str | None, namer: Namer | None, keep_open: bool) -> LabelSet:
    from tilescore.datasets import formats  # OpenCV
    from tilescore.datasets.names.looks import better_boxes

    turned = None if namer is None else partial(better_boxes, namer=namer)
    with progress_bar("reading") as progress:
        return formats.read(
            folder, format_name=format_name, names=answers, look=turned, progress=progress, keep_open=keep_open
        )


def _places(labels: LabelSet) -> Mapping[str, frozenset[str]]:
    """The tiles that may lie under each name if the labels only say where tiles lie; empty for any other set."""
    from tilescore.datasets.names.other_games import places

    return places([entry.name for entry in labels.classes if entry.count])


def _named(labels: LabelSet, namer: Namer, places: Mapping[str, frozenset[str]]) -> LabelSet:
    from tilescore.datasets.labels import UNKNOWN
    from tilescore.datasets.names.looks import named

    allowed = {UNKNOWN + name: tiles for name, tiles in places.items()}
    with progress_bar("naming") as progress:
        pictures = tuple(named(labels.pictures, namer, allowed=allowed, progress=progress))
    count = sum(len(picture.boxes) for picture in pictures)
    say(f"the model names {count} of {labels.boxes} tiles surely: look through them with tilescore annotate", err=True)
    return replace(labels, pictures=pictures, classes=())


def _refuse(labels: LabelSet, folder: Path, *, places: Mapping[str, frozenset[str]], keep_open: bool) -> None:
    """Raise InputError for a set with labels of which none can be used, or with a list of names and no labels."""
    from tilescore.datasets.names.other_games import other_game

    names = [entry.name for entry in labels.classes]
    if game := other_game(names):
        such = " and ".join(f"'{name}'" for name in names[:2])
        message = f"'{folder}' is no mahjong set: its names are those of {game}, such as {such}."
        raise InputError("no_mahjong_set", f"{message} If they do mean tiles, say which with --names FILE.")
    if places:
        listed = ", ".join(f"'{name}'" for name in places)
        message = f"'{folder}' says where tiles lie ({listed}), and not which tiles they are: "
        raise InputError(
            "positions_only", f"{message}--names model lets the model name them, tilescore annotate lets you do it."
        )
    if labels.lost:
        is_open = any(entry.is_open for entry in labels.classes)
        remedy = f"see tilescore dataset names {as_argument(folder)}" if is_open else "correct that and start again"
        message = (
            f"'{folder}' has {counted(labels.lost, 'label')}, and none can be used ({_reasons(labels)}): {remedy}."
        )
        raise InputError("no_usable_boxes", message)
    if labels.source and not keep_open:
        message = f"'{folder}' has a list of class names ('{labels.source}'), and no label that can be read: put the "
        raise InputError("no_labels", f"{message}label files of the set beside its pictures.")


def require_pictures(
    usable: Sequence[LabelledPicture], labels: LabelSet, folder: Path, out: Path | None = None
) -> None:
    """Raise InputError if no picture of the set can be used, or each of them holds a label that cannot be used.

    No new set `out` may lie in the folder of the set either, which then would hold two.
    """
    from tilescore.datasets.intake.archives import is_archive  # loads the packers

    if out is not None and not is_archive(out) and folder.resolve() in out.resolve().parents:
        message = f"'{out}' lies in the set '{folder}' itself: name a folder outside it."
        raise InputError("inside_set", message, path=str(out))
    if usable:
        return
    if labels.pictures:
        still = sorted(f"'{entry.name}'" for entry in labels.classes if entry.is_open)
        why = f"what {', '.join(still[:3])} mean is open: say it with --names" if still else _reasons(labels)
        message = f"each of the {len(labels.pictures)} pictures of '{folder}' has a label that cannot be used ({why}), "
        raise InputError("nothing_complete", f"{message}so that nothing is left to write: correct the labels.")
    why = f" ({_reasons(labels)})" if labels.problems else ""
    message = f"'{folder}' has no picture that can be used{why}: look at its labels with tilescore dataset check."
    raise InputError("no_pictures", message)


def _reasons(labels: LabelSet) -> str:
    """The first reasons why something of the set cannot be used."""
    return "; ".join(dict.fromkeys(problem.detail for problem in labels.problems[:3]))


def tell(labels: LabelSet, left_out: Iterable[Problem] = ()) -> None:
    """Print the notes, and what was skipped: some lines of each kind."""
    for note in labels.notes:
        say(f"note: {note}", err=True)
    by_code: dict[str, list[Problem]] = defaultdict(list)
    for problem in (*labels.problems, *left_out):
        by_code[problem.code].append(problem)
    for code, problems in by_code.items():
        for problem in problems[:_MOST_LINES]:
            say(f"skipped: {problem}", err=True)
        if len(problems) > _MOST_LINES:
            say(f"skipped: {len(problems) - _MOST_LINES} more of the kind {code}", err=True)


def with_turned(labels: LabelSet, written: Iterable[LabelledPicture]) -> LabelSet:
    """The set with a note about pictures whose copies stay stored turned beside upright boxes; raises InputError."""
    from tilescore.datasets.labels import Problem
    from tilescore.datasets.pictures.picture_files import copied_suffix, frame_of

    kinds = ((picture, picture.path.suffix.lower()) for picture in written)
    # pictures of the other kinds are saved upright
    copied = (picture for picture, kind in kinds if copied_suffix(kind) in (kind, ".jpg"))
    turned = [picture.key for picture in copied if frame_of(picture.path).orientation != 1]
    if not turned:
        return labels
    detail = "pictures that stay stored turned (EXIF), with boxes on the upright pictures; programs that ignore EXIF "
    note = Problem("stored_turned", turned[0], f"{detail}show these boxes wrongly: {len(turned)}")
    return replace(labels, notes=(*labels.notes, note))


def name_lines(labels: LabelSet, *, kept: bool) -> Iterator[str]:
    """What foreign class names are taken to mean: one line for the sure ones, one for the others."""
    source = "--names" if labels.numbered else labels.source or "labels"
    used = [entry for entry in labels.classes if entry.count]
    foreign = [entry for entry in used if entry.sure and entry.name != entry.tile]
    if foreign:
        listed = ", ".join(f"{entry.name} = {entry.tile or 'no tile'}" for entry in foreign[:_MOST_NAMES])
        more = f", ... {len(foreign) - _MOST_NAMES} more" if len(foreign) > _MOST_NAMES else ""
        yield f"names ({source}): {listed}{more}; all of them: tilescore dataset names"
    still = [entry for entry in used if entry.is_open]
    if still:
        listed = ", ".join(f"'{entry.name}'" for entry in still[:12]) + (", ..." if len(still) > 12 else "")
        boxes = sum(entry.count for entry in still)
        fate = "with a question mark: say it in the view Class names" if kept else "left out: say it with --names"
        yield f"names ({source}): nobody can know what {listed} mean; {counted(boxes, 'label')} {fate}"


def shipped_namer() -> Namer:
    """The shipped model, which names crops; raises InputError."""
    from tilescore.models.registry import DEFAULT, load_reader  # loads the networks

    classifier = load_reader(DEFAULT).classifier
    if classifier is None:
        raise InputError("no_classifier", f"the model '{DEFAULT}' has no classifier: install Tilescore again.")
    return classifier


def _odd_files(folder: Path) -> Iterator[Problem]:
    """What has the name of a picture below the set and is no plain file."""
    from tilescore.datasets.labels import Problem
    from tilescore.datasets.pictures.picture_files import listed_below

    root = folder if folder.is_dir() else folder.parent
    for path, kind in listed_below(root).odd:
        yield Problem("no_plain_file", text_of(path), f"it is {kind}, and passed over")


def _split_notes(labels: LabelSet) -> Iterator[Problem]:
    """What is missing in the splits, and pictures that are in several of them."""
    from tilescore.datasets.formats import same_files
    from tilescore.datasets.labels import Problem

    splits = {picture.split for picture in labels.pictures}
    named = ", ".join(sorted(split for split in splits if split))
    if splits == {"train"}:
        yield Problem(
            "train_only", "splits",
            "every picture is in train, and none in val or test: tilescore dataset split makes all three",
        )  # fmt: skip
    elif splits - {""} and "train" not in splits:
        yield Problem("no_train", "splits", f"no picture is in train, only in {named}")
    groups = same_files(labels.pictures)
    if groups:
        first = " and ".join(picture.key for picture in groups[0])
        detail = f"pictures that are in several splits byte for byte: {len(groups)}, for example {first}"
        yield Problem("same_picture", "splits", f"{detail}; tilescore dataset split puts them together")
