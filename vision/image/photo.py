"""From the bytes of a picture file to upright RGB pixels, or to an error of one sentence.

Photos of phones are big. A JPEG is decoded at the smallest size that still shows every tile of a hand sharply
(`PhotoLimits.working_long_side_px`), which is three times as fast as decoding all of it. `Photo.size_wh` is the upright
size of the original, and `Photo.scale` leads from working pixels to pixels of the original.
"""

from __future__ import annotations

import errno
import io
import struct
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from tilescore.base.errors import InputError
from tilescore.base.files.plain import read_plain
from tilescore.vision.image.config import IMAGE, PhotoLimits

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL import Image

# EXIF orientation -> (quarter turns counter-clockwise, mirrored left-right before turning).
_ORIENTATIONS: Final = {
    2: (0, True), 3: (2, False), 4: (2, True), 5: (1, True), 6: (3, False), 7: (3, True), 8: (1, False),
}  # fmt: skip
# What Pillow and libheif raise when a file is cut short or its bytes make no sense.
_DAMAGE: Final = (
    OSError, ValueError, SyntaxError, EOFError, IndexError, TypeError, KeyError, RuntimeError, struct.error,
)  # fmt: skip
_EXIF_ORIENTATION: Final = 0x0112


class PhotoError(InputError):
    """A file is no usable photo."""


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """An upright picture.

    Attributes:
        name: name of its file, for messages.
        rgb: uint8 pixels (height, width, 3), possibly reduced.
        size_wh: width and height of the upright original.
        decode_seconds: duration of decoding.
    """

    name: str
    rgb: NDArray[np.uint8]
    size_wh: tuple[int, int]
    decode_seconds: float = 0.0

    @property
    def scale(self) -> float:
        """Pixels of the original per working pixel."""
        return self.size_wh[0] / int(self.rgb.shape[1])


def load_photo(path: Path | str, *, limits: PhotoLimits = IMAGE.photo) -> Photo:
    """The photo in that file; raises PhotoError."""
    try:
        data = read_plain(Path(path), at_most=limits.max_bytes)
    except FileNotFoundError:
        raise PhotoError("no_such_file", f"'{path}' does not exist: check the file name.", path=str(path)) from None
    except OSError as error:
        code = "file_too_big" if error.errno == errno.EFBIG else "unreadable_file"
        raise PhotoError(
            code, f"'{path}' cannot be read ({error.strerror}): name the file of a photo.", path=str(path)
        ) from None
    except ValueError:  # a zero byte in the name
        raise PhotoError("no_such_file", f"'{path}' is no name of a file: check it.", path=str(path)) from None
    return decode_photo(data, name=str(path), limits=limits)


def decode_photo(data: bytes, *, name: str = "photo", limits: PhotoLimits = IMAGE.photo) -> Photo:
    """The photo in these bytes of a JPEG, PNG, WebP or HEIC file, turned upright by its EXIF; raises PhotoError."""
    start = time.perf_counter()
    if not data:
        raise PhotoError("empty_file", f"'{name}' is empty: choose the photo again.", name=name)
    if len(data) > limits.max_bytes:
        raise PhotoError(
            "file_too_big",
            f"'{name}' has {len(data) // 1_000_000} MB: at most {limits.max_bytes // 1_000_000} MB; "
            "send a smaller photo.",
            name=name,
        )
    image = _open(data, name, limits)
    _check(image, data, name, limits)
    width, height = image.size
    try:
        pixels = _decode(image, limits)
        # libheif has already turned a HEIC picture upright.
        orientation = 1 if image.format == "HEIF" else int(image.getexif().get(_EXIF_ORIENTATION, 1))
    except _DAMAGE:
        raise _truncated(name) from None
    quarter_turns, mirrored = _ORIENTATIONS.get(orientation, (0, False))
    if mirrored:
        pixels = pixels[:, ::-1]
    pixels = np.rot90(pixels, quarter_turns)
    if quarter_turns % 2:
        width, height = height, width
    upright = np.ascontiguousarray(pixels)
    return Photo(name, upright, (width, height), time.perf_counter() - start)


