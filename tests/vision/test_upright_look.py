"""A look at the photo turned upright to tiles that lie aslant."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.vision.dots import Dots, dots
from tilescore.models.evaluation.judged_hands import judged_hands
from tilescore.models.registry import load_reader
from tilescore.vision.image.boxes import Box
from tilescore.vision.image.photo import Photo
from tilescore.vision.image.view import PhotoView
from tilescore.vision.reader import TileReader

if TYPE_CHECKING:
    pass


@pytest.mark.parametrize("degrees", [0, 15, 25, 44, -44, -25])
def test_tiles_that_lie_aslant_are_looked_at_in_the_photo_turned_upright(degrees: float) -> None:
    rgb, places = dots(degrees)
    networks = Dots()
    reading = TileReader(networks, networks, corners=networks).read(Photo("dots", rgb, (1800, 1800)))
    assert networks.looks == 1 + (abs(degrees) > 20)
    found = sorted(one.box.center for one in reading.detections)
    assert np.array(found) == pytest.approx(2 * np.array(sorted(places)), abs=4)
    assert reading.size == 13


def test_the_budget_leaves_the_upright_look_out() -> None:
    networks = Dots()
    reading = TileReader(networks, networks, corners=networks).read(Photo("dots", dots(40)[0], (900, 900)), budget_ms=0)
    assert reading.left_out == ("upright_look",)
    assert networks.looks == 1


@pytest.mark.shared
def test_real_hands_that_lie_aslant_are_read_as_upright_ones(shared: Path) -> None:
    tables = shared / "data" / "tables"
    reader, wrong = load_reader(), []
    chosen = {"ff_mj2", "k2_005", "k2_024", "k2_030", "k2_050", "k2_584", "lx_7000", "lx_9234"}
    for hand in judged_hands(tables / "roles.jsonl", tables):
        if (name := Path(hand.photo.name).stem) in chosen:
            height, width = hand.photo.rgb.shape[:2]
            turned = PhotoView.of(hand.photo).turned(-math.pi / 4, [Box(0, 0, width, height)], margin=0)
            size_wh = (turned.rgb.shape[1], turned.rgb.shape[0])
            found = reader.read(Photo("turned", turned.rgb, size_wh)).hand.tiles
            if sorted(map(str, found)) != sorted(tile.name for tile in hand.tiles):
                wrong.append(name)
    assert wrong == []
