"""Every yaku of document 004: positive, near miss, exclusion; and the reasons of hands without a win."""

from typing import Any

import pytest

from tests.scoring.riichi.riichi_deal import circumstances, lost, scored, yaku
from tests.scoring.riichi.riichi_table import ROWS
from tilescore.errors import InputError
from tilescore.scoring.context import Context, WinBy
from tilescore.scoring.han.riichi import Riichi
from tilescore.scoring.hand import Hand
from tilescore.scoring.names import names_of
from tilescore.scoring.riichi.count import YAKU
from tilescore.scoring.riichi.fu import FU_TEXTS
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.score import NotAWin, Score


@pytest.mark.parametrize("row", ROWS, ids=[f"{row[0]}, {row[1]}" for row in ROWS])
def test_table(row: tuple[str, ...]) -> None:
    key, kind, hand, words, lines, out = row
    result = scored(hand, words)
    assert yaku(result) == lines
    assert set(out.split()) <= lost(result)
    if kind == "positive":
        assert key in lines.replace("*", " ").split()
    if kind.startswith("exclusion"):
        assert key not in lines.replace("*", " ").split()


def test_table_is_complete() -> None:
    kinds = {(row[0], row[1]) for row in ROWS}
    missing = set(YAKU) - {key for key, kind in kinds if kind == "positive"} - {"nagashi_mangan"}
    assert not missing


OPTIONS: tuple[Any, ...] = (
    ("open tanyao off", "345678p66s678s (234m<2m) +8s", "", {"open_tanyao": False}, "", "tanyao:option_off"),
    (
        "open tanyao off, a hand without tanyao",
        "345678p99s678s (234m<2m) +8s",
        "",
        {"open_tanyao": False},
        "",
        "pinfu:open_hand",
    ),
    ("red fives off", "123m340678p99s567s +7s", "", {"red_fives": False}, "pinfu", "akadora:option_off"),
    ("ema has no red fives", "123m340678p99s567s +7s", "", {"profile": "ema"}, "pinfu", "akadora:option_off"),
    ("double kokushi", "19m19p19s12345677z +7z", "", {"double_yakuman": True}, "kokushi_musou*26", ""),
    ("single kokushi", "19m19p19s12345677z +1z", "", {"double_yakuman": True}, "kokushi_musou*13", ""),
    ("double suuankou", "222m555p777s333m99s +9s", "", {"double_yakuman": True}, "suuankou*26", ""),
    ("double chuuren", "11123455678999m +5m", "", {"double_yakuman": True}, "chuuren_poutou*26", ""),
    ("double daisuushii", "11m111222333z (444z>4z) +1m", "", {"double_yakuman": True}, "daisuushii*26", ""),
    ("renhou none", "123m345678p99s567s +5s", "first_turn", {"renhou": "none"}, "pinfu", "renhou:option_off"),
    ("renhou none at tenhou's", "123m345678p99s567s +5s", "first_turn", {"profile": "tenhou"}, "pinfu", ""),
    ("renhou yakuman", "123m345678p99s567s +5s", "first_turn", {"renhou": "yakuman"}, "renhou*13", ""),
    ("under a yakuman", "055m777s333m99s222p +9s", "riichi ura=8s dora=2m", {}, "suuankou*13", "dora:suuankou"),
)


@pytest.mark.parametrize("row", OPTIONS, ids=[row[0] for row in OPTIONS])
def test_options(row: tuple[str, str, str, dict[str, object], str, str]) -> None:
    _, hand, words, options, lines, out = row
    result = scored(hand, words, Riichi.of(**options))
    assert yaku(result) == lines
    assert set(out.split()) <= lost(result)


NOT_WON = (
    ("no yaku, open", "345678p99s678s (234m<2m) +8s", "", "no_yaku", "5s 8s"),
    ("no yaku, closed", "123m345678p99s567s +9s", "", "no_yaku", "9s"),
    ("no yaku but dora", "123m345678p99s567s +9s", "dora=4p", "no_yaku", "9s"),
    ("13 tiles", "123m345678p99s56s", "", "not_a_win", "4s 7s"),
    ("13 tiles for kokushi", "19m19p19s1234567z", "", "not_a_win", "1m 9m 1p 9p 1s 9s 1z 2z 3z 4z 5z 6z 7z"),
    ("not complete", "123m345678p99s569s +9s", "", "not_a_win", "4s 7s"),
    ("two equal pairs", "1144m2222p1155s33z +3z", "", "not_a_win", ""),
    ("quad robbed", "123m345678p99s567s +5s", "robbing_concealed_kong", "not_a_win", "5s 8s"),
)


@pytest.mark.parametrize(("name", "hand", "words", "code", "waits"), NOT_WON, ids=[row[0] for row in NOT_WON])
def test_not_won(name: str, hand: str, words: str, code: str, waits: str) -> None:
    result = scored(hand, words)
    assert isinstance(result, NotAWin)
    assert (result.code, " ".join(map(str, result.waits))) == (code, waits), name
    assert result.to_json()["win"] is False


def test_no_yaku_says_what_is_missing() -> None:
    result = scored("340678p99s678s (234m<2m) +8s", "tsumo dora=7s")
    assert isinstance(result, NotAWin)
    assert yaku(result) == "dora akadora"
    assert lost(result) == {"pinfu:open_hand", "menzen_tsumo:open_hand"}
    assert "Dora are not yaku." in result.message
    assert "Pinfu (All Sequences) does not count: the hand is open." in result.message


