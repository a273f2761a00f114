"""Compare the reader with the package that a user would install instead, PyPI's `mahjong-detector`, on the same photos.

That package gives only names, and only of the 34 playing tiles. The comparison therefore counts names without places:
F1 over the multiset of tiles in each photo. Red fives count as fives; flowers, seasons and backs do not count. Both
sides get the same pixels: the part of the photo in which all tiles have labels. The times exclude decoding.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from importlib.util import find_spec
from statistics import median
from typing import TYPE_CHECKING, Final

import numpy as np

from benchmarks.figures import Figure, show
from benchmarks.reading.accuracy import PHOTOS
from tilescore.scoring.tiles import PLAYING_TILES, Tile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tilescore.models.evaluation.matching import Labelled
    from tilescore.vision.image.photo import Photo

_PEER: Final = "mahjong_detector"
_NAMES: Final = {"tou": "1z", "nan": "2z", "sha": "3z", "pe": "4z", "haku": "5z", "hatsu": "6z", "chun": "7z"}
_SPLITS: Final = {"val": "val", "test": "test_unseen"}


def main() -> None:
    """Print the figures."""
    show(peer_reading())


def peer_reading() -> list[Figure]:
    """F1 and milliseconds of both sides on each split; no figures without the photos or the package."""
    if not PHOTOS.is_dir() or find_spec(_PEER) is None:
        print("the photos in ../shared or mahjong-detector are missing: reading is not compared", file=sys.stderr)
        return []
    from tilescore.models.evaluation.matching import labelled_photos

    figures = []
    for split, name in _SPLITS.items():
        given = [_cut(labelled) for labelled in labelled_photos(PHOTOS / "data.yaml", split)]
        ours, our_ms = _read(_ours(), given)
        theirs, their_ms = _read(_theirs(), given)
        figures += [
            Figure(f"{name}: F1 of the playing tiles without places, ours", ours),
            Figure(f"{name}: F1 of the playing tiles without places, mahjong-detector", theirs),
            Figure(f"{name}: ms a photo, ours", our_ms),
            Figure(f"{name}: ms a photo, mahjong-detector", their_ms),
            Figure(f"{name}: time, ours / mahjong-detector", our_ms / their_ms),
        ]
    return figures


def _read(reader: Callable[[Photo], Iterable[str]], given: list[tuple[Photo, Counter[Tile]]]) -> tuple[float, float]:
    """F1 over all photos, and the median of the milliseconds a photo."""
    right = everything = 0
    times = []
    for photo, truth in given:
        start = time.perf_counter()
        names = list(reader(photo))
        times.append(1000 * (time.perf_counter() - start))
        found = _playing(names)
        right += (found & truth).total()
        everything += found.total() + truth.total()
    return 2 * right / max(1, everything), median(times)


def _ours() -> Callable[[Photo], Iterator[str]]:
    from tilescore.models.registry import load_reader

    reader = load_reader()
    return lambda photo: (str(found.tile) for found in reader.read(photo).seen)


def _theirs() -> Callable[[Photo], Iterable[str]]:
    from mahjong_detector import detect_tiles
    from PIL import Image

    return lambda photo: (_NAMES.get(name, name) for name in detect_tiles(Image.fromarray(photo.rgb)))


def _playing(names: Iterable[str]) -> Counter[Tile]:
    plain = (Tile.parse(name).plain for name in names)
    return Counter(tile for tile in plain if tile in PLAYING_TILES)


def _cut(labelled: Labelled) -> tuple[Photo, Counter[Tile]]:
    from tilescore.vision.image.photo import Photo

    photo, region = labelled.photo, labelled.region
    x0, y0, x1, y1 = (round(value / photo.scale) for value in region.xyxy)
    rgb = np.ascontiguousarray(photo.rgb[y0:y1, x0:x1])
    part = Photo(photo.name, rgb, (rgb.shape[1], rgb.shape[0]))
    return part, _playing(truth.name for truth in labelled.truths)


if __name__ == "__main__":
    main()
