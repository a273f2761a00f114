"""Taiwan: each line and each option with a hand that has it, one that misses it, and one that loses it."""

import pytest

from tests.scoring.faan.faan_deal import lines, lost, scored
from tilescore.errors import InputError
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.score import NotAWin, Score

OPEN = "234p678p345s99s (123m) (777s) +5s"
CLOSED = "123m456m234p678p345s99s +5s"
BEGGING = "55s (123m) (456m) (777s) (234p) (9999p) +5s &1f"
FIVE = "222m555p888s333s777m99p +9p &1f"
LI_GU = "1122m3344p556699s777z +9s &1f"
EIGHT = "147m258p369s1234567z +4q &1234f1234q"

# Purpose, hand, words, numbers of the lines that count, lines that do not count.
CASES = (
    ("no line", OPEN + " &1f", "", "", ""),
    ("the dealer wins", OPEN + " &2f", "EE", "1", ""),
    ("the dealer discards", OPEN + " &1f", "by=E", "1", ""),
    ("the dealer loses to a draw", OPEN + " &1f", "tsumo repeats=2", "3", ""),
    ("another dealer wins", OPEN + " &1f", "dealer=S repeats=2", "1 2*2", ""),
    ("East wins, who is no dealer", OPEN + " &2f", "EE dealer=N repeats=2", "", ""),
    ("the dealer keeps the deal twice", OPEN + " &2f", "EE repeats=2", "1 2*2", ""),
    ("an unknown discarder", OPEN + " &1f", "by=- repeats=2", "", ""),
    ("a draw", OPEN + " &1f", "tsumo", "3", ""),
    ("concealed", CLOSED + " &1f", "", "4", ""),
    ("concealed with a kong", "123m456m234p678p99s [3333s] +8p &1f", "", "4", ""),
    ("a claimed kong", "123m456m678p345s99s (1111p) +5s &1f", "", "", ""),
    ("concealed, drawn", CLOSED + " &1f", "tsumo", "5", "3:concealed_self_draw"),
    ("the own wind", "234p678p345s99s (123m) (222z) +5s &1f", "", "6", ""),
    ("the round's wind", "234p678p345s99s (123m) (111z) +5s &1f", "", "7", ""),
    ("both at once", "234p678p345s99s (123m) (444z) +5s &1f", "NN by=S", "6 7", ""),
    ("a guest's wind", "234p678p345s99s (123m) (333z) +5s &1f", "", "", ""),
    ("two dragons", "234p345s99s (123m) (555z) (6666z) +5s &1f", "", "8*2", ""),
    ("the own flower", OPEN + " &2f", "", "9", ""),
    ("flowers of others", OPEN + " &134f", "", "", ""),
    ("four flowers", OPEN + " &1234f", "", "10", ""),
    ("four flowers and the own season", OPEN + " &1234f2q", "", "9 10", ""),
    ("four flowers and the own one of them", OPEN + " &1234f", "flower_set_adds=true", "9 10", ""),
    ("four flowers and one more", OPEN + " &1234f2q", "flower_set_adds=true see_flowers=true", "9 10 38", ""),
    ("eight flowers, won by the tiles", OPEN + " &1234f1234q", "", "10*2", ""),
    ("flowers where none are played", OPEN + " &1234f2q", "flowers=false", "", ""),
    ("a middle", OPEN.replace("+5s", "+4s") + " &1f", "", "11", ""),
    ("an end", "234p678p123s99s (123m) (777s) +3s &1f", "", "11", ""),
    ("a pair", "234p678p345s99s (123m) (777s) +9s &1f", "", "11", ""),
    ("all of the other end held", "567p678s345s99s (123m) (4444p) +7p &1f", "", "11", ""),
    ("three kinds", "234p345s678s99s (123m) (777p) +8s &1f", "", "", ""),
    ("all five claimed, drawn", BEGGING, "tsumo", "3 12", "11:half_beg"),
    ("all five claimed, discarded", BEGGING, "", "13", "11:full_beg"),
    ("begging and the wait, drawn", BEGGING, "tsumo begging_with_wait=true", "3 11 12", ""),
    ("begging and the wait", BEGGING, "begging_with_wait=true", "11 13", ""),
    ("one kong concealed", BEGGING.replace("(9999p)", "[9999p]"), "", "11", ""),
    ("a tile for a kong", "234p345s99s (123m) (7777s) (888p) +5s &1f", "tsumo kong_replacement", "3 14", ""),
    ("a tile for a flower", OPEN + " &1f", "tsumo kong_replacement", "3 14", ""),
    ("a robbed tile", OPEN + " &1f", "robbing_kong", "15", ""),
    ("the last tile, drawn", OPEN + " &1f", "tsumo last_tile", "3 16", ""),
    ("the last tile, discarded", OPEN + " &1f", "last_tile", "17", ""),
    ("ping hu", CLOSED, "", "4 18", ""),
    ("ping hu at the low end", "123m456m234p678p345s99s +6p", "", "4 18", ""),
    ("ping hu with a red five", "123m456m234p678p340s99s +0s", "", "4 18", ""),
    ("ping hu by robbing", "456m234p678p345s99m (123m) +5s", "robbing_kong", "15 18", ""),
    ("chows, drawn", CLOSED, "tsumo", "5", ""),
    ("chows and a flower", CLOSED + " &1f", "", "4", ""),
    ("chows where no flowers are played", CLOSED + " &1f", "flowers=false", "4 18", ""),
    ("chows and a pair of honours", "123m456m234p678p345s44z +5s", "", "4", ""),
    ("chows and the end of the suit", "456m234p678p123s99m (123m) +3s", "", "11", ""),
    ("chows and the other end of the suit", "456m234p678p789s99m (123m) +7s", "", "11", ""),
    ("chows, the end of the suit, two kinds", "456m234p678p12223s (123m) +3s", "", "", ""),
    ("chows, the other end of the suit, two kinds", "456m234p678p78889s (123m) +7s", "", "", ""),
    ("chows and a middle", CLOSED.replace("+5s", "+4s"), "", "4 11", ""),
    ("chows and the pair", "123m456m234p678p345s99s +9s", "", "4 11", ""),
    ("chows, one end, two kinds", "123m456m234p678p33345s +3s", "", "4 18", ""),
    ("chows, an end or the pair", "456m234p678p12333s (123m) +3s", "", "11", ""),
    ("three concealed pungs", "222m555p888s99p (123p) (456s) +2m &1f", "tsumo", "3 19", ""),
    ("three with a kong", "555p888s99p (123p) (456s) [2222m] +9p &1f", "", "11 19", ""),
    ("a discard ends the third", "222m555p888s99p (123p) (456s) +2m &1f", "", "", ""),
    ("four concealed pungs", "222m555p888s333s99p (123p) +2m &1f", "tsumo", "3 20", ""),
    ("a discard ends the fourth", "222m555p888s333s99p (123p) +2m &1f", "", "19", ""),
    ("five concealed pungs", FIVE, "tsumo", "5 11 21 22", "3:concealed_self_draw"),
    ("five alone, drawn", FIVE, "tsumo five_concealed_alone=true", "3 11 21",
     "5:five_concealed_pungs 22:five_concealed_pungs"),
    ("five alone, discarded", FIVE, "five_concealed_alone=true", "11 21", "4:five_concealed_pungs"),
    ("pungs", "333s777m99p (222m) (555p) (888s) +7m &1f", "", "22", ""),
    ("one chow", "333s777m99p (222m) (555p) (678s) +7m &1f", "", "", ""),
    ("one suit and honours", "234m456m789m55z (123m) (888m) +2m &1f", "", "23", ""),
    ("one suit", "234m456m789m99m (123m) (888m) +2m &1f", "", "24", ""),
    ("two suits", "234m456m789m99p (123m) (888m) +2m &1f", "", "", ""),
    ("honours", "333z666z77z (111z) (222z) (555z) +3z &1f", "", "6 7 25 26", "22:all_honors 8:small_dragons"),
    ("two dragons and another pair", "77s123m456p678p (555z) (666z) +6p &1f", "", "8*2", ""),
    ("two dragons and the pair", "77z123m456p678p (555z) (666z) +6p &1f", "", "26", "8:small_dragons"),
    ("three dragons", "777z123m456p99s (555z) (666z) +6p &1f", "", "27", "8:big_dragons"),
    ("three winds and the pair", "333z44z123m456p (111z) (222z) +6p &1f", "", "6 7 28", ""),
    ("three winds and another pair", "333z55z123m456p (111z) (222z) +6p &1f", "", "6 7", ""),
    ("four winds", "444z123m99p (111z) (222z) (333z) +1m &1f", "", "29", "6:big_winds 7:big_winds"),
    ("ready with the first discard", CLOSED + " &1f", "ready_from_start", "30", "4:earthly_ready"),
    ("ready with the first discard, drawn", CLOSED + " &1f", "tsumo ready_from_start", "3 30", "5:earthly_ready"),
    ("ready, then a claim", OPEN + " &1f", "ready_from_start ready_as_dealt", "", ""),
    ("ready as dealt", CLOSED + " &1f", "ready_as_dealt", "31", "4:heavenly_ready"),
    ("ready as dealt, told twice", CLOSED + " &1f", "tsumo ready_as_dealt ready_from_start", "3 31",
     "30:heavenly_ready 5:heavenly_ready"),
    ("seven rob one", EIGHT, "flower_win by=N", "32", ""),
    ("seven rob one of the dealer", EIGHT, "flower_win by=E repeats=1", "1 2 32", ""),
    ("eight flowers", EIGHT, "tsumo flower_win", "33", ""),
    ("the dealer's eight flowers", EIGHT, "EE tsumo flower_win repeats=3", "1 2*3 33", ""),
    ("human", CLOSED + " &1f", "first_turn", "34", "4:human"),
    ("human, chows", CLOSED, "first_turn ready_from_start", "18 34", "4:human 30:human"),
    ("human after claims", BEGGING, "first_turn", "34", "11:human 13:human"),
    ("earthly", CLOSED + " &1f", "tsumo first_turn", "35", "5:earthly 3:earthly"),
    ("earthly on a replacement tile", CLOSED + " &1f", "tsumo first_turn kong_replacement", "35", "14:earthly"),
    ("a drawn tile after a claim", OPEN + " &1f", "tsumo first_turn", "3", ""),
    ("heavenly", CLOSED + " &2f", "EE tsumo first_turn", "1 36", "5:heavenly"),
    ("the dealer on a first discard", CLOSED + " &2f", "EE first_turn", "1 4", ""),
    ("heavenly of another dealer", CLOSED + " &1f", "dealer=S tsumo first_turn", "1 36", ""),
    ("li gu", LI_GU, "li_gu=true", "8 37", "4:li_gu 11:li_gu"),
    ("li gu, drawn", LI_GU, "li_gu=true tsumo", "3 8 37", "5:li_gu"),
    ("li gu, four alike", "1111m3344p556699s777s +9s &1f", "li_gu=true", "37", ""),
    ("li gu of one suit and honours", "11224466778899m111z +9m &1f", "li_gu=true", "7 23 37", ""),
    ("li gu, the pung ended", "1122m3344p556699s777z +7z &1f", "li_gu=true", "8 37", ""),
    ("sets rather than li gu", "112233m445566p777z99s +9s &1f", "li_gu=true", "8 37", ""),
    ("every flower", OPEN + " &1f3q", "see_all=true", "38*2", ""),
    ("every flower and the own one", OPEN + " &1f2q", "see_all=true", "38*2", "9:every_flower"),
    ("every flower outside a set", OPEN + " &1234f3q", "see_all=true", "10 38", ""),
    ("every wind", "234p345s99m (123m) (333z) (444z) +5s", "see_all=true", "39*2", ""),
    ("every wind and the own one", "234p345s99m (123m) (222z) (111z) +5s", "see_all=true", "39*2",
     "6:every_wind 7:every_wind"),
    ("every wind of four", "444z123m99p (111z) (222z) (333z) +1m", "see_all=true", "29",
     "39:big_winds 6:big_winds 7:big_winds"),
)  # fmt: skip


