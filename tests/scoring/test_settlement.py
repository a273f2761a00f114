"""Payments in the classical and the simplified ruleset."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.classical.classical_table import setting
from tests.scoring.random_hands import random_hand
from tilescore.errors import InputError
from tilescore.scoring.classical.classical import Classical, Simplified
from tilescore.scoring.context import SEATS, Context, Occasion, Seat, WinBy
from tilescore.scoring.deal import Deal, Settlement
from tilescore.scoring.game.deals import HandInput
from tilescore.scoring.hand import Hand
from tilescore.scoring.payments import Payments

if TYPE_CHECKING:
    from tilescore.scoring.classical.rules import CountedRules

NOTHING = "147m258p369s3467z"
WAITING = "12399m456p78923s"  # worth nothing as well
LOSER = "147m369p258s3z"  # ten tiles beside a set
WINNER = "678p66s (333p) (123m) (456s) +8p"  # 22
E, S, W, N = SEATS


def deal(winner: str, discarder: str | None, hands: dict[str, str], *, ready: str = "", **more: object) -> Deal:
    """A deal in which a seat without a given hand has a worthless one."""
    held: dict[Seat, tuple[Hand, Context]] = {}
    for seat in SEATS:
        context = Context(seat=seat, occasions=Occasion.of(["ready_from_start"] if seat in ready else []))
        if seat == winner:
            how = WinBy.DISCARD if discarder else WinBy.SELF_DRAW
            context = replace(context, win_by=how, discarder=Seat(discarder) if discarder else None)
        usual = WINNER if seat == winner else WAITING if seat in ready else NOTHING
        held[seat] = Hand.parse(hands.get(seat, usual)), context
    source = Seat(discarder) if discarder else None
    return Deal(winner=Seat(winner), discarder=source, hands=held, **more)  # type: ignore[arg-type]


def totals(settled: Settlement) -> tuple[float, ...]:
    return settled.payments.by_seat


NINE_DOTS = "23455p (111p) (666p) (789p) +4p"
TEN_DOTS = "23455p (1111p) (666p) [8888p] +4p"
THREE_WINDS = "456p44z (111z) (222z) (333z) +4z"
TWO_DRAGONS = "456p55z (666z) (777z) (123m) +5z"
THREE_TERMINALS = "56p99s (111m) (999p) (999m) 7p +9s"
# Purpose, whether the penalty is due, winner's hand, discarder's hand, seats that are ready from the start.
PENALTIES = (
    ("nine dots exposed, a dot thrown", True, NINE_DOTS, NOTHING, ""),
    ("nine dots, but thrown by a ready hand", False, NINE_DOTS, WAITING, "W"),
    ("nine dots, another player is ready", True, NINE_DOTS, NOTHING, "EN"),
    ("nine dots, the thrower holds dots alone", False, NINE_DOTS, "2223478899p (555s)", ""),
    ("seven exposed dots and a concealed kong of dots", False, TEN_DOTS, NOTHING, ""),
    ("nine dots exposed, a bamboo thrown", False, "23455s (111p) (666p) (789p) +2s", NOTHING, ""),
    ("nine dots exposed, an honour thrown", False, "234s11z (111p) (666p) (789p) +1z", NOTHING, ""),
    ("six dots and three bamboo exposed", False, "23455p (111p) (666p) (789s) +4p", NOTHING, ""),
    ("three winds exposed, the fourth thrown", True, THREE_WINDS, NOTHING, ""),
    ("three winds: no excuse for a ready hand", True, THREE_WINDS, WAITING, "W"),
    ("three winds exposed, something else thrown", False, "456p44z (111z) (222z) (333z) +4p", NOTHING, ""),
    ("two winds exposed, one concealed", False, "456p44z (111z) (222z) 333z +4z", NOTHING, ""),
    ("two winds exposed and a concealed kong", False, "456p44z (111z) (222z) [3333z] +4z", NOTHING, ""),
    ("two dragons exposed, the third thrown", True, TWO_DRAGONS, NOTHING, ""),
    ("two dragons exposed, something else thrown", False, "456p55z (666z) (777z) (123m) +4p", NOTHING, ""),
    ("one dragon exposed", False, "456p55z (666z) 777z (123m) +5z", NOTHING, ""),
    ("three sets of terminals exposed, a nine thrown", True, THREE_TERMINALS, NOTHING, ""),
    ("three sets of terminals, something else thrown", False, "567p99s (111m) (999p) (999m) +7p", NOTHING, ""),
    ("two sets of terminals and a chow", False, "567p99s (111m) (789p) (999m) +9s", NOTHING, ""),
)


@pytest.mark.parametrize(("why", "due", "winner", "discarder", "ready"), PENALTIES)
def test_penalties(why: str, *, due: bool, winner: str, discarder: str, ready: str) -> None:
    settled = Classical().settle(deal("S", "W", {"S": winner, "W": discarder}, ready=ready))
    value = settled.values[S]
    paid = (0, 4 * value, -4 * value, 0)
    assert (totals(settled) == paid) is due, why
    assert {step.why.startswith("pays_for_all") for step in settled.payments.steps} == {due}


def test_a_ready_hand_waits_for_a_form_that_the_house_plays() -> None:
    declared = replace(deal("S", "W", {"S": NINE_DOTS, "W": "19m19p19s1234567z"}), ready=(W,))
    assert totals(Classical().settle(declared))[0] < 0
    with pytest.raises(InputError, match="waits for no tile"):
        Classical(house="thirteen_wonders,").settle(declared)


@pytest.mark.parametrize(("winner", "discarder", "paid"), [("E", "S", 6), ("S", "E", 4), ("N", "W", 4)])
def test_the_penalty_covers_easts_double(winner: str, discarder: str, paid: int) -> None:
    settled = Classical().settle(deal(winner, discarder, {winner: TWO_DRAGONS}))
    value = settled.values[Seat(winner)]
    assert settled.payments[Seat(winner)] == -settled.payments[Seat(discarder)] == paid * value


def test_the_penalty_can_be_overruled() -> None:
    due, not_due = {"S": TWO_DRAGONS}, {"S": WINNER}
    assert totals(Classical().settle(deal("S", "W", due, pays_for_all=False)))[0] < 0
    assert totals(Classical().settle(deal("S", "W", not_due, pays_for_all=True))) == (0, 88, -88, 0)
    assert totals(Simplified().settle(deal("S", "W", due)))[0] < 0
    assert totals(Simplified().settle(deal("S", "W", not_due, pays_for_all=True))) == (0, 88, -88, 0)


def test_no_penalty_on_a_self_draw() -> None:
    assert totals(Classical().settle(deal("S", None, {"S": TWO_DRAGONS})))[0] < 0


def test_a_score_carries_its_payments_when_the_penalty_decides_them_alone() -> None:
    circumstances = setting("S/W discard:W")
    payments = {}
    for hand in (TWO_DRAGONS, NINE_DOTS, WINNER):
        score = Classical().score(Hand.parse(hand), circumstances)
        payments[hand] = score.to_json()["payments"]
    assert payments == {TWO_DRAGONS: {"E": 0, "S": 1024, "W": -1024, "N": 0}, NINE_DOTS: None, WINNER: None}
    assert Classical().score(Hand.parse(TWO_DRAGONS), setting("S/W discard")).to_json()["payments"] is None


STEPS = (
    ("E", "S", 44, "east_doubles"),
    ("W", "S", 22, "hand_value"),
    ("N", "S", 22, "hand_value"),
    ("E", "W", 8, "difference_east_doubles"),
    ("N", "E", 8, "difference_east_doubles"),
    ("N", "W", 8, "difference"),
)


def test_every_step_says_why() -> None:
    hands = {"E": f"{LOSER} (999m)", "W": f"{LOSER} 999m"}
    settled = Classical().settle(deal("S", "N", hands))
    assert settled.values == {E: 4, S: 22, W: 8, N: 0}
    assert tuple((step.source, step.target, step.points, step.why) for step in settled.payments.steps) == STEPS
    assert totals(settled) == (-44, 88, -6, -38)


def test_losers_who_do_not_settle() -> None:
    hands = {"E": f"{LOSER} (999m)", "W": f"{LOSER} 999m"}
    settled = Simplified(losers_settle=False).settle(deal("S", "N", hands))
    assert totals(settled) == (-44, 88, -22, -22)
    alone = deal("S", "N", {})
    alone = replace(alone, hands={S: alone.hands[S]})
    assert totals(Simplified(losers_settle=False).settle(alone)) == (-44, 88, -22, -22)


@pytest.mark.parametrize(
    ("rules", "by", "paid"),
    [
        (Classical(), S, (2000, -4000, 1000, 1000)),
        (Classical(), E, (-6000, 2000, 2000, 2000)),
        (Classical(limit=500), S, (500, -1000, 250, 250)),
        (Classical(false_mahjong_points=10), N, (20, 10, 10, -40)),
        (Classical(false_mahjong_points=0), N, (0, 0, 0, 0)),
        (Simplified(), W, (500, 250, -1000, 250)),
    ],
)
def test_false_mahjong(rules: CountedRules, by: Seat, paid: tuple[int, ...]) -> None:
    assert totals(rules.settle(Deal(hands={}, foul_by=by, foul_kind="false_mahjong"))) == paid


def test_a_draw_pays_nothing() -> None:
    for rules in (Classical(), Simplified()):
        settled = rules.settle(Deal(hands={}, draw="exhausted", ready=(E, S)))
        assert (settled.values, totals(settled)) == ({}, (0, 0, 0, 0))


LONELY = {S: deal("S", "W", {}).hands[S]}
NINE_ALONE = {S: deal("S", "W", {"S": NINE_DOTS}).hands[S]}
TWO_WON = dict(deal("S", "W", {}).hands) | {N: deal("N", None, {}).hands[N]}
THROWN = dict(deal("S", "W", {}).hands) | {S: (Hand.parse(NINE_DOTS), Context(seat=S, win_by=WinBy.DISCARD))}
REFUSALS = (
    ("a foul that is none", "unknown_foul", Deal(hands={}, foul_by=E, foul_kind="slow_play")),
    ("a draw that is none", "unknown_draw", Deal(hands={}, draw="rain")),
    ("no outcome", "winner_hand_missing", Deal(hands={})),
    ("no hand of the winner", "winner_hand_missing", Deal(hands={}, winner=S, discarder=W)),
    ("own discard", "discarder_is_winner", Deal(hands=LONELY, winner=S, discarder=S)),
    ("two winners", "several_winners", Deal(hands=LONELY, winner=S, also_won=(E,), discarder=W)),
    ("losers' hands missing", "hands_missing", Deal(hands=LONELY, winner=S, discarder=W)),
    ("is the thrower excused?", "hands_missing", Deal(hands=NINE_ALONE, winner=S, discarder=W)),
    ("who threw the tile?", "discarder_needed", Deal(hands=THROWN, winner=S)),
    ("all for whom?", "discarder_needed", deal("S", None, {}, pays_for_all=True)),
    ("no win", "not_a_win", deal("S", "W", {"S": "123m456p789s234s15z +5z"})),
    ("a loser who won", "loser_won", replace(deal("S", "W", {}), winner=W, discarder=None)),
    ("two hands that won", "loser_won", Deal(hands=TWO_WON, winner=S, discarder=W)),
)


@pytest.mark.parametrize(("why", "code", "case"), REFUSALS)
def test_what_cannot_be_settled(why: str, code: str, case: Deal) -> None:
    with pytest.raises(InputError) as raised:
        Classical().settle(case)
    assert raised.value.code == code, why


@given(
    seed=st.integers(0, 10**9),
    winner=st.sampled_from(SEATS),
    steps=st.integers(0, 3),
    pays=st.sampled_from((None, None, True, False)),
    rules=st.sampled_from((Classical(), Simplified(), Simplified(losers_settle=False), Classical(limit=64))),
)
def test_payments_sum_to_zero(
    *,
    seed: int,
    winner: Seat,
    steps: int,
    pays: bool | None,
    rules: CountedRules,
) -> None:
    random = Random(seed)
    discarder = winner.after(steps) if steps else None
    hands = {}
    for seat in SEATS:
        read = HandInput.from_json(random_hand(random, won=False) | {"seat": str(seat), "round": "E"})
        hands[seat] = read.hand, read.context
    how = WinBy.DISCARD if discarder else WinBy.SELF_DRAW
    hand = random.choice([Hand.parse(text) for text in (WINNER, NINE_DOTS, THREE_WINDS, TWO_DRAGONS, THREE_TERMINALS)])
    hands[winner] = hand, Context(seat=winner, win_by=how, discarder=discarder)
    case = Deal(winner=winner, discarder=discarder, hands=hands, pays_for_all=pays if discarder else None)
    settled = rules.settle(case)
    assert sum(totals(settled)) == 0
    assert isinstance(settled.payments, Payments)
    value = settled.values[winner]
    assert settled.payments[winner] == value * (6 if winner is E else 4)
    fouled = rules.settle(Deal(hands={}, foul_by=winner, foul_kind="false_mahjong"))
    assert sum(totals(fouled)) == 0
