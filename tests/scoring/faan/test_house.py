"""House tables: lines that are worth something else, or nothing, at one table."""

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.scoring.faan.faan_deal import circumstances, lines
from tilescore.errors import OptionError
from tilescore.scoring.context import Context, Occasion, Seat, WinBy
from tilescore.scoring.faan.hongkong import Hongkong
from tilescore.scoring.faan.taiwan import Taiwan
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.game.stream import score_lines, settle_lines
from tilescore.scoring.game.whole import Whole
from tilescore.scoring.hand import Hand
from tilescore.scoring.house import MOST_LETTERS, check_house, has_house, house_of, house_text
from tilescore.scoring.ruleset import RULESETS, ruleset
from tilescore.scoring.score import NotAWin, Score
from tilescore.scoring.traits import KnownValue, KnownWin

PUNGS = "222m77p (555s) (888m) (333p) +2m"
CHOWS = "123m456p789p22s (345s) +9p &1f"


def result(name: str, hand: str, table: str, words: str = "", **options: Any) -> Score | NotAWin:
    return ruleset(name, {**options, "house": table}).score(Hand.parse(hand), circumstances(words))


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


FOUR_PUNGS = "111m333p555s777p22z (789s) +2z"
WINDS = "111z222z555z666z33z +3z &1f"
# Ruleset, table, hand, circumstances, total and lines, all with a minimum of 0.
OURS = (
    ("hongkong", "human,8", WINDS, "first_turn", 10, "14 26"),
    ("hongkong", "human,10", WINDS, "first_turn", 10, "14 26"),
    ("hongkong", "human,12", WINDS, "first_turn limit=13", 12, "34"),
    ("hongkong", "all_terminals,13\nfour_kongs,10", "11m [1111p] [9999p] [1111s] [9999s] +1m &1f", "tsumo limit=0", 14,
     "15 27"),
    ("hongkong", "flower_set,", "234m456m22p567s (789s) +2m &1234f", "EE tsumo", 3, "2 15 21"),
    ("hongkong", "", "234m456m22p567s (789s) +2m &1234f", "EE tsumo", 4, "2 15 22"),
    ("taiwan", "flower_set,", "234m456m22p567s (789s) (123m) +2m &1234f", "SE", 1, "9"),
    ("taiwan", "flower_set,", "234m456m22p567s (789s) (123m) +2m &1234f", "SE see_flowers=1", 4, "38*4"),
    ("taiwan", "flower_set,", "234m456m22p567s (789s) (123m) +2m &12f", "SE see_flowers=1 flower_set_adds=1", 2,
     "38*2"),
    ("taiwan", "every_flower,", "234m456m22p567s (789s) (123m) +2m &12f", "SE see_flowers=1 flower_set_adds=1", 1, "9"),
    ("taiwan", "", FOUR_PUNGS, "tsumo", 7, "3 11 20"),
    ("taiwan", "four_concealed_pungs,", FOUR_PUNGS, "tsumo", 4, "3 11 19"),
)  # fmt: skip


@pytest.mark.parametrize("row", OURS, ids=str)
def test_what_counts_in_the_place_of_what_at_a_table_of_ones_own(row: tuple[str, str, str, str, int, str]) -> None:
    name, table, hand, words, total, numbers = row
    own = {key: int(value) for key, _, value in (word.partition("=") for word in words.split() if "=" in word)}
    options = {key: bool(value) if key in ("see_flowers", "flower_set_adds") else value for key, value in own.items()}
    counted = result(name, hand, table, words, minimum=0, **options)
    assert isinstance(counted, Score)
    assert (counted.total, lines(counted)) == (total, numbers)


@pytest.mark.parametrize("name", ["hongkong", "taiwan"])
def test_no_win_by_flowers_where_the_house_takes_those_lines_out(name: str) -> None:
    table = "eight_flowers,\n" + ("seven_flowers," if name == "hongkong" else "seven_rob_one,")
    flowers = Hand.parse("&1234f1234q +4q")
    assert isinstance(ruleset(name).score(flowers, circumstances("tsumo flower_win")), Score)
    assert isinstance(ruleset(name, {"house": table}).score(flowers, circumstances("tsumo flower_win")), NotAWin)


