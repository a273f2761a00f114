"""Hypotheses about the parts of tiles: what is listed, and what physics forbids."""

from __future__ import annotations

import math
from functools import partial
from itertools import combinations

import numpy as np
import pytest

from tests.vision.table import candidates, lay, tiles
from tilescore.datasets.layouts.judged import JudgedPhoto
from tilescore.datasets.layouts.tables import table_of
from tilescore.models.layout_network.hypotheses import (
    BONUS,
    CONCEALED,
    IMPOSSIBLE,
    MELD,
    OTHER,
    WINNING,
    Hypothesis,
    hypotheses,
    log_parts,
    set_cost,
)
from tilescore.models.layout_network.tokens import PARTS
from tilescore.vision.detections import Detection
from tilescore.vision.layout.scene import Scene

ELEVEN = tiles("123m456p789s11z")


def listed(found: list[Detection], chances: np.ndarray, sets: tuple[tuple[int, ...], ...] = ()) -> list[Hypothesis]:
    """The hypotheses of a network that says these probabilities (N, 5), and which tiles are one set."""
    together = np.full((len(found), len(found)), -6.0)
    for some in sets:
        together[np.ix_(some, some)] = 6.0
    scene = Scene.of(found, (1200, 900))
    return hypotheses(scene, log_parts(scene, chances), together)


def surely(*parts: int) -> np.ndarray:
    """Probabilities that leave hardly a doubt."""
    chances = np.full((len(parts), len(PARTS)), 0.001)
    chances[np.arange(len(parts)), list(parts)] = 0.996
    return chances


def test_what_is_sure_comes_first() -> None:
    found = lay(f"{ELEVEN} 5z'5z5z 1f 9s")
    parts = (*[CONCEALED] * 11, *[MELD] * 3, BONUS, OTHER)
    first = listed(found, surely(*parts), ((11, 12, 13),))[0]
    assert first.parts == parts
    assert [some.members for some in first.sets] == [(11, 12, 13)]
    assert (first.count, first.loose) == (14, tuple(range(11)))
    assert first.bonus == {14}


def test_the_truth_of_a_table_is_listed_first_for_a_network_that_knows_it() -> None:
    """Whatever lies on a table: with the truth for probabilities, the first hypothesis is the truth."""
    right = hands = 0
    for index in range(120):
        photo = table_of(7, index)
        if photo.kind != "hand" or photo.optional or photo.missing or any(map(partial(lacks, photo), photo.melds)):
            continue
        hands += 1
        right += same(truth_first(photo), photo)
    assert hands > 40
    assert right >= 0.97 * hands


def lacks(photo: JudgedPhoto, members: frozenset[int]) -> bool:
    """Whether a tile of a declared set is not seen."""
    has_back = any(photo.detections[at].tile.is_back for at in members)
    return len(members) < (4 if has_back else 3)


def truth_first(photo: JudgedPhoto) -> Hypothesis:
    parts = [OTHER] * len(photo.detections)
    for part, some in ((CONCEALED, photo.concealed), (BONUS, photo.bonus), (MELD, frozenset().union(*photo.melds))):
        for at in some:
            parts[at] = part
    if photo.winning is not None:
        parts[photo.winning] = WINNING
    return listed(list(photo.detections), surely(*parts), tuple(map(tuple, map(sorted, photo.melds))))[0]


def same(one: Hypothesis, photo: JudgedPhoto) -> bool:
    return frozenset(one.loose) == photo.concealed and {frozenset(some.members) for some in one.sets} == photo.melds


@pytest.mark.parametrize("seed", range(12))
def test_no_hypothesis_holds_what_physics_forbids(seed: int) -> None:
    rng = np.random.default_rng(seed)
    found = lay(f"{ELEVEN} .5z5z. 1f 3p'3p3p ...")
    scene = Scene.of(found, (1200, 900))
    chances = rng.dirichlet(np.full(len(PARTS), 0.5), len(found))
    some = listed(found, chances)
    assert some
    for one in some:
        assert one.parts.count(WINNING) <= 1
        members = [at for each in one.sets for at in each.members]
        assert len(set(members)) == len(members)
        assert {at for at, part in enumerate(one.parts) if part == MELD} == set(members)
        for at, part in enumerate(one.parts):
            if scene.tiles[at].is_back:
                assert part in (OTHER, MELD)
            assert (part == BONUS) <= scene.tiles[at].is_bonus
        for each in one.sets:
            assert len(each.members) in (3, 4)
            assert not any(scene.tiles[at].is_back for at in each.members) or len(each.members) == 4
            assert each.cost < math.inf


