"""Boxes as a camera over the table sees them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tilescore.vision.image.boxes import Box
from tilescore.vision.layout.camera import Cameras
from tilescore.vision.layout.pose import ASPECT

SIZE_WH = (1200, 900)


def camera(elevation_deg: float, azimuth_deg: float, *, distance: float = 25.0) -> Cameras:
    """A camera over the middle of the table, so high over it and so far beside the row's owner."""
    up, side = math.radians(elevation_deg), math.radians(azimuth_deg)
    away = np.array([math.cos(up) * math.sin(side), -math.cos(up) * math.cos(side), math.sin(up)])
    right = np.array([math.cos(side), math.sin(side), 0.0])
    rotation = np.stack([right, np.cross(-away, right), -away])[None]
    one = np.ones(1)
    return Cameras(rotation, 40 * one, distance * one, ASPECT * one, 0 * one, np.array([600.0, 450.0]))


def seen_from(view: Cameras, lying: Sequence[tuple[float, float, int]]) -> list[Box]:
    """The boxes of tiles on the table, each upright (0), sideways (1) or standing (2).

    Args:
        view: the camera.
        lying: where each is, in tile widths: the middle of one that lies, the foot of one that stands, and its way.
    """
    corners = np.array([[-1, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0]]) / 2 * [1, ASPECT, 1]
    found = []
    for x, y, way in lying:
        turned = {0: corners, 1: corners[:, [1, 0, 2]], 2: corners[:, [0, 2, 1]] + [0, 0, ASPECT / 2]}[way]
        local = (turned + np.array([x, y, 0])) @ view.rotation[0].T
        pixels = local[:, :2] * (view.scale * view.distance / (view.distance + local[:, 2]))[:, None] + view.origin
        found.append(Box(*(float(end) for end in (*pixels.min(axis=0), *pixels.max(axis=0)))))
    return found
