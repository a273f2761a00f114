"""A pinhole camera for rendering, and the effects of lens, sensor and light on its picture.

The camera has a known pose and a lens with distortion, and it projects any points.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from tilescore.datasets.artwork.style import Array, Rng


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera in a world with z up and tile widths as the unit.

    The rows of `rotation` are right, down and forward in the world. `centre_px` is the pixel (x, y) of the optical
    axis. The radial distortion is negative for a barrel.
    """

    position: Array
    rotation: Array
    focal_px: float
    centre_px: tuple[float, float]
    size_wh: tuple[int, int]
    distortion: float = 0.0

    def depth(self, points: Array) -> Array:
        """Depth of world points (n, 3) along the optical axis, (n,)."""
        return np.asarray((points - self.position) @ self.rotation[2])

    def project(self, points: Array) -> Array:
        """Pixels (n, 2) of world points (n, 3)."""
        local = (points - self.position) @ self.rotation.T
        xy = local[:, :2] / np.maximum(local[:, 2:], 0.05)
        if self.distortion:
            xy = xy * (1 + self.distortion * np.minimum((xy**2).sum(axis=1, keepdims=True), 1.5))
        return np.asarray(xy * self.focal_px + np.array(self.centre_px))

    def ground(self) -> Array:
        """The homography from (x, y, 1) on the table to pixels, without distortion."""
        k = np.array([[self.focal_px, 0, self.centre_px[0]], [0, self.focal_px, self.centre_px[1]], [0, 0, 1.0]])
        outer = np.column_stack([self.rotation[:, 0], self.rotation[:, 1], -self.rotation @ self.position])
        return np.asarray(k @ outer)


def aim(
    target: Array,
    *,
    elevation_deg: float,
    azimuth_deg: float,
    roll_deg: float,
    distance: float,
    focal_px: float,
    size_wh: tuple[int, int],
    centre_px: tuple[float, float],
    distortion: float,
) -> Camera:
    """A camera that sees `target`, a point on the table, at `centre_px`."""
    elevation, azimuth, roll = (math.radians(v) for v in (elevation_deg, azimuth_deg, roll_deg))
    level = math.cos(elevation)
    away = np.array([level * math.sin(azimuth), -level * math.cos(azimuth), math.sin(elevation)])
    forward = -away
    right = np.array([math.cos(azimuth), math.sin(azimuth), 0.0])
    down = np.cross(forward, right)
    turned_right = right * math.cos(roll) + down * math.sin(roll)
    turned_down = down * math.cos(roll) - right * math.sin(roll)
    rotation = np.stack([turned_right, turned_down, forward])
    return Camera(np.asarray(target) + away * distance, rotation, focal_px, centre_px, size_wh, distortion)


def framed(
    place: Callable[..., Camera], points: Array, size: Array, rng: Rng, *, off_centre: float, least_px: float
) -> Camera:
    """A camera with points (n, 3) in its picture of that size (2,), up to a share of the room there off its middle.

    `place` is an `aim` that lacks the size of the picture and the pixel of its target. The room is at least `least_px`.
    """
    shown = place(size_wh=(0, 0), centre_px=(0.0, 0.0)).project(points)
    low, high = shown.min(axis=0), shown.max(axis=0)
    room = np.clip((size - (high - low)) / 2, least_px, None)
    x, y = (size / 2 - (low + high) / 2 + rng.uniform(-off_centre, off_centre, 2) * room).tolist()
    return place(size_wh=(int(size[0]), int(size[1])), centre_px=(x, y))


