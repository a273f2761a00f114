"""From bytes to upright pixels, and the errors of files that are no usable photos."""

import io
import random
import struct
import subprocess
import sys
import warnings
import zlib
from pathlib import Path

import numpy as np
import pillow_jxl  # noqa: F401  # registers its format
import pytest
from PIL import Image

from tests.fuzz.damaged_bytes import corrupted_bytes
from tilescore.datasets.pictures.picture_files import frame_of
from tilescore.vision.image.config import PHOTO_LIMITS
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


def grey16(kind: str) -> bytes:
    """The red channel of the picture with 16 bits."""
    red = np.asarray(picture())[..., 0].astype(np.uint16) * 257
    return encoded(Image.fromarray(red), kind)


def deep_png() -> bytes:
    """The picture as a PNG of 16 bits a channel, which Pillow reads but does not write."""
    rows = b"".join(b"\0" + (row.astype(">u2") * 257).tobytes() for row in np.asarray(picture()))
    header = struct.pack(">IIBBBBB", 80, 60, 16, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    chunks = (struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def refusal(data: bytes) -> str:
    """The sentence that refuses these bytes; empty if they are read."""
    try:
        assert decode_photo(data, name="hand.jpg").rgb.shape[2] == 3
    except PhotoError as error:
        return str(error)
    return ""


def animated(kind: str) -> bytes:
    """The picture, then a black frame."""
    return encoded(picture(), kind, save_all=True, append_images=[Image.new("RGB", (80, 60))])


PHOTOS = {
    "JPEG": encoded(picture(), "JPEG", quality=95),
    "progressive JPEG": encoded(picture(), "JPEG", quality=95, progressive=True),
    "CMYK JPEG": encoded(picture().convert("CMYK"), "JPEG", quality=95),
    "MPO": encoded(picture(), "MPO", quality=95, save_all=True, append_images=[picture()]),
    "PNG": encoded(picture(), "PNG"),
    "PNG, 16 bits": deep_png(),
    "APNG": animated("PNG"),
    "WebP": encoded(picture(), "WEBP", lossless=True),
    "animated WebP": animated("WEBP"),
    "AVIF": encoded(picture(), "AVIF", quality=95),
    "animated AVIF": animated("AVIF"),
    "JPEG XL": encoded(picture(), "JXL", quality=95),
    "JPEG XL in a container": encoded(picture(), "JXL", use_container=True),
    "TIFF": encoded(picture(), "TIFF"),
    "TIFF, LZW": encoded(picture(), "TIFF", compression="tiff_lzw"),
    "TIFF, JPEG": encoded(picture(), "TIFF", compression="jpeg"),
    "CMYK TIFF": encoded(picture().convert("CMYK"), "TIFF"),
    "BMP": encoded(picture(), "BMP"),
    "GIF": encoded(picture(), "GIF"),
    "animated GIF": animated("GIF"),
}
"""The picture in every format that is read."""


@pytest.mark.parametrize("kind", PHOTOS)
def test_reads_what_people_have(kind: str) -> None:
    photo = decode_photo(PHOTOS[kind])
    assert photo.size_wh == (80, 60)
    assert photo.scale == 1
    for (y, x), colour in {(40, 10): (200, 0, 0), (40, 70): (0, 0, 200), (3, 30): (0, 200, 0)}.items():
        assert np.abs(photo.rgb[y, x].astype(int) - colour).max() < 25, (y, x)


@pytest.mark.parametrize("kind", ["PNG", "TIFF", "JXL"])
def test_sixteen_bits_of_grey_become_eight(kind: str) -> None:
    photo = decode_photo(grey16(kind))
    assert (photo.rgb[40, 10] == 200).all()
    assert (photo.rgb[40, 70] == 0).all()


@pytest.mark.parametrize("kind", PHOTOS)
def test_a_damaged_photo_is_read_or_refused_in_one_sentence(kind: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Damage at thirty places each: changed, lost and repeated bytes, and the end cut off."""
    data, rolled = PHOTOS[kind], random.Random(kind)
    damaged = [corrupted_bytes(rolled, data) for _ in range(20)]
    damaged += [data[: len(data) * part // 11] for part in range(1, 11)]
    refused = [sentence for sentence in map(refusal, damaged) if sentence]
    assert refused
    for sentence in refused:
        assert "hand.jpg" in sentence
        assert ":" in sentence
        assert "\n" not in sentence
    assert capfd.readouterr() == ("", "")


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
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF", "AVIF", "JXL of a JPEG"])
def test_exif_turns_it_upright(orientation: int, transpose: Image.Transpose | None, kind: str, tmp_path: Path) -> None:
    """Each EXIF orientation stores the picture turned the other way; upright, all pictures are equal."""
    stored = picture() if transpose is None else picture().transpose(transpose)
    exif = Image.Exif()
    exif[0x0112] = orientation
    path = tmp_path / f"stored.{kind[:4].lower()}"
    if kind == "JXL of a JPEG":
        stored.save(tmp_path / "stored.jpg", quality=95, exif=exif)
        with Image.open(tmp_path / "stored.jpg") as image:
            path.write_bytes(encoded(image, "JXL", lossless_jpeg=True))
    else:
        path.write_bytes(encoded(stored, kind, exif=exif, quality=95))
    photo = load_photo(path)
    assert photo.size_wh == (80, 60)
    assert np.abs(photo.rgb.astype(int) - np.asarray(picture())).mean() < 8
    assert frame_of(path).upright_wh == (80, 60)


def test_heic(heic: bytes) -> None:
    photo = decode_photo(heic, name="phone.heic")
    assert photo.size_wh == (128, 96)
    assert photo.rgb[60, 20, 0] > 120
    assert photo.rgb[60, 100, 2] > 120


def test_phone_photos_are_reduced_but_keep_their_size() -> None:
    photo = decode_photo(encoded(picture(4032, 3024), "JPEG"))
    assert photo.size_wh == (4032, 3024)
    assert PHOTO_LIMITS.working_long_side_px <= max(photo.rgb.shape) < 4032
    assert photo.scale == pytest.approx(4032 / photo.rgb.shape[1])


def test_transparent_becomes_white() -> None:
    photo = decode_photo(encoded(Image.new("RGBA", (40, 40), (0, 0, 0, 0)), "PNG"))
    assert photo.rgb.min() == 255


def declaring(width: int, height: int) -> bytes:
    """A JPEG of 400x300 pixels whose header declares another size."""
    noise = np.random.default_rng(0).integers(0, 255, (300, 400, 3), np.uint8)
    data = encoded(Image.fromarray(noise), "JPEG")
    frame = data.index(b"\xff\xc0") + 5
    return data[:frame] + struct.pack(">HH", height, width) + data[frame + 4 :]


def xl_header(width: int, height: int) -> bytes:
    """A JPEG XL codestream that ends behind its size, with sides of 31 bits."""
    bits = 0b11 << 1 | (height - 1) << 3 | 0b11 << 36 | (width - 1) << 38
    return b"\xff\x0a" + bits.to_bytes(12, "little")


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
        ("too_large", xl_header(20_000, 20_000)),
        ("strip", xl_header(20_000, 40)),
        ("truncated", xl_header(200, 200)),
        ("truncated", b"\xff\x0a"),
        ("other_size", declaring(400, 200)),
        ("other_size", declaring(380, 300)),
        ("truncated", declaring(400, 340)),
        ("truncated", declaring(420, 300)),
        ("pixel_kind", encoded(picture().convert("F"), "TIFF")),
        ("pixel_kind", encoded(picture().convert("LAB"), "TIFF")),
        ("not_a_picture", encoded(picture(), "TIFF", tiffinfo={254: 1})),  # a raw file of a camera begins so
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
    assert PHOTO_LIMITS.max_pixels > 12_000 * 9_000


def test_a_photo_of_too_many_bytes_is_to_be_sent_smaller_wherever_it_comes_from(tmp_path: Path) -> None:
    path = tmp_path / "scan.tiff"
    with path.open("wb") as file:
        file.truncate(PHOTO_LIMITS.max_bytes + 1)
    for read in (load_photo, lambda path: decode_photo(path.read_bytes(), name=str(path))):
        with pytest.raises(PhotoError) as caught:
            read(path)
        assert str(caught.value) == f"'{path}' has more than 60 MB: send a smaller photo."
        assert (caught.value.code, caught.value.params) == ("file_too_big", {"name": str(path)})


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(PhotoError, match=r"does not exist"):
        load_photo(tmp_path / "no.jpg")
    with pytest.raises(PhotoError, match="cannot be read"):
        load_photo(tmp_path)


def test_reading_leaves_the_filters_of_warnings_as_they_are() -> None:
    with warnings.catch_warnings():
        warnings.resetwarnings()
        decode_photo(encoded(picture(), "PNG"))
        assert warnings.filters == []


@pytest.mark.parametrize("asked", ["", "default"])
def test_a_remark_of_pillow_shows_only_where_somebody_asks_for_it(asked: str, tmp_path: Path) -> None:
    file = tmp_path / "odd.jpg"
    file.write_bytes(encoded(picture(), "JPEG", exif=b"Exif\0\0II*\0\x08\0\0\0"))
    code = "import sys; from tilescore.vision.image.photo import load_photo; load_photo(sys.argv[1])"
    command = [sys.executable, *(["-W", asked] if asked else []), "-c", code, str(file)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    assert ("Corrupt EXIF" in done.stderr) == bool(asked)
