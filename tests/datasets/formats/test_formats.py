"""Labels in all file formats: they survive a round trip, and bad input is named and skipped."""

import json
import os
import random
from pathlib import Path

import pytest

from tests.datasets.labelled import hollow_png, name_classes, photo_set, random_pictures, yolo_set
from tilescore.datasets import formats
from tilescore.datasets.labels import CLASS_NAMES, LabelledPicture, LabelSet
from tilescore.datasets.pictures import picture_details
from tilescore.errors import InputError
from tilescore.files.locks import hidden_beside

EVERY = sorted(formats.WRITTEN)
PICTURES = 1_000 if os.environ.get("TILESCORE_LONG") else 200
GOOD = "0 0.5 0.5 0.1 0.2\n"


def farthest(some: tuple[LabelledPicture, ...], others: tuple[LabelledPicture, ...]) -> float:
    """The largest difference of an edge in pixels; the rest has to be equal."""
    by_key = {picture.key: picture for picture in others}
    assert sorted(picture.key for picture in some) == sorted(by_key)
    worst = 0.0
    for picture in some:
        other = by_key[picture.key]
        assert picture.size_wh == other.size_wh
        assert [box.name for box in picture.boxes] == [box.name for box in other.boxes]
        for mine, theirs in zip(picture.boxes, other.boxes, strict=True):
            worst = max(worst, *(abs(a - b) for a, b in zip(mine.box.xyxy, theirs.box.xyxy, strict=True)))
    return worst


def codes(found: LabelSet) -> list[str]:
    return [problem.code for problem in found.problems]


def test_many_pictures_go_round_all_formats(tmp_path: Path) -> None:
    start = random_pictures(tmp_path / "pictures", PICTURES)
    now = start
    for step, name in enumerate(("yolo", "coco", "voc", "labelme", "labelstudio", "createml", "cvat", "yolo")):
        out = tmp_path / f"{step}"
        assert formats.write(now, out, format_name=name) == ()
        assert formats.detect(out) == name
        found = formats.read(out)
        assert found.problems == ()
        now = found.pictures
    assert farthest(start, now) < 0.02


@pytest.mark.parametrize("name", EVERY)
def test_each_format_keeps_boxes_to_a_hundredth_of_a_pixel(name: str, tmp_path: Path) -> None:
    start = random_pictures(tmp_path / "pictures", 60, seed=3)
    formats.write(start, tmp_path / "out", format_name=name)
    assert farthest(start, formats.read(tmp_path / "out").pictures) < 0.01


@pytest.mark.parametrize("name", EVERY)
def test_what_people_say_of_the_hand_rides_along(name: str, tmp_path: Path) -> None:
    start = random_pictures(tmp_path / "pictures", 30, seed=1)
    formats.write(start, tmp_path / "out", format_name=name)
    found = {picture.key: picture for picture in formats.read(tmp_path / "out").pictures}
    assert {p.key: (p.checked, p.hand) for p in start} == {p.key: (p.checked, p.hand) for p in found.values()}
    for picture in start:
        assert [box.part for box in picture.boxes] == [box.part for box in found[picture.key].boxes]


@pytest.mark.parametrize("name", EVERY)
def test_nothing_is_written_over(name: str, tmp_path: Path) -> None:
    start = random_pictures(tmp_path / "pictures", 3)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="not empty"):
        formats.write(start, tmp_path / "out", format_name=name)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "pictures"]


BAD_LINES = [
    ("-1 0.5 0.5 0.1 0.1", "class_out_of_range"),
    ("1.5 0.5 0.5 0.1 0.1", "class_out_of_range"),
    ("nan 0.5 0.5 0.1 0.1", "class_out_of_range"),
    ("5m 0.5 0.5 0.1 0.1", "class_out_of_range"),
    ("0 nan 0.5 0.1 0.1", "not_a_number"),
    ("0 0.5 0.5 inf 0.1", "not_a_number"),
    ("0 0.5 x 0.1 0.1", "not_a_number"),
    ("0 0.5 0.5 0.1", "broken_labels"),
    ("0 0.1 0.1 0.2 0.1 0.2 0.2 0.1", "broken_labels"),  # a polygon without its last number
    ("0 0.5 1.5 0.1 0.1", "box_elsewhere"),
    ("0 0.5 0.5 0 0.1", "empty_box"),
    ("0 0.5 0.5 0.1 -0.1", "empty_box"),
]


