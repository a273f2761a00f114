"""Many photos read on all cores or a cluster, in the order of their names; a second run goes on where one stopped."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tilescore.base.errors import InputError
from tilescore.base.parallel import ALL_CORES, Pool, work_in_order
from tilescore.datasets.picture_files import pictures_below
from tilescore.models.registry import load_reader
from tilescore.vision.image.photo import load_photo
from tilescore.vision.reader import READER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

    from tilescore.vision.decoding.reading import Reading
    from tilescore.vision.image.photo import Photo
    from tilescore.vision.reader import TileReader

_FEW: Final = 8
"""Most photos that this process reads alone: to start other processes would take longer."""


@dataclass(frozen=True, slots=True)
class Unread:
    """Why a photo could not be read."""

    code: str
    message: str


def read_photo(reader: TileReader, photo: Photo, *, budget_ms: float, is_win: bool = False) -> Reading:
    """The reading of the photo; raises InputError if nothing was detected.

    Args:
        reader: the networks.
        photo: the photo.
        budget_ms: milliseconds that decoding and reading may take.
        is_win: whether the hand is finished, so that a complete one is preferred.
    """
    reading = reader.read(photo, budget_ms=budget_ms)
    if not reading.detections:
        raise InputError(
            "no_tiles",
            f"no tiles found in '{photo.name}': photograph the hand from closer, from above, in good light.",
            photo=photo.name,
        )
    return reading.with_win() if is_win else reading


def photos_of(places: Iterable[Path]) -> tuple[Path, ...]:
    """The files, and every picture in the folders among them; raises InputError for a folder without a picture."""
    found: list[Path] = []
    for place in places:
        inside = pictures_below(place) if place.is_dir() else [place]
        if not inside:
            raise InputError("no_pictures", f"there is no picture in '{place}': name a folder of photos.")
        found += inside
    return tuple(found)


def readings(
    photos: Iterable[Path],
    *,
    model: str,
    pool: Pool = ALL_CORES,
    is_win: bool = False,
    budget_ms: float = READER.budget_ms,
) -> Iterator[tuple[Path, Reading | Unread]]:
    """Each photo with its reading, in their order.

    Args:
        photos: the files.
        model: name of a shipped or learned model, or an .onnx file.
        pool: the processes that read.
        is_win: whether the hands are finished.
        budget_ms: milliseconds that decoding and reading a photo may take.

    Raises:
        InputError: there is no such model, a worker was killed, or the cluster cannot be reached.
    """
    files = tuple(photos)
    load_reader(model)  # a damaged model is reported once, here
    here = Path.cwd() if pool.cluster else Path()  # workers on other machines have another current folder
    return work_in_order(partial(_outcome, model, here, is_win, budget_ms), files, pool.for_items(len(files), _FEW))


def json_of(path: Path, found: Reading | Unread) -> dict[str, Any]:
    """The JSON object of one photo that `tilescore read --json` prints."""
    if isinstance(found, Unread):
        return {"photo": str(path), "error": {"code": found.code, "message": found.message}}
    return found.to_json()


class ResultsFile:
    """A file of JSON Lines that grows photo by photo and knows which photos are done when it is opened again."""

    def __init__(self, file: BinaryIO) -> None:
        """Take over a file opened with `a+b`; an incomplete last line is cut off."""
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
        """Write the line of one photo; it survives a kill of this process once this returns."""
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


def _outcome(model: str, here: Path, is_win: bool, budget_ms: float, path: Path) -> Reading | Unread:  # noqa: FBT001  # from `readings` alone
    try:
        reading = read_photo(load_reader(model), load_photo(here / path), budget_ms=budget_ms, is_win=is_win)
        return replace(reading, photo_name=str(path))
    except InputError as error:
        return Unread(error.code, str(error))
