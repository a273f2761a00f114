"""The check of a data set: its findings, its cache and its report; splits and versions of a set."""

import os
import random
import shutil
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.datasets.labelled import photo_set, view
from tilescore.datasets import formats
from tilescore.datasets.checks import scans
from tilescore.datasets.checks.dataset_check import Report
from tilescore.datasets.checks.dataset_check import check as check_set
from tilescore.datasets.checks.finding import Place
from tilescore.datasets.checks.label_checks import check_picture
from tilescore.datasets.checks.report_files import check_report_output, contact_sheet, save_report, thumbnail
from tilescore.datasets.labels import LabelledBox, LabelledPicture
from tilescore.datasets.pictures.near_duplicates import hash_of, near_pairs
from tilescore.datasets.splits import source_of, split_by_scene, split_pictures, stamp, version_of
from tilescore.errors import InputError
from tilescore.processes.parallel import Pool
from tilescore.vision.image.boxes import Box


def check(root: Path, **options: Any) -> Report:
    """The report about the set in a folder."""
    return check_set(formats.read(root), **options)


def row(tiles: str, **changed: tuple[float, float, float, float]) -> LabelledPicture:
    """A row of tiles of 30 x 40 pixels; `b3=...` replaces the fourth box."""
    names = tiles.split()
    boxes = [Box(20 + 32 * place, 100, 50 + 32 * place, 140) for place in range(len(names))]
    for place, xyxy in changed.items():
        boxes[int(place[1:])] = Box(*xyxy)
    labelled = tuple(LabelledBox(name, box) for name, box in zip(names, boxes, strict=True))
    return LabelledPicture(Path("a.jpg"), (640, 480), labelled, "a.jpg")


LOW_DOWN = {f"b{place}": (99 * place, 9, 99 * place + 60, 29) for place in range(6)}
FINDINGS = [
    ("nothing is wrong", row("1m 2m 3m 4m 5m 6m"), []),
    ("four of a kind are a kong", row("1m 1m 1m 1m 5m"), []),
    ("five are too many", row("1m 1m 1m 1m 1m"), ["five_of_a_kind"]),
    ("a red five is a five", row("5p 5p 5p 5p 0p"), ["five_of_a_kind"]),
    ("there is one plum", row("1f 2f 1f"), ["five_of_a_kind"]),
    ("backs are all alike", row("back " * 9), []),
    ("the same box twice", row("1m 2m 2m", b2=(53, 101, 82, 140)), ["duplicate_box"]),
    ("two names for a box", row("1m 2m 3m", b2=(53, 101, 82, 140)), ["contradictory_boxes"]),
    ("half overlapping is a stack", row("1m 2m 3m", b2=(52, 120, 82, 160)), []),
    ("out of the picture", row("1m 2m", b1=(620, 100, 650, 140)), ["box_outside"]),
    ("out of it by rounding", row("1m 2m", b1=(611, 100, 641, 140)), []),
    ("a needle", row("1m 2m", b1=(100, 100, 110, 140)), ["odd_shape"]),
    ("seen from low down all are long", row("back " * 6, **LOW_DOWN), []),
    ("much larger than its neighbours", row("1m 2m 3m 4m 5m", b4=(300, 300, 380, 400)), ["odd_size"]),
    ("hardly a pixel", row("1m 2m", b1=(300, 300, 304, 305)), ["odd_size"]),
]  # fmt: skip


@pytest.mark.parametrize(("why", "picture", "codes"), FINDINGS, ids=[why for why, _, _ in FINDINGS])
def test_findings_about_one_picture(why: str, picture: LabelledPicture, codes: list[str]) -> None:
    assert [finding.code for finding in check_picture(picture)] == codes, why


def test_near_duplicates_and_leaks_are_distinguished(tmp_path: Path) -> None:
    photos = {"train/a": (1, 0), "train/a2": (1, 2), "train/b": (2, 0), "val/a3": (1, 3), "val/c": (3, 0)}
    report = check(photo_set(tmp_path, photos))
    assert [finding.where for finding in report.of("leak")] == [("train/a.jpg", "train/a2.jpg", "val/a3.jpg")]
    assert [f.where for f in report.findings if f.code == "near_duplicate"] == [("train/a.jpg", "train/a2.jpg")]
    assert report.of("error") == ()


