"""Seats, occasions and circumstances: JSON, and contradictions."""

import json
from enum import StrEnum
from typing import Any

import numpy as np
import pytest

from tilescore.errors import ContextError, InputError
from tilescore.scoring.context import NO_OCCASION, OCCASION_NAMES, SEATS, Context, Occasion, Seat, WinBy
from tilescore.scoring.tiles import Tile


def test_seats_follow_one_another() -> None:
    assert [str(Seat.EAST.after(steps)) for steps in range(5)] == ["E", "S", "W", "N", "E"]
    assert [str(seat.wind) for seat in SEATS] == ["1z", "2z", "3z", "4z"]


@pytest.mark.parametrize("name", OCCASION_NAMES)
def test_names_of_occasions(name: str) -> None:
    assert Occasion.of([name]).names == (name,)


def test_several_occasions() -> None:
    both = Occasion.of(["riichi", "ippatsu", "riichi"])
    assert both.names == ("riichi", "ippatsu")
    assert Context(occasions=both).has(Occasion.IPPATSU)
    assert NO_OCCASION.names == ()


FULL = {
    "win_by": "discard", "discarder": "W", "seat": "S", "round": "N", "occasions": ["last_tile", "riichi"],
    "dora_indicators": "19m0p", "ura_dora_indicators": "7z", "honba": 2, "riichi_deposits": 1,
}  # fmt: skip


@pytest.mark.parametrize("data", [{}, FULL, {"win_by": "self_draw", "occasions": ["kong_replacement"]}])
def test_json_there_and_back(data: dict[str, Any]) -> None:
    context = Context.from_json(data)
    assert Context.from_json(json.loads(json.dumps(context.to_json()))) == context
    assert {**context.to_json(), **data} == context.to_json()


def test_missing_keys_take_the_defaults_of_the_line_format() -> None:
    context = Context.from_json({})
    assert (context.seat, context.round, context.win_by, context.discarder) == (Seat.EAST, Seat.EAST, None, None)
    assert not context.self_drawn
    assert Context(win_by=WinBy.SELF_DRAW).self_drawn


ROBBED_REPLACEMENT = {"occasions": ["robbing_kong", "kong_replacement"]}
WON = {"win_by": "discard", "seat": "S"}
DRAWN = {"win_by": "self_draw", "seat": "S"}
REFUSED: tuple[tuple[str, str, Any], ...] = (
    ("not_object", "5", 5),
    ("unknown_win_by", "ron", {"win_by": "ron"}),
    ("unknown_win_by", "discard", {"win_by": ["discard"]}),
    ("unknown_seat", "X", {"seat": "X"}),
    ("unknown_seat", "None", {"seat": None}),
    ("unknown_seat", "1", {"round": 1}),
    ("unknown_seat", "X", {**WON, "discarder": "X"}),
    ("discarder_is_winner", "S", {**WON, "discarder": "S"}),
    ("discarder_without_discard", "W", {**DRAWN, "discarder": "W"}),
    ("discarder_without_discard", "W", {"discarder": "W"}),
    ("occasions_not_list", "occasions", {"occasions": "riichi"}),
    ("occasions_not_list", "occasions", {"occasions": [1]}),
    ("unknown_occasion", "tea", {"occasions": ["tea"]}),
    ("occasion_contradicts_win", "robbing_kong", {**DRAWN, "occasions": ["robbing_kong"]}),
    ("occasion_contradicts_win", "robbing_concealed_kong", {**DRAWN, "occasions": ["robbing_concealed_kong"]}),
    ("occasion_contradicts_win", "kong_replacement", {**WON, "occasions": ["kong_replacement"]}),
    ("occasion_contradicts_win", "kong_replacement", {"occasions": ["kong_replacement"]}),
    ("contradicting_occasions", "kong_replacement and robbing_kong", ROBBED_REPLACEMENT),
    ("contradicting_occasions", "riichi and double_riichi", {"occasions": ["riichi", "double_riichi"]}),
    ("contradicting_occasions", "last_tile and first_turn", {"occasions": ["last_tile", "first_turn"]}),
    ("contradicting_occasions", "last_tile and robbing_kong", {**WON, "occasions": ["last_tile", "robbing_kong"]}),
    ("not_a_count", "honba", {"honba": "1"}),
    ("not_a_count", "honba", {"honba": True}),
    ("not_a_count", "riichi_deposits", {"riichi_deposits": 1.5}),
    ("counter_out_of_range", "honba", {"honba": -1}),
    ("counter_out_of_range", "riichi_deposits", {"riichi_deposits": 10**100}),
    ("unknown_tiles", "9", {"dora_indicators": "9"}),
    ("not_text", "ura_dora_indicators", {"ura_dora_indicators": 9}),
)  # fmt: skip


@pytest.mark.parametrize(("code", "culprit", "data"), REFUSED, ids=[f"{at} {row[0]}" for at, row in enumerate(REFUSED)])
def test_refused_json(code: str, culprit: str, data: dict[str, Any]) -> None:
    with pytest.raises(InputError) as raised:
        Context.from_json(data)
    assert raised.value.code == code
    assert culprit in str(raised.value)


