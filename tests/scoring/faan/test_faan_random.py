"""Random hands with random options: a second count, sums, payments, and no exception but those about input."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests.scoring.faan.faan_hands import SETS, random_context, random_tiles
from tests.scoring.faan.naive_faan import counted
from tilescore.errors import InputError
from tilescore.scoring.context import SEATS, Occasion
from tilescore.scoring.deal import Deal
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.score import Score
from tilescore.scoring.tiles import TERMINALS_AND_HONORS

if TYPE_CHECKING:
    from tilescore.scoring.context import Context
    from tilescore.scoring.hand import Hand

COUNT = 1500
VALUES: dict[str, dict[str, tuple[Any, ...]]] = {
    "hongkong": {
        "minimum": (0, 1, 3), "limit": (8, 10, 13), "spicy": ("half", "full"), "responsibility": ("full", "half"),
        "unit": (1, 7), "flowers": (True, False), "flowers_to_minimum": (True, False),
        "kong_keeps_concealed": (True, False), "seven_pairs": (0, 4), "draw_passes_deal": (True, False),
        "payments": ("",), "robbed_pays": ("discard",), "concealed_pungs_drawn": (False,), "flower_win_drawn": (False,),
        "house": ("",),
    },
    "taiwan": {
        "base": (0, 30), "unit": (1, 10), "flowers": (True, False), "see_all": (True, False),
        "flower_set_adds": (True, False), "begging_with_wait": (True, False), "five_concealed_alone": (True, False),
        "heavenly": (16, 24, 32), "li_gu": (True, False), "limit": (0, 5, 20),
        "see_flowers": (False,), "minimum": (0,), "most_repeats": (0,), "house": ("",),
    },
}  # fmt: skip
pytestmark = pytest.mark.random


def counts(hand: Hand, context: Context, name: str, *, flowers: bool) -> bool:
    """Whether the second count is asked: it takes for granted that the hand has its tiles, and may rob the kong."""
    if hand.winning_tile is not None and hand.winning_tile.is_bonus:
        return flowers and context.has(Occasion.FLOWER_WIN)
    robs = context.has(Occasion.ROBBING_CONCEALED_KONG)
    orphans = name == "hongkong" and {tile.plain for tile in hand.tiles} == {*TERMINALS_AND_HONORS}
    return hand.size == (14 if name == "hongkong" else 17) and (orphans or not robs)


@pytest.mark.parametrize("name", SETS)
def test_random_hands_with_random_options(name: str) -> None:
    dice, won, refused = Random(f"options {name}"), 0, 0
    for _ in range(COUNT):
        options = {key: dice.choice(values) for key, values in VALUES[name].items()}
        rules = ruleset(name, options)
        assert set(options) == {entry.name for entry in rules.options()}
        try:
            hand, context = random_tiles(dice, name), random_context(dice, name)
            score = rules.score(hand, context)
        except InputError:
            refused += 1
            continue
        naive = (
            counted(name, hand, context, options) if counts(hand, context, name, flowers=options["flowers"]) else None
        )
        if not isinstance(score, Score):
            assert naive is None or (score.code, score.total) == ("below_minimum", naive[0]), str(hand)
            continue
        won += 1
        assert naive == (
            sum(line.value * line.count for line in score.lines),
            {line.number: line.count for line in score.lines},
        ), (str(hand), context, options)
        total = sum(line.value * line.count for line in score.lines)
        limit = options["limit"] or total
        assert score.total == min(total, limit), str(hand)
        assert (score.limit == "limit") == (total > limit)
        numbers = [line.number for line in score.lines]
        assert numbers == sorted({number for number in numbers if number is not None})
        assert not {entry.number for entry in score.excluded} & set(numbers)
        assert {entry.because for entry in score.excluded} <= {line.key for line in score.lines}
        liable = {context.seat: context.seat.after()} if dice.random() < 0.3 else {}
        discarder = None if context.self_drawn else context.discarder or context.seat.after()
        deal = Deal(winner=context.seat, discarder=discarder, hands={context.seat: (hand, context)}, liable=liable)
        paid = rules.settle(deal).payments
        assert sum(paid.by_seat) == 0
        assert all(paid[seat] <= 0 for seat in SEATS if seat is not context.seat)
        if not liable:
            assert score.payments == paid
    assert won > COUNT / 10
    assert refused > COUNT / 10
