"""CVAT for images 1.1: one `annotations.xml` with an `image` element for each picture, boxes as `xtl ytl xbr ybr`.

Boxes are in pixels. The split is the attribute `subset`. The part of a tile in the hand is in each `attribute` of its
box, and what holds for the whole picture in each `tag` of the image. A turned box, a polygon and an ellipse become the
upright box around them; a polygon keeps its corners. Of a video, each frame beside the file is a picture, with the
shapes of all tracks there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from itertools import chain
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from tilescore.datasets.intake.label_files import below
from tilescore.datasets.intake.raw import RawBox, RawPicture, ellipse, number, polygon, size_of, turned_box, whole
from tilescore.datasets.intake.reader import LabelFile, Reader, is_inner
from tilescore.datasets.intake.xml_files import element, first_tag, load_xml, text_of
from tilescore.datasets.labels import CLASS_NAMES, LabelledBox, LabelledPicture
from tilescore.datasets.parts import HANDS, Part, hand_of
from tilescore.vision.image.boxes import Box

_SIDES: Final = ("xtl", "ytl", "xbr", "ybr")
_WITHOUT_AREA: Final = ("polyline", "points", "mask", "cuboid", "skeleton")
"""Shapes that are no box."""


def write(pictures: Sequence[LabelledPicture], out: Path) -> None:
    """Write `annotations.xml` beside `images/SPLIT`, one picture after the other."""
    with (out / "annotations.xml").open("w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n<version>1.1</version>\n')
        for element in chain([_meta(len(pictures))], (_image(*numbered) for numbered in enumerate(pictures))):
            ET.indent(element)
            file.write(ET.tostring(element, encoding="unicode") + "\n")
        file.write("</annotations>\n")


def _image(place: int, picture: LabelledPicture) -> ET.Element:
    width, height = picture.size_wh
    subset = {"subset": picture.split} if picture.split else {}
    tags = filter(None, ("checked" * picture.checked, picture.hand))
    return element(
        "image", *map(_shape, picture.boxes), *(element("tag", label=tag, source="manual") for tag in tags),
        id=str(place), name=picture.name, width=str(width), height=str(height), **subset,
    )  # fmt: skip


def _shape(labelled: LabelledBox) -> ET.Element:
    said = [element("attribute", str(value), name=name) for name, value in labelled.part.fields().items()]
    fields = {"label": labelled.name, "source": "manual", "occluded": "0"}
    if labelled.corners:
        points = ";".join(f"{x:.3f},{y:.3f}" for x, y in labelled.corners)
        return element("polygon", *said, **fields, points=points, z_order="0")
    sides = {side: f"{value:.3f}" for side, value in zip(_SIDES, labelled.box.xyxy, strict=True)}
    return element("box", *said, **fields, **sides, z_order="0")


def _files(path: Path) -> list[Path]:
    return [file for file in below(path, ".xml") if first_tag(file) == "annotations"]


def _frames(root: ET.Element) -> Iterator[ET.Element]:
    """The frames of a video as images: the shapes of all tracks that are in view there."""
    shapes: dict[int, list[ET.Element]] = {}
    for track in root.findall("track"):
        for shape in track:
            at = whole(shape.get("frame"))
            if at is not None and shape.get("outside") != "1":
                shape.set("label", track.get("label", ""))
                shapes.setdefault(at, []).append(shape)
    size = next(root.iter("original_size"), None)
    sides = {} if size is None else {side: text_of(size, side) for side in ("width", "height")}
    for at in sorted(shapes):
        image = ET.Element("image", {"name": f"frame_{at:06d}"} | sides)
        image.extend(shapes[at])
        yield image


def _other_frames(name: str) -> tuple[str, ...]:
    """The names that other programs give to the frame of a video."""
    number_of = name.removeprefix("frame_")
    if number_of == name or not number_of.isdigit():
        return ()
    at = int(number_of)
    return (f"{at:06d}", f"frame_{at:05d}", f"frame_{at:04d}", f"frame_{at}", f"{at:05d}", f"{at:04d}", f"{at}")


def _pictures_in(file: LabelFile) -> Iterator[RawPicture]:
    root = load_xml(file.path, file.where, "annotations")
    yield from (_picture(image, file) for image in (*root.findall("image"), *_frames(root)))


LABEL_READER: Final = Reader(_files, _pictures_in)


def _picture(image: ET.Element, file: LabelFile) -> RawPicture:
    name, split = image.get("name", ""), image.get("subset", "")
    split = "" if split.lower() == "default" else split
    place = file.at(f"image '{name}'")
    others = [element.tag for element in image if element.tag in _WITHOUT_AREA]
    if others:
        detail = f"{' and '.join(sorted(set(others)))}: only boxes, polygons and ellipses are read"
        place.lose("unsupported_shape", detail, len(others))
    tags = [tag.get("label", "") for tag in image.findall("tag")]
    here = file.path.parent
    folders = (here / "images" / split, here / "images", here) if is_inner(name) else ()
    return place.picture(
        name, (shape for element in image if (shape := _box(element)) is not None),
        candidates=tuple(folder / name for folder in folders), other_names=_other_frames(name), split=split,
        size_wh=size_of(image.get("width"), image.get("height")), checked="checked" in tags,
        hand=next(filter(hand_of, tags), ""),
    )  # fmt: skip


def _box(element: ET.Element) -> RawBox | None:
    part = Part.of({item.get("name", ""): (item.text or "").strip() for item in element.findall("attribute")})
    label = element.get("label", "")
    if element.tag == "polygon":
        pairs = [pair.split(",") for pair in element.get("points", "").split(";")]
        return polygon(label, [(number(pair[0]), number(pair[-1])) for pair in pairs], part=part)
    if element.tag == "ellipse":
        cx, cy, rx, ry = (number(element.get(key)) for key in ("cx", "cy", "rx", "ry"))
        return ellipse(label, (cx, cy), (rx, ry), number(element.get("rotation", "0")), part=part)
    if element.tag != "box":
        return None
    x0, y0, x1, y1 = (number(element.get(side)) for side in _SIDES)
    box = Box(x0, y0, x1, y1)
    # CVAT turns a box about its middle; `accept` reports a NaN
    return turned_box(label, box, number(element.get("rotation", "0")), pivot=box.center, part=part)


def _meta(count: int) -> ET.Element:
    """The `meta` element from which CVAT creates a task with our labels."""
    kinds = [*((name, "any") for name in CLASS_NAMES), *((name, "tag") for name in ("checked", *HANDS[1:]))]
    labels = element("labels", *(_label(name, kind) for name, kind in kinds))
    about = {"name": "tiles", "size": str(count), "mode": "annotation"}
    return element("meta", element("task", *(element(tag, text) for tag, text in about.items()), labels))


def _label(name: str, kind: str) -> ET.Element:
    about = {"mutable": "False", "input_type": "text", "default_value": ""}
    parts = [{"name": field.name} | about for field in fields(Part)] if kind != "tag" else []
    attributes = (element("attribute", *(element(tag, text) for tag, text in part.items())) for part in parts)
    return element("label", element("name", name), element("type", kind), element("attributes", *attributes))