@pytest.mark.parametrize(("why", "hand", "words", "counted", "excluded"), CASES, ids=[row[0] for row in CASES])
def test_lines(why: str, hand: str, words: str, counted: str, excluded: str) -> None:
    result = scored("taiwan", hand, words)
    assert isinstance(result, Score), why
    assert lines(result) == counted, why
    assert set(excluded.split()) <= set(lost(result).split()), why
    assert result.unit == "tai"
    assert all(line.key.startswith("taiwan.") for line in result.lines)


def test_each_line_has_a_hand() -> None:
    counted = {int(number.partition("*")[0]) for row in CASES for number in row[3].split()}
    assert counted == {int(entry.number or 0) for entry in ruleset("taiwan").rules()}


# Purpose, hand, words, total, limit, payments.
SUMS = (
    ("base alone", OPEN + " &1f", "", 0, None, (0, 30, -30, 0)),
    ("base and unit", OPEN + " &1f", "tsumo base=100 unit=20", 1, None, (-140, 380, -120, -120)),
    ("no base", OPEN + " &1f", "base=0", 0, None, (0, 0, 0, 0)),
    ("heavenly", CLOSED + " &2f", "EE tsumo first_turn", 25, None, (840, -280, -280, -280)),
    ("heavenly of 16", CLOSED + " &2f", "EE tsumo first_turn heavenly=16", 17, None, (600, -200, -200, -200)),
    ("cut", "234m456m789m99m (123m) (888m) +2m &1f", "limit=5", 5, "limit", (0, 80, -80, 0)),
    ("the dealer's tai are cut, too", OPEN + " &1f", "tsumo repeats=4 limit=5", 1, None, (-80, 160, -40, -40)),
    ("below the limit", OPEN + " &1f", "tsumo limit=5", 1, None, (-50, 130, -40, -40)),
    ("another dealer", OPEN + " &1f", "tsumo dealer=N repeats=1", 1, None, (-40, 150, -40, -70)),
    ("the dealer by another's draw of the eighth flower", EIGHT, "flower_win by=E repeats=1", 11, None,
     (-140, 140, 0, 0)),
    ("eight flowers", EIGHT, "tsumo flower_win", 8, None, (-120, 340, -110, -110)),
)  # fmt: skip


