"""Formats that are read only: a small set in the form of each program, read, and written in each other format."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from tests.datasets.formats.test_foreign_sets import BOX, Files, boxes_of, write_files
from tilescore.datasets import formats
from tilescore.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PLACE = {"left": 288, "top": 192, "width": 64, "height": 96}
SHARES = [0.45, 0.4, 0.1, 0.2]
YOLO = [0, 0.5, 0.5, 0.1, 0.2]
SIZE = {"width": 640, "height": 480}
CORNERS = [[300, 192], [352, 200], [340, 288], [288, 280]]
AROUND = (288, 192, 352, 288)
TURNED = "300 192 352 200 340 288 288 280"
KITTI = " 0 0 0 288 192 352 288 -1 -1 -1 -1000 -1000 -1000 -10"


def lines(*values: object) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def vott(region: dict[str, Any], name: str = "a.png") -> dict[str, Any]:
    return {"asset": {"format": "png", "name": name, "path": f"file:/x/{name}", "size": SIZE}, "regions": [region]}


def supervisely(kind: str, points: list[list[int]], label: str = "9p") -> str:
    shape = {"classTitle": label, "geometryType": kind, "points": {"exterior": points, "interior": []}}
    return json.dumps({"description": "", "tags": [], "size": SIZE, "objects": [shape]})


def datumaro(note: dict[str, Any], path: str = "a.png") -> str:
    labels = {"label": {"labels": [{"name": "1m"}, {"name": "9p"}]}}
    item = {"id": "a", "annotations": [note], "image": {"path": path, "size": [480, 640]}}
    return json.dumps({"info": {}, "categories": labels, "items": [item]})


def fiftyone(**more: Any) -> str:
    found = {"_cls": "Detections", "detections": [{"label": "9p", "bounding_box": SHARES}]}
    return json.dumps({"name": "s", "samples": [{"filepath": "/home/me/data/a.png", "ground_truth": found} | more]})


def labelbox(entry: dict[str, Any], **row: Any) -> dict[str, Any]:
    parts = [{"annotations": {"objects": [entry]}}]
    return {"data_row": {"id": "x", "external_id": "a.png"} | row, "media_attributes": SIZE,
            "projects": {"p": {"labels": parts}}}  # fmt: skip


def sagemaker(job: str = "tiles", number: int = 1) -> dict[str, Any]:
    found = {"image_size": [SIZE | {"depth": 3}], "annotations": [{"class_id": number} | PLACE]}
    return {"source-ref": "s3://bucket/photos/a.png", job: found, f"{job}-metadata": {"class-map": {"1": "9p"}}}


def ultralytics(kind: str, row: list[float], **more: Any) -> str:
    head = {"type": "dataset", "task": "detect", "name": "s", "class_names": {"0": "9p"}}
    image = {"type": "image", "file": "a.png", "url": "https://x/a.png", "annotations": {kind: [row]}}
    return lines(head, image | SIZE | more)


def tracks(*boxes: str, size: str = "") -> str:
    return (
        f"<annotations><meta><task>{size}</task></meta><track id='0' label='9p'>{''.join(boxes)}</track></annotations>"
    )


def at(frame: int, outside: int = 0) -> str:
    return f"<box frame='{frame}' outside='{outside}' keyframe='1' xtl='288' ytl='192' xbr='352' ybr='288'/>"


ROTATED = (
    "<annotation><filename>a</filename><object><type>robndbox</type><name>9p</name><robndbox><cx>320</cx><cy>240</cy>"
    "<w>96</w><h>64</h><angle>1.5707963</angle></robndbox></object></annotation>"
)
STORED = "<original_size><width>640</width><height>480</height></original_size>"

CASES: list[tuple[str, Files, list[tuple[str, str, str, tuple[float, ...]]], list[str]]] = [
    ("DOTA", {"images/a.png": "", "labelTxt/a.txt": "imagesource:GoogleEarth\ngsd:0.1\n" + TURNED + " 9p 0\n"},
     [("", "a", "9p", AROUND)], ["polygon"]),
    ("DOTA without a head, upright", {"train/images/a.png": "", "train/labelTxt/a.txt":
     "288 192 352 192 352 288 288 288 9p 1\n"}, [("train", "a", "9p", BOX)], []),
    ("DOTA with a broken line", {"images/a.png": "", "labelTxt/a.txt": TURNED + " 9p 0\n1 2 3\n"},
     [("", "a", "9p", AROUND)], ["broken_labels", "polygon"]),
    ("KITTI", {"training/image_2/a.png": "", "training/label_2/a.txt": "9p" + KITTI + "\n"},
     [("train", "a", "9p", BOX)], []),
    ("KITTI with a score", {"images/a.png": "", "labels/a.txt": "9p" + KITTI + " 0.9\n"}, [("", "a", "9p", BOX)], []),
    ("VoTT export", {"a.png": "", "vott-json-export/t-export.json": json.dumps({"assets": {"id1": vott(
     {"type": "RECTANGLE", "tags": ["9p"], "boundingBox": PLACE})}})}, [("", "a", "9p", BOX)], []),
    ("VoTT file of a picture", {"a.png": "", "x-asset.json": json.dumps(vott({"tags": ["9p"], "boundingBox": PLACE}))},
     [("", "a", "9p", BOX)], []),
    ("VoTT export beside the files of pictures", {"a.png": "",
     "x-asset.json": json.dumps(vott({"tags": ["9p"], "boundingBox": PLACE})),
     "e.json": json.dumps({"assets": {"i": vott({"tags": ["9p"], "boundingBox": PLACE})}})},
     [("", "a", "9p", BOX)], []),
    ("VoTT polygon", {"a.png": "", "e.json": json.dumps({"assets": {"i": vott(
     {"type": "POLYGON", "tags": ["9p"], "points": [{"x": x, "y": y} for x, y in CORNERS]})}})},
     [("", "a", "9p", AROUND)], ["polygon"]),
    ("Supervisely", {"ds/img/a.png": "", "ds/ann/a.png.json": supervisely("rectangle", [[288, 192], [352, 288]]),
     "meta.json": json.dumps({"classes": [{"title": "9p", "shape": "rectangle"}], "tags": []})},
     [("", "a", "9p", BOX)], []),
    ("Supervisely polygon", {"ds/img/a.png": "", "ds/ann/a.png.json": supervisely("polygon", CORNERS)},
     [("", "a", "9p", AROUND)], ["polygon"]),
    ("Supervisely point", {"ds/img/a.png": "", "ds/ann/a.png.json": supervisely("point", [[5, 5]])},
     [], ["unsupported_shape"]),
    ("Supervisely, two folders with one name", {"a/img/a.png": "", "b/img/a.png": "",
     "a/ann/a.png.json": supervisely("rectangle", [[288, 192], [352, 288]]),
     "b/ann/a.png.json": supervisely("rectangle", [[288, 192], [352, 288]], "1m")},
     [("", "a", "9p", BOX), ("", "a", "1m", BOX)], []),
    ("Datumaro", {"images/a.png": "", "annotations/train.json": datumaro(
     {"type": "bbox", "label_id": 1, "bbox": [288, 192, 64, 96]})}, [("train", "a", "9p", BOX)], []),
    ("Datumaro polygon", {"images/default/a.png": "", "annotations/default.json": datumaro(
     {"type": "polygon", "label_id": 1, "points": [v for p in CORNERS for v in p]})},
     [("", "a", "9p", AROUND)], ["polygon"]),
    ("Datumaro label of the whole picture", {"a.png": "", "d.json": datumaro({"type": "label", "label_id": 1})},
     [], []),
    ("FiftyOne", {"data/a.png": "", "samples.json": fiftyone()}, [("", "a", "9p", BOX)], []),
    ("FiftyOne with tags", {"data/a.png": "", "samples.json": fiftyone(tags=["validation"], metadata=SIZE)},
     [("val", "a", "9p", BOX)], []),
    ("Labelbox lines", {"a.png": "", "export.ndjson": lines(labelbox({"name": "9p", "bounding_box": PLACE}))},
     [("", "a", "9p", BOX)], []),
    ("Labelbox list", {"a.png": "", "export.json": json.dumps([labelbox({"name": "9p", "bounding_box": PLACE})])},
     [("", "a", "9p", BOX)], []),
    ("Labelbox polygon", {"a.png": "", "e.ndjson": lines(labelbox(
     {"name": "9p", "polygon": [{"x": x, "y": y} for x, y in CORNERS]}))}, [("", "a", "9p", AROUND)], ["polygon"]),
    ("Labelbox without a name of its own", {"a.png": "", "e.ndjson": lines(labelbox(
     {"name": "9p", "bounding_box": PLACE}, external_id="", row_data="https://x.org/p/a.png?sig=1"))},
     [("", "a", "9p", BOX)], []),
    ("Labelbox of the first version", {"a.png": "", "e.json": json.dumps([{"ID": "1", "External ID": "a.png", "Label": {
     "objects": [{"title": "9p", "bbox": PLACE}]}}])}, [("", "a", "9p", BOX)], []),
    ("SageMaker", {"a.png": "", "output.manifest": lines(sagemaker())}, [("", "a", "9p", BOX)], []),
    ("SageMaker under the name of the job", {"photos/a.png": "", "o.manifest": lines(sagemaker("my-job-2"))},
     [("", "a", "9p", BOX)], []),
    ("Ultralytics lines", {"images/a.png": "", "s.ndjson": ultralytics("boxes", YOLO, split="train")},
     [("train", "a", "9p", BOX)], []),
    ("Ultralytics segments", {"a.png": "", "s.ndjson": ultralytics(
     "segments", [0, *(v for x, y in CORNERS for v in (x / 640, y / 480))])}, [("", "a", "9p", AROUND)], ["polygon"]),
    ("Hugging Face", {"train/a.png": "", "train/metadata.jsonl": lines(
     {"file_name": "a.png", "objects": {"bbox": [[288, 192, 64, 96]], "categories": ["9p"]}})},
     [("train", "a", "9p", BOX)], []),
    ("Hugging Face with numbers and a list", {"a.png": "", "classes.txt": "1m\n9p\n", "metadata.jsonl": lines(
     {"file_name": "a.png", "objects": {"bbox": [[288, 192, 64, 96]], "category": [1]}})}, [("", "a", "9p", BOX)], []),
    ("roLabelImg", {"a.png": "", "a.xml": ROTATED}, [("", "a", "9p", BOX)], ["polygon"]),
    ("a pose with visibility and no kpt_shape", {"a.png": "", "classes.txt": "9p\n",
     "a.txt": "0 .5 .5 .1 .2 .46 .41 2 .54 .41 1 .54 .6 0 .46 .6 2\n"}, [("", "a", "9p", BOX)], []),
    ("a pose of three points", {"a.png": "", "classes.txt": "9p\n",
     "a.txt": "0 .5 .5 .1 .2 .46 .41 2 .54 .41 1 .54 .6 0\n"}, [("", "a", "9p", BOX)], []),
    ("CVAT video", {"images/frame_000000.png": "", "images/frame_000002.png": "", "annotations.xml":
     tracks(at(0), at(1, outside=1), at(2), size=STORED)},
     [("", "frame_000000", "9p", BOX), ("", "frame_000002", "9p", BOX)], []),
    ("CVAT video with frames of ffmpeg", {"00007.png": "", "annotations.xml": tracks(at(7))},
     [("", "00007", "9p", BOX)], []),
    ("CVAT video with a frame that is missing", {"frame_000000.png": "", "annotations.xml": tracks(at(0), at(5))},
     [("", "frame_000000", "9p", BOX)], ["no_such_picture"]),
]  # fmt: skip
WHOLE = (0, 0, 640, 480)
CROPS: list[tuple[str, Files, list[tuple[str, str]]]] = [
    ("a table of classes", {"crops/x.png": "", "crops/y.png": "",
     "labels.csv": "file,class\ncrops/x.png,1_man\ny.png,ton\n"},
     [("x", "1m"), ("y", "1z")]),
    ("a table without endings", {"x.png": "", "y.png": "", "t.csv": "id;label\nx;5p\ny;haku\n"},
     [("x", "5p"), ("y", "5z")]),
    ("a table of numbers with a list", {"x.png": "", "y.png": "", "t.csv": "filename,label\nx.png,1\ny.png,0\n",
     "classes.txt": "1m\n9p\n"}, [("x", "9p"), ("y", "1m")]),
    ("numbered folders and a list", {"0/x.png": "", "1/y.png": "", "classes.txt": "1m\n9p\n"},
     [("x", "1m"), ("y", "9p")]),
    ("numbered folders in splits", {"train/0/x.png": "", "val/01/y.png": "", "labels.txt": "1m\n9p\n"},
     [("x", "1m"), ("y", "9p")]),
    ("the class in the name", {"1m_001.png": "", "1m_002.png": "", "9p_001.png": "", "ton-1.png": ""},
     [("1m_001", "1m"), ("1m_002", "1m"), ("9p_001", "9p"), ("ton-1", "1z")]),
    ("the class in the name, copies of Windows", {"man5 (1).png": "", "man5 (2).png": "", "sou1 (1).png": ""},
     [("man5 (1)", "5m"), ("man5 (2)", "5m"), ("sou1 (1)", "1s")]),
]  # fmt: skip


@pytest.mark.parametrize(("why", "files", "boxes", "codes"), CASES, ids=[case[0] for case in CASES])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_sets_of_further_programs(
    why: str, files: Files, boxes: list[tuple[str, str, str, tuple[float, ...]]], *, codes: list[str], encoding: str,
    tmp_path: Path,
) -> None:  # fmt: skip
    root = write_files(tmp_path / "set", files)
    for name, text in files.items():
        if not name.endswith(".png"):
            (root / name).write_text(text, encoding=encoding)
    found = formats.read(root)
    assert boxes == boxes_of(found), f"{why}: {found.problems}"
    assert [each.code for each in (*found.problems, *found.notes)] == codes, why


@pytest.mark.parametrize("place", range(len(CASES)))
def test_what_was_read_survives_every_format(place: int, tmp_path: Path) -> None:
    why, files, boxes, codes = CASES[place]
    pictures = formats.read(write_files(tmp_path / "set", files)).pictures
    for name in formats.WRITTEN:
        if boxes and "broken_labels" not in codes and "two folders" not in why:
            formats.write(pictures, tmp_path / name, format_name=name)
            assert boxes == boxes_of(formats.read(tmp_path / name)), f"{why}: {name}"


def test_corners_stay_where_the_written_format_has_them(tmp_path: Path) -> None:
    pictures = formats.read(write_files(tmp_path / "set", dict(CASES[0][1]))).pictures
    formats.write(pictures, tmp_path / "out", format_name="cvat")
    (box,) = formats.read(tmp_path / "out").pictures[0].boxes
    assert [round(value) for corner in box.corners for value in corner] == [v for corner in CORNERS for v in corner]


@pytest.mark.parametrize(("why", "files", "tiles"), CROPS, ids=[case[0] for case in CROPS])
def test_pictures_of_single_tiles(why: str, files: Files, tiles: list[tuple[str, str]], tmp_path: Path) -> None:
    found = formats.read(write_files(tmp_path / "set", files))
    assert [(stem, tile, xyxy) for _, stem, tile, xyxy in boxes_of(found)] == [(*pair, WHOLE) for pair in tiles], why
    assert not found.problems, why


@pytest.mark.parametrize("names", [("anna_1", "east_2", "img_3", "b_4"), ("east_1", "south_1", "west_1", "north_1")])
def test_photos_of_people_and_of_seats_are_no_single_tiles(names: tuple[str, ...], tmp_path: Path) -> None:
    root = write_files(tmp_path / "set", {f"images/{name}.png": "" for name in names})
    assert formats.read(root).format_name == "yolo"


def test_numbers_of_hugging_face_without_a_list_are_asked_for(tmp_path: Path) -> None:
    text = lines({"file_name": "a.png", "objects": {"bbox": [[288, 192, 64, 96]], "categories": [3]}})
    root = write_files(tmp_path / "set", {"a.png": "", "metadata.jsonl": text})
    with pytest.raises(InputError, match="has no list of class names, so what class 3"):
        formats.read(root)
    assert boxes_of(formats.read(root, names={"3": "9p"})) == [("", "a", "9p", BOX)]


@pytest.mark.parametrize("name", ["s.ndjson", "o.manifest", "metadata.jsonl"])
def test_a_broken_line_is_named(name: str, tmp_path: Path) -> None:
    text = {"s.ndjson": ultralytics("boxes", YOLO), "o.manifest": lines(sagemaker()), "metadata.jsonl": lines(
        {"file_name": "a.png", "objects": {"bbox": [[288, 192, 64, 96]], "categories": ["9p"]}})}[name]  # fmt: skip
    found = formats.read(write_files(tmp_path / "set", {"a.png": "", name: text + "{\n"}))
    assert [problem.code for problem in found.problems] == ["broken_labels"]
    assert "is no JSON" in found.problems[0].detail


ODD: tuple[Any, ...] = (None, 3, "x", [[]], {"a": [1]}, 1e400)


def _changed(value: Any) -> Iterator[Any]:
    """The value with one part at a time replaced by each odd one."""
    yield from ODD
    if isinstance(value, dict):
        for key, part in value.items():
            yield {k: v for k, v in value.items() if k != key}
            for other in _changed(part):
                yield value | {key: other}
    elif isinstance(value, list):
        for at, part in enumerate(value):
            for other in _changed(part):
                yield [*value[:at], other, *value[at + 1 :]]


JSON_CASES = [
    case for case in CASES if any(name.endswith((".json", ".jsonl", ".ndjson", ".manifest")) for name in case[1])
]


@pytest.mark.parametrize("case", JSON_CASES, ids=[case[0] for case in JSON_CASES])
def test_no_odd_value_is_a_fault(case: tuple[str, Files, object, object], tmp_path: Path) -> None:
    why, files, _, _ = case
    root = write_files(tmp_path / "set", files)
    name = next(name for name in files if name.endswith((".json", ".jsonl", ".ndjson", ".manifest")))
    chosen = formats.detect(root)
    rows = [json.loads(files[name])] if name.endswith(".json") else [json.loads(r) for r in files[name].splitlines()]
    for place, row in enumerate(rows):
        for other in _changed(row):
            (root / name).write_text(lines(*rows[:place], other, *rows[place + 1 :]))
            with suppress(InputError):
                formats.read(root, format_name=chosen)
    assert why
