"""The files of a training folder: pictures in `images`, labels in `labels`, ignore regions in `records` beside it.

An ignore region is the box of a tile that has no label because too little of it is in view. A detection there is
neither right nor wrong, so training and evaluation skip it.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tilescore.vision.image.boxes import Box

Label = tuple[int, float, float, float, float]
"""Class, centre x, centre y, width and height of a tile; the last four are shares of the picture."""
RECORDS: Final = ".records"
"""The folder of what is known of rendered scenes beside their labels; hidden, because its files are no labels."""


def pictures_in(*folders: Path) -> list[Path]:
    """The JPEG files of the folders, those of each folder by name."""
    return [path for folder in folders for path in sorted(folder.glob("*.jpg"))]


def rgb_of(picture: Path) -> NDArray[np.uint8] | None:
    """The upright pixels (H, W, 3); None if the file cannot be read."""
    bgr = cv2.imread(str(picture))
    return None if bgr is None else np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), np.uint8)


def label_file(picture: Path) -> Path:
    """The file with the labels of a picture in `images`."""
    return Path(str(picture).replace("/images/", "/labels/")).with_suffix(".txt")


def read_labels(picture: Path) -> list[Label]:
    """The labels of a picture in `images`."""
    rows = (line.split() for line in label_file(picture).read_text().splitlines() if line.strip())
    return [(int(kind), float(cx), float(cy), float(w), float(h)) for kind, cx, cy, w, h in rows]


def label_text(labels: Iterable[Label]) -> str:
    """The text of a label file."""
    return "".join(f"{kind} {' '.join(f'{share:.6f}' for share in shares)}\n" for kind, *shares in labels)


def read_ignore_regions(picture: Path) -> list[Box]:
    """The ignore regions of a rendered scene, in pixels; empty for every other picture."""
    record = _record(picture)
    if not record.is_file():
        return []
    return [Box(*corners) for corners in json.loads(record.read_text(encoding="utf-8")).get("ignore_regions", ())]


def write_ignore_regions(picture: Path, ignore_regions: Iterable[Box]) -> None:
    """Store the ignore regions of a picture that was made from a rendered scene."""
    record = _record(picture)
    record.parent.mkdir(exist_ok=True)
    boxes = [[round(float(value), 1) for value in ignore_region.xyxy] for ignore_region in ignore_regions]
    record.write_text(json.dumps({"ignore_regions": boxes}), encoding="utf-8")


def _record(picture: Path) -> Path:
    return picture.parent.parent / RECORDS / f"{picture.stem}.json"
