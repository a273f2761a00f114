"""Corrupted pictures: JPEG, PNG, WebP and HEIC, mutated along their structure, and other formats with changed bytes."""

from __future__ import annotations

import io
import struct
import zlib
from base64 import b64decode
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pillow_jxl  # noqa: F401  # registers its format
from PIL import Image, ImageFile

from tests.fuzz.damaged_bytes import corrupted_bytes
from tilescore.vision.image.photo import decode_photo

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

_ROOT: Final = Path(__file__).resolve().parents[2]
_HEIC: Final = _ROOT / "tests" / "vision" / "two_halves.heic.b64"
_SIDES: Final = (0, 1, 31, 32, 33, 1000, 10_950, 16_383, 65_535, 0x7FFFFFFF, 0xFFFFFFFF)
_ORIENTATION: Final = 0x0112


class Photos:
    """The target `decode_photo`."""

    def __init__(self) -> None:
        self._jpegs, self._pngs, self._webps = _jpegs(), _pngs(), _webps()
        self._others = _others()
        self._heic = b64decode(_HEIC.read_bytes())
        self._bombs = _BOMBS

    def make(self, random: Random, number: int) -> bytes:
        """Make one of the bombs, then mutations of one sample each."""
        if number < len(self._bombs):
            return self._bombs[number]()
        if number % 4 == 0:
            return corrupted_bytes(random, random.choice(self._others))
        kind = random.choice(("jpeg", "jpeg", "png", "webp", "heic"))
        if kind == "jpeg":
            data = _jpeg(random, random.choice(self._jpegs))
        elif kind == "png":
            data = _png(random, random.choice(self._pngs))
        elif kind == "webp":
            data = _webp(random, random.choice(self._webps))
        else:
            data = _heif(random, self._heic)
        return corrupted_bytes(random, data) if random.random() < 0.4 else data

    def feed(self, data: bytes) -> bool:
        """Decode the photo; raises InputError if `decode_photo` rejects it."""
        photo = decode_photo(data)
        if photo.rgb.ndim != 3 or photo.rgb.shape[2] != 3 or not photo.rgb.flags.c_contiguous:
            raise AssertionError(f"pixels of shape {photo.rgb.shape}")
        return True


# --- samples ------------------------------------------------------------------------------------------------------


def _samples() -> list[Image.Image]:
    paths = sorted((_ROOT / "datasets" / "sample").glob("*.jpg"))
    pictures = []
    for path, side in zip(paths, (96, 320, 480, 640), strict=False):
        picture = Image.open(path)
        picture.thumbnail((side, side))
        pictures.append(picture.convert("RGB"))
    return pictures


def _encoded(picture: Image.Image, kind: str, **options: Any) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)
    return buffer.getvalue()


def _jpegs() -> list[bytes]:
    exif = Image.Exif()
    exif[_ORIENTATION] = 6
    exif[0x010F] = "Somebody"
    exif.get_ifd(0x8769)[0x9003] = "2026:01:01 00:00:00"
    made = []
    for picture in _samples():
        made += [
            _encoded(picture, "JPEG", quality=70, exif=exif),
            _encoded(picture, "JPEG", quality=70, progressive=True, icc_profile=bytes(300)),
            _encoded(picture.convert("L"), "JPEG", exif=exif),
        ]
    first = _samples()[0]
    return [*made, _encoded(first, "MPO", save_all=True, append_images=[first])]


def _pngs() -> list[bytes]:
    made = []
    for picture in _samples()[:3]:
        alpha = picture.convert("RGBA")
        alpha.putalpha(picture.convert("L"))
        made += [_encoded(shape, "PNG") for shape in (picture, alpha, picture.convert("P"), picture.convert("LA"))]
        made += [_encoded(picture.convert("1"), "PNG"), _encoded(picture.convert("P"), "PNG", transparency=3)]
    exif = Image.Exif()
    exif[_ORIENTATION] = 8
    return [*made, _encoded(_samples()[0], "PNG", exif=exif)]


def _webps() -> list[bytes]:
    first, second = _samples()[:2]
    exif = Image.Exif()
    exif[_ORIENTATION] = 3
    return [
        _encoded(first, "WEBP", exif=exif),
        _encoded(second, "WEBP", lossless=True),
        _encoded(first.convert("RGBA"), "WEBP", icc_profile=bytes(200)),
        _encoded(first, "WEBP", save_all=True, append_images=[second.resize(first.size)]),
    ]


