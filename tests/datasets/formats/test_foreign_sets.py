"""Sets as other programs write them: what each habit becomes. Numbers name the public issue that reports the habit."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from tests.datasets.labelled import hollow_png
from tilescore.datasets import formats
from tilescore.datasets.intake import label_files
from tilescore.datasets.names.class_names import load_names
from tilescore.errors import InputError
from tilescore.vision.image.photo import load_photo

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tilescore.datasets.labels import LabelSet

Files = dict[str, str]
LINE = "0 0.5 0.5 0.1 0.2\n"
BOX = (288, 192, 352, 288)
NAMES = "9p\n1m\n"


def xml(name: str, box: str = "10 20 110 220", size: str = "640 480", label: str = "9p") -> str:
    sides = "".join(f"<{s}>{v}</{s}>" for s, v in zip(("xmin", "ymin", "xmax", "ymax"), box.split(), strict=True))
    width, height = size.split()
    return (
        f"<annotation><filename>{name}</filename><size><width>{width}</width><height>{height}</height></size>"
        f"<object><name>{label}</name><bndbox>{sides}</bndbox></object></annotation>"
    )


def coco(name: str = "a.png", **note: Any) -> str:
    annotation = {"id": 1, "image_id": 1, "category_id": 3, "bbox": [10, 20, 100, 200]} | note
    images = [{"id": 1, "file_name": name, "width": 640, "height": 480}]
    return json.dumps({"images": images, "annotations": [annotation], "categories": [{"id": 3, "name": "9p"}]})


def labelme(shape: str, points: list[list[float]], **changes: Any) -> str:
    shapes = [{"label": "9p", "points": points, "shape_type": shape}]
    known = {"imagePath": "a.png", "imageWidth": 640, "imageHeight": 480}
    return json.dumps(known | {"shapes": shapes} | changes)


def studio(value: dict[str, Any], kind: str = "rectanglelabels") -> str:
    region = {"type": kind, "original_width": 640, "original_height": 480, "value": value | {kind: ["9p"]}}
    return json.dumps([{"id": 1, "data": {"image": "a.png"}, "annotations": [{"result": [region]}]}])


CASES: list[tuple[str, Files, list[tuple[str, str, str, tuple[float, ...]]], list[str]]] = [
    ("names in labels/classes.txt (labelImg 707)",
     {"images/a.png": "", "labels/a.txt": LINE, "labels/classes.txt": NAMES}, [("", "a", "9p", BOX)], []),
    ("names with a byte order mark", {"a.png": "", "a.txt": LINE, "classes.txt": "\ufeff9p\n1m\n"},
     [("", "a", "9p", BOX)], []),
    ("names in _darknet.labels of each split", {"train/a.png": "", "train/a.txt": LINE, "train/_darknet.labels": NAMES},
     [("train", "a", "9p", BOX)], []),
    ("names in notes.json, by id and not by place (label-studio 6416)",
     {"images/a.png": "", "labels/a.txt": LINE,
      "notes.json": json.dumps({"categories": [{"id": "1", "name": "1m"}, {"id": "0", "name": "9p"}]})},
     [("", "a", "9p", BOX)], []),
    ("names in a YAML file of any name", {"images/a.png": "", "labels/a.txt": LINE, "tiles.yml": "names: [9p, 1m]\n"},
     [("", "a", "9p", BOX)], []),
    ("numbers as names in YAML stay texts", {"images/a.png": "", "labels/a.txt": "2 .5 .5 .1 .2\n",
      "data.yaml": "names: [0, no, 9p]\n"}, [("", "a", "9p", BOX)], []),
    ("a confidence at the end of a line", {"a.png": "", "a.txt": "0 0.5 0.5 0.1 0.2 0.93\n", "classes.txt": NAMES},
     [("", "a", "9p", BOX)], []),
    ("the corners of a turned box (cvat 4250)", {"a.png": "", "a.txt": "0 .45 .4 .55 .4 .55 .6 .45 .6\n",
      "classes.txt": NAMES}, [("", "a", "9p", BOX)], ["polygon"]),
    ("key points after the box", {"images/a.png": "", "labels/a.txt": "0 .5 .5 .1 .2 .4 .4 2 .6 .6 2 .1 .1 1 .2 .2 1\n",
      "data.yaml": "names: [9p]\nkpt_shape: [4, 3]\n"}, [("", "a", "9p", BOX)], []),
    ("a label file beside the picture in images/", {"images/a.png": "", "images/a.txt": LINE, "classes.txt": NAMES},
     [("", "a", "9p", BOX)], []),
    ("an ending in capitals", {"images/a.PNG": "", "labels/a.txt": LINE, "classes.txt": NAMES},
     [("", "a", "9p", BOX)], []),
    ("a list of pictures is no label file", {"a.png": "", "a.txt": LINE, "train.txt": "a.png\n", "classes.txt": NAMES},
     [("", "a", "9p", BOX)], []),
    ("COCO out of the folder (label-studio 7294)",
     {"images/x-a.png": "", "result.json": coco("..\\..\\label-studio\\media\\upload\\4\\x-a.png")},
     [("", "x-a", "9p", (10, 20, 110, 220))], []),
    ("COCO with an absolute path", {"images/a.png": "", "result.json": coco("/home/me/set/images/a.png")},
     [("", "a", "9p", (10, 20, 110, 220))], []),
    ("COCO with a polygon and no box",
     {"a.png": "", "c.json": coco(bbox=[], segmentation=[[10, 20, 110, 20, 60, 220]])},
     [("", "a", "9p", (10, 20, 110, 220))], ["polygon"]),
    ("COCO with neither (X-AnyLabeling 397)", {"a.png": "", "c.json": coco(bbox=[], segmentation=[])},
     [], ["not_a_number"]),
    ("COCO with ids that begin at 3", {"a.png": "", "c.json": coco()}, [("", "a", "9p", (10, 20, 110, 220))], []),
    ("COCO of a year", {"val2017/a.png": "", "annotations/instances_val2017.json": coco()},
     [("val", "a", "9p", (10, 20, 110, 220))], []),
    ("VOC drawn from the lower right", {"a.png": "", "a.xml": xml("a.png", "110 220 10 20")},
     [("", "a", "9p", (10, 20, 110, 220))], []),
    ("VOC in another case", {"a.png": "", "a.xml": xml("A.PNG")}, [("", "a", "9p", (10, 20, 110, 220))], []),
    ("VOC without a size", {"a.png": "", "a.xml": xml("a.png", size="0 0")}, [("", "a", "9p", (10, 20, 110, 220))], []),
    ("VOC for a picture that was made smaller", {"a.png": "", "a.xml": xml("a.png", size="1280 960")},
     [], ["size_differs"]),
    ("VOC in folders of splits", {"valid/a.png": "", "valid/a.xml": xml("a.png")},
     [("val", "a", "9p", (10, 20, 110, 220))], []),
    ("LabelMe rectangle from any corner", {"a.png": "", "a.json": labelme("rectangle", [[352, 288], [288, 192]])},
     [("", "a", "9p", BOX)], []),
    ("LabelMe circle", {"a.png": "", "a.json": labelme("circle", [[320, 240], [350, 240]])},
     [("", "a", "9p", (290, 210, 350, 270))], []),
    ("LabelMe turned box",
     {"a.png": "", "a.json": labelme("rotation", [[288, 192], [352, 192], [352, 288], [288, 288]])},
     [("", "a", "9p", BOX)], ["polygon"]),
    ("LabelMe points are listed, not lost", {"a.png": "", "a.json": labelme("point", [[5, 5]])},
     [], ["unsupported_shape"]),
    ("LabelMe path of Windows", {"images/a.png": "",
      "json/a.json": labelme("rectangle", [[288, 192], [352, 288]], imagePath="..\\images\\a.png")},
     [("", "a", "9p", BOX)], []),
    ("Label Studio ellipse", {"a.png": "",
      "t.json": studio({"x": 50, "y": 50, "radiusX": 5, "radiusY": 10, "rotation": 0}, "ellipselabels")},
     [("", "a", "9p", BOX)], []),
    ("Label Studio brush is listed", {"a.png": "", "t.json": studio({"format": "rle", "rle": [1]}, "brushlabels")},
     [], ["unsupported_shape"]),
    ("Label Studio JSON-MIN", {"a.png": "", "t.json": json.dumps([{"image": "/data/upload/1/0123abcd-a.png", "id": 1,
      "label": [{"x": 45, "y": 40, "width": 10, "height": 20, "rotation": 0, "rectanglelabels": ["9p"],
                 "original_width": 640, "original_height": 480}]}])}, [("", "a", "9p", BOX)], []),
    ("CVAT polygon", {"a.png": "", "annotations.xml": '<annotations><image name="a.png" width="640" height="480">'
      '<polygon label="9p" points="288,192;352,192;320,288"/></image></annotations>'},
     [("", "a", "9p", BOX)], ["polygon"]),
    ("CVAT points are listed", {"a.png": "", "annotations.xml": '<annotations><image name="a.png" width="640" '
      'height="480"><points label="9p" points="1,2"/></image></annotations>'}, [], ["unsupported_shape"]),
    ("CVAT subset in the folder's name", {"images/train/a.png": "", "annotations.xml": '<annotations><image '
      'name="train/a.png" subset="train" width="640" height="480"><box label="9p" xtl="288" ytl="192" xbr="352" '
      'ybr="288"/></image></annotations>'}, [("train", "a", "9p", BOX)], []),
    ("CreateML with the older key", {"a.png": "", "a.json": json.dumps([{"imagefilename": "a.png", "annotations": [
      {"label": "9p", "coordinates": {"x": 320, "y": 240, "width": 64, "height": 96}}]}])},
     [("", "a", "9p", BOX)], []),
    ("AutoML table in shares", {"images/a.png": "", "a.csv": "VALIDATION,gs://b/a.png,9p,0.45,0.4,,,0.55,0.6,,\n"},
     [("val", "a", "9p", BOX)], []),
    ("RetinaNet table", {"images/a.png": "", "a.csv": "images/a.png,288,192,352,288,9p\n"}, [("", "a", "9p", BOX)], []),
    ("makesense table", {"a.png": "", "l.csv": "9p,288,192,64,96,a.png,640,480\n"}, [("", "a", "9p", BOX)], []),
    ("a table with semicolons",
     {"a.png": "", "l.csv": "filename;class;xmin;ymin;xmax;ymax\na.png;9p;288;192;352;288\n"},
     [("", "a", "9p", BOX)], []),
    ("VIA project", {"a.png": "", "via.json": json.dumps({"_via_img_metadata": {"a.png12": {"filename": "a.png",
      "regions": [{"shape_attributes": {"name": "rect", "x": 288, "y": 192, "width": 64, "height": 96},
                   "region_attributes": {"tile": "9p"}}]}}})}, [("", "a", "9p", BOX)], []),
    ("VIA table", {"a.png": "", "via.csv": "filename,region_shape_attributes,region_attributes\n"
      'a.png,"{""name"":""rect"",""x"":288,""y"":192,""width"":64,""height"":96}","{""label"":""9p""}"\n'},
     [("", "a", "9p", BOX)], []),
    ("folders of single tiles", {"train/1_man/x.png": "", "train/ton/y.png": ""},
     [("train", "x", "1m", (0, 0, 640, 480)), ("train", "y", "1z", (0, 0, 640, 480))], ["class_folders"]),
]  # fmt: skip


def write_files(root: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix.lower() == ".png":
            hollow_png(path, (640, 480))
        else:
            path.write_text(text, encoding="utf-8")
    return root


def boxes_of(found: LabelSet) -> list[tuple[str, str, str, Any]]:
    return [
        (picture.split, PurePosixPath(picture.name).stem, box.name, pytest.approx(box.box.xyxy, abs=0.01))
        for picture in found.pictures
        for box in picture.boxes
    ]


@pytest.mark.parametrize(("why", "files", "boxes", "codes"), CASES, ids=[case[0] for case in CASES])
def test_sets_of_other_programs(
    why: str, files: Files, boxes: list[tuple[str, str, str, tuple[float, ...]]], codes: list[str], tmp_path: Path
) -> None:
    found = formats.read(write_files(tmp_path / "set", files))
    assert boxes == boxes_of(found), why
    assert [each.code for each in (*found.problems, *found.notes)] == codes, why
    shapes = max(1, len(boxes))
    assert found.boxes + found.lost == shapes, "each shape is a box, or is listed"


@pytest.mark.parametrize(("why", "files", "boxes", "codes"), CASES, ids=[case[0] for case in CASES])
def test_the_same_sets_in_utf_16(
    why: str, files: Files, boxes: list[tuple[str, str, str, tuple[float, ...]]], codes: list[str], tmp_path: Path
) -> None:
    root = write_files(tmp_path / "set", files)
    for name, text in files.items():
        if not name.lower().endswith(".png"):
            (root / name).write_text(text.removeprefix("\ufeff"), encoding="utf-16")
    found = formats.read(root)
    assert boxes == boxes_of(found), why
    assert [each.code for each in (*found.problems, *found.notes)] == codes, why


@pytest.mark.parametrize("place", range(len(CASES)))
def test_what_was_read_survives_every_format(place: int, tmp_path: Path) -> None:
    why, files, boxes, _ = CASES[place]
    pictures = formats.read(write_files(tmp_path / "set", files)).pictures
    for name in formats.WRITTEN:
        if boxes:
            formats.write(pictures, tmp_path / name, format_name=name)
            assert boxes == boxes_of(formats.read(tmp_path / name)), f"{why}: {name}"


STOPPED: list[tuple[str, Files, str]] = [
    ("no list of names", {"images/a.png": "", "labels/a.txt": LINE}, "has no list of class names"),
    ("two lists that disagree", {"a.png": "", "a.txt": LINE, "classes.txt": NAMES, "data.yaml": "names: [1m, 9p]\n"},
     "name the classes differently: delete the wrong one"),
    ("lists of one set in two places", {"labels/a.txt": LINE, "images/a.png": "", "labels/classes.txt": NAMES,
     "data.yaml": "names: [1m, 9p]\n"}, "name the classes differently: delete the wrong one"),
    ("the folders of two people", {"ann/a.png": "", "ann/a.txt": LINE, "ann/classes.txt": NAMES, "ben/a.png": "",
     "ben/a.txt": LINE, "ben/data.yaml": "names: [1m, 9p]\n"}, "these are two sets, so use each folder by itself"),
    ("a list shorter than the numbers", {"a.png": "", "a.txt": "5 .5 .5 .1 .1\n", "classes.txt": NAMES},
     "names 2 classes, but a.txt, line 1 has class 5"),
    ("YAML that is none", {"images/a.png": "", "labels/a.txt": LINE, "data.yaml": "names: [9p\n"}, "is no YAML"),
    ("a name file that is no text", {"a.png": "", "a.txt": LINE, "notes.json": '{"categories": ['}, "is no JSON"),
]  # fmt: skip


@pytest.mark.parametrize(("why", "files", "said"), STOPPED, ids=[case[0] for case in STOPPED])
def test_what_cannot_be_known_stops_in_one_sentence(why: str, files: Files, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said) as caught:
        formats.read(write_files(tmp_path, files))
    assert "\n" not in str(caught.value), why


def test_numbers_without_a_list_are_settled_by_a_person(tmp_path: Path) -> None:
    root = write_files(tmp_path / "set", {"images/a.png": "", "labels/a.txt": "17 .45 .4 .55 .4 .55 .6 .45 .6\n"})
    (tmp_path / "names.json").write_text('{"17": "3z"}')
    for names, tile in (("ours", "9p"), (str(tmp_path / "names.json"), "3z")):
        found = formats.read(root, names=load_names(names))
        assert boxes_of(found) == [("", "a", tile, BOX)]


def test_what_people_said_of_their_folders_counts_for_the_folder_above_unless_they_disagree(tmp_path: Path) -> None:
    said = {"ann": '{"foo": "7z", "bar": "1q", "0": "9p"}', "ben": '{"foo": "7z", "bar": "1f"}'}
    for name, text in said.items():
        files = {"a.png": "", "a.txt": LINE, "classes.txt": "1m\nfoo\nbar\n", ".tilescore/names.json": text}
        write_files(tmp_path / name, files)
    meanings = {entry.name: entry.tile for entry in formats.class_names(tmp_path)[1] if entry.sure}
    assert meanings == {"1m": "1m", "foo": "7z"}
    write_files(tmp_path, {".tilescore/names.json": '{"bar": "1f"}'})
    assert formats.names_of(tmp_path) == {"foo": "7z", "bar": "1f"}


@pytest.mark.parametrize("text", ["", "[", "3", '{"a": "10m"}', '{"a": 3}', "[" * 100_000])
def test_a_damaged_file_of_names_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / "names.json").write_text(text)
    with pytest.raises(InputError, match="--names"):
        load_names(str(tmp_path / "names.json"))


def test_a_huge_label_file_is_refused_without_reading_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tilescore.datasets.intake.label_files.MAX_BYTES", len(coco()) - 1)
    found = formats.read(write_files(tmp_path, {"a.png": "", "c.json": coco()}), format_name="coco")
    assert [problem.code for problem in found.problems] == ["too_large"]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("coco", coco()),
        ("labelme", labelme("rectangle", [[352, 288], [288, 192]])),
        ("labelstudio", studio({"x": 45, "y": 40, "width": 10, "height": 20})),
        ("", "[" * 500),
    ],
)
def test_the_kind_of_a_large_file_is_told_part_by_part(
    kind: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of 300 MB would else be in memory twice only to be refused."""
    monkeypatch.setattr(label_files, "_PART_BYTES", 70)
    path = tmp_path / "a.json"
    path.write_text(text, encoding="utf-8")
    assert label_files.kind_of(path) == kind