@pytest.mark.parametrize(("line", "code"), BAD_LINES)
def test_a_bad_line_is_named_and_the_others_stay(line: str, code: str, tmp_path: Path) -> None:
    found = formats.read(yolo_set(tmp_path, {"train/a": GOOD + line + "\n" + GOOD, "train/b": GOOD}))
    assert codes(found) == [code]
    assert found.problems[0].where == "labels/train/a.txt"
    assert [len(picture.boxes) for picture in found.pictures] == [2, 1]


def test_a_number_beyond_the_list_stops_the_reader(tmp_path: Path) -> None:
    root = yolo_set(tmp_path, {"train/a": GOOD, "train/b": GOOD + "46 0.5 0.5 0.1 0.1\n"})
    with pytest.raises(InputError, match=r"names 46 classes, but labels/train/b\.txt, line 2 has class 46"):
        formats.read(root)


def test_bad_pictures_are_named_and_the_others_stay(tmp_path: Path) -> None:
    root = yolo_set(tmp_path / "set", {"train/a": GOOD, "train/two": GOOD, "val/gone": GOOD, "val/broken": GOOD})
    hollow_png(root / "images" / "train" / "two.jpg", (64, 64))
    (root / "images" / "val" / "gone.png").unlink()
    (root / "images" / "val" / "broken.png").write_bytes(b"no picture at all")
    (root / "labels" / "train" / "a.txt").write_bytes(b"\xff\xfe\x00")
    hollow_png(tmp_path / "outside.png", (64, 64))
    (root / "images" / "train" / "link.png").symlink_to(tmp_path / "outside.png")
    found = formats.read(root)
    assert sorted(codes(found)) == [
        "broken_labels", "leaves_folder", "no_such_picture", "same_name", "unreadable_picture",
    ]  # fmt: skip
    problems = {problem.code: problem for problem in found.problems}
    assert "two.jpg" in str(problems["same_name"])
    assert problems["leaves_folder"].where == "images/train/link.png"  # which has no file of labels
    assert [picture.name for picture in found.pictures] == ["a.png"]


def coco_text(**changes: object) -> str:
    image = {"id": 1, "file_name": "a.png", "width": 640, "height": 480}
    note = {"id": 1, "image_id": 1, "category_id": 7, "bbox": [10, 20, 30, 40]}
    data: dict[str, object] = {"images": [image], "annotations": [note], "categories": [{"id": 7, "name": "5m"}]}
    for key, value in changes.items():
        part = {"image": image, "note": note, "data": data}[key.split("_", 1)[0]]
        part[key.split("_", 1)[1]] = value
    return json.dumps(data)


BAD_COCO = [
    ({"note_bbox": [1, 2, float("nan"), 4]}, "not_a_number", 1),
    ({"note_bbox": [1, 2, 3]}, "not_a_number", 1),
    ({"note_bbox": None}, "not_a_number", 1),
    ({"note_bbox": [1, 2, 0, 4]}, "empty_box", 1),
    ({"note_bbox": [1e308, 2, 1e308, 4]}, "not_a_number", 1),
    ({"note_image_id": 5}, "no_such_picture", 1),
    ({"note_category_id": 5}, "class_out_of_range", 1),
    ({"data_categories": [{"id": 7, "name": "zebra"}]}, "unknown_class", 1),
    ({"image_file_name": "../b.png"}, "no_such_picture", 0),
    ({"image_file_name": "/etc/hostname"}, "no_such_picture", 0),
    ({"image_file_name": ""}, "no_such_picture", 0),
    ({"image_file_name": "b.png"}, "no_such_picture", 0),
    ({"image_file_name": "a" * 5000}, "no_such_picture", 0),
    ({"image_file_name": "a\0b"}, "no_such_picture", 0),
    ({"image_width": 480}, "size_differs", 0),
]


