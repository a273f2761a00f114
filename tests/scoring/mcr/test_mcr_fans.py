"""Every fan of MCR: a hand with it, a near miss, and a fan that excludes it or that it excludes."""

import pytest

from tests.scoring.mcr.mcr_cases import CASES, NEVER_EXCLUDED
from tests.scoring.mcr.mcr_contexts import context_of
from tilescore.scoring.hand import Hand
from tilescore.scoring.mcr.fans import FANS
from tilescore.scoring.mcr.ruleset import Mcr
from tilescore.scoring.names import names_of
from tilescore.scoring.tiles import format_tiles, parse_tiles

KEYS = [fan.key.removeprefix("mcr.") for fan in FANS]


def verdict(hand: str, context: str, fan: str) -> str:
    score = Mcr().score(Hand.parse(hand), context_of(context))
    counts = [line.key for line in score.lines if line.key == f"mcr.{fan}"]
    because = [entry.because.removeprefix("mcr.") for entry in score.excluded if entry.key == f"mcr.{fan}"]
    assert len(counts) + len(because) <= 1
    return "counts" if counts else because[0] if because else "absent"


@pytest.mark.parametrize(("fan", "expected", "context", "hand"), CASES)
def test_case(fan: str, expected: str, context: str, hand: str) -> None:
    assert verdict(hand, context, fan) == expected


def test_every_fan_has_its_three_cases() -> None:
    for key in KEYS:
        verdicts = {expected for fan, expected, _, _ in CASES if fan == key}
        assert verdicts >= {"counts", "absent"}, key
        concerned = {fan for fan, expected, _, _ in CASES if expected == key} | (verdicts - {"counts", "absent"})
        assert bool(concerned) != (key in NEVER_EXCLUDED), key


def test_names_stand_for_all_fans_in_three_languages() -> None:
    names = names_of("mcr")
    assert list(names) == [fan.key for fan in FANS]
    assert all(set(name) == {"en", "ru", "zh"} for name in names.values())
    assert all(fan.text.endswith(").") and names[fan.key]["zh"] in fan.text for fan in FANS)


@pytest.mark.parametrize(
    ("fan", "context", "hand", "lit"),
    [
        ("pure_straight", "S/E discard", "123456789m234s55p +4s", "123456789m"),
        ("tile_hog", "S/E discard", "55567m111z (567m) (234p) +7m", "5555m"),
        ("tile_hog", "S/E self_draw", "11112222m334455p +5p", "11112222m"),
        ("concealed_kong", "S/E self_draw", "234678p66s (345s) [7777m] +6s", "7777m"),
        ("single_wait", "S/E discard", "234678p66z345s [7777m] +6z", "66z"),
        ("half_flush", "S/E discard", "123789m555z22z (111m) +2z", "111123789m22555z"),
        ("all_pungs", "S/E discard", "111m222p33s (444s) (666s) +2p", "111m222p33444666s"),
        ("self_drawn", "S/E self_draw", "123789m555z22z (111m) +2z", ""),
        ("flower_tiles", "S/E self_draw", "123789m555z22z (111m) +2z &1f34q", "1f34q"),
        ("two_concealed_pungs", "S/E discard", "111m222p333s11z (444s) +3s", "111m222p"),
        ("all_fives", "S/E discard", "055m456p567s55p (345s) +7s", "055m45556p345567s"),
    ],
)
def test_a_line_lights_up_the_tiles_it_is_about(fan: str, context: str, hand: str, lit: str) -> None:
    score = Mcr().score(Hand.parse(hand), context_of(context))
    line = next(line for line in score.lines if line.key == f"mcr.{fan}")
    assert sorted(line.tiles) == sorted(parse_tiles(lit)), format_tiles(line.tiles)


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        # Four chows make at most three fans of two chows, three chows at most two (S-MCR-15).
        ("123m123p55z (123m) (123p) +3p", {"pure_double_chow": 2, "mixed_double_chow": 1}),
        ("123456m123456p5z5z +6p", {"mixed_double_chow": 2, "short_straight": 1}),
        ("123m456m456p222z55z +6p", {"mixed_double_chow": 1, "short_straight": 1}),
        ("123m123m789m111z55z +9m", {"pure_double_chow": 1, "two_terminal_chows": 1}),
        # A combination of three leaves one link, from the fourth chow.
        ("123456789m123p55z +3p", {"pure_straight": 1, "mixed_double_chow": 1}),
        ("123456789m456p55z +6p", {"pure_straight": 1, "mixed_double_chow": 1}),
        ("123456789m222z55z +9m", {"pure_straight": 1}),
        ("222m222p333m333p44s +3p", {"double_pung": 2}),
    ],
)
def test_no_group_is_combined_twice(hand: str, expected: dict[str, int]) -> None:
    score = Mcr().score(Hand.parse(hand), context_of("N/E discard"))
    combining = {fan.key: fan.key.removeprefix("mcr.") for fan in FANS if fan.combines_groups}
    assert {combining[line.key]: line.count for line in score.lines if line.key in combining} == expected