def test_a_dealer_who_loses_a_self_draw_pays_what_the_house_says() -> None:
    hand = "234m456m22p567s (789s) (789p) +2m &1f"
    for table, dealer in (("", -90), ("dealer,\ndealer_repeats,", -40), ("dealer,3", -110), ("dealer_repeats,0", -50)):
        score = result("taiwan", hand, table, "tsumo repeats=2")
        assert isinstance(score, Score)
        assert score.payments is not None
        assert score.payments.by_seat == (dealer, 80 - dealer, -40, -40), table


def test_the_empty_hand_has_a_value_too() -> None:
    counted = result("hongkong", CHOWS, "common_hand,\nchicken,4", minimum=0)
    assert isinstance(counted, Score)
    assert (counted.total, lines(counted)) == (4, "1")


def test_the_minimum_counts_the_values_of_the_house() -> None:
    assert isinstance(result("hongkong", CHOWS, "common_hand,3"), Score)
    assert isinstance(result("hongkong", CHOWS, ""), NotAWin)


def test_the_list_shows_the_values_of_the_house() -> None:
    rules = ruleset("taiwan")
    ours = ruleset("taiwan", {"house": "self_draw,2\nping_hu,"}).rules()
    listed = {entry.key: entry.value for entry in ours}
    assert [entry.worth for entry in ours if entry.key == "taiwan.ping_hu"] == [None]
    assert (listed["taiwan.self_draw"], listed["taiwan.ping_hu"], listed["taiwan.all_pungs"]) == ("2", "–", "4")
    assert [entry.name for entry in rules.options()][:2] == ["base", "unit"]


def test_a_hand_without_lines_has_none_where_the_house_counts_no_chicken() -> None:
    counted = result("hongkong", CHOWS, "common_hand,\nchicken,", minimum=0)
    assert isinstance(counted, Score)
    assert (counted.total, counted.lines) == (0, ())


def test_streams_and_whole_games_take_the_table() -> None:
    house = {"house": "all_pungs,6"}
    hand = {"concealed": "222m77p555s888m333p", "winning_tile": "2m"}
    told = json.loads(next(score_lines("hongkong", [json.dumps({**hand, "win_by": "self_draw"})], house)))
    assert told["house"] is True
    deal = {"winner": "S", "discarder": "W", "hands": {"S": hand}}
    settled = json.loads(next(settle_lines("hongkong", [json.dumps(deal)], house)))
    whole, answer = Whole.new("hongkong", ("A", "B", "C", "D"), options=house).after(deal)
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
    ("all_pungs,10001", "bad_line_value", "'10001'"),
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


@pytest.mark.parametrize("name", [name for name in RULESETS if not has_house(ruleset(name))])
def test_other_games_have_none(name: str) -> None:
    with pytest.raises(OptionError, match=f"not {name}"):
        check_house(ruleset(name))
    with pytest.raises(OptionError, match="'house' is no option"):
        ruleset(name, {"house": ""})


def test_every_game_that_adds_up_lines_has_one() -> None:
    named = [name for name in RULESETS if has_house(ruleset(name))]
    assert named == ["classical", "simplified", "hongkong", "taiwan"]
    for name in named:
        every = tuple((entry.key, entry.worth) for entry in ruleset(name).rules() if entry.worth is not None)
        same = ruleset(name, {"house": house_text(every)})
        assert same.rules() == ruleset(name).rules()
        check_house(same)


def test_published_tables_name_their_source_and_differ() -> None:
    found = {name: ruleset(name).traits.presets for name in RULESETS}
    assert [name for name, presets in found.items() if presets] == ["hongkong", "taiwan", "riichi3"]
    for name, presets in found.items():
        for preset in presets:
            assert preset.source
            assert ruleset(name, preset.options) != ruleset(name)
            defaults = {entry.name: entry.default for entry in ruleset(name).options()}
            assert all(defaults[key] != value for key, value in preset.options.items()), preset.name


