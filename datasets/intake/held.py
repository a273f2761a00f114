"""Pictures that stand in label files, as base64: each becomes a file in a temporary folder of this process."""

import atexit
import base64
import binascii
import hashlib
import shutil
import tempfile
from functools import cache
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Final

from tilescore.datasets.intake.raw import RawPicture
from tilescore.datasets.pictures.picture_files import frame_of
from tilescore.errors import InputError
from tilescore.vision.image.config import PHOTO_LIMITS
from tilescore.vision.image.photo import check_size

_SUFFIXES: Final = {"JPEG": ".jpg", "MPO": ".jpg"}
"""The ending of a file by its format, where it is not the format's own name."""


def home_of(root: Path) -> Path:
    """The folder that holds the pictures out of the label files of a set."""
    return _home() / hashlib.sha256(str(root.resolve()).encode("utf-8", "replace")).hexdigest()[:16]


def held_picture(entry: RawPicture, root: Path) -> Path:
    """Write the picture that a label file holds under the name of that file; raises InputError if it is no photo."""
    data = _decoded("" if entry.held is None else entry.held(), entry)
    frame = frame_of(Path(entry.name), BytesIO(data))
    if frame.kind not in PHOTO_LIMITS.formats:
        raise InputError("unreadable_picture", f"the picture in '{entry.where}' has no form of a photo")
    check_size(frame.stored_wh, frame.kind, name=entry.where)
    suffix = _SUFFIXES.get(frame.kind, f".{frame.kind.lower()}")
    below = [part for part in PurePosixPath(entry.where).parts if part not in ("/", "..")]  # `where` is for messages
    place = home_of(root).joinpath(*below).with_suffix(suffix)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    return place


def _decoded(text: str, entry: RawPicture) -> bytes:
    body = text.rpartition(",")[2]  # some programs write it as the URL `data:image/jpeg;base64,...`
    if len(body) * 3 // 4 > PHOTO_LIMITS.max_bytes:
        most = PHOTO_LIMITS.max_bytes // 1_000_000
        raise InputError("file_too_big", f"the picture in '{entry.where}' is too large: at most {most} MB are read")
    try:
        return base64.b64decode("".join(body.split()), validate=True)
    except (binascii.Error, ValueError):
        message = f"the picture '{entry.name}' is not there, and the one in the label file is no base64: save it again"
        raise InputError("unreadable_picture", message) from None


@cache
def _home() -> Path:
    place = tempfile.mkdtemp(prefix="tilescore-")
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return Path(place)
