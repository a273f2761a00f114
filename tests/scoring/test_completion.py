"""What a deal says fills what its hands leave out, and what they say must agree (S-ALL-10)."""

import json
from typing import Any

import pytest

from tilescore.errors import InputError
from tilescore.scoring.context import Context, Occasion, Seat, WinBy
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.stream import settle_lines
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.tiles import parse_tiles

A = {"concealed": "123m345678p99s567s", "winning_tile": "5s"}
B = {"concealed": "456m123789p11345s", "winning_tile": "5s"}
WON = {
    "riichi": "123m345678p99s567s +5s",
    "mcr": "123456789m234s55p +4s",
    "classical": "456p44z (111z) (222z) (333z) +4z",
    "simplified": "456p44z (111z) (222z) (333z) +4z",
}


def settle(ruleset_name: str = "riichi", **deal: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(next(settle_lines(ruleset_name, [json.dumps(deal)])))
    return answer


def paid(**deal: Any) -> list[int]:
    return list(settle(**deal)["payments"].values())


# Purpose, what the hands of South and North add, what the deal adds, payments. West discards; North is nearer.
SHARED: tuple[tuple[str, dict[str, Any], dict[str, Any], list[int]], ...] = (
    ("honba and sticks on the second hand only", {}, {"honba": 3, "riichi_deposits": 2}, [0, 1000, -2900, 3900]),
    ("honba and sticks on the first hand only", {"honba": 3, "riichi_deposits": 2}, {}, [0, 1000, -2900, 3900]),
    ("honba and sticks on both", {"honba": 3, "riichi_deposits": 2}, {"honba": 3, "riichi_deposits": 2},
     [0, 1000, -2900, 3900]),
    ("honba on one, sticks on the other", {"honba": 3}, {"riichi_deposits": 2}, [0, 1000, -2900, 3900]),
    ("indicators on one", {"dora_indicators": "4s"}, {}, [0, 2000, -4000, 2000]),
    ("ura for who declared riichi", {"occasions": ["riichi"], "dora_indicators": "1z", "ura_dora_indicators": "4s"}, {},
     [0, 3900, -4900, 1000]),
    ("ura of both, told by one", {"occasions": ["riichi"], "dora_indicators": "1z", "ura_dora_indicators": "4s"},
     {"occasions": ["riichi"]}, [0, 3900, -7800, 3900]),
    ("the discarder in one hand only", {"win_by": "discard"}, {"win_by": "discard", "discarder": "W"},
     [0, 1000, -2000, 1000]),
)  # fmt: skip


@pytest.mark.parametrize(("name", "south", "north", "expected"), SHARED, ids=[row[0] for row in SHARED])
def test_several_winners_share_what_lies_on_the_table(
    name: str, south: dict[str, Any], north: dict[str, Any], expected: list[int]
) -> None:
    told = {} if "discarder" in north else {"discarder": "W"}
    assert paid(winners=["S", "N"], hands={"S": {**A, **south}, "N": {**B, **north}}, **told) == expected, name
    assert paid(winners=["N", "S"], hands={"N": {**B, **north}, "S": {**A, **south}}, **told) == expected, name


def test_the_round_of_one_hand_is_that_of_all() -> None:
    south = {"concealed": "234m567p88678s222z", "winning_tile": "8s", "round": "S"}
    alone = paid(winner="N", discarder="W", hands={"N": south})
    assert alone == [0, 0, -1300, 1300]
    told = {"N": {**south, "round": "E"}, "S": {"concealed": "147m258p369s1234z"}}
    assert settle(winner="N", discarder="W", hands=told)["error"]["code"] == "no_yaku"


def test_what_happened_to_the_tile_happened_to_all_who_win_on_it() -> None:
    told: dict[str, Any] = {
        "winners": ["S", "N"],
        "discarder": "W",
        "hands": {"S": {**A, "occasions": ["last_tile"]}, "N": B},
    }
    assert paid(**told) == [0, 2000, -4000, 2000]
    both = {**told, "hands": {"S": {**A, "occasions": ["robbing_kong"]}, "N": {**B, "occasions": ["last_tile"]}}}
    assert settle(**both)["error"]["code"] == "contradicting_occasions"
    south = {**A, "concealed": "123m345678p99s46s5s", "occasions": ["robbing_kong"]}
    robbed = {**told, "hands": {"S": south, "N": B}}
    assert paid(**robbed) == [0, 1300, -3300, 2000], "the hands need not say how they won"
    own = {**told, "hands": {"S": {**A, "occasions": ["riichi", "ippatsu"]}, "N": B}}
    assert paid(**own) == [0, 3900, -4900, 1000]


CONTRADICTIONS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("two winning tiles", "several_winning_tiles", {"winners": ["S", "N"], "discarder": "W", "hands": {
        "S": A, "N": {"concealed": "456m123789p11345s", "winning_tile": "1s"}}}),
    ("a five and a red five", "several_winning_tiles", {"winners": ["S", "N"], "discarder": "W", "hands": {
        "S": A, "N": {"concealed": "456m123789p11340s", "winning_tile": "0s"}}}),
    ("two rounds", "hands_disagree", {"winners": ["S", "N"], "discarder": "W", "hands": {
        "S": {**A, "round": "E"}, "N": {**B, "round": "S"}}}),
    ("two sets of indicators", "hands_disagree", {"winners": ["S", "N"], "discarder": "W", "hands": {
        "S": {**A, "dora_indicators": "1z"}, "N": {**B, "dora_indicators": "2z"}}}),
    ("two counts of honba", "hands_disagree", {"winners": ["S", "N"], "discarder": "W", "hands": {
        "S": {**A, "honba": 1}, "N": {**B, "honba": 2}}}),
    ("two counts of sticks", "hands_disagree", {"winners": ["S", "N"], "discarder": "W", "hands": {
        "S": {**A, "riichi_deposits": 1}, "N": {**B, "riichi_deposits": 2}}}),
    ("two discarders", "two_discarders", {"winners": ["S", "N"], "hands": {
        "S": {**A, "win_by": "discard", "discarder": "W"}, "N": {**B, "win_by": "discard", "discarder": "E"}}}),
    ("one seat twice", "seat_twice", {"winners": ["S", "S"], "discarder": "W", "hands": {"S": A}}),
    ("several self-draws", "several_self_draws", {"winners": ["S", "N"], "hands": {"S": A, "N": B}}),
    ("a self-draw on a discard", "discarder_without_discard", {"winner": "S", "discarder": "W", "hands": {
        "S": {**A, "win_by": "self_draw"}}}),
    ("a winner who discards", "discarder_is_winner", {"winners": ["S", "W"], "discarder": "W", "hands": {
        "S": A, "W": B}}),
    ("a loser of 14 tiles", "losing_hand_complete", {"winner": "S", "discarder": "W", "hands": {
        "S": A, "N": {"concealed": "147m258p369s12345z"}}}),
    ("a loser with a win", "loser_won", {"winner": "S", "discarder": "W", "hands": {
        "S": A, "N": {**B, "win_by": "self_draw"}}}),
    ("five of a tile with the indicators", "too_many_copies", {"winners": ["S", "N"], "discarder": "W", "hands": {
        "S": {**A, "dora_indicators": "99s"}, "N": {**B, "concealed": "456m123789p99345s"}}}),
    ("a round, differently told by a loser", "hands_disagree", {"winner": "S", "discarder": "W", "hands": {
        "S": {**A, "round": "E"}, "N": {"concealed": "147m258p369s1234z", "round": "S"}}}),
)  # fmt: skip


