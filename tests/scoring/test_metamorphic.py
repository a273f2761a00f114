"""Changes of a hand that change its score in a known way, or not at all, on all rulesets.

Permutation: the order of tiles, melds and indicators says nothing. Rotation: seats, round and their wind tiles turn
together. Suits: characters, dots and bamboo change places, where no tile of a suit is special.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.harness.mcr_hands import random_win
from tests.harness.riichi_hands import random_win as random_riichi_win
from tests.scoring.faan.faan_hands import SETS
from tests.scoring.faan.faan_hands import random_hand as random_faan_hand
from tests.scoring.random_hands import random_hand
from tilescore.scoring.context import SEATS, Context, Seat
from tilescore.scoring.deal import Deal
from tilescore.scoring.game.deals import HandInput
from tilescore.scoring.hand import Hand, Meld
from tilescore.scoring.ruleset import RULESETS, ruleset
from tilescore.scoring.score import Score
from tilescore.scoring.tiles import NORTH, Tile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Made = tuple[Hand, Context]

COUNT = 250
SUITS = {"m": "p", "p": "s", "s": "m"}
SUITS_OF = {"riichi3": {"m": "m", "p": "s", "s": "p"}}
"""Suits that change places in games of which not every suit is whole."""
SPECIAL = ("imperial_jade", "moon", "vine", "all_green", "reversible_tiles", "ryuuiisou")
"""Lines for which a suit is special, so that hands with them stay out of the exchange of suits."""
pytestmark = pytest.mark.random


@cache
def made(name: str) -> tuple[Made, ...]:
    """Random hands of this ruleset, most of which win."""
    return tuple(_made(name))


def _made(name: str) -> Iterator[Made]:
    dice = Random(f"metamorphic {name}")
    for number in range(COUNT):
        if name == "mcr":
            yield random_win(dice)
        elif ruleset(name).traits.stick:
            yield random_riichi_win(dice, three_players=name == "riichi3")
        elif name in SETS:
            yield random_faan_hand(name, dice)
        else:
            given = HandInput.from_json(random_hand(dice, won=number % 4 > 0))
            yield given.hand, given.context


@cache
def told(name: str, hand: Hand, context: Context) -> object:
    """What must not change: the total, the lines and the exclusions, han, fu, limit; or why it is no win."""
    result = ruleset(name).score(hand, context)
    lines = sorted((line.key, line.value, line.count, line.doubles) for line in result.lines)
    lost = sorted((entry.key, entry.because) for entry in result.excluded)
    if isinstance(result, Score):
        return result.win, result.total, result.han, result.fu, result.limit, lines, lost
    return result.code, lines, lost


def with_tiles(made_: Made, change: Callable[[Tile], Tile]) -> Made:
    hand, context = made_
    changed = Hand(
        tuple(map(change, hand.concealed)),
        tuple(
            Meld(
                meld.kind,
                tuple(map(change, meld.tiles)),
                meld.concealed,
                None if meld.called is None else change(meld.called),
                meld.source,
            )
            for meld in hand.melds
        ),
        None if hand.winning_tile is None else change(hand.winning_tile),
        hand.bonus,
    )
    return changed, replace(
        context,
        dora_indicators=tuple(map(change, context.dora_indicators)),
        ura_dora_indicators=tuple(map(change, context.ura_dora_indicators)),
        discards=tuple(map(change, context.discards)),
    )


@pytest.mark.parametrize("name", RULESETS)
def test_the_order_says_nothing(name: str) -> None:
    dice = Random(name)
    for hand, context in made(name):
        other = Hand(
            tuple(dice.sample(hand.concealed, len(hand.concealed))),
            tuple(dice.sample(hand.melds, len(hand.melds))),
            hand.winning_tile,
            tuple(dice.sample(hand.bonus, len(hand.bonus))),
        )
        turned = replace(context, dora_indicators=context.dora_indicators[::-1])
        assert told(name, other, turned) == told(name, hand, context), str(hand)


@pytest.mark.parametrize("name", RULESETS)
def test_suits_change_places(name: str) -> None:
    compared, suits = 0, SUITS_OF.get(name, SUITS)
    for hand, context in made(name):
        kept = told(name, hand, context)
        changed = with_tiles(
            (hand, context), lambda tile: Tile(suits[tile.suit], tile.rank) if tile.is_suited else tile
        )
        after = told(name, *changed)
        if not any(special in str((kept, after)) for special in SPECIAL):
            assert after == kept, str(hand)
            compared += 1
    assert compared > COUNT / 3


@pytest.mark.parametrize("name", RULESETS)
def test_seats_turn(name: str) -> None:
    """A turn by one seat moves the winds of the hand, and its own and the round's flowers, along.

    East pays and deals, so that only the count of the hand is compared, not the payments.
    """
    for hand, context in made(name):
        if name == "riichi" and context.seat is SEATS[3]:
            continue  # the turn would make a dealer of a child: other points
        if name == "riichi" and context.seat is SEATS[0]:
            continue
        if name == "riichi3" and (context.seat is not Seat.SOUTH or NORTH in (*hand.tiles, *hand.bonus)):
            continue  # nobody sits north, and norths are no wind of a player
        turned = replace(context, seat=context.seat.after(), round=context.round.after(), discarder=None)
        if name == "taiwan":
            turned = replace(turned, dealer=context.dealer.after())
        changed = with_tiles((with_turned_bonus(hand), turned), turned_wind)
        if "first_turn" in context.occasions.names:
            continue  # what it is depends on the seat of East
        assert told(name, *changed) == told(name, hand, replace(context, discarder=None)), str(hand)


def turned_wind(tile: Tile) -> Tile:
    return Tile("z", tile.rank % 4 + 1) if tile.is_wind else tile


def with_turned_bonus(hand: Hand) -> Hand:
    won = hand.winning_tile
    last = turned_flower(won) if won is not None and won.is_bonus else won
    return replace(hand, bonus=tuple(map(turned_flower, hand.bonus)), winning_tile=last)


def turned_flower(tile: Tile) -> Tile:
    return Tile(tile.suit, tile.rank % 4 + 1)


@pytest.mark.parametrize("name", RULESETS)
def test_payments_of_deals_sum_to_zero(name: str) -> None:
    """Of the table that they turn, too: when everybody moves one seat on, so do the payments, but for East's double."""
    settled = 0
    for hand, context in made(name):
        score = ruleset(name).score(hand, context)
        if not isinstance(score, Score) or not score.win:
            continue
        discarder = None if context.self_drawn else context.discarder or context.seat.after()
        hands = {seat: (Hand.parse("147m258p369s1234z"), Context(round=context.round)) for seat in SEATS}
        hands[context.seat] = hand, context
        if name not in ("classical", "simplified"):
            hands = {context.seat: (hand, context)}
        deal = Deal(winner=context.seat, discarder=discarder, hands=hands)
        paid = ruleset(name).settle(deal).payments
        assert sum(paid.by_seat) == 1000 * context.riichi_deposits, str(hand)
        assert paid[context.seat] > 0
        settled += 1
    assert settled > COUNT / 3
