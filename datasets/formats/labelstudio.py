"""Label Studio: one JSON list of tasks, boxes as `rectanglelabels` in percent of the picture.

`write` creates `tasks.json`, with pictures as local files (`/data/local-files/?d=images/...`), and `labels.xml`, the
interface to paste into a project. What holds for the whole picture is in a task's `data`, the part of a tile in the
hand in a region's `meta`. Of several annotations of one task, the last one with shapes that was not cancelled counts.
The reader also knows JSON-MIN, where the regions are values of the task itself. A turned box, a polygon and an ellipse
become the upright box around them. A task whose picture was turned in Label Studio is skipped.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import parse_qs, quote, unquote, urlsplit

from tilescore.datasets.intake.label_files import mapping, records, save_list, text
from tilescore.datasets.intake.raw import (
    RawBox,
    RawPicture,
    ellipse,
    number,
    ordered,
    points_in,
    polygon,
    size_of,
    turned_box,
)
from tilescore.datasets.intake.reader import LabelFile, json_reader
from tilescore.datasets.intake.xml_files import element, save_xml
from tilescore.datasets.labels import CLASS_NAMES, LabelledBox, LabelledPicture, picture_fields
from tilescore.datasets.parts import Part, hand_of
from tilescore.vision.image.boxes import Box

_LOCAL: Final = "/data/local-files/"
"""Path of local files in the address of a picture."""
_UPLOADED: Final = re.compile(r"^[0-9a-f]{8}-")
"""Prefix that Label Studio puts before the name of an uploaded file."""
_READ: Final = ("rectanglelabels", "polygonlabels", "ellipselabels", "labels")
"""Keys of a region that hold its class."""


def _pictures_in(file: LabelFile) -> Iterator[RawPicture]:
    for task in file.records(file.json(list, "no list of tasks"), "the list of tasks"):
        place = file.at(f"task {task.get('id')}")
        regions = _regions(task, place)
        if any(number(region.get("image_rotation", 0)) % 360 for region in regions):
            detail = "the picture was turned in Label Studio: turn the file itself instead"
            place.lose("turned_picture", detail, len(regions))
        else:
            yield _picture(task, regions, place)


LABEL_READER: Final = json_reader("labelstudio", _pictures_in)


def write(pictures: Sequence[LabelledPicture], out: Path) -> None:
    """Write `tasks.json` and `labels.xml` beside `images/SPLIT`."""
    with (out / "tasks.json").open("w", encoding="utf-8") as file:
        save_list(file, (_task(place, picture) for place, picture in enumerate(pictures, start=1)))
    shapes = (
        element(tag, *(element("Label", value=tile) for tile in CLASS_NAMES), name=name, toName="image")
        for tag, name in (("RectangleLabels", "label"), ("PolygonLabels", "polygon"))
    )
    view = element("View", element("Image", name="image", value="$image", zoom="true"), *shapes)
    save_xml(view, out / "labels.xml")


def _picture(task: Mapping[str, Any], regions: Sequence[Mapping[str, Any]], file: LabelFile) -> RawPicture:
    data = mapping(task.get("data")) or task
    place = _local_name(str(data.get("image", "")))
    bare = PurePosixPath(place).name
    sizes = (size_of(region.get("original_width"), region.get("original_height")) for region in regions)
    size = next(filter(None, sizes), None)
    return file.picture(
        place, (_box(region, size or (1, 1)) for region in regions), "shares",
        areas="only rectangles, polygons and ellipses are read, not brushes and key points",
        candidates=file.beside(place), other_names=(bare, _UPLOADED.sub("", bare)), split=text(data.get("split")),
        size_wh=size, checked=data.get("checked") is True, hand=hand_of(data.get("hand")),
    )  # fmt: skip


def _local_name(address: str) -> str:
    """The file name of a task's picture, taken from its address.

    >>> _local_name("/data/local-files/?d=images/train/a%20b.jpg"), _local_name("/data/upload/3/0123abcd-a.jpg")
    ('images/train/a b.jpg', '0123abcd-a.jpg')
    >>> _local_name("https://example.org/x/a.jpg?size=2"), _local_name("images/a.jpg")
    ('a.jpg', 'images/a.jpg')
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return address
    if parts.path.startswith(_LOCAL):
        return parse_qs(parts.query).get("d", [""])[0]
    if parts.scheme or parts.path.startswith("/data/"):
        return PurePosixPath(unquote(parts.path)).name
    return address


