"""The profiles of riichi, whole and apart, and what each of their options does."""

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.scoring.riichi.riichi_deal import circumstances, lost, scored, yaku
from tilescore.errors import ContextError, OptionError
from tilescore.scoring.context import Context, Occasion, Seat
from tilescore.scoring.deal import Deal
from tilescore.scoring.han.riichi import Riichi
from tilescore.scoring.hand import Hand
from tilescore.scoring.riichi.options import PROFILES, profile
from tilescore.scoring.score import NotAWin, Score

NAMES = PROFILES[1:]
OVERRULED = [entry.name for entry in Riichi().options() if entry.name not in ("profile", "length")]
RENHOU = "123m345678p99s567s +5s"  # pinfu
NO_YAKU = "123m345678p99s567s +9s"
DEAR = "234m345678p22s567s +5s"  # pinfu, tanyao
TWO_WINDS = "234m567p234s678p11z +2m"  # East's pair in the East round
OPENED = "123m456m123s1p (789m)"
KOKUSHI = "19m19p19s12345677z +1m"
DRAGONS_OF_HONORS = "11z (222z>2z) (555z>5z) (666z>6z) (777z^7z) +1z"  # South's: the last set comes from North
FOUR_KONGS = "99s (1111m>1m) (2222p>2p) [3333s] (4444z^4z) +9s"


def test_each_profile_is_whole() -> None:
    """A profile sets every option but the length, each to a value that it may have."""
    assert {*OVERRULED} == set(profile("ema"))
    for name in NAMES:
        assert profile(name).keys() == profile("ema").keys()
        rules = Riichi.of(profile=name)
        assert {one.name: one.value for one in rules.options() if one.overruled} == dict(profile(name))
    assert len({tuple(profile(name).values()) for name in NAMES}) == len(NAMES)
    with pytest.raises(OptionError, match="document, ema, wrc, mleague, tenhou, mahjong_soul"):
        Riichi.of(profile="jpml")


def test_the_table_has_one_row_for_each_option() -> None:
    place = Path(__file__).parents[3] / "scoring" / "riichi" / "profiles.csv"
    with place.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["option"] for row in rows] == OVERRULED
    assert all(all(row.values()) for row in rows)


def test_a_profile_overrules_what_else_is_given() -> None:
    assert Riichi.of(kiriage=True, profile="ema").counting.kiriage is False
    assert Riichi.of(length="east", profile="ema").match.length == "east"
    for name in PROFILES:
        overruled = {entry.name for entry in Riichi.of(profile=name).options() if entry.overruled}
        assert overruled == set(profile(name))


# Purpose, options or profile, hand, circumstances, lines and total.
HANDS: tuple[tuple[str, dict[str, Any], str, str, str, int], ...] = (
    ("five han counts beside others", {}, RENHOU, "first_turn", "pinfu renhou*5", 12000),
    ("five han counts beside dora", {"renhou": "five_han"}, NO_YAKU, "first_turn dora=8s", "renhou*5 dora*2", 12000),
    ("a mangan in place of pinfu", {"renhou": "mangan"}, RENHOU, "first_turn dora=8s", "renhou*5", 8000),
    ("a mangan without any yaku", {"renhou": "mangan"}, NO_YAKU, "first_turn", "renhou*5", 8000),
    ("a mangan for ema", {"profile": "ema"}, NO_YAKU, "first_turn", "renhou*5", 8000),
    ("a mangan for wrc", {"profile": "wrc"}, NO_YAKU, "first_turn", "renhou*5", 8000),
    ("the dearer hand", {"renhou": "mangan"}, DEAR, "first_turn dora=4p4p4s", "pinfu tanyao dora*3", 8000),
    ("renhou yakuman", {"renhou": "yakuman"}, RENHOU, "first_turn", "renhou*13", 32000),
    ("4 han 30 fu for ema", {"profile": "ema"}, DEAR, "riichi dora=4p", "pinfu tanyao riichi dora", 7700),
    ("4 han 30 fu for wrc", {"profile": "wrc"}, DEAR, "riichi dora=4p", "pinfu tanyao riichi dora", 8000),
    ("4 han 30 fu for mleague", {"profile": "mleague"}, DEAR, "riichi dora=4p", "pinfu tanyao riichi dora", 8000),
    ("no red fives for wrc", {"profile": "wrc"}, "234m340678p22s567s +7s", "", "pinfu tanyao", 2000),
    ("red fives for mleague", {"profile": "mleague"}, "234m340678p22s567s +7s", "", "pinfu tanyao akadora", 3900),
)


