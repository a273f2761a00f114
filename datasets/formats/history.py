"""The history of a picture in a YOLO set: one line of JSON for each change of its labels.

`.tilescore/history/PICTURE.jsonl` holds what people say about the hand in the picture, which the label file cannot. The
annotator and `write` add to it. The last line counts if its hash is that of the label file; otherwise another program
has changed the labels since.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Final

from tilescore.datasets.labels import LabelledPicture
from tilescore.datasets.marks import Annotation, LabelSource, Mark
from tilescore.datasets.parts import Part, hand_of
from tilescore.files.names import text_of

PRIVATE: Final = ".tilescore"
"""Name of our own folder within a set; it is hidden, so that no reader of pictures opens it."""
_AUTHOR: Final = "convert"


@dataclass(frozen=True, slots=True)
class Known:
    """What the history knows beyond the label file: each line's tile and its part, and what holds for the picture."""

    names: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    checked: bool = False
    hand: str = ""
    rejected: str = ""
    suggestions: int = 0  # tiles of a model that nobody has accepted


def history_file(root: Path, key: str) -> Path:
    """Path of the history of the picture with that path below the folder."""
    return root / PRIVATE / "history" / f"{key}.jsonl"


def histories(root: Path, picture: Path) -> tuple[Path, ...]:
    """The files in which the history of a picture may lie, the nearest one to it first, that of the root last.

    A folder between the root and the picture may have been labelled on its own.
    """
    folders = (folder for folder in picture.parents if folder == root or root in folder.parents)
    return tuple(history_file(folder, text_of(picture.relative_to(folder).as_posix())) for folder in folders)


def present_history(root: Path, picture: Path) -> Path:
    """The latest history of a picture. Without any, that of the nearest folder which was labelled on its own."""
    files = histories(root, picture)
    if len(files) == 1:
        return files[0]
    there = [file for file in files if file.exists()]
    if there:
        return max(there, key=lambda file: str(_last(file).get("at", ""))) if there[1:] else there[0]
    near = (file for file, home in zip(files, picture.parents, strict=False) if (home / PRIVATE / "history").is_dir())
    return next(near, files[-1])


def hash_of(text: str | None) -> str:
    """The hash of a label file's text; empty if there is no file."""
    return "" if text is None else hashlib.sha256(text.encode()).hexdigest()[:16]


def read(root: Path, picture: Path, labels: Path) -> Known:
    """What the latest history of a picture knows; nothing if there is none, or it does not belong to the label file."""
    try:
        text = labels.read_bytes().decode("utf-8", "replace") if labels.exists() else None
    except OSError:
        return Known()
    entries = map(_last, histories(root, picture))
    known = {str(entry.get("at", "")): _known(entry) for entry in entries if entry.get("labels") == hash_of(text)}
    return known[max(known)] if known else Known()


def _last(file: Path) -> dict[str, Any]:
    """The last line of a history; empty if it cannot be read."""
    try:
        entry = json.loads(file.read_bytes().splitlines()[-1])
    except (OSError, ValueError, LookupError, RecursionError):
        return {}
    return entry if isinstance(entry, dict) else {}


def _known(entry: Mapping[str, Any]) -> Known:
    try:
        marks = [mark for mark in entry["marks"] if mark[6] != LabelSource.MODEL]
        return Known(
            tuple(str(mark[0]) for mark in marks), tuple(Part.parse(mark[5]) for mark in marks),
            entry["checked"] is True, hand_of(entry.get("hand")), str(entry.get("rejected", "")),
            len(entry["marks"]) - len(marks),
        )  # fmt: skip
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return Known()


def write(root: Path, key: str, picture: LabelledPicture, text: str) -> None:
    """Write the first line of a history: the labels of a picture with their parts in the hand."""
    marks = tuple(Mark(box.name, box.box, box.part, LabelSource.FILE) for box in picture.boxes)
    state = Annotation(marks, picture.checked, 1, picture.hand)
    file = history_file(root, key)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(_line(state, hash_of(text), by=_AUTHOR))


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """A line of a history: the state after a change, the hash of its label file, and who made the change."""

    state: Annotation
    labels_hash: str
    by: str


def last_entries(file: BinaryIO, size_wh: tuple[int, int], *, most: int) -> list[HistoryEntry]:
    """The last changes in order, at most so many; skips broken lines and cuts off an incomplete last line."""
    data = file.read()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):  # a kill interrupted this line, and nobody got an acknowledgement
        file.truncate(whole)
    entries: list[HistoryEntry] = []
    for line in reversed(data[:whole].splitlines()):
        if len(entries) == most:
            break
        try:
            entry: dict[str, Any] = json.loads(line)
            state = Annotation.from_json(entry, size_wh=size_wh)
            entries.append(HistoryEntry(state, str(entry["labels"]), str(entry.get("by", ""))))
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
    return entries[::-1]


def append(file: BinaryIO, state: Annotation, labels_hash: str, *, by: str) -> None:
    """Add a change, and wait until it is on the disk."""
    file.write(_line(state, labels_hash, by=by))
    file.flush()
    os.fsync(file.fileno())


def _line(state: Annotation, labels_hash: str, *, by: str) -> bytes:
    more = {"labels": labels_hash, "by": by, "at": datetime.now(UTC).isoformat(timespec="seconds")}
    return json.dumps(state.to_json() | more).encode() + b"\n"
