"""The MCR ruleset around its fans: results, payments, fouls, refusals."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from tests.harness.mcr_hands import random_win
from tests.scoring.mcr.mcr_contexts import context_of
from tests.scoring.mcr.test_mcr_cross_table import witnesses
from tilescore.errors import ContextError, HandError, InputError
from tilescore.scoring.context import SEATS, Context, Occasion, Seat, WinBy
from tilescore.scoring.deal import Deal
from tilescore.scoring.hand import Hand
from tilescore.scoring.mcr.ruleset import Mcr
from tilescore.scoring.mcr.settlement import win_steps
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.score import NotAWin, Score

if TYPE_CHECKING:
    pass

STRAIGHT = "123456789m234s55p +4s"


def won(hand: str, context: Context) -> Score:
    score = Mcr().score(Hand.parse(hand), context)
    assert isinstance(score, Score), score
    return score


def lost(hand: str, context: Context) -> NotAWin:
    score = Mcr().score(Hand.parse(hand), context)
    assert isinstance(score, NotAWin), score
    return score


def test_the_registry_knows_it() -> None:
    assert ruleset("mcr") == Mcr()
    assert Mcr().name == "mcr"
    assert Mcr().options() == ()


def test_rules_list_all_fans_in_order() -> None:
    rules = Mcr().rules()
    assert [entry.number for entry in rules] == [
        *map(str, range(1, 57)), "57A", "57B", *map(str, range(58, 82))
    ]  # fmt: skip
    assert [int(entry.value) for entry in rules if entry.number != "57B"].count(8) == 10
    assert rules[0].names == {"en": "Big Four Winds", "ru": "Большие четыре ветра", "zh": "大四喜"}


def test_payments_wait_for_the_discarder() -> None:
    assert won(STRAIGHT, context_of("S/E discard")).payments is None
    known = Context(seat=Seat.SOUTH, win_by=WinBy.DISCARD, discarder=Seat.NORTH)
    assert won(STRAIGHT, known).to_json()["payments"] == {"E": -8, "S": 44, "W": -8, "N": -28}


def test_flowers_are_paid_but_do_not_make_the_minimum() -> None:
    short = lost("123789m456p234s22z +6p &1234f1234q", context_of("E/S self_draw"))
    assert (short.code, short.total) == ("below_minimum", 5 + 8)
    assert [line.key for line in short.lines][-1] == "mcr.flower_tiles"
    assert short.waits
    rich = won(STRAIGHT + " &1f", context_of("S/E self_draw"))
    assert rich.payments is not None
    assert (rich.total, rich.payments[Seat.EAST]) == (23, -31)


def test_a_chicken_hand_is_worth_eight_without_flowers() -> None:
    chicken = won("678p122334s66z (789m) +4s &12f", context_of("N/W discard"))
    assert [(line.key, line.count * line.value) for line in chicken.lines] == [
        ("mcr.chicken_hand", 8),
        ("mcr.flower_tiles", 2),
    ]


@pytest.mark.parametrize(
    ("hand", "context", "waits"),
    [
        ("123456789m24s55p", "S/E discard", "3s"),  # thirteen tiles
        ("123456789m24s55p7z +7z", "S/E discard", "3s"),
        ("19m19p19s1234567z", "S/E discard", "1m 9m 1p 9p 1s 9s 1z 2z 3z 4z 5z 6z 7z"),
        ("147m258p36s123z4z6z", "S/E discard", "9s 5z 7z"),
        ("2345m (111z) (222z) (333z)", "S/E discard", "2m 5m"),
        ("34m55z (2222m) (111z) (333z)", "S/E discard", "5m"),
        ("123456789m5p3z13s", "S/E discard", ""),
    ],
)
def test_a_hand_that_is_no_win_has_its_waits(hand: str, context: str, waits: str) -> None:
    result = lost(hand, context_of(context))
    assert (result.code, " ".join(map(str, result.waits))) == ("not_a_win", waits)


def test_a_hand_without_win_by_is_no_win() -> None:
    result = lost(STRAIGHT, Context())
    assert result.code == "not_a_win"
    assert "win_by" in result.message


def test_a_concealed_kong_cannot_be_robbed() -> None:
    robbed = Context(win_by=WinBy.DISCARD, occasions=Occasion.ROBBING_CONCEALED_KONG)
    assert lost("19m19p19s12345677z +1m", robbed).code == "not_a_win"


@pytest.mark.parametrize(
    ("hand", "context", "code"),
    [
        ("123m", "S/E discard", "wrong_count"),
        ("123456789m234s55p", "S/E discard", "winning_tile_unknown"),
        (STRAIGHT, "S/E self_draw kong_replacement", "occasion_contradicts_hand"),
        ("123456789m44s234p +4s", "S/E discard last_of_its_kind", "occasion_contradicts_hand"),
        ("567789m44s (444p) (345m) +5m", "S/E discard robbing_kong", "occasion_contradicts_hand"),
    ],
)
def test_what_cannot_be_is_refused(hand: str, context: str, code: str) -> None:
    with pytest.raises(InputError) as caught:
        Mcr().score(Hand.parse(hand), context_of(context))
    assert caught.value.code == code
    assert isinstance(caught.value, ContextError if code == "occasion_contradicts_hand" else HandError)


def test_a_claimed_meld_may_hold_what_is_the_last_of_its_kind() -> None:
    open_chow = won("567789m44s (444p) (345m) +5m", context_of("S/E self_draw last_tile last_of_its_kind"))
    assert "mcr.last_tile" in [line.key for line in open_chow.lines]


def test_what_has_no_meaning_here_is_a_warning() -> None:
    context = Context(
        win_by=WinBy.SELF_DRAW,
        occasions=Occasion.RIICHI | Occasion.IPPATSU | Occasion.LAST_TILE,
        honba=2,
    )
    score = won(STRAIGHT, context)
    assert score.warnings == ("riichi", "ippatsu", "honba")
    assert won(STRAIGHT, context_of("E/E self_draw")).warnings == ()


def test_the_last_of_its_kind_shows_in_the_winners_own_melds() -> None:
    """Fan 58 counts if three of the winning tile lie open in claimed melds (S-MCR-13)."""
    keys = [line.key for line in won("67888m (666m) (777m) (999m) +6m", context_of("E/E discard")).lines]
    assert "mcr.last_tile" in keys


def test_red_fives_are_plain_fives() -> None:
    plain = won("123456789m456s55p +5p", context_of("S/E discard"))
    red = won("123406789m406s05p +0p", context_of("S/E discard"))
    assert [line.key for line in red.lines] == [line.key for line in plain.lines]
    assert red.total == plain.total


def test_the_order_of_tiles_and_melds_never_matters() -> None:
    rng = random.Random(5)
    for hand, context in witnesses()[:150]:
        melds = list(hand.melds)
        rng.shuffle(melds)
        other = Hand(
            tuple(rng.sample(hand.concealed, len(hand.concealed))), tuple(melds), hand.winning_tile, hand.bonus
        )
        ours, theirs = (Mcr().score(each, context) for each in (hand, other))
        assert [(line.key, line.count) for line in ours.lines] == [(line.key, line.count) for line in theirs.lines]


@pytest.mark.random
def test_payments_sum_to_zero() -> None:
    rng = random.Random(6)
    for _ in range(300):
        hand, context = random_win(rng)
        discarder = None if context.self_drawn else context.discarder or context.seat.after(rng.randint(1, 3))
        deal = Deal(winner=context.seat, discarder=discarder, hands={context.seat: (hand, context)})
        score = Mcr().score(hand, context)
        if isinstance(score, Score):
            payments = Mcr().settle(deal).payments
            assert sum(payments.by_seat) == 0
            expected = 3 * (8 + score.total) if context.self_drawn else 24 + score.total
            assert payments[context.seat] == expected


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("false_mahjong", (20, 20, -60, 20)),
        ("false_mahjong_below_minimum", (10, 10, -30, 10)),
        ("wrong_meld", (0, 0, 0, 0)),
        *((kind, (0, 0, 0, 0)) for kind in ("wrong_count", "wall_tile_seen", "tiles_shown", "change_of_mind")),
        ("wall_touched", (0, 0, 0, 0)),
        ("late_claim", (0, 0, 0, 0)),
        ("tile_exposed_of_S_5", (0, 5, -5, 0)),
        ("tile_exposed_of_S_60", (0, 60, -60, 0)),
        ("late_claim_2", (5, 5, -15, 5)),
        ("late_claim_9", (640, 640, -1920, 640)),
        ("late_claim_10", (1280, 1280, -3840, 1280)),
        ("wall_touched_25", (5 * 2**23, 5 * 2**23, -15 * 2**23, 5 * 2**23)),
        ("wall_touched_3", (10, 10, -30, 10)),
        ("change_of_mind_4", (20, 20, -60, 20)),
    ],
)
def test_fouls(kind: str, expected: tuple[int, ...]) -> None:
    settlement = Mcr().settle(Deal(hands={}, foul_by=Seat.WEST, foul_kind=kind))
    assert settlement.payments.by_seat == expected
    assert settlement.values == {}


def test_every_payment_says_why() -> None:
    thrown = {step.source: step.why for step in win_steps(Seat.SOUTH, Seat.WEST, 20)}
    assert thrown == {Seat.EAST: "base", Seat.WEST: "discard", Seat.NORTH: "base"}
    assert {step.why for step in win_steps(Seat.SOUTH, None, 20)} == {"self_draw"}


@pytest.mark.parametrize(
    "kind",
    [
        "chombo",
        "late_claim_1",
        "late_claim_0",
        "late_claim_02",
        "late_claim_100",
        "tile_exposed_of_S_" + "9" * 5000,
        "tile_exposed_of_W_20",
        "tile_exposed_of_S_61",
        "tile_exposed_of_S_4",
    ],
)
def test_unknown_fouls_are_refused(kind: str) -> None:
    with pytest.raises(ContextError, match=kind[:100]):  # a long name is cut
        Mcr().settle(Deal(hands={}, foul_by=Seat.WEST, foul_kind=kind))


@pytest.mark.parametrize(
    ("deal", "code"),
    [
        (Deal(winner=Seat.SOUTH, hands={}), "winner_hand_missing"),
        (Deal(winner=Seat.SOUTH, also_won=(Seat.WEST,), hands={}), "one_winner"),
        (
            Deal(winner=Seat.SOUTH, hands={Seat.SOUTH: (Hand.parse(STRAIGHT), context_of("S/E discard"))}),
            "discarder_needed",
        ),
        (
            Deal(
                winner=Seat.SOUTH,
                hands={Seat.SOUTH: (Hand.parse("123789m456p234s22z +6p"), context_of("S/E self_draw"))},
            ),
            "below_minimum",
        ),
    ],
)
def test_deals_that_cannot_be_settled(deal: Deal, code: str) -> None:
    with pytest.raises(ContextError) as caught:
        Mcr().settle(deal)
    assert caught.value.code == code


def test_a_draw_pays_nothing() -> None:
    settlement = Mcr().settle(Deal(hands={}, draw="exhausted", ready=SEATS))
    assert settlement.payments.by_seat == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("key", "hand", "tiles"),
    [
        ("three_concealed_pungs", "222333p123m777s55z +1m", "222333p777s"),
        ("two_concealed_pungs", "222333p123m789s55z +1m", "222333p"),
        ("three_kongs", "123m55z [2222p] (3333p) [7777s] +1m", "2222p3333p7777s"),
        ("melded_and_concealed_kong", "123m456m55z [2222p] (3333p) +1m", "2222p3333p"),
        ("two_melded_kongs", "123m456m55z (2222p) (3333p) +1m", "2222p3333p"),
        ("two_concealed_kongs", "123m456m55z [2222p] [3333p] +1m", "2222p3333p"),
        ("little_three_dragons", "123m456m555666z77z +1m", "555666z77z"),
        ("little_four_winds", "123m111222333z44z +1m", "111222333z44z"),
    ],
)
def test_a_line_names_the_tiles_that_make_it(key: str, hand: str, tiles: str) -> None:
    result = Mcr().score(Hand.parse(hand), Context(win_by=WinBy.SELF_DRAW))
    lines = {line.key: line.tiles for line in result.lines}
    assert sorted(lines[f"mcr.{key}"]) == sorted(Hand.parse(tiles).tiles)