@pytest.mark.parametrize(("name", "options", "hand", "words", "lines", "total"), HANDS, ids=[row[0] for row in HANDS])
def test_hands(*, name: str, options: dict[str, Any], hand: str, words: str, lines: str, total: int) -> None:
    result = scored(hand, words, Riichi.of(**options))
    assert isinstance(result, Score), name
    assert (yaku(result), result.total) == (lines, total)


def test_thirteen_han_and_several_yakuman() -> None:
    counted = "22334455667788m +8m"
    words = "riichi ippatsu last_tile dora=1m7m ura=1m7m"
    limits = {name: scored(counted, words, Riichi.of(profile=name)).limit for name in NAMES}
    assert limits == {"ema": "sanbaiman", "wrc": "sanbaiman", "mleague": "sanbaiman"} | dict.fromkeys(
        ("tenhou", "mahjong_soul"), "yakuman"
    )
    eleven = scored(counted, "", Riichi.of(profile="ema"))
    assert isinstance(eleven, Score)
    assert (eleven.han, eleven.limit, eleven.total) == (11, "sanbaiman", 24000)
    totals = {name: scored(DRAGONS_OF_HONORS, "", Riichi.of(profile=name)).total for name in NAMES}
    assert totals == {"ema": 32000, "wrc": 32000, "mleague": 64000, "tenhou": 64000, "mahjong_soul": 64000}
    single = scored(DRAGONS_OF_HONORS, "", Riichi.of(yakuman_add_up=False))
    assert isinstance(single, Score)
    assert (yaku(single), single.han) == ("tsuuiisou*13", 13)
    assert "daisangen:tsuuiisou" in lost(single)
    once = scored("111m222p333s444z55z +5z", "EE tsumo first_turn", Riichi.of(profile="ema"))
    assert isinstance(once, Score)
    assert len(set(once.excluded)) == len(once.excluded)
    double = scored("111222333444z55m +5m", "", Riichi.of(profile="mahjong_soul"))
    assert isinstance(double, Score)
    assert double.han == 13 * 4, "daisuushii and suuankou on the pair, twice each"


def test_fu_of_a_double_wind() -> None:
    four, two = (scored(TWO_WINDS, "EE tsumo dora=5z", Riichi.of(double_wind_fu=fu)) for fu in (4, 2))
    assert isinstance(four, Score)
    assert isinstance(two, Score)
    assert [line.value for line in four.fu_lines] == [20, 4, 2]
    assert [line.value for line in two.fu_lines] == [20, 2, 2]
    assert scored("123m567p234s678p11z +3m", "EE", Riichi.of(profile="mleague")).code == "no_yaku"  # type: ignore[union-attr]
    with pytest.raises(OptionError, match="must be one of 4, 2"):
        Riichi.of(double_wind_fu=3)


def test_who_may_rob_a_concealed_kong() -> None:
    may = {
        name: isinstance(scored(KOKUSHI, "robbing_concealed_kong", Riichi.of(profile=name)), Score) for name in NAMES
    }
    assert may == {"ema": True, "wrc": True, "mleague": False, "tenhou": False, "mahjong_soul": True}