@pytest.mark.parametrize(("why", "hand", "words", "total", "limit", "paid"), SUMS, ids=[row[0] for row in SUMS])
def test_sums_and_payments(
    *, why: str, hand: str, words: str, total: int, limit: str | None, paid: tuple[int, ...]
) -> None:
    result = scored("taiwan", hand, words)
    assert isinstance(result, Score)
    assert (result.total, result.limit) == (total, limit), why
    assert result.payments is not None
    assert result.payments.by_seat == paid, why


def test_an_unknown_discarder_leaves_the_payments_open() -> None:
    result = scored("taiwan", OPEN, "by=-")
    assert isinstance(result, Score)
    assert result.payments is None


# Purpose, hand, words, a part of the message, waits.
LOST = (
    ("a tile is missing", "123m456m234p678p34s99s", "lost", "16 tiles", "2s 5s"),
    ("a hand of fourteen", "123m456m789p234s55p +5p &1f", "", "14 tiles", ""),
    ("no tiles", "", "", "0 tiles", ""),
    ("no win_by", CLOSED, "lost", "no win_by", "2s 5s"),
    ("nothing fits", "123m456m234p678p357s99s +7s", "", "no winning hand", "4s"),
    ("eight pairs", "1122m3344p556699s77z8s +9s", "li_gu=true", "no winning hand", ""),
    ("pairs that wait", "1122m3344p55669s777z", "lost li_gu=true", "16 tiles", "9s"),
    ("pairs and a pung where they do not win", LI_GU, "", "no winning hand", ""),
    ("pairs and a pung, of which one is claimed", "1122m3344p556699s (777z) +9s", "li_gu=true", "no winning hand", ""),
    ("three pungs and pairs", "111222m3344p5566s777z +6s", "li_gu=true", "no winning hand", ""),
    ("a concealed kong is not robbed", CLOSED, "robbing_concealed_kong", "may not rob", "2s 5s"),
)


