"""Training crops for the classifier: single tiles, and places without a tile, out of labelled pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from tilescore.datasets.corrections import corrected_class
from tilescore.datasets.labels import CLASS_NAMES
from tilescore.datasets.synthesis.clutter import clutter_picture
from tilescore.datasets.training_folder import pictures_in, read_ignore_regions, read_labels, rgb_of
from tilescore.vision.classes import NO_TILE
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.crops import crop, crop_boxes
from tilescore.vision.image.photo import PhotoError, load_photo

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from tilescore.datasets.labels import LabelledPicture
    from tilescore.vision.detection.detector import Detector
    from tilescore.vision.image.crops import Cropper

STORED_SIDE: Final = 80
"""Side of a stored crop in pixels; it exceeds the network's input, so that training can shift and turn the crop."""
TRAINING_MARGIN: Final = 1.6
"""Side of a crop as a multiple of the side of its box."""
_DETECTION_PX: Final = 640
"""Long side in pixels at which the detector looks for false positives."""
_MIN_SIDE_PX: Final = 9
"""A box with a shorter side in pixels gives no crop."""
_MAX_NEGATIVE_IOU: Final = 0.15
"""A detection is a false positive if its IoU with every tile is below this."""
_NEGATIVES_PER_CLUTTER: Final = 12
_MAX_NEGATIVE_COVERAGE: Final = 0.15
"""A place without a tile may be covered by a tile up to this share."""
_MAX_TILE_COVERAGE: Final = 0.25
"""A place without a tile may cover a tile up to this share."""
_MAX_JITTER: Final = 2.5
"""No edge moves by more than this many standard deviations."""


