"""What cannot be is refused in every ruleset that gives it a meaning, with code and remedy (S-ALL-9)."""

from typing import Any

import pytest

from tests.scoring.riichi.riichi_deal import circumstances
from tilescore.errors import InputError
from tilescore.scoring.context import Context
from tilescore.scoring.hand import Hand
from tilescore.scoring.plausibility import holds_the_others_open
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.score import Score

ALL = "mcr riichi classical simplified hongkong"
COUNTED = "classical simplified"
HAND = "occasion_contradicts_hand"
TOGETHER = "contradicting_occasions"
# Purpose, rulesets, hand, circumstances, code (empty: nothing is wrong), a part of the message.
CASES = (
    ("robbed tile twice in the hand", ALL, "234m22678p678s234s +2p", "robbing_kong", HAND, "2p is seen 2 times"),
    ("robbed tile three times", ALL, "234m234678p22p678s +2p", "robbing_kong", HAND, ""),
    ("another dealer than East", ALL, "234m22567p678s234s +5p", "dealer=S", "dealer_not_east", "dealer S given"),
    ("robbed tile in a claimed pung", ALL, "23455p678s (222p) (234s) +2p", "robbing_kong", HAND, "2p is seen 4 times"),
    ("robbed tile once", ALL, "234m22567p678s234s +5p", "robbing_kong", "", ""),
    ("robbed red five beside a five", "riichi", "234m55067p678s22s +0p", "robbing_kong", HAND, "5p is seen 3 times"),
    ("robbed tile shown as dora", "riichi", "234m22567p678s234s +5p", "robbing_kong dora=5p", HAND, "5p is seen 2"),
    (
        "orphan robbed twice",
        "riichi classical simplified hongkong",
        "19m19p19s12345677z +7z",
        "robbing_concealed_kong",
        HAND,
        "",
    ),
    (
        "orphan robbed once",
        "riichi classical simplified hongkong",
        "19m19p19s12345677z +1m",
        "robbing_concealed_kong",
        "",
        "",
    ),
    (
        "replacement without a kong",
        "mcr riichi hongkong",
        "234m22567p678s234s +5p",
        "tsumo kong_replacement",
        HAND,
        "no kong",
    ),
    (
        "nothing replaced",
        COUNTED,
        "234m22567p678s234s +5p",
        "tsumo kong_replacement",
        HAND,
        "no kong, flower or season",
    ),
    (
        "flowers replace nothing here",
        "mcr riichi hongkong",
        "234m22567p678s234s +5p &1f",
        "tsumo kong_replacement",
        HAND,
        "",
    ),
    ("a season replaced", COUNTED, "234m22567p678s234s +5p &1q", "tsumo kong_replacement", "", ""),
    ("a kong replaced", ALL, "234m22567p234s [8888s] +5p", "tsumo kong_replacement", "", ""),
    ("last of two in hand", "mcr simplified", "234m22567p678s234s +2p", "last_of_its_kind", HAND, "2p is seen 2 times"),
    ("last of its own pung", "mcr simplified", "23455p678s (222p) (234s) +2p", "last_of_its_kind", "", ""),
    ("last of its kind elsewhere", "riichi classical", "234m22567p678s234s +2p", "last_of_its_kind", "", ""),
    (
        "ready when dealt, then a claim",
        COUNTED,
        "234m22567p678s (234s) +5p",
        "ready_from_start",
        HAND,
        "(234s) was claimed",
    ),
    ("ready when dealt, a kong since", COUNTED, "234m22567p678s (4444s) +5p", "ready_from_start", "", ""),
    (
        "robbed in the first turn",
        ALL,
        "234m22567p678s234s +5p",
        "first_turn robbing_kong",
        TOGETHER,
        "drop one of them",
    ),
    ("ippatsu after double riichi", "riichi", "", "double_riichi ippatsu robbing_kong", TOGETHER, "double_riichi"),
    ("ippatsu on the last tile", "riichi", "", "double_riichi ippatsu last_tile", TOGETHER, "last_tile"),
    ("ippatsu of a later riichi", "riichi", "234m22567p678s234s +5p", "riichi ippatsu robbing_kong", "", ""),
    ("double riichi without ippatsu", "riichi", "234m22567p678s234s +5p", "double_riichi robbing_kong", "", ""),
    ("riichi with a claim", "riichi", "234m22567p678s (234s) +5p", "riichi", "riichi_open_hand", "(234s) was claimed"),
    ("riichi with a claimed kong", "riichi", "234m22567p678s (4444s) +5p", "double_riichi", "riichi_open_hand", ""),
    (
        "six dora indicators",
        "riichi",
        "234m22567p678s234s +5p",
        "dora=111122z",
        "too_many_indicators",
        "6 dora_indicators",
    ),
    (
        "six ura",
        "riichi",
        "234m22567p678s234s +5p",
        "dora=1z ura=222233z",
        "too_many_indicators",
        "6 ura_dora_indicators",
    ),
    ("five indicators of each", "riichi", "234m22567p678s234s +5p", "riichi dora=11223z ura=33445z", "", ""),
    ("more ura than dora", "riichi", "234m22567p678s234s +5p", "riichi dora=1z ura=22z", "ura_without_dora", "2 ura"),
    ("ura without dora", "riichi", "234m22567p678s234s +5p", "riichi ura=2z", "ura_without_dora", "under 0"),
    ("indicators where they mean nothing", COUNTED, "234m22567p678s234s +5p", "dora=111122z ura=222233z", "", ""),
    (
        "nagashi with a claimed chow",
        "riichi",
        "123m456m123s1p (789m)",
        "tsumo nagashi_mangan",
        HAND,
        "(789m) was claimed",
    ),
    ("nagashi with a concealed kong", "riichi", "123m456m123s1p [7777z]", "tsumo nagashi_mangan", "", ""),
    ("nagashi without the tiles", "riichi", "", "tsumo nagashi_mangan", "", ""),
    ("nagashi with 14 tiles", "riichi", "123m456m123s11p777z", "tsumo nagashi_mangan", HAND, "14"),
)


