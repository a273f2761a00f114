"""Real pictures without tiles: what lies under the tiles, behind and beside them; for training, never shipped."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from tilescore.datasets.artwork.lettering import Array

Rng = np.random.Generator

_SIDE: Final = 512
_PICTURES: Final = (".jpg", ".jpeg", ".png")
_AS_GROUND: Final = 0.3
_AS_BACKDROP: Final = 0.7
_AS_CLUTTER: Final = 0.45


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Pictures that show no tile.

    Attributes:
        photos: of anything: landscapes, rooms, textures, print.
        objects: things cut out of their background (RGBA files).
    """

    photos: tuple[Path, ...] = ()
    objects: tuple[Path, ...] = ()

    def ground(self, rng: Rng) -> Array | None:
        """A square of a photo (512, 512, 3) RGB to lie under the tiles, sometimes; None: paint one."""
        return self.square(rng) if self.photos and rng.random() < _AS_GROUND else None

    def backdrop(self, rng: Rng) -> Array | None:
        """A square of a photo for what is behind the table, mostly; None: paint one."""
        return self.square(rng) if self.photos and rng.random() < _AS_BACKDROP else None

    def thing(self, rng: Rng) -> Array | None:
        """An object (H, W, 4) RGBA to lie on the table, sometimes; None: paint one."""
        if not self.objects or rng.random() >= _AS_CLUTTER:
            return None
        return _read(self.objects[rng.integers(len(self.objects))])

    def square(self, rng: Rng) -> Array:
        """Some square of some photo, (512, 512, 3) RGB, as it is, turned, or mirrored."""
        photo = _read(self.photos[rng.integers(len(self.photos))])[..., :3]
        height, width = photo.shape[:2]
        side = max(16, round(min(height, width) * float(rng.uniform(0.3, 1))))
        x, y = int(rng.integers(0, width - side + 1)), int(rng.integers(0, height - side + 1))
        part = np.rot90(photo[y : y + side, x : x + side], int(rng.integers(4)))
        return np.asarray(cv2.resize(np.ascontiguousarray(part), (_SIDE, _SIDE), interpolation=cv2.INTER_AREA))


def find_surroundings() -> Surroundings:
    """Those in `photos` and `objects` of the folder that TILESCORE_SURROUNDINGS names; else none."""
    named = os.environ.get("TILESCORE_SURROUNDINGS")
    return surroundings_in(Path(named)) if named else Surroundings()


@lru_cache(maxsize=4)
def surroundings_in(folder: Path) -> Surroundings:
    """The pictures in `photos` and `objects` of a folder."""
    return Surroundings(_pictures(folder / "photos"), _pictures(folder / "objects"))


def _pictures(folder: Path) -> tuple[Path, ...]:
    return tuple(sorted(path for path in folder.rglob("*") if path.suffix.lower() in _PICTURES))


@lru_cache(maxsize=128)
def _read(path: Path) -> Array:
    """RGB, or RGBA where the file has transparency."""
    image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if image is None:
        raise ValueError(f"'{path}' cannot be read: take it out of the folder of surroundings.")
    if image.dtype != np.uint8:
        image = (image / 257).astype(np.uint8)
    if image.ndim == 2:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2RGB))
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGRA2RGBA if image.shape[2] == 4 else cv2.COLOR_BGR2RGB))
