"""Pictures without tiles but with things that resemble them: boxes, signs, keys, digits, packets, blinds, books.

Run `python -m tilescore.datasets.synthesis.clutter OUT --count N --seed S`. The pictures are negatives for training.
With `--around MIX/images/val` each picture is a photo of tiles surrounded by clutter, with its labels.
"""

import argparse
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from tilescore.datasets.artwork.lettering import glyph
from tilescore.datasets.artwork.style import Colour, Rng, any_colour
from tilescore.datasets.labels import describe
from tilescore.datasets.synthesis.surroundings import NO_SURROUNDINGS, Surroundings, find_surroundings
from tilescore.datasets.training_folder import (
    Label,
    label_text,
    pictures_in,
    read_ignore_regions,
    read_labels,
    rgb_of,
    write_ignore_regions,
)
from tilescore.vision.arrays import Pixels
from tilescore.vision.image.boxes import Box

_SIZE_WH: Final = (640, 480)
"""Width and height of a picture in pixels."""
_PHOTO_SHARE: Final = 0.7
"""Share of the pictures that begin as a real photo, where there are photos."""
_TEXT: Final = "東南西北中發白一二三四五六七八九萬梅蘭菊竹春夏秋冬大小人日月火水木金土山川口目手入門本文學生書新年"
"""Chinese characters for signs and books."""
_LATIN: Final = "ABCDEFGHKLMNPRSTUWXYZ0123456789"
"""Letters and digits for keys and books."""
_WORDS: Final = ("OPEN", "Milk", "2024", "EXIT", "OK", "88:88", "12", "No. 3", "Sale", "A4", "km/h", "Bus 9", "+7.5")
"""Words and numbers for signs and books."""


def clutter_picture(rng: Rng, surroundings: Surroundings = NO_SURROUNDINGS) -> Pixels:
    """One picture (480, 640, 3) RGB without a tile; it depends on the state of `rng` only.

    With `surroundings` most pictures begin as a real photo, and objects out of real photos lie on them.
    """
    width, height = _SIZE_WH
    canvas = np.empty((height, width, 3), np.uint8)
    canvas[:] = _colour(rng)
    painters = int(rng.integers(1, 4))
    if surroundings.photos and rng.random() < _PHOTO_SHARE:
        canvas[:] = cv2.resize(surroundings.square(rng), _SIZE_WH, interpolation=cv2.INTER_CUBIC)
        painters = int(rng.integers(0, 2))
    for _ in range(painters):
        _PAINTERS[rng.integers(len(_PAINTERS))](canvas, rng)
    for _ in range(int(rng.integers(0, 6))):
        _lay(canvas, surroundings.sprite(rng), rng)
    return _photographed(canvas, rng)


def _lay(canvas: Pixels, sprite: Any, rng: Rng) -> None:
    """Blend an object (RGBA) into the picture at a random place, angle and size; None is ignored."""
    if sprite is None or sprite.shape[2] != 4:
        return
    width, height = _SIZE_WH
    scale = float(np.exp(rng.uniform(np.log(30), np.log(320)))) / max(sprite.shape[:2])
    spot = (float(rng.uniform(0, width)), float(rng.uniform(0, height)))
    middle = (sprite.shape[1] / 2, sprite.shape[0] / 2)
    matrix = cv2.getRotationMatrix2D(middle, float(rng.uniform(0, 360)), scale)
    matrix[:, 2] += np.array(spot) - np.array(middle)
    laid = cv2.warpAffine(sprite, matrix, _SIZE_WH, flags=cv2.INTER_AREA)
    alpha = laid[..., 3:].astype(np.float32) / 255
    canvas[:] = (canvas * (1 - alpha) + laid[..., :3] * alpha).astype(np.uint8)


def _colour(rng: Rng) -> Colour:
    """A random colour; white paper and black plastic are more frequent than others."""
    kind = rng.random()
    if kind < 0.35:
        base = rng.integers(215, 256)
        return (int(base), int(base - rng.integers(0, 14)), int(base - rng.integers(0, 30)))
    if kind < 0.5:
        return any_colour(rng, 5, 60)
    return any_colour(rng, 0, 256)