def _regions(task: Mapping[str, Any], file: LabelFile) -> list[dict[str, Any]]:
    """The labelled regions of the last annotation with any that was not cancelled, with their values."""
    if "data" not in task:  # JSON-MIN: the regions are values of the task
        described = [{"value": region} | region for value in task.values() for region in records(value)]
        return [region for region in described if "original_width" in region]
    annotations = records(task.get("annotations") or task.get("completions"))
    answers = [_shapes(records(answer.get("result"))) for answer in annotations if not answer.get("was_cancelled")]
    *others, last = [answer for answer in answers if answer] or [[]]
    if others:
        read = f"{len(answers)} annotations: only the last one with shapes is read (shapes: {len(last)})"
        file.lose("several_annotations", f"{read}, and not the others (shapes: {sum(map(len, others))})")
    return last


def _shapes(regions: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The regions without whole-picture choices, texts and relations."""
    return [region for region in regions if "original_width" in region or text(region.get("type")).endswith("labels")]


def _box(region: Mapping[str, Any], size_wh: tuple[int, int]) -> RawBox | None:
    """The region in shares of the picture; a turned one is converted in pixels, where its angle holds."""
    value = mapping(region.get("value"))
    names = next((value[key] for key in _READ if isinstance(value.get(key), list) and value[key]), [""])
    name, part = str(names[0]), Part.of(mapping(region.get("meta")))
    if isinstance(value.get("points"), list):
        return polygon(name, [(x / 100, y / 100) for x, y in points_in(value["points"])], part=part)
    across, down = size_wh
    angle = number(value.get("rotation", 0))
    if "radiusX" in value:
        x, y, rx, ry = (number(value.get(key)) / 100 for key in ("x", "y", "radiusX", "radiusY"))
        x0, y0, x1, y1 = ellipse(name, (x * across, y * down), (rx * across, ry * down), angle).xyxy
        return RawBox(name, (x0 / across, y0 / down, x1 / across, y1 / down), part)
    if "width" not in value:
        return None
    x, y, width, height = (number(value.get(key)) / 100 for key in ("x", "y", "width", "height"))
    if angle:
        flat = Box(x * across, y * down, (x + width) * across, (y + height) * down)
        turned = turned_box(name, flat, angle, pivot=(flat.x0, flat.y0), part=part)
        return polygon(name, [(a / across, b / down) for a, b in turned.corners], part=part)
    return RawBox(name, ordered(x, y, x + width, y + height), part)


def _task(place: int, picture: LabelledPicture) -> dict[str, Any]:
    address = _LOCAL + "?d=" + quote(str(PurePosixPath("images", picture.split, picture.name)))
    data: dict[str, Any] = {"image": address, "split": picture.split} | picture_fields(picture)
    result = [_region(f"{place}-{row}", box, picture.size_wh) for row, box in enumerate(picture.boxes)]
    return {"id": place, "data": data, "annotations": [{"result": result, "was_cancelled": False}]}


def _region(name: str, labelled: LabelledBox, size_wh: tuple[int, int]) -> dict[str, Any]:
    width, height = size_wh
    box = labelled.box
    if labelled.corners:
        kind, control = "polygonlabels", "polygon"
        points = [[round(100 * x / width, 5), round(100 * y / height, 5)] for x, y in labelled.corners]
        value: dict[str, Any] = {"points": points, "closed": True}
    else:
        kind, control = "rectanglelabels", "label"
        value = {
            "x": round(100 * box.x0 / width, 5), "y": round(100 * box.y0 / height, 5),
            "width": round(100 * box.width / width, 5), "height": round(100 * box.height / height, 5), "rotation": 0,
        }  # fmt: skip
    region = {
        "id": name, "type": kind, "from_name": control, "to_name": "image", "original_width": width,
        "original_height": height, "image_rotation": 0, "value": value | {kind: [labelled.name]},
    }  # fmt: skip
    fields = labelled.part.fields()
    return region | ({"meta": fields} if fields else {})
