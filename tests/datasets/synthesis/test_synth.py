"""The scene generator: repeatable scenes, exact labels, legal hands, and continuation of an interrupted run."""

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from tilescore.datasets.artwork.artwork import FITTING, HELD_OUT, UNLIKE, ArtworkSource, Folders, sources
from tilescore.datasets.artwork.faces import FRONT_NAMES, draw_face
from tilescore.datasets.artwork.style import sample_style
from tilescore.datasets.labels import CLASS_NAMES
from tilescore.datasets.synthesis.arrangements import LaidTable, PosedTile
from tilescore.datasets.synthesis.camera import aim
from tilescore.datasets.synthesis.clutter import _boxes, _shelf, write_clutter
from tilescore.datasets.synthesis.compositor import Canvas
from tilescore.datasets.synthesis.hands import Wall, random_hand
from tilescore.datasets.synthesis.scenes import standing_scene
from tilescore.datasets.synthesis.surroundings import Surroundings, surroundings_in
from tilescore.datasets.synthesis.synth import RenderedScene, choose_sources, generate, render_scene
from tilescore.datasets.synthesis.tileset import TileSet
from tilescore.datasets.training_folder import read_ignore_regions, write_ignore_regions
from tilescore.errors import InputError
from tilescore.scoring.hand import Hand
from tilescore.vision.image.boxes import Box

NOTHING = Folders()


@pytest.fixture(scope="module", name="artwork")
def _artwork() -> tuple[ArtworkSource, ...]:
    """Our own drawings only, so that the tests need no installed art."""
    return choose_sources(NOTHING, include=("procedural",))


@pytest.fixture(scope="module", name="scenes")
def _scenes(artwork: tuple[ArtworkSource, ...]) -> list[RenderedScene]:
    return [render_scene(11, index, size_px=320, artwork=artwork) for index in range(12)]


def test_same_seed_same_scene_other_index_another(
    artwork: tuple[ArtworkSource, ...], scenes: list[RenderedScene]
) -> None:
    again = render_scene(11, 3, size_px=320, artwork=artwork)
    assert np.array_equal(again.image, scenes[3].image)
    assert again.tiles == scenes[3].tiles
    assert again.tiles != scenes[4].tiles


def test_boxes_lie_inside_the_picture_and_hold_something(scenes: list[RenderedScene]) -> None:
    assert sum(len(scene.tiles) for scene in scenes) > 60
    for scene in scenes:
        height, width = scene.image.shape[:2]
        assert max(height, width) == 320
        for visible in scene.tiles:
            x0, y0, x1, y1 = visible.box_xyxy
            assert 0 <= x0 < x1 <= width
            assert 0 <= y0 < y1 <= height
            assert visible.tile in CLASS_NAMES


@pytest.mark.parametrize("azimuth_deg", [0, 40, 75, 90])
@pytest.mark.parametrize("elevation_deg", [18, 35, 60])
def test_every_back_of_a_wall_is_labelled_from_wherever_it_is_seen(
    azimuth_deg: float, elevation_deg: float, artwork: tuple[ArtworkSource, ...]
) -> None:
    """In a wall visible along its row, each tile hides the side of the next, but every back is visible."""
    rng = np.random.default_rng(5)
    tiles = TileSet(rng, artwork)
    table = LaidTable(rng, tiles.size)
    table.row([PosedTile("back", "other", pose="down")] * 8, (-4.0, 0.0), group=table.new_group(), sloppy=0.0)
    camera = aim(
        np.zeros(3), elevation_deg=elevation_deg, azimuth_deg=azimuth_deg, roll_deg=0, distance=16, focal_px=700,
        size_wh=(640, 480), centre_px=(320, 240), distortion=0,
    )  # fmt: skip
    canvas = Canvas(camera, rng, surroundings=Surroundings())
    assert [visible.tile for visible in canvas.labels(canvas.draw_tiles(table.placements, tiles))] == ["back"] * 8


@pytest.mark.parametrize(
    ("x", "labelled", "ignored"),
    [
        pytest.param(0.0, 1, 0, id="in the picture"),
        pytest.param(9.1, 0, 1, id="mostly outside"),
        pytest.param(12.0, 0, 0, id="outside"),
    ],
)
def test_a_visible_tile_has_a_label_or_an_ignore_region(
    x: float, labelled: int, ignored: int, artwork: tuple[ArtworkSource, ...]
) -> None:
    rng = np.random.default_rng(5)
    tiles = TileSet(rng, artwork)
    table = LaidTable(rng, tiles.size)
    table.row([PosedTile("5m", "other")], (x - 0.5, 0.0), group=table.new_group(), sloppy=0.0)
    camera = aim(
        np.zeros(3), elevation_deg=80, azimuth_deg=0, roll_deg=0, distance=20, focal_px=700,
        size_wh=(640, 480), centre_px=(320, 240), distortion=0,
    )  # fmt: skip
    canvas = Canvas(camera, rng, surroundings=Surroundings())
    drawn = canvas.draw_tiles(table.placements, tiles)
    labels = canvas.labels(drawn)
    ignore_regions = canvas.ignore_regions(drawn, labels)
    assert (len(labels), len(ignore_regions)) == (labelled, ignored)
    for x0, y0, x1, y1 in ignore_regions:
        assert 600 < x0 < x1 <= 640
        assert 0 <= y0 < y1 <= 480