def _write(canvas: Pixels, text: str, box: tuple[int, int, int, int], ink: Any, rng: Any) -> None:
    """Write one character into the box (x, y, w, h), with the brush or font of `lettering` where it has one."""
    x, y, w, h = box
    if w < 4 or h < 4:
        return
    mask = glyph(text, int(rng.integers(64)), int(rng.integers(0, 4)))
    if mask is None:
        cv2.putText(canvas, text[:1], (x, y + h), cv2.FONT_HERSHEY_DUPLEX, h / 24, ink, 2, cv2.LINE_AA)
        return
    part = canvas[max(0, y) : y + h, max(0, x) : x + w]
    if part.size == 0:
        return
    alpha = cv2.resize(mask, (part.shape[1], part.shape[0]), interpolation=cv2.INTER_AREA)[..., None] / 255.0
    part[...] = (part * (1 - alpha) + np.array(ink) * alpha).astype(np.uint8)


def _signs(canvas: Pixels, rng: Rng) -> None:
    """Paint boxes, labels and papers with a few large characters or words."""
    for _ in range(int(rng.integers(3, 12))):
        x, y = int(rng.integers(-40, 600)), int(rng.integers(-40, 440))
        w, h = int(rng.integers(30, 240)), int(rng.integers(20, 200))
        cv2.rectangle(canvas, (x, y), (x + w, y + h), _colour(rng), -1)
        if rng.random() < 0.5:
            cv2.rectangle(canvas, (x, y), (x + w, y + h), _colour(rng), int(rng.integers(1, 6)))
        ink = _colour(rng)
        if rng.random() < 0.6:
            size = int(rng.integers(10, 60))
            for place in range(int(rng.integers(1, 6))):
                _write(canvas, str(rng.choice(list(_TEXT))), (x + 6 + place * size, y + 6, size, size), ink, rng)
        else:
            scale = float(rng.uniform(0.4, 2.5))
            word, font = str(rng.choice(_WORDS)), int(rng.integers(0, 8))
            cv2.putText(canvas, word, (x + 5, y + h - 8), font, scale, ink, max(1, round(scale)), cv2.LINE_AA)


