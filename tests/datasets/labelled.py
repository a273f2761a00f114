"""Small data sets for tests."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

import cv2
import numpy as np

from tilescore.datasets.labels import CLASS_NAMES, LabelledBox, LabelledPicture
from tilescore.datasets.parts import HANDS, Part
from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

PARTS = tuple(
    map(Part.parse, ("", "concealed", "meld 1", "meld 2 turned", "meld 3 concealed", "winning turned", "bonus"))
)


def hollow_png(path: Path, size_wh: tuple[int, int]) -> None:
    """Write a PNG of that size without pixels, quickly; it suffices wherever only the size counts."""
    chunks = ((b"IHDR", struct.pack(">IIBBBBB", *size_wh, 8, 2, 0, 0, 0)), (b"IDAT", b""), (b"IEND", b""))
    path.parent.mkdir(parents=True, exist_ok=True)
    packed = (struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d)) for k, d in chunks)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(packed))


def random_pictures(folder: Path, count: int, *, seed: int = 0) -> tuple[LabelledPicture, ...]:
    """Pictures of random sizes with random boxes, roles and checked flags."""
    rng = np.random.default_rng(seed)
    pictures = []
    for number in range(count):
        width, height = (int(side) for side in rng.integers(64, 4100, 2))
        path = folder / f"{number:04d}.png"
        hollow_png(path, (width, height))
        boxes = []
        for _ in range(int(rng.integers(0, 15))):
            xs, ys = np.sort(rng.uniform(0, width, 2)), np.sort(rng.uniform(0, height, 2))
            box = Box(float(xs[0]), float(ys[0]), min(float(xs[1]) + 1, width), min(float(ys[1]) + 1, height))
            boxes.append(LabelledBox(str(rng.choice(CLASS_NAMES)), box, PARTS[int(rng.integers(len(PARTS)))]))
        split = ("train", "val", "")[number % 3]
        name = f"{'deep/' if number % 5 == 0 else ''}{number:04d}.png"
        pictures.append(
            LabelledPicture(
                path, (width, height), tuple(boxes), name, split, checked=number % 2 == 0, hand=HANDS[number % 4]
            )
        )
    return tuple(pictures)


def name_classes(root: Path, names: Iterable[str] = CLASS_NAMES) -> None:
    """Write the list of class names of a set."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "classes.txt").write_text("".join(f"{name}\n" for name in names), encoding="utf-8")


def yolo_set(
    root: Path, lines: dict[str, str], *, size_wh: tuple[int, int] = (640, 480), names: Iterable[str] = CLASS_NAMES
) -> Path:
    """Write a YOLO folder; `lines` gives the text of the label file of each `SPLIT/NAME`."""
    name_classes(root, names)
    for key, text in lines.items():
        hollow_png(root / "images" / f"{key}.png", size_wh)
        labels = root / "labels" / f"{key}.txt"
        labels.parent.mkdir(parents=True, exist_ok=True)
        labels.write_text(text)
    return root


def view(seed: int, *, shift: int = 0, size_wh: tuple[int, int] = (320, 240)) -> NDArray[np.uint8]:
    """An artificial photo: soft patches of colour from the seed, shifted by some pixels, with a little noise."""
    rng = np.random.default_rng(seed)
    patches = rng.integers(0, 256, (7, 9, 3)).astype(np.uint8)
    soft = cv2.resize(patches, (size_wh[0] + 20, size_wh[1] + 20), interpolation=cv2.INTER_CUBIC)
    part = soft[shift : shift + size_wh[1], shift : shift + size_wh[0]]
    noise = np.random.default_rng(shift).normal(0, 3, part.shape)
    return np.clip(part + noise, 0, 255).astype(np.uint8)


def photo_set(root: Path, photos: dict[str, tuple[int, int]], labels: dict[str, str] | None = None) -> Path:
    """Write a YOLO folder of artificial photos; `photos` gives seed and shift of the view of each `SPLIT/NAME`."""
    name_classes(root)
    for key, (seed, shift) in photos.items():
        picture = root / "images" / f"{key}.jpg"
        text = root / "labels" / f"{key}.txt"
        for path in (picture, text):
            path.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(picture), view(seed, shift=shift))
        text.write_text((labels or {}).get(key, "0 0.5 0.5 0.1 0.2\n"))
    return root
