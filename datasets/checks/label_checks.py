"""What can be seen to be wrong with the labels of one picture, from the labels alone.

The limits come from 20,000 hand-drawn boxes of photos: of a thousand, about one is odder than they allow.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from tilescore.datasets.checks.near_duplicates import connected
from tilescore.scoring.tiles import Tile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tilescore.datasets.labels import LabelledPicture
    from tilescore.vision.image.boxes import Box

OUTSIDE_PX: Final = 1.5
"""A box may reach so far beyond the picture by rounding."""
LONGEST_SHAPE: Final = 2.4
"""Long to short side; a tile is 1.4, a leaning or half hidden one more."""
ODDEST_SHAPE: Final = 1.7
"""How many times longer than the picture's usual box: seen from low down, all of them are long."""
ENOUGH_BOXES: Final = 5
"""From so many boxes on, a picture has a usual one."""
ODDEST_AREA: Final = 3.3
"""How many times larger or smaller than the picture's usual box."""
SMALLEST_SIDE_PX: Final = 6
SAME_PLACE_IOU: Final = 0.8


@dataclass(frozen=True, slots=True)
class Remark:
    """Something odd in a picture's labels: which boxes, and why."""

    code: str
    detail: str
    boxes: tuple[Box, ...]


def check_picture(picture: LabelledPicture) -> tuple[Remark, ...]:
    """Everything that is odd about a picture's labels, a remark a kind."""
    checks = (_outside, _odd_shapes, _odd_sizes, _same_places, _too_many_of_a_kind)
    by_code: dict[str, list[Remark]] = {}
    for remark in (remark for find in checks for remark in find(picture)):
        by_code.setdefault(remark.code, []).append(remark)
    return tuple(_merged(remarks) for remarks in by_code.values())


def _merged(remarks: list[Remark]) -> Remark:
    """One remark for several of a kind: the first three in words, all of their boxes."""
    details = [remark.detail for remark in remarks[:3]]
    if len(remarks) > 3:
        details.append(f"{len(remarks) - 3} more")
    return Remark(remarks[0].code, "; ".join(details), tuple(box for remark in remarks for box in remark.boxes))


def _outside(picture: LabelledPicture) -> Iterator[Remark]:
    width, height = picture.size_wh
    for labelled in picture.boxes:
        x0, y0, x1, y1 = labelled.box.xyxy
        beyond = max(-x0, -y0, x1 - width, y1 - height)
        if beyond > OUTSIDE_PX:
            detail = f"the box of {labelled.name} reaches {beyond:.0f} pixels out of the picture"
            yield Remark("box_outside", detail, (labelled.box,))


def _odd_shapes(picture: LabelledPicture) -> Iterator[Remark]:
    shapes = [max(b.box.width, b.box.height) / b.box.short_side for b in picture.boxes]
    usual = float(np.median(shapes)) if len(shapes) >= ENOUGH_BOXES else 0.0
    for labelled, shape in zip(picture.boxes, shapes, strict=True):
        if shape > max(LONGEST_SHAPE, ODDEST_SHAPE * usual):
            box = labelled.box
            detail = f"the box of {labelled.name} is {box.width:.0f} x {box.height:.0f}: too long for a tile"
            yield Remark("odd_shape", detail, (box,))


def _odd_sizes(picture: LabelledPicture) -> Iterator[Remark]:
    areas = [labelled.box.area for labelled in picture.boxes]
    usual = float(np.median(areas)) if len(areas) >= ENOUGH_BOXES else None
    for labelled in picture.boxes:
        box = labelled.box
        if box.short_side < SMALLEST_SIDE_PX:
            detail = f"the box of {labelled.name} is {box.width:.0f} x {box.height:.0f} pixels: too small to see a face"
            yield Remark("odd_size", detail, (box,))
        elif usual is not None and not usual / ODDEST_AREA <= box.area <= usual * ODDEST_AREA:
            detail = f"the box of {labelled.name} has {box.area / usual:.2g} times the area of the others"
            yield Remark("odd_size", detail, (box,))


def _same_places(picture: LabelledPicture) -> Iterator[Remark]:
    boxes = picture.boxes
    tied = [
        (first, second)
        for second in range(len(boxes))
        for first in range(second)
        if boxes[first].box.iou(boxes[second].box) > SAME_PLACE_IOU
    ]
    for group in connected(len(boxes), tied):
        names = sorted({boxes[place].name for place in group})
        if len(group) > 1:
            code = "duplicate_box" if len(names) == 1 else "contradictory_boxes"
            detail = f"{len(group)} boxes of {' and '.join(names)} lie in one place"
            yield Remark(code, detail, tuple(boxes[place].box for place in group))


def _too_many_of_a_kind(picture: LabelledPicture) -> Iterator[Remark]:
    """More of a tile than a set has: four, one of each flower and season, any number face down."""
    tiles = [Tile.parse(labelled.name).plain for labelled in picture.boxes]
    for tile, count in Counter(tiles).items():
        if not tile.is_back and count > (1 if tile.is_bonus else 4):
            boxes = tuple(b.box for b, mine in zip(picture.boxes, tiles, strict=True) if mine == tile)
            yield Remark("five_of_a_kind", f"{count} of {tile}: a set has {1 if tile.is_bonus else 4}", boxes)
