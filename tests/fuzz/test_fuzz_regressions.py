"""What spoilt input once did, and may not do again; `python -m tests.fuzz` looks for more."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from PIL import Image

from tests.fuzz.__main__ import ROOMS, Room, made, room_of
from tests.fuzz.photos import png_bomb, scan_bomb
from tilescore.base.errors import InputError
from tilescore.datasets.formats.intake import LabelError
from tilescore.datasets.formats.xml_files import load_xml
from tilescore.vision.image.photo import PhotoError, decode_photo

ROOT = Path(__file__).resolve().parents[2]
ENTITY = '<!DOCTYPE a [<!ENTITY e "ha">]><a>&e;</a>'


def encoded(size_wh: tuple[int, int], kind: str) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size_wh).save(buffer, kind)
    return buffer.getvalue()


@pytest.fixture(params=[name for name in ROOMS if name != "photos"])
def room(request: pytest.FixtureRequest) -> tuple[str, Room]:
    return request.param, room_of(request.param)


def test_spoilt_texts_are_taken_or_refused(room: tuple[str, Room]) -> None:
    """The same inputs on every machine, other ones than a long run begins with."""
    name, readers = room
    taken = 0
    for number in range(100):
        try:
            taken += readers.feed(made(readers, name, seed=2, number=number))
        except InputError:
            continue
    assert taken > 10  # what is refused at the door shows nothing


@pytest.mark.parametrize(("size_wh", "kind"), [((32, 60_000), "JPEG"), ((1_000_000, 32), "PNG")])
def test_strips_are_refused(size_wh: tuple[int, int], kind: str) -> None:
    """At working size nothing was left of the short side: ZeroDivisionError, cv2.error."""
    with pytest.raises(PhotoError) as caught:
        decode_photo(encoded(size_wh, kind))
    assert caught.value.code == "too_small"


def test_large_webp_is_refused() -> None:
    """34 bytes of WebP, 120 million pixels, took 1.8 GB."""
    buffer = io.BytesIO()
    Image.new("L", (8000, 8000)).save(buffer, "WEBP", lossless=True, method=0, quality=0)
    with pytest.raises(PhotoError) as caught:
        decode_photo(buffer.getvalue())
    assert caught.value.code == "too_large"


def test_many_passes_are_refused() -> None:
    """Kilobytes of JPEG that took minutes: every scan is a walk over the whole picture."""
    with pytest.raises(PhotoError) as caught:
        decode_photo(scan_bomb(scans=400))
    assert caught.value.code == "too_large"


def test_large_pictures_need_little_more_than_their_pixels() -> None:
    """A sound PNG of 2 MB and 120 million pixels took 2.3 GB; here a quarter of it, in a process of its own."""
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
def test_entities_are_refused_in_every_encoding(encoding: str, tmp_path: Path) -> None:
    """UTF-16 hid them from a search of the bytes."""
    file = tmp_path / "labels.xml"
    file.write_bytes(ENTITY.encode(encoding))
    with pytest.raises(LabelError, match="declares entities"):
        load_xml(file, "labels.xml", "annotations")


def test_an_input_depends_on_its_number_alone(room: tuple[str, Room]) -> None:
    name, readers = room
    first = [made(readers, name, seed=1, number=number) for number in (5, 6, 5)]
    assert first[0] == first[2] != first[1]
    assert readers.make(Random("1/" + name + "/5"), 5) == first[0]


def test_heic_whose_decoder_gives_up() -> None:
    """A size of zero behind a sound header: libheif's RuntimeError."""
    photos = room_of("photos")
    with pytest.raises(PhotoError) as caught:
        photos.feed(made(photos, "photos", seed=1, number=23_207))
    assert caught.value.code == "truncated"
