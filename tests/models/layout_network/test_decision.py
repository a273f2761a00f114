"""The features of the decision: counts, completeness, no hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.table import lay, tiles
from tilescore.models.layout_network.decision import FEATURES, is_complete, probabilities, rows_of
from tilescore.models.layout_network.hypotheses import BONUS, CONCEALED, MELD, OTHER, WINNING, Hypothesis, SetPlace
from tilescore.scoring.shapes.winning import ALL_SHAPES, OF_FIVE_SETS
from tilescore.vision.layout.scene import Scene

SIZES = ("few", "waits", "whole", "fifteen", "many")


def hypothesis(parts: list[int], *sets: tuple[int, ...]) -> Hypothesis:
    return Hypothesis.of(tuple(parts), tuple(SetPlace(some, 0.0, -0.1, 0.5) for some in sets), -1.0)


def row_of(text: str, parts: list[int], *sets: tuple[int, ...], no_hand: float = 0.0) -> dict[str, float]:
    scene = Scene.of(lay(text), (1200, 900))
    rows = rows_of(scene, [hypothesis(parts, *sets)], no_hand)
    return dict(zip(FEATURES, rows[0].tolist(), strict=True))


@pytest.mark.parametrize(
    ("text", "sets", "expected"),
    [
        (tiles("123m456p789s11222z"), (), {"whole": 1, "complete": 1}),
        (tiles("123m456p789s1122z"), (), {"waits": 1, "complete": 0}),
        (tiles("123m456p789s11223z"), (), {"whole": 1, "complete": 0}),
        (tiles("123m456p789s11222z444z"), (), {"whole": 1, "complete": 1}),
        (tiles("123m456p789s11z5555z"), (), {"fifteen": 1, "complete": 1}),  # a kong among the loose tiles
        (tiles("123m456p789s11z5555z"), ((11, 12, 13, 14),), {"whole": 1, "complete": 1}),
        (tiles("123m456p789s11z222z444z"), ((11, 12, 13), (14, 15, 16)), {"whole": 1, "complete": 1}),
        (tiles("123m456p789s"), (), {"few": 1, "no_whole_sets": 1}),
        (tiles("1234567m1234567p12345s"), (), {"many": 1}),
    ],
)
def test_sizes_and_completeness(text: str, sets: tuple[tuple[int, ...], ...], expected: dict[str, float]) -> None:
    count = len(text) // 2
    inside = {at for some in sets for at in some}
    found = row_of(text, [MELD if at in inside else CONCEALED for at in range(count)], *sets)
    assert {name: found[name] for name in expected} == expected
    assert sum(found[name] for name in SIZES) == 1
    assert found["evidence"] == -1
    assert found["affinity"] == pytest.approx(-0.1 * len(sets))
    assert found["cost"] == pytest.approx(0.5 * len(sets))


def test_no_hand_has_features_of_its_own() -> None:
    found = row_of(tiles("123m"), [OTHER] * 3, no_hand=2.5)
    assert (found["none"], found["none_odds"], found["none_of_few"]) == (1, 2.5, 1)
    many = row_of(tiles("123456789m12345p"), [OTHER] * 14, no_hand=2.5)
    assert (many["none"], many["none_of_few"]) == (1, 0)
    assert not any(found[name] for name in SIZES)


def test_a_winning_tile_of_a_hand_that_waits_is_odd() -> None:
    whole = row_of(tiles("123m456p789s11222z"), [CONCEALED] * 13 + [WINNING])
    waits = row_of(tiles("123m456p789s1122z"), [CONCEALED] * 12 + [WINNING])
    assert [one["winning_of_waiting"] for one in (whole, waits)] == [0, 1]
    assert [one["winning"] for one in (whole, waits)] == [1, 1]


def test_flowers_do_not_count() -> None:
    assert row_of(tiles("123m456p789s11222z") + "1f", [CONCEALED] * 14 + [BONUS])["whole"] == 1


def test_complete_under_the_shapes_that_are_asked_for() -> None:
    scene = Scene.of(lay(tiles("123m456p789s11222z444z")), (1200, 900))
    assert is_complete(scene, range(17), 0, OF_FIVE_SETS)
    assert not is_complete(scene, range(17), 0, ALL_SHAPES)
    assert is_complete(scene, range(14), 0, ALL_SHAPES)
    assert not is_complete(scene, range(12), 0, ALL_SHAPES)


def test_probabilities_add_up() -> None:
    found = probabilities(np.array([1.0, 3.0, -1000.0]))
    assert found.sum() == pytest.approx(1)
    assert found[1] / found[0] == pytest.approx(np.exp(2))
