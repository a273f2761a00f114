"""Hong Kong: each line and each option with a hand that has it, one that misses it, and one that loses it."""

import pytest

from tests.scoring.faan.faan_deal import circumstances, lines, lost, scored
from tilescore.errors import HandError, InputError
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.score import NotAWin, Score

OPEN = "234m345p99s (222s) (678m) +5p"
CHOWS = "123m456m789p234s55p +5p &1f"
PUNGS = "222m77p (555s) (888m) (333p) +2m &1f"
ORPHANS = "19m19p19s12345677z +7z &1f"
GATES = "11123455678999m +5m &1f"
TILES = "1379m258p147s123z"

# Purpose, hand, words, numbers of the lines that count, lines that do not count.
CASES = (
    ("no line", OPEN + " &1f", "", "1", ""),
    ("any other line", OPEN, "", "20", ""),
    ("chows, one claimed", "123m456m789p22s (345s) +9p &1f", "", "2", ""),
    ("chows and a single wait", "123m456p345s55z (789s) +5z &1f", "", "2", ""),
    ("three chows", "123m456m777p22s (345s) +7p &1f", "", "1", ""),
    ("pungs", PUNGS, "", "3", ""),
    ("pungs and a kong", "222m77p (555s) (8888m) (333p) +2m &1f", "", "3", ""),
    ("three pungs", "222m77p (555s) (888m) (345p) +2m &1f", "", "1", ""),
    ("one suit and honours", "123m55z (456m) (789m) (222m) +3m &1f", "", "4", ""),
    ("one suit", "12355m (456m) (789m) (222m) +3m &1f", "", "5", ""),
    ("a red five is a five", "12350m (456m) (789m) (222m) +3m &1f", "", "5", ""),
    ("two suits", "123m55p (456m) (789m) (222m) +3m &1f", "", "1", ""),
    ("terminals and honours", "999s44z (111m) (999p) (333z) +9s &1f", "", "3 6", ""),
    ("terminals, honours and a two", "999s44z (111m) (222p) (333z) +9s &1f", "", "3", ""),
    ("terminals, honours, one suit", "666z77z (111m) (999m) (333z) +6z &1f", "", "3 4 6 7", ""),
    (
        "terminals and honours, concealed",
        "111m999p111s44z333z +4z &1f",
        "",
        "6 13",
        "3:four_concealed_pungs 14:four_concealed_pungs",
    ),
    ("two dragons", "88s123m456p (555z) (666z) +6p &1f", "", "7*2", ""),
    ("no dragon", "88s123m456p (333z) (444z) +6p &1f", "", "1", ""),
    ("two dragons and the pair", "77z123m456p (555z) (666z) +6p &1f", "", "8", "7:small_dragons"),
    ("three dragons", "777z123m99p (555z) (666z) +3m &1f", "", "9", "7:big_dragons"),
    ("the own wind", "123m456p99s (222z) (678s) +1m &1f", "", "10", ""),
    ("the round's wind", "123m456p99s (111z) (678s) +1m &1f", "", "11", ""),
    ("both at once", "123m456p99s (111z) (678s) +1m &2f", "EE", "10 11", ""),
    ("a guest's wind", "123m456p99s (444z) (678s) +1m &1f", "", "1", ""),
    ("three winds and the pair", "333z44z123m (111z) (222z) +3m &1f", "", "4 12", "10:small_winds 11:small_winds"),
    ("three winds and another pair", "333z55z123m (111z) (222z) +3m &1f", "", "4 10 11", ""),
    (
        "concealed pungs",
        "222m555p888s333s77m +7m &1f",
        "tsumo",
        "13 15",
        "3:four_concealed_pungs 14:four_concealed_pungs",
    ),
    ("concealed pungs with a kong", "555p888s333s77m [2222m] +7m &1f", "", "13", "3:four_concealed_pungs"),
    ("the discard ends a pung", "222m555p888s333s77m +2m &1f", "", "3 14", ""),
    ("nothing declared", CHOWS, "", "2 14", ""),
    ("a concealed kong", "123m456m789p22p [9999s] +9p &1f", "", "1", ""),
    ("a concealed kong, where it may", "123m456m789p22p [9999s] +9p &1f", "kong_keeps_concealed=true", "14", ""),
    (
        "a claimed kong, where a concealed one may",
        "123m456m789p22p (9999s) +9p &1f",
        "kong_keeps_concealed=true",
        "1",
        "",
    ),
    ("a draw", OPEN + " &1f", "tsumo", "15", ""),
    ("a robbed tile", OPEN + " &1f", "robbing_kong", "16", ""),
    ("a tile for a kong", "234m345p99s (2222s) (678m) +5p &1f", "tsumo kong_replacement", "15 17", ""),
    (
        "a tile for the second kong",
        "234m99s (2222s) [3333p] (678m) +4m &1f",
        "tsumo kong_replacement kong_on_kong",
        "18",
        "15:kong_on_kong 17:kong_on_kong",
    ),
    (
        "kong on kong alone",
        "234m99s (2222s) [3333p] (678m) +4m &1f",
        "tsumo kong_on_kong",
        "18",
        "15:kong_on_kong 17:kong_on_kong",
    ),
    ("the last tile, drawn", OPEN + " &1f", "tsumo last_tile", "15 19", ""),
    ("the last tile, discarded", OPEN + " &1f", "last_tile", "19", ""),
    ("own flower and own season", OPEN + " &2f2q", "", "21*2", ""),
    ("flowers of others", OPEN + " &13f4q", "", "1", ""),
    ("four flowers", OPEN + " &1234f", "", "22", ""),
    ("four flowers and the own season", OPEN + " &1234f2q", "", "21 22", ""),
    ("eight flowers, won by the tiles", OPEN + " &1234f1234q", "", "22*2", ""),
    ("no flowers where none are played", OPEN, "flowers=false", "1", ""),
    ("flowers where none are played", OPEN + " &2f", "flowers=false", "1", ""),
    ("seven flowers", TILES + " +3q &1234f123q", "tsumo flower_win", "23", ""),
    (
        "seven flowers beside a complete hand",
        "123m456m789p234s55p +3q &1234f123q",
        "tsumo flower_win last_tile",
        "23",
        "",
    ),
    ("seven flowers, the last not named", "&1234f123q", "tsumo flower_win", "23", ""),
    ("eight flowers", TILES + " +4q &1234f1234q", "tsumo flower_win", "24", ""),
    (
        "eight flowers need no minimum",
        TILES + " +4q &1234f1234q",
        "tsumo flower_win minimum=3 flowers_to_minimum=false",
        "24",
        "",
    ),
    ("seven pairs", "1133m5577p2299s44z +4z &1f", "seven_pairs=4", "25", "14:seven_pairs"),
    ("four alike are two pairs", "11112299m5577p44z +4z &1f", "seven_pairs=4", "25", "14:seven_pairs"),
    ("seven pairs of one suit", "11223355667799m +9m &1f", "seven_pairs=4", "5 25", "14:seven_pairs"),
    ("of equal counts that with fewer lines", "112233m445566p99s +9s &1f", "seven_pairs=2", "25", ""),
    ("chows rather than pairs", "112233m445566p99s +9s &1f", "seven_pairs=1", "2 14", ""),
    (
        "honours",
        "555z666z77z (111z) (222z) +6z &1f",
        "",
        "26",
        "3:all_honors 8:all_honors 10:all_honors 11:all_honors 7:all_honors",
    ),
    ("pairs of honours", "11223344556677z +7z &1f", "seven_pairs=4 limit=13", "14 26", "25:all_honors"),
    ("terminals", "111p999s99p (111m) (999m) +1p &1f", "", "27", "3:all_terminals"),
    ("terminals and a pair of honours", "111p999s33z (111m) (999m) +1p &1f", "", "3 6", ""),
    ("nine gates", GATES, "tsumo", "15 28", "5:nine_gates 14:nine_gates"),
    ("nine gates with a claimed pung", "55234678999m (111m) +5m &1f", "", "5", ""),
    ("one suit concealed, no gates", "11122234567899m +2m &1f", "", "5 14", ""),
    ("orphans", ORPHANS, "", "29", "14:thirteen_orphans"),
    (
        "orphans rob a concealed kong",
        "19m19p19s12345677z +1z &1f",
        "robbing_concealed_kong",
        "16 29",
        "14:thirteen_orphans",
    ),
    (
        "four winds",
        "444z55m (111z) (222z) (333z) +4z &1f",
        "limit=13",
        "30",
        "3:big_winds 4:big_winds 10:big_winds 11:big_winds",
    ),
    ("four kongs", "66p (1111m) (5555p) [9999s] (3333z) +6p &1f", "", "31", "3:four_kongs"),
    ("three kongs", "66p (1111m) (5555p) [9999s] (333z) +6p &1f", "", "3", ""),
    ("heavenly", CHOWS.replace("1f", "2f"), "EE tsumo first_turn", "32", "2:heavenly 14:heavenly 15:heavenly"),
    (
        "heavenly rather than dearer lines",
        "111222333444m55m +5m &2f",
        "EE tsumo first_turn limit=13",
        "32",
        "5:heavenly 13:heavenly 14:heavenly 15:heavenly 3:heavenly",
    ),
    ("a kong before", "123m456m789p55p [9999s] +5p &2f", "EE tsumo first_turn", "15", ""),
    ("the dealer on a first discard", CHOWS.replace("1f", "2f"), "EE first_turn", "2 14", ""),
    ("earthly", CHOWS, "by=E first_turn", "33", "2:earthly 14:earthly"),
    ("earthly by an unknown player", CHOWS, "by=- first_turn", "33", "2:earthly 14:earthly"),
    ("human on another discard", CHOWS, "first_turn", "34", "2:human 14:human"),
    ("human on the dealer's discard after a claim", OPEN + " &1f", "by=E first_turn", "34", ""),
    ("human by a draw", CHOWS, "tsumo first_turn", "34", "2:human 14:human 15:human"),
    ("the dearest of two", "111z222z333z444z55z +5z &1f", "limit=13", "14 30", ""),
    ("the first of two equal ones", "55m (1111z) (2222z) (3333z) (4444z) +5m &1f", "", "30", ""),
    ("pungs rather than chows", "111222333m99p (555s) +9p &1f", "", "3", ""),
    ("a pung and a chow of four alike", "22223499m (567m) (678m) +2m &1f", "", "5", ""),
)


