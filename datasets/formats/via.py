"""VGG Image Annotator (VIA): a JSON project or export with `regions`, or a CSV file whose cells hold the same JSON."""

import csv
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Final

from tilescore.datasets.intake.label_files import below, head_of, json_files, load_json, mapping, text
from tilescore.datasets.intake.raw import LabelError, RawBox, RawPicture, ellipse, number, polygon
from tilescore.datasets.intake.reader import LabelFile, Reader

_COLUMN: Final = "region_shape_attributes"
"""A column that only VIA writes."""
_LABELS: Final = ("label", "class", "name", "type", "tile", "category")
"""Attributes that hold the class, the likeliest first."""


def _files(path: Path) -> Iterator[Path]:
    yield from json_files(path, "via")
    for file in below(path, ".csv"):
        if _COLUMN in head_of(file, most=10_000).partition("\n")[0]:
            yield file


def _pictures_in(file: LabelFile) -> Iterator[RawPicture]:
    for name, regions in (_rows if file.path.suffix.lower() == ".csv" else _entries)(file):
        shapes = [
            _box(mapping(region.get("shape_attributes")), _label(mapping(region.get("region_attributes"))))
            for region in regions
        ]
        for _ in range(shapes.count(None)):
            file.lose("unsupported_shape", f"'{name}': only areas are read, not points", 1)
        bare = PurePosixPath(name.replace("\\", "/")).name
        candidates = (file.path.parent / bare,) if bare else ()
        yield file.picture(name, filter(None, shapes), candidates=candidates)


LABEL_READER: Final = Reader(_files, _pictures_in)


def _entries(file: LabelFile) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    data = mapping(load_json(file.path, file.where))
    for entry in mapping(data.get("_via_img_metadata", data)).values():
        if isinstance(entry, dict) and "regions" in entry:
            regions = entry["regions"]
            listed = list(regions.values()) if isinstance(regions, dict) else regions
            yield text(entry.get("filename")), [r for r in listed or [] if isinstance(r, dict)]


def _rows(file: LabelFile) -> Iterable[tuple[str, list[dict[str, Any]]]]:
    regions_of: dict[str, list[dict[str, Any]]] = {}
    try:
        for row in csv.DictReader(file.text().splitlines()):
            regions = regions_of.setdefault(row.get("filename") or row.get("#filename") or "", [])
            shape = json.loads(row.get(_COLUMN) or "{}")
            if shape:
                regions.append(
                    {"shape_attributes": shape, "region_attributes": json.loads(row.get("region_attributes") or "{}")}
                )
    except (csv.Error, ValueError, RecursionError) as error:
        raise LabelError("broken_labels", f"'{file.where}' is no CSV file of VIA ({error})") from None
    return regions_of.items()


def _label(attributes: Mapping[str, Any]) -> str:
    """The class among the attributes: under a usual name, else the first text."""
    ordered = sorted(attributes, key=lambda key: _LABELS.index(key.lower()) if key.lower() in _LABELS else len(_LABELS))
    for key in ordered:
        value = attributes[key]
        if isinstance(value, dict):  # check boxes: the one that is ticked
            value = next((name for name, ticked in value.items() if ticked), "")
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def _box(shape: Mapping[str, Any], label: str) -> RawBox | None:
    def values(*keys: str) -> tuple[float, ...]:
        return tuple(number(shape.get(key)) for key in keys)

    match shape.get("name"):
        case "rect":
            x, y, width, height = values("x", "y", "width", "height")
            return RawBox(label, (x, y, x + width, y + height))
        case "circle":
            x, y, radius = values("cx", "cy", "r")
            return RawBox(label, (x - radius, y - radius, x + radius, y + radius))
        case "ellipse":
            x, y, across, down = values("cx", "cy", "rx", "ry")
            return ellipse(label, (x, y), (across, down), math.degrees(number(shape.get("theta", 0))))
        case "polygon":
            xs, ys = shape.get("all_points_x"), shape.get("all_points_y")
            if isinstance(xs, list) and isinstance(ys, list):
                return polygon(label, [(number(x), number(y)) for x, y in zip(xs, ys, strict=False)])
    return None
