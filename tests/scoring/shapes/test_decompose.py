"""Splits, waits and wins of hands."""

import random
import time
from collections import Counter

import pytest

from tilescore.scoring.hand import Hand
from tilescore.scoring.shapes.view import View, views
from tilescore.scoring.shapes.waiting import has_one_wait, waits
from tilescore.scoring.shapes.winning import (
    ALL_SHAPES,
    OF_ANY_SIZE,
    UNIT,
    Shape,
    completes,
    exchanges,
    is_win,
    lacking,
    pack,
    unpack,
)
from tilescore.scoring.tiles import PLAYING_TILES, Tile, format_tiles, parse_tiles

WALL = [tile for tile in PLAYING_TILES for _ in range(4)]


def text_of(view: View[None]) -> str:
    """The groups of a split: open sets in brackets, a star after the group that the winning tile completed."""
    words = []
    for place, (group, tiles) in enumerate(zip(view.groups, map(format_tiles, view.tiles), strict=True)):
        concealed = place in view.concealed_at if place in view.pung_at else group.concealed
        words.append((tiles if concealed else f"({tiles})") + ("*" if place == view.ended else ""))
    return " ".join(words)


@pytest.mark.parametrize(
    ("hand", "shape", "splits"),
    [
        ("123m456p789s11155z +5z", "standard", "123m 456p 789s 111z 55z*"),
        ("123m456p55z [1111z] (789s) +5z", "standard", "123m 456p 55z* 1111z (789s)"),
        ("23444m (111z) (222z) (333z) +4m", "standard", "234m* 44m 111 222 333|234m 44m* 111 222 333"),
        ("222333444m11155z +3m", "standard", "222m (333m)* 444m 111z 55z|234m* 234m 234m 111z 55z"),
        ("1133557799m1133z +1z", "seven_pairs", "11m 33m 55m 77m 99m 11z* 33z"),
        ("11115577m1133z99p +1m", "seven_pairs", "11m* 11m 55m 77m 99p 11z 33z"),
        ("19m19p19s12345677z +7z", "thirteen_orphans", "19m19p19s123456z 77z*"),
        ("19m19p19s12345677z +1m", "thirteen_orphans", "19m19p19s123456z* 77z"),
        ("147m258p369s12345z +1m", "lesser_knitted", "147m258p369s12345z*"),
        ("147m258p369s123s44z +3s", "knitted_straight", "147m 258p 369s* 123s 44z|147m 258p 369s 123s* 44z"),
        ("147m258p369s44z (123s) +4z", "knitted_straight", "147m 258p 369s 44z* (123s)"),
        # A red five stays red: a red winning tile is in the group that it completed, another red five may be elsewhere.
        ("450667m11z (222z) (333z) +5m", "standard", "456m* 067m 11z 222 333|406m 567m* 11z 222 333"),
        ("450667m11z (222z) (333z) +0m", "standard", "406m* 567m 11z 222 333|456m 067m* 11z 222 333"),
        ("450667m11z (222z) (333z)", "standard", "406m 567m 11z 222 333"),
        # One group of several suits holds the red five.
        ("147m208p369s12345z +1m", "lesser_knitted", "147m208p369s12345z*"),
        ("147m208p369s12345z +0p", "lesser_knitted", "147m208p369s12345z*"),
        ("123m406p789s11155z +6p", "standard", "123m 406p* 789s 111z 55z"),
    ],
)
def test_splits(hand: str, shape: str, splits: str) -> None:
    found = views(Hand.parse(hand), None, by_discard=True)
    wanted = splits.replace(" 111 222 333", " (111z) (222z) (333z)").replace(" 222 333", " (222z) (333z)").split("|")
    assert sorted(map(text_of, found)) == sorted(wanted)
    assert {split.shape for split in found} == {Shape(shape)}


@pytest.mark.parametrize("by_discard", [True, False])
def test_a_discard_opens_the_pung_that_it_completes(*, by_discard: bool) -> None:
    (view,) = views(Hand.parse("123m55p555z [1111z] (789s) +5z"), None, by_discard=by_discard)
    concealed = [str(view.groups[place].tile) for place in view.concealed_at]
    assert concealed == (["1z"] if by_discard else ["5z", "1z"])
    assert view.claimed == 1


