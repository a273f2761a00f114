"""Renders labelled scenes of tiles: training pictures with exact boxes, in any number.

`tilescore dataset synth` renders scenes to learn from, and `python -m tilescore.datasets.synthesis.synth OUT` those on
which confidences are fitted.
"""

import argparse
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tilescore.datasets.artwork.artwork import FITTING, HELD_OUT, UNLIKE, ArtworkSource, Folders, sources
from tilescore.datasets.artwork.style import Array, Rng
from tilescore.datasets.labels import CLASS_NAMES, describe
from tilescore.datasets.synthesis.arrangements import LaidTable
from tilescore.datasets.synthesis.camera import Camera, aim, framed, lens, light
from tilescore.datasets.synthesis.compositor import Canvas, Corners, VisibleTile
from tilescore.datasets.synthesis.hands import Wall
from tilescore.datasets.synthesis.scenes import choose_scene, few_scene, scene_named
from tilescore.datasets.synthesis.surroundings import Surroundings, find_surroundings
from tilescore.datasets.synthesis.tabletop import draw_fingers, sample_clutter, sample_mat
from tilescore.datasets.synthesis.tileset import TileSet
from tilescore.datasets.training_folder import RECORDS, label_text
from tilescore.errors import InputError
from tilescore.files.outputs import cannot_write, write_whole
from tilescore.processes.parallel import THIS_PROCESS, Pool, work_in_order
from tilescore.processes.progress import Progress, unseen
from tilescore.scoring.hand import Hand

_SHAPES = ((4, 3), (4, 3), (3, 4), (3, 4), (16, 9), (9, 16), (1, 1), (3, 2))
"""Aspect ratios of pictures (width, height); a repeated one is more frequent."""
_BATCH_SIZE = 4
"""A worker gets this many scenes at a time."""
_OPTIONS = "scenes.json"
"""The file in the folder with the options that change its scenes."""
_HAND_ROLES = ("concealed", "winning", "meld", "bonus")


@dataclass(frozen=True, slots=True)
class RenderedScene:
    """One rendered picture, RGB uint8 before compression, and its labels."""

    image: Array
    # the labelled tiles in the order in which they were laid, each row from left to right
    tiles: tuple[VisibleTile, ...]
    hand: Hand | None
    whole: bool  # whether there is a hand and every tile of it has a label
    artwork: str  # name of the artwork source
    jpeg_quality: int  # quality with which the picture is saved (0-100)
    ignore_regions: tuple[Corners, ...] = ()  # boxes of tiles of which too little is visible for a label


def default_folders() -> Folders:
    """Folders of training-only pictures, from TILESCORE_CROPS, TILESCORE_PHOTOS and TILESCORE_ART."""
    named = (os.environ.get(f"TILESCORE_{name}") for name in ("CROPS", "PHOTOS", "ART"))
    return Folders(*(Path(folder) if folder else None for folder in named))


def choose_sources(
    folders: Folders, include: Sequence[str] = (), exclude: Sequence[str] = ()
) -> tuple[ArtworkSource, ...]:
    """The sources whose names begin with one of `include` and none of `exclude`.

    An empty `include` means all sources that training may use.
    """
    barred = (*exclude, *(() if include else (*HELD_OUT, *UNLIKE, *FITTING)))
    chosen = tuple(
        source
        for source in sources(folders)
        if (not include or source.name.startswith(tuple(include))) and not source.name.startswith(barred)
    )
    if not chosen:
        names = ", ".join(source.name for source in sources(folders))
        raise ValueError(f"no artwork left; known here: {names}")
    return chosen


