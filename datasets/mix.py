"""One YOLO training folder out of labelled photos and rendered scenes.

A photo with partial labels is cut to its `safe_crop`, so that every visible tile has a label. The folder takes the
splits `train` and `val` of the photos; test sets stay out.
"""

from __future__ import annotations

import csv
import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from tilescore.datasets.corrections import corrections_of
from tilescore.datasets.labels import CLASS_NAMES, describe

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tilescore.datasets.corrections import Correction


@dataclass(frozen=True, slots=True)
class LabelledPhoto:
    """One row of a photo set's manifest.

    Attributes:
        path: the picture; its labels lie in `labels` beside `images`.
        split: `train`, `val` or the name of a test set.
        source: the collection that it comes from.
        tile_set: the tile set that it shows.
        partial: whether tiles outside `safe_crop` may lack labels.
        safe_crop: left, top, right, bottom as shares of the picture (0-1).
        variant: 0 for a photo, a higher number for an augmented copy.
    """

    path: Path
    split: str
    source: str
    tile_set: str
    partial: bool
    safe_crop: tuple[float, float, float, float]
    variant: int

    @property
    def label_path(self) -> Path:
        """The YOLO label file."""
        return Path(str(self.path).replace("/images/", "/labels/")).with_suffix(".txt")

    def labels(self) -> tuple[tuple[int, float, float, float, float], ...]:
        """Class, centre x, centre y, width and height of each tile as shares of the picture, with corrections."""
        given = (_label(line) for line in self.label_path.read_text().splitlines() if line.strip())
        return (*given, *(_corrected(correction) for correction in corrections_of(self.path)))


def read_manifest(root: Path) -> tuple[LabelledPhoto, ...]:
    """Every photo of a set with a `manifest.csv`."""
    with (root / "manifest.csv").open(newline="", encoding="utf-8") as file:
        return tuple(_photo(root, row) for row in csv.DictReader(file))


def build_mix(out: Path, *, photos: Path, scenes: Iterable[Path], real_repeats: int = 1) -> Path:
    """Write a YOLO data folder of real and rendered pictures; returns its data.yaml.

    Args:
        out: the folder to write; its former content is deleted.
        photos: root of the labelled photos (`manifest.csv`, `images/`, `labels/`).
        scenes: folders that `tilescore.datasets.synthesis.synth` has written.
        real_repeats: how many times each photo stands in the training list.
    """
    manifest = read_manifest(photos)
    if out.exists():
        shutil.rmtree(out)
    for split in ("train", "val"):
        (out / "images" / split).mkdir(parents=True)
        (out / "labels" / split).mkdir(parents=True)
    listed: list[str] = []
    for photo in manifest:
        if photo.split not in ("train", "val"):
            continue
        target = out / "images" / photo.split / photo.path.name
        _write_cut(photo, target)
        if photo.split == "train":
            listed += [str(target)] * (real_repeats if photo.variant == 0 else 1)
    for folder in scenes:
        listed += [str(path) for path in sorted((folder / "images").glob("*.jpg"))]
    (out / "train.txt").write_text("\n".join(listed) + "\n")
    return describe(out, path=str(out.resolve()), train="train.txt", val="images/val")


def data_hash(listing: Path) -> str:
    """Short hash over the names and sizes of the pictures in a training list."""
    digest = hashlib.sha256()
    for name in sorted(set(listing.read_text().split())):
        path = Path(name)
        digest.update(f"{path.name} {path.stat().st_size}\n".encode())
    return digest.hexdigest()[:12]


def _write_cut(photo: LabelledPhoto, target: Path) -> None:
    """Write the photo with its labels, cut to its `safe_crop` if the labels are partial."""
    labels = photo.labels()
    label_target = Path(str(target).replace("/images/", "/labels/")).with_suffix(".txt")
    if not photo.partial:
        shutil.copyfile(photo.path, target)
        label_target.write_text("".join(_line(label) for label in labels))
        return
    picture = cv2.imread(str(photo.path))
    if picture is None:
        raise ValueError(f"'{photo.path}' cannot be read: is the photo set complete?")
    height, width = picture.shape[:2]
    x0, y0, x1, y1 = (
        round(share * size) for share, size in zip(photo.safe_crop, (width, height, width, height), strict=True)
    )
    cv2.imwrite(str(target), np.asarray(picture[y0:y1, x0:x1]), [cv2.IMWRITE_JPEG_QUALITY, 97])
    label_target.write_text("".join(_line(label) for label in _inside(labels, (width, height), (x0, y0, x1, y1))))


def _inside(
    labels: Iterable[tuple[int, float, float, float, float]], size_wh: tuple[int, int], cut: tuple[int, int, int, int]
) -> Iterator[tuple[int, float, float, float, float]]:
    (width, height), (x0, y0, x1, y1) = size_wh, cut
    for kind, cx, cy, w, h in labels:
        left, right = np.clip([(cx - w / 2) * width - x0, (cx + w / 2) * width - x0], 0, x1 - x0)
        top, bottom = np.clip([(cy - h / 2) * height - y0, (cy + h / 2) * height - y0], 0, y1 - y0)
        if (right - left) * (bottom - top) > 0.5 * w * width * h * height:
            yield (
                kind,
                (left + right) / 2 / (x1 - x0),
                (top + bottom) / 2 / (y1 - y0),
                (right - left) / (x1 - x0),
                (bottom - top) / (y1 - y0),
            )


def _photo(root: Path, row: dict[str, str]) -> LabelledPhoto:
    crop = tuple(float(share) for share in row["safe_crop"].split()) or (0.0, 0.0, 1.0, 1.0)
    return LabelledPhoto(
        path=root / row["file"],
        split=row["split"],
        source=row["source"],
        tile_set=row["tile_set"],
        partial=row["partial"] == "1",
        safe_crop=(crop[0], crop[1], crop[2], crop[3]),
        variant=int(row["variant"] or 0),
    )


def _label(line: str) -> tuple[int, float, float, float, float]:
    kind, cx, cy, w, h = line.split()
    return int(kind), float(cx), float(cy), float(w), float(h)


def _corrected(correction: Correction) -> tuple[int, float, float, float, float]:
    left, top, right, bottom = correction.shares
    kind = CLASS_NAMES.index(correction.name)
    return kind, (left + right) / 2, (top + bottom) / 2, right - left, bottom - top


def _line(label: tuple[int, float, float, float, float]) -> str:
    return f"{label[0]} " + " ".join(f"{share:.6f}" for share in label[1:]) + "\n"
