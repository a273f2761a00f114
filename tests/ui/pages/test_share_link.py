"""Links that open a hand: what they say comes back, and what makes no sense is one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tilescore.errors import ContextError, InputError
from tilescore.scoring.context import NO_OCCASION, SEATS, Context, Occasion, Seat, WinBy
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import RULESETS, own_options, ruleset
from tilescore.scoring.tiles import PLAYING_TILES
from tilescore.ui.components.share.link import Shared

if TYPE_CHECKING:
    from collections.abc import Mapping

HANDS = ("", "1m", "123456789m234s55p +4s", "11m (789s) [5555z] (222m<2m) +1m &1f3q", "0m0p0s")


@some.composite
def contexts(draw: some.DrawFn) -> Context:
    """Any that can be."""
    tiles = some.lists(some.sampled_from(PLAYING_TILES), max_size=4).map(lambda found: tuple(sorted(found)))
    flags = NO_OCCASION
    for occasion in draw(some.lists(some.sampled_from(list(Occasion)), max_size=3)):
        flags |= occasion
    seat = draw(some.sampled_from(SEATS))
    discarder = draw(some.sampled_from([None, *(other for other in SEATS if other is not seat)]))
    fields: dict[str, Any] = {
        "seat": seat, "round": draw(some.sampled_from(SEATS)), "dora_indicators": draw(tiles),
        "ura_dora_indicators": draw(tiles), "honba": draw(some.integers(0, 99)),
        "riichi_deposits": draw(some.integers(0, 9)), "discards": draw(tiles), "dealer": draw(some.sampled_from(SEATS)),
        "dealer_repeats": draw(some.integers(0, 5)),
    }  # fmt: skip
    win_by = WinBy.DISCARD if discarder else draw(some.sampled_from([None, *WinBy]))
    try:
        return Context(win_by=win_by, discarder=discarder, occasions=flags, **fields)
    except ContextError:
        return Context(win_by=win_by, discarder=discarder, **fields)


@given(some.sampled_from(HANDS), some.sampled_from(list(RULESETS)), contexts())
def test_a_link_says_everything(text: str, name: str, context: Context) -> None:
    shared = Shared(hand=Hand.parse(text), ruleset=name, context=context)
    assert Shared.of(dict(parse_qsl(shared.query))) == shared


OPTIONS: list[tuple[str, dict[str, Any]]] = [
    ("hongkong", {"limit": 13, "unit": 0.25, "house": "all_pungs,6\nno_flowers,"}),
    ("riichi", {"profile": "ema", "length": "east"}),
    ("taiwan", {"flowers": False}),
]


@pytest.mark.parametrize(("name", "options"), OPTIONS)
def test_a_link_says_the_house_rules(name: str, options: dict[str, Any]) -> None:
    rules = ruleset(name, options)
    shared = Shared(hand=Hand.parse("11m"), ruleset=name, context=Context(), options=own_options(rules))
    assert Shared.of(dict(parse_qsl(shared.query))) == shared
    assert ruleset(name, shared.options) == rules


def test_a_link_leaves_out_what_goes_without_saying() -> None:
    shared = Shared(hand=Hand.parse("11m"), ruleset="mcr", context=Context(seat=Seat.EAST))
    assert shared.query == "hand=11m&rules=mcr"


BAD_LINKS = [
    # parameters, part of the sentence
    ({"hand": "123x"}, "is no tile"),
    ({"hand": "11111m"}, "a set holds 4"),
    ({"hand": "11m", "rules": "bridge"}, "ruleset 'bridge'"),
    ({"hand": "11m", "by": "luck"}, "won by 'luck'"),
    ({"hand": "11m", "by": "E"}, "cannot win on their own discard"),
    ({"hand": "11m", "seat": "X"}, "'X' is no seat"),
    ({"hand": "11m", "with": "luck"}, "'luck' is no occasion"),
    ({"hand": "11m", "honba": "-1"}, "counts '-1'"),
    ({"hand": "11m", "sticks": "9" * 50}, "counts"),
    ({"hand": "1m" * 4000}, "longer than any hand"),
    ({"hand": "11m", "dora": "<script>"}, "is no tile"),
    ({"hand": "11m", "options": "[1]"}, "options that cannot be read"),
    ({"hand": "11m", "options": "[" * 3000}, "options that cannot be read"),
    ({"hand": "11m", "rules": "hongkong", "options": '{"limit": 99}'}, "must be one of"),
    ({"hand": "11m", "rules": "mcr", "house": "all_pungs,4"}, "is no option of mcr"),
    ({"hand": "11m", "rules": "hongkong", "house": "all_pungs,-4"}, "row 1"),
    ({"hand": "11m", "repeats": "x"}, "counts 'x'"),
]


@pytest.mark.parametrize(("parameters", "part"), BAD_LINKS)
def test_a_bad_link_is_one_sentence(parameters: Mapping[str, str], part: str) -> None:
    with pytest.raises(InputError) as caught:
        Shared.of(parameters)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)