COPIES = [
    ("mirrored left and right", lambda rgb: rgb[:, ::-1]),
    ("mirrored top and bottom", lambda rgb: rgb[::-1]),
    ("turned by a quarter", np.rot90),
    ("turned by three quarters", lambda rgb: np.rot90(rgb, 3)),
    ("turned by half", lambda rgb: rgb[::-1, ::-1]),
    ("darker", lambda rgb: (rgb * 0.6).astype(np.uint8)),
    ("other colours", lambda rgb: cv2.cvtColor(rgb, cv2.COLOR_BGR2GRAY)),
    ("shifted by a hundredth", lambda rgb: np.roll(rgb, (2, 3), axis=(0, 1))),
    ("mirrored and brighter", lambda rgb: (255 - (255 - rgb[:, ::-1]) * 0.7).astype(np.uint8)),
]


@pytest.mark.parametrize(("why", "changed"), COPIES, ids=[why for why, _ in COPIES])
def test_an_augmented_copy_in_another_split_is_a_leak(why: str, changed: Any, tmp_path: Path) -> None:
    root = photo_set(tmp_path, {"train/a": (1, 0), "val/b": (2, 0), "val/c": (3, 0)})
    copy = np.ascontiguousarray(changed(view(1)))
    cv2.imwrite(str(root / "images" / "val" / "copy.jpg"), copy)
    report = check(root)
    assert [finding.where for finding in report.of("leak")] == [("train/a.jpg", "val/copy.jpg")], why


@pytest.mark.parametrize("step", [1, -1])
def test_a_copy_with_the_same_tiles_may_be_shifted_further(step: int, tmp_path: Path) -> None:
    """A step of -1 mirrors the copy too."""
    tiles = "".join(f"{kind} {0.1 * kind + 0.1:.2f} 0.5 0.08 0.2\n" for kind in range(8))
    photos = {"train/a": (1, 0), "val/copy": (2, 0), "val/c": (3, 0)}
    root = photo_set(tmp_path, photos, {"train/a": tiles, "val/copy": tiles})
    copy = np.roll(view(1), (6, 8), axis=(0, 1))
    cv2.imwrite(str(root / "images" / "val" / "copy.jpg"), np.ascontiguousarray(copy[:, ::step]))
    assert [finding.where for finding in check(root).of("leak")] == [("train/a.jpg", "val/copy.jpg")]


def test_copies_named_after_their_source_stay_together(tmp_path: Path) -> None:
    names = [f"t{number}_jpg.rf.{copy}" for number in range(12) for copy in range(3)]
    root = photo_set(tmp_path, {name: (at, 0) for at, name in enumerate(names)})
    pictures = formats.read(root).pictures
    splits = split_pictures(pictures, [None] * len(pictures))
    assert set(splits) == {"train", "val", "test"}
    by_source = {(source_of(p.name), split) for p, split in zip(pictures, splits, strict=True)}
    assert len(by_source) == 12


def test_check_counts_copies_of_one_source_in_several_splits(tmp_path: Path) -> None:
    root = photo_set(tmp_path, {"train/a_jpg.rf.1": (1, 0), "val/a_jpg.rf.2": (2, 0), "val/b_jpg.rf.3": (3, 0)})
    (leak,) = check(root).of("leak")
    assert (leak.code, leak.where) == ("same_source", ("train/a_jpg.rf.1.jpg", "val/a_jpg.rf.2.jpg"))


def test_a_set_that_is_all_train_is_split_anew(tmp_path: Path) -> None:
    pictures = formats.read(photo_set(tmp_path, {f"train/{n}": (n, 0) for n in range(20)})).pictures
    splits = split_pictures(pictures, [None] * len(pictures))
    assert [splits.count(name) for name in ("train", "val", "test")] == [16, 2, 2]