@pytest.mark.parametrize(("name", "code", "deal"), CONTRADICTIONS, ids=[row[0] for row in CONTRADICTIONS])
def test_hands_that_contradict_each_other(name: str, code: str, deal: dict[str, Any]) -> None:
    answer = settle(**deal)
    assert answer.get("error", {}).get("code") == code, f"{name}: {answer}"
    assert answer["error"]["message"].endswith(".")


@pytest.mark.parametrize("name", ["riichi", "mcr", "classical", "simplified"])
@pytest.mark.parametrize("discarder", [None, Seat.WEST])
def test_the_deal_fills_the_hand_of_the_winner(name: str, discarder: Seat | None) -> None:
    """A hand without seat, way of winning and discarder settles as one with them."""
    losers = {} if name in ("riichi", "mcr") else {seat: (Hand.parse("147m258p369s1234z"), Context()) for seat in "EWN"}
    hand, how = Hand.parse(WON[name]), WinBy.SELF_DRAW if discarder is None else WinBy.DISCARD
    payments = []
    for context in (Context(), Context(seat=Seat.SOUTH), Context(seat=Seat.SOUTH, win_by=how, discarder=discarder)):
        hands = {Seat(seat): held for seat, held in losers.items()} | {Seat.SOUTH: (hand, context)}
        payments.append(ruleset(name).settle(Deal(winner=Seat.SOUTH, discarder=discarder, hands=hands)).payments)
    assert payments[0] == payments[1] == payments[2]
    assert sum(payments[0].by_seat) == 0


