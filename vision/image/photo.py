"""From the bytes of a picture file to upright RGB pixels, or to an error of one sentence.

Photos of phones are big. A JPEG is decoded at the smallest size that still shows every tile of a hand sharply
(`PhotoLimits.working_long_side_px`), which takes two thirds of the time of decoding all of it. `Photo.size_wh` is the
upright size of the original, and `Photo.scale` leads from working pixels to pixels of the original. The first frame of
an animation is read.
"""

from __future__ import annotations

import errno
import io
import struct
import time
import warnings
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from tilescore.errors import InputError
from tilescore.files.plain import read_plain
from tilescore.vision.arrays import Pixels
from tilescore.vision.image.config import PHOTO_LIMITS, PhotoLimits
from tilescore.vision.image.jpeg import OtherSizeError, decode_jpeg
from tilescore.vision.image.jpeg_xl import is_jpeg_xl, jpeg_xl_size_wh
from tilescore.vision.image.quiet import quiet_stderr

if TYPE_CHECKING:
    from PIL import Image


# Pillow remarks on files that it reads all the same. A filter of the program that uses this package goes before these
# two, which are set once: a filter for the time of one call would be one for all threads, too.
warnings.filterwarnings("ignore", category=UserWarning, module="PIL", append=True)
warnings.filterwarnings("ignore", "Image size", category=RuntimeWarning, module="PIL", append=True)

# EXIF orientation -> (quarter turns counter-clockwise, mirrored left-right before turning).
_ORIENTATIONS: Final = {
    2: (0, True), 3: (2, False), 4: (2, True), 5: (1, True), 6: (3, False), 7: (3, True), 8: (1, False),
}  # fmt: skip
# What the decoders raise when a file is cut short or its bytes make no sense.
_DAMAGE: Final = (
    OSError, ValueError, SyntaxError, EOFError, IndexError, TypeError, KeyError, AttributeError, OverflowError,
    ZeroDivisionError, RuntimeError, MemoryError, struct.error,
)  # fmt: skip
_EXIF_ORIENTATION: Final = 0x0112
_NEW_SUBFILE_TYPE: Final = 254
"""The tag of a picture in a TIFF file; its lowest bit says that the picture is a small preview of another one."""
_JPEG: Final = ("JPEG", "MPO")
_JPEG_XL: Final = "JXL"
_BITS_8: Final = frozenset({"1", "L", "LA", "P", "PA", "RGB", "RGBA", "RGBX", "RGBa", "La", "CMYK", "YCbCr", "HSV"})
"""Modes of Pillow with eight bits a channel, or fewer."""
_BITS_16: Final = frozenset({"I;16", "I;16L", "I;16B", "I;16N"})
"""Modes of Pillow with one channel of 16 bits. It reduces colours of 16 bits itself."""


class PhotoError(InputError):
    """A file is no usable photo."""


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """An upright picture.

    Attributes:
        name: name of its file, for messages.
        rgb: uint8 pixels (height, width, 3), possibly reduced.
        size_wh: width and height of the upright original.
    """

    name: str
    rgb: Pixels
    size_wh: tuple[int, int]
    decode_seconds: float = 0.0

    @property
    def scale(self) -> float:
        """Pixels of the original per working pixel."""
        return self.size_wh[0] / int(self.rgb.shape[1])


def load_photo(path: Path | str) -> Photo:
    """The photo in that file; raises PhotoError."""
    try:
        data = read_plain(Path(path), at_most=PHOTO_LIMITS.max_bytes)
    except FileNotFoundError:
        raise PhotoError("no_such_file", f"'{path}' does not exist: check the file name.", path=str(path)) from None
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise _too_big(str(path), PHOTO_LIMITS) from None
        message = f"'{path}' cannot be read ({error.strerror}): name the file of a photo."
        raise PhotoError("unreadable_file", message, path=str(path)) from None
    except ValueError:  # a zero byte in the name
        raise PhotoError("no_such_file", f"'{path}' is no name of a file: check it.", path=str(path)) from None
    return decode_photo(data, name=str(path))


def decode_photo(data: bytes, *, name: str = "photo", limits: PhotoLimits = PHOTO_LIMITS) -> Photo:
    """The photo in these bytes of a picture file, turned upright; raises PhotoError.

    JPEG, PNG, WebP, HEIC, AVIF, JPEG XL, TIFF, BMP and GIF are read.
    """
    start = time.perf_counter()
    if not data:
        raise PhotoError("empty_file", f"'{name}' is empty: choose the photo again.", name=name)
    if len(data) > limits.max_bytes:
        raise _too_big(name, limits)
    image = open_photo(data, name=name, limits=limits)
    width, height = image.size
    try:
        pixels = _decode(image, data, limits)
        orientation = 1 if _is_upright(image) else int(image.getexif().get(_EXIF_ORIENTATION, 1))
    except OtherSizeError:
        message = f"'{name}' declares another size than it holds: copy the photo again from where it came."
        raise PhotoError("other_size", message, name=name) from None
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


