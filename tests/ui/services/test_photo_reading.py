"""The app reads a photo alike on a busy and on an idle machine."""

import itertools
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tilescore.models.registry import DEFAULT, load_reader
from tilescore.ui.services import photo_reading
from tilescore.vision.image.photo import load_photo

SAMPLE = Path(__file__).resolve().parents[3] / "datasets" / "sample" / "winning_hand.jpg"


def test_the_clock_changes_no_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    idle = load_reader().read(load_photo(SAMPLE))
    monkeypatch.setattr(time, "perf_counter", itertools.count().__next__)
    busy, _ = photo_reading._read("no digest", DEFAULT, SAMPLE.read_bytes(), "photo.jpg")
    assert not busy.left_out
    assert busy == replace(idle, photo_name=busy.photo_name, timings_ms=busy.timings_ms)