@pytest.mark.parametrize(("changes", "code", "pictures"), BAD_COCO)
def test_bad_coco_is_named(changes: dict[str, object], code: str, pictures: int, tmp_path: Path) -> None:
    root = tmp_path / "set"
    hollow_png(root / "a.png", (640, 480))
    hollow_png(tmp_path / "b.png", (640, 480))
    (root / "coco.json").write_text(coco_text(**changes))
    found = formats.read(root)
    assert (codes(found), len(found.pictures)) == ([code], pictures)
    assert all(not picture.boxes for picture in found.pictures)


def test_a_picture_described_twice_is_skipped(tmp_path: Path) -> None:
    hollow_png(tmp_path / "a.png", (640, 480))
    data = json.loads(coco_text())
    data["images"].append(data["images"][0] | {"id": 2})
    (tmp_path / "coco.json").write_text(json.dumps(data))
    found = formats.read(tmp_path)
    assert codes(found) == ["same_name", "same_name"]
    assert found.pictures == ()


BROKEN_FILES = [
    ("coco", "coco.json", '{"images": [], "annotations": ['),
    ("coco", "coco.json", '{"images": [], "annotations": [' + "1" * 5000 + "]}"),
    ("labelstudio", "tasks.json", '[{"data": {}, "annotations": ['),
    ("labelstudio", "tasks.json", "[" * 100_000 + '"data" "annotations"'),
    ("cvat", "annotations.xml", "<annotations><image"),
    ("voc", "a.xml", "<annotation><object></annotation>"),
    ("voc", "a.xml", '<!DOCTYPE a [<!ENTITY b "c">]><annotation>&b;</annotation>'),
]


@pytest.mark.parametrize(("name", "file", "text"), BROKEN_FILES)
def test_a_broken_label_file_is_named(name: str, file: str, text: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text(text)
    assert formats.detect(tmp_path) == name
    found = formats.read(tmp_path)
    assert codes(found) == ["broken_labels"]
    assert file in str(found.problems[0])


def test_turned_boxes_become_upright(tmp_path: Path) -> None:
    hollow_png(tmp_path / "a.png", (200, 100))
    (tmp_path / "annotations.xml").write_text(
        '<annotations><image id="0" name="a.png" width="200" height="100">'
        '<box label="5m" xtl="40" ytl="40" xbr="80" ybr="60" rotation="90"/></image></annotations>'
    )
    region = {
        "type": "rectanglelabels", "original_width": 200, "original_height": 100,
        "value": {"x": 35, "y": 30, "width": 20, "height": 20, "rotation": 90, "rectanglelabels": ["5m"]},
    }  # fmt: skip
    task = {"id": 1, "data": {"image": "a.png"}, "annotations": [{"result": [region]}]}
    (tmp_path / "tasks.json").write_text(json.dumps([task]))
    for name in ("cvat", "labelstudio"):
        (picture,) = formats.read(tmp_path, format_name=name).pictures
        assert picture.boxes[0].box.xyxy == pytest.approx((50, 30, 70, 70)), name


def test_labels_that_would_share_a_file_are_left_out(tmp_path: Path) -> None:
    root = yolo_set(tmp_path / "set", {"train/a": GOOD, "val/a": GOOD, "val/b": GOOD})
    pictures = formats.read(root).pictures
    problems = formats.write(pictures, tmp_path / "voc", format_name="voc")
    assert [(problem.code, problem.where) for problem in problems] == [("same_name", "val/a.png")]
    assert [p.key for p in formats.read(tmp_path / "voc").pictures] == ["train/a.png", "val/b.png"]
    assert formats.write(pictures, tmp_path / "coco", format_name="coco") == ()


@pytest.mark.parametrize(
    ("names", "lines"),
    [("data.yaml", "names: [2m, '5m']\n"), ("data.yaml", "names:\n  0: 2m\n  1: 5m\n"), ("classes.txt", "2m\n5m\n")],
)
def test_class_numbers_follow_the_sets_own_names(names: str, lines: str, tmp_path: Path) -> None:
    root = yolo_set(tmp_path, {"a": "1 0.5 0.5 0.1 0.1\n"})
    (root / "classes.txt").unlink()
    (root / names).write_text(lines)
    assert [box.name for box in formats.read(root).pictures[0].boxes] == ["5m"]


def test_other_yolo_layouts(tmp_path: Path) -> None:
    for place in ("r", "flat"):
        name_classes(tmp_path / place)
    for split in ("train", "valid"):
        hollow_png(tmp_path / "r" / split / "images" / "a.png", (64, 64))
        (tmp_path / "r" / split / "labels").mkdir()
        (tmp_path / "r" / split / "labels" / "a.txt").write_text(GOOD)
    hollow_png(tmp_path / "flat" / "a.png", (64, 64))
    (tmp_path / "flat" / "a.txt").write_text(GOOD)
    assert [picture.key for picture in formats.read(tmp_path / "r").pictures] == ["train/a.png", "val/a.png"]
    assert [len(picture.boxes) for picture in formats.read(tmp_path / "flat").pictures] == [1]


def test_what_is_no_data_set_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="looks like no data set"):
        formats.read(tmp_path)
    hollow_png(tmp_path / "a.png", (64, 64))
    with pytest.raises(InputError, match="holds pictures without labels: label them with tilescore annotate"):
        formats.read(tmp_path)
    with pytest.raises(InputError, match="does not exist"):
        formats.read(tmp_path / "nowhere")
    with pytest.raises(InputError, match="choose one of"):
        formats.read(tmp_path, format_name="tfrecord")


