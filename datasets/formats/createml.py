"""CreateML: a JSON list of pictures; boxes by their middle, width and height in pixels.

`write` creates `_annotations.createml.json` in each split's folder, as Roboflow does. We add the part of a
tile in the hand to its annotation, and `checked` and `hand` to a picture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tilescore.datasets.intake.label_files import checked_records, json_files, load_json, mapping, save_list, text
from tilescore.datasets.intake.raw import LabelError, RawBox, RawPicture, RawSet, gather, number
from tilescore.datasets.labels import Problem, picture_fields
from tilescore.datasets.parts import Part, hand_of
from tilescore.vision.image.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from tilescore.datasets.labels import LabelledBox, LabelledPicture

_FILE: Final = "_annotations.createml.json"


def fits(path: Path) -> bool:
    """Whether there is a JSON list of pictures with annotations."""
    return bool(json_files(path, "createml"))


def read_raw(path: Path) -> RawSet:
    """Parse the JSON files."""
    root = path if path.is_dir() else path.parent

    def pictures_in(file: Path, where: str, problems: list[Problem]) -> Iterator[RawPicture]:
        data = load_json(file, where)
        if not isinstance(data, list):
            raise LabelError("broken_labels", f"'{where}' is no list of pictures")
        entries = checked_records(data, "the list of pictures", where, problems=problems)
        yield from (_picture(entry, file, where, problems) for entry in entries)

    return gather(root, json_files(path, "createml") or ([path] if path.is_file() else []), pictures_in)


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


def _picture(entry: Mapping[str, Any], file: Path, where: str, problems: list[Problem]) -> RawPicture:
    name = text(entry.get("image")) or text(entry.get("imagefilename"))
    plain = bool(name) and not name.startswith("/") and ".." not in name and "\\" not in name
    annotations = entry.get("annotations") or entry.get("annotation")
    boxes = map(_box, checked_records(annotations, f"'annotations' of '{name}'", where, problems=problems))
    return RawPicture(
        where, name, tuple(boxes), "pixels",
        file.parent, (file.parent / name,) if plain else (), checked=entry.get("checked") is True,
        hand=hand_of(entry.get("hand")),
    )  # fmt: skip


def _box(annotation: Mapping[str, Any]) -> RawBox:
    place = mapping(annotation.get("coordinates"))
    x, y, width, height = (number(place.get(key)) for key in ("x", "y", "width", "height"))
    box = Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
    return RawBox(text(annotation.get("label")), box.xyxy, Part.of(annotation))