def test_the_same_hand_again_may_look_more_different(tmp_path: Path) -> None:
    """Eight equal labels and a similar view make one scene."""
    tiles = "".join(f"{kind} {0.1 * kind + 0.1:.2f} 0.5 0.08 0.2\n" for kind in range(8))
    photos = {"train/a": (1, 0), "val/a2": (1, 9)}
    assert check(photo_set(tmp_path / "one", photos)).of("leak") == ()
    assert len(check(photo_set(tmp_path / "two", photos, dict.fromkeys(photos, tiles))).of("leak")) == 1


def test_broken_files_are_listed_and_the_rest_counted(tmp_path: Path) -> None:
    root = photo_set(tmp_path, {"train/a": (1, 0), "train/b": (2, 0), "val/c": (3, 0), "val/d": (4, 0)})
    cut = root / "images" / "train" / "b.jpg"
    cut.write_bytes(cut.read_bytes()[:-2000])
    (root / "labels" / "val" / "c.txt").write_text("x 0.5 0.5 0.1 0.1\n")
    (root / "labels" / "val" / "d.txt").unlink()
    report = check(root)
    assert [(f.code, f.where) for f in report.of("error")] == [
        ("class_out_of_range", ("labels/val/c.txt",)), ("damaged_picture", ("train/b.jpg",)),
    ]  # fmt: skip
    assert [f.where for f in report.findings if f.code == "no_boxes"] == [("val/c.jpg", "val/d.jpg")]
    counted = [(count.split, count.pictures, count.boxes, count.classes[0]) for count in report.counts]
    assert counted == [("train", 2, 2, 2), ("val", 2, 0, 0)]


def test_workers_find_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = photo_set(tmp_path, {f"train/{n}": (n % 60, 0) for n in range(70)})
    steps: list[tuple[int, int]] = []
    together = check(root, pool=Pool(2), progress=lambda done, total: steps.append((done, total)))
    assert steps == [(done, 70) for done in range(1, 71)]
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path / "another person"))
    alone = check(root)
    assert alone == together
    assert len(alone.findings) == 11  # ten pairs and the classes that are not there


def test_a_check_after_a_kill_scans_only_the_other_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = photo_set(tmp_path, {f"train/{n}": (n, 0) for n in range(12)})
    scanned: list[str] = []

    def scan(path: Path) -> scans.Scan:
        scanned.append(path.stem)
        if len(scanned) == 5:
            raise KeyboardInterrupt
        return whole(path)

    whole = scans.scan
    monkeypatch.setattr(scans, "scan", scan)
    with pytest.raises(KeyboardInterrupt):
        check(root)
    (root / "images" / "train" / "0.jpg").write_bytes((root / "images" / "train" / "1.jpg").read_bytes())
    report = check(root)
    assert len(scanned) == 5 + 12 - 4 + 1, "one of the four that were done has changed"
    assert [f.where for f in report.findings if f.code == "near_duplicate"] == [("train/0.jpg", "train/1.jpg")]
    assert not list(root.glob(".*")), "the set itself stays as it is"


def test_a_check_works_without_a_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path / "file" / "below"))
    assert check(photo_set(tmp_path / "set", {"train/a": (1, 0)})).of("error") == ()


def test_a_photo_turned_by_exif_is_a_duplicate(tmp_path: Path) -> None:
    """The labels are those of the picture after its EXIF orientation."""
    from PIL import Image

    root = photo_set(tmp_path, {"train/a": (1, 0), "val/b": (2, 0)})
    sideways = Image.fromarray(np.rot90(cv2.cvtColor(view(1), cv2.COLOR_BGR2RGB)))
    exif = Image.Exif()
    exif[0x0112] = 6
    sideways.save(root / "images" / "val" / "b.jpg", exif=exif)
    assert formats.read(root).pictures[1].size_wh == (320, 240)
    assert len(check(root).of("leak")) == 1