def _open(data: bytes, name: str, limits: PhotoLimits) -> Image.Image:
    # Pillow reads headers only, so sizes are checked before anything large is allocated.
    import pi_heif  # loaded with the first photo, not with the module
    from PIL import Image, UnidentifiedImageError

    pi_heif.register_heif_opener()
    Image.MAX_IMAGE_PIXELS = None
    try:
        return Image.open(io.BytesIO(data), formats=limits.formats)
    except UnidentifiedImageError:
        raise PhotoError(
            "not_a_picture",
            f"'{name}' is not a picture that can be read: send a JPEG, PNG, WebP or HEIC photo.",
            name=name,
        ) from None
    except _DAMAGE:
        raise _truncated(name) from None


def _check(image: Image.Image, data: bytes, name: str, limits: PhotoLimits) -> None:
    width, height = image.size
    if min(width, height) < limits.min_side_px:
        raise PhotoError(
            "too_small",
            f"'{name}' is only {width}x{height} pixels: a photo needs at least {limits.min_side_px} on each side, and "
            "about 25 for each tile.",
            name=name,
        )
    if max(width, height) > limits.max_aspect_ratio * min(width, height):
        raise PhotoError(
            "too_small",
            f"'{name}' is {width}x{height} pixels, a strip: cut out the part that shows the hand.",
            name=name,
        )
    most = limits.max_pixels_webp if image.format == "WEBP" else limits.max_pixels
    if width * height > most:
        raise PhotoError(
            "too_large",
            f"'{name}' is {width}x{height} pixels: at most {most // 1_000_000} million; make it smaller first.",
            name=name,
        )
    if image.format in ("PNG", "WEBP") and getattr(image, "is_animated", False):
        raise PhotoError(
            "animated", f"'{name}' is animated: save the one frame that shows the hand as JPEG or PNG.", name=name
        )
    if image.format in ("JPEG", "MPO") and image.info.get("progressive"):
        # In the pixel data no byte FF is followed by DA, so this counts the scans, including those of a small preview.
        scans = data.count(b"\xff\xda")
        if scans > limits.max_scans and scans * width * height > limits.max_scan_pixels:
            raise PhotoError("too_large", f"'{name}' is stored in {scans} passes: save it again, smaller.", name=name)
    if image.mode == "CMYK":
        raise PhotoError(
            "cmyk", f"'{name}' is a CMYK picture made for printing: save it in RGB colours and try again.", name=name
        )
    # Pillow opens a 16-bit RGB PNG as if it had eight bits; byte 24 of the file is the true depth.
    if image.mode.startswith("I") or (image.format == "PNG" and data[24:25] == b"\x10"):
        raise PhotoError(
            "sixteen_bit", f"'{name}' has 16 bits a channel: save it with 8 bits a channel and try again.", name=name
        )


def _decode(image: Image.Image, limits: PhotoLimits) -> NDArray[np.uint8]:
    width, height = image.size
    working = limits.working_long_side_px
    if image.format in ("JPEG", "MPO"):
        shrink = max(1.0, max(width, height) / working)
        image.draft("RGB", (int(width / shrink), int(height / shrink)))
    pixels = _in_bands(image, limits)
    long_side = max(pixels.shape[:2])
    if long_side > 2 * working:
        factor = working / long_side
        pixels = np.asarray(cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    return pixels


def _in_bands(image: Any, limits: PhotoLimits) -> NDArray[np.uint8]:
    """RGB pixels; a very large picture is first reduced by a whole factor, to at least twice the working size."""
    width, height = image.size
    times = max(1, max(width, height) // (2 * limits.working_long_side_px))
    rows = limits.band_rows * times
    bands = []
    for top in range(0, height, rows):
        band = _flattened(image.crop((0, top, width, min(top + rows, height))))
        bands.append(np.asarray(band.reduce(times), dtype=np.uint8))
    return bands[0] if len(bands) == 1 else np.concatenate(bands)


def _flattened(image: Any) -> Any:
    """The image in RGB, transparent parts on white."""
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        from PIL import Image

        layered = image.convert("RGBA")
        ground = Image.new("RGBA", layered.size, "white")
        return Image.alpha_composite(ground, layered).convert("RGB")
    return image.convert("RGB")


def _truncated(name: str) -> PhotoError:
    return PhotoError(
        "truncated", f"'{name}' is damaged or cut short: copy the photo again from where it came.", name=name
    )
