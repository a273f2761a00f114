"""Ink masks of Chinese characters, from the fonts of this machine or from our own writing brush.

The brush turns centre lines into tapered outlines, so that no font is needed. A stroke is one line of text with the
kind of movement and the points on its way: `"p 40,16 34,50 6,88"`.
"""

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from tilescore.datasets.artwork.style import Array

Point = tuple[float, float]

_FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "C:/Windows/Fonts")
_PRINT_FONTS = ("cjk", "wqy", "droidsansfallback", "uming", "simsun", "msyh", "sourcehan", "lxgwwenkai-", "yozba_.")
"""Parts of the names of font files with printed Chinese characters."""
_HAND_FONTS = ("ukai", "kai00mp", "cwkai", "cwfs", "mouhitsu", "aoyagikouzan", "klee", "kaiti", "simkai")
"""Parts of the names of fonts like handwriting; they count twice, because real tiles look like handwriting."""
_VARIANTS = str.maketrans("万伍発发", "萬五發發")
"""Maps variants of a character to the one that the brush draws."""


@lru_cache(maxsize=1)
def cjk_fonts() -> tuple[tuple[str, int], ...]:
    """Fonts of this machine with Chinese characters, as (path, index in its collection)."""
    fonts: list[tuple[str, int]] = []
    for folder in _FONT_FOLDERS:
        for path in sorted(Path(folder).rglob("*.[ot]t[cf]")) if Path(folder).is_dir() else ():
            name = path.name.lower()
            written = any(mark in name for mark in _HAND_FONTS)
            if written or any(mark in name for mark in _PRINT_FONTS):
                indices = (0, 2, 3) if "cjk" in name else (0,)
                fonts += [(str(path), i) for i in indices] * (2 if written else 1)
    return tuple(fonts)


@lru_cache(maxsize=4096)
def glyph_from(path: str, index: int, text: str, stroke: int, size: int) -> Array | None:
    """The tight ink mask (uint8) of `text` in the font at `path`; None if the font lacks a character."""
    from PIL import Image, ImageDraw, ImageFont

    face = ImageFont.truetype(path, size, index=index)
    if any(bytes(face.getmask(letter)) == bytes(face.getmask("\uffff")) for letter in text):
        return None
    sheet = Image.new("L", (round(size * 1.5) * len(text) + 40, size * 2))
    ImageDraw.Draw(sheet).text((20, 20), text, fill=255, font=face, stroke_width=stroke)
    box = sheet.getbbox()
    return None if box is None else np.asarray(sheet.crop(box))


@cache
def characters() -> Mapping[str, tuple[float, str]]:
    """Brush weight and strokes of each of our own characters, in writing order on a grid of 100 x 100.

    A stroke that turns a corner is split into its parts: `h`, then `v`, and `k` for the hook.
    """
    with Path(__file__).with_name("characters.csv").open(newline="", encoding="utf-8") as file:
        return {row["character"]: (float(row["weight"]), row["strokes"]) for row in csv.DictReader(file)}