@pytest.mark.parametrize(("why", "hand", "words", "said", "waits"), LOST, ids=[row[0] for row in LOST])
def test_what_is_no_win(why: str, hand: str, words: str, said: str, waits: str) -> None:
    result = scored("taiwan", hand, words)
    assert isinstance(result, NotAWin), why
    assert (result.code, result.unit) == ("not_a_win", "tai")
    assert said in result.message
    assert " ".join(map(str, result.waits)) == waits


# Purpose, hand, words, warnings.
WARNED = (
    ("nothing", CLOSED, "repeats=3 dealer=S", ""),
    ("what other games know", CLOSED, "last_of_its_kind only_possible_tile", "last_of_its_kind only_possible_tile"),
    ("a kong on a kong", "123m456m678p99s [1111p] [2222p] +8p", "tsumo kong_on_kong", "kong_on_kong"),
    ("a first turn of nobody's", OPEN, "tsumo first_turn", "first_turn"),
    ("readiness and a claim", OPEN, "ready_from_start ready_as_dealt", "ready_from_start ready_as_dealt"),
    ("readiness in place of another", CLOSED, "ready_from_start ready_as_dealt", ""),
    ("flowers where none are played", CLOSED + " &1f", "flowers=false", "bonus"),
)


@pytest.mark.parametrize(("why", "hand", "words", "warnings"), WARNED, ids=[row[0] for row in WARNED])
def test_warnings(why: str, hand: str, words: str, warnings: str) -> None:
    assert " ".join(scored("taiwan", hand, words).warnings) == warnings, why


