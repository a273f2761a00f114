"""Small data sets to read, spoil and convert."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np

from datasets.labels import CLASS_NAMES, LabelledBox, LabelledPicture
from vision.boxes import Box

if TYPE_CHECKING:
    from pathlib import Path

ROLES = ("", "concealed", "meld", "winning")


def hollow_png(path: Path, size_wh: tuple[int, int]) -> None:
    """A PNG of that size without pixels: enough wherever only the size is asked, and quick to write."""
    chunks = ((b"IHDR", struct.pack(">IIBBBBB", *size_wh, 8, 2, 0, 0, 0)), (b"IDAT", b""), (b"IEND", b""))
    path.parent.mkdir(parents=True, exist_ok=True)
    packed = (struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d)) for k, d in chunks)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(packed))


def random_pictures(folder: Path, count: int, *, seed: int = 0) -> tuple[LabelledPicture, ...]:
    """Pictures of odd sizes with boxes at odd places, some roles and some checked flags."""
    rng = np.random.default_rng(seed)
    pictures = []
    for number in range(count):
        width, height = (int(side) for side in rng.integers(64, 4100, 2))
        path = folder / f"{number:04d}.png"
        hollow_png(path, (width, height))
        boxes = []
        for _ in range(int(rng.integers(0, 15))):
            xs, ys = np.sort(rng.uniform(0, width, 2)), np.sort(rng.uniform(0, height, 2))
            box = Box(float(xs[0]), float(ys[0]), float(xs[1]) + 1, float(ys[1]) + 1)
            boxes.append(LabelledBox(str(rng.choice(CLASS_NAMES)), box, str(rng.choice(ROLES))))
        split = ("train", "val", "")[number % 3]
        name = f"{'deep/' if number % 5 == 0 else ''}{number:04d}.png"
        pictures.append(LabelledPicture(path, (width, height), tuple(boxes), name, split, checked=number % 2 == 0))
    return tuple(pictures)


def yolo_set(root: Path, lines: dict[str, str], *, size_wh: tuple[int, int] = (640, 480)) -> Path:
    """A YOLO folder: `SPLIT/NAME` to the text of its label file."""
    for key, text in lines.items():
        hollow_png(root / "images" / f"{key}.png", size_wh)
        labels = root / "labels" / f"{key}.txt"
        labels.parent.mkdir(parents=True, exist_ok=True)
        labels.write_text(text)
    return root
