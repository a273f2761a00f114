"""Procedural mahjong faces out of circles, sticks and fonts, in thousands of styles for training.

A face is ink on white, uint8 RGB of size `FACE_WH`. `tileset.py` adds paper, wear and engraving.
"""

import math

import cv2
import numpy as np

from tilescore.datasets.artwork.flowers import draw_bonus
from tilescore.datasets.artwork.lettering import glyph
from tilescore.datasets.artwork.style import PAPER, Array, Colour, TileStyle
from tilescore.datasets.labels import CLASS_NAMES

FACE_WH = (96, 128)
"""Width and height of a face in pixels."""
FRONT_NAMES = CLASS_NAMES[:-1]
"""Names of all classes but the back."""

_CAPTIONS = {"m": "123456789", "p": "123456789", "s": "123456789", "z": "ESWNPFC", "f": "1234", "q": "1234"}
"""Western index of each rank, by suit."""

_DOTS: dict[int, tuple[tuple[float, float, int], ...]] = {
    2: ((0.5, 0.27, 0), (0.5, 0.73, 1)),
    3: ((0.26, 0.22, 0), (0.5, 0.5, 2), (0.74, 0.78, 1)),
    4: ((0.28, 0.27, 0), (0.72, 0.27, 1), (0.28, 0.73, 1), (0.72, 0.73, 0)),
    5: ((0.26, 0.23, 0), (0.74, 0.23, 1), (0.5, 0.5, 2), (0.26, 0.77, 1), (0.74, 0.77, 0)),
    6: tuple((x, y, r) for y, r in ((0.2, 1), (0.55, 2), (0.8, 2)) for x in (0.3, 0.7)),
    7: (*((0.22, 0.14, 1), (0.5, 0.25, 1), (0.78, 0.36, 1)), *((x, y, 2) for y in (0.6, 0.84) for x in (0.32, 0.68))),
    8: tuple((x, y, 0) for y in (0.15, 0.383, 0.617, 0.85) for x in (0.31, 0.69)),
    9: tuple((x, y, r) for y, r in ((0.18, 1), (0.5, 2), (0.82, 0)) for x in (0.2, 0.5, 0.8)),
}
"""Dots of each rank: x and y as shares of the face, and the number of the colour."""
_RINGS = {
    0: ((0.62, 2), (0.38, 0)),
    1: ((0.25, 2),),
    2: ((0.82, 2), (0.62, 0), (0.36, 2), (0.18, 0)),
    4: ((0.74, 2),),
    5: ((0.7, 2), (0.5, 1)),
}
"""Discs inside a dot by its style: share of the radius, and its colour (0), another colour (1) or that of paper (2)."""
_STICKS: dict[int, tuple[tuple[float, float, int], ...]] = {
    2: ((0.5, 0.28, 0), (0.5, 0.72, 1)),
    3: ((0.5, 0.28, 1), (0.3, 0.72, 0), (0.7, 0.72, 0)),
    4: ((0.3, 0.28, 0), (0.7, 0.28, 1), (0.3, 0.72, 1), (0.7, 0.72, 0)),
    5: ((0.23, 0.27, 0), (0.77, 0.27, 1), (0.5, 0.5, 2), (0.23, 0.73, 1), (0.77, 0.73, 0)),
    6: tuple((x, y, r) for y, r in ((0.28, 0), (0.72, 1)) for x in (0.22, 0.5, 0.78)),
    7: ((0.5, 0.18, 2), *((x, y, 0) for y in (0.5, 0.81) for x in (0.22, 0.5, 0.78))),
    9: tuple((x, y, r) for y in (0.18, 0.5, 0.82) for x, r in ((0.22, 0), (0.5, 2), (0.78, 0))),
}
"""Sticks of each rank: x and y as shares of the face, and the number of the colour."""


def fit_face(image: Array) -> Array:
    """A picture resized to that of a face, (128, 96, 3)."""
    return cv2.resize(image, FACE_WH, interpolation=cv2.INTER_AREA if image.shape[0] > FACE_WH[1] else cv2.INTER_CUBIC)


