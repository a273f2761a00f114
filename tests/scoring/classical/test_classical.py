"""The classical ruleset: every line of document 000, its worked examples, options and refusals."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import pytest

from tests.scoring.classical.classical_cases import SET_CASES, SHARED_CASES, VINE
from tests.scoring.classical.classical_table import counted, setting, verdict
from tilescore.errors import HandError, OptionError
from tilescore.scoring.classical.classical import Classical, Simplified
from tilescore.scoring.classical.rules import CountedRules
from tilescore.scoring.game.deals import HandInput
from tilescore.scoring.hand import Hand
from tilescore.scoring.names import names_of
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.score import NotAWin

if TYPE_CHECKING:
    pass

ROBBED = "S/W discard robbing_concealed_kong"
BOTH = (Classical(), Simplified())
CASES = (
    ("all_flowers", "counts", "123m456p789s555s7z &1234f", "S/W"),
    ("all_flowers", "absent", "123m456p789s555s7z &123f4q", "S/W"),
    ("all_flowers", "vine", "46p123m789s555s77z5p +5p &1234f", VINE),
    ("all_seasons", "counts", "123m456p789s555s7z &1234q", "S/W"),
    ("all_seasons", "absent", "123m456p789s555s7z &123q4f", "S/W"),
    ("all_seasons", "vine", "46p123m789s555s77z5p +5p &1234q", VINE),
    ("own_flower", "counts", "123m456p789s555s7z &1234f", "S/W"),
    ("limit", "counts", "111m999p111s222z55z +2z &2f2q", "S/S self_draw"),
    ("limit", "absent", "123m456p789s555s77z +9s", "S/W discard"),
    ("limit", "absent", "46p123m789s555s77z5p +5p &4f", VINE),
)
WITHOUT_BOUQUET = (
    ("own_flower", "all_flowers", "123m456p789s555s7z &1234f", "S/W"),
    ("own_flower", "counts", "123m456p789s555s7z &123f", "S/W"),
    ("own_season", "counts", "123m456p789s555s7z &1234f2q", "S/W"),
    ("own_season", "all_seasons", "123m456p789s555s7z &1234q", "S/W"),
)
WINNERS_COMPOSITION = (
    ("one_suit", "losing_hand", "1112225566778m", "S/W"),
    ("one_suit", "counts", "12223345678999m +9m", "S/W discard"),
    ("honors_only", "losing_hand", "1122334455667z", "S/W"),
    ("one_suit_honors", "losing_hand", "1122557788m555z", "S/W"),
)
# Document 000, section VI, prints points, doublings and totals of four hands, open and concealed. Its pictures are
# lost; these tiles fit the figures.
EXAMPLES = (
    ("23466s (111p) (555m) (777z) +4s", 30, 2, 60),
    ("555m111p23466s777z +4s", 40, 2, 80),
    ("678p66s (333p) (123m) (456s) +8p", 22, 1, 22),
    ("123m333678p45666s +8p", 24, 1, 24),
    ("22678s (333s) (666z) (456s) +8s", 26, 4, 104),
    ("22333456678s666z +8s", 32, 4, 128),
    ("23455p (111p) (666p) (789p) +4p", 26, 8, 208),
    ("11123455666789p +4p", 32, 8, 256),
)
TOTALS = (
    ("own and round wind: pair 4", 4, "147m369p258s1134z", "E/E"),
    ("own and round wind: set x4", 32, "147m369p258s1113z", "E/E"),
    ("four alike, never declared, are a pung", 4, "147m369p5555m258s", "S/W"),
    ("three open chows count nothing", 0, "14m25p (123m) (456p) (789s)", "S/W"),
    ("a pung ended by the discard is open", 20 + 2, "123m456p789s444s11z +4s", "S/W discard"),
    ("a pung ended from the wall is concealed", 22 + 4, "123m456p789s444s11z +4s", "S/W self_draw"),
    ("the discard is given to the chow if that is dearer", 20 + 4, "123m333345p789s11z +3p", "S/W discard"),
    ("self-draw and only possible both count", 20 + 2 + 2 + 4, "123m456p789s555s1z1z +1z", "N/W self_draw"),
    ("pungs rather than three equal chows", 20 + 2 + 8 + 4 + 4 + 2, "111222333m456p55z +6p", "S/W self_draw"),
    ("three equal chows rather than pungs, for the misere", (20 + 2) * 2, "111222333m456p99s +6p", "S/W self_draw"),
    ("five doublings", (4 * 8 + 2 + 20 + 2 + 2) * 32, "111m999m111z222z55z +5z", "S/S self_draw"),
)


@pytest.mark.parametrize("rules", BOTH, ids=lambda rules: rules.name)
@pytest.mark.parametrize(("key", "expected", "hand", "circumstances"), SHARED_CASES)
def test_lines_that_both_rulesets_have(
    rules: CountedRules, key: str, expected: str, hand: str, circumstances: str
) -> None:
    assert verdict(counted(rules, hand, circumstances), key) == expected


@pytest.mark.parametrize(("key", "expected", "hand", "circumstances"), CASES)
def test_lines_of_the_classical_ruleset_alone(key: str, expected: str, hand: str, circumstances: str) -> None:
    assert verdict(counted(Classical(), hand, circumstances), key) == expected


@pytest.mark.parametrize(("key", "expected", "hand", "circumstances"), WITHOUT_BOUQUET)
def test_a_bouquet_in_the_place_of_the_own_flower(key: str, expected: str, hand: str, circumstances: str) -> None:
    assert verdict(counted(Classical(bouquet_adds=False), hand, circumstances), key) == expected


@pytest.mark.parametrize(("key", "expected", "hand", "circumstances"), WINNERS_COMPOSITION)
def test_composition_for_the_winner_only(key: str, expected: str, hand: str, circumstances: str) -> None:
    for rules in (Classical(losers_composition=False), Simplified(losers_composition=False)):
        assert verdict(counted(rules, hand, circumstances), key) == expected


# Key, points in multiples of an open pung, a hand with it, one that just misses it, one where a limit hand excludes it.
SET_FORMS = (
    ("pung_{}_open", 1, "147m369p258s3z (TTT)", "147m369p258s3zTT2m", "46p5p123m789s11z (TTT) +5p &4f"),
    ("pung_{}_concealed", 2, "147m369p258s3zTTT", "147m369p258s3z (TTT)", "46p5p123m789s11zTTT +5p &4f"),
    ("kong_{}_open", 4, "147m369p258s3z (TTTT)", "147m369p258sTTTT", "46p5p123m789s11z (TTTT) +5p"),
    ("kong_{}_concealed", 8, "147m369p258s3z [TTTT]", "147m369p258sTTTT", "46p5p123m789s11z [TTTT] +5p"),
)


@pytest.mark.parametrize("rules", BOTH, ids=lambda rules: rules.name)
@pytest.mark.parametrize("family", SET_CASES)
@pytest.mark.parametrize("form", SET_FORMS)
def test_rows_of_sets(rules: CountedRules, family: tuple[str, str, int], form: tuple[str, int, str, str, str]) -> None:
    tile, family_name, value = family
    row, times, *hands = form
    hand, near, swallowed = (text.replace("T", tile) for text in hands)
    key = row.format(family_name)
    score = counted(rules, hand, "S/W")
    assert verdict(score, key) == "counts"
    assert score.total == value * times * (2 if family_name == "dragon" else 1)
    assert verdict(counted(rules, near, "S/W"), key) == "absent"
    assert verdict(counted(rules, swallowed, VINE), key) == "vine"


@pytest.mark.parametrize(("hand", "points", "multiplier", "total"), EXAMPLES)
def test_worked_examples(hand: str, points: int, multiplier: int, total: int) -> None:
    score = counted(Classical(), hand, "E/E discard")
    assert sum(line.value * line.count for line in score.lines) == points
    assert prod(2**line.doubles for line in score.lines) == multiplier
    assert score.total == total


@pytest.mark.parametrize(("why", "total", "hand", "circumstances"), TOTALS)
def test_totals(why: str, total: int, hand: str, circumstances: str) -> None:
    assert counted(Classical(), hand, circumstances).total == total, why


def test_lines_stand_in_the_order_points_doubles_limit() -> None:
    score = counted(Classical(limit=100), "22678s (333s) (666z) (456s) +8s &2f", "S/W discard last_tile")
    kinds = [
        "doubles" if line.doubles else "limit" if line.key == "classical.limit" else "points" for line in score.lines
    ]
    assert kinds == sorted(kinds, key=["points", "doubles", "limit"].index)
    assert (score.total, score.limit, score.lines[-1].value) == (100, "classical.limit", 100)


def test_a_losing_hand_says_what_it_waits_for_and_how_it_was_seen() -> None:
    data = counted(Classical(), "22333m456p789s55z &1f", "S/W").to_json()
    assert (data["win"], data["total"], data["waits"]) == (False, 4 + 2 + 4, ["2m", "5z"])
    assert data["groups"] == ["333m", "22m", "55z", "456p789s"]
    assert "waits" not in counted(Classical(), "123m456p789s555s77z +9s", "S/W discard").to_json()


@pytest.mark.parametrize(
    ("why", "hand", "circumstances", "waits"),
    [
        ("tiles that make nothing", "147m258p369s12345z +1m", "S/W self_draw", ""),
        ("one tile short", "123m456p789s234s1z", "S/W discard", "1z"),
        ("another tile was needed", "123m456p789s234s1z7z +7z", "S/W discard", "1z"),
        ("seven pairs of two suits", "1122m3344556677p +7p", "S/W self_draw", ""),
        ("seven pairs of honours, two of them alike", "11112233445566z +6z", "S/W self_draw", ""),
        ("robbing a concealed kong without Thirteen Wonders", "123m456p789s234s11z +4s", ROBBED, "1s 4s"),
    ],
)
def test_a_claimed_win_that_is_none(why: str, hand: str, circumstances: str, waits: str) -> None:
    for rules in BOTH:
        result = rules.score(Hand.parse(hand), setting(circumstances))
        assert isinstance(result, NotAWin), why
        assert (result.code, " ".join(map(str, result.waits))) == ("not_a_win", waits)
        assert str(Hand.parse(hand)) in result.message


def test_a_win_needs_its_winning_tile() -> None:
    with pytest.raises(HandError, match="which tile it was won with"):
        Classical().score(Hand.parse("123m456p789s234s11z"), setting("S/W self_draw"))


def test_wrong_number_of_tiles() -> None:
    with pytest.raises(HandError, match="12 tiles"):
        Classical().score(Hand.parse("123m456p789s234s"), setting("S/W"))


@pytest.mark.parametrize(
    ("rules", "circumstances", "warnings"),
    [
        (Classical(), "S/W discard riichi last_of_its_kind", "last_of_its_kind riichi"),
        (Classical(), "S/W discard last_tile only_possible_tile", ""),
        (Classical(), "S/W discard first_turn", "first_turn"),
        (Classical(), "S/W discard:E first_turn ready_from_start", ""),
        (Simplified(), "S/W discard riichi last_of_its_kind", "riichi"),
        (Simplified(), "E/W self_draw first_turn", "first_turn"),
    ],
)
def test_occasions_without_meaning_are_accepted_with_a_warning(
    rules: CountedRules, circumstances: str, warnings: str
) -> None:
    assert " ".join(counted(rules, "123m456p789s234s11z +4s", circumstances).warnings) == warnings


def test_counters_of_another_game_are_accepted_with_a_warning() -> None:
    given = HandInput.from_json({"concealed": "123m456p789s234s1z", "honba": 2, "dora_indicators": "1m"})
    assert Classical().score(given.hand, given.context).warnings == ("dora_indicators", "honba")
    no_win = Classical().score(Hand.parse("123m456p789s234s1z"), setting("S/W discard riichi"))
    assert no_win.warnings == ("riichi",)


@pytest.mark.parametrize(
    ("option", "value"), [("limit", 0), ("limit", 10**10), ("pure_factor", 0), ("false_mahjong_points", -2)]
)
def test_impossible_option_values(option: str, value: int) -> None:
    for name in ("classical", "simplified"):
        with pytest.raises(OptionError, match=f"'{option}' of {name} must lie between"):
            ruleset(name, {option: value})


@pytest.mark.parametrize("rules", BOTH, ids=lambda rules: rules.name)
def test_rules_list_every_line_with_names_and_a_sentence(rules: CountedRules) -> None:
    entries = rules.rules()
    reasons = {f"{rules.name}.{key}" for key in ("losing_hand", "by_discard", "other_waits")}
    assert {entry.key for entry in entries} == set(names_of(rules.name)) - reasons
    assert len({entry.key for entry in entries}) == len(entries)
    for entry in entries:
        assert set(entry.names) == {"en", "ru"}
        assert entry.text.endswith(".")
    worth = {entry.key.partition(".")[2]: entry.value for entry in entries}
    assert worth["kong_dragon_concealed"] == "32"
    assert worth["three_winds"] == ("x2" if rules.name == "classical" else "x4")
    assert worth["one_suit"] == ("x8" if rules.name == "classical" else "x3")
    assert worth["four_by_four"] == "limit"


@pytest.mark.parametrize("rules", BOTH, ids=lambda rules: rules.name)
def test_options_list_every_switch_with_its_default(rules: CountedRules) -> None:
    for entry in rules.options():
        assert getattr(rules, entry.name) == entry.default
        assert entry.text
    assert len(rules.options()) == (7 if rules.name == "classical" else 8)


def test_the_common_part_is_no_ruleset_by_itself() -> None:
    with pytest.raises(TypeError, match="abstract"):
        CountedRules()  # type: ignore[abstract]


@pytest.mark.parametrize("rules", [Classical(), Simplified()])
def test_no_text_says_that_a_discard_ends_a_kong(rules: Classical | Simplified) -> None:
    """The winning discard ends a pung; a kong is claimed, or a tile is added to a pung (S-ALL-3, S-ALL-4)."""
    texts = {entry.key.partition(".")[2]: entry.text for entry in rules.rules()}
    assert all("discard" not in text for key, text in texts.items() if key.startswith("kong_"))
    assert "winning discard" in texts["pung_simple_open"]
