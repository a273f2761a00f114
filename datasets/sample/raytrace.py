"""A small ray tracer for mahjong tiles on a table.

Tiles are rounded boxes; sphere tracing finds them inside their own part of the picture. Shadow rays against the
neighbouring boxes sample an area light and the sky. Units are tile widths, z is up, colours are linear RGB (0-1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tilescore.datasets.artwork.draw_faces import face

if TYPE_CHECKING:
    from tilescore.datasets.synthesis.camera import Camera

Array = NDArray[Any]
SIZE = np.array((1.0, 1.36, 0.8), np.float32)
"""Width, height and thickness of a tile in tile widths."""
EDGE_RADIUS = 0.085
"""Radius of the edges of a tile in tile widths."""
PX_PER_UNIT = 48
"""Pixels of the shadow map for each tile width of the table."""
TEXTURE_PX_PER_UNIT = 150
"""Pixels of the texture for each tile width of the table."""
_GAMMA = 2.2
"""Exponent between stored bytes and linear light."""


@dataclass(frozen=True, slots=True)
class Placed:
    """One tile on the table or on another tile; `turn_deg` is its counter-clockwise turn from upright."""

    name: str
    centre_xyz: tuple[float, float, float]
    turn_deg: float = 0.0

    def axes(self) -> Array:
        """The tile's right, up and outward directions as columns; a `back` lies face down."""
        angle = np.radians(self.turn_deg)
        right, up = (np.cos(angle), np.sin(angle), 0), (-np.sin(angle), np.cos(angle), 0)
        side = -1 if self.name == "back" else 1
        return np.array((np.multiply(side, right), up, (0, 0, side)), np.float32).T


@dataclass(frozen=True, slots=True)
class Setting:
    """Table texture, colours (linear RGB) and light of a scene."""

    table: Array
    back: tuple[float, float, float]
    ivory: tuple[float, float, float] = (0.86, 0.81, 0.69)
    sun: tuple[float, float, float] = (-0.55, 0.5, 1.0)
    sun_colour: tuple[float, float, float] = (0.74, 0.69, 0.59)
    sky_colour: tuple[float, float, float] = (0.42, 0.45, 0.5)


def linear(srgb: Array | tuple[int, int, int]) -> Array:
    """Linear light of the bytes that a picture stores."""
    return np.asarray((np.asarray(srgb, np.float32) / 255) ** _GAMMA)


def directions(towards: tuple[float, float, float], spread: float, count: int) -> Array:
    """Unit vectors evenly spread over a disc around a direction, shape (count, 3)."""
    index = np.arange(count) + 0.5
    radius, angle = spread * np.sqrt(index / count), index * np.pi * (3 - np.sqrt(5))
    axis = np.array(towards) / np.linalg.norm(towards)
    side = np.cross(axis, (0.0, 1.0, 0.0) if abs(axis[1]) < 0.9 else (1.0, 0.0, 0.0))
    side /= np.linalg.norm(side)
    lift = np.sqrt(np.maximum(0.02, 1 - radius**2)) if spread <= 1 else np.ones(count)
    found = np.outer(lift, axis) + np.outer(radius * np.cos(angle), side)
    found += np.outer(radius * np.sin(angle), np.cross(axis, side))
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), np.float32)


def _rays(camera: Camera, box: tuple[int, int, int, int]) -> Array:
    x0, y0, x1, y1 = box
    u, v = np.meshgrid(np.arange(x0, x1) + 0.5 - camera.centre_px[0], np.arange(y0, y1) + 0.5 - camera.centre_px[1])
    local = np.stack((u / camera.focal_px, v / camera.focal_px, np.ones_like(u)), axis=-1)
    rays = local @ camera.rotation
    return np.asarray(rays / np.linalg.norm(rays, axis=-1, keepdims=True), np.float32)


def _slab(origin: Array, ray: Array, half: Array) -> tuple[Array, Array]:
    """Distances at which rays enter and leave a box around zero; entry > exit means a miss."""
    step = 1 / np.where(np.abs(ray) < 1e-6, 1e-6, ray)
    near, far = (-half - origin) * step, (half - origin) * step
    return np.minimum(near, far).max(axis=-1), np.maximum(near, far).min(axis=-1)


