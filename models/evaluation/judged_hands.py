"""Photos of hands made harder to see: dark sets, slanted rows, far hands, faces without a picture.

The tiles keep their places and names, or get new ones that follow from the change, so the truth of the photo stays one.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from tilescore.models.evaluation.matching import Truth
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.photo import load_photo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from tilescore.vision.detection.along_row import Corners
    from tilescore.vision.image.photo import Photo

    Array = NDArray[np.float64]
    Change = Callable[["JudgedHand", Corners], Iterator["JudgedHand"]]

_YAWS: Final = (55, -55)
"""The camera is turned by so many degrees about the upright axis; the far end of a row is then a third as large."""
_PITCH: Final = 20
_ROW_PX: Final = 1100
_SLANTED_WH: Final = (1600, 1200)
_FAR_PX: Final = 15
"""The width of a tile of a far hand in an input of 800 pixels."""
_MOST_PX: Final = 4000
_FEWEST: Final = 5
"""Of a hand with fewer concealed tiles none is made blank."""
_LEAST_PX: Final = 12
"""A face in fewer pixels shows no paper to go on."""
_DARKER: Final = 8.0
"""What is darker than the paper by so many grey levels is ink."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedHand:
    """A photo and the tiles of the hand in it.

    Attributes:
        photo: the photo.
        source: who took it.
        tiles: names and boxes in pixels of the upright original.
        concealed: how many of them, the first ones, are concealed.
    """

    photo: Photo
    source: str
    tiles: tuple[Truth, ...]
    concealed: int


def judged_hands(listed: Path, photos: Path) -> Iterator[JudgedHand]:
    """The whole hands of a `roles.jsonl`, with every tile of each, and the folder that its photos lie in."""
    for line in listed.read_text(encoding="utf-8").splitlines():
        entry: dict[str, Any] = json.loads(line)
        if entry["kind"] != "hand" or entry.get("missing"):
            continue
        concealed = entry.get("concealed", [])
        melds = [tile for meld in entry.get("melds", []) for tile in meld["tiles"]]
        tiles = tuple(
            Truth(tile["tile"], Box(*tile["box_xyxy"])) for tile in (*concealed, *melds, *entry.get("bonus", []))
        )
        yield JudgedHand(load_photo(photos / entry["photo"]), entry["source"], tiles, len(concealed))


def as_they_are(hand: JudgedHand, _corners: Corners) -> Iterator[JudgedHand]:
    """The photo itself."""
    yield hand


def inverted(hand: JudgedHand, _corners: Corners) -> Iterator[JudgedHand]:
    """The photographic negative, which makes white tiles black."""
    yield replace(hand, photo=replace(hand.photo, rgb=255 - hand.photo.rgb))


