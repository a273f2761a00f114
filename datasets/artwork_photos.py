"""Faces cut out of real pictures: scanned single tiles and the labelled photos of the training split."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from datasets.faces import CLASSES, FACES, fit_face
from datasets.lettering import Array

if TYPE_CHECKING:
    from pathlib import Path

FaceMaker = Callable[[str], Array | None]
Rng = np.random.Generator


@lru_cache(maxsize=2)
def _crop_index(folder: Path) -> Mapping[str, tuple[Path, ...]]:
    found: dict[str, list[Path]] = {}
    with (folder / "crops.csv").open() as lines:
        for row in csv.DictReader(lines):
            if int(row["height"]) >= 60 and row["class"] in CLASSES:
                found.setdefault(row["class"], []).append(folder / row["file"])
    return {tile: tuple(paths) for tile, paths in found.items()}


@lru_cache(maxsize=800)
def _read_face(path: Path) -> Array | None:
    image = cv2.imread(str(path))
    return None if image is None else fit_face(cv2.cvtColor(image, cv2.COLOR_BGR2RGB))


def crop_faces(folder: Path) -> Callable[[Rng], FaceMaker]:
    """Scanned single tiles; each set is thrown together, one scan a face."""

    def start(rng: Rng) -> FaceMaker:
        index = _crop_index(folder)
        picks = {tile: index[tile][rng.integers(len(index[tile]))] for tile in FACES if tile in index}
        return lambda tile: _read_face(picks[tile]) if tile in picks else None

    return start


@lru_cache(maxsize=2)
def _photo_faces(folder: Path) -> Mapping[str, Mapping[str, tuple[Array, ...]]]:
    """Upright faces cut from the training photos, at most 60 a class and family: family -> class -> faces."""
    rng = np.random.default_rng(7)
    found: dict[str, dict[str, list[Array]]] = {}
    paths = sorted((folder / "labels/train").glob("*.txt"))
    for which in rng.permutation(len(paths)):
        path = paths[which]
        image = cv2.imread(str(folder / "images/train" / f"{path.stem}.jpg"))
        if image is None:
            continue
        image = cv2.cvtColor(image, cv2.COLOR_BGR2RGB)
        pool = found.setdefault(path.stem.split("_")[0], {})
        height, width = image.shape[:2]
        for line in path.read_text().splitlines():
            kind, cx, cy, w, h = (float(v) for v in line.split())
            wide, tall = w * width, h * height
            faces = pool.setdefault(CLASSES[int(kind)], [])
            if len(faces) < 60 and wide >= 24 and 1.2 < tall / wide < 1.55:
                x0, y0 = max(0, round(cx * width - wide / 2)), max(0, round(cy * height - tall / 2))
                faces.append(fit_face(image[y0 : y0 + round(tall), x0 : x0 + round(wide)]))
    return {family: {tile: tuple(faces) for tile, faces in pool.items() if faces} for family, pool in found.items()}


def photo_faces(folder: Path, family: str) -> Callable[[Rng], FaceMaker]:
    """Faces of one family of the training photos."""

    def start(rng: Rng) -> FaceMaker:
        pool = _photo_faces(folder)[family]
        picks = {tile: faces[rng.integers(len(faces))] for tile in FACES if (faces := pool.get(tile))}
        return picks.get

    return start