def _trace(origin: Array, ray: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Distance to the rounded tile along each ray, and whether the ray hits it."""
    half = SIZE / 2
    reach, leave = _slab(origin, ray, half)
    for _ in range(24):
        q = np.abs(origin + ray * reach[..., None]) - (half - EDGE_RADIUS)
        gap = np.linalg.norm(np.maximum(q, 0), axis=-1) + np.minimum(q.max(axis=-1), 0) - EDGE_RADIUS
        reach = reach + gap
    return reach, (reach < leave + 0.01) & (gap < 0.004)


def _free(points: Array, rays: Array, tiles: list[Placed]) -> Array:
    """Share of the rays that leave each point without meeting a tile."""
    share = np.zeros(points.shape[:-1], np.float32)
    frames = [((points - np.array(tile.centre_xyz, np.float32)) @ tile.axes(), tile.axes()) for tile in tiles]
    for ray in rays:
        free = np.ones(points.shape[:-1], bool)
        for origin, axes in frames:
            enter, leave = _slab(origin, ray @ axes, SIZE / 2 - 0.02)
            free &= (enter > leave) | (leave < 0)
        share += free
    return np.asarray(share / len(rays))


def _lit(points: Array, rays: Array, tiles: list[Placed]) -> Array:
    """`_free` with a quarter of the rays for each pixel of a 2 x 2 block, which hides their small number."""
    share = np.ones((*points.shape[:-1], 1), np.float32)
    for quarter in range(4):
        block = np.s_[quarter // 2 :: 2, quarter % 2 :: 2]
        share[block] = _free(points[block], rays[quarter::4], tiles)[..., None]
    return share


class Engraving:
    """The faces as textures: paint (linear RGB), its coverage, and the slope of the engraving."""

    def __init__(self, width: int) -> None:
        self.size_wh = (width, round(width * 4 / 3))
        self._cache: dict[str, tuple[Array, Array]] = {}

    def texture(self, name: str) -> tuple[Array, Array]:
        """Paint with coverage, shape (h, w, 4), and slope, shape (h, w, 2), of a face."""
        if name not in self._cache:
            import resvg_py  # extra `train`; only drawing needs it

            svg = face(name, index_shown=False, body_shown=False)
            png = resvg_py.svg_to_bytes(svg_string=svg, width=self.size_wh[0])
            bgra = np.asarray(cv2.imdecode(np.frombuffer(bytes(png), np.uint8), cv2.IMREAD_UNCHANGED))
            cover = bgra[..., 3:].astype(np.float32) / 255
            depth = cv2.GaussianBlur(cover, (0, 0), self.size_wh[0] / 160)
            slope = np.stack((cv2.Sobel(depth, -1, 1, 0), -cv2.Sobel(depth, -1, 0, 1)), axis=-1) * self.size_wh[0] / 900
            self._cache[name] = (np.concatenate((linear(bgra[..., 2::-1]) * cover, cover), axis=-1), slope)
        return self._cache[name]

    def sample(self, name: str, at: Array) -> tuple[Array, Array]:
        """Both textures at points in the tile's frame."""
        width, height = self.size_wh
        u = ((at[..., 0] / SIZE[0] / 0.9 + 0.5) * width - 0.5).astype(np.float32)
        v = ((0.5 - at[..., 1] / SIZE[1] / 0.9) * height - 0.5).astype(np.float32)
        paint, slope = (cv2.remap(t, u, v, cv2.INTER_LINEAR, borderValue=0) for t in self.texture(name))
        return np.asarray(paint), np.asarray(slope)


def _shade(tile: Placed, at: Array, view: Array, *, tiles: list[Placed], setting: Setting, art: Engraving) -> Array:
    """Colour of points of a tile; `at` is in the tile's frame, `view` are unit rays in the world."""
    axes, half = tile.axes(), SIZE / 2
    shape = np.sign(at) * np.maximum(np.abs(at) - (half - EDGE_RADIUS), 0)
    shape /= np.maximum(np.linalg.norm(shape, axis=-1, keepdims=True), 1e-6)
    matte = np.ones((*at.shape[:-1], 1), np.float32)
    seam = np.clip((at[..., 2:] + half[2] * 0.22) * 90, 0, 1)
    colour = np.array(setting.back, np.float32) * (1 - seam) + np.array(setting.ivory, np.float32) * seam
    if tile.name != "back":
        paint, slope = art.sample(tile.name, at)
        top = (shape[..., 2:] > 0.8).astype(np.float32)
        colour = colour * (1 - paint[..., 3:] * top) + paint[..., :3] * top
        matte -= 0.75 * paint[..., 3:] * top
        shape[..., :2] += slope * top
        shape /= np.linalg.norm(shape, axis=-1, keepdims=True)
    normal = shape @ axes.T
    centre = np.array(tile.centre_xyz, np.float32)
    points = at @ axes.T + centre + normal * 0.012
    near = [t for t in tiles if t is not tile and np.abs(np.subtract(t.centre_xyz, centre))[:2].max() < 2]
    sun = directions(setting.sun, 0.22, 48)
    shine = _lit(points, sun, near)
    open_sky = _lit(points, directions((0, 0, 1), 0.95, 48), near)
    open_sky *= 0.62 + 0.38 * np.clip(normal[..., 2:] * 0.5 + 0.5 + points[..., 2:] * 0.45, 0, 1)
    towards = sun.mean(axis=0)
    diffuse = np.maximum(normal @ towards, 0)[..., None] * shine * np.array(setting.sun_colour, np.float32)
    ambient = open_sky * (0.55 + 0.45 * normal[..., 2:]) * np.array(setting.sky_colour, np.float32)
    between = towards - view
    between /= np.linalg.norm(between, axis=-1, keepdims=True)
    gloss = 0.5 * np.maximum((normal * between).sum(axis=-1, keepdims=True), 0) ** 70 * shine * matte
    grazing = 0.012 + 0.5 * np.clip(1 + (normal * view).sum(axis=-1, keepdims=True), 0, 1) ** 5
    return np.asarray(
        colour * (diffuse + ambient) + gloss + matte * grazing * open_sky * np.array(setting.sky_colour), np.float32
    )


def _shadow_maps(tiles: list[Placed], setting: Setting, reach: float) -> tuple[Array, Array]:
    """Visible shares of the sun and of the sky on the table, as maps from -reach to reach."""
    size = round(2 * reach * PX_PER_UNIT)
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32) * (SIZE / 2 - 0.02)
    solids = [corners @ tile.axes().T + np.array(tile.centre_xyz, np.float32) for tile in tiles]
    maps = []
    for rays in (directions(setting.sun, 0.22, 40), directions((0, 0, 1), 0.97, 48)):
        total = np.zeros((size, size), np.float32)
        for ray in rays:
            free = np.ones((size, size), np.uint8)
            for solid in solids:
                ground = solid[:, :2] - solid[:, 2:] * ray[:2] / ray[2]
                hull = cv2.convexHull(((ground + reach) * PX_PER_UNIT * 16).astype(np.int32))
                cv2.fillConvexPoly(free, hull, 0, cv2.LINE_8, 4)
            total += free
        maps.append(np.asarray(cv2.GaussianBlur(total / len(rays), (0, 0), PX_PER_UNIT / 40)))
    return maps[0], maps[1]


