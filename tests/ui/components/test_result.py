"""The parts of a total are in the language of the person, in the app and in the picture that is shared."""

from __future__ import annotations

import pytest

from tilescore.scoring.context import Context, Seat, WinBy
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.score import Score
from tilescore.ui.components.score.result import parts_of
from tilescore.ui.words.text import speak

PARTS = [
    # the ruleset, the hand, the language, its parts
    ("riichi", "11122233344455z +5z", "en", ["39 han", "60 fu", "Yakuman"]),
    ("riichi", "234m345678p22567s +7s", "ru", ["3 хан", "20 фу"]),
    ("riichi", "11122233344455z +5z", "ru", ["39 хан", "60 фу", "Якуман"]),
    ("hongkong", "11122233344455z +5z", "ru", ["Предел"]),
    ("hongkong", "11122233344455z +5z", "zh", ["满贯牌型"]),
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