def _paint(face: Array, mask: Array, box: tuple[float, float, float, float], colour: Colour) -> None:
    """Blend `colour` through `mask`, stretched to `box` (x0 y0 x1 y1 as shares of the face)."""
    width, height = FACE_WH
    x0, y0 = round(box[0] * width), round(box[1] * height)
    x1, y1 = round(box[2] * width), round(box[3] * height)
    x0, y0, x1, y1 = max(0, x0), max(0, y0), min(width, x1), min(height, y1)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    alpha = cv2.resize(mask, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)[..., None] / 255.0
    patch = face[y0:y1, x0:x1]
    face[y0:y1, x0:x1] = (patch * (1 - alpha) + np.array(colour) * alpha).astype(np.uint8)


def _text(face: Array, text: str, box: tuple[float, float, float, float], colour: Colour, style: TileStyle) -> bool:
    mask = glyph(text, style.font, round(style.bold * 112 / 2))
    if mask is None:
        return False
    if mask.shape[0] < 60:  # a flat character such as 一 keeps its shape
        middle = (box[1] + box[3]) / 2
        half = (box[3] - box[1]) / 2 * mask.shape[0] / 100
        box = (box[0], middle - half, box[2], middle + half)
    _paint(face, mask, box, colour)
    return True


def _point(x: float, y: float) -> tuple[int, int]:
    """A point in 1/16 px, for OpenCV's sub-pixel drawing (shift=4)."""
    return round(x * 16), round(y * 16)


def _disc(face: Array, xy: tuple[float, float], radius: float, colour: Colour) -> None:
    cv2.circle(face, _point(*xy), max(round(radius * 16), 8), colour, -1, cv2.LINE_AA, 4)


def _dot(face: Array, xy: tuple[float, float], radius: float, colours: tuple[Colour, Colour], style: int) -> None:
    """One dot of a dot tile, in one of seven ring and flower styles."""
    for share, ink in ((1.0, 0), *_RINGS.get(style, ())):
        _disc(face, xy, radius * share, (*colours, PAPER)[ink])
    if style == 3:
        for k in range(6):
            x, y = radius * 0.55 * math.cos(k * math.pi / 3), radius * 0.55 * math.sin(k * math.pi / 3)
            _disc(face, (xy[0] + x, xy[1] + y), radius * 0.2, PAPER)
        _disc(face, xy, radius * 0.2, PAPER)
    elif style == 4:
        for k in range(4):
            angle = k * math.pi / 4
            dx, dy = radius * 0.66 * math.cos(angle), radius * 0.66 * math.sin(angle)
            cv2.line(
                face, _point(xy[0] - dx, xy[1] - dy), _point(xy[0] + dx, xy[1] + dy), colours[0], 2, cv2.LINE_AA, 4
            )


def _dots(face: Array, number: int, style: TileStyle, roles: tuple[Colour, Colour, Colour]) -> None:
    width, height = FACE_WH
    if number == 1:
        middle, radius = (width / 2, height / 2), 36 * min(style.dot_size, 1.05)
        _dot(face, middle, radius, (roles[1], roles[2]), (0, 2, 2, 0, 2, 0, 2)[style.dot_style])
        petals = 8 + style.dot_style
        for k in range(petals):
            angle = k * 2 * math.pi / petals
            spot = (middle[0] + radius * 0.82 * math.cos(angle), middle[1] + radius * 0.82 * math.sin(angle))
            _disc(face, spot, radius * 0.11, PAPER if style.dot_style % 2 else roles[2])
        _dot(face, middle, radius * 0.45, (roles[2], roles[1]), style.dot_style)
        return
    radius = {2: 21.0, 3: 18.0, 4: 18.0, 5: 16.0, 6: 16.0, 7: 13.0, 8: 13.5, 9: 13.5}[number] * style.dot_size
    for x, y, role in _DOTS[number]:
        _dot(face, (x * width, y * height), radius, (roles[role], roles[(role + 1) % 3]), style.dot_style)