def far(hand: JudgedHand, _corners: Corners) -> Iterator[JudgedHand]:
    """The photo as the middle of a wide one, in which the tiles are small; not if they are as small already."""
    photo, scale = hand.photo, hand.photo.scale
    width = float(np.median([tile.box.short_side for tile in hand.tiles])) / scale
    side = width / _FAR_PX * 800
    height, wide = photo.rgb.shape[:2]
    if side <= 1.1 * max(height, wide):
        return
    factor = min(1.0, _MOST_PX / side)
    rgb = photo.rgb
    if factor < 1:
        rgb = np.asarray(cv2.resize(rgb, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    height, wide = rgb.shape[:2]
    size_wh = (int(side * factor), max(int(side * factor * 0.75), height))
    left, top = (size_wh[0] - wide) // 2, (size_wh[1] - height) // 2
    canvas = np.empty((size_wh[1], size_wh[0], 3), np.uint8)
    canvas[:] = np.median(rgb[::20, ::20].reshape(-1, 3), axis=0)
    canvas[top : top + height, left : left + wide] = rgb
    tiles = tuple(replace(tile, box=tile.box.scaled(factor / scale).moved(left, top)) for tile in hand.tiles)
    yield replace(hand, photo=replace(photo, rgb=canvas, size_wh=size_wh), tiles=tiles)


def slanted(hand: JudgedHand, corners: Corners) -> Iterator[JudgedHand]:
    """The photo as a camera sees it that looks along the row, once from each side."""
    boxes = [tile.box.scaled(1 / hand.photo.scale) for tile in hand.tiles]
    quads = corners.find(hand.photo.rgb, boxes)
    for yaw in _YAWS:
        matrix = _turned(boxes, quads, yaw)
        pixels = cv2.warpPerspective(hand.photo.rgb, matrix, _SLANTED_WH, borderValue=(60, 80, 70))
        moved = cv2.perspectiveTransform(quads.reshape(1, -1, 2), matrix).reshape(-1, 4, 2)
        tiles = tuple(
            replace(tile, box=Box(*quad.min(axis=0).tolist(), *quad.max(axis=0).tolist()))
            for tile, quad in zip(hand.tiles, moved, strict=True)
        )
        yield replace(
            hand, photo=replace(hand.photo, rgb=np.asarray(pixels, np.uint8), size_wh=_SLANTED_WH), tiles=tiles
        )


def _turned(boxes: list[Box], quads: Array, yaw: float) -> Array:
    """The homography (3, 3) of a table seen by a turned camera, the hand in the middle of its picture."""
    sides = np.array([box.xyxy for box in boxes])
    low, high = sides[:, :2].min(axis=0), sides[:, 2:].max(axis=0)
    middle, away = (low + high) / 2, 1.17 * float((high - low).max())
    turn, tilt = np.radians(yaw), np.radians(_PITCH)
    about_y = np.array([(np.cos(turn), 0, np.sin(turn)), (0, 1, 0), (-np.sin(turn), 0, np.cos(turn))])
    about_x = np.array([(1, 0, 0), (0, np.cos(tilt), -np.sin(tilt)), (0, np.sin(tilt), np.cos(tilt))])
    rotation = about_y @ about_x
    to_table = np.array([(1, 0, -middle[0]), (0, 1, -middle[1]), (0, 0, 1)])
    seen = np.column_stack([rotation[:, :2], (0, 0, away)]) @ to_table
    places = cv2.perspectiveTransform(quads.reshape(1, -1, 2), seen)[0]
    low, high = places.min(axis=0), places.max(axis=0)
    scale = _ROW_PX / float((high - low).max())
    x, y = np.array(_SLANTED_WH) * (0.5, 0.6) - scale * (low + high) / 2
    return np.asarray(np.array([(scale, 0, x), (0, scale, y), (0, 0, 1)]) @ seen, np.float64)


def blanked(hand: JudgedHand, corners: Corners) -> Iterator[JudgedHand]:
    """The photo with a concealed tile made a white dragon without a picture: the first, one between, the last, two."""
    photo, concealed = hand.photo, hand.tiles[: hand.concealed]
    centers = np.array([tile.box.center for tile in concealed])
    if len(concealed) < _FEWEST or min(tile.box.short_side for tile in concealed) < _LEAST_PX * photo.scale:
        return
    quads = corners.find(photo.rgb, [tile.box.scaled(1 / photo.scale) for tile in concealed])
    order = np.argsort(centers[:, int(np.argmax(np.ptp(centers, axis=0)))]).tolist()
    dice = np.random.default_rng(zlib.crc32(photo.name.encode()))
    one, two = int(dice.integers(1, len(order) - 1)), int(dice.integers(0, len(order) - 1))
    for chosen in (order[:1], order[one : one + 1], order[-1:], order[two : two + 2]):
        rgb, tiles = photo.rgb, list(hand.tiles)
        for at in chosen:
            rgb = _without_ink(rgb, quads[at])
            tiles[at] = replace(tiles[at], name="5z")
        yield replace(hand, photo=replace(photo, rgb=rgb), tiles=tuple(tiles))


def _without_ink(rgb: NDArray[np.uint8], quad: Array) -> NDArray[np.uint8]:
    """The picture with the face between four corners without its ink: its paper goes on, a plane of colour."""
    height, width = rgb.shape[:2]
    x0, y0 = np.clip(np.floor(quad.min(axis=0) - 3), 0, (width, height)).astype(int)
    x1, y1 = np.clip(np.ceil(quad.max(axis=0) + 3), 0, (width, height)).astype(int)
    part = rgb[y0:y1, x0:x1].astype(np.float32)
    inner, face = (_filled(part.shape[:2], quad - (x0, y0), share) for share in (0.8, 0.93))
    bright = part.mean(axis=2)
    paper = inner & (bright >= np.quantile(bright[inner], 0.55))
    rows, columns = np.mgrid[: part.shape[0], : part.shape[1]]
    places = np.stack([np.ones_like(rows), columns, rows], axis=2).astype(np.float32)
    for _ in range(2):
        plane = places @ np.linalg.lstsq(places[paper], part[paper], rcond=None)[0]
        off = np.abs(part - plane).mean(axis=2)
        paper = inner & (off < max(4.0, 2 * float(np.median(off[paper]))))
    noise = min(3.0, float((part - plane)[paper].std())) if paper.any() else 0.0
    grain = np.random.default_rng(0).normal(0, noise, part.shape).astype(np.float32)
    ink = (face & ((plane - part).max(axis=2) > _DARKER)).astype(np.float32)
    ink = cv2.dilate(ink, np.ones((3, 3), np.uint8), iterations=2) * face
    share = cv2.GaussianBlur(ink, (3, 3), 0)[..., None]
    changed = rgb.copy()
    changed[y0:y1, x0:x1] = np.clip(part * (1 - share) + (plane + cv2.GaussianBlur(grain, (3, 3), 0)) * share, 0, 255)
    return changed


def _filled(shape: tuple[int, ...], quad: Array, share: float) -> NDArray[np.bool_]:
    """Which pixels lie in the inner share of a quad."""
    middle = quad.mean(axis=0)
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, (middle + (quad - middle) * share).round().astype(np.int32), 1)
    return mask.astype(bool)


CHANGES: Final[dict[str, Change]] = {
    "as they are": as_they_are,
    "inverted": inverted,
    "slanted": slanted,
    "far": far,
    "blanked": blanked,
}
