"""Measure the reader on rendered scenes of artwork outside the training data, by class.

Run `python -m benchmarks.reading.held_out --seeds 911 912 913`. The measurement needs the artwork in `HELD_OUT` of
`tilescore.datasets.artwork.artwork`: the jade tiles of Debian's kdegames-mahjongg-data-kf5, and the folder `fluffy`
below the folder TILESCORE_ART. The folder `fluffy` holds the free riichi tiles of that name, which the package
mahjong-learner contains, with one picture for each face: `Man5.png` as `5m.png`, Pin and Sou as `p` and `s`, Ton, Nan,
Shaa, Pei, Haku, Hatsu and Chun as `1z` to `7z`.

A tile is an ignore region if too little of it is visible for a label: cut by the edge of the picture, under other
tiles, or seen from the side. A detection there counts neither as right nor as a false positive. Separate figures count
such a detection as a false positive.
"""

from __future__ import annotations

import sys
from functools import partial
from statistics import mean
from typing import TYPE_CHECKING

import cv2

from tests.harness.figures import Figure, at_least, at_most, command
from tilescore.datasets.artwork.artwork import HELD_OUT
from tilescore.datasets.labels import LabelledBox
from tilescore.datasets.synthesis.synth import choose_sources, default_folders, render_scene
from tilescore.models.evaluation.matching import Labelled, judge, match
from tilescore.models.evaluation.metrics import f1, per_class
from tilescore.models.evaluation.reliability import Reliability
from tilescore.models.registry import load_reader
from tilescore.processes.parallel import Pool, work_in_order
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.photo import decode_photo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tilescore.models.evaluation.matching import Judged

_WANTED = {
    "backs": ("back",),
    "red fives": ("0m", "0p", "0s"),
    **{name: (name,) for suit in "fq" for name in (f"{number}{suit}" for number in range(1, 5))},
}


def labelled_scene(index: int, *, seed: int, size_px: int) -> Labelled:
    """Scene number `index` of a series as a labelled photo."""
    cv2.setNumThreads(1)
    scene = render_scene(seed, index, size_px=size_px, artwork=choose_sources(default_folders(), HELD_OUT))
    quality = [cv2.IMWRITE_JPEG_QUALITY, scene.jpeg_quality]
    _, packed = cv2.imencode(".jpg", cv2.cvtColor(scene.image, cv2.COLOR_RGB2BGR), quality)
    photo = decode_photo(packed.tobytes(), name=f"{seed}/{index}")
    truths = tuple(LabelledBox(seen.tile, Box(*seen.box_xyxy)) for seen in scene.tiles)
    ignore_regions = tuple(Box(*corners) for corners in scene.ignore_regions)
    return Labelled(photo, Box(0, 0, *photo.size_wh), truths, ignore_regions=ignore_regions)


def read_series(seed: int, *, count: int, size_px: int, workers: int) -> tuple[Judged, ...]:
    """Render and read one series of scenes."""
    reader = load_reader()
    judged: list[Judged] = []
    for _, labelled in work_in_order(partial(labelled_scene, seed=seed, size_px=size_px), range(count), Pool(workers)):
        judged.append(judge(reader, labelled))
        sys.stderr.write(f"\rseed {seed}: {len(judged)}/{count} scenes")
    sys.stderr.write("\n")
    return tuple(judged)


def held_out(
    seeds: tuple[int, ...] = (911, 912, 913), count: int = 90, size: int = 1280, workers: int = 1
) -> list[Figure]:
    """The figures of a series of `count` scenes for each seed; `size` is the long side of a scene in pixels."""
    there = {source.name for source in choose_sources(default_folders(), HELD_OUT)}
    if missing := sorted(set(HELD_OUT) - there):
        sys.exit(f"the artwork {', '.join(missing)} is missing: the scenes would differ from those of the model card.")
    read = [read_series(seed, count=count, size_px=size, workers=workers) for seed in seeds]
    series = [[found for photo in photos for found in photo.matches] for photos in read]
    strict = [found for photos in read for photo in photos for found in match(photo.detections, photo.truths)]
    everything = [found for matches in series for found in matches]
    each = per_class(everything)
    named = [found.right for found in everything if found.true and found.read]

    def of_class(name: str, classes: Sequence[str]) -> Figure:
        labels = sum(int(each[tile]["labels"]) for tile in classes if tile in each)
        return at_least(f"F1 of {name} ({labels} labels)", f1(everything, classes), 0.9)

    return [
        at_least("tile F1, all classes, mean over the seeds", mean(f1(matches) for matches in series), 0.9),
        Figure("share of right names among the detected tiles", mean(named)),
        *(of_class(*wanted) for wanted in _WANTED.items()),
        Figure("tile F1, detections in ignore regions as false positives", f1(strict)),
        Figure("F1 of backs, detections in ignore regions as false positives", f1(strict, ("back",))),
        at_most("calibration error", Reliability.of(everything).error, 0.03),
    ]


if __name__ == "__main__":
    command(held_out)