def sample_camera(rng: Rng, table: LaidTable, size_px: int, *, close: bool) -> tuple[Camera, float]:
    """A camera that frames the hand or the middle of the scene, and the width of a tile there in pixels."""
    roles: tuple[str, ...] = ()
    if table.hand is not None:
        roles = ("concealed", "winning") if rng.random() < 0.2 else _HAND_ROLES
    points = table.points(roles)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    focal = float(rng.uniform(0.9, 1.5)) * size_px
    upright = sum(p.pose == "standing" for p in table.placements) > len(table.placements) / 2
    bands = ((12, 30), (22, 45), (35, 58)) if upright else ((25, 50), (45, 75), (70, 90))
    band = bands[rng.choice(3, p=[0.22, 0.43, 0.35])]
    place = partial(
        aim,
        elevation_deg=float(rng.uniform(*band)),
        azimuth_deg=float(rng.normal(0, 9)) if rng.random() < 0.8 else float(rng.uniform(0, 360)),
        roll_deg=float(rng.normal(0, 4)),
        focal_px=focal,
        distortion=float(rng.uniform(-0.12, 0.06)) if rng.random() < 0.4 else 0.0,
    )
    probe = place(middle, distance=focal / 20, size_wh=(size_px, size_px), centre_px=(0.0, 0.0)).project(points)
    extent = probe.max(axis=0) - probe.min(axis=0)
    shapes = [s for s in _SHAPES if (s[0] > s[1]) == (extent[0] > extent[1])] if rng.random() < 0.75 else _SHAPES
    shape = np.array(shapes[rng.integers(len(shapes))])
    size = np.round(size_px * shape / shape.max()).astype(int)
    tile_px = 20 * float((size / extent).min()) * float(rng.uniform(0.62, 0.97))
    unit = size_px / 640  # the same scene in a larger picture has larger tiles
    if close or (table.hand is None and rng.random() < 0.5) or rng.random() < 0.07:
        tile_px = unit * (float(rng.uniform(50, 130)) if close else float(np.exp(rng.normal(np.log(38), 0.35))))
    tile_px = float(np.clip(tile_px, 17 * unit, 125 * unit))
    at_distance = partial(place, middle, distance=focal / tile_px)
    return framed(at_distance, points, size, rng, off_centre=0.9, least_px=6), tile_px


def _clutter(canvas: Canvas, table: LaidTable, rng: Rng, tile_px: float, surroundings: Surroundings) -> None:
    low, high = table.bounds()
    reach = max(canvas.camera.size_wh) / tile_px / 2
    middle = (low + high) / 2
    for _ in range(int(rng.choice([0, 1, 3, 7], p=[0.35, 0.25, 0.25, 0.15]))):
        sprite, corners = sample_clutter(rng, middle - reach, middle + reach, surroundings)
        flat = np.column_stack([corners, np.zeros(4)])
        if table.is_free(corners) and canvas.camera.depth(flat).min() > 1:
            canvas.warp(sprite, canvas.camera.project(flat), float(rng.uniform(0.7, 1.0)))


def _paint(
    rng: Rng, table: LaidTable, tiles: TileSet, camera: Camera, tile_px: float, *, surroundings: Surroundings
) -> tuple[Array, list[VisibleTile], list[Corners]]:
    low, high = table.bounds()
    edge = float(low[1]) - abs(float(rng.normal(0, 1.0))) if rng.random() < 0.22 else None
    canvas = Canvas(camera, rng, edge_y=edge, surroundings=surroundings)
    if edge is None and rng.random() < 0.14:
        sprite, corners = sample_mat(rng, low, high)
        flat = np.column_stack([corners, np.zeros(4)])
        if camera.depth(flat).min() > 1:
            canvas.warp(sprite, camera.project(flat), float(rng.uniform(0.8, 1.0)))
    _clutter(canvas, table, rng, tile_px, surroundings)
    canvas.shadows(table.placements, tiles.size)
    drawn = canvas.draw_tiles(table.placements, tiles)
    if rng.random() < 0.06:
        draw_fingers(canvas.image, canvas.marks, rng, tile_px)
    visible = canvas.labels(drawn)
    image = lens(light(canvas.image.astype(np.float32), rng), rng, tile_px=tile_px).astype(np.uint8)
    return image, visible, canvas.ignore_regions(drawn, visible)


