"""The cross-table of document 002, pair by pair: 3,321 pairs of fans.

`mcr_witnesses.txt` holds hands that a search found: each pair that can count together does so in one of them.
"""

from __future__ import annotations

import csv
import os
import random
from collections import Counter
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tests.harness.mcr_hands import random_win
from tests.scoring.mcr.mcr_contexts import context_of
from tilescore.scoring.hand import Hand
from tilescore.scoring.mcr.combine import CountedFans, _allowed, _without_repeats, best_count
from tilescore.scoring.mcr.fans import FANS
from tilescore.scoring.mcr.registry import ONCE, About, patterns
from tilescore.scoring.mcr.view import WAIT, offers
from tilescore.scoring.shapes.view import views
from tilescore.scoring.tiles import PLAYING_TILES, parse_tiles

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tilescore.scoring.context import Context

RANDOM_HANDS: Final = 100_000 if os.environ.get("TILESCORE_LONG") == "1" else 2_500
NUMBERS: Final = [fan.number for fan in FANS]
PAIRS: Final = tuple(combinations(NUMBERS, 2))
PLACES: Final = {number: place for place, number in enumerate(NUMBERS)}
TOGETHER: Final = ("С", "С1", "С2")
"""Codes (Cyrillic) of pairs that combine."""
THIRD_FAN: Final = {
    ("3", "76"): "22",
    ("5", "62"): "12",
    ("14", "76"): "63",
    ("16", "76"): "63",
    ("49", "56"): "12",
    ("67", "74"): "57B",
}
"""Pairs marked С that always come with a third fan, which absorbs one of them (S-MCR-18)."""
NEVER_THERE: Final = {
    ("31", "32"): "three pungs of fives and a pair of fives need a suit with five fives",
    ("31", "33"): "three pungs of fives and a pair of fives need a suit with five fives",
    ("46", "63"): "a replacement tile needs a kong, All Chows has none",
    ("53", "57B"): "Melded Hand claims all four sets, a concealed kong is not claimed",
}
"""Pairs marked С that never occur in one hand, with the reason (S-MCR-18)."""
EQUAL_CHOICE: Final = {
    ("28", "71"): "69",
    ("28", "72"): "69",
    ("39", "71"): "70",
    ("39", "72"): "70",
    ("41", "70"): "69",
}
"""Pairs whose second fan never counts: the fourth chow may join one chow, and also makes this senior fan."""


def witnesses() -> list[tuple[Hand, Context]]:
    lines = Path(__file__).with_name("mcr_witnesses.txt").read_text(encoding="utf-8").splitlines()
    split = [line.split(": ", 1) for line in lines]
    return [(Hand.parse(hand), context_of(context)) for context, hand in split]


def count(hand: Hand, context: Context) -> CountedFans:
    counted = best_count(hand, context)
    assert counted is not None, str(hand)
    return counted


def kept(counted: CountedFans) -> list[str]:
    return [fan.number for fan, _ in counted.kept]


def there(counted: CountedFans) -> list[str]:
    return kept(counted) + [fan.number for fan, _ in counted.dropped]


