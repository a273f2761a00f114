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
from itertools import islice
from statistics import median
from typing import TYPE_CHECKING, Final

import numpy as np

from benchmarks.reading.accuracy import PHOTOS
from tests.harness.figures import Figure, at_least, at_most
from tilescore.scoring.tiles import PLAYING_TILES, Tile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tilescore.models.evaluation.matching import Labelled
    from tilescore.vision.image.photo import Photo

    Program = Callable[[Photo], Iterable[str]]
    """Names the tiles of a photo."""

_PEER: Final = "mahjong_detector"
_NAMES: Final = {"tou": "1z", "nan": "2z", "sha": "3z", "pe": "4z", "haku": "5z", "hatsu": "6z", "chun": "7z"}
_WAIT_MS: Final = 400
"""A person waits at most about this many milliseconds for a photo."""
_SPLITS: Final = {"val": "val", "test": "test_unseen"}


def peer_reading(rounds: int = 3, *, every: int = 1, clock: Callable[[], float] = time.perf_counter) -> list[Figure]:
    """F1 of both sides on each split, and their times on all photos; no figures without the photos or the package.

    One program reads a photo in several rounds, then the other one does. The fastest round counts, because other work
    of the machine only adds time. A thread of mahjong-detector stays awake for 35 ms after a reading (measured) and
    slows a program that starts meanwhile; with this order it slows our first round alone.

    Args:
        rounds: how often each program reads a photo.
        every: one photo of this many is read.
        clock: what tells the time, in seconds.
    """
    if not PHOTOS.is_dir() or find_spec(_PEER) is None:
        print("the photos in ../shared or mahjong-detector are missing: reading is not compared", file=sys.stderr)
        return []
    from tilescore.models.evaluation.matching import labelled_photos

    programs = {"ours": _ours(), "mahjong-detector": _theirs()}
    figures: list[Figure] = []
    times: dict[str, list[float]] = {name: [] for name in programs}
    for split, name in _SPLITS.items():
        given = [_cut(labelled) for labelled in islice(labelled_photos(PHOTOS / "data.yaml", split), 0, None, every)]
        found: dict[str, list[Counter[Tile]]] = {program: [] for program in programs}
        for photo, _ in given:
            for program, read in programs.items():
                names, ms = _reading(read, photo, rounds=rounds, clock=clock)
                found[program].append(_playing(names))
                times[program].append(ms)
        truths = [truth for _, truth in given]
        figures += [
            Figure(f"{name}: F1 of the playing tiles without places, {program}", _f1(found[program], truths))
            for program in programs
        ]
    ours, theirs = (np.array(times[program]) for program in programs)
    late, peers_late = (float(np.percentile(each, 95)) for each in (ours, theirs))
    return [
        *figures,
        *(Figure(f"ms a photo, median, {program}", median(times[program])) for program in programs),
        at_most("time, ours / mahjong-detector: median", median(ours) / median(theirs), 1.6),
        at_most("time, ours / mahjong-detector: 95th percentile", late / peers_late, 3),
        at_most("slowest photo, ours, ms", float(ours.max()), 1000),
        at_least(f"share of photos within {_WAIT_MS} ms", float((ours <= _WAIT_MS).mean()), 1),
    ]


def _reading(program: Program, photo: Photo, *, rounds: int, clock: Callable[[], float]) -> tuple[list[str], float]:
    """The names by a program, and the milliseconds of its fastest round."""
    names, times = [], []
    for _ in range(rounds):
        start = clock()
        names = list(program(photo))
        times.append(1000 * (clock() - start))
    return names, min(times)


def _f1(found: Sequence[Counter[Tile]], truths: Sequence[Counter[Tile]]) -> float:
    """F1 of the tiles of all photos, without their places."""
    right = sum((one & truth).total() for one, truth in zip(found, truths, strict=True))
    return 2 * right / max(1, sum(one.total() for one in (*found, *truths)))


def _ours() -> Program:
    from tilescore.models.registry import load_reader

    reader = load_reader()
    return lambda photo: (str(found.tile) for found in reader.read(photo).seen)


def _theirs() -> Program:
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