def test_a_limit_from_six_on_or_none() -> None:
    flush = Hand.parse("12355m (456m) (789m) (222m) +3m &2f")
    totals = [ruleset("hongkong", {"limit": limit}).score(flush, circumstances("")) for limit in (6, 0)]
    assert [one.total for one in totals if isinstance(one, Score)] == [6, 8]
    assert ruleset("hongkong", {"limit": 0, "minimum": 5}).false_mahjong == 2 * 384  # type: ignore[attr-defined]


# Game, options, hand, circumstances, total, numbers of the lines.
OPTIONS: tuple[tuple[str, dict[str, Any], str, str, int, str], ...] = (
    ("hongkong", {}, "222m555p888s333s77m +7m &1f", "ron", 8, "13"),
    ("hongkong", {"concealed_pungs_drawn": True}, "222m555p888s333s77m +7m &1f", "ron", 4, "3 14"),
    ("hongkong", {"concealed_pungs_drawn": True}, "222m555p888s333s77m +7m &1f", "tsumo", 9, "13 15"),
    ("hongkong", {}, "1379m258p147s123z &1234f123q +3q", "tsumo flower_win", 3, "23"),
    ("hongkong", {"flower_win_drawn": True}, "1379m258p147s123z &1234f123q +3q", "tsumo flower_win", 4, "15 23"),
    ("taiwan", {"see_all": True}, "234p678p345s99s (333z) (777s) +5s &1f", "", 2, "38 39"),
    ("taiwan", {"see_flowers": True}, "234p678p345s99s (333z) (777s) +5s &1f", "", 1, "38"),
    ("taiwan", {}, "234p678p345s99s (123m) (777s) +5s &1f", "EE repeats=5 tsumo", 13, "1 2*5 3 9"),
    ("taiwan", {"most_repeats": 3}, "234p678p345s99s (123m) (777s) +5s &1f", "EE repeats=5 tsumo", 9, "1 2*3 3 9"),
    ("taiwan", {"most_repeats": 3}, "234p678p345s99s (123m) (777s) +5s &1f", "EE repeats=2 tsumo", 7, "1 2*2 3 9"),
)


@pytest.mark.parametrize("row", OPTIONS, ids=lambda row: f"{row[1]} {row[3]}")
def test_options_of_tables(row: tuple[str, dict[str, Any], str, str, int, str]) -> None:
    name, options, hand, words, total, numbers = row
    score = ruleset(name, options).score(Hand.parse(hand), circumstances(words))
    assert isinstance(score, Score)
    assert (score.total, lines(score)) == (total, numbers)


def test_no_flower_completes_a_hand_where_flowers_are_not_played() -> None:
    played = Hand.parse("1379m258p147s123z &1234f123q +3q")
    for name in ("hongkong", "taiwan"):
        result = ruleset(name, {"flowers": False}).score(played, circumstances("tsumo flower_win"))
        assert isinstance(result, NotAWin)
        assert "has 13 tiles" in result.message


def test_a_minimum_of_tai() -> None:
    hand = Hand.parse("234p678p345s99s (123m) (777s) +5s &1f")
    lacking = ruleset("taiwan", {"minimum": 2}).score(hand, circumstances("tsumo"))
    assert isinstance(lacking, NotAWin)
    assert "lacks 1 tai" in lacking.message
    assert isinstance(ruleset("taiwan", {"minimum": 1}).score(hand, circumstances("tsumo")), Score)


def test_the_ceiling_of_repeats_holds_for_a_dealer_who_loses() -> None:
    hand = Hand.parse("234p678p345s99s (123m) (777s) +5s &1f")
    for ceiling, paid in ((0, 30 + 10 * (1 + 1 + 10)), (3, 30 + 10 * (1 + 1 + 6))):
        score = ruleset("taiwan", {"most_repeats": ceiling}).score(hand, circumstances("tsumo repeats=5"))
        assert isinstance(score, Score)
        assert score.payments is not None
        assert score.payments[Seat.EAST] == -paid


