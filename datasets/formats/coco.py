"""COCO: one JSON file a split with images, annotations (`bbox` = left, top, width, height in pixels) and categories.

`write` creates `annotations/instances_SPLIT.json` beside `images/SPLIT`. We add two keys: `role` in an annotation,
`checked` in an image.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from tilescore.datasets.formats.intake import (
    LabelError,
    RawBox,
    RawPicture,
    RawSet,
    below,
    gather,
    label_text,
    number,
    shown,
    size_of,
    whole,
)
from tilescore.datasets.labels import CLASS_NAMES, Problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tilescore.datasets.labels import LabelledPicture


def fits(path: Path) -> bool:
    """Whether a JSON file of the path has the lists of COCO."""
    return any(_looks_right(file) for file in _files(path))


def read_raw(path: Path) -> RawSet:
    """Parse the JSON files."""
    root = path if path.is_dir() else path.parent.parent if path.parent.name == "annotations" else path.parent

    def pictures_in(file: Path, where: str, problems: list[Problem]) -> list[RawPicture]:
        data = load_json(file, where)
        if not isinstance(data, dict):
            raise LabelError("broken_labels", f"'{where}' is no COCO file: its outermost value is no object")
        return _pictures(data, file, root, problems)

    files = _files(path)
    return gather(root, list(filter(_looks_right, files)) or files, pictures_in)


def write(pictures: Sequence[LabelledPicture], out: Path) -> None:
    """Write one JSON file for each split."""
    (out / "annotations").mkdir(parents=True, exist_ok=True)
    categories = [{"id": place, "name": name, "supercategory": "tile"} for place, name in enumerate(CLASS_NAMES, 1)]
    for split in sorted({picture.split for picture in pictures}):
        images: list[dict[str, Any]] = []
        annotations: list[dict[str, Any]] = []
        for picture in pictures:
            if picture.split != split:
                continue
            number_of_image = len(images) + 1
            width, height = picture.size_wh
            image = {"id": number_of_image, "file_name": picture.name, "width": width, "height": height}
            images.append(image | ({"checked": True} if picture.checked else {}))
            for labelled in picture.boxes:
                box = labelled.box
                bbox = [round(value, 3) for value in (box.x0, box.y0, box.width, box.height)]
                annotation = {
                    "id": len(annotations) + 1, "image_id": number_of_image,
                    "category_id": CLASS_NAMES.index(labelled.name) + 1,
                    "bbox": bbox, "area": round(box.area, 3), "iscrowd": 0,
                }  # fmt: skip
                annotations.append(annotation | ({"role": labelled.role} if labelled.role else {}))
        data = {"images": images, "annotations": annotations, "categories": categories}
        name = f"instances_{split}.json" if split else "instances.json"
        (out / "annotations" / name).write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")


def load_json(file: Path, where: str) -> Any:
    """The value in a JSON file; raises LabelError."""
    try:
        return json.loads(label_text(file, where))
    except (ValueError, RecursionError) as error:
        raise LabelError("broken_labels", f"'{where}' is no JSON ({error})") from None


def records(value: object) -> list[dict[str, Any]]:
    """The objects in a JSON list; empty for any other value."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _files(path: Path) -> list[Path]:
    folder = path / "annotations"
    if path.is_dir() and folder.is_dir():
        return list(below(folder, ".json"))
    return [path] if path.is_file() and path.suffix == ".json" else sorted(path.glob("*.json"))


def _looks_right(file: Path) -> bool:
    """Whether the text begins as an object and names the lists; the file may be too large to parse twice."""
    try:
        text = file.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return False
    return text.lstrip().startswith("{") and all(f'"{key}"' in text for key in ("images", "annotations"))


def _split(file: Path) -> str:
    """The split in the name of a file.

    >>> _split(Path("instances_val.json")), _split(Path("instances.json")), _split(Path("test.json"))
    ('val', '', 'test')
    """
    name = file.stem.removeprefix("instances").lstrip("_").removeprefix("annotations").lstrip("_")
    return "" if name in ("", "coco", "_annotations.coco", "default") or name.endswith(".coco") else name


def _pictures(data: Mapping[str, Any], file: Path, root: Path, problems: list[Problem]) -> list[RawPicture]:
    where, split = shown(file, root), _split(file)
    names = {whole(entry.get("id")): str(entry.get("name")) for entry in records(data.get("categories"))}
    images = records(data.get("images"))
    ids = Counter(whole(image.get("id")) for image in images)
    boxes: dict[int | None, list[RawBox]] = {}
    for annotation in records(data.get("annotations")):
        owner, kind = whole(annotation.get("image_id")), whole(annotation.get("category_id"))
        if owner not in ids:
            detail = f"annotation {annotation.get('id')} belongs to the image {annotation.get('image_id')}, not listed"
            problems.append(Problem("no_such_picture", where, detail))
        elif kind not in names:
            detail = f"annotation {annotation.get('id')} has the category {annotation.get('category_id')}, not listed"
            problems.append(Problem("class_out_of_range", where, detail))
        else:
            boxes.setdefault(owner, []).append(_box(annotation, names[kind]))
    found: list[RawPicture] = []
    for image in images:
        name, number_of_image = str(image.get("file_name", "")), whole(image.get("id"))
        if ids[number_of_image] > 1:
            problems.append(Problem("same_name", where, f"'{name}': several images have the id {image.get('id')}"))
            continue
        places = tuple(folder / name for folder in _folders(root, file, split))
        size = size_of(image.get("width"), image.get("height"))
        mine = tuple(boxes.get(number_of_image, ()))
        known = PurePosixPath(name)
        shorter = (
            str(known.relative_to(split)) if split and known.parts[:1] == (split,) and len(known.parts) > 1 else name
        )
        found.append(
            RawPicture(where, places, shorter, split, mine, "pixels", size, checked=image.get("checked") is True)
        )
    return found


def _folders(root: Path, file: Path, split: str) -> tuple[Path, ...]:
    return (root / "images" / split, root / split, root / "images", root, file.parent)


def _box(annotation: Mapping[str, Any], name: str) -> RawBox:
    bbox = annotation.get("bbox")
    values = [number(value) for value in bbox] if isinstance(bbox, list) else []
    x, y, width, height = values if len(values) == 4 else [float("nan")] * 4
    role = annotation.get("role")
    return RawBox(name, (x, y, x + width, y + height), role if isinstance(role, str) else "")