def test_all_pairs_are_those_found_one_by_one() -> None:
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2, (300, 512)).astype(np.uint8)
    bits[100:] = bits[:200] ^ (rng.random((200, 512)) < rng.uniform(0, 0.2, (200, 1)))
    hashes = [np.packbits(row).tobytes() for row in bits]
    plain = [(a, b, int((bits[a] != bits[b]).sum())) for a in range(300) for b in range(a + 1, 300)]
    found = near_pairs(hashes)
    assert sorted(found) == [pair for pair in plain if pair[2] <= 51]
    assert 50 < len(found) < 150
    assert hash_of(np.full((40, 40), 7, np.uint8)) == bytes(64)


def test_the_hash_of_a_set_follows_its_content_only(tmp_path: Path) -> None:
    root = photo_set(tmp_path / "a", {"train/a": (1, 0), "train/b": (2, 0)})
    first = check(root).digest
    shutil.copytree(root, tmp_path / "b")
    assert check(tmp_path / "b").digest == first
    (root / "labels" / "train" / "a.txt").write_text("0 0.51 0.5 0.1 0.2\n")
    assert check(root).digest != first


def test_versions_count_up_and_are_found_again(tmp_path: Path) -> None:
    assert [stamp(tmp_path, text, pictures=1, boxes=2) for text in ("aa", "bb", "aa", "cc")] == [1, 2, 1, 3]
    with (tmp_path / "versions.jsonl").open("a") as file:
        file.write("cut sho")
    assert (version_of(tmp_path, "bb"), version_of(tmp_path, "dd")) == (2, None)


def unsplit(count: int, *, split: str = "") -> list[LabelledPicture]:
    return [LabelledPicture(Path(f"{n}.jpg"), (640, 480), (), f"{n}.jpg", split) for n in range(count)]


def test_scenes_stay_together_and_shares_are_kept() -> None:
    pictures = unsplit(200)
    pairs = [(n, n + 1) for n in range(0, 100, 4)] + [(n, n + 2) for n in range(0, 100, 4)]
    scenes = ["" if n < 150 else f"table {n // 10}" for n in range(200)]
    splits = split_by_scene(pictures, pairs, scenes=scenes)
    assert all(splits[a] == splits[b] for a, b in pairs)
    assert all(len(set(splits[n : n + 10])) == 1 for n in range(150, 200, 10))
    assert {name: splits.count(name) for name in ("train", "val", "test")} == {"train": 160, "val": 20, "test": 20}


def test_the_split_depends_on_the_pictures_and_the_seed_only() -> None:
    pictures = unsplit(60)
    first = dict(zip(range(60), split_by_scene(pictures, []), strict=True))
    backwards = dict(zip(reversed(range(60)), split_by_scene(pictures[::-1], []), strict=True))
    assert backwards == first
    assert split_by_scene(pictures, [], seed=1) != split_by_scene(pictures, [])


def test_a_growing_set_keeps_its_held_out_pictures() -> None:
    grown = [*unsplit(50, split="val"), *unsplit(150)]
    splits = split_by_scene(grown, [(0, 60)], shares={"train": 3, "val": 1})
    assert set(splits[:50]) == {"val"}
    assert splits[60] == "val"
    assert splits.count("val") == 51
    with pytest.raises(InputError, match="no split a share"):
        split_by_scene(grown, [], shares={"train": 0})


def test_a_split_without_a_share_stays_as_it_is() -> None:
    held_out = ("test_unseen", "test")
    pictures = [*unsplit(30, split=held_out[0]), *unsplit(10, split=held_out[1]), *unsplit(60)]
    pairs = [(0, 40), (10, 41), (41, 42)]
    splits = split_by_scene(pictures, pairs, shares={"train": 0.8, "val": 0.2})
    assert [splits.count(name) for name in (*held_out, "train", "val")] == [33, 10, 46, 11]
    assert (set(splits[:30]), set(splits[30:40])) == ({held_out[0]}, {held_out[1]})
    assert set(split_by_scene(pictures, pairs, shares={"train": 1, "test": 0})) == {"train", held_out[0]}