def _others() -> list[bytes]:
    first = _samples()[0]
    deep = Image.fromarray(np.asarray(first.convert("L"), np.uint16) * 257)
    return [
        *(_encoded(first, kind) for kind in ("TIFF", "BMP", "GIF", "AVIF", "JXL")),
        *(_encoded(first, "TIFF", compression=each) for each in ("tiff_lzw", "tiff_deflate", "jpeg", "packbits")),
        *(_encoded(first.convert("CMYK"), kind) for kind in ("TIFF", "JPEG")),
        *(_encoded(deep, kind) for kind in ("TIFF", "PNG", "JXL")),
        *(_encoded(first, kind, save_all=True, append_images=[first]) for kind in ("GIF", "PNG", "AVIF", "TIFF")),
    ]


# --- JPEG ---------------------------------------------------------------------------------------------------------


def _segments(data: bytes) -> list[bytes]:
    """The markers with their segments; the data of a scan belongs to its start-of-scan marker."""
    found, place = [data[:2]], 2
    while place + 4 <= len(data):
        end = place + 2 + int(struct.unpack(">H", data[place + 2 : place + 4])[0])
        if data[place + 1] == 0xDA:
            while end < len(data) - 1 and (data[end] != 0xFF or data[end + 1] in (0, *range(0xD0, 0xD8))):
                end += 1
        found.append(data[place:end])
        place = end
    return [*found, data[place:]]


def _jpeg(random: Random, data: bytes) -> bytes:
    parts = _segments(data)
    for _ in range(random.choice((1, 1, 2, 4))):
        place = random.randrange(len(parts))
        part = bytearray(parts[place])
        kind = part[1] if len(part) > 1 else 0
        choice = random.random()
        if choice < 0.3 and 0xC0 <= kind <= 0xCF and len(part) > 9:
            part[5:9] = struct.pack(">HH", *(random.choice(_SIDES) & 0xFFFF for _ in "hw"))
        elif choice < 0.45 and len(part) > 4:
            part[2:4] = random.randbytes(2)
        elif choice < 0.6:
            parts.insert(place, bytes(part) * random.choice((1, 2, 50)))
        elif choice < 0.7:
            part = bytearray()
        elif choice < 0.85:
            parts.insert(1, _exif_segment(random))
        else:
            part = bytearray(corrupted_bytes(random, bytes(part)))
        parts[place if len(parts) > place else 0] = bytes(part)
        if random.random() < 0.2:
            random.shuffle(parts)
    return b"".join(parts)


