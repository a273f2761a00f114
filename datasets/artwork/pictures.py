"""The pictures on our own tiles as SVG text on a 300 x 400 face: dots, sticks, the bird, flowers and seasons."""

import math
from collections.abc import Sequence

from tilescore.datasets.artwork.brush import Point, number, polygon, strokes

INK = "#13203a"
RED = "#c4122f"
GREEN = "#0a7440"
BLUE = "#17459c"
IVORY = "#fdf9ec"
BARK = "#5b3a22"
PINK = "#e0527a"
GOLD = "#e0a010"
LEAF = "#3f9a4a"
SKY = "#5b94d6"
VIOLET = "#7b3f9d"


def disc(centre: Point, radius: float, colour: str) -> str:
    """A filled circle."""
    x, y = centre
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{colour}"/>'


def area(data: str, colour: str, *, soft: float = 0) -> str:
    """A filled path; an outline of `soft` units rounds its corners."""
    edge = f' stroke="{colour}" stroke-width="{number(soft)}" stroke-linejoin="round"' if soft else ""
    return f'<path d="{data}" fill="{colour}"{edge}/>'


def line(data: str, colour: str, width: float) -> str:
    """An open path of even width with round ends."""
    return (
        f'<path d="{data}" fill="none" stroke="{colour}" stroke-width="{number(width)}"'
        ' stroke-linecap="round" stroke-linejoin="round"/>'
    )


def segment(start: Point, end: Point) -> str:
    """Path data of a straight line."""
    return f"M{number(start[0])} {number(start[1])}L{number(end[0])} {number(end[1])}"


def drawn(text: str, colour: str, width: float) -> str:
    """Brush strokes on the face; `tilescore.datasets.artwork.brush` explains the text."""
    return area(strokes(text, weight=width), colour, soft=2)


def around(centre: Point, radius: float, count: int, turn_deg: float = 0) -> list[Point]:
    """Points spread evenly on a circle; the first lies `turn_deg` clockwise from the top."""
    angles = [math.radians(turn_deg + 360 * index / count) for index in range(count)]
    return [(centre[0] + radius * math.sin(a), centre[1] - radius * math.cos(a)) for a in angles]


def petal(root: Point, tip: Point, width: float) -> str:
    """Path data of a leaf-shaped petal from root to tip."""
    (x0, y0), (x1, y1) = root, tip
    nx, ny = (y1 - y0) / math.dist(root, tip) * width * 0.66, (x0 - x1) / math.dist(root, tip) * width * 0.66
    ax, ay, bx, by = x0 + (x1 - x0) * 0.35, y0 + (y1 - y0) * 0.35, x0 + (x1 - x0) * 0.8, y0 + (y1 - y0) * 0.8
    coordinates = (ax + nx, ay + ny, bx + nx, by + ny, x1, y1, bx - nx, by - ny, ax - nx, ay - ny, x0, y0)
    c = [number(value) for value in coordinates]
    return f"M{number(x0)} {number(y0)}C{' '.join(c[:6])}C{' '.join(c[6:])}Z"


def rosette(centre: Point, radius: float, count: int, width: float, turn_deg: float = 0) -> str:
    """Path data of `count` petals around a centre."""
    return "".join(petal(centre, tip, width) for tip in around(centre, radius, count, turn_deg))


# --- dots ---------------------------------------------------------------------------------------------------------


def dot(centre: Point, radius: float, colour: str) -> str:
    """One dot: a ring, a disc, and a flower cut out of it."""
    holes = "".join(disc(hole, radius * 0.09, IVORY) for hole in around(centre, radius * 0.35, 6))
    rings = ((1.0, colour), (0.78, IVORY), (0.63, colour))
    return (
        "".join(disc(centre, radius * share, paint) for share, paint in rings)
        + holes
        + disc(centre, radius * 0.13, IVORY)
    )


def great_dot() -> str:
    """The one of dots: a wheel of petals."""
    centre = (150.0, 200.0)
    beads = "".join(disc(bead, 8, GREEN) for bead in around(centre, 93, 20))
    return (
        disc(centre, 122, GREEN)
        + disc(centre, 106, IVORY)
        + beads
        + disc(centre, 79, BLUE)
        + area(rosette(centre, 74, 12, 30), IVORY)
        + disc(centre, 42, RED)
        + disc(centre, 30, IVORY)
        + area(rosette(centre, 27, 6, 15), RED)
        + disc(centre, 6, IVORY)
    )


# --- bamboo -------------------------------------------------------------------------------------------------------


