"""Write a tile set that the model misreads: labelled photos of finished hands, with hands.json.

The photos show one tile set whose artwork is outside the training data (`HELD_OUT` of
`tilescore.datasets.artwork.artwork`). Hand, table, camera and light are random in each photo.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from tilescore.datasets.artwork.artwork import HELD_OUT
from tilescore.datasets.formats.yolo import label_lines
from tilescore.datasets.labels import CLASS_NAMES, LabelledBox, describe
from tilescore.datasets.synthesis.scenes import hand_scene
from tilescore.datasets.synthesis.synth import choose_sources, default_folders, render_scene
from tilescore.datasets.synthesis.tileset import TileSet
from tilescore.processes.parallel import Pool, work_in_order
from tilescore.scoring.tiles import Tile
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from pathlib import Path

    from tilescore.datasets.synthesis.synth import RenderedScene

ARTWORK: Final = HELD_OUT[0]
_TRIES: Final = 400
_SURE: Final = 0.97


def write_misread_set(
    out: Path, *, seed: int, train: int = 20, val: int = 60, artwork: str = ARTWORK, size_px: int = 1280, pool: Pool
) -> Path:
    """Write `train` photos for training and `val` photos for the measurement; gives the path of data.yaml.

    Raises:
        ValueError: this machine lacks the artwork.
    """
    splits = ["train"] * train + ["val"] * val
    for split in set(splits):
        for part in ("images", "labels"):
            (out / part / split).mkdir(parents=True, exist_ok=True)
    job = partial(_write, out=out, seed=seed, artwork=artwork, size_px=size_px)
    hands = [entry for _, entry in work_in_order(job, enumerate(splits), pool)]
    (out / "hands.json").write_text(json.dumps(hands, indent=1) + "\n", encoding="utf-8")
    return describe(out, train="images/train", val="images/val")


def _write(numbered: tuple[int, str], *, out: Path, seed: int, artwork: str, size_px: int) -> dict[str, Any]:
    """Write one photo with its labels; gives its entry of hands.json."""
    cv2.setNumThreads(1)
    number, split = numbered
    tiles = TileSet(np.random.default_rng(seed), choose_sources(default_folders(), (artwork,)))
    for attempt in range(_TRIES):
        index = number * _TRIES + attempt
        scene = render_scene(seed, index, size_px=size_px, tiles=tiles, scene=hand_scene)
        hand = hand_in_order(scene)
        if hand is not None:
            break
    else:
        raise ValueError(f"no whole hand in {_TRIES} scenes of '{artwork}'.")
    picture = out / "images" / split / f"{number:04d}.jpg"
    bgr = cv2.cvtColor(scene.image, cv2.COLOR_RGB2BGR)
    cv2.imwrite(str(picture), bgr, [cv2.IMWRITE_JPEG_QUALITY, scene.jpeg_quality])
    boxes = [LabelledBox(seen.tile, Box(*seen.box_xyxy)) for seen in scene.tiles]
    text = label_lines(boxes, (scene.image.shape[1], scene.image.shape[0]), CLASS_NAMES)
    (out / "labels" / split / f"{number:04d}.txt").write_text(text)
    return {"file": f"images/{split}/{picture.name}", "split": split, "tiles": list(hand)}


def hand_in_order(scene: RenderedScene) -> tuple[str, ...] | None:
    """The tiles of the hand in reading order of the true boxes; None if these do not give the hand of the scene."""
    if not scene.whole:
        return None
    seen = [Detection(Box(*s.box_xyxy), 1.0, (Candidate(Tile.parse(s.tile), _SURE),)) for s in scene.tiles]
    reading = Reading.of(seen, size_wh=(scene.image.shape[1], scene.image.shape[0]))
    order = reading.layout.order
    laid = Counter(s.tile for s in scene.tiles if s.role in ("concealed", "winning", "meld", "bonus"))
    return tuple(scene.tiles[i].tile for i in order) if Counter(scene.tiles[i].tile for i in order) == laid else None
