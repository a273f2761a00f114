"""Draws the tiles of a scene into a picture and labels those that are visible."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from tilescore.datasets.artwork.style import Array, Rng
from tilescore.datasets.synthesis.arrangements import Placement
from tilescore.datasets.synthesis.camera import Camera
from tilescore.datasets.synthesis.surroundings import Surroundings
from tilescore.datasets.synthesis.tabletop import paint_ground
from tilescore.datasets.synthesis.tileset import TileSet

Corners = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels."""

_SIDES = (((1, 0, 4, 5), (0, 1)), ((2, 1, 5, 6), (1, 0)), ((3, 2, 6, 7), (0, -1)), ((0, 3, 7, 4), (-1, 0)))
"""Corner numbers of the top, right, bottom and left side as seen from outside, and the normal of each side."""
_MIN_FACING = 0.2
"""A tile is unreadable if the cosine between its normal and the view is below this."""
_MIN_VISIBLE = 0.4
"""A tile gets a label if at least this share of its face is visible."""
_MIN_SIDE_PX = 5
"""A label or ignore region has sides of at least this many pixels."""
_MIN_BACK_VISIBLE = 0.55
"""A tile face down gets a label if at least this share of its outline is visible."""
_MIN_BACK_FACE_VISIBLE = 0.75
"""A tile face down also gets a label if at least this share of its back is visible."""


@dataclass(frozen=True, slots=True)
class VisibleTile:
    """One labelled tile: its class or `back`, the box of its visible part, four corners of its visible side."""

    tile: str
    box_xyxy: Corners
    quad: tuple[tuple[float, float], ...]
    role: str
    group: int
    turned: bool


@dataclass(frozen=True, slots=True)
class _Drawn:
    placement: Placement
    tile: str | None
    outline: Array
    quad: Array
    face: Array
    mark: int


def shaded(colour: Sequence[int], strength: float) -> tuple[int, int, int]:
    """An RGB colour under light of that strength."""
    r, g, b = (int(min(255, max(0, c * strength))) for c in colour)
    return r, g, b


