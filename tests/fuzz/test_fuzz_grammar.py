"""Hands and circumstances from a nearly right grammar: the readers accept or reject them and do nothing else.

TILESCORE_LONG=1 tries 200,000 inputs instead of some hundred. `tests.fuzz` mutates valid hands, and `tests.fuzz.guided`
follows branch coverage.
"""

import json
import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.damaged_bytes import NASTY
from tests.fuzz.texts import Hands
from tilescore.errors import InputError
from tilescore.scoring.context import OCCASION_NAMES, SEATS
from tilescore.scoring.ruleset import RULESETS, ruleset
from tilescore.scoring.tiles import ALL_FACES

EXAMPLES = 50_000 if os.environ.get("TILESCORE_LONG") == "1" else 60
HANDS = Hands()

tile = st.sampled_from([str(face) for face in ALL_FACES])
tiles = st.lists(tile, max_size=18).map("".join)
sets = st.tuples(st.integers(1, 7), st.sampled_from("mps")).map(lambda at: f"{at[0]}{at[0] + 1}{at[0] + 2}{at[1]}")
# Most of these hands win, so that the input reaches the scoring rules.
won = st.tuples(st.lists(sets, min_size=4, max_size=5), tile).map(lambda parts: "".join(parts[0]) + parts[1] * 2)
nasty = st.integers(0, len(NASTY) - 1).map(NASTY.__getitem__)
seat = st.sampled_from([str(seat) for seat in SEATS])
meld = st.fixed_dictionaries(
    {"kind": st.sampled_from(["chow", "pung", "kong", "pair"]), "tiles": sets | tile.map(lambda one: one * 3) | tiles},
    optional={
        "concealed": st.booleans(),
        "called": tile | st.none(),
        "from": st.sampled_from(["left", "across", "right", None]),
    },
)
options = st.sampled_from(
    [
        {},
        *({entry.name: choice} for name in RULESETS for entry in ruleset(name).options() for choice in entry.choices),
    ]
)
hand = st.fixed_dictionaries(
    {"concealed": won | tiles | nasty},
    optional={
        "id": st.text(max_size=3) | nasty,
        "melds": st.lists(meld, max_size=5) | nasty,
        "winning_tile": tile | nasty,
        "win_by": st.sampled_from(["self_draw", "discard", None]),
        "discarder": seat | st.none(),
        "bonus": tiles,
        "seat": seat,
        "round": seat | nasty,
        "occasions": st.lists(st.sampled_from(sorted(OCCASION_NAMES)), max_size=4) | nasty,
        "dora_indicators": tiles | nasty,
        "ura_dora_indicators": tiles,
        "honba": st.integers(-1, 10) | nasty,
        "riichi_deposits": st.integers(-1, 10),
        "dealer": seat | nasty,
        "dealer_repeats": st.integers(-1, 10) | nasty,
        "options": options | nasty,
    },
)
deal = st.fixed_dictionaries(
    {"hands": st.dictionaries(seat, hand, max_size=4) | nasty},
    optional={"winner": seat | nasty, "also_won": st.lists(seat), "discarder": seat, "draw": nasty, "foul": nasty},
)


def answered(name: str, what: str, line: str) -> None:
    try:
        HANDS.feed(f"{name} {what} {line}".encode(errors="surrogatepass"))
    except InputError:
        assert what == "notation"  # a stream answers with the error


settled = settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))


@settled
@given(st.sampled_from(list(RULESETS)), hand)
def test_hands(name: str, given_hand: dict[str, Any]) -> None:
    answered(name, "score", json.dumps(given_hand))


@settled
@given(st.sampled_from(list(RULESETS)), deal)
def test_deals(name: str, given_deal: dict[str, Any]) -> None:
    answered(name, "settle", json.dumps(given_deal))


@settled
@given(st.lists(st.sampled_from([*"123456789mpszfq+()[]<>^# ", "back", "０", "🀀"]), max_size=40).map("".join))
def test_notation(text: str) -> None:
    answered("mcr", "notation", text)


@settled
@given(st.recursive(nasty, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner)))
def test_any_json(value: Any) -> None:
    for what in ("score", "settle"):
        answered("riichi", what, json.dumps(value))


def test_the_grammar_reaches_wins() -> None:
    """Without wins, the other tests of this file would not reach the scoring rules."""
    assert HANDS.feed(b'mcr score {"concealed": "123456789m123p55s", "winning_tile": "5s", "win_by": "self_draw"}')
    with pytest.raises(InputError):
        HANDS.feed(b"mcr notation 123")
