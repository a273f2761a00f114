"""Procedural flowers and seasons: a plant, a number and a character, in any corner and colour.

Real sets agree on little. The four flowers mostly show their plant (plum, orchid, chrysanthemum, bamboo), the seasons
have their character beside some plant, and both may have a number.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import cv2
import numpy as np

from tilescore.datasets.artwork.style import PAPER, Array, Colour, Rng, TileStyle

NAMES: Final = {"f": "梅蘭菊竹", "q": "春夏秋冬"}
"""Characters of the flowers and of the seasons, in order."""
_CORNERS: Final = ((0, 0), (1, 0), (0, 1), (1, 1))
"""Whether each corner of the face lies right, and whether it lies at the bottom."""
_RIM: Final = 0.04
"""Margin between the edge of a face and what stands in its corner, as a share of the face."""


@dataclass(frozen=True, slots=True)
class _Pen:
    """The way in which a set draws its plants: the colours of leaves and stalks, of petals, and of centres and wood.

    So large a share of petals and leaves is `filled`. The others are outlines, `line` pixels of the face wide, and wood
    and stalks are so, too, if the pen is `hollow`.
    """

    leaf: Colour
    petal: Colour
    centre: Colour
    filled: float
    line: int
    hollow: bool

    def oval(self, face: Array, rng: Rng, form: tuple[Array, tuple[int, int], float], colour: Colour) -> None:
        """Draw a petal or leaf; `form` is its middle, half axes (sixteenths of a pixel) and angle (degrees)."""
        middle, axes, angle = form
        if rng.random() >= self.filled:
            cv2.ellipse(face, _at(*middle), axes, angle, 0, 360, PAPER, -1, cv2.LINE_AA, 4)
            cv2.ellipse(face, _at(*middle), axes, angle, 0, 360, colour, self.line, cv2.LINE_AA, 4)
            return
        cv2.ellipse(face, _at(*middle), axes, angle, 0, 360, colour, -1, cv2.LINE_AA, 4)
        if self.leaf == self.petal:  # in one ink, only gaps separate the petals
            cv2.ellipse(face, _at(*middle), axes, angle, 0, 360, PAPER, 1, cv2.LINE_AA, 4)


def draw_bonus(face: Array, tile: str, style: TileStyle, write: Callable[..., bool]) -> None:
    """Draw a flower or a season on a white face, (128, 96, 3) RGB; all flowers, and all seasons, of a style are alike.

    `write` draws a character into a box (left, top, right, bottom as shares of the face) in a colour; it returns
    whether a font has the character.
    """
    number, suit = int(tile[0]), tile[1]
    habits = np.random.default_rng([style.seed, ord(suit)])
    rng = np.random.default_rng([style.seed, number, ord(suit)])
    one_ink = habits.random() < 0.4
    first, second = habits.choice(4, 2, replace=False, p=[0.42, 0.42, 0.08, 0.08])
    lettered, numbered = habits.random(), habits.random()
    script = int(habits.integers(-4, 8))
    letter, figure = (float(habits.uniform(low, 0.38)) for low in (0.22, 0.14))
    ink = (style.dark, style.green, style.red)[int(habits.choice(3, p=[0.7, 0.15, 0.15]))]
    inks = (ink,) * 3 if one_ink else (style.green, style.red, style.dark)
    filled = float(habits.choice([0.0, 0.6, 1.0], p=[0.45, 0.35, 0.2]))  # some sets draw outlines only
    pen = _Pen(*inks, filled=filled, line=int(habits.integers(1, 4)), hollow=filled == 0 and habits.random() < 0.6)
    kinds = _FLOWERS if suit == "f" else _SEASONS
    plant = kinds[number - 1] if suit == "f" else kinds[int(rng.integers(len(kinds)))]
    tall = float(habits.uniform(0.62, 0.92))
    plant(face, rng, pen, tall)
    if suit == "q" and habits.random() < 0.3 and plant not in (_butterfly, _person):
        _pot(face, rng, pen)
    colour = ink if one_ink else (style.red, style.dark, style.green)[int(habits.integers(3))]
    done = False
    if lettered < (0.7 if suit == "f" else 0.93):
        box = _corner(first, letter, letter * 0.9)
        _clear(face, box)
        done = write(face, NAMES[suit][number - 1], box, colour, style)
    if numbered < 0.75 or not done:
        tint = inks[int(habits.integers(3))]
        box = _corner(second, figure * 0.75, figure)
        _clear(face, box)
        if script >= 0 or not write(face, str(number), box, tint, style):
            _number(face, str(number), box, max(0, script), tint)


def _corner(which: int, width: float, height: float) -> tuple[float, float, float, float]:
    """The box of that size in one corner: left, top, right, bottom as shares of the face."""
    right, bottom = _CORNERS[which]
    left, top = (1 - _RIM - width if right else _RIM), (1 - _RIM - height if bottom else _RIM)
    return left, top, left + width, top + height


def _clear(face: Array, box: tuple[float, float, float, float]) -> None:
    height, width = face.shape[:2]
    left, top, right, bottom = box
    face[round(top * height) : round(bottom * height), round(left * width) : round(right * width)] = 255


def _number(face: Array, text: str, box: tuple[float, float, float, float], script: int, colour: Colour) -> None:
    """Write a number as high as the box with one of OpenCV's fonts."""
    height, width = face.shape[:2]
    tall = (box[3] - box[1]) * height
    scale = cv2.getFontScaleFromHeight(script, max(8, round(tall)), 2)
    cv2.putText(face, text, (round(box[0] * width), round(box[3] * height)), script, scale, colour, 2, cv2.LINE_AA)


