"""Picture files of a data set: the list of them, their upright sizes, and whether they lie inside the folder."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import IO, Final

from PIL import Image

from tilescore.base.errors import InputError

SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".bmp"})
"""File name endings of pictures, in lower case."""
_SIDEWAYS: Final = frozenset({5, 6, 7, 8})
"""EXIF orientations whose upright width is the stored height."""
_EXIF_ORIENTATION: Final = 0x0112
"""EXIF tag of the orientation."""
DAMAGE: Final = (
    OSError, ValueError, SyntaxError, EOFError, IndexError, TypeError, KeyError, RuntimeError, struct.error,
)  # fmt: skip
"""Errors that Pillow raises when the bytes of a picture are damaged."""


def open_picture(path: Path, file: IO[bytes] | None = None) -> Image.Image:
    """Open a picture, from an open file if there is one, and read its header; raises one of DAMAGE."""
    if path.suffix.lower() in (".heic", ".heif"):
        import pi_heif

        pi_heif.register_heif_opener()
    return Image.open(path if file is None else file)


def upright_size_wh(path: Path, file: IO[bytes] | None = None) -> tuple[int, int]:
    """Width and height of the upright picture, from its header alone; raises InputError.

    The decoder of HEIC turns the picture itself, so its EXIF orientation is ignored.
    """
    try:
        with open_picture(path, file) as image:
            width, height = image.size
            # To find EXIF behind the pixels, Pillow would decode the whole PNG, and no program writes it there.
            upright = image.format == "HEIF" or (image.format == "PNG" and "exif" not in image.info)
            sideways = not upright and image.getexif().get(_EXIF_ORIENTATION, 1) in _SIDEWAYS
    except (*DAMAGE, Image.DecompressionBombError):
        raise InputError("unreadable_picture", f"'{path}' is no picture that can be read.", path=str(path)) from None
    return (height, width) if sideways else (width, height)


def pictures_below(folder: Path) -> list[Path]:
    """All pictures in the folder and its subfolders, ordered, without hidden files and folders."""
    found: list[Path] = []
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [
            Path(place, name)
            for name in sorted(files)
            if not name.startswith(".") and os.path.splitext(name)[1].lower() in SUFFIXES  # noqa: PTH122  # 20,000 files
        ]
    return found


def lies_inside(path: Path, root: Path) -> bool:
    """Whether the file lies in the folder once links are resolved."""
    return path.resolve().is_relative_to(root.resolve())
