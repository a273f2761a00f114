"""`tilescore dataset check` and `convert` as other programs drive them: exit status, stdout, stderr."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from tests.datasets.labelled import name_classes, photo_set
from tilescore.datasets import formats, video_frames
from tilescore.datasets.annotation.folder import AnnotationFolder
from tilescore.datasets.labels import LabelledBox, LabelledPicture
from tilescore.datasets.layouts.judged import judged_boxes
from tilescore.datasets.marks import Annotation, Mark
from tilescore.datasets.parts import parts_of
from tilescore.datasets.sample import SAMPLES
from tilescore.errors import InputError
from tilescore.models.layout_fit import example_of
from tilescore.models.registry import load_reader
from tilescore.processes.stopping import Stopped
from tilescore.ui.cli.sets.dataset import dataset_app
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.photo import load_photo


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """Two splits of one photo each, the same one, with a box without an area."""
    rng = np.random.default_rng(0)
    root = tmp_path / "photos"
    name_classes(root)
    picture = cv2.resize(rng.integers(0, 255, (8, 8, 3)).astype(np.uint8), (160, 120), interpolation=cv2.INTER_CUBIC)
    for split in ("train", "val"):
        (root / "images" / split).mkdir(parents=True)
        (root / "labels" / split).mkdir(parents=True)
        cv2.imwrite(str(root / "images" / split / f"{split}.jpg"), picture)
        (root / "labels" / split / f"{split}.txt").write_text("4 0.5 0.5 0.2 0.4\n4 0.5 0.5 0 0.4\n")
    return root


def run(*arguments: object) -> tuple[int, str, str]:
    """Exit status, stdout and stderr; bad input ends as `main` ends it."""
    result = CliRunner().invoke(dataset_app, [str(argument) for argument in arguments])
    if isinstance(result.exception, InputError):
        return 2, result.stdout, result.stderr + str(result.exception)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def test_convert_counts_the_pictures_that_stay_stored_turned(photos: Path, tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    picture = photos / "images" / "val" / "val.jpg"
    Image.open(picture).save(picture, exif=exif)
    _, out, err = run("convert", photos, tmp_path / "out", "--to", "coco", "--no-look", "--json")
    (note,) = (note for note in json.loads(out)["notes"] if note["code"] == "stored_turned")
    assert (note["where"], note["detail"][-2:], note["detail"] in err) == ("val/val.jpg", " 1", True)


def test_check_prints_one_object(photos: Path) -> None:
    code, out, _ = run("check", photos, "--json")
    (data,) = (json.loads(line) for line in out.splitlines())
    assert code == 0
    assert (data["format"], data["pictures"], data["boxes"], data["version"]) == ("yolo", 2, 2, None)
    assert data["splits"]["val"]["classes"]["5m"] == 1
    assert data["found"] == {"error": 2, "leak": 1, "suspect": 0, "note": 2}
    assert [finding["code"] for finding in data["findings"][:3]] == ["empty_box", "empty_box", "leak"]


def test_check_speaks_to_people_and_draws(photos: Path, tmp_path: Path) -> None:
    code, out, _ = run("check", photos, "--report", tmp_path / "suspects.jpg")
    assert code == 0
    assert "leak: leak (1)" in out
    assert "train/train.jpg, val/val.jpg: 2 photos show the same" in out
    assert "2 error, 1 leak, 0 suspect, 2 note" in out
    assert cv2.imread(str(tmp_path / "suspects.jpg")) is not None


def test_a_page_is_written_about_a_set(photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = {path: path.read_bytes() for path in photos.rglob("*") if path.is_file()}
    code, _, told = run("report", photos)
    assert code == 0
    page = tmp_path / f"{photos.name}-report.html"
    assert f"wrote {page.name}: 2 pictures" in told
    text = page.read_text()
    assert all(title in text for title in ("Sizes", "Agreement with the model", "Samples of each class", "leak"))
    assert run("report", photos, page, "--no-look")[0] == 0, "a page of ours is written anew"
    assert "Agreement" not in page.read_text()
    (tmp_path / "mine.html").write_text("<p>mine")
    for out, why in (("x.pdf", "let it end in .html"), ("mine.html", "is there already"), ("no/x.html", "no folder")):
        code, _, told = run("report", photos, out)
        assert (code, why in told) == (2, True), told
    assert {path: path.read_bytes() for path in photos.rglob("*") if path.is_file()} == before


def test_strict_makes_a_leak_an_error(photos: Path) -> None:
    for split in ("train", "val"):
        assert run("check", photos, "--strict")[0] == 2  # broken lines, then the leak alone
        (photos / "labels" / split / f"{split}.txt").write_text("4 0.5 0.5 0.2 0.4\n")
    assert run("check", photos, "--strict")[0] == 2
    shutil.rmtree(photos / "images" / "val")
    shutil.rmtree(photos / "labels" / "val")
    assert run("check", photos, "--strict")[0] == 0


def test_stamped_versions_are_shown(photos: Path) -> None:
    assert "version 1" in run("check", photos, "--stamp")[1]
    assert json.loads(run("check", photos, "--json")[1])["version"] == 1
    (photos / "labels" / "val" / "val.txt").write_text("5 0.5 0.5 0.2 0.4\n")
    assert "not stamped" in run("check", photos)[1]
    assert "version 2" in run("check", photos, "--stamp")[1]


def test_convert_there_and_back(photos: Path, tmp_path: Path) -> None:
    before = photos
    for step, name in enumerate(("coco", "labelstudio", "voc", "cvat", "yolo")):
        code, out, err = run("convert", before, tmp_path / str(step), "--to", name)
        assert (code, out) == (0, "")
        assert "2 pictures, 2 boxes" in err
        before = tmp_path / str(step)
    for split in ("train", "val"):
        kind, *shares = (before / "labels" / split / f"{split}.txt").read_text().split()
        assert kind == "4"
        assert [float(share) for share in shares] == pytest.approx([0.5, 0.5, 0.2, 0.4], abs=1e-4)
        picture = Path("images") / split / f"{split}.jpg"
        assert (before / picture).read_bytes() == (photos / picture).read_bytes()


def test_convert_names_what_it_skips(photos: Path, tmp_path: Path) -> None:
    code, out, err = run("convert", photos, tmp_path / "out", "--to", "coco", "--json")
    assert code == 0
    assert "skipped: labels/train/train.txt" in err
    assert [skipped["code"] for skipped in json.loads(out)["skipped"]] == ["empty_box"] * 2


def test_split_keeps_a_scene_together(photos: Path, tmp_path: Path) -> None:
    code, _, err = run("split", photos, tmp_path / "out", "--shares", "train=0.5,val=0.5")
    assert code == 0
    assert "skipped: labels/train/train.txt" in err
    (found,) = {picture.split for picture in formats.read(tmp_path / "out").pictures}
    assert f"{found} 2" in err


def test_split_keeps_what_has_no_share_and_names_what_it_leaves_out(tmp_path: Path) -> None:
    keys = ("train/a", "train/b", "val/a", "val/c", "test_unseen/d")
    root = photo_set(tmp_path / "set", {key: (seed, 0) for seed, key in enumerate(keys)})
    code, _, err = run("split", root, tmp_path / "out", "--no-look", "--shares", "train=1,val=0")
    assert (code, err.splitlines()[-2:]) == (0, [
        "skipped: val/a.jpg: left out, 'train/a.jpg' has the same name and their labels would share a file",
        f"wrote {tmp_path / 'out'}: train 3, val 0, test_unseen 1 as before; 1 thing skipped",
    ])  # fmt: skip
    written = [picture.key for picture in formats.read(tmp_path / "out").pictures]
    assert written == ["test_unseen/d.jpg", "train/a.jpg", "train/b.jpg", "train/c.jpg"]


def stopped(*_: object) -> None:
    """Ctrl-C arrives."""
    raise Stopped(130)


def test_frames_of_a_video(photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = cv2.imread(str(photos / "images" / "val" / "val.jpg"))
    assert picture is not None
    writer = cv2.VideoWriter(str(tmp_path / "a.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (160, 120))
    for frame in [picture] * 4 + [np.ascontiguousarray(picture[::-1])] * 4:
        writer.write(frame)
    writer.release()
    code, _, err = run("frames", tmp_path / "a.avi", tmp_path / "out", "--every", 0.1)
    assert (code, err.splitlines()[-1]) == (0, f"wrote 2 pictures of 8 frames looked at into {tmp_path / 'out'}")
    first = min((tmp_path / "out").iterdir())
    first.write_bytes(b"a frame of another video")
    _, _, err = run("frames", tmp_path / "a.avi", tmp_path / "out", "--every", 0.1)
    assert (
        err.splitlines()[-2] == f"wrote 0 pictures of 8 frames looked at into {tmp_path / 'out'}; 1 picture as before"
    )
    assert f"1 frame missing: other pictures with their names lie there already, such as '{first}'" in err
    monkeypatch.setattr(video_frames, "write_whole", stopped)
    code, _, err = run("frames", tmp_path / "a.avi", tmp_path / "new", "--every", 0.1)
    assert (code, f"stopped: the pictures so far are kept in '{tmp_path / 'new'}'; start again to go on." in err) == (
        130, True,
    )  # fmt: skip


def test_a_film_is_labelled_from_one_frame(photos: Path, tmp_path: Path) -> None:
    picture = cv2.imread(str(photos / "images" / "val" / "val.jpg"))
    assert picture is not None
    writer = cv2.VideoWriter(str(tmp_path / "a.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (160, 120))
    for frame in range(6):
        writer.write(cv2.warpAffine(picture, np.array([[1.0, 0, 3 * frame], [0, 1, 0]]), (160, 120)))
    writer.release()
    film = tmp_path / "film"
    code, _, err = run("frames", tmp_path / "a.avi", film, "--every", 0.1, "--all")
    assert (code, err.splitlines()[-1]) == (0, f"wrote 6 pictures of 6 frames looked at into {film}")
    assert "label one" in run("follow", film)[2]
    labels = AnnotationFolder(film)
    first, *others = labels.pictures()[0]
    labels.save(first, Annotation((Mark("5m", Box(20, 20, 80, 90)),), checked=True))
    code, _, err = run("follow", film)
    assert (code, err.splitlines()[-1]) == (
        0, "a_000000.jpg and on: 5 frames followed, 5 with new labels, 0 with a hidden tile to look at",
    )  # fmt: skip
    for number, other in enumerate(others, start=1):
        (mark,) = labels.open(other).now.kept
        assert mark.box.xyxy == pytest.approx((20 + 3 * number, 20, 80 + 3 * number, 90), abs=2)
    code, _, err = run("frames", film, tmp_path / "out")
    assert (code, err.splitlines()[-1][:40]) == (0, f"wrote {tmp_path / 'out'}"[:40])
    assert {picture.boxes[0].name for picture in formats.read(tmp_path / "out").pictures} == {"5m"}


def test_rendered_scenes_are_a_set_like_any_other(tmp_path: Path) -> None:
    assert run("synth", tmp_path / "scenes", "--count", 1, "--size", 200)[0] == 0
    assert run("check", tmp_path / "scenes")[0] == 0


def bad_inputs(photos: Path, tmp_path: Path) -> dict[str, tuple[object, ...]]:
    (tmp_path / "empty").mkdir()
    (tmp_path / "blank" / "images").mkdir(parents=True)
    (tmp_path / "file.txt").write_text("no data set")
    return {
        "does not exist": ("check", tmp_path / "nowhere"),
        "looks like no data set": ("check", tmp_path / "empty"),
        "looks like no data set: expected": ("check", tmp_path / "file.txt"),
        "is no known format": ("check", photos, "--from", "tfrecord"),
        "let it end in": ("check", photos, "--report", tmp_path / "report.pdf"),
        "cannot be written": ("check", photos, "--report", tmp_path / "nowhere" / "report.jpg"),
        "choose one of": ("convert", photos, tmp_path / "out", "--to", "tfrecord"),
        "not empty": ("convert", photos, photos, "--to", "coco"),
        "name a folder outside it": ("convert", photos, photos / "coco.v1", "--to", "coco"),
        "no picture that can be used": ("convert", tmp_path / "blank", tmp_path / "out", "--to", "coco"),
        "is no share": ("split", photos, tmp_path / "out", "--shares", "train=much"),
        "the split train stands twice": ("split", photos, tmp_path / "out", "--shares", "train=1,train=2"),
        "gives no split a share": ("split", photos, tmp_path / "out", "--shares", "train=0"),
        "is no file: give a video": ("frames", tmp_path / "nowhere.mp4", tmp_path / "out"),
        "has no film": ("follow", photos),
        "is no folder": ("prelabel", tmp_path / "nowhere"),
        "cannot be written (": ("convert", photos, tmp_path / "file.txt" / "out", "--to", "coco"),
    }


@pytest.mark.parametrize("place", range(17))
def test_bad_input_is_one_sentence(place: int, photos: Path, tmp_path: Path) -> None:
    said, arguments = list(bad_inputs(photos, tmp_path).items())[place]
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    last = err.splitlines()[-1]
    assert said in last
    assert last.endswith(".")
    assert not (tmp_path / "out").exists()


def test_a_seed_below_nought_is_bad_input(tmp_path: Path) -> None:
    code, _, err = run("synth", tmp_path / "scenes", "--count", 1, "--seed", -1)
    assert code == 2
    assert "--seed" in err


@pytest.mark.parametrize("format_name", ["coco", "yolo"])
def test_judged_hands_become_lines_for_the_fit(format_name: str, tmp_path: Path) -> None:
    path = SAMPLES / "winning_hand.jpg"
    reading = load_reader().read(load_photo(path))
    boxes = [
        LabelledBox(str(seen.tile), seen.box, part)
        for seen, part in zip(reading.detections, parts_of(reading.layout), strict=True)
    ]
    boxes.append(LabelledBox("9p", Box(5, 5, 60, 80), boxes[0].part))  # a tile of the hand that the networks miss
    judged = LabelledPicture(path, reading.size_wh, tuple(boxes), "a.jpg", "train", checked=True, hand="hand")
    others = [replace(judged, name="b.jpg", checked=False), replace(judged, name="c.jpg", hand="")]
    others.append(replace(judged, name="damaged.jpg"))
    formats.write([judged, *others], tmp_path / "set", format_name=format_name)
    damaged = next((tmp_path / "set").rglob("damaged.jpg"))
    damaged.write_bytes(damaged.read_bytes()[:5000])
    code, _, said = run("layouts", tmp_path / "set", tmp_path / "mine.jsonl", "--source", "me")
    assert (code, "1 judged picture; left out, as nobody has checked their names: 1" in said) == (0, True)
    assert "damaged.jpg' is damaged or cut short" in said
    (photo,) = judged_boxes(tmp_path / "mine.jsonl")
    places = reading.layout
    assert (photo.name, photo.source, photo.split, photo.kind, photo.missing) == (
        "train/a.jpg",
        "me",
        "train",
        "hand",
        1,
    )
    assert photo.winning == reading.winning
    assert photo.concealed == frozenset(reading.concealed)
    assert photo.melds == frozenset(frozenset(meld.members) for meld in places.melds)
    assert photo.called == frozenset(meld.called for meld in places.melds)
    assert example_of(photo).choices["structure"][0].right.any()


def test_a_set_without_a_judged_hand_is_refused(photos: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    code, _, said = run("layouts", photos, tmp_path / "notes.txt")
    assert (code, (tmp_path / "notes.txt").read_text()) == (2, "mine")
    assert "is there already" in said
    code, _, said = run("layouts", photos, tmp_path / "mine.jsonl")
    assert (code, "press Space where the names are right and r for the roles" in said) == (2, True)
    assert not (tmp_path / "mine.jsonl").exists()
