"""Many photos read on all cores or a cluster, in the order of their names."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from tilescore.datasets.pictures.picture_files import Listing, listed_below
from tilescore.errors import InputError
from tilescore.faults import fault_sentence, out_of_memory
from tilescore.files.names import text_of, without_bytes
from tilescore.models.registry import load_reader, load_same_reader, resolved
from tilescore.processes.parallel import ALL_CORES, Pool, work_in_order
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.image.config import PHOTO_LIMITS
from tilescore.vision.image.photo import Photo, decode_photo, load_photo
from tilescore.vision.reader import TileReader

STDIN: Final = Path("-")
"""The name of standard input."""
_FEW: Final = 8
"""Most photos that this process reads alone: to start other processes would take longer."""


def read_photo(reader: TileReader, photo: Photo, *, budget_ms: float | None = None, is_win: bool = False) -> Reading:
    """The reading of the photo; raises InputError if nothing was detected."""
    reading = reader.read(photo, budget_ms=budget_ms)
    if not reading.detections:
        closer = "photograph the hand from closer, from above, in good light"
        remedy = "read it without --budget-ms" if reading.left_out else closer
        raise InputError("no_tiles", f"no tiles found in '{photo.name}': {remedy}.", photo=photo.name)
    return reading.with_win() if is_win else reading


def photos_of(places: Sequence[Path]) -> Listing:
    """The files, and every picture in the folders among them.

    Raises InputError if a folder has no picture, or `-` does not stand alone.
    """
    if STDIN in places and len(places) > 1:
        raise InputError("stdin_alone", "'-' reads one photo from standard input: name it alone.")
    files: list[Path] = []
    passed_over: Counter[str] = Counter()
    for place in places:
        if not place.is_dir():
            files.append(place)
            continue
        inside = listed_below(place)
        if not inside.pictures:
            also = f" ({counted(inside.passed_over)})" if inside.passed_over else ""
            raise InputError("no_pictures", f"there is no picture in '{place}'{also}: name a folder of photos.")
        files += inside.pictures
        passed_over += inside.passed_over
    return Listing(tuple(files), passed_over)


def counted(passed_over: Counter[str]) -> str:
    """How many things of each kind, the most frequent first.

    >>> counted(Counter({".txt": 2, "hidden": 1}))
    '2 .txt, 1 hidden'
    """
    return ", ".join(f"{count} {kind}" for kind, count in passed_over.most_common())


def load(path: Path) -> Photo:
    """The photo in that file, or from standard input for `-`; raises PhotoError."""
    if path != STDIN:
        return load_photo(path)
    return decode_photo(sys.stdin.buffer.read(PHOTO_LIMITS.max_bytes + 1), name=str(STDIN))


def readings(
    photos: Iterable[Path],
    *,
    model: str,
    pool: Pool = ALL_CORES,
    is_win: bool = False,
    budget_ms: float | None = None,
) -> Iterator[tuple[Path, Reading | InputError]]:
    """Each photo with its reading, or why it could not be read, in their order.

    `model` is the name of a shipped or learned model, or an .onnx file. Raises InputError if there is no such model, a
    worker was killed, or the cluster cannot be reached.
    """
    files, model = tuple(photos), resolved(model)
    label = load_reader(model).detector.name  # a damaged model is reported once, here
    here = Path.cwd() if pool.cluster else Path()  # workers on other machines have another current folder
    outcome = partial(_outcome, model=model, label=label, here=here, is_win=is_win, budget_ms=budget_ms)
    for path in files[:1]:  # this process has the networks already, so that the first line comes at once
        yield path, outcome(path)
    yield from work_in_order(outcome, files[1:], pool.for_items(len(files), _FEW))


def json_of(path: Path, outcome: Reading | InputError) -> dict[str, Any]:
    """The JSON object of one photo that `tilescore read --json` prints."""
    if isinstance(outcome, InputError):
        return {"photo": text_of(path), "error": {"code": outcome.code, "message": without_bytes(str(outcome))}}
    return outcome.to_json() | {"photo": text_of(path)}


def _outcome(
    path: Path, *, model: str, label: str, here: Path, is_win: bool, budget_ms: float | None
) -> Reading | InputError:
    reader = load_same_reader(model, label)
    try:
        pixels = load(path if path == STDIN else here / path)
        reading = read_photo(reader, pixels, budget_ms=budget_ms, is_win=is_win)
        return replace(reading, photo_name=str(path))
    except InputError as error:
        return error
    except Exception as error:  # noqa: BLE001  # no single photo ends a folder
        if out_of_memory(error):
            message = f"'{path}' needs more memory than there is: use fewer --workers, or make the photo smaller."
            return InputError("no_memory", message)
        return InputError("fault", f"'{path}': {fault_sentence(error)}")
