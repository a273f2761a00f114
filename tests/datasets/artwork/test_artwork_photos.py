"""Faces cropped from real pictures."""

from pathlib import Path

import cv2
import numpy as np

from tilescore.datasets.artwork.photos import photo_faces

CLOTH, PAPER, INK = (60, 40, 150), (225, 235, 240), (30, 30, 30)
SIZE = 400


def _tile(picture: np.ndarray, x: int, turned_deg: float) -> str:
    """Paint a turned tile around (x, 200); returns its label as a three of dots."""
    shape = ((float(x), 200.0), (76.0, 112.0), turned_deg)
    corners = cv2.boxPoints(shape)
    cv2.fillConvexPoly(picture, np.round(corners).astype(np.int32), PAPER, cv2.LINE_AA)
    cv2.circle(picture, (x, 200), 24, INK, -1, cv2.LINE_AA)
    low, high = corners.min(axis=0) / SIZE, corners.max(axis=0) / SIZE
    return " ".join(map(str, (11, *((low + high) / 2), *(high - low))))


def test_only_a_straight_tile_becomes_a_face(tmp_path: Path) -> None:
    """The box of an oblique tile has a tile's aspect too, but shows the table in its corners."""
    for kind in ("labels", "images"):
        (tmp_path / kind / "train").mkdir(parents=True)
    picture = np.full((SIZE, SIZE, 3), CLOTH, np.uint8)
    lines = [_tile(picture, 100, 2.0), _tile(picture, 290, 18.0)]
    cv2.imwrite(str(tmp_path / "images/train/xy_1.jpg"), picture)
    (tmp_path / "labels/train/xy_1.txt").write_text("\n".join(lines))
    start, rng = photo_faces(tmp_path, "xy"), np.random.default_rng(0)
    found = [face for face in (start(rng)("3p") for _ in range(8)) if face is not None]
    assert len(found) == 8
    assert min(np.median(face[:12, :12]) for face in found) > 180, "the table would be darker"
