"""What a person is asked about a hand, in which words."""

from dataclasses import replace

import pytest

from tests.vision.table import candidates, lay, tiles
from tilescore.scoring.shapes.winning import ALL_SHAPES
from tilescore.vision.decoding.decode import name_tiles
from tilescore.vision.decoding.doubts import doubts_about
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.detections import Detection
from tilescore.vision.image.boxes import Box
from tilescore.vision.layout.layout import Claim

ELEVEN = tiles("123m456p789s11z")
CASES = [
    # the row, whether a win is declared, what is asked
    (f"{tiles('123m456p789s1z222z')} 1z", True, []),
    (tiles("123m456p789s1122z"), False, ["tile_count None 13 tiles: one is missing"]),
    (
        tiles("123m456p789s11222z7m"),
        False,
        ["which_hand None which tiles are the hand?", "tile_count None 15 tiles (a kong counts three) instead of 14"],
    ),
    ("5z", False, ["no_hand None no hand: 1 tile in view are too few."]),
    ("5z1m9s3p", False, ["no_hand None no hand: 4 tiles in view are too few."]),
    (".....", False, ["no_hand None no hand: all 5 tiles lie face down."]),
    ("", False, ["no_tiles None no tiles found"]),
    (
        f"{ELEVEN} ....",
        False,
        ["face_down_kong 11 a kong lies face down", "winning_tile_unknown None no tile is set apart"],
    ),
    (
        tiles("123m456p789s11224z"),
        True,
        ["winning_tile_unknown None no tile", "not_a_win 13 not a win: one tile away. With 1z instead of 4z"],
    ),
    (
        tiles("1144m2255p3369s12z"),
        True,
        ["winning_tile_unknown None no tile", "not_a_win None not a win: more than one tile away."],
    ),
    (tiles("123m456p789s11224z"), False, ["winning_tile_unknown None no tile is set apart"]),
]


@pytest.mark.parametrize(("row", "is_win", "asked"), CASES)
def test_what_is_asked_about_a_hand(row: str, asked: list[str], *, is_win: bool) -> None:
    found = Reading.of(lay(row), is_win=is_win).doubts
    told = [f"{doubt.code} {doubt.detection} {doubt.message}" for doubt in found]
    assert [text[: len(start)] for text, start in zip(told, asked, strict=True)] == asked


def named(words: str) -> list[Detection]:
    """A row of tiles with several names each."""
    boxes = [Box(60 + 40 * at, 400, 100 + 40 * at, 454) for at in range(20)]
    return [Detection(box, 1.0, candidates(word)) for box, word in zip(boxes, words.split(), strict=False)]


NAMES = [
    # the last of fourteen tiles, how it is read, what is asked about it
    ("2z", "2z", ""),
    ("2z=.5|4z=.3", "2z", "low_confidence 2z or 4z? With it the hand is complete. ['4z']"),
    ("4z=.5|2z=.4", "2z", "completes_hand 2z or 4z? With 2z the hand is complete. ['4z']"),
    ("1m=.6|2z=.3", "2z", "completes_hand 2z or 1m? With 2z the hand is complete. ['1m']"),
]


@pytest.mark.parametrize(("last", "read", "asked"), NAMES)
def test_what_is_asked_about_a_tile(last: str, read: str, asked: str) -> None:
    reading = Reading.of(named(f"1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 2z 2z {last}"))
    told = [
        f"{one.code} {one.message} {[*map(str, one.alternatives)]}" for one in reading.doubts if one.detection == 13
    ]
    assert str(reading.detections[13].tile) == read
    assert told == ([asked] if asked else [])


FIRST, OTHER = frozenset(range(14)), frozenset(range(14, 28))
RIVALS = [
    # the other set of tiles, its probability, whether it is complete, that of the first set; whether both are offered
    (OTHER, 0.01, True, 0.95, True),
    (OTHER, 0.01, False, 0.95, False),
    (OTHER, 0.001, True, 0.95, False),
    (OTHER | {13}, 0.01, True, 0.95, False),
    (OTHER, 0.24, False, 0.8, True),
    (OTHER, 0.16, False, 0.8, False),
    (FIRST - {0}, 0.2, False, 0.8, True),
    (FIRST - {0}, 0.14, False, 0.6, False),
]


@pytest.mark.parametrize(("members", "probability", "complete", "first", "offered"), RIVALS)
def test_two_sets_of_tiles_are_offered_if_both_may_be_the_hand(
    members: frozenset[int], probability: float, first: float, *, complete: bool, offered: bool
) -> None:
    row = tiles("123m456p789s11222z")
    seen = (*lay(row, y=500), *lay(row, y=200))
    naming = name_tiles(seen, {}, is_win=False, shapes=ALL_SHAPES, size_wh=(1200, 900))
    claims = (Claim(FIRST, first, complete=True), Claim(members, probability, complete))
    told = doubts_about(
        seen, replace(naming, layout=replace(naming.layout, claims=claims)), size=14, is_win=False, shapes=ALL_SHAPES
    )
    offers = [one.candidates for one in told if one.code == "which_hand"]
    assert offers == ([(tuple(range(14)), tuple(sorted(members)))] if offered else [])


def test_at_most_two_versions_of_a_row_are_offered() -> None:
    row = tiles("123m456p789s11222z")
    seen = (*lay(row, y=500), *lay(row, y=200))
    naming = name_tiles(seen, {}, is_win=False, shapes=ALL_SHAPES, size_wh=(1200, 900))
    claims = tuple(
        Claim(members, 0.16)
        for whole in (FIRST, OTHER)
        for members in (whole, whole - {min(whole)}, whole - {max(whole)})
    )
    told = doubts_about(
        seen, replace(naming, layout=replace(naming.layout, claims=claims)), size=14, is_win=False, shapes=ALL_SHAPES
    )
    offers = next(one.candidates for one in told if one.code == "which_hand")
    assert [len(one) for one in offers] == [14, 13, 14, 13]