def test_no_face_is_mirrored(scenes: list[RenderedScene]) -> None:
    for visible in (visible for scene in scenes for visible in scene.tiles if visible.tile != "back"):
        (ax, ay), (bx, by), (cx, cy), _ = visible.quad
        assert (bx - ax) * (cy - by) - (by - ay) * (cx - bx) > 0, "corners must run clockwise on the screen"


def test_no_scene_shows_a_fifth_copy(scenes: list[RenderedScene]) -> None:
    for scene in scenes:
        counts = Counter(visible.tile.replace("0", "5") for visible in scene.tiles if visible.tile != "back")
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
        assert not (meld.hidden and meld.called is not None)


def test_writes_matching_files_and_resumes(tmp_path: Path) -> None:
    def write(count: int) -> list[dict[str, object]]:
        generate(tmp_path, count=count, seed=4, size_px=256, folders=NOTHING, include=("procedural",))
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
        assert [CLASS_NAMES[int(line.split()[0])] for line in lines] == [tile["tile"] for tile in tiles]
        for line, tile in zip(lines, tiles, strict=True):
            cx, cy, w, h = (float(v) for v in line.split()[1:])
            box = [(cx - w / 2) * image.shape[1], (cy - h / 2) * image.shape[0]]
            assert box == pytest.approx(tile["box_xyxy"][:2], abs=0.2)


def test_every_face_is_drawn_without_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tilescore.datasets.artwork.lettering._FONT_FOLDERS", ())
    from tilescore.datasets.artwork.lettering import cjk_fonts

    cjk_fonts.cache_clear()
    style = sample_style(np.random.default_rng(1))
    drawn = {tile: draw_face(tile, style) for tile in FRONT_NAMES}
    cjk_fonts.cache_clear()
    assert all(face is not None for face in drawn.values())
    different = {face.tobytes() for face in drawn.values() if face is not None}
    assert len(different) == len(FRONT_NAMES)


def test_artwork_can_be_held_out() -> None:
    names = {source.name for source in sources(NOTHING)}
    kept = {source.name for source in choose_sources(NOTHING, exclude=("procedural",))} if len(names) > 1 else set()
    assert "procedural" not in kept
    with pytest.raises(ValueError, match="no artwork left"):
        choose_sources(NOTHING, include=("procedural",), exclude=("proc",))


def _drawn_set(folder: Path, name: str) -> None:
    """A set of one face: a red square."""
    (folder / name).mkdir(parents=True)
    cv2.imwrite(str(folder / name / "7z.png"), np.full((128, 96, 3), (40, 30, 200), np.uint8))


def test_a_folder_of_drawn_faces_is_artwork(tmp_path: Path) -> None:
    _drawn_set(tmp_path, "mine")
    (mine,) = choose_sources(Folders(art=tmp_path), include=("mine",))
    (tmp_path / "mine" / "5z.png").write_bytes(b"no picture")
    make = mine.start(np.random.default_rng(0))
    assert make("7z") is not None
    assert make("6z") is None
    assert make("5z") is None