@pytest.mark.parametrize(
    ("hand", "wait"),
    [
        ("13m55z (222m) (111z) (333z) 2m +2m", "closed_wait"),
        ("12m55z (222p) (111z) (333z) 3m +3m", "edge_wait"),
        ("89m55z (222p) (111z) (333z) 7m +7m", "edge_wait"),
        ("12m55z (222p) (111z) (333z) 3m +1m", ""),
        ("46m55z (222p) (111z) (333z) 0m +0m", "closed_wait"),
        ("123m5z (222p) (111z) (333z) 5z +5z", "pair_wait"),
        ("123m55z (222p) (333z) 222s +2s", ""),
        ("147m258p369s12345z +1m", ""),
        ("123m55z (222p) (111z) (333z)", ""),  # no winning tile
    ],
)
def test_waits_in_a_split(hand: str, wait: str) -> None:
    assert [view.wait for view in views(Hand.parse(hand), None, by_discard=True)] == [wait]


def test_the_same_tiles_may_be_pairs_or_chows() -> None:
    hand = Hand.parse("22334455667788p +2p")
    shapes = [view.shape for view in views(hand, None, by_discard=True)]
    assert shapes.count(Shape.SEVEN_PAIRS) == 1
    assert shapes.count(Shape.STANDARD) == 3
    only_pairs = views(hand, None, by_discard=True, shapes=frozenset({Shape.DIFFERENT_PAIRS}))
    assert [view.shape for view in only_pairs] == [Shape.DIFFERENT_PAIRS]


@pytest.mark.parametrize("hand", ["123m456p789s1112z5z +5z", "123m", "123456789m234s5p", "11112222m3344z55p6p +6p"])
def test_what_is_no_win_has_no_split(hand: str) -> None:
    assert views(Hand.parse(hand), None, by_discard=True) == []


@pytest.mark.parametrize(
    ("tiles", "melds", "shapes"),
    [
        ("123m456p77z", 2, "standard"),
        ("11m", 4, "standard"),
        ("1122334455667m7m", 0, "standard seven_pairs different_pairs"),
        ("1111335577m1133p", 0, "seven_pairs"),
        ("113355779m9m1133z", 0, "seven_pairs different_pairs"),
        ("113355779m9m11z", 1, ""),
        ("19m19p19s12345677z", 0, "thirteen_orphans"),
        ("19m19p19s1234567z2m", 0, ""),
        ("147m258p369s12345z", 0, "lesser_knitted"),
        ("14m28p3s1234567z17m", 0, ""),
        ("147m258p369s11122z", 0, "knitted_straight"),
        ("147m258p369s11z", 1, "knitted_straight"),
        ("147m258p36s1122z9p", 0, ""),
        ("11m22p33s44z111222z", 0, ""),  # four pairs and two sets
        ("11111m22233344p", 0, ""),  # five of a kind
    ],
)
def test_which_shapes_tiles_complete(tiles: str, melds: int, shapes: str) -> None:
    packed = pack(parse_tiles(tiles))
    for shape in Shape:
        assert is_win(packed, melds, frozenset({shape})) == (shape in shapes.split())
    assert completes(parse_tiles(tiles), melds) == bool(set(shapes.split()) - {"different_pairs"})


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("1112345678999m", "1m 2m 3m 4m 5m 6m 7m 8m 9m"),
        ("1112345678999m5m +5m", "1m 2m 3m 4m 5m 6m 7m 8m 9m"),
        ("34m55z (2222m) (111z) (333z)", "5m"),  # all four 2m are in the hand
        ("4567777s444m444p", "4s"),
        ("1133557799m113z", "3z"),
        ("19m19p19s1234567z", "1m 9m 1p 9p 1s 9s 1z 2z 3z 4z 5z 6z 7z"),
        ("9m19p19s12345677z", "1m"),
        ("147m258p36s12345z", "9s 6z 7z"),
        ("147m258p36s11122z", "9s"),
        ("34067p11m (222z) (333z)", "2p 5p 8p"),
        ("123456789m13s5p7z", ""),
        ("123456789m13s55p3z", ""),  # fourteen tiles, none of them the winning one
        ("123m", ""),
    ],
)
def test_waits(hand: str, expected: str) -> None:
    assert " ".join(map(str, waits(Hand.parse(hand)))) == expected