def _exif_segment(random: Random) -> bytes:
    """An APP1 segment whose directory points anywhere, even to itself."""
    entries = b"".join(
        struct.pack(
            "<HHII",
            random.choice((_ORIENTATION, 0x8769, 0x8825, 0xA005, random.randrange(65536))),
            random.randrange(20),
            random.choice((0, 1, 2, 0xFFFFFFFF)),
            random.choice((0, 3, 8, 9, 0xFFFFFFFF, random.randrange(2**32))),
        )
        for _ in range(random.randrange(8))
    )
    count = random.choice((len(entries) // 12, 65535))
    tiff = b"II*\0" + struct.pack("<IH", random.choice((8, 0, 0xFFFFFFF0)), count) + entries
    body = b"Exif\0\0" + tiff + struct.pack("<I", random.choice((0, 8)))
    return b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body


# --- PNG ----------------------------------------------------------------------------------------------------------


def chunk(name: bytes, data: bytes) -> bytes:
    """A PNG chunk with its length and checksum."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    found, place = [], 8
    while place + 8 <= len(data):
        length = int(struct.unpack(">I", data[place : place + 4])[0])
        found.append((data[place + 4 : place + 8], data[place + 8 : place + 8 + length]))
        place += 12 + length
    return found


def _png(random: Random, data: bytes) -> bytes:
    parts = _chunks(data)
    for _ in range(random.choice((1, 1, 2, 4))):
        place = random.randrange(len(parts))
        name, body = parts[place]
        choice = random.random()
        if choice < 0.35:
            sides = struct.pack(">II", random.choice(_SIDES), random.choice(_SIDES))
            rest = bytes(
                (random.choice((1, 2, 4, 8, 16, 3)), random.choice((0, 2, 3, 4, 6, 7)), 0, 0, random.choice((0, 1, 2)))
            )
            head = parts[0][1]
            parts[0] = (
                b"IHDR",
                (sides if random.random() < 0.5 else head[:8]) + (rest if random.random() < 0.7 else head[8:]),
            )
        elif choice < 0.5:
            parts.insert(place, (name, body))
        elif choice < 0.6:
            parts.pop(place)
            parts = parts or [(b"IEND", b"")]
        elif choice < 0.75:
            other = random.choice(
                (b"PLTE", b"tRNS", b"iCCP", b"eXIf", b"acTL", b"fcTL", b"fdAT", b"zTXt", b"iTXt", b"gAMA")
            )
            parts.insert(
                random.randrange(1, len(parts) + 1), (other, random.randbytes(random.choice((0, 1, 8, 26, 769))))
            )
        else:
            parts[place] = (name, corrupted_bytes(random, body))
        if random.random() < 0.2:
            random.shuffle(parts)
    return data[:8] + b"".join(chunk(*part) for part in parts)


# --- WebP, HEIC ---------------------------------------------------------------------------------------------------


def _webp(random: Random, data: bytes) -> bytes:
    parts, place = [], 12
    while place + 8 <= len(data):
        end = place + 8 + int(struct.unpack("<I", data[place + 4 : place + 8])[0])
        end += end % 2
        parts.append(data[place:end])
        place = end
    place = random.randrange(len(parts))
    part = bytearray(parts[place])
    choice = random.random()
    if choice < 0.25:
        parts.insert(0, b"VP8X" + struct.pack("<I", 10) + random.randbytes(random.choice((10, 4))))
    elif choice < 0.4:
        parts.insert(place, bytes(part))
    elif choice < 0.5:
        parts.pop(place)
    elif choice < 0.65:
        part[4:8] = struct.pack("<I", random.choice(_SIDES))
        parts[place] = bytes(part)
    else:
        parts[place] = bytes(part[:8]) + corrupted_bytes(random, bytes(part[8:]))
    body = b"WEBP" + b"".join(parts)
    return b"RIFF" + struct.pack("<I", len(body) if random.random() < 0.8 else random.choice(_SIDES)) + body


def _heif(random: Random, data: bytes) -> bytes:
    """Find boxes by their names; change the sizes before the names and the numbers after them."""
    made = bytearray(data)
    names = (b"ftyp", b"meta", b"iloc", b"iinf", b"infe", b"iprp", b"ipco", b"ipma", b"ispe", b"hvcC", b"irot", b"pitm")
    for _ in range(random.choice((1, 1, 2, 4))):
        place = made.find(random.choice(names))
        if place < 4:
            continue
        if random.random() < 0.3:
            made[place - 4 : place] = struct.pack(">I", random.choice((*_SIDES, random.randrange(4000))))
        elif made[place : place + 4] == b"ispe":
            made[place + 8 : place + 16] = struct.pack(">II", random.choice(_SIDES), random.choice(_SIDES))
        else:
            made[place + 4 + random.randrange(24)] = random.choice((0, 1, 127, 255, random.randrange(256)))
    return bytes(made)


# --- small files that are large pictures --------------------------------------------------------------------------


def png_bomb(colour: int, channels: int, side: int = 10_950) -> bytes:
    """A valid PNG of one colour with slightly fewer pixels than the limit."""
    packer = zlib.compressobj(1)
    row = bytes(1 + side * channels)
    pixels = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    head = struct.pack(">IIBBBBB", side, side, 8, colour, 0, 0, 0)
    palette = chunk(b"PLTE", bytes(768)) + chunk(b"tRNS", bytes(256)) if colour == 3 else b""
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + palette + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def text_bomb() -> bytes:
    """A PNG with 200 MB of text in 200 kB, and a colour profile of equal size."""
    packed = zlib.compress(bytes(200_000_000), 9)
    picture = _encoded(Image.new("RGB", (64, 64)), "PNG")
    return picture[:33] + chunk(b"zTXt", b"a\0\0" + packed) + chunk(b"iCCP", b"a\0\0" + packed) + picture[33:]


def scan_bomb(scans: int = 5000, side: int = 2000) -> bytes:
    """A progressive JPEG that repeats its last scan; the decoder visits the whole picture in each scan."""
    parts = _segments(_encoded(Image.new("RGB", (side, side)), "JPEG", progressive=True))
    last = max(place for place, part in enumerate(parts) if part[:2] == b"\xff\xda")
    return b"".join((*parts[: last + 1], parts[last] * scans, *parts[last + 1 :]))


def _jpeg_bomb(*, progressive: bool) -> bytes:
    ImageFile.MAXBLOCK = 1 << 27
    return _encoded(Image.new("RGB", (10_950, 10_950)), "JPEG", progressive=progressive, subsampling=0)


_BOMBS: Final[tuple[Callable[[], bytes], ...]] = (
    lambda: png_bomb(6, 4),
    lambda: png_bomb(2, 3),
    lambda: png_bomb(3, 1),
    lambda: png_bomb(4, 2),
    lambda: png_bomb(0, 1),
    text_bomb,
    scan_bomb,
    lambda: _jpeg_bomb(progressive=True),
    lambda: _jpeg_bomb(progressive=False),
    lambda: _encoded(Image.new("RGBA", (10_950, 10_950)), "WEBP", lossless=True, method=0, quality=0),
)