@lru_cache(maxsize=256)
def _brushed(letter: str, heavier: int) -> Array | None:
    """The tight ink mask of one of our own brush-drawn characters."""
    written = characters().get(letter.translate(_VARIANTS))
    if written is None:
        return None
    weight, text = written
    sheet = np.zeros((150, 150), np.uint8)
    for outline in _strokes(text, weight * (0.85 + heavier * 0.12)):
        stroke = np.zeros_like(sheet)
        cv2.fillPoly(stroke, [np.round(np.array(outline) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        sheet = np.maximum(sheet, stroke)
    x, y, w, h = cv2.boundingRect(sheet)
    return sheet[y : y + h, x : x + w]


def glyph(text: str, font: int, stroke: int = 0) -> Array | None:
    """The ink mask of a character, about 110 px high, from a font or our own brush; None if both lack it."""
    fonts = cjk_fonts()
    which = font % (len(fonts) + 5)
    if which < len(fonts):
        for path, index in (*fonts[which:], *fonts[:which]):
            mask = glyph_from(path, index, text, stroke, 112)
            if mask is not None:
                return mask
    return _brushed(text, which % 5)


@dataclass(frozen=True, slots=True)
class _Movement:
    """The width of the brush along one kind of stroke."""

    # pairs of a share of the length and the width there, in units of the brush weight
    profile: tuple[tuple[float, float], ...]
    head: float = 0.0  # slant of the start: the left outline, seen along the stroke, begins this many widths earlier
    tail: float = 0.0  # slant of the end: the left outline ends this many widths earlier


_MOVEMENTS = {
    # heng 横, horizontal: press, travel lightly, press again
    "h": _Movement(((0, 0.9), (0.08, 0.72), (0.5, 0.64), (0.88, 0.76), (0.95, 1.0), (1, 0.92)), head=0.3, tail=0.45),
    # horizontal inside a frame, with its ends hidden in the uprights
    "c": _Movement(((0, 0.72), (0.5, 0.66), (1, 0.72))),
    # horizontal with a free start that runs into a corner on its right
    "r": _Movement(((0, 0.9), (0.1, 0.72), (0.5, 0.66), (1, 0.72)), head=0.3),
    # shu 竖, vertical
    "v": _Movement(((0, 1.1), (0.08, 1.0), (0.5, 0.92), (0.92, 1.0), (1, 0.92)), head=-0.3, tail=0.1),
    # vertical from a corner on its right, with a sloping shoulder
    "f": _Movement(((0, 0.3), (0.1, 1.15), (0.2, 1.0), (0.5, 0.92), (0.92, 1.0), (1, 0.92)), tail=0.1),
    # xuanzhen 悬针, vertical that ends as a needle
    "i": _Movement(((0, 1.1), (0.08, 1.0), (0.55, 0.95), (0.8, 0.8), (1, 0.15)), head=-0.3),
    # pie 撇, falling to the left
    "p": _Movement(((0, 1.1), (0.1, 1.02), (0.5, 0.8), (0.8, 0.5), (1, 0.1)), head=-0.2),
    # na 捺, falling to the right, with its foot
    "n": _Movement(((0, 0.22), (0.2, 0.45), (0.55, 0.85), (0.8, 1.35), (0.86, 1.25), (1, 0.1))),
    # dian 点, dot
    "d": _Movement(((0, 0.2), (0.4, 0.85), (0.75, 1.25), (0.92, 1.05), (1, 0.6))),
    # gou 钩, hook
    "k": _Movement(((0, 1.05), (0.35, 0.7), (1, 0.08))),
    # ti 提, rising
    "t": _Movement(((0, 1.15), (0.25, 0.85), (1, 0.08))),
    # wan 弯, a bend of even width
    "b": _Movement(((0, 1.05), (0.1, 0.95), (0.5, 0.88), (1, 0.95)), head=-0.25),
    # wan gou 弯钩, a bend that ends in a hook upwards
    "g": _Movement(((0, 1.05), (0.08, 0.95), (0.5, 0.88), (0.8, 1.0), (0.88, 0.8), (1, 0.06)), head=-0.25),
}
"""Each kind of stroke under the letter that stands for it in the text of a stroke."""


def _smooth(points: Sequence[Point]) -> list[Point]:
    """The Catmull-Rom curve through the points, sampled about every 3 units."""
    padded = [points[0], *points, points[-1]]
    curve = [points[0]]
    for p0, p1, p2, p3 in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        count = max(2, round(math.dist(p1, p2) / 3))
        for index in range(1, count + 1):
            t = index / count
            x, y = (
                0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
                for a, b, c, d in zip(p0, p1, p2, p3, strict=True)
            )
            curve.append((x, y))
    return curve


def _width_at(profile: Sequence[tuple[float, float]], share: float) -> float:
    """The width at a share of the length, by linear interpolation."""
    for (t0, w0), (t1, w1) in pairwise(profile):
        if share <= t1:
            return w0 + (w1 - w0) * (share - t0) / (t1 - t0)
    return profile[-1][1]


def _outline(movement: _Movement, points: Sequence[Point], weight: float) -> list[Point]:
    """The closed outline of one stroke; all outlines turn the same way, so that overlaps stay filled."""
    curve = _smooth(points)
    reach = [0.0]
    for here, there in pairwise(curve):
        reach.append(reach[-1] + math.dist(here, there))
    left: list[Point] = []
    right: list[Point] = []
    last = len(curve) - 1
    for index, (x, y) in enumerate(curve):
        (ax, ay), (bx, by) = curve[max(0, index - 1)], curve[min(last, index + 1)]
        length = math.dist((ax, ay), (bx, by)) or 1.0
        dx, dy = (bx - ax) / length, (by - ay) / length
        width = weight * _width_at(movement.profile, reach[index] / reach[-1])
        to_head, to_tail = reach[index] / (1.6 * width), (reach[-1] - reach[index]) / (1.6 * width)
        slant = -width * (movement.head * max(0.0, 1 - to_head) + movement.tail * max(0.0, 1 - to_tail))
        left.append((x + dy * width / 2 + dx * slant, y - dx * width / 2 + dy * slant))
        right.append((x - dy * width / 2, y + dx * width / 2))
    return left + right[::-1]


def _strokes(text: str, weight: float) -> Iterator[list[Point]]:
    """The closed outlines of strokes written as text, separated by line breaks or `/`, on a sheet of 150 x 150 px.

    `weight` is the brush width on the 100 x 100 grid; `k.8` draws one stroke at 0.8 of it. The points are rounded to
    tenths, so that they are equal on every machine.
    """
    for line in text.strip().replace("/", "\n").splitlines():
        kind, *pairs = line.split()
        points = [(float(x), float(y)) for x, y in (pair.split(",") for pair in pairs)]
        shape = _outline(_MOVEMENTS[kind[0]], points, weight * float(kind[1:] or 1))
        yield [(round(20 + x * 1.1, 1), round(20 + y * 1.1, 1)) for x, y in shape]
