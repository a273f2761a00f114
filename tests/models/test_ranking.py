"""Networks that rank alternatives learn what a linear model cannot, and the same each time."""

import numpy as np
import pytest

from tilescore.models.ranking import Choice, fit_network
from tilescore.vision.layout.model import Network

FEATURES = {"one": "First.", "two": "Second."}


def either(count: int = 60) -> list[Choice]:
    """Choices of which the right alternative has one of two features, but not both and not none."""
    rows = np.array([[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    orders = [np.random.default_rng(seed).permutation(4) for seed in range(count)]
    return [Choice(rows[order], (order >= 2) & (order == 2 + seed % 2)) for seed, order in enumerate(orders)]


def fitted(units: int) -> Network:
    some = either()
    return fit_network(some, np.ones(len(some)), penalty=0.001, units=units)


def test_units_learn_how_features_work_together() -> None:
    rows = np.array([[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    none, both, *single = fitted(4).scores(rows)
    assert min(single) > max(none, both) + 1
    none, both, *single = fitted(0).scores(rows)
    assert not min(single) > max(none, both) + 1, "a linear model cannot"


def test_a_fit_gives_the_same_network_each_time() -> None:
    assert np.array_equal(fitted(4).weights, fitted(4).weights)


def test_the_scores_of_added_features_are_those_of_rows() -> None:
    network, rows = fitted(4), np.array([[0.2, 0.7], [0.9, 0.1]])
    assert network.of_sums(rows @ network.weights) == pytest.approx(network.scores(rows))


def test_the_text_form_of_a_network_makes_it_again() -> None:
    network = fitted(4)
    again = Network.of(FEATURES, network.entry(FEATURES))
    rows = np.array([[0.2, 0.7], [0.9, 0.1]])
    assert again.scores(rows) == pytest.approx(network.scores(rows), abs=1e-3)
    assert Network.of(FEATURES | {"new": "Not fitted."}, network.entry(FEATURES)).weights[2].tolist() == [0.0] * 17
