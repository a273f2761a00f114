"""The scene generator: same seed same scene, exact labels, legal hands, and it goes on where it stopped."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.artwork import Folders, Source, sources
from datasets.faces import CLASSES, FACES, draw_face
from datasets.hands import Wall, random_hand
from datasets.look import sample_look
from datasets.synth import Scene, choose_sources, generate, render_crop, render_scene
from scoring.hand import Hand

NOTHING = Folders()


@pytest.fixture(scope="module", name="artwork")
def _artwork() -> tuple[Source, ...]:
    """Our own drawings only, so that the tests need no installed art."""
    return choose_sources(NOTHING, include=("procedural",))


@pytest.fixture(scope="module", name="scenes")
def _scenes(artwork: tuple[Source, ...]) -> list[Scene]:
    return [render_scene(11, index, size_px=320, artwork=artwork) for index in range(12)]


def test_same_seed_same_scene_other_index_another(artwork: tuple[Source, ...], scenes: list[Scene]) -> None:
    again = render_scene(11, 3, size_px=320, artwork=artwork)
    assert np.array_equal(again.image, scenes[3].image)
    assert again.tiles == scenes[3].tiles
    assert again.tiles != scenes[4].tiles


def test_boxes_lie_inside_the_picture_and_hold_something(scenes: list[Scene]) -> None:
    assert sum(len(scene.tiles) for scene in scenes) > 60
    for scene in scenes:
        height, width = scene.image.shape[:2]
        assert max(height, width) == 320
        for seen in scene.tiles:
            x0, y0, x1, y1 = seen.box_xyxy
            assert 0 <= x0 < x1 <= width
            assert 0 <= y0 < y1 <= height
            assert seen.tile in CLASSES


def test_no_face_is_mirrored(scenes: list[Scene]) -> None:
    for seen in (seen for scene in scenes for seen in scene.tiles if seen.tile != "back"):
        (ax, ay), (bx, by), (cx, cy), _ = seen.quad
        assert (bx - ax) * (cy - by) - (by - ay) * (cx - bx) > 0, "corners must run clockwise on the screen"


def test_no_scene_shows_a_fifth_copy(scenes: list[Scene]) -> None:
    for scene in scenes:
        counts = Counter(seen.tile.replace("0", "5") for seen in scene.tiles if seen.tile != "back")
        assert max(counts.values(), default=0) <= 4


@pytest.mark.parametrize("seed", range(40))
def test_hands_have_legal_counts(seed: int) -> None:
    rng = np.random.default_rng(seed)
    hand = random_hand(rng, Wall(rng))
    legal = hand.to_hand()  # a value that could not be made from illegal melds or a fifth copy
    assert legal.size == 14
    legal.check_size()
    assert Hand.from_json(legal.to_json()) == legal
    for meld in hand.melds:
        assert not (meld.concealed and meld.called is not None)


def test_writes_matching_files_and_resumes(tmp_path: Path) -> None:
    def write(count: int) -> list[dict[str, object]]:
        generate(
            tmp_path, count=count, seed=4, workers=1, size_px=256, folders=NOTHING, include=("procedural",), exclude=()
        )
        return [json.loads(line) for line in (tmp_path / "structure.jsonl").read_text().splitlines()]

    first = write(2)
    picture = tmp_path / "images" / str(first[0]["file"])
    stamp = picture.stat().st_mtime_ns
    records = write(3)
    assert records[:2] == first
    assert len(records) == 3
    assert picture.stat().st_mtime_ns == stamp
    for record in records:
        name = str(record["file"])
        image = cv2.imread(str(tmp_path / "images" / name))
        assert image is not None
        lines = (tmp_path / "labels" / name).with_suffix(".txt").read_text().splitlines()
        tiles = record["tiles"]
        assert isinstance(tiles, list)
        assert [CLASSES[int(line.split()[0])] for line in lines] == [tile["tile"] for tile in tiles]
        for line, tile in zip(lines, tiles, strict=True):
            cx, cy, w, h = (float(v) for v in line.split()[1:])
            box = [(cx - w / 2) * image.shape[1], (cy - h / 2) * image.shape[0]]
            assert box == pytest.approx(tile["box_xyxy"][:2], abs=0.2)


def test_every_face_is_drawn_without_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.lettering._FONT_FOLDERS", ())
    from datasets.lettering import cjk_fonts  # noqa: PLC0415 - its cache is emptied around this test

    cjk_fonts.cache_clear()
    look = sample_look(np.random.default_rng(1))
    drawn = {tile: draw_face(tile, look) for tile in FACES}
    cjk_fonts.cache_clear()
    assert all(face is not None for face in drawn.values())
    different = {face.tobytes() for face in drawn.values() if face is not None}
    assert len(different) == len(FACES)


def test_crops_are_square_and_named(artwork: tuple[Source, ...]) -> None:
    rng = np.random.default_rng(2)
    crops = [render_crop(rng, artwork=artwork) for _ in range(5)]
    assert all(image.shape == (96, 96, 3) and image.dtype == np.uint8 for image, _ in crops)
    assert all(tile in CLASSES for _, tile in crops)


def test_artwork_can_be_held_out() -> None:
    names = {source.name for source in sources(NOTHING)}
    kept = {source.name for source in choose_sources(NOTHING, exclude=("procedural",))} if len(names) > 1 else set()
    assert "procedural" not in kept
    with pytest.raises(ValueError, match="no artwork left"):
        choose_sources(NOTHING, include=("procedural",), exclude=("proc",))
