"""One YOLO training folder out of labelled photos and rendered scenes.

A photo with partial labels is cut to its `safe_crop`, so that every visible tile has a label. The folder takes the
splits `train` and `val` of the photos; test sets stay out.
"""

import csv
import hashlib
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from tilescore.datasets.corrections import Correction, corrections_of
from tilescore.datasets.labels import CLASS_NAMES, describe
from tilescore.datasets.training_folder import Label, label_file, label_text, pictures_in, read_labels

Shares = tuple[float, float, float, float]


WHOLE_PICTURE: Final = (0.0, 0.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class LabelledPhoto:
    """One row of a photo set's manifest; the labels lie in `labels` beside `images`."""

    path: Path
    split: str  # `train`, `val` or the name of a test set
    source: str
    tile_set: str
    labelled: Shares  # the part in which every tile has a label: left, top, right, bottom as shares of the picture
    variant: int  # 0 for a photo, a higher number for an augmented copy

    def labels(self) -> tuple[Label, ...]:
        """The labels with the corrections."""
        return (*read_labels(self.path), *map(_corrected, corrections_of(self.path)))


def read_manifest(root: Path) -> tuple[LabelledPhoto, ...]:
    """Every photo of a set with a `manifest.csv`; empty without one."""
    manifest = root / "manifest.csv"
    if not manifest.is_file():
        return ()
    with manifest.open(newline="", encoding="utf-8") as file:
        return tuple(_photo(root, row) for row in csv.DictReader(file))


def build_mix(out: Path, *, photos: Path, scenes: Iterable[Path], real_repeats: int = 1) -> Path:
    """Write a YOLO data folder of real and rendered pictures, in place of what was there; returns its data.yaml.

    The labelled photos have a `manifest.csv`, `images/` and `labels/`; each stands `real_repeats` times in the training
    list. `tilescore.datasets.synthesis.synth` has written the folders of scenes.
    """
    if out.exists():
        shutil.rmtree(out)
    for split in ("train", "val"):
        (out / "images" / split).mkdir(parents=True)
        (out / "labels" / split).mkdir(parents=True)
    listed: list[str] = []
    for photo in read_manifest(photos):
        if photo.split not in ("train", "val"):
            continue
        target = out / "images" / photo.split / photo.path.name
        _write_cut(photo, target)
        if photo.split == "train":
            listed += [str(target)] * (real_repeats if photo.variant == 0 else 1)
    listed += map(str, pictures_in(*(folder / "images" for folder in scenes)))
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
    labels = photo.labels()
    if photo.labelled == WHOLE_PICTURE:
        shutil.copyfile(photo.path, target)
        label_file(target).write_text(label_text(labels))
        return
    picture = cv2.imread(str(photo.path))
    if picture is None:
        raise ValueError(f"'{photo.path}' cannot be read: is the photo set complete?")
    height, width = picture.shape[:2]
    x0, y0, x1, y1 = (
        round(share * size) for share, size in zip(photo.labelled, (width, height, width, height), strict=True)
    )
    cv2.imwrite(str(target), np.asarray(picture[y0:y1, x0:x1]), [cv2.IMWRITE_JPEG_QUALITY, 97])
    label_file(target).write_text(label_text(_inside(labels, (width, height), (x0, y0, x1, y1))))


def _inside(labels: Iterable[Label], size_wh: tuple[int, int], cut: tuple[int, int, int, int]) -> Iterator[Label]:
    """The labels of tiles of which more than half lies in the cut, as shares of the cut."""
    (width, height), (x0, y0, x1, y1) = size_wh, cut
    across, down = x1 - x0, y1 - y0
    for kind, cx, cy, w, h in labels:
        left, right = np.clip([(cx - w / 2) * width - x0, (cx + w / 2) * width - x0], 0, across)
        top, bottom = np.clip([(cy - h / 2) * height - y0, (cy + h / 2) * height - y0], 0, down)
        if (right - left) * (bottom - top) > 0.5 * w * width * h * height:
            middle = (left + right) / 2 / across, (top + bottom) / 2 / down
            yield kind, *middle, (right - left) / across, (bottom - top) / down


def _photo(root: Path, row: dict[str, str]) -> LabelledPhoto:
    left, top, right, bottom = map(float, row["safe_crop"].split()) if row["partial"] == "1" else WHOLE_PICTURE
    return LabelledPhoto(
        root / row["file"], row["split"], row["source"], row["tile_set"], (left, top, right, bottom),
        int(row["variant"] or 0),
    )  # fmt: skip


def _corrected(correction: Correction) -> Label:
    left, top, right, bottom = correction.shares
    kind = CLASS_NAMES.index(correction.name)
    return kind, (left + right) / 2, (top + bottom) / 2, right - left, bottom - top
