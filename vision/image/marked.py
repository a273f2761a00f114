"""Pictures that this program makes for a person, which carry a mark, so that a later run may replace them."""

import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from tilescore.errors import InputError
from tilescore.files.outputs import check_output, write_whole

_FORMATS: Final = {".jpg": "JPEG", ".jpeg": "JPEG", ".png": "PNG", ".webp": "WEBP"}
"""The format of each ending."""
_EXIF_SOFTWARE: Final = 0x0131
"""EXIF tag of the program that wrote a picture."""
_MARK: Final = "Tilescore"
_QUALITY: Final = 95


def check_picture_output(path: Path, *, option: str, inputs: Iterable[Path] = ()) -> None:
    """Refuse, before any work, a name without a picture format or a place that must not be written.

    Raises:
        InputError: see `tilescore.files.outputs.check_output`.
    """
    if path.suffix.lower() not in _FORMATS:
        message = f"'{path}' is no name for a picture: let it end in {', '.join(_FORMATS)}."
        raise InputError("cannot_save", message, path=str(path))
    check_output(path, option=option, is_ours=is_marked, inputs=inputs)


def save_marked(rgb: Any, path: Path) -> None:
    """Write RGB pixels (H, W, 3) as a marked picture; raises InputError."""
    from PIL import Image

    exif = Image.Exif()
    exif[_EXIF_SOFTWARE] = _MARK
    data = io.BytesIO()
    Image.fromarray(rgb).save(data, _FORMATS[path.suffix.lower()], quality=_QUALITY, exif=exif)
    write_whole(path, data.getvalue())


def is_marked(path: Path) -> bool:
    """Whether the file is a picture with our mark; raises OSError for what is no picture."""
    from PIL import Image

    with Image.open(path, formats=tuple(set(_FORMATS.values()))) as picture:
        return picture.getexif().get(_EXIF_SOFTWARE) == _MARK
