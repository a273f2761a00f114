"""What the layout learns from: which photos teach, how they are parted, and the fit of the decision."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.table import lay, tiles
from tilescore.datasets.layouts.judged import JudgedPhoto
from tilescore.datasets.layouts.tables import table_of
from tilescore.models.layout_network.decision import FEATURES
from tilescore.models.layout_network.folds import FOLDS, Choice, fit, folds, is_right, teaches
from tilescore.models.layout_network.hypotheses import BONUS, CONCEALED, MELD, OTHER, WINNING, Hypothesis, SetPlace
from tilescore.vision.detections import Detection

SIZE_WH = (1000, 800)
ROW = lay(f"{tiles('123m456p789s1z')} 1z 5z'5z5z 1f", y=600)


def judged(found: list[Detection], name: str = "a", source: str = "test", kind: str = "hand") -> JudgedPhoto:
    return JudgedPhoto(
        name, source, name, "train", kind, SIZE_WH, tuple(found),
        concealed=frozenset(range(11)), winning=10, melds=frozenset({frozenset({11, 12, 13})}), bonus=frozenset({14}),
    )  # fmt: skip


PARTS = (*[CONCEALED] * 10, WINNING, *[MELD] * 3, BONUS)


def hypothesis(parts: tuple[int, ...] = PARTS, *sets: tuple[int, ...]) -> Hypothesis:
    return Hypothesis.of(parts, tuple(SetPlace(some, 0.0, 0.0, 0.0) for some in sets or ((11, 12, 13),)), 0.0)


@pytest.mark.parametrize(
    ("parts", "sets", "right"),
    [
        (PARTS, ((11, 12, 13),), True),
        ((*[CONCEALED] * 11, *PARTS[11:]), ((11, 12, 13),), False),  # no winning tile
        ((*PARTS[:14], OTHER), ((11, 12, 13),), False),  # no flower
        ((OTHER, *PARTS[1:]), ((11, 12, 13),), False),  # a tile less
        ((*PARTS[:8], MELD, MELD, MELD, *PARTS[11:]), ((8, 9, 10), (11, 12, 13)), False),  # a set too many
    ],
)
def test_right_is_what_a_person_judged(
    parts: tuple[int, ...], sets: tuple[tuple[int, ...], ...], *, right: bool
) -> None:
    assert is_right(hypothesis(parts, *sets), judged(ROW)) == right


def test_a_set_that_may_be_declared_is_right_in_both_ways() -> None:
    photo = replace(judged(ROW), melds=frozenset(), optional=frozenset({frozenset({11, 12, 13})}))
    loose = (*PARTS[:11], *[CONCEALED] * 3, BONUS)
    assert is_right(hypothesis(), photo)
    assert is_right(Hypothesis.of(loose, (), 0.0), photo)


def test_without_a_hand_nothing_claimed_is_right() -> None:
    photo = JudgedPhoto("b", "test", "b", "train", "no_hand", SIZE_WH, tuple(ROW))
    assert is_right(Hypothesis.of((OTHER,) * 15, (), 0.0), photo)
    assert not is_right(hypothesis(), photo)


def test_photos_of_one_author_are_left_out_together() -> None:
    sources = ["kw-felt", "kw-stream", "kw-felt", "lam", "lx", "br", "xf", "ph", "lam"]
    photos = [judged(ROW, name=str(at), source=source) for at, source in enumerate(sources)]
    found = folds(photos)
    assert set(found) == {"kw", "lam", "lx", "br", "xf", "ph"}
    assert set(found.values()) <= set(range(FOLDS))
    sizes = [sum(found[photo.author] == fold for photo in photos) for fold in range(FOLDS)]
    assert max(sizes) == 3  # the three photos of one author


@pytest.mark.parametrize(
    ("change", "does"),
    [
        ({}, True), ({"split": "val"}, False), ({"split": "test_unseen"}, False), ({"kind": "any"}, False),
        ({"kind": "partial"}, False), ({"kind": "no_hand"}, True),
    ],
)  # fmt: skip
def test_photos_to_measure_with_do_not_teach(change: dict[str, object], *, does: bool) -> None:
    assert teaches(replace(judged(ROW), **change)) == does  # type: ignore[arg-type]


def test_the_fit_learns_what_it_is_shown() -> None:
    rng = np.random.default_rng(0)
    choices = []
    for _ in range(40):
        rows = rng.normal(size=(6, len(FEATURES)))
        right = np.zeros(6, bool)
        right[int((rows @ np.arange(len(FEATURES))).argmax())] = True
        choices.append(Choice(judged(ROW), (), rows, right))
    weights = np.array(list(fit(choices).values()))
    assert all(choice.right[int((choice.rows @ weights).argmax())] for choice in choices)
    assert weights[-1] > abs(weights[0])


def test_photos_to_measure_with_are_not_fitted() -> None:
    rows = np.eye(2, len(FEATURES))
    taught = Choice(judged(ROW), (), rows, np.array([True, False]))
    held = [replace(taught, photo=replace(judged(ROW), split="val"), right=np.array([False, True]))] * 9
    weights = fit([taught, *held])
    assert weights == fit([taught])


def test_a_simulated_table_is_what_it_says() -> None:
    tables = [table_of(3, index) for index in range(150)]
    again = table_of(3, 7)
    assert (again.detections, again.concealed, again.melds) == (
        tables[7].detections, tables[7].concealed, tables[7].melds,
    )  # fmt: skip
    hands = [table for table in tables if table.kind == "hand"]
    assert 0.6 < len(hands) / len(tables) < 0.9
    for table in hands:
        members = [table.concealed, table.bonus, *table.melds, *table.optional]
        inside = frozenset().union(*members)
        assert sum(map(len, members)) == len(inside)
        assert max(inside, default=-1) < len(table.detections)
        assert table.winning is None or table.winning in table.concealed
        assert all(table.detections[at].tile.is_bonus for at in table.bonus if len(table.detections[at].names) == 1)
        for box in (seen.box for seen in table.detections):
            assert box.width > 0
            assert box.height > 0
    sizes = {len(table.concealed) + 3 * len(table.melds) + 3 * len(table.optional) for table in hands}
    assert {13, 14, 16, 17} <= sizes
    for kind in ("melds", "optional", "bonus", "called"):
        assert any(getattr(table, kind) for table in hands)
    assert any(table.winning is not None for table in hands)


def test_the_hand_is_sharper_than_the_rest_as_a_rule() -> None:
    sharper = []
    for index in range(150):
        table = table_of(4, index)
        sharpness = np.array([seen.sharpness for seen in table.detections])
        inside = np.array([at in table.hand or at in table.bonus for at in range(len(sharpness))])
        if sharpness.any() and inside.any() and not inside.all():
            sharper.append(sharpness[inside].mean() > sharpness[~inside].mean())
    assert sum(sharper) > 0.75 * len(sharper) > 0
