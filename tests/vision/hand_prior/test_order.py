"""Names weighed by the order of the row."""

import pytest

from tests.vision.table import candidates
from tilescore.vision.hand_prior.order import order_odds, weighed_by_order


def weighed(text: str) -> str:
    """The likeliest names of a row after weighing; `5p=.6|6p=.4` is one tile."""
    row = [candidates(word) for word in text.split()]
    found = weighed_by_order(row)
    assert [sum(name.probability for name in names) for names in found] == pytest.approx(
        [sum(name.probability for name in names) for names in row]
    )
    return " ".join(str(names[0].tile) for names in found)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        pytest.param("4p 5p 9p=.6|6p=.4 7p 8p", "4p 5p 6p 7p 8p", id="a neighbour in rank"),
        pytest.param("8p 7p 9p=.6|6p=.4 5p 4p", "8p 7p 6p 5p 4p", id="sorted the other way"),
        pytest.param("1s 2s 3m=.7|3s=.3 4s 4s", "1s 2s 3s 4s 4s", id="no stranger among a suit"),
        pytest.param("9p 1m 5s 3z=.6|2z=.4 2p 8m 1z", "9p 1m 5s 3z 2p 8m 1z", id="an unsorted row says nothing"),
        pytest.param("4p 5p 9p=.96|6p=.04 7p 8p", "4p 5p 9p 7p 8p", id="a clear name stays"),
        pytest.param("4p 5p 9p 7p=.9|6p=.1", "4p 5p 9p 7p", id="what a person fixed stays"),
        pytest.param("4p 9p=.6|6p=.4 7p", "4p 9p 7p", id="three tiles are no row"),
        pytest.param("4p 5p 1f=.6|6p=.4 7p 8p", "4p 5p 1f 7p 8p", id="flowers have no place in it"),
        pytest.param("4p 0p=.6|9p=.4 6p 7p", "4p 0p 6p 7p", id="a red five is a five"),
    ],
)
def test_neighbours_tell_names(row: str, expected: str) -> None:
    assert weighed(row) == expected


def test_the_last_tile_may_be_any() -> None:
    assert weighed("1m 2m 3m 4p 5p 6p 7s 7s 2m=.8|9s=.2").endswith("2m")


@pytest.mark.parametrize(
    ("row", "sign"),
    [
        pytest.param("1m 2m 3m 4p 5p 6p 7s 7s", 1, id="ascending"),
        pytest.param("7s 7s 6p 5p 4p 3m 2m 1m", -1, id="descending: read from the other side"),
        pytest.param("1m 2m 3m", 0, id="three tiles are no row"),
        pytest.param("1m 2m 1f 3m 4m", 0, id="flowers have no place in it"),
    ],
)
def test_order_tells_the_side_a_row_is_read_from(row: str, sign: int) -> None:
    odds = order_odds([candidates(word) for word in row.split()])
    assert (odds > 0) - (odds < 0) == sign