def _keys(canvas: Pixels, rng: Rng) -> None:
    """Paint a keyboard or keypad: rows of squares with one character each."""
    side, gap = int(rng.integers(22, 60)), int(rng.integers(2, 9))
    x0, y0 = int(rng.integers(-60, 200)), int(rng.integers(-60, 200))
    cap, ink = _colour(rng), _colour(rng)
    for row in range(int(rng.integers(3, 6))):
        for column in range(int(rng.integers(6, 14))):
            x, y = x0 + column * (side + gap) + row * side // 4, y0 + row * (side + gap)
            cv2.rectangle(canvas, (x, y), (x + side, y + side), cap, -1)
            letter = str(rng.choice(list(_LATIN)))
            cv2.putText(canvas, letter, (x + side // 4, y + side * 2 // 3), 0, side / 45, ink, 1, cv2.LINE_AA)


def _round_things(canvas: Pixels, rng: Rng) -> None:
    """Paint coins, caps, lamps and chips: discs with rings."""
    radius = int(rng.integers(5, 40))
    for _ in range(int(rng.integers(4, 40))):
        x, y = int(rng.integers(0, 640)), int(rng.integers(0, 480))
        cv2.circle(canvas, (x, y), radius, _colour(rng), -1, cv2.LINE_AA)
        cv2.circle(canvas, (x, y), max(1, round(radius * rng.uniform(0.3, 0.9))), _colour(rng), 2, cv2.LINE_AA)


def _bars(canvas: Pixels, rng: Rng) -> None:
    """Paint blinds, grilles, cables, stripes and window panes."""
    step, upright = int(rng.integers(6, 60)), rng.random() < 0.5
    ink, thick = _colour(rng), int(rng.integers(1, 10))
    for at in range(0, 700, step):
        ends = ((at, 0), (at, 480)) if upright else ((0, at), (640, at))
        cv2.line(canvas, ends[0], ends[1], ink, thick, cv2.LINE_AA)
    if rng.random() < 0.4:
        for at in range(0, 700, round(step * rng.uniform(1, 2))):
            ends = ((0, at), (640, at)) if upright else ((at, 0), (at, 480))
            cv2.line(canvas, ends[0], ends[1], ink, thick, cv2.LINE_AA)


def _shelf(canvas: Pixels, rng: Rng) -> None:
    """Paint shelves of books and boxes, side by side or stacked, with titles, labels and emblems."""
    canvas[:] = np.array(_colour(rng)) // int(rng.integers(1, 5))
    quarter = int(rng.random() < 0.25)
    shelf = np.ascontiguousarray(np.rot90(canvas, quarter))
    height, width = shelf.shape[:2]
    deep = int(rng.integers(90, 260))
    for floor in range(int(rng.integers(60, 160)), height + deep, deep + int(rng.integers(6, 30))):
        x = int(rng.integers(-20, 60))
        while x < width:
            slab = int(rng.integers(9, 62))
            top = floor - int(deep * rng.uniform(0.55, 0.97))
            cv2.rectangle(shelf, (x, top), (x + slab, floor), _colour(rng), -1)
            cv2.line(shelf, (x + slab, top), (x + slab, floor), (20, 20, 20), int(rng.integers(1, 3)))
            _title(shelf, (x, max(top, 0), slab, min(floor, height) - max(top, 0)), rng)
            x += slab + (int(rng.integers(10, 90)) if rng.random() < 0.06 else int(rng.integers(0, 3)))
    canvas[:] = np.rot90(shelf, -quarter)


def _title(canvas: Pixels, slab: tuple[int, int, int, int], rng: Rng) -> None:
    """Letter the spine of one book: characters one below another, words along it, a label, an emblem."""
    x, y, w, h = slab
    ink, size = _colour(rng), max(6, round(w * rng.uniform(0.4, 0.9)))
    left, place = x + (w - size) // 2, y + int(rng.integers(3, 30))
    if rng.random() < 0.4:  # a label behind the text
        cv2.rectangle(canvas, (left - 2, place - 2), (left + size + 2, place + 3 * size), _colour(rng), -1)
    if rng.random() < 0.6:
        for number in range(int(rng.integers(1, 9))):
            at = place + number * (size + 2)
            if at + size < y + h:
                _write(canvas, str(rng.choice(list(_TEXT + _LATIN))), (left, at, size, size), ink, rng)
    elif h > 20 and w > 8:
        line = np.zeros((w, h, 3), np.uint8)
        cv2.putText(line, str(rng.choice(_WORDS)), (6, w * 3 // 4), int(rng.integers(0, 8)), w / 40, (1, 1, 1), 1)
        part = canvas[y : y + h, max(0, x) : max(0, x + w)]
        along = np.rot90(line, -1)[: part.shape[0], : part.shape[1]]
        part[: along.shape[0], : along.shape[1]][along[..., 0] > 0] = ink
    if rng.random() < 0.4:
        middle = (x + w // 2, y + h - int(rng.integers(4, 30)))
        cv2.circle(canvas, middle, max(2, round(w * rng.uniform(0.15, 0.4))), _colour(rng), int(rng.choice([-1, 1, 2])))


def _boxes(canvas: Pixels, rng: Rng) -> None:
    """Paint plain slabs of one colour with a shadow: loudspeakers, cartons, phones, purses, notebooks."""
    for _ in range(int(rng.integers(1, 6))):
        middle = rng.uniform((0, 0), _SIZE_WH)
        half = np.exp(rng.uniform(np.log(14), np.log(150))) * np.array([1, rng.uniform(0.5, 1.6)]) / 2
        angle = rng.normal(0, 0.2) if rng.random() < 0.6 else rng.uniform(0, np.pi)
        across, along = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]) * half[:, None]
        top = np.array([middle + a * across + b * along for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
        down = np.array([rng.normal(0, 0.15), rng.uniform(0.0, 0.9)]) * min(half)
        colour = np.array(_colour(rng))
        shadow = cv2.convexHull(np.concatenate([top, top + 1.3 * down + rng.normal(0, 6, 2)]).astype(np.int32))
        cv2.fillPoly(canvas, [shadow], (colour // 5).tolist(), cv2.LINE_AA)
        for first, second in zip(top, np.roll(top, -1, 0), strict=True):
            side = np.array([first, second, second + down, first + down]).astype(np.int32)
            cv2.fillPoly(canvas, [side], (colour * rng.uniform(0.45, 0.9)).tolist(), cv2.LINE_AA)
        cv2.fillPoly(canvas, [top.astype(np.int32)], colour.tolist(), cv2.LINE_AA)
        if rng.random() < 0.5:  # a screen, a lid, a seam
            inner = (middle + (top - middle) * rng.uniform(0.6, 0.95)).astype(np.int32)
            cv2.polylines(canvas, [inner], True, (colour * rng.uniform(0.5, 1)).tolist(), 1, cv2.LINE_AA)


_PAINTERS: Final = (_signs, _signs, _keys, _round_things, _bars, _shelf, _shelf, _boxes, _boxes)
"""Painters of clutter; a repeated one is more frequent."""


def _photographed(canvas: Pixels, rng: Rng) -> Pixels:
    """The picture as a camera takes it: slightly tilted, unevenly lit, soft and noisy."""
    width, height = _SIZE_WH
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    moved = (corners + rng.normal(0, 45, corners.shape)).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(corners, moved)
    warped = np.asarray(cv2.warpPerspective(canvas, matrix, _SIZE_WH, borderMode=cv2.BORDER_REFLECT), np.float32)
    slope = np.linspace(rng.uniform(0.6, 1.1), rng.uniform(0.6, 1.1), width, dtype=np.float32)
    warped *= slope[None, :, None]
    if rng.random() < 0.6:
        warped = np.asarray(cv2.GaussianBlur(warped, (0, 0), float(rng.uniform(0.4, 2.2))), np.float32)
    warped += np.asarray(rng.normal(0, rng.uniform(1, 8), warped.shape), np.float32)
    return np.asarray(np.clip(warped, 0, 255), np.uint8)


def among_clutter(photo: Pixels, rng: Rng, surroundings: Surroundings) -> tuple[Pixels, tuple[int, int]]:
    """A photo (H, W, 3) inside a picture of clutter (1.5 H, 1.5 W, 3), and the place (x, y) of its corner there."""
    height, width = photo.shape[:2]
    wide, high = width + width // 2, height + height // 2
    canvas = np.empty((high, wide, 3), np.uint8)
    x, y = int(rng.integers(0, wide - width + 1)), int(rng.integers(0, high - height + 1))
    columns, rows = (0, x, x + width, wide), (0, y, y + height, high)
    for left, right in pairwise(columns):
        for top, bottom in pairwise(rows):
            if right > left and bottom > top:
                filling = clutter_picture(rng, surroundings)
                canvas[top:bottom, left:right] = cv2.resize(filling, (right - left, bottom - top))
    canvas[y : y + height, x : x + width] = photo
    return canvas, (x, y)


def _moved(label: Label, size_wh: tuple[int, int], at_xy: tuple[int, int], canvas_wh: tuple[int, int]) -> Label:
    """The label of a tile after its photo became part of a larger picture."""
    kind, cx, cy, w, h = label
    (width, height), (x, y), (wide, high) = size_wh, at_xy, canvas_wh
    return kind, (cx * width + x) / wide, (cy * height + y) / high, w * width / wide, h * height / high


def write_clutter(out: Path, *, count: int, seed: int, around: Path | None = None) -> None:
    """Write pictures of clutter and their label files, as a training folder beside those of `synthesis.synth`.

    Each picture depends on the seed and its own number only. `around` is a folder of YOLO images with a label for every
    tile, to surround with clutter; None for no tiles.
    """
    surroundings = find_surroundings()
    photos = pictures_in(around) if around else []
    for part in ("images", "labels"):
        (out / part).mkdir(parents=True, exist_ok=True)
    describe(out, test="images")
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        picture, labels, ignore_regions = clutter_picture(rng, surroundings), "", list[Box]()
        if photos:
            picture, labels, ignore_regions = _photo_among(photos[number % len(photos)], rng, surroundings)
        name = f"c{seed}_{number:06d}"
        quality = int(rng.integers(40, 96))
        packed = cv2.cvtColor(picture, cv2.COLOR_RGB2BGR)
        cv2.imwrite(str(out / "images" / f"{name}.jpg"), packed, [cv2.IMWRITE_JPEG_QUALITY, quality])
        (out / "labels" / f"{name}.txt").write_text(labels)
        if ignore_regions:
            write_ignore_regions(out / "images" / f"{name}.jpg", ignore_regions)


def _photo_among(path: Path, rng: Rng, surroundings: Surroundings) -> tuple[Pixels, str, list[Box]]:
    """One photo among clutter, its label lines, and its ignore regions."""
    photo = rgb_of(path)
    if photo is None:
        raise ValueError(f"'{path}' cannot be read: is the photo set complete?")
    canvas, at_xy = among_clutter(photo, rng, surroundings)
    sizes = ((photo.shape[1], photo.shape[0]), at_xy, (canvas.shape[1], canvas.shape[0]))
    labels = label_text(_moved(label, *sizes) for label in read_labels(path))
    return canvas, labels, [ignore_region.moved(*at_xy) for ignore_region in read_ignore_regions(path)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tilescore.datasets.synthesis.clutter", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--around", type=Path, help="folder of YOLO images to lay among the clutter")
    options = parser.parse_args(arguments)
    write_clutter(options.out, count=options.count, seed=options.seed, around=options.around)


if __name__ == "__main__":
    main()
