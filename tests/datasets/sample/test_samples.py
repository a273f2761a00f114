"""The sample photos exist, have the right size, and their truths agree with their scenes."""

import json
from collections import Counter

import cv2
import numpy as np
import pytest

from tilescore.datasets.sample import SAMPLES
from tilescore.datasets.sample.draw_samples import GAPS, SCENES, SIZE_WH, row
from tilescore.scoring.context import Context
from tilescore.scoring.hand import Hand


@pytest.mark.parametrize("name", SCENES)
def test_photo_is_shipped_and_light(name: str) -> None:
    path = SAMPLES / f"{name}.jpg"
    picture = cv2.imread(str(path))
    assert picture is not None
    assert picture.shape == (*SIZE_WH[::-1], 3)
    assert path.stat().st_size < 600_000


@pytest.mark.parametrize("name", SCENES)
def test_truth_on_disk_is_the_scene(name: str) -> None:
    truth = json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    assert truth == {"id": name, **SCENES[name].hand}


@pytest.mark.parametrize("name", SCENES)
def test_truth_is_what_lies_in_the_picture(name: str) -> None:
    hand = Hand.from_json(SCENES[name].hand)
    Context.from_json(SCENES[name].hand)
    own, *others = (
        Counter(w.removesuffix("<") for w in text.split() if w not in GAPS) for text, _ in SCENES[name].rows
    )
    for meld in hand.melds:
        if meld.concealed:  # two of the four lie face down
            assert own.pop("back") == 2
            own[str(meld.tiles[0])] += 2
    assert own == Counter(map(str, hand.tiles))
    assert not hand.bonus or Counter(map(str, hand.bonus)) in others


def test_a_turned_tile_is_wider_and_keeps_the_bottom_line() -> None:
    plain, turned = row("5z 5z<", np.random.default_rng(0), at=(0, 0))
    assert turned.centre_xyz[0] - plain.centre_xyz[0] == pytest.approx(1.18, abs=0.05)
    assert plain.centre_xyz[1] - turned.centre_xyz[1] == pytest.approx(0.18, abs=0.06)
    assert round(turned.turn_deg / 90) == 1