def _table(camera: Camera, tiles: list[Placed], setting: Setting, reach: float = 16) -> Array:
    """The picture of the table with the shadows of the tiles, but without the tiles."""
    width, height = camera.size_wh
    rays = _rays(camera, (0, 0, width, height))
    ground = camera.position[:2] - rays[..., :2] * (camera.position[2] / np.minimum(rays[..., 2:], -0.02))
    ground = ground.astype(np.float32)
    u, v = (ground[..., i] * TEXTURE_PX_PER_UNIT for i in (0, 1))
    texture = cv2.remap(setting.table, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    u, v = ((ground[..., i] + reach) * PX_PER_UNIT for i in (0, 1))
    lit = [cv2.remap(m, u, v, cv2.INTER_LINEAR, borderValue=1)[..., None] for m in _shadow_maps(tiles, setting, reach)]
    steep = setting.sun[2] / np.linalg.norm(setting.sun)
    light = lit[0] * steep * np.array(setting.sun_colour, np.float32) + lit[1] * np.array(
        setting.sky_colour, np.float32
    )
    return np.asarray(texture * light, np.float32)


def render(camera: Camera, tiles: list[Placed], setting: Setting) -> Array:
    """The scene in linear light, shape (h, w, 3)."""
    width, height = camera.size_wh
    picture = _table(camera, tiles, setting)
    depth = np.full((height, width), np.inf, np.float32)
    art = Engraving(256)
    cube = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32) * SIZE / 2
    for tile in tiles:
        axes, centre = tile.axes(), np.array(tile.centre_xyz, np.float32)
        spots = camera.project(cube @ axes.T + centre)
        x0, y0 = np.maximum(np.floor(spots.min(axis=0)).astype(int), 0)
        x1, y1 = np.minimum(np.ceil(spots.max(axis=0)).astype(int) + 1, (width, height))
        if x0 >= x1 or y0 >= y1:
            continue
        rays = _rays(camera, (x0, y0, x1, y1))
        origin = np.asarray((camera.position - centre) @ axes, np.float32)
        reach, met = _trace(origin, rays @ axes)
        met &= reach < depth[y0:y1, x0:x1]
        at = origin + (rays @ axes) * reach[..., None]
        shaded = _shade(tile, at, rays, tiles=tiles, setting=setting, art=art)
        picture[y0:y1, x0:x1][met] = shaded[met]
        depth[y0:y1, x0:x1][met] = reach[met]
    return picture
