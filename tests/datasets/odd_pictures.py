"""Files with names of pictures that no one can label."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

import numpy as np
from PIL import Image

from tests.datasets.labelled import hollow_png

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def _saved(size_wh: tuple[int, int], kind: str, *, mode: str = "RGB") -> bytes:
    noise = np.random.default_rng(1).integers(0, 256, (size_wh[1], size_wh[0], 3)).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(noise).convert(mode).save(file, kind)
    return file.getvalue()


ODD: Final[dict[str, Callable[[Path], object]]] = {
    "below_32_pixels.png": lambda path: path.write_bytes(_saved((20, 20), "PNG")),
    "one_side_below_32_pixels.jpg": lambda path: path.write_bytes(_saved((400, 31), "JPEG")),
    "one_pixel.bmp": lambda path: path.write_bytes(_saved((1, 1), "BMP")),
    "strip.jpg": lambda path: path.write_bytes(_saved((1600, 40), "JPEG")),
    "empty.jpg": lambda path: path.write_bytes(b""),
    "text.jpg": lambda path: path.write_text("no picture at all"),
    "cut_in_its_header.jpg": lambda path: path.write_bytes(_saved((320, 240), "JPEG")[:100]),
    "cut_in_its_pixels.jpg": lambda path: path.write_bytes(_saved((320, 240), "JPEG")[:3000]),
    "cut_in_its_pixels.webp": lambda path: path.write_bytes(_saved((320, 240), "WEBP")[:3000]),
    "without_pixels.png": lambda path: hollow_png(path, (320, 240)),
    "gigantic.png": lambda path: hollow_png(path, (40_000, 40_000)),
    "pixels_of_floats.tif": lambda path: path.write_bytes(_saved((320, 240), "TIFF", mode="F")),
    "icon.png": lambda path: path.write_bytes(_saved((48, 48), "ICO")),
}
"""Each kind by the name of its file; the function writes one."""