def turned_labels(visible: Sequence[VisibleTile], width: int) -> list[VisibleTile]:
    """The labels after a quarter turn to the left of a picture that was `width` pixels wide."""
    return [
        replace(s, box_xyxy=_turned_box(s.box_xyxy, width), quad=tuple((y, width - x) for x, y in s.quad))
        for s in visible
    ]


def _turned_box(box: Corners, width: int) -> Corners:
    """The box after a quarter turn to the left of a picture that was `width` pixels wide."""
    return (box[1], width - box[2], box[3], width - box[0])


def _turned(
    image: Array, visible: Sequence[VisibleTile], ignore_regions: Sequence[Corners], quarters: int
) -> tuple[Array, tuple[VisibleTile, ...], tuple[Corners, ...]]:
    """Picture, labels and ignore regions after that many quarter turns to the left."""
    for _ in range(quarters):
        width = image.shape[1]
        visible, ignore_regions = turned_labels(visible, width), [_turned_box(box, width) for box in ignore_regions]
        image = np.ascontiguousarray(np.rot90(image))
    return image, tuple(visible), tuple(ignore_regions)


def hand_is_whole(table: LaidTable, visible: Sequence[VisibleTile]) -> bool:
    """Whether the table has a hand and every tile of it has a label."""
    laid = [(p.tile, p.role) for p in table.placements if p.role in _HAND_ROLES]
    return table.hand is not None and laid == [(s.tile, s.role) for s in visible if s.role in _HAND_ROLES]


def render_scene(
    seed: int,
    index: int,
    *,
    size_px: int = 640,
    artwork: Sequence[ArtworkSource] | None = None,
    surroundings: Surroundings | None = None,
    scene: Callable[[LaidTable, Wall], None] | None = None,
    tiles: TileSet | None = None,
) -> RenderedScene:
    """Render picture `index` of the series `seed`; it depends only on these, the artwork and the surroundings.

    It shows a scene out of the usual mix and a random set of the artwork, unless `scene` or `tiles` is given.
    """
    rng = np.random.default_rng([seed, index])
    tiles = tiles or TileSet(rng, artwork or choose_sources(default_folders()))
    table = LaidTable(rng, tiles.size)
    make = scene or choose_scene(rng)
    make(table, Wall(rng, lacking=tiles.lacking()))
    camera, tile_px = sample_camera(rng, table, size_px, close=make is few_scene)
    painted = _paint(rng, table, tiles, camera, tile_px, surroundings=surroundings or find_surroundings())
    image, visible, ignore_regions = _turned(*painted, int(rng.choice(4, p=[0.8, 0.07, 0.06, 0.07])))
    hand = None if table.hand is None else table.hand.to_hand()
    return RenderedScene(
        image, visible, hand, hand_is_whole(table, visible), tiles.source, int(rng.integers(35, 96)), ignore_regions
    )


def _yolo(scene: RenderedScene) -> str:
    height, width = scene.image.shape[:2]
    boxes = ((CLASS_NAMES.index(tile.tile), *tile.box_xyxy) for tile in scene.tiles)
    return label_text(
        (kind, (x0 + x1) / 2 / width, (y0 + y1) / 2 / height, (x1 - x0) / width, (y1 - y0) / height)
        for kind, x0, y0, x1, y1 in boxes
    )


def _record(name: str, scene: RenderedScene) -> dict[str, Any]:
    tiles = [asdict(tile) for tile in scene.tiles]
    for tile in tiles:
        tile["box_xyxy"] = [round(v, 1) for v in tile["box_xyxy"]]
        tile["quad"] = [[round(x, 1), round(y, 1)] for x, y in tile["quad"]]
    hand = None if scene.hand is None else scene.hand.to_json()
    ignore_regions = [[round(v, 1) for v in box] for box in scene.ignore_regions]
    return {
        "file": name, "artwork": scene.artwork, "tiles": tiles, "ignore_regions": ignore_regions, "hand": hand,
        "hand_whole": scene.whole,
    }  # fmt: skip


