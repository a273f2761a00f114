"""CreateML: a JSON list of pictures; boxes by their middle, width and height in pixels.

`write` creates `_annotations.createml.json` in each split's folder, as Roboflow does. We add the part of a
tile in the hand to its annotation, and `checked` and `hand` to a picture.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tilescore.datasets.intake.label_files import mapping, save_list, text
from tilescore.datasets.intake.raw import RawBox, RawPicture, number
from tilescore.datasets.intake.reader import LabelFile, json_reader
from tilescore.datasets.labels import LabelledBox, LabelledPicture, picture_fields
from tilescore.datasets.parts import Part, hand_of
from tilescore.vision.image.boxes import Box

_FILE: Final = "_annotations.createml.json"


def _pictures_in(file: LabelFile) -> Iterator[RawPicture]:
    entries = file.records(file.json(list, "no list of pictures"), "the list of pictures")
    yield from (_picture(entry, file) for entry in entries)


LABEL_READER: Final = json_reader("createml", _pictures_in)


def write(pictures: Sequence[LabelledPicture], out: Path) -> None:
    """Write one JSON file in the folder of each split's pictures."""
    for split in sorted({picture.split for picture in pictures}):
        mine = [picture for picture in pictures if picture.split == split]
        entries = (
            {"image": p.name, "annotations": [_annotation(box) for box in p.boxes]} | picture_fields(p) for p in mine
        )
        folder = out / "images" / split
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / _FILE).open("w", encoding="utf-8") as file:
            save_list(file, entries)


def _annotation(labelled: LabelledBox) -> dict[str, Any]:
    (x, y), box = labelled.box.center, labelled.box
    values = {"x": x, "y": y, "width": box.width, "height": box.height}
    coordinates = {key: round(value, 3) for key, value in values.items()}
    entry = {"label": labelled.name, "coordinates": coordinates}
    return entry | labelled.part.fields()


def _picture(entry: Mapping[str, Any], file: LabelFile) -> RawPicture:
    name = text(entry.get("image")) or text(entry.get("imagefilename"))
    annotations = file.records(entry.get("annotations") or entry.get("annotation"), f"'annotations' of '{name}'")
    checked, hand = entry.get("checked") is True, hand_of(entry.get("hand"))
    return file.picture(name, map(_box, annotations), checked=checked, hand=hand)


def _box(annotation: Mapping[str, Any]) -> RawBox:
    place = mapping(annotation.get("coordinates"))
    x, y, width, height = (number(place.get(key)) for key in ("x", "y", "width", "height"))
    box = Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
    return RawBox(text(annotation.get("label")), box.xyxy, Part.of(annotation))
