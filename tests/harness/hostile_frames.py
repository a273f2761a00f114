"""Fifty hostile messages of a camera, and what they cost a fresh process."""

from __future__ import annotations

import base64
import io
import random
import struct
import time
import zlib
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST: Final = 4_000_000
"""Length of the longest messages."""


def hostile_messages() -> tuple[dict[str, Any], ...]:
    """The events of fifty messages: wrong formats, wrong sizes, damaged and costly files, wrong types."""
    files = [*_costly_files(), *_other_formats()]
    events: list[dict[str, Any]] = [{"jpeg": base64.b64encode(file).decode(), "at_s": 1.0} for file in files]
    good = base64.b64encode(_jpeg(64, 48)).decode()
    events += [{"jpeg": good, "at_s": time_s} for time_s in (float("nan"), float("inf"), 10**400, "1", None, [1])]
    events += [{"jpeg": text, "at_s": 1.0} for text in ("", "=", "!" * MOST, "A" * MOST, 7, None, [good], {"a": good})]
    return tuple(events[:50])


def cost() -> tuple[float, float]:
    """The growth of the memory in MB and the time of the slowest message in ms."""
    with ProcessPoolExecutor(1, get_context("spawn")) as fresh:
        return fresh.submit(_cost, hostile_messages(), _jpeg(1280, 720)).result()


def _cost(messages: tuple[dict[str, Any], ...], usual: bytes) -> tuple[float, float]:
    from tilescore.ui.components.camera.camera_tap import frame_of

    frame_of({"jpeg": base64.b64encode(usual).decode(), "at_s": 1.0})  # loads the decoder
    Path("/proc/self/clear_refs").write_text("5")  # forgets the peak of what came before
    before, slowest = _peak_mb(), 0.0
    for message in messages:
        start = time.process_time()  # of the work, not of waiting for a core
        frame_of(message)
        slowest = max(slowest, time.process_time() - start)
    return _peak_mb() - before, 1000 * slowest


def _peak_mb() -> float:
    """The largest memory of this process so far. `ru_maxrss` would begin with that of the parent (Linux)."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def _costly_files() -> Iterator[bytes]:
    """JPEG files that are large, long, slow or damaged."""
    small = _jpeg(640, 480)
    for width, height in ((65500, 65500), (65500, 8), (8, 65500), (40000, 3000), (1281, 1280), (0, 100), (100, 0)):
        yield _resized(small, width, height)
    yield _jpeg(2000, 2000)
    yield _jpeg(1280, 1280, noise=True, quality=100)[: MOST * 3 // 4]
    yield _jpeg(5000, 5000)
    yield _jpeg(1280, 1280, noise=True)  # the costliest files within the limits are this one and the next
    progressive = _jpeg(1280, 1280, noise=True, progressive=True)
    yield progressive
    scans = progressive.find(b"\xff\xda")
    yield progressive[:scans] + progressive[scans:-2] * 20 + b"\xff\xd9"
    yield _jpeg(1000, 1000, mode="CMYK")
    for place in (2, 20, 200, len(small) // 2, len(small) - 2):
        yield small[:place]
    generator = random.Random(1)
    for _ in range(6):
        damaged = bytearray(small)
        for _ in range(50):
            damaged[generator.randrange(2, len(damaged))] = generator.randrange(256)
        yield _resized(bytes(damaged), 65500, 65500)
    yield b"\xff\xd8" + b"\xff" * (MOST * 3 // 4)
    yield b"\xff\xd8" + b"\xff\xe1\xff\xff" * (MOST * 3 // 16)
    yield small[:2] + b"\xff\xe1\xff\xffExif\0\0" + bytes(65525) + small[2:] + bytes(MOST // 2)


def _other_formats() -> Iterator[bytes]:
    """Pictures in other formats, some of which unfold to gigabytes."""
    picture = Image.new("RGB", (64, 48))
    for name in ("PNG", "WEBP", "GIF", "BMP", "TIFF", "PPM", "ICO", "TGA"):
        file = io.BytesIO()
        picture.save(file, name)
        yield file.getvalue()
    rows = zlib.compress(bytes(30_001 * 3 + 1) * 1000, 9)
    yield _png(30_000, 30_000, rows * 10)
    yield b"P6 40000 40000 255\n" + bytes(1000)
    yield b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 40000 +X 40000\n"


def _png(width: int, height: int, data: bytes) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def _jpeg(
    width: int, height: int, *, noise: bool = False, mode: str = "RGB", quality: int = 80, progressive: bool = False
) -> bytes:
    picture = Image.new(mode, (width, height))
    if noise:
        pixels = np.random.default_rng(1).integers(0, 256, (height, width, 3), np.uint8)
        picture = Image.fromarray(pixels)
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=quality, progressive=progressive)
    return file.getvalue()


def _resized(jpeg: bytes, width: int, height: int) -> bytes:
    """The file with another size in its header."""
    place = jpeg.find(b"\xff\xc0")
    if place < 0:
        return jpeg
    return jpeg[: place + 5] + struct.pack(">HH", height, width) + jpeg[place + 9 :]