def open_photo(data: bytes, *, name: str = "photo", limits: PhotoLimits = PHOTO_LIMITS) -> Image.Image:
    """The picture with its header read and checked; raises PhotoError.

    Pillow reads headers only, so sizes are checked before anything large is allocated.
    """
    import pi_heif  # loaded with the first photo, not with the module
    from PIL import Image, UnidentifiedImageError

    pi_heif.register_heif_opener()
    is_xl = is_jpeg_xl(data)
    try:
        if is_xl:
            import pillow_jxl  # noqa: F401  # registers its format, seldom needed

            check_size(jpeg_xl_size_wh(data), _JPEG_XL, name=name, limits=limits)
        image = Image.open(io.BytesIO(data), formats=[kind for kind in limits.formats if (kind == _JPEG_XL) == is_xl])
        is_preview = image.format == "TIFF" and image.getexif().get(_NEW_SUBFILE_TYPE, 0) & 1
    except UnidentifiedImageError:
        raise _no_picture(name) from None
    except Image.DecompressionBombError:  # Pillow refuses twice as many pixels as it warns of
        most = limits.max_pixels // 1_000_000
        message = f"'{name}' has far too many pixels: at most {most} million; make it smaller first."
        raise PhotoError("too_large", message, name=name) from None
    except PhotoError:
        raise
    except _DAMAGE:
        raise _truncated(name) from None
    if is_preview:  # many raw files of cameras begin with one
        raise _no_picture(name)
    _check(image, data, name, limits)
    return image


def _check(image: Image.Image, data: bytes, name: str, limits: PhotoLimits) -> None:
    width, height = image.size
    check_size(image.size, image.format or "", name=name, limits=limits)
    if image.format in _JPEG and image.info.get("progressive"):
        # In the pixel data no byte FF is followed by DA, so this counts the scans, including those of a small preview.
        scans = data.count(b"\xff\xda")
        if scans > limits.max_scans and scans * width * height > limits.max_scan_pixels:
            raise PhotoError("too_large", f"'{name}' is stored in {scans} passes: save it again, smaller.", name=name)
    if image.mode not in _BITS_8 | _BITS_16:
        message = f"'{name}' stores its pixels as no photo does: save it as JPEG or PNG and try again."
        raise PhotoError("pixel_kind", message, name=name)


def check_size(size_wh: tuple[int, int], kind: str, *, name: str = "photo", limits: PhotoLimits = PHOTO_LIMITS) -> None:
    """Raise PhotoError if a picture of that size in pixels, in a format by Pillow's name, is no usable photo."""
    width, height = size_wh
    if min(width, height) < limits.min_side_px:
        needed = f"a photo needs at least {limits.min_side_px} on each side, and about 25 for each tile"
        raise PhotoError("too_small", f"'{name}' is only {width}x{height} pixels: {needed}.", name=name)
    if max(width, height) > limits.max_aspect_ratio * min(width, height):
        message = f"'{name}' is {width}x{height} pixels, a strip: cut out the part that shows the hand."
        raise PhotoError("strip", message, name=name)
    most = limits.max_pixels_copied if kind in limits.copied_formats else limits.max_pixels
    if width * height > most:
        message = f"'{name}' is {width}x{height} pixels: at most {most // 1_000_000} million; make it smaller first."
        raise PhotoError("too_large", message, name=name)


def _is_upright(image: Image.Image) -> bool:
    """Whether the decoder has turned the picture upright: all do in HEIC, and in JPEG XL unless it holds a JPEG."""
    return image.format == "HEIF" or (image.format == _JPEG_XL and not getattr(image, "jpeg", False))


def _decode(image: Image.Image, data: bytes, limits: PhotoLimits) -> Pixels:
    working = limits.working_long_side_px
    if image.format in _JPEG:
        pixels = decode_jpeg(data, image.size, is_cmyk=image.mode == "CMYK", limits=limits)
    else:
        with quiet_stderr() if image.format == "TIFF" else nullcontext():  # libtiff prints what is wrong with a file
            pixels = _in_bands(image, limits)
    long_side = max(pixels.shape[:2])
    if long_side > 2 * working:
        factor = working / long_side
        pixels = np.asarray(cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    return pixels


def _in_bands(image: Any, limits: PhotoLimits) -> Pixels:
    """RGB pixels; a very large picture is first reduced by a whole factor, to at least twice the working size."""
    width, height = image.size
    times = max(1, max(width, height) // (2 * limits.working_long_side_px))
    rows = limits.band_rows * times
    parts = (image.crop((0, top, width, min(top + rows, height))) for top in range(0, height, rows))
    bands = [np.asarray(_flattened(part).reduce(times), dtype=np.uint8) for part in parts]
    return bands[0] if len(bands) == 1 else np.concatenate(bands)


def _flattened(image: Any) -> Any:
    """The image in RGB with eight bits a channel, transparent parts on white."""
    if image.mode in _BITS_16:
        from PIL import Image

        return Image.fromarray((np.asarray(image, np.uint16) >> 8).astype(np.uint8)).convert("RGB")
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        from PIL import Image

        layered = image.convert("RGBA")
        ground = Image.new("RGBA", layered.size, "white")
        return Image.alpha_composite(ground, layered).convert("RGB")
    return image.convert("RGB")


def _no_picture(name: str) -> PhotoError:
    message = f"'{name}' is not a picture that can be read: send a JPEG, PNG, WebP or HEIC photo."
    return PhotoError("not_a_picture", message, name=name)


def _too_big(name: str, limits: PhotoLimits) -> PhotoError:
    message = f"'{name}' has more than {limits.max_bytes // 1_000_000} MB: send a smaller photo."
    return PhotoError("file_too_big", message, name=name)


def _truncated(name: str) -> PhotoError:
    message = f"'{name}' is damaged or cut short: copy the photo again from where it came."
    return PhotoError("truncated", message, name=name)
