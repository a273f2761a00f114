"""Cut-outs of single tiles, and of places without one, from labelled pictures: what the classifier learns from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from tilescore.datasets.corrections import single_of
from tilescore.datasets.ignore_regions import read_ignore_regions
from tilescore.datasets.labels import CLASS_NAMES
from tilescore.datasets.synthesis.clutter import clutter_picture
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.crops import crop, crop_boxes
from tilescore.vision.image.photo import PhotoError, load_photo

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from tilescore.datasets.labels import LabelledPicture
    from tilescore.vision.detection.detector import Detector
    from tilescore.vision.image.crops import Cropper

SIDE: Final = 80
"""Pixels a side as stored: larger than the network's input, so that training can move and turn them."""
MARGIN: Final = 1.6
NO_TILE: Final = len(CLASS_NAMES)
_LOOK: Final = 640
_LEAST_PX: Final = 9
_HARDLY: Final = 0.15
"""Boxes that share less with every tile than this hold none."""


def harvest(
    pictures: Iterable[Path],
    *,
    seed: int = 0,
    negatives: int = 2,
    side: int = SIDE,
    cut: Cropper = crop_boxes,
    jitter: float = 0.0,
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Cut-outs (N, side, side, 3) and their classes (N,) from pictures with YOLO labels in `labels` beside `images`.

    Args:
        pictures: which.
        seed: of where places without a tile are looked for.
        negatives: at most how many of those a picture.
        side: pixels a side.
        cut: how they are cut out.
        jitter: by what share of its side each edge of a tile's box is moved, its spread: a detector's are not those
            of the labels.
    """
    rng = np.random.default_rng(seed)
    crops = [np.zeros((0, side, side, 3), np.uint8)]
    classes: list[int] = []
    for path in pictures:
        bgr = cv2.imread(str(path))
        if bgr is None:
            continue
        rgb = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), np.uint8)
        tiles = labelled_boxes(path, rgb.shape[1], rgb.shape[0])
        empty = _empty_places([box for _, box in tiles], rgb.shape[1], rgb.shape[0], rng, negatives)
        found = [(kind, _jittered(box, jitter, rng)) for kind, box in tiles if box.short_side >= _LEAST_PX]
        found += [(NO_TILE, box) for box in empty]
        if found:
            crops += cut(rgb, [box for _, box in found], side=side, margins=(MARGIN,))
            classes += [kind for kind, _ in found]
    return np.concatenate(crops), np.array(classes, np.int64)


def _jittered(box: Box, spread: float, rng: np.random.Generator) -> Box:
    """The box with its edges moved, by no more than two and a half times that spread."""
    if not spread:
        return box
    left, top, right, bottom = np.clip(rng.normal(0, spread, 4), -2.5 * spread, 2.5 * spread).tolist()
    width, height = box.width, box.height
    return Box(box.x0 + left * width, box.y0 + top * height, box.x1 + right * width, box.y1 + bottom * height)


def crop_tiles(
    pictures: Iterable[LabelledPicture], *, side: int = SIDE, cut: Cropper = crop_boxes
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Cut-outs (N, side, side, 3) of every labelled tile and their classes (N,); what cannot be read is left out."""
    crops = [np.zeros((0, side, side, 3), np.uint8)]
    classes: list[int] = []
    for picture in pictures:
        try:
            photo = load_photo(picture.path)
        except PhotoError:
            continue
        tiles = [(labelled.name, labelled.box.scaled(1 / photo.scale)) for labelled in picture.boxes]
        tiles = [(name, box) for name, box in tiles if box.short_side >= _LEAST_PX]
        if tiles:
            crops += cut(photo.rgb, [box for _, box in tiles], side=side, margins=(MARGIN,))
            classes += [CLASS_NAMES.index(name) for name, _ in tiles]
    return np.concatenate(crops), np.array(classes, np.int64)


def hard_negatives(pictures: Iterable[Path], detector: Detector) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Cut-outs of what a detector takes for tiles where there is none: the negatives that teach most.

    Args:
        pictures: with YOLO labels in `labels` beside `images`; every tile of them must be labelled.
        detector: whose mistakes, however faint, are looked for.
    """
    crops: list[NDArray[np.uint8]] = []
    for path in pictures:
        bgr = cv2.imread(str(path))
        if bgr is None:
            continue
        rgb = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), np.uint8)
        tiles = [box for _, box in labelled_boxes(path, rgb.shape[1], rgb.shape[0])] + read_ignore_regions(path)
        crops += [
            crop(rgb, found.box, side=SIDE, margin=MARGIN)
            for found in detector.detect(rgb, long_side=_LOOK)
            if found.box.short_side >= _LEAST_PX and all(found.box.iou(tile) < _HARDLY for tile in tiles)
        ]
    stacked = np.stack(crops) if crops else np.zeros((0, SIDE, SIDE, 3), np.uint8)
    return stacked, np.full(len(stacked), NO_TILE, np.int64)


def single_tiles(root: Path) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Cut-outs of pictures that show one tile each, in a folder a class."""
    crops: list[NDArray[np.uint8]] = []
    classes: list[int] = []
    for name in CLASS_NAMES:
        for path in sorted((root / name).glob("*.jpg")):
            bgr = cv2.imread(str(path))
            if bgr is None:
                continue
            rgb = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), np.uint8)
            height, width = rgb.shape[:2]
            crops.append(crop(rgb, Box(0, 0, width, height), side=SIDE, margin=MARGIN))
            classes.append(CLASS_NAMES.index(single_of(path, name)))
    return np.stack(crops), np.array(classes, np.int64)


