"""House tables: lines that are worth something else, or nothing, at one table."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.scoring.faan.faan_deal import circumstances, lines
from tilescore.base.errors import OptionError
from tilescore.scoring.game.stream import score_lines, settle_lines
from tilescore.scoring.game.whole import Whole
from tilescore.scoring.hand import Hand
from tilescore.scoring.house import MOST_LETTERS, house_of
from tilescore.scoring.ruleset import RULESETS, ruleset
from tilescore.scoring.score import NotAWin, Score

PUNGS = "222m77p (555s) (888m) (333p) +2m"
CHOWS = "123m456p789p22s (345s) +9p &1f"


def result(name: str, hand: str, table: str, words: str = "", **options: Any) -> Score | NotAWin:
    rules = ruleset(name, options)
    return rules.with_house(house_of(table, rules)).score(Hand.parse(hand), circumstances(words))


def test_a_line_has_the_value_of_the_house() -> None:
    counted = result("hongkong", PUNGS, "line,value\nall_pungs,6\n\nhongkong.no_flowers,2")
    assert isinstance(counted, Score)
    assert (counted.total, lines(counted), counted.to_json()["house"]) == (8, "3 20", True)
    assert "house" not in ruleset("hongkong").score(Hand.parse(PUNGS), circumstances("")).to_json()


def test_a_line_that_does_not_count_takes_no_others_place() -> None:
    hand = "777z123m99p (555z) (666z) +3m &1f"
    counted = result("hongkong", hand, "big_dragons,")
    assert isinstance(counted, Score)
    assert (counted.total, lines(counted), counted.excluded) == (3, "7*3", ())


def test_the_empty_hand_has_a_value_too() -> None:
    counted = result("hongkong", CHOWS, "common_hand,\nchicken,4", minimum=0)
    assert isinstance(counted, Score)
    assert (counted.total, lines(counted)) == (4, "1")


def test_the_minimum_counts_the_values_of_the_house() -> None:
    assert isinstance(result("hongkong", CHOWS, "common_hand,3"), Score)
    assert isinstance(result("hongkong", CHOWS, ""), NotAWin)


def test_the_list_shows_the_values_of_the_house() -> None:
    rules = ruleset("taiwan")
    listed = {entry.key: entry.value for entry in rules.with_house(house_of("self_draw,2\nping_hu,", rules)).rules()}
    assert (listed["taiwan.self_draw"], listed["taiwan.ping_hu"], listed["taiwan.all_pungs"]) == ("2", "–", "4")
    assert [entry.name for entry in rules.options()][:2] == ["base", "unit"]


def test_streams_and_whole_games_take_the_table() -> None:
    house = house_of("all_pungs,6", ruleset("hongkong"))
    hand = {"concealed": "222m77p555s888m333p", "winning_tile": "2m"}
    told = json.loads(next(score_lines("hongkong", [json.dumps({**hand, "win_by": "self_draw"})], house)))
    assert told["house"] is True
    deal = {"winner": "S", "discarder": "W", "hands": {"S": hand}}
    settled = json.loads(next(settle_lines("hongkong", [json.dumps(deal)], house)))
    whole, answer = Whole.new("hongkong", ("A", "B", "C", "D"), house=house).after(deal)
    assert settled["values"] == {"S": 8}
    assert answer["payments"] == settled["payments"]
    assert whole.game.rules != ruleset("hongkong")


WRONG = [
    # table, code, what the message names
    ("x,1", "unknown_line", "row 1: 'x' is no line"),
    ("line,value\nall_pung,1", "unknown_line", "row 2: 'all_pung' is no line of hongkong; write all_pungs"),
    ("all_pungs,1\nhongkong.all_pungs,2", "line_twice", "row 2"),
    ("taiwan.all_pungs,1", "other_game", "for one game"),
    ("all_pungs,-1", "bad_line_value", "row 1"),
    ("all_pungs,1001", "bad_line_value", "'1001'"),
    ("all_pungs,1.5", "bad_line_value", "'1.5'"),
    ("all_pungs", "bad_house", "row 1"),
    ("all_pungs,1,2", "bad_house", "row 1"),
    ("a\0,1", "unknown_line", "row 1"),
    ("a" * (MOST_LETTERS + 1), "bad_house", "at most 100000 letters"),
]


@pytest.mark.parametrize("row", WRONG, ids=lambda row: row[1])
def test_what_is_no_table_is_refused(row: tuple[str, str, str]) -> None:
    table, code, part = row
    with pytest.raises(OptionError) as raised:
        house_of(table, ruleset("hongkong"))
    assert raised.value.code == code
    assert part in str(raised.value)


@pytest.mark.parametrize("name", [name for name in RULESETS if name not in {"hongkong", "taiwan"}])
def test_other_games_have_none(name: str) -> None:
    with pytest.raises(OptionError, match=f"not {name}"):
        ruleset(name).with_house(())


def test_a_limit_from_six_on_or_none() -> None:
    flush = Hand.parse("12355m (456m) (789m) (222m) +3m &2f")
    totals = [ruleset("hongkong", {"limit": limit}).score(flush, circumstances("")) for limit in (6, 0)]
    assert [one.total for one in totals if isinstance(one, Score)] == [6, 8]
    assert ruleset("hongkong", {"limit": 0, "minimum": 5}).false_mahjong == 2 * 384  # type: ignore[attr-defined]