def test_every_class_survives(tmp_path: Path) -> None:
    lines = "".join(f"{kind} 0.5 0.5 0.1 0.1\n" for kind in range(46))
    pictures = formats.read(yolo_set(tmp_path / "set", {"train/a": lines})).pictures
    for name in EVERY:
        formats.write(pictures, tmp_path / name, format_name=name)
        found = formats.read(tmp_path / name).pictures[0]
        assert tuple(box.name for box in found.boxes) == CLASS_NAMES


def test_a_backslash_in_a_name_survives(tmp_path: Path) -> None:
    pictures = formats.read(yolo_set(tmp_path / "set", {"train/a\\b": GOOD, "train/b": GOOD})).pictures
    for name in EVERY:
        formats.write(pictures, tmp_path / name, format_name=name)
        found = formats.read(tmp_path / name)
        assert [(each.key, len(each.boxes)) for each in found.pictures] == [
            ("train/a\\b.png", len(pictures[0].boxes)),
            ("train/b.png", len(pictures[1].boxes)),
        ], f"{name}: {found.problems}"


def test_pictures_behind_a_link_to_a_folder_are_named(tmp_path: Path) -> None:
    root = yolo_set(tmp_path / "set", {"train/a": GOOD, "val/b": GOOD})
    (root / "images" / "train").rename(root / "elsewhere")
    (root / "images" / "train").symlink_to(root / "elsewhere")
    (problem,) = formats.read(root).problems
    assert (problem.where, problem.shapes) == ("labels/train/a.txt", len(GOOD.splitlines()))
    assert "'images/train' is a link to a folder" in problem.detail


@pytest.mark.parametrize("name", EVERY)
def test_damaged_label_files_never_stop_the_reader(name: str, tmp_path: Path) -> None:
    """Bytes are cut, doubled and changed at random places; whatever comes out is sound."""
    rng = random.Random(name)
    formats.write(random_pictures(tmp_path / "pictures", 6, seed=2), tmp_path / "set", format_name=name)
    files = [path for path in (tmp_path / "set").rglob("*") if path.suffix in (".txt", ".json", ".xml", ".yaml")]
    whole = {path: path.read_bytes() for path in files}
    for _ in range(60):
        for path, data in whole.items():
            start, length = rng.randrange(len(data) + 1), rng.randrange(40)
            middle = rng.choice(
                [b"", b"\0", b"NaN", b"-1e999", b"null", b"[{", b"../", data[start : start + length] * 2]
            )
            path.write_bytes(data[:start] + middle + data[start + length :])
        try:
            pictures = formats.read(tmp_path / "set", format_name=name).pictures
        except InputError:
            continue  # the list of names is damaged
        for picture in pictures:
            assert all(box.box.area > 0 and box.name in CLASS_NAMES for box in picture.boxes)