def stick(centre: Point, size_wh: Point, colour: str, angle_deg: float = 0) -> str:
    """One bamboo stick of two joints; the angle turns it clockwise."""
    (x, y), (width, height) = centre, size_wh
    half, knot, shine = height / 2, width * 0.3, width * 0.46
    top, bottom = number(y - half + shine + knot * 1.2), number(y + half - shine - knot * 1.2)
    body = (
        f'<rect x="{number(x - width / 2)}" y="{number(y - half)}" width="{number(width)}" height="{number(height)}"'
        f' rx="{number(width * 0.4)}"/>'
    )
    knots = "".join(
        f'<rect x="{number(x - width * 0.7)}" y="{number(y + shift - knot)}" width="{number(width * 1.4)}"'
        f' height="{number(knot * 2)}" rx="{number(knot)}"/>'
        for shift in (knot - half, 0, half - knot)
    )
    light = line(
        f"M{number(x)} {top}V{number(y - knot - shine * 0.7)}M{number(x)} {number(y + knot + shine * 0.7)}V{bottom}",
        IVORY,
        width * 0.22,
    )
    turn = f' transform="rotate({number(angle_deg)} {number(x)} {number(y)})"' if angle_deg else ""
    return f'<g fill="{colour}"{turn}>{body}{knots}{light}</g>'


def bird() -> str:
    """The one of bamboo: a peacock that looks back to the left, with its train hanging down."""
    root = (172.0, 190.0)
    train: list[tuple[Point, str]] = [
        ((266, 236), BLUE),
        ((92, 352), BLUE),
        ((258, 308), GREEN),
        ((142, 366), GREEN),
        ((208, 352), BLUE),
    ]
    feathers = "".join(
        area(petal(root, tip, 46), IVORY, soft=8) + area(petal(root, tip, 46), paint) for tip, paint in train
    )
    spots = "".join(
        disc(spot, 14, IVORY) + disc(spot, 9, RED)
        for spot in ((root[0] + (x - root[0]) * 0.8, root[1] + (y - root[1]) * 0.8) for (x, y), _ in train)
    )
    body = area(
        "M98 92C82 140 92 214 134 248C172 272 222 244 224 196C226 166 196 150 170 156C146 160 140 128 146 96Z", GREEN
    )
    wing = "".join(
        area(petal((140, 176), tip, 40), paint, soft=5) + area(petal((146, 180), tip, 22), IVORY)
        for tip, paint in (((246, 168), RED), ((240, 204), RED), ((216, 236), RED))
    )
    crest = "".join(
        line(f"M124 62L{x} {y}", BLUE, 5) + disc((x, y), 8, RED) for x, y in ((100, 26), (128, 18), (156, 28))
    )
    head = (
        disc((122, 86), 33, GREEN)
        + area("M96 72L50 96L98 106Z", RED, soft=5)
        + disc((116, 80), 11, IVORY)
        + disc((114, 81), 6, INK)
    )
    scales = "".join(
        line(f"M{x} {y}q10 12 20 0", IVORY, 5) for x, y in ((104, 134), (108, 162), (114, 190), (128, 218))
    )
    return feathers + spots + body + scales + wing + crest + head


# --- plants -------------------------------------------------------------------------------------------------------


def blossom(centre: Point, radius: float, colour: str) -> str:
    """Five round petals with a golden centre."""
    petals = "".join(disc(at, radius * 0.52, colour) for at in around(centre, radius * 0.56, 5))
    stamens = "".join(
        line(segment(centre, (x, y)), IVORY, radius * 0.1) for x, y in around(centre, radius * 0.5, 5, 36)
    )
    return petals + stamens + disc(centre, radius * 0.24, GOLD)


def leaves(tips: Sequence[tuple[Point, Point]], width: float, colour: str) -> str:
    """Leaves, each given as (root, tip)."""
    return area("".join(petal(root, tip, width) for root, tip in tips), colour, soft=2)


def plum() -> str:
    """Plum 梅: a bent branch with red blossoms."""
    wood = drawn(
        "w 52,372 96,318 128,290 190,262 262,168 / w.6 118,298 96,240 62,196 / w.5 196,258 206,216 190,168", BARK, 21
    )
    buds = disc((262, 172), 13, PINK) + disc((190, 166), 12, PINK) + disc((52, 250), 12, PINK)
    return (
        wood
        + buds
        + blossom((84, 206), 40, RED)
        + blossom((160, 276), 46, RED)
        + blossom((236, 236), 40, RED)
        + blossom((176, 348), 30, RED)
    )


def orchid() -> str:
    """Orchid 蘭: long arching leaves and violet flowers."""
    blades = drawn(
        """l 146,378 104,300 60,250 28,244 / l 150,378 132,270 96,196 62,172 / l 156,378 186,280 236,228 274,226
        l 160,378 204,320 244,306 272,322 / l 140,378 98,340 62,334 34,352""",
        GREEN,
        19,
    )
    stem = drawn("w.5 152,376 162,300 184,220 / w.4 158,310 132,262 128,238", LEAF, 18)
    flowers = "".join(
        area(rosette(at, size, 5, size * 0.62, turn), VIOLET) + disc(at, size * 0.22, GOLD)
        for at, size, turn in (((188, 200), 54, 12), ((126, 236), 40, -20))
    )
    return blades + stem + flowers


