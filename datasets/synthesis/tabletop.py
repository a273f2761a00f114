"""The table under the tiles (felt, wood, cloth, paper) and objects that a network must not take for tiles."""

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np

from tilescore.datasets.artwork.style import Array, Colour, Rng, any_colour
from tilescore.datasets.synthesis.camera import Camera
from tilescore.datasets.synthesis.surroundings import NO_SURROUNDINGS, Surroundings

_SIDE = 512
"""Side of a texture in pixels."""
_FELTS: tuple[Colour, ...] = (
    *((20, 100, 50), (10, 70, 45), (60, 150, 80), (25, 60, 120), (110, 20, 30), (60, 60, 66), (200, 90, 80)),
    *((150, 140, 130), (90, 60, 45), (225, 222, 215), (40, 40, 44), (190, 170, 140), (30, 110, 120)),
)
"""Colours of tables (RGB)."""
_WORDS = (
    *("EAST", "Mahjong", "A4 80g/m2", "Qwerty", "Sale 20%", "1234567890", "NORTH 3", "the quick brown", "CHAPTER 7"),
    "No. 5",
)


def _noise(rng: Rng, shape: tuple[int, int], scale: float) -> Array:
    cells = (max(2, round(shape[0] / scale)), max(2, round(shape[1] / scale)))
    return cv2.resize(rng.standard_normal(cells, dtype=np.float32), shape[::-1], interpolation=cv2.INTER_CUBIC)