def test_hypotheses_come_by_their_evidence_and_are_bounded() -> None:
    found = lay(tiles("123456789m123456789p123456789s"))
    some = listed(found, np.full((27, len(PARTS)), 0.2))
    assert 1 < len(some) <= 252
    first = [one.evidence for one in some[:-2] if not one.sets]  # all tiles and none come last
    assert first == sorted(first, reverse=True)
    assert len({(one.parts, tuple(each.members for each in one.sets)) for one in some}) == len(some)


def test_a_set_of_more_than_one_way_is_listed_in_each() -> None:
    """Nine equal-looking tiles side by side may be parted as the pairs say."""
    found = lay("1s2s3s1s2s3s1s2s3s")
    sets = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
    first = listed(found, surely(*[MELD] * 9), sets)[0]
    assert {each.members for each in first.sets} == set(sets)


@pytest.mark.parametrize(
    ("row", "is_set"),
    [
        ("5z5z5z", True), ("5z.5z", False), (".5z5z.", True), ("5z5z..", True), ("5z...", True), ("....", True),
        ("5z6z..", False), ("1s2s3s", True), ("1s2s3s4s", False), ("5z5z5z 5z", False), ("5z'5z5z", True),
    ],
)  # fmt: skip
def test_what_may_be_a_declared_set(row: str, *, is_set: bool) -> None:
    found = lay(row)
    members = tuple(range(len(found)))
    some = listed(found, surely(*[MELD] * len(found)), (members,))
    assert any(each.members == members for one in some for each in one.sets) == is_set


def test_backs_of_another_row_are_no_part_of_a_kong() -> None:
    """Two equal tiles of a row and two backs of the wall behind are no kong: a kong lies in one line."""
    found = [*lay("5z5z"), *lay("..", y=340)]
    some = listed(found, surely(*[MELD] * 4), ((0, 1, 2, 3),))
    assert not any(one.sets for one in some)


def test_what_a_person_has_fixed_leaves_no_other_part() -> None:
    found = lay(ELEVEN)
    scene = Scene.of(found, (1200, 900))
    logs = log_parts(scene, surely(*[CONCEALED] * 11))
    logs[4] = np.where(np.arange(len(PARTS)) == OTHER, 0.0, IMPOSSIBLE)
    for one in hypotheses(scene, logs, np.zeros((11, 11))):
        assert one.parts[4] == OTHER


def test_the_cost_of_a_set_is_the_odds_against_it() -> None:
    words = ("1s=.6|9s=.4", "2s=.9|8s=.1", "5s=.7|3s=.3")
    unsure = [Detection(one.box, 1.0, candidates(word)) for one, word in zip(lay("1s2s5s"), words, strict=True)]
    scene = Scene.of(unsure, (1200, 900))
    assert set_cost(scene, [0, 1, 2]) == pytest.approx(math.log(0.7 / 0.3))
    sure = Scene.of(lay("1s2s5s 1s2s3s 5z5z5z5z .."), (1200, 900))
    wanted = [((0, 1, 2), math.inf), ((3, 4, 5), 0), ((6, 7, 8), 0), ((6, 7, 8, 9), 0), ((3, 4, 5, 6), math.inf)]
    wanted += [((6, 7, 10, 11), 0), ((5, 6, 10, 11), math.inf), ((6, 7, 8, 10), 0)]
    assert [set_cost(sure, members) for members, _ in wanted] == [cost for _, cost in wanted]


def test_four_kongs_are_parted_from_all_their_pungs() -> None:
    found = lay(" ".join([*(f"{rank}z'{rank}z{rank}z{rank}z" for rank in (1, 2, 3, 4)), "9s9s"]))
    kongs = tuple(tuple(range(at, at + 4)) for at in range(0, 16, 4))
    first = listed(found, surely(*[MELD] * 16, CONCEALED, CONCEALED), kongs)[0]
    assert {each.members for each in first.sets} == set(kongs)
    assert first.count == 14


def test_pairs_of_tiles_speak_for_one_set() -> None:
    found = lay("1s2s3s4s")
    first = listed(found, surely(OTHER, MELD, MELD, MELD), tuple(combinations((1, 2, 3), 2)))[0]
    assert [each.members for each in first.sets] == [(1, 2, 3)]