@pytest.mark.parametrize(
    ("occasions", "discarder", "melds"),
    [
        (["kong_replacement"], None, [{"kind": "kong", "tiles": "9999p", "concealed": True}]),
        (["robbing_kong"], "W", [{"kind": "chow", "tiles": "789m"}]),
        (["riichi", "ippatsu"], None, []),
    ],
)
def test_an_occasion_needs_no_way_of_winning_beside_it(
    occasions: list[str], discarder: str | None, melds: list[dict[str, Any]]
) -> None:
    tiles = "123m345p99s567s" if melds else "123m345678p99567s"
    hand = {"concealed": tiles, "melds": melds, "winning_tile": "5s", "occasions": occasions}
    short = settle(winner="S", discarder=discarder, hands={"S": hand})
    whole = {**hand, "win_by": "discard" if discarder else "self_draw", "discarder": discarder, "seat": "S"}
    assert short == settle(winner="S", discarder=discarder, hands={"S": whole})
    assert "payments" in short
    told_by_hand = settle(winner="S", hands={"S": {**hand, "discarder": discarder}})
    assert told_by_hand == short


def test_a_hand_without_a_seat_has_the_wind_of_its_place() -> None:
    south_winds = {"concealed": "234m567p88678s222z", "winning_tile": "8s"}
    assert paid(winner="S", discarder="W", hands={"S": south_winds}) == [0, 1300, -1300, 0]
    deal = Deal(
        winner=Seat.SOUTH,
        discarder=Seat.WEST,
        hands={Seat.SOUTH: (Hand.parse("234m567p88678s222z +8s"), Context(round=Seat.WEST))},
    )
    assert ruleset("riichi").settle(deal).payments.by_seat == (0, 1300, -1300, 0)


def test_who_breaks_off_a_deal_may_hold_fourteen_tiles() -> None:
    nine = {"E": {"concealed": "19m19p19s12345z258m"}}
    assert settle(draw={"kind": "nine_terminals"}, hands=nine)["payments"] == {"E": 0, "S": 0, "W": 0, "N": 0}


def test_a_seat_wins_once() -> None:
    hands = {Seat.SOUTH: (Hand.parse(WON["riichi"]), Context())}
    with pytest.raises(InputError, match="a seat wins once: S, S"):
        ruleset("riichi").settle(Deal(winner=Seat.SOUTH, also_won=(Seat.SOUTH,), discarder=Seat.WEST, hands=hands))


def test_the_first_winner_of_the_list_need_not_be_the_first_in_turn() -> None:
    deal = Deal(
        winner=Seat.SOUTH,
        also_won=(Seat.NORTH,),
        discarder=Seat.WEST,
        hands={
            Seat.SOUTH: (Hand.parse("123m345678p99s567s +5s"), Context(occasions=Occasion.RIICHI, riichi_deposits=1)),
            Seat.NORTH: (Hand.parse("456m123789p11345s +5s"), Context(dora_indicators=parse_tiles("1z"))),
        },
    )
    assert deal.winners_in_turn == (Seat.NORTH, Seat.SOUTH)
    assert ruleset("riichi").settle(deal).payments.by_seat == (0, 2000, -3000, 2000)
    with pytest.raises(InputError, match="only one player wins in mcr"):
        ruleset("mcr").settle(deal)


NINE = {"S": {"concealed": "23455p", "melds": [{"kind": "pung", "tiles": "111p"}, {"kind": "pung", "tiles": "666p"},
        {"kind": "chow", "tiles": "789p"}], "winning_tile": "4p"}}  # fmt: skip


def test_a_declared_ready_hand_excuses_the_discarder() -> None:
    others = {seat: {"concealed": "147m258m369s34z67z"} for seat in "EN"}
    thrown = {**NINE, "W": {"concealed": "12399m45678m789s"}, **others}
    due = settle("classical", winner="S", discarder="W", hands=thrown)["steps"][0]["why"]
    assert due.startswith("pays_for_all")
    excused = settle("classical", winner="S", discarder="W", hands=thrown, ready=["W"])
    assert {step["why"] for step in excused["steps"]} & {"hand_value", "east_doubles"}
    idle = {**thrown, "W": {"concealed": "147m258m369s1234z"}}
    contradicted = settle("classical", winner="S", discarder="W", hands=idle, ready=["W"])
    assert contradicted["error"]["code"] == "occasion_contradicts_hand"
    other = settle("classical", winner="S", discarder="W", hands=thrown, ready=["N"])
    assert other["steps"][0]["why"].startswith("pays_for_all")
    unknown = settle("classical", winner="S", discarder="W", hands=NINE, ready=["W"])
    assert unknown["error"]["code"] == "hands_missing"
    asked = settle("classical", winner="S", discarder="W", hands=NINE)
    assert "'ready'" in asked["error"]["message"]
