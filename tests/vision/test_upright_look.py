"""A look at the photo turned upright to tiles that lie aslant."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.dots import Dots, dots
from tilescore.vision.image.photo import Photo
from tilescore.vision.reader import TileReader


@pytest.mark.parametrize("degrees", [0, 15, 25, 44, -44, -25])
def test_tiles_that_lie_aslant_are_looked_at_in_the_photo_turned_upright(degrees: float) -> None:
    rgb, places = dots(degrees)
    networks = Dots()
    reading = TileReader(networks, networks, corners=networks).read(Photo("dots", rgb, (1800, 1800)))
    assert networks.looks == 1 + (abs(degrees) > 20)
    found = sorted(one.box.center for one in reading.detections)
    assert np.array(found) == pytest.approx(2 * np.array(sorted(places)), abs=4)
    assert reading.size == 14


def test_the_budget_leaves_the_upright_look_out() -> None:
    networks = Dots()
    reading = TileReader(networks, networks, corners=networks).read(Photo("dots", dots(40)[0], (900, 900)), budget_ms=0)
    assert reading.left_out[0] == "upright_look"
    assert networks.looks == 1