def test_a_transparent_picture_lies_on_white(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    picture = np.zeros((128, 96, 4), np.uint8)
    picture[44:84, 33:63] = (40, 30, 200, 255)
    cv2.imwrite(str(tmp_path / "mine" / "7z.png"), picture)
    (mine,) = choose_sources(Folders(art=tmp_path), include=("mine",))
    face = mine.start(np.random.default_rng(0))("7z")
    assert face is not None
    assert face[0, 0].min() > 240
    assert face[face.shape[0] // 2, face.shape[1] // 2, 0] > 150


@pytest.mark.parametrize(
    ("name", "kept_for"), [("fluffy", HELD_OUT), ("kde-egypt", UNLIKE), ("xmahjongg-gnome", FITTING)]
)
def test_what_is_held_out_trains_nobody_but_can_be_asked_for(
    name: str, kept_for: tuple[str, ...], tmp_path: Path
) -> None:
    _drawn_set(tmp_path, name)
    assert name not in {source.name for source in choose_sources(Folders(art=tmp_path))}
    assert [source.name for source in choose_sources(Folders(art=tmp_path), include=kept_for)][-1] == name


def test_scenes_with_real_surroundings_repeat(tmp_path: Path, artwork: tuple[ArtworkSource, ...]) -> None:
    (tmp_path / "photos").mkdir()
    cv2.imwrite(str(tmp_path / "photos" / "a.jpg"), np.full((64, 64, 3), (250, 10, 250), np.uint8))
    around = surroundings_in(tmp_path)
    pink = render_scene(11, 2, size_px=320, artwork=artwork, surroundings=around)
    assert np.array_equal(pink.image, render_scene(11, 2, size_px=320, artwork=artwork, surroundings=around).image)
    assert any((around.square(np.random.default_rng(0))[0, 0] > (200, 0, 200)).tolist())


def test_standing_rows_stand_and_some_show_their_backs(artwork: tuple[ArtworkSource, ...]) -> None:
    scenes = [render_scene(3, index, size_px=320, artwork=artwork, scene=standing_scene) for index in range(12)]
    names = [tile.tile for scene in scenes for tile in scene.tiles]
    assert len(names) > 60
    assert 0 < names.count("back") < len(names) / 2


def test_a_shelf_fills_the_picture() -> None:
    before = np.full((480, 640, 3), 77, np.uint8)
    for seed in range(8):
        shelf = before.copy()
        _shelf(shelf, np.random.default_rng(seed))
        assert (shelf != 77).mean() > 0.5
        assert len(np.unique(shelf.reshape(-1, 3), axis=0)) > 10


def test_boxes_lie_about_and_are_plain() -> None:
    visible = []
    for seed in range(8):
        boxes = np.full((480, 640, 3), 77, np.uint8)
        _boxes(boxes, np.random.default_rng(seed))
        visible.append((boxes != 77).any(axis=2).mean())
        assert len(np.unique(boxes.reshape(-1, 3), axis=0)) < 2000, "few colours and their edges"
    assert 0.01 < np.mean(visible) < 0.6
    assert min(visible) > 0


def test_clutter_has_no_labels_and_is_the_same_again(tmp_path: Path) -> None:
    write_clutter(tmp_path, count=2, seed=4)
    (first, second) = sorted((tmp_path / "images").glob("*.jpg"))
    assert (tmp_path / "labels" / f"{first.stem}.txt").read_text() == ""
    before = first.read_bytes()
    assert before != second.read_bytes()
    write_clutter(tmp_path, count=1, seed=4)
    assert first.read_bytes() == before


def test_a_photo_among_clutter_takes_its_labels_with_it(tmp_path: Path) -> None:
    photo = np.full((120, 160, 3), 128, np.uint8)
    photo[30:60, 40:80] = (10, 20, 250)
    for part in ("images", "labels"):
        (tmp_path / "given" / part).mkdir(parents=True)
    cv2.imwrite(str(tmp_path / "given/images/one.jpg"), photo)
    (tmp_path / "given/labels/one.txt").write_text("3 0.375 0.375 0.25 0.25\n")
    write_ignore_regions(tmp_path / "given/images/one.jpg", [Box(40, 30, 80, 60)])
    write_clutter(tmp_path / "out", count=1, seed=7, around=tmp_path / "given/images")
    picture = np.asarray(cv2.imread(str(next((tmp_path / "out/images").iterdir()))))
    kind, *shares = (float(word) for word in next((tmp_path / "out/labels").iterdir()).read_text().split())
    cx, cy, w, h = (share * picture.shape[1 - i % 2] for i, share in enumerate(shares))
    assert picture.shape == (180, 240, 3)
    assert (kind, round(w), round(h)) == (3, 40, 30)
    inside = picture[round(cy - h / 2) + 4 : round(cy + h / 2) - 4, round(cx - w / 2) + 4 : round(cx + w / 2) - 4]
    assert inside.reshape(-1, 3).mean(0) == pytest.approx((10, 20, 250), abs=12)
    (ignore_region,) = read_ignore_regions(next((tmp_path / "out/images").iterdir()))
    assert ignore_region.xyxy == pytest.approx((cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2), abs=0.1)


def test_one_kind_of_scene_where_asked_and_none_that_there_is_not(tmp_path: Path) -> None:
    how = {"count": 1, "seed": 3, "size_px": 320, "folders": NOTHING, "include": ("procedural",)}
    generate(tmp_path, only="rare", **how)  # type: ignore[arg-type]  # one table of them
    tiles = json.loads((tmp_path / "structure.jsonl").read_text())["tiles"]
    assert sum(tile["tile"][-1] in "fqk" or tile["tile"][0] == "0" for tile in tiles) > len(tiles) / 2
    with pytest.raises(InputError, match="'rares' is no kind of scene: choose hand"):
        generate(tmp_path, only="rares", **how)  # type: ignore[arg-type]
