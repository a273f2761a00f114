"""A writing brush: turns centre lines into tapered outlines.

It draws the characters on tiles, so that they need no font. A stroke is one line of text with the kind of movement and
the points on its way: `"p 40,16 34,50 6,88"`.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Movement:
    """The width of the brush along one kind of stroke.

    Attributes:
        profile: pairs of a share of the length and the width there, in units of the brush weight.
        head: slant of the start: the left outline, seen along the stroke, begins this many widths earlier.
        tail: slant of the end: the left outline ends this many widths earlier.
    """

    profile: tuple[tuple[float, float], ...]
    head: float = 0.0
    tail: float = 0.0


MOVEMENTS = {
    # heng 横, horizontal: press, travel lightly, press again
    "h": Movement(((0, 0.9), (0.08, 0.72), (0.5, 0.64), (0.88, 0.76), (0.95, 1.0), (1, 0.92)), head=0.3, tail=0.45),
    # horizontal inside a frame, with its ends hidden in the uprights
    "c": Movement(((0, 0.72), (0.5, 0.66), (1, 0.72))),
    # horizontal with a free start that runs into a corner on its right
    "r": Movement(((0, 0.9), (0.1, 0.72), (0.5, 0.66), (1, 0.72)), head=0.3),
    # shu 竖, vertical
    "v": Movement(((0, 1.1), (0.08, 1.0), (0.5, 0.92), (0.92, 1.0), (1, 0.92)), head=-0.3, tail=0.1),
    # vertical from a corner on its right, with a sloping shoulder
    "f": Movement(((0, 0.3), (0.1, 1.15), (0.2, 1.0), (0.5, 0.92), (0.92, 1.0), (1, 0.92)), tail=0.1),
    # xuanzhen 悬针, vertical that ends as a needle
    "i": Movement(((0, 1.1), (0.08, 1.0), (0.55, 0.95), (0.8, 0.8), (1, 0.15)), head=-0.3),
    # pie 撇, falling to the left
    "p": Movement(((0, 1.1), (0.1, 1.02), (0.5, 0.8), (0.8, 0.5), (1, 0.1)), head=-0.2),
    # na 捺, falling to the right, with its foot
    "n": Movement(((0, 0.22), (0.2, 0.45), (0.55, 0.85), (0.8, 1.35), (0.86, 1.25), (1, 0.1))),
    # dian 点, dot
    "d": Movement(((0, 0.2), (0.4, 0.85), (0.75, 1.25), (0.92, 1.05), (1, 0.6))),
    # gou 钩, hook
    "k": Movement(((0, 1.05), (0.35, 0.7), (1, 0.08))),
    # ti 提, rising
    "t": Movement(((0, 1.15), (0.25, 0.85), (1, 0.08))),
    # wan 弯, a bend of even width
    "b": Movement(((0, 1.05), (0.1, 0.95), (0.5, 0.88), (1, 0.95)), head=-0.25),
    # wan gou 弯钩, a bend that ends in a hook upwards
    "g": Movement(((0, 1.05), (0.08, 0.95), (0.5, 0.88), (0.8, 1.0), (0.88, 0.8), (1, 0.06)), head=-0.25),
}
"""Each kind of stroke under the letter that stands for it in the text of a stroke."""


def smooth(points: Sequence[Point], step: float) -> list[Point]:
    """The Catmull-Rom curve through the points, sampled about every `step` units."""
    padded = [points[0], *points, points[-1]]
    curve = [points[0]]
    for p0, p1, p2, p3 in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        count = max(2, round(math.dist(p1, p2) / step))
        for index in range(1, count + 1):
            t = index / count
            x, y = (
                0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
                for a, b, c, d in zip(p0, p1, p2, p3, strict=True)
            )
            curve.append((x, y))
    return curve


def width_at(profile: Sequence[tuple[float, float]], share: float) -> float:
    """The width at a share of the length, by linear interpolation."""
    for (t0, w0), (t1, w1) in pairwise(profile):
        if share <= t1:
            return w0 + (w1 - w0) * (share - t0) / (t1 - t0)
    return profile[-1][1]


def outline(movement: Movement, points: Sequence[Point], weight: float) -> list[Point]:
    """The closed outline of one stroke; all outlines turn the same way, so that overlaps stay filled."""
    curve = smooth(points, step=3.0)
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
        width = weight * width_at(movement.profile, reach[index] / reach[-1])
        to_head, to_tail = reach[index] / (1.6 * width), (reach[-1] - reach[index]) / (1.6 * width)
        slant = -width * (movement.head * max(0.0, 1 - to_head) + movement.tail * max(0.0, 1 - to_tail))
        left.append((x + dy * width / 2 + dx * slant, y - dx * width / 2 + dy * slant))
        right.append((x - dy * width / 2, y + dx * width / 2))
    return left + right[::-1]


def strokes(text: str, *, weight: float, at: Point = (0, 0), scale: Point = (1, 1)) -> Iterator[list[Point]]:
    """The closed outlines of strokes written as text, separated by line breaks or `/`.

    `weight` is the brush width on the 100 x 100 grid; `k.8` draws one stroke at 0.8 of it. The grid's corner lands at
    `at`, and its unit becomes `scale`. The points are rounded to tenths, so that they are equal on every machine.
    """
    for line in text.strip().replace("/", "\n").splitlines():
        kind, *pairs = line.split()
        points = [(float(x), float(y)) for x, y in (pair.split(",") for pair in pairs)]
        shape = outline(MOVEMENTS[kind[0]], points, weight * float(kind[1:] or 1))
        yield [(round(at[0] + x * scale[0], 1), round(at[1] + y * scale[1], 1)) for x, y in shape]
