"""Numbered versions of the labels in a folder, to go back to.

`.tilescore/versions/N.jsonl` holds the labels of all pictures: one line about the version, then one for each picture,
with the lines of its label file that say more than the labels, such as polygons.
Going back is a change like any other: it is added to the histories, can be undone in the annotator, and loses nothing.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from tilescore.datasets.annotation.folder import AnnotationFolder, PictureFile, is_closed
from tilescore.datasets.formats.history import PRIVATE
from tilescore.datasets.marks import Annotation
from tilescore.datasets.pictures.picture_files import DAMAGE
from tilescore.errors import InputError
from tilescore.processes.progress import Progress, unseen

_FOLDER: Final = f"{PRIVATE}/versions"
_ANY_SIZE: Final = (10**6, 10**6)
"""Boxes of a version lie in their pictures; `AnnotationFolder.save` and the next opening clip them."""


@dataclass(frozen=True, slots=True)
class Version:
    """A kept version: number from 1, time in ISO 8601, what a person says about it, its pictures and labels."""

    number: int
    at: str
    note: str
    pictures: int
    labels: int


@dataclass(frozen=True, slots=True)
class Returned:
    """What going back has done: number of changed pictures, of pictures that came later, and of those that are gone."""

    changed: int
    later: int
    gone: int


@dataclass(frozen=True, slots=True)
class _Labels:
    """The labels of a picture, and the lines of its label file that say more."""

    state: Annotation
    lines: tuple[str, ...] = ()


def versions(folder: AnnotationFolder) -> tuple[Version, ...]:
    """The kept versions, the earliest first; a damaged file is passed over."""
    kept: list[Version] = []
    for path in (folder.root / _FOLDER).glob("[0-9]*.jsonl"):
        try:
            head = json.loads(folder.inside.read(path).split(b"\n", 1)[0])
            values = (head["at"], head["note"], head["pictures"], head["labels"])
            kept.append(Version(int(path.stem), str(values[0]), str(values[1]), int(values[2]), int(values[3])))
        except (OSError, ValueError, LookupError, TypeError):
            continue
    return tuple(sorted(kept, key=lambda version: version.number))


def keep(
    folder: AnnotationFolder, note: str = "", *, for_the_note: bool = False,
    progress: Progress = unseen,
) -> Version:  # fmt: skip
    """Keep the labels as they are; returns the last version if nothing has changed since.

    With `for_the_note`, a new note is worth a version, too. Raises InputError if the labels of a picture cannot be read
    now, or the folder cannot be written.
    """
    kept, note = versions(folder), " ".join(note.split())
    states = {picture.key: labels for picture, labels in _states(folder, progress)}
    is_said = not for_the_note or not kept or note in ("", kept[-1].note)
    if kept and is_said and states == _read(folder, kept[-1].number):
        return kept[-1]
    highest = max((int(path.stem) for path in (folder.root / _FOLDER).glob("[0-9]*.jsonl")), default=0)
    version = Version(
        highest + 1, datetime.now(UTC).isoformat(timespec="seconds"), note, len(states),
        sum(len(labels.state.kept) for labels in states.values()),
    )  # fmt: skip
    head = {"at": version.at, "note": version.note, "pictures": version.pictures, "labels": version.labels}
    lines = [head, *({"key": key} | each.state.to_json() | {"lines": each.lines} for key, each in states.items())]
    path = folder.root / _FOLDER / f"{version.number}.jsonl"
    try:
        folder.inside.make_folder(path.parent)
        folder.inside.write(path, "".join(f"{json.dumps(line)}\n" for line in lines).encode())
    except OSError as error:
        message = f"the version cannot be kept in '{path.parent}' ({error.strerror}): see that there is room."
        raise InputError("cannot_write", message, path=str(path)) from None
    return version


def go_back(folder: AnnotationFolder, number: int, *, progress: Progress = unseen) -> Returned:
    """Give every picture the labels that it had in a version. Pictures that came later keep theirs.

    Raises InputError if there is no such version, it is damaged, or a picture cannot be read or saved.
    """
    wanted = _read(folder, number)
    if wanted is None:
        numbers = ", ".join(str(version.number) for version in versions(folder)) or "none"
        message = f"'{folder.root}' has no version {number} that can be read: it has {numbers}."
        raise InputError("no_such_version", message, number=number)
    changed = later = 0
    present = list(_states(folder, progress))
    for picture, now in present:
        then = wanted.get(picture.key)
        if then is None:
            later += 1
        elif then.state != now.state or set(then.lines) - set(now.lines):
            at_now = folder.open(picture).now.version
            folder.save(picture, replace(then.state, version=at_now), by=f"version {number}", lines=then.lines)
            changed += 1
    return Returned(changed, later, len(wanted.keys() - {picture.key for picture, _ in present}))


def _states(folder: AnnotationFolder, progress: Progress) -> Iterator[tuple[PictureFile, _Labels]]:
    """The labels of every picture that is sound; the number of its changes does not count.

    Raises InputError at the first picture that cannot be read now.
    """
    pictures = folder.pictures()[0]
    for done, picture in enumerate(pictures, start=1):
        try:
            size_wh = folder.size_wh(picture)
            state = _plain(folder.open(picture).now.to_json(), size_wh)
            now = _Labels(state, folder.lines_of_others(picture, size_wh))
        except (InputError, *DAMAGE) as error:
            if is_closed(error):
                raise
            continue
        yield picture, now
        progress(done, len(pictures))


def _plain(state: dict[str, Any], size_wh: tuple[int, int]) -> Annotation:
    """The labels with the rounding of the history, without the number of changes."""
    return replace(Annotation.from_json(state, size_wh=size_wh), version=0)


def _read(folder: AnnotationFolder, number: int) -> dict[str, _Labels] | None:
    """The labels of a version by picture; None if there is none, or it is damaged."""
    states: dict[str, _Labels] = {}
    try:
        head, *lines = folder.inside.read(folder.root / _FOLDER / f"{number}.jsonl").splitlines()
        for line in lines:
            entry = json.loads(line)
            key, state = str(entry["key"]), _plain(entry, _ANY_SIZE)
            states[key] = _Labels(state, tuple(map(str, entry.get("lines", ()))))  # earlier versions hold no lines
        is_whole = json.loads(head)["pictures"] == len(states)
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
    return states if is_whole else None