def _at(x: float, y: float) -> tuple[int, int]:
    """A point in sixteenths of a pixel."""
    return round(x * 16), round(y * 16)


def _curve(face: Array, points: Array, colour: Colour, thick: int) -> None:
    """A smooth stroke through three points (3, 2)."""
    t = np.linspace(0, 1, 12)[:, None]
    path = (1 - t) ** 2 * points[0] + 2 * t * (1 - t) * points[1] + t**2 * points[2]
    cv2.polylines(face, [np.round(path * 16).astype(np.int32)], False, colour, thick, cv2.LINE_AA, 4)


def _wood(face: Array, points: Array, pen: _Pen, thick: int) -> None:
    """A branch through three points: filled, or its two edges if the pen is hollow."""
    if pen.hollow:
        _curve(face, points, pen.centre, thick + 2 + 2 * pen.line)
        _curve(face, points, PAPER, thick + 2)
    else:
        _curve(face, points, pen.centre, thick)


def _blossom(face: Array, rng: Rng, spot: Array, size: float, *, pen: _Pen, petals: int) -> None:
    """Petals around a centre, filled or in outline."""
    start = rng.uniform(0, np.pi)
    petal = size * np.pi / petals * float(rng.uniform(0.85, 1.15))
    for angle in start + np.arange(petals) * 2 * np.pi / petals:
        middle = spot + size * 0.62 * np.array([np.cos(angle), np.sin(angle)])
        axes = (max(16, round(size * 0.5 * 16)), max(12, round(petal * 0.62 * 16)))
        pen.oval(face, rng, (middle, axes, float(np.degrees(angle))), pen.petal)
    half = round(size * 0.3 * 16)
    pen.oval(face, rng, (spot, (half, half), 0.0), pen.centre)


def _leaf(face: Array, rng: Rng, spot: Array, angle: float, *, length: float, pen: _Pen) -> None:
    axes = (max(24, round(length * 8)), max(12, round(length * rng.uniform(1.5, 3))))
    middle = spot + length / 2 * np.array([np.cos(angle), np.sin(angle)])
    pen.oval(face, rng, (middle, axes, float(np.degrees(angle))), pen.leaf)


