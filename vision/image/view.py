"""The pixels of a photo that are looked at: in white light, without noise, mirrored, or turned upright to its tiles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from tilescore.vision.arrays import Floats, Pixels
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.config import ViewConfig
from tilescore.vision.image.photo import Photo

_CONFIG: Final = ViewConfig()
_NOISE: Final = np.array([(1, -2, 1), (-2, 4, -2), (1, -2, 1)]) / 6
"""Neither planes nor straight edges along the axes answer to this kernel; of noise it keeps the deviation."""


@dataclass(frozen=True, slots=True, eq=False)
class PhotoView:
    """Pixels, and where they lie in the photo."""

    rgb: Pixels  # (H, W, 3)
    to_photo: Floats  # the affine map (2, 3) from its pixels to those of the upright original
    photo_wh: tuple[int, int]  # size of the original, pixels

    @staticmethod
    def of(photo: Photo) -> PhotoView:
        """The whole photo."""
        return PhotoView(photo.rgb, np.array([(photo.scale, 0.0, 0.0), (0.0, photo.scale, 0.0)]), photo.size_wh)

    def in_photo(self, box: Box) -> Box:
        """The upright box in the original around a box of the view, as far as the original goes."""
        corners = np.clip(_corners([box]) @ self.to_photo[:, :2].T + self.to_photo[:, 2], 0, self.photo_wh)
        return Box(*corners.min(axis=0).tolist(), *corners.max(axis=0).tolist())

    def in_white_light(self) -> PhotoView:
        """As white light shows it, if weak light or one of a strong colour does: dusk, a lamp, a neon sign."""
        step = max(1, max(self.rgb.shape) // _CONFIG.white_side_px)
        brightest = np.quantile(self.rgb[::step, ::step], _CONFIG.white_quantile, axis=(0, 1))
        if brightest.min() >= _CONFIG.min_white * 255:
            return self
        lit = self.rgb * (255 / np.maximum(brightest, 1)).astype(np.float32)
        return replace(self, rgb=np.minimum(lit, 255).astype(np.uint8))

    def without_noise(self) -> PhotoView:
        """Made smooth if there is much noise, as in weak light."""
        return self._smooth(_CONFIG.noise_share) if _noise(self.rgb) >= _CONFIG.min_noise else self

    def without_grid(self) -> PhotoView:
        """Made so smooth that no grid of a screen is left."""
        return self._smooth(_CONFIG.grid_share)

    def _smooth(self, share: float) -> PhotoView:
        smooth = cv2.GaussianBlur(self.rgb, (0, 0), share * max(self.rgb.shape))
        return replace(self, rgb=np.asarray(smooth, np.uint8))

    def negative(self) -> PhotoView:
        """The photographic negative."""
        return replace(self, rgb=255 - self.rgb)

    def mirrored(self) -> PhotoView:
        """The same place, left and right exchanged."""
        to_photo = self.to_photo.copy()
        to_photo[:, 2] += self.rgb.shape[1] * to_photo[:, 0]
        to_photo[:, 0] *= -1
        return PhotoView(np.ascontiguousarray(self.rgb[:, ::-1]), to_photo, self.photo_wh)

    def turned(self, radians: float, boxes: list[Box], *, margin: float) -> PhotoView:
        """The part with these boxes and a margin around them, in pixels, turned clockwise by the angle."""
        cos, sin = np.cos(radians), np.sin(radians)
        turn = np.array([(cos, -sin), (sin, cos)])
        corners = _corners(boxes) @ turn.T
        low = corners.min(axis=0) - margin
        size = np.ceil(corners.max(axis=0) + margin - low).astype(int).tolist()
        pixels = cv2.warpAffine(self.rgb, np.column_stack([turn, -low]), size, borderValue=(114, 114, 114))
        linear, shift = self.to_photo[:, :2], self.to_photo[:, 2]
        back = np.column_stack([linear @ turn.T, linear @ turn.T @ low + shift])
        return PhotoView(np.asarray(pixels, np.uint8), back, self.photo_wh)


def _corners(boxes: list[Box]) -> Floats:
    """The corners (4 N, 2) of boxes."""
    return np.array([(x, y) for box in boxes for x in (box.x0, box.x1) for y in (box.y0, box.y1)], np.float64)


def _noise(rgb: Pixels) -> float:
    """The deviation of the noise in the middle of a picture (H, W, 3), in grey levels; 0 if it shows nothing grey."""
    height, width = rgb.shape[:2]
    green = rgb[height // 4 : height - height // 4, width // 4 : width - width // 4, 1]
    side = _CONFIG.block_px
    rows, columns = green.shape[0] // side, green.shape[1] // side
    blocks = green[: rows * side, : columns * side]
    if not blocks.size:
        return 0.0
    answers = cv2.filter2D(blocks, cv2.CV_32F, _NOISE)
    grey, noise = (
        operation(values.reshape(rows, side, columns, side), axis=(1, 3))
        for operation, values in ((np.mean, blocks), (np.std, answers))
    )
    low, high = _CONFIG.grey_levels
    quiet = noise[(grey > low) & (grey < high)]
    return float(np.quantile(quiet, _CONFIG.quiet_share)) if quiet.size else 0.0
