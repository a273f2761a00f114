"""Points, limits, fu and payments: the tables of document 004 and the decisions S-RII."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.riichi.riichi_deal import circumstances, scored
from tilescore.errors import ContextError
from tilescore.scoring.context import SEATS, Context, Occasion, Seat, WinBy
from tilescore.scoring.deal import Deal
from tilescore.scoring.han.riichi import Riichi
from tilescore.scoring.hand import Hand
from tilescore.scoring.payments import Payments
from tilescore.scoring.riichi.points import liable_steps, price_of, price_of_yakuman, win_steps
from tilescore.scoring.score import Score

if TYPE_CHECKING:
    from pathlib import Path

LIMIT_HAN = {"mangan": 5, "haneman": 6, "baiman": 8, "sanbaiman": 11, "yakuman": 13}


def test_every_cell_of_the_tables(shared: Path) -> None:
    with (shared / "rules" / "riichi_points.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 90
    for row in rows:
        name = row["fu_or_limit"].split()[0]
        price = price_of(LIMIT_HAN[name], 30) if name in LIMIT_HAN else price_of(int(row["han"]), int(name))
        winner = Seat.EAST if row["who"] == "dealer" else Seat.SOUTH
        shares = [price.share(winner, seat) for seat in SEATS if seat is not winner]
        printed = [int(part) for part in row["tsumo (child: dealer/child; dealer: each)"].split("/")]
        assert price.ron(winner) == int(row["ron"]), row
        assert shares == (printed * 3 if len(printed) == 1 else [printed[0], printed[1], printed[1]]), row


LIMITS: tuple[Any, ...] = (
    (4, 30, {}, None, 7700),
    (4, 30, {"kiriage": True}, "mangan", 8000),
    (3, 60, {}, None, 7700),
    (3, 60, {"kiriage": True}, "mangan", 8000),
    (4, 40, {}, "mangan", 8000),
    (3, 70, {}, "mangan", 8000),
    (5, 30, {}, "mangan", 8000),
    (7, 30, {}, "haneman", 12000),
    (8, 30, {}, "baiman", 16000),
    (10, 30, {}, "baiman", 16000),
    (11, 30, {}, "sanbaiman", 24000),
    (12, 30, {}, "sanbaiman", 24000),
    (13, 30, {}, "yakuman", 32000),
    (26, 30, {}, "yakuman", 32000),
    (13, 30, {"kazoe": "sanbaiman"}, "sanbaiman", 24000),
)


@pytest.mark.parametrize(("han", "fu", "options", "limit", "total"), LIMITS)
def test_limits(han: int, fu: int, options: dict[str, object], limit: str | None, total: int) -> None:
    price = price_of(han, fu, **options)
    assert (price.limit, price.total(dealer=False, self_drawn=False)) == (limit, total)


COUNTED: tuple[Any, ...] = (
    ("counted yakuman", {}, "yakuman", 32000),
    ("counted sanbaiman", {"kazoe": "sanbaiman"}, "sanbaiman", 24000),
)


@pytest.mark.parametrize(("name", "options", "limit", "total"), COUNTED, ids=[row[0] for row in COUNTED])
def test_counted(name: str, options: dict[str, object], limit: str, total: int) -> None:
    result = scored("22334455667788m +8m", "riichi ippatsu last_tile dora=1m7m ura=1m7m", Riichi.of(**options))
    assert isinstance(result, Score), name
    assert result.han is not None
    assert result.han >= 13
    assert sum(line.value for line in result.lines) == result.han
    assert (result.limit, result.total) == (limit, total)


def test_kiriage_in_a_score() -> None:
    text = "234m340678p99s678s +8s"
    assert scored("234m345678p66s678s +8s", "riichi ippatsu").total == 7700
    assert scored("234m345678p66s678s +8s", "riichi ippatsu", Riichi.of(kiriage=True)).limit == "mangan"
    assert scored(text, "riichi", Riichi.of(red_fives=False)).total == 2000


FU = (
    ("pinfu on a discard", "123m345678p99s567s +5s", "", "base closed_ron", 30),
    ("pinfu self-drawn", "123m345678p99s567s +5s", "tsumo", "base", 20),
    ("open pinfu", "345678p66s678s (234m<2m) +8s", "", "base open_pinfu", 30),
    ("open pinfu self-drawn", "345678p66s678s (234m<2m) +8s", "tsumo", "base open_pinfu", 30),
    ("seven pairs", "1144m2277p1155s33z +3z", "", "seven_pairs", 25),
    ("kokushi musou", "19m19p19s12345677z +7z", "", "", 0),
    ("middle wait", "123m345678p99s678s +7s", "riichi", "base closed_wait closed_ron", 40),
    ("edge wait", "123m345678p99s678s +3m", "riichi", "base edge_wait closed_ron", 40),
    ("edge wait 7", "789m345678p99s678s +7m", "riichi", "base edge_wait closed_ron", 40),
    ("pair wait", "123m345678p99s678s +9s", "riichi", "base pair_wait closed_ron", 40),
    ("pair of dragons", "234m567p345678s55z +8s", "riichi", "base pair_dragon closed_ron", 40),
    ("pair of own wind", "234m567p345678s22z +8s", "riichi SE", "base pair_own_wind closed_ron", 40),
    ("pair of the round's wind", "234m567p345678s11z +8s", "riichi SE", "base pair_round_wind closed_ron", 40),
    ("pair of both", "234m567p345678s11z +8s", "riichi EE", "base pair_double_wind closed_ron", 40),
    ("pair of another wind", "234m567p345678s44z +8s", "riichi EE", "base closed_ron", 30),
    (
        "closed triplets",
        "222m999p345678s33z +8s",
        "riichi",
        "base triplet_simple_closed triplet_outside_closed closed_ron",
        50,
    ),
    (
        "ended by a discard",
        "222m999p345678s33z +2m",
        "riichi",
        "base triplet_simple_open triplet_outside_closed closed_ron",
        40,
    ),
    (
        "ended by a draw",
        "222m999p345678s33z +2m",
        "tsumo",
        "base triplet_simple_closed triplet_outside_closed self_draw",
        40,
    ),
    (
        "open triplets",
        "345s44z (222m>2m) (999p>9p) (555z) +5s",
        "",
        "base triplet_simple_open triplet_outside_open triplet_outside_open",
        30,
    ),
    (
        "quads",
        "345s44z [2222m] [9999p] (6666z) +5s",
        "",
        "base quad_simple_closed quad_outside_closed quad_outside_open",
        90,
    ),
    (
        "open quad",
        "345s44z (2222m) [9999p] (6666z) +5s",
        "",
        "base quad_simple_open quad_outside_closed quad_outside_open",
        80,
    ),
    (
        "replacement tile",
        "345s44z (2222m) [9999p] (6666z) +5s",
        "tsumo kong_replacement",
        "base quad_simple_open quad_outside_closed quad_outside_open self_draw",
        80,
    ),
)


@pytest.mark.parametrize(("name", "hand", "words", "items", "fu"), FU, ids=[row[0] for row in FU])
def test_fu(name: str, hand: str, words: str, items: str, fu: int) -> None:
    result = scored(hand, words)
    assert isinstance(result, Score), name
    found = " ".join(line.key.removeprefix("riichi.fu.") for line in result.fu_lines)
    assert found == items
    assert result.fu == fu
    assert [line["key"] for line in result.to_json()["fu_lines"]] == [line.key for line in result.fu_lines]


# --- payments of one win ------------------------------------------------------------------------------------------


def test_payments_of_a_win() -> None:
    hand = "123m345678p99s567s +5s"
    ron = scored(hand, "SE honba=2 sticks=1")
    assert ron.payments.to_json() == {"E": 0, "S": 1000 + 600 + 1000, "W": -1600, "N": 0}  # type: ignore[union-attr]
    dealer = scored(hand, "EE by=N")
    assert dealer.payments.to_json() == {"E": 1500, "S": 0, "W": 0, "N": -1500}  # type: ignore[union-attr]
    drawn = scored(hand, "SE tsumo honba=1 sticks=2")  # 2 han 20 fu: 700/400
    assert drawn.total == 1500
    assert drawn.payments.to_json() == {"E": -800, "S": 1500 + 300 + 2000, "W": -500, "N": -500}  # type: ignore[union-attr]


def test_discarder_unknown() -> None:
    result = Riichi().score(Hand.parse("123m345678p99s567s +5s"), Context(win_by=WinBy.DISCARD, seat=Seat.SOUTH))
    assert isinstance(result, Score)
    assert result.payments is None
    assert result.to_json()["payments"] is None


# --- settlement ---------------------------------------------------------------------------------------------------

PINFU = "123m345678p99s567s +5s"  # 1000 from a child, 1500 for the dealer
DAISANGEN = "11m23s (555z>5z) (666z>6z) (777z^7z) 1s +1s"  # South's: the last set comes from North
BOTH = "55z (1111z>1z) (222z>2z) (333z>3z) (444z^4z) +5z"  # big four winds and all honours


def won(
    rules: Riichi, winners: dict[str, str], words: str = "", *, drawn: bool = False, by: str = "W", **more: object
) -> dict[str, float]:
    hands = {}
    for seat, text in winners.items():
        how = "tsumo" if drawn else f"ron by={by}"
        hands[Seat(seat)] = (Hand.parse(text), circumstances(f"{how} {seat}E {words}"))
    first, *rest = map(Seat, winners)
    deal = Deal(
        winner=first,
        also_won=tuple(rest),
        discarder=None if drawn else Seat(str(by)),
        hands=hands,
        liable={Seat(key): Seat(str(value)) for key, value in more.items()},
    )
    return rules.settle(deal).payments.to_json()


def points(east: int, south: int, west: int, north: int) -> dict[str, int]:
    return {"E": east, "S": south, "W": west, "N": north}


def test_several_rons() -> None:
    """North, the first after West, takes honba and deposits (S-RII-16)."""
    both = {"S": PINFU, "N": PINFU}
    assert won(Riichi(), both, "honba=1 sticks=2") == points(0, 1000, -2300, 3300)
    assert won(Riichi.of(multiple_ron="head_bump"), both, "honba=1 sticks=2") == points(0, 0, -1300, 3300)
    assert won(Riichi.of(multiple_ron="three_abort"), both) == points(0, 1000, -2000, 1000)
    three = {"E": PINFU, "S": PINFU, "N": PINFU}
    assert won(Riichi.of(multiple_ron="three_abort"), three, "sticks=2") == points(0, 0, 0, 0)
    assert won(Riichi(), three) == points(1500, 1000, -3500, 1000)


LIABLE = (
    ("self-draw", DAISANGEN, True, points(0, 32300, 0, -32300)),
    ("another's discard", DAISANGEN, False, points(0, 32300, -16000, -16300)),
    ("with another yakuman", BOTH, True, points(-16000, 64300, -8000, -40300)),
    ("with another yakuman on a discard", BOTH, False, points(0, 64300, -48000, -16300)),
)


@pytest.mark.parametrize(("name", "hand", "drawn", "paid"), LIABLE, ids=[row[0] for row in LIABLE])
def test_liable(name: str, hand: str, drawn: bool, paid: dict[str, int]) -> None:  # noqa: FBT001
    assert won(Riichi(), {"S": hand}, "honba=1", drawn=drawn, S="N") == paid, name


def test_yakuman_without_liability() -> None:
    assert won(Riichi(), {"S": BOTH}, "honba=1", drawn=True) == points(-32100, 64300, -16100, -16100)


def test_liable_discards_himself() -> None:
    assert won(Riichi(), {"S": BOTH}, "honba=1", by="N", S="N") == points(0, 64300, 0, -64300)


def test_dealer_with_liability() -> None:
    dragons = DAISANGEN.replace("^7z", "<7z")  # East's: the last set comes from North
    assert won(Riichi(), {"E": dragons}, drawn=True, E="N") == points(48000, 0, 0, -48000)
    assert won(Riichi(), {"E": dragons}, E="N") == points(48000, 0, -24000, -24000)


DRAWS = (
    ((), points(0, 0, 0, 0)),
    (("N",), points(-1000, -1000, -1000, 3000)),
    (("E", "S"), points(1500, 1500, -1500, -1500)),
    (("E", "S", "W"), points(1000, 1000, 1000, -3000)),
    (("E", "S", "W", "N"), points(0, 0, 0, 0)),
)


@pytest.mark.parametrize(("ready", "paid"), DRAWS)
def test_exhaustive_draw(ready: tuple[str, ...], paid: dict[str, int]) -> None:
    deal = Deal(hands={}, draw="exhausted", ready=tuple(map(Seat, ready)))
    assert Riichi().settle(deal).payments.to_json() == paid


def test_nagashi_mangan_in_a_draw() -> None:
    drawn = Deal(hands={}, draw="exhausted", ready=(Seat.EAST,), nagashi=(Seat.SOUTH, Seat.NORTH))
    assert Riichi().settle(drawn).payments.to_json() == points(-8000, 6000, -4000, 6000)
    context = Context(seat=Seat.EAST, occasions=Occasion.NAGASHI_MANGAN)
    by_occasion = Deal(hands={Seat.EAST: (Hand(()), context)}, draw="exhausted")
    assert Riichi().settle(by_occasion).payments.to_json() == points(12000, -4000, -4000, -4000)


def test_other_ends() -> None:
    assert Riichi().settle(Deal(hands={}, draw="four_winds")).payments.to_json() == points(0, 0, 0, 0)
    child = Deal(hands={}, foul_by=Seat.WEST, foul_kind="false_mahjong")
    assert Riichi().settle(child).payments.to_json() == points(4000, 2000, -8000, 2000)
    dealer = Deal(hands={}, foul_by=Seat.EAST, foul_kind="false_mahjong")
    assert Riichi().settle(dealer).payments.to_json() == points(-12000, 4000, 4000, 4000)
    assert Riichi.of(chombo="none").settle(dealer).payments.to_json() == points(0, 0, 0, 0)


HAND = (Hand.parse(PINFU), circumstances("SE"))
THROWN = (HAND[0], replace(HAND[1], discarder=None))
BROKEN: tuple[Any, ...] = (
    ("winner_hand_missing", {}, Deal(winner=Seat.SOUTH, discarder=Seat.WEST, hands={})),
    ("discarder_needed", {}, Deal(winner=Seat.SOUTH, hands={Seat.SOUTH: THROWN})),
    ("several_self_draws", {}, Deal(winner=Seat.SOUTH, also_won=(Seat.NORTH,), hands={Seat.SOUTH: THROWN})),
    ("discarder_is_winner", {}, Deal(winner=Seat.SOUTH, also_won=(Seat.WEST,), discarder=Seat.WEST, hands={})),
    (
        "nobody_liable",
        {},
        Deal(winner=Seat.SOUTH, discarder=Seat.WEST, hands={Seat.SOUTH: HAND}, liable={Seat.SOUTH: Seat.EAST}),
    ),
    (
        "no_yaku",
        {},
        Deal(
            winner=Seat.SOUTH, discarder=Seat.WEST, hands={Seat.SOUTH: (Hand.parse("123m345678p99s567s +9s"), HAND[1])}
        ),
    ),
    ("unknown_foul", {}, Deal(hands={}, foul_by=Seat.WEST, foul_kind="late_claim")),
    ("unknown_draw", {}, Deal(hands={}, draw="rain")),
    ("no_abortive_draws", {"abortive_draws": False}, Deal(hands={}, draw="four_winds")),
    ("no_nagashi_mangan", {"profile": "ema"}, Deal(hands={}, draw="exhausted", nagashi=(Seat.WEST,))),
)


@pytest.mark.parametrize(("code", "options", "deal"), BROKEN, ids=[row[0] for row in BROKEN])
def test_deals_that_cannot_be(code: str, options: dict[str, object], deal: Deal) -> None:
    with pytest.raises(ContextError) as caught:
        Riichi.of(**options).settle(deal)
    assert caught.value.code == code
    assert re.search(r"[a-zA-Z]", str(caught.value))


def test_liable_for_himself() -> None:
    with pytest.raises(ContextError):
        won(Riichi(), {"S": DAISANGEN}, S="S")


seats = st.sampled_from(SEATS)


@given(
    han=st.integers(1, 15),
    fu=st.sampled_from(range(20, 120, 10)),
    winner=seats,
    steps=st.integers(0, 3),
    honba=st.integers(0, 9),
)
def test_payments_sum_to_zero(han: int, fu: int, winner: Seat, steps: int, honba: int) -> None:
    discarder = winner.after(steps) if steps else None
    paid = Payments.of(win_steps(price_of(han, fu), winner, discarder, honba))
    assert sum(paid.by_seat) == 0
    assert paid[winner] >= price_of(han, fu).total(dealer=winner is Seat.EAST, self_drawn=discarder is None)


@given(
    fed=st.integers(1, 2),
    rest=st.integers(0, 3),
    winner=seats,
    steps=st.integers(0, 3),
    by=st.integers(1, 3),
    honba=st.integers(0, 9),
)
def test_liable_payments_sum_to_zero(*, fed: int, rest: int, winner: Seat, steps: int, by: int, honba: int) -> None:
    """Liability does not change the points of the winner."""
    discarder = winner.after(steps) if steps else None
    prices = price_of_yakuman(fed), price_of_yakuman(rest)
    paid = Payments.of(liable_steps(*prices, winner, discarder, liable=winner.after(by), honba=honba))
    whole = Payments.of(win_steps(price_of_yakuman(fed + rest), winner, discarder, honba))
    assert sum(paid.by_seat) == 0
    assert paid[winner] == whole[winner]
