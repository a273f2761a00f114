"""Fusion of the probabilities of two networks, and the evidence of neighbourhoods."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilescore.scoring.tiles import ALL_FACES, Tile
from tilescore.vision.classification.config import FusionConfig
from tilescore.vision.classification.fusion import Fusion, evidence, prior
from tilescore.vision.classification.neighbours import neighbourhood
from tilescore.vision.detections import Candidate, Proposal
from tilescore.vision.image.boxes import Box

CONTEXT = Fusion(context=(0.0, 1.0, 0.5, -4.0))


def square(x: float, y: float, side: float = 40) -> Box:
    return Box(x, y, x + side, y + side)


def seen(box: Box, name: str = "5p", probability: float = 0.6) -> Proposal:
    return Proposal(box, (Candidate(Tile.parse(name), probability),))


def face_probabilities(name: str, probability: float, none: float) -> np.ndarray:
    shares = np.full(len(ALL_FACES) + 1, (1 - probability - none) / (len(ALL_FACES) - 1), np.float32)
    shares[[str(face) for face in ALL_FACES].index(name)] = probability
    shares[-1] = none
    return shares


ROW = [square(45 * x, 0) for x in range(5)]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        pytest.param(square(225, 0), square(900, 900), id="beside the row rather than far away"),
        pytest.param(square(225, 0), square(225, 0, side=110), id="of their size rather than much larger"),
        pytest.param(square(225, 0), square(225, 0, side=12), id="of their size rather than much smaller"),
        pytest.param(square(225, 0), square(95, 4), id="beside a tile rather than on one"),
        pytest.param(square(225, 0), Box(90, 0, 130, 20), id="beside a tile rather than half of one"),
    ],
)
def test_neighbours_are_evidence_of_a_tile(better: Box, worse: Box) -> None:
    odds = np.array([[3.0, 3.0]] * len(ROW) + [[0.0, 0.0]])
    likely, unlikely = (CONTEXT.present([*ROW, box], odds)[-1] for box in (better, worse))
    assert likely > unlikely + 0.05


def test_the_less_likely_of_two_boxes_on_one_place_is_covered() -> None:
    two = [square(0, 0), square(2, 2)]
    first, second = neighbourhood(two, np.array([0.9, 0.4])).covered
    assert first == 0
    assert second > 0.7


def test_without_context_each_place_counts_alone() -> None:
    odds = np.array([[1.0, -1.0], [0.0, 2.0]])
    assert Fusion(presence=(0.5, 1.0, 2.0)).present(ROW[:2], odds) == pytest.approx(
        1 / (1 + np.exp(-np.array([-0.5, 4.5])))
    )


@given(
    st.lists(st.tuples(st.floats(0, 900), st.floats(0, 900), st.floats(5, 90)), min_size=1, max_size=9),
    st.floats(0.2, 5),
)
def test_a_neighbourhood_depends_on_no_order_and_no_scale(
    places: list[tuple[float, float, float]], scale: float
) -> None:
    boxes = [square(*place) for place in places]
    presence = np.linspace(0.1, 0.9, len(boxes))
    around = neighbourhood(boxes, presence)
    back = neighbourhood([box.scaled(scale) for box in reversed(boxes)], presence[::-1])
    assert back.alike[::-1] == pytest.approx(around.alike, abs=1e-6)
    assert back.covered[::-1] == pytest.approx(around.covered, abs=1e-6)


def test_the_classifier_changes_a_name_and_keeps_the_other_as_a_candidate() -> None:
    (fused,) = Fusion().fuse([seen(square(0, 0), "5p")], np.stack([face_probabilities("6p", 0.9, 0.01)]))
    assert str(fused.tile) == "6p"
    assert "5p" in [str(candidate.tile) for candidate in fused.names]
    assert all(a.probability >= b.probability for a, b in pairwise(fused.names))


def test_a_place_that_both_networks_reject_is_no_tile() -> None:
    (fused,) = Fusion().fuse([seen(square(0, 0), probability=0.06)], np.stack([face_probabilities("5p", 0.02, 0.97)]))
    assert fused.presence < 0.1


EVIDENCE = [
    # scores of the detector, `no tile` by the classifier, support of the refiner: log-odds by each
    ((0.6,), 0.2, 0.0, (math.log(1.5), math.log(4), 0.0)),
    ((0.3, 0.2), 0.5, -1.5, (0.0, 0.0, -1.5)),  # all scores together
    ((0.9, 0.9), 0.5, 0.0, (math.log(99), 0.0, 0.0)),  # at most 0.99
    ((0.5,), 0.0, 0.0, (0.0, math.log(999), 0.0)),  # at least 0.001 of doubt
    ((0.5,), 1.0, 0.0, (0.0, -math.log(999), 0.0)),
]


@pytest.mark.parametrize(("scores", "none", "support", "odds"), EVIDENCE)
def test_each_network_gives_log_odds(
    scores: tuple[float, ...], none: float, support: float, odds: tuple[float, float, float]
) -> None:
    names = (Candidate(Tile.parse(name), score) for name, score in zip(("5p", "6p"), scores, strict=False))
    proposal = Proposal(square(0, 0), tuple(names), support=support)
    assert evidence(proposal, face_probabilities("5p", 0.5, none)) == pytest.approx(odds, abs=1e-4)


PRIORS = [
    # a name, its score, and the weights of some faces
    ("6p", 0.6, {"6p": 0.61, "7p": 0.01, "1f": 0.01}),
    ("5p", 0.6, {"5p": 0.61, "0p": 0.61, "5s": 0.01, "0m": 0.01}),  # a red five weighs as much as a plain one
    ("0p", 0.6, {"5p": 0.61, "0p": 0.61, "5s": 0.01}),
    ("3q", 0.8, {"1f": 0.11, "3q": 0.11, "6p": 0.01}),  # a flower or season weighs as much as any other
]


@pytest.mark.parametrize(("name", "score", "weights"), PRIORS)
def test_the_detector_weighs_faces(name: str, score: float, weights: dict[str, float]) -> None:
    found = dict(zip(map(str, ALL_FACES), prior(seen(square(0, 0), name, score)), strict=True))
    assert {face: found[face] for face in weights} == pytest.approx(weights)


def test_names_are_powers_of_both_networks_for_each_tile_alone() -> None:
    rng = np.random.default_rng(5)
    priors, faces = rng.uniform(0.01, 1, (3, 46)), rng.uniform(0, 1, (3, 47)).astype(np.float32)
    found = Fusion(detector=0.5, classifier=2.0).names(priors, faces)
    powers = priors**0.5 * (faces[:, :46] + FusionConfig().classifier_floor) ** 2.0
    for row, power in zip(found, powers, strict=True):
        assert row == pytest.approx(power / power.sum(), rel=1e-5)


def test_each_tile_keeps_its_likeliest_names() -> None:
    boxes = [square(0, 0), square(100, 0)]
    faces = np.stack([face_probabilities("6p", 0.9, 0.01), face_probabilities("1z", 0.5, 0.01)])
    first, second = Fusion().fuse([seen(boxes[0], "5p"), seen(boxes[1], "1z")], faces)
    assert [str(name.tile) for name in first.names] == ["6p", "5p", "0p"]  # the others are below a hundredth
    assert (str(second.tile), len(second.names)) == ("1z", 1)
    many = np.full((1, 47), 1 / 47, np.float32)
    (unsure,) = Fusion().fuse([Proposal(boxes[0], (Candidate(Tile.parse("5p"), 0.05),))], many)
    assert len(unsure.names) == 5


def test_presence_weighs_the_networks_and_the_neighbourhood() -> None:
    boxes, odds = [square(0, 0), square(2, 2)], np.array([[2.0, 1.0, 0.5], [-1.0, 0.5, 3.0]])
    joint = 0.2 + odds @ np.array([0.7, 0.3, 0.5])
    around = neighbourhood(boxes, 1 / (1 + np.exp(-joint)))
    wanted = -0.3 + 0.9 * joint + 0.6 * around.alike - 2.0 * around.covered
    fusion = Fusion(presence=(0.2, 0.7, 0.3, 0.5), context=(-0.3, 0.9, 0.6, -2.0))
    assert fusion.present(boxes, odds) == pytest.approx(1 / (1 + np.exp(-wanted)))


def test_no_proposals_are_no_detections() -> None:
    assert CONTEXT.fuse([], np.zeros((0, 47), np.float32)) == []


@pytest.mark.parametrize(("scored", "named"), [("3q", "4f"), ("5p", "5p")])
def test_the_detector_does_not_decide_between_flowers(scored: str, named: str) -> None:
    unsure = face_probabilities("4f", 0.3, none=0.05)
    unsure[[str(face) for face in ALL_FACES].index(scored)] = 0.29
    (fused,) = Fusion().fuse([seen(square(0, 0), scored, 0.9)], unsure[None])
    assert str(fused.tile) == named
