"""Faults of corrupted input that must not return; `python -m tests.fuzz` searches for new ones."""

import io
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from PIL import Image

from tests.fuzz.campaign import TARGETS, FuzzTarget, made, target_of
from tests.fuzz.photos import png_bomb, scan_bomb
from tilescore.datasets.intake.raw import LabelError
from tilescore.datasets.intake.xml_files import load_xml
from tilescore.errors import InputError
from tilescore.vision.image.photo import PhotoError, decode_photo

ROOT = Path(__file__).resolve().parents[2]
ENTITY = '<!DOCTYPE a [<!ENTITY e "ha">]><a>&e;</a>'


def encoded(size_wh: tuple[int, int], kind: str) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size_wh).save(buffer, kind)
    return buffer.getvalue()


@pytest.fixture(params=[name for name in TARGETS if name != "photos"])
def target(request: pytest.FixtureRequest) -> tuple[str, FuzzTarget]:
    return request.param, target_of(request.param)


def test_corrupted_texts_are_accepted_or_rejected(target: tuple[str, FuzzTarget]) -> None:
    """The inputs are the same on every machine; their seed differs from the seed of a long run."""
    name, reader = target
    accepted = 0
    for number in range(100):
        try:
            accepted += reader.feed(made(reader, name, seed=2, number=number))
        except InputError:
            continue
    assert accepted > 10  # an input that is rejected at once tests little


@pytest.mark.parametrize(("size_wh", "kind"), [((32, 60_000), "JPEG"), ((1_000_000, 32), "PNG")])
def test_strips_are_rejected(size_wh: tuple[int, int], kind: str) -> None:
    """The short side was zero at working size: ZeroDivisionError, cv2.error."""
    with pytest.raises(PhotoError) as caught:
        decode_photo(encoded(size_wh, kind))
    assert caught.value.code == "strip"


def test_large_webp_is_rejected() -> None:
    """A WebP file of 34 bytes with 120 million pixels took 1.8 GB."""
    buffer = io.BytesIO()
    Image.new("L", (8000, 8000)).save(buffer, "WEBP", lossless=True, method=0, quality=0)
    with pytest.raises(PhotoError) as caught:
        decode_photo(buffer.getvalue())
    assert caught.value.code == "too_large"


def test_many_scans_are_rejected() -> None:
    """A JPEG file of some kilobytes took minutes, because the decoder visits the whole picture in every scan."""
    with pytest.raises(PhotoError) as caught:
        decode_photo(scan_bomb(scans=400))
    assert caught.value.code == "too_large"


def test_large_pictures_need_little_more_than_their_pixels() -> None:
    """A valid PNG of 2 MB and 120 million pixels took 2.3 GB; this test decodes a quarter of it in a fresh process."""
    code = (
        "import sys, resource; from tilescore.vision.image.photo import decode_photo; data = sys.stdin.buffer.read();"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss; photo = decode_photo(data);"
        "assert max(photo.rgb.shape) <= 2 * 1920, photo.rgb.shape; assert photo.rgb.min() == 255;"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    data = png_bomb(6, 4, side=5400)
    run = subprocess.run([sys.executable, "-c", code], input=data, cwd=ROOT, capture_output=True, check=True)  # noqa: S603
    assert int(run.stdout) < 8 * 5400 * 5400 / 1024


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_are_rejected_in_every_encoding(encoding: str, tmp_path: Path) -> None:
    """A search of the bytes did not find entities in UTF-16."""
    file = tmp_path / "labels.xml"
    file.write_bytes(ENTITY.encode(encoding))
    with pytest.raises(LabelError, match="declares entities"):
        load_xml(file, "labels.xml", "annotations")


def test_an_input_depends_on_its_number_alone(target: tuple[str, FuzzTarget]) -> None:
    name, reader = target
    first = [made(reader, name, seed=1, number=number) for number in (5, 6, 5)]
    assert first[0] == first[2] != first[1]
    assert reader.make(Random("1/" + name + "/5"), 5) == first[0]


def test_heic_whose_decoder_gives_up() -> None:
    """A size of zero behind a valid header raised the RuntimeError of libheif."""
    photos = target_of("photos")
    with pytest.raises(PhotoError) as caught:
        photos.feed(made(photos, "photos", seed=1, number=23_207))
    assert caught.value.code == "truncated"
