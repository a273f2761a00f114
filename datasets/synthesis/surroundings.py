"""Real pictures without tiles, for the table, the background and objects beside the tiles.

Only training uses them; they are not shipped.
"""

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from tilescore.datasets.artwork.style import Array, Rng

_SIDE_PX: Final = 512
_SUFFIXES: Final = (".jpg", ".jpeg", ".png")
_GROUND_SHARE: Final = 0.3
"""Probability that a photo is the table, where there are photos."""
_BACKDROP_SHARE: Final = 0.7
"""Probability that a photo is the background behind the table, where there are photos."""
_OBJECT_SHARE: Final = 0.45
"""Probability that an object is cut out of a photo, where there are objects."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Pictures that show no tile: photos, and objects cut out of their background (RGBA files)."""

    photos: tuple[Path, ...] = ()
    objects: tuple[Path, ...] = ()

    def ground(self, rng: Rng) -> Array | None:
        """A square of a photo (512, 512, 3) RGB for the table; None if the table is to be painted."""
        return self.square(rng) if self.photos and rng.random() < _GROUND_SHARE else None

    def backdrop(self, rng: Rng) -> Array | None:
        """A square of a photo for the background; None if it is to be painted."""
        return self.square(rng) if self.photos and rng.random() < _BACKDROP_SHARE else None

    def sprite(self, rng: Rng) -> Array | None:
        """An object (H, W, 4) RGBA to lie on the table; None if one is to be painted."""
        if not self.objects or rng.random() >= _OBJECT_SHARE:
            return None
        return _read(self.objects[rng.integers(len(self.objects))])

    def square(self, rng: Rng) -> Array:
        """A random square of a random photo, (512, 512, 3) RGB, turned by quarter turns."""
        photo = _read(self.photos[rng.integers(len(self.photos))])[..., :3]
        height, width = photo.shape[:2]
        side = max(16, round(min(height, width) * float(rng.uniform(0.3, 1))))
        x, y = int(rng.integers(0, width - side + 1)), int(rng.integers(0, height - side + 1))
        part = np.rot90(photo[y : y + side, x : x + side], int(rng.integers(4)))
        return np.asarray(cv2.resize(np.ascontiguousarray(part), (_SIDE_PX, _SIDE_PX), interpolation=cv2.INTER_AREA))


NO_SURROUNDINGS: Final = Surroundings()
"""No real pictures: everything is painted."""


def find_surroundings() -> Surroundings:
    """The pictures in the folder that TILESCORE_SURROUNDINGS names; none if it is not set."""
    named = os.environ.get("TILESCORE_SURROUNDINGS")
    return surroundings_in(Path(named)) if named else NO_SURROUNDINGS


@lru_cache(maxsize=4)
def surroundings_in(folder: Path) -> Surroundings:
    """The pictures in `photos` and `objects` of a folder."""
    return Surroundings(_pictures(folder / "photos"), _pictures(folder / "objects"))


def _pictures(folder: Path) -> tuple[Path, ...]:
    return tuple(sorted(path for path in folder.rglob("*") if path.suffix.lower() in _SUFFIXES))


@lru_cache(maxsize=128)
def _read(path: Path) -> Array:
    """The picture as RGB, or as RGBA if the file has transparency."""
    image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if image is None:
        raise ValueError(f"'{path}' cannot be read: take it out of the folder of surroundings.")
    if image.dtype != np.uint8:
        image = (image / 257).astype(np.uint8)
    if image.ndim == 2:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2RGB))
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGRA2RGBA if image.shape[2] == 4 else cv2.COLOR_BGR2RGB))
