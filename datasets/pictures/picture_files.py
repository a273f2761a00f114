"""Picture files of a data set: the list of them, how they are stored, and whether they lie inside the folder."""

import os
import struct
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from PIL import Image

from tilescore.errors import InputError
from tilescore.files.plain import NotPlainError, require_plain

SUFFIXES: Final = frozenset(
    {".avif", ".bmp", ".gif", ".heic", ".heif", ".jfif", ".jpe", ".jpeg", ".jpg", ".jxl", ".png", ".tif", ".tiff"}
    | {".webp"}
)
"""File name endings of pictures, in lower case."""
_RENAMED: Final = {".jfif": ".jpg", ".jpe": ".jpg"}
"""Endings that mean the same as another one that every program knows."""
_SAVED_AS_PNG: Final = frozenset({".tif", ".tiff", ".gif", ".avif", ".jxl"})
"""Endings of pictures that few programs read: a copy is written as PNG."""
_SIDEWAYS: Final = frozenset({5, 6, 7, 8})
"""EXIF orientations whose upright width is the stored height."""
EXIF_ORIENTATION: Final = 0x0112
_FOLDER: Final = "a folder"
_ODD: Final = "a "
"""The kinds of what is no plain file, such as `a pipe`, begin so."""
DAMAGE: Final = (
    OSError, ValueError, SyntaxError, EOFError, IndexError, TypeError, KeyError, RuntimeError, struct.error,
)  # fmt: skip
"""Errors that Pillow raises when the bytes of a picture are damaged."""


def open_picture(path: Path, file: IO[bytes] | None = None) -> Image.Image:
    """Open a picture, from an open file if there is one, and read its header; raises one of DAMAGE."""
    if path.suffix.lower() in (".heic", ".heif"):
        import pi_heif

        pi_heif.register_heif_opener()
    if path.suffix.lower() == ".jxl":
        import pillow_jxl  # noqa: F401  # registers its format
    return Image.open(path if file is None else file)


@dataclass(frozen=True, slots=True)
class PictureFrame:
    """How a picture is stored: its size, EXIF orientation (1 is upright), and format by Pillow's name if known."""

    stored_wh: tuple[int, int]
    orientation: int = 1
    kind: str = ""

    @property
    def upright_wh(self) -> tuple[int, int]:
        """Width and height of the upright picture."""
        width, height = self.stored_wh
        return (height, width) if self.orientation in _SIDEWAYS else (width, height)

    def upright(self, x: float, y: float) -> tuple[float, float]:
        """A point of the stored picture, in the upright picture.

        >>> PictureFrame((640, 480), 6).upright(10, 20)
        (460, 10)
        """
        width, height = self.stored_wh
        if self.orientation in (2, 3):
            x = width - x
        if self.orientation in (3, 4):
            y = height - y
        if self.orientation in (7, 8):
            x = width - x
        if self.orientation in (6, 7):
            y = height - y
        return (y, x) if self.orientation in _SIDEWAYS else (x, y)


def frame_of(path: Path, file: IO[bytes] | None = None) -> PictureFrame:
    """How the picture is stored, from its header alone; raises InputError.

    The decoder of HEIC turns the picture itself, so its EXIF orientation is ignored.
    """
    try:
        with open_picture(path, file) as image:
            # To find EXIF behind the pixels, Pillow would decode the whole PNG, and no program writes it there.
            upright = image.format == "HEIF" or (image.format == "PNG" and "exif" not in image.info)
            orientation = 1 if upright else image.getexif().get(EXIF_ORIENTATION, 1)
            orientation = orientation if orientation in range(1, 9) else 1
            is_swapped = image.format == "TIFF" and orientation in _SIDEWAYS  # Pillow gives the upright size
            return PictureFrame(image.size[::-1] if is_swapped else image.size, orientation, image.format or "")
    except Image.DecompressionBombError:
        message = f"'{path}' has far too many pixels: make it smaller first, or leave it out."
        raise InputError("unreadable_picture", message, path=str(path)) from None
    except DAMAGE:
        message = f"'{path}' is no picture that can be read: replace it or leave it out."
        raise InputError("unreadable_picture", message, path=str(path)) from None


def copied_suffix(suffix: str) -> str:
    """The ending of a copy of a picture with that ending.

    >>> copied_suffix(".JPG"), copied_suffix(".jfif"), copied_suffix(".tif")
    ('.JPG', '.jpg', '.png')
    """
    lower = suffix.lower()
    return ".png" if lower in _SAVED_AS_PNG else _RENAMED.get(lower, suffix)


@dataclass(frozen=True, slots=True)
class Listing:
    """What a folder and its subfolders hold: the plain files that are pictures by their ending, ordered.

    `passed_over` counts what else is there by its kind, such as `.txt`, `hidden`, `a pipe`. `odd` are names with the
    ending of a picture that are no plain file, each with what it is.
    """

    pictures: tuple[Path, ...]
    passed_over: Counter[str]
    odd: tuple[tuple[Path, str], ...] = ()


def listed_below(folder: Path) -> Listing:
    """Look through the folder and its subfolders, without hidden ones and without following links to folders."""
    pictures: list[Path] = []
    passed_over: Counter[str] = Counter()
    odd: list[tuple[Path, str]] = []
    waiting = [str(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                inside = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            passed_over["a folder that cannot be opened"] += 1
            continue
        folders = []
        for entry in inside:
            kind = _kind(entry)
            if kind == _FOLDER:
                folders.append(entry.path)
            elif kind:
                passed_over[kind] += 1
                if kind.startswith(_ODD) and Path(entry.name).suffix.lower() in SUFFIXES:
                    odd.append((Path(entry.path), kind))
            else:
                pictures.append(Path(entry.path))
        waiting += reversed(folders)
    return Listing(tuple(pictures), passed_over, tuple(odd))


def pictures_below(folder: Path) -> list[Path]:
    """All pictures in the folder and its subfolders, as `listed_below` finds them."""
    return list(listed_below(folder).pictures)


def _kind(entry: os.DirEntry[str]) -> str:
    """Empty for a picture, `_FOLDER` for a folder to look through, or why the entry is passed over."""
    if entry.name.startswith("."):
        return "hidden"
    suffix = os.path.splitext(entry.name)[1].lower()  # noqa: PTH122  # 20,000 files
    try:
        if entry.is_dir():
            return "a link to a folder" if entry.is_symlink() else _FOLDER
        if suffix not in SUFFIXES:
            return suffix or "without an ending"
        if entry.is_file():
            return ""
        require_plain(entry.stat(), entry.path)
    except NotPlainError as error:
        return error.kind
    except OSError:
        pass
    return "a link that leads nowhere"


def lies_inside(path: Path, root: Path) -> bool:
    """Whether the file lies in the folder once links are resolved."""
    return path.resolve().is_relative_to(root.resolve())
