"""The pixels of a JPEG file, decoded at the scale that is needed, and pixels as a JPEG file."""

import re
from typing import Final

import cv2
import numpy as np

from tilescore.vision.arrays import Pixels
from tilescore.vision.image.config import PhotoLimits

_FACTORS: Final = (8, 4, 2, 1)
"""The factors by which libjpeg-turbo reduces a picture at the cost of a fast transform."""
_ENDS_EARLY: Final = re.compile("premature end", re.IGNORECASE)
_GOES_ON: Final = re.compile(r"(\d+) extraneous bytes before marker 0xd9", re.IGNORECASE)


class OtherSizeError(ValueError):
    """A JPEG declares fewer pixels than it holds."""


def decode_jpeg(data: bytes, size_wh: tuple[int, int], *, is_cmyk: bool, limits: PhotoLimits) -> Pixels:
    """RGB pixels (H, W, 3) of a file, reduced by a power of two to no less than the working size.

    `size_wh` was checked against the limits; `is_cmyk` says that the file holds four inks instead of three colours.

    Raises:
        OtherSizeError: the file declares fewer pixels than it holds.
        ValueError: the file is damaged, or declares more pixels than it holds.
    """
    import simplejpeg  # loaded with the first photo, not with the module

    if simplejpeg.decode_jpeg_header(data)[1::-1] != size_wh:
        raise ValueError("the file has two sizes.")
    longest = max(size_wh)
    factor = next((shrink for shrink in _FACTORS if longest >= shrink * limits.working_long_side_px), 1)
    width, height = (-(-side // factor) for side in size_wh)
    options = {"colorspace": "CMYK" if is_cmyk else "RGB", "min_width": width, "min_height": height}
    try:
        pixels = simplejpeg.decode_jpeg(data, **options)
    except ValueError as error:
        _refuse_other_size(str(error), most=limits.max_extraneous_share * len(data))
        pixels = simplejpeg.decode_jpeg(data, **options, strict=False)  # a warning that costs a few pixels at most
    return _without_inks(pixels) if is_cmyk else pixels


def jpeg_of(rgb: Pixels, *, quality: int, long_side_px: int | None = None) -> bytes:
    """The picture (H, W, 3) as a JPEG file, reduced if its long side is longer than that."""
    factor = 1.0 if long_side_px is None else min(1.0, long_side_px / max(rgb.shape))
    small = cv2.resize(rgb, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA) if factor < 1 else rgb
    _, data = cv2.imencode(".jpg", cv2.cvtColor(small, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, quality])
    return data.tobytes()


def _refuse_other_size(warning: str, *, most: float) -> None:
    """Raise an error if libjpeg found too few data, or more than `most` bytes too many."""
    if _ENDS_EARLY.search(warning):
        raise ValueError(warning)
    spare = _GOES_ON.search(warning)
    if spare is not None and int(spare[1]) > most:
        raise OtherSizeError(warning)


def _without_inks(inks: Pixels) -> Pixels:
    """The colours (H, W, 3) of inks (H, W, 4), which JPEG files store inverted: 255 is paper."""
    black = inks[..., 3].astype(np.uint16)
    rgb = np.empty((*inks.shape[:2], 3), np.uint8)
    for colour in range(3):
        rgb[..., colour] = inks[..., colour] * black // 255
    return rgb