@pytest.fixture(scope="module")
def codes(shared: Path) -> Mapping[tuple[str, str], str]:
    with (shared / "rules" / "mcr_cross.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    latin = str.maketrans("АБ", "AB")
    names = [name.translate(latin) for name in header[1:]]
    return {(row[0].translate(latin), name): code for row in rows for name, code in zip(names, row[1:], strict=True)}


def test_our_table_says_what_the_cross_table_says(codes: Mapping[tuple[str, str], str]) -> None:
    assert len(PAIRS) == 3321
    groups = {"П": "absorbs", "К": "never_with", **dict.fromkeys(("ЗК", "К2", "КС", "МК", "АС"), "bars")}
    for senior, junior in PAIRS:
        row = FANS[PLACES[senior]]
        lists = [name for name in ("absorbs", "bars", "never_with") if junior in getattr(row, name)]
        expected = [groups[codes[senior, junior]]] if codes[senior, junior] in groups else []
        assert lists == expected, (senior, junior)
    most = {"А2": 2, "А3": 3, "А4": 4, "А8": 8}
    assert {fan.number: fan.most for fan in FANS} == {number: most.get(codes[number, number], 1) for number in NUMBERS}


def test_values_are_those_of_the_fan_list(shared: Path) -> None:
    with (shared / "rules" / "mcr_fans.csv").open(encoding="utf-8", newline="") as file:
        expected = [(row["number"], int(row["points"])) for row in csv.DictReader(file)]
    assert [(fan.number, fan.value) for fan in FANS] == expected


def test_every_pair_that_combines_has_a_hand_on_which_both_count(codes: Mapping[tuple[str, str], str]) -> None:
    seen = {pair for hand, context in witnesses() for pair in combinations(kept(count(hand, context)), 2)}
    wanted = {pair for pair in PAIRS if codes[pair] in TOGETHER}
    assert seen <= wanted
    assert wanted - seen == THIRD_FAN.keys() | NEVER_THERE.keys() | EQUAL_CHOICE.keys()


def test_no_other_pair_is_ever_allowed(codes: Mapping[tuple[str, str], str]) -> None:
    """Of two fans that do not combine, the junior never counts."""
    for senior, junior in PAIRS:
        if codes[senior, junior] not in TOGETHER:
            assert list(_allowed({PLACES[senior]: ONCE, PLACES[junior]: ONCE})) == [PLACES[senior]], (senior, junior)


@pytest.mark.random
def test_random_hands_keep_to_the_table(codes: Mapping[tuple[str, str], str]) -> None:
    rng = random.Random(81)
    most = {fan.number: fan.most for fan in FANS}
    for hand, context in (*witnesses(), *(random_win(rng) for _ in range(RANDOM_HANDS))):
        counted = count(hand, context)
        for pair in combinations(kept(counted), 2):
            assert codes[pair] in TOGETHER, (pair, str(hand))
        for fan, matches in counted.kept:
            assert len(matches) <= most[fan.number], (fan.number, str(hand))
        both = set(combinations(sorted(there(counted), key=PLACES.__getitem__), 2))
        assert not both & NEVER_THERE.keys(), str(hand)
        for pair in both & THIRD_FAN.keys():
            assert THIRD_FAN[pair] in kept(counted) or not set(pair) <= set(kept(counted)), (pair, str(hand))


@pytest.mark.random
def test_a_fan_needs_what_every_hand_with_it_has() -> None:
    """A hand is not asked for a fan if it lacks something that the fan needs."""
    rng = random.Random(82)
    asked = [fan for fan in FANS if fan.needs and fan.about not in (About.CHOWS, About.PUNGS)]
    seen: Counter[str] = Counter()
    for hand, context in (*witnesses(), *(random_win(rng) for _ in range(RANDOM_HANDS))):
        for view in views(hand, context, by_discard=not context.self_drawn):
            there = [fan for fan in asked if fan.find(view)]
            seen.update(fan.key for fan in there)
            assert not [fan.key for fan in there if fan.needs & ~(offers(view) | WAIT)], str(hand)
    assert seen.keys() == {fan.key for fan in asked}


@pytest.mark.uncounted
def test_all_hands_of_four_chows() -> None:
    """Each fan counts at most as often as the table allows; a fourth chow beside three combined ones has a choice.

    In all hands of three combined chows and a fourth, the fourth also makes the senior fan of `EQUAL_CHOICE`.
    """
    lows = [tile for tile in PLAYING_TILES if tile.is_suited and tile.rank <= 7]
    for chows in combinations_with_replacement(lows, 4):
        found = dict(patterns(About.CHOWS, chows))
        for (large, second), equal in EQUAL_CHOICE.items():
            for joined in found.get(PLACES[large], ()):
                fourth = next(place for place in range(4) if place not in joined)
                joining = [
                    number
                    for number in ("69", "70", "71", "72")
                    if any(fourth in match for match in found.get(PLACES[number], ()))
                ]
                assert second not in joining or joining[0] == equal, (large, chows)
        kept = _without_repeats(_allowed(found))
        assert all(len(matches) <= FANS[place].most for place, matches in kept.items()), chows


def test_three_pungs_of_fives_leave_no_pair_of_fives() -> None:
    fives = parse_tiles("555m555p555s")
    assert all(max(Counter((*fives, pair, pair)).values()) > 4 for pair in parse_tiles("5m5p5s"))
