"""How faces lie in a picture."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from tests.vision.table import lay
from tilescore.vision.detection.slant import slant_of

THIRTEEN = "1m2m3m4m5m6m7m8m9m1p2p3p4p"
NOTHING = np.zeros((10, 10, 3), np.uint8)


class Quads:
    """Corners of faces that are turned clockwise by so many degrees."""

    def __init__(self, degrees: float) -> None:
        self.turn = np.exp(1j * math.radians(degrees))

    def find(self, _rgb: np.ndarray, boxes: Sequence[object]) -> np.ndarray:
        """The corners of faces of 30 by 40 pixels."""
        corners = np.array([-15 - 20j, 15 - 20j, 15 + 20j, -15 + 20j]) * self.turn
        return np.array([[(corner.real, corner.imag) for corner in corners] for _ in boxes])


@pytest.mark.parametrize(
    ("runs", "faces", "slant"),
    [
        pytest.param(0, 0, 0, id="upright"),
        pytest.param(30, 30, 30, id="turned to the right"),
        pytest.param(-44, -44, -44, id="turned to the left"),
        pytest.param(60, 60, -30, id="turned further: the other edge is nearer to upright"),
        pytest.param(120, 30, 30, id="a column"),
        pytest.param(30, 0, 0, id="a row that recedes, its tiles upright"),
        pytest.param(3, 30, 0, id="a level row needs no second thought"),
    ],
)
def test_the_edges_of_the_faces_say_how_they_lie(runs: float, faces: float, slant: float) -> None:
    assert math.degrees(slant_of(NOTHING, lay(THIRTEEN, angle_deg=runs), Quads(faces))) == pytest.approx(
        slant, abs=1e-6
    )


def test_few_faces_or_backs_say_nothing() -> None:
    assert slant_of(NOTHING, lay("1m2m3m", angle_deg=30), Quads(30)) == 0
    assert slant_of(NOTHING, lay("." * 13, angle_deg=30), Quads(30)) == 0
    assert slant_of(NOTHING, [], Quads(30)) == 0


def test_faces_in_many_directions_say_nothing() -> None:
    around = [one for degrees in (10, 25, 40, 55, 70, 85) for one in lay("1m2m", x=20.0 * degrees, angle_deg=degrees)]
    assert slant_of(NOTHING, around, Quads(30)) == 0
