"""Payments of three-player riichi: shares of a self-draw, counters, two rons, liability, draws, chombo."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.riichi_hands import random_win
from tests.scoring.riichi3.three_players import circumstances, scored
from tilescore.errors import InputError
from tilescore.scoring.context import Context, Occasion, Seat
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.deals import deal_from_json
from tilescore.scoring.game.stream import score_lines, settle_lines
from tilescore.scoring.hand import From, Hand
from tilescore.scoring.payments import Payments
from tilescore.scoring.riichi.points import FOUR_PLAYERS, Table, liable_steps, price_of, price_of_yakuman, win_steps
from tilescore.scoring.riichi3.options import PLAYERS, Endings3
from tilescore.scoring.riichi3.ruleset import Riichi3
from tilescore.scoring.score import Score

E, S, W, N = Seat
BISECT, PROPORTION, PLUS_1000 = ({"tsumo": shared} for shared in ("bisect", "proportion", "plus_1000"))
# Han, fu, seat, options, points from the others in turn order, total. Values are those of the usual tables.
SHARES: tuple[Any, ...] = (
    (1, 30, S, {}, (300, 500), 800),
    (1, 30, S, BISECT, (500, 700), 1200),
    (1, 30, E, {}, (500, 500), 1000),
    (1, 30, E, BISECT, (800, 800), 1600),
    (2, 20, S, {}, (400, 700), 1100),
    (2, 20, S, BISECT, (600, 900), 1500),
    (3, 40, S, BISECT, (2000, 3300), 5300),
    (5, 30, S, {}, (2000, 4000), 6000),
    (5, 30, S, BISECT, (3000, 5000), 8000),
    (5, 30, E, {}, (4000, 4000), 8000),
    (5, 30, E, BISECT, (6000, 6000), 12000),
    (6, 20, S, BISECT, (4500, 7500), 12000),
    (13, 30, S, {}, (8000, 16000), 24000),
    (13, 30, S, BISECT, (12000, 20000), 32000),
    (1, 30, S, PROPORTION, (400, 700), 1100),
    (3, 40, S, PROPORTION, (1800, 3500), 5300),
    (5, 30, S, PROPORTION, (2700, 5400), 8100),
    (5, 30, E, PROPORTION, (6000, 6000), 12000),
    (1, 30, S, PLUS_1000, (1300, 1500), 2800),
    (5, 30, E, PLUS_1000, (5000, 5000), 10000),
)


@pytest.mark.parametrize(("han", "fu", "winner", "options", "shares", "total"), SHARES)
def test_shares(
    *, han: int, fu: int, winner: Seat, options: dict[str, Any], shares: tuple[int, ...], total: int
) -> None:
    table, price = Endings3(**options).table, price_of(han, fu)
    assert tuple(table.share(price, winner, payer) for payer in table.others_of(winner)) == shares
    assert table.total(price, winner, self_drawn=True) == total == sum(shares)
    assert table.total(price, winner, self_drawn=False) == price.ron(winner)


HONBA: tuple[Any, ...] = (
    ("a discard", "by=W", {}, 200, -1400, 0),
    ("a discard, 300", "by=W", {"honba_ron": 300}, 300, -1600, 0),
    ("a discard, 1000", "by=W", {"honba_ron": 1000}, 1000, -3000, 0),
    ("a self-draw", "tsumo", {}, 100, -600, -900),
    ("a self-draw, 300", "tsumo", {"honba_ron": 300}, 100, -600, -900),
    ("a self-draw, 1000", "tsumo", {"honba_ron": 1000}, 500, -1400, -1700),
)


@pytest.mark.parametrize("row", HONBA, ids=[row[0] for row in HONBA])
def test_counters_and_deposits(row: tuple[Any, ...]) -> None:
    name, words, options, _, west, east = row
    result = scored("345p678p345s789s22p +9s", f"SE honba=2 sticks=1 {words}", **options)
    assert isinstance(result, Score), name
    assert result.payments is not None
    assert (result.payments[W], result.payments[E], result.payments[N]) == (west, east, 0)
    assert sum(result.payments.by_seat) == 1000


PINFU = "345p678p345s789s22p +9s"
HAKU = "345p78s22s (555z) (888p) 9s +9s"
WINDS = "99s (111z) (222z) (333z) 444z +9s"
BOTH = "66z (111z) (222z) (333z) (444z) +6z"


def won(winners: dict[str, str], words: str = "", *, by: str = "", liable: str = "", **options: Any) -> Payments:
    hands = {}
    for seat, text in winners.items():
        how = f"ron by={by}" if by else "tsumo"
        hands[Seat(seat)] = (Hand.parse(text), circumstances(f"{seat}E {how} {words}"))
    first, *rest = map(Seat, winners)
    deal = Deal(
        winner=first,
        also_won=tuple(rest),
        discarder=Seat(by) if by else None,
        hands=hands,
        liable={first: Seat(liable)} if liable else {},
    )
    return Riichi3.of(**options).settle(deal).payments


def test_two_rons() -> None:
    """South, the first after East, takes counters and deposits; three_abort means all."""
    both = {"S": PINFU, "W": HAKU}
    for multiple_ron in ("all", "three_abort"):
        paid = won(both, "honba=1 sticks=2", by="E", multiple_ron=multiple_ron)
        assert paid.by_seat == (-2200, 3200, 1000, 0)
    assert won(both, "honba=1 sticks=2", by="E", multiple_ron="head_bump").by_seat == (-1200, 3200, 0, 0)


def test_a_robbed_north_is_robbed_by_both() -> None:
    """What one hand says of the winning tile holds for the other, and neither has a yaku for it."""
    norths = {"concealed": "345p678p345s789s44z", "winning_tile": "4z"}
    others = {"concealed": "123p678p345s789s44z", "winning_tile": "4z", "occasions": ["riichi"]}
    hands = {"S": {**norths, "occasions": ["riichi", "robbing_north"]}, "W": others}
    deal = deal_from_json({"winners": ["S", "W"], "discarder": "E", "hands": hands})
    assert all(Occasion.ROBBING_NORTH in context.occasions for _, context in deal.hands.values())
    assert Riichi3().settle(deal).payments.by_seat == (-2600, 1300, 1300, 0)


def dragons(sign: str = "?") -> str:
    """Big three dragons of claimed sets, all from the player at that place."""
    return "123p99s " + " ".join(f"({rank * 3}z{sign}{rank}z)" for rank in "567") + " +9s"


# Name, hand of South, discarder, liable player, options, payments; one counter lies on the table.
LIABLE: tuple[Any, ...] = (
    ("self-draw: the price of a discard", dragons(), "", "W", {}, (0, 32200, -32200, 0)),
    ("self-draw, 300 for the counter", dragons(), "", "W", {"honba_ron": 300}, (0, 32300, -32300, 0)),
    ("another's discard: half each", dragons(), "E", "W", {}, (-16000, 32200, -16200, 0)),
    ("the own discard", dragons(), "W", "W", {}, (0, 32200, -32200, 0)),
    ("two declared sets, one in the hand", "777z123p9s (555z) (666z) 9s +9s", "", "W", {}, (0, 32200, -32200, 0)),
    ("fed by the next player on the right", dragons(">"), "", "W", {}, (0, 32200, -32200, 0)),
    ("big four winds", WINDS, "E", "W", {}, (-16000, 32200, -16200, 0)),
    ("all honours beside it", BOTH, "", "W", {}, (-16000, 56200, -40200, 0)),
    ("the whole hand", BOTH, "", "W", {"liability": "whole_hand"}, (0, 64200, -64200, 0)),
)  # fmt: skip


@pytest.mark.parametrize("row", LIABLE, ids=[row[0] for row in LIABLE])
def test_liable(row: tuple[Any, ...]) -> None:
    name, hand, by, liable, options, paid = row
    assert won({"S": hand}, "honba=1", by=by, liable=liable, **options).by_seat == paid, name


NOT_LIABLE: tuple[Any, ...] = (
    ("fed by the other player", dragons("<"), "W"),
    ("no such yakuman", HAKU, "W"),
    ("the winner", dragons(), "S"),
    ("no claimed set", "123p99s555666777z +9s", "W"),
)


@pytest.mark.parametrize(("name", "hand", "liable"), NOT_LIABLE, ids=[row[0] for row in NOT_LIABLE])
def test_nobody_liable(name: str, hand: str, liable: str) -> None:
    with pytest.raises(InputError) as caught:
        won({"S": hand}, liable=liable)
    assert caught.value.code == "nobody_liable", name


def test_the_place_of_a_player() -> None:
    """With an empty side, and close up: West is across from East, or on the left."""
    table = Endings3().table
    assert set(table.places(E, W)) == {From.ACROSS, From.LEFT}
    assert set(table.places(W, E)) == {From.ACROSS, From.RIGHT}
    assert set(table.places(E, S)) == set(table.places(S, W)) == {From.RIGHT}
    assert set(table.places(S, E)) == set(table.places(W, S)) == {From.LEFT}
    assert set(FOUR_PLAYERS.places(E, W)) == {From.ACROSS}


DRAWS: tuple[Any, ...] = (
    ((), {}, (0, 0, 0, 0)),
    (("S",), {}, (-1000, 2000, -1000, 0)),
    (("E", "W"), {}, (1000, -2000, 1000, 0)),
    (("E", "S", "W"), {}, (0, 0, 0, 0)),
    (("S",), {"noten_pool": 3000}, (-1500, 3000, -1500, 0)),
    (("E", "W"), {"noten_pool": 3000}, (1500, -3000, 1500, 0)),
)


@pytest.mark.parametrize(("ready", "options", "paid"), DRAWS)
def test_exhaustive_draw(ready: tuple[str, ...], options: dict[str, Any], paid: tuple[int, ...]) -> None:
    deal = Deal(hands={}, draw="exhausted", ready=tuple(map(Seat, ready)))
    assert Riichi3.of(**options).settle(deal).payments.by_seat == paid


def drained(*seats: Seat) -> Deal:
    return Deal(hands={}, draw="exhausted", nagashi=seats)


def chombo(seat: Seat) -> Deal:
    return Deal(hands={}, foul_by=seat, foul_kind="false_mahjong")


BY_HAND = {E: (Hand(()), Context(occasions=Occasion.NAGASHI_MANGAN))}
ENDS: tuple[Any, ...] = (
    ("nagashi of a child", drained(S), {}, (-4000, 6000, -2000, 0)),
    ("nagashi of a child, shared", drained(S), BISECT, (-5000, 8000, -3000, 0)),
    ("nagashi of the dealer", drained(E), {}, (8000, -4000, -4000, 0)),
    ("nagashi of the dealer, shared", drained(E), BISECT, (12000, -6000, -6000, 0)),
    ("two of them", drained(S, W), {}, (-8000, 4000, 4000, 0)),
    ("told by the hand", Deal(hands=BY_HAND, draw="exhausted"), {}, (8000, -4000, -4000, 0)),
    ("chombo of a child", chombo(W), {}, (4000, 2000, -6000, 0)),
    ("chombo of a child, shared", chombo(W), BISECT, (5000, 3000, -8000, 0)),
    ("chombo of the dealer", chombo(E), {}, (-8000, 4000, 4000, 0)),
    ("chombo of the dealer, shared", chombo(E), BISECT, (-12000, 6000, 6000, 0)),
    ("chombo without a price", chombo(E), {"chombo": "none"}, (0, 0, 0, 0)),
    ("nine terminals", Deal(hands={}, draw="nine_terminals"), {}, (0, 0, 0, 0)),
    ("four quads", Deal(hands={}, draw="four_kongs"), {}, (0, 0, 0, 0)),
)


@pytest.mark.parametrize(("name", "deal", "options", "paid"), ENDS, ids=[row[0] for row in ENDS])
def test_other_ends(name: str, deal: Deal, options: dict[str, Any], paid: tuple[int, ...]) -> None:
    assert Riichi3.of(**options).settle(deal).payments.by_seat == paid, name


SHOWN = {"concealed": "345p678p345s789s22p", "winning_tile": "9s"}
BROKEN: tuple[tuple[str, dict[str, Any]], ...] = (
    ("seat_not_in_game", {"winner": "N", "hands": {"N": SHOWN}}),
    ("seat_not_in_game", {"winner": "S", "discarder": "N", "hands": {"S": SHOWN}}),
    ("seat_not_in_game", {"winner": "S", "hands": {"S": {**SHOWN, "round": "N"}}}),
    ("seat_not_in_game", {"winner": "S", "hands": {"S": SHOWN}, "liable": {"S": "N"}}),
    ("seat_not_in_game", {"draw": {"kind": "exhausted", "ready": ["N"]}}),
    ("seat_not_in_game", {"draw": {"kind": "exhausted", "nagashi_mangan": ["N"]}}),
    ("seat_not_in_game", {"foul": {"by": "N", "kind": "false_mahjong"}}),
    ("tile_not_in_game", {"draw": {"kind": "exhausted"}, "hands": {"S": {"concealed": "5m"}}}),
    ("chow_not_allowed", {"winner": "S", "hands": {"S": SHOWN, "E": {"melds": [{"kind": "chow", "tiles": "123p"}]}}}),
    ("bad_norths", {"winner": "S", "hands": {"S": {**SHOWN, "bonus": "1q"}}}),
    ("bad_norths", {"winner": "S", "hands": {"S": {**SHOWN, "bonus": "5p"}}}),
    ("too_many_copies", {"winner": "S", "hands": {"S": {**SHOWN, "bonus": "44z"}, "E": {"bonus": "444z"}}}),
    ("unknown_draw", {"draw": {"kind": "four_winds"}}),
    ("unknown_draw", {"draw": {"kind": "triple_ron"}}),
    ("no_abortive_draws", {"draw": {"kind": "four_kongs"}, "options": {"abortive_draws": False}}),
    ("no_nagashi_mangan",
     {"draw": {"kind": "exhausted", "nagashi_mangan": ["S"]}, "options": {"nagashi_mangan": False}}),
    ("unknown_foul", {"foul": {"by": "S", "kind": "late_claim"}}),
    ("no_yaku", {"winner": "S", "discarder": "E", "hands": {"S": {**SHOWN, "winning_tile": "8s"}}}),
)  # fmt: skip


@pytest.mark.parametrize(("code", "deal"), BROKEN, ids=[f"{place} {row[0]}" for place, row in enumerate(BROKEN)])
def test_deals_that_cannot_be(code: str, deal: dict[str, Any]) -> None:
    assert json.loads(next(settle_lines("Riichi3", [json.dumps(deal)])))["error"]["code"] == code


def test_other_bonus_tiles_have_one_code() -> None:
    """The code of the game where a tile cannot be told apart before its rules are asked; elsewhere the common one."""
    for bonus, code in (("3z", "bad_norths"), ("1f", "bad_norths"), ("44444z", "bad_norths")):
        assert (
            json.loads(next(score_lines("riichi3", [json.dumps({**SHOWN, "bonus": bonus})])))["error"]["code"] == code
        )
    found = json.loads(next(score_lines("riichi", [json.dumps({**SHOWN, "bonus": "3z"})])))
    assert found["error"]["code"] == "not_a_bonus_tile"


def test_discarder_unknown() -> None:
    (answer,) = map(json.loads, score_lines("riichi3", [json.dumps({**SHOWN, "win_by": "discard"})]))
    assert (answer["total"], answer["payments"]) == (1500, None)


# --- properties ---------------------------------------------------------------------------------------------------

seats = st.sampled_from(PLAYERS)
tables = st.builds(
    lambda tsumo, honba: Endings3(tsumo=tsumo, honba_ron=honba).table,
    st.sampled_from(("loss", "bisect")),
    st.sampled_from((200, 300, 1000)),
)


@given(
    han=st.integers(1, 15),
    fu=st.sampled_from(range(20, 120, 10)),
    winner=seats,
    by=seats,
    honba=st.integers(0, 9),
    table=tables,
)
def test_payments_sum_to_zero(*, han: int, fu: int, winner: Seat, by: Seat, honba: int, table: Table) -> None:
    discarder = None if by is winner else by
    price = price_of(han, fu)
    paid = Payments.of(win_steps(price, winner, discarder, honba, table=table))
    assert sum(paid.by_seat) == 0
    counters = honba * (table.honba_ron if discarder else 2 * table.honba_each)
    assert paid[winner] == table.total(price, winner, self_drawn=discarder is None) + counters
    assert paid[N] == 0


@given(
    fed=st.integers(1, 2),
    rest=st.integers(0, 3),
    winner=seats,
    by=seats,
    liable=seats,
    honba=st.integers(0, 9),
    table=tables,
)
def test_liable_payments_sum_to_zero(
    *, fed: int, rest: int, winner: Seat, by: Seat, liable: Seat, honba: int, table: Table
) -> None:
    """The liable player pays no less than half of a discard for the yakuman that he fed."""
    if liable is winner:
        return
    discarder = None if by is winner else by
    prices = price_of_yakuman(fed), price_of_yakuman(rest)
    paid = Payments.of(liable_steps(*prices, winner, discarder, liable=liable, honba=honba, table=table))
    assert (sum(paid.by_seat), paid[N]) == (0, 0)
    assert -paid[liable] >= prices[0].ron(winner) // 2 + honba * table.honba_ron


@pytest.mark.random
def test_two_kinds_of_self_draw() -> None:
    """A shared self-draw pays no less than one without North's part, and no more than one of four players and 200."""
    dice, compared = Random(6), 0
    while compared < 200:
        made = random_win(dice, three_players=True)
        if not made[1].self_drawn:
            continue
        lossy, shared = Riichi3().score(*made), Riichi3.of(**BISECT).score(*made)
        if isinstance(lossy, Score) and isinstance(shared, Score):
            compared += 1
            assert (lossy.han, lossy.fu, lossy.lines) == (shared.han, shared.fu, shared.lines)
            price = price_of(lossy.han or 0, lossy.fu or 0)
            if lossy.limit is None:
                four = FOUR_PLAYERS.total(price, made[1].seat, self_drawn=True)
                assert lossy.total < four <= shared.total <= four + 100