def _plum(face: Array, rng: Rng, pen: _Pen, tall: float) -> None:
    """A crooked branch with round blossoms of five petals."""
    foot = np.array([rng.uniform(20, 76), 120.0])
    for _ in range(int(rng.integers(2, 4))):
        tip = np.array([rng.uniform(14, 82), 122 - tall * rng.uniform(50, 105)])
        bend = (foot + tip) / 2 + rng.uniform(-24, 24, 2)
        _wood(face, np.array([foot, bend, tip]), pen, int(rng.integers(1, 5)))
        for share in rng.uniform(0.3, 1, int(rng.integers(1, 3))):
            spot = foot * (1 - share) ** 2 + 2 * bend * share * (1 - share) + tip * share**2
            _blossom(face, rng, spot + rng.uniform(-4, 4, 2), rng.uniform(8, 22), pen=pen, petals=5)


def _orchid(face: Array, rng: Rng, pen: _Pen, tall: float) -> None:
    """Long arching blades out of one root, and one to three blossoms above them."""
    foot = np.array([rng.uniform(36, 60), 119.0])
    for _ in range(int(rng.integers(5, 10))):
        reach = float(rng.uniform(-44, 44))
        tip = np.clip(foot + np.array([reach, -tall * rng.uniform(40, 95)]), [6, 14], [90, 118])
        bend = foot + np.array([reach * 0.2, -tall * rng.uniform(60, 105)])
        _curve(face, np.array([foot, bend, tip]), pen.leaf, int(rng.integers(1, 5)))
    for _ in range(int(rng.integers(1, 4))):
        spot = np.array([rng.uniform(26, 72), 122 - tall * rng.uniform(50, 90)])
        _curve(face, np.array([foot, (foot + spot) / 2 + rng.uniform(-8, 8, 2), spot]), pen.leaf, 1)
        _blossom(face, rng, spot, rng.uniform(7, 13), pen=pen, petals=int(rng.integers(3, 6)))


def _chrysanthemum(face: Array, rng: Rng, pen: _Pen, tall: float) -> None:
    """A head of many narrow petals on a leafy stem."""
    foot = np.array([rng.uniform(34, 62), 121.0])
    for _ in range(int(rng.integers(1, 3))):
        head = np.array([rng.uniform(28, 68), 122 - tall * rng.uniform(55, 88)])
        bend = (foot + head) / 2 + rng.uniform(-14, 14, 2)
        _curve(face, np.array([foot, bend, head]), pen.leaf, int(rng.integers(2, 4)))
        for _ in range(int(rng.integers(2, 6))):
            share = rng.uniform(0.1, 0.7)
            spot = foot * (1 - share) + head * share
            _leaf(face, rng, spot, float(rng.uniform(-np.pi, 0)), length=rng.uniform(10, 22), pen=pen)
        _blossom(face, rng, head, rng.uniform(13, 22), pen=pen, petals=int(rng.integers(9, 18)))


def _bamboo(face: Array, rng: Rng, pen: _Pen, tall: float) -> None:
    """Jointed stalks with pointed leaves in bunches."""
    for x in rng.choice([26, 36, 46, 56, 66], int(rng.integers(1, 4)), replace=False):
        lean, thick = float(rng.normal(0, 8)), int(rng.integers(2, 8))
        joints = np.linspace(121, 122 - tall * rng.uniform(85, 108), int(rng.integers(4, 7)))
        for low, high in pairwise(joints):
            a, b = (np.array([x + lean * (121 - y) / 100, y]) for y in (low - 1.5, high + 1.5))
            cv2.line(face, _at(*a), _at(*b), pen.leaf, thick + (2 * pen.line if pen.hollow else 0), cv2.LINE_AA, 4)
            if pen.hollow:
                cv2.line(face, _at(*a), _at(*b), PAPER, thick, cv2.LINE_AA, 4)
        for _ in range(int(rng.integers(2, 5))):
            y = float(rng.choice(joints[1:]))
            spot = np.array([x + lean * (121 - y) / 100, y])
            side = float(rng.choice([-1, 1]))
            for turn in rng.uniform(-0.3, 0.9, int(rng.integers(2, 5))):
                angle = turn if side > 0 else np.pi - turn
                _leaf(face, rng, spot, float(angle), length=rng.uniform(14, 30), pen=pen)


