"""Checks of the labels of one picture that need neither its pixels nor a model.

The limits come from 20,000 hand-drawn boxes of photos. About one box in a thousand exceeds them.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from tilescore.datasets.checks.finding import Finding, Place, Remark, merged
from tilescore.datasets.labels import LabelledBox, LabelledPicture
from tilescore.datasets.pictures.near_duplicates import connected
from tilescore.scoring.tiles import Tile
from tilescore.vision.image.boxes import Box

MAX_OUTSIDE_PX: Final = 1.5
"""A box may reach this far beyond the picture, because tools round coordinates."""
MAX_ASPECT: Final = 2.4
"""Longest allowed ratio of long to short side; a tile has 1.4, a leaning or half hidden tile more."""
MAX_ASPECT_RATIO: Final = 1.7
"""A box may exceed the picture's median aspect by this factor: a photo from low down shows long boxes only."""
MIN_BOXES: Final = 5
"""A picture needs this many boxes before its median size and aspect count."""
MAX_AREA_RATIO: Final = 3.3
"""A box may be this many times larger or smaller than the picture's median box."""
MIN_SIDE_PX: Final = 6
"""A box with a shorter side in pixels is too small to show a face."""
SAME_PLACE_IOU: Final = 0.8
"""Two boxes with a higher IoU lie in one place."""


def check_picture(picture: LabelledPicture) -> tuple[Finding, ...]:
    """Everything that is odd about a picture's labels: at most one finding for each code."""
    checks = (_outside, _odd_shapes, _odd_sizes, _same_places, _too_many_of_a_kind)
    picture = replace(picture, boxes=tuple(picture.boxes))  # unpacked once, and not by each check
    by_code: dict[str, list[Finding]] = {}
    for finding in (finding for check in checks for finding in check(picture)):
        by_code.setdefault(finding.code, []).append(finding)
    return tuple(merged(findings) for findings in by_code.values())


def _finding(picture: LabelledPicture, code: str, detail: str, boxes: tuple[Box, ...], remark: Remark) -> Finding:
    return Finding(code, detail, (Place(picture.key, picture.path, boxes),), remarks=(remark,))


def _outside(picture: LabelledPicture) -> Iterator[Finding]:
    width, height = picture.size_wh
    for labelled in picture.boxes:
        x0, y0, x1, y1 = labelled.box.xyxy
        beyond = max(-x0, -y0, x1 - width, y1 - height)
        if beyond > MAX_OUTSIDE_PX:
            detail = f"the box of {labelled.name} reaches {beyond:.0f} pixels out of the picture"
            remark = Remark("box_outside", {"tile": [labelled.name], "n": round(beyond)})
            yield _finding(picture, "box_outside", detail, (labelled.box,), remark)


def _odd_shapes(picture: LabelledPicture) -> Iterator[Finding]:
    aspects = [max(b.box.width, b.box.height) / b.box.short_side for b in picture.boxes]
    usual = float(np.median(aspects)) if len(aspects) >= MIN_BOXES else 0.0
    for labelled, aspect in zip(picture.boxes, aspects, strict=True):
        if aspect > max(MAX_ASPECT, MAX_ASPECT_RATIO * usual):
            box = labelled.box
            detail = f"the box of {labelled.name} is {box.width:.0f} x {box.height:.0f}: too long for a tile"
            yield _finding(picture, "odd_shape", detail, (box,), _of_size("too_long", labelled))


def _odd_sizes(picture: LabelledPicture) -> Iterator[Finding]:
    areas = [labelled.box.area for labelled in picture.boxes]
    usual = float(np.median(areas)) if len(areas) >= MIN_BOXES else None
    for labelled in picture.boxes:
        box = labelled.box
        if box.short_side < MIN_SIDE_PX:
            detail = f"the box of {labelled.name} is {box.width:.0f} x {box.height:.0f} pixels: too small to see a face"
            yield _finding(picture, "odd_size", detail, (box,), _of_size("too_small", labelled))
        elif usual is not None and not usual / MAX_AREA_RATIO <= box.area <= usual * MAX_AREA_RATIO:
            detail = f"the box of {labelled.name} has {box.area / usual:.2g} times the area of the others"
            remark = Remark("odd_size", {"tile": [labelled.name], "share": box.area / usual})
            yield _finding(picture, "odd_size", detail, (box,), remark)


def _of_size(key: str, labelled: LabelledBox) -> Remark:
    box = labelled.box
    return Remark(key, {"tile": [labelled.name], "width": f"{box.width:.0f}", "height": f"{box.height:.0f}"})


def _same_places(picture: LabelledPicture) -> Iterator[Finding]:
    equal: dict[Box, list[str]] = {}
    for labelled in picture.boxes:
        equal.setdefault(labelled.box, []).append(labelled.name)
    boxes = list(equal)
    for group in connected(len(boxes), _in_one_place(boxes)):
        inside = [(boxes[index], name) for index in group for name in equal[boxes[index]]]
        names = sorted({name for _, name in inside})
        if len(inside) > 1:
            code = "duplicate_box" if len(names) == 1 else "contradictory_boxes"
            detail = f"{len(inside)} boxes of {' and '.join(names)} lie in one place"
            remark = Remark("same_place", {"tiles": names, "count": len(inside)})
            yield _finding(picture, code, detail, tuple(box for box, _ in inside), remark)


def _in_one_place(boxes: Sequence[Box]) -> list[tuple[int, int]]:
    """Pairs of indices of different boxes with an IoU above the limit.

    Boxes are compared from left to right. The IoU of two boxes is at most that of their extents along x, so that the
    second one of a pair begins within a share of the width of the first; beyond, nothing is compared.
    """
    xyxy = np.array([box.xyxy for box in boxes], np.float64).reshape(-1, 4)
    order = np.argsort(xyxy[:, 0], kind="stable")
    x0, y0, x1, y1 = xyxy[order].T
    pairs: list[tuple[int, int]] = []
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # damaged labels hold any numbers
        areas = (x1 - x0) * (y1 - y0)
        ends = np.searchsorted(x0, x0 + (1 - SAME_PLACE_IOU) * (x1 - x0), "right")
        for at, end in enumerate(ends):
            near = slice(at + 1, end)
            across = np.minimum(x1[at], x1[near]) - x0[near]
            down = np.minimum(y1[at], y1[near]) - np.maximum(y0[at], y0[near])
            overlap = np.maximum(0, across) * np.maximum(0, down)
            same = overlap / (areas[at] + areas[near] - overlap) > SAME_PLACE_IOU
            pairs += [(int(order[at]), int(order[at + 1 + ahead])) for ahead in np.flatnonzero(same)]
    return pairs


def _too_many_of_a_kind(picture: LabelledPicture) -> Iterator[Finding]:
    """More of a tile than a set has: four, one of each flower and season, any number face down."""
    tiles = [Tile.parse(labelled.name).plain for labelled in picture.boxes]
    for tile, count in Counter(tiles).items():
        most = 1 if tile.is_bonus else 4
        if not tile.is_back and count > most:
            boxes = tuple(b.box for b, mine in zip(picture.boxes, tiles, strict=True) if mine == tile)
            remark = Remark("five_of_a_kind", {"tile": [str(tile)], "count": count, "most": most})
            yield _finding(picture, "five_of_a_kind", f"{count} of {tile}: a set has {most}", boxes, remark)
