"""The app reads a photo alike on a busy and on an idle machine."""

import itertools
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tilescore.models.registry import DEFAULT, find, load_reader, write_learned
from tilescore.ui.services import photo_reading
from tilescore.vision.image.photo import load_photo

SAMPLE = Path(__file__).resolve().parents[3] / "datasets" / "sample" / "winning_hand.jpg"


def test_the_clock_changes_no_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    idle = load_reader().read(load_photo(SAMPLE))
    monkeypatch.setattr(time, "perf_counter", itertools.count().__next__)
    busy, _ = photo_reading._read("no digest", find(DEFAULT), SAMPLE.read_bytes(), "photo.jpg")
    assert not busy.left_out
    assert busy == replace(idle, photo_name=busy.photo_name)


def test_a_model_that_takes_the_name_of_another_reads_the_photo_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path))
    folder, start = tmp_path / "models" / "mine", find(DEFAULT)
    folder.mkdir(parents=True)
    write_learned(folder, start=start, networks={}, fusion=start.fusion)
    first, _ = photo_reading._read("no digest", find("mine"), SAMPLE.read_bytes(), "photo.jpg")
    again, _ = photo_reading._read("no digest", find("mine"), SAMPLE.read_bytes(), "photo.jpg")
    assert again is first
    write_learned(folder, start=start, networks={}, fusion=replace(start.fusion, detector=0.0))
    assert load_reader("mine").fusion.detector == 0
    anew, _ = photo_reading._read("no digest", find("mine"), SAMPLE.read_bytes(), "photo.jpg")
    assert anew is not first
