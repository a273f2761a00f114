"""LabelMe: one JSON file beside each picture, shapes as lists of points in pixels.

Rectangles, polygons, turned boxes (`rotation`) and circles become boxes. The part of a tile in the hand is in the
`flags` of its shape, its declared set in `group_id`, and what holds for the whole picture in the `flags` of the file.
A file may hold its picture itself, in `imageData`.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, Final

from tilescore.datasets.intake.label_files import load_json, mapping, text
from tilescore.datasets.intake.raw import RawBox, RawPicture, around, points_in, polygon, size_of
from tilescore.datasets.intake.reader import LabelFile, json_reader
from tilescore.datasets.labels import LabelledBox, LabelledPicture
from tilescore.datasets.parts import HANDS, ROLES, Part

_VERSION: Final = "5.5.0"
"""The version of LabelMe whose form `write` follows."""


def _pictures_in(file: LabelFile) -> Iterator[RawPicture]:
    data = file.json(dict, "no LabelMe file: its outermost value is no object")
    name, flags, stem = text(data.get("imagePath")), mapping(data.get("flags")), file.path.stem
    bare = [PurePosixPath(each).name for each in (name, name.replace("\\", "/"))]  # it may be in the name itself
    yield file.picture(
        name or stem, map(_box, file.records(data.get("shapes"), "'shapes'")),
        areas="only rectangles, polygons and circles are read, not points and lines",
        candidates=tuple(file.path.parent / each for each in bare if each), other_names=(stem,),
        size_wh=size_of(data.get("imageWidth"), data.get("imageHeight")), checked=flags.get("checked") is True,
        hand=next((hand for hand in HANDS if flags.get(hand) is True), ""),
        held=partial(_picture_held, file) if text(data.get("imageData")) else None,
    )  # fmt: skip


LABEL_READER: Final = json_reader("labelme", _pictures_in)


def _picture_held(file: LabelFile) -> str:
    """The picture in a file, read anew when somebody asks for it: all of them would fill the memory."""
    return text(mapping(load_json(file.path, file.where)).get("imageData"))


def write(pictures: Sequence[LabelledPicture], out: Path) -> None:
    """Write a JSON file beside each picture in `images/SPLIT`."""
    for picture in pictures:
        place = out / "images" / picture.split / picture.name
        width, height = picture.size_wh
        data = {
            "version": _VERSION, "flags": _flags(picture),
            "shapes": [_shape(box) for box in picture.boxes], "imagePath": place.name, "imageData": None,
            "imageHeight": height, "imageWidth": width,
        }  # fmt: skip
        place.with_suffix(".json").write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")


def _flags(picture: LabelledPicture) -> dict[str, bool]:
    words = [picture.hand] if picture.hand else []
    return dict.fromkeys(words + ["checked"] * picture.checked, True)


def _shape(labelled: LabelledBox) -> dict[str, Any]:
    box = labelled.box
    points = labelled.corners or ((box.x0, box.y0), (box.x1, box.y1))
    return {
        "label": labelled.name, "points": [[round(x, 3), round(y, 3)] for x, y in points],
        "group_id": labelled.part.meld or None,
        "shape_type": "polygon" if labelled.corners else "rectangle",
        "flags": dict.fromkeys(str(replace(labelled.part, meld=0)).split(), True),
    }  # fmt: skip


def _box(shape: Mapping[str, Any]) -> RawBox | None:
    name, points = text(shape.get("label")), points_in(shape.get("points"))
    flags = mapping(shape.get("flags"))
    said = {str(key) for key, value in flags.items() if value is True}
    role = "meld" if "meld" in said else next((name for name in ROLES if name in said), "")
    part = Part.of({"role": role, "meld": shape.get("group_id")} | dict.fromkeys(said - {role}, True))
    match shape.get("shape_type", "polygon"):
        case "rectangle":
            return RawBox(name, around(points), part)
        case "polygon" | "rotation" | "oriented_rectangle":
            return polygon(name, points, part=part)
        case "circle" if len(points) == 2:
            (x, y), edge = points
            radius = math.dist((x, y), edge)
            return RawBox(name, (x - radius, y - radius, x + radius, y + radius), part)
    return None