KONGS = (
    # Novikov's method (S-MCR-10). CK, K: concealed, melded kong; CP, P: concealed, melded pung. Kong fan, pung fan.
    ("CK CK CK CK", "5 12"),
    ("CK CK CK K", "5 33"),
    ("CK CK K K", "5 66"),
    ("CK K K K", "5"),
    ("K K K K", "5"),
    ("CK CK CK CP", "17 12"),
    ("CK CK CK P", "17 33"),
    ("CK CK CK", "17 33"),
    ("CK CK K CP", "17 33"),
    ("CK CK K P", "17 66"),
    ("CK CK K", "17 66"),
    ("CK K K CP", "17 66"),
    ("CK K K P", "17"),
    ("CK K K", "17"),
    ("K K K CP", "17"),
    ("K K K P", "17"),
    ("K K K", "17"),
    ("CK CK CP CP", "48 12"),
    ("CK CK CP P", "48 33"),
    ("CK CK CP", "48 33"),
    ("CK K CP CP", "57B 33"),
    ("CK CK P P", "48"),
    ("CK CK P", "48"),
    ("CK CK", "48"),
    ("CK K CP P", "57B 66"),
    ("CK K CP", "57B 66"),
    ("K K CP CP", "57A 66"),
    ("CK K P P", "57B"),
    ("CK K P", "57B"),
    ("CK K", "57B"),
    ("K K CP P", "57A"),
    ("K K CP", "57A"),
    ("K K P P", "57A"),
    ("K K P", "57A"),
    ("K K", "57A"),
    ("CK CP CP CP", "67 12"),
    ("CK CP CP P", "67 33"),
    ("CK CP CP", "67 33"),
    ("K CP CP CP", "74 33"),
    ("CK CP P P", "67 66"),
    ("CK CP P", "67 66"),
    ("CK CP", "67 66"),
    ("K CP CP P", "74 66"),
    ("K CP CP", "74 66"),
    ("CK P P P", "67"),
    ("CK P P", "67"),
    ("CK P", "67"),
    ("CK", "67"),
    ("K CP P P", "74"),
    ("K CP P", "74"),
    ("K CP", "74"),
    ("K P P P", "74"),
    ("K P P", "74"),
    ("K P", "74"),
    ("K", "74"),
    ("CP CP CP CP", "12"),
    ("CP CP CP P", "33"),
    ("CP CP CP", "33"),
    ("CP CP P P", "66"),
    ("CP CP P", "66"),
    ("CP CP", "66"),
    ("CP P P P", ""),
    ("CP P", ""),
    ("P P P P", ""),
)


@pytest.mark.parametrize(("structure", "expected"), KONGS)
def test_kongs_as_in_novikovs_table(structure: str, expected: str) -> None:
    tiles = ["2m", "4p", "6s", "8m"]
    sets = structure.split()
    forms = {"CK": "[{0}{0}{0}{0}]", "K": "({0}{0}{0}{0})", "CP": "{0}{0}{0}", "P": "({0}{0}{0})"}
    words = [forms[kind].replace("{0}", tile[0]) for kind, tile in zip(sets, tiles, strict=False)]
    words = [
        word[:-1] + tile[1] + word[-1] if word[-1] in ")]" else word + tile[1]
        for word, tile in zip(words, tiles, strict=False)
    ]
    chows = ["(567p)", "(789s)", "(345m)"][: 4 - len(sets)]
    score = Mcr().score(Hand.parse(" ".join([*words, *chows, "99p +9p"])), context_of("E/E discard"))
    numbers = {fan.key: fan.number for fan in FANS}
    about = {"5", "17", "48", "57A", "57B", "67", "74", "12", "33", "66"}
    assert {numbers[line.key] for line in score.lines} & about == set(expected.split())
