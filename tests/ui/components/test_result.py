"""The parts of a total are in the language of the person, in the app and in the picture that is shared."""

from typing import Any

import pytest

from tilescore.scoring.context import Context, Seat, WinBy
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.score import NotAWin, Score
from tilescore.ui.components.lines.score_lines import worth
from tilescore.ui.components.score.result import parts_of, range_of, reason
from tilescore.ui.state.hand.work import Work
from tilescore.ui.words.text import speak

PARTS = [
    # the ruleset, the hand, the language, its parts
    ("riichi", "11122233344455z +5z", "en", ["3 × Yakuman"]),
    ("riichi", "234m345678p22567s +7s", "ru", ["3 хана", "20 фу"]),
    ("riichi", "11122233344455z +5z", "ru", ["3 × Якуман"]),
    ("riichi", "19m19p19s11234567z +1z", "en", ["Yakuman"]),
    ("hongkong", "11122233344455z +5z", "ru", ["Предел"]),
    ("hongkong", "11122233344455z +5z", "zh", ["满贯"]),
]


@pytest.mark.parametrize(("name", "hand", "language", "parts"), PARTS)
def test_the_parts_of_a_total_are_words_of_the_language(name: str, hand: str, language: str, parts: list[str]) -> None:
    speak(lambda: language)
    try:
        score = ruleset(name).score(Hand.parse(hand), Context(seat=Seat.EAST, win_by=WinBy.SELF_DRAW))
        assert isinstance(score, Score)
        assert parts_of(score) == parts
    finally:
        speak(lambda: "en")


def test_lines_of_yakuman_name_them_and_count_no_han() -> None:
    context = Context(seat=Seat.EAST, win_by=WinBy.SELF_DRAW)
    score = ruleset("riichi", {"double_yakuman": True}).score(Hand.parse("19m19p19s12345677z +7z"), context)
    assert isinstance(score, Score)
    assert (parts_of(score), [worth(line, score) for line in score.lines]) == (["2 × Yakuman"], ["2 × Yakuman"])


TOO_CHEAP: list[tuple[str, dict[str, Any], str, str]] = [
    # the ruleset, its options, the hand, what the page says
    (
        "mcr",
        {},
        "123m567p (345s) (678m) 55z +5z &1234f",
        "Complete, but worth 6 points: a win needs 8 without flowers.",
    ),
    ("hongkong", {}, "123m567p (345s) (678m) 55z +5z &3f", "Complete, but worth 2 faan: a win needs 3."),
    (
        "hongkong",
        {"flowers_to_minimum": False},
        "123m567p (345s) (678m) 55z +5z &1f",
        "Complete, but worth 3 faan: a win needs 3 without flowers.",
    ),
]


@pytest.mark.parametrize(("name", "options", "notation", "sentence"), TOO_CHEAP)
def test_a_hand_below_the_minimum_says_what_it_is_worth(
    name: str, options: dict[str, Any], notation: str, sentence: str
) -> None:
    rules, hand = ruleset(name, options), Hand.parse(notation)
    result = rules.score(hand, Context(win_by=WinBy.SELF_DRAW))
    assert isinstance(result, NotAWin)
    assert reason(result, Work.of(hand), rules=rules) == sentence


RANGES = [
    # the language, the unit, the totals that are possible, what the page says
    ("en", "points", (162, 163), "<b>162 to 163</b> points"),
    ("ru", "points", (162, 163), "<b>от 162 до 163</b> очков"),
    ("ru", "points", (160, 161), "<b>от 160 до 161</b> очка"),
    ("ru", "points", (163, 163), "<b>163</b> очка"),
    ("ru", "faan", (1, 3), "<b>от 1 до 3</b> фанов"),
    ("ru", "faan", (3, 3), "<b>3</b> фана"),
    ("pl", "points", (162, 163), "<b>od 162 do 163</b> punktów"),
]


@pytest.mark.parametrize(("language", "unit", "totals", "said"), RANGES)
def test_a_range_of_totals_is_in_the_case_of_its_words(
    language: str, unit: str, totals: tuple[int, ...], said: str
) -> None:
    speak(lambda: language)
    try:
        assert said in range_of([Score(ruleset="mcr", unit=unit, total=total, lines=()) for total in totals])
    finally:
        speak(lambda: "en")