def test_contradictions_are_refused_without_json_too() -> None:
    with pytest.raises(ContextError, match="riichi_deposits"):
        Context(riichi_deposits=-1)


def test_texts_stand_for_ways_to_win_and_seats() -> None:
    by_text = Context(win_by="discard", discarder="W", seat="S", round="S", dealer="N")
    by_value = Context(win_by=WinBy.DISCARD, discarder=Seat.WEST, seat=Seat.SOUTH, round=Seat.SOUTH, dealer=Seat.NORTH)
    assert by_text == by_value
    assert by_text.win_by is WinBy.DISCARD


@pytest.mark.parametrize("occasions", ["riichi ippatsu", ["riichi", "ippatsu"], ("riichi", "ippatsu")])
@pytest.mark.parametrize("tiles", ["1m 0p", "1m0p", ["1m", "0p"], ("1m", Tile.parse("0p"))])
def test_texts_stand_for_occasions_and_tiles(occasions: Any, tiles: Any) -> None:
    by_text = Context(win_by=WinBy.SELF_DRAW, occasions=occasions, dora_indicators=tiles, discards=tiles)
    both = (Tile.parse("1m"), Tile.parse("0p"))
    assert by_text.has(Occasion.RIICHI)
    assert by_text == Context(
        win_by=WinBy.SELF_DRAW,
        occasions=Occasion.RIICHI | Occasion.IPPATSU,
        dora_indicators=both,
        discards=both,
    )


class Words(StrEnum):
    """An enumeration of another program, whose members hash as their names do."""

    DRAWN = "self_draw"
    SOUTH = "S"
    READY = "riichi"
    TILES = "1m 0p"


@pytest.mark.parametrize(
    ("way", "seat", "occasions", "tiles", "count"),
    [
        (np.str_("self_draw"), np.str_("S"), np.str_("riichi"), np.str_("1m 0p"), np.int64(2)),
        (Words.DRAWN, Words.SOUTH, Words.READY, Words.TILES, np.uint8(2)),
        (WinBy.SELF_DRAW, Seat.SOUTH, [Words.READY], np.array(["1m", "0p"]), 2),
        ("self_draw", "S", [Occasion.RIICHI], [Tile.parse("1m"), "0p"], 2),
    ],
)
def test_values_of_other_types_become_ours(way: Any, seat: Any, occasions: Any, tiles: Any, count: Any) -> None:
    context = Context(win_by=way, seat=seat, round=seat, dealer=seat, occasions=occasions, discards=tiles, honba=count)
    ours = Context.from_json(
        {"win_by": "self_draw", "seat": "S", "round": "S", "dealer": "S", "occasions": ["riichi"], "discards": "1m0p"}
        | {"honba": 2}
    )
    assert repr(context) == repr(ours)  # a member of another type is equal, and no member


def test_one_tile_is_a_list_of_one() -> None:
    tile = Tile.parse("5m")
    assert Context(dora_indicators=tile).dora_indicators == (tile,)


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("unknown_win_by", {"win_by": True}),
        ("unknown_win_by", {"win_by": ["discard"]}),
        ("unknown_win_by", {"win_by": Seat.EAST}),
        ("unknown_seat", {"seat": 1}),
        ("unknown_seat", {"seat": None}),
        ("unknown_seat", {"round": WinBy.DISCARD}),
        ("unknown_seat", {"dealer": 2}),
        ("unknown_seat", {"win_by": "discard", "discarder": ["S"]}),
        ("not_a_list", {"occasions": None}),
        ("not_a_list", {"occasions": 5}),
        ("not_a_list", {"occasions": {"ippatsu": False}}),
        ("unknown_occasion", {"occasions": [["riichi"]]}),
        ("unknown_occasion", {"occasions": [None]}),
        ("not_a_list", {"dora_indicators": None}),
        ("not_a_list", {"discards": 5}),
        ("not_a_count", {"honba": 1.5}),
        ("not_a_count", {"honba": True}),
        ("not_a_count", {"riichi_deposits": "1"}),
        ("not_a_count", {"dealer_repeats": None}),
    ],
)
def test_values_that_mean_nothing_are_refused(code: str, wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError) as raised:
        Context(**wrong)
    assert raised.value.code == code


def test_occasions_and_tiles_without_a_value_are_errors() -> None:
    with pytest.raises(ContextError, match="sunny"):
        Context(occasions="sunny")
    with pytest.raises(InputError, match="9x"):
        Context(discards="9x")


@pytest.mark.parametrize("wrong", [{"win_by": "tsumo"}, {"seat": "X"}, {"round": "east"}, {"discarder": "Y"}])
def test_a_text_without_a_value_is_an_error(wrong: dict[str, Any]) -> None:
    with pytest.raises(ContextError, match="is no "):
        Context(**wrong)