@pytest.mark.parametrize("name", ["report.html", "report.jpg", "report.png"])
def test_reports_show_the_suspects(name: str, tmp_path: Path) -> None:
    labels = {"train/a": "0 0.5 0.5 0.1 0.2\n0 0.5 0.5 0.1 0.2\n", "val/<b>": "1 0.5 0.5 0.5 0.05\n"}
    report = check(photo_set(tmp_path / "set", {"train/a": (1, 0), "val/<b>": (2, 0), "val/c": (1, 1)}, labels))
    assert {f.code for f in report.findings} == {"duplicate_box", "odd_shape", "leak", "class_missing"}
    out = tmp_path / name
    save_report(report, out)
    if name.endswith("html"):
        text = out.read_text()
        assert text.count("<img") == 4
        assert "val/&lt;b&gt;.jpg" in text
        assert "<b>.jpg" not in text
    else:
        written = cv2.imread(str(out))
        assert written is not None
        assert written.shape == contact_sheet(report).shape
    with pytest.raises(InputError, match="let it end in"):
        check_report_output(tmp_path / "report.pdf", [])


def test_a_report_replaces_an_earlier_report_only(tmp_path: Path) -> None:
    report = check(photo_set(tmp_path / "set", {"train/a": (1, 0)}, {"train/a": "0 0.5 0.5 1e308 1e308\n"}))
    for name in ("report.html", "report.png"):
        save_report(report, tmp_path / name)
        check_report_output(tmp_path / name, [])
    photo = next((tmp_path / "set").rglob("a.jpg"))
    (tmp_path / "mine.html").write_text("<p>mine")
    for path, reason in ((photo, "is an input"), (tmp_path / "mine.html", "is there already")):
        with pytest.raises(InputError, match=reason):
            check_report_output(path, [photo])


def test_a_box_of_any_numbers_is_drawn(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.jpg"), np.zeros((60, 80, 3), np.uint8))
    far = Place("a", tmp_path / "a.jpg", (Box(-1e308, -1e308, 1e308, 1e308), Box(1e300, 0, 1e308, 1)))
    assert thumbnail(far).shape == (240, 300, 3)


def test_the_photos_we_measure_on_do_not_leak(shared: Path) -> None:
    if os.environ.get("TILESCORE_LONG") != "1":
        pytest.skip("decodes 1,216 photos: set TILESCORE_LONG=1")
    report = check(shared / "data" / "photos", pool=Pool(2))
    assert (report.of("error"), report.of("leak")) == ((), ())
    assert [(count.split, count.pictures) for count in report.counts] == [
        ("test_unseen", 67), ("train", 1036), ("val", 113),
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
def test_boxes_in_one_place_are_those_of_all_pairs(seed: int) -> None:
    drawn = random.Random(seed)
    corners = [(drawn.randint(0, 9), drawn.randint(0, 9)) for _ in range(40)]
    boxes = [Box(x, y, x + drawn.randint(10, 30), y + drawn.randint(10, 30)) for x, y in corners]
    every = {(a, b) for b in range(40) for a in range(b) if boxes[a].iou(boxes[b]) > 0.8}
    labelled = LabelledPicture(Path("a.jpg"), (99, 99), tuple(LabelledBox("1m", box) for box in boxes), "a.jpg")
    found = [finding for finding in check_picture(labelled) if finding.code == "duplicate_box"]
    inside = {box for finding in found for place in finding.pictures for box in place.boxes}
    equal = {box for box in boxes if boxes.count(box) > 1}
    assert inside == {boxes[index] for pair in every for index in pair} | equal


def test_a_hundred_thousand_equal_boxes_take_seconds() -> None:
    boxes = (LabelledBox("1m", Box(10, 10, 60, 80)),) * 100_000
    began = time.monotonic()
    found = check_picture(LabelledPicture(Path("a.jpg"), (99, 99), boxes, "a.jpg"))
    assert "100000 boxes of 1m lie in one place" in {finding.detail for finding in found}
    assert time.monotonic() - began < 20, "the square of their number would take a day"
