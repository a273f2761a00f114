"""Label Studio: one JSON list of tasks, boxes as `rectanglelabels` in percent of the picture.

`write` creates `tasks.json`, with pictures as local files (`/data/local-files/?d=images/...`), and `labels.xml`, the
interface to paste into a project. Split and checked flag are in a task's `data`, the role in a region's `meta`. Of
several annotations of one task, the last one that was not cancelled counts. A turned box becomes the upright box
around it. A task whose picture was turned in Label Studio is skipped.
"""

from __future__ import annotations

import math
import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote, unquote, urlsplit
from xml.etree import ElementTree as ET

from tilescore.datasets.formats.coco import load_json, records
from tilescore.datasets.formats.intake import LabelError, RawBox, RawPicture, RawSet, envelope, gather, number, size_of
from tilescore.datasets.formats.xml_files import save_xml
from tilescore.datasets.labels import CLASS_NAMES, Problem
from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tilescore.datasets.labels import LabelledBox, LabelledPicture

_LOCAL = "/data/local-files/"
"""Path of local files in the address of a picture."""
_UPLOADED = re.compile(r"^[0-9a-f]{8}-")
"""Prefix that Label Studio puts before the name of an uploaded file."""


def fits(path: Path) -> bool:
    """Whether a JSON file of the path is a list of tasks."""
    return any(_looks_right(file) for file in _files(path))


def read_raw(path: Path) -> RawSet:
    """Parse the JSON files."""
    root = path if path.is_dir() else path.parent

    def pictures_in(file: Path, where: str, problems: list[Problem]) -> Iterator[RawPicture]:
        data = load_json(file, where)
        if not isinstance(data, list):
            raise LabelError("broken_labels", f"'{where}' is no list of tasks")
        for task in records(data):
            if any(number(region.get("image_rotation", 0)) % 360 for region in _regions(task)):
                detail = "the picture was turned in Label Studio: turn the file itself instead"
                problems.append(Problem("turned_picture", f"{where}, task {task.get('id')}", detail))
            else:
                yield _picture(task, root, where)

    files = _files(path)
    return gather(root, list(filter(_looks_right, files)) or files, pictures_in)


def write(pictures: Sequence[LabelledPicture], out: Path) -> None:
    """Write `tasks.json` and `labels.xml` beside `images/SPLIT`."""
    import json

    tasks = [_task(place, picture) for place, picture in enumerate(pictures, start=1)]
    (out / "tasks.json").write_text(json.dumps(tasks, ensure_ascii=False), encoding="utf-8")
    view = ET.Element("View")
    ET.SubElement(view, "Image", {"name": "image", "value": "$image", "zoom": "true"})
    labels = ET.SubElement(view, "RectangleLabels", {"name": "label", "toName": "image"})
    for name in CLASS_NAMES:
        ET.SubElement(labels, "Label", {"value": name})
    save_xml(view, out / "labels.xml")


def _files(path: Path) -> list[Path]:
    return [path] if path.is_file() and path.suffix == ".json" else sorted(path.glob("*.json"))


def _looks_right(file: Path) -> bool:
    try:
        text = file.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return False
    has_tasks = '"data"' in text and any(f'"{key}"' in text for key in ("annotations", "completions", "predictions"))
    return text.lstrip().startswith("[") and has_tasks


def _picture(task: Mapping[str, Any], root: Path, where: str) -> RawPicture:
    raw_data = task.get("data")
    data: Mapping[str, Any] = raw_data if isinstance(raw_data, dict) else {}
    address = str(data.get("image", ""))
    place = _local_name(address)
    raw_split = data.get("split")
    split = raw_split if isinstance(raw_split, str) else ""
    name = place.removeprefix("images/")
    name = name.removeprefix(f"{split}/") if split else name
    bare = PurePosixPath(place).name
    uploaded = _UPLOADED.sub("", bare)
    folders = (root, root / "images" / split, root / "images", root / split)
    candidates = [root / place, *(folder / own for own in (bare, uploaded) for folder in folders)]
    regions = _regions(task)
    size = next((known for region in regions if (known := _original(region)) is not None), None)
    boxes = tuple(_box(region, size or (1, 1)) for region in regions)
    return RawPicture(
        f"{where}, task {task.get('id')}", tuple(candidates), name, split, boxes, "shares", size,
        checked=data.get("checked") is True,
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


def _regions(task: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rectangles of the last annotation that was not cancelled."""
    answers = [a for a in records(task.get("annotations") or task.get("completions")) if not a.get("was_cancelled")]
    if not answers:
        return []
    return [region for region in records(answers[-1].get("result")) if region.get("type") == "rectanglelabels"]


def _original(region: Mapping[str, Any]) -> tuple[int, int] | None:
    return size_of(region.get("original_width"), region.get("original_height"))


def _box(region: Mapping[str, Any], size_wh: tuple[int, int]) -> RawBox:
    """The region in shares of the picture; a turned one is converted in pixels, where its angle holds."""
    raw_value, raw_meta = region.get("value"), region.get("meta")
    value: Mapping[str, Any] = raw_value if isinstance(raw_value, dict) else {}
    names = value.get("rectanglelabels")
    name = str(names[0]) if isinstance(names, list) and names else ""
    x, y, width, height = (number(value.get(key)) / 100 for key in ("x", "y", "width", "height"))
    angle = number(value.get("rotation", 0))
    box = Box(x, y, x + width, y + height)
    if angle and all(map(math.isfinite, (x, y, width, height, angle))):
        across, down = size_wh
        flat = Box(x * across, y * down, (x + width) * across, (y + height) * down)
        turned = envelope(flat, angle, pivot=(flat.x0, flat.y0))
        box = Box(turned.x0 / across, turned.y0 / down, turned.x1 / across, turned.y1 / down)
    role = raw_meta.get("role") if isinstance(raw_meta, dict) else ""
    return RawBox(name, box.xyxy, role if isinstance(role, str) else "")


def _task(place: int, picture: LabelledPicture) -> dict[str, Any]:
    address = _LOCAL + "?d=" + quote(str(PurePosixPath("images", picture.split, picture.name)))
    data: dict[str, Any] = {"image": address, "split": picture.split, "checked": picture.checked}
    result = [_region(f"{place}-{row}", box, picture.size_wh) for row, box in enumerate(picture.boxes)]
    return {"id": place, "data": data, "annotations": [{"result": result, "was_cancelled": False}]}


def _region(name: str, labelled: LabelledBox, size_wh: tuple[int, int]) -> dict[str, Any]:
    width, height = size_wh
    box = labelled.box
    value = {
        "x": round(100 * box.x0 / width, 5), "y": round(100 * box.y0 / height, 5),
        "width": round(100 * box.width / width, 5), "height": round(100 * box.height / height, 5),
        "rotation": 0, "rectanglelabels": [labelled.name],
    }  # fmt: skip
    region = {
        "id": name, "type": "rectanglelabels", "from_name": "label", "to_name": "image",
        "original_width": width, "original_height": height, "image_rotation": 0, "value": value,
    }  # fmt: skip
    return region | ({"meta": {"role": labelled.role}} if labelled.role else {})
