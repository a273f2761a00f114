"""Yaku, fu, hands without a win, and what three-player riichi does not have."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.riichi3.three_players import KINDS, circumstances, lost, scored, told
from tests.scoring.riichi3.yaku_table import ROWS
from tilescore.errors import InputError
from tilescore.scoring.context import OCCASION_NAMES, SEATS, Context, Occasion, Seat, WinBy
from tilescore.scoring.hand import Hand, Meld
from tilescore.scoring.names import names_of
from tilescore.scoring.riichi3.ruleset import Riichi3
from tilescore.scoring.riichi3.table import rows
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.score import NotAWin, Score
from tilescore.scoring.tiles import ALL_FACES, NORTH


@pytest.mark.parametrize("row", ROWS, ids=[f"{row[0]}, {row[1]}" for row in ROWS])
def test_table(row: tuple[Any, ...]) -> None:
    key, kind, hand, words, options, lines, out = row
    result = scored(hand, words, **options)
    assert told(result) == lines
    assert set(out.split()) <= lost(result)
    if kind == "positive":
        assert key in lines.replace("*", " ").split()


def test_table_is_complete() -> None:
    assert {row[0] for row in ROWS if row[1] == "positive"} == {row.key for row in rows().values()}


def test_lines_have_numbers_tiles_and_counts() -> None:
    result = scored("340p678s99s (555z) (888p) +8s &44z", "dora=3z4p")
    found = [(line.number, line.count, line.value, "".join(map(str, line.tiles))) for line in result.lines]
    assert found == [
        (10, 1, 1, "5z5z5z"), (32, 3, 1, "4z4z0p"), (33, 1, 1, "0p"), (35, 2, 1, "4z4z"),
    ]  # fmt: skip
    under = scored("111m222p888s333z99p +9p &4z", "riichi ura=1p dora=2z")
    assert [(entry.number, entry.key) for entry in under.excluded] == [
        (1, "riichi3.riichi"), (21, "riichi3.toitoi"), (22, "riichi3.sanankou"), (32, "riichi3.dora"),
        (34, "riichi3.ura_dora"), (35, "riichi3.nuki_dora"),
    ]  # fmt: skip


FU: tuple[Any, ...] = (
    ("kokushi on a discard", "19m19p19s12345677z +1m", "", {}, "base closed_ron", 30),
    ("kokushi drawn", "19m19p19s12345677z +1m", "tsumo", {}, "base self_draw", 30),
    ("renhou without another yaku", "345p678p345s789s22p +8s", "first_turn", {"renhou": "mangan"},
     "base closed_wait closed_ron", 40),
    ("renhou in place of pairs", "1199m3355p7799s44z +4z", "first_turn", {"renhou": "mangan"}, "seven_pairs", 25),
    ("renhou on a triplet", "222p555p888s345s99p +2p", "first_turn", {"renhou": "mangan"},
     "base triplet_simple_open triplet_simple_closed triplet_simple_closed closed_ron", 40),
    ("renhou of two readings, the dearer", "34555p678p345s789s +5p", "first_turn", {"renhou": "mangan"},
     "base pair_wait closed_ron", 40),
    ("a pair of norths", "345p678p345s789s44z +8s", "riichi", {}, "base closed_wait closed_ron", 40),
    ("a pair of norths of value", "345p678p345s789s44z +9s", "riichi", {"north": "yakuhai"},
     "base pair_north closed_ron", 40),
    ("norths of value, a double wind of 2", "345p678p345s789s44z +9s", "riichi",
     {"north": "yakuhai", "double_wind_fu": 2}, "base pair_north closed_ron", 40),
    ("a double wind of 2", "345p678p345s789s11z +9s", "EE riichi", {"double_wind_fu": 2},
     "base pair_double_wind closed_ron", 40),
    ("a triplet of norths", "345p678s99s (444z) (888p) +8s", "tsumo last_tile", {},
     "base triplet_outside_open triplet_simple_open self_draw", 30),
)  # fmt: skip


@pytest.mark.parametrize("row", FU, ids=[row[0] for row in FU])
def test_fu(row: tuple[Any, ...]) -> None:
    name, hand, words, options, items, fu = row
    result = scored(hand, words, **options)
    assert isinstance(result, Score), name
    assert sorted(line.key.removeprefix("riichi3.fu.") for line in result.fu_lines) == sorted(items.split())
    assert result.fu == fu
    assert result.groups


def test_nagashi_mangan_has_no_fu() -> None:
    result = scored("345p678p345s78s22p", "tsumo nagashi_mangan")
    assert isinstance(result, Score)
    assert (result.fu, result.total, result.lines[0].number) == (None, 6000, None)
    off = scored("345p678p345s78s22p", "tsumo nagashi_mangan", nagashi_mangan=False)
    assert lost(off) == {"nagashi_mangan:option_off"}


NOT_WON = (
    ("no yaku, dora alone", "345p678s99s (333z) (888p) +8s &4z", "dora=3z", "no_yaku", "5s 8s", "dora nuki_dora"),
    ("13 tiles", "345p678p345s78s22p", "", "not_a_win", "6s 9s", ""),
    ("no north is left", "345p678p345s789s4z &444z", "", "not_a_win", "", ""),
    ("the fourth north is left", "345p678p345s789s4z &44z", "", "not_a_win", "4z", ""),
    ("the robbed north was the last", "345p678s44z (333z) (888p) +4z &44z", "robbing_north", "no_yaku", "4z",
     "nuki_dora*2"),
    ("another tile, and no north is left", "9m345p678p345s789s4z +9m &444z", "", "not_a_win", "", ""),
    ("another quad robbed", "345p678p345s789s22p +8s", "robbing_concealed_kong", "not_a_win", "8s", ""),
    ("two equal pairs", "11m2222p1155s3344z +3z", "", "not_a_win", "", ""),
)  # fmt: skip


@pytest.mark.parametrize("row", NOT_WON, ids=[row[0] for row in NOT_WON])
def test_not_won(row: tuple[str, ...]) -> None:
    name, hand, words, code, waits, lines = row
    result = scored(hand, words)
    assert isinstance(result, NotAWin), name
    assert (result.ruleset, result.code, " ".join(map(str, result.waits)), told(result)) == (
        "riichi3",
        code,
        waits,
        lines,
    )


def test_a_complete_hand_without_win_by_waits_for_its_north() -> None:
    result = Riichi3().score(Hand.parse("19m19p19s12345677z +4z &44z"), Context())
    assert isinstance(result, NotAWin)
    assert list(map(str, result.waits)) == ["4z"]


def test_furiten_and_norths_aside() -> None:
    """A wait among the discards bars a ron; norths set aside are no discards."""
    hand, won = Hand.parse("345p678p345s789s44z +4z &4z"), replace(circumstances("riichi"), riichi_deposits=0)
    assert isinstance(Riichi3().score(hand, won), Score)
    barred = Riichi3().score(hand, replace(won, discards=(NORTH,)))
    assert isinstance(barred, NotAWin)
    assert barred.code == "furiten"


HAND = "345p678p345s789s22p +8s"
ERRORS: tuple[Any, ...] = (
    ("a claimed chow", "345s789s22p (345p) (678p) +8s", "", {}, "chow_not_allowed", "(345p)"),
    ("a claimed chow of characters", "345s789s22p (345m) (678p) +8s", "", {}, "chow_not_allowed", "(345m)"),
    ("characters in the hand", "345m678p345s789s22p +8s", "", {}, "tile_not_in_game", "3m"),
    ("a red five of characters", "0m678p345s789s22p23p +8s", "", {}, "tile_not_in_game", "0m"),
    ("characters in a pung", "345p678s99s (555m) (888p) +8s", "", {}, "tile_not_in_game", "5m"),
    ("characters as indicator", HAND, "riichi dora=2m", {}, "tile_not_in_game", "2m"),
    ("characters as ura", HAND, "riichi dora=1m ura=8m", {}, "tile_not_in_game", "8m"),
    ("North as seat", HAND, "NE tsumo", {}, "seat_not_in_game", "N"),
    ("North as discarder", HAND, "SE by=N", {}, "seat_not_in_game", "N"),
    ("North as round", HAND, "SN tsumo", {}, "seat_not_in_game", "N"),
    ("five norths", "345p678p345s789s44z +9s &444z", "", {}, "bad_norths", "5 norths"),
    ("five norths aside", f"{HAND} &44444z", "", {}, "bad_norths", "5 norths"),
    ("a flower", f"{HAND} &1f", "", {}, "bad_norths", "1f"),
    ("none aside by the rules", f"{HAND} &4z", "", {"north": "yakuhai"}, "bad_norths", "north=yakuhai"),
    ("five norths with the indicator", f"{HAND} &4444z", "tsumo dora=4z", {}, "too_many_copies", "5 times 4z"),
    ("a replacement without a north", HAND, "tsumo kita_replacement", {}, "occasion_contradicts_hand",
     "no north lies aside"),
    ("a robbed north that is none", HAND, "riichi robbing_north", {}, "occasion_contradicts_hand", "not 4z"),
    ("a discarded replacement", f"{HAND} &4z", "kita_replacement", {}, "occasion_contradicts_win", "self_draw"),
    ("two replacements", f"{HAND} &4z", "tsumo kita_replacement kong_replacement", {}, "contradicting_occasions", ""),
    ("a robbed last tile", "345p678p345s789s44z +4z", "robbing_north last_tile", {}, "contradicting_occasions", ""),
    ("six ura", HAND, "riichi ura=111122z", {}, "too_many_indicators", "6 ura"),
    ("more ura than dora", HAND, "riichi dora=1z ura=22z", {}, "ura_without_dora", "2 ura"),
    ("riichi with a claim", "345p678s99s (333z) (888p) +8s", "riichi", {}, "riichi_open_hand", "(333z)"),
    ("no winning tile", "345p678p345s789s22p", "tsumo", {}, "winning_tile_unknown", ""),
)  # fmt: skip


@pytest.mark.parametrize("row", ERRORS, ids=[row[0] for row in ERRORS])
def test_errors(row: tuple[Any, ...]) -> None:
    name, hand, words, options, code, said = row
    with pytest.raises(InputError) as caught:
        scored(hand, words, **options)
    assert (caught.value.code, said in str(caught.value)) == (code, True), name


def test_a_robbed_north_without_a_winning_tile_is_no_contradiction() -> None:
    assert isinstance(scored("345p678p345s789s4z", "robbing_north"), NotAWin)


def test_four_players_ignore_what_three_have() -> None:
    """Norths set aside are refused elsewhere; their occasions are ignored with a warning."""
    context = Context(win_by=WinBy.SELF_DRAW, occasions=Occasion.KITA_REPLACEMENT)
    result = ruleset("riichi").score(Hand.parse(HAND), context)
    assert (result.warnings, [line.key for line in result.lines]) == (("kita_replacement",), ["riichi.menzen_tsumo"])
    for name in ("mcr", "riichi", "classical", "simplified"):
        with pytest.raises(InputError, match="only three-player riichi sets norths aside") as caught:
            ruleset(name).score(Hand.parse(f"{HAND} &4z"), context)
        assert caught.value.code == "not_a_bonus_tile"


def test_what_has_no_meaning_is_warned_of() -> None:
    result = scored(f"{HAND} &4z", "tsumo last_of_its_kind ready_from_start kita_replacement")
    assert set(result.warnings) == {"last_of_its_kind", "ready_from_start"}


def test_every_key_has_its_names() -> None:
    four = {key for key in names_of("riichi") if key.startswith(("riichi.because.", "riichi.limit."))}
    listed = {entry.key for entry in Riichi3().rules()}
    assert set(names_of("riichi3")) == listed | {key.replace("riichi.", "riichi3.") for key in four}
    assert all(set(names) == {"en", "pl", "ja"} for names in names_of("riichi3").values())


tiles = st.sampled_from([*KINDS, *ALL_FACES])
melds = st.builds(
    lambda tile, kind: f"({str(tile) * 3})" if kind else f"[{str(tile) * 4}]", st.sampled_from(KINDS), st.booleans()
)


@given(
    concealed=st.lists(tiles, min_size=4, max_size=14),
    declared=st.lists(melds, max_size=3),
    aside=st.lists(st.sampled_from([NORTH, *ALL_FACES]), max_size=3),
    place=st.integers(0, 13),
    occasions=st.lists(st.sampled_from(list(OCCASION_NAMES)), max_size=3),
    winds=st.tuples(st.sampled_from(SEATS), st.sampled_from(SEATS), st.none() | st.sampled_from(SEATS)),
    win_by=st.none() | st.sampled_from(WinBy),
    north=st.sampled_from(("nuki", "yakuhai", "nuki_yakuhai")),
)
def test_any_input_has_an_answer(
    *, concealed: list[Any], declared: list[str], aside: list[Any], place: int, occasions: list[str],
    winds: tuple[Seat, Seat, Seat | None], win_by: WinBy | None, north: str,
) -> None:  # fmt: skip
    """A score whose payments sum to zero, a reason, or an InputError."""
    result: object = None
    with suppress(InputError):
        hand = Hand(tuple(concealed), tuple(map(Meld.parse, declared)), concealed[place % len(concealed)], tuple(aside))
        context = Context(
            win_by=win_by, seat=winds[0], round=winds[1], discarder=winds[2], occasions=Occasion.of(occasions)
        )
        result = Riichi3.of(north=north).score(hand, context)
    if isinstance(result, Score) and result.payments is not None:
        assert sum(result.payments.by_seat) == 0
        assert result.payments[Seat.NORTH] == 0