def places_without_tiles(pictures: int, *, seed: int = 0) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Cut-outs of so many pictures of clutter, a dozen each, all of the class `no tile`."""
    crops: list[NDArray[np.uint8]] = []
    for number in range(pictures):
        rng = np.random.default_rng([seed, number])
        picture = clutter_picture(rng)
        height, width = picture.shape[:2]
        for _ in range(12):
            side = float(np.exp(rng.uniform(np.log(18), np.log(110))))
            x, y = rng.uniform(0, width - side), rng.uniform(0, height - side)
            crops.append(crop(picture, Box(x, y, x + side, y + side * rng.uniform(0.8, 1.4)), side=SIDE, margin=MARGIN))
    return np.stack(crops), np.full(len(crops), NO_TILE, np.int64)


def labelled_boxes(path: Path, width: int, height: int) -> list[tuple[int, Box]]:
    """Class and box (pixels) of each tile that the labels of a picture name, which lie in `labels` beside `images`."""
    found: list[tuple[int, Box]] = []
    for line in Path(str(path).replace("/images/", "/labels/")).with_suffix(".txt").read_text().splitlines():
        kind, cx, cy, w, h = (float(word) for word in line.split())
        box = Box((cx - w / 2) * width, (cy - h / 2) * height, (cx + w / 2) * width, (cy + h / 2) * height)
        found.append((int(kind), box))
    return found


def _empty_places(tiles: Sequence[Box], width: int, height: int, rng: np.random.Generator, count: int) -> list[Box]:
    """Boxes of about a tile's size that hold no tile; a few that hold a small part of one."""
    side = float(np.median([box.short_side for box in tiles])) if tiles else 40.0
    places: list[Box] = []
    for _ in range(4 * count):
        w = side * rng.uniform(0.6, 1.6)
        h = w * rng.uniform(0.8, 1.5)
        x, y = rng.uniform(0, max(1.0, width - w)), rng.uniform(0, max(1.0, height - h))
        place = Box(x, y, x + w, y + h)
        if all(place.covered_by(tile) < 0.15 and tile.covered_by(place) < 0.25 for tile in tiles):
            places.append(place)
        if len(places) == count:
            break
    return places