@pytest.mark.parametrize(("why", "hand", "words", "counted", "excluded"), CASES, ids=[row[0] for row in CASES])
def test_lines(why: str, hand: str, words: str, counted: str, excluded: str) -> None:
    result = scored("hongkong", hand, words)
    assert lines(result) == counted, why
    if excluded:
        assert set(excluded.split()) <= set(lost(result).split()), why
    assert result.unit == "faan"
    assert all(line.key.startswith("hongkong.") for line in result.lines)


def test_each_line_has_a_hand() -> None:
    counted = {int(number.partition("*")[0]) for row in CASES for number in row[3].split()}
    assert counted == {int(entry.number or 0) for entry in ruleset("hongkong").rules()}


# Purpose, hand, words, total, lines.
SUMS = (
    ("the sum", "12355m (456m) (789m) (234m) +3m &1f", "tsumo", 9, None),
    ("cut to ten", ORPHANS, "", 10, "limit"),
    ("cut to eight", ORPHANS, "limit=8", 8, "limit"),
    ("at the limit", ORPHANS, "limit=13", 13, None),
    ("above thirteen", ORPHANS, "limit=13 tsumo", 13, "limit"),
)


@pytest.mark.parametrize(("why", "hand", "words", "total", "limit"), SUMS, ids=[row[0] for row in SUMS])
def test_sums_and_limits(why: str, hand: str, words: str, total: int, limit: str | None) -> None:
    result = scored("hongkong", hand, words)
    assert isinstance(result, Score)
    assert (result.total, result.limit) == (total, limit), why
    assert sum(line.value * line.count for line in result.lines) >= total