def _stick(
    face: Array, xy: tuple[float, float], size: tuple[float, float], angle: float, colour: Colour, *, style: int
) -> None:
    """One bamboo stick of `size` (width, length), turned by `angle` degrees."""
    width, length = size
    along = np.array([math.sin(math.radians(angle)), math.cos(math.radians(angle))])
    across = np.array([along[1], -along[0]])
    centre = np.array(xy)

    def bar(start: float, end: float, thick: float, tint: Colour) -> None:
        corners = [
            centre + along * length * t + across * width * thick * s / 2
            for t, s in ((start, -1), (start, 1), (end, 1), (end, -1))
        ]
        cv2.fillConvexPoly(face, np.round(np.array(corners) * 16).astype(np.int32), tint, cv2.LINE_AA, 4)

    if style in (0, 1):  # a bone: thick knots, thin shaft
        bar(-0.5, 0.5, 0.62, colour)
        for knot in (-0.44, 0.0, 0.44):
            spot = centre + along * length * knot
            _disc(face, (float(spot[0]), float(spot[1])), width * 0.5, colour)
        if style == 1:
            bar(-0.36, -0.08, 0.22, PAPER)
            bar(0.08, 0.36, 0.22, PAPER)
    elif style == 2:  # two plain segments
        bar(-0.5, -0.03, 0.9, colour)
        bar(0.03, 0.5, 0.9, colour)
    elif style == 3:  # hollow
        bar(-0.5, 0.5, 0.95, colour)
        bar(-0.42, -0.05, 0.4, PAPER)
        bar(0.05, 0.42, 0.4, PAPER)
    else:
        bar(-0.5, 0.5, 0.8, colour)
        for knot in (-0.46, 0.0, 0.46):
            bar(knot - 0.05, knot + 0.05, 1.15, colour)


def _sticks(face: Array, number: int, style: TileStyle, roles: tuple[Colour, Colour, Colour]) -> None:
    width, height = FACE_WH
    if number == 1:
        _bird(face, style, roles)
        return
    if number == 8:
        size = (9 * style.stick_width, 42)
        for lean, y, colour in ((32, 0.28, roles[0]), (-32, 0.72, roles[1])):
            for x, angle in ((0.15, 0), (0.38, lean), (0.62, -lean), (0.85, 0)):
                _stick(face, (x * width, y * height), size, angle, colour, style=style.stick_style)
        return
    length = {2: 42, 3: 42, 4: 42, 5: 40, 6: 42}.get(number, 32)
    thick = {2: 13.0, 3: 13.0, 4: 13.0}.get(number, 11.0) * style.stick_width
    for x, y, role in _STICKS[number]:
        _stick(face, (x * width, y * height), (thick, length), 0, roles[role], style=style.stick_style)