def test_a_killed_copy_leaves_nothing_and_one_bad_picture_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = formats.read(photo_set(tmp_path / "set", {"train/a": (1, 0), "train/b": (2, 0)}))
    left = hidden_beside(tmp_path / "out", "partial")
    left.mkdir()
    (left / "half").touch()  # what a killed run leaves
    copy = picture_details.copy_picture

    def damaged(path: Path, place: Path, **how: bool) -> None:
        if path.stem == "a":
            raise OSError(0, "its details cannot be taken out", str(path))
        copy(path, place, **how)

    monkeypatch.setattr(formats, "copy_picture", damaged)
    (problem,) = formats.write(found.pictures, tmp_path / "out", format_name="yolo")
    assert (problem.code, problem.where) == ("unreadable_picture", "train/a.jpg")
    assert [path.name for path in (tmp_path / "out" / "images").rglob("*.jpg")] == ["b.jpg"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "set"]


DOCTYPE = '\ufeff<?xml version="1.0" encoding="utf-16"?><!DOCTYPE a [<!ENTITY b "c">]>'
DEEP = "<a>" * 100_000 + "</a>" * 100_000
PASSED_OVER = {
    "UTF-16 with a DTD, CVAT": ("b.xml", (DOCTYPE + "<annotations>&b;</annotations>").encode("utf-16-le")),
    "UTF-16 with a DTD, VOC": ("b.xml", (DOCTYPE + "<annotation>&b;</annotation>").encode("utf-16-le")),
    "deep": ("b.xml", f"<annotations>{DEEP}</annotations>".encode()),
    "a comment before a broken file": ("b.xml", b"<!-- <x> --><annotations><image"),
    "no XML": ("b.xml", b"nothing"),
    "COCO, cut before its second list": ("b.json", b'{"images": [{"id": 1'),
    "COCO, cut in UTF-16": ("b.json", '\ufeff{"images": [], "annotations": ['.encode("utf-16-le")),
    "COCO whose images are no list": ("b.json", b'{"images": 5, "annotations": []}'),
    "COCO whose images are names": ("b.json", b'{"images": ["b.png"], "annotations": []}'),
    "COCO whose categories are names": ("b.json", b'{"images": [], "annotations": [], "categories": ["5m"]}'),
    "deep JSON": ("b.json", b"[" * 100_000),
    "empty": ("b.json", b""),
}
"""Files that no reader took for its own, or took for an empty set."""


@pytest.mark.parametrize("beside", ["", "coco.json"])
@pytest.mark.parametrize("what", PASSED_OVER)
def test_no_broken_file_is_passed_over(what: str, beside: str, tmp_path: Path) -> None:
    name, content = PASSED_OVER[what]
    (tmp_path / name).write_bytes(content)
    if beside:
        (tmp_path / beside).write_text('{"images": [], "annotations": [], "categories": []}')
    try:
        told = [str(problem) for problem in formats.read(tmp_path).problems]
    except InputError as error:
        told = [str(error)]
    assert len(told) == 1
    assert name in told[0]


def test_a_sound_file_of_another_kind_is_no_problem(tmp_path: Path) -> None:
    (tmp_path / "coco.json").write_text('{"images": [], "annotations": [], "categories": []}')
    (tmp_path / "settings.json").write_text('{"colour": "green"}')
    (tmp_path / "project.xml").write_text("<project/>")
    assert formats.read(tmp_path).problems == ()


def test_a_coco_file_in_utf16_is_read(tmp_path: Path) -> None:
    (tmp_path / "coco.json").write_text('{"images": [], "annotations": [], "categories": []}', encoding="utf-16")
    assert formats.detect(tmp_path) == "coco"


def test_a_problem_quotes_little(tmp_path: Path) -> None:
    long = "x" * 100_000
    data = {"images": [{"id": 1, "file_name": long}], "annotations": [{"id": long, "image_id": long}]}
    (tmp_path / "coco.json").write_text(json.dumps(data))
    (tmp_path / "a.xml").write_text(f"<{long}>")
    assert [len(str(problem)) < 2000 for problem in formats.read(tmp_path).problems] == [True] * 3
    with pytest.raises(InputError) as caught:
        formats.read(tmp_path, format_name=long)
    assert len(str(caught.value)) < 1000