def test_nagashi_mangan() -> None:
    closed, opened = "123m345678p99s56s", OPENED
    paid = {name: isinstance(scored(closed, "tsumo nagashi_mangan", Riichi.of(profile=name)), Score) for name in NAMES}
    assert paid == {"ema": False, "wrc": False, "mleague": False, "tenhou": True, "mahjong_soul": True}
    assert scored(opened, "tsumo nagashi_mangan", Riichi.of(profile="tenhou")).total == 8000
    with pytest.raises(ContextError, match="was claimed"):
        scored(opened, "tsumo nagashi_mangan")


@pytest.mark.parametrize("told", ["by the deal", "by the hand"])
def test_nagashi_mangan_in_a_draw_with_a_known_hand(told: str) -> None:
    by_deal = told == "by the deal"
    occasions = Occasion(0) if by_deal else Occasion.NAGASHI_MANGAN
    for text, options, total in (("123m456m123s1p777z", {}, 8000), (OPENED, {"nagashi_open": True}, 8000)):
        hands = {Seat.SOUTH: (Hand.parse(text), Context(seat=Seat.SOUTH, occasions=occasions))}
        deal = Deal(draw="exhausted", hands=hands, nagashi=(Seat.SOUTH,) if by_deal else ())
        assert Riichi.of(**options).settle(deal).payments[Seat.SOUTH] == total
    with pytest.raises(ContextError, match="was claimed"):
        Riichi().settle(deal)


def settled(
    options: dict[str, Any], winners: dict[str, str], words: str, *, by: str = "", **liable: str
) -> dict[str, float]:
    """Payments of these winning hands; `by` discarded."""
    context = circumstances(f"{'ron by=' + by if by else 'tsumo'} SE {words}")
    hands = {Seat(seat): (Hand.parse(text), replace(context, seat=Seat(seat))) for seat, text in winners.items()}
    first, *more = map(Seat, winners)
    deal = Deal(
        winner=first,
        also_won=tuple(more),
        discarder=Seat(by) if by else None,
        hands=hands,
        liable={Seat(winner): Seat(who) for winner, who in liable.items()},
    )
    return Riichi.of(**options).settle(deal).payments.to_json()


def points(east: int, south: int, west: int, north: int) -> dict[str, int]:
    return {"E": east, "S": south, "W": west, "N": north}


# Purpose, options, hand of South, who discards, payments; North fed the last set, two honba.
LIABLE: tuple[tuple[str, dict[str, Any], str, str, dict[str, int]], ...] = (
    ("own yakuman, drawn", {}, DRAGONS_OF_HONORS, "", points(-16000, 64600, -8000, -40600)),
    ("own yakuman, thrown", {}, DRAGONS_OF_HONORS, "W", points(0, 64600, -48000, -16600)),
    ("whole hand, drawn", {"profile": "tenhou"}, DRAGONS_OF_HONORS, "", points(0, 64600, 0, -64600)),
    ("whole hand, thrown", {"profile": "tenhou"}, DRAGONS_OF_HONORS, "W", points(0, 64600, -32000, -32600)),
    ("mahjong soul, drawn", {"profile": "mahjong_soul"}, DRAGONS_OF_HONORS, "", points(-16000, 64600, -8000, -40600)),
    ("the discarder pays the honba", {"profile": "ema"}, DRAGONS_OF_HONORS, "W", points(0, 32600, -16600, -16000)),
    ("a single yakuman, drawn", {"profile": "wrc"}, DRAGONS_OF_HONORS, "", points(0, 32600, 0, -32600)),
    ("honba of mleague", {"profile": "mleague"}, DRAGONS_OF_HONORS, "W", points(0, 64600, -48000, -16600)),
    ("the fourth kong", {"profile": "mleague"}, FOUR_KONGS, "", points(0, 32600, 0, -32600)),
    ("fed and thrown by one", {"profile": "tenhou"}, DRAGONS_OF_HONORS, "N", points(0, 64600, 0, -64600)),
)


