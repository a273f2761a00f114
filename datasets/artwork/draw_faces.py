"""Draws our own set of tile faces: `python -m tilescore.datasets.artwork.draw_faces` rewrites `faces_svg`.

The 46 faces have MPSZ names (`1m` ... `back`). Each is a rounded ivory tile on a 300 x 400 view box, made of our own
paths without fonts or foreign art. In every file the group `tile-body` is the blank tile, `face` the engraving and
`corner-index` the small western index, which style sheets may hide.
"""

from tilescore.datasets.artwork import FACES, pictures
from tilescore.datasets.artwork.brush import Point, number, polygon, strokes
from tilescore.datasets.artwork.characters import CHARACTERS
from tilescore.datasets.artwork.pictures import BLUE, GREEN, INK, IVORY, RED, area, dot, line, stick

SUITS = "mps"
"""Letters of the suits, in order."""
NUMERALS = "一二三四五六七八九"
"""Numerals of the characters, from one to nine."""
HONORS = {
    1: ("東", BLUE, "E"), 2: ("南", BLUE, "S"), 3: ("西", BLUE, "W"), 4: ("北", BLUE, "N"),
    5: ("", BLUE, "P"), 6: ("發", GREEN, "F"), 7: ("中", RED, "C"),
}  # fmt: skip
"""Character, colour and western index of each honour; the white dragon has no character."""
BONUS = {
    "1f": ("梅", pictures.plum), "2f": ("蘭", pictures.orchid),
    "3f": ("菊", pictures.chrysanthemum), "4f": ("竹", pictures.bamboo),
    "1q": ("春", pictures.spring), "2q": ("夏", pictures.summer),
    "3q": ("秋", pictures.autumn), "4q": ("冬", pictures.winter),
}  # fmt: skip
"""Character and picture of each flower and season."""

DOTS: dict[int, tuple[float, tuple[tuple[float, float, str], ...]]] = {
    2: (62, ((150, 112, GREEN), (150, 288, BLUE))),
    3: (52, ((84, 88, BLUE), (150, 200, RED), (216, 312, GREEN))),
    4: (54, ((86, 110, BLUE), (214, 110, GREEN), (86, 290, GREEN), (214, 290, BLUE))),
    5: (47, ((82, 88, BLUE), (218, 88, GREEN), (150, 200, RED), (82, 312, GREEN), (218, 312, BLUE))),
    6: (47, ((92, 82, GREEN), (208, 82, GREEN), *((x, y, RED) for y in (212, 318) for x in (92, 208)))),
    7: (
        40,
        ((79, 62, GREEN), (150, 104, GREEN), (224, 146, GREEN), *((x, y, RED) for y in (238, 330) for x in (96, 204))),
    ),
    8: (42, tuple((x, y, BLUE) for y in (64, 155, 245, 336) for x in (94, 206))),
    9: (40, tuple((x, y, colour) for y, colour in ((78, GREEN), (200, RED), (322, BLUE)) for x in (66, 150, 234))),
}
"""Radius of the dots of each rank, then x, y and colour of each dot."""
STICKS: dict[int, tuple[float, float, tuple[tuple[float, float, str, float], ...]]] = {
    2: (150, 34, ((150, 110, BLUE, 0), (150, 290, GREEN, 0))),
    3: (150, 34, ((150, 110, BLUE, 0), (90, 290, GREEN, 0), (210, 290, GREEN, 0))),
    4: (150, 34, ((90, 110, BLUE, 0), (210, 110, GREEN, 0), (90, 290, GREEN, 0), (210, 290, BLUE, 0))),
    5: (
        150,
        34,
        ((74, 110, GREEN, 0), (226, 110, BLUE, 0), (150, 200, RED, 0), (74, 290, BLUE, 0), (226, 290, GREEN, 0)),
    ),
    6: (150, 34, tuple((x, y, colour, 0) for y, colour in ((110, GREEN), (290, BLUE)) for x in (74, 150, 226))),
    7: (
        104,
        27,
        ((150, 78, RED, 0), *((x, y, c, 0) for y in (204, 322) for x, c in ((74, GREEN), (150, BLUE), (226, GREEN)))),
    ),
    8: (
        140,
        27,
        tuple(
            (x, y, colour, side * lean)
            for y, colour, side in ((112, GREEN, 1), (288, BLUE, -1))
            for x, lean in ((52, 0), (117, -26), (183, 26), (248, 0))
        ),
    ),
    9: (104, 27, tuple((x, y, c, 0) for y in (78, 200, 322) for x, c in ((74, GREEN), (150, RED), (226, BLUE)))),
}
"""Height and width of the sticks of each rank, then x, y, colour and clockwise turn in degrees of each stick."""
INDEX = {
    "1": "M4 8L11 2V28", "2": "M3 9C3 0 17 0 17 9C17 15 3 21 3 28H18",
    "3": "M3 3H16L9 12C20 12 20 28 9 28C5 28 3 26 2 24",
    "4": "M14 28V2L2 20H19", "5": "M16 3H5L4 13C8 10 17 11 17 19C17 29 6 30 2 25",
    "6": "M15 2C7 5 3 12 3 20C3 31 17 31 17 20C17 11 5 11 3 19", "7": "M3 3H17C12 11 9 19 8 28",
    "8": "M10 14C1 14 2 2 10 2C18 2 19 14 10 14C-1 14 0 28 10 28C20 28 21 14 10 14Z",
    "9": "M5 28C13 25 17 18 17 10C17 -1 3 -1 3 10C3 19 15 19 17 11",
    "E": "M17 3H4V28H17M4 15H15", "S": "M17 6C14 0 3 1 3 9C3 16 17 14 17 21C17 30 4 30 2 24",
    "W": "M1 3L6 28L10 10L14 28L19 3", "N": "M3 28V3L17 28V3", "C": "M17 7C12 -1 3 3 3 15C3 28 13 31 17 23",
    "F": "M17 3H4V28M4 15H14", "P": "M4 28V3H10C20 3 20 16 10 16H4",
}  # fmt: skip
"""Path data of numerals and letters as single lines in a 20 x 30 box."""