def test_a_hand_at_a_limit_below_the_minimum_is_booked_as_it_counts() -> None:
    rules = Hongkong(minimum=8, limit=6)
    score = rules.score(Hand.parse("78955678m (123m) (456m) +8m &1f"), circumstances("tsumo"))
    assert isinstance(score, Score)
    assert score.total == rules.traits.least == 6
    assert rules.payments_of(KnownWin(winner=Seat.SOUTH, value=KnownValue(points=6)))


def test_a_payment_table_of_ones_own() -> None:
    rules = Hongkong(payments="1, 2,4,8,12")
    assert [rules.multiplier(faan) for faan in range(7)] == [1, 2, 4, 8, 12, 12, 12]
    assert rules.false_mahjong == 24
    for wrong in ("1,,2", "a", "-1,2", "1.5", "9999999999"):
        with pytest.raises(OptionError, match="whole numbers with commas"):
            Hongkong(payments=wrong)


def test_a_robbed_kong_may_be_paid_like_a_self_draw() -> None:
    hand, words = Hand.parse("12355m (456m) (789m) (222m) +3m &1f"), "robbing_kong"
    paid = [
        rules.score(hand, circumstances(words)).payments.by_seat  # type: ignore[union-attr]  # a win
        for rules in (Hongkong(), Hongkong(robbed_pays="self_draw"))
    ]
    assert paid == [(0, 256, -256, 0), (-128, 384, -128, -128)]


# Hand, circumstances, house table, total without and with it.
CLASSICAL: tuple[tuple[str, dict[str, Any], str, int, int], ...] = (
    ("23466s (111p) (555m) (777z) +4s", {"win_by": "discard"}, "mah_jong,10", 60, 40),
    ("23466s (111p) (555m) (777z) +4s", {"win_by": "discard"}, "pung_dragon_open,", 60, 52),
    ("23466s (111p) (555m) (777z) +4s", {"win_by": "discard"}, "dragon_set,", 60, 30),
    ("23466s (111p) (555m) (777z) +4s", {"win_by": "discard"}, "dragon_set,5", 60, 150),
    ("19m19p19s12345677z +7z", {"win_by": "self_draw"}, "thirteen_wonders,3000", 2000, 3000),
    ("111m2468p2468s55z", {"win_by": None}, "pung_terminal_concealed,9", 10, 11),
    ("234m456m11z567s (789s) +2m", {"win_by": "self_draw"}, "pair_own_wind,\npair_round_wind,", 26, 44),
    ("234m456m11z567s (789s) +2m", {"win_by": "self_draw"}, "pair_own_wind,0\npair_round_wind,0", 26, 44),
    ("234m456m11z567s (789s) +2m", {"win_by": "self_draw"}, "pair_round_wind,", 26, 24),
)


@pytest.mark.parametrize("row", CLASSICAL, ids=lambda row: row[2])
def test_points_doublings_and_limits_of_classical(row: tuple[str, dict[str, Any], str, int, int]) -> None:
    hand, words, table, printed, ours = row
    for house, total in (("", printed), (table, ours)):
        score = ruleset("classical", {"house": house}).score(Hand.parse(hand), Context.from_json(words))
        assert isinstance(score, Score)
        assert (score.total, score.house) == (total, bool(house))


@pytest.mark.parametrize(
    ("name", "options", "line", "text"),
    [
        ("classical", {}, "thirteen_wonders", "19m19p19s12345677z +7z"),
        ("classical", {}, "heavenly_twins", "11335577992244m +4m"),
        ("simplified", {}, "thirteen_wonders", "19m19p19s12345677z +7z"),
        ("hongkong", {}, "thirteen_orphans", "19m19p19s12345677z +7z"),
        ("hongkong", {"seven_pairs": 4}, "seven_pairs", "11335577m2244p11z +1z"),
        ("taiwan", {"li_gu": True}, "li_gu", "11335577m2244p11555z +5z"),
    ],
)
def test_a_form_wins_by_its_line_alone(name: str, options: dict[str, Any], line: str, text: str) -> None:
    """A house table that takes the line out of the game takes the form out, too, and what waits for it."""
    won = Context(win_by=WinBy.SELF_DRAW)
    hand = Hand.parse(text)
    assert hand.winning_tile is not None
    held = [*hand.concealed]
    held.remove(hand.winning_tile)
    for house, wins in (("", True), (f"{line},", False)):
        rules = ruleset(name, options | {"house": house})
        assert isinstance(rules.score(hand, won), Score) == wins
        waiting = rules.score(replace(hand, concealed=tuple(held), winning_tile=None), won)
        assert isinstance(waiting, NotAWin)
        assert (hand.winning_tile in waiting.waits) == wins


