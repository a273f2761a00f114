"""Texts that the program puts together: each language says how two pieces stand beside each other."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from tilescore.scoring.context import Context, Seat, WinBy
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.score import Score
from tilescore.scoring.tiles import Tile
from tilescore.ui.components.annotator import annotator
from tilescore.ui.components.lines.fan_list import circumstance_words, worth_words
from tilescore.ui.components.score.result import parts_of
from tilescore.ui.words.doubts import about_tile
from tilescore.ui.words.fans import fan_of
from tilescore.ui.words.game import joined
from tilescore.ui.words.text import beside, labelled, speak
from tilescore.vision.decoding.doubts import Doubt

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(autouse=True)
def english_afterwards() -> object:
    yield
    speak(lambda: "en")


def worth_of(key: str) -> str:
    fan = fan_of(key)
    assert fan is not None
    return worth_words(fan)


def winds() -> list[str]:
    """The winds of South in the circumstances of a hand."""
    return circumstance_words(Context(seat=Seat.SOUTH), ruleset("mcr")).split(" · ")[1:]


def parts() -> list[str]:
    score = ruleset("riichi").score(Hand.parse("234m340678p22567s +7s"), Context(win_by=WinBy.SELF_DRAW))
    assert isinstance(score, Score)
    return parts_of(score)


def doubted() -> str:
    others = tuple(map(Tile.parse, ("2p", "3p", "4p")))
    return about_tile(Doubt("not_a_win", "", detection=0, alternatives=others), Tile.parse("1p"))


PIECES = [
    # what is put together, and how English, Chinese and Japanese write it
    (lambda: joined(("Ann", "Ben", "Cleo")), "Ann, Ben and Cleo", "Ann、Ben、Cleo", "Ann、BenとCleo"),  # a list
    (
        doubted,
        "With 2 of dots, 3 of dots or 4 of dots instead of 1 of dots the hand would be complete.",
        "若1饼其实是2饼、3饼或4饼，就成和牌。",
        "1筒が2筒、3筒か4筒なら和了形です。",
    ),
    (lambda: worth_of("riichi.pinfu"), "1 han", "1番", "1翻"),  # a number and its unit
    (lambda: worth_of("riichi.ittsu"), "2 / 1 han", "2 / 1番", "2 / 1翻"),
    (lambda: parts()[0], "4 han", "4番", "4翻"),
    (lambda: beside("4 han", "", "30 fu"), "4 han 30 fu", "4 han30 fu", "4 han30 fu"),  # nothing for an empty piece
    (
        lambda: circumstance_words(Context(seat=Seat.SOUTH), ruleset("mcr")).split(" · ")[1],
        "Seat wind: South",
        "门风：南",
        "自風：南",
    ),
    (lambda: labelled("Ann", 8), "Ann: 8", "Ann：8", "Ann：8"),
    (lambda: annotator._texts()["rejected_why"], "Rejected: {why}", "已拒绝：{why}", "除外済み：{why}"),  # for a script
]


@pytest.mark.parametrize(("put", "english", "chinese", "japanese"), PIECES)
def test_pieces_stand_beside_each_other_as_the_language_writes_them(
    put: Callable[[], str], english: str, chinese: str, japanese: str
) -> None:
    written = []
    for language in ("en", "zh", "ja"):
        speak(partial(str, language))
        written.append(put())
    assert written == [english, chinese, japanese]


def test_swahili_says_the_unit_before_its_number() -> None:
    speak(lambda: "sw")
    assert [parts()[0], worth_of("riichi.pinfu")] == ["han 4", "han 1"]