# Purpose, hand, words, code.
REFUSED = (
    ("eighteen tiles", CLOSED.replace("99s", "999s"), "", "wrong_count"),
    ("no winning tile", "123m456m234p678p345s99s", "", "winning_tile_unknown"),
    ("a flower as winning tile", "123m456m234p678p345s99s +1f &1f", "", "winning_tile_missing"),
    ("a flower that completes sixteen tiles", "123m456m234p678p345s9s +1f &1f", "", "winning_tile_missing"),
    ("seven flowers", "&1234f123q", "tsumo flower_win", "occasion_contradicts_hand"),
    ("a replacement for nothing", OPEN, "tsumo kong_replacement", "occasion_contradicts_hand"),
    ("a replacement for a flower that is not played", OPEN + " &1f", "tsumo kong_replacement flowers=false",
     "occasion_contradicts_hand"),
    ("ready for nothing", "147m258p369s1234567z", "lost ready_from_start", "occasion_contradicts_hand"),
    ("ready as dealt for nothing", "147m258p369s1234567z", "lost ready_as_dealt", "occasion_contradicts_hand"),
    ("a robbed tile held twice", "234p678p345s55s (123m) (777s) +5s", "robbing_kong", "occasion_contradicts_hand"),
)  # fmt: skip


@pytest.mark.parametrize(("why", "hand", "words", "code"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_is_refused(why: str, hand: str, words: str, code: str) -> None:
    with pytest.raises(InputError) as raised:
        scored("taiwan", hand, words)
    assert raised.value.code == code, why