def light(image: Array, rng: Rng) -> Array:
    """Add uneven brightness, vignette, shadow, glare, white balance and exposure to a float32 RGB picture (0-255)."""
    height, width = image.shape[:2]
    cells = int(rng.integers(1, 4)) + 1
    smooth = cv2.resize(rng.random((cells, cells), np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    field = 1 + (smooth[..., None] - 0.5) * rng.uniform(0, 0.6)
    if rng.random() < 0.4:
        y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
        field = field * (1 - rng.uniform(0.05, 0.3) * (x**2 + y**2))[..., None]
    balance = np.clip(rng.normal(1, 0.07, 3), 0.75, 1.25) if rng.random() < 0.87 else rng.uniform(0.75, 1.2, 3)
    image = image * field * (balance / balance.mean() * rng.uniform(0.72, 1.2)).astype(np.float32)
    if rng.random() < 0.25:  # the shadow of the photographer or of the phone
        y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
        angle, softness = rng.uniform(0, 2 * math.pi), rng.uniform(0.01, 0.25)
        across = x * math.cos(angle) + y * math.sin(angle) - rng.uniform(-0.5, 0.7)
        along = np.abs(y * math.cos(angle) - x * math.sin(angle) - rng.uniform(-0.5, 0.5)) - rng.uniform(0.2, 1.5)
        inside = 1 / (1 + np.exp(np.clip(np.maximum(-across, along) / softness, -30, 30)))
        image = image * (1 - rng.uniform(0.15, 0.5) * inside)[..., None]
    if rng.random() < 0.25:
        spots = np.zeros((height // 8 + 1, width // 8 + 1), np.float32)
        for _ in range(int(rng.integers(1, 4))):
            centre = (int(rng.integers(spots.shape[1])), int(rng.integers(spots.shape[0])))
            axes = (int(rng.integers(2, 14)), int(rng.integers(2, 8)))
            cv2.ellipse(spots, centre, axes, float(rng.uniform(0, 180)), 0, 360, float(rng.uniform(30, 140)), -1)
        spots = cv2.GaussianBlur(spots, (0, 0), float(rng.uniform(1.5, 5)))
        image = image + cv2.resize(spots, (width, height))[..., None]
    if rng.random() < 0.5:
        gamma = float(rng.uniform(0.8, 1.3))
        image = 255 * np.power(np.clip(image, 0, 255) / 255, gamma, dtype=np.float32)
    return np.asarray(image, np.float32)


def lens(image: Array, rng: Rng, *, tile_px: float) -> Array:
    """Add blur, a coarser sensor, sharpening or noise, rarely grey; `tile_px`, a tile's width, bounds the blur."""
    height, width = image.shape[:2]
    worst = tile_px / 22
    kind = rng.random()
    if kind < 0.35:
        image = cv2.GaussianBlur(image, (0, 0), max(0.35, float(rng.uniform(0.3, 1.0)) * worst))
    elif kind < 0.45:
        length = max(3, round(worst * rng.uniform(1.5, 3.5)))
        kernel = np.zeros((length, length), np.float32)
        angle = rng.uniform(0, math.pi)
        dx, dy = math.cos(angle) * length / 2, math.sin(angle) * length / 2
        middle = length // 2
        cv2.line(kernel, (round(middle - dx), round(middle - dy)), (round(middle + dx), round(middle + dy)), 1.0)
        image = cv2.filter2D(image, -1, kernel / kernel.sum())
    elif kind < 0.65:
        share = max(rng.uniform(0.45, 0.95), min(1.0, 13 / tile_px))
        coarse = (max(8, round(width * share)), max(8, round(height * share)))
        small = cv2.resize(image, coarse, interpolation=cv2.INTER_AREA)
        image = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    elif kind < 0.75:
        image = image + (image - cv2.GaussianBlur(image, (0, 0), 1.2)) * float(rng.uniform(0.3, 1.2))
    if rng.random() < 0.6:
        sigma = float(rng.choice([1.5, 3, 5, 9], p=[0.4, 0.35, 0.18, 0.07]))
        noise = rng.standard_normal((height, width, 1 if rng.random() < 0.5 else 3), dtype=np.float32) * sigma
        image = image + noise
    image = np.clip(image, 0, 255)
    if rng.random() < 0.03:
        image = np.repeat(image.mean(axis=2, keepdims=True), 3, axis=2)
    return np.asarray(image)