@pytest.mark.parametrize(("name", "rulesets", "hand", "words", "code", "said"), CASES, ids=[row[0] for row in CASES])
def test_what_cannot_be(*, name: str, rulesets: str, hand: str, words: str, code: str, said: str) -> None:
    for one in rulesets.split():
        found, message = verdict(one, hand, words)
        assert found == code, f"{name}: {one}"
        assert said in message


def verdict(name: str, hand: str, words: str) -> tuple[str, str]:
    try:
        ruleset(name).score(Hand.parse(hand), circumstances(words))
    except InputError as error:
        return error.code, str(error)
    return "", ""


@pytest.mark.parametrize(
    ("hand", "others"),
    [
        ("23455p678s (222p) (234s) +2p", True),
        ("2225567s (222p) (234s) +2s", False),
        ("23455p (234p) (123p) (222s) +2p", False),
        ("23455p678s (222p) (234s)", False),
    ],
)
def test_whether_the_others_lie_in_the_own_melds(hand: str, *, others: bool) -> None:
    assert holds_the_others_open(Hand.parse(hand)) is others


LOSERS = (
    ("a losing hand of 14 tiles", "123m456p789s234s1z4z", "losing_hand_complete"),
    ("a complete losing hand", "123m456p789s234s11z", "losing_hand_complete"),
    ("a losing hand with a kong", "123m678p789s24s [5555p]", "losing_hand_complete"),
    ("a losing hand of 13 tiles", "123m456p789s234s1z", ""),
)


@pytest.mark.parametrize(("name", "hand", "code"), LOSERS, ids=[row[0] for row in LOSERS])
@pytest.mark.parametrize("rules", COUNTED.split())
def test_losing_hands(rules: str, name: str, hand: str, code: str) -> None:
    found = ""
    try:
        ruleset(rules).score(Hand.parse(hand), Context())
    except InputError as error:
        found = error.code
    assert found == code, name


@pytest.mark.parametrize("rules", COUNTED.split())
def test_a_declared_ready_hand_waits(rules: str) -> None:
    ready = circumstances("ready_from_start")
    lost: dict[str, Any] = {"win_by": None, "discarder": None}
    context = Context(**{name: lost.get(name, getattr(ready, name)) for name in ("win_by", "discarder", "occasions")})
    assert isinstance(ruleset(rules).score(Hand.parse("123m456p789s234s1z"), context), Score)
    with pytest.raises(InputError, match="waits for no tile"):
        ruleset(rules).score(Hand.parse("147m258p369s1234z"), context)


@pytest.mark.parametrize("rules", ["classical", "simplified"])
def test_a_losing_hand_says_why_it_is_no_win(rules: str) -> None:
    data = ruleset(rules).score(Hand.parse("123m456p789s234s1z"), Context()).to_json()
    assert (data["win"], data["reason"]["code"], data["waits"]) == (False, "not_a_win", ["1z"])
    assert "'123m456p789234s1z'" in data["reason"]["message"]
    assert "win_by" in data["reason"]["message"]