@pytest.mark.parametrize("suffix", ["tif", "jfif", "gif", "avif", "JPG", "bmp", "webp", "jxl"])
def test_pictures_of_other_kinds_are_read_and_copied(suffix: str, tmp_path: Path) -> None:
    root = write_files(tmp_path / "set", {"a.txt": LINE, "classes.txt": NAMES})
    if suffix == "jxl":
        import pillow_jxl  # noqa: F401  # registers its format
    kind = {"jfif": "JPEG", "JPG": "JPEG", "tif": "TIFF"}.get(suffix, suffix.upper())
    Image.new("RGB", (640, 480), "white").save(root / f"a.{suffix}", kind)
    formats.write(formats.read(root).pictures, tmp_path / "out", format_name="yolo")
    (picture,) = formats.read(tmp_path / "out").pictures
    assert picture.path.suffix.lower() in (".jpg", ".png", ".bmp", ".webp")
    assert boxes_of(formats.read(tmp_path / "out")) == [("", "a", "9p", BOX)]


@pytest.mark.parametrize("orientation", range(1, 9))
def test_boxes_in_stored_pixels_turn_with_the_picture(orientation: int, tmp_path: Path) -> None:
    """A red patch is labelled in the stored pixels; after reading, the box lies on the patch of the upright picture."""
    stored = Image.new("RGB", (640, 480), "white")
    stored.paste("red", (100, 50, 180, 150))
    exif = Image.Exif()
    exif[0x0112] = orientation
    stored.save(tmp_path / "a.jpg", exif=exif, quality=95)
    (tmp_path / "a.xml").write_text(xml("a.jpg", "100 50 180 150"))
    found = formats.read(tmp_path, look=lambda _path, _choices: 1)  # asked where the size does not tell
    upright = load_photo(tmp_path / "a.jpg").rgb
    box = found.pictures[0].boxes[0].box
    inside = upright[int(box.y0) + 3 : int(box.y1) - 3, int(box.x0) + 3 : int(box.x1) - 3]
    assert inside.size
    assert inside[..., 0].min() > 200
    assert inside[..., 1].max() < 90


def test_the_stored_size_beside_upright_boxes_is_seen_through(tmp_path: Path) -> None:
    """Label Studio swaps the sides of the picture in its COCO file (label-studio 6608)."""
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (640, 480)).save(tmp_path / "a.jpg", exif=exif)
    (tmp_path / "result.json").write_text(coco("a.jpg", bbox=[10, 500, 100, 120]))
    assert formats.read(tmp_path).pictures[0].boxes[0].box.xyxy == (10, 500, 110, 620)


def test_all_shared_cases(shared: Path) -> None:
    folder = shared / "cases" / "datasets"
    cases = [json.loads(line) for line in (folder / "expected.jsonl").read_text(encoding="utf-8").splitlines()]
    assert cases
    for case in cases:
        root = folder / case["case"]
        if case["exit"] == 2:
            with pytest.raises(InputError):
                formats.read(root)
            continue
        found = boxes_of(formats.read(root))
        if case["boxes"] is not None:
            expected = [(split or "", stem, tile, tuple(xyxy)) for split, stem, tile, *xyxy in case["boxes"]]
            assert sorted(expected, key=_place) == sorted(found, key=_place), case["case"]


def _place(row: tuple[str, str, str, Any]) -> tuple[str, str, str]:
    return row[:3]
