"""Names limited by the copies in a set of tiles."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilescore.scoring.tiles import ALL_FACES
from tilescore.vision.classification.set_limits import limit_copies

PLACE = {str(tile): number for number, tile in enumerate(ALL_FACES)}
UNSURE = {"1f": 0.5, "3f": 0.4, "2p": 0.1}


def rows(*tiles: dict[str, float]) -> np.ndarray:
    """Names (N, 46) of tiles with the given probabilities; all other faces share the rest."""
    names = np.full((len(tiles), len(ALL_FACES)), 1e-5)
    for row, tile in zip(names, tiles, strict=True):
        for name, share in tile.items():
            row[PLACE[name]] = share
    return np.asarray(names / names.sum(axis=1, keepdims=True))


def likeliest(names: np.ndarray, present: float | np.ndarray = 1.0) -> list[str]:
    found = limit_copies(names, np.broadcast_to(np.asarray(present, float), len(names)))
    return [str(ALL_FACES[place]) for place in found.argmax(axis=1)]


@pytest.mark.parametrize(
    ("sure", "copies", "unsure", "otherwise"),
    [
        ("1f", 1, UNSURE, "3f"),
        ("4q", 1, {"4q": 0.6, "5z": 0.4}, "5z"),
        ("0s", 1, {"0s": 0.6, "5s": 0.4}, "5s"),
        ("0p", 1, {"0p": 0.6, "5p": 0.4}, "5p"),
        ("7m", 4, {"7m": 0.7, "8m": 0.3}, "8m"),
    ],
)
def test_of_no_tile_there_are_more_than_a_set_holds(
    sure: str, copies: int, unsure: dict[str, float], otherwise: str
) -> None:
    clear = {sure: 1.0}
    assert likeliest(rows(*[clear] * copies, unsure)) == [sure] * copies + [otherwise]
    assert likeliest(rows(*[clear] * (copies - 1), unsure)) == [sure] * (copies - 1) + [
        max(unsure, key=unsure.__getitem__)
    ]


def test_the_number_of_backs_is_not_limited() -> None:
    assert likeliest(rows(*[{"back": 0.6, "5z": 0.4}] * 40)) == ["back"] * 40


def test_what_is_no_tile_takes_no_copy() -> None:
    names = rows({"1f": 1.0}, UNSURE)
    assert likeliest(names, np.array([0.05, 1.0])) == ["1f", "1f"]


def test_two_clear_tiles_keep_the_same_face() -> None:
    assert likeliest(rows({"2q": 1.0}, {"2q": 1.0})) == ["2q", "2q"]


@given(st.lists(st.lists(st.floats(0.001, 1), min_size=46, max_size=46), min_size=1, max_size=6), st.floats(0.1, 1))
def test_names_stay_probabilities_whatever_the_order(rows_of: list[list[float]], present: float) -> None:
    names = np.array(rows_of) ** 6
    names /= names.sum(axis=1, keepdims=True)
    found = limit_copies(names, np.full(len(names), present))
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert (found >= 0).all()
    np.testing.assert_allclose(limit_copies(names[::-1], np.full(len(names), present))[::-1], found, atol=1e-9)
