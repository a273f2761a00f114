"""Reading many photos: on all cores, in the order they were named, and on from where a kill stopped it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from datasets.parallel import cores, work_through
from datasets.picture_files import pictures_below
from models.registry import load_eye
from scoring.errors import InputError
from vision.photo import load_photo

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from typing import BinaryIO

    from vision.eye import Eye
    from vision.reading import Reading

_ALONE: Final = 8
"""Up to so many photos are read here: starting other processes would take longer."""


@dataclass(frozen=True, slots=True)
class Unread:
    """Why a photo could not be read."""

    code: str
    message: str


def read_photo(eye: Eye, path: Path) -> Reading:
    """The reading of the photo in that file; raises InputError if it cannot be read or shows no tile."""
    reading = eye.read(load_photo(path))
    if not reading.layout.order:
        raise InputError(
            "no_tiles",
            f"no tiles found in '{path}': photograph the hand from closer, from above, in good light.",
            photo=str(path),
        )
    return reading


def photos_of(places: Iterable[Path]) -> tuple[Path, ...]:
    """The files, and every picture in the folders among them; raises InputError for a folder without any."""
    found: list[Path] = []
    for place in places:
        inside = pictures_below(place) if place.is_dir() else [place]
        if not inside:
            raise InputError("no_pictures", f"there is no picture in '{place}': name a folder of photos.")
        found += inside
    return tuple(found)


def readings(photos: Iterable[Path], *, model: str, workers: int = 0) -> Iterator[tuple[Path, Reading | Unread]]:
    """Each photo with its reading, in their order.

    Args:
        photos: the files.
        model: name of a shipped network, or an .onnx file.
        workers: processes; 0 for one a core, if there are enough photos.

    Raises:
        InputError: there is no such model, or a worker was killed.
    """
    files = tuple(photos)
    load_eye(model)  # what is wrong with it is said once, here
    workers = (workers or cores()) if len(files) > _ALONE else 1
    waiting: dict[int, Reading | Unread] = {}
    given = 0
    for (place, _), found in work_through(partial(_outcome, model), enumerate(files), workers=workers):
        waiting[place] = found
        while given in waiting:
            yield files[given], waiting.pop(given)
            given += 1


def json_of(path: Path, found: Reading | Unread) -> dict[str, Any]:
    """One object a photo, as the contract has it."""
    if isinstance(found, Unread):
        return {"photo": str(path), "error": {"code": found.code, "message": found.message}}
    return found.to_json()


class ResultsFile:
    """JSON Lines of readings that grow photo by photo; opened again, it knows which are done."""

    def __init__(self, file: BinaryIO) -> None:
        """Take over a file opened with `a+b`; a line that a kill tore is cut off."""
        file.seek(0)
        self._file = file
        self.done: set[str] = set()
        self.failed = 0
        whole = 0
        for line in file:
            if not line.endswith(b"\n"):
                break
            whole += len(line)
            self._take(line)
        file.truncate(whole)

    def add(self, data: dict[str, Any]) -> None:
        """Write one photo's line; it outlives this process when this returns."""
        self._file.write(json.dumps(data, ensure_ascii=False).encode() + b"\n")
        self._file.flush()
        self.failed += "error" in data

    def _take(self, line: bytes) -> None:
        try:
            data = json.loads(line)
        except ValueError:
            return
        if isinstance(data, dict) and isinstance(data.get("photo"), str):
            self.done.add(data["photo"])
            self.failed += "error" in data


def _outcome(model: str, numbered: tuple[int, Path]) -> Reading | Unread:
    try:
        return read_photo(load_eye(model), numbered[1])
    except InputError as error:
        return Unread(error.code, str(error))
