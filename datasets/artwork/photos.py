"""Faces cropped from real pictures: scanned single tiles and the labelled photos of the training split."""

import csv
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from tilescore.datasets.artwork.faces import FRONT_NAMES, fit_face
from tilescore.datasets.artwork.style import Array, Rng
from tilescore.datasets.corrections import corrected_class
from tilescore.datasets.labels import CLASS_NAMES
from tilescore.datasets.training_folder import read_labels, rgb_of

FaceMaker = Callable[[str], Array | None]
_CORNER: Final = 1 / 7
"""Side of a corner region as a share of the face's side."""
_MAX_PAPER_DISTANCE: Final = 40.0
"""A corner that differs more than this from the paper shows the table (CIELAB, lightness weighted by 0.6)."""
_MAX_FACES: Final = 60
"""Number of faces that are kept for each class and family."""


@lru_cache(maxsize=2)
def _crop_index(folder: Path) -> Mapping[str, tuple[Path, ...]]:
    files: dict[str, list[Path]] = {}
    with (folder / "crops.csv").open() as lines:
        for row in csv.DictReader(lines):
            if int(row["height"]) >= 60 and row["class"] in CLASS_NAMES:
                files.setdefault(corrected_class(folder / row["file"], row["class"]), []).append(folder / row["file"])
    return {tile: tuple(paths) for tile, paths in files.items()}


@lru_cache(maxsize=800)
def _read_face(path: Path) -> Array | None:
    image = rgb_of(path)
    return None if image is None else fit_face(image)


def crop_faces(folder: Path) -> Callable[[Rng], FaceMaker]:
    """Faces out of scanned single tiles; each tile set combines random scans, one for each face."""

    def start(rng: Rng) -> FaceMaker:
        index = _crop_index(folder)
        picks = {tile: index[tile][rng.integers(len(index[tile]))] for tile in FRONT_NAMES if tile in index}
        return lambda tile: _read_face(picks[tile]) if tile in picks else None

    return start


@lru_cache(maxsize=2)
def _photo_faces(folder: Path) -> Mapping[str, Mapping[str, tuple[Array, ...]]]:
    """Upright faces cropped from the training photos, by family and class; at most 60 for each class of a family."""
    rng = np.random.default_rng(7)
    families: dict[str, dict[str, list[Array]]] = {}
    paths = sorted((folder / "labels/train").glob("*.txt"))
    for which in rng.permutation(len(paths)):
        picture = folder / "images/train" / f"{paths[which].stem}.jpg"
        image = rgb_of(picture)
        if image is None:
            continue
        pool = families.setdefault(picture.stem.split("_")[0], {})
        height, width = image.shape[:2]
        for kind, cx, cy, w, h in read_labels(picture):
            wide, tall = w * width, h * height
            faces = pool.setdefault(CLASS_NAMES[kind], [])
            if len(faces) < _MAX_FACES and wide >= 24 and 1.2 < tall / wide < 1.55:
                x0, y0 = max(0, round(cx * width - wide / 2)), max(0, round(cy * height - tall / 2))
                face = fit_face(image[y0 : y0 + round(tall), x0 : x0 + round(wide)])
                if _lies_straight(face):
                    faces.append(face)
    return {family: {tile: tuple(faces) for tile, faces in pool.items() if faces} for family, pool in families.items()}


def _lies_straight(face: Array) -> bool:
    """Whether the tile in a crop (H, W, 3) is parallel to its edges; else two corners show the table."""
    colours = cv2.cvtColor(np.ascontiguousarray(face), cv2.COLOR_RGB2LAB).astype(np.float64) * (0.6, 1, 1)
    height, width = colours.shape[:2]
    inner = colours[height // 10 : -(height // 10), width // 10 : -(width // 10)].reshape(-1, 3)
    paper = np.median(inner[inner[:, 0] >= np.percentile(inner[:, 0], 70)], axis=0)
    off = np.linalg.norm(colours - paper, axis=2)
    tall, wide = round(height * _CORNER), round(width * _CORNER)
    corners = (off[:tall, :wide], off[:tall, -wide:], off[-tall:, :wide], off[-tall:, -wide:])
    return sorted(float(np.percentile(corner, 30)) for corner in corners)[2] < _MAX_PAPER_DISTANCE


def photo_faces(folder: Path, family: str) -> Callable[[Rng], FaceMaker]:
    """Faces out of one family of the training photos."""

    def start(rng: Rng) -> FaceMaker:
        pool = _photo_faces(folder)[family]
        picks = {tile: faces[rng.integers(len(faces))] for tile in FRONT_NAMES if (faces := pool.get(tile))}
        return picks.get

    return start
