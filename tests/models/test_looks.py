"""The shipped model looks at sets of other programs: it finds wrong lists and turned labels, and no others."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from tests.datasets.labelled import name_classes
from tilescore.datasets import formats
from tilescore.datasets.labels import CLASS_NAMES, LabelledBox
from tilescore.datasets.names.looks import better_boxes, look_at
from tilescore.datasets.pictures.picture_files import PictureFrame
from tilescore.datasets.sample import SAMPLES
from tilescore.models.registry import load_reader
from tilescore.vision.image.photo import load_photo

if TYPE_CHECKING:
    from pathlib import Path

    from tilescore.vision.classification.classifier import Classifier


@pytest.fixture(scope="module")
def namer() -> Classifier:
    found = load_reader().classifier
    assert found is not None
    return found


@pytest.fixture(scope="module")
def tiles() -> tuple[LabelledBox, ...]:
    """What the sample shows; the model reads all of it rightly."""
    reading = load_reader().read(load_photo(SAMPLES / "riichi_closed.jpg"))
    return tuple(LabelledBox(str(each.tile), each.box) for each in reading.detections)


@pytest.mark.parametrize("orientation", [3, 6, 8])
def test_labels_in_stored_pixels_are_found_by_looking(
    orientation: int, tiles: tuple[LabelledBox, ...], namer: Classifier, tmp_path: Path
) -> None:
    upright = Image.open(SAMPLES / "riichi_closed.jpg").convert("RGB")
    back = {3: Image.Transpose.ROTATE_180, 6: Image.Transpose.ROTATE_90, 8: Image.Transpose.ROTATE_270}[orientation]
    stored = upright.transpose(back)
    exif = Image.Exif()
    exif[0x0112] = orientation
    name_classes(tmp_path)
    stored.save(tmp_path / "a.jpg", exif=exif, quality=95)
    inverse = PictureFrame(upright.size, {3: 3, 6: 8, 8: 6}[orientation])
    for follows_stored in (True, False):
        lines = []
        for each in tiles:
            corners = [(each.box.x0, each.box.y0), (each.box.x1, each.box.y1)]
            size = upright.size
            if follows_stored:
                corners, size = [inverse.upright(*corner) for corner in corners], stored.size
            (x0, x1), (y0, y1) = (sorted(corner[side] / size[side] for corner in corners) for side in (0, 1))
            kind = CLASS_NAMES.index(each.name)
            lines.append(f"{kind} {(x0 + x1) / 2} {(y0 + y1) / 2} {x1 - x0} {y1 - y0}\n")
        (tmp_path / "a.txt").write_text("".join(lines))
        found = formats.read(tmp_path, look=partial(better_boxes, namer=namer))
        for each, read in zip(tiles, found.pictures[0].boxes, strict=True):
            assert each.box.iou(read.box) > 0.98
        assert [note.code for note in found.notes] == ["turned_by_look" if follows_stored else "taken_as_upright"]


def wrong_name(name: str, kind: str) -> str:
    """What a tile is called in a list of that kind."""
    if kind == "m and s exchanged":
        return name.translate(str.maketrans("ms", "sm"))
    return CLASS_NAMES[(CLASS_NAMES.index(name) + 1) % 45] if kind == "moved by one" else name


@pytest.mark.parametrize("kind", ["right", "m and s exchanged", "moved by one"])
def test_a_list_in_the_wrong_order_is_told(
    kind: str, tiles: tuple[LabelledBox, ...], namer: Classifier, tmp_path: Path
) -> None:
    boxes = tuple(replace(each, name=wrong_name(each.name, kind)) for each in tiles)
    name_classes(tmp_path)
    for copy in ("a", "b"):
        Image.open(SAMPLES / "riichi_closed.jpg").save(tmp_path / f"{copy}.jpg")
        (tmp_path / f"{copy}.txt").write_text("0 .5 .5 .1 .1\n")
    pictures = [replace(picture, boxes=boxes) for picture in formats.read(tmp_path).pictures]
    note = look_at(pictures, namer).note
    assert (note is None) == (kind == "right")