def test_complete_without_win_by() -> None:
    result = Riichi().score(Hand.parse("123m345678p99s567s +9s"), Context())
    assert isinstance(result, NotAWin)
    assert "win_by" in result.message


ERRORS = (
    ("riichi with an open set", "123m345p99s567s (888p>8p) +9s", "riichi", "riichi_open_hand"),
    ("riichi in the first turn", "123m345678p99s567s +9s", "riichi first_turn", "contradicting_occasions"),
    ("no winning tile", "123m345678p99s567s", "", "winning_tile_unknown"),
    ("12 tiles", "123m345678p99s5s", "", "wrong_count"),
    ("five of a kind with the dora", "234m567p88s678s555z +8s", "dora=5z5z", "too_many_copies"),
    ("five of a kind in no win", "234m567p88s679s555z +9s", "dora=5z5z", "too_many_copies"),
    ("a flower as indicator", "234m567p88s678s555z +8s", "dora=1f", "no_indicator"),
    ("nagashi mangan on a discard", "123m345678p99s56s", "nagashi_mangan", "occasion_contradicts_win"),
)


@pytest.mark.parametrize(("name", "hand", "words", "code"), ERRORS, ids=[row[0] for row in ERRORS])
def test_errors(name: str, hand: str, words: str, code: str) -> None:
    with pytest.raises(InputError) as caught:
        scored(hand, words)
    assert caught.value.code == code, name


@pytest.mark.parametrize(
    "options",
    [
        {"kazoe": "x"},
        {"uma": "1,2"},
        {"uma": "a,b,c,d"},
        {"uma": "15,5,-5,-10"},
        {"length": "wanchan"},
        {"colour": "red"},
    ],
)
def test_bad_options(options: dict[str, object]) -> None:
    with pytest.raises(InputError):
        ruleset("riichi", options)


def test_meaningless_occasions_are_ignored_with_a_warning() -> None:
    result = scored("123m345678p99s567s +5s &1f", "last_of_its_kind only_possible_tile ready_from_start")
    assert set(result.warnings) == {"last_of_its_kind", "only_possible_tile", "ready_from_start", "bonus"}


NAGASHI: tuple[Any, ...] = (
    ("a child", "SE", {}, {"E": -4000, "S": 8000, "W": -2000, "N": -2000}),
    ("the dealer", "EE", {}, {"E": 12000, "S": -4000, "W": -4000, "N": -4000}),
)


@pytest.mark.parametrize(("name", "words", "options", "payments"), NAGASHI, ids=[row[0] for row in NAGASHI])
def test_nagashi_mangan(name: str, words: str, options: dict[str, object], payments: dict[str, int]) -> None:
    """Honba and deposits stay on the table, because it is a draw (S-RII-9)."""
    result = scored("123m345678p99s56s", f"tsumo nagashi_mangan honba=2 sticks=1 {words}", Riichi.of(**options))
    assert isinstance(result, Score), name
    assert (yaku(result), result.limit, result.han) == ("nagashi_mangan*5", "mangan", 5)
    assert result.payments is not None
    assert result.payments.to_json() == payments


def test_nagashi_mangan_is_not_ema() -> None:
    result = scored("123m345678p99s56s", "tsumo nagashi_mangan", Riichi.of(profile="ema"))
    assert isinstance(result, NotAWin)
    assert lost(result) == {"nagashi_mangan:option_off"}


def test_every_line_has_its_names() -> None:
    names = names_of("riichi")
    for entry in Riichi().rules():
        assert set(entry.names) == {"en", "pl", "ja"}
        assert entry.text.endswith(".")
    assert set(names) >= {f"riichi.{key}" for key in (*YAKU, *(f"fu.{item}" for item in FU_TEXTS))}
    assert all(set(name) == {"en", "pl", "ja"} for name in names.values())


def test_han_of_the_document(shared: object) -> None:
    """The registered yaku are all rows of the table of document 004."""
    ours = {key.replace("_", "") for key in YAKU}
    text = (shared / "rules" / "riichi_yaku.csv").read_text(encoding="utf-8")  # type: ignore[operator]
    for row in text.splitlines()[1:]:
        name = row.split(",")[0].lower().replace(" ", "")
        if name != "yakuhai":
            assert name in ours


def test_options_are_listed() -> None:
    listed = {entry.name: entry.default for entry in Riichi().options()}
    assert listed["kiriage"] is False
    assert listed["multiple_ron"] == "all"
    assert Riichi.of(profile="tenhou").endings.multiple_ron == "three_abort"
    assert all(entry.text for entry in Riichi().options())


def test_red_fives_and_order_of_tiles_change_nothing_but_the_dora() -> None:
    plain, shuffled = scored("234567m55p678s345s +4m", ""), scored("5m4s7m5p8s2m3s6m5p3m6s4m5s7s +4m", "")
    assert yaku(plain) == yaku(shuffled)
    red = scored("234067m50p678s345s +4m", "")
    assert yaku(red) == f"{yaku(plain)} akadora*2"
    assert circumstances("").win_by is WinBy.DISCARD
