"""Photos given to learn from: once each, with the reading as it was corrected, ready to be annotated."""

from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from tilescore.datasets import formats
from tilescore.datasets.annotation.folder import AnnotationFolder
from tilescore.datasets.marks import LabelSource
from tilescore.errors import InputError
from tilescore.models.registry import load_reader
from tilescore.scoring.tiles import Tile
from tilescore.ui.state.hand.order import beside
from tilescore.ui.storage import kept_photos
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.image.photo import load_photo

SAMPLE = Path(__file__).parents[3] / "datasets" / "sample" / "riichi_closed.jpg"


@pytest.fixture(scope="module")
def reading() -> Reading:
    return load_reader().read(load_photo(SAMPLE))


@pytest.fixture(scope="module")
def jpeg() -> bytes:
    """The sample at two fifths of its size, as a page shows it."""
    photo = load_photo(SAMPLE)
    small = cv2.cvtColor(cv2.resize(photo.rgb, (800, 600)), cv2.COLOR_RGB2BGR)
    return cv2.imencode(".jpg", small)[1].tobytes()


def test_photo_and_reading_wait_to_be_annotated(reading: Reading, jpeg: bytes, tmp_path: Path) -> None:
    assert kept_photos.keep(reading, jpeg, tmp_path) == 1
    folder = AnnotationFolder(tmp_path)
    (file,), problems = folder.pictures()
    assert problems == ()
    now = folder.open(file).now
    assert not now.checked
    assert {mark.source for mark in now.marks} == {LabelSource.PERSON}
    for mark, detection in zip(now.marks, reading.detections, strict=True):
        assert mark.name == str(detection.tile)
        assert mark.box.xyxy == pytest.approx([0.4 * value for value in detection.box.xyxy], abs=0.01)
    assert len(formats.read(tmp_path).pictures[0].boxes) == 14


def test_a_photo_is_kept_once_with_its_last_correction(reading: Reading, jpeg: bytes, tmp_path: Path) -> None:
    kept_photos.keep(reading, jpeg, tmp_path)
    assert kept_photos.keep(reading, jpeg, tmp_path) == 1
    assert kept_photos.keep(reading.edited(tiles={3: Tile.parse("9p")}), jpeg, tmp_path) == 1
    folder = AnnotationFolder(tmp_path)
    found = folder.open(folder.pictures()[0][0])
    assert (found.now.version, found.now.marks[3].name) == (2, "9p")


def test_a_tile_without_a_place_on_the_photo_gets_no_label(reading: Reading, jpeg: bytes, tmp_path: Path) -> None:
    more = reading.edited(added=[(beside(reading), Tile.parse("9p"))])
    kept_photos.keep(more, jpeg, tmp_path, unseen={len(reading.detections)})
    folder = AnnotationFolder(tmp_path)
    marks = folder.open(folder.pictures()[0][0]).now.marks
    assert [mark.name for mark in marks] == [str(detection.tile) for detection in reading.detections]


def test_labels_that_a_person_checked_stay(reading: Reading, jpeg: bytes, tmp_path: Path) -> None:
    kept_photos.keep(reading, jpeg, tmp_path)
    folder = AnnotationFolder(tmp_path)
    (file,), _ = folder.pictures()
    before = folder.open(file).now
    checked = folder.save(file, replace(before, checked=True), by="ann")
    assert kept_photos.keep(reading, jpeg, tmp_path) == 1
    with pytest.raises(InputError, match="checked or changed and stay, but this hand differs"):
        kept_photos.keep(reading.edited(tiles={3: Tile.parse("9p")}), jpeg, tmp_path)
    assert folder.open(file).now == checked


def test_labels_that_a_person_changed_stay(reading: Reading, jpeg: bytes, tmp_path: Path) -> None:
    kept_photos.keep(reading, jpeg, tmp_path)
    folder = AnnotationFolder(tmp_path)
    (file,), _ = folder.pictures()
    before = folder.open(file).now
    changed = folder.save(file, replace(before, marks=before.marks[1:]))
    with pytest.raises(InputError, match="checked or changed and stay, but this hand differs"):
        kept_photos.keep(reading, jpeg, tmp_path)
    assert folder.open(file).now == changed
    folder.save(file, replace(changed, marks=()), by="ann")
    kept_photos.keep(reading, jpeg, tmp_path)
    assert folder.open(file).now.marks == before.marks


def test_what_cannot_be_kept_is_said(
    reading: Reading, jpeg: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(InputError, match="that the folder is yours"):
        kept_photos.keep(reading, jpeg, tmp_path / "file")
    monkeypatch.setattr(kept_photos, "MOST_PHOTOS", 0)
    with pytest.raises(InputError, match="wait already"):
        kept_photos.keep(reading, jpeg, tmp_path)
