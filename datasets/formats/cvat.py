"""CVAT for images 1.1: one `annotations.xml` with an `image` element for each picture, boxes as `xtl ytl xbr ybr`.

Boxes are in pixels. The split is the attribute `subset`, the role an `attribute` of the box, the checked flag a `tag`
of the image. A turned box becomes the upright box around it.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from tilescore.datasets.formats.intake import RawBox, RawPicture, RawSet, below, envelope, gather, number, size_of
from tilescore.datasets.formats.xml_files import first_tag, load_xml, save_xml
from tilescore.datasets.labels import CLASS_NAMES
from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tilescore.datasets.labels import LabelledPicture

_SIDES = ("xtl", "ytl", "xbr", "ybr")
"""Attributes of a box: left, top, right, bottom."""


def fits(path: Path) -> bool:
    """Whether an XML file's outermost element is `annotations`."""
    return any(first_tag(file) == "annotations" for file in _files(path))


def read_raw(path: Path) -> RawSet:
    """Parse the XML files."""
    root = path if path.is_dir() else path.parent

    def pictures_in(file: Path, where: str, _problems: object) -> list[RawPicture]:
        images = load_xml(file, where, "annotations").findall("image")
        return [_picture(image, file, root, where) for image in images]

    return gather(root, _files(path), pictures_in)


def write(pictures: Sequence[LabelledPicture], out: Path) -> None:
    """Write `annotations.xml` beside `images/SPLIT`."""
    root = ET.Element("annotations")
    ET.SubElement(root, "version").text = "1.1"
    root.append(_meta(len(pictures)))
    for place, picture in enumerate(pictures):
        width, height = picture.size_wh
        attributes = {"id": str(place), "name": picture.name, "width": str(width), "height": str(height)}
        image = ET.SubElement(root, "image", attributes | ({"subset": picture.split} if picture.split else {}))
        for labelled in picture.boxes:
            sides = {side: f"{value:.3f}" for side, value in zip(_SIDES, labelled.box.xyxy, strict=True)}
            known = {"label": labelled.name, "source": "manual", "occluded": "0"}
            box = ET.SubElement(image, "box", known | sides | {"z_order": "0"})
            if labelled.role:
                ET.SubElement(box, "attribute", {"name": "role"}).text = labelled.role
        if picture.checked:
            ET.SubElement(image, "tag", {"label": "checked", "source": "manual"})
    save_xml(root, out / "annotations.xml")


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return list(below(path, ".xml"))
    return sorted(path.glob("*.xml")) or sorted(path.glob("annotations/*.xml"))


def _picture(image: ET.Element, file: Path, root: Path, where: str) -> RawPicture:
    name, split = image.get("name", ""), image.get("subset", "")
    split = "" if split == "default" else split
    folders = (root / "images" / split, root / "images", root, file.parent)
    known = PurePosixPath(name)
    shorter = str(known.relative_to(split)) if split and known.parts[:1] == (split,) and len(known.parts) > 1 else name
    return RawPicture(
        f"{where}, image '{name}'", tuple(folder / name for folder in folders), shorter, split,
        tuple(_box(box) for box in image.findall("box")), "pixels",
        size_of(image.get("width"), image.get("height")),
        checked=any(tag.get("label") == "checked" for tag in image.findall("tag")),
    )  # fmt: skip


def _box(element: ET.Element) -> RawBox:
    x0, y0, x1, y1 = (number(element.get(side)) for side in _SIDES)
    angle = number(element.get("rotation", "0"))
    if angle:  # CVAT turns a box about its middle; `accept` reports a NaN
        box = Box(x0, y0, x1, y1)
        x0, y0, x1, y1 = envelope(box, angle, pivot=box.center).xyxy
    role = next((item.text or "" for item in element.findall("attribute") if item.get("name") == "role"), "")
    return RawBox(element.get("label", ""), (x0, y0, x1, y1), role.strip())


def _meta(count: int) -> ET.Element:
    """The `meta` element from which CVAT creates a task with our labels."""
    meta = ET.Element("meta")
    task = ET.SubElement(meta, "task")
    for tag, text in (("name", "tiles"), ("size", str(count)), ("mode", "annotation")):
        ET.SubElement(task, tag).text = text
    labels = ET.SubElement(task, "labels")
    for name, kind in [*((name, "rectangle") for name in CLASS_NAMES), ("checked", "tag")]:
        label = ET.SubElement(labels, "label")
        ET.SubElement(label, "name").text = name
        ET.SubElement(label, "type").text = kind
        attributes = ET.SubElement(label, "attributes")
        if kind == "rectangle":
            role = ET.SubElement(attributes, "attribute")
            for tag, text in (("name", "role"), ("mutable", "False"), ("input_type", "text"), ("default_value", "")):
                ET.SubElement(role, tag).text = text
    return meta