@pytest.mark.parametrize(("name", "options", "hand", "by", "paid"), LIABLE, ids=[row[0] for row in LIABLE])
def test_liability(name: str, options: dict[str, Any], hand: str, by: str, paid: dict[str, int]) -> None:
    assert settled(options, {"S": hand}, "honba=2", by=by, S="N") == paid, name


FED_BY_NOBODY = (
    ("the third set is concealed", "555z11m23s (666z>6z) (777z^7z) 1s +1s", "N"),
    ("another player fed them all", "11m23s (555z>5z) (666z>6z) (777z>7z) 1s +1s", "N"),
    ("all sets are concealed kongs", "11m23s [5555z] [6666z] [7777z] 1s +1s", "N"),
    ("three winds", "55z123m (222z>2z) (333z>3z) (444z^4z) +3m", "N"),
    ("four kongs without the option", FOUR_KONGS, "N"),
    ("the winner", DRAGONS_OF_HONORS, "S"),
)


@pytest.mark.parametrize(("name", "hand", "liable"), FED_BY_NOBODY, ids=[row[0] for row in FED_BY_NOBODY])
def test_nobody_is_liable_for_a_set_that_nobody_fed(name: str, hand: str, liable: str) -> None:
    with pytest.raises(ContextError) as caught:
        settled({}, {"S": hand}, "last_tile", S=liable)
    assert caught.value.code == "nobody_liable", name


def test_a_set_from_an_unknown_player_may_come_from_anybody() -> None:
    unknown = DRAGONS_OF_HONORS.replace(">", "?").replace("^", "?")
    for liable in "EWN":
        assert settled({"profile": "tenhou"}, {"S": unknown}, "", S=liable)[liable] == -64000


A, B, C = "123m345678p99s567s +5s", "456m123789p11345s +5s", "789m234567p22567s +5s"


def test_honba_and_sticks_of_several_rons() -> None:
    """West discards: North is the first; the sticks are one of North, one of South, one of an earlier deal."""
    both = {"S": f"{A}", "N": B}
    words = "riichi honba=2 sticks=3"
    assert settled({}, both, words, by="W") == points(0, 2000, -4600, 5600)
    assert settled({"profile": "ema"}, both, words, by="W") == points(0, 3600, -5200, 4600)
    assert settled({"profile": "wrc"}, both, words, by="W") == points(0, 0, -2600, 5600)
    assert settled({"profile": "mahjong_soul"}, both, words, by="W") == points(0, 2000, -4600, 5600)
    three = {"E": C, **both}
    assert settled({"profile": "tenhou"}, three, words, by="W") == points(0, 0, 0, 0)
    assert settled({"profile": "mahjong_soul"}, three, words, by="W") == points(2900, 2000, -7500, 5600)
    no_sticks = settled({"profile": "ema"}, both, "riichi honba=2", by="W")
    assert sum(no_sticks.values()) == 0, "there are no sticks to give back"


def test_chombo() -> None:
    foul = Deal(hands={}, foul_by=Seat.WEST, foul_kind="false_mahjong")
    paid = {name: Riichi.of(profile=name).settle(foul).payments.by_seat for name in PROFILES}
    assert {name for name, payments in paid.items() if any(payments)} == {"document"}
    later = {name for name in NAMES if profile(name)["chombo"] == "after_uma"}
    assert later == {"ema", "wrc", "mleague"}, "the sites allow no false mah-jong"


def test_furiten_hinders_renhou_too() -> None:
    rules = Riichi.of(renhou="mangan")
    context = replace(circumstances("first_turn"), discards=Hand.parse("9s").concealed)
    result = rules.score(Hand.parse(NO_YAKU), context)
    assert isinstance(result, NotAWin)
    assert result.code == "furiten"
    assert rules.score(Hand.parse("123m345678p99s569s +9s"), circumstances("first_turn")).to_json()["win"] is False
    dearer = scored(DEAR, "first_turn dora=4p4p4s", rules)
    assert "renhou:dearer" in lost(dearer)
    assert lost(scored(RENHOU, "first_turn", rules)) == {"pinfu:renhou"}