def names() -> tuple[str, ...]:
    """The 46 names, in the order of the classes."""
    plain = [f"{rank}{suit}" for suit in SUITS for rank in range(1, 10)]
    return (*plain, *(f"{rank}z" for rank in HONORS), "0m", "0p", "0s", *BONUS, "back")


def character(name: str, colour: str, *, at: Point, scale: Point) -> str:
    """One written character; its grid begins at `at` and has units of `scale`."""
    weight, text = CHARACTERS[name]
    return area(strokes(text, weight=weight, at=at, scale=scale), colour, soft=3)


def index(letter: str, colour: str, *, at: Point = (19, 19), size: float = 0.85, width: float = 5) -> str:
    """A numeral or letter from `INDEX`."""
    place = f"translate({number(at[0])} {number(at[1])}) scale({size:g})"
    return f'<g transform="{place}">{line(INDEX[letter], colour, width)}</g>'


def suited(rank: int, suit: str, *, red: bool) -> str:
    """The engraving of a character, dot or bamboo tile; a red five is red only."""
    if suit == "m":
        numeral = character(NUMERALS[rank - 1], RED if red else INK, at=(69, 32), scale=(1.62, 1.45))
        return numeral + character("萬", RED, at=(60, 194), scale=(1.8, 1.72))
    if rank == 1:
        return pictures.great_dot() if suit == "p" else pictures.bird()
    if suit == "p":
        radius, dots = DOTS[rank]
        return "".join(dot((x, y), radius, RED if red else colour) for x, y, colour in dots)
    height, width, sticks = STICKS[rank]
    return "".join(stick((x, y), (width, height), RED if red else colour, angle) for x, y, colour, angle in sticks)


def honor(rank: int) -> str:
    """The engraving of a wind or dragon."""
    name, colour, _ = HONORS[rank]
    if name:
        return character(name, colour, at=(36, 62), scale=(2.28, 2.76))
    frames = ((50, 20), (84, 7))
    return "".join(
        f'<rect x="{edge}" y="{edge}" width="{300 - 2 * edge}" height="{400 - 2 * edge}" rx="{30 - edge // 5}"'
        f' fill="none" stroke="{colour}" stroke-width="{width}"/>'
        for edge, width in frames
    )


def bonus(name: str) -> str:
    """The engraving of a flower (red numeral) or season (blue numeral)."""
    written, picture = BONUS[name]
    colour = RED if name[1] == "f" else BLUE
    numeral = index(name[0], colour, at=(38, 34), size=2.7, width=6)
    return picture() + numeral + character(written, colour, at=(152, 32), scale=(1.12, 1.12))


def back() -> str:
    """The back: jade with a woven lattice."""
    diamonds = "".join(
        polygon(((x, y - 20), (x + 17, y), (x, y + 20), (x - 17, y)))
        for row, y in enumerate(range(80, 325, 24))
        for x in range(75 + row % 2 * 25, 235, 50)
    )
    frame = '<rect x="36" y="36" width="228" height="328" rx="22" fill="none" stroke="#cfe9da" stroke-width="9"/>'
    return area(diamonds, "#4fb083") + frame


def face(name: str, *, index_shown: bool = True, body_shown: bool = True) -> str:
    """The SVG text of one face.

    Raises:
        KeyError: the name is not a face.
    """
    rank, suit = (0, "") if name == "back" else (int(name[0]), name[1])
    letter, colour = "", INK
    if name == "back":
        engraving = back()
    elif suit in SUITS:
        red = rank == 0
        engraving = suited(rank or 5, suit, red=red)
        letter, colour = str(rank or 5), RED if red else INK
    elif suit == "z":
        engraving = honor(rank)
        letter = HONORS[rank][2]
    else:
        engraving = bonus(name)
    edge, top = ("#0b4a31", "#17704b") if name == "back" else ("#c9ba90", IVORY)
    body = (
        f'<g class="tile-body"><rect width="300" height="400" rx="36" fill="{edge}"/>'
        f'<rect x="5" y="5" width="290" height="384" rx="32" fill="{top}"/></g>'
    )
    corner = f'<g class="corner-index">{index(letter, colour)}</g>' if letter and index_shown else ""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 400">\n'
        f"{body if body_shown else ''}\n"
        f'<g class="face">{engraving}</g>\n'
        f"{corner}\n</svg>\n"
    )


def main() -> None:
    """Write every face."""
    FACES.mkdir(exist_ok=True)
    for name in names():
        (FACES / f"{name}.svg").write_text(face(name), encoding="utf-8")


if __name__ == "__main__":
    main()
