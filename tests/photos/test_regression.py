"""The shipped networks keep minimum figures on real photos outside the training data."""

from pathlib import Path
from typing import Any

import pytest

from tilescore.models.evaluation.metrics import evaluate

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def val(shared: Path) -> dict[str, Any]:
    photos = shared / "data" / "photos"
    return evaluate(photos / "data.yaml", hands=photos / "hands.json", split="val")


def test_val_hands(val: dict[str, Any]) -> None:
    assert val["hands"] == 16
    assert val["hand_tile_f1"] >= 0.97
    assert val["exact_hand_rate"] >= 0.75


def test_val_tiles(val: dict[str, Any]) -> None:
    assert val["tile_f1"] >= 0.96
    assert val["found"] >= 0.98


def test_unseen_set_and_camera(shared: Path) -> None:
    result = evaluate(shared / "data" / "photos" / "data.yaml", split="test")
    assert result["photos"] == 67
    assert result["tile_f1"] >= 0.80
