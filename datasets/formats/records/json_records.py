"""Formats of JSON whose file is a list of pictures, one object for each, or lines of such objects.

An entry of the table names the keys by which the format is told, the key of the list within the file, and the function
that makes a picture of an object. JSON Lines are read line by line.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from tilescore.datasets.intake.class_lists import with_names
from tilescore.datasets.intake.label_files import below, head_of, load_json, mapping, records, text
from tilescore.datasets.intake.pictures import split_named
from tilescore.datasets.intake.raw import (
    LabelError,
    RawBox,
    RawPicture,
    RawSet,
    around,
    corner_box,
    exported_box,
    number,
    points_in,
    polygon,
    size_of,
    wh,
    whole,
)
from tilescore.datasets.intake.reader import LabelFile, Reader
from tilescore.files.plain import stamp_of

Value = Mapping[str, Any]
_HEAD_BYTES: Final = 20_000
_ENDINGS: Final = (".json", ".jsonl", ".ndjson", ".manifest")


@dataclass(frozen=True, slots=True)
class Dialect:
    """A format of JSON."""

    keys: tuple[str, ...]  # keys that stand at the start of each of its files
    # makes a picture of an object, with the outermost value of the file (its first line), and the file
    picture: Callable[[Value, Value, LabelFile], RawPicture | None]
    lists: str = ""  # the key of the list of pictures; without it, a file is one picture, or a list of pictures
    lines: bool = False  # whether a file holds lines of objects

    def fits(self, path: Path) -> bool:
        """Whether there is a file of this format."""
        return bool(self._files(path))

    def read_raw(self, path: Path) -> RawSet:
        """Parse the files."""
        return with_names(Reader(self._files, self._pictures_in).read_raw(path))

    def _pictures_in(self, file: LabelFile) -> Iterator[RawPicture]:
        head: Value | None = None
        for at, (value, outer) in enumerate(self._values(file), start=1):
            head = outer if head is None else head
            picture = self.picture(value, head, file.at(f"entry {at}"))
            if picture is not None:
                yield picture

    def _files(self, path: Path) -> list[Path]:
        heads = {file: _keys(file, stamp_of(file)) for file in below(path, *_ENDINGS)}
        fitting = [file for file, keys in heads.items() if keys.issuperset(self.keys)]
        whole = [file for file in fitting if self.lists in heads[file]]
        return whole or fitting  # some programs write a file for each picture beside the export of all

    def _values(self, file: LabelFile) -> Iterator[tuple[Value, Value]]:
        """The objects of pictures, each with the outermost value of the file, or of its line."""
        content = file.text()
        if self.lines and not content.lstrip().startswith("["):
            for row, line in enumerate(content.splitlines(), start=1):
                if line.strip():
                    value = _parsed(line, f"line {row} of '{file.where}'")
                    yield value, value
            return
        data = load_json(file.path, file.where)
        values = mapping(data).get(self.lists, data if isinstance(data, list) else [data])
        for value in values.values() if isinstance(values, dict) else values if isinstance(values, list) else ():
            if isinstance(value, dict):
                yield value, mapping(data)


@lru_cache(maxsize=50_000)
def _keys(file: Path, _stamp: str) -> frozenset[str]:
    """The keys at the start of a file by which formats are told."""
    all_keys = {key for dialect in DIALECTS.values() for key in (*dialect.keys, dialect.lists) if key}
    head = head_of(file, most=_HEAD_BYTES)
    return frozenset(key for key in all_keys if f'"{key}"' in head)


def _parsed(line: str, where: str) -> Value:
    try:
        return mapping(json.loads(line))
    except (ValueError, RecursionError):
        raise LabelError("broken_labels", f"{where} is no JSON") from None


def listed(value: object) -> list[Any]:
    """A JSON list; an empty one for any other value."""
    return value if isinstance(value, list) else []


def _vott(value: Value, _head: Value, file: LabelFile) -> RawPicture | None:
    asset = mapping(value.get("asset"))
    boxes = map(_vott_box, records(value.get("regions")))
    return file.picture(text(asset.get("name")), boxes, size_wh=wh(asset.get("size"))) if asset else None


def _vott_box(region: Value) -> RawBox:
    name = next(map(text, listed(region.get("tags"))), "")
    if box := mapping(region.get("boundingBox")):
        return corner_box(name, box.get("left"), box.get("top"), box.get("width"), box.get("height"))
    return polygon(name, _xy(region.get("points")))


def _xy(value: object) -> list[tuple[float, float]]:
    return [(number(point.get("x")), number(point.get("y"))) for point in records(value)]


def _supervisely(value: Value, _head: Value, file: LabelFile) -> RawPicture:
    def box(entry: Value) -> RawBox | None:
        name, points = text(entry.get("classTitle")), points_in(mapping(entry.get("points")).get("exterior"))
        kind = text(entry.get("geometryType", "rectangle" if len(points) == 2 else "polygon"))
        made = {"rectangle": lambda: RawBox(name, around(points)), "polygon": lambda: polygon(name, points)}
        return made[kind]() if kind in made else None

    stem, others = file.path.stem, (f"{file.path.parent.parent.name}/img/{file.path.stem}",)
    boxes = map(box, records(value.get("objects")))
    return file.picture(stem, boxes, size_wh=wh(value.get("size")), other_names=others)


def _datumaro(value: Value, head: Value, file: LabelFile) -> RawPicture:
    labels = records(mapping(mapping(head.get("categories")).get("label")).get("labels"))
    names = [text(label.get("name")) for label in labels]

    def box(entry: Value) -> RawBox | None:
        at = entry.get("label_id")
        name = names[at] if isinstance(at, int) and 0 <= at < len(names) else ""
        values = entry.get("bbox") if entry.get("type") == "bbox" else None
        if isinstance(values, list) and len(values) == 4:
            return exported_box(name, corner_box(name, *values).xyxy, mapping(entry.get("attributes")))
        return polygon(name, points_in(entry.get("points"))) if entry.get("type") == "polygon" else None

    image = mapping(value.get("image"))
    size = image.get("size")
    shapes = [entry for entry in records(value.get("annotations")) if entry.get("type") not in ("label", "caption")]
    return file.picture(
        text(image.get("path")) or text(value.get("id")), map(box, shapes),
        size_wh=size_of(*size[::-1]) if isinstance(size, list) and len(size) == 2 else None,
        split=split_named(file.path.stem),
    )  # fmt: skip


def _fiftyone(value: Value, _head: Value, file: LabelFile) -> RawPicture:
    def box(entry: Value) -> RawBox | None:
        values = entry.get("bounding_box")
        four = isinstance(values, list) and len(values) == 4
        return corner_box(text(entry.get("label")), *values) if four else None  # type: ignore[misc]

    fields = (mapping(field) for field in value.values())
    entries = [entry for field in fields for entry in records(field.get("detections"))]
    split = next(filter(None, map(split_named, map(text, listed(value.get("tags"))))), "")
    size = wh(value.get("metadata"))
    return file.picture(text(value.get("filepath")), map(box, entries), "shares", size_wh=size, split=split)


def _labelbox(value: Value, _head: Value, file: LabelFile) -> RawPicture:
    row = mapping(value.get("data_row"))
    parts = [
        part for project in mapping(value.get("projects")).values() for part in records(mapping(project).get("labels"))
    ]
    objects = [entry for part in parts[-1:] for entry in records(mapping(part.get("annotations")).get("objects"))]
    old = records(mapping(value.get("Label")).get("objects"))
    size = wh(value.get("media_attributes"))
    name = text(row.get("external_id")) or text(value.get("External ID")) or text(row.get("row_data"))
    return file.picture(name, map(_labelbox_box, objects or old), size_wh=size)


def _labelbox_box(entry: Value) -> RawBox | None:
    name = text(entry.get("name")) or text(entry.get("title")) or text(entry.get("value"))
    if box := mapping(entry.get("bounding_box") or entry.get("bbox")):
        return corner_box(name, box.get("left"), box.get("top"), box.get("width"), box.get("height"))
    return polygon(name, _xy(entry.get("polygon"))) if entry.get("polygon") else None


def _sagemaker(value: Value, _head: Value, file: LabelFile) -> RawPicture | None:
    """Boxes lie under the name of the labelling job, and the names of classes under the same name with `-metadata`."""
    for job, answer in value.items():
        names = mapping(mapping(value.get(f"{job}-metadata")).get("class-map"))
        if not (names and isinstance(answer, dict) and "annotations" in answer):
            continue
        boxes = (
            corner_box(text(names.get(str(a.get("class_id")))), *(a.get(k) for k in ("left", "top", "width", "height")))
            for a in records(answer["annotations"])
        )
        size = next(iter(records(answer.get("image_size"))), None)
        return file.picture(text(value.get("source-ref")), boxes, size_wh=wh(size))
    return None


def _ultralytics(value: Value, head: Value, file: LabelFile) -> RawPicture | None:
    """The first line names the classes; each further one is a picture."""
    if value.get("type") != "image":
        return None
    names = mapping(head.get("class_names"))

    def box(row: object, kind: str) -> RawBox | None:
        values = [number(cell) for cell in listed(row)]
        name = text(names.get(str(whole(next(iter(values), None)))))
        if kind in ("segments", "obb"):
            return polygon(name, points_in(values[1:]))
        if len(values) < 5:
            return None
        x, y, width, height = values[1:5]
        return RawBox(name, (x - width / 2, y - height / 2, x + width / 2, y + height / 2))

    annotations = mapping(value.get("annotations"))
    boxes = (box(row, kind) for kind in ("boxes", "segments", "obb", "pose") for row in listed(annotations.get(kind)))
    return file.picture(text(value.get("file")), boxes, "shares", size_wh=wh(value), split=text(value.get("split")))


def _huggingface(value: Value, _head: Value, file: LabelFile) -> RawPicture:
    """`metadata.jsonl`: boxes as left, top, width, height beside a list of their classes, by name."""
    objects = mapping(value.get("objects"))
    names: object = next((objects[key] for key in ("categories", "category", "label", "labels") if key in objects), [])
    boxes = objects.get("bbox") or objects.get("bboxes") or []
    pairs = zip_longest(listed(names), listed(boxes), fillvalue="")  # a box without a class is asked for, not lost
    found_boxes = (corner_box(str(n), *box) if isinstance(box, list) and len(box) == 4 else None for n, box in pairs)
    return file.picture(text(value.get("file_name")), found_boxes, size_wh=wh(value))


DIALECTS: Final[dict[str, Dialect]] = {
    "vott": Dialect(("asset", "regions"), _vott, "assets"),
    "supervisely": Dialect(("description", "tags", "size", "objects"), _supervisely),
    "datumaro": Dialect(("categories", "items"), _datumaro, "items"),
    "fiftyone": Dialect(("samples", "filepath"), _fiftyone, "samples"),
    "labelbox": Dialect(("data_row", "projects"), _labelbox, lines=True),
    "labelbox-1": Dialect(("External ID", "Label"), _labelbox, lines=True),
    "sagemaker": Dialect(("source-ref", "class-map"), _sagemaker, lines=True),
    "ultralytics": Dialect(("class_names", "type"), _ultralytics, lines=True),
    "huggingface": Dialect(("file_name", "objects"), _huggingface, lines=True),
}
