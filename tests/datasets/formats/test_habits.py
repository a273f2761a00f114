"""Habits of annotation tools and of the people who use them: each is one small set, and what becomes of it.

A case has the files, the expected boxes, and the codes of the problems and notes.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tests.datasets.formats.test_foreign_sets import (
    BOX,
    LINE,
    NAMES,
    Files,
    boxes_of,
    coco,
    labelme,
    studio,
    write_files,
    xml,
)
from tilescore.datasets import formats

if TYPE_CHECKING:
    from pathlib import Path

HALF = (10, 20, 110, 220)
DECOMPOSED = "e\u0301"
"""The letter é as a Mac writes it in an archive."""
HEAD = "filename,width,height,class,xmin,ymin,xmax,ymax\n"
ROW = "a.png,640,480,9p,288,192,352,288\n"
Rows = list[tuple[str, str, str, tuple[float, ...]]]
A: Rows = [("", "a", "9p", BOX)]
C: Rows = [("", "a", "9p", HALF)]
MACS: Rows = [("", DECOMPOSED, "9p", BOX)]
IMAGE = {"id": 1, "file_name": "a.png", "width": 640, "height": 480}
NOTE = {"id": 1, "image_id": 1, "category_id": 3, "bbox": [10, 20, 100, 200]}
FLAT = [272, 208, 96, 64]
"""The box of A before a quarter turn."""
KIND = {"id": 3, "name": "9p"}


def yolo(text: str, **more: str) -> Files:
    return {"a.png": "", "a.txt": text, "classes.txt": NAMES, **more}


def table(text: str) -> Files:
    return {"a.png": "", "t.csv": text}


def json_coco(images: Any = None, notes: Any = None, kinds: Any = None) -> Files:
    found = {"images": images or [IMAGE], "annotations": notes or [NOTE], "categories": kinds or [KIND]}
    return {"a.png": "", "c.json": json.dumps(found)}


def cvat(box: str, head: str = 'name="a.png" width="640" height="480"') -> Files:
    return {"a.png": "", "annotations.xml": f"<annotations><image {head}>{box}</image></annotations>"}


def answered(*results: list[Any]) -> Files:
    annotations = [{"result": result} for result in results]
    return {"a.png": "", "t.json": json.dumps([{"data": {"image": "a.png"}, "annotations": annotations}])}


MARK = json.loads(studio({"x": 45, "y": 40, "width": 10, "height": 20}))[0]["annotations"][0]["result"][0]
CVAT_BOX = '<box label="9p" xtl="288" ytl="192" xbr="352" ybr="288"/>'
CASES: list[tuple[str, Files, Rows, list[str]]] = [
    ("YOLO: empty lines", yolo(f"\n{LINE}\n\n"), A, []),
    ("YOLO: CRLF", yolo(LINE.strip() + "\r\n"), A, []),
    ("YOLO: tabs", yolo(LINE.replace(" ", "\t")), A, []),
    ("YOLO: spaces before and after", yolo("  " + LINE.replace("\n", "   \n")), A, []),
    ("YOLO: a byte order mark", yolo("\ufeff" + LINE), A, []),
    ("YOLO: a class as a float", yolo(LINE.replace("0 ", "0.0 ", 1)), A, []),
    ("YOLO: exponents", yolo("0 5e-1 5.0E-1 1e-1 2e-01\n"), A, []),
    ("YOLO: no line end", yolo(LINE.strip()), A, []),
    ("YOLO: a line twice", yolo(LINE * 2), A * 2, []),
    ("YOLO: a Mac took the names apart", {**yolo(""), DECOMPOSED + ".png": "", "é.txt": LINE}, MACS, []),
    ("YOLO: a Mac took the labels apart", {**yolo(""), "images/é.png": "", f"labels/{DECOMPOSED}.txt": LINE},
     [("", "é", "9p", BOX)], []),
    ("YOLO: both forms of a name", {**yolo(""), "é.png": "", DECOMPOSED + ".png": "", "é.txt": LINE},
     [("", "é", "9p", BOX)], []),
    ("YOLO: a negative class", yolo("-1 .5 .5 .1 .2\n"), [], ["class_out_of_range"]),
    ("YOLO: a missing value", yolo("0 .5 .5 .1\n"), [], ["broken_labels"]),
    ("YOLO: a comma for a point", yolo("0 0,5 0,5 0,1 0,2\n"), [], ["not_a_number"]),
    ("YOLO: nan", yolo("0 nan .5 .1 .2\n"), [], ["not_a_number"]),
    ("YOLO: no width", yolo("0 .5 .5 0 .2\n"), [], ["empty_box"]),
    ("YOLO: a negative width", yolo("0 .5 .5 -.1 .2\n"), [], ["empty_box"]),
    ("YOLO: pixels instead of shares", yolo("0 320 240 64 96\n"), [], ["box_elsewhere"]),
    ("YOLO: over the edge", yolo("0 1 .5 .1 .2\n"), [("", "a", "9p", (608, 192, 640, 288))], ["box_outside"]),
    ("YOLO: an ending in capitals of the labels", {"a.png": "", "a.TXT": LINE, "classes.txt": NAMES}, A, []),
    ("YOLO: spaces in names",
     {"images/my photo (1).png": "", "labels/my photo (1).txt": LINE, "classes.txt": NAMES},
     [("", "my photo (1)", "9p", BOX)], []),
    ("YOLO: dots in names", {"a.rf.12.png": "", "a.rf.12.txt": LINE, "classes.txt": NAMES},
     [("", "a.rf.12", "9p", BOX)], []),
    ("YOLO: folders with equal names",
     {"images/x/a.png": "", "labels/x/a.txt": LINE, "images/y/a.png": "", "labels/y/a.txt": "1" + LINE[1:],
      "classes.txt": NAMES}, [("", "a", "9p", BOX), ("", "a", "1m", BOX)], []),
    ("YOLO: an empty label file is a picture without tiles", yolo(LINE, **{"b.png": "", "b.txt": ""}), A, []),
    ("YOLO: names as a mapping", {"a.png": "", "a.txt": LINE, "data.yaml": "names:\n  0: 9p\n  1: 1m\n"}, A, []),
    ("YOLO: names with spaces around", yolo(LINE, **{"classes.txt": " 9p \r\n1m\r\n"}), A, []),
    ("YOLO: an empty last name", yolo(LINE, **{"classes.txt": "9p\n1m\n\n\n"}), A, []),
    ("YOLO: a closed polygon at a corner of the picture", yolo("0 0 0 .1 0 .1 .2 0 .2 0 0\n"),
     [("", "a", "9p", (0, 0, 64, 96))], ["polygon"]),
    ("YOLO: an open polygon at a corner of the picture", yolo("0 .8 .2 .8 0 1 0 1 .2 .9 0\n"),
     [("", "a", "9p", (512, 0, 640, 96))], ["polygon"]),
    ("YOLO: key points of a box at the edge of the picture", yolo("0 .099 .5 .2 .2 .05 .45 2 .15 .55 2\n"),
     [("", "a", "9p", (0, 192, 127.36, 288))], ["box_outside"]),
    ("YOLO: hidden key points of a box at the edge", yolo("0 .099 .5 .2 .2 .05 .45 1 .15 .55 1\n"),
     [("", "a", "9p", (0, 192, 127.36, 288))], ["box_outside"]),
    ("YOLO: key points of a box that reaches out of the picture", yolo("0 .05 .5 .2 .2 .05 .45 2 .15 .55 2\n"),
     [("", "a", "9p", (0, 192, 96, 288))], ["box_outside"]),
    ("CSV: CRLF", table((HEAD + ROW).replace("\n", "\r\n")), A, []),
    ("CSV: a byte order mark", table("\ufeff" + HEAD + ROW), A, []),
    ("CSV: empty rows", table(HEAD + "\n" + ROW + "\n,,,,,,,\n"), A, []),
    ("CSV: a comma at the end of rows", table(HEAD.replace("\n", ",\n") + ROW.replace("\n", ",\n")), A, []),
    ("CSV: everything in quotes", table((HEAD + ROW).replace(",", '","').replace("\n", '"\n').replace(
     "filename", '"filename').replace("a.png", '"a.png')), A, []),
    ("CSV: spaces behind commas", table((HEAD + ROW).replace(",", ", ")), A, []),
    ("CSV: tabs", table((HEAD + ROW).replace(",", "\t")), A, []),
    ("CSV: sides in the other order", table(HEAD + "a.png,640,480,9p,352,288,288,192\n"), A, []),
    ("CSV: floats", table(HEAD + "a.png,640.0,480.0,9p,288.0,192.0,352.0,288.0\n"), A, []),
    ("CSV: a row for a picture that is missing", table(HEAD + ROW + ROW.replace("a.png", "b.png")), A,
     ["no_such_picture"]),
    ("COCO: ids as texts", json_coco([IMAGE | {"id": "1"}], [NOTE | {"image_id": "1"}]), C, []),
    ("COCO: the id of a picture as a text, and as a number", json_coco(notes=[NOTE | {"image_id": "1"}]), C, []),
    ("COCO: the id of a class as a text", json_coco(notes=[NOTE | {"category_id": "3"}]), C, []),
    ("COCO: the id of a class as a float", json_coco(notes=[NOTE | {"category_id": 3.0}]), C, []),
    ("COCO: numbers as texts", json_coco(notes=[NOTE | {"bbox": ["10", "20", "100", "200"]}]), C, []),
    ("COCO: no size of the picture", json_coco([{"id": 1, "file_name": "a.png"}]), C, []),
    ("COCO: a size of nought", json_coco([IMAGE | {"width": 0, "height": 0}]), C, []),
    ("COCO: a negative width", json_coco(notes=[NOTE | {"bbox": [110, 20, -100, 200]}]), C, []),
    ("COCO: a box without area around a polygon", json_coco(notes=[NOTE | {
     "bbox": [10, 20, 0, 0], "segmentation": [[10, 20, 110, 20, 110, 220, 10, 220]]}]), C, []),
    ("COCO: a mask (RLE) without a box", json_coco(notes=[NOTE | {
     "bbox": [0, 0, 0, 0], "segmentation": {"counts": "abc", "size": [480, 640]}}]), [], ["unsupported_shape"]),
    ("COCO: a mask (RLE) beside the box",
     json_coco(notes=[NOTE | {"iscrowd": 1, "segmentation": {"counts": [1, 2], "size": [480, 640]}}]), C, []),
    ("COCO: a polygon of two points beside the box", json_coco(notes=[NOTE | {"segmentation": [[10, 20, 110, 220]]}]),
     C, []),
    ("COCO: an annotation without a picture", json_coco(notes=[NOTE, NOTE | {"image_id": 9}]), C, ["no_such_picture"]),
    ("COCO: a class without a name", json_coco(notes=[NOTE, NOTE | {"category_id": 7}]), C, ["class_out_of_range"]),
    ("COCO: two classes of one id", json_coco(kinds=[KIND, KIND | {"name": "1m"}]), [], ["class_out_of_range"]),
    ("COCO: a class twice", json_coco(kinds=[KIND, KIND]), C, []),
    ("COCO: a picture twice", json_coco([IMAGE, IMAGE | {"id": 2}]), [], ["same_name"] * 2),
    ("COCO: a parent class", json_coco(kinds=[{"id": 0, "name": "tiles"}, KIND | {"supercategory": "tiles"}]), C, []),
    ("COCO: spaces in the name", {"my a.png": "", "c.json": coco("my a.png")}, [("", "my a", "9p", HALF)], []),
    ("COCO: the name as in a URL", {"my a.png": "", "c.json": coco("my%20a.png")}, [("", "my a", "9p", HALF)], []),
    ("COCO: an accent composed otherwise", {"e\u0301.png": "", "c.json": coco("\u00e9.png")},
     [("", "e\u0301", "9p", HALF)], []),
    ("VOC: spaces in the names of a split",
     {"JPEGImages/my 1.png": "", "Annotations/my 1.xml": xml("my 1.png"), "ImageSets/Main/val.txt": "my 1\n"},
     [("val", "my 1", "9p", HALF)], []),
    ("VOC: a list of a class", {"a.png": "", "a.xml": xml("a.png"), "ImageSets/Main/val.txt": "a  -1\n"},
     [("val", "a", "9p", HALF)], []),
    ("VOC: a name that begins with a space", {"JPEGImages/ a.png": "", "Annotations/ a.xml": xml(" a.png")},
     [("", " a", "9p", HALF)], []),
    ("VOC: floats", {"a.png": "", "a.xml": xml("a.png", "10.0 20.0 110.0 220.0")}, C, []),
    ("VOC: spaces around values", {"a.png": "", "a.xml": xml(" a.png ", label=" 9p ")}, C, []),
    ("VOC: a name without an ending", {"a.png": "", "a.xml": xml("a")}, C, []),
    ("VOC: the name of another picture", {"a.png": "", "a.xml": xml("IMG_0001.jpg")}, C, []),
    ("VOC: nothing labelled", {"a.png": "", "a.xml": xml("a.png").split("<object>")[0] + "</annotation>"}, [], []),
    ("LabelMe: a polygon of two points", {"a.png": "", "a.json": labelme("polygon", [[288, 192], [352, 288]])},
     A, ["polygon"]),
    ("LabelMe: no size", {"a.png": "", "a.json": labelme("rectangle", [[288, 192], [352, 288]], imageWidth=None,
     imageHeight=None)}, A, []),
    ("CVAT: a turned ellipse",
     cvat('<ellipse label="9p" cx="320" cy="240" rx="48" ry="32" rotation="90"/>'), A, []),
    ("VIA: a turned ellipse", {"a.png": "", "v.json": json.dumps({"a.png1": {"filename": "a.png", "regions": [
     {"shape_attributes": {"name": "ellipse", "cx": 320, "cy": 240, "rx": 48, "ry": 32, "theta": math.pi / 2},
      "region_attributes": {"label": "9p"}}]}})}, A, []),
    ("Label Studio: a turned ellipse", {"a.png": "", "t.json": studio(
     {"x": 50, "y": 50, "radiusX": 7.5, "radiusY": 100 / 15, "rotation": 90}, "ellipselabels")}, A, []),
    ("COCO: a turned box of CVAT", json_coco(notes=[NOTE | {"bbox": FLAT, "attributes": {"rotation": 90.0}}]), A,
     ["polygon"]),
    ("COCO: another attribute of that name", json_coco(notes=[NOTE | {"attributes": {"rotation": "left"}}]), C, []),
    ("VOC: a turned box of CVAT", {"a.png": "", "a.xml": xml("a.png", "272 208 368 272").replace(
     "<bndbox>", "<attributes><attribute><name>rotation</name><value>90.0</value></attribute></attributes><bndbox>")},
     A, ["polygon"]),
    ("Datumaro: a turned box of CVAT", {"a.png": "", "default.json": json.dumps({
     "categories": {"label": {"labels": [{"name": "9p"}]}}, "items": [{"id": "a", "annotations": [
         {"type": "bbox", "label_id": 0, "bbox": FLAT, "attributes": {"rotation": 90.0}}]}]})}, A, ["polygon"]),
    ("Label Studio: two annotators", answered([MARK, MARK], [MARK]), A, ["several_annotations"]),
    ("Label Studio: an empty annotation after a filled one", answered([MARK], []), A, []),
    ("Label Studio: two empty annotations", answered([], []), [], []),
    ("CVAT: no size", cvat(CVAT_BOX, 'name="a.png"'), A, []),
    ("CVAT: a tag of the whole picture", cvat(CVAT_BOX + '<tag label="9p"/>'), A, []),
    ("CVAT: a turned box", cvat(CVAT_BOX.replace("/>", ' rotation="180"/>')), A, ["polygon"]),
]  # fmt: skip


LISTS = {"train.txt": "/mj/images/setA/a.png\r\n", "val.txt": "C:\\mj\\images\\setB\\b.png\n\nimages/c.png\n"}
DARKNET = {"cfg/obj.data": "classes = 2\ntrain = data/train.txt\nvalid = val.txt\n"}
# the folders of the pictures a and b, what data.yaml says, their splits, and further files
SPLITS: list[tuple[str, str, str, str, Files]] = [
    ("lists of pictures", "setA setB", "path: .\ntrain: train.txt\nval: ./val.txt", "train val", LISTS),
    ("Darknet", "setA setB", "", "train val", LISTS | DARKNET),
    ("folders", "setA setB", "train: images/setA\nval: images/setB", "train val", {}),
    ("several folders", "setA x/y", "train: [images/setA, no]\nvalid:\n- images/x", "train val", {}),
    ("a folder in the other", "setA setB", "train: images\nval: images/setB", "train val", {}),
    ("folders below the path", "setA setB", "path: ../images\ntrain: setA\ntest: setB", "train test", {}),
    ("another machine", "setA setB", "train: /mj/images/setA\nval: C:\\mj\\images\\setB", "train val", {}),
    ("other names", "val train", "train: images/val\nval: images/train", "train val", {}),
    ("an exact name", "x test_unseen", "train: images/x\ntest: images/test_unseen", "train test_unseen", {}),
    ("one folder for two", "train setB", "train: images\nval: images", "train ", {}),
    ("one split alone", "val setB", "train: images", "val ", {}),
    ("what is not there", "val setB", f"train: no.txt\nval: {'a' * 300}\ntest: 5", "val ", {}),
]


@pytest.mark.parametrize("case", SPLITS, ids=[case[0] for case in SPLITS])
def test_a_description_tells_the_splits(case: tuple[str, str, str, str, Files], tmp_path: Path) -> None:
    why, folders, described, splits, more = case
    one, two = folders.split(" ")
    files = {f"images/{one}/a.png": "", f"labels/{one}/a.txt": LINE, f"images/{two}/b.png": "", **more}
    found = formats.read(write_files(tmp_path / "set", files | {"data.yaml": f"{described}\nnames: [9p, 1m]\n"}))
    by_name = {picture.path.stem: picture.split for picture in found.pictures}
    assert f"{by_name['a']} {by_name['b']}" == splits, why


def test_there_are_sixty() -> None:
    assert len({why for why, *_ in CASES}) == len(CASES) >= 60


@pytest.mark.parametrize(("why", "files", "boxes", "codes"), CASES, ids=[case[0] for case in CASES])
def test_a_habit(why: str, files: Files, boxes: Rows, codes: list[str], tmp_path: Path) -> None:
    found = formats.read(write_files(tmp_path / "set", files))
    assert boxes == boxes_of(found), f"{why}: {found.problems}"
    assert [each.code for each in (*found.problems, *found.notes)] == codes, why


def test_a_mask_that_is_not_read_hides_its_picture(tmp_path: Path) -> None:
    mask = NOTE | {"bbox": [0, 0, 0, 0], "segmentation": {"counts": "abc", "size": [480, 640]}}
    (picture,) = formats.read(write_files(tmp_path / "set", json_coco(notes=[mask]))).pictures
    assert picture.hidden == 1


@pytest.mark.parametrize("encoding", ["gb2312", "Shift_JIS", "big5", "ISO-8859-1"])
def test_xml_in_an_encoding_of_a_language(encoding: str, tmp_path: Path) -> None:
    root = write_files(tmp_path / "set", {"a.png": ""})
    label = "九筒" if encoding != "ISO-8859-1" else "9p"
    comment = f"<!--x{label[0] * 3000}-->"  # longer than the part of a file that is read at a time
    text = f'<?xml version="1.0" encoding="{encoding}"?>{comment}' + xml("a.png", label=label)
    (root / "a.xml").write_text(text, encoding=encoding)
    assert boxes_of(formats.read(root)) == C


def test_pictures_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    files = {place.format(kind, end): text
             for place in ("train/monday/{}/a.{}", "train/friday/{}/a.{}", "train/{}/b.{}", "{}/train/b.{}")
             for kind, end, text in (("images", "png", ""), ("labels", "txt", LINE))}  # fmt: skip
    pictures = formats.read(write_files(tmp_path / "set", files | {"classes.txt": NAMES})).pictures
    assert [picture.key for picture in pictures] == [
        "train/friday/a.png", "train/images/train/b.png", "train/monday/a.png", "train/train/images/b.png",
    ]  # fmt: skip
    assert formats.write(pictures, tmp_path / "out", format_name="yolo") == ()
    twins = [pictures[0], replace(pictures[1], name=pictures[0].name)]
    (same,) = formats.write(twins, tmp_path / "twins", format_name="yolo")
    assert f"'{pictures[0].path}' has the same name" in same.detail