# Purpose, hand, words, what lacks to a win (none for a win).
MINIMA = (
    ("three of three", PUNGS, "minimum=3", ""),
    ("two of three", CHOWS, "minimum=3", "lacks 1 faan"),
    ("flowers help", CHOWS.replace(" &1f", ""), "minimum=3", ""),
    ("flowers do not help", CHOWS.replace(" &1f", ""), "minimum=3 flowers_to_minimum=false", "lacks 1 faan"),
    ("flowers are not needed", PUNGS.replace("1f", "2f"), "minimum=3 flowers_to_minimum=false", ""),
    ("none of one", OPEN + " &1f", "minimum=1", "lacks 1 faan"),
    ("none of none", OPEN + " &1f", "minimum=0", ""),
)


@pytest.mark.parametrize(("why", "hand", "words", "said"), MINIMA, ids=[row[0] for row in MINIMA])
def test_minima(why: str, hand: str, words: str, said: str) -> None:
    result = scored("hongkong", hand, words)
    assert isinstance(result, NotAWin if said else Score), why
    if isinstance(result, NotAWin):
        assert result.code == "below_minimum"
        assert said in result.message
        assert (result.lines != (), result.groups != (), result.waits != ()) == (True, True, True)
        assert result.total == sum(line.value * line.count for line in result.lines)


# Purpose, hand, words, a part of the message, waits.
LOST = (
    ("a tile is missing", "123m456m789p234s5p &1f", "lost", "13 tiles", "5p"),
    ("no win_by", CHOWS, "lost", "no win_by", "5p"),
    ("flowers without win_by", "&1234f123q", "lost flower_win", "no win_by", ""),
    ("nothing fits", "123m456m789p234s57p +7p &1f", "", "no winning hand", "5p"),
    ("pairs where they do not win", "1133m5577p2299s44z +4z &1f", "", "no winning hand", ""),
    ("pairs that wait", "1133m5577p2299s4z &1f", "lost seven_pairs=4", "13 tiles", "4z"),
    (
        "a concealed kong is not robbed",
        "123m456m789p234s55p +1m &1f",
        "robbing_concealed_kong",
        "may not rob",
        "1m 4m 7m",
    ),
)