def _lotus(face: Array, rng: Rng, pen: _Pen, tall: float) -> None:
    """A wide blossom over round leaves."""
    root, spot = np.array([48.0, 118.0]), np.array([rng.uniform(38, 58), 122 - tall * rng.uniform(45, 75)])
    _curve(face, np.array([root, (spot + root) / 2, spot]), pen.leaf, 2)
    _blossom(face, rng, spot, rng.uniform(14, 22), pen=pen, petals=int(rng.integers(5, 9)))
    for _ in range(int(rng.integers(1, 4))):
        middle = np.array([rng.uniform(20, 76), rng.uniform(88, 112)])
        pen.oval(face, rng, (middle, (224, 96), 0.0), pen.leaf)


def _butterfly(face: Array, rng: Rng, pen: _Pen, tall: float) -> None:
    """Four wings about a body."""
    middle, size = np.array([rng.uniform(36, 60), 122 - tall * rng.uniform(40, 60)]), float(rng.uniform(16, 27))
    turn = float(rng.uniform(-25, 25))
    for side in (-1, 1):
        for down, share in ((-0.5, 1.0), (0.55, 0.7)):
            spot = middle + np.array([side * size * 0.6, down * size * 0.8])
            axes = (round(size * share * 14), round(size * share * 9))
            angle = turn + side * (-35 if down < 0 else 30)
            pen.oval(face, rng, (spot, axes, angle), pen.petal)
    cv2.line(face, _at(middle[0], middle[1] - size), _at(middle[0], middle[1] + size), pen.centre, 3, cv2.LINE_AA, 4)


def _person(face: Array, rng: Rng, pen: _Pen, tall: float) -> None:
    """A person in a wide robe with a staff: fisher, woodcutter, farmer or scholar."""
    x, top = float(rng.uniform(36, 58)), 122 - tall * float(rng.uniform(88, 105))
    head, wide = float(rng.uniform(6, 11)), float(rng.uniform(14, 26))
    robe = np.array([[x - head, top + 2 * head], [x + head, top + 2 * head], [x + wide, 119], [x - wide, 119]])
    colour = (pen.petal, pen.leaf, pen.centre)[int(rng.integers(3))]
    if rng.random() < pen.filled:
        cv2.fillPoly(face, [np.round(robe * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
    else:
        cv2.polylines(face, [np.round(robe * 16).astype(np.int32)], True, colour, pen.line, cv2.LINE_AA, 4)
    cv2.circle(face, _at(x, top + head), round(head * 16), pen.centre, pen.line, cv2.LINE_AA, 4)
    staff = x + float(rng.choice([-1, 1])) * wide
    cv2.line(face, _at(staff, top), _at(staff, 118), pen.centre, int(rng.integers(1, 4)), cv2.LINE_AA, 4)
    cv2.line(face, _at(x, top + 3.2 * head), _at(staff, top + 3.5 * head), colour, 3, cv2.LINE_AA, 4)


def _pot(face: Array, rng: Rng, pen: _Pen) -> None:
    deep, upper, lower = (float(rng.uniform(*span)) for span in ((10, 24), (20, 34), (14, 30)))
    form = np.array([[48 - upper, 121 - deep], [48 + upper, 121 - deep], [48 + lower, 121], [48 - lower, 121]])
    outline = [np.round(form * 16).astype(np.int32)]
    cv2.fillPoly(face, outline, pen.centre if rng.random() < pen.filled else PAPER, cv2.LINE_AA, 4)
    cv2.polylines(face, outline, True, pen.centre, pen.line, cv2.LINE_AA, 4)


_FLOWERS: Final = (_plum, _orchid, _chrysanthemum, _bamboo)
"""Painters of the four flowers, in order."""
_SEASONS: Final = (_plum, _orchid, _chrysanthemum, _lotus, _lotus, _bamboo, _butterfly, _person)
"""Painters for seasons; a repeated one is more frequent."""