class Canvas:
    """A picture in progress, and `marks`, the number of the tile that shows at each pixel (0: none).

    A negative number marks a side of the tile, a positive one the side that its label is about.
    """

    def __init__(self, camera: Camera, rng: Rng, *, edge_y: float | None = None, surroundings: Surroundings) -> None:
        self.camera = camera
        self.rng = rng
        self.image = paint_ground(camera, rng, edge_y=edge_y, surroundings=surroundings)
        width, height = camera.size_wh
        self.marks = np.zeros((height, width), np.int32)
        azimuth, slope = rng.uniform(0, 2 * np.pi), rng.uniform(0.3, 1.3)
        self.light = np.array([np.cos(azimuth) * slope, np.sin(azimuth) * slope, 1.0])
        self.light /= np.linalg.norm(self.light)
        self.ambient = float(rng.uniform(0.5, 0.85))

    def _on_screen(self, points: Array) -> bool:
        width, height = self.camera.size_wh
        low, high = points.min(axis=0), points.max(axis=0)
        return bool((high > 0).all() and low[0] < width and low[1] < height)

    def warp(self, sprite: Array, quad: Array, strength: float = 1.0) -> None:
        """Blend an RGBA sprite into the picture so that its corners fall on `quad` (pixels, shape (4, 2))."""
        width, height = self.camera.size_wh
        x0, y0 = np.floor(quad.min(axis=0)).astype(int) - 1
        x1, y1 = np.ceil(quad.max(axis=0)).astype(int) + 2
        x0, y0, x1, y1 = max(0, x0), max(0, y0), min(width, x1), min(height, y1)
        if x1 - x0 < 2 or y1 - y0 < 2:
            return
        tall, wide = sprite.shape[:2]
        sides = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)
        share = min(1.0, 1.1 * max(max(sides[1], sides[3]) / wide, max(sides[0], sides[2]) / tall))
        if share < 0.85:
            wide, tall = max(4, round(wide * share)), max(4, round(tall * share))
            sprite = cv2.resize(sprite, (wide, tall), interpolation=cv2.INTER_AREA)
        source = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], np.float32) - 0.5
        matrix = cv2.getPerspectiveTransform(source, (quad - [x0 + 0.5, y0 + 0.5]).astype(np.float32))
        flat = cv2.warpPerspective(sprite, matrix, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR)
        alpha = flat[..., 3:].astype(np.float32) / 255
        patch = self.image[y0:y1, x0:x1]
        colour = np.minimum(flat[..., :3] * np.float32(strength), 255)
        self.image[y0:y1, x0:x1] = (patch * (1 - alpha) + colour * alpha).astype(np.uint8)

    def shadows(self, placements: Sequence[Placement], size: Array) -> None:
        """Draw the soft shadows of all tiles on the table, at half resolution."""
        width, height = self.camera.size_wh
        mask = np.zeros((height // 2 + 1, width // 2 + 1), np.uint8)
        for placement in placements:
            corners = placement.corners(size)
            fallen = corners - self.light * (corners[:, 2:] / self.light[2])
            flat = corners * [1, 1, 0]
            points = self.camera.project(np.vstack([fallen, flat])) / 2
            if self._on_screen(points * 2):
                cv2.fillConvexPoly(mask, cv2.convexHull(np.round(points * 16).astype(np.int32)), 255, cv2.LINE_8, 4)
        blurred = cv2.GaussianBlur(mask, (0, 0), float(self.rng.uniform(0.8, 5)))
        soft = cv2.resize(blurred, (width, height)).astype(np.float32)[..., None] / 255
        self.image = (self.image * (1 - soft * self.rng.uniform(0.2, 0.7))).astype(np.uint8)

    def strength(self, normal: Array) -> float:
        """Brightness of a surface with that normal."""
        lit = max(0.0, float(normal @ self.light)) / self.light[2]
        return self.ambient + (1 - self.ambient) * float(min(lit, 1.15))

    def _fill(self, quad: Array, colour: tuple[int, int, int]) -> None:
        cv2.fillConvexPoly(self.image, np.round(quad * 16).astype(np.int32), colour, cv2.LINE_AA, 4)

    def draw_tiles(self, placements: Sequence[Placement], tiles: TileSet) -> list[_Drawn]:
        """Paint the tiles, the farthest first; returns those that lie in the picture, in the given order."""
        distance = [float(np.linalg.norm(self.camera.position - np.array(laid.centre))) for laid in placements]
        far_first = np.argsort(distance)[::-1].tolist()
        drawn = {number: self.draw_tile(placements[number], tiles, number + 1) for number in far_first}
        return [item for _, item in sorted(drawn.items()) if item is not None]

    def draw_tile(self, placement: Placement, tiles: TileSet, mark: int) -> _Drawn | None:
        """Paint one tile: its outline, its visible sides in two colours, then its face or back."""
        corners = placement.corners(tiles.size)
        points = self.camera.project(corners)
        if not self._on_screen(points) or self.camera.depth(corners).min() < 0.5:
            return None
        axes = placement.axes()
        view = self.camera.position - np.array(placement.centre)
        view = view / np.linalg.norm(view)
        outline = cv2.convexHull(points.astype(np.float32))[:, 0]
        centre = outline.mean(axis=0)
        unit = float(np.sqrt(cv2.contourArea(outline.astype(np.float32))))
        self._fill(centre + (outline - centre) * 1.02, shaded(tiles.body, 0.45))  # contact shadow
        self._outline(outline, centre, unit, shaded(tiles.body, self.ambient))
        cv2.fillConvexPoly(self.marks, np.round(outline * 16).astype(np.int32), -mark, cv2.LINE_8, 4)
        uneven = float(self.rng.normal(1, 0.025))
        self._draw_sides(points, axes, view, tiles)
        facing = float(axes[2] @ view)
        quad = points[:4] if facing > 0 else points[[5, 4, 7, 6]]
        tile: str | None = placement.tile if facing > 0 else "back"
        if facing > 0 and placement.tile != "back":
            face = tiles.face(placement.tile)
            if face is not None:
                self.warp(face, quad, self.strength(axes[2]) * uneven)
            tile = None if face is None else tile
        else:
            self.warp(tiles.back_face(), quad, self.strength(-axes[2]) * uneven)
        if abs(facing) < _MIN_FACING:
            tile = None
        side = quad if tile != "back" else outline
        cv2.fillConvexPoly(self.marks, np.round(side * 16).astype(np.int32), mark, cv2.LINE_8, 4)
        return _Drawn(placement, tile, outline, side, quad, mark)

    def _draw_sides(self, points: Array, axes: Array, view: Array, tiles: TileSet) -> None:
        """Paint the visible sides of a tile in two colours."""
        seam = 1 - tiles.back_share
        for numbers, (right, up) in _SIDES:
            normal = axes[0] * right + axes[1] * up
            if normal @ view <= 0.01:
                continue
            a, b, c, d = points[list(numbers)]
            middle_b, middle_c = a + (d - a) * seam, b + (c - b) * seam
            force = self.strength(normal) * 0.92
            if seam > 0.02:
                self._fill(np.array([a, b, middle_c, middle_b]), shaded(tiles.body, force))
            if seam < 0.98:
                self._fill(np.array([middle_b, middle_c, c, d]), shaded(tiles.back, force))

    def _outline(self, outline: Array, centre: Array, unit: float, colour: tuple[int, int, int]) -> None:
        inset = centre + (outline - centre) * 0.94
        self._fill(inset, colour)
        line = [np.round(inset * 16).astype(np.int32)]
        cv2.polylines(self.image, line, True, colour, max(1, round(unit * 0.06)), cv2.LINE_AA, 4)

    def _is_visible(self, item: _Drawn, share: float) -> bool:
        """Whether a tile of which that share is visible gets a label.

        For a tile face down its back alone may suffice: in a wall seen along its row, each tile hides the sides of the
        next, while all backs are visible.
        """
        if item.tile != "back":
            return share >= _MIN_VISIBLE
        return share >= _MIN_BACK_VISIBLE or self._share_in_view(item.face, item.mark) >= _MIN_BACK_FACE_VISIBLE

    def _share_in_view(self, quad: Array, mark: int) -> float:
        """Visible share of a polygon of a tile, neither covered nor outside the picture."""
        height, width = self.marks.shape
        x0, y0 = np.clip(np.floor(quad.min(axis=0)).astype(int), 0, [width, height])
        x1, y1 = np.clip(np.ceil(quad.max(axis=0)).astype(int) + 1, 0, [width, height])
        inside = np.zeros((int(y1 - y0), int(x1 - x0)), np.uint8)
        if inside.size == 0:
            return 0.0
        cv2.fillConvexPoly(inside, np.round((quad - [x0, y0]) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
        shown = np.count_nonzero(inside.astype(bool) & (self.marks[y0:y1, x0:x1] == mark))
        return shown / max(1.0, cv2.contourArea(quad.astype(np.float32)))

    def labels(self, drawn: Sequence[_Drawn]) -> list[VisibleTile]:
        """Labels of the visible parts of the tiles; mostly hidden tiles get none."""
        counts = np.bincount(self.marks[self.marks > 0], minlength=max((item.mark for item in drawn), default=0) + 1)
        labels = (self._label(item, int(counts[item.mark])) for item in drawn)
        return [label for label in labels if label is not None]

    def ignore_regions(self, drawn: Sequence[_Drawn], labels: Sequence[VisibleTile]) -> list[Corners]:
        """Boxes of the visible parts of tiles without a label: mostly hidden, cut by the edge, seen from the side."""
        labelled = {label.quad for label in labels}
        boxes = (self._in_view(item, abs(self.marks)) for item in drawn if _rounded(item.quad) not in labelled)
        return [box for box in boxes if box is not None and _shorter_side(box) >= _MIN_SIDE_PX]

    def _label(self, item: _Drawn, shown: int) -> VisibleTile | None:
        height, width = self.marks.shape
        area = cv2.contourArea(item.quad.astype(np.float32))
        if item.tile is None or area < 30 or not self._is_visible(item, shown / area):
            return None
        low, high = np.clip(item.quad.min(axis=0), 0, None), np.minimum(item.quad.max(axis=0), [width, height])
        box = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        if shown < area * 0.93:  # partly covered: the box of the visible part
            x0, y0, x1, y1 = self._in_view(item, self.marks) or box
            box = (max(box[0], x0), max(box[1], y0), min(box[2], x1), min(box[3], y1))
        if _shorter_side(box) < _MIN_SIDE_PX:
            return None
        placement = item.placement
        return VisibleTile(item.tile, box, _rounded(item.quad), placement.role, placement.group, placement.turned)

    def _in_view(self, item: _Drawn, marks: Array) -> Corners | None:
        """The box around the pixels of a tile in `marks`; None if there are none."""
        x0, y0 = np.floor(np.clip(item.outline.min(axis=0), 0, None)).astype(int)
        x1, y1 = np.ceil(item.outline.max(axis=0)).astype(int) + 1
        ys, xs = np.nonzero(marks[y0:y1, x0:x1] == item.mark)
        if not len(xs):
            return None
        return (float(x0 + xs.min()), float(y0 + ys.min()), float(x0 + xs.max() + 1), float(y0 + ys.max() + 1))


def _rounded(quad: Array) -> tuple[tuple[float, float], ...]:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in quad[:4])


def _shorter_side(box: Corners) -> float:
    return min(box[2] - box[0], box[3] - box[1])