@pytest.mark.parametrize(
    ("tiles", "melds", "expected"),
    [
        ("123m456p67z", 2, "6z to 7z, 7z to 6z"),
        ("123m450p7z", 2, ""),  # seven tiles
        ("123m406p77z", 2, "1m to 4m, 4p to 7p, 6p to 3p"),  # a win becomes another one
        ("2m9m19p19s12345677z", 0, "2m to 1m"),
        ("159m258p36s12345z", 1, ""),
    ],
)
def test_exchanges(tiles: str, melds: int, expected: str) -> None:
    given = parse_tiles(tiles)
    found = (f"{given[index]} to {other}" for index, other in exchanges(given, melds, OF_ANY_SIZE))
    assert ", ".join(found) == expected


@pytest.mark.parametrize(
    ("hand", "one"),
    [
        ("13m55z (222m) (111z) (333z) 2m +2m", True),
        ("23m55z (222p) (111z) (333z) 1m +1m", False),
        ("34m55z (2222m) (111z) (333z) 5m +5m", False),  # also waits for 2m, of which none is left
        ("44567777s444m444p +4s", False),  # also waits for a fifth 7s
        ("1133557799m1133z +3z", True),
        ("19m19p19s12345677z +1m", True),
        ("19m19p19s12345677z +7z", False),
        ("147m258p369s12345z +1z", False),
        ("147m258p369s11122z +9s", True),
        ("123456789m23455s", False),  # no winning tile
    ],
)
def test_one_wait(hand: str, *, one: bool) -> None:
    assert has_one_wait(Hand.parse(hand)) is one


def naive_win(tiles: list[Tile], sets: int) -> bool:
    """Whether the tiles are that many sets and a pair, by trial and error."""
    if not tiles:
        return sets == 0
    counts, low = Counter(tiles), min(tiles)
    run = [Tile(low.suit, low.rank + step) for step in range(3)] if low.is_suited and low.rank <= 7 else []
    ways = [[low] * 3] * (counts[low] >= 3)
    if run and all(counts[tile] for tile in run):
        ways.append(run)
    for way in ways:
        rest = list(tiles)
        for tile in way:
            rest.remove(tile)
        if naive_win(rest, sets - 1):
            return True
    if len(tiles) % 3 == 2 and counts[low] >= 2:
        return naive_win(_without_pair(tiles, low), sets)
    return False


def _without_pair(tiles: list[Tile], tile: Tile) -> list[Tile]:
    rest = list(tiles)
    rest.remove(tile)
    rest.remove(tile)
    return rest


@pytest.mark.random
def test_wins_agree_with_trial_and_error() -> None:
    rng = random.Random(3)
    only = frozenset({Shape.STANDARD})
    wins = 0
    for _ in range(3000):
        suits = rng.choice(("m", "m", "mz", "mp"))
        sets = rng.randint(0, 4)
        tiles = rng.sample([tile for tile in WALL if tile.suit in suits], 3 * sets + 2)
        expected = naive_win(sorted(tiles), sets)
        assert is_win(pack(tiles), 4 - sets, only) == expected
        wins += expected
    assert wins > 50


def test_packed_counts_are_sums_of_units() -> None:
    tiles = parse_tiles("05m199s77z")
    assert pack(tiles) == sum(UNIT[tile] for tile in tiles)
    assert format_tiles(unpack(pack(tiles))) == "55m199s77z"


@pytest.mark.random
def test_is_win_is_fast_enough_for_reading_photos() -> None:
    """`make bench` promises 300,000 tests a second; any machine under load must reach a tenth of that."""
    rng = random.Random(8)
    hands = [pack(rng.sample(WALL, 14)) for _ in range(3000)]
    is_win(hands[0])
    start = time.process_time()
    for packed in hands:
        is_win(packed, 0, ALL_SHAPES)
    assert len(hands) / (time.process_time() - start) > 30_000


def test_how_many_tiles_a_hand_lacks() -> None:
    assert [lacking(count, ALL_SHAPES) for count in (0, 13, 14, 15)] == [14, 1, 0, -1]
    assert [lacking(count, OF_ANY_SIZE) for count in (14, 15, 16, 17, 18)] == [0, -1, 1, 0, -1]