def chrysanthemum() -> str:
    """Chrysanthemum 菊: a golden head of many petals."""
    centre = (160.0, 228.0)
    stalk = drawn("w 150,382 152,320 160,250", GREEN, 16)
    foliage = leaves(
        [((150, 350), (60, 306)), ((150, 360), (74, 366)), ((152, 350), (246, 318)), ((152, 362), (232, 374))],
        34,
        GREEN,
    )
    head = (
        area(rosette(centre, 88, 16, 24), "#b45f06")
        + area(rosette(centre, 78, 16, 22, 11), GOLD)
        + area(rosette(centre, 54, 12, 20), "#f2c230")
        + area(rosette(centre, 32, 8, 16, 15), "#b45f06")
    )
    return stalk + foliage + head + disc(centre, 9, IVORY)


def bamboo() -> str:
    """Bamboo 竹: two jointed canes and pointed leaves."""
    canes = [
        ((104, 376), (112, 312)),
        ((113, 302), (120, 236)),
        ((121, 226), (128, 164)),
        ((176, 376), (176, 330)),
        ((176, 320), (175, 268)),
        ((175, 258), (172, 210)),
    ]
    stalks = "".join(line(f"M{a} {b}L{c} {d}", GREEN, 18) for (a, b), (c, d) in canes)
    tufts = leaves(
        [
            ((128, 166), (62, 176)),
            ((124, 172), (78, 226)),
            ((120, 232), (48, 262)),
            ((118, 238), (58, 312)),
            ((172, 212), (250, 176)),
            ((174, 214), (264, 222)),
            ((174, 218), (232, 262)),
            ((177, 322), (252, 300)),
            ((177, 326), (246, 346)),
        ],
        26,
        LEAF,
    )
    return stalks + tufts


def spring() -> str:
    """Spring 春: a peach twig in blossom."""
    wood = drawn("w 272,372 214,318 170,262 60,186 / w.6 204,306 238,252 250,188 / w.5 150,246 92,268 50,326", BARK, 17)
    green = leaves(
        [((226, 330), (176, 372)), ((240, 252), (278, 226)), ((86, 272), (118, 326)), ((92, 204), (52, 238))], 26, LEAF
    )
    return (
        wood
        + green
        + blossom((66, 190), 34, PINK)
        + blossom((150, 240), 44, PINK)
        + blossom((248, 190), 36, PINK)
        + blossom((58, 326), 34, PINK)
        + blossom((212, 300), 30, PINK)
    )


def summer() -> str:
    """Summer 夏: a lotus over its leaf and the water."""
    root = (150.0, 306.0)
    back = "".join(area(petal(root, tip, 58), PINK) for tip in ((46, 236), (254, 236), (84, 184), (216, 184)))
    front = "".join(
        area(petal(root, tip, 50), IVORY, soft=4) + area(petal(root, tip, 46), paint)
        for tip, paint in (((112, 178), RED), ((188, 178), RED), ((150, 164), PINK))
    )
    leaf = area("M34 318C84 292 216 292 266 318C226 350 74 350 34 318Z", GREEN)
    water = line("M40 358q22 -14 44 0t44 0t44 0t44 0t44 0", SKY, 9)
    return back + front + leaf + water


def autumn() -> str:
    """Autumn 秋: a red maple leaf and two smaller ones."""

    def maple(centre: Point, size: float, turn_deg: float, colour: str) -> str:
        lobes = [(0, 1.0), (52, 0.94), (-52, 0.94), (104, 0.7), (-104, 0.7)]
        tips = [around(centre, size * share, 1, turn_deg + angle)[0] for angle, share in lobes]
        end = around(centre, size * 0.9, 1, turn_deg + 172)[0]
        stem = line(segment(centre, end), BARK, size * 0.09)
        blades = area("".join(petal(centre, tip, size * 0.5) for tip in tips), colour, soft=size * 0.1)
        ends = [(centre[0] * 0.4 + x * 0.6, centre[1] * 0.4 + y * 0.6) for x, y in tips]
        veins = "".join(line(segment(centre, tip), IVORY, size * 0.05) for tip in ends)
        return stem + blades + veins

    return maple((92, 316), 62, -24, GOLD) + maple((236, 322), 50, 40, "#d9731a") + maple((166, 246), 90, 10, RED)


def winter() -> str:
    """Winter 冬: a pine under snow and snowflakes."""
    trunk = area("M138 382L142 300H158L162 382Z", BARK)
    tiers = ""
    for top, foot, half, cap in ((262, 346, 88, 36), (214, 290, 70, 33), (166, 234, 52, 30)):
        bough = polygon(((150, top), (150 + half, foot), (150 - half, foot)))
        rim = f"q{number(-cap / 3)} 12 {number(-cap * 2 / 3)} 0" + f"t{number(-cap * 2 / 3)} 0" * 2
        snow = f"M150 {top}L{150 + cap} {top + cap}{rim}Z"
        tiers += area(bough, GREEN, soft=8) + area(snow, "#dfeaf6", soft=5)
    flakes = "".join(
        line("".join(segment(flake, tip) for tip in around(flake, 17, 6)), SKY, 5)
        for flake in ((62.0, 190.0), (244.0, 204.0), (40.0, 282.0), (262.0, 290.0))
    )
    return trunk + tiers + flakes
