"""The learned choice of the hand's tiles: what is listed, how features describe it, and what the fit does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.vision.table import lay, tiles
from tilescore.datasets.layouts.judged import JudgedPhoto
from tilescore.models.hand_selection import examples, fit, picks
from tilescore.vision.hand_selection.candidates import selections
from tilescore.vision.hand_selection.features import FEATURES, feature_rows
from tilescore.vision.hand_selection.ranking import rank, weights
from tilescore.vision.hand_selection.scene import Scene

if TYPE_CHECKING:
    from tilescore.vision.detections import Detection

SIZE_WH = (1000, 800)
ROW = lay(tiles("123456789m11223p"), y=600)
DISCARDS = [*lay(tiles("5z"), x=80, y=120), *lay(tiles("9s"), x=500, y=200), *lay(tiles("4p"), x=800, y=90)]
BEFORE = frozenset(range(14))


def scene(found: list[Detection]) -> Scene:
    return Scene.of(found, SIZE_WH)


def judged(found: list[Detection], hand: frozenset[int], name: str) -> JudgedPhoto:
    kind = "hand" if hand else "no_hand"
    return JudgedPhoto(name, "test", name, "train", kind, SIZE_WH, tuple(found), concealed=hand)


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        (ROW, BEFORE),
        ([*ROW, *DISCARDS], BEFORE),
        (
            [*lay(tiles("123m"), y=300), *lay(tiles("456p"), y=300, x=400), *lay(tiles("789s11122z"), y=500)],
            frozenset(range(14)),
        ),
        (DISCARDS, frozenset()),
        ([], frozenset()),
    ],
    ids=["a row", "a row beside discards", "groups", "three tiles", "nothing"],
)
def test_the_list_holds_the_hand(found: list[Detection], wanted: frozenset[int]) -> None:
    listed = selections(scene(found))
    assert listed[0] == frozenset()
    assert wanted in listed
    assert len(set(listed)) == len(listed)


def test_features_have_names_and_are_finite() -> None:
    some = scene([*ROW, *DISCARDS])
    chosen = selections(some)
    rows = feature_rows(some, chosen)
    assert rows.shape == (len(chosen), len(FEATURES))
    assert np.isfinite(rows).all()
    row = dict(zip(FEATURES, rows[chosen.index(BEFORE)].tolist(), strict=True))
    assert (row["count_14"], row["complete"], row["everything"], row["rest_below"]) == (1, 0, 0, 0)
    assert row["gap_to_rest"] > row["gap_inside"]


def test_a_complete_hand_is_a_rival() -> None:
    some = scene([*lay(tiles("123456789m11122p"), y=600), *DISCARDS])
    chosen = selections(some)
    rows = [dict(zip(FEATURES, row, strict=True)) for row in feature_rows(some, chosen).tolist()]
    complete = [row["complete"] for row in rows]
    assert complete[chosen.index(BEFORE)] == 1
    assert all(
        row["rival_complete"] == 1 - row["complete"] for row, some_tiles in zip(rows, chosen, strict=True) if some_tiles
    )
    assert rows[0]["none_but_complete"] == 1


def test_the_fit_learns_what_it_is_shown() -> None:
    heap = [
        tile for at in range(12) for tile in lay(tiles("5m"), x=80 + 70 * (at % 6), y=100 + 90 * (at // 6) + 9 * at)
    ]
    photos = [
        judged([*ROW, *DISCARDS], BEFORE, "a"),
        judged([*lay(tiles("123456789s44455z"), y=620), *DISCARDS], BEFORE, "b"),
        judged(heap, frozenset(), "c"),
        judged(DISCARDS, frozenset(), "d"),
    ]
    some = examples(photos)
    assert picks(some, fit(some)).all()
    assert not picks(some, np.zeros(len(FEATURES)))[:2].any(), "without weights the first selection is chosen"


def test_the_shipped_weights_choose_the_row() -> None:
    assert len(weights()) == len(FEATURES)
    best, *others = rank(scene([*lay(tiles("123456789m11122p"), y=600), *DISCARDS]))
    assert best.tiles == BEFORE
    assert best.probability > 0.9
    assert best.probability + sum(other.probability for other in others) == pytest.approx(1)
