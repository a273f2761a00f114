"""How many corrections a film of a table needs: `python -m benchmarks.film` (renders 300 frames: some minutes).

A camera in a hand goes around a rendered table, on which a player lays tile after tile. A simulated person labels the
first frame, and then puts right the frame with most mistakes, again and again. A box is right if its name is, and it
overlaps the true one by half (intersection over union), as in tile F1. Tiles under the player's arm do not count.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from benchmarks.live.clips import NEEDS_TRAINING, SIZE_WH, STEEP_DEG, painted
from tests.harness.figures import Figure, at_least, at_most, command
from tilescore.datasets.annotation.film import film_of, follow
from tilescore.datasets.annotation.folder import AnnotationFolder
from tilescore.datasets.marks import Annotation, LabelSource, Mark
from tilescore.datasets.synthesis.arrangements import LaidTable
from tilescore.datasets.synthesis.hands import Wall
from tilescore.datasets.synthesis.scenes import hand_scene
from tilescore.datasets.synthesis.synth import choose_sources, default_folders, hand_is_whole, sample_camera
from tilescore.datasets.synthesis.tileset import TileSet
from tilescore.models.evaluation.matching import MATCH
from tilescore.processes.parallel import work_through
from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tilescore.datasets.synthesis.camera import Camera

_LAID = 4
"""Number of tiles that the player lays during the film."""
_LEAST = 24
"""Number of tiles on the table, at least."""
_ARM = 12
"""Number of frames with the arm."""


@dataclass(frozen=True, slots=True)
class _Truth:
    """The labels of a frame, and the tiles that an arm covers."""

    tiles: tuple[Mark, ...]
    covered: tuple[Box, ...]

    def wrong(self, marks: tuple[Mark, ...]) -> int:
        """Number of tiles without a right label, and of labels without a tile."""
        left = list(marks)
        missed = 0
        for tile in self.tiles:
            found = next((m for m in left if m.name == tile.name and m.box.iou(tile.box) >= MATCH), None)
            if found is None:
                missed += 1
            else:
                left.remove(found)
        return missed + sum(all(mark.box.iou(box) < 0.3 for box in self.covered) for mark in left)


def _moved(camera: Camera, middle: np.ndarray, at: float) -> Camera:
    """The camera of a person who walks around: `at` runs from 0 to 1."""
    around, roll = np.radians(14 * np.sin(7 * at)), np.radians(5 * np.sin(11 * at))
    cos, sin = np.cos(around), np.sin(around)
    turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])
    tilt = np.array([[np.cos(roll), np.sin(roll), 0], [-np.sin(roll), np.cos(roll), 0], [0, 0, 1.0]])
    away = (camera.position - middle) * (1 + 0.15 * np.sin(9 * at))
    pushed = np.array([0.6 * np.sin(13 * at), 0.4 * np.sin(17 * at), 0.0])
    return replace(camera, position=middle + pushed + turn @ away, rotation=tilt @ camera.rotation @ turn.T)


def _scene(seed: int) -> tuple[LaidTable, TileSet, Camera]:
    """A table with a hand that lies face up, and a camera that sees all of it."""
    sources = choose_sources(default_folders(), (), NEEDS_TRAINING)
    for attempt in range(1000):
        rng = np.random.default_rng([seed, attempt])
        tiles = TileSet(rng, sources)
        table = LaidTable(rng, tiles.size)
        hand_scene(table, Wall(rng, lacking=tiles.lacking()))
        camera, _ = sample_camera(rng, table, SIZE_WH[0], close=False)
        steep_deg = float(np.degrees(np.arcsin(-camera.rotation[2, 2])))
        standing = any(place.pose == "standing" for place in table.placements)
        if camera.size_wh != SIZE_WH or steep_deg < STEEP_DEG or standing or len(table.placements) < _LEAST:
            continue
        if hand_is_whole(table, painted(table.placements, table, tiles, camera, appearance=seed)[1]):
            return table, tiles, camera
    raise ValueError(f"seed {seed} gives no film")


def _arm(rgb: np.ndarray, seed: int, share: float) -> np.ndarray:
    """Draw a forearm; returns its mask."""
    rng = np.random.default_rng([seed, 3])
    root = np.array([rng.uniform(300, 980), 760])
    tip = root + (np.array([rng.uniform(300, 980), rng.uniform(200, 400)]) - root) * np.sin(np.pi * share)
    ends = [(round(float(x)), round(float(y))) for x, y in (root, tip)]
    mask = np.zeros(rgb.shape[:2], np.uint8)
    cv2.line(mask, ends[0], ends[1], 1, 110, cv2.LINE_AA)
    rgb[mask > 0] = (205, 160, 130)
    return mask


def _frame(job: tuple[int, int, int, Path]) -> None:
    """Render one frame with its truth."""
    seed, number, count, folder = job
    table, tiles, camera = _scene(seed)
    loose = sorted((p for p in table.placements if p.role == "concealed"), key=lambda p: p.centre[0])[-_LAID:]
    gap = count // (_LAID + 2)
    hidden = [place for at, place in enumerate(loose) if number < (at + 1) * gap]
    middle = np.mean([p.centre for p in table.placements], axis=0) * [1, 1, 0]
    seen_by = _moved(camera, middle, number / count)
    rgb, seen = painted([p for p in table.placements if p not in hidden], table, tiles, seen_by, appearance=seed)
    mask, since = np.zeros(rgb.shape[:2], np.uint8), number % gap - (gap - _ARM // 2)
    since += gap if since < -gap // 2 else 0
    if 0 <= since < _ARM and number > gap // 2:
        mask = _arm(rgb, seed, since / _ARM)
    rng = np.random.default_rng([seed, number])
    noisy = np.clip(rgb * (1 + 0.1 * np.sin(number / 40)) + rng.integers(-7, 8, (*rgb.shape[:2], 1)), 0, 255)
    bgr = cv2.cvtColor(noisy.astype(np.uint8), cv2.COLOR_RGB2BGR)
    cv2.imwrite(str(folder / "images" / f"film_{number:06d}.jpg"), bgr, [cv2.IMWRITE_JPEG_QUALITY, 90])
    truth: dict[str, list[object]] = {"tiles": [], "covered": []}
    for one in seen:
        x0, y0, x1, y1 = (round(value) for value in one.box_xyxy)
        if mask[y0:y1, x0:x1].mean() > 0.1:
            truth["covered"].append(one.box_xyxy)
        else:
            truth["tiles"].append([one.tile, *one.box_xyxy])
    (folder / f"{number}.json").write_text(json.dumps(truth))


def _rendered(folder: Path, seed: int, count: int) -> list[_Truth]:
    """The frames in `folder`, unless they are there; their truths."""
    (folder / "images").mkdir(parents=True, exist_ok=True)
    missing = [(seed, at, count, folder) for at in range(count) if not (folder / f"{at}.json").is_file()]
    for _ in work_through(_frame, missing):
        pass
    texts = [json.loads((folder / f"{at}.json").read_text()) for at in range(count)]
    return [
        _Truth(tuple(Mark(name, Box(*box)) for name, *box in text["tiles"]), tuple(Box(*b) for b in text["covered"]))
        for text in texts
    ]


def _share_right(labels: AnnotationFolder, film: tuple, truths: list[_Truth]) -> tuple[float, int]:  # type: ignore[type-arg]
    """The share of the boxes that are right, and the frame with most mistakes."""
    wrong = [truth.wrong(labels.open(frame).now.kept) for frame, truth in zip(film, truths, strict=True)]
    total = sum(len(truth.tiles) for truth in truths)
    return 1 - sum(wrong) / total, int(np.argmax(wrong))


def filmed(*, frames: int = 300, seeds: tuple[int, ...] = (1, 2), most: int = 20, keep: str = "") -> Iterator[Figure]:
    """The figures of some films.

    Args:
        frames: number of frames of a film.
        seeds: the seed of each film.
        most: number of corrections after which the person gives up.
        keep: a folder where the films are kept for later runs.
    """
    with tempfile.TemporaryDirectory() as temporary:
        for seed in seeds:
            folder = Path(keep or temporary) / f"film{seed}"
            truths = _rendered(folder, seed, frames)
            with tempfile.TemporaryDirectory() as place:
                shutil.copytree(folder / "images", Path(place, "images"))
                yield from _labelled(Path(place), truths, most=most)


def _labelled(place: Path, truths: list[_Truth], *, most: int) -> Iterator[Figure]:
    labels = AnnotationFolder(place)
    film = film_of(labels.pictures()[0], "images/film_000000.jpg")
    worst, corrections, share, began = 0, 0, 0.0, time.process_time()
    while share < 0.98 and corrections < most:
        frame, truth = film[worst], truths[worst]
        under_arm = tuple(m for m in labels.open(frame).now.kept if any(m.box.iou(b) > 0.3 for b in truth.covered))
        marks = (*truth.tiles, *(replace(m, source=LabelSource.PERSON) for m in under_arm))
        labels.save(frame, Annotation(marks, checked=True, version=labels.open(frame).now.version))
        follow(labels, film, labels.save, around=frame.key)
        corrections += 1
        share, worst = _share_right(labels, film, truths)
    yield at_most(f"corrected frames of {len(film)}", corrections, most)
    yield at_least(f"boxes right, of {sum(len(truth.tiles) for truth in truths)}", round(share, 4), 0.98)
    yield Figure("CPU seconds for a correction", round((time.process_time() - began) / corrections, 1))


if __name__ == "__main__":
    command(filmed)
