"""The sample photos exist, have the right size, and each has the hand that it shows beside it."""

import json

import cv2
import pytest

from tilescore.datasets.sample import SAMPLES
from tilescore.scoring.context import Context
from tilescore.scoring.hand import Hand

NAMES = ("discard_pond", "flowers_kong", "riichi_closed", "winning_hand")


def test_the_folder_holds_these_samples() -> None:
    for kind in ("jpg", "json"):
        assert sorted(path.stem for path in SAMPLES.glob(f"*.{kind}")) == [*NAMES]


@pytest.mark.parametrize("name", NAMES)
def test_photo_is_shipped_and_light(name: str) -> None:
    path = SAMPLES / f"{name}.jpg"
    picture = cv2.imread(str(path))
    assert picture is not None
    assert picture.shape == (1500, 2000, 3)
    assert path.stat().st_size < 600_000


@pytest.mark.parametrize("name", NAMES)
def test_its_truth_is_a_hand_with_its_context(name: str) -> None:
    truth = json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    assert truth["id"] == name
    assert len(Hand.from_json(truth).tiles) >= 14
    Context.from_json(truth)
