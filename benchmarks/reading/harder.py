"""Photos of hands made harder to see: dark sets, slanted rows, a turned or far camera, a mirror, blur, dusk.

The tiles keep their places and names, or get new ones that follow from the change, so the truth of the photo stays one.
"""

from __future__ import annotations

import zlib
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from tilescore.models.evaluation.judged_hands import as_they_are, blanked
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.photo import decode_photo
from tilescore.vision.image.view import PhotoView

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from tilescore.datasets.labels import LabelledBox
    from tilescore.models.evaluation.judged_hands import JudgedHand
    from tilescore.vision.detection.along_row import Corners

    Array = NDArray[np.float64]
    Change = Callable[[JudgedHand, Corners], Iterator[JudgedHand]]

_YAWS: Final = (55, -55)
"""The camera is turned by so many degrees about the upright axis; the far end of a row is then a third as large."""
_PITCH: Final = 20
_TURNS: Final = (20, 45, -30)
"""The camera is turned by so many degrees about its own axis."""
_ROW_PX: Final = 1100
_SLANTED_WH: Final = (1600, 1200)
_FAR_PX: Final = (15, 22)
"""Widths of a tile of a far hand in an input of 800 pixels."""
_MOST_PX: Final = 4000
_GAMMA: Final = 2.2
_EXPOSURES: Final = (1 / 4, 1 / 8, 1 / 16)
_WELL, _READ_NOISE = 2000.0, 4.0
"""Electrons of a white pixel at the right exposure, and the deviation that reading it adds."""
_DIM, _DIM_NOISE = 0.2, 5.0
"""The share of its values that a dim photo has, and the deviation of its noise, in grey levels."""
_FOCUS: Final = (0.05, 0.08)
"""Deviations of a photo out of focus, in widths of a tile: about what a person still reads, and more."""
_MOVED: Final = 0.2
"""The way of a tile in a moved photo, in widths of a tile."""
_PERIODS_PX: Final = (3.1, 5.3)
"""Widths of the pixels of a screen in a photo of it."""
_SCREEN_TURN: Final = np.radians(4)
_BEAT: Final = 13
"""Pixels of the screen in one beat with those of the camera."""


def inverted(hand: JudgedHand, _corners: Corners) -> Iterator[JudgedHand]:
    """The photographic negative, which makes white tiles black."""
    yield replace(hand, photo=replace(hand.photo, rgb=255 - hand.photo.rgb))


def mirrored(hand: JudgedHand, _corners: Corners) -> Iterator[JudgedHand]:
    """The photo as some selfie cameras keep it, left and right exchanged."""
    photo = hand.photo
    width = photo.size_wh[0]
    tiles = tuple(
        replace(tile, box=Box(width - tile.box.x1, tile.box.y0, width - tile.box.x0, tile.box.y1))
        for tile in hand.tiles
    )
    yield replace(hand, photo=replace(photo, rgb=np.ascontiguousarray(photo.rgb[:, ::-1])), tiles=tiles)


def far(hand: JudgedHand, _corners: Corners) -> Iterator[JudgedHand]:
    """The photo as the middle of two wide ones, in which the tiles are small; not if they are as small already."""
    for tile_px in _FAR_PX:
        yield from _in_a_wide_one(hand, tile_px)


def _in_a_wide_one(hand: JudgedHand, tile_px: int) -> Iterator[JudgedHand]:
    photo, scale = hand.photo, hand.photo.scale
    side = _tile_px(hand) / tile_px * 800
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
        photo = replace(hand.photo, rgb=np.asarray(pixels, np.uint8), size_wh=_SLANTED_WH)
        yield replace(hand, photo=photo, tiles=_around(hand, np.asarray(moved, np.float64)))


def turned(hand: JudgedHand, corners: Corners) -> Iterator[JudgedHand]:
    """The photo as a camera takes it that is held aslant, thrice."""
    photo = hand.photo
    height, width = photo.rgb.shape[:2]
    quads = corners.find(photo.rgb, [tile.box.scaled(1 / photo.scale) for tile in hand.tiles])
    for degrees in _TURNS:
        view = PhotoView.of(photo).turned(np.radians(degrees), [Box(0, 0, width, height)], margin=0)
        to_view = cv2.invertAffineTransform(view.to_photo)
        places = photo.scale * quads @ to_view[:, :2].T + to_view[:, 2]
        size_wh = (view.rgb.shape[1], view.rgb.shape[0])
        tiles = _around(hand, places)
        yield replace(hand, photo=replace(photo, rgb=view.rgb, size_wh=size_wh), tiles=tiles)


