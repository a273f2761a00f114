"""Picture files of a data set: which there are, how large they are upright, and whether they lie where they may."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Final

from PIL import Image

from tilescore.base.errors import InputError

SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".bmp"})
_SIDEWAYS: Final = frozenset({5, 6, 7, 8})
"""EXIF orientations whose upright width is the stored height."""
_EXIF_ORIENTATION: Final = 0x0112
DAMAGE: Final = (
    OSError, ValueError, SyntaxError, EOFError, IndexError, TypeError, KeyError, RuntimeError, struct.error,
)  # fmt: skip
"""What Pillow raises when the bytes of a picture make no sense."""


def open_picture(path: Path) -> Image.Image:
    """The picture with its header read; raises one of DAMAGE."""
    if path.suffix.lower() in (".heic", ".heif"):
        import pi_heif  # noqa: PLC0415

        pi_heif.register_heif_opener()
    return Image.open(path)


def upright_size_wh(path: Path) -> tuple[int, int]:
    """Width and height as a viewer shows the picture, from its header alone; raises InputError.

    A HEIC picture has been turned by its decoder already.
    """
    try:
        with open_picture(path) as image:
            width, height = image.size
            # Pillow would decode all of a PNG to look for EXIF behind the pixels, where nobody writes it.
            upright = image.format == "HEIF" or (image.format == "PNG" and "exif" not in image.info)
            sideways = not upright and image.getexif().get(_EXIF_ORIENTATION, 1) in _SIDEWAYS
    except (*DAMAGE, Image.DecompressionBombError):
        raise InputError("unreadable_picture", f"'{path}' is no picture that can be read.", path=str(path)) from None
    return (height, width) if sideways else (width, height)


def pictures_below(folder: Path) -> list[Path]:
    """Every picture in the folder and its subfolders, ordered; hidden files and folders are left out."""
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
    """Whether the file, links followed, lies in the folder."""
    return path.resolve().is_relative_to(root.resolve())