def write_scene(
    index: int, *, out: Path, seed: int, size_px: int, folders: Folders, include: Sequence[str], only: str
) -> str:
    """Render one scene into `out` unless it exists; returns its line for structure.jsonl."""
    cv2.setNumThreads(1)
    name = f"s{seed}_{index:06d}"
    record = out / RECORDS / f"{name}.json"
    if record.is_file():
        return record.read_text()
    kind = scene_named(only) if only else None
    scene = render_scene(seed, index, size_px=size_px, artwork=choose_sources(folders, include), scene=kind)
    picture = out / "images" / f"{name}.jpg"
    pixels = cv2.cvtColor(scene.image, cv2.COLOR_RGB2BGR)
    jpeg = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, scene.jpeg_quality])[1]
    write_whole(picture, jpeg.tobytes())
    write_whole(out / "labels" / f"{name}.txt", _yolo(scene).encode())
    line = json.dumps(_record(picture.name, scene), ensure_ascii=False, separators=(",", ":"))
    write_whole(record, line.encode())  # the record is written last, so that its existence means a complete scene
    return line


def generate(
    out: Path,
    *,
    count: int,
    seed: int,
    size_px: int,
    folders: Folders,
    include: Sequence[str] = (),
    only: str = "",
    pool: Pool = THIS_PROCESS,
    progress: Progress = unseen,
) -> None:
    """Write `count` scenes with their labels, structure.jsonl and a data.yaml (split `test`); existing scenes stay.

    The scenes are the usual mix, unless `only` names one kind. Raises InputError if there is no kind of that name, the
    folder holds something else or scenes of other options, or it cannot be written.
    """
    if only:
        scene_named(only)
    options = {"seed": seed, "size": size_px, "only": only, "artwork": [*include], "without": []}
    try:
        _take_up(out, options)
        for part in ("images", "labels", RECORDS):
            (out / part).mkdir(exist_ok=True)
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise cannot_write(out, error) from None
    describe(out, test="images")
    job = partial(
        write_scene, out=out.absolute(), seed=seed, size_px=size_px, folders=folders, include=include, only=only
    )
    lines: list[str] = []
    for done, (_, line) in enumerate(work_in_order(job, range(count), pool, batch_size=_BATCH_SIZE), start=1):
        lines.append(f"{line}\n")
        progress(done, count)
    write_whole(out / "structure.jsonl", "".join(lines).encode())


def _take_up(out: Path, options: dict[str, Any]) -> None:
    """Make the folder, or go on in one of a run with the same options, which lie in it; raises InputError."""
    begun = out / _OPTIONS
    earlier = json.loads(begun.read_text(encoding="utf-8")) if begun.is_file() else None
    if earlier is None and out.exists() and (not out.is_dir() or any(out.iterdir())):
        message = f"'{out}' is there already and holds no rendered scenes: name a new folder."
        raise InputError("not_empty", message, path=str(out))
    if earlier is not None and earlier != options:
        message = f"'{out}' holds rendered scenes of other options ({earlier}): name a new folder, or say the same."
        raise InputError("other_options", message, path=str(out))
    out.mkdir(parents=True, exist_ok=True)
    write_whole(begun, json.dumps(options).encode())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line: the scenes on which confidences are fitted."""
    parser = argparse.ArgumentParser(prog="python -m tilescore.datasets.synthesis.synth", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=160)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--size", type=int, default=640, help="long side in pixels")
    options = parser.parse_args(arguments)
    generate(
        options.out, count=options.count, seed=options.seed, size_px=options.size, folders=default_folders(),
        include=FITTING, pool=Pool(options.workers),
    )  # fmt: skip


if __name__ == "__main__":
    main()
