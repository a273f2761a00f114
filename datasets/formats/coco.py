"""COCO: one JSON file a split with images, annotations (`bbox` = left, top, width, height in pixels) and categories.

`write` creates `annotations/instances_SPLIT.json` beside `images/SPLIT`. The part of a tile in the hand is in the
`attributes` of its annotation, as CVAT writes them, and a polygon in its `segmentation`. We add the keys `checked` and
`hand` in an image. The reader also knows `_annotations.coco.json` beside the pictures of a split, as in Roboflow.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from tilescore.datasets.intake.label_files import json_files, mapping, records, save_list
from tilescore.datasets.intake.pictures import split_named
from tilescore.datasets.intake.raw import (
    RawBox,
    RawPicture,
    RawSet,
    around,
    exported_box,
    number,
    ordered,
    points_in,
    size_of,
    whole,
)
from tilescore.datasets.intake.reader import LabelFile, gather
from tilescore.datasets.labels import CLASS_NAMES, LabelledBox, LabelledPicture, picture_fields
from tilescore.datasets.parts import Part, hand_of


def fits(path: Path) -> bool:
    """Whether a JSON file of the path has the lists of COCO."""
    return bool(json_files(path, "coco"))


def read_raw(path: Path) -> RawSet:
    """Parse the JSON files."""
    root = path if path.is_dir() else path.parent.parent if path.parent.name == "annotations" else path.parent

    names: dict[str, str] = {}

    def pictures_in(file: LabelFile) -> list[RawPicture]:
        data = file.json(dict, "no COCO file: its outermost value is no object")
        for entry in records(data.get("categories")):
            names.setdefault(str(entry.get("name")), file.where)
        return _pictures(data, file)

    raw = gather(root, json_files(path, "coco") or ([path] if path.is_file() else []), pictures_in)
    return replace(raw, names=tuple(names), source=next(iter(names.values()), ""))


def write(pictures: Sequence[LabelledPicture], out: Path) -> None:
    """Write one JSON file for each split."""
    (out / "annotations").mkdir(parents=True, exist_ok=True)
    categories = [{"id": place, "name": name, "supercategory": "tile"} for place, name in enumerate(CLASS_NAMES, 1)]
    for split in sorted({picture.split for picture in pictures}):
        mine = [picture for picture in pictures if picture.split == split]
        name = f"instances_{split}.json" if split else "instances.json"
        with (out / "annotations" / name).open("w", encoding="utf-8") as file:
            file.write('{"categories": ')
            save_list(file, categories)
            file.write(', "images": ')
            save_list(file, (_image(place, picture) for place, picture in enumerate(mine, 1)))
            file.write(', "annotations": ')
            boxes = ((place, box) for place, picture in enumerate(mine, 1) for box in picture.boxes)
            save_list(
                file, ({"id": row, "image_id": place} | _annotation(box) for row, (place, box) in enumerate(boxes, 1))
            )
            file.write("}")


def _image(place: int, picture: LabelledPicture) -> dict[str, Any]:
    width, height = picture.size_wh
    return {"id": place, "file_name": picture.name, "width": width, "height": height} | picture_fields(picture)


def _annotation(labelled: LabelledBox) -> dict[str, Any]:
    box = labelled.box
    annotation: dict[str, Any] = {
        "category_id": CLASS_NAMES.index(labelled.name) + 1,
        "bbox": [round(value, 3) for value in (box.x0, box.y0, box.width, box.height)],
        "area": round(box.area, 3), "iscrowd": 0,
    }  # fmt: skip
    if labelled.corners:
        annotation["segmentation"] = [[round(value, 3) for corner in labelled.corners for value in corner]]
    if fields := labelled.part.fields():
        annotation["attributes"] = fields
    return annotation


def _split(file: Path) -> str:
    """The split in the name of a file; empty if the folders of the pictures tell it.

    >>> from pathlib import Path
    >>> _split(Path("instances_val2017.json")), _split(Path("instances.json")), _split(Path("_annotations.coco.json"))
    ('val', '', '')
    """
    name = file.stem.removeprefix("instances").lstrip("_").removeprefix("annotations").lstrip("_")
    return split_named(name)


def _pictures(data: Mapping[str, Any], file: LabelFile) -> list[RawPicture]:
    split = _split(file.path)
    images, annotations, categories = (
        file.records(data.get(key), f"'{key}'") for key in ("images", "annotations", "categories")
    )
    ids = Counter(whole(image.get("id")) for image in images)
    boxes, lost = _boxes(annotations, categories, ids, file)
    pictures: list[RawPicture] = []
    for image in images:
        name, number_of_image = str(image.get("file_name", "")), whole(image.get("id"))
        mine = boxes.pop(number_of_image, ())
        if ids[number_of_image] > 1:
            detail = f"'{name}': several images have the id {image.get('id')}"
            file.lose("same_name", detail, len(mine))
            continue
        pictures.append(
            file.picture(
                name, mine, candidates=_candidates(file, split, name), split=split,
                size_wh=size_of(image.get("width"), image.get("height")),
                checked=image.get("checked") is True, hand=hand_of(image.get("hand")), lost=lost[number_of_image],
            )
        )  # fmt: skip
    return pictures


def _boxes(
    annotations: Sequence[Mapping[str, Any]],
    categories: Sequence[Mapping[str, Any]],
    ids: Mapping[int | None, int],
    file: LabelFile,
) -> tuple[dict[int | None, list[RawBox]], Counter[int | None]]:
    """The shapes of each picture, and the number of those that are lost, by the id of the picture."""
    kinds = {(whole(entry.get("id")), str(entry.get("name"))) for entry in categories}
    several = Counter(number_of_kind for number_of_kind, _ in kinds)
    names = {number_of_kind: name for number_of_kind, name in kinds if several[number_of_kind] == 1}
    boxes: dict[int | None, list[RawBox]] = {}
    lost: Counter[int | None] = Counter()
    for annotation in annotations:
        owner, kind = whole(annotation.get("image_id")), whole(annotation.get("category_id"))
        if owner not in ids:
            detail = f"annotation {annotation.get('id')} belongs to the image {annotation.get('image_id')}, not listed"
            file.lose("no_such_picture", detail, 1)
        elif kind not in names:
            why = "listed under several names" if several[kind] else "not listed"
            detail = f"annotation {annotation.get('id')} has the category {annotation.get('category_id')}, {why}"
            file.lose("class_out_of_range", detail, 1)
            lost[owner] += 1
        elif (box := _box(annotation, names[kind])) is None:
            detail = f"annotation {annotation.get('id')} has a mask (RLE) and no box: RLE masks are not read"
            file.lose("unsupported_shape", detail, 1)
            lost[owner] += 1
        else:
            boxes.setdefault(owner, []).append(box)
    return boxes, lost


def _candidates(file: LabelFile, split: str, name: str) -> tuple[Path, ...]:
    plain = PurePosixPath(name.replace("\\", "/"))
    if plain.is_absolute() or ".." in plain.parts or not plain.parts:
        return ()
    root = file.root
    folders = (root / "images" / split, root / split, root / "images", file.path.parent, root)
    return tuple(folder / plain for folder in folders)


def _box(annotation: Mapping[str, Any], name: str) -> RawBox | None:
    """The shape: its box, or the box around its polygon where its box has no area; None for a mask alone."""
    bbox = annotation.get("bbox")
    values = [number(value) for value in bbox] if isinstance(bbox, list) else []
    segments = annotation.get("segmentation")
    parts = [points_in(part) for part in segments] if isinstance(segments, list) else []
    corners = tuple(parts[0]) if len(parts) == 1 and len(parts[0]) > 2 else ()
    if len(values) == 4 and (all(values[2:]) or not segments):
        x, y, width, height = values
        xyxy = ordered(x, y, x + width, y + height)
    elif isinstance(segments, dict):
        return None
    else:
        xyxy = around([point for part in parts for point in part])
    if corners and sorted({*corners}) == sorted({(a, b) for a in xyxy[::2] for b in xyxy[1::2]}):
        corners = ()  # the polygon is the box itself
    attributes = mapping(annotation.get("attributes"))
    if corners:
        return RawBox(name, xyxy, Part.of(attributes), corners)
    return exported_box(name, xyxy, attributes, part=Part.of(attributes))