def _around(hand: JudgedHand, quads: Array) -> tuple[LabelledBox, ...]:
    """The tiles of a hand in the upright boxes around those corners (N, 4, 2)."""
    return tuple(
        replace(tile, box=Box(*quad.min(axis=0).tolist(), *quad.max(axis=0).tolist()))
        for tile, quad in zip(hand.tiles, quads, strict=True)
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


def dark(hand: JudgedHand, _corners: Corners) -> Iterator[JudgedHand]:
    """The photo underexposed by two, three and four stops, with the noise of a small sensor."""
    dice = np.random.default_rng(zlib.crc32(hand.photo.name.encode()))
    light = (hand.photo.rgb / np.float32(255)) ** np.float32(_GAMMA)
    for exposure in _EXPOSURES:
        electrons = light * np.float32(exposure * _WELL)
        noise = dice.standard_normal(light.shape, np.float32) * np.sqrt(electrons + _READ_NOISE**2)
        yield _developed(hand, (electrons + noise) / _WELL)


def on_a_screen(hand: JudgedHand, _corners: Corners) -> Iterator[JudgedHand]:
    """The photo as a photo of a screen shows it: the grid of its pixels, and its beat with those of the camera."""
    light = (hand.photo.rgb / np.float32(255)) ** np.float32(_GAMMA)
    rows, columns = np.indices(light.shape[:2], np.float32)
    across = columns * np.cos(_SCREEN_TURN) + rows * np.sin(_SCREEN_TURN)
    down = rows * np.cos(_SCREEN_TURN) - columns * np.sin(_SCREEN_TURN)
    for period in _PERIODS_PX:
        phases = 2 * np.pi * (across[..., None] / period + np.arange(3) / 3)  # a stripe for each colour
        beat = 2 * np.pi * ((1.07 * across + 0.2 * down)[..., None] / (period * _BEAT) + np.arange(3) / 3)
        lines = 2 * np.pi * down[..., None] / period
        grid = (0.55 + 0.45 * np.cos(phases)) * (0.8 + 0.2 * np.cos(lines)) * (0.75 + 0.25 * np.cos(beat))
        yield _developed(hand, 1.3 * light * grid)


def dim(hand: JudgedHand, _corners: Corners) -> Iterator[JudgedHand]:
    """The photo as a simple webcam takes it in a dim room: a fifth of its values, with noise."""
    dice = np.random.default_rng(zlib.crc32(hand.photo.name.encode()))
    noise = dice.normal(0, _DIM_NOISE, hand.photo.rgb.shape)
    rgb = np.clip(hand.photo.rgb * _DIM + noise, 0, 255).astype(np.uint8)
    yield replace(hand, photo=replace(hand.photo, rgb=rgb))


def out_of_focus(hand: JudgedHand, _corners: Corners) -> Iterator[JudgedHand]:
    """The photo out of focus, a little and much."""
    for share in _FOCUS:
        pixels = cv2.GaussianBlur(hand.photo.rgb, (0, 0), share * _tile_px(hand))
        yield replace(hand, photo=replace(hand.photo, rgb=np.asarray(pixels, np.uint8)))


def moved(hand: JudgedHand, _corners: Corners) -> Iterator[JudgedHand]:
    """The photo with the camera moved while it was taken, level and upright."""
    steps = max(3, int(_MOVED * _tile_px(hand)))
    for size_wh in ((steps, 1), (1, steps)):
        yield replace(hand, photo=replace(hand.photo, rgb=np.asarray(cv2.blur(hand.photo.rgb, size_wh), np.uint8)))


def _tile_px(hand: JudgedHand) -> float:
    """The width of a tile in pixels of the picture."""
    return float(np.median([tile.box.short_side for tile in hand.tiles])) / hand.photo.scale


def _developed(hand: JudgedHand, light: NDArray[np.floating]) -> JudgedHand:
    """The hand in a JPEG of that light (H, W, 3), 1 for white."""
    rgb = (255 * np.clip(light, 0, 1) ** (1 / _GAMMA)).astype(np.uint8)
    data = cv2.imencode(".jpg", rgb[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 80])[1]
    return replace(hand, photo=replace(hand.photo, rgb=decode_photo(data.tobytes()).rgb))


CHANGES: Final[dict[str, Change]] = {
    "as they are": as_they_are,
    "inverted": inverted,
    "slanted": slanted,
    "turned": turned,
    "mirrored": mirrored,
    "far": far,
    "blanked": blanked,
    "dark": dark,
    "dim": dim,
    "out of focus": out_of_focus,
    "moved": moved,
    "on a screen": on_a_screen,
}
