"""Sets of other programs in the annotator: their labels show, and nothing is written beside or over them."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from tests.datasets.formats.test_foreign_sets import BOX, CASES, LINE, NAMES, coco, write_files, xml
from tilescore.datasets import formats
from tilescore.datasets.annotation.predictions import Prediction
from tilescore.datasets.marks import Mark
from tilescore.datasets.sample import SAMPLES
from tilescore.errors import InputError
from tilescore.models.registry import load_reader
from tilescore.ui.cli.sets.annotate import ready_to_label
from tilescore.ui.pages.annotate.desk import Desk
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.photo import load_photo

if TYPE_CHECKING:
    from pathlib import Path

    from tests.datasets.formats.test_foreign_sets import Files

WHOLE = (0, 0, 640, 480)
FOLDERS: list[tuple[str, Files, list[tuple[str, str, str, tuple[float, ...]]], list[str]]] = [
    # why, files, boxes, codes: as in CASES
    ("class folders", {"1m/a.png": "", "2m/b.png": ""}, [("", "a", "1m", WHOLE), ("", "b", "2m", WHOLE)], []),
    ("class folders below images", {"images/1m/a.png": "", "images/2m/b.png": ""},
     [("", "a", "1m", WHOLE), ("", "b", "2m", WHOLE)], []),
    ("class folders in splits below images", {"images/train/1m/a.png": "", "images/valid/2m/b.png": ""},
     [("train", "a", "1m", WHOLE), ("val", "b", "2m", WHOLE)], []),
    ("class folders that an earlier annotator emptied", {"1m/a.png": "", "1m/a.txt": "", "2m/b.png": "", "2m/b.txt": "",
     "classes.txt": NAMES}, [("", "a", "1m", WHOLE), ("", "b", "2m", WHOLE)], []),
    ("folders of photos with labels", {"1m/a.png": "", "1m/a.txt": LINE, "2m/b.png": "", "classes.txt": NAMES},
     [("", "a", "9p", BOX)], []),
]  # fmt: skip
SETS = [(*case[:3],) for case in (*CASES, *FOLDERS) if case[2]]


def real_pictures(root: Path) -> Path:
    """The set with pictures that can be decoded."""
    for number, path in enumerate(sorted(root.rglob("*"))):
        if path.suffix.lower() == ".png":
            picture = np.full((480, 640, 3), number, np.uint8)
            path.write_bytes(cv2.imencode(".png", picture)[1].tobytes())
    return root


def content(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def labelled(desk: Desk, keys: list[str]) -> list[tuple[str, Any]]:
    """Name and place of every mark that the annotator shows."""
    marks = [mark for key in keys for mark in desk.show(key).opened.now.marks]
    return sorted((mark.name, pytest.approx(mark.box.xyxy, abs=0.02)) for mark in marks)


def work(folder: Path) -> list[tuple[str, Any]]:
    """Open the folder, press Space on two pictures, draw a box; return the marks at the start."""
    desk = Desk(folder)
    keys = [picture.key for picture in desk.folder.pictures()[0]]
    for key in keys:
        desk.index.keep_prediction(desk.index.file(key), Prediction("tiles46"))
    shown = labelled(desk, keys)
    for key in keys[:2]:
        now = desk.show(key).opened.now
        desk.save(key, replace(now.accepted(), checked=True).to_json(), by="me")
    now = desk.show(keys[0]).opened.now
    drawn = Mark(now.marks[0].name if now.marks else "1m", Box(2, 2, 40, 60))
    desk.save(keys[0], replace(now, marks=(*now.marks, drawn)).to_json(), by="me")
    return shown


@pytest.mark.parametrize(("why", "files", "boxes"), SETS, ids=[case[0] for case in SETS])
def test_labels_of_each_format_show_and_their_files_stay(
    why: str, files: Files, boxes: list[tuple[str, str, str, tuple[float, ...]]], tmp_path: Path
) -> None:
    root = real_pictures(write_files(tmp_path / "set", files))
    before, known = content(root), formats.detect(root)
    folder = ready_to_label(root)
    shown = work(folder)
    assert shown == sorted((name, xyxy) for _, _, name, xyxy in boxes), why
    if known != "yolo":
        assert folder == root.with_name("set-tilescore")
        assert content(root) == before
        return
    assert folder == root
    after = content(root)
    assert before.keys() <= after.keys()
    for name in after:
        if after[name] != before.get(name) and not name.startswith(".tilescore/"):
            assert name.endswith(".txt")
            assert name != "classes.txt"
            assert after[name].startswith(before.get(name, b"")), "the lines stay letter for letter"


MIXED: list[tuple[Files, str, str]] = [
    # files, the format that is read, the one that is told
    ({"a.png": "", "a.xml": xml("a.png"), "a.txt": LINE, "classes.txt": NAMES}, "voc", "yolo"),
    ({"a.png": "", "c.json": coco(), "a.xml": xml("a.png")}, "coco", "voc"),
    ({"images/a.png": "", "labels/a.txt": LINE, "classes.txt": NAMES, "c.json": coco()}, "coco", "yolo"),
    ({"1m/a.png": "", "2m/b.png": "", "c.json": coco()}, "coco", ""),
]


@pytest.mark.parametrize(("files", "shown", "told"), MIXED)
def test_labels_in_two_formats_are_told(
    files: Files, shown: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = real_pictures(write_files(tmp_path / "set", files))
    before = content(root)
    work(ready_to_label(root))
    said = capsys.readouterr().err
    assert content(root) == before
    assert f"holds labels in the format {shown}" in said
    assert (f"--from {told}" in said) == bool(told)


NOT_USABLE: list[tuple[Files, str]] = [
    ({"zebra/a.png": "", "1m/b.png": "", "2m/c.png": "", "c.json": '{"images": [], "annotations": ['}, "is no JSON"),
    ({"a.png": "", "a.xml": xml("a.png", size="1280 960")}, "the labels are for 1280x960 pixels"),
    ({"a.xml": xml("a.png")}, "'a.png' is not there"),
]


@pytest.mark.parametrize(("files", "why"), NOT_USABLE)
def test_labels_that_nobody_can_use_are_told_and_nothing_is_written(files: Files, why: str, tmp_path: Path) -> None:
    root = real_pictures(write_files(tmp_path / "set", files))
    before = content(tmp_path)
    with pytest.raises(InputError, match=why):
        ready_to_label(root)
    assert content(tmp_path) == before


def test_a_copy_is_opened_again_with_what_was_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = real_pictures(write_files(tmp_path / "set", {"1m/a.png": "", "2m/b.png": ""}))
    work(ready_to_label(root))
    changed = content(tmp_path)
    folder = ready_to_label(root)
    assert "is opened" in capsys.readouterr().err
    assert content(tmp_path) == changed
    assert [len(Desk(folder).show(f"images/{key}").opened.now.marks) for key in ("1m/a.png", "2m/b.png")] == [2, 1]


OPEN: list[tuple[Files, str]] = [
    # a set with labels of which nobody can know what tile they are, and their name
    ({"f1/a.png": "", "1_man/b.png": "", "2_man/c.png": ""}, "f1"),
    ({"a.png": "", "a.xml": xml("a.png", label="zebra")}, "zebra"),
    ({"a.png": "", "a.xml": xml("a.png", label="\U0001f004  stone \u202e")}, "\U0001f004 stone \\u202e"),
]


@pytest.mark.parametrize(("files", "name"), OPEN)
def test_labels_of_open_names_show_and_a_person_explains_them(
    files: Files, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = real_pictures(write_files(tmp_path / "set", files))
    before = content(root)
    folder = ready_to_label(root)
    assert "say it in the view Class names" in capsys.readouterr().err
    assert (f"?{name}", 1) in Desk(folder).index.names()
    work(folder)
    desk = Desk(folder)
    assert [each.name for each in desk.class_names() if each.is_open] == [f"?{name}"], "no tile is guessed"
    desk.explain({f"?{name}": "1q"})
    counts = dict(desk.index.names())
    assert "1q" in counts
    assert f"?{name}" not in counts
    assert sum(box.name == "1q" for p in formats.read(folder).pictures for box in p.boxes) == counts["1q"]
    assert content(root) == before


def test_names_that_are_said_later_reach_the_copy(tmp_path: Path) -> None:
    root = real_pictures(write_files(tmp_path / "set", OPEN[0][0]))
    folder = ready_to_label(root)
    (tmp_path / "names.json").write_text('{"f1": "1q"}')
    assert ready_to_label(root, str(tmp_path / "names.json")) == folder
    assert ("1q", 1) in Desk(folder).index.names()


KUA = {f"{rank}.{ending}": xml(f"{rank}.png", label=f"{rank}_kua") if ending == "xml" else "" for rank in range(1, 4)
       for ending in ("png", "xml")}  # fmt: skip
LATER: list[tuple[str, Files, str, set[str]]] = [
    # why, files, what --names says on the second run, the names that the annotator shows then
    ("a name that was sure", {"1_man/a.png": "", "2_man/b.png": "", "white/c.png": ""}, "white = 6z",
     {"1m", "2m", "6z"}),
    ("an open name", {"f1/a.png": "", "1_man/b.png": "", "2_man/c.png": ""}, "f1 = 1q", {"1q", "1m", "2m"}),
    ("one name with a number", KUA, "1_kua = 1s", {"1s", "2s", "3s"}),
    ("a word for a suit", KUA, "kua = s", {"1s", "2s", "3s"}),
    ("no tile", {"zebra/a.png": "", "1m/b.png": "", "2m/c.png": ""}, "zebra = null", {"?zebra", "1m", "2m"}),
    ("numbers without a list", {"a.png": "", "a.txt": LINE}, "ours", {"1m"}),
    ("a word in a set that is labelled in place", {"a.png": "", "a.txt": LINE, "classes.txt": "1_kua\n2_kua"},
     "kua = p", {"1p"}),
]  # fmt: skip


@pytest.mark.parametrize(("why", "files", "names", "shown"), LATER, ids=[case[0] for case in LATER])
def test_a_second_run_follows_its_names(why: str, files: Files, names: str, shown: set[str], tmp_path: Path) -> None:
    root = real_pictures(write_files(tmp_path / "set", files))
    before = ready_to_label(root)
    Desk(before)
    assert dict(Desk(ready_to_label(root, names)).index.names()).keys() == shown, why
    assert dict(Desk(ready_to_label(root)).index.names()).keys() == shown, "a third run says the same"


def test_a_picture_that_was_put_into_a_copy_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = real_pictures(write_files(tmp_path / "set", LATER[0][1]))
    mine = ready_to_label(root) / "images" / "mine.png"
    mine.write_bytes(b"a photo of last year")
    os.utime(mine, (1, 1))
    ready_to_label(root, "white = 6z")
    (kept,) = tmp_path.glob("set-tilescore*/images/mine.png")
    assert kept.read_bytes() == b"a photo of last year"
    assert f"as it was, it lies in '{kept.parent.parent}'" in capsys.readouterr().err


def test_a_copy_that_somebody_worked_on_is_not_made_anew(tmp_path: Path) -> None:
    root = real_pictures(write_files(tmp_path / "set", LATER[0][1]))
    work(ready_to_label(root))
    changed = content(tmp_path)
    with pytest.raises(InputError, match="was made with white = 5z, and somebody has worked on it"):
        ready_to_label(root, "white = 6z")
    assert content(tmp_path) == changed
    assert ready_to_label(root, "white = 5z") == root.with_name("set-tilescore")


@pytest.mark.parametrize("ending", [".xml", ".txt"])
def test_the_model_names_the_places_of_a_set(ending: str, tmp_path: Path) -> None:
    root = write_files(tmp_path / "set", {"classes.txt": "tile"} if ending == ".txt" else {})
    root.mkdir(exist_ok=True)
    shutil.copy(SAMPLES / "riichi_closed.jpg", root / "a.png")
    five = Prediction.of(load_reader().read(load_photo(root / "a.png"))).tiles[0]
    middle = ((five.box.x0 + five.box.x1) / 4000, (five.box.y0 + five.box.y1) / 3000)
    if ending == ".txt":
        line = f"0 {middle[0]} {middle[1]} {five.box.width / 2000} {five.box.height / 1500}\n"
        (root / "a.txt").write_text(line)
    else:
        labels = xml("a.png", label="tile", size="2000 1500", box=" ".join(map(str, five.box.xyxy)))
        (root / "a.xml").write_text(labels)
    folder = ready_to_label(root, "model")
    assert folder == root.with_name("set-tilescore")
    assert [name for name, _ in Desk(folder).index.names()] == [five.candidates[0][0]]


def test_a_picture_with_an_open_name_is_not_checked(tmp_path: Path) -> None:
    files = {"f1/a.png": "", "1_man/b.png": "", "2_man/c.png": ""}
    desk = Desk(ready_to_label(real_pictures(write_files(tmp_path / "set", files))))
    assert desk.open_names() == 1
    keys = ["images/f1/a.png", "images/1_man/b.png"]
    for key in keys:
        desk.index.keep_prediction(desk.index.file(key), Prediction("tiles46"))

    def checked(key: str) -> bool:
        now = desk.show(key).opened.now
        return desk.save(key, replace(now.accepted(), checked=True).to_json(), by="me").checked

    assert [checked(key) for key in keys] == [False, True]
    desk.explain({"?f1": None})
    assert desk.open_names() == 0
    assert checked(keys[0]), "a person has said that it is no tile"
