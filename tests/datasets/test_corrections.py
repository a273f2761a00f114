"""Corrections belong to the bytes of one file."""

import csv
from pathlib import Path

import pytest

from tilescore.datasets import corrections
from tilescore.datasets.corrections import corrected_class, corrections_of, key_of
from tilescore.datasets.labels import CLASS_NAMES
from tilescore.datasets.mix import read_manifest
from tilescore.datasets.training_folder import label_file


def test_every_row_has_a_box_in_the_picture_and_a_known_class() -> None:
    with (Path(corrections.__file__).parent / "corrections.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len({tuple(row.values()) for row in rows}) > 200
    for row in rows:
        assert row["tile"] in CLASS_NAMES
        assert 0 <= float(row["left"]) < float(row["right"]) <= 1
        assert 0 <= float(row["top"]) < float(row["bottom"]) <= 1


def test_an_unknown_file_has_no_corrections(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"another")
    assert corrections_of(tmp_path / "a.jpg") == ()


@pytest.mark.shared
def test_corrections_join_the_labels_of_their_photo(shared: Path) -> None:
    photos = [photo for photo in read_manifest(shared / "data" / "photos") if corrections_of(photo.path)]
    assert {photo.split for photo in photos} == {"train", "val"}, "the labels of a test set stay as given"
    backs = 0
    for photo in photos:
        given = len(label_file(photo.path).read_text().split("\n")) - 1
        assert len(photo.labels()) == given + len(corrections_of(photo.path))
        backs += sum(correction.name == "back" for correction in corrections_of(photo.path))
        assert len(key_of(photo.path)) == 16
    assert backs >= 70


@pytest.mark.shared
def test_a_scan_in_the_wrong_folder_gets_its_true_class(shared: Path) -> None:
    scans = shared / "data" / "crops"
    other = {
        str(path.relative_to(scans)): shown
        for path in sorted(scans.glob("*/*.jpg"))
        if (shown := corrected_class(path, path.parent.name)) != path.parent.name
    }
    assert other == {"8m/133.jpg": "8p"}