def _wood(rng: Rng, base: Array) -> Array:
    grain = _noise(rng, (_SIDE, _SIDE // 16), 3)
    grain = cv2.resize(grain, (_SIDE, _SIDE), interpolation=cv2.INTER_LINEAR)
    waves = np.sin(_noise(rng, (_SIDE, _SIDE), 160) * 6 + np.linspace(0, rng.uniform(20, 120), _SIDE)[:, None])
    height = (cv2.GaussianBlur(grain, (1, 5), 0) * 10 + waves * rng.uniform(2, 14))[..., None]
    planks = np.ones((_SIDE, 1, 1), np.float32)
    if rng.random() < 0.5:
        planks[:: int(rng.integers(60, 160))] = 0.6
    return np.asarray((base + height) * planks)


def _felt(rng: Rng, base: Array) -> Array:
    fine = rng.standard_normal((_SIDE, _SIDE, 1), dtype=np.float32) * rng.uniform(1, 9)
    return np.asarray(base + fine + _noise(rng, (_SIDE, _SIDE), rng.uniform(8, 120))[..., None] * rng.uniform(0, 8))


def _cloth(rng: Rng, base: Array) -> Array:
    """A cloth with checks, stripes, dots or a mesh in two colours."""
    y, x = np.mgrid[0:_SIDE, 0:_SIDE].astype(np.float32)
    pitch, kind = float(rng.uniform(6, 80)), int(rng.integers(4))
    fields = (
        np.sin(x * 2 * np.pi / pitch),
        np.sin(x * 2 * np.pi / pitch) * np.sin(y * 2 * np.pi / pitch),
        np.sin(x * 2 * np.pi / pitch) + np.sin(y * 2 * np.pi / pitch) - 1.1,
        np.sin((x + y) * 2 * np.pi / pitch),
    )
    share = np.clip(fields[kind] * rng.uniform(0.5, 6) * 0.5 + 0.5, 0, 1)[..., None]
    other = base + (rng.uniform(-120, 120, 3) if rng.random() < 0.4 else rng.uniform(-40, 40))
    return _felt(rng, np.asarray(base * share + other * (1 - share)))


def _paper(rng: Rng, base: Array) -> Array:
    """A sheet of paper with printed text or ruled lines."""
    sheet = _felt(rng, np.full((_SIDE, _SIDE, 3), rng.uniform(190, 250)) + rng.uniform(-12, 12, 3))
    sheet = np.ascontiguousarray(np.clip(sheet, 0, 255).astype(np.uint8))
    ink = tuple(int(v) for v in np.clip(base[0, 0] * 0.4, 0, 160))
    for line in range(20, _SIDE, int(rng.integers(18, 48))):
        if rng.random() < 0.8:
            text = "  ".join(str(rng.choice(_WORDS)) for _ in range(6))
            start, font, size = int(rng.integers(-60, 30)), int(rng.integers(0, 5)), rng.uniform(0.35, 0.9)
            cv2.putText(sheet, text, (start, line), font, size, ink, 1, cv2.LINE_AA)
        else:
            cv2.line(sheet, (0, line), (_SIDE, line), ink, 1)
    return sheet


_GROUNDS = ((0.42, _felt), (0.3, _wood), (0.22, _cloth), (0.06, _paper))
"""Frequency and painter of each kind of table."""


@lru_cache(maxsize=96)
def ground_texture(number: int) -> Array:
    """The table top with that number, uint8 RGB 512 x 512."""
    rng = np.random.default_rng([number, 41])
    make = _GROUNDS[rng.choice(len(_GROUNDS), p=[w for w, _ in _GROUNDS])][1]
    colour = np.array(_FELTS[rng.integers(len(_FELTS))], np.float32) + rng.uniform(-30, 30, 3).astype(np.float32)
    if make is _wood:
        woods = ((150, 105, 65), (200, 165, 120), (90, 55, 35), (205, 200, 190), (120, 80, 50))
        colour = np.array(woods[rng.integers(5)], np.float32)
    return np.clip(make(rng, np.broadcast_to(colour, (_SIDE, _SIDE, 3))), 0, 255).astype(np.uint8)


def paint_ground(
    camera: Camera, rng: Rng, *, edge_y: float | None = None, surroundings: Surroundings = NO_SURROUNDINGS
) -> Array:
    """The table and the background behind its edge, uint8 RGB.

    If `edge_y` is given, the table ends there on the player's side with a wooden rim.
    """
    width, height = camera.size_wh
    photographed = surroundings.ground(rng)
    texture = ground_texture(int(rng.integers(96))) if photographed is None else photographed
    tint = rng.uniform(0.75, 1.15) * (1 + rng.uniform(-0.12, 0.12, 3))
    pixels_per_unit = float(np.exp(rng.uniform(np.log(18), np.log(90))))
    turn = rng.uniform(0, 2 * np.pi)
    cos, sin = np.cos(turn) / pixels_per_unit, np.sin(turn) / pixels_per_unit
    # The rows of a picture run down.
    to_world = np.array([[cos, sin, -cos * 256], [sin, -cos, -sin * 256], [0, 0, 1.0]])
    image = cv2.warpPerspective(
        texture, camera.ground() @ to_world, camera.size_wh, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    edge, rim = _beyond(camera, rng, edge_y)
    if edge is not None:
        backdrop = surroundings.backdrop(rng)
        floor = ground_texture(int(rng.integers(96))) if backdrop is None else backdrop
        if rng.random() < 0.6:
            floor = cv2.GaussianBlur(floor, (0, 0), float(rng.uniform(2, 12)))
        crop = int(rng.integers(100, 512))
        far = cv2.resize(floor[:crop, :crop], (width, height)).astype(np.float32) * rng.uniform(0.3, 1.1)
        wood = np.array([(120, 80, 45), (210, 175, 120), (230, 230, 228), (40, 30, 25)][rng.integers(4)])
        image = np.where(rim[..., None] > 0, wood * rng.uniform(0.8, 1.1), image)
        image = np.where(edge[..., None] > 0, far, image)
    return np.clip(image * tint, 0, 255).astype(np.uint8)


def _beyond(camera: Camera, rng: Rng, edge_y: float | None) -> tuple[Array | None, Array]:
    """Masks of the background past the table's edge (None if there is none) and of the rim.

    The table always ends at the horizon. It also ends at `edge_y` (world), if given, or sometimes at a random line.
    """
    width, height = camera.size_wh
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    plane = np.linalg.inv(camera.ground()).astype(np.float32)
    scale = plane[2, 0] * x + plane[2, 1] * y + plane[2, 2]
    middle = float(plane[2, 0] * width / 2 + plane[2, 1] * height / 2 + plane[2, 2])
    past = scale / middle < 0.25
    if edge_y is not None:
        away = (plane[1, 0] * x + plane[1, 1] * y + plane[1, 2]) / np.where(past, np.float32(1), scale)
        rim = ~past & (away < edge_y)
        past |= away < edge_y - rng.choice([0.2, 1.0, rng.uniform(1, 4)])
        return past, rim
    if rng.random() < 0.25:
        angle, reach = rng.uniform(0, 2 * np.pi), rng.uniform(0.18, 0.6)
        past |= (x / width - 0.5) * np.cos(angle) + (y / height - 0.5) * np.sin(angle) > reach
    rim = cv2.dilate(past.astype(np.uint8), np.ones((int(rng.integers(1, 26)),) * 2, np.uint8))
    return (past if past.any() else None), rim


def sample_mat(rng: Rng, low: Array, high: Array) -> tuple[Array, Array]:
    """A tray or mat under the tiles between `low` and `high`: an RGBA sprite and its corners on the table."""
    sprite = np.full((256, 256, 4), 255, np.uint8)
    base = np.array([(25, 25, 35), (60, 40, 25), (20, 70, 45), (150, 30, 35), (200, 195, 185)][rng.integers(5)])
    sprite[..., :3] = np.clip(base * rng.uniform(0.6, 1.2) + rng.normal(0, 4, (256, 256, 1)), 0, 255)
    rim = tuple(int(v) for v in np.clip(base * rng.uniform(0.4, 1.8) + 12, 0, 255))
    cv2.rectangle(sprite, (3, 3), (252, 252), (*rim, 255), int(rng.integers(3, 9)), cv2.LINE_AA)
    margin = rng.uniform(0.1, 0.6, 2) if rng.random() < 0.6 else rng.uniform(0.5, 4, 2)
    x0, y0, x1, y1 = *(low - margin), *(high + margin)
    return sprite, np.array([[x0, y1], [x1, y1], [x1, y0], [x0, y0]])


def _keyboard(rng: Rng, sprite: Array) -> None:
    sprite[...] = rng.integers(20, 90)
    light = int(rng.integers(150, 250)) if rng.random() < 0.5 else int(rng.integers(40, 100))
    for y in range(8, 240, 40):
        for x in range(8, 250, 40):
            cv2.rectangle(sprite, (x, y), (x + 33, y + 33), (light,) * 3, -1)
            key = "QWERTYUIOPASDFGHJKLZXCVBNM1234567890"[rng.integers(36)]
            cv2.putText(sprite, key, (x + 8, y + 24), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255 - light,) * 3, 2, cv2.LINE_AA)


def _card(rng: Rng, sprite: Array) -> None:
    sprite[...] = rng.integers(225, 255)
    colour = (200, 30, 30) if rng.random() < 0.5 else (20, 20, 20)
    name = "A23456789JQK"[rng.integers(12)]
    for x, y in ((14, 50), (200, 240)):
        cv2.putText(sprite, name, (x, y), cv2.FONT_HERSHEY_COMPLEX, 1.4, colour, 3, cv2.LINE_AA)
    for _ in range(int(rng.integers(1, 8))):
        cv2.circle(sprite, (int(rng.integers(70, 190)), int(rng.integers(50, 210))), 16, colour, -1, cv2.LINE_AA)


def _die(rng: Rng, sprite: Array) -> None:
    sprite[...] = rng.integers(215, 255) if rng.random() < 0.7 else np.array([190, 30, 40])
    pips = int(rng.integers(1, 7))
    spots = {1: [(1, 1)], 2: [(0, 0), (2, 2)], 3: [(0, 0), (1, 1), (2, 2)]}.get(
        pips, [(0, 0), (0, 2), (2, 0), (2, 2), (1, 1), (1, 0), (1, 2)][:pips]
    )
    ink = (190, 30, 40) if pips == 1 else (25, 25, 30)
    for column, row in spots:
        cv2.circle(sprite, (58 + 70 * column, 58 + 70 * row), 24, ink, -1, cv2.LINE_AA)


def _cap(rng: Rng, sprite: Array) -> None:
    sprite[...] = 0
    colour = any_colour(rng, 30, 255)
    other = any_colour(rng, 30, 255)
    cv2.circle(sprite, (128, 128), 124, colour, -1, cv2.LINE_AA)
    for radius in range(100, 10, -int(rng.integers(15, 60))):
        ink = other if radius // 10 % 2 else colour
        cv2.circle(sprite, (128, 128), radius, ink, int(rng.integers(3, 14)), cv2.LINE_AA)


def _screen(rng: Rng, sprite: Array) -> None:
    sprite[...] = rng.integers(5, 40)
    if rng.random() < 0.6:
        sprite[14:242, 14:242] = rng.integers(0, 255, 3)
        for y in range(24, 230, 34):
            end, ink = int(rng.integers(60, 230)), any_colour(rng, 0, 255)
            cv2.rectangle(sprite, (24, y), (end, y + 20), ink, -1)


def _blank(rng: Rng, sprite: Array) -> None:
    colour = rng.integers(0, 256, 3)
    colour[rng.integers(3)] //= 3  # never ivory, which would look like a white dragon
    sprite[...] = colour
    cv2.rectangle(sprite, (6, 6), (249, 249), any_colour(rng, 0, 256), int(rng.integers(1, 12)))


def _print(rng: Rng, sprite: Array) -> None:
    sprite[...] = rng.integers(200, 255)
    for y in range(24, 250, int(rng.integers(22, 50))):
        ink, word = any_colour(rng, 0, 140), str(rng.choice(_WORDS))
        font, size, thick = int(rng.integers(0, 5)), rng.uniform(0.5, 1.4), int(rng.integers(1, 4))
        cv2.putText(sprite, word, (8, y), font, size, ink, thick, cv2.LINE_AA)


_CLUTTER: tuple[tuple[float, Callable[[Rng, Array], None], tuple[float, float], tuple[float, float]], ...] = (
    (0.1, _keyboard, (5, 9), (4, 7)),
    (0.15, _card, (2, 2.6), (2.8, 3.6)),
    (0.25, _die, (0.4, 0.75), (0.4, 0.75)),
    (0.12, _cap, (0.8, 1.5), (0.8, 1.5)),
    (0.1, _screen, (2.4, 3.4), (4.5, 7)),
    (0.14, _blank, (0.15, 0.4), (2.5, 4)),
    (0.04, _blank, (0.8, 3), (1, 5)),
    (0.1, _print, (2, 7), (2, 8)),
)
"""Frequency, painter, range of the width and range of the length (in tile widths) of each object."""


@lru_cache(maxsize=160)
def _sprite(kind: int, number: int) -> Array:
    rng = np.random.default_rng([kind, number, 43])
    sprite = np.zeros((256, 256, 3), np.uint8)
    _CLUTTER[kind][1](rng, sprite)
    alpha = np.full((256, 256), 255, np.uint8)
    if _CLUTTER[kind][1] is _cap:
        alpha = sprite.max(axis=2)
        alpha[alpha > 0] = 255
    return np.dstack([sprite, alpha])


def sample_clutter(
    rng: Rng, low: Array, high: Array, surroundings: Surroundings = NO_SURROUNDINGS
) -> tuple[Array, Array]:
    """An object as an RGBA sprite, and its corners on the table (top left first, clockwise), shape (4, 2)."""
    sprite = surroundings.sprite(rng)
    if sprite is None:
        kind = int(rng.choice(len(_CLUTTER), p=[row[0] for row in _CLUTTER]))
        wide, long = rng.uniform(*_CLUTTER[kind][2]), rng.uniform(*_CLUTTER[kind][3])
        sprite = _sprite(kind, int(rng.integers(20)))
    else:
        long = float(np.exp(rng.uniform(np.log(0.8), np.log(7))))
        wide = long * sprite.shape[1] / sprite.shape[0]
        if sprite.shape[2] == 3:
            sprite = np.dstack([sprite, np.full(sprite.shape[:2], 255, np.uint8)])
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners = np.array([[-wide, long], [wide, long], [wide, -long], [-wide, -long]]) / 2 @ turn + rng.uniform(low, high)
    return sprite, np.asarray(corners)


def draw_fingers(image: Array, marks: Array, rng: Rng, tile_px: float) -> None:
    """Draw fingers that reach in from an edge of the picture, and clear the marks that they cover."""
    height, width = image.shape[:2]
    skins = ((225, 180, 150), (190, 140, 105), (120, 80, 55), (240, 200, 175))
    skin = np.array(skins[rng.integers(4)]) * rng.uniform(0.7, 1.05)
    below, left = (rng.uniform(0, width), height + 20.0), (-20.0, rng.uniform(0, height))
    right = (width + 20.0, rng.uniform(0, height))
    start = np.array((below, left, right)[rng.integers(3)])
    tip = start + (np.array([width, height]) / 2 - start) * rng.uniform(0.2, 0.9)
    along = (tip - start) / max(1.0, float(np.linalg.norm(tip - start)))
    across = np.array([-along[1], along[0]])
    thick = max(5, round(tile_px * rng.uniform(0.55, 0.85)))
    for finger in range(int(rng.integers(1, 5))):
        end = tip + across * finger * thick * 1.05 - along * abs(finger - 1.3) * thick * rng.uniform(0.1, 0.6)
        root = start + across * finger * thick * 0.9
        ends = [(round(float(v[0])), round(float(v[1]))) for v in (root, end)]
        for share, light in ((1.0, 0.72), (0.8, 0.9), (0.45, 1.02)):
            colour = tuple(float(min(255, c * light)) for c in skin)
            cv2.line(image, ends[0], ends[1], colour, max(1, round(thick * share)), cv2.LINE_AA)
        cv2.line(marks, ends[0], ends[1], 0, thick)
