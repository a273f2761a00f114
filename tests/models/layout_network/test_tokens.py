"""What the network of the layout sees: it depends on how tiles lie to each other, not on the camera's resolution."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.table import lay, tiles
from tilescore.models.layout_network.tokens import PAIR_NUMBERS, PARTS, TILE_NUMBERS, tokens_of
from tilescore.vision.layout.scene import Scene

FOUND = [*lay(f"{tiles('123m406p789s11z')} 5z'5z5z"), *lay("1f..", y=200)]


def test_each_tile_and_each_pair_has_its_numbers() -> None:
    found = tokens_of(Scene.of(FOUND, (1200, 900)))
    assert found.tiles.shape == (len(FOUND), TILE_NUMBERS)
    assert found.pairs.shape == (len(FOUND), len(FOUND), PAIR_NUMBERS)
    assert found.tiles.dtype == found.pairs.dtype == np.float32
    assert np.isfinite(found.tiles).all()
    assert np.isfinite(found.pairs).all()


@pytest.mark.parametrize("scale", [0.5, 3.0])
def test_a_photo_of_other_resolution_looks_the_same(scale: float) -> None:
    larger = [replace(one, box=one.box.scaled(scale)) for one in FOUND]
    before = tokens_of(Scene.of(FOUND, (1200, 900)))
    after = tokens_of(Scene.of(larger, (round(1200 * scale), round(900 * scale))))
    assert after.tiles == pytest.approx(before.tiles, abs=1e-4)
    assert after.pairs == pytest.approx(before.pairs, abs=1e-4)


def test_steps_to_another_tile_are_those_from_it_backwards() -> None:
    pairs = tokens_of(Scene.of(FOUND, (1200, 900))).pairs
    for number in (0, 1, 4, 13):
        assert pairs[..., number] == pytest.approx(-pairs[..., number].T, abs=1e-5)
    for number in (2, 3, 5, 6, 7, 8, 9, 12):
        assert pairs[..., number] == pytest.approx(pairs[..., number].T, abs=1e-5)


def test_red_fives_are_fives_to_their_neighbours() -> None:
    red, plain = (tokens_of(Scene.of(lay(f"4p{five}6p"), (1200, 900))).pairs for five in ("0p", "5p"))
    assert red == pytest.approx(plain)


def test_what_a_person_has_fixed_is_seen() -> None:
    scene = Scene.of(FOUND, (1200, 900))
    hints = tokens_of(scene, {2: PARTS.index("meld")}).tiles[:, -len(PARTS) :]
    assert hints.sum() == 1
    assert hints[2, PARTS.index("meld")] == 1


def test_a_mirrored_photo_of_a_row_has_mirrored_steps() -> None:
    mirrored = [replace(one, box=replace(one.box, x0=1200 - one.box.x1, x1=1200 - one.box.x0)) for one in FOUND]
    before, after = (tokens_of(Scene.of(some, (1200, 900))).pairs for some in (FOUND, mirrored))
    assert after[..., 0] == pytest.approx(-before[..., 0], abs=1e-4)
    assert after[..., 1:] == pytest.approx(before[..., 1:], abs=1e-4)
