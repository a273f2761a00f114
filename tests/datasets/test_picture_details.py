"""Copies of pictures have the same pixels, and nothing that tells the place, the author or the camera."""

import io
import struct
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pillow_heif
import pytest
from PIL import Image, ImageCms, PngImagePlugin
from typer.testing import CliRunner

from tests.datasets.labelled import yolo_set
from tilescore.datasets.pictures.picture_details import copy_without_details
from tilescore.ui.cli.main import app
from tilescore.vision.image.photo import load_photo

EMPTY_XMP = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"/>'
SECRETS = (b"Ann Author", b"SN-4711", b"Somewhere", b"\x2a\x00\x00\x00\x11\x00\x00\x00")
XMP = b"<x:xmpmeta><creator>Ann Author</creator></x:xmpmeta>"


def details(orientation: int) -> Image.Exif:
    exif = Image.Exif()
    exif[0x0112], exif[0x013B], exif[0xA431], exif[0x010E] = orientation, "Ann Author", "SN-4711", "Somewhere"
    exif.get_ifd(0x8825)[2] = (42.0, 17.0, 1.0)
    return exif


def pixels() -> Image.Image:
    generator = np.random.default_rng(1)
    return Image.fromarray(generator.integers(0, 256, (48, 64, 3), np.uint8))


def written(kind: str, orientation: int) -> bytes:
    file, extra = io.BytesIO(), dict[str, Any](exif=details(orientation))
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    if kind == "PNG":
        text = PngImagePlugin.PngInfo()
        text.add_text("Author", "Ann Author")
        text.add_itxt("XML:com.adobe.xmp", XMP.decode())
        extra |= {"pnginfo": text}
    else:
        extra |= {"xmp": XMP}
    pixels().save(file, kind.split(maxsplit=1)[0], icc_profile=profile, progressive="progressive" in kind, **extra)
    data = file.getvalue()
    if kind.startswith("JPEG"):
        iptc = b"\xff\xed" + struct.pack(">H", 12 + 2) + b"Ann Author\0\0"
        comment = b"\xff\xfe" + struct.pack(">H", 9 + 2) + b"Somewhere"
        data = data[:2] + iptc + comment + data[2:] + b"a film: Ann Author"
    return data


@pytest.mark.parametrize("orientation", [1, 6])
@pytest.mark.parametrize("kind", ["JPEG", "JPEG progressive", "PNG", "WEBP"])
def test_copies_tell_nothing(kind: str, orientation: int, tmp_path: Path) -> None:
    path, place = (
        tmp_path / f"a.{kind.split(maxsplit=1)[0].lower()}",
        tmp_path / f"b.{kind.split(maxsplit=1)[0].lower()}",
    )
    path.write_bytes(written(kind, orientation))
    copy_without_details(path, place)
    data = place.read_bytes()
    assert [secret for secret in SECRETS if secret in data] == []
    before, after = Image.open(path), Image.open(place)
    assert np.array_equal(np.asarray(before), np.asarray(after)), "the same pixels"
    assert after.info["icc_profile"] == before.info["icc_profile"]
    assert after.getexif().get(0x0112, 1) == orientation
    assert np.array_equal(load_photo(path).rgb, load_photo(place).rgb)
    assert cv2.imread(str(place)) is not None


@pytest.mark.parametrize("orientation", [1, 6])
@pytest.mark.parametrize("kept", [("exif", "xmp"), ("exif",), ("xmp",)])
def test_a_copy_of_a_heic_picture_tells_nothing(kept: tuple[str, ...], orientation: int, tmp_path: Path) -> None:
    path, place = tmp_path / "a.heic", tmp_path / "b.heic"
    told: dict[str, Any] = {"exif": details(orientation).tobytes(), "xmp": XMP}
    picture = pillow_heif.from_pillow(pixels().resize((256, 192)))
    picture.save(path, thumbnails=[64], **{name: told[name] for name in kept})
    before = path.read_bytes()
    assert any(secret in before for secret in SECRETS)
    copy_without_details(path, place)
    after = place.read_bytes()
    assert [secret for secret in SECRETS if secret in after] == []
    assert len(after) == len(before), "all else stays where the index of the file says"
    assert np.array_equal(load_photo(path).rgb, load_photo(place).rgb), "the same pixels, upright"
    with Image.open(place) as image:
        assert image.getexif().get_ifd(0x8825) == {}, "an EXIF that programs can read"
        assert image.info.get("xmp", EMPTY_XMP).strip() == EMPTY_XMP


@pytest.mark.parametrize("cut", [40, 200, 400])
def test_a_heic_picture_with_a_broken_index_is_not_copied(cut: int, tmp_path: Path) -> None:
    pillow_heif.from_pillow(pixels()).save(tmp_path / "a.heic", exif=details(1).tobytes())
    (tmp_path / "a.heic").write_bytes((tmp_path / "a.heic").read_bytes()[:cut])
    with pytest.raises(OSError, match="details cannot be taken out"):
        copy_without_details(tmp_path / "a.heic", tmp_path / "b.heic")
    assert not (tmp_path / "b.heic").exists()


@pytest.mark.parametrize("cut", [-19, -100, -400])
def test_a_picture_that_is_cut_short_is_copied_as_it_is(cut: int, tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(written("JPEG", 1)[:cut])
    copy_without_details(tmp_path / "a.jpg", tmp_path / "b.jpg")
    data = (tmp_path / "b.jpg").read_bytes()
    assert [secret for secret in SECRETS if secret in data] == []
    before, after = (cv2.imread(str(tmp_path / name)) for name in ("a.jpg", "b.jpg"))
    assert before is not None
    assert after is not None
    assert np.array_equal(before, after)


def test_what_is_no_picture_is_an_error_of_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"\xff\xd8 no picture")
    with pytest.raises(OSError, match="details cannot be taken out"):
        copy_without_details(tmp_path / "a.jpg", tmp_path / "b.jpg")


def test_written_sets_tell_nothing_unless_asked(tmp_path: Path) -> None:
    root = yolo_set(tmp_path / "set", {"a": "0 0.5 0.5 0.1 0.2\n"})
    (root / "images" / "a.png").unlink()
    (root / "images" / "a.jpg").write_bytes(written("JPEG", 1))
    for words, told in (("convert", False), ("convert --keep-details", True), ("split", False)):
        out = tmp_path / words.replace(" ", "")
        more = ["--to", "coco"] if words.startswith("convert") else []
        done = CliRunner().invoke(app, ["dataset", *words.split(), str(root), str(out), *more])
        assert done.exit_code == 0, done.output
        (copy,) = out.rglob("a.jpg")
        assert (b"Ann Author" in copy.read_bytes()) == told, words
