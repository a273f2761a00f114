"""From bytes to upright pixels, and the errors of files that are no usable photos."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tilescore.vision.image.config import IMAGE
from tilescore.vision.image.photo import PhotoError, decode_photo, load_photo


def picture(width: int = 80, height: int = 60) -> Image.Image:
    """Red left half, blue right half, a green strip along the top."""
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[:, : width // 2] = (200, 0, 0)
    pixels[:, width // 2 :] = (0, 0, 200)
    pixels[: height // 6] = (0, 200, 0)
    return Image.fromarray(pixels)


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def png_header(width: int, height: int) -> bytes:
    """A PNG whose header states that size and which holds no pixels."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


@pytest.mark.parametrize(("kind", "options"), [("JPEG", {"quality": 95}), ("PNG", {}), ("WEBP", {"lossless": True})])
def test_reads_what_browsers_send(kind: str, options: dict[str, object]) -> None:
    photo = decode_photo(encoded(picture(), kind, **options))
    assert photo.size_wh == (80, 60)
    assert photo.scale == 1
    assert photo.rgb[40, 10, 0] > 150
    assert photo.rgb[40, 70, 2] > 150


@pytest.mark.parametrize(
    ("orientation", "transpose"),
    [
        (1, None),
        (2, Image.Transpose.FLIP_LEFT_RIGHT),
        (3, Image.Transpose.ROTATE_180),
        (4, Image.Transpose.FLIP_TOP_BOTTOM),
        (5, Image.Transpose.TRANSPOSE),
        (6, Image.Transpose.ROTATE_90),
        (7, Image.Transpose.TRANSVERSE),
        (8, Image.Transpose.ROTATE_270),
    ],
)
def test_exif_turns_it_upright(orientation: int, transpose: Image.Transpose | None) -> None:
    """Each EXIF orientation stores the picture turned the other way; upright, all pictures are equal."""
    stored = picture() if transpose is None else picture().transpose(transpose)
    exif = Image.Exif()
    exif[0x0112] = orientation
    photo = decode_photo(encoded(stored, "PNG", exif=exif))
    assert photo.size_wh == (80, 60)
    assert np.array_equal(photo.rgb, np.asarray(picture()))


def test_heic(heic: bytes) -> None:
    photo = decode_photo(heic, name="phone.heic")
    assert photo.size_wh == (128, 96)
    assert photo.rgb[60, 20, 0] > 120
    assert photo.rgb[60, 100, 2] > 120


def test_phone_photos_are_reduced_but_keep_their_size() -> None:
    photo = decode_photo(encoded(picture(4032, 3024), "JPEG"))
    assert photo.size_wh == (4032, 3024)
    assert IMAGE.photo.working_long_side_px <= max(photo.rgb.shape) < 4032
    assert photo.scale == pytest.approx(4032 / photo.rgb.shape[1])


def test_transparent_becomes_white() -> None:
    photo = decode_photo(encoded(Image.new("RGBA", (40, 40), (0, 0, 0, 0)), "PNG"))
    assert photo.rgb.min() == 255


def sixteen_bit() -> bytes:
    return encoded(Image.fromarray(np.full((40, 40), 40_000, np.uint16)), "PNG")


def animated() -> bytes:
    return encoded(picture(), "WEBP", save_all=True, append_images=[Image.new("RGB", (80, 60))])


@pytest.mark.parametrize(
    ("code", "data"),
    [
        ("empty_file", b""),
        ("not_a_picture", b"PK\x03\x04 a zip that was renamed to .jpg"),
        ("not_a_picture", b"GIF89a" + bytes(40)),
        ("truncated", encoded(picture(400, 300), "JPEG")[:2000]),
        ("truncated", encoded(picture(400, 300), "PNG")[:200]),
        ("too_small", encoded(Image.new("RGB", (1, 1)), "PNG")),
        ("too_large", png_header(20_000, 20_000)),
        ("cmyk", encoded(picture().convert("CMYK"), "JPEG")),
        ("sixteen_bit", sixteen_bit()),
        ("animated", animated()),
    ],
)
def test_refuses_in_one_sentence(code: str, data: bytes) -> None:
    with pytest.raises(PhotoError) as caught:
        decode_photo(data, name="hand.jpg")
    assert caught.value.code == code
    message = str(caught.value)
    assert "hand.jpg" in message
    assert ":" in message  # the problem: the remedy
    assert "\n" not in message


def test_limit_is_above_what_phones_make() -> None:
    assert IMAGE.photo.max_pixels > 12_000 * 9_000


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(PhotoError, match=r"does not exist"):
        load_photo(tmp_path / "no.jpg")
    with pytest.raises(PhotoError, match="cannot be read"):
        load_photo(tmp_path)
