"""Copies of pictures without what cameras and programs write beside the pixels: place, author, serial number, comments.

The pixels of the copy are those of the original, bit for bit; its orientation and its colour profile stay, too.
"""

import io
import shutil
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from PIL import Image, ImageOps

from tilescore.datasets.pictures.heif_details import without_details
from tilescore.datasets.pictures.picture_files import DAMAGE, EXIF_ORIENTATION, copied_suffix, frame_of, open_picture
from tilescore.files.plain import read_plain
from tilescore.vision.image.config import PHOTO_LIMITS

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_PNG_DETAILS: Final = frozenset({b"eXIf", b"tEXt", b"iTXt", b"zTXt", b"tIME"})
_WEBP_DETAILS: Final = frozenset({b"EXIF", b"XMP "})
_WEBP_EXIF: Final = 0x08
_WEBP_FLAGS: Final = _WEBP_EXIF | 0x04
"""The bits of a VP8X chunk that announce EXIF and XMP."""
_JPEG_KEPT: Final = frozenset({0xE0, 0xEE})
"""Application segments with the density and with Adobe's colour transform."""
_PROFILE: Final = b"ICC_PROFILE\0"
_SOS, _EOI, _APP2, _COM = 0xDA, 0xD9, 0xE2, 0xFE
_BARE: Final = frozenset({0x01, *range(0xD0, 0xD8)})
"""JPEG markers without a segment."""


def copy_picture(path: Path, place: Path, *, keep_details: bool = False) -> None:
    """Copy a picture; write its first frame as PNG, upright, where the ending of the place asks for it.

    The copy has no details unless `keep_details`; a picture written as PNG never has. Raises OSError.
    """
    if copied_suffix(path.suffix).lower() != ".png" or path.suffix.lower() == ".png":
        (shutil.copyfile if keep_details else copy_without_details)(path, place)
        return
    try:
        with open_picture(path) as image:
            ImageOps.exif_transpose(image).convert("RGB").save(place, "PNG", exif=b"")
    except DAMAGE as error:
        raise OSError(0, f"cannot be decoded ({error})", str(path)) from None


def copy_without_details(path: Path, place: Path) -> None:
    """Copy a picture without its details; raises OSError, also for a picture whose details cannot be found."""
    data = read_plain(path, at_most=PHOTO_LIMITS.max_bytes)
    try:
        with open_picture(path, io.BytesIO(data)) as image:
            kind = image.format or ""
        place.write_bytes(_stripped(data, kind, frame_of(path, io.BytesIO(data)).orientation))
    except (*DAMAGE, Image.DecompressionBombError) as error:
        if isinstance(error, OSError) and error.errno:
            raise
        raise OSError(0, "its details cannot be taken out", str(path)) from None


def _stripped(data: bytes, name: str, orientation: int) -> bytes:
    tiff = b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, EXIF_ORIENTATION, 3, 1, orientation, 0, 0)
    exif = b"" if orientation == 1 else tiff
    if name in ("JPEG", "MPO"):
        first = b"\xff\xe1" + struct.pack(">H", len(exif) + 8) + b"Exif\0\0" + exif if exif else b""
        return b"\xff\xd8" + first + b"".join(_jpeg_segments(data))
    if name == "PNG":
        return _PNG + b"".join(_png_chunks(data, exif))
    if name == "WEBP":
        return _webp(data, exif)
    return without_details(data) if name == "HEIF" else data


def _jpeg_segments(data: bytes) -> Iterator[bytes]:
    """The segments of a JPEG that its pixels need; nothing behind its end, where phones keep films and previews."""
    at = 2
    while at + 1 < len(data):
        marker = data[at + 1]
        if data[at] != 0xFF or marker == 0xFF:  # a stray byte, which decoders skip, or a fill byte
            at += 1
            continue
        if marker == _EOI:
            yield data[at : at + 2]
            return
        end = at + 2 if marker in _BARE else at + 2 + int.from_bytes(data[at + 2 : at + 4])
        body = data[at + 4 : end]
        if marker == _SOS:
            end = _end_of_scan(data, end)
        detail = 0xE0 <= marker <= 0xEF and marker not in _JPEG_KEPT
        if not (detail or marker == _COM) or (marker == _APP2 and body.startswith(_PROFILE)):
            yield data[at:end]
        at = end


def _end_of_scan(data: bytes, at: int) -> int:
    """The place of the next marker that is no part of a scan; the end of a file that is cut short."""
    while True:
        at = data.find(b"\xff", at)
        if at < 0 or at + 1 >= len(data):
            return len(data)
        if data[at + 1] not in (0x00, 0xFF, *_BARE):
            return at
        at += 1 if data[at + 1] == 0xFF else 2


def _png_chunks(data: bytes, exif: bytes) -> Iterator[bytes]:
    at = len(_PNG)
    while at < len(data):
        kind, end = data[at + 4 : at + 8], at + 12 + int.from_bytes(data[at : at + 4])
        if kind not in _PNG_DETAILS:
            yield data[at:end]
        if kind == b"IHDR" and exif:
            yield struct.pack(">I", len(exif)) + b"eXIf" + exif + struct.pack(">I", zlib.crc32(b"eXIf" + exif))
        if kind == b"IEND":
            return
        at = end


def _webp(data: bytes, exif: bytes) -> bytes:
    """The file without its chunks of details; with `exif`, one that holds only that."""
    chunks, at = b"", 12
    while at + 8 <= len(data):
        kind, size = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        end = at + 8 + size + size % 2
        chunk = data[at:end]
        if kind == b"VP8X":
            flags = chunk[8] & ~_WEBP_FLAGS | (_WEBP_EXIF if exif else 0)
            chunk = chunk[:8] + bytes([flags]) + chunk[9:]
        if kind not in _WEBP_DETAILS:
            chunks += chunk
        at = end
    if exif:
        chunks += b"EXIF" + struct.pack("<I", len(exif)) + exif
    return b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WEBP" + chunks
