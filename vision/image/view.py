"""The pixels of a photo that are looked at: the photo itself, or a part of it turned upright to its tiles."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from tilescore.vision.arrays import Floats, Pixels
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.photo import Photo


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

    def with_pixels(self, rgb: Pixels) -> PhotoView:
        """Other pixels of the same place."""
        return replace(self, rgb=rgb)

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