@pytest.mark.parametrize(
    "row", ["classical thirteen_wonders", "simplified thirteen_wonders", "hongkong thirteen_orphans"]
)
def test_nobody_is_asked_for_a_concealed_kong_that_no_form_may_rob(row: str) -> None:
    name, line = row.split()
    asked = [
        Occasion.ROBBING_CONCEALED_KONG in ruleset(name, {"house": house}).traits.occasions
        for house in ("", f"{line},")
    ]
    assert asked == [True, False]


def test_what_a_limit_hand_of_the_house_shows_and_books() -> None:
    rules = ruleset("classical", {"house": "moon,300\nvine,"})
    listed = {entry.key: entry.value for entry in rules.rules()}
    assert (listed["classical.moon"], listed["classical.vine"], listed["classical.four_blessings"]) == (
        "300",
        "–",
        "limit",
    )
    dear = ruleset("classical", {"house": "moon,3000"})
    assert dear.payments_of(KnownWin(winner=Seat.SOUTH, value=KnownValue(points=3000)))
    with pytest.raises(OptionError, match="multiplies by 1"):
        ruleset("classical", {"house": "dragon_set,0"})


def test_stakes_of_a_quarter_are_paid_exactly() -> None:
    rules = Hongkong(unit=0.25, minimum=0, responsibility="half")
    hand = Hand.parse("234m345p99s (222s) (678m) +5p &1f")
    score = rules.score(hand, circumstances(""))
    assert isinstance(score, Score)
    assert score.payments is not None
    assert score.payments.to_json() == {"E": -0.25, "S": 1, "W": -0.5, "N": -0.25}
    tai = Taiwan(base=2.5, unit=0.5).score(Hand.parse("234p678p345s99s (123m) (777s) +5s &1f"), circumstances("tsumo"))
    assert isinstance(tai, Score)
    assert tai.payments is not None
    assert tai.payments.by_seat == (-3.5, 9.5, -3, -3)
    assert all(isinstance(one, int) for one in (tai.payments[Seat.WEST], Hongkong().false_mahjong))
    for wrong in ({"unit": 0.3}, {"unit": 0}, {"unit": True}, {"unit": "1"}):
        with pytest.raises(OptionError, match="option 'unit'"):
            ruleset("hongkong", wrong)


def test_a_game_for_quarters_adds_them_up() -> None:
    melds = [{"kind": "pung", "tiles": "222s"}, {"kind": "chow", "tiles": "678m"}]
    hand = {"concealed": "234m345p99s", "melds": melds, "winning_tile": "5p", "bonus": "1f"}
    deal = {"winner": "S", "discarder": "W", "hands": {"S": hand}}
    whole = Whole.new("hongkong", ("A", "B", "C", "D"), options={"unit": 0.25, "minimum": 0, "responsibility": "half"})
    for _ in range(3):
        whole, answer = whole.after(deal)
        assert sum(answer["standing"]) == 0
    assert Game.from_json(json.loads(json.dumps(whole.game.to_json()))).totals == whole.totals
    assert any(isinstance(one, float) for one in whole.totals)


@pytest.mark.parametrize(
    "table",
    ["all_pungs,6\nno_flowers,", "all_pungs,6\nno_flowers,-", "line;value\nall_pungs;6\nno_flowers;–",
     "\ufeffall_pungs,6\nno_flowers,", "\ufeffline,value\nall_pungs,6\nno_flowers,",
     "\n\nLine,Value\nall_pungs,6\nno_flowers,"],
)  # fmt: skip
def test_a_table_as_a_spreadsheet_or_a_person_writes_it(table: str) -> None:
    assert house_of(table, ruleset("hongkong")) == (("hongkong.all_pungs", 6), ("hongkong.no_flowers", None))
