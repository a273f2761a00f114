"""The sets of tiles that may be the hand: which are listed, and how features describe them."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.laid_scenes import lay_scene
from tests.vision.table import HEIGHT, candidates, detection, lay, tiles
from tilescore.datasets.synthesis.scenes import hand_scene
from tilescore.scoring.hand import MeldKind, kind_of_set
from tilescore.scoring.shapes.winning import ALL_SHAPES, pack
from tilescore.scoring.tiles import parse_tiles
from tilescore.vision.image.boxes import Box
from tilescore.vision.layout.contents import content_of, contents_of, cost_of_completion, in_sets
from tilescore.vision.layout.layout import lay_out
from tilescore.vision.layout.scene import MOST_LISTED, Scene
from tilescore.vision.layout.selection_features import FEATURES, feature_rows
from tilescore.vision.layout.selections import selections

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tilescore.scoring.tiles import Tile
    from tilescore.vision.detections import Detection

SIZE_WH = (1000, 800)
ROW = lay(tiles("123456789m11223p"), y=600)
COMPLETE = lay(tiles("123456789m11122p"), y=600)
DISCARDS = [*lay(tiles("5z"), x=80, y=120), *lay(tiles("9s"), x=500, y=200), *lay(tiles("4p"), x=800, y=90)]
FOURTEEN = frozenset(range(14))


def scene(found: list[Detection]) -> Scene:
    return Scene.of(found, SIZE_WH)


def features(some: Scene, chosen: Sequence[frozenset[int]]) -> list[dict[str, float]]:
    rows = feature_rows(some, chosen, contents_of(some, chosen)).tolist()
    return [dict(zip(FEATURES, row, strict=True)) for row in rows]


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        (ROW, FOURTEEN),
        ([*ROW, *DISCARDS], FOURTEEN),
        ([*lay(tiles("123m"), y=300), *lay(tiles("456p"), y=300, x=400), *lay(tiles("789s11122z"), y=500)], FOURTEEN),
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
    rows = feature_rows(some, chosen, contents_of(some, chosen))
    assert rows.shape == (len(chosen), len(FEATURES))
    assert np.isfinite(rows).all()
    row = dict(zip(FEATURES, rows[chosen.index(FOURTEEN)].tolist(), strict=True))
    assert (row["count_14"], row["complete"], row["everything"], row["rest_below"]) == (1, 0, 0, 0)
    assert row["gap_to_rest"] > row["gap_inside"]


def test_a_complete_hand_is_a_rival() -> None:
    some = scene([*COMPLETE, *DISCARDS])
    chosen = selections(some)
    rows = features(some, chosen)
    assert rows[chosen.index(FOURTEEN)]["complete"] == 1
    assert all(
        row["rival_complete"] == 1 - row["complete"] for row, tiles_of in zip(rows, chosen, strict=True) if tiles_of
    )
    assert rows[0]["none_but_complete"] == 1


@pytest.mark.parametrize(
    ("row", "count", "kongs"),
    [
        ("1m2m3m4p5p6p7s8s9s1z1z .5z5z.", 14, 1),
        ("1m2m3m4p5p6p7s8s9s1z1z 5z5z..", 14, 1),
        ("1m2m3m4p5p6p7s8s9s1z1z ....", 14, 1),
        ("1m2m3m4p5p6p7s8s9s1z2z3z .5z5z.......", 14, 0),
        ("1m2m3m4p5p6p7s8s9s1z2z .5z5z.......", 14, 1),
        ("1m2m3m4p5p6p7s8s9s1z1z .5z5z.......", 14, 1),
        ("1m2m3m4p5p6p7s8s9s1z1z 5z5z5z5z", 15, 0),
    ],
    ids=[
        "ends face down",
        "two face down",
        "all face down",
        "a wall",
        "beside a wall, but 14 tiles",
        "beside a wall, but complete",
        "face up",
    ],
)
def test_a_concealed_kong_counts_three(row: str, count: int, kongs: int) -> None:
    some = scene(lay(row))
    content = content_of(some, frozenset(some.faces.tolist()))
    assert (content.count, len(content.kongs)) == (count, kongs)


@pytest.mark.parametrize(("loose", "count", "kongs"), [("2p3p4p3s4s5s2m9p", 14, 2), ("2p3p4p3s4s", 9, 0)])
def test_kongs_that_may_be_a_wall_count_where_the_hand_needs_them(loose: str, count: int, kongs: int) -> None:
    some = scene([*lay("7p..7p", y=200), *lay("7z..7z", y=200 + HEIGHT), *lay(loose)])
    content = content_of(some, frozenset(some.faces.tolist()))
    assert (content.count, len(content.kongs)) == (count, kongs)


IN_SETS = [
    ("", 0),
    ("1m", 0),
    ("11m", 2),
    ("1122m", 2),  # one pair
    ("123m", 3),
    ("1123m", 3),
    ("11123m", 5),
    ("112233m", 6),
    ("1111m", 4),
    ("111123m", 6),  # three of the first kind, or all four of it and nothing else
    ("135m", 0),
    ("123z", 0),  # honours are no chow
    ("55z55p", 2),
    ("123m44p567s", 8),
    ("12344m56p", 5),
]


@pytest.mark.parametrize(("names", "count"), IN_SETS)
def test_tiles_in_sets_or_one_pair(names: str, count: int) -> None:
    assert in_sets(pack(parse_tiles(names))) == count


@given(st.permutations(parse_tiles("123456m1z") * 4), st.integers(0, 9))
def test_tiles_in_sets_are_as_many_as_a_search_finds(wall: list[Tile], count: int) -> None:
    assert in_sets(pack(wall[:count])) == most_in_sets(Counter(wall[:count]))


def most_in_sets(left: Counter[Tile], *, has_pair: bool = False) -> int:
    """Take each set and the pair in turn, by the definition."""
    groups = [(tile,) * size for tile in left for size in (2, 3, 4)[has_pair:]]
    groups += [chow for chow in combinations(sorted(left), 3) if kind_of_set(chow) is MeldKind.CHOW]
    found = 0
    for group in groups:
        if all(left[tile] >= number for tile, number in Counter(group).items()):
            rest = most_in_sets(left - Counter(group), has_pair=has_pair or len(group) == len("oo"))
            found = max(found, len(group) + rest)
    return found


COMPLETIONS = [
    # what each tile may be, with its probability; sets beside them; the odds against the names of a complete hand
    ("1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 2z 2z 2z", 0, 1),
    ("1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 2z 2z 3z=.6|2z=.3", 0, 2),
    ("1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 2z 4z=.8|2z=.1 3z=.6|2z=.3", 0, 16),
    ("1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 2z 2z 3z", 0, None),
    ("4p 5p 6p 7s 8s 9s 1z 1z 2z 2z 3z=.6|2z=.2", 1, 3),
    ("1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 2z 2z 2z 2z", 0, 1),  # a kong
    ("1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 2z 2z 2z 3z=.6|2z=.3", 0, 2),
    ("1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 2z 2z 2z 3z", 0, None),
    ("1m 1m 1m 1m 5p 5p 5p 5p 7s 8s 9s 1z 1z 2z 2z 3z=.6|2z=.3", 0, 2),  # two kongs
    ("1m 1m", 0, None),
]


@pytest.mark.parametrize(("names", "sets", "odds"), COMPLETIONS)
def test_other_names_that_complete_a_hand_have_their_cost(names: str, sets: int, odds: float | None) -> None:
    found = cost_of_completion([candidates(word) for word in names.split()], sets, ALL_SHAPES)
    assert found == pytest.approx(math.inf if odds is None else math.log(odds))


def test_a_declared_win_is_looked_for_under_other_names() -> None:
    """One tile of the row is misread. The names that complete the row make it more probable."""
    other = lay(tiles("147m258p369s1234z7m"), y=300)
    row = lay(tiles("123456789m11122p"), y=600)
    misread = replace(row[4], names=candidates("9p=.6|5m=.3"))
    found = [*row[:4], misread, *row[5:], *other]
    assert lay_out(found, is_win=True, size_wh=SIZE_WH).claims[0].members == FOURTEEN
    won, read = (
        {claim.members: claim.probability for claim in lay_out(found, is_win=is_win, size_wh=SIZE_WH).claims}
        for is_win in (True, False)
    )
    assert won[FOURTEEN] > read.get(FOURTEEN, 0.0)


def test_probabilities_add_up() -> None:
    claims = lay_out([*COMPLETE, *DISCARDS], size_wh=SIZE_WH).claims
    assert claims[0].members == FOURTEEN
    assert 0.9 < claims[0].probability <= sum(claim.probability for claim in claims) <= 1 + 1e-9


def test_a_win_prefers_a_complete_hand() -> None:
    """Fourteen of fifteen tiles in a row are complete; without a win the whole row may be the hand."""
    found = lay(f"9s{tiles('123456789m11122p')}")
    assert len(lay_out(found, size_wh=SIZE_WH, is_win=True).order) == 15
    apart = [*lay("9s"), *lay(tiles("123456789m11122p"), x=104)]
    assert len(lay_out(apart, size_wh=SIZE_WH, is_win=True).order) == 14


@pytest.mark.parametrize(("count", "listed"), [(7, False), (8, True), (22, True), (23, False)])
def test_a_selection_has_eight_to_twenty_two_tiles(count: int, *, listed: bool) -> None:
    row = lay(tiles("123456789m123456789p12345s")[: 2 * count])
    assert (frozenset(range(count)) in selections(scene(row))) == listed


@pytest.mark.parametrize("other", ["nearer", "farther"])
def test_two_clusters_with_a_third_between_them_may_be_the_hand(other: str) -> None:
    """The smallest of three clusters belongs to the largest, although the other is larger, nearer and lower."""
    row = lay(tiles("123456789m1p"), x=60, y=400)
    between = lay(tiles("19m19p5s"), x=60, y=480, size=1.1)
    small = lay(tiles("222z"), x=60, y=250 if other == "nearer" else 100)
    found = [*row, *between, *small]
    assert frozenset((*range(10), 15, 16, 17)) in selections(scene(found))


@pytest.mark.parametrize(("count", "few"), [(12, 0), (13, 1), (18, 1), (19, 0)])
def test_thirteen_to_eighteen_tiles_and_nothing_else_are_few(count: int, few: int) -> None:
    some = scene(lay(tiles("123456789m123456789p12345s")[: 2 * count]))
    everything = frozenset(range(count))
    assert features(some, [everything])[0]["all_of_few"] == few


def test_a_straight_row_of_fourteen_is_not_all_of_few() -> None:
    some = scene([*lay(tiles("26m66p22259s13667z")), *lay("3m", x=300, y=200), *lay("4z", x=60, y=250)])
    row, everything = frozenset(range(14)), frozenset(range(16))
    assert features(some, [row, everything])[1]["all_of_few"] == 0
    assert features(some, [row - {13}, everything])[1]["all_of_few"] == 1


def test_a_complete_hand_speaks_against_more_tiles() -> None:
    some = scene([*lay(tiles("123m456p789s11222z")), *lay("3m", x=300, y=200), *lay("4z", x=60, y=250)])
    hand, more, others = frozenset(range(14)), frozenset(range(15)), frozenset(range(1, 16))
    assert [one["beyond_complete"] for one in features(some, [hand, more, others])] == [0, 1, 0]
    assert features(some, [hand, hand | {14, 15}])[1]["all_of_few"] == 0


def test_faces_beside_backs_are_counted_on_both_sides() -> None:
    some = scene([*lay(tiles("26m66p22259s136z")), *lay("..7z.", x=60, y=200)])
    row, everything = frozenset(range(12)), frozenset([*range(12), 14])
    found = features(some, [row, everything])
    assert [(one["beside_backs"], one["rest_beside_backs"]) for one in found] == [(0, 1), (1, 0)]


def test_the_least_sure_tile_counts_beside_the_median_face() -> None:
    sure = [replace(one, presence=0.999 * (at != 3) + 0.5 * (at == 3)) for at, one in enumerate(ROW)]
    one, two = features(scene(sure), [FOURTEEN, FOURTEEN - {3}])
    assert one["least_sure"] > 2
    assert two["least_sure"] == pytest.approx(0, abs=0.1)


def test_one_tile_of_another_size_is_odd_and_two_are_not() -> None:
    odd = lay(tiles("4z7z"), x=60, y=200, size=1.5)
    some = scene([*ROW, *odd])
    found = features(some, [FOURTEEN, FOURTEEN | {14}, FOURTEEN | {14, 15}])
    assert [one["odd_size"] for one in found] == pytest.approx([0, math.log(1.5), 0], abs=0.02)


def test_a_straight_run_is_listed_among_tiles_that_lie_against_it() -> None:
    """A slanted row between a wall and scattered tiles: only lines in any direction tell it from those."""
    laid = lay_scene(900_000, 195, scene=hand_scene)
    assert laid.whole
    found = [detection(seen.tile, Box(*seen.box_xyxy)) for seen in laid.tiles]
    some = Scene.of(found, laid.size_wh)
    roles = [seen.role for seen in laid.tiles]
    assert frozenset(at for at in some.faces.tolist() if roles[at] in ("concealed", "winning", "meld")) in selections(
        some
    )


def test_the_list_is_bounded() -> None:
    draw = np.random.default_rng(3)
    found = [one for x, y in draw.uniform(0, 900, (60, 2)) for one in lay("1m", x=x, y=y)]
    assert len(selections(scene(found))) == 1 + MOST_LISTED


def test_the_gap_inside_two_tiles_is_their_distance() -> None:
    some = scene(lay("1m  2m"))
    pair = frozenset((0, 1))
    row = dict(zip(FEATURES, feature_rows(some, [pair], contents_of(some, [pair]))[0].tolist(), strict=True))
    assert row["mean_gap_inside"] == row["gap_inside"]
