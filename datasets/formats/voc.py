"""Pascal VOC: one XML file for each picture, boxes in pixels, splits in `ImageSets/Main/SPLIT.txt` or by folder.

`write` creates `Annotations/NAME.xml` beside `JPEGImages`. Coordinates have decimals and count from 0, as in labelImg,
CVAT and Roboflow; the original challenge counted whole pixels from 1. We add the part of a tile in the hand to an
object, `checked` and `hand` to the annotation.
"""

import math
import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Final
from xml.etree import ElementTree as ET

from tilescore.datasets.intake.label_files import below, label_text
from tilescore.datasets.intake.raw import (
    LabelError,
    RawBox,
    RawPicture,
    RawSet,
    exported_box,
    number,
    ordered,
    size_of,
    turned_box,
)
from tilescore.datasets.intake.reader import LabelFile, gather, is_inner
from tilescore.datasets.intake.xml_files import element, first_tag, load_xml, save_xml, text_of
from tilescore.datasets.labels import LabelledBox, LabelledPicture
from tilescore.datasets.parts import Part, hand_of
from tilescore.vision.image.boxes import Box

_SIDES: Final = ("xmin", "ymin", "xmax", "ymax")
_SHOWN: Final = re.compile(r"\s+(-1|0|1)\s*$")
"""What follows a name in the list of a class: whether the picture shows it."""


def fits(path: Path) -> bool:
    """Whether there are XML files whose outermost element is `annotation`."""
    return any(first_tag(file) == "annotation" for file in below(path, ".xml"))


def read_raw(path: Path) -> RawSet:
    """Parse the XML files."""
    root = path if path.is_dir() else path.parent
    splits = _splits(root)
    files = (file for file in below(path, ".xml") if first_tag(file) != "annotations")
    return gather(root, files, lambda file: [_picture(file, splits)])


def write(pictures: Sequence[LabelledPicture], out: Path) -> None:
    """Write `Annotations` and `ImageSets` beside `JPEGImages`."""
    members: dict[str, list[str]] = {}
    for picture in pictures:
        name = PurePosixPath(picture.name)
        save_xml(_annotation(picture), out / "Annotations" / name.with_suffix(".xml"))
        if picture.split:
            members.setdefault(picture.split, []).append(str(name.with_suffix("")))
    for split, stems in members.items():
        listing = out / "ImageSets" / "Main" / f"{split}.txt"
        listing.parent.mkdir(parents=True, exist_ok=True)
        listing.write_text("".join(f"{stem}\n" for stem in stems), encoding="utf-8")


def _splits(root: Path) -> dict[str, str]:
    """The split of each picture in `ImageSets/Main`, by the picture's name without its suffix, spaces and all."""
    exact: dict[str, str] = {}
    of_a_class: dict[str, str] = {}
    folder = root / "ImageSets" / "Main"
    for listing in below(folder, ".txt") if folder.is_dir() else ():
        try:
            text = label_text(listing, listing.name)
        except LabelError:
            continue
        for line in text.splitlines() if listing.stem != "trainval" else ():
            exact.setdefault(line, listing.stem)
            of_a_class.setdefault(_SHOWN.sub("", line).strip(), listing.stem)
    return of_a_class | exact


def _picture(file: LabelFile, splits: dict[str, str]) -> RawPicture:
    annotation, here, root = load_xml(file.path, file.where, "annotation"), file.path.parent, file.root
    folder = root / "Annotations"
    inner = here.relative_to(folder) if here.is_relative_to(folder) else Path()
    file_name = text_of(annotation, "filename")
    name = (PurePosixPath(inner.as_posix()) / file_name).as_posix() if file_name else ""
    places = (root / "JPEGImages" / name, root / "images" / name, here / file_name) if is_inner(file_name) else ()
    return file.picture(
        name, map(_box, annotation.findall("object")), candidates=places, other_names=(file.path.stem,),
        split=splits.get((inner / file.path.stem).as_posix(), ""),
        size_wh=size_of(text_of(annotation, "size/width"), text_of(annotation, "size/height")),
        checked=text_of(annotation, "checked") == "1", hand=hand_of(text_of(annotation, "hand")),
    )  # fmt: skip


def _box(item: ET.Element) -> RawBox:
    """The shape: an upright box, or a turned one as roLabelImg writes it, with its angle in radians."""
    name, part = text_of(item, "name"), Part.of({field.tag: (field.text or "").strip() for field in item})
    if item.find("robndbox") is not None and item.find("bndbox") is None:
        cx, cy, w, h, angle = (number(text_of(item, f"robndbox/{key}")) for key in ("cx", "cy", "w", "h", "angle"))
        box = Box(cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2)
        return turned_box(name, box, math.degrees(angle), pivot=(cx, cy), part=part)
    x0, y0, x1, y1 = (number(text_of(item, f"bndbox/{side}")) for side in _SIDES)
    attributes = {text_of(field, "name"): text_of(field, "value") for field in item.findall("attributes/attribute")}
    return exported_box(name, ordered(x0, y0, x1, y1), attributes, part=part)


def _annotation(picture: LabelledPicture) -> ET.Element:
    extents = zip(("width", "height", "depth"), (*picture.size_wh, 3), strict=True)
    said = {"checked": "1" * picture.checked, "hand": picture.hand}
    return element(
        "annotation",
        element("folder", "JPEGImages"),
        element("filename", PurePosixPath(picture.name).name),
        element("size", *(element(tag, str(extent)) for tag, extent in extents)),
        element("segmented", "0"),
        *(element(tag, text) for tag, text in said.items() if text),
        *map(_object, picture.boxes),
    )


def _object(labelled: LabelledBox) -> ET.Element:
    said = {"name": labelled.name, "pose": "Unspecified", "truncated": 0, "difficult": 0} | labelled.part.fields()
    sides = zip(_SIDES, labelled.box.xyxy, strict=True)
    box = element("bndbox", *(element(side, f"{value:.3f}") for side, value in sides))
    return element("object", *(element(tag, str(value)) for tag, value in said.items()), box)