def harvest(
    pictures: Iterable[Path],
    *,
    negatives: int = 2,
    side: int = STORED_SIDE,
    cut: Cropper = crop_boxes,
    jitter: float = 0.0,
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Crops (N, side, side, 3) and their classes (N,) from pictures with YOLO labels in `labels` beside `images`.

    A picture gives at most `negatives` places without a tile. `jitter` is the standard deviation of the shift of each
    edge, as a share of the box's side; a detector's boxes differ from the labels in this way.
    """
    rng = np.random.default_rng(0)
    crops = [np.zeros((0, side, side, 3), np.uint8)]
    classes: list[int] = []
    for path in pictures:
        rgb = rgb_of(path)
        if rgb is None:
            continue
        tiles = labelled_boxes(path, rgb.shape[1], rgb.shape[0])
        empty = _empty_places([box for _, box in tiles], rgb.shape[1], rgb.shape[0], rng, negatives)
        places = [(kind, jittered(box, jitter, rng)) for kind, box in tiles if box.short_side >= _MIN_SIDE_PX]
        places += [(NO_TILE, box) for box in empty]
        if places:
            crops += cut(rgb, [box for _, box in places], side=side, margins=(TRAINING_MARGIN,))
            classes += [kind for kind, _ in places]
    return np.concatenate(crops), np.array(classes, np.int64)


def jittered(box: Box, spread: float, rng: np.random.Generator) -> Box:
    """The box with each edge shifted at random, with that standard deviation as a share of its side."""
    if not spread:
        return box
    left, top, right, bottom = np.clip(rng.normal(0, spread, 4), -_MAX_JITTER * spread, _MAX_JITTER * spread).tolist()
    width, height = box.width, box.height
    return Box(box.x0 + left * width, box.y0 + top * height, box.x1 + right * width, box.y1 + bottom * height)


def crop_tiles(
    pictures: Iterable[LabelledPicture], *, side: int = STORED_SIDE, cut: Cropper = crop_boxes
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Crops (N, side, side, 3) of every labelled tile and their classes (N,); unreadable pictures are left out."""
    crops = [np.zeros((0, side, side, 3), np.uint8)]
    classes: list[int] = []
    for picture in pictures:
        try:
            photo = load_photo(picture.path)
        except PhotoError:
            continue
        tiles = [(labelled.name, labelled.box.scaled(1 / photo.scale)) for labelled in picture.boxes]
        tiles = [(name, box) for name, box in tiles if box.short_side >= _MIN_SIDE_PX]
        if tiles:
            crops += cut(photo.rgb, [box for _, box in tiles], side=side, margins=(TRAINING_MARGIN,))
            classes += [CLASS_NAMES.index(name) for name, _ in tiles]
    return np.concatenate(crops), np.array(classes, np.int64)


def hard_negatives(pictures: Iterable[Path], detector: Detector) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Crops of a detector's false positives, as hard negatives.

    The labels lie in `labels` beside `images` and leave no tile out. All proposals count, whatever their probability.
    """
    crops: list[NDArray[np.uint8]] = []
    for path in pictures:
        rgb = rgb_of(path)
        if rgb is None:
            continue
        tiles = [box for _, box in labelled_boxes(path, rgb.shape[1], rgb.shape[0])] + read_ignore_regions(path)
        crops += [
            crop(rgb, place.box, side=STORED_SIDE, margin=TRAINING_MARGIN)
            for place in detector.detect(rgb, long_side=_DETECTION_PX)
            if place.box.short_side >= _MIN_SIDE_PX and all(place.box.iou(tile) < _MAX_NEGATIVE_IOU for tile in tiles)
        ]
    stacked = np.stack(crops) if crops else np.zeros((0, STORED_SIDE, STORED_SIDE, 3), np.uint8)
    return stacked, np.full(len(stacked), NO_TILE, np.int64)


def single_tiles(root: Path) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Crops of pictures that show one tile each, with one folder for each class."""
    crops: list[NDArray[np.uint8]] = []
    classes: list[int] = []
    for name in CLASS_NAMES:
        for path in pictures_in(root / name):
            rgb = rgb_of(path)
            if rgb is None:
                continue
            height, width = rgb.shape[:2]
            crops.append(crop(rgb, Box(0, 0, width, height), side=STORED_SIDE, margin=TRAINING_MARGIN))
            classes.append(CLASS_NAMES.index(corrected_class(path, name)))
    return np.stack(crops), np.array(classes, np.int64)


def places_without_tiles(pictures: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """A dozen crops of each picture of clutter, all of class NO_TILE; `pictures` is the number of pictures."""
    crops: list[NDArray[np.uint8]] = []
    for number in range(pictures):
        rng = np.random.default_rng([0, number])
        picture = clutter_picture(rng)
        height, width = picture.shape[:2]
        for _ in range(_NEGATIVES_PER_CLUTTER):
            side = float(np.exp(rng.uniform(np.log(18), np.log(110))))
            x, y = rng.uniform(0, width - side), rng.uniform(0, height - side)
            place = Box(x, y, x + side, y + side * rng.uniform(0.8, 1.4))
            crops.append(crop(picture, place, side=STORED_SIDE, margin=TRAINING_MARGIN))
    return np.stack(crops), np.full(len(crops), NO_TILE, np.int64)


def labelled_boxes(path: Path, width: int, height: int) -> list[tuple[int, Box]]:
    """Class and box in pixels of each labelled tile of a picture; the labels lie in `labels` beside `images`."""
    return [
        (kind, Box((cx - w / 2) * width, (cy - h / 2) * height, (cx + w / 2) * width, (cy + h / 2) * height))
        for kind, cx, cy, w, h in read_labels(path)
    ]


def _empty_places(tiles: Sequence[Box], width: int, height: int, rng: np.random.Generator, count: int) -> list[Box]:
    """Boxes of about a tile's size that hold no tile, or only a small part of one."""
    side = float(np.median([box.short_side for box in tiles])) if tiles else 40.0
    places: list[Box] = []
    for _ in range(4 * count):
        w = side * rng.uniform(0.6, 1.6)
        h = w * rng.uniform(0.8, 1.5)
        x, y = rng.uniform(0, max(1.0, width - w)), rng.uniform(0, max(1.0, height - h))
        place = Box(x, y, x + w, y + h)
        if all(
            place.covered_by(tile) < _MAX_NEGATIVE_COVERAGE and tile.covered_by(place) < _MAX_TILE_COVERAGE
            for tile in tiles
        ):
            places.append(place)
        if len(places) == count:
            break
    return places