@pytest.mark.parametrize(("why", "hand", "words", "said", "waits"), LOST, ids=[row[0] for row in LOST])
def test_what_is_no_win(why: str, hand: str, words: str, said: str, waits: str) -> None:
    result = scored("hongkong", hand, words)
    assert isinstance(result, NotAWin), why
    assert result.code == "not_a_win"
    assert said in result.message
    assert " ".join(map(str, result.waits)) == waits


# Purpose, hand, words, warnings.
WARNED = (
    ("nothing", CHOWS, "", ""),
    (
        "readiness",
        CHOWS,
        "ready_from_start ready_as_dealt last_of_its_kind",
        "last_of_its_kind ready_from_start ready_as_dealt",
    ),
    ("a first turn of the dealer's discard", CHOWS, "EE first_turn", "first_turn"),
    (
        "a first turn below the minimum",
        "123m456m789p55p [9999s] +5p &2f",
        "EE tsumo first_turn minimum=3",
        "first_turn",
    ),
    ("a first turn that another line outdoes", "111z222z333z444z55z +5z &1f", "first_turn", ""),
    ("a first turn without a win", "123m456m789p234s5p &1f", "lost first_turn", ""),
    ("repeats", CHOWS, "repeats=2", "dealer_repeats"),
    ("flowers where none are played", CHOWS, "flowers=false", "bonus"),
    ("no flowers where none are played", CHOWS.replace(" &1f", ""), "flowers=false", ""),
    ("a win by flowers where none are played", CHOWS, "flowers=false flower_win tsumo", "flower_win bonus"),
)


@pytest.mark.parametrize(("why", "hand", "words", "warnings"), WARNED, ids=[row[0] for row in WARNED])
def test_warnings(why: str, hand: str, words: str, warnings: str) -> None:
    assert " ".join(scored("hongkong", hand, words).warnings) == warnings, why


# Purpose, hand, words, code.
REFUSED = (
    ("twelve tiles", "123m456m789p234s", "", "wrong_count"),
    ("seventeen tiles", "123m456m789p234s567s55p", "", "wrong_count"),
    ("no winning tile", "123m456m789p234s55p", "", "winning_tile_unknown"),
    ("a flower as winning tile", "123m456m789p234s55p +1f &1f", "", "winning_tile_missing"),
    ("another dealer", CHOWS, "dealer=W", "dealer_not_east"),
    ("six flowers", TILES + " +2q &1234f12q", "tsumo flower_win", "occasion_contradicts_hand"),
    ("flowers, and a tile of the hand", TILES + " +1m &1234f123q", "tsumo flower_win", "occasion_contradicts_hand"),
    ("a discarded flower", TILES + " +3q &1234f123q", "flower_win", "occasion_contradicts_hand"),
    ("a robbed flower", "&1234f123q", "flower_win robbing_kong", "contradicting_occasions"),
    (
        "one kong on another without two",
        "234m345p99s (2222s) (678m) +5p &1f",
        "tsumo kong_on_kong",
        "occasion_contradicts_hand",
    ),
    ("kong on kong on a discard", "234m99s (2222s) [3333p] (678m) +4m &1f", "kong_on_kong", "occasion_contradicts_win"),
    ("a replacement for a flower", OPEN + " &1f", "tsumo kong_replacement", "occasion_contradicts_hand"),
    ("a robbed tile held twice", "234m345p55s (222s) (678m) +5s &1f", "robbing_kong", "occasion_contradicts_hand"),
)


@pytest.mark.parametrize(("why", "hand", "words", "code"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_is_refused(why: str, hand: str, words: str, code: str) -> None:
    with pytest.raises(InputError) as raised:
        scored("hongkong", hand, words)
    assert raised.value.code == code, why


def test_tiles_of_a_line_light_up() -> None:
    result = scored("hongkong", "77z123m406p (555z) (666z) +6p &2f1234q", "")
    lit = {line.number: "".join(map(str, line.tiles)) for line in result.lines}
    assert lit == {8: "5z5z5z6z6z6z7z7z", 21: "2f", 22: "1q2q3q4q"}
    assert [len(group) for group in result.groups] == [3, 3, 2, 3, 3]


def test_other_games_refuse_a_winning_flower() -> None:
    for name in ("mcr", "riichi", "classical", "simplified"):
        with pytest.raises(HandError, match="winning tile 1f is not among"):
            ruleset(name).score(Hand.parse("123m456m789p234s55p +1f &1f"), circumstances("tsumo"))
