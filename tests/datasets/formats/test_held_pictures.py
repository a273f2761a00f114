"""LabelMe files that hold their pictures themselves."""

from __future__ import annotations

import base64
import io
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from tests.datasets.formats.test_foreign_sets import BOX, boxes_of, labelme, write_files
from tilescore.datasets import formats
from tilescore.datasets.intake.held import held_picture, home_of
from tilescore.datasets.intake.raw import RawPicture

if TYPE_CHECKING:
    from pathlib import Path

CORNERS: list[list[float]] = [[288, 192], [352, 288]]


def packed(kind: str = "JPEG", *, colour: str = "red", size_wh: tuple[int, int] = (640, 480)) -> str:
    out = io.BytesIO()
    Image.new("RGB", size_wh, colour).save(out, kind)
    return base64.b64encode(out.getvalue()).decode()


def colour_of(path: Path) -> tuple[int, ...]:
    with Image.open(path) as image:
        pixel = image.convert("RGB").getpixel((5, 5))
    assert isinstance(pixel, tuple)
    return tuple(round(value / 64) for value in pixel)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP", "TIFF"])
@pytest.mark.parametrize("to", formats.WRITTEN)
def test_the_picture_comes_out_of_the_file(kind: str, to: str, tmp_path: Path) -> None:
    text = labelme("rectangle", CORNERS, imagePath="C:\\me\\a.png", imageData=packed(kind))
    root = write_files(tmp_path / "set", {"train/deep/a.json": text})
    found = formats.read(root)
    assert boxes_of(found) == [("train", "a", "9p", BOX)]
    assert (found.problems, PurePosixPath(found.pictures[0].name).parent.name) == ((), "deep")
    formats.write(found.pictures, tmp_path / "out", format_name=to)
    (picture,) = formats.read(tmp_path / "out").pictures
    assert colour_of(picture.path) == (4, 0, 0)
    assert [path.name for path in root.rglob("*.*")] == ["a.json"], "nothing is written into the set"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("no base64!", "is not there, and the one in the label file is no base64"),
        ("YWJj", "is no picture that can be read"),
        (packed()[:40], "is no picture that can be read"),
        (packed("PPM"), "has no form of a photo"),
        (packed(size_wh=(20, 20)), "is only 20x20 pixels"),
        (packed(size_wh=(320, 240)), "the labels are for 640x480 pixels"),
    ],
)
def test_a_picture_that_is_none_is_one_sentence(data: str, said: str, tmp_path: Path) -> None:
    found = formats.read(write_files(tmp_path, {"a.json": labelme("rectangle", CORNERS, imageData=data)}))
    (problem,) = found.problems
    assert said in problem.detail
    assert (problem.where, problem.shapes, found.pictures) == ("a.json", 1, ())


def test_a_picture_of_too_many_pixels_is_not_called_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 100)
    found = formats.read(write_files(tmp_path, {"a.json": labelme("rectangle", CORNERS, imageData=packed())}))
    assert [problem.detail.partition("' ")[2] for problem in found.problems] == [
        "has far too many pixels: make it smaller first, or leave it out."
    ]


def test_a_picture_that_is_too_large_is_not_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("base64.b64decode", pytest.fail)
    found = formats.read(write_files(tmp_path, {"a.json": labelme("rectangle", CORNERS, imageData="A" * 80_000_100)}))
    assert [problem.detail for problem in found.problems] == [
        "the picture in 'a.json' is too large: at most 60 MB are read"
    ]


def test_the_file_on_the_disk_comes_first(tmp_path: Path) -> None:
    """A file without a picture of its own does not take that of another file with the same name."""
    lime = packed("PNG", colour="lime")
    files = {
        "a/x.json": labelme("rectangle", CORNERS, imagePath="x.jpg", imageData=packed()),
        "b/x.json": labelme("rectangle", CORNERS, imagePath="x.jpg", imageData=f"data:image/png;base64,{lime}"),
        "c/y.json": labelme("rectangle", CORNERS, imagePath="y.png", imageData="broken"),
        "c/y.png": "",
        "d/y.json": labelme("rectangle", CORNERS, imagePath="y.png", imageData=packed()),
    }  # fmt: skip
    found = formats.read(write_files(tmp_path, files))
    assert [picture.name for picture in found.pictures] == ["a/x.jpg", "b/x.png", "c/y.png", "d/y.jpg"]
    assert [colour_of(picture.path) for picture in found.pictures[:2]] == [(4, 0, 0), (0, 4, 0)]
    assert not found.problems


@pytest.mark.parametrize("where", ["{folder}/a.json", "../../a.json", "a.json"])
def test_no_path_of_a_label_file_leads_out_of_the_temporary_folder(where: str, tmp_path: Path) -> None:
    bytes_of = io.BytesIO()
    Image.new("RGB", (64, 64)).save(bytes_of, "PNG")
    text = base64.b64encode(bytes_of.getvalue()).decode()
    where = where.format(folder=tmp_path)
    entry = RawPicture(where, "lost.png", (), "pixels", tmp_path, held=lambda: text)
    assert held_picture(entry, tmp_path).resolve().is_relative_to(home_of(tmp_path).resolve())
    assert not list(tmp_path.iterdir())