def _bird(face: Array, style: TileStyle, roles: tuple[Colour, Colour, Colour]) -> None:
    """The one of bamboo: a bird of ellipses and strokes, or one tall stick."""
    rng = np.random.default_rng(style.seed)
    if rng.random() < 0.2:
        _stick(face, (48, 64), (16 * style.stick_width, 84), 0, roles[0], style=style.stick_style)
        return
    side = 1 if rng.random() < 0.5 else -1
    body = np.array([48.0 + rng.uniform(-4, 4), 62.0 + rng.uniform(-6, 6)])
    for k in range(int(rng.integers(5, 10))):  # the tail
        end = body + np.array([side * rng.uniform(-4, 30), rng.uniform(24, 54)])
        cv2.line(face, _point(*body), _point(*end), roles[k % 3], int(rng.integers(2, 6)), cv2.LINE_AA, 4)
        if rng.random() < 0.6:
            _disc(face, (float(end[0]), float(end[1])), rng.uniform(3, 6), roles[(k + 1) % 3])
    axes = (round(rng.uniform(14, 22)), round(rng.uniform(20, 30)))
    cv2.ellipse(face, (round(body[0]), round(body[1])), axes, 25 * side, 0, 360, roles[0], -1, cv2.LINE_AA)
    wing, middle = (axes[0] // 2, axes[1] // 2), (round(body[0] + 5), round(body[1]))
    cv2.ellipse(face, middle, wing, 25 * side, 0, 360, roles[1], 2, cv2.LINE_AA)
    head = body - np.array([side * rng.uniform(12, 20), rng.uniform(24, 34)])
    cv2.line(face, _point(*body), _point(*head), roles[0], int(rng.integers(8, 14)), cv2.LINE_AA, 4)
    _disc(face, (float(head[0]), float(head[1])), rng.uniform(8, 11), roles[2])
    _disc(face, (float(head[0]), float(head[1])), 2.5, PAPER)
    cv2.line(face, _point(*head), _point(*(head + np.array([-side * 15, 4]))), roles[2], 3, cv2.LINE_AA, 4)
    for x in (body[0] - 6, body[0] + 6):
        cv2.line(face, _point(x, body[1] + 18), _point(x - side * 4, 116), roles[2], 2, cv2.LINE_AA, 4)


def _characters(face: Array, number: int, style: TileStyle, *, all_red: bool) -> bool:
    numeral = "一二三四五六七八九"[number - 1]
    if number == 5:
        numeral = style.five
    top = style.red if all_red else style.dark
    bottom = style.red if all_red or style.seed % 5 else style.dark  # never all red, which is the red five
    wide = 0.06 * (style.seed % 7) / 7
    done = _text(face, numeral, (0.2 - wide, 0.08, 0.8 + wide, 0.47), top, style)
    return done and _text(face, style.myriad, (0.16 - wide, 0.5, 0.84 + wide, 0.94), bottom, style)


def _frame(face: Array, style: TileStyle) -> None:
    colour = style.dark if style.seed % 3 else style.accent
    inset = 10 + style.seed % 9
    cv2.rectangle(face, (inset, inset + 2), (96 - inset, 126 - inset), colour, 2 + style.seed % 4, cv2.LINE_AA)
    if style.seed % 2:
        inner = inset + 7 + style.seed % 5
        cv2.rectangle(face, (inner, inner + 2), (96 - inner, 126 - inner), colour, 1 + style.seed % 2, cv2.LINE_AA)
    if style.seed % 4 == 1:
        for x, y in ((inset, inset + 2), (96 - inset, inset + 2), (inset, 126 - inset), (96 - inset, 126 - inset)):
            _disc(face, (x, y), 6, colour)


def _honour(face: Array, number: int, style: TileStyle) -> bool:
    box = (0.14, 0.16, 0.86, 0.84)
    if number <= 4:
        return _text(face, "東南西北"[number - 1], box, style.dark, style)
    if number == 6:
        return _text(face, style.green_dragon, box, style.green, style)
    if number == 7:
        return _text(face, "中", (0.2, 0.12, 0.8, 0.88), style.red, style)
    if style.white_dragon == "frame":
        _frame(face, style)
    elif style.white_dragon == "白":
        if not _text(face, "白", box, style.dark, style):
            _frame(face, style)
    elif style.white_dragon == "letter":
        letter = "PB"[style.seed % 2]
        cv2.putText(face, letter, (22, 92), cv2.FONT_HERSHEY_DUPLEX, 2.4, style.dark, 4 + style.seed % 4, cv2.LINE_AA)
    return True


def _red_five(face: Array, suit: str, style: TileStyle) -> bool:
    roles = (style.red, style.red, style.red)
    if style.red_five == "part":
        roles = (style.red, style.red, style.dark) if suit == "p" else (style.red, style.dark, style.red)
    done = True
    if suit == "m":
        done = _characters(face, 5, style, all_red=True)
    elif suit == "p":
        _dots(face, 5, style, roles)
    else:
        _sticks(face, 5, style, roles)
    if style.red_five == "marked":
        _disc(face, (48, 9), 5, style.red)
        _disc(face, (48, 119), 5, style.red)
    return done


def draw_face(tile: str, style: TileStyle) -> Array | None:
    """A face as ink on white; None if this machine has no font for it."""
    face = np.full((FACE_WH[1], FACE_WH[0], 3), 255, np.uint8)
    number, suit = int(tile[0]), tile[1]
    done = True
    if number == 0:
        done = _red_five(face, suit, style)
    elif suit == "m":
        done = _characters(face, number, style, all_red=False)
    elif suit == "p":
        _dots(face, number, style, (style.dark, style.accent, style.red))
    elif suit == "s":
        _sticks(face, number, style, (style.green, style.green if style.seed % 3 else style.accent, style.red))
    elif suit == "z":
        done = _honour(face, number, style)
    else:
        draw_bonus(face, tile, style, _text)
    if not done:
        return None
    if style.captions and suit in "mpsz" and number:
        text = _CAPTIONS[suit][number - 1]
        scale = 0.55 + (style.seed % 30) / 100
        colour = style.red if style.seed % 2 else style.dark
        cv2.putText(face, text, (3, 20), cv2.FONT_HERSHEY_SIMPLEX, scale, colour, 2, cv2.LINE_AA)
    return face
