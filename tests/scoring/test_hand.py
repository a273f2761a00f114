"""Melds and hands: text, JSON, and refused input."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.harness.mcr_hands import random_win
from tilescore.errors import InputError
from tilescore.scoring.hand import From, Hand, Meld, MeldKind, kind_of_set
from tilescore.scoring.tiles import Tile, parse_tiles


@pytest.mark.parametrize(
    ("tiles", "kind"),
    [
        ("123m", "chow"),
        ("321m", "chow"),
        ("406p", "chow"),
        ("789s", "chow"),
        ("111m", "pung"),
        ("505p", "pung"),
        ("777z", "pung"),
        ("1111z", "kong"),
        ("0555s", "kong"),
        ("", None),
        ("1m", None),
        ("11m", None),
        ("124m", None),
        ("891m", None),
        ("123z", None),
        ("12m3p", None),
        ("1234m", None),
        ("11111m", None),
        ("112m", None),
        ("111f", None),
        ("123f", None),
        ("backbackback", None),
    ],
)
def test_kinds_of_sets(tiles: str, kind: str | None) -> None:
    assert kind_of_set(parse_tiles(tiles)) == kind


@pytest.mark.parametrize(
    "text",
    ["(123m)", "(789s<9s)", "(444m^4m)", "(406p>0p)", "(123m<)", "(111z?1z)", "[5555z]", "(1111m^1m)"],
)
def test_meld_parse_inverts_str(text: str) -> None:
    meld = Meld.parse(text)
    assert str(meld) == text
    assert Meld.from_json(json.loads(json.dumps(meld.to_json()))) == meld


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("unreadable_meld", "123m"),
        ("unreadable_meld", "(123m]"),
        ("unreadable_meld", "[1111m)"),
        ("unreadable_meld", "()"),
        ("no_such_meld", "(124m)"),
        ("concealed_meld", "[111m]"),
        ("called_not_in_meld", "(123m<4m)"),
        ("unknown_tile", "(123m<4x)"),
    ],
)
def test_unreadable_melds(code: str, text: str) -> None:
    with pytest.raises(InputError) as raised:
        Meld.parse(text)
    assert raised.value.code == code


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("two_winning_tiles", "77s88s +7s +8s"),
        ("not_a_bonus_tile", "123m &55m"),
        ("face_down_kong", "123m [backbackbackback]"),
        ("unknown_tiles", "123456m34p red 5p789s11z"),
    ],
)
def test_a_hand_that_contradicts_itself(code: str, text: str) -> None:
    with pytest.raises(InputError) as raised:
        Hand.parse(text)
    assert raised.value.code == code


def test_names_of_two_words() -> None:
    assert Hand.parse("123m 456p 789s EAST wind east wind red dragon red dragon +red dragon") == Hand.parse(
        "123m 456p 789s 11z 77z +7z"
    )


def test_a_meld_can_be_given_as_tiles() -> None:
    assert Meld("chow", parse_tiles("123m")).kind is MeldKind.CHOW  # type: ignore[arg-type]  # by its name
    assert Meld.of(parse_tiles("0555s"), concealed=True) == Meld.parse("[0555s]")
    assert Meld.of("213m").kind is MeldKind.CHOW


HANDS = (
    "1123m456p3m (789s<9s) [5555z] +3m &1f3q",
    "123m456p789s11155z +5z",
    "19m19p19s1234567z",
    "5z (111z) (222z) (333z) (444z)",
    "450667m11z (222z) (333z) +0m &1234f1234q",
    "",
)


@pytest.mark.parametrize("text", HANDS)
def test_hand_parse_inverts_str(text: str) -> None:
    hand = Hand.parse(text)
    assert str(hand) == text
    assert Hand.from_json(json.loads(json.dumps(hand.to_json()))) == hand


@pytest.mark.random
def test_random_hands_survive_text_and_json() -> None:
    dice = random.Random(7)
    for _ in range(200):
        hand, _context = random_win(dice)
        assert Hand.parse(str(hand)) == hand
        assert Hand.from_json(json.loads(json.dumps(hand.to_json()))) == hand


def test_bonus_tiles_may_stand_among_the_others() -> None:
    assert Hand.parse("1m1f2m 3q") == Hand.parse("12m &1f3q")


@pytest.mark.parametrize(("text", "size"), [("123m", 3), ("11m (1111z) [2222z] (123m) (456p)", 14), ("", 0)])
def test_a_kong_counts_three(text: str, size: int) -> None:
    assert Hand.parse(text).size == size


def test_exposed_melds_leave_concealed_kongs_out() -> None:
    assert [str(meld) for meld in Hand.parse("11m (1111z) [2222z]").exposed_melds] == ["(1111z)"]


@pytest.mark.parametrize(
    ("text", "advice"),
    [("123456789m123p", "12 tiles .* add"), ("123456789m123456p", "15 tiles .* remove")],
)
def test_wrong_counts(text: str, advice: str) -> None:
    with pytest.raises(InputError, match=advice):
        Hand.parse(text).check_size()


CHOW = {"kind": "chow", "tiles": "123m"}
REFUSED: tuple[tuple[str, str, Any], ...] = (
    ("not_a_hand_tile", "1f", {"concealed": "1m1f"}),
    ("not_a_hand_tile", "back", {"concealed": "1mback"}),
    ("not_a_bonus_tile", "1m", {"bonus": "1m"}),
    ("too_many_copies", "5m", {"concealed": "55550m"}),
    ("too_many_copies", "1m", {"concealed": "1111m", "melds": [CHOW]}),
    ("too_many_copies", "1f", {"bonus": "11f"}),
    ("winning_tile_missing", "5p", {"concealed": "123m", "winning_tile": "5p"}),
    ("winning_tile_missing", "0m", {"concealed": "555m", "winning_tile": "0m"}),
    ("winning_tile_missing", "1m", {"concealed": "555m", "melds": [CHOW], "winning_tile": "1m"}),
    ("not_object", "5", 5),
    ("not_object", "123m", "123m"),
    ("not_text", "winning_tile", {"winning_tile": 3}),
    ("not_text", "concealed", {"concealed": None}),
    ("not_text", "bonus", {"bonus": []}),
    ("melds_not_list", "melds", {"melds": {}}),
    ("not_object", "a meld must be a JSON object, not '123m'", {"melds": ["123m"]}),
    ("unknown_key", "who", {"melds": [{**CHOW, "who": 1}]}),
    ("unknown_meld_kind", "chi", {"melds": [{**CHOW, "kind": "chi"}]}),
    ("unknown_meld_kind", "needs a 'kind': chow", {"melds": [{"tiles": "123m"}]}),
    ("unknown_meld_kind", "chow", {"melds": [{**CHOW, "kind": ["chow"]}]}),
    ("unknown_from", "behind", {"melds": [{**CHOW, "from": "behind"}]}),
    ("not_boolean", "concealed", {"melds": [{**CHOW, "concealed": "yes"}]}),
    ("not_text", "called", {"melds": [{**CHOW, "called": 1}]}),
    ("called_not_in_meld", "4m", {"melds": [{**CHOW, "called": "4m"}]}),
    ("no_such_meld", "123m", {"melds": [{**CHOW, "kind": "pung"}]}),
    ("no_such_meld", "111f", {"melds": [{"kind": "pung", "tiles": "111f"}]}),
    ("concealed_meld", "123m", {"melds": [{**CHOW, "concealed": True}]}),
)


@pytest.mark.parametrize(("code", "culprit", "data"), REFUSED, ids=[f"{at} {row[0]}" for at, row in enumerate(REFUSED)])
def test_refused_json(code: str, culprit: str, data: dict[str, Any]) -> None:
    with pytest.raises(InputError) as raised:
        Hand.from_json(data)
    assert raised.value.code == code
    assert culprit in str(raised.value)


def test_what_is_shown_reads_back() -> None:
    hand = Hand.parse("11m (234s) +1m")
    assert repr(hand) == f"Hand.parse('{hand}')"
    assert repr(hand.melds[0]) == "Meld.parse('(234s)')"
    assert repr(hand.tiles[0]) == "Tile.parse('1m')"


def test_texts_and_lists_stand_for_the_values_of_a_hand() -> None:
    hand = Hand.parse("1123m456p3m (789s<9s) [5555z] +3m &1f3q")
    chow, kong = hand.melds
    for melds in (list(hand.melds), "(789s<9s) [5555z]", ("(789s<9s)", kong)):
        found = Hand(list(hand.concealed), melds, "3m", ["1f", "3q"])
        assert (found, hash(found)) == (hand, hash(hand))
    assert Hand(map(str, hand.concealed), hand.melds, hand.winning_tile, hand.bonus) == hand
    assert Meld.of(["7s", "8s", "9s"]) == Meld(MeldKind.CHOW, chow.tiles)
    read: dict[str, Any] = {"kind": "chow", "tiles": "789s", "called": "9s", "source": "left"}
    assert Meld(**read) == chow
    assert type(Meld(**read).source) is From
    assert Tile.parse(chow.tiles[0]) is chow.tiles[0]


@pytest.mark.parametrize(
    ("make", "given", "sentence"),
    [
        (Hand, (None,), "'concealed' must be text or a list, not None"),
        (Hand, ("1m", Meld.of("789s")), "'melds' must be text or a list"),
        (Hand, ("1m", [5]), "'5' is no meld: write"),
        (Hand, ("1m", (), 5), "'5' is no tile: write"),
        (Hand, ((["1m"],),), "is no tile: write"),
        (Hand, ("1f",), "1f among the concealed tiles"),
        (Hand.parse, (["1m"],), "'hand' must be text"),
        (Meld.parse, (5,), "'5' is no meld: write"),
        (Meld.of, (5,), "'tiles' must be text or a list"),
        (Meld, ("chow", "789s", False, None, "up"), "'up' is no place: left"),
    ],
)
def test_what_is_no_value_of_a_hand_is_named(
    make: Callable[..., object], given: tuple[object, ...], sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        make(*given)
